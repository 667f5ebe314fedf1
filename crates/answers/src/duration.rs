//! Spans of time, in words.

use table::talk::comment::Millis;

/// Returns a span of time in its two largest units that are not zero: "6 days 23 hours".
pub fn format_duration(span: Millis) -> String {
    let minutes = span.div_ceil(60_000);
    let parts = [(minutes / 1440, "day"), (minutes / 60 % 24, "hour"), (minutes % 60, "minute")];
    let said = parts.iter().skip_while(|(n, _)| *n == 0).take(2).filter(|(n, _)| *n > 0);
    let said: Vec<String> = said.map(|(n, unit)| format!("{n} {unit}{}", if *n == 1 { "" } else { "s" })).collect();
    if said.is_empty() { "no time".to_owned() } else { said.join(" ") }
}
