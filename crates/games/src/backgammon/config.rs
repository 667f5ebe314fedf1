//! The settings of a game: the match, the cube, the table's optional rules, and the side the board is shown from.

use game::info::OptionInfo;
use game::options::{InvalidOption, Options, take_switch};
use game::phrase::{code, phrase, spans};
use game::rule::InvalidState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::backgammon::side::Color;

/// The length of the longest match that the record format allows, in points.
pub const MAX_MATCH_LENGTH: u32 = 15;

/// The settings of a game or a match, fixed before the first roll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "BackgammonConfig")]
pub struct GameConfig {
    /// The table's optional rules.
    pub table_options: TableOptions,
    /// `true` if the doubling cube is used.
    pub cube: bool,
    /// The Jacoby rule: gammons count only after the cube has been turned. Never set in a match.
    pub jacoby: bool,
    /// The number of points that wins the match, 1 to 15; null for a single game.
    #[serde(rename = "match")]
    pub length: Option<u32>,
    /// The side the board is shown from; the side to move by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Color>,
}

/// The table's optional rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "BackgammonTableOptions")]
pub struct TableOptions {
    /// `true` if a die larger than needed bears off any checker, not only the rearmost one.
    pub allow_bear_off_overshoot: bool,
}

/// The `/new` option for the match length.
pub(super) const MATCH: OptionInfo = OptionInfo {
    key: "match",
    aliases: &["points", "length"],
    description: spans![
        "a match to this many points, 1 to 15, with the doubling cube: " ("match=5")
        " (default: a single game)"
    ],
};

/// The `/new` option for the doubling cube.
pub(super) const CUBE: OptionInfo = OptionInfo {
    key: "cube",
    aliases: &["doubling"],
    description: spans![
        ("cube=on") " plays a single game with the doubling cube; " ("cube=off")
        " plays a match without it"
    ],
};

/// The `/new` option for the Jacoby rule.
pub(super) const JACOBY: OptionInfo = OptionInfo {
    key: "jacoby",
    aliases: &[],
    description: spans![
        ("jacoby=on") " counts gammons only after someone has doubled; not in a match"
    ],
};

/// The `/new` option that lets a larger die bear off any checker.
pub(super) const OVERSHOOT: OptionInfo = OptionInfo {
    key: "overshoot",
    aliases: &["allowBearOffOvershoot"],
    description: spans![
        ("overshoot=on") " lets a larger die bear off any checker, not just the farthest one"
    ],
};

/// The `/new` option for the side the board is shown from.
pub(super) const VIEW: OptionInfo = OptionInfo {
    key: "view",
    aliases: &["seen-by"],
    description: spans![
        ("view=white") " or " ("view=black")
        " always shows the board from that side (default: the side whose turn it is)"
    ],
};

impl GameConfig {
    /// Takes the options of this game from a `/new` command.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let points = |text: String| {
            text.parse().ok().filter(|points| (1..=MAX_MATCH_LENGTH).contains(points)).ok_or_else(|| {
                let range = format!(" has to be a number of points from 1 to {MAX_MATCH_LENGTH}, for example ");
                InvalidOption { key: MATCH.key, message: phrase![code("match"), range, code("match=5"), "."] }
            })
        };
        let length = options.take(MATCH.key, MATCH.aliases).map(points).transpose()?;
        let cube = take_switch(options, &CUBE)?.unwrap_or(length.is_some());
        let jacoby = take_switch(options, &JACOBY)?.unwrap_or(false);
        let overshoot = take_switch(options, &OVERSHOOT)?.unwrap_or(false);
        let view = chosen_view(options)?;
        if jacoby && (length.is_some() || !cube) {
            let message = phrase![code("jacoby"), " only works in a single game with ", code("cube=on"), "."];
            return Err(InvalidOption { key: JACOBY.key, message });
        }
        let table_options = TableOptions { allow_bear_off_overshoot: overshoot };
        Ok(GameConfig { table_options, cube, jacoby, length, view })
    }

    /// Checks a configuration that another program wrote.
    pub(super) fn check(&self) -> Result<(), InvalidState> {
        match self.length {
            Some(points) if !(1..=MAX_MATCH_LENGTH).contains(&points) => {
                let message = format!("Invalid match: {points}. Expected 1 to {MAX_MATCH_LENGTH}");
                Err(InvalidState::new("match", message))
            }
            _ if self.jacoby && (self.length.is_some() || !self.cube) => {
                Err(InvalidState::new("jacoby", "Invalid jacoby: it only works in a single game with the cube"))
            }
            _ => Ok(()),
        }
    }
}

/// Takes the option for the side that the board is shown from.
fn chosen_view(options: &mut Options) -> Result<Option<Color>, InvalidOption> {
    match options.take(VIEW.key, VIEW.aliases).map(|text| text.to_lowercase()).as_deref() {
        None | Some("turn") => Ok(None),
        Some("white" | "w") => Ok(Some(Color::White)),
        Some("black" | "b") => Ok(Some(Color::Black)),
        Some(_) => {
            let otherwise = ". Without it, the board turns to the side whose turn it is.";
            let message = phrase![code("view"), " has to be ", code("white"), " or ", code("black"), otherwise];
            Err(InvalidOption { key: VIEW.key, message })
        }
    }
}
