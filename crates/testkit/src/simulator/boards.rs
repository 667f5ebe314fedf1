//! Checks which comments are minimized: only boards of the bot that a newer one replaces, and not those that people have shown again.

use std::collections::BTreeSet;

use answers::{Marker, Notice, NoticeKind};
use protocol::settle::settle;
use protocol::{Trigger, Update};
use table::{CommentRef, IssueNumber};

use crate::simulator::checks::is_the_bots;
use crate::simulator::core::{Ledger, Violate};
use crate::simulator::schedule::repo_config;
use crate::simulator::{Core, Mode, Story, TimedFault, table_history};
use crate::world::{Issue, Note, World, run};
use crate::{Millis, place};

/// The time after the last sweep at which somebody asks for the board once more.
const LATER: Millis = 60_000;

/// Checks the minimized comments of all issues.
pub(crate) fn check(story: &Story, core: &Core, violate: &mut Violate<'_>) {
    for (number, issue) in &core.state.issues {
        for note in issue.comments.iter().filter(|note| note.minimized) {
            if board_marker(story, note).is_none() && !is_ballot(story, note) {
                violate("minimized", format!("{number}#{} isn't a board, and was minimized", note.id));
            }
        }
        let is_quiet = matches!(story.mode, Mode::Calm | Mode::Strict) && !issue.locked;
        // Only the boards on the first page are minimized.
        let is_in_view =
            story.setting.max_reply_bytes.is_none() && issue.comments.len() + 10 < story.setting.comments_per_page;
        let table = core.state.head_files().and_then(|files| table_history::find(files, *number));
        // A ballot takes the place of the newest board.
        let is_playing = table.as_ref().is_some_and(|table| table.is_playing() && table.terms().crowd.is_none());
        if !is_quiet || !is_in_view || !is_playing || issue.comments.len() + 10 > core.state.full {
            continue;
        }
        // The answers to moves in other issues are there, and so is the last board of an earlier round.
        let newest = boards(story, *number, issue).next_back();
        let is_first_round = table.is_some_and(|table| table.round() == 1);
        let is_excused = |note: &Note| core.ledger.left_boards.contains(&place(*number, note.id));
        if is_first_round
            && issue.last_deletion.is_none()
            && newest.is_some_and(|note| note.minimized && !is_excused(note))
        {
            violate("minimized", format!("the newest board of issue {number} was minimized"));
        }
        let last = ask_for_board(story, core, *number);
        let (minimized, mut left): (Vec<_>, Vec<_>) =
            boards(story, *number, &last).map(|note| (note.minimized, note.id)).partition(|(minimized, _)| *minimized);
        left.pop();
        // If minimizing failed twice for one board, but not for a newer one, it looks like a board that somebody has shown again.
        let is_odd = |(_, id): &(bool, u64)| {
            let (source, newest) = (place(*number, *id), minimized.last().map_or(0, |(_, id)| *id));
            let was_missed = core.ledger.left_boards.contains(&source) || was_out_of_view(core, source);
            !(core.ledger.shown_again.contains_key(&source) || *id < newest && was_missed)
        };
        if left.iter().any(is_odd) {
            violate("boards", format!("after one more board, issue {number} still shows {left:?}"));
        }
    }
    for source in core.ledger.shown_again.keys() {
        if core.state.note(*source).is_some_and(|note| note.minimized) {
            violate("shown again", format!("{}#{} was minimized again", source.issue, source.comment));
        }
    }
}

/// Whether a run may have answered below a comment without seeing it: after a lost reply, a run asks for fewer comments.
fn was_out_of_view(core: &Core, source: CommentRef) -> bool {
    let is_lost =
        |fault: &TimedFault| matches!(fault, TimedFault::Lost { .. } | TimedFault::Slow(_) | TimedFault::Partial);
    let sees_less =
        |run: u32| core.faults.get(&run).is_some_and(|all| all.iter().any(|injected| is_lost(&injected.fault)));
    let (issue, id) = (source.issue.get(), source.comment.get());
    core.ledger.answers.iter().any(|answer| answer.issue == issue && answer.id > id && sees_less(answer.run))
}

/// Lets somebody ask for the board until a few answers have minimized all others, and returns the issue. Nothing fails there.
fn ask_for_board(story: &Story, core: &Core, number: u64) -> Issue {
    let world = World::new();
    world.change(|state| {
        *state = core.state.clone();
        state.now = core.now + LATER;
    });
    let config = repo_config(story);
    for _ in 0..=boards(story, number, &core.state.issues[&number]).count() / 5 {
        let source = place(number, world.comment(number, "zoe", "/board"));
        _ = run(settle(&world, &config, Trigger::Comment { source, table: None }));
    }
    world.with_state(|state| (*state.issues[&number]).clone())
}

/// Whether a comment is a ballot of the bot.
fn is_ballot(story: &Story, note: &Note) -> bool {
    let notice = Notice::parse(&note.text).filter(|notice| notice.kind == NoticeKind::Ballot);
    notice.is_some() && is_the_bots(story, note.author.as_deref())
}

/// Returns the marker of a bot's answer with a board.
fn board_marker(story: &Story, note: &Note) -> Option<Marker> {
    Marker::parse(&note.text).filter(|marker| marker.has_board && is_the_bots(story, note.author.as_deref()))
}

/// Returns the bot's answers in an issue with a board of its own table.
fn boards<'a>(story: &'a Story, number: u64, issue: &'a Issue) -> impl DoubleEndedIterator<Item = &'a Note> {
    let is_own = move |marker: Marker| marker.table == IssueNumber::new(number);
    issue.comments.iter().filter(move |note| board_marker(story, note).is_some_and(is_own))
}

/// Records an answer's updates that minimize a comment: those that failed, and those whose answer wasn't posted.
pub(crate) fn record(ledger: &mut Ledger, updates: &[Update], failed: &[(Update, String)], is_posted: bool) {
    let has_failed = |update: &Update| !is_posted || failed.iter().any(|(other, _)| other == update);
    let minimized = updates.iter().filter(|update| has_failed(update)).filter_map(|update| match update {
        Update::Minimize(source) => Some(*source),
        _ => None,
    });
    ledger.left_boards.extend(minimized);
}

/// Returns the oldest minimized board of an issue's table if at least two newer ones are minimized, too. The newest ones look as if
/// the bot had failed to minimize them.
pub(crate) fn oldest_minimized(core: &Core, issue: u64) -> Option<CommentRef> {
    let found = core.state.issues.get(&issue)?;
    let is_own = |note: &&Note| Marker::parse(&note.text).is_some_and(|marker| marker.table.get() == issue);
    let minimized: BTreeSet<u64> =
        found.comments.iter().filter(|note| note.minimized).filter(is_own).map(|note| note.id).collect();
    minimized.first().filter(|_| minimized.len() > 2).map(|id| place(issue, *id))
}
