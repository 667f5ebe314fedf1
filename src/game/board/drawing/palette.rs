//! The colours of all drawings: paper and wood, and two inks.

/// What the board lies on.
pub const PAPER: &str = "#f4ead7";
/// The edge of the paper, against a page of any colour.
pub const EDGE: &str = "#8a795c";
/// Where marks go.
pub const FIELD: &str = "#fffaf0";
/// Where no more marks go.
pub const SHADE: &str = "#e9dcc3";
/// Text, and what marks the last move.
pub const INK: &str = "#2d2822";
/// Coordinates, and what is said by the way.
pub const MUTED: &str = "#665b4a";
/// The lines between cells.
pub const RULE: &str = "#92836a";
/// The first side's marks.
pub const FIRST: &str = "#1d5673";
/// The second side's marks.
pub const SECOND: &str = "#b0432a";
/// Where the next mark can go, and whose turn it is.
pub const ACTIVE: &str = "#2c6e49";
/// Behind a completed line.
pub const GLOW: &str = "#f7da8b";
/// The rim of a completed line.
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

/// Words, and what they stand on.
pub const WORDS: &[(&str, &str)] = &[(INK, PAPER), (MUTED, PAPER), (INK, IVORY), (IVORY, EBONY), (INK, WOOD)];

/// Signs, and what they stand on.
pub const SIGNS: &[(&str, &str)] = &[
    (RULE, FIELD),
    (RULE, PAPER),
    (FIRST, FIELD),
    (SECOND, FIELD),
    (FIRST, PAPER),
    (SECOND, PAPER),
    (FIRST, GLOW),
    (SECOND, GLOW),
    (FIRST, SHADE),
    (SECOND, SHADE),
    (MUTED, SHADE),
    (GLOW_RIM, FIELD),
    (GLOW_RIM, PAPER),
    (ACTIVE, PAPER),
    (ACTIVE, FIELD),
    (INK, FIELD),
    (INK, GLOW),
    (INK, SHADE),
    (INK, CLOTH),
    (INK, DARK_POINT),
    (INK, LIGHT_POINT),
    (INK, WOOD),
    (DARK_POINT, LIGHT_POINT),
    (DARK_POINT, CLOTH),
    (RULE, IVORY),
    (RULE, EBONY),
    (EBONY, CLOTH),
    (EBONY, WOOD),
    (EBONY, DARK_POINT),
    (EBONY, LIGHT_POINT),
    (EBONY, IVORY),
    (EDGE, PAPER),
];
