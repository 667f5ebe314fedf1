//! Checks the order of events: every commit applies one comment to the table before it, and every refusal is right at its
//! position in the order of comments.
//!
//! These checks use the product's own `decide` and `announce`. So they notice a decision at the wrong table or at the wrong
//! time, but not a wrong rule or a wrong sentence. The tests of `table` and `answers` cover those.

pub(super) mod clocks;
mod commits;
mod expected_answers;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use answers::{Marker, OutputFormat, announce};
use protocol::{RepoConfig, announcement, pointer, review_line};
use table::{
    CommentContext, CommentRef, EventKind, Oid, Query, RefusedAttempt, Table, Timestamp, asked_question, may_answer,
};

use crate::Millis;
use crate::simulator::core::{PostedComment, Violate};
use crate::simulator::order::clocks::filed_start;
use crate::simulator::schedule::repo_config;
use crate::simulator::table_history::{CachedTable, Stage, TableHistories, comment_context, heads_between};
use crate::simulator::{Core, Mode, Story};

/// The format of answers, with `*` for the commit of their images.
const LOOK: OutputFormat<'static> =
    OutputFormat::MarkdownPicture { base_url: "https://github.example/host/games/blob/*/state" };

struct HistoryCheck<'a> {
    core: &'a Core,
    past: &'a TableHistories,
    config: RepoConfig,
    /// The greatest age of a read.
    stale: Millis,
    /// Whether a run reads whole threads. On short pages, it may miss the comment behind a question.
    reads_all: bool,
    /// The answers that remain at the end, by command.
    answers: BTreeMap<CommentRef, FinalAnswer>,
    /// The applied commands: the resulting table, and the time of the commit.
    applied: BTreeMap<CommentRef, (Rc<CachedTable>, Millis)>,
    /// The commands that may have been settled out of order.
    out_of_order: BTreeSet<CommentRef>,
}

/// An answer that remains at the end.
struct FinalAnswer {
    at: Millis,
    commit: Option<Oid>,
    /// The text below the marker.
    text: String,
}

/// Checks every commit and every comment.
pub(crate) fn check(story: &Story, core: &Core, past: &TableHistories, violate: &mut Violate<'_>) {
    let mut check = HistoryCheck {
        core,
        past,
        config: repo_config(story),
        // If a thread has many pages, the bot reads the oldest up to five seconds after the record.
        stale: story.oldest() + if story.setting.comments_per_page < 100 { 5_000 } else { 0 },
        reads_all: story.setting.comments_per_page >= 100 && story.setting.max_reply_bytes.is_none(),
        answers: remaining_answers(core),
        applied: BTreeMap::new(),
        out_of_order: BTreeSet::new(),
    };
    for landed in &core.ledger.landed {
        check.commit(landed, violate);
    }
    check.out_of_order = out_of_order(core, &check.applied);
    if story.mode == Mode::Wrecked {
        // The answered commits may be gone.
        return;
    }
    for (source, posted) in
        core.ledger.comments.iter().filter(|(source, _)| core.state.issues.contains_key(&source.issue.get()))
    {
        check.comment(*source, posted, violate);
    }
    check.in_order(violate);
}

fn remaining_answers(core: &Core) -> BTreeMap<CommentRef, FinalAnswer> {
    let mut answers = BTreeMap::new();
    for answer in &core.ledger.answers {
        let issue = core.state.issues.get(&answer.issue);
        if !issue.is_some_and(|issue| issue.comments.iter().any(|note| note.id == answer.id)) {
            continue;
        }
        if let Some(marker) = Marker::parse(&answer.body) {
            let text = answer.body.split_once('\n').map_or("", |(_, text)| text);
            // Answers in other issues say where the game is.
            let text = text.split("\n\nThe game is in #").next().unwrap_or_default().to_owned();
            answers.insert(marker.source, FinalAnswer { at: answer.at, commit: marker.commit, text });
        }
    }
    answers
}

/// Returns the commands that may have been settled out of order.
///
/// These are edited comments, commands that GitHub didn't let the bot answer, commands that one run refused and another applied,
/// and commands by people who posted more than a run answers.
fn out_of_order(core: &Core, applied: &BTreeMap<CommentRef, (Rc<CachedTable>, Millis)>) -> BTreeSet<CommentRef> {
    let comments = core.ledger.comments.iter();
    let late = comments.filter(|(source, posted)| posted.was_changed() || core.ledger.may_wait(**source));
    let markers = core.ledger.answers.iter().filter_map(|answer| Marker::parse(&answer.body));
    let overruled = markers.filter(|marker| marker.commit.is_none() && applied.contains_key(&marker.source));
    let late = late.map(|(source, _)| *source).chain(overruled.map(|marker| marker.source));
    late.chain(core.ledger.refused.iter().copied()).collect()
}

impl HistoryCheck<'_> {
    /// Checks that a comment was applied and answered, refused for a valid reason, or is chat.
    fn comment(&self, source: CommentRef, posted: &PostedComment, violate: &mut Violate<'_>) {
        let name = format!("{}#{}", source.issue, source.comment);
        let answer = self.answers.get(&source);
        let has_table = self.past.stages(source.issue.get()).iter().any(|stage| stage.table().is_some());
        let labels = self.core.state.issues.get(&source.issue.get()).map(|issue| &issue.labels[..]).unwrap_or_default();
        if !has_table && !self.config.policy.is_invited(labels) {
            if answer.is_some() || self.applied.contains_key(&source) {
                violate("uninvited", format!("{name} is answered or applied, but its issue has no label"));
            }
            return;
        }
        if let Some((table, at)) = self.applied.get(&source) {
            return self.check_applied(source, table, *at, answer, violate);
        }
        if let Some(commit) = answer.and_then(|answer| answer.commit.as_ref()) {
            return violate("answer", format!("{name} was answered as accepted in {commit}, but was not applied"));
        }
        let expected = self.expected_answers(source, posted, answer.map_or(Millis::MAX, |answer| answer.at));
        // A later command may have opened the table before a daily run could look at this comment.
        let opening = self.past.stages(source.issue.get()).iter().find(|stage| stage.table().is_some());
        let opened_later = opening.and_then(|stage| stage.source).is_some_and(|opening| opening > source);
        let is_unlisted = (!has_table || opened_later) && self.is_unlisted(source, posted);
        let may_be_silent = expected.silence || is_unlisted || self.is_unanswerable(source);
        let answers = &expected.answers;
        match answer {
            None if may_be_silent => {}
            None => violate("no answer", format!("{name} has no answer; it could be {answers:?}")),
            Some(answer) => {
                let (body, out_of_order) = (without_commits(&answer.text), self.out_of_order.contains(&source));
                if !answers.iter().any(|expected| is_same_answer(expected, &body, out_of_order)) {
                    violate(
                        "wrong answer",
                        format!("{name} is answered {body:?}, but it should be one of {answers:?}"),
                    );
                }
            }
        }
    }

    /// Whether a daily run may miss a comment in an issue without a table: many others follow it, or it is from before the
    /// first game or daily run.
    fn is_unlisted(&self, source: CommentRef, posted: &PostedComment) -> bool {
        let since = self.core.file("state/daily.json").and_then(|text| {
            let file: serde_json::Value = serde_json::from_str(&text).ok()?;
            file["since"].as_u64()
        });
        let begins = self.core.ledger.landed.iter().map(|landed| landed.at).min();
        let first_look = since.into_iter().chain(begins).min().unwrap_or(Millis::MAX);
        self.core.state.is_below_many(source) || posted.versions[0].time <= first_look
    }

    /// Whether GitHub refuses answers to a command. A run doesn't retry in a full issue.
    fn is_unanswerable(&self, source: CommentRef) -> bool {
        let is_full = || self.core.state.is_full(source.issue.get());
        // A run that doesn't see the issue can't answer there.
        let was_hidden = || self.core.ledger.was_hidden(source.issue.get());
        self.core.ledger.refused.contains(&source) || is_full() || was_hidden()
    }

    /// Returns the stages of a table at which a run may have decided a comment.
    ///
    /// These are the stages between the comment and its answer, and between the commands before and after it in the table's
    /// own thread.
    fn stages(&self, source: CommentRef, issue: u64, from: Millis, to: Millis) -> &[Stage] {
        let stages = self.past.stages(issue);
        let from = from.saturating_sub(self.stale);
        let mut first = stages.iter().position(|stage| stage.to >= from).unwrap_or(0);
        let mut last = stages.iter().rposition(|stage| stage.from <= to).unwrap_or(0);
        if source.issue.get() == issue && !self.out_of_order.contains(&source) {
            for (nth, stage) in stages.iter().enumerate() {
                let Some(other) =
                    stage.source.filter(|other| other.issue.get() == issue && !self.out_of_order.contains(other))
                else {
                    continue;
                };
                if other.comment.get() < source.comment.get() {
                    first = first.max(nth);
                } else if other.comment.get() > source.comment.get() {
                    last = last.min(nth.saturating_sub(1));
                }
            }
        }
        stages.get(first..=last).unwrap_or_default()
    }
}

/// Whether an answer is the expected one.
fn is_same_answer(expected: &str, body: &str, out_of_order: bool) -> bool {
    // For a command settled out of order only the sentence has to match: the image below it may be stale.
    let sentence = |text: &str| text.split("\n\n").next().unwrap_or_default().trim_end().to_owned();
    // After a run answers the other player's move, it only knows the time of its last read.
    let tells_time = |text: &str| text.contains(": Your opponent still has ");
    expected.trim_end() == body.trim_end()
        || out_of_order && sentence(expected) == sentence(body)
        || tells_time(expected) && tells_time(body)
}

/// Replaces the commits in an answer's image URLs with `*`. Links to the docs have no commit.
fn without_commits(body: &str) -> String {
    let mut parts = body.split("/blob/");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (commit, rest) = part.split_once('/').unwrap_or((part, ""));
        let shown = if Oid::parse(commit).is_some() { "*" } else { commit };
        text.push_str(&format!("/blob/{shown}/{rest}"));
    }
    text
}

// Checks applied commands: their answers, and their order.

impl HistoryCheck<'_> {
    /// Checks the answer to an applied command.
    fn check_applied(
        &self,
        source: CommentRef,
        table: &Table,
        from: Millis,
        answer: Option<&FinalAnswer>,
        violate: &mut Violate<'_>,
    ) {
        let (issue, comment) = (source.issue.get(), source.comment.get());
        // A run that reads a deleted issue finds no table there.
        let number = table.issue().get();
        let is_gone = !self.core.state.issues.contains_key(&number) || self.core.ledger.was_hidden(number);
        let Some(FinalAnswer { at, commit, text }) = answer else {
            if !is_gone && !self.is_unanswerable(source) {
                violate("no answer", format!("{issue}#{comment} was applied and has no answer"));
            }
            return;
        };
        if commit.is_none() && is_gone {
            return;
        }
        let filed = heads_between(self.core, [from, *at])
            .filter_map(|head| filed_start(&self.core.state.commits[head?].files, table.issue().get()));
        let unlocked = self.core.ledger.unlocked.iter().filter(|(issue, _)| *issue == table.issue().get());
        let unlocked = unlocked.map(|(_, at)| Timestamp::from_millis(*at));
        let starts: BTreeSet<Timestamp> = filed.chain(unlocked).chain([Timestamp::EPOCH]).collect();
        let rights = starts.into_iter().map(|start| {
            announcement(&table.clone().with_clock_start(start), &self.config, LOOK).trim_end().to_owned()
        });
        // If GitHub hid the issue for a week, the game is over, and a late answer says so.
        let has_ended = |table: &&Table| table.history().last().is_some_and(|event| event.kind == EventKind::IssueGone);
        let ended = self.past.stages(number).iter().filter_map(|stage| stage.table()).filter(has_ended);
        let ended = ended.map(|table| announcement(table, &self.config, LOOK).trim_end().to_owned());
        let rights: Vec<String> = rights.chain(ended).collect();
        if commit.is_none() || !rights.iter().any(|right| without_commits(text).trim_end() == right) {
            violate("wrong answer", format!("{issue}#{comment} was applied and is answered {text:?}, not {rights:?}"));
        }
        if *at < from {
            violate("no commit", format!("{issue}#{comment} was answered before it was committed"));
        }
    }

    /// Checks that the events from a table's own thread are in the order of their comments, except those in `out_of_order`.
    fn in_order(&self, violate: &mut Violate<'_>) {
        for (issue, stages) in &self.past.tables {
            let own = stages.iter().filter_map(|stage| stage.source).filter(|source| source.issue.get() == *issue);
            let mut last = 0;
            for source in own.filter(|source| !self.out_of_order.contains(source)) {
                if source.comment.get() < last {
                    violate("order", format!("{issue}#{} was applied after {issue}#{last}", source.comment.get()));
                }
                last = last.max(source.comment.get());
            }
        }
    }
}

// Checks the answers to `/review`.

impl HistoryCheck<'_> {
    /// Returns the possible answers to a `/review` written at this time: the review, or a link to an earlier one in the table's
    /// thread.
    fn reviews(&self, context: &CommentContext, table: &Table, written: Millis) -> BTreeSet<String> {
        let (source, look) = (context.source, OutputFormat::MarkdownText);
        let line = format!("{}\n", review_line(table));
        let earlier = self.core.ledger.answers.iter().filter_map(|answer| {
            let Marker { source: asked, table: of, commit, .. } = Marker::parse(&answer.body)?;
            let is_review = asked != source && of == table.issue() && commit.is_none() && answer.body.contains(&line);
            if is_review && answer.issue == source.issue.get() { Some((asked, answer.at)) } else { None }
        });
        let earlier: Vec<(CommentRef, Millis)> = earlier.collect();
        let mut texts: BTreeSet<String> = earlier.iter().map(|(asked, _)| pointer(*asked)).collect();
        let is_known =
            |(asked, at): &(CommentRef, Millis)| self.answers.contains_key(asked) && at + self.stale < written;
        if source.issue != table.issue() || !earlier.iter().any(is_known) {
            let review = announce::show(&Query::Review, Some(table), &self.config.policy, context.updated_at, look);
            texts.insert(format!("{line}{review}"));
        }
        texts
    }
}

// What a comment may follow: a question of the bot, or a refused attempt by the same person.

/// The maximum number of refused comments to look back to.
const MAX_ATTEMPTS: usize = 3;
/// The maximum number of answers before a comment to try as the refusal of an earlier one.
const MAX_ANSWERS: usize = 10;

/// Returns the context of a comment by somebody whose attempt the bot has refused.
fn after_attempt(context: &CommentContext, attempt: CommentContext, is_interrupted: bool) -> CommentContext {
    let refused = RefusedAttempt { context: attempt, is_interrupted };
    CommentContext { refused_attempt: Some(Box::new(refused)), ..context.clone() }
}

impl HistoryCheck<'_> {
    /// Returns the contexts that a run may have seen. They depend on the last comment before this one, and comments and answers
    /// may have been deleted since.
    fn with_question(&self, context: CommentContext, table: Option<&Table>) -> Vec<CommentContext> {
        self.with_attempts(context, table, MAX_ATTEMPTS)
    }

    /// Does the work of [`HistoryCheck::with_question`]. A context contains at most `depth` refused attempts, each inside the next.
    fn with_attempts(&self, context: CommentContext, table: Option<&Table>, depth: usize) -> Vec<CommentContext> {
        let (issue, comment) = (context.source.issue.get(), context.source.comment.get());
        let thread = self.core.state.issues.get(&issue);
        let remains = |id: u64| thread.is_some_and(|thread| thread.comments.iter().any(|note| note.id == id));
        // A run skips the author's own comments.
        let is_by_other = |posted: &PostedComment| posted.login != context.author.login;
        let posted = self.core.ledger.comments.iter().filter(|(source, _)| source.issue.get() == issue);
        let posted = posted.filter(|(_, posted)| is_by_other(posted));
        let posted = posted.map(|(source, posted)| (source.comment.get(), None, !posted.was_changed()));
        let answers = self.core.ledger.answers.iter().filter(|answer| answer.issue == issue);
        let answers = answers.map(|answer| (answer.id, Marker::parse(&answer.body), remains(answer.id)));
        let known: BTreeMap<u64, _> =
            posted.chain(answers).map(|(id, marker, certain)| (id, (marker, certain))).collect();
        // Floods aren't in the ledger.
        let others = thread.into_iter().flat_map(|thread| &thread.comments);
        let others = others.filter(|note| note.author.as_ref() != Some(&context.author.login)).map(|note| note.id);
        let others = others.filter(|id| !known.contains_key(id)).map(|id| (id, None, true));
        let known = known.iter().map(|(id, (marker, certain))| (*id, marker.clone(), *certain));
        let mut before: Vec<_> = known.chain(others).filter(|(id, ..)| *id < comment && *id > 0).collect();
        before.sort_by_key(|(id, ..)| std::cmp::Reverse(*id));
        let answered: Vec<Marker> = before.iter().filter_map(|(_, marker, _)| marker.clone()).collect();
        let certain = before.iter().position(|(.., is_certain)| *is_certain);
        before.truncate(certain.map_or(before.len(), |at| at + 1));
        // A deletion, an edit, or another question is enough to make a run doubt that the comment follows a question.
        let asking = before.last().and_then(|(_, marker, _)| self.core.ledger.comments.get(&marker.as_ref()?.source));
        let is_plain = |posted: &PostedComment| {
            !posted.was_changed() && posted.versions[0].text.as_ref().is_some_and(|text| !text.contains('?'))
        };
        let is_untouched = self.reads_all
            && certain.is_some()
            && thread.is_some_and(|thread| thread.last_deletion.is_none())
            && asking.is_none_or(is_plain);
        let mut contexts: Vec<CommentContext> = if is_untouched { Vec::new() } else { vec![context.clone()] };
        let attempts_before = |marker: &Marker| {
            let matters = depth > 0 && may_answer(&context.parsed);
            if matters { self.refused_attempts(&context, marker, table, depth - 1) } else { Vec::new() }
        };
        for (_, marker, _) in before {
            let attempts = marker.as_ref().map_or(Vec::new(), attempts_before);
            let follows_question = marker.is_some_and(|marker| {
                let asks =
                    || table.is_some_and(|table| asked_question(table, &context.author, marker.source).is_some());
                marker.table.get() == issue && marker.commit.is_some() && asks()
            });
            let context = CommentContext { follows_question, ..context.clone() };
            contexts.extend(attempts.into_iter().map(|attempt| after_attempt(&context, attempt, false)));
            contexts.push(context);
        }
        // Others may have commented since a refusal.
        let earlier = answered.iter().take(MAX_ANSWERS).flat_map(attempts_before);
        contexts.extend(earlier.map(|attempt| after_attempt(&context, attempt, true)));
        contexts
    }

    /// Returns the versions of the comment to which an answer without a commit refers, each with what it may have answered.
    fn refused_attempts(
        &self,
        context: &CommentContext,
        marker: &Marker,
        table: Option<&Table>,
        depth: usize,
    ) -> Vec<CommentContext> {
        let posted = self.core.ledger.comments.get(&marker.source).filter(|_| marker.commit.is_none());
        let Some(posted) = posted.filter(|_| marker.source.issue.get() == context.source.issue.get()) else {
            return Vec::new();
        };
        let versions = posted.versions.iter();
        let read = |version| {
            comment_context(self.core, marker.source, posted, version, context.entropy, marker.source.comment.get())
        };
        let attempts = versions.filter_map(read).filter(|attempt| attempt.author.id == context.author.id);
        attempts.flat_map(|attempt| self.with_attempts(attempt, table, depth)).collect()
    }
}
