//! The colors of all drawings.
//!
//! Drawings use the light-mode colors. If the reader prefers a dark color scheme, a style sheet in the file replaces
//! each of them with its counterpart in [`DARK_MODE`]. Colors that differ only in dark mode therefore have slightly
//! different values in light mode.

use std::fmt::Write;

/// The colors of one seat's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaletteColor {
    /// The fill of filled shapes.
    pub fill: &'static str,
    /// The color of lines, and of the outline of filled shapes.
    pub stroke: &'static str,
    /// The ANSI color code.
    pub ansi_code: &'static str,
    /// The ANSI color code on a colored background.
    pub ground_code: &'static str,
}

// Cyan, magenta and yellow are distinguishable on light and dark terminals.
impl PaletteColor {
    /// Blue.
    pub const BLUE: PaletteColor = PaletteColor { fill: BLUE, stroke: BLUE, ansi_code: "36", ground_code: "38;5;75" };
    /// Red.
    pub const RED: PaletteColor = PaletteColor { fill: RED, stroke: RED, ansi_code: "35", ground_code: "38;5;203" };
    /// Yellow with a dark outline, because it has little contrast with the background.
    pub const YELLOW: PaletteColor =
        PaletteColor { fill: YELLOW, stroke: GLOW_RIM, ansi_code: "33", ground_code: "38;5;226" };
    /// The red of discs, with a darker outline.
    pub const CRIMSON: PaletteColor =
        PaletteColor { fill: CRIMSON, stroke: CRIMSON_RIM, ansi_code: "35", ground_code: "38;5;203" };
    /// The yellow of discs.
    pub const GOLD: PaletteColor =
        PaletteColor { fill: GOLD, stroke: GLOW_RIM, ansi_code: "33", ground_code: "38;5;226" };
    /// White.
    pub const WHITE: PaletteColor =
        PaletteColor { fill: IVORY, stroke: EBONY, ansi_code: "36", ground_code: "38;5;231" };
    /// Black.
    pub const BLACK: PaletteColor = PaletteColor { fill: EBONY, stroke: RIM, ansi_code: "35", ground_code: "38;5;16" };
}

/// The background of drawings.
pub const PAPER: &str = "#f4ead7";
/// The background of black and white pieces beside the board. It stands out only in dark mode, where black pieces would vanish
/// without it.
pub const CHIP: &str = "#f4ead6";
/// The border of the background.
pub const EDGE: &str = "#8a795c";
/// Cells that can still be played.
pub const OPEN_CELL: &str = "#fffaf0";
/// Cells that can no longer be played.
pub const CLOSED_CELL: &str = "#e9dcc3";
/// Text, and the marks of the last move.
pub const INK: &str = "#2d2822";
/// Coordinates and secondary text.
pub const MUTED: &str = "#665b4a";
/// Lines between cells.
pub const GRID_LINE: &str = "#92836a";
/// Blue pieces.
pub const BLUE: &str = "#1d5673";
/// Red pieces.
pub const RED: &str = "#b0432a";
/// Marks of playable cells and of the side to move.
pub const ACTIVE: &str = "#2c6e49";
/// Yellow pieces.
pub const YELLOW: &str = "#f6d98a";
/// The background of completed lines, and of the squares of the last move.
pub const GLOW: &str = "#f7da8b";
/// The outline of completed lines and of yellow pieces, and the winner's star.
pub const GLOW_RIM: &str = "#8a6212";
/// The playing surface of backgammon.
pub const CLOTH: &str = "#ecdfc4";
/// The bar and the trays of backgammon.
pub const WOOD: &str = "#d3bd95";
/// The outlines of backgammon's points and playing surface.
pub const POINT_EDGE: &str = "#a36c46";
/// The dark points of backgammon.
pub const DARK_POINT: &str = "#a46d47";
/// The light points of backgammon.
pub const LIGHT_POINT: &str = "#f6ecd6";
/// Light squares.
pub const LIGHT_SQUARE: &str = "#f2e3c6";
/// Dark squares.
pub const DARK_SQUARE: &str = "#bd8f62";
/// Green cells.
pub const FELT: &str = "#4f9a6b";
/// Lines between green cells.
pub const FELT_LINE: &str = "#17462b";
/// A blue frame with holes.
pub const FRAME: &str = "#3a74b4";
/// The outline of a blue frame.
pub const FRAME_EDGE: &str = "#24507f";
/// Red discs.
pub const CRIMSON: &str = "#cc4733";
/// The outline of red discs.
pub const CRIMSON_RIM: &str = "#86271a";
/// Yellow discs.
pub const GOLD: &str = "#f2c544";
/// White pieces, dice and the doubling cube.
pub const IVORY: &str = "#fffdf7";
/// Black pieces and dice, and labels on white ones.
pub const EBONY: &str = "#2b2725";
/// The outline of black pieces and dice.
pub const RIM: &str = "#2c2826";
/// The bright outline of marks that can lie on any color.
pub const HALO: &str = "#fffefa";

/// Pairs of light-mode and dark-mode colors.
pub const DARK_MODE: [(&str, &str); 32] = [
    (PAPER, "#211d18"),
    (CHIP, "#8a7860"),
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

/// Returns a dark-mode style sheet with all colors, for pages that embed drawings inline.
///
/// The selectors are unscoped, because descendant selectors don't match inside `<use>` elements.
pub fn full_dark_mode_css() -> String {
    let colors = DARK_MODE.iter().flat_map(|(light, dark)| [("fill", light, dark), ("stroke", light, dark)]);
    let rules: String =
        colors.map(|(attribute, light, dark)| format!("[{attribute}=\"{light}\"]{{{attribute}:{dark}}}\n")).collect();
    format!("@media (prefers-color-scheme:dark){{\n{rules}}}\n")
}

/// Returns a dark-mode style sheet with only the colors that a drawing uses.
pub fn dark_mode_css(drawing: &str) -> String {
    let mut rules = String::from("@media (prefers-color-scheme:dark){\n");
    // Scans the drawing only once, because replays are large.
    let mut used = [[false; DARK_MODE.len()]; 2];
    for (at, _) in drawing.match_indices("=\"#") {
        let color = drawing.get(at + 2..at + 9).unwrap_or_default();
        let attribute = ["fill", "stroke"].iter().position(|attribute| drawing[..at].ends_with(attribute));
        let index = DARK_MODE.iter().position(|(light, _)| *light == color);
        if let Some((attribute, index)) = attribute.zip(index) {
            used[attribute][index] = true;
        }
    }
    for (index, (light, dark)) in DARK_MODE.iter().enumerate().filter(|(_, (light, dark))| light != dark) {
        for (_, name) in ["fill", "stroke"].into_iter().enumerate().filter(|(attribute, _)| used[*attribute][index]) {
            let _ = writeln!(rules, "[{name}=\"{light}\"]{{{name}:{dark}}}");
        }
    }
    rules + "}\n"
}
