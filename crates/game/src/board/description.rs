//! Plain words for boards of cells, for those who hear them: without any character that Markdown knows.

use crate::board::piece::Piece;
use crate::seat::Seat;

/// Returns the pieces on some of the cells, a part for each kind and the first seat's first: "X on a1, b2".
pub fn piece_list(
    cells: &[Option<Piece>],
    name: &dyn Fn(usize) -> String,
    here: impl Fn(usize) -> bool,
) -> Vec<String> {
    let mut kinds: Vec<(Seat, &str, Vec<String>)> = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let Some(Piece { seat, glyph }) = cell.filter(|_| here(index)) else { continue };
        match kinds.iter_mut().find(|(owner, kind, _)| (*owner, *kind) == (seat, glyph.name)) {
            Some((.., places)) => places.push(name(index)),
            None => kinds.push((seat, glyph.name, vec![name(index)])),
        }
    }
    kinds.sort_by_key(|(owner, ..)| *owner);
    kinds.into_iter().map(|(_, kind, places)| format!("{kind} on {}", places.join(", "))).collect()
}

/// Returns the two ends of a line: "a1 to c3".
pub fn line_ends(line: &[usize], name: &dyn Fn(usize) -> String) -> String {
    let end = |at: Option<&usize>| at.map_or(String::new(), |at| name(*at));
    format!("{} to {}", end(line.first()), end(line.last()))
}

/// Returns the cells of the last move, or of a move and the computer's reply: "last move is c3", "last moves are a3, b2".
pub fn last_move(places: &[usize], name: &dyn Fn(usize) -> String) -> String {
    let verb = if places.len() == 1 { "move is" } else { "moves are" };
    format!("last {verb} {}", cell_list(places, name))
}

/// Returns the names of several places: "e2, e4".
pub fn cell_list(places: &[usize], name: &dyn Fn(usize) -> String) -> String {
    places.iter().map(|place| name(*place)).collect::<Vec<_>>().join(", ")
}
