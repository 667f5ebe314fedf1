//! Small pieces of text that several pages share.

/// Returns a number with a noun: `1 game`, `12 games`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Returns a rating with two deviations: `1612 ± 84`.
pub fn rating_text(rating: f64, deviation: f64) -> String {
    format!("{rating:.0} ± {:.0}", 2.0 * deviation)
}
