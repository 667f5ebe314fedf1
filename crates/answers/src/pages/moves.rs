//! Lists of links that play the legal moves.

use std::collections::BTreeMap;
use std::fmt::Write;

use game::tile_board::FREE_SUFFIX;
use game::{Tile, TileBoard, escape_xml};
use games::{AnyMove, AnyPosition};
use sha2::{Digest, Sha256};
use table::{IssueNumber, StatePath, Turn};

use crate::Links;
use crate::pages::links::{any_move_url, code_span, move_url};

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
pub(super) fn listed_moves(game: &AnyPosition) -> Vec<ListedMove> {
    let listed = |mv: &AnyMove| ListedMove {
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
fn move_line(moves: &[&ListedMove], urls: MoveUrls<'_>) -> String {
    // Non-breaking spaces keep each move on one line.
    let label = |notation: &str| code_span(notation).replace(' ', "\u{a0}");
    let links = moves.iter().map(|mv| format!("[{}]({})", label(&mv.notation), urls.url(mv)));
    links.collect::<Vec<_>>().join(" · ")
}

/// Returns a number of moves: "1 move", "2 moves".
fn count_moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// Returns moves by heading: a few as a bullet list, many as collapsed sections.
fn grouped_list(moves: &[&ListedMove], urls: MoveUrls<'_>) -> String {
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

// The clickable board: every cell is an image, and cells with a legal move are links.
//
// GitHub removes all styles and classes, and pads table cells. So all images are inside one table cell, which bounds
// their width, with one line per row. Widths are percentages, so that the board scales to narrow screens. `<sub>`
// removes the line height that would separate the rows. There is no white space between two images, not even a line
// break.
//
// The images are files in the state directory, named by a hash of their content. They are committed with the first
// page that shows them and never change.

/// The maximum size of a board whose links include the note about the green button, in bytes.
const MAX_BYTES_WITH_NOTES: usize = 30_000;
/// The width of the board on a 320-pixel phone, in pixels.
const PHONE_WIDTH: u32 = 260;
/// The minimum width of a cell that a finger can hit, in pixels.
const MIN_CELL_WIDTH: u32 = 12;
/// The number of hexadecimal digits in a tile's file name.
const HASH_DIGITS: usize = 8;

/// A clickable board.
pub(super) struct ClickableBoard {
    /// The board as Markdown, with a list of the moves that have no cell.
    pub(super) text: String,
    /// The tiles in it: contents by path below the state directory.
    pub(super) tiles: BTreeMap<String, String>,
    /// The text after "Click".
    pub(super) click_target: &'static str,
    /// The anchor before the board, which lists of moves link back to; empty without such lists.
    pub(super) anchor: String,
}

/// Returns the clickable board of a table in at most `room` bytes; `None` if it is larger, or its cells are too small
/// for a phone.
pub(super) fn clickable_board(
    issue: IssueNumber,
    turn: Turn,
    tile_board: &TileBoard,
    moves: &[ListedMove],
    links: &Links<'_>,
    room: usize,
) -> Option<ClickableBoard> {
    if tile_board.narrowest_cell() * PHONE_WIDTH < MIN_CELL_WIDTH * tile_board.width() {
        return None;
    }
    let with_notes = build(moves, tile_board, MoveUrls { issue, turn, links, with_note: true });
    if with_notes.text.len() <= room.min(MAX_BYTES_WITH_NOTES) {
        return Some(with_notes);
    }
    // On large boards, shorten the alternative text of free cells.
    let mut short_board = tile_board.clone();
    for tile in short_board.rows.iter_mut().flat_map(|row| &mut row.tiles) {
        tile.alt_text = tile.alt_text.replace(FREE_SUFFIX, "");
    }
    let without_notes = build(moves, &short_board, MoveUrls { issue, turn, links, with_note: false });
    if without_notes.text.len() > room {
        return None;
    }
    Some(without_notes)
}

fn build(moves: &[ListedMove], tile_board: &TileBoard, urls: MoveUrls<'_>) -> ClickableBoard {
    let MoveUrls { issue, links, .. } = urls;
    let mut pieces: BTreeMap<usize, Vec<&ListedMove>> = BTreeMap::new();
    for mv in moves {
        if let Some(source_cell) = mv.source_cell {
            pieces.entry(source_cell).or_default().push(mv);
        }
    }
    let link = |cell: usize| {
        if let Some(mv) = moves.iter().find(|mv| mv.target_cell == Some(cell)) {
            return Some((urls.url(mv), String::new()));
        }
        let count = count_moves(pieces.get(&cell)?.len());
        Some((format!("#user-content-{}", piece_anchor(issue, cell)), format!(", {count}")))
    };
    let mut tiles = BTreeMap::new();
    let mut text = board(tile_board, links, &link, &mut tiles);
    for (cell, moves) in &pieces {
        text.push_str(&piece_moves(*cell, moves, urls));
    }
    let other_moves: Vec<&ListedMove> =
        moves.iter().filter(|mv| mv.target_cell.is_none() && mv.source_cell.is_none()).collect();
    if !other_moves.is_empty() {
        text.push_str(&format!("\n\n{}", grouped_list(&other_moves, urls)));
    }
    let (click_target, anchor) = if pieces.is_empty() {
        ("a cell", String::new())
    } else {
        ("a piece, click one of its moves", format!("<a name=\"{}\"></a>", board_anchor(issue)))
    };
    ClickableBoard { text, tiles, click_target, anchor }
}

/// Returns the board without lists of moves, and adds its tiles to `tiles`.
fn board(
    tile_board: &TileBoard,
    links: &Links<'_>,
    link: &dyn Fn(usize) -> Option<(String, String)>,
    tiles: &mut BTreeMap<String, String>,
) -> String {
    let mut paths: BTreeMap<&str, String> = BTreeMap::new();
    let mut out = format!("<table><tr><td width=\"{}\"><sub><div>\n", tile_board.page_width);
    for row in &tile_board.rows {
        for Tile { cell, alt_text, width, svg } in &row.tiles {
            let tile_path = paths.entry(svg).or_insert_with(|| tile_path(svg));
            let link = cell.and_then(link);
            // GitHub turns an image outside of a link into a link to the image, so give it an empty one.
            let (link_start, move_count) = match link {
                Some((url, move_count)) => (format!("<a href=\"{}\">", escape_xml(&url)), move_count),
                None => ("<a>".to_owned(), String::new()),
            };
            let (source, alt_text, width) =
                (escape_xml(&links.tile(tile_path)), escape_xml(alt_text), percentage(*width, tile_board.width()));
            let _ =
                write!(out, "{link_start}<img src=\"{source}\" width=\"{width}%\" alt=\"{alt_text}{move_count}\"></a>");
        }
        out.push_str("<br>\n");
    }
    tiles.extend(paths.into_iter().map(|(svg, tile_path)| (tile_path, svg.to_owned())));
    out + "</div></sub></td></tr></table>"
}

/// Returns the moves of a piece in a collapsed section. A browser expands it when the reader follows a link to its
/// anchor.
fn piece_moves(cell: usize, moves: &[&ListedMove], urls: MoveUrls<'_>) -> String {
    let issue = urls.issue;
    let (name, count) = (moves.first().map_or(String::new(), |mv| escape_xml(&mv.heading)), count_moves(moves.len()));
    format!(
        "\n\n<details name=\"{0}\"><summary>{name}: {count}</summary>\n\n<a name=\"{1}\"></a>{name}: {2} · [the board](#user-content-{0})\n\n</details>",
        board_anchor(issue),
        piece_anchor(issue, cell),
        move_line(moves, urls),
    )
}

/// Returns the anchor of a table's board. GitHub prefixes it with `user-content-`.
fn board_anchor(issue: IssueNumber) -> String {
    format!("table-{issue}")
}

/// Returns the anchor of a piece's moves.
fn piece_anchor(issue: IssueNumber, cell: usize) -> String {
    format!("table-{issue}-{cell}")
}

/// Returns the path of a tile below the state directory, named by its hash.
fn tile_path(svg: &str) -> String {
    let mut name = hex::encode(Sha256::digest(svg));
    name.truncate(HASH_DIGITS);
    StatePath::Tile(name).to_string()
}

/// Returns a width in percent, rounded down so that a row never overflows.
fn percentage(width: u32, whole: u32) -> String {
    let hundredths = u64::from(width) * 10_000 / u64::from(whole.max(1));
    let percentage = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    percentage.trim_end_matches('0').trim_end_matches('.').to_owned()
}
