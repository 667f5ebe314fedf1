//! Links for the legal moves in lists that can be folded.

use game::board::drawing::escape;
use game::board::mosaic::Mosaic;
use game::contract::{Display, Notation};

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
}

/// The addresses that play moves at a table.
#[derive(Clone, Copy)]
pub(super) struct Addresses<'a> {
    pub(super) issue: u64,
    pub(super) links: &'a Links<'a>,
    /// Whether each carries a note about the green button.
    pub(super) note: bool,
}

impl Addresses<'_> {
    /// Returns the address that plays a move.
    pub(super) fn of(self, choice: &Choice) -> String {
        move_link(self.issue, self.links, &choice.notation, self.note)
    }
}

/// Returns links for moves, in at most `room` bytes: with a note in each if there is room for that, else without; if that is
/// still too much the rest is counted, and there is a link for any move.
pub(super) fn moves(issue: u64, choices: &[Choice], links: &Links<'_>, room: usize) -> String {
    let choices: Vec<&Choice> = choices.iter().collect();
    for note in [true, false] {
        let all = list(&choices, Addresses { issue, links, note });
        if all.len() <= room {
            return all;
        }
    }
    let some = |shown: usize| {
        let left = choices.len() - shown;
        format!(
            "{}\n\nThere are {left} more legal moves. To play one, [write it]({}) as {} in a new issue.",
            list(&choices[..shown], Addresses { issue, links, note: false }),
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

/// Returns links for moves on one line.
pub(super) fn line(choices: &[&Choice], addresses: Addresses<'_>) -> String {
    // Spaces that do not break keep a move on one line.
    let label = |notation: &str| code(notation).replace(' ', "\u{a0}");
    let links = choices.iter().map(|choice| format!("[{}]({})", label(&choice.notation), addresses.of(choice)));
    links.collect::<Vec<_>>().join(" · ")
}

/// Returns a number of moves in words.
pub(super) fn count(moves: usize) -> String {
    if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") }
}

/// Returns moves as a list: one line a group if they are few, else each group folded.
pub(super) fn list(choices: &[&Choice], addresses: Addresses<'_>) -> String {
    let groups = groups(choices);
    if choices.len() <= MAX_UNFOLDED {
        let lines = groups.iter().map(|(name, group)| match *name {
            "" => format!("- {}", line(group, addresses)),
            name => format!("- {name}: {}", line(group, addresses)),
        });
        return lines.collect::<Vec<_>>().join("\n");
    }
    let folded = groups.into_iter().map(|(name, group)| {
        let name = escape(if name.is_empty() { "All moves" } else { name });
        format!(
            "<details><summary>{name}: {}</summary>\n\n{}\n\n</details>",
            count(group.len()),
            line(&group, addresses)
        )
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
