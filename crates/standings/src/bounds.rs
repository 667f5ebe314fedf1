//! The bounds and the decimals of the numbers in the standings.
//!
//! Ratings and deviations have two decimals. Volatilities have eight, because the first games change them in the
//! seventh.
//!
//! - Ratings stay between 0 and 5000.
//! - Deviations stay between 30 and 350. The minimum keeps every rating moving; the maximum is a newcomer's deviation.
//! - Volatilities stay between 0.01 and 0.2.

use std::ops::RangeInclusive;

/// The range of a number, and the steps per unit that the files keep: 100 steps are two decimals.
pub(super) type Bounds = (RangeInclusive<f64>, f64);
/// The bounds of a rating, with two decimals.
pub(super) const RATINGS: Bounds = (0.0..=5000.0, 100.0);
/// The bounds of a deviation, with two decimals.
pub(super) const DEVIATIONS: Bounds = (30.0..=350.0, 100.0);
/// The bounds of a volatility, with eight decimals.
pub(super) const VOLATILITIES: Bounds = (0.01..=0.2, 100_000_000.0);

/// Rounds a number to the steps that the files keep.
pub(super) fn round_to(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}

/// Clamps a number to its bounds and rounds it.
pub(super) fn clamp_and_round(value: f64, (range, steps): Bounds) -> f64 {
    round_to(value.clamp(*range.start(), *range.end()), steps)
}
