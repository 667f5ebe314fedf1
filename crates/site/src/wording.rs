//! Small pieces of text that several pages share.

/// Returns a number with a noun: `1 game`, `12 games`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The largest deviation of a rating that isn't provisional.
const PROVISIONAL_DEVIATION: f64 = 110.0;
/// The names of the months.
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Returns a date as far as it's known: `Jun 21, 1851` for `1851-06-21`, `May 2020` for `2020-05`, or `2020`.
pub fn date_text(date: &str) -> String {
    let mut parts = date.splitn(3, '-');
    let year = parts.next().unwrap_or_default();
    let month: Option<usize> = parts.next().and_then(|month| month.parse().ok());
    let month = month.and_then(|month| MONTHS.get(month.checked_sub(1)?));
    match (month, parts.next().and_then(|day| day.parse::<u32>().ok())) {
        (Some(month), Some(day)) => format!("{month} {day}, {year}"),
        (Some(month), None) => format!("{month} {year}"),
        (None, _) => year.to_owned(),
    }
}

/// Returns a rating with two deviations: `1612 ± 84`, or `1612? ± 320` if it's provisional.
pub fn rating_text(rating: f64, deviation: f64) -> String {
    rating_parts(rating, deviation).join(" ")
}

/// Returns the parts of [`rating_text`]: `1612` and `± 84`.
pub fn rating_parts(rating: f64, deviation: f64) -> [String; 2] {
    let mark = if is_provisional(deviation) { "?" } else { "" };
    [format!("{rating:.0}{mark}"), format!("± {:.0}", 2.0 * deviation)]
}

/// Whether a rating with this deviation is provisional, because it's from too few games.
pub fn is_provisional(deviation: f64) -> bool {
    deviation > PROVISIONAL_DEVIATION
}
