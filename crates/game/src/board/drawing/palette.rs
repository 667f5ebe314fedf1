//! The colours of all drawings: paper and wood, and the inks of the seats.
//!
//! Drawings name their colours by day. Who likes dark pages sees those of [`NIGHT`] instead, by a style sheet within the
//! picture; a viewer without style sheets shows the day.

use std::fmt::Write;

/// The colours of one seat's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    /// Inside of shapes that are filled.
    pub fill: &'static str,
    /// Lines, and the rims of shapes that are filled.
    pub stroke: &'static str,
    /// The parameter of a terminal's escape sequence.
    pub ansi_code: &'static str,
}

// In a terminal cyan, magenta and yellow are told apart from each other and from the ground, be it light or dark.
impl Ink {
    /// Blue.
    pub const BLUE: Ink = Ink { fill: BLUE, stroke: BLUE, ansi_code: "36" };
    /// Red.
    pub const RED: Ink = Ink { fill: RED, stroke: RED, ansi_code: "35" };
    /// Yellow, with a dark rim because it hardly stands out from paper.
    pub const YELLOW: Ink = Ink { fill: YELLOW, stroke: GLOW_RIM, ansi_code: "33" };
    /// The red of discs, with a darker rim.
    pub const CRIMSON: Ink = Ink { fill: CRIMSON, stroke: CRIMSON_RIM, ansi_code: "35" };
    /// The yellow of discs, which stand out by their own colour.
    pub const GOLD: Ink = Ink { fill: GOLD, stroke: GLOW_RIM, ansi_code: "33" };
    /// White.
    pub const WHITE: Ink = Ink { fill: IVORY, stroke: EBONY, ansi_code: "36" };
    /// Black.
    pub const BLACK: Ink = Ink { fill: EBONY, stroke: RIM, ansi_code: "35" };
}

/// The paper that the board lies on.
pub const PAPER: &str = "#f4ead7";
/// The edge of the paper, against a page of any colour.
pub const EDGE: &str = "#8a795c";
/// Cells that marks can go to.
pub const OPEN_CELL: &str = "#fffaf0";
/// Cells that no more marks go to.
pub const CLOSED_CELL: &str = "#e9dcc3";
/// Text, and what marks the last move.
pub const INK: &str = "#2d2822";
/// Coordinates, and what is said by the way.
pub const MUTED: &str = "#665b4a";
/// The lines between cells.
pub const GRID_LINE: &str = "#92836a";
/// Blue pieces: those of the first seat in most games.
pub const BLUE: &str = "#1d5673";
/// Red pieces.
pub const RED: &str = "#b0432a";
/// Signs for where the next mark can go, and for whose turn it is.
pub const ACTIVE: &str = "#2c6e49";
/// Yellow pieces.
pub const YELLOW: &str = "#f6d98a";
/// Behind a completed line.
pub const GLOW: &str = "#f7da8b";
/// The rim of both, and the star of the winner.
pub const GLOW_RIM: &str = "#8a6212";
/// The field of backgammon.
pub const CLOTH: &str = "#ecdfc4";
/// Its bar and trays.
pub const WOOD: &str = "#d3bd95";
/// The edges of points, and of the field.
pub const POINT_EDGE: &str = "#a36c46";
/// Every other point.
pub const DARK_POINT: &str = "#a46d47";
/// The points between them.
pub const LIGHT_POINT: &str = "#f6ecd6";
/// The light squares of chess.
pub const LIGHT_SQUARE: &str = "#f2e3c6";
/// Its dark squares.
pub const DARK_SQUARE: &str = "#bd8f62";
/// Green cells.
pub const FELT: &str = "#4f9a6b";
/// The lines between them.
pub const FELT_LINE: &str = "#17462b";
/// A frame with holes.
pub const FRAME: &str = "#3a74b4";
/// Its edge.
pub const FRAME_EDGE: &str = "#24507f";
/// Red discs.
pub const CRIMSON: &str = "#cc4733";
/// Their rim.
pub const CRIMSON_RIM: &str = "#86271a";
/// Yellow discs.
pub const GOLD: &str = "#f2c544";
/// White checkers, dice and the cube.
pub const IVORY: &str = "#fffdf7";
/// Black checkers and dice, and what is written on white ones.
pub const EBONY: &str = "#2b2725";
/// The rim of black checkers and dice.
pub const RIM: &str = "#2c2826";
/// Around the marks of the last move where they can lie on anything.
pub const HALO: &str = "#fffefa";

/// The colour by night for each colour by day.
pub const DARK_MODE: [(&str, &str); 31] = [
    (PAPER, "#211d18"),
    (EDGE, "#8a795c"),
    (OPEN_CELL, "#2c2721"),
    (CLOSED_CELL, "#3a332a"),
    (INK, "#f0e7d8"),
    (MUTED, "#bdaf99"),
    (GRID_LINE, "#887b65"),
    (BLUE, "#6db3d6"),
    (RED, "#f08c70"),
    (ACTIVE, "#5fbf8a"),
    (YELLOW, "#e6bf55"),
    (GLOW, "#574415"),
    (GLOW_RIM, "#dcae45"),
    (CLOTH, "#2a241d"),
    (WOOD, "#453828"),
    (POINT_EDGE, "#ab815c"),
    (DARK_POINT, "#6b432a"),
    (LIGHT_POINT, "#453a2d"),
    (LIGHT_SQUARE, "#9c8b73"),
    (DARK_SQUARE, "#6a5643"),
    (FELT, "#38754f"),
    (FELT_LINE, "#0b1f13"),
    (FRAME, "#4878b2"),
    (FRAME_EDGE, "#8fb8e4"),
    (CRIMSON, "#c9503c"),
    (CRIMSON_RIM, "#f0a18f"),
    (GOLD, "#d9ae3a"),
    (IVORY, "#ece2cf"),
    (EBONY, "#15120f"),
    (RIM, "#b8a88d"),
    (HALO, "#14110e"),
];

/// Returns the style sheet that colours any drawing by night, for pages that drawings are a part of. Nothing stands before its
/// selectors: within a symbol they would not reach beyond it.
pub fn full_dark_mode_css() -> String {
    let colours = DARK_MODE.iter().flat_map(|(day, night)| [("fill", day, night), ("stroke", day, night)]);
    let rules: String = colours.map(|(what, day, night)| format!("[{what}=\"{day}\"]{{{what}:{night}}}\n")).collect();
    format!("@media (prefers-color-scheme:dark){{\n{rules}}}\n")
}

/// Returns the style sheet that colours a drawing by night, with a rule for each colour in it.
pub fn dark_mode_css(drawing: &str) -> String {
    let mut rules = String::from("@media (prefers-color-scheme:dark){\n");
    // A film has tens of thousands of bytes, so it is gone through once.
    let mut used = [[false; DARK_MODE.len()]; 2];
    for (at, _) in drawing.match_indices("=\"#") {
        let colour = drawing.get(at + 2..at + 9).unwrap_or_default();
        let what = ["fill", "stroke"].iter().position(|what| drawing[..at].ends_with(what));
        let known = DARK_MODE.iter().position(|(day, _)| *day == colour);
        if let Some((what, known)) = what.zip(known) {
            used[what][known] = true;
        }
    }
    for (known, (day, night)) in DARK_MODE.iter().enumerate().filter(|(_, (day, night))| day != night) {
        for (_, name) in ["fill", "stroke"].into_iter().enumerate().filter(|(what, _)| used[*what][known]) {
            let _ = writeln!(rules, "[{name}=\"{day}\"]{{{name}:{night}}}");
        }
    }
    rules + "}\n"
}
