//! The valid answers to a comment that changed no table: those of every decision that a run may have made about it.

use std::collections::BTreeSet;

use answers::own_games::own_games;
use answers::{announce, rankings};
use table::{
    Command, CommentContext, CommentRef, Decision, Done, IssueNumber, ParsedComment, Query, Refusal, SetupRefusal,
    Table, Timestamp, decide_at_once, parse_comment,
};

use crate::Millis;
use crate::simulator::core::PostedComment;
use crate::simulator::order::clocks::filed_start;
use crate::simulator::order::{HistoryCheck, LOOK};
use crate::simulator::table_history::{
    Link, Stage, comment_context, is_outdated, late_edit_author, may_have_been_chat,
};
use crate::simulator::table_history::{games_at, heads_between, standings_texts};
use crate::world::MISSING_LOGIN;

/// How the bot may treat a comment that changed no table.
#[derive(Default)]
pub(super) struct Expected {
    /// The answers that the comment may get.
    pub answers: BTreeSet<String>,
    /// Whether the comment may stay without an answer.
    pub silence: bool,
}

/// A version of a comment, for one of the tables that it may be for.
struct Reading {
    written: Millis,
    /// When the comment was answered.
    until: Millis,
    table: u64,
    context: CommentContext,
}

impl Reading {
    /// Whether the comment and its table are in different threads.
    fn is_elsewhere(&self) -> bool {
        self.context.source.issue.get() != self.table
    }

    fn is_bare_move(&self) -> bool {
        matches!(self.context.parsed, ParsedComment::Text(..))
    }

    /// Returns the answer that refuses the comment.
    fn refused(&self, refusal: &Refusal, table: Option<&Table>) -> String {
        announce::refuse(refusal, &self.context.author, table, LOOK)
    }
}

impl HistoryCheck<'_> {
    /// Returns the answers that a comment may get until this time.
    pub(super) fn expected_answers(&self, source: CommentRef, posted: &PostedComment, until: Millis) -> Expected {
        // A bare move in a flood waits until its round may be over, and is chat then.
        let is_bare = |text: &str| matches!(parse_comment(text), ParsedComment::Text(..));
        let waits = self.core.ledger.may_wait(source) && posted.texts().any(is_bare);
        let was_deleted = posted.versions.iter().any(|version| version.text.is_none());
        let mut expected = Expected { answers: BTreeSet::new(), silence: waits || was_deleted };
        for reading in self.readings(source, posted, until, &mut expected) {
            if !self.core.state.issues.contains_key(&reading.table) || self.core.ledger.was_hidden(reading.table) {
                self.at_deleted_issue(&reading, &mut expected);
            }
            let mut is_without_table = true;
            for stage in self.stages(source, reading.table, reading.written, until) {
                is_without_table = false;
                self.at_stage(&reading, stage, &mut expected);
            }
            // A command from before the first game may not have started one.
            if is_without_table {
                let decision = decide_at_once(None, &reading.context, &self.config.policy);
                self.after_decision(&reading, None, decision, &mut expected);
            }
        }
        for version in posted.versions.iter().filter(|version| version.at <= until) {
            let Some(author) = late_edit_author(self.core, posted, version) else { continue };
            for stage in self.stages(source, source.issue.get(), version.at, until) {
                expected.answers.insert(announce::refuse(&Refusal::LateEdit, &author, stage.table(), LOOK));
            }
        }
        expected
    }

    /// Returns each version of a comment, for each table that it may be for.
    fn readings(
        &self,
        source: CommentRef,
        posted: &PostedComment,
        until: Millis,
        expected: &mut Expected,
    ) -> Vec<Reading> {
        let link = Link::find(self.core, source.issue.get());
        let mut readings = Vec::new();
        for version in posted.versions.iter().filter(|version| version.at <= until) {
            let Some(context) = comment_context(self.core, source, posted, version, [0; 32], source.comment.get())
            else {
                expected.silence = true;
                continue;
            };
            let linked = link.and_then(|link| Some((link.table, link.context(&context)?)));
            // Unless every run knew the link, the comment may have been for its own issue.
            let may_be_own = linked.is_none() || link.is_some_and(|link| !link.is_certain);
            let own = if may_be_own { Some((context.table.get(), context)) } else { None };
            let contexts = linked.into_iter().chain(own);
            readings.extend(contexts.map(|(table, context)| Reading { written: version.at, until, table, context }));
        }
        readings
    }

    /// Adds what the bot may do if the table's issue was deleted, and the table with it.
    fn at_deleted_issue(&self, reading: &Reading, expected: &mut Expected) {
        if reading.is_elsewhere() && is_outdated(&reading.context, None) {
            expected.silence = true;
            return;
        }
        match decide_at_once(None, &reading.context, &self.config.policy) {
            Some(Decision::Refuse(refusal)) => drop(expected.answers.insert(reading.refused(&refusal, None))),
            None => expected.silence = true,
            _ => {}
        }
    }

    /// Adds what the bot may do at one stage of the table.
    fn at_stage(&self, reading: &Reading, stage: &Stage, expected: &mut Expected) {
        let (context, table) = (&reading.context, stage.table());
        if reading.is_elsewhere() && is_outdated(context, table) {
            expected.silence = true;
            return;
        }
        if stage.is_damaged() {
            // In the table's own issue the bot waits until the record is repaired.
            if reading.is_elsewhere() {
                let refusal = Refusal::UnreadableRecord(IssueNumber::new(reading.table));
                expected.answers.insert(reading.refused(&refusal, None));
            }
            return;
        }
        let contexts = self.contexts_at_stage(reading, stage);
        if !contexts.is_empty() {
            expected.silence |= decide_at_once(table, context, &self.config.policy).is_none()
                || table.is_some_and(|table| may_have_been_chat(context, table));
        }
        let filed = heads_between(self.core, [reading.written.saturating_sub(self.stale), reading.until]);
        let filed = filed.filter_map(|head| filed_start(&self.core.state.commits[head?].files, reading.table));
        let filed: Vec<Timestamp> = filed.collect();
        for context in contexts {
            let tables = match table {
                Some(table) => self.tables_for(&context, table, filed.iter().copied()).into_iter().map(Some).collect(),
                None => vec![None],
            };
            for table in tables {
                let decision = decide_at_once(table.as_ref(), &context, &self.config.policy);
                self.after_decision(reading, table.as_ref(), decision, expected);
            }
        }
    }

    /// Returns everything that a run may have known about the comment at this stage.
    fn contexts_at_stage(&self, reading: &Reading, stage: &Stage) -> Vec<CommentContext> {
        let (context, table) = (&reading.context, stage.table());
        // A table in the comment's own issue matters only for `/continue`.
        let matters = matches!(context.parsed, ParsedComment::Command(Command::Continue, _));
        let from = reading.written.max(stage.from).saturating_sub(self.stale);
        let held = self.past.is_table(context.source.issue.get(), from, reading.until.min(stage.to));
        let values = [false, true].into_iter().filter(|at| if matters { held[usize::from(*at)] } else { !at });
        let contexts = values.map(|issue_has_table| CommentContext { issue_has_table, ..context.clone() });
        contexts.flat_map(|context| self.with_question(context, table)).collect()
    }

    /// Adds what the bot may do after a decision.
    fn after_decision(
        &self,
        reading: &Reading,
        table: Option<&Table>,
        decision: Option<Decision<Done>>,
        expected: &mut Expected,
    ) {
        let source = reading.context.source;
        let is_late = !reading.is_elsewhere()
            && self.out_of_order.contains(&source)
            && table.is_some_and(|table| table.newest_own_comment() > source.comment);
        match decision {
            // A vote gets no answer.
            None | Some(Decision::Vote(_)) => expected.silence = true,
            _ if is_late => {
                // The record of a rematch doesn't show who was playing when the comment was posted.
                expected.silence |= reading.is_bare_move() && table.is_some_and(|table| table.round() > 1);
                expected.answers.insert(reading.refused(&Refusal::Superseded, table));
            }
            Some(Decision::Apply(Done { table: next, .. })) => self.unplayed_change(reading, table, &next, expected),
            Some(Decision::Refuse(refusal)) => refusals(reading, table, &refusal, expected),
            Some(Decision::Away(request)) => {
                let times = [reading.written.saturating_sub(self.stale), reading.until];
                expected.answers.extend(self.away_texts(&reading.context, request, times));
            }
            Some(Decision::Show(query)) => expected.answers.extend(self.shown(reading, table, &query)),
        }
    }

    /// Adds the answers to a command that the rules accept but that changed nothing.
    fn unplayed_change(&self, reading: &Reading, table: Option<&Table>, next: &Table, expected: &mut Expected) {
        let source = reading.context.source;
        let answer = if is_before_rematch(reading, table) {
            expected.silence |= reading.is_bare_move();
            reading.refused(&Refusal::Superseded, table)
        } else if !reading.is_elsewhere() && reading.is_bare_move() && self.has_later_answer(source) {
            expected.silence |= self.out_of_order.contains(&source);
            reading.refused(&Refusal::Superseded, table)
        } else if next.invited_by_name() == Some(MISSING_LOGIN) {
            let missing = SetupRefusal::OpponentIsMissing(format!("@{MISSING_LOGIN}")).into();
            reading.refused(&missing, table)
        } else {
            "(a move that was not played)".to_owned()
        };
        expected.answers.insert(answer);
    }

    /// Whether a later command in the same thread was answered.
    fn has_later_answer(&self, source: CommentRef) -> bool {
        self.answers.keys().any(|other| other.issue == source.issue && other.comment > source.comment)
    }

    /// Returns the answers to a query.
    fn shown(&self, reading: &Reading, table: Option<&Table>, query: &Query) -> Vec<String> {
        let Reading { written, until, context, .. } = reading;
        let (times, now) = ([written.saturating_sub(self.stale), *until], context.updated_at);
        match query {
            Query::OwnGames(person) => {
                let links = self.config.links();
                let games = heads_between(self.core, times).map(|head| games_at(self.core, head));
                games.map(|games| own_games(person, &games, links.as_ref(), now)).collect()
            }
            Query::Review => table.into_iter().flat_map(|table| self.reviews(context, table, *written)).collect(),
            query if !rankings::files_needed(query, table).is_empty() => {
                standings_texts(self.core, query, table, times)
            }
            query => vec![announce::show(query, table, &self.config.policy, now, LOOK)],
        }
    }
}

/// Adds the answers that refuse a command.
fn refusals(reading: &Reading, table: Option<&Table>, refusal: &Refusal, expected: &mut Expected) {
    // The bot checks only at the command's turn whether anyone may end this open game.
    let is_abort = matches!(reading.context.parsed, ParsedComment::Command(Command::Abort, _));
    if is_abort && is_before_rematch(reading, table) {
        expected.answers.insert(reading.refused(&Refusal::Superseded, table));
    }
    // The bot posts one suggestion per turn.
    expected.silence |= matches!(refusal, Refusal::Suggestion(_));
    expected.answers.insert(reading.refused(refusal, table));
}

/// Whether a rematch began after the comment was written.
fn is_before_rematch(reading: &Reading, table: Option<&Table>) -> bool {
    let CommentContext { source, updated_at, .. } = reading.context;
    table.is_some_and(|table| table.is_rematch_since(source, updated_at))
}
