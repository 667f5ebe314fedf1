//! Links for the legal moves in lists that can be folded.

use game::board::drawing::escape_xml;
use game::board::tile_board::TileBoard;
use game::contract::{Display, Notation};

use crate::pages::links::Links;
use crate::pages::markup::{any_move_url, code_span, move_url};

/// The most moves of a list that is not folded.
const MAX_UNFOLDED: usize = 12;

/// A legal move.
pub(super) struct ListedMove {
    /// Its canonical notation.
    notation: String,
    /// The cell that it belongs to; `None` for a move without one.
    pub(super) target_cell: Option<usize>,
    /// The cell that it takes a piece from; `None` for a move that does not.
    pub(super) source_cell: Option<usize>,
    /// The group that it stands in.
    pub(super) heading: String,
}

/// The addresses that play moves at a table.
#[derive(Clone, Copy)]
pub(super) struct MoveUrls<'a> {
    pub(super) issue: u64,
    pub(super) links: &'a Links<'a>,
    /// Whether each carries a note about the green button.
    pub(super) with_note: bool,
}

impl MoveUrls<'_> {
    /// Returns the address that plays a move.
    pub(super) fn url(self, choice: &ListedMove) -> String {
        move_url(self.issue, self.links, &choice.notation, self.with_note)
    }
}

/// Returns links for moves, in at most `room` bytes: with a note in each if there is room for that, else without; if that is
/// still too much the rest is counted, and there is a link for any move.
pub(super) fn move_list(issue: u64, choices: &[ListedMove], links: &Links<'_>, room: usize) -> String {
    let choices: Vec<&ListedMove> = choices.iter().collect();
    for note in [true, false] {
        let all = grouped_list(&choices, MoveUrls { issue, links, with_note: note });
        if all.len() <= room {
            return all;
        }
    }
    let some = |shown: usize| {
        let left = choices.len() - shown;
        format!(
            "{}\n\nThere are {left} more legal moves. To play one, [write it]({}) as {} in a new issue.",
            grouped_list(&choices[..shown], MoveUrls { issue, links, with_note: false }),
            any_move_url(issue, links),
            code_span(&format!("/move MOVE #{issue}")),
        )
    };
    let counts: Vec<usize> = (0..choices.len()).collect();
    let fitting = counts.partition_point(|shown| some(*shown).len() <= room);
    some(fitting.saturating_sub(1))
}

/// Returns the legal moves in the order of the game, without their addresses and without the names of rows.
pub(super) fn listed_moves<G: Display + Notation>(game: &G) -> Vec<ListedMove> {
    let choice = |mv: &G::Move| ListedMove {
        notation: game.notation(mv),
        target_cell: game.target_cell(mv),
        source_cell: game.source_cell(mv),
        heading: game.move_list_heading(mv).unwrap_or_default(),
    };
    game.legal_moves().iter().map(choice).collect()
}

/// Names the rows of moves that have a cell and no heading of their own.
pub(super) fn name_rows(choices: &mut [ListedMove], mosaic: &TileBoard) {
    for choice in choices.iter_mut().filter(|choice| choice.heading.is_empty()) {
        let row = choice.target_cell.and_then(|cell| mosaic.row_of(cell)?.name.clone());
        choice.heading = row.unwrap_or_default();
    }
}

/// Returns links for moves on one line.
pub(super) fn move_line(choices: &[&ListedMove], addresses: MoveUrls<'_>) -> String {
    // Spaces that do not break keep a move on one line.
    let label = |notation: &str| code_span(notation).replace(' ', "\u{a0}");
    let links = choices.iter().map(|choice| format!("[{}]({})", label(&choice.notation), addresses.url(choice)));
    links.collect::<Vec<_>>().join(" · ")
}

/// Returns a number of moves in words.
pub(super) fn count_moves(moves: usize) -> String {
    if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") }
}

/// Returns moves as a list: one line a group if they are few, else each group folded.
pub(super) fn grouped_list(choices: &[&ListedMove], addresses: MoveUrls<'_>) -> String {
    let groups = groups(choices);
    if choices.len() <= MAX_UNFOLDED {
        let lines = groups.iter().map(|(name, group)| match *name {
            "" => format!("- {}", move_line(group, addresses)),
            name => format!("- {name}: {}", move_line(group, addresses)),
        });
        return lines.collect::<Vec<_>>().join("\n");
    }
    let folded = groups.into_iter().map(|(name, group)| {
        let name = escape_xml(if name.is_empty() { "All moves" } else { name });
        format!(
            "<details><summary>{name}: {}</summary>\n\n{}\n\n</details>",
            count_moves(group.len()),
            move_line(&group, addresses)
        )
    });
    folded.collect::<Vec<_>>().join("\n\n")
}

/// Returns the moves by their groups, in the order in which the groups first appear.
fn groups<'a>(choices: &[&'a ListedMove]) -> Vec<(&'a str, Vec<&'a ListedMove>)> {
    let mut groups: Vec<(&str, Vec<&ListedMove>)> = Vec::new();
    for choice in choices {
        match groups.iter_mut().find(|(name, _)| *name == choice.heading) {
            Some((_, group)) => group.push(choice),
            None => groups.push((&choice.heading, vec![choice])),
        }
    }
    groups
}
