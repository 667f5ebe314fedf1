//! The settings of a game: where it begins, and the side that the board is seen from.

use cozy_chess::Board;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::game::info::OptionInfo;
use crate::game::options::{BadOption, Options};
use crate::game::phrase::{code, phrase, spans};
use crate::game::rule::RuleError;
use crate::game::seat::Seat;
use crate::games::chess::fen::{self, Fen};
use crate::games::chess::game::Chess;

/// The number of setups of Chess960.
const SETUPS: u16 = 960;

/// The settings of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "ChessConfig")]
pub struct GameConfig {
    /// The number of the setup in Chess960, 0 to 959; 518 is the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chess960: Option<u16>,
    /// The position that the game begins with, as FEN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The side that the board is shown from; white's unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
}

/// The side that a board is shown from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ChessView")]
pub enum View {
    /// From white's side.
    White,
    /// From black's side.
    Black,
}

/// The option of `/new` for the position that a game begins with.
pub(super) const FEN: OptionInfo = OptionInfo {
    key: "fen",
    aliases: &["position"],
    meaning: spans!["begins with this position, with underscores for its spaces: "(
        "fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1"
    )],
};

/// The option of `/new` for a setup of Chess960.
pub(super) const CHESS960: OptionInfo = OptionInfo {
    key: "chess960",
    aliases: &["960", "fischerandom", "fischer-random"],
    meaning: spans![
        ("chess960=random") " begins with a setup of Chess960 that nobody has chosen, " ("chess960=0") " to "
        ("chess960=959") " with the one of that number"
    ],
};

/// The option of `/new` for the side from which the board is seen.
pub(super) const VIEW: OptionInfo = OptionInfo {
    key: "view",
    aliases: &["side", "seen-by"],
    meaning: spans![("view=black") " shows the board from black's side"],
};

impl GameConfig {
    /// Takes the options of a `/new`.
    pub(super) fn chosen(options: &mut Options) -> Result<GameConfig, BadOption> {
        let fen = chosen_fen(options)?;
        let chess960 = chosen_setup(options)?;
        if fen.is_some() && chess960.is_some() {
            let expected = phrase![code("fen"), " names every piece, so it goes without ", code("chess960"), "."];
            return Err(BadOption { key: FEN.key, expected });
        }
        let view = match options.take(VIEW.key, VIEW.aliases).map(|text| text.to_lowercase()).as_deref() {
            None => None,
            Some("white" | "w") => Some(View::White),
            Some("black" | "b") => Some(View::Black),
            Some(_) => {
                let expected = phrase![code("view"), " is ", code("white"), " or ", code("black"), "."];
                return Err(BadOption { key: VIEW.key, expected });
            }
        };
        Ok(GameConfig { chess960, fen, view })
    }

    /// Returns the setup in a few words; `None` for an ordinary game.
    pub(super) fn setup(&self) -> Option<String> {
        let setup = self.chess960.map(|number| format!("Chess960, setup {number}"));
        let fen = self.fen.as_ref().map(|_| "from a position of its own".to_owned());
        let view = self.view.map(|view| match view {
            View::White => "seen by white".to_owned(),
            View::Black => "seen by black".to_owned(),
        });
        let parts: Vec<String> = [setup, fen, view].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Returns the seat that the board is shown from.
    pub(super) fn viewer(&self) -> Seat {
        match self.view {
            None | Some(View::White) => Seat::First,
            Some(View::Black) => Seat::Second,
        }
    }

    /// Returns the first position.
    pub(super) fn first(&self) -> Result<Fen, RuleError> {
        match (&self.fen, self.chess960) {
            (Some(_), Some(_)) => Err(invalid("fen", "Invalid fen: it names every piece, and so does chess960")),
            (Some(text), None) => {
                let first = fen::read(text);
                first.map_err(|fault| invalid("fen", &format!("Invalid fen: it is no position, because {fault}")))
            }
            (None, Some(number)) if number >= SETUPS => {
                Err(invalid("chess960", &format!("Invalid chess960: {number}. Expected 0 to {}", SETUPS - 1)))
            }
            (None, Some(number)) => Ok(Fen { board: Board::chess960_startpos(number.into()), quiet: 0 }),
            (None, None) => Ok(Fen { board: Board::startpos(), quiet: 0 }),
        }
    }
}

/// Takes out the position to begin with, which has to be one that can be played on. Somebody may have left its spaces.
fn chosen_fen(options: &mut Options) -> Result<Option<String>, BadOption> {
    let Some(mut text) = options.take(FEN.key, FEN.aliases) else { return Ok(None) };
    let side = options.words.iter().position(|word| matches!(word.as_str(), "w" | "b"));
    if let Some(side) = side.filter(|_| !text.contains(['_', ' '])) {
        let rest = options.words.len().min(side + 5);
        text = [text].into_iter().chain(options.words.drain(side..rest)).collect::<Vec<_>>().join(" ");
    }
    let bad = |fault: String| {
        let expected = phrase![code("fen"), fault, " For example ", code("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1"), "."];
        BadOption { key: FEN.key, expected }
    };
    let first = fen::read(&text).map_err(|fault| bad(format!(" is no position: {fault}.")))?;
    let config = GameConfig { fen: Some(fen::write(&first)), ..GameConfig::default() };
    match Chess::begun(&config) {
        Ok(game) if game.end.is_none() => Ok(config.fen),
        _ => Err(bad(" has to be a position that can be played on.".to_owned())),
    }
}

/// Takes out the number of a setup; without one it comes from the comment that asks for the game.
fn chosen_setup(options: &mut Options) -> Result<Option<u16>, BadOption> {
    let named = |word: &String| [CHESS960.key].iter().chain(CHESS960.aliases).any(|key| word.eq_ignore_ascii_case(key));
    let alone = options.words.iter().position(named).map(|at| options.words.remove(at));
    let number = options.take(CHESS960.key, CHESS960.aliases);
    match number.or(alone.map(|_| "random".to_owned())).map(|text| text.to_lowercase()).as_deref() {
        None => Ok(None),
        Some("random" | "on" | "yes" | "any") => Ok(u16::try_from(options.seed % u64::from(SETUPS)).ok()),
        Some(text) => match text.parse().ok().filter(|number| *number < SETUPS) {
            Some(number) => Ok(Some(number)),
            None => {
                let range = format!(" is a number from 0 to {}, or ", SETUPS - 1);
                let expected = phrase![code("chess960"), range, code("chess960=random"), "."];
                Err(BadOption { key: CHESS960.key, expected })
            }
        },
    }
}

/// Returns the error about a field that no game could have.
pub(super) fn invalid(field: &str, message: &str) -> RuleError {
    RuleError::new("INVALID_STATE", message, json!({ "field": field }))
}
