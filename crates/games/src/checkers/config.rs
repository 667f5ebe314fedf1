//! The configuration of a table: whether a game without captures is drawn sooner.

use game::info::OptionInfo;
use game::options::{BadOption, Options, number};
use game::phrase::{code, phrase, spans};
use game::rule::RuleError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The fewest moves of each side without a capture that can be a draw, and the most.
const FEWEST: u16 = 10;
const MOST: u16 = 100;

/// The option of `/new` for a draw without captures.
pub(super) const DRAW: OptionInfo = OptionInfo {
    key: "draw",
    aliases: &["drawAfter", "draw-after"],
    meaning: spans![
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
pub(super) struct Drought {
    /// The plies so far.
    pub(super) plies: u16,
    /// The plies with which the game is drawn.
    pub(super) most: u16,
}

impl Drought {
    /// Returns what is counted after a move.
    #[inline]
    pub(super) fn after(self, is_capture: bool) -> Drought {
        Drought { plies: if is_capture { 0 } else { self.plies.saturating_add(1) }, ..self }
    }

    /// Tests if the game is drawn.
    #[inline]
    pub(super) fn is_over(self) -> bool {
        self.plies >= self.most
    }

    /// Returns the plies until the game is drawn.
    pub(super) fn left(self) -> u16 {
        self.most.saturating_sub(self.plies)
    }
}

impl GameConfig {
    /// Takes the options of a `/new`.
    pub(super) fn chosen(options: &mut Options) -> Result<GameConfig, BadOption> {
        let Some(text) = options.take(DRAW.key, DRAW.aliases) else { return Ok(GameConfig::default()) };
        let moves = number(&text).and_then(|moves| u16::try_from(moves).ok());
        let Some(moves) = moves.filter(|moves| (FEWEST..=MOST).contains(moves)) else {
            let expected = phrase![code("draw"), format!(" has to be a number of moves from {FEWEST} to {MOST}.")];
            return Err(BadOption { key: DRAW.key, expected });
        };
        Ok(GameConfig { draw_after: Some(moves) })
    }

    /// Returns how the plies without a capture are counted, none so far; `None` where they are not, an error where nobody could have
    /// asked for it.
    pub(super) fn drought(&self) -> Result<Option<Drought>, RuleError> {
        match self.draw_after {
            Some(moves) if !(FEWEST..=MOST).contains(&moves) => {
                Err(RuleError::invalid_state("config.drawAfter", moves, &format!("{FEWEST} to {MOST}")))
            }
            moves => Ok(moves.map(|moves| Drought { plies: 0, most: 2 * moves })),
        }
    }
}
