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
