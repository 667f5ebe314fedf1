//! The bounds of the numbers in the standings, and the digits that are kept of them.
//!
//! Ratings are kept with two decimals, volatilities with eight (the first games move them in the seventh). Ratings stay
//! within 0 and 5000, deviations within 30 (so that nobody stops moving) and 350 (nobody is less known than a
//! newcomer), volatilities within 0.01 and 0.2.

use std::ops::RangeInclusive;

/// The range of a number, and the parts of one that are kept of it: 100 for two decimals.
pub(super) type Bounds = (RangeInclusive<f64>, f64);
/// The bounds of a rating, which is kept in hundredths.
pub(super) const RATINGS: Bounds = (0.0..=5000.0, 100.0);
/// The bounds of a deviation, which is kept in hundredths.
pub(super) const DEVIATIONS: Bounds = (30.0..=350.0, 100.0);
/// The bounds of a volatility, which is kept with eight decimals.
pub(super) const VOLATILITIES: Bounds = (0.01..=0.2, 100_000_000.0);

/// Rounds a number as it is kept, so that it is read back as it was written.
pub(super) fn round_to(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

/// Brings a number within its bounds, and rounds it.
pub(super) fn clamp_and_round(value: f64, (range, parts): Bounds) -> f64 {
    round_to(value.clamp(*range.start(), *range.end()), parts)
}
