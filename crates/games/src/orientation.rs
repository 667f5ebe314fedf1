//! The option for the side that a board is shown from.

use game::{InvalidOption, OptionInfo, Options, say, spans};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The `/new` option for the side that a board is shown from.
pub(crate) const VIEW: OptionInfo = OptionInfo {
    key: "view",
    aliases: &["seen-by"],
    description: spans!(
        "`view=black` shows the board from Black's side, `view=turn` from the side of the player to move"
    ),
};

/// The side that a board is shown from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
// The name in the schema of records.
#[schemars(rename = "View")]
pub enum Orientation {
    /// White's side.
    White,
    /// Black's side.
    Black,
    /// The side of the player to move.
    Turn,
}

impl Orientation {
    /// Takes the view out of the options.
    ///
    /// # Errors
    /// Returns an error if the value isn't `white`, `black` or `turn`.
    pub fn take(options: &mut Options) -> Result<Option<Orientation>, InvalidOption> {
        match options.take(VIEW.key, VIEW.aliases).map(|text| text.to_lowercase()).as_deref() {
            None => Ok(None),
            Some("white" | "w") => Ok(Some(Orientation::White)),
            Some("black" | "b") => Ok(Some(Orientation::Black)),
            Some("turn") => Ok(Some(Orientation::Turn)),
            Some(_) => {
                let message = say!("`view` has to be `white`, `black`, or `turn`.");
                Err(InvalidOption { key: VIEW.key, message })
            }
        }
    }

    /// Returns the view in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Orientation::White => "White's view",
            Orientation::Black => "Black's view",
            Orientation::Turn => "turning with each move",
        }
    }
}
