//! Tests on the temporary branch: commits, races, and the URLs of pictures.

use std::time::{Duration, Instant};

use answers::board::picture_url;
use answers::pages::links::Links;
use github::probe::{self, CommitAttempt};
use github::web::fetch;
use protocol::forge::{Change, CommitOutcome, Environment, Fault, FileContent, Forge, Head};
use table::ids::UserId;
use table::oid::Oid;
use table::talk::comment::Author;

use crate::host_text::fault_text;
use crate::probe::checks::{self, Check};
use crate::probe::issue_tests::lag_phrase;
use crate::probe::rows::Rows;
use crate::probe::session::{CreatedResources, MAX_LAG_MILLIS, Probe, Resource, elapsed_millis, poll_until};

/// The file name of the picture to commit.
const PICTURE_NAME: &str = "probe.svg";
const PICTURE_TEXT: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"><rect width=\"8\" height=\"8\"/></svg>\n";
/// The time limit for fetching the picture.
const FETCH_TIMEOUT: Duration = Duration::from_secs(8);

/// The tests on the temporary branch.
pub(super) struct BranchTests<'a> {
    probe: &'a Probe,
    created: &'a mut CreatedResources,
    rows: &'a mut Rows,
}

impl<'a> BranchTests<'a> {
    pub(super) fn new(probe: &'a Probe, created: &'a mut CreatedResources, rows: &'a mut Rows) -> BranchTests<'a> {
        BranchTests { probe, created, rows }
    }

    /// Creates the temporary branch and runs the tests.
    pub(super) async fn run(&mut self) {
        let Some(base) = self.create_branch().await else { return };
        if let Some(head) = self.test_commit(&base).await {
            self.test_commit_lag(&head).await;
            self.test_stale_commit(&base).await;
            self.test_missing_file(&head).await;
            self.test_missing_branch(&base).await;
            self.test_picture(&head).await;
        } else {
            self.test_missing_branch(&base).await;
        }
    }

    async fn create_branch(&mut self) -> Option<Oid> {
        let since = Instant::now();
        let base = match self.probe.github.read(&[], &[], 1).await.map(|read| read.head) {
            Ok(Head::Missing(Some(base))) => base,
            Ok(Head::Missing(None)) => {
                self.rows.note(checks::BRANCH, false, "The repository is empty: it needs a first commit.", None);
                return None;
            }
            // The probe must not touch a branch that it didn't create.
            Ok(Head::Commit(_)) => {
                self.rows.note(checks::BRANCH, false, "A branch of that name already exists.", None);
                return None;
            }
            Err(fault) => {
                self.rows.fault(checks::BRANCH, &fault, None);
                return None;
            }
        };
        self.created.insert(Resource::Branch);
        match self.probe.github.create_branch(&base).await {
            Ok(()) => {
                self.rows.note(checks::BRANCH, true, "201", Some(elapsed_millis(since)));
                Some(base)
            }
            Err(fault) => {
                self.rows.fault(checks::BRANCH, &fault, Some(elapsed_millis(since)));
                None
            }
        }
    }

    /// Commits a picture the way a move is committed. `[skip ci]` keeps the host's other workflows from starting.
    async fn try_commit(&self, base: &Oid, picture: &str, branch: &str) -> Result<CommitAttempt, Fault> {
        let files = vec![(self.picture_path(), picture.to_owned())];
        self.try_change(base, files, Vec::new(), branch).await
    }

    async fn try_change(
        &self,
        base: &Oid,
        files: Vec<(String, String)>,
        deleted: Vec<String>,
        branch: &str,
    ) -> Result<CommitAttempt, Fault> {
        let change = Change {
            parent: Some(base.clone()),
            files,
            deleted,
            headline: "The probe of Play by Commit tries a commit [skip ci]".to_owned(),
            body: String::new(),
            author: Author { id: UserId::default(), login: String::new(), is_bot: true },
            time: self.probe.github.now(),
        };
        probe::try_commit(&self.probe.github, &change, branch).await
    }

    async fn test_commit(&mut self, base: &Oid) -> Option<Oid> {
        let since = Instant::now();
        let attempt = self.try_commit(base, PICTURE_TEXT, &self.probe.name).await;
        let millis = Some(elapsed_millis(since));
        match attempt.map(|attempt| (describe_attempt(&attempt), attempt.outcome)) {
            Ok((_, Ok(CommitOutcome::Landed(oid)))) => {
                self.rows.note(checks::COMMIT, true, "It landed", millis);
                return Some(oid);
            }
            Ok((result, Ok(CommitOutcome::BranchMoved))) => self.rows.note(checks::COMMIT, false, result, millis),
            Ok((_, Err(fault))) | Err(fault) => self.rows.fault(checks::COMMIT, &fault, millis),
        }
        None
    }

    async fn test_commit_lag(&mut self, head: &Oid) {
        let (github, paths) = (&self.probe.github, [self.picture_path()]);
        let shown = poll_until(async || {
            let read = github.read(&[], &paths, 1).await?;
            let file = read.files.get(&paths[0]).cloned();
            Ok(if read.head == Head::Commit(head.clone()) { Some(file) } else { None })
        });
        match shown.await {
            Ok(Some((Some(FileContent::Text(text)), lag))) if text == PICTURE_TEXT => {
                self.rows.note(checks::COMMIT_LAG, lag <= MAX_LAG_MILLIS, lag_phrase(lag), Some(lag));
            }
            Ok(Some((_, lag))) => self.rows.difference(
                checks::COMMIT_LAG,
                "The new head, without the file of that very commit",
                "A run could use a position from another commit than the one it names. Don't play until this is \
                 understood.",
                Some(lag),
            ),
            Ok(None) => self.rows.note(checks::COMMIT_LAG, false, "It didn't show up within 8 seconds.", None),
            Err(fault) => self.rows.fault(checks::COMMIT_LAG, &fault, None),
        }
    }

    async fn test_stale_commit(&mut self, base: &Oid) {
        let attempt = self.try_commit(base, "<svg/>\n", &self.probe.name).await;
        self.note_refusal(checks::STALE_COMMIT, attempt, Some("STALE_DATA"));
    }

    async fn test_missing_file(&mut self, head: &Oid) {
        let missing = vec![format!("{}/missing.json", self.probe.state_dir)];
        match self.try_change(head, Vec::new(), missing, &self.probe.name).await {
            Ok(attempt) => {
                let is_refused = !matches!(attempt.outcome, Ok(CommitOutcome::Landed(_)));
                let result = if is_refused { describe_attempt(&attempt) } else { "It landed".to_owned() };
                self.rows.note(checks::MISSING_FILE, is_refused, result, None);
            }
            Err(fault) => self.rows.fault(checks::MISSING_FILE, &fault, None),
        }
    }

    async fn test_missing_branch(&mut self, base: &Oid) {
        self.created.insert(Resource::MissingBranch);
        let branch = self.probe.missing_branch();
        let attempt = self.try_commit(base, PICTURE_TEXT, &branch).await;
        if attempt.as_ref().is_ok_and(|attempt| !matches!(attempt.outcome, Ok(CommitOutcome::Landed(_)))) {
            self.created.remove(Resource::MissingBranch);
        }
        self.note_refusal(checks::MISSING_BRANCH, attempt, None);
    }

    /// Notes the result of a commit that GitHub should refuse as a lost race, with this error type if one is given.
    fn note_refusal(&mut self, check: Check, attempt: Result<CommitAttempt, Fault>, kind: Option<&str>) {
        let attempt = match attempt {
            Ok(attempt) => attempt,
            Err(fault) => return self.rows.fault(check, &fault, None),
        };
        let result = describe_attempt(&attempt);
        match attempt.outcome {
            Ok(CommitOutcome::BranchMoved) if kind.is_none() || attempt.kind.as_deref() == kind => {
                self.rows.note(check, true, result, None);
            }
            Ok(CommitOutcome::BranchMoved) => self.rows.difference(
                check,
                result,
                "The bot knows a lost race by the words of the sentence alone. Once they change, a move that loses a race waits for the \
                 daily run.",
                None,
            ),
            Ok(CommitOutcome::Landed(_)) => self.rows.difference(
                check,
                "It landed",
                "Two moves at once can overwrite each other. Don't play until this is understood.",
                None,
            ),
            Err(fault) => self.rows.difference(check, format!("{result} ({})", fault_text(&fault)), check.consequence, None),
        }
    }

    async fn test_picture(&mut self, head: &Oid) {
        let links = Links {
            server: &self.probe.web.server,
            repository: &self.probe.web.repository,
            branch: &self.probe.name,
            state_dir: &self.probe.state_dir,
        };
        let in_answer = picture_url(&self.probe.web.pictures_url(head, &self.probe.state_dir), PICTURE_NAME);
        let since = Instant::now();
        let mut seen = Vec::new();
        for (place, url) in [("in answers", in_answer), ("on pages", links.picture(PICTURE_NAME, "1"))] {
            match fetch(&url, FETCH_TIMEOUT).await {
                Ok(reply) => seen.push((
                    place,
                    reply.status == 200 && reply.content_type == "image/svg+xml",
                    format!("{} {}", reply.status, reply.content_type),
                )),
                Err(fault) => seen.push((place, false, fault_text(&fault))),
            }
        }
        let words: Vec<String> = seen.iter().map(|(place, _, what)| format!("{place}: {what}")).collect();
        let is_expected = seen.iter().all(|(_, is_expected, _)| *is_expected);
        if !is_expected && probe::is_private(&self.probe.github).await.unwrap_or_default() {
            let result =
                format!("{}; the repository is private, so only people with access see pictures", words.join("; "));
            return self.rows.note(checks::PICTURE, true, result, Some(elapsed_millis(since)));
        }
        self.rows.note(checks::PICTURE, is_expected, words.join("; "), Some(elapsed_millis(since)));
    }

    fn picture_path(&self) -> String {
        format!("{}/{PICTURE_NAME}", self.probe.state_dir)
    }
}

/// Returns GitHub's error for a commit.
fn describe_attempt(attempt: &CommitAttempt) -> String {
    match (&attempt.kind, attempt.message.as_str()) {
        (None, "") => "No error".to_owned(),
        (None, message) => format!("An error without a type: {message}"),
        (Some(kind), message) => format!("`{kind}`: {message}"),
    }
}
