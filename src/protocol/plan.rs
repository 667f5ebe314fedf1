//! What is to be done next about a thread, worked out from one read: a pure function from what was seen to one step.
//!
//! Commands are settled strictly in the order of their comments. Above the floor (`settled_through`) a command is applied if the
//! history names it, and answered if an answer of ours carries its marker; a reaction of ours alone is a claim to answer,
//! not an answer.

use crate::answers::marker::Marker;
use crate::decisions::decide::decide;
use crate::decisions::decision::Decision;
use crate::decisions::house::HouseRules;
use crate::decisions::refusal::Refusal;
use crate::protocol::given::{Answers, Given};
use crate::protocol::view::{Doubt, RunMemory, Seen, View};
use crate::tables::any::AnyTable;
use crate::tables::state_file;
use crate::talk::command::{self, Command, Reading};
use crate::talk::comment::{Source, is_login};
use crate::talk::thread::{Comment, Oid};
use crate::talk::utterance::{Luck, Utterance};

/// The one thing to do next.
#[derive(Debug)]
pub enum NextStep {
    /// Nothing: everything is settled.
    Idle,
    /// Read again together with this thread and its record.
    ReadThread(u64),
    /// Read the thread of this comment, too, back to the comment: its answer is looked for.
    ReadBackTo(Source),
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
    pub said: Utterance,
    /// The decision.
    pub decision: Decision,
    /// The record is older than the answers in its thread, which the answer should mention.
    pub older: bool,
}

/// How many commands of one person a run answers that change nothing; more of them wait for a later run, so that nobody can
/// keep the others waiting.
pub const MOST_UNPRODUCTIVE: u32 = 20;

/// The floor of a thread: nothing up to this comment is looked at again. Without a table there is none.
#[must_use]
pub fn settled_through(table: Option<&AnyTable>) -> Option<u64> {
    table.map(AnyTable::settled_through)
}

/// The next step for a thread.
#[must_use]
pub fn plan(view: &View, issue: u64, memory: &RunMemory, house: &HouseRules) -> NextStep {
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

fn next(view: &View, issue: u64, memory: &RunMemory, house: &HouseRules, reach: Reach) -> NextStep {
    let Some(seen) = view.threads.get(&issue) else { return NextStep::Idle };
    let answers = Answers::of(issue, &seen.thread);
    if let Some(second) = answers.second(issue, seen.table.as_ref()) {
        return NextStep::Delete(second);
    }
    let older_believed = memory.believed.contains(&Doubt::Older(issue));
    if memory.is_ahead(issue, seen.table.as_ref()) && !older_believed {
        return NextStep::Wait(Doubt::Older(issue));
    }
    match &seen.table {
        None => {
            if let Some(commit) = answers.lost_record(issue) {
                let doubt = Doubt::Gone(issue);
                return if memory.believed.contains(&doubt) {
                    NextStep::Restore(issue, commit)
                } else {
                    NextStep::Wait(doubt)
                };
            }
        }
        Some(table) => {
            if let Some(step) = last_event(view, issue, table, &answers, memory) {
                return step;
            }
        }
    }
    let older = seen.table.as_ref().is_some_and(|table| answers.newer_than(issue, table));
    let settled_through = settled_through(seen.table.as_ref());
    let mut skipped = None;
    for comment in std::iter::once(&seen.thread.body).chain(&seen.thread.comments) {
        let source = Source { issue, comment: comment.id };
        let settled =
            settled_through.map_or(comment.time < view.horizon, |settled_through| comment.id <= settled_through);
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
        said.settles_through = skipped.map_or(comment.id, |id: u64| id.saturating_sub(1));
        let table = if target == issue {
            seen.table.as_ref()
        } else {
            match at_other_table(view, target, memory, house) {
                Ok(table) => table,
                Err(step) => return step,
            }
        };
        // Another table than the one it is for now may name it: it can have been edited since.
        if view.threads.values().any(|seen| seen.table.as_ref().is_some_and(|table| table.has_event_from(source))) {
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
            if decide(state_file::before(table, comment.id).as_ref(), target, &said, house) == Decision::Chat {
                continue;
            }
            decision = Decision::Refuse(Refusal::PassedOver);
        }
        let unproductive = !matches!(decision, Decision::Apply { .. });
        if unproductive
            && memory.unproductive.get(&said.author.id).is_some_and(|answered| *answered >= MOST_UNPRODUCTIVE)
        {
            skipped = skipped.or(Some(comment.id));
            continue;
        }
        let claimed = Doubt::Claimed(source);
        if comment.claimed && !memory.own_claims.contains(&source) && !memory.believed.contains(&claimed) {
            return NextStep::Wait(claimed);
        }
        if older && !older_believed {
            return NextStep::Wait(Doubt::Older(issue));
        }
        return NextStep::Settle(Box::new(Settle { table: target, said, decision, older }));
    }
    NextStep::Idle
}

/// The last event of a history is the only one that can lack its answer; nothing goes on before it has one.
fn last_event(view: &View, issue: u64, table: &AnyTable, answers: &Answers, memory: &RunMemory) -> Option<NextStep> {
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
        Given::Refused(answer) => Some(NextStep::Delete(Source { issue: source.issue, comment: answer })),
        Given::Accepted => None,
        Given::Nothing if done => None,
        Given::Nothing if memory.own_claims.contains(&source) || memory.believed.contains(&doubt) => {
            Some(NextStep::Answer { table: issue, source })
        }
        Given::Nothing => Some(NextStep::Wait(doubt)),
    }
}

/// What a command from another thread has been told; or what has to be read to know it.
fn given_elsewhere(view: &View, issue: u64, source: Source, memory: &RunMemory) -> Result<Given, NextStep> {
    let Some(Seen { thread, table }) = view.threads.get(&source.issue) else {
        if memory.gone.contains(&source.issue) {
            // Nobody can answer where nothing is.
            return Ok(Given::Accepted);
        }
        let newest = view.newest.get(&source.issue).map_or(&[][..], Vec::as_slice);
        return match Answers::among(source.issue, newest).given(source, issue) {
            Given::Nothing => Err(NextStep::ReadBackTo(source)),
            given => Ok(given),
        };
    };
    if table.as_ref().is_some_and(|table| table.has_event_from(source)) {
        // A game that was taken there is an event at both tables, and its answer is given at the one there.
        return Ok(Given::Accepted);
    }
    let read = thread.comments.first().is_none_or(|first| first.id <= source.comment);
    match Answers::of(source.issue, thread).given(source, issue) {
        given if read || thread.earlier.is_none() => Ok(given),
        // It is below the floor there, which says too little: a command that was deleted before it had its answer does not
        // hold a floor down.
        _ if table.is_some() => Err(NextStep::ReadBackTo(source)),
        // Without a table, what was not read is older than the horizon, and settled long ago.
        Given::Nothing => Ok(Given::Accepted),
        given => Ok(given),
    }
}

/// Another table that a command names, once everything in its own thread is settled; or what has to be done before.
fn at_other_table<'a>(
    view: &'a View,
    target: u64,
    memory: &RunMemory,
    house: &HouseRules,
) -> Result<Option<&'a AnyTable>, NextStep> {
    let Some(other) = view.threads.get(&target) else {
        return if memory.gone.contains(&target) { Ok(None) } else { Err(NextStep::ReadThread(target)) };
    };
    match next(view, target, memory, house, Reach::OwnTable) {
        NextStep::Idle => Ok(other.table.as_ref()),
        step => Err(step),
    }
}

/// A comment that may hold a command: written by a person, and not an answer of ours.
fn hear(comment: &Comment, source: Source, Seen { thread, table }: &Seen, luck: Luck) -> Option<Utterance> {
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
    Some(Utterance {
        reading,
        author: author.clone(),
        maintainer: comment.maintainer,
        opener,
        source,
        at_table: table.is_some(),
        time: comment.time,
        settles_through: comment.id,
        luck,
    })
}
