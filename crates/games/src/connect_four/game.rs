//! The settings, rules and notation of connect four, its explanations and its board.

use game::board::ordinary_piece;
use game::cell::OUT_OF_RANGE_CODE;
use game::notation::strip_decoration;
use game::{
    Board, BoardStyle, CellRef, DiceRules, Display, Ending, Explain, Form, Grid, IllegalMove, InvalidOption,
    InvalidState, Notation, OptionInfo, Options, Outcome, PaletteColor, ParseMoveError, PieceKind, PieceStyle, Rules,
    Seat, Surface, cell, game_over, parse_dimensions, parse_number, say, spans,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::connect_four::position::{MAX_K, MAX_SIDE, Shape, perft};

/// A move: a disc dropped into a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ConnectFourMove")]
pub struct Move {
    /// The column, from 0 at the left.
    pub column: u32,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectFour {
    /// The size of the board.
    pub shape: Shape,
    /// The discs of each seat, as bitboards in the layout that `position.rs` describes.
    pub discs: [u128; 2],
    pub(super) side_to_move: Seat,
    pub(super) outcome: Option<Outcome>,
}

impl ConnectFour {
    /// Returns the position after the side to move drops a disc into a column that isn't full.
    fn drop_disc(&self, column: usize) -> ConnectFour {
        let mut after = *self;
        let own = &mut after.discs[self.side_to_move.index()];
        *own |= self.shape.cell_mask(column, self.height(column));
        if self.shape.has_line(*own) {
            after.outcome = Some(Outcome::Won(self.side_to_move));
        } else if after.discs[0] | after.discs[1] == self.shape.all_cells::<u128>() {
            after.outcome = Some(Outcome::Draw);
        }
        after.side_to_move = self.side_to_move.other();
        after
    }

    /// Returns the owner of the disc in a cell, counted from 0 at the top left, row by row; `None` if it's free.
    pub fn disc(&self, cell: usize) -> Option<Seat> {
        let height = (self.shape.rows - 1).checked_sub(cell / self.shape.columns)?;
        let bit = self.shape.cell_mask(cell % self.shape.columns, height);
        Seat::BOTH.into_iter().find(|seat| self.discs[seat.index()] & bit != 0)
    }

    /// Returns the number of discs in a column.
    pub(super) fn height(&self, column: usize) -> usize {
        let taken = self.discs[0] | self.discs[1];
        (0..self.shape.rows).filter(|height| taken & self.shape.cell_mask(column, *height) != 0).count()
    }

    /// Returns the lowest free cell of a column; `None` if the column is full or doesn't exist.
    pub(super) fn landing_cell(&self, column: usize) -> Option<usize> {
        if column >= self.shape.columns {
            return None;
        }
        let height = self.height(column);
        if height < self.shape.rows { Some(self.cell_index(column, height)) } else { None }
    }

    /// Returns the index of the cell at this height of a column, from 0 at the top left, row by row.
    fn cell_index(&self, column: usize, height: usize) -> usize {
        (self.shape.rows - 1 - height) * self.shape.columns + column
    }
}

impl Rules for ConnectFour {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<ConnectFour, InvalidState> {
        Ok(ConnectFour { shape: config.checked_shape()?, discs: [0; 2], side_to_move: Seat::First, outcome: None })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        let columns = if self.outcome.is_some() { 0 } else { self.shape.columns };
        (0..columns)
            .filter(|column| self.landing_cell(*column).is_some())
            .map(|column| Move { column: column as u32 })
            .collect()
    }

    fn play(&self, mv: &Move) -> ConnectFour {
        self.drop_disc(mv.column as usize)
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome?;
        let reason = match outcome {
            Outcome::Won(_) => format!("{} in a row", self.shape.k).into(),
            Outcome::Draw => "the board is full".into(),
        };
        Some(Ending { outcome, reason: Some(reason) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.outcome.is_some() {
            return 0;
        }
        let shape = self.shape;
        let [own, other] = [self.side_to_move, self.side_to_move.other()].map(|seat| self.discs[seat.index()]);
        if shape.bit_count() <= 64 {
            perft(&shape, [shape.bottom_row(), shape.all_cells()], own as u64, other as u64, depth)
        } else {
            perft(&shape, [shape.bottom_row(), shape.all_cells()], own, other, depth)
        }
    }
}

impl DiceRules for ConnectFour {}

// The settings of a game: board size and k in a row.

/// The fewest columns or rows of a board.
const MIN_SIDE: usize = 4;
/// The shortest winning line.
const MIN_K: usize = 3;

/// The `/new` option for the board size.
pub(super) const SIZE: OptionInfo = OptionInfo {
    key: "size",
    aliases: &["boardSize"],
    description: spans!("columns by rows, `4` to `10` each (default `7x6`); you can also just write `9x7`"),
};

/// The `/new` option for the length of a winning line.
pub(super) const K: OptionInfo = OptionInfo {
    key: "k",
    aliases: &["kInRow", "in-row"],
    description: spans!("how many in a row you need to win, `3` to `6` (default `4`)"),
};

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "ConnectFourConfig")]
pub struct GameConfig {
    /// The number of columns, 4 to 10. Defaults to 7.
    pub columns: usize,
    /// The number of rows, 4 to 10. Defaults to 6.
    pub rows: usize,
    /// The number of discs in a row that win, 3 to 6, if they fit on the board. Defaults to 4.
    pub k_in_row: usize,
}

impl Default for GameConfig {
    fn default() -> GameConfig {
        GameConfig { columns: 7, rows: 6, k_in_row: 4 }
    }
}

impl GameConfig {
    /// Takes the options of this game from a `/new` command.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let mut config = GameConfig::default();
        if let Some((columns, rows)) = take_size(options)? {
            (config.columns, config.rows) = (columns, rows);
        }
        if let Some(text) = options.take(K.key, K.aliases) {
            config.k_in_row = parse_number(&text).unwrap_or_default();
            if config.checked_shape().is_err() {
                let (columns, rows, max_k) = (config.columns, config.rows, config.max_k());
                let message = say!("`k` has to be a number from {MIN_K} to {max_k} on a {columns}x{rows} board.");
                return Err(InvalidOption { key: K.key, message });
            }
        }
        Ok(config)
    }

    /// Returns the shape of the board.
    ///
    /// # Errors
    /// Returns an error if a setting is out of range.
    fn checked_shape(&self) -> Result<Shape, InvalidState> {
        let &GameConfig { columns, rows, k_in_row: k } = self;
        for (field, value) in [("config.columns", columns), ("config.rows", rows)] {
            if !(MIN_SIDE..=MAX_SIDE).contains(&value) {
                return Err(InvalidState::unexpected(field, value, &format!("{MIN_SIDE} to {MAX_SIDE}")));
            }
        }
        if !(MIN_K..=self.max_k()).contains(&k) {
            let expected = format!("{MIN_K} to {} on {columns}x{rows} board", self.max_k());
            return Err(InvalidState::unexpected("config.kInRow", k, &expected));
        }
        Ok(Shape { columns, rows, k })
    }

    /// Returns the longest winning line that this board allows.
    fn max_k(&self) -> usize {
        MAX_K.min(self.columns.max(self.rows))
    }
}

/// Takes the board size from the options: a `size=7x6` or just `7x6`.
fn take_size(options: &mut Options) -> Result<Option<(usize, usize)>, InvalidOption> {
    let mut size = None;
    for text in options.take_sizes(SIZE.key, SIZE.aliases) {
        let bad = |message| Err(InvalidOption { key: SIZE.key, message });
        let parsed = parse_dimensions(&text).or_else(|| parse_number(&text).map(|side| (side, side)));
        let is_valid = |side: &usize| (MIN_SIDE..=MAX_SIDE).contains(side);
        let Some(parsed) = parsed.filter(|(columns, rows)| is_valid(columns) && is_valid(rows)) else {
            return bad(say!("`size` has to be columns by rows, {MIN_SIDE} to {MAX_SIDE} each: `7x6`."));
        };
        if size.is_some_and(|other| other != parsed) {
            return bad(say!("`size` has two different values. Give it once."));
        }
        size = Some(parsed);
    }
    Ok(size)
}

// Move notation.

impl Notation for ConnectFour {
    fn notation(&self, mv: &Move) -> String {
        match ('a'..='z').nth(mv.column as usize) {
            Some(letter) => letter.to_string(),
            None => (mv.column + 1).to_string(),
        }
    }

    /// Parses a column by its letter or number. A cell isn't a move, because the disc drops to the lowest free one.
    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let text = strip_decoration(text).to_ascii_lowercase();
        let column = match (text.as_bytes(), cell::parse_cell_ref(&text)) {
            // Letters past the widest board, like "k", are chat.
            ([letter], None) => Some(usize::from(letter.wrapping_sub(b'a'))).filter(|column| *column < MAX_SIDE),
            (_, Some(CellRef::Index(number))) if number < 100 => Some(number.wrapping_sub(1)),
            (_, Some(CellRef::Coordinate { column, .. })) if column < MAX_SIDE => {
                let message = format!(
                    "Write just the column, {}, because the disc drops to the lowest free cell",
                    column_range(self)
                );
                return Err(ParseMoveError::out_of_range(OUT_OF_RANGE_CODE, message));
            }
            _ => parse_column_in_words(&text, self.shape.columns),
        };
        match column.ok_or(ParseMoveError::NotAMove)? {
            column if column < self.shape.columns => Ok(Move { column: column as u32 }),
            _ => {
                let message = out_of_range_message(self, &text);
                Err(ParseMoveError::outside_board(OUT_OF_RANGE_CODE, message, &column_range(self)))
            }
        }
    }

    /// Returns an empty heading, so that the move list isn't grouped by row.
    fn move_list_heading(&self, _mv: &Move) -> Option<String> {
        Some(String::new())
    }
}

/// Parses a column in words: `column d`, `col 4`, `3rd column`, `the middle column`, and `middle` alone. `None` for any other text.
fn parse_column_in_words(text: &str, columns: usize) -> Option<usize> {
    let is_column = |word: &str| matches!(word, "column" | "col" | "col.");
    let words = text.split([' ', '-']).filter(|word| !matches!(*word, "" | "the" | "in" | "number" | "very" | "far"));
    let words: Vec<&str> = words.take(3).collect();
    let word = match words[..] {
        [word @ ("middle" | "center" | "centre" | "leftmost" | "rightmost")] => word,
        [word, column] | [column, word] if is_column(column) => word.trim_matches(['.', '#']),
        _ => return None,
    };
    let number = || word.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<usize>().ok();
    match (word, word.as_bytes()) {
        ("middle" | "center" | "centre", _) => Some(columns / 2).filter(|_| columns % 2 == 1),
        ("leftmost" | "left", _) => Some(0),
        ("rightmost" | "right" | "last", _) => Some(columns - 1),
        (_, [letter @ b'a'..=b'z']) => Some(usize::from(letter - b'a')).filter(|column| *column < MAX_SIDE),
        _ => number().filter(|number| *number < 100).map(|number| number.wrapping_sub(1)),
    }
}

/// Returns the error message for a column that isn't on the board.
fn out_of_range_message(game: &ConnectFour, column: &str) -> String {
    let Shape { columns, rows, .. } = game.shape;
    format!("Invalid column: {column}. Valid range: {} for {columns}x{rows} board", column_range(game))
}

/// Returns the range of columns, like `a-g`.
fn column_range(game: &ConnectFour) -> String {
    format!("a-{}", game.notation(&Move { column: game.shape.columns as u32 - 1 }))
}

// Explains illegal moves.

impl Explain for ConnectFour {
    fn why_illegal(&self, mv: &Move) -> IllegalMove {
        let legal: Vec<String> = self.legal_moves().iter().map(|mv| self.notation(mv)).collect();
        let context = json!({ "column": mv.column, "legalMoves": legal });
        let name = self.notation(mv);
        if let Some(outcome) = self.outcome {
            IllegalMove { context, ..game_over::<Self>(outcome) }
        } else if mv.column as usize >= self.shape.columns {
            IllegalMove::new(OUT_OF_RANGE_CODE, out_of_range_message(self, &name), context)
        } else {
            let explanation = say!("Column `{name}` is full");
            IllegalMove::new("COLUMN_FULL", format!("Column {name} is full"), context).explained(explanation)
        }
    }
}

// Shows a game as a board.

/// The styles of the discs.
const STYLES: [PieceStyle; 2] = [
    PieceStyle { color: PaletteColor::CRIMSON, kind: PieceKind { name: "red", letter: 'R', form: Form::Disc } },
    PieceStyle { color: PaletteColor::GOLD, kind: PieceKind { name: "yellow", letter: 'Y', form: Form::Disc } },
];

impl Display for ConnectFour {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let cells =
            (0..self.shape.columns * self.shape.rows).map(|cell| Some(ordinary_piece(&STYLES, self.disc(cell)?)));
        let last_move = last.and_then(|mv| {
            let column = mv.column as usize;
            Some(self.cell_index(column, self.height(column).checked_sub(1)?))
        });
        Box::new(Grid {
            last_move: last_move.into_iter().collect(),
            lines: self.winning_lines(),
            style: BoardStyle { surface: Surface::Frame, ..BoardStyle::default() },
            ..Grid::new(self.shape.columns, cells.collect(), STYLES)
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        self.landing_cell(mv.column as usize)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        let Some(Outcome::Won(winner)) = self.outcome else { return Vec::new() };
        let (columns, rows, k) = (self.shape.columns, self.shape.rows, self.shape.k);
        let mut found = Vec::new();
        for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for start in 0..columns * rows {
                let cell_at = |nth: usize| {
                    let column = (start % columns).checked_add_signed(right * nth as isize)?;
                    let row = start / columns + down * nth;
                    if column < columns && row < rows { Some(row * columns + column) } else { None }
                };
                let Some(line) = (0..k).map(cell_at).collect::<Option<Vec<usize>>>() else { continue };
                if line.iter().all(|cell| self.disc(*cell) == Some(winner)) {
                    found.push(line);
                }
            }
        }
        found
    }
}
