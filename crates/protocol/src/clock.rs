//! A clock that only goes forwards, as fast as time passes.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use table::talk::comment::Millis;

/// The clock of one run: set once by the clock of the machine, and steady from then on. A wait (for an answer that another
/// run has claimed, say) must not be over early because somebody has set the machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start_time: Millis,
    started: Instant,
}

impl Clock {
    /// Starts a clock that shows the machine's time.
    pub fn start() -> Clock {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Clock::start_at(Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX))
    }

    /// Starts a clock that shows this time.
    pub fn start_at(begun: Millis) -> Clock {
        Clock { start_time: begun, started: Instant::now() }
    }

    /// Returns the time now, in milliseconds since 1970-01-01 UTC.
    pub fn now(&self) -> Millis {
        let passed = Millis::try_from(self.started.elapsed().as_millis()).unwrap_or(Millis::MAX);
        self.start_time.saturating_add(passed)
    }
}
