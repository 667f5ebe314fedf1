//! Links for the legal moves in lists that can be folded.

use crate::game::board::drawing::escape;
use crate::game::board::mosaic::Mosaic;
use crate::game::contract::{Display, Notation};
use crate::pages::links::Links;
use crate::pages::markup::{any_move_link, code, move_link};

/// The most moves of a list that is not folded.
const MAX_UNFOLDED: usize = 12;

/// A legal move.
pub(super) struct Choice {
    /// Its canonical notation.
    notation: String,
    /// The cell that it belongs to; `None` for a move without one.
    pub(super) cell: Option<usize>,
    /// The cell that it takes a piece from; `None` for a move that does not.
    pub(super) origin: Option<usize>,
    /// The group that it stands in.
    pub(super) group: String,
    /// The address that plays it.
    pub(super) link: String,
}

/// Returns links for moves, in at most `room` bytes: with a note in each if there is room for that, else without; if that is
/// still too much the rest is counted, and there is a link for any move.
pub(super) fn moves(issue: u64, choices: &mut [Choice], links: &Links<'_>, room: usize) -> String {
    let listed = |choices: &[Choice]| list(&choices.iter().collect::<Vec<_>>());
    for note in [true, false] {
        address(issue, choices, links, note);
        let all = listed(choices);
        if all.len() <= room {
            return all;
        }
    }
    let some = |shown: usize| {
        let left = choices.len() - shown;
        format!(
            "{}\n\nThere are {left} more legal moves. To play one, [write it]({}) as {} in a new issue.",
            listed(&choices[..shown]),
            any_move_link(issue, links),
            code(&format!("/move MOVE #{issue}")),
        )
    };
    let counts: Vec<usize> = (0..choices.len()).collect();
    let fitting = counts.partition_point(|shown| some(*shown).len() <= room);
    some(fitting.saturating_sub(1))
}

/// Returns the legal moves in the order of the game, without their addresses and without the names of rows.
pub(super) fn choices<G: Display + Notation>(game: &G) -> Vec<Choice> {
    let choice = |mv: &G::Move| Choice {
        notation: game.notation(mv),
        cell: game.cell(mv),
        origin: game.origin(mv),
        group: game.group(mv).unwrap_or_default(),
        link: String::new(),
    };
    game.legal_moves().iter().map(choice).collect()
}

/// Names the rows of moves that have a cell and no heading of their own.
pub(super) fn name_rows(choices: &mut [Choice], mosaic: &Mosaic) {
    for choice in choices.iter_mut().filter(|choice| choice.group.is_empty()) {
        let row = choice.cell.and_then(|cell| mosaic.row_of(cell)?.name.clone());
        choice.group = row.unwrap_or_default();
    }
}

/// Gives moves the addresses that play them, with a note or without.
pub(super) fn address(issue: u64, choices: &mut [Choice], links: &Links<'_>, note: bool) {
    for choice in choices {
        choice.link = move_link(issue, links, &choice.notation, note);
    }
}

/// Returns links for moves on one line.
pub(super) fn line(choices: &[&Choice]) -> String {
    // Spaces that do not break keep a move on one line.
    let label = |notation: &str| code(notation).replace(' ', "\u{a0}");
    let links = choices.iter().map(|Choice { notation, link, .. }| format!("[{}]({link})", label(notation)));
    links.collect::<Vec<_>>().join(" · ")
}

/// Returns a number of moves in words.
pub(super) fn count(moves: usize) -> String {
    if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") }
}

/// Returns moves as a list: one line a group if they are few, else each group folded.
pub(super) fn list(choices: &[&Choice]) -> String {
    let groups = groups(choices);
    if choices.len() <= MAX_UNFOLDED {
        let lines = groups.iter().map(|(name, group)| match *name {
            "" => format!("- {}", line(group)),
            name => format!("- {name}: {}", line(group)),
        });
        return lines.collect::<Vec<_>>().join("\n");
    }
    let folded = groups.into_iter().map(|(name, group)| {
        let name = escape(if name.is_empty() { "All moves" } else { name });
        format!("<details><summary>{name}: {}</summary>\n\n{}\n\n</details>", count(group.len()), line(&group))
    });
    folded.collect::<Vec<_>>().join("\n\n")
}

/// Returns the moves by their groups, in the order in which the groups first appear.
fn groups<'a>(choices: &[&'a Choice]) -> Vec<(&'a str, Vec<&'a Choice>)> {
    let mut groups: Vec<(&str, Vec<&Choice>)> = Vec::new();
    for choice in choices {
        match groups.iter_mut().find(|(name, _)| *name == choice.group) {
            Some((_, group)) => group.push(choice),
            None => groups.push((&choice.group, vec![choice])),
        }
    }
    groups
}
