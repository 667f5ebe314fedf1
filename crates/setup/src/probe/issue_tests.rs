//! Tests on the temporary issue: comments, reactions, the label, closing and locking.

use std::time::Instant;

use github::probe;
use protocol::forge::{
    Answer, AnswerOutcome, COMMENTS_PER_PAGE, Claim, Fault, Forge, PostOutcome, Presence, Reaction, Thread, Update,
};
use table::ids::{CommentId, IssueNumber};
use table::talk::comment::Source;

use crate::host_text::fault_text;
use crate::probe::checks::{self, Check};
use crate::probe::rows::Rows;
use crate::probe::session::{CreatedResources, MAX_LAG_MILLIS, Probe, Resource, TestIssue, elapsed_millis, poll_until};

/// The body of the temporary issue. It must not start a run: no line begins with a slash, and it isn't a form.
const BODY: &str = "The probe of Play by Commit opened this issue to test whether GitHub works the way the bot expects. \
                    It closes the issue within two minutes. You don't have to do anything.";
/// The text of the comment that the probe posts and deletes.
const COMMENT_TEXT: &str = "The probe of Play by Commit wrote this comment and will delete it.";

/// The tests on the temporary issue.
pub(super) struct IssueTests<'a> {
    probe: &'a Probe,
    created: &'a mut CreatedResources,
    rows: &'a mut Rows,
}

impl<'a> IssueTests<'a> {
    pub(super) fn new(probe: &'a Probe, created: &'a mut CreatedResources, rows: &'a mut Rows) -> IssueTests<'a> {
        IssueTests { probe, created, rows }
    }

    /// Opens the temporary issue.
    pub(super) async fn open_issue(&mut self) -> Option<IssueNumber> {
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

    /// Tests comments and reactions.
    pub(super) async fn test_comments(&mut self, issue: IssueNumber) {
        if let Some(comment) = self.test_comment(issue).await {
            let source = Source { issue, comment };
            self.test_authorship(issue).await;
            self.test_reaction(checks::COMMENT_REACTION, source).await;
            self.test_delete(source).await;
            self.test_answer(issue, source).await;
        }
        self.test_reaction(checks::ISSUE_REACTION, Source::body_of(issue)).await;
    }

    /// Tests labeling, closing, reopening and locking.
    pub(super) async fn test_state_changes(&mut self, issue: IssueNumber) {
        self.test_label(issue).await;
        self.test_close_and_reopen(issue).await;
        self.test_lock(issue).await;
    }

    async fn test_comment(&mut self, issue: IssueNumber) -> Option<CommentId> {
        let since = Instant::now();
        match self.post(issue, Vec::new()).await.map(|outcome| outcome.comment) {
            Ok(PostOutcome::Done) => self.rows.note(checks::COMMENT, true, "201", Some(elapsed_millis(since))),
            Ok(PostOutcome::Refused(why) | PostOutcome::Failed(why)) => {
                self.rows.note(checks::COMMENT, false, format!("Refused: {why}"), None);
            }
            Err(fault) => self.rows.fault(checks::COMMENT, &fault, Some(elapsed_millis(since))),
        }
        let github = &self.probe.github;
        let shown = poll_until(async || {
            let mut threads = github.read(&[issue], &[], COMMENTS_PER_PAGE).await?.threads;
            let comments = threads.remove(&issue).map(|thread| thread.comments).unwrap_or_default();
            Ok(comments.iter().find(|comment| comment.text == COMMENT_TEXT).map(|comment| comment.id))
        });
        match shown.await {
            Ok(Some((comment, lag))) => {
                self.rows.note(checks::COMMENT_LAG, lag <= MAX_LAG_MILLIS, lag_phrase(lag), Some(lag));
                return Some(comment);
            }
            Ok(None) => self.rows.note(checks::COMMENT_LAG, false, "It didn't show up within 8 seconds.", None),
            Err(fault) => self.rows.fault(checks::COMMENT_LAG, &fault, None),
        }
        None
    }

    async fn test_authorship(&mut self, issue: IssueNumber) {
        let authorship = match probe::newest_comment_authorship(&self.probe.github, issue).await {
            Ok(Some(authorship)) => authorship,
            Ok(None) => return,
            Err(fault) => {
                self.rows.fault(checks::VIEWER_DID_AUTHOR, &fault, None);
                return self.rows.fault(checks::VIEWER_LOGIN, &fault, None);
            }
        };
        let tests = [
            (
                checks::VIEWER_DID_AUTHOR,
                authorship.viewer_did_author,
                "`viewerDidAuthor` is true",
                "`viewerDidAuthor` is false",
            ),
            (
                checks::VIEWER_LOGIN,
                authorship.same_login,
                "The same account",
                "Another account, or GitHub doesn't say whose token it is",
            ),
        ];
        for (check, is_expected, yes, no) in tests {
            if is_expected || authorship.is_ours() {
                self.rows.note(check, is_expected, if is_expected { yes } else { no }, None);
            } else {
                self.rows.difference(
                    check,
                    no,
                    "The bot doesn't recognize its own answers, so it can answer a command twice, and the second answer \
                     stays. Don't play with this token.",
                    None,
                );
            }
        }
    }

    async fn test_reaction(&mut self, check: Check, source: Source) {
        let since = Instant::now();
        let first = self.probe.github.react(source, Reaction::Eyes).await;
        let second = self.probe.github.react(source, Reaction::Eyes).await;
        let result = format!("{}, then {}", claim_status(&first), claim_status(&second));
        match (first, second) {
            (Ok(Claim::Ours), Ok(Claim::Ours)) => self.rows.difference(
                check,
                result,
                "Two runs at once can both claim a refusal, so it can be answered twice until a later run deletes one.",
                Some(elapsed_millis(since)),
            ),
            (first, second) => {
                let is_expected = (first, second) == (Ok(Claim::Ours), Ok(Claim::Taken));
                self.rows.note(check, is_expected, result, Some(elapsed_millis(since)));
            }
        }
    }

    async fn test_delete(&mut self, source: Source) {
        if let Err(fault) = self.probe.github.delete(source).await {
            return self.rows.fault(checks::DELETE, &fault, None);
        }
        let github = &self.probe.github;
        let gone =
            poll_until(async || Ok(if github.find(source).await? == Presence::Absent { Some(()) } else { None }));
        match gone.await {
            Ok(Some(((), lag))) => self.rows.note(checks::DELETE, true, "Deleted, and gone", Some(lag)),
            Ok(None) => self.rows.note(checks::DELETE, false, "It was still there after 8 seconds.", None),
            Err(fault) => self.rows.fault(checks::DELETE, &fault, None),
        }
    }

    async fn test_label(&mut self, issue: IssueNumber) {
        self.created.insert(Resource::Label);
        if let Err(fault) = probe::add_label(&self.probe.github, issue, &self.probe.name).await {
            return self.rows.fault(checks::LABEL, &fault, None);
        }
        let (github, name) = (&self.probe.github, &self.probe.name);
        let there = poll_until(async || {
            let labels = probe::issue_labels(github, issue).await?;
            Ok(if labels.contains(name) { Some(()) } else { None })
        });
        match there.await {
            Ok(Some(((), lag))) => self.rows.note(checks::LABEL, true, "200, and the issue has it", Some(lag)),
            Ok(None) => self.rows.note(checks::LABEL, false, "The issue doesn't have it after 8 seconds.", None),
            Err(fault) => self.rows.fault(checks::LABEL, &fault, None),
        }
    }

    /// Posts a comment with updates.
    async fn post(&self, issue: IssueNumber, updates: Vec<Update>) -> Result<AnswerOutcome, Fault> {
        let (source, body) = (Source::body_of(issue), COMMENT_TEXT.to_owned());
        self.probe.github.answer(&Answer { source, body, updates }).await
    }

    /// Tests an answer whose second part fails: its reaction is to the comment that the probe has deleted.
    async fn test_answer(&mut self, issue: IssueNumber, deleted: Source) {
        let since = Instant::now();
        let updates = vec![Update::Rocket(deleted), Update::Close(issue)];
        let outcome = match self.post(issue, updates).await {
            Ok(outcome) => outcome,
            Err(fault) => return self.rows.fault(checks::ANSWER, &fault, None),
        };
        let millis = Some(elapsed_millis(since));
        let comment = match &outcome.comment {
            PostOutcome::Done => "posted".to_owned(),
            PostOutcome::Refused(why) | PostOutcome::Failed(why) => format!("not posted ({why})"),
        };
        let why_not = |wanted: Update| {
            let failed = outcome.failed_updates.iter().find(|(update, _)| *update == wanted);
            failed.map_or("done".to_owned(), |(_, why)| format!("failed ({why})"))
        };
        let [reaction, closing] = [Update::Rocket(deleted), Update::Close(issue)].map(why_not);
        let result =
            format!("Comment: {comment}; reaction to a deleted comment: {reaction}; closing after it: {closing}");
        self.rows.note(checks::ANSWER, outcome.comment == PostOutcome::Done, result, millis);
        // The report only records whether the later part ran: the bot works either way.
        if let Err(fault) = self.probe.github.update(&Update::Reopen(issue)).await {
            self.rows.fault(checks::ANSWER, &fault, None);
        }
    }

    async fn test_close_and_reopen(&mut self, issue: IssueNumber) {
        let closed = self.probe.github.update(&Update::Close(issue)).await;
        let shown = self.wait_for_thread(issue, |thread| thread.is_closed).await;
        self.note_state_change(checks::CLOSE, closed, shown, "A read shows it closed");
        let opened = self.probe.github.update(&Update::Reopen(issue)).await;
        let shown = self.wait_for_thread(issue, |thread| !thread.is_closed && thread.was_reopened).await;
        self.note_state_change(checks::REOPEN, opened, shown, "A read shows it open, and reopened");
    }

    fn note_state_change(
        &mut self,
        check: Check,
        request: Result<(), Fault>,
        shown: Result<Option<u64>, Fault>,
        yes: &str,
    ) {
        match (request, shown) {
            (Err(fault), _) | (_, Err(fault)) => self.rows.fault(check, &fault, None),
            (_, Ok(Some(lag))) => self.rows.note(check, true, yes, Some(lag)),
            (_, Ok(None)) => self.rows.note(check, false, "No read showed it within 8 seconds.", None),
        }
    }

    async fn test_lock(&mut self, issue: IssueNumber) {
        self.created.insert(Resource::Lock);
        if let Err(fault) = probe::set_locked(&self.probe.github, issue, true).await {
            return self.rows.difference(
                checks::LOCKED,
                fault_text(&fault),
                "It couldn't be tried. The bot never locks an issue, so games don't need this.",
                None,
            );
        }
        let lag = match self.wait_for_thread(issue, |thread| thread.is_locked).await {
            Ok(Some(lag)) => lag,
            Ok(None) => {
                return self.rows.note(checks::LOCKED, false, "No read showed it locked within 8 seconds.", None);
            }
            Err(fault) => return self.rows.fault(checks::LOCKED, &fault, None),
        };
        let alone = describe_comment(self.post(issue, Vec::new()).await);
        let with_updates = describe_comment(self.post(issue, vec![Update::Rocket(Source::body_of(issue))]).await);
        let reacted = self.probe.github.react(Source::body_of(issue), Reaction::Confused).await;
        let reaction = claim_status(&reacted);
        let is_expected =
            alone.1 && with_updates.1 && matches!(reacted, Ok(Claim::Ours | Claim::Taken | Claim::Refused(_)));
        self.rows.note(
            checks::LOCKED,
            is_expected,
            format!("Locked; comment: {}; with updates: {}; reaction: {reaction}", alone.0, with_updates.0),
            Some(lag),
        );
    }

    /// Reads the thread until it meets a condition, and returns the milliseconds until then; `None` if the time is over.
    async fn wait_for_thread(
        &self,
        issue: IssueNumber,
        condition: impl Fn(&Thread) -> bool,
    ) -> Result<Option<u64>, Fault> {
        let shown = poll_until(async || {
            let threads = self.probe.github.read(&[issue], &[], COMMENTS_PER_PAGE).await?.threads;
            let is_met = threads.get(&issue).is_some_and(&condition);
            Ok(if is_met { Some(()) } else { None })
        });
        Ok(shown.await?.map(|((), lag)| lag))
    }
}

/// Describes the outcome of posting in a locked issue, and returns whether the bot can cope with it.
fn describe_comment(outcome: Result<AnswerOutcome, Fault>) -> (String, bool) {
    match outcome.map(|outcome| outcome.comment) {
        Ok(PostOutcome::Done) => ("taken".to_owned(), true),
        Ok(PostOutcome::Refused(why) | PostOutcome::Failed(why)) => (format!("refused ({why})"), true),
        Err(fault) => (fault_text(&fault), false),
    }
}

/// Describes the lag of a read.
pub(super) fn lag_phrase(lag: u64) -> String {
    match lag {
        0..100 => "The first read shows it".to_owned(),
        _ => format!("It shows {lag} ms later"),
    }
}

fn claim_status(claim: &Result<Claim, Fault>) -> String {
    match claim {
        Ok(Claim::Ours) => "201".to_owned(),
        Ok(Claim::Taken) => "200".to_owned(),
        Ok(Claim::Gone) => "404".to_owned(),
        Ok(Claim::Refused(why)) => format!("refused ({why})"),
        Err(fault) => fault_text(fault),
    }
}
