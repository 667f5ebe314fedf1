//! [`Timestamp`], a point in time.

use std::ops::{Add, Sub};
use std::time::Duration;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A point in time, in milliseconds since 1970-01-01 UTC. In records it is a plain number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Timestamp(u64);

impl Timestamp {
    /// 1970-01-01 UTC.
    pub const EPOCH: Timestamp = Timestamp(0);

    /// Returns the time this many milliseconds after 1970-01-01 UTC.
    pub const fn from_millis(millis: u64) -> Timestamp {
        Timestamp(millis)
    }

    /// Returns the milliseconds since 1970-01-01 UTC.
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// Returns the time from an earlier point to this one; zero if that point is later.
    #[must_use]
    pub const fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Timestamp {
    type Output = Timestamp;

    /// Returns the time this much later, or the last one that can be represented.
    fn add(self, span: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(to_millis(span)))
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Timestamp;

    /// Returns the time this much earlier, but not before [`Timestamp::EPOCH`].
    fn sub(self, span: Duration) -> Timestamp {
        Timestamp(self.0.saturating_sub(to_millis(span)))
    }
}

/// Returns the whole milliseconds of a span of time.
pub fn to_millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// Spans of time as milliseconds, for `#[serde(with = "millis")]`.
pub(crate) mod millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::to_millis;

    pub(crate) fn serialize<S: Serializer>(span: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(to_millis(*span))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}

// Dates and times in the formats of other programs. Nothing here reads a clock.

/// Returns a day and a time of day as PGN writes them, in UTC: `2026.11.22`, `17:40:05`; `None` if the time isn't known.
pub fn pgn_date_and_time(at: Timestamp) -> Option<[String; 2]> {
    to_datetime(at).map(|at| ["%Y.%m.%d", "%H:%M:%S"].map(|form| at.format(form).to_string()))
}

/// Converts a time to a UTC date and time. Returns `None` for 0, which marks an unknown time in an imported game, and for a
/// time outside the calendar.
pub fn to_datetime(at: Timestamp) -> Option<DateTime<Utc>> {
    i64::try_from(at.as_millis()).ok().filter(|at| *at > 0).and_then(DateTime::from_timestamp_millis)
}

/// Returns a time to the minute, in UTC: `2026-11-22 17:40`; `None` if it isn't known.
pub fn format_to_minute(at: Timestamp) -> Option<String> {
    to_datetime(at).map(|at| at.format("%Y-%m-%d %H:%M").to_string())
}

/// Returns a deadline to the minute, in UTC: `28 Nov 17:40 UTC`; `None` if it's out of range.
pub fn format_deadline(at: Timestamp) -> Option<String> {
    format_day_and_time(at).map(|time| format!("{time} UTC"))
}

/// Returns a time without its year, in UTC: `28 Nov 17:40`; `None` if it's out of range.
pub fn format_day_and_time(at: Timestamp) -> Option<String> {
    to_datetime(at).map(|at| at.format("%-d %b %H:%M").to_string())
}

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

/// Parses a date and writes it as PGN does: `2026.11.22`, `2026.11.??` or `2026.??.??`. Returns `None` if it isn't a date
/// or has no year.
pub fn to_pgn_date(text: &str) -> Option<String> {
    let mut parts = text.splitn(3, ['.', '-', '/']);
    let year = parts.next().filter(|year| year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()))?;
    let mut part = || match parts.next() {
        None => Some(None),
        Some(part) if part.contains('?') => Some(None),
        Some(part) => part.parse::<u32>().ok().map(Some),
    };
    let (month, day) = (part()?, part()?);
    // A day without a month is meaningless.
    let day = if month.is_some() { day } else { None };
    NaiveDate::from_ymd_opt(year.parse().ok().filter(|year| *year > 0)?, month.unwrap_or(1), day.unwrap_or(1))?;
    let written = |part: Option<u32>| part.map_or("??".to_owned(), |part| format!("{part:02}"));
    Some(format!("{year}.{}.{}", written(month), written(day)))
}

/// Whether a text is a time of day: `17:40:05`.
pub fn is_time(text: &str) -> bool {
    NaiveTime::parse_from_str(text, "%H:%M:%S").is_ok()
}

/// Returns the time of a complete PGN date, or midnight if the time of day is invalid. Returns `None` if the date is
/// incomplete or before 1970.
pub fn from_pgn(date: &str, time: &str) -> Option<Timestamp> {
    let date = NaiveDate::parse_from_str(date, "%Y.%m.%d").ok()?;
    let time = NaiveTime::parse_from_str(time, "%H:%M:%S").unwrap_or_default();
    u64::try_from(date.and_time(time).and_utc().timestamp_millis()).ok().map(Timestamp::from_millis)
}
