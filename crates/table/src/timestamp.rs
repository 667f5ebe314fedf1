//! [`Timestamp`], a point in time.

use std::ops::{Add, Sub};
use std::time::Duration;

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
