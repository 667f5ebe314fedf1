//! A monotonic clock that shows the time of day.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use table::talk::comment::Millis;

/// The clock of one run. It reads the machine's clock once and is steady from then on. So if somebody sets the machine's clock,
/// a wait isn't cut short, such as the wait for an answer that another run has claimed.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start_time: Millis,
    started: Instant,
}

impl Clock {
    /// Starts a clock at the machine's time.
    pub fn start() -> Clock {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Clock::start_at(Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX))
    }

    /// Starts a clock at this time.
    pub fn start_at(start_time: Millis) -> Clock {
        Clock { start_time, started: Instant::now() }
    }

    /// Returns the time now, in milliseconds since 1970-01-01 UTC.
    pub fn now(&self) -> Millis {
        let passed = Millis::try_from(self.started.elapsed().as_millis()).unwrap_or(Millis::MAX);
        self.start_time.saturating_add(passed)
    }
}
