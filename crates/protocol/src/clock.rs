//! A monotonic clock that shows the time of day, as the server tells it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use table::timestamp::Timestamp;

/// The clock of one run.
///
/// It reads the system clock once and counts up from there, until a server tells it the time. So neither a wrong system
/// clock nor a change of it during a run can end a game.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    /// The system's time at the start.
    system_start: Timestamp,
    /// The server's time at the start; `None` until the server has told it.
    server_start: Option<Timestamp>,
}

impl Clock {
    /// Starts a clock at the system's time.
    pub fn start() -> Clock {
        Clock::start_at(Timestamp::EPOCH + SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    /// Starts a clock at this time.
    pub fn start_at(system_start: Timestamp) -> Clock {
        Clock { started: Instant::now(), system_start, server_start: None }
    }

    /// Sets the clock to the server's time now. Once it's set, it never goes back.
    pub fn set(&mut self, server_time: Timestamp) {
        let start = server_time - self.elapsed();
        self.server_start = Some(self.server_start.map_or(start, |known| known.max(start)));
    }

    /// Returns the time now: the server's if it is known, otherwise the system's.
    pub fn now(&self) -> Timestamp {
        self.server_start.unwrap_or(self.system_start) + self.elapsed()
    }

    /// Returns the system's time now.
    pub fn system_time(&self) -> Timestamp {
        self.system_start + self.elapsed()
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
