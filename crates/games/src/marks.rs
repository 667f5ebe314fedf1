//! Shared by the games of X and O: the two sides, and the option for who starts.

use game::board::ordinary_piece;
use game::{Form, InvalidOption, OptionInfo, Options, PaletteColor, Piece, PieceKind, PieceStyle, Seat, say, spans};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The names of the seats.
pub(crate) const SEATS: [&str; 2] = ["X", "O"];

/// The reason for a draw.
pub(crate) const NO_CELL_LEFT: &str = "the board is full";

/// The appearance of X and O.
pub const STYLES: [PieceStyle; 2] = [
    PieceStyle { color: PaletteColor::BLUE, kind: PieceKind { name: "X", letter: 'X', form: Form::Cross } },
    PieceStyle { color: PaletteColor::RED, kind: PieceKind { name: "O", letter: 'O', form: Form::Ring } },
];

/// The `/new` option for who starts.
pub(crate) const FIRST: OptionInfo = OptionInfo {
    key: "first",
    aliases: &["firstPlayer"],
    description: spans!("the side that moves first, `X` or `O` (default `X`)"),
};

/// A side, by its mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Player")]
pub enum Mark {
    /// X, the first seat.
    #[default]
    X,
    /// O, the second seat.
    O,
}

/// The content of a cell; `None` if it's free.
pub type Cell = Option<Mark>;

/// The mode of play. There is only one so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum GameMode {
    /// A game between two people.
    #[default]
    #[serde(rename = "human-vs-human")]
    HumanVsHuman,
}

impl Mark {
    /// Returns the mark as a piece on the board.
    pub fn piece(self) -> Piece {
        ordinary_piece(&STYLES, self.into())
    }

    /// Returns the mark as text.
    pub fn name(self) -> &'static str {
        SEATS[Seat::from(self).index()]
    }
}

impl From<Seat> for Mark {
    fn from(seat: Seat) -> Mark {
        [Mark::X, Mark::O][seat.index()]
    }
}

impl From<Mark> for Seat {
    fn from(mark: Mark) -> Seat {
        Seat::BOTH[mark as usize]
    }
}

/// Takes the side that moves first from the options of `/new`; X by default.
///
/// # Errors
/// Returns an error if the value isn't `X` or `O`.
pub(crate) fn parse_first_player(options: &mut Options) -> Result<Mark, InvalidOption> {
    let Some(text) = options.take(FIRST.key, FIRST.aliases) else { return Ok(Mark::X) };
    let named = |mark: &Mark| mark.name().eq_ignore_ascii_case(text.trim());
    let bad = || InvalidOption { key: FIRST.key, message: say!("`first` has to be `X` or `O`.") };
    [Mark::X, Mark::O].into_iter().find(named).ok_or_else(bad)
}

/// Iterates over the indices of the set bits, lowest first.
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let index = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(index)
    })
}
