//! Lists of links that play the legal moves.

use game::board::drawing::escape_xml;
use game::board::tile_board::TileBoard;
use game::contract::{Display, Notation};
use table::comments::turn::Turn;
use table::ids::IssueNumber;

use crate::pages::links::Links;
use crate::pages::markup::{any_move_url, code_span, move_url};

/// The maximum number of moves in a list that isn't collapsed.
const MAX_UNCOLLAPSED: usize = 12;

/// A legal move.
pub(super) struct ListedMove {
    /// Its canonical notation.
    notation: String,
    /// The cell whose picture links to the move; `None` for moves without one.
    pub(super) target_cell: Option<usize>,
    /// The cell whose piece moves; `None` for moves without one.
    pub(super) source_cell: Option<usize>,
    /// The heading that it is listed under.
    pub(super) heading: String,
}

/// Builds the URLs that play moves at a table.
#[derive(Clone, Copy)]
pub(super) struct MoveUrls<'a> {
    pub(super) issue: IssueNumber,
    /// The turn that the links are for.
    pub(super) turn: Turn,
    pub(super) links: &'a Links<'a>,
    /// Whether the new issue's body explains GitHub's green button.
    pub(super) with_note: bool,
}

impl MoveUrls<'_> {
    /// Returns the URL that plays a move.
    pub(super) fn url(self, mv: &ListedMove) -> String {
        move_url(self.issue, self.turn, self.links, &mv.notation, self.with_note)
    }
}

/// Returns links for moves, in at most `room` bytes.
///
/// If they don't fit, the links lose their notes. If they still don't fit, the list is shortened, and one more link
/// accepts any move.
pub(super) fn move_list(
    issue: IssueNumber,
    turn: Turn,
    moves: &[ListedMove],
    links: &Links<'_>,
    room: usize,
) -> String {
    let moves: Vec<&ListedMove> = moves.iter().collect();
    for with_note in [true, false] {
        let all = grouped_list(&moves, MoveUrls { issue, turn, links, with_note });
        if all.len() <= room {
            return all;
        }
    }
    let shortened = |shown: usize| {
        let left = moves.len() - shown;
        format!(
            "{}\n\nThere are {left} more legal moves. To play one, [write it]({}) as {} in a new issue.",
            grouped_list(&moves[..shown], MoveUrls { issue, turn, links, with_note: false }),
            any_move_url(issue, turn, links),
            code_span(&format!("/move MOVE #{issue}")),
        )
    };
    let counts: Vec<usize> = (0..moves.len()).collect();
    let fitting = counts.partition_point(|shown| shortened(*shown).len() <= room);
    shortened(fitting.saturating_sub(1))
}

/// Returns the legal moves in the game's order.
pub(super) fn listed_moves<G: Display + Notation>(game: &G) -> Vec<ListedMove> {
    let listed = |mv: &G::Move| ListedMove {
        notation: game.notation(mv),
        target_cell: game.target_cell(mv),
        source_cell: game.source_cell(mv),
        heading: game.move_list_heading(mv).unwrap_or_default(),
    };
    game.legal_moves().iter().map(listed).collect()
}

/// Sets the headings of moves that have none to the names of their rows on the board.
pub(super) fn name_rows(moves: &mut [ListedMove], board: &TileBoard) {
    for mv in moves.iter_mut().filter(|mv| mv.heading.is_empty()) {
        let row = mv.target_cell.and_then(|cell| board.row_of(cell)?.name.clone());
        mv.heading = row.unwrap_or_default();
    }
}

/// Returns links for moves, on one line.
pub(super) fn move_line(moves: &[&ListedMove], urls: MoveUrls<'_>) -> String {
    // Non-breaking spaces keep each move on one line.
    let label = |notation: &str| code_span(notation).replace(' ', "\u{a0}");
    let links = moves.iter().map(|mv| format!("[{}]({})", label(&mv.notation), urls.url(mv)));
    links.collect::<Vec<_>>().join(" · ")
}

/// Returns a number of moves: "1 move", "2 moves".
pub(super) fn count_moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// Returns moves by heading: a few as a bullet list, many as collapsed sections.
pub(super) fn grouped_list(moves: &[&ListedMove], urls: MoveUrls<'_>) -> String {
    let groups = group_by_heading(moves);
    if moves.len() <= MAX_UNCOLLAPSED {
        let lines = groups.iter().map(|(heading, group)| match *heading {
            "" => format!("- {}", move_line(group, urls)),
            heading => format!("- {heading}: {}", move_line(group, urls)),
        });
        return lines.collect::<Vec<_>>().join("\n");
    }
    let sections = groups.into_iter().map(|(heading, group)| {
        let heading = escape_xml(if heading.is_empty() { "All moves" } else { heading });
        format!(
            "<details><summary>{heading}: {}</summary>\n\n{}\n\n</details>",
            count_moves(group.len()),
            move_line(&group, urls)
        )
    });
    sections.collect::<Vec<_>>().join("\n\n")
}

/// Groups moves by heading, in order of first appearance.
fn group_by_heading<'a>(moves: &[&'a ListedMove]) -> Vec<(&'a str, Vec<&'a ListedMove>)> {
    let mut groups: Vec<(&str, Vec<&ListedMove>)> = Vec::new();
    for mv in moves {
        match groups.iter_mut().find(|(heading, _)| *heading == mv.heading) {
            Some((_, group)) => group.push(mv),
            None => groups.push((&mv.heading, vec![mv])),
        }
    }
    groups
}
