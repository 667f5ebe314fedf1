//! A monotonic clock that shows the time of day.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use table::talk::comment::Millis;

/// The clock of one run.
///
/// It reads the system clock once and counts up from there. So if somebody sets the system clock during a run, no wait gets
/// shorter, such as the wait for an answer that another run has claimed.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start_time: Millis,
    started: Instant,
}

impl Clock {
    /// Starts a clock at the system's time.
    pub fn start() -> Clock {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Clock::start_at(Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX))
    }

    /// Starts a clock at this time, in milliseconds since 1970-01-01 UTC.
    pub fn start_at(start_time: Millis) -> Clock {
        Clock { start_time, started: Instant::now() }
    }

    /// Returns the time now, in milliseconds since 1970-01-01 UTC.
    pub fn now(&self) -> Millis {
        let passed = Millis::try_from(self.started.elapsed().as_millis()).unwrap_or(Millis::MAX);
        self.start_time.saturating_add(passed)
    }
}
