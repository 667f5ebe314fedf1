//! Tests on the temporary issue: comments, reactions, the label, closing and locking.

use std::time::Instant;

use github::probe as requests;
use protocol::forge::{
    Answer, AnswerOutcome, COMMENTS_PER_PAGE, ClaimOutcome, Fault, Forge, PostOutcome, Presence, Reaction, Thread,
    Update,
};
use table::comments::comment::CommentRef;
use table::ids::{CommentId, IssueNumber};

use crate::host_text::fault_text;
use crate::probe::checks::{self, CLOSE, LABEL, REOPEN, VIEWER_DID_AUTHOR, VIEWER_LOGIN};
use crate::probe::rows::{Rows, Seen};
use crate::probe::session::{CreatedResources, Probe, TestIssue, poll_until};

/// The body of the temporary issue. It must not start a run: no line begins with a slash, and it isn't a form.
const BODY: &str = "The probe of Play by Commit opened this issue to test whether GitHub works the way the bot expects. \
                    It closes the issue within two minutes. You don't have to do anything.";
/// The text of the comment that the probe posts and deletes.
const COMMENT_TEXT: &str = "The probe of Play by Commit wrote this comment and will delete it.";

/// Opens the temporary issue.
pub(super) async fn open_issue(probe: &Probe, created: &mut CreatedResources, rows: &mut Rows) -> Option<IssueNumber> {
    created.issue = TestIssue::Unknown;
    let start = Instant::now();
    let opened = requests::open_issue(&probe.github, &probe.running_title(), BODY).await;
    created.issue = match opened {
        Ok(number) => TestIssue::Opened(number),
        Err(Fault::Fatal(_) | Fault::RetryAfter(..)) => TestIssue::None,
        Err(_) => TestIssue::Unknown,
    };
    rows.add(checks::ISSUE, Seen::from_reply(&opened, "201").since(start));
    opened.ok()
}

/// Tests comments and reactions.
pub(super) async fn test_comments(probe: &Probe, rows: &mut Rows, issue: IssueNumber) {
    if let Some(comment) = test_comment(probe, rows, issue).await {
        let source = CommentRef { issue, comment };
        test_authorship(probe, rows, issue).await;
        rows.add(checks::COMMENT_REACTION, react_twice(probe, source).await);
        rows.add(checks::DELETE, delete_comment(probe, source).await);
        rows.add(checks::ANSWER, answer(probe, issue, source).await);
    }
    rows.add(checks::ISSUE_REACTION, react_twice(probe, CommentRef::body_of(issue)).await);
}

/// Tests labeling, closing, reopening and locking.
pub(super) async fn test_state_changes(
    probe: &Probe,
    created: &mut CreatedResources,
    rows: &mut Rows,
    issue: IssueNumber,
) {
    created.label = true;
    rows.add(LABEL, add_label(probe, issue).await);
    let closed = update(probe, issue, &Update::Close(issue), CLOSE.expected, |thread| thread.is_closed).await;
    rows.add(CLOSE, closed);
    let is_reopened = |thread: &Thread| !thread.is_closed && thread.was_reopened;
    rows.add(REOPEN, update(probe, issue, &Update::Reopen(issue), REOPEN.expected, is_reopened).await);
    created.lock = true;
    rows.add(checks::LOCKED, lock(probe, issue).await);
}

async fn test_comment(probe: &Probe, rows: &mut Rows, issue: IssueNumber) -> Option<CommentId> {
    let start = Instant::now();
    let posted = match post(probe, issue, Vec::new()).await.map(|outcome| outcome.comment) {
        Ok(PostOutcome::Refused(why) | PostOutcome::Failed(why)) => Seen::new(false, format!("Refused: {why}")),
        posted => Seen::from_reply(&posted, "201").since(start),
    };
    rows.add(checks::COMMENT, posted);
    let shown = poll_until(async || {
        let mut threads = probe.github.read(&[issue], &[], COMMENTS_PER_PAGE).await?.threads;
        let comments = threads.remove(&issue).map(|thread| thread.comments).unwrap_or_default();
        Ok(comments.iter().find(|comment| comment.text == COMMENT_TEXT).map(|comment| comment.id))
    });
    let (comment, lag) = match shown.await {
        Ok(shown) => (shown.map(|(comment, _)| comment), Seen::from_lag(shown.map(|(_, lag)| lag))),
        Err(fault) => (None, Seen::from(&fault)),
    };
    rows.add(checks::COMMENT_LAG, lag);
    comment
}

async fn test_authorship(probe: &Probe, rows: &mut Rows, issue: IssueNumber) {
    let authorship = match requests::newest_comment_authorship(&probe.github, issue).await {
        Ok(Some(authorship)) => authorship,
        Ok(None) => return,
        Err(fault) => {
            rows.add(VIEWER_DID_AUTHOR, &fault);
            return rows.add(VIEWER_LOGIN, &fault);
        }
    };
    let other_login = "Another account, or GitHub doesn't say whose token it is";
    for (check, is_ours, otherwise) in [
        (VIEWER_DID_AUTHOR, authorship.viewer_did_author, "`viewerDidAuthor` is false"),
        (VIEWER_LOGIN, authorship.same_login, other_login),
    ] {
        let mut seen = Seen::new(is_ours, if is_ours { check.expected } else { otherwise });
        if !authorship.is_ours() {
            seen = seen.with_consequence(
                "The bot doesn't recognize its own answers, so it can answer a command twice, and the second answer \
                 stays. Don't play with this token.",
            );
        }
        rows.add(check, seen);
    }
}

async fn react_twice(probe: &Probe, source: CommentRef) -> Seen {
    let start = Instant::now();
    let first = probe.github.react(source, Reaction::Eyes).await;
    let second = probe.github.react(source, Reaction::Eyes).await;
    let result = format!("{}, then {}", claim_status(&first), claim_status(&second));
    let is_expected = first == Ok(ClaimOutcome::Ours) && second == Ok(ClaimOutcome::Taken);
    let seen = Seen::new(is_expected, result).since(start);
    if first == Ok(ClaimOutcome::Ours) && second == Ok(ClaimOutcome::Ours) {
        return seen.with_consequence(
            "Two runs at once can both claim a refusal, so it can be answered twice until a later run deletes one.",
        );
    }
    seen
}

async fn delete_comment(probe: &Probe, source: CommentRef) -> Result<Seen, Fault> {
    probe.github.delete(source).await?;
    let gone = poll_until(async || Ok((probe.github.find(source).await? == Presence::Absent).then_some(()))).await?;
    Ok(Seen::from_wait(gone, "Deleted, and gone", "It was still there after 8 seconds."))
}

async fn add_label(probe: &Probe, issue: IssueNumber) -> Result<Seen, Fault> {
    let Probe { github, name, .. } = probe;
    requests::add_label(github, issue, name).await?;
    let labeled =
        poll_until(async || Ok(requests::issue_labels(github, issue).await?.contains(name).then_some(()))).await?;
    Ok(Seen::from_wait(labeled, LABEL.expected, "The issue doesn't have it after 8 seconds."))
}

/// Posts a comment with updates.
async fn post(probe: &Probe, issue: IssueNumber, updates: Vec<Update>) -> Result<AnswerOutcome, Fault> {
    let (source, body) = (CommentRef::body_of(issue), COMMENT_TEXT.to_owned());
    probe.github.answer(&Answer { source, body, updates }).await
}

/// Tests an answer whose second part fails: its reaction is to the comment that the probe has deleted.
///
/// The result only says whether the later part ran: the bot works either way.
async fn answer(probe: &Probe, issue: IssueNumber, deleted: CommentRef) -> Result<Seen, Fault> {
    let start = Instant::now();
    let [rocket, close] = [Update::Rocket(deleted), Update::Close(issue)];
    let outcome = post(probe, issue, vec![rocket.clone(), close.clone()]).await?;
    let comment = match &outcome.comment {
        PostOutcome::Done => "posted".to_owned(),
        PostOutcome::Refused(why) | PostOutcome::Failed(why) => format!("not posted ({why})"),
    };
    let status = |update: &Update| {
        let failed = outcome.failed_updates.iter().find(|(failed, _)| failed == update);
        failed.map_or("done".to_owned(), |(_, why)| format!("failed ({why})"))
    };
    let (reaction, closing) = (status(&rocket), status(&close));
    let result = format!("Comment: {comment}; reaction to a deleted comment: {reaction}; closing after it: {closing}");
    let seen = Seen::new(outcome.comment == PostOutcome::Done, result).since(start);
    // If that fails, the tests of closing and reopening say so.
    drop(probe.github.update(&Update::Reopen(issue)).await);
    Ok(seen)
}

/// Changes the issue, and waits until a read shows it.
async fn update(
    probe: &Probe,
    issue: IssueNumber,
    update: &Update,
    success: &str,
    is_done: impl Fn(&Thread) -> bool,
) -> Result<Seen, Fault> {
    let updated = probe.github.update(update).await;
    let shown = wait_for_thread(probe, issue, is_done).await;
    updated?;
    Ok(Seen::from_wait(shown?, success, "No read showed it within 8 seconds."))
}

async fn lock(probe: &Probe, issue: IssueNumber) -> Result<Seen, Fault> {
    if let Err(fault) = requests::set_locked(&probe.github, issue, true).await {
        let consequence = "It couldn't be tried. The bot never locks an issue, so games don't need this.";
        return Ok(Seen::from(&fault).with_consequence(consequence));
    }
    let Some(((), lag)) = wait_for_thread(probe, issue, |thread| thread.is_locked).await? else {
        return Ok(Seen::new(false, "No read showed it locked within 8 seconds."));
    };
    let alone = post(probe, issue, Vec::new()).await;
    let with_updates = post(probe, issue, vec![Update::Rocket(CommentRef::body_of(issue))]).await;
    let reaction = probe.github.react(CommentRef::body_of(issue), Reaction::Confused).await;
    let result = format!(
        "Locked; comment: {}; with updates: {}; reaction: {}",
        post_status(&alone),
        post_status(&with_updates),
        claim_status(&reaction)
    );
    let is_reaction_expected =
        matches!(reaction, Ok(ClaimOutcome::Ours | ClaimOutcome::Taken | ClaimOutcome::Refused(_)));
    Ok(Seen::new(alone.is_ok() && with_updates.is_ok() && is_reaction_expected, result).after(lag))
}

/// Reads the thread until it meets a condition, and returns the milliseconds until then; `None` if the time is over.
async fn wait_for_thread(
    probe: &Probe,
    issue: IssueNumber,
    condition: impl Fn(&Thread) -> bool,
) -> Result<Option<((), u64)>, Fault> {
    poll_until(async || {
        let threads = probe.github.read(&[issue], &[], COMMENTS_PER_PAGE).await?.threads;
        Ok(threads.get(&issue).is_some_and(&condition).then_some(()))
    })
    .await
}

/// Describes the outcome of posting in a locked issue.
fn post_status(outcome: &Result<AnswerOutcome, Fault>) -> String {
    match outcome.as_ref().map(|outcome| &outcome.comment) {
        Ok(PostOutcome::Done) => "taken".to_owned(),
        Ok(PostOutcome::Refused(why) | PostOutcome::Failed(why)) => format!("refused ({why})"),
        Err(fault) => fault_text(fault),
    }
}

fn claim_status(claim: &Result<ClaimOutcome, Fault>) -> String {
    match claim {
        Ok(ClaimOutcome::Ours) => "201".to_owned(),
        Ok(ClaimOutcome::Taken) => "200".to_owned(),
        Ok(ClaimOutcome::Gone) => "404".to_owned(),
        Ok(ClaimOutcome::Refused(why)) => format!("refused ({why})"),
        Err(fault) => fault_text(fault),
    }
}
