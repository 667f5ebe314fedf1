//! The traits that every game implements, and the boards, options and phrases that games share.
//!
//! A game is a value. It knows its rules, its notation and its board, but nothing about players, repositories or
//! Markdown. [`game::Game`] combines one trait each for rules, notation, explanations, display, engine and
//! interchange.
//!
//! ```
//! use game::{Display, Game, Notation, Options, Rules, apply_move};
//! use games::othello::Othello;
//!
//! let config = Othello::configure(&mut Options::default()).unwrap();
//! let game = Othello::start(&config).unwrap();
//! let mv = game.parse_move("d3").unwrap();
//! let game = apply_move(&game, &mv).unwrap();
//! println!("{}", game.board(Some(&mv)).text().plain());
//! ```

pub mod board;
pub mod cell;
mod conformance;
mod game;
pub mod notation;
mod options;
pub mod phrase;
mod rule;

pub use board::drawing::caption::{
    Caption, CaptionLine, CaptionShapes, CaptionSide, SideStatus, regular_width, truncate_to_width,
};
pub use board::drawing::layout::{GridLayout, MARGIN, PlayerLines, add_glow, add_margins, chip, grid_lines};
pub use board::drawing::palette::PaletteColor;
pub use board::drawing::{
    Drawing, Shape, SharedLayers, SymbolId, corners_symbol, escape_xml, heading_size, last_cell_symbol, palette, paper,
    piece_symbol, ring_symbol, small_size, source_symbol, spaced_letters,
};
pub use board::grid::{BoardStyle, Grid, Surface};
pub use board::replay::Replay;
pub use board::text::{Background, Emphasis, TerminalStyle, Text, TextStyle, column_letters};
pub use board::tile_board::{Tile, TileBoard, TileRow};
pub use board::{Board, Form, Piece, PieceKind, PieceStyle, SideFacts, replay, tile_board};
pub use cell::{CellRef, RowOrigin};
pub use conformance::{check_json, check_parsing, default_config, play_out, sample_caption};
pub use game::{
    DiceRules, Display, Ending, Engine, EngineMove, Explain, Game, Level, Notation, Outcome, PositionJson, Roll, Rules,
    Seat, apply_move, check_move, game_over,
};
pub use options::{
    Info, InvalidOption, OptionInfo, Options, Variant, Verb, parse_dimensions, parse_number, take_square_size,
    take_switch,
};
pub use phrase::{
    Phrase, Span, YOU, by_person, by_place, capitalize, code, either_code, join_code, list_code, mention, person,
    plain, quote, say, side, spans, strong, without_prompt,
};
pub use rule::{IllegalMove, InvalidState, MAX_LISTED_MOVES, ParseMoveError};
