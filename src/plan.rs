//! What is to be done next about a thread, worked out from one read: a pure function from what was seen to one step.
//!
//! Commands are settled strictly in the order of their comments. Above the floor (`through`) a command is applied if the
//! history names it, and answered if an answer of ours carries its marker; a reaction of ours alone is a claim to answer,
//! not an answer.

use std::collections::{BTreeMap, BTreeSet};

use crate::answer::Marker;
use crate::command::{self, Command, Reading};
use crate::decide::{Decision, House, Luck, Said, decide};
use crate::forge::{Comment, File, Head, Thread};
use crate::games::Table;
use crate::record::{self, is_login};
use crate::refusal::Refusal;
use crate::said::{Millis, Oid, Source};

/// What one read has shown.
pub struct View {
    /// The state branch.
    pub head: Head,
    /// The threads that were read, each with its table.
    pub threads: BTreeMap<u64, Seen>,
    /// The pages at the head.
    pub pages: BTreeMap<String, File>,
    /// The first comments of some of the newest issues.
    pub newest: BTreeMap<u64, Vec<Comment>>,
    /// Comments in a thread without a table count only if they are at least this new.
    pub horizon: Millis,
    /// What dice are made from where no key is committed to.
    pub luck: Luck,
    /// When the newest page of the thread was there.
    pub read: Millis,
}

/// A thread, and the table that its record gives.
pub struct Seen {
    /// The thread, with its comments back to the floor.
    pub thread: Thread,
    /// The table in it.
    pub table: Option<Table>,
}

/// What a run remembers from one read to the next.
#[derive(Default)]
pub struct Memory {
    /// Commands that need no further answer: this run has answered them, or nobody ever will.
    pub done: BTreeSet<Source>,
    /// Claims that this run holds for certain: nobody else is about to answer.
    pub mine: BTreeSet<Source>,
    /// Issues that are not there (any more).
    pub gone: BTreeSet<u64>,
    /// Doubts that have been waited for long enough.
    pub believed: BTreeSet<Doubt>,
    /// How many commands of each person this run has answered without changing anything.
    pub vain: BTreeMap<u64, u32>,
    /// The last command that this run has applied at each table, and the round it belongs to.
    pub landed: BTreeMap<u64, (u32, Source)>,
}

/// Something that another run, or a later read, may still clear up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// Somebody has claimed to answer this and has not answered.
    Claimed(Source),
    /// The record of this table is older than its answers, or than what this run itself has committed.
    Older(u64),
    /// There is no record of this table, but an answer of ours says that there was one.
    Gone(u64),
}

/// The one thing to do next.
#[derive(Debug)]
pub enum Step {
    /// Nothing: everything is settled.
    Idle,
    /// Read again together with this thread and its record.
    Beside(u64),
    /// Read the thread of this comment, too, back to the comment: its answer is looked for.
    Also(Source),
    /// Wait a little and read again.
    Wait(Doubt),
    /// The record is gone: the host has to restore this commit.
    Restore(u64, Oid),
    /// Delete this comment of ours: it is the second answer to one command.
    Delete(Source),
    /// The last event of this table lacks its answer.
    Answer {
        /// The table.
        table: u64,
        /// The comment that asked for the event.
        source: Source,
    },
    /// A command is to be settled.
    Settle(Box<Settle>),
}

/// A command that is to be settled, and how.
#[derive(Debug)]
pub struct Settle {
    /// The table it is meant for.
    pub table: u64,
    /// The comment.
    pub said: Said,
    /// The decision.
    pub decision: Decision,
    /// The record is older than the answers in its thread, which the answer should mention.
    pub older: bool,
}

/// How many commands of one person a run answers that change nothing; more of them wait for a later run, so that nobody can
/// keep the others waiting.
pub const MOST_IN_VAIN: u32 = 20;

impl Memory {
    /// Whether a table lacks what this run has committed at it: nobody may be refused on the strength of such a read.
    fn is_ahead(&self, issue: u64, table: Option<&Table>) -> bool {
        self.landed.get(&issue).is_some_and(|(round, source)| match table {
            None => true,
            Some(table) => table.round() < *round || table.round() == *round && !table.names(*source),
        })
    }
}

/// The floor of a thread: nothing up to this comment is looked at again. Without a table there is none.
#[must_use]
pub fn floor(table: Option<&Table>) -> Option<u64> {
    table.map(Table::through)
}

/// The next step for a thread.
#[must_use]
pub fn plan(view: &View, issue: u64, memory: &Memory, house: &House) -> Step {
    next(view, issue, memory, house, Reach::Everything)
}

/// Which of a thread's commands are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// All of them.
    Everything,
    /// Those for the table in the thread itself: it is settled only so that another thread's command can be decided here.
    OwnTable,
}

fn next(view: &View, issue: u64, memory: &Memory, house: &House, reach: Reach) -> Step {
    let Some(seen) = view.threads.get(&issue) else { return Step::Idle };
    let answers = Answers::of(issue, &seen.thread);
    if let Some(second) = answers.second(issue, seen.table.as_ref()) {
        return Step::Delete(second);
    }
    let older_believed = memory.believed.contains(&Doubt::Older(issue));
    if memory.is_ahead(issue, seen.table.as_ref()) && !older_believed {
        return Step::Wait(Doubt::Older(issue));
    }
    match &seen.table {
        None => {
            if let Some(commit) = answers.lost_record(issue) {
                let doubt = Doubt::Gone(issue);
                return if memory.believed.contains(&doubt) { Step::Restore(issue, commit) } else { Step::Wait(doubt) };
            }
        }
        Some(table) => {
            if let Some(step) = last_event(view, issue, table, &answers, memory) {
                return step;
            }
        }
    }
    let older = seen.table.as_ref().is_some_and(|table| answers.newer_than(issue, table));
    let floor = floor(seen.table.as_ref());
    let mut skipped = None;
    for comment in std::iter::once(&seen.thread.body).chain(&seen.thread.comments) {
        let source = Source { issue, comment: comment.id };
        let settled = floor.map_or(comment.time < view.horizon, |floor| comment.id <= floor);
        if settled || answers.has(source) || memory.done.contains(&source) {
            continue;
        }
        let Some(mut said) = hear(comment, source, seen, view.luck) else { continue };
        let target = said.reading.table().unwrap_or(issue);
        if target != issue && reach == Reach::OwnTable {
            if seen.table.is_none() && matches!(said.reading, Reading::Command(Command::Continue, _)) {
                // It is about to bring a table here, and what comes after it is said at that table.
                break;
            }
            skipped = skipped.or(Some(comment.id));
            continue;
        }
        // The floor may not rise above a command that has been left for later.
        said.floor = skipped.map_or(comment.id, |id: u64| id.saturating_sub(1));
        let table = if target == issue {
            seen.table.as_ref()
        } else {
            match at_other_table(view, target, memory, house) {
                Ok(table) => table,
                Err(step) => return step,
            }
        };
        // Another table than the one it is for now may name it: it can have been edited since.
        if view.threads.values().any(|seen| seen.table.as_ref().is_some_and(|table| table.names(source))) {
            continue;
        }
        let mut decision = decide(table, target, &said, house);
        if decision == Decision::Chat {
            continue;
        }
        if target == issue
            && let Some(table) = table.filter(|table| table.newest_comment() > comment.id)
        {
            // It was left for later once, and the game has gone on: what is behind is never played. What was chat at its
            // place stays chat: who had no seat then may have one by now.
            if decide(record::before(table, comment.id).as_ref(), target, &said, house) == Decision::Chat {
                continue;
            }
            decision = Decision::Refuse(Refusal::PassedOver);
        }
        let in_vain = !matches!(decision, Decision::Apply { .. });
        if in_vain && memory.vain.get(&said.author.id).is_some_and(|answered| *answered >= MOST_IN_VAIN) {
            skipped = skipped.or(Some(comment.id));
            continue;
        }
        let claimed = Doubt::Claimed(source);
        if comment.claimed && !memory.mine.contains(&source) && !memory.believed.contains(&claimed) {
            return Step::Wait(claimed);
        }
        if older && !older_believed {
            return Step::Wait(Doubt::Older(issue));
        }
        return Step::Settle(Box::new(Settle { table: target, said, decision, older }));
    }
    Step::Idle
}

/// The last event of a history is the only one that can lack its answer; nothing goes on before it has one.
fn last_event(view: &View, issue: u64, table: &Table, answers: &Answers, memory: &Memory) -> Option<Step> {
    let source = table.last_source()?;
    let done = memory.done.contains(&source);
    let given = match source.issue == issue {
        true => answers.given(source, issue),
        // It was written in another thread, and so is its answer.
        false => match given_elsewhere(view, issue, source, memory) {
            Ok(given) => given,
            Err(_) if done => return None,
            Err(step) => return Some(step),
        },
    };
    let doubt = Doubt::Claimed(source);
    match given {
        // Its commit came so late that somebody has refused the comment meanwhile, which was edited in between.
        Given::Refused(answer) => Some(Step::Delete(Source { issue: source.issue, comment: answer })),
        Given::Accepted => None,
        Given::Nothing if done => None,
        Given::Nothing if memory.mine.contains(&source) || memory.believed.contains(&doubt) => {
            Some(Step::Answer { table: issue, source })
        }
        Given::Nothing => Some(Step::Wait(doubt)),
    }
}

/// What a command from another thread has been told; or what has to be read to know it.
fn given_elsewhere(view: &View, issue: u64, source: Source, memory: &Memory) -> Result<Given, Step> {
    let Some(Seen { thread, table }) = view.threads.get(&source.issue) else {
        if memory.gone.contains(&source.issue) {
            // Nobody can answer where nothing is.
            return Ok(Given::Accepted);
        }
        let newest = view.newest.get(&source.issue).map_or(&[][..], Vec::as_slice);
        return match Answers::among(source.issue, newest).given(source, issue) {
            Given::Nothing => Err(Step::Also(source)),
            given => Ok(given),
        };
    };
    if table.as_ref().is_some_and(|table| table.names(source)) {
        // A game that was taken there is an event at both tables, and its answer is given at the one there.
        return Ok(Given::Accepted);
    }
    let read = thread.comments.first().is_none_or(|first| first.id <= source.comment);
    match Answers::of(source.issue, thread).given(source, issue) {
        given if read || thread.earlier.is_none() => Ok(given),
        // It is below the floor there, which says too little: a command that was deleted before it had its answer does not
        // hold a floor down.
        _ if table.is_some() => Err(Step::Also(source)),
        // Without a table, what was not read is older than the horizon, and settled long ago.
        Given::Nothing => Ok(Given::Accepted),
        given => Ok(given),
    }
}

/// Another table that a command names, once everything in its own thread is settled; or what has to be done before.
fn at_other_table<'a>(view: &'a View, target: u64, memory: &Memory, house: &House) -> Result<Option<&'a Table>, Step> {
    let Some(other) = view.threads.get(&target) else {
        return if memory.gone.contains(&target) { Ok(None) } else { Err(Step::Beside(target)) };
    };
    match next(view, target, memory, house, Reach::OwnTable) {
        Step::Idle => Ok(other.table.as_ref()),
        step => Err(step),
    }
}

/// A comment that may hold a command: written by a person, and not an answer of ours.
fn hear(comment: &Comment, source: Source, Seen { thread, table }: &Seen, luck: Luck) -> Option<Said> {
    // Logins end up in records and answers, so an account that is called otherwise than accounts are is nobody.
    let author = comment.author.as_ref().filter(|author| !author.bot && is_login(&author.login))?;
    if comment.ours && Marker::read(&comment.text).is_some() {
        return None;
    }
    let reading = if comment.id == 0 { command::read_body(&comment.text) } else { command::read(&comment.text) };
    if reading == Reading::Nothing {
        return None;
    }
    let opener = thread.body.author.as_ref().is_some_and(|opener| opener.id == author.id);
    Some(Said {
        reading,
        author: author.clone(),
        maintainer: comment.maintainer,
        opener,
        source,
        at_table: table.is_some(),
        time: comment.time,
        floor: comment.id,
        luck,
    })
}

/// The answers of ours in one thread: written by our own account, and with a marker as their first line.
struct Answers {
    /// The id of each answer with its marker, oldest first.
    given: Vec<(u64, Marker)>,
}

/// The answer to a command that has changed a table.
enum Given {
    /// There is none.
    Nothing,
    /// There is one, and it says so; or it is about another table.
    Accepted,
    /// The only one is this comment, and it says that nothing has changed.
    Refused(u64),
}

impl Answers {
    fn of(issue: u64, thread: &Thread) -> Answers {
        Answers::among(issue, &thread.comments)
    }

    fn among(issue: u64, comments: &[Comment]) -> Answers {
        let ours = comments.iter().filter(|comment| comment.ours);
        let given = ours.filter_map(|comment| Some((comment.id, Marker::read(&comment.text)?)));
        Answers { given: given.filter(|(_, marker)| marker.source.issue == issue).collect() }
    }

    /// What a command has been told that has changed this table.
    fn given(&self, source: Source, table: u64) -> Given {
        let mut given = Given::Nothing;
        for (id, marker) in self.given.iter().filter(|(_, marker)| marker.source == source) {
            if marker.commit.is_some() || marker.table != table {
                return Given::Accepted;
            }
            given = Given::Refused(*id);
        }
        given
    }

    fn has(&self, source: Source) -> bool {
        self.given.iter().any(|(_, marker)| marker.source == source)
    }

    /// The superfluous one of two answers to one command: the one that contradicts the record, else the newer.
    fn second(&self, issue: u64, table: Option<&Table>) -> Option<Source> {
        let mut seen: BTreeMap<Source, &(u64, Marker)> = BTreeMap::new();
        for answer in &self.given {
            let Some(first) = seen.insert(answer.1.source, answer) else { continue };
            let applied = |answer: &Marker| answer.commit.is_some();
            let source = answer.1.source;
            // The table in this thread knows of its own commands alone; what another one has accepted names the commit.
            let own = [&first.1, &answer.1].iter().all(|marker| marker.table == issue);
            let keep_applied = match table {
                Some(table) if table.names(source) => true,
                Some(table) if own && source.comment > table.through() => false,
                _ => applied(&first.1) || applied(&answer.1),
            };
            let contradicts = |(_, marker): &(u64, Marker)| applied(marker) != keep_applied;
            let superfluous = if contradicts(first) && !contradicts(answer) { first.0 } else { answer.0 };
            return Some(Source { issue, comment: superfluous });
        }
        None
    }

    /// The newest commit that an answer for the table in this thread names.
    fn lost_record(&self, issue: u64) -> Option<Oid> {
        let own = self.given.iter().rev().filter(|(_, marker)| marker.table == issue);
        own.filter_map(|(_, marker)| marker.commit.clone()).next()
    }

    /// Whether a command of this thread was answered as accepted at its table, and the table knows nothing of it. Only what is
    /// newer than all that the table does know counts: what came before was in an earlier round.
    fn newer_than(&self, issue: u64, table: &Table) -> bool {
        let known = table.through().max(table.newest_comment());
        self.given.iter().any(|(_, marker)| {
            let above = marker.table == issue && marker.source.comment > known;
            above && marker.commit.is_some() && !table.names(marker.source)
        })
    }
}
