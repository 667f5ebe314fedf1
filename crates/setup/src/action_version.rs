//! The version of the action that a workflow uses, as its `uses:` line says it.

/// The name of the action.
pub const ACTION: &str = "play-by-commit/play-by-commit";
/// The newest major version that this program knows.
const MAJOR: u32 = 1;

/// A version of the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionVersion {
    /// A tag such as `v1` or `v1.2.3`, with its major version.
    Tag(String, u32),
    /// The ID of a commit.
    Commit {
        /// Whether the comment after it names the tag of a release, as Dependabot writes it.
        is_release: bool,
    },
    /// A branch, or anything else that isn't a release tag.
    Branch(String),
    /// The action in the same repository: `./`.
    Local,
    /// None: GitHub doesn't take such a workflow.
    Missing,
}

impl ActionVersion {
    /// Parses the version after the `@` of `uses`. `note` is the comment after it.
    pub fn parse(uses: &str, note: &str) -> ActionVersion {
        match uses.split_once('@') {
            None if uses.starts_with('.') => ActionVersion::Local,
            None => ActionVersion::Missing,
            Some((_, version)) => match major_version(version) {
                Some(major) => ActionVersion::Tag(version.to_owned(), major),
                None if is_commit_id(version) => {
                    let tag = note.trim_start_matches(['#', ' ']).split_whitespace().next().unwrap_or_default();
                    ActionVersion::Commit { is_release: major_version(tag).is_some() }
                }
                None => ActionVersion::Branch(version.to_owned()),
            },
        }
    }

    /// Parses a version of this project's action as a workflow writes it, with or without a comment after it.
    pub fn from_version(version: &str) -> ActionVersion {
        let (version, note) = version.split_once(" #").unwrap_or((version, ""));
        ActionVersion::parse(&format!("{ACTION}@{version}"), note)
    }

    /// Whether the runner has to build it with Rust, as far as the workflow tells.
    pub fn is_built_from_source(&self) -> bool {
        match self {
            ActionVersion::Tag(..) => false,
            ActionVersion::Commit { is_release } => !is_release,
            ActionVersion::Branch(_) | ActionVersion::Local | ActionVersion::Missing => true,
        }
    }

    /// Whether it's of a major version that this program has never heard of.
    pub fn is_unknown(&self) -> bool {
        matches!(self, ActionVersion::Tag(_, major) if *major > MAJOR)
    }
}

/// Whether this is the full id of a commit.
pub fn is_commit_id(version: &str) -> bool {
    version.len() == 40 && version.chars().all(|c| c.is_ascii_hexdigit())
}

/// Returns the major version of a release's tag: 1 of `v1.2.3`. `None` if it's no such tag.
pub fn major_version(tag: &str) -> Option<u32> {
    let rest = tag.strip_prefix('v')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    if !rest.chars().all(plain) {
        return None;
    }
    rest.split(['.', '-']).next()?.parse().ok()
}
