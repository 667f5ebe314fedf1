//! A monotonic clock that shows the time of day.

use std::time::{Instant, SystemTime, UNIX_EPOCH};
use table::timestamp::Timestamp;

/// The clock of one run.
///
/// It reads the system clock once and counts up from there. So a change of the system clock during a run can't cut a
/// wait short, such as the wait for an answer that another run has claimed.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start_time: Timestamp,
    started: Instant,
}

impl Clock {
    /// Starts a clock at the system's time.
    pub fn start() -> Clock {
        Clock::start_at(Timestamp::EPOCH + SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    /// Starts a clock at this time.
    pub fn start_at(start_time: Timestamp) -> Clock {
        Clock { start_time, started: Instant::now() }
    }

    /// Returns the time now.
    pub fn now(&self) -> Timestamp {
        self.start_time + self.started.elapsed()
    }
}
