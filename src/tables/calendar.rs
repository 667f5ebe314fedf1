//! Days of the calendar as other programs write them, for which no clock is asked.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use crate::talk::comment::Millis;

/// Returns a day and a time of it as PGN has them, in UTC: `2026.11.22`, `17:40:05`. Question marks stand for what no calendar has.
pub fn day_and_time(at: Millis) -> [String; 2] {
    let at = moment(at);
    let written = |form: &str, unknown: &str| at.map_or(unknown.to_owned(), |at| at.format(form).to_string());
    [written("%Y.%m.%d", "????.??.??"), written("%H:%M:%S", "??:??:??")]
}

/// Returns a time as a moment of the calendar, in UTC; `None` for one that it does not have.
pub fn moment(at: Millis) -> Option<DateTime<Utc>> {
    i64::try_from(at).ok().and_then(DateTime::from_timestamp_millis)
}

/// Returns a time to the minute, in UTC: `2026-11-22 17:40`. Question marks stand for what no calendar has.
pub fn minute(at: Millis) -> String {
    moment(at).map_or("?".to_owned(), |at| at.format("%Y-%m-%d %H:%M").to_string())
}

/// Returns the time that a day and a time of it tell, of which the latter, the month and the day may be unknown; `None` if there
/// is no such day, or it was before 1970.
pub fn millis(day: &str, time: &str) -> Option<Millis> {
    let mut parts = day.split(['.', '-', '/']).map(|part| if part.contains('?') { Ok(1) } else { part.parse() });
    let mut part = || parts.next().unwrap_or(Ok(1)).ok();
    let year = day.get(..4)?.parse().ok()?;
    _ = part();
    let day = NaiveDate::from_ymd_opt(year, part()?, part()?)?;
    let time = NaiveTime::parse_from_str(time, "%H:%M:%S").unwrap_or_default();
    u64::try_from(day.and_time(time).and_utc().timestamp_millis()).ok()
}
