//! The settings of a game: the starting position and how the board is shown.

use cozy_chess::Board;
use game::info::OptionInfo;
use game::options::{InvalidOption, Options, take_switch};
use game::phrase::{code, phrase, spans};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chess::fen::{self, Fen};
use crate::view::View;

/// The number of Chess960 starting positions.
pub(super) const CHESS960_SETUPS: u16 = 960;

/// The `/new` option for the starting position.
pub(super) const FEN: OptionInfo = OptionInfo {
    key: "fen",
    aliases: &["position"],
    description: spans![
        "starts from this position, with underscores instead of spaces: " ("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1")
        " (not rated)"
    ],
};

/// The `/new` option for a Chess960 starting position.
pub(super) const CHESS960: OptionInfo = OptionInfo {
    key: "chess960",
    aliases: &["fischerandom", "fischer-random"],
    description: spans![
        ("chess960=random") " starts from a random Chess960 position, " ("chess960=0") " to "
        ("chess960=959") " from the one with that number (not rated)"
    ],
};

/// The `/new` option for figurines on text boards.
pub(super) const FIGURINES: OptionInfo = OptionInfo {
    key: "figurines",
    aliases: &["figurine"],
    description: spans![("figurines=on") " shows ♔♕♖♗♘♙ instead of letters on text boards"],
};

/// The settings of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "ChessConfig")]
pub struct GameConfig {
    /// The number of the Chess960 starting position, 0 to 959; 518 is the standard one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chess960: Option<u16>,
    /// Whether a player chose that number. A random position omits this.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
    /// The starting position, as FEN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Whether players have to claim draws by repetition, by the number of moves, and by material. An import sets this
    /// if the game continued after such a draw, as games before 2014 did.
    #[serde(rename = "claimedDraws", skip_serializing_if = "std::ops::Not::not")]
    pub claimed_draws: bool,
    /// The side that the board is shown from; white if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
    /// Whether text boards show figurines instead of letters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub figurines: bool,
}

impl GameConfig {
    /// Takes the options of this game from a `/new` command. It doesn't check that the game isn't over at the start.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let fen = parse_fen(options)?;
        let (chess960, chosen) =
            parse_chess960(options)?.map_or((None, false), |(number, chosen)| (Some(number), chosen));
        if fen.is_some() && chess960.is_some() {
            let message = phrase![code("fen"), " already sets up every piece, so leave out ", code("chess960"), "."];
            return Err(InvalidOption { key: FEN.key, message });
        }
        let view = View::take(options)?;
        let figurines = take_switch(options, &FIGURINES)?.unwrap_or(false);
        Ok(GameConfig { chess960, chosen, fen, claimed_draws: false, view, figurines })
    }

    /// Returns the seat that the board is shown from.
    pub(super) fn viewer(&self, side_to_move: Seat) -> Seat {
        match self.view {
            None | Some(View::White) => Seat::First,
            Some(View::Black) => Seat::Second,
            Some(View::Turn) => side_to_move,
        }
    }

    /// Returns the starting position.
    ///
    /// # Errors
    /// Returns an error if a setting is invalid or if two settings exclude each other.
    pub(super) fn initial_position(&self) -> Result<Fen, InvalidState> {
        match (&self.fen, self.chess960) {
            (Some(_), Some(_)) => Err(InvalidState::new("fen", "Invalid fen: it can't be combined with chess960")),
            (Some(text), None) => {
                fen::parse(text).map_err(|problem| InvalidState::new("fen", format!("Invalid fen: {problem}")))
            }
            (None, Some(number)) if number >= CHESS960_SETUPS => Err(InvalidState::new(
                "chess960",
                format!("Invalid chess960: {number}. Expected 0 to {}", CHESS960_SETUPS - 1),
            )),
            (None, Some(number)) => Ok(Fen { board: Board::chess960_startpos(number.into()), halfmove_clock: 0 }),
            (None, None) => Ok(Fen { board: Board::startpos(), halfmove_clock: 0 }),
        }
    }
}

/// Takes the starting position. An unquoted FEN may have left its other fields in `words`.
fn parse_fen(options: &mut Options) -> Result<Option<String>, InvalidOption> {
    let Some(mut text) = options.take(FEN.key, FEN.aliases) else { return Ok(None) };
    let side = options.words.iter().position(|word| matches!(word.as_str(), "w" | "b"));
    if let Some(side) = side
        && !text.contains(['_', ' '])
    {
        let end = options.words.len().min(side + 5);
        text = [text].into_iter().chain(options.words.drain(side..end)).collect::<Vec<_>>().join(" ");
    }
    match fen::parse(&text) {
        Ok(position) => Ok(Some(fen::format(&position))),
        Err(problem) => Err(bad_fen(format!(" isn't a valid position: {problem}."))),
    }
}

/// Returns the error for an unusable starting position.
pub(super) fn bad_fen(problem: String) -> InvalidOption {
    let message =
        phrase![code("fen"), problem, " For example, write ", code("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1"), "."];
    InvalidOption { key: FEN.key, message }
}

/// Takes the number of a Chess960 position, and whether the player chose it. A random number is derived from the seed
/// of the comment.
fn parse_chess960(options: &mut Options) -> Result<Option<(u16, bool)>, InvalidOption> {
    let is_key =
        |word: &String| [CHESS960.key].iter().chain(CHESS960.aliases).any(|key| word.eq_ignore_ascii_case(key));
    let bare_key = options.words.iter().position(is_key).map(|index| options.words.remove(index));
    let value = options.take(CHESS960.key, CHESS960.aliases).or(bare_key.map(|_| "random".to_owned()));
    let Some(value) = value else { return Ok(None) };
    let mut value = value.to_lowercase();
    let parse_number = |text: &String| text.parse().ok().filter(|number| *number < CHESS960_SETUPS);
    if matches!(value.as_str(), "random" | "on" | "yes" | "any") {
        // `chess960 17` means the same as `chess960=17`.
        let Some(index) = options.words.iter().position(|word| parse_number(word).is_some()) else {
            let number = u16::try_from(options.seed % u64::from(CHESS960_SETUPS)).ok();
            return Ok(number.map(|number| (number, false)));
        };
        value = options.words.remove(index);
    }
    match parse_number(&value) {
        Some(number) => Ok(Some((number, true))),
        None => {
            let range = format!(" has to be a number from 0 to {}, or ", CHESS960_SETUPS - 1);
            let message = phrase![code("chess960"), range, code("chess960=random"), "."];
            Err(InvalidOption { key: CHESS960.key, message })
        }
    }
}
