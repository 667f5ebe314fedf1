//! Checks that run while the story does: on each answer, each deletion, and each end of a run.

use answers::{Marker, Notice, NoticeKind};
use protocol::{Answer, AnswerOutcome, PostOutcome, Trigger};
use table::{
    CommandError, CommentRef, Decision, EventKind, HostPolicy, ParsedComment, Refusal, Table, decide_at_once,
    parse_comment,
};

use crate::place;
use crate::simulator::core::{PostedAnswer, PostedComment};
use crate::simulator::table_history::{Link, comment_context};
use crate::simulator::{Core, Mode, boards, table_history};
use crate::world::MISSING_LOGIN;

/// The time until other runs may take over a claimed command, in milliseconds. Two of them may answer at once.
const CLAIM_TIMEOUT: u64 = 20_000;

/// Records the start of a run, and the command that it has to settle.
pub(crate) fn run_begins(core: &mut Core, run: u32, trigger: Trigger, policy: &HostPolicy) {
    core.trace(|| format!("   run {run} begins: {trigger:?}"));
    if !matches!(trigger, Trigger::Comment { .. }) {
        core.ledger.looks.insert(run);
    }
    if let Trigger::Comment { source, .. } = trigger
        && core.mode != Mode::Wrecked
        && is_unsettled(core, source, policy)
    {
        core.due.insert(run, source);
    }
}

/// Records the end of a run, and checks that it settled the command that triggered it.
pub(crate) fn run_ends(core: &mut Core, run: u32, end: Result<(), String>, policy: &HostPolicy) {
    core.trace(|| format!("   run {run} ends: {end:?}"));
    let left = core.due.remove(&run).filter(|source| is_unsettled(core, *source, policy));
    let left = left.filter(|source| !core.ledger.may_wait(*source));
    if let (Ok(()), Some(source)) = (&end, left) {
        let what = format!("run {run} ends without settling the comment that triggered it, {source:?}");
        core.violate("left", what);
    }
    core.ledger.ends.insert(run, end);
}

/// Posts an answer with its updates, checks it, and records it.
pub(crate) fn post_answer(core: &mut Core, run: u32, answer: &Answer) -> AnswerOutcome {
    let (issue, body) = (answer.source.issue.get(), &answer.body);
    // Check only the answers that GitHub accepts.
    let is_failing = core.state.failing_part.is_some_and(|failing| failing.part == 0);
    let is_open = core.state.issue(issue).is_some_and(|issue| !issue.locked) && !core.state.is_full(issue);
    if !is_failing && !core.state.limits_interactions && is_open {
        check_answer(core, run, issue, body);
    }
    let id = core.state.next_comment;
    let outcome = core.state.apply_answer(answer);
    let is_posted = outcome.comment == PostOutcome::Done;
    boards::record(&mut core.ledger, &answer.updates, &outcome.failed_updates, is_posted);
    match outcome.comment {
        PostOutcome::Done => {
            core.ledger.answers.push(PostedAnswer { at: core.now, run, id, issue, body: body.clone() });
        }
        PostOutcome::Refused(_) => core.ledger.refused.extend(Marker::parse(body).map(|marker| marker.source)),
        PostOutcome::Failed(_) => {}
    }
    core.ledger.outputs.push(body.clone());
    outcome
}

/// Checks an answer: its commit exists, and while requests are fast it is the only one.
fn check_answer(core: &mut Core, run: u32, issue: u64, body: &str) {
    if let Some(notice) = Notice::parse(body) {
        return check_notice(core, run, issue, &notice);
    }
    let Some(marker) = Marker::parse(body) else {
        return core.violate("no marker", format!("run {run} answers in issue {issue} without a marker"));
    };
    let (asked, comment) = (marker.source.issue.get(), marker.source.comment.get());
    if asked != issue {
        core.violate("elsewhere", format!("run {run} answers {asked}#{comment} in issue {issue}"));
    }
    if let Some(commit) = &marker.commit {
        let landed = core.state.commits.get(commit.as_str());
        let record = landed.and_then(|landed| landed.files.get(&format!("state/{}.json", marker.table.get())));
        let needle = format!("\"source\": {{ \"issue\": {asked}, \"comment\": {comment} }}");
        if record.is_none_or(|record| !record.contains(&needle)) {
            core.violate(
                "no commit",
                format!(
                    "run {run} says that {asked}#{comment} was accepted, but the commit {commit} doesn't contain it"
                ),
            );
        }
    }
    if matches!(core.mode, Mode::Harsh | Mode::Wrecked) {
        return;
    }
    let bot = core.state.bot.clone();
    let notes = core.state.issues.get(&issue).map_or(&[][..], |issue| &issue.comments);
    let ours = notes.iter().filter(|note| note.author.as_ref() == Some(&bot));
    let others = ours.filter_map(|note| Marker::parse(&note.text)).filter(|other| other.source == marker.source);
    // Two runs may decide differently if commands from several threads address one table, if someone edited an earlier comment,
    // or if someone deleted a comment after the command was written.
    let contradicts = |other: &Marker| other.commit.is_some() != marker.commit.is_some();
    let crossed = core.ledger.crossed.contains(&marker.table.get());
    let before = core.ledger.comments.range(place(issue, 0)..marker.source).any(|(_, posted)| posted.was_changed());
    let written = core.ledger.comments.get(&marker.source).map(|posted| posted.versions[0].at);
    let mut thread = core.ledger.comments.range(place(issue, 0)..place(issue + 1, 0));
    let deleted_since = thread.any(|(_, posted)| {
        posted.versions.last().is_some_and(|version| version.text.is_none() && Some(version.at) >= written)
    });
    let twice = others.filter(|other| !((crossed || before || deleted_since) && contradicts(other))).count() > 0;
    let since = core.ledger.claims.get(&marker.source).copied().unwrap_or(core.now);
    // If a run can't look up an invited account, it starts the game, and another run may refuse it.
    let posted = core.ledger.comments.get(&marker.source);
    let is_looked_up = posted.is_some_and(|posted| posted.texts().any(|text| text.contains(MISSING_LOGIN)));
    // The same holds if someone edited the command itself, if it waited while the game moved on, or if someone damaged the
    // record or deleted the table's issue.
    let differs = posted.is_some_and(PostedComment::was_changed)
        || core.ledger.may_wait(marker.source)
        || core.ledger.damaged.contains(&marker.table.get())
        || !core.state.issues.contains_key(&marker.table.get());
    if twice && !differs && !is_looked_up && core.now < since + CLAIM_TIMEOUT {
        core.violate("two answers", format!("run {run} gives a second answer to {asked}#{comment}"));
    }
}

/// Checks a notice: it's in its table's issue, and the flag that it announces has fallen.
fn check_notice(core: &mut Core, run: u32, issue: u64, notice: &Notice) {
    let landed = notice.commit.as_ref().and_then(|commit| core.state.commits.get(commit.as_str()));
    let table = landed.and_then(|landed| table_history::find(&landed.files, issue));
    let is_open = table.as_ref().is_some_and(|table| table.ballot_place() == Some((notice.round, notice.event)));
    let has_fallen = table.is_some_and(|table| table.fallen_flag() == Some((notice.round, notice.event)));
    let is_right = match notice.kind {
        NoticeKind::Flag => has_fallen,
        NoticeKind::Ballot => is_open,
        NoticeKind::Reminder
        | NoticeKind::HalfTime
        | NoticeKind::Silence
        | NoticeKind::NoVotes
        | NoticeKind::Settings => notice.commit.is_none(),
    };
    if notice.table.get() != issue || !is_right {
        core.violate("notice", format!("run {run} posts {} in issue {issue}", notice.line()));
    }
}

/// Checks a deletion: the bot may only delete its own answers.
pub(crate) fn check_deletion(core: &mut Core, run: u32, source: CommentRef) {
    // The bot may have posted it with another account.
    let was_posted = core
        .ledger
        .answers
        .iter()
        .any(|answer| (answer.issue, answer.id) == (source.issue.get(), source.comment.get()));
    let ours = was_posted || core.state.note(source).is_none();
    let is_answer = |text: &str| Marker::parse(text).is_some() || Notice::parse(text).is_some();
    let answer = core.state.note(source).is_none_or(|note| is_answer(&note.text));
    if !ours || !answer {
        core.violate(
            "deleted",
            format!("run {run} deletes {}#{}, which isn't the bot's answer", source.issue.get(), source.comment.get()),
        );
    }
}

/// Returns the comment that opened the table of its issue; `None` after a rematch, or if the opening was elsewhere.
fn opening_here(table: &Table) -> Option<u64> {
    let opening = table.history().first().filter(|opening| matches!(opening.kind, EventKind::New { .. }))?;
    if table.round() == 1 && opening.source.issue.get() == table.issue().get() {
        Some(opening.source.comment.get())
    } else {
        None
    }
}

/// Whether servers have left something to do about a comment: it is a command that none has started to settle, or one that
/// was applied or refused and has no answer.
pub(crate) fn is_left(core: &Core, source: CommentRef, policy: &HostPolicy) -> bool {
    let is_whole = core.ledger.comments.get(&source).is_some_and(|posted| !posted.was_changed());
    let can_answer = core.state.issues.contains_key(&source.issue.get()) && !core.ledger.refused.contains(&source);
    let mut answers = core.ledger.answers.iter().filter_map(|answer| Marker::parse(&answer.body));
    if !is_whole || !can_answer || answers.any(|marker| marker.source == source) {
        return false;
    }
    let needle = format!("\"source\": {{ \"issue\": {}, \"comment\": {} }}", source.issue, source.comment);
    let is_applied = || {
        let mut files = core.state.head_files().into_iter().flatten();
        files.any(|(path, text)| path.starts_with("state/") && text.contains(&needle))
    };
    // Later, an attempted move may be chat.
    let texts = || core.ledger.comments[&source].texts().map(parse_comment);
    let is_command = || texts().all(|parsed| matches!(parsed, ParsedComment::Command(..) | ParsedComment::Invalid(..)));
    let is_confused = || core.state.reactions.iter().any(|(to, _, name)| *to == source && name == "confused");
    let is_refused = || is_command() && is_confused();
    is_unsettled(core, source, policy) || core.ledger.claims.contains_key(&source) && (is_refused() || is_applied())
}

/// Whether a comment is a command that no run has started to settle. A run must settle the comment that triggered it.
fn is_unsettled(core: &Core, source: CommentRef, policy: &HostPolicy) -> bool {
    let answers_it = |body: &str| Marker::parse(body).is_some_and(|marker| marker.source == source);
    let Some(posted) = core.ledger.comments.get(&source).filter(|posted| !posted.was_changed()) else {
        return false;
    };
    // The bot can't answer there, or doesn't listen.
    let Some(issue) = core.state.issues.get(&source.issue.get()) else { return false };
    let is_invited = policy.is_invited(&issue.labels) || core.file(&format!("state/{}.json", source.issue)).is_some();
    if !is_invited || core.ledger.refused.contains(&source) {
        return false;
    }
    if core.ledger.claims.contains_key(&source) || core.ledger.answers.iter().any(|answer| answers_it(&answer.body)) {
        return false;
    }
    let Some(context) = comment_context(core, source, posted, &posted.versions[0], [0; 32], source.comment.get())
    else {
        return false;
    };
    let link = Link::find(core, source.issue.get()).filter(|link| link.is_certain);
    let context = link.and_then(|link| link.context(&context)).unwrap_or(context);
    let at = context.table.get();
    // Without its issue, a table counts as missing.
    let text = core.file(&format!("state/{at}.json")).filter(|_| core.state.issues.contains_key(&at));
    let Ok(table) = text.map(|text| table_history::load(&text, at)).transpose() else { return false };
    // The bot skipped it as chat before the table existed. A comment that waits above it may keep it unsettled.
    let was_skipped = table.as_ref().is_some_and(|table| {
        let was_early = opening_here(table).is_some_and(|opening| opening > source.comment.get())
            || table.has_arrived_since(source.comment);
        source.comment.get() <= table.settled_through().get()
            || was_early && decide_at_once(None, &context, policy).is_none()
    });
    if source.issue.get() == at && was_skipped {
        return false;
    }
    // The bot makes a suggestion only once a turn. After a rematch, an unknown word with a slash may have been for another bot.
    let decision = decide_at_once(table.as_deref().map(|known| &**known), &context, policy);
    let is_unknown_word =
        matches!(context.parsed, ParsedComment::Invalid(CommandError::Typo(..) | CommandError::Unknown(_), _));
    let may_be_silent = matches!(decision, None | Some(Decision::Vote(_) | Decision::Refuse(Refusal::Suggestion(_))))
        || is_unknown_word && table.is_some_and(|table| table.is_rematch_since(source, context.updated_at));
    !matches!(context.parsed, ParsedComment::Text(..)) && !may_be_silent
}
