//! A clock that only goes forwards, as fast as time passes.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::talk::comment::Millis;

/// The clock of one run: set once by the clock of the machine, and steady from then on. A wait (for an answer that another
/// run has claimed, say) must not be over early because somebody has set the machine's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    begun: Millis,
    since: Instant,
}

impl Clock {
    /// Starts a clock that shows the machine's time.
    pub(super) fn begin() -> Clock {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Clock { begun: Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX), since: Instant::now() }
    }

    /// Returns the time now, in milliseconds since 1970-01-01 UTC.
    pub(super) fn now(&self) -> Millis {
        let passed = Millis::try_from(self.since.elapsed().as_millis()).unwrap_or(Millis::MAX);
        self.begun.saturating_add(passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine whose clock was set an hour ahead, or back, since the run began.
    #[test]
    fn a_step_of_the_machines_clock_does_not_show() {
        let right = Clock::begin();
        for begun in [right.begun - 3_600_000, right.begun + 3_600_000] {
            let clock = Clock { begun, ..right };
            assert!((begun..begun + 60_000).contains(&clock.now()));
        }
    }
}
