//! Formats durations.

use std::time::Duration;

/// Returns a duration in its two largest nonzero units, rounded up to minutes: "6 days 23 hours".
pub fn format_duration(duration: Duration) -> String {
    let minutes = duration.as_millis().div_ceil(60_000);
    let parts = [(minutes / 1440, "day"), (minutes / 60 % 24, "hour"), (minutes % 60, "minute")];
    let shown = parts.iter().skip_while(|(count, _)| *count == 0).take(2).filter(|(count, _)| *count > 0);
    let shown: Vec<String> =
        shown.map(|(count, unit)| format!("{count} {unit}{}", if *count == 1 { "" } else { "s" })).collect();
    if shown.is_empty() { "no time".to_owned() } else { shown.join(" ") }
}

/// Returns how long something has lasted, in its largest unit, rounded down: "6 days", or "just now" below a minute. The space
/// doesn't break, for narrow tables.
pub fn format_age(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let units = [(minutes / 1440, "day"), (minutes / 60, "hour"), (minutes, "minute")];
    units.into_iter().find(|(count, _)| *count > 0).map_or("just\u{a0}now".to_owned(), |(count, unit)| {
        format!("{count}\u{a0}{unit}{}", if count == 1 { "" } else { "s" })
    })
}
