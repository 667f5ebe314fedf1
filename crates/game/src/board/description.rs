//! Parts of board descriptions for screen readers. They contain no Markdown characters.

use crate::board::piece::Piece;
use crate::seat::Seat;

/// Returns the pieces on the cells that `include` accepts, one entry for each kind: "X on a1, b2". The first seat comes
/// first.
pub fn piece_list(
    cells: &[Option<Piece>],
    name: &dyn Fn(usize) -> String,
    include: impl Fn(usize) -> bool,
) -> Vec<String> {
    let mut kinds: Vec<(Seat, &str, Vec<String>)> = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let Some(Piece { seat, glyph }) = *cell else { continue };
        if !include(index) {
            continue;
        }
        match kinds.iter_mut().find(|(owner, kind, _)| (*owner, *kind) == (seat, glyph.name)) {
            Some((.., cells)) => cells.push(name(index)),
            None => kinds.push((seat, glyph.name, vec![name(index)])),
        }
    }
    kinds.sort_by_key(|(owner, ..)| *owner);
    kinds.into_iter().map(|(_, kind, cells)| format!("{kind} on {}", cells.join(", "))).collect()
}

/// Returns the ends of a line: "a1 to c3".
pub fn line_ends(line: &[usize], name: &dyn Fn(usize) -> String) -> String {
    let end = |cell: Option<&usize>| cell.map_or(String::new(), |cell| name(*cell));
    format!("{} to {}", end(line.first()), end(line.last()))
}

/// Returns a phrase for the last move, or for a move and the computer's reply: "last move is c3", "last moves are a3, b2".
pub fn last_move(cells: &[usize], name: &dyn Fn(usize) -> String) -> String {
    let verb = if cells.len() == 1 { "move is" } else { "moves are" };
    format!("last {verb} {}", cell_list(cells, name))
}

/// Returns the names of cells: "e2, e4".
pub fn cell_list(cells: &[usize], name: &dyn Fn(usize) -> String) -> String {
    cells.iter().map(|cell| name(*cell)).collect::<Vec<_>>().join(", ")
}
