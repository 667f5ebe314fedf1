//! The scratch branch: commits, races, and the addresses of pictures.

use std::time::{Duration, Instant};

use answers::board::picture_url;
use answers::pages::links::Links;
use github::probe::{self, CommitAttempt};
use github::web::fetch;
use protocol::forge::{Change, CommitOutcome, Environment, Fault, Forge};
use table::talk::comment::Author;
use table::talk::thread::{FileContent, Head, Oid};

use crate::probe::checks::{self, Check};
use crate::probe::issue_tests::lag_phrase;
use crate::probe::rows::Rows;
use crate::probe::session::{CreatedResources, MAX_LAG_MILLIS, Probe, Resource, elapsed_millis, poll_until};

/// The picture that is committed.
const PICTURE_NAME: &str = "probe.svg";
const PICTURE_TEXT: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"><rect width=\"8\" height=\"8\"/></svg>\n";
/// The time limit of a visit to a picture.
const FETCH_TIMEOUT: Duration = Duration::from_secs(8);

/// The tests of a branch.
pub(super) struct BranchTests<'a> {
    probe: &'a Probe,
    created: &'a mut CreatedResources,
    rows: &'a mut Rows,
}

impl<'a> BranchTests<'a> {
    pub(super) fn new(bench: &'a Probe, made: &'a mut CreatedResources, rows: &'a mut Rows) -> BranchTests<'a> {
        BranchTests { probe: bench, created: made, rows }
    }

    /// Makes the scratch branch and tries what befalls one.
    pub(super) async fn run(&mut self) {
        let Some(base) = self.create_branch().await else { return };
        if let Some(head) = self.test_commit(&base).await {
            self.test_commit_lag(&head).await;
            self.test_stale_commit(&base).await;
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
            // Whatever has this name is not the probe's to touch.
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

    /// Commits as a move does. A note in the message keeps other workflows of the host from starting.
    async fn try_commit(&self, base: &Oid, drawing: &str, branch: &str) -> Result<CommitAttempt, Fault> {
        let change = Change {
            parent: Some(base.clone()),
            files: vec![(self.picture_path(), drawing.to_owned())],
            headline: "The probe of Play by Commit tries a commit [skip ci]".to_owned(),
            body: String::new(),
            author: Author { id: 0, login: String::new(), is_bot: true },
            time: self.probe.github.now(),
        };
        probe::try_commit(&self.probe.github, &change, branch).await
    }

    async fn test_commit(&mut self, base: &Oid) -> Option<Oid> {
        let since = Instant::now();
        let tried = self.try_commit(base, PICTURE_TEXT, &self.probe.name).await;
        let took = Some(elapsed_millis(since));
        match tried.map(|tried| (describe_attempt(&tried), tried.outcome)) {
            Ok((_, Ok(CommitOutcome::Landed(oid)))) => {
                self.rows.note(checks::COMMIT, true, "It landed", took);
                return Some(oid);
            }
            Ok((told, Ok(CommitOutcome::BranchMoved))) => self.rows.note(checks::COMMIT, false, told, took),
            Ok((_, Err(fault))) | Err(fault) => self.rows.fault(checks::COMMIT, &fault, took),
        }
        None
    }

    async fn test_commit_lag(&mut self, head: &Oid) {
        let (github, paths) = (&self.probe.github, [self.picture_path()]);
        let shown = poll_until(async || {
            let read = github.read(&[], &paths, 1).await?;
            let file = read.pages.get(&paths[0]).cloned();
            Ok((read.head == Head::Commit(head.clone())).then_some(file))
        });
        match shown.await {
            Ok(Some((Some(FileContent::Text(text)), late))) if text == PICTURE_TEXT => {
                self.rows.note(checks::COMMIT_LAG, late <= MAX_LAG_MILLIS, lag_phrase(late), Some(late));
            }
            Ok(Some((_, late))) => self.rows.difference(
                checks::COMMIT_LAG,
                "The new head, without the file of that very commit",
                "A run could use a position from another commit than the one it names. Don't play until this is \
                 understood.",
                Some(late),
            ),
            Ok(None) => self.rows.note(checks::COMMIT_LAG, false, "It didn't show up within 8 seconds.", None),
            Err(fault) => self.rows.fault(checks::COMMIT_LAG, &fault, None),
        }
    }

    async fn test_stale_commit(&mut self, base: &Oid) {
        let tried = self.try_commit(base, "<svg/>\n", &self.probe.name).await;
        self.note_refusal(checks::STALE_COMMIT, tried, Some("STALE_DATA"));
    }

    async fn test_missing_branch(&mut self, base: &Oid) {
        self.created.insert(Resource::MissingBranch);
        let branch = self.probe.missing_branch();
        let tried = self.try_commit(base, PICTURE_TEXT, &branch).await;
        if tried.as_ref().is_ok_and(|tried| !matches!(tried.outcome, Ok(CommitOutcome::Landed(_)))) {
            self.created.remove(Resource::MissingBranch);
        }
        self.note_refusal(checks::MISSING_BRANCH, tried, None);
    }

    /// Notes a commit that had to be refused as a lost race; by this type of error, if there is one to expect.
    fn note_refusal(&mut self, thing: Check, tried: Result<CommitAttempt, Fault>, kind: Option<&str>) {
        let tried = match tried {
            Ok(tried) => tried,
            Err(fault) => return self.rows.fault(thing, &fault, None),
        };
        let told = describe_attempt(&tried);
        match tried.outcome {
            Ok(CommitOutcome::BranchMoved) if kind.is_none() || tried.kind.as_deref() == kind => {
                self.rows.note(thing, true, told, None);
            }
            Ok(CommitOutcome::BranchMoved) => self.rows.difference(
                thing,
                told,
                "The bot knows a lost race by the words of the sentence alone. Once they change, a move that loses a race waits for the \
                 daily run.",
                None,
            ),
            Ok(CommitOutcome::Landed(_)) => self.rows.difference(
                thing,
                "It landed",
                "Two moves at once can overwrite each other. Don't play until this is understood.",
                None,
            ),
            Err(fault) => self.rows.difference(thing, format!("{told} ({fault})"), thing.consequence, None),
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
        for (place, address) in [("in answers", in_answer), ("on pages", links.picture(PICTURE_NAME, "1"))] {
            match fetch(&address, FETCH_TIMEOUT).await {
                Ok(reply) => seen.push((
                    place,
                    reply.status == 200 && reply.content_type == "image/svg+xml",
                    format!("{} {}", reply.status, reply.content_type),
                )),
                Err(fault) => seen.push((place, false, fault.to_string())),
            }
        }
        let words: Vec<String> = seen.iter().map(|(place, _, what)| format!("{place}: {what}")).collect();
        let good = seen.iter().all(|(_, good, _)| *good);
        if !good && probe::is_private(&self.probe.github).await.unwrap_or_default() {
            let told =
                format!("{}; the repository is private, so only people with access see pictures", words.join("; "));
            return self.rows.note(checks::PICTURE, true, told, Some(elapsed_millis(since)));
        }
        self.rows.note(checks::PICTURE, good, words.join("; "), Some(elapsed_millis(since)));
    }

    fn picture_path(&self) -> String {
        format!("{}/{PICTURE_NAME}", self.probe.state_dir)
    }
}

/// Returns GitHub's words about a commit.
fn describe_attempt(tried: &CommitAttempt) -> String {
    match (&tried.kind, tried.message.as_str()) {
        (None, "") => "No error".to_owned(),
        (None, said) => format!("An error without a type: {said}"),
        (Some(kind), said) => format!("`{kind}`: {said}"),
    }
}
