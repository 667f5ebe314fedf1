//! The scratch issue: comments, reactions, the label, closing and locking.

use std::time::Instant;

use github::probe;
use protocol::forge::{COMMENTS_PER_PAGE, Claim, Fault, Forge, PostOutcome, Reaction};
use table::talk::comment::Source;
use table::talk::thread::Thread;

use crate::probe::checks::{self, Check};
use crate::probe::rows::Rows;
use crate::probe::session::{CreatedResources, MAX_LAG_MILLIS, Probe, Resource, TestIssue, elapsed_millis, poll_until};

/// The body of the temporary issue. It must not start a run, so no line begins with a slash, and it isn't a form.
const BODY: &str = "The probe of Play by Commit opened this issue to test whether GitHub works the way the bot expects. \
                    It closes the issue within two minutes. You don't have to do anything.";
/// The comment that the probe writes and deletes.
const COMMENT_TEXT: &str = "The probe of Play by Commit wrote this comment and will delete it.";

/// The tests of a thread, on the scratch issue.
pub(super) struct IssueTests<'a> {
    probe: &'a Probe,
    created: &'a mut CreatedResources,
    rows: &'a mut Rows,
}

impl<'a> IssueTests<'a> {
    pub(super) fn new(bench: &'a Probe, made: &'a mut CreatedResources, rows: &'a mut Rows) -> IssueTests<'a> {
        IssueTests { probe: bench, created: made, rows }
    }

    /// Opens the scratch issue.
    pub(super) async fn open_issue(&mut self) -> Option<u64> {
        self.created.set_issue(TestIssue::Unknown);
        let since = Instant::now();
        match probe::open_issue(&self.probe.github, &self.probe.title, BODY).await {
            Ok(number) => {
                self.created.set_issue(TestIssue::Opened(number));
                self.rows.note(checks::ISSUE, true, "201", Some(elapsed_millis(since)));
                Some(number)
            }
            Err(fault) => {
                if matches!(fault, Fault::Fatal(_) | Fault::RetryAfter(..)) {
                    self.created.set_issue(TestIssue::None);
                }
                self.rows.fault(checks::ISSUE, &fault, Some(elapsed_millis(since)));
                None
            }
        }
    }

    /// Writes a comment and tries what belongs to one.
    pub(super) async fn test_comments(&mut self, issue: u64) {
        if let Some(comment) = self.test_comment(issue).await {
            let source = Source { issue, comment };
            self.test_authorship(issue).await;
            self.test_reaction(checks::COMMENT_REACTION, source).await;
            self.test_delete(source).await;
        }
        self.test_reaction(checks::ISSUE_REACTION, Source { issue, comment: 0 }).await;
    }

    /// Tries what befalls an issue at the end: a label, closing, opening and locking.
    pub(super) async fn test_state_changes(&mut self, issue: u64) {
        self.test_label(issue).await;
        self.test_close_and_reopen(issue).await;
        self.test_lock(issue).await;
    }

    async fn test_comment(&mut self, issue: u64) -> Option<u64> {
        let since = Instant::now();
        let posted = self.probe.github.answer(issue, COMMENT_TEXT).await;
        match posted {
            Ok(PostOutcome::Done) => self.rows.note(checks::COMMENT, true, "201", Some(elapsed_millis(since))),
            Ok(PostOutcome::Refused(why)) => self.rows.note(checks::COMMENT, false, format!("Refused: {why}"), None),
            Err(fault) => self.rows.fault(checks::COMMENT, &fault, Some(elapsed_millis(since))),
        }
        let github = &self.probe.github;
        let shown = poll_until(async || {
            let mut threads = github.read(&[issue], &[], COMMENTS_PER_PAGE).await?.threads;
            let comments = threads.remove(&issue).map(|thread| thread.comments).unwrap_or_default();
            Ok(comments.iter().find(|comment| comment.text == COMMENT_TEXT).map(|comment| comment.id))
        });
        match shown.await {
            Ok(Some((comment, late))) => {
                self.rows.note(checks::COMMENT_LAG, late <= MAX_LAG_MILLIS, lag_phrase(late), Some(late));
                return Some(comment);
            }
            Ok(None) => self.rows.note(checks::COMMENT_LAG, false, "It didn't show up within 8 seconds.", None),
            Err(fault) => self.rows.fault(checks::COMMENT_LAG, &fault, None),
        }
        None
    }

    async fn test_authorship(&mut self, issue: u64) {
        let signs = match probe::newest_comment_authorship(&self.probe.github, issue).await {
            Ok(Some(signs)) => signs,
            Ok(None) => return,
            Err(fault) => {
                self.rows.fault(checks::VIEWER_DID_AUTHOR, &fault, None);
                return self.rows.fault(checks::VIEWER_LOGIN, &fault, None);
            }
        };
        let both = [
            (
                checks::VIEWER_DID_AUTHOR,
                signs.viewer_did_author,
                "`viewerDidAuthor` is true",
                "`viewerDidAuthor` is false",
            ),
            (
                checks::VIEWER_LOGIN,
                signs.same_login,
                "The same account",
                "Another account, or GitHub doesn't say whose token it is",
            ),
        ];
        for (thing, good, yes, no) in both {
            match good || signs.is_ours() {
                true => self.rows.note(thing, good, if good { yes } else { no }, None),
                false => self.rows.difference(
                    thing,
                    no,
                    "The bot doesn't recognize its own answers, so it can answer a command twice, and the second answer \
                     stays. Don't play with this token.",
                    None,
                ),
            }
        }
    }

    async fn test_reaction(&mut self, thing: Check, source: Source) {
        let since = Instant::now();
        let first = self.probe.github.react(source, Reaction::Eyes).await;
        let second = self.probe.github.react(source, Reaction::Eyes).await;
        let seen = format!("{}, then {}", claim_status(&first), claim_status(&second));
        match (first, second) {
            (Ok(Claim::Ours), Ok(Claim::Ours)) => self.rows.difference(
                thing,
                seen,
                "Two runs at once can both claim a refusal, so it can be answered twice until a later run deletes one.",
                Some(elapsed_millis(since)),
            ),
            (first, second) => {
                let good = (first, second) == (Ok(Claim::Ours), Ok(Claim::Taken));
                self.rows.note(thing, good, seen, Some(elapsed_millis(since)));
            }
        }
    }

    async fn test_delete(&mut self, source: Source) {
        if let Err(fault) = self.probe.github.delete(source).await {
            return self.rows.fault(checks::DELETE, &fault, None);
        }
        let github = &self.probe.github;
        let gone = poll_until(async || Ok((!github.exists(source).await?).then_some(())));
        match gone.await {
            Ok(Some(((), late))) => self.rows.note(checks::DELETE, true, "Deleted, and gone", Some(late)),
            Ok(None) => self.rows.note(checks::DELETE, false, "It was still there after 8 seconds.", None),
            Err(fault) => self.rows.fault(checks::DELETE, &fault, None),
        }
    }

    async fn test_label(&mut self, issue: u64) {
        self.created.insert(Resource::Label);
        if let Err(fault) = probe::add_label(&self.probe.github, issue, &self.probe.name).await {
            return self.rows.fault(checks::LABEL, &fault, None);
        }
        let (github, name) = (&self.probe.github, &self.probe.name);
        let there = poll_until(async || Ok(probe::issue_labels(github, issue).await?.contains(name).then_some(())));
        match there.await {
            Ok(Some(((), late))) => self.rows.note(checks::LABEL, true, "200, and the issue has it", Some(late)),
            Ok(None) => self.rows.note(checks::LABEL, false, "The issue doesn't have it after 8 seconds.", None),
            Err(fault) => self.rows.fault(checks::LABEL, &fault, None),
        }
    }

    async fn test_close_and_reopen(&mut self, issue: u64) {
        let closed = self.probe.github.close(issue).await;
        let shown = self.wait_for_thread(issue, |thread| thread.is_closed).await;
        self.note_state_change(checks::CLOSE, closed, shown, "A read shows it closed");
        let opened = self.probe.github.reopen(issue).await;
        let shown = self.wait_for_thread(issue, |thread| !thread.is_closed && thread.was_reopened).await;
        self.note_state_change(checks::REOPEN, opened, shown, "A read shows it open, and reopened");
    }

    fn note_state_change(
        &mut self,
        thing: Check,
        asked: Result<(), Fault>,
        shown: Result<Option<u64>, Fault>,
        yes: &str,
    ) {
        match (asked, shown) {
            (Err(fault), _) | (_, Err(fault)) => self.rows.fault(thing, &fault, None),
            (_, Ok(Some(late))) => self.rows.note(thing, true, yes, Some(late)),
            (_, Ok(None)) => self.rows.note(thing, false, "No read showed it within 8 seconds.", None),
        }
    }

    async fn test_lock(&mut self, issue: u64) {
        self.created.insert(Resource::Lock);
        if let Err(fault) = probe::set_locked(&self.probe.github, issue, true).await {
            return self.rows.difference(
                checks::LOCKED,
                fault.to_string(),
                "It couldn't be tried. The bot never locks an issue, so games don't need this.",
                None,
            );
        }
        let late = match self.wait_for_thread(issue, |thread| thread.is_locked).await {
            Ok(Some(late)) => late,
            Ok(None) => {
                return self.rows.note(checks::LOCKED, false, "No read showed it locked within 8 seconds.", None);
            }
            Err(fault) => return self.rows.fault(checks::LOCKED, &fault, None),
        };
        let posted = self.probe.github.answer(issue, COMMENT_TEXT).await;
        let reacted = self.probe.github.react(Source { issue, comment: 0 }, Reaction::Confused).await;
        let (comment, written) = match posted {
            Ok(PostOutcome::Done) => ("taken".to_owned(), true),
            Ok(PostOutcome::Refused(why)) => (format!("refused ({why})"), true),
            Err(fault) => (fault.to_string(), false),
        };
        let reaction = claim_status(&reacted);
        let good = written && matches!(reacted, Ok(Claim::Ours | Claim::Taken | Claim::Refused(_)));
        self.rows.note(checks::LOCKED, good, format!("Locked; comment: {comment}; reaction: {reaction}"), Some(late));
    }

    /// Reads until the thread is so, and returns the milliseconds that it took to show.
    async fn wait_for_thread(&self, issue: u64, so: impl Fn(&Thread) -> bool) -> Result<Option<u64>, Fault> {
        let shown = poll_until(async || {
            let threads = self.probe.github.read(&[issue], &[], COMMENTS_PER_PAGE).await?.threads;
            Ok(threads.get(&issue).is_some_and(&so).then_some(()))
        });
        Ok(shown.await?.map(|((), late)| late))
    }
}

/// Returns the lag of a read in words.
pub(super) fn lag_phrase(late: u64) -> String {
    match late {
        0..100 => "The first read shows it".to_owned(),
        _ => format!("It shows {late} ms later"),
    }
}

fn claim_status(claim: &Result<Claim, Fault>) -> String {
    match claim {
        Ok(Claim::Ours) => "201".to_owned(),
        Ok(Claim::Taken) => "200".to_owned(),
        Ok(Claim::Gone) => "404".to_owned(),
        Ok(Claim::Refused(why)) => format!("refused ({why})"),
        Err(fault) => fault.to_string(),
    }
}
