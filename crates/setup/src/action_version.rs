//! The version of the action in the `uses:` of a workflow.

/// The name of the action.
pub(crate) const ACTION: &str = "play-by-commit/play-by-commit";
/// The newest known major version.
const LATEST_MAJOR: u32 = 1;

/// A version of the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionVersion {
    /// A tag such as `v1` or `v1.2.3`, with its major version.
    Tag(String, u32),
    /// The full id of a commit.
    Commit {
        /// Whether the comment after it names a release tag, as Dependabot writes it.
        is_release: bool,
    },
    /// A branch, or anything else that isn't a release tag.
    Branch(String),
    /// The action in the same repository, `./`.
    Local,
    /// No version; GitHub rejects such a workflow.
    Missing,
}

impl ActionVersion {
    /// Parses the version in a `uses:` value. `comment` is the comment after it.
    pub fn parse(uses: &str, comment: &str) -> ActionVersion {
        match uses.split_once('@') {
            None if uses.starts_with('.') => ActionVersion::Local,
            None => ActionVersion::Missing,
            Some((_, version)) => match major_version(version) {
                Some(major) => ActionVersion::Tag(version.to_owned(), major),
                None if is_commit_id(version) => {
                    let tag = comment.trim_start_matches(['#', ' ']).split_whitespace().next().unwrap_or_default();
                    ActionVersion::Commit { is_release: major_version(tag).is_some() }
                }
                None => ActionVersion::Branch(version.to_owned()),
            },
        }
    }

    /// Parses the version part of a `uses:` value, such as `v1` or `COMMIT # v1.2.3`.
    pub fn from_version(version: &str) -> ActionVersion {
        let (version, comment) = version.split_once(" #").unwrap_or((version, ""));
        ActionVersion::parse(&format!("{ACTION}@{version}"), comment)
    }

    /// Whether the runner has to build this version from source.
    pub fn is_built_from_source(&self) -> bool {
        match self {
            ActionVersion::Tag(..) => false,
            ActionVersion::Commit { is_release } => !is_release,
            ActionVersion::Branch(_) | ActionVersion::Local | ActionVersion::Missing => true,
        }
    }

    /// Whether this is a tag with an unknown major version.
    pub fn is_unknown(&self) -> bool {
        matches!(self, ActionVersion::Tag(_, major) if *major > LATEST_MAJOR)
    }
}

/// Whether a text is the full id of a commit.
pub(crate) fn is_commit_id(version: &str) -> bool {
    version.len() == 40 && version.chars().all(|c| c.is_ascii_hexdigit())
}

/// Returns the major version of a release tag: 1 for `v1.2.3`. `None` if it isn't a release tag.
pub(crate) fn major_version(tag: &str) -> Option<u32> {
    let rest = tag.strip_prefix('v')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    if !rest.chars().all(is_plain) {
        return None;
    }
    rest.split(['.', '-']).next()?.parse().ok()
}
