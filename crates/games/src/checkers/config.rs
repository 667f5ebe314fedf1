//! The settings of a game: when it is a draw without captures, and how the board is shown.

use game::info::OptionInfo;
use game::options::{InvalidOption, Options, parse_number};
use game::phrase::{code, phrase, spans};
use game::rule::InvalidState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::view::View;

/// The limits of `draw_after`, in moves per side.
const MIN_DRAW_MOVES: u16 = 10;
const MAX_DRAW_MOVES: u16 = 100;

/// The `/new` option for a draw without captures.
pub(super) const DRAW_OPTION: OptionInfo = OptionInfo {
    key: "draw",
    aliases: &["drawAfter", "draw-after"],
    description: spans![
        "draw after this many moves per side without a capture, " ("10") " to " ("100")
        "; by default, after 40 moves per side without a capture or a man's move"
    ],
};

/// The settings of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "CheckersConfig")]
pub struct GameConfig {
    /// The game is a draw after this many moves per side without a capture, 10 to 100. If missing, they aren't counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_after: Option<u16>,
    /// The side that the board is shown from; white if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
}

/// A count of plies without a capture that ends the game as a draw. Unlike the 40-move rule, it ignores moves of men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoCaptureRule {
    /// The plies so far.
    pub(super) plies: u16,
    /// The number of plies at which the game is a draw.
    pub(super) max_plies: u16,
}

impl NoCaptureRule {
    /// Returns the count after another ply.
    #[inline]
    pub(super) fn after_ply(self, is_capture: bool) -> NoCaptureRule {
        NoCaptureRule { plies: if is_capture { 0 } else { self.plies.saturating_add(1) }, ..self }
    }

    /// Whether the game is a draw.
    #[inline]
    pub(super) fn is_draw(self) -> bool {
        self.plies >= self.max_plies
    }

    /// Returns the number of plies until the draw.
    pub(super) fn plies_left(self) -> u16 {
        self.max_plies.saturating_sub(self.plies)
    }
}

impl GameConfig {
    /// Takes the options of this game from a `/new` command.
    ///
    /// # Errors
    /// Returns an error if the number of moves or the view is invalid.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let view = View::take(options)?;
        let Some(text) = options.take(DRAW_OPTION.key, DRAW_OPTION.aliases) else {
            return Ok(GameConfig { draw_after: None, view });
        };
        let moves = parse_number(&text).and_then(|moves| u16::try_from(moves).ok());
        let Some(moves) = moves.filter(|moves| (MIN_DRAW_MOVES..=MAX_DRAW_MOVES).contains(moves)) else {
            let message = phrase![
                code("draw"),
                format!(" has to be a number of moves from {MIN_DRAW_MOVES} to {MAX_DRAW_MOVES}.")
            ];
            return Err(InvalidOption { key: DRAW_OPTION.key, message });
        };
        Ok(GameConfig { draw_after: Some(moves), view })
    }

    /// Returns the count at the start of a game, or `None` if the game doesn't have this rule.
    ///
    /// # Errors
    /// Returns an error if the setting is out of range.
    pub(super) fn no_capture_rule(&self) -> Result<Option<NoCaptureRule>, InvalidState> {
        match self.draw_after {
            Some(moves) if !(MIN_DRAW_MOVES..=MAX_DRAW_MOVES).contains(&moves) => Err(InvalidState::unexpected(
                "config.drawAfter",
                moves,
                &format!("{MIN_DRAW_MOVES} to {MAX_DRAW_MOVES}"),
            )),
            moves => Ok(moves.map(|moves| NoCaptureRule { plies: 0, max_plies: 2 * moves })),
        }
    }
}
