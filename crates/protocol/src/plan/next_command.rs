//! The first command of a thread that a run has to settle: each comment is classified, and the results are folded.

use std::collections::BTreeMap;

use table::{
    Command, CommandError, CommentContext, CommentId, CommentRef, Decision, IssueNumber, ParsedComment, Pending,
    Refusal, Table, Timestamp, UserId, begins_with_move, decide, decide_refusal,
};

use crate::Comment;
use crate::comment_context::ContextFinder;
use crate::memory::RunNote;
use crate::plan::{NextStep, PendingCommand, Planner, Scope, settled_through};
use crate::reader::{RecordFault, ThreadState, Uncertainty};

/// What a comment needs from a run.
enum Need {
    /// Nothing: it's settled, chat, or can't be answered.
    Nothing,
    /// It waits for a later run.
    Later,
    /// It and the comments below it wait: it's about to move a table to this issue, or wins by the clock after something else.
    Block,
    /// This step.
    Step(NextStep),
}

/// The table that a command is for, or why its record can't be used. All are `None` if there is no such table.
#[derive(Clone, Default)]
struct Target<'a> {
    table: Option<&'a Table>,
    fault: Option<RecordFault>,
    /// The game of a record that doesn't belong to this repository.
    foreign: Option<&'a Table>,
}

impl<'a> Target<'a> {
    /// Returns the table of a thread.
    fn in_thread(seen: &'a ThreadState) -> Target<'a> {
        Target { table: seen.table.as_ref(), fault: None, foreign: seen.foreign.as_ref() }
    }
}

/// The outcome of looking for the table of a command from another issue.
enum TargetSearch<'a> {
    /// The table is known, and so are the commands in its own thread.
    Found(Target<'a>),
    /// This step comes first: a read, or a command in the table's own thread.
    First(NextStep),
}

/// A walk over the comments of a thread, oldest first.
struct CommentWalk<'a> {
    planner: Planner<'a>,
    issue: IssueNumber,
    scope: Scope,
    seen: &'a ThreadState,
    contexts: ContextFinder<'a>,
    /// The first comment that waits for a later run. No later comment may count as settled.
    first_left: Option<CommentId>,
    /// The comments so far that have been answered.
    answered: Vec<&'a Comment>,
    /// The table as it was at the comment; `None` until that matters. Comments come in order, so a single replay of the history
    /// serves all of them.
    past_table: Option<Table>,
    other_tables: BTreeMap<IssueNumber, Target<'a>>,
    /// The comments so far for tables in other issues; none of them needs a step of this run. If the walk ends with a
    /// read of another table, the step names them as `ignored`.
    for_other_tables: Vec<CommentRef>,
}

impl<'a> Planner<'a> {
    /// Returns the step that settles the first pending command, or one that has to come before it.
    pub(super) fn next_command(self, issue: IssueNumber, seen: &'a ThreadState, scope: Scope) -> NextStep {
        self.walk(issue, seen, scope).0
    }

    /// Whether a comment of a thread, written until a time, would change a table in another issue. The table's own thread is
    /// settled, or comes later.
    pub(super) fn would_change(
        self,
        issue: IssueNumber,
        seen: &'a ThreadState,
        target: IssueNumber,
        until: Timestamp,
    ) -> bool {
        let mut walk = self.start_walk(issue, seen, Scope::AllCommands);
        walk.other_tables.insert(target, Target { table: self.view.table(target), fault: None, foreign: None });
        let mut in_time = seen.thread.all_comments().filter(|comment| comment.updated_at <= until);
        in_time.any(|comment| match walk.need_of(comment) {
            Need::Step(NextStep::Settle(command)) => {
                command.context.table == target && matches!(command.decision, Decision::Apply(_))
            }
            _ => false,
        })
    }

    fn start_walk(self, issue: IssueNumber, seen: &'a ThreadState, scope: Scope) -> CommentWalk<'a> {
        CommentWalk {
            planner: self,
            issue,
            scope,
            seen,
            contexts: ContextFinder::new(self.view, issue, seen, self.memory),
            first_left: None,
            answered: Vec::new(),
            past_table: None,
            other_tables: BTreeMap::new(),
            for_other_tables: Vec::new(),
        }
    }

    /// Returns the moves that people wrote as votes for a crowd's move.
    pub(super) fn written_votes(self, issue: IssueNumber, seen: &'a ThreadState) -> Vec<(UserId, String)> {
        let mut walk = self.start_walk(issue, seen, Scope::AllCommands);
        let votes = seen.thread.comments.iter().filter_map(|comment| walk.vote_in(comment));
        votes.collect()
    }

    /// Does the work of [`Planner::next_command`]. Also returns the first comment that waits for a later run.
    pub(super) fn walk(self, issue: IssueNumber, seen: &'a ThreadState, scope: Scope) -> (NextStep, Option<CommentId>) {
        seen.table.iter().for_each(|table| self.memory.note_table(table));
        let mut walk = self.start_walk(issue, seen, scope);
        for comment in seen.thread.all_comments() {
            match walk.need_of(comment) {
                Need::Nothing => {}
                Need::Later => walk.first_left = walk.first_left.or(Some(comment.id)),
                Need::Block => break,
                Need::Step(NextStep::ReadThread { issue, .. }) => {
                    let ignored = walk.for_other_tables;
                    return (NextStep::ReadThread { issue, ignored }, walk.first_left);
                }
                Need::Step(step) => return (step, walk.first_left),
            }
        }
        (NextStep::Idle, walk.first_left)
    }

    /// Whether any known answer, in any issue, names an event that the record of a table lacks.
    fn is_record_stale(self, table: &Table) -> bool {
        let all = || self.view.threads.values().map(|seen| &seen.answers).chain(self.view.newest_answers.values());
        // Commands from other threads are answered in the order of the history, which may not be the order of the comments.
        let last_answer_time = all().filter_map(|answers| answers.last_answer_time(table)).max().unwrap_or_default();
        all().any(|answers| answers.has_lost_event(table, last_answer_time))
    }

    /// Looks for a table in another issue that a comment is for.
    fn find_other_table(self, issue: IssueNumber, target: IssueNumber) -> TargetSearch<'a> {
        let unusable = |fault| TargetSearch::Found(Target { fault: Some(fault), ..Target::default() });
        let Some(other) = self.view.threads.get(&target) else {
            let is_missing = self.view.missing_issues.contains(&target);
            return if is_missing {
                TargetSearch::Found(Target::default())
            } else {
                TargetSearch::First(NextStep::ReadThread { issue: target, ignored: Vec::new() })
            };
        };
        if let Some(why) = &other.damage {
            return unusable(RecordFault::Damaged(why.clone()));
        }
        match self.next_step(target, Scope::OwnTable) {
            NextStep::Idle => TargetSearch::Found(Target::in_thread(other)),
            NextStep::Restore(gone, commit) if gone == target && gone != issue => {
                unusable(RecordFault::Missing(commit))
            }
            step => TargetSearch::First(step),
        }
    }

    /// Whether a comment without a command is chat because its table is in another issue, and is gone or has changed
    /// since.
    ///
    /// Later runs read the comment again, and what was chat when it was written must not become a move.
    fn is_outdated_elsewhere(self, context: &CommentContext) -> bool {
        let target = context.table;
        let is_read = self.view.threads.contains_key(&target) || self.view.missing_issues.contains(&target);
        // GitHub's times are whole seconds. Within a second, the ids of comments in the same issue tell which came first.
        let (source, time) = (context.source, context.updated_at);
        let is_current = |table: &Table| table.last_event_time() <= time && !table.has_event_since(source, time);
        let is_current = self.view.table(target).is_some_and(is_current);
        matches!(context.parsed, ParsedComment::Text(..)) && is_read && !is_current
    }
}

impl<'a> CommentWalk<'a> {
    /// Returns what a comment needs from this run.
    fn need_of(&mut self, comment: &'a Comment) -> Need {
        let (issue, memory) = (self.issue, self.planner.memory);
        let source = CommentRef { issue, comment: comment.id };
        let was_answered = self.seen.answers.has_answer(source) || memory.has(RunNote::Settled(source));
        if was_answered && !source.is_body() {
            self.answered.push(comment);
        }
        if was_answered {
            return Need::Nothing;
        }
        let settled_through = self.first_left.map_or(comment.id, CommentId::previous);
        let parsed =
            if self.is_settled(comment, source) { None } else { self.contexts.context_of(comment, settled_through) };
        let Some(context) = parsed else {
            return self.late_edit_need(comment, settled_through).unwrap_or(Need::Nothing);
        };
        let target = context.table;
        let is_elsewhere = target != issue;
        if is_elsewhere && self.planner.is_outdated_elsewhere(&context) {
            self.for_other_tables.push(source);
            return Need::Nothing;
        }
        let is_continue = matches!(context.parsed, ParsedComment::Command(Command::Continue, _));
        if is_elsewhere && self.scope == Scope::OwnTable {
            let moves_here = self.seen.table.is_none() && is_continue;
            return if moves_here { Need::Block } else { Need::Later };
        }
        if memory.has(RunNote::AwaitsOthers(source)) {
            return Need::Block;
        }
        if memory.has(RunNote::Deferred(context.author.id)) || memory.has(RunNote::Ignored(source)) {
            return Need::Later;
        }
        let Target { table, fault, foreign } = match self.find_table(target) {
            TargetSearch::Found(found) => found,
            TargetSearch::First(step) => return Need::Step(step),
        };
        if is_elsewhere {
            self.for_other_tables.push(source);
        }
        let decision = match fault {
            // The comment may have been applied at another table, and edited since.
            _ if self.planner.view.has_event_from(source) => None,
            Some(_) => Some(Decision::Refuse(Refusal::UnreadableRecord(target))),
            // What would be chat at that table is chat here, too.
            None if foreign.is_some() => {
                self.decision(foreign, &context).map(|_| Decision::Refuse(Refusal::ForeignRecord(target)))
            }
            None => self.decision(table, &context),
        };
        let Some(decision) = decision else { return Need::Nothing };
        // The count reads the votes again. The bot only shows that it has noticed one.
        if matches!(decision, Decision::Vote(_)) && (comment.claims.show || memory.is_at_limit(&context.author)) {
            return Need::Nothing;
        }
        let is_late = decision == Decision::Refuse(Refusal::Superseded);
        // A vote that the bot has noticed isn't late, though the game ended or the crowd moved before the flood around it was settled.
        let is_voter =
            |table: &Table| table.terms().crowd.is_some() && table.players().seat_of(context.author.id).is_none();
        if is_late && comment.claims.show && table.is_some_and(is_voter) {
            return Need::Nothing;
        }
        let is_accepted = matches!(decision, Decision::Apply(_));
        let at = if is_late { self.past_table.as_ref() } else { table };
        if self.is_repeated_suggestion(at, is_late, &context) {
            return Need::Nothing;
        }
        if memory.is_at_limit(&context.author) && !is_accepted {
            return Need::Later;
        }
        // Nothing is settled through less than the body's 0, so a table that starts here would count a waiting body as settled.
        let starts_table = is_accepted && (!is_elsewhere || is_continue);
        if starts_table && self.first_left == Some(CommentId::BODY) {
            return Need::Nothing;
        }
        if let Some(need) = self.claim_need(comment, &context) {
            return need;
        }
        let is_record_stale = table.is_some_and(|table| self.planner.is_record_stale(table));
        let uncertainty = Uncertainty::StaleRecord(target);
        if is_record_stale && !memory.has(RunNote::Confirmed(uncertainty)) {
            return Need::Step(NextStep::Wait(uncertainty));
        }
        if decision == Decision::Refuse(Refusal::UnknownPermission) && !memory.has_asked_permission(context.author.id) {
            return Need::Step(NextStep::AskPermission(context.author));
        }
        let command = PendingCommand { context, decision, is_record_stale, record_fault: fault };
        Need::Step(NextStep::Settle(Box::new(command)))
    }

    /// Returns the vote in a comment, with its author; `None` if it's something else.
    fn vote_in(&mut self, comment: &'a Comment) -> Option<(UserId, String)> {
        let source = CommentRef { issue: self.issue, comment: comment.id };
        let is_open = !self.is_settled(comment, source) && !self.seen.answers.has_answer(source);
        let context =
            self.contexts.context_of(comment, comment.id).filter(|context| is_open && context.table == self.issue)?;
        match self.decision(self.seen.table.as_ref(), &context)? {
            Decision::Vote(notation) => Some((context.author.id, notation)),
            _ => None,
        }
    }

    /// Returns what to do about a move that the player to move wrote into their newest comment too late; `None` for any other
    /// comment.
    fn late_edit_need(&self, comment: &Comment, settled_through: CommentId) -> Option<Need> {
        let table = self.seen.table.as_ref()?;
        let context = self.contexts.context_of_late_edit(comment, settled_through)?;
        let author = context.author.id;
        let is_theirs = |other: &&Comment| other.author.as_ref().is_some_and(|other| other.id == author);
        let is_newest = self.seen.thread.comments.iter().rfind(is_theirs).is_some_and(|newest| newest.id == comment.id);
        let was_event = self.planner.view.has_event_from(context.source);
        let is_to_move = table.person_to_move().is_some_and(|(person, _)| person == author);
        let is_command = || {
            let interpreted = self.planner.memory.interpret(Some(table), None, &context);
            let is_accepted = |command: Command| {
                matches!(decide(&command, Some(table), &context, self.planner.policy), Decision::Apply(_))
            };
            interpreted.is_ok_and(|command| command.is_some_and(is_accepted))
        };
        if context.table != self.issue || was_event || !is_newest || !is_to_move || !is_command() {
            return None;
        }
        if self.planner.memory.is_at_limit(&context.author) {
            return Some(Need::Later);
        }
        if let Some(need) = self.claim_need(comment, &context) {
            return Some(need);
        }
        let decision = Decision::Refuse(Refusal::LateEdit);
        let command = PendingCommand { context, decision, is_record_stale: false, record_fault: None };
        Some(Need::Step(NextStep::Settle(Box::new(command))))
    }

    /// Whether a comment without a known answer needs none, as far as the record tells.
    fn is_settled(&self, comment: &Comment, source: CommentRef) -> bool {
        let ThreadState { answers, table, .. } = self.seen;
        let view = self.planner.view;
        let is_settled_before = match settled_through(table.as_ref()) {
            Some(settled_through) => comment.id <= settled_through,
            None => comment.updated_at < view.cutoff && view.trigger != Some(source),
        };
        let was_transferred = answers.transferred_through.is_some_and(|through| comment.id <= through);
        is_settled_before || was_transferred
    }

    /// Returns the table of a command.
    fn find_table(&mut self, target: IssueNumber) -> TargetSearch<'a> {
        if target == self.issue {
            return TargetSearch::Found(Target::in_thread(self.seen));
        }
        if let Some(known) = self.other_tables.get(&target) {
            return TargetSearch::Found(known.clone());
        }
        let search = self.planner.find_other_table(self.issue, target);
        if let TargetSearch::Found(found) = &search {
            found.table.iter().for_each(|table| self.planner.memory.note_table(table));
            self.other_tables.insert(target, found.clone());
        }
        search
    }

    /// Returns what to do about a command that another run has claimed; `None` if this run may settle it.
    fn claim_need(&self, comment: &Comment, context: &CommentContext) -> Option<Need> {
        let (source, memory) = (context.source, self.planner.memory);
        // Eyes claim an answer that shows something, but not a refusal, because other workflows add eyes, too. Another
        // run may have refused a command that could show something, because of a different read.
        let may_show = matches!(&context.parsed, ParsedComment::Command(command, _) if command.may_show());
        let is_claimed = comment.claims.refusal || may_show && comment.claims.show;
        if !is_claimed || memory.may_answer(source) {
            return None;
        }
        // In an issue that takes no answers, no other run is about to post one.
        Some(match memory.has(RunNote::Unanswerable(self.issue)) {
            true => Need::Nothing,
            false => Need::Step(NextStep::Wait(Uncertainty::Claimed(source))),
        })
    }

    /// Returns the decision about a comment; `None` for chat.
    fn decision(&mut self, table: Option<&Table>, context: &CommentContext) -> Option<Decision<Pending>> {
        // Chat must not reach the checks below, which could refuse it.
        let interpreted = self.planner.memory.interpret(table, None, context).transpose()?;
        let (source, time) = (context.source, context.updated_at);
        // The previous round may have applied the command without an answer that says so.
        let is_of_earlier_round = table.is_some_and(|table| table.is_rematch_since(source, time));
        if let Some(table) = table.filter(|_| context.table == source.issue) {
            let has_changed = is_of_earlier_round || table.has_event_since(source, time);
            if has_changed && self.was_chat(table, context, is_of_earlier_round) {
                return None;
            }
        }
        let decision = match interpreted {
            Ok(command) => decide(&command, table, context, self.planner.policy),
            Err(refusal) => decide_refusal(refusal, table, context, self.planner.policy),
        };
        let own_table = table.filter(|_| context.table == source.issue);
        let is_vote = matches!(decision, Decision::Vote(_));
        if !is_vote && own_table.is_some_and(|table| table.newest_own_comment() > source.comment) {
            // A newer comment was settled first.
            return Some(Decision::Refuse(Refusal::Superseded));
        }
        let is_accepted = matches!(decision, Decision::Apply(_));
        let is_late = is_accepted && (is_of_earlier_round || self.was_passed_over(context));
        Some(if is_late { Decision::Refuse(Refusal::Superseded) } else { decision })
    }

    /// Whether the bot passed over a comment without a command in a table's own thread: it has answered a later command
    /// there. The comment was chat then, or its author had flooded the thread. It may look like a move only because a
    /// command from another thread has changed the table since.
    fn was_passed_over(&self, context: &CommentContext) -> bool {
        let CommentRef { issue, comment } = context.source;
        let is_plain = matches!(context.parsed, ParsedComment::Text(..));
        is_plain && context.table == issue && self.seen.answers.has_later_answer(comment, context.updated_at)
    }

    /// Whether a comment in a table's own thread was chat when it was written. Chat stays chat, even if its author has taken a seat
    /// since, or now has the turn.
    fn was_chat(&mut self, table: &Table, context: &CommentContext, is_of_earlier_round: bool) -> bool {
        let (source, time, memory) = (context.source, context.updated_at, self.planner.memory);
        if table.has_arrived_since(source.comment) {
            return memory.interpret(None, None, context) == Ok(None);
        }
        if is_of_earlier_round {
            // The record doesn't hold that round. A move without `/move` may have been chat then, and so may a word with a
            // slash for another bot.
            return match &context.parsed {
                ParsedComment::Text(..) => true,
                ParsedComment::Invalid(error, _) => matches!(error, CommandError::Unknown(_) | CommandError::Typo(..)),
                ParsedComment::Chat | ParsedComment::Command(..) => false,
            };
        }
        let past = self.past_table.take().or_else(|| table.without_events());
        self.past_table = past.and_then(|past| past.replay_up_to(table, source, time));
        let past = self.past_table.as_ref().filter(|past| past.last_source().is_some());
        match memory.interpret(past, past.map(Table::event_count), context) {
            Ok(command) => command.is_none(),
            // A suggestion comes too late once the table has changed.
            Err(Refusal::Suggestion(_)) => matches!(&context.parsed, ParsedComment::Text(text) if !text.has_slash()),
            Err(_) => false,
        }
    }

    /// Whether the author has already had this suggestion since the table's last event, or has reached the limit for
    /// suggestions like it. The player to move gets it again for each attempt that differs. `table` is as it is now, or `is_past`.
    fn is_repeated_suggestion(&self, table: Option<&Table>, is_past: bool, context: &CommentContext) -> bool {
        let events = table.filter(|_| is_past).map(Table::event_count);
        let suggested = |context: &CommentContext| match self.planner.memory.interpret(table, events, context) {
            Err(Refusal::Suggestion(suggestion)) => Some(suggestion),
            _ => None,
        };
        let Some(suggestion) = suggested(context) else { return false };
        let is_new_attempt = suggestion.is_repeated() || table.is_some_and(|table| begins_with_move(table, context));
        let by_author =
            |earlier: &&Comment| earlier.author.as_ref().is_some_and(|author| author.id == context.author.id);
        let earlier = self.answered.iter().rev().copied().filter(by_author);
        let made = earlier.filter(|earlier| {
            let Some(earlier) = self.contexts.context_of(earlier, earlier.id) else { return false };
            // A comment before the table's last event gets no suggestion here.
            earlier.table == context.table
                && (!is_new_attempt || earlier.parsed == context.parsed)
                && suggested(&earlier).is_some_and(|earlier| suggestion.is_like(&earlier))
        });
        made.take(suggestion.limit()).count() >= suggestion.limit()
    }
}
