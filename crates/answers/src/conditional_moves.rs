//! Conditional and forced moves in answers.

use game::{Phrase, Seat, say};
use games::AnyPosition;
use table::{Branch, Event, EventKind, MadeBy, Ply, Table};

use crate::sentences;

/// Returns the sentence about a player who announced conditional moves or dropped them.
pub(super) fn announced(table: &Table, who: &Phrase, seat: Option<Seat>, line: &[String]) -> Phrase {
    if line.is_empty() {
        return say!("{who} dropped their conditional moves.");
    }
    let Some(seat) = seat else { return who.clone() };
    say!(
        "{who} prepared answers. If {opponent} plays one of these moves, the bot answers right away:{lines}\n\n",
        opponent = sentences::player(table, seat.other()),
        lines = tree(table, seat),
    )
}

/// Returns the conditional moves of both players.
pub(super) fn shown(table: &Table) -> Phrase {
    let lines = Seat::BOTH.into_iter().filter(|seat| !table.state().conditional_moves().tree_of(*seat).is_empty());
    let lines: Vec<Phrase> = lines
        .map(|seat| {
            say!(
                "Conditional moves of {player}:{lines}",
                player = sentences::player(table, seat),
                lines = tree(table, seat)
            )
        })
        .collect();
    if lines.is_empty() {
        return say!(
            "There are no conditional moves. While you wait, you can prepare an answer: `/if THEIR-MOVE YOUR-MOVE`."
        );
    }
    Phrase::join(lines, "\n\n")
}

/// Returns the lines of a player as a list. A branch is a list within it.
fn tree(table: &Table, seat: Seat) -> Phrase {
    let mut items = Vec::new();
    list_branches(table.game(), seat, table.state().conditional_moves().tree_of(seat), 0, &mut items);
    say!("\n{items}", items = Phrase::join(items, ""))
}

/// Adds an item for each branch: its moves up to the next branches, as `/if` takes them.
fn list_branches(game: &AnyPosition, seat: Seat, level: &[Branch], depth: usize, items: &mut Vec<Phrase>) {
    for branch in level {
        let (mut text, mut position, mut last) = (branch.notation.clone(), game.clone(), branch);
        while let [next] = last.next.as_slice() {
            let separator = if position.side_to_move() == seat { ", " } else { " " };
            text.extend([separator, &next.notation]);
            position = last.mv.as_ref().map_or(position.clone(), |mv| position.play(mv));
            last = next;
        }
        items.push(say!("\n{indent}- `{text}`", indent = "  ".repeat(depth)));
        if let Some(mv) = &last.mv {
            list_branches(&position.play(mv), seat, &last.next, depth + 1, items);
        }
    }
}

/// Whether the table played a forced move after the last event.
pub(super) fn has_forced(table: &Table) -> bool {
    table.timeline().last_event_plies().any(|ply| ply.made_by == MadeBy::Force)
}

/// Returns the moves that followed from the last event except the last `skip`, as sentences with a leading space, or as a list if
/// there are more than two. These are the conditional moves and, after a forced move, those of the computer, too.
pub(super) fn played(table: &Table, skip: usize) -> Phrase {
    let has_forced = has_forced(table);
    let is_shown = |ply: &Ply<'_>| match ply.made_by {
        MadeBy::Player => false,
        MadeBy::Computer => has_forced,
        MadeBy::Condition | MadeBy::Force => true,
    };
    let plies: Vec<Ply<'_>> = table.timeline().last_event_plies().filter(is_shown).collect();
    // A remark about a position follows the move that led to it.
    let commentary = |at: usize| sentences::commentary(table, plies.get(at)?.before);
    let shown = &plies[..plies.len().saturating_sub(skip)];
    let moves = shown.iter().enumerate().map(|(at, ply)| {
        let is_ready = ply.made_by == MadeBy::Condition
            && ply.played.is_some_and(|(mv, _)| ply.before.action_phrase(mv).is_none());
        let played = match (is_ready, shown.len()) {
            _ if ply.made_by == MadeBy::Force => say!(
                "{player} had only one legal move: `{mv}`.",
                player = sentences::player(table, ply.seat),
                mv = ply.move_list_entry(),
            ),
            (true, 0..=2) => say!(
                "{player} had `{mv}` ready, so it's played.",
                player = sentences::player(table, ply.seat),
                mv = ply.move_list_entry()
            ),
            _ => say!("{played}.", played = played_move(table, ply)),
        };
        say!("{played}{commentary}", commentary = commentary(at + 1))
    });
    let moves = match shown.len() {
        0..=2 => Phrase::join(moves.map(|mv| say!(" {mv}")), ""),
        _ if has_forced => say!(" These moves followed:\n\n- {moves}\n\n", moves = Phrase::join(moves, "\n- ")),
        _ => say!(" Prepared answers followed:\n\n- {moves}\n\n", moves = Phrase::join(moves, "\n- ")),
    };
    say!("{commentary}{moves}", commentary = commentary(0))
}

/// Returns a move that followed from an event without a period: "alice (X) played `a1`".
pub(super) fn played_move(table: &Table, ply: &Ply<'_>) -> Phrase {
    let action = match ply.played.and_then(|(mv, _)| ply.before.action_phrase(mv)) {
        Some(action) => action.into(),
        None => say!("played `{mv}`", mv = ply.move_list_entry()),
    };
    say!("{player} {action}", player = sentences::subject(table, ply.seat))
}

/// Returns a conditional or forced move that ended the game, without a period: "With `Rh8` ready, alice (White) played it".
pub(super) fn last_move(table: &Table, ply: &Ply<'_>) -> Phrase {
    if ply.made_by == MadeBy::Force {
        let (player, mv) = (sentences::player(table, ply.seat), ply.move_list_entry());
        return say!("With only one legal move, {player} played `{mv}`");
    }
    if ply.made_by == MadeBy::Computer || ply.played.is_some_and(|(mv, _)| ply.before.action_phrase(mv).is_some()) {
        return played_move(table, ply);
    }
    let (player, mv) = (sentences::player(table, ply.seat), ply.move_list_entry());
    say!("With `{mv}` ready, {player} played it")
}

/// Returns the end of a game by a resignation that its player had announced, as a sentence with a leading space.
pub(super) fn resigned(table: &Table, winner: Seat) -> Phrase {
    say!(
        " {loser} had a resignation ready for `{mv}`, so {winner} won.",
        loser = sentences::player(table, winner.other()),
        mv = table.plies().next_back().map(|ply| ply.move_list_entry()).unwrap_or_default(),
        winner = sentences::player(table, winner),
    )
}

/// Returns a sentence about an announced reply that wasn't played, because the move came with an offer, or because the reply
/// can't follow this move; `None` for other events.
pub(super) fn not_played(table: &Table, event: &Event) -> Option<Phrase> {
    let announced = table.state().conditional_moves();
    if !matches!(event.kind, EventKind::Move { .. }) {
        return None;
    }
    if let Some((seat, answer)) = announced.missed_answer() {
        let player = sentences::player(table, seat);
        return Some(say!(" {player} had `{answer}` ready for any move, but it can't be played now."));
    }
    let branch = announced.tree_of(table.player_to_move()).first()?;
    if branch.is_resignation() {
        return Some(say!(
            " {player} had a resignation ready for this move. Because of the offer, the game continues.",
            player = sentences::player(table, table.player_to_move()),
        ));
    }
    Some(say!(
        " {player} had announced `{mv}`. Because of the offer, the bot didn't play it.",
        player = sentences::player(table, table.player_to_move()),
        mv = &branch.notation,
    ))
}
