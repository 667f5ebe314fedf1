//! The board that is clicked: every cell is a small picture, and those that can be played are links.
//!
//! GitHub takes every style and class away and gives each cell of a table a border and room inside, so all pictures are in one
//! cell, which holds the board together and bounds its width. They stand there as words stand in a paragraph, a row a line;
//! their widths are parts of the whole, so that a narrow screen shows them smaller. Below `sub` lines have no height of their
//! own, which would part rows of small pictures. Between two pictures there is no white space, not even a line's end.
//!
//! The pictures are files below the state directory, named by what is in them: they are committed with the first page that
//! shows them and never change.

use std::collections::BTreeMap;
use std::fmt::Write;

use game::board::drawing::escape_xml;
use game::board::tile_board::{FREE_SUFFIX, Tile, TileBoard};
use sha2::{Digest, Sha256};

use crate::pages::links::Links;
use crate::pages::moves::{ListedMove, MoveUrls, count_moves, grouped_list, move_line};

/// The most bytes of a board whose links carry a note about the green button.
const WITH_NOTES: usize = 30_000;
/// The room for a board on a phone that is 320 pixels wide, and the smallest cell that a finger can hit there.
const NARROW_PAGE: u32 = 260;
const SMALLEST: u32 = 12;
/// The number of hexadecimal digits in the name of a picture.
const DIGITS: usize = 8;

/// A board to be clicked.
pub(super) struct ClickableBoard {
    /// The board, and whatever moves have no cell.
    pub(super) text: String,
    /// The pictures in it: their paths below the state directory, and the files.
    pub(super) tiles: BTreeMap<String, String>,
    /// The things to be clicked, as words after "click".
    pub(super) click_target: &'static str,
    /// The place that one comes back to, in front of the board; empty where nothing leads away from it.
    pub(super) anchor: String,
}

/// Returns the board of a table in at most `room` bytes; `None` if it takes more, or has cells too small for a phone.
pub(super) fn clickable_board(
    issue: u64,
    mosaic: &TileBoard,
    choices: &[ListedMove],
    links: &Links<'_>,
    room: usize,
) -> Option<ClickableBoard> {
    if mosaic.narrowest_cell() * NARROW_PAGE < SMALLEST * mosaic.width() {
        return None;
    }
    let noted = draw(choices, mosaic, MoveUrls { issue, links, with_note: true });
    if noted.text.len() <= room.min(WITH_NOTES) {
        return Some(noted);
    }
    // Of hundreds of cells each says no more than it has to.
    let mut terse = mosaic.clone();
    for tile in terse.rows.iter_mut().flat_map(|row| &mut row.tiles) {
        tile.alt_text = tile.alt_text.replace(FREE_SUFFIX, "");
    }
    let plain = draw(choices, &terse, MoveUrls { issue, links, with_note: false });
    Some(plain).filter(|plain| plain.text.len() <= room)
}

fn draw(choices: &[ListedMove], mosaic: &TileBoard, addresses: MoveUrls<'_>) -> ClickableBoard {
    let MoveUrls { issue, links, .. } = addresses;
    let mut pieces: BTreeMap<usize, Vec<&ListedMove>> = BTreeMap::new();
    for choice in choices {
        if let Some(origin) = choice.source_cell {
            pieces.entry(origin).or_default().push(choice);
        }
    }
    let link = |cell: usize| {
        let direct = choices.iter().find(|choice| choice.target_cell == Some(cell));
        direct.map(|choice| (addresses.url(choice), String::new())).or_else(|| {
            let moves = count_moves(pieces.get(&cell)?.len());
            Some((format!("#user-content-{}", piece_name(issue, cell)), format!(", {moves}")))
        })
    };
    let mut tiles = BTreeMap::new();
    let mut text = board(mosaic, links, &link, &mut tiles);
    for (cell, moves) in &pieces {
        text.push_str(&unfolded(*cell, moves, addresses));
    }
    let others: Vec<&ListedMove> =
        choices.iter().filter(|choice| choice.target_cell.is_none() && choice.source_cell.is_none()).collect();
    if !others.is_empty() {
        text.push_str(&format!("\n\n{}", grouped_list(&others, addresses)));
    }
    let (what, anchor) = match pieces.is_empty() {
        true => ("a cell", String::new()),
        false => ("a piece, click one of its moves", format!("<a name=\"{}\"></a>", board_name(issue))),
    };
    ClickableBoard { text, tiles, click_target: what, anchor }
}

/// Returns the board without its moves, and adds the pictures that are in it.
fn board(
    mosaic: &TileBoard,
    links: &Links<'_>,
    link: &dyn Fn(usize) -> Option<(String, String)>,
    tiles: &mut BTreeMap<String, String>,
) -> String {
    let mut paths: BTreeMap<&str, String> = BTreeMap::new();
    let mut out = format!("<table><tr><td width=\"{}\"><sub><div>\n", mosaic.page_width);
    for row in &mosaic.rows {
        for Tile { cell, alt_text: words, width, svg: picture } in &row.tiles {
            let path = paths.entry(picture).or_insert_with(|| path(picture));
            let link = cell.and_then(link);
            // Without a link GitHub would make one, to the picture itself.
            let (begin, more) = match link {
                Some((link, more)) => (format!("<a href=\"{}\">", escape_xml(&link)), more),
                None => ("<a>".to_owned(), String::new()),
            };
            let (source, words, width) =
                (escape_xml(&links.tile(path)), escape_xml(words), share(*width, mosaic.width()));
            let _ = write!(out, "{begin}<img src=\"{source}\" width=\"{width}%\" alt=\"{words}{more}\"></a>");
        }
        out.push_str("<br>\n");
    }
    tiles.extend(paths.into_iter().map(|(picture, path)| (path, picture.to_owned())));
    out + "</div></sub></td></tr></table>"
}

/// Returns the moves of a piece. Whoever follows a link to a place within a folded part finds it unfolded, without a script.
fn unfolded(cell: usize, moves: &[&ListedMove], addresses: MoveUrls<'_>) -> String {
    let issue = addresses.issue;
    let (name, count) =
        (moves.first().map_or(String::new(), |choice| escape_xml(&choice.heading)), count_moves(moves.len()));
    format!(
        "\n\n<details name=\"{0}\"><summary>{name}: {count}</summary>\n\n<a name=\"{1}\"></a>{name}: {2} · [the board](#user-content-{0})\n\n</details>",
        board_name(issue),
        piece_name(issue, cell),
        move_line(moves, addresses),
    )
}

/// Returns the name of a table's board on a page; GitHub puts `user-content-` before it.
fn board_name(issue: u64) -> String {
    format!("table-{issue}")
}

/// Returns the name of the moves of a piece on a page.
fn piece_name(issue: u64, cell: usize) -> String {
    format!("table-{issue}-{cell}")
}

/// Returns the path of a picture below the state directory. Its name says what is in it.
fn path(picture: &str) -> String {
    let mut name = hex::encode(Sha256::digest(picture));
    name.truncate(DIGITS);
    format!("tiles/{name}.svg")
}

/// Returns a width in percent of the whole. It is rounded down, so that a row never takes more than there is.
fn share(width: u32, whole: u32) -> String {
    let hundredths = u64::from(width) * 10_000 / u64::from(whole.max(1));
    let share = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    share.trim_end_matches('0').trim_end_matches('.').to_owned()
}
