//! The change of a player's rating by a counted result.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The range of ratings.
const RATINGS: RangeInclusive<f64> = 0.0..=5000.0;
/// The range of deviations.
const DEVIATIONS: RangeInclusive<f64> = 0.0..=350.0;
/// The rating deviation above which a rating is provisional.
const PROVISIONAL_DEVIATION: f64 = 110.0;

/// The change of a player's Glicko-2 rating by one game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingChange {
    /// The rating before the game.
    pub before: f64,
    /// The rating after the game.
    pub after: f64,
    /// The standard deviation of the rating after the game.
    pub deviation: f64,
}

impl RatingChange {
    /// Whether the numbers are in range. A recount of the standings checks the exact values.
    pub(super) fn is_in_range(&self) -> bool {
        RATINGS.contains(&self.before) && RATINGS.contains(&self.after) && DEVIATIONS.contains(&self.deviation)
    }

    /// Whether the rating is still provisional after the game.
    pub fn is_provisional(&self) -> bool {
        is_provisional(self.deviation)
    }
}

/// Whether a rating with this deviation is provisional.
pub fn is_provisional(deviation: f64) -> bool {
    deviation > PROVISIONAL_DEVIATION
}
