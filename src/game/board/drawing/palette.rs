//! The colours of all drawings: paper and wood, and the inks of the seats.

/// The colours of one seat's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    /// Inside of shapes that are filled.
    pub fill: &'static str,
    /// Lines, and the rims of shapes that are filled.
    pub line: &'static str,
    /// The parameter of a terminal's escape sequence.
    pub terminal: &'static str,
}

// In a terminal cyan, magenta and yellow are told apart from each other and from the ground, be it light or dark.
impl Ink {
    /// Blue.
    pub const BLUE: Ink = Ink { fill: BLUE, line: BLUE, terminal: "36" };
    /// Red.
    pub const RED: Ink = Ink { fill: RED, line: RED, terminal: "35" };
    /// Yellow, with a dark rim because it hardly stands out from paper.
    pub const YELLOW: Ink = Ink { fill: GLOW, line: GLOW_RIM, terminal: "33" };
    /// White.
    pub const WHITE: Ink = Ink { fill: IVORY, line: EBONY, terminal: "36" };
    /// Black.
    pub const BLACK: Ink = Ink { fill: EBONY, line: EBONY, terminal: "35" };
}

/// The paper that the board lies on.
pub const PAPER: &str = "#f4ead7";
/// The edge of the paper, against a page of any colour.
pub const EDGE: &str = "#8a795c";
/// Cells that marks can go to.
pub const FIELD: &str = "#fffaf0";
/// Cells that no more marks go to.
pub const SHADE: &str = "#e9dcc3";
/// Text, and what marks the last move.
pub const INK: &str = "#2d2822";
/// Coordinates, and what is said by the way.
pub const MUTED: &str = "#665b4a";
/// The lines between cells.
pub const RULE: &str = "#92836a";
/// Blue pieces: those of the first seat in most games.
pub const BLUE: &str = "#1d5673";
/// Red pieces.
pub const RED: &str = "#b0432a";
/// Signs for where the next mark can go, and for whose turn it is.
pub const ACTIVE: &str = "#2c6e49";
/// Behind a completed line, and yellow pieces.
pub const GLOW: &str = "#f7da8b";
/// The rim of both.
pub const GLOW_RIM: &str = "#8a6212";
/// The field of backgammon.
pub const CLOTH: &str = "#ecdfc4";
/// Its bar and trays.
pub const WOOD: &str = "#d3bd95";
/// Every other point.
pub const DARK_POINT: &str = "#a46d47";
/// The points between them.
pub const LIGHT_POINT: &str = "#f6ecd6";
/// White checkers, dice and the cube.
pub const IVORY: &str = "#fffdf7";
/// Black checkers and dice.
pub const EBONY: &str = "#2b2725";
