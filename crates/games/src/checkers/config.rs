//! The configuration of a table: whether a game without captures is drawn sooner.

use game::info::OptionInfo;
use game::options::{BadOption, Options, parse_number};
use game::phrase::{code, phrase, spans};
use game::rule::RuleError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The fewest moves of each side without a capture that can be a draw, and the most.
const MIN_DRAW_MOVES: u16 = 10;
const MAX_DRAW_MOVES: u16 = 100;

/// The option of `/new` for a draw without captures.
pub(super) const DRAW_OPTION: OptionInfo = OptionInfo {
    key: "draw",
    aliases: &["drawAfter", "draw-after"],
    description: spans![
        "draw after this many moves per side without a capture, " ("10") " to " ("100")
        "; by default, after 40 moves per side without a capture or a man's move"
    ],
};

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "CheckersConfig")]
pub struct GameConfig {
    /// The moves of each side without a capture after which the game is drawn, 10 to 100. Without it they are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_after: Option<u16>,
}

/// Plies without a capture, whether men have moved or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoCaptureRule {
    /// The plies so far.
    pub(super) plies: u16,
    /// The plies with which the game is drawn.
    pub(super) max_plies: u16,
}

impl NoCaptureRule {
    /// Returns what is counted after a move.
    #[inline]
    pub(super) fn after_ply(self, is_capture: bool) -> NoCaptureRule {
        NoCaptureRule { plies: if is_capture { 0 } else { self.plies.saturating_add(1) }, ..self }
    }

    /// Tests if the game is drawn.
    #[inline]
    pub(super) fn is_draw(self) -> bool {
        self.plies >= self.max_plies
    }

    /// Returns the plies until the game is drawn.
    pub(super) fn plies_left(self) -> u16 {
        self.max_plies.saturating_sub(self.plies)
    }
}

impl GameConfig {
    /// Takes the options of a `/new`.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, BadOption> {
        let Some(text) = options.take(DRAW_OPTION.key, DRAW_OPTION.aliases) else { return Ok(GameConfig::default()) };
        let moves = parse_number(&text).and_then(|moves| u16::try_from(moves).ok());
        let Some(moves) = moves.filter(|moves| (MIN_DRAW_MOVES..=MAX_DRAW_MOVES).contains(moves)) else {
            let expected = phrase![
                code("draw"),
                format!(" has to be a number of moves from {MIN_DRAW_MOVES} to {MAX_DRAW_MOVES}.")
            ];
            return Err(BadOption { key: DRAW_OPTION.key, expected });
        };
        Ok(GameConfig { draw_after: Some(moves) })
    }

    /// Returns how the plies without a capture are counted, none so far; `None` where they are not, an error where nobody could have
    /// asked for it.
    pub(super) fn no_capture_rule(&self) -> Result<Option<NoCaptureRule>, RuleError> {
        match self.draw_after {
            Some(moves) if !(MIN_DRAW_MOVES..=MAX_DRAW_MOVES).contains(&moves) => Err(RuleError::invalid_state(
                "config.drawAfter",
                moves,
                &format!("{MIN_DRAW_MOVES} to {MAX_DRAW_MOVES}"),
            )),
            moves => Ok(moves.map(|moves| NoCaptureRule { plies: 0, max_plies: 2 * moves })),
        }
    }
}
