//! What a run remembers from one read to the next.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use table::{
    Author, CommentContext, CommentRef, Interpreted, IssueNumber, ParsedComment, Permission, Table, Timestamp, UserId,
    interpret, parse_comment,
};

use crate::Account;
use crate::reader::Uncertainty;

/// The time after which an uncertainty counts as confirmed: twenty seconds. Another run may take that long to answer a command
/// that it has claimed.
pub(super) const CONFIRM_AFTER: Duration = Duration::from_secs(20);

/// The limit on one person's commands that a run answers without changing anything. The rest wait for a later run, so that
/// a flood doesn't hold up the other players.
pub(super) const MAX_ANSWERED_WITHOUT_CHANGE: u32 = 20;

/// A note about something that a run has done or found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RunNote {
    /// The command needs no answer any more: this run answered it, or it can't be answered.
    Settled(CommentRef),
    /// This run holds the claim to the command, so no other run is answering it.
    OwnClaim(CommentRef),
    /// The answer to this command couldn't be posted together with its updates, so it goes alone.
    AnswersAlone(CommentRef),
    /// The forge refuses answers in this issue for good.
    Unanswerable(IssueNumber),
    /// The uncertainty lasted long enough to count as true.
    Confirmed(Uncertainty),
    /// All commands of this person, by user ID, wait for a later run. The person was at their limit when a command that looked
    /// acceptable turned out to change nothing.
    Deferred(UserId),
    /// The comment is for another table, and this run has nothing to do about it: it's chat, for example.
    Ignored(CommentRef),
    /// The command wins by the clock, but something in another issue has to be settled before. It waits, and so do the comments
    /// below it, which could take the win away.
    AwaitsOthers(CommentRef),
    /// The games' branch doesn't exist, and the default branch has no record of this issue to continue from.
    NotOnDefaultBranch(IssueNumber),
    /// This run has updated the issue's label or state, or tried to.
    IssueUpdated(IssueNumber),
    /// This run let the flag of this issue's game fall, or opened a ballot, so it announces that, too.
    MadeNews(IssueNumber),
    /// This run has settled this issue, because a comment there was about the table of another one.
    SettledElsewhere(IssueNumber),
    /// This run posted a notice in this issue, or it can't be posted.
    Noticed(IssueNumber),
    /// This run posted a notice about the settings file in this issue, or tried to.
    SettingsNoticed(IssueNumber),
}

/// What a run remembers of people from one thread to the next, by user ID.
#[derive(Clone, Debug, Default)]
pub struct PeopleMemory {
    /// The number of each person's commands that were answered without changing anything.
    answered_without_change: BTreeMap<UserId, u32>,
    /// The permissions that the run has asked for; `None` if the forge doesn't say.
    permissions: BTreeMap<UserId, Option<Permission>>,
}

/// What the run has read in comments. Each plan reads every unsettled comment, and most are the same as before.
#[derive(Default)]
struct ReadComments {
    /// The texts of comments, and what they parse as.
    parsed: BTreeMap<CommentRef, (String, ParsedComment)>,
    /// The tables that the comments were last interpreted at.
    tables: BTreeMap<IssueNumber, Table>,
    /// The interpretations of comments at their tables, as these are now or after a number of events.
    interpreted: BTreeMap<(CommentRef, Option<usize>), (CommentContext, Interpreted)>,
}

/// The memory of a run: its notes, and what it is uncertain about since when.
#[derive(Default)]
pub(crate) struct RunMemory {
    notes: BTreeSet<RunNote>,
    /// When each uncertainty was first noted.
    uncertain_since: BTreeMap<Uncertainty, Timestamp>,
    people: PeopleMemory,
    /// The round and source of the last command that this run applied at each table.
    applied: BTreeMap<IssueNumber, (u32, CommentRef)>,
    /// The accounts that this run has looked up, by username.
    accounts: BTreeMap<String, Account>,
    /// What the plans have read. It only saves time, so plans stay pure functions.
    read_comments: RefCell<ReadComments>,
}

impl RunMemory {
    /// Creates a memory from what the run remembers of people.
    pub(super) fn new(people: PeopleMemory) -> RunMemory {
        RunMemory { people, ..RunMemory::default() }
    }

    /// Returns what the run remembers of people.
    pub(super) fn into_people(self) -> PeopleMemory {
        self.people
    }

    pub(super) fn has(&self, note: RunNote) -> bool {
        self.notes.contains(&note)
    }

    pub(super) fn note(&mut self, note: RunNote) {
        self.notes.insert(note);
    }

    pub(super) fn forget(&mut self, note: RunNote) {
        self.notes.remove(&note);
    }

    /// Forgets that a command was answered, because its answer was deleted. If another run applied the command, that run may
    /// be about to answer it.
    pub(super) fn forget_answer(&mut self, command: CommentRef) {
        self.forget(RunNote::Settled(command));
        if !self.applied.values().any(|(_, applied)| *applied == command) {
            self.forget(RunNote::OwnClaim(command));
        }
    }

    /// Whether this run may answer a command: it holds the claim, or the run that holds it hasn't answered in time.
    pub(super) fn may_answer(&self, source: CommentRef) -> bool {
        self.has(RunNote::OwnClaim(source)) || self.has(RunNote::Confirmed(Uncertainty::Claimed(source)))
    }

    /// Whether this run has reached the limit on a person's commands that were answered without a change.
    pub(super) fn is_at_limit(&self, author: &Author) -> bool {
        self.people
            .answered_without_change
            .get(&author.id)
            .is_some_and(|answered| *answered >= MAX_ANSWERED_WITHOUT_CHANGE)
    }

    /// Whether this run has committed an event that the table just read lacks. Then the read is stale, and the run must
    /// not refuse anything because of it.
    pub(super) fn is_ahead(&self, issue: IssueNumber, table: Option<&Table>) -> bool {
        self.applied.get(&issue).is_some_and(|(round, source)| match table {
            None => true,
            Some(table) => table.round() < *round || table.round() == *round && !table.has_event_from(*source),
        })
    }

    /// Notes an uncertainty. Returns its age; `None` if it counts as confirmed from now on.
    pub(super) fn note_uncertainty(&mut self, uncertainty: Uncertainty, now: Timestamp) -> Option<Duration> {
        let age = now.since(*self.uncertain_since.entry(uncertainty).or_insert(now));
        if age >= CONFIRM_AFTER {
            self.note(RunNote::Confirmed(uncertainty));
            return None;
        }
        Some(age)
    }

    /// Counts a command that was answered without changing anything.
    pub(super) fn count_answer_without_change(&mut self, author: &Author) {
        *self.people.answered_without_change.entry(author.id).or_default() += 1;
    }

    /// Returns a person's permission; `None` if the run hasn't asked for it or the forge doesn't say.
    pub(super) fn permission(&self, person: UserId) -> Option<Permission> {
        self.people.permissions.get(&person).copied().flatten()
    }

    /// Whether the run has asked for a person's permission.
    pub(super) fn has_asked_permission(&self, person: UserId) -> bool {
        self.people.permissions.contains_key(&person)
    }

    /// Notes a person's permission; `None` if the forge doesn't say.
    pub(super) fn note_permission(&mut self, person: UserId, permission: Option<Permission>) {
        self.people.permissions.insert(person, permission);
    }

    /// Parses a comment, once for each of its texts.
    pub(super) fn parse_comment(&self, source: CommentRef, text: &str) -> ParsedComment {
        let parsed = &mut self.read_comments.borrow_mut().parsed;
        match parsed.get(&source) {
            Some((known, parsed)) if known == text => parsed.clone(),
            _ => {
                let comment = parse_comment(text);
                parsed.insert(source, (text.to_owned(), comment.clone()));
                comment
            }
        }
    }

    /// Notes a table that comments are interpreted at from now on. If it has changed, they mean something else.
    pub(super) fn note_table(&self, table: &Table) {
        let ReadComments { tables, interpreted, .. } = &mut *self.read_comments.borrow_mut();
        if tables.get(&table.issue()) != Some(table) {
            interpreted.retain(|_, (context, _)| context.table != table.issue());
            tables.insert(table.issue(), table.clone());
        }
    }

    /// Interprets a comment, once for each state of its table: as it is now, or as it was after this many `events`.
    pub(super) fn interpret(
        &self,
        table: Option<&Table>,
        events: Option<usize>,
        context: &CommentContext,
    ) -> Interpreted {
        if table.is_none() {
            return interpret(None, context);
        }
        let known = &mut self.read_comments.borrow_mut().interpreted;
        match known.get(&(context.source, events)) {
            Some((before, interpreted)) if before.is_read_like(context) => interpreted.clone(),
            _ => {
                let interpreted = interpret(table, context);
                known.insert((context.source, events), (context.clone(), interpreted.clone()));
                interpreted
            }
        }
    }

    /// Returns an account that this run has looked up.
    pub(super) fn account(&self, login: &str) -> Option<Account> {
        self.accounts.get(login).copied()
    }

    /// Notes an account that this run has looked up.
    pub(super) fn note_account(&mut self, login: &str, account: Account) {
        self.accounts.insert(login.to_owned(), account);
    }

    /// Notes a command that this run applied at a table in this round. The commit is also the claim to the answer.
    pub(super) fn note_applied(&mut self, table: IssueNumber, round: u32, source: CommentRef) {
        self.note(RunNote::OwnClaim(source));
        self.applied.insert(table, (round, source));
    }
}
