//! The patience of a run: the time it goes on when nothing gets settled, and its pauses meanwhile.

use std::time::Duration;

use anyhow::{Result, anyhow};
use table::talk::comment::Millis;
use tracing::warn;

use crate::forge::{Environment, Fault};

/// The time that a run goes on without getting anything settled: three minutes.
const PROGRESS_TIMEOUT: Millis = 180_000;
/// The shortest and the longest pause after a reply was lost, in milliseconds.
const RETRY_DELAYS: (u64, u64) = (500, 8_000);
/// The pause after a lost race is somewhere below this, in milliseconds, and grows with each one that is lost.
const RACE_DELAY: u64 = 300;

/// The most reads in a row that may be too old for an answer once they have been planned.
const MAX_SLOW_READS: u32 = 10;

/// The time for which a run still tries.
pub(super) struct Backoff {
    deadline: Millis,
    attempts: u32,
    slow_reads: u32,
}

impl Backoff {
    /// Returns the patience that a run begins with, and has again when something was settled.
    pub(super) fn new(now: Millis) -> Backoff {
        Backoff { deadline: now + PROGRESS_TIMEOUT, attempts: 0, slow_reads: 0 }
    }

    /// Rests after a fault; where resting does not help, the host has to see it.
    pub(super) async fn after_fault(&mut self, environment: &dyn Environment, fault: Fault) -> Result<()> {
        let (pause, why) = match fault {
            Fault::Fatal(why) => return Err(anyhow!(why)),
            Fault::RetryAfter(pause, why) => (pause, why),
            Fault::Lost(why) | Fault::TooLong(why) => {
                let backoff = RETRY_DELAYS.0.saturating_mul(1 << self.attempts.min(10)).min(RETRY_DELAYS.1);
                self.attempts += 1;
                (Duration::from_millis(backoff + jitter(environment.now(), RETRY_DELAYS.0)), why)
            }
        };
        warn!("{why}");
        self.wait(environment, pause)
            .await
            .map_err(|_| anyhow!("{why}. The bot gave up; the next daily run answers the rest"))
    }

    /// Rests after a lost race, longer after each one, so that two runs do not keep meeting.
    pub(super) async fn after_race(&mut self, environment: &dyn Environment) -> Result<(), Fault> {
        self.attempts += 1;
        let longest = RACE_DELAY * u64::from(self.attempts.min(10));
        self.wait(environment, Duration::from_millis(jitter(environment.now(), longest))).await
    }

    /// Notes a read that was too old for an answer by the time it was planned.
    ///
    /// # Errors
    /// Returns an error after several of them in a row: reading again would go on forever.
    pub(super) fn after_slow_read(&mut self) -> Result<(), Fault> {
        self.slow_reads += 1;
        if self.slow_reads < MAX_SLOW_READS {
            return Ok(());
        }
        let why = "reading the thread took longer than five seconds each time, so the bot gave up. The next daily \
             run answers the rest";
        Err(Fault::Fatal(why.to_owned()))
    }

    /// Waits, if there is still time for it.
    pub(super) async fn wait(&self, environment: &dyn Environment, pause: Duration) -> Result<(), Fault> {
        let until = u128::from(environment.now()) + pause.as_millis();
        if until > u128::from(self.deadline) {
            let why = "the bot made no progress for three minutes, so it gave up. The next daily run answers the rest";
            return Err(Fault::Fatal(why.to_owned()));
        }
        environment.pause(pause).await;
        Ok(())
    }
}

/// Returns a number below a limit that differs from run to run: the clock will do.
fn jitter(now: Millis, limit: u64) -> u64 {
    ((now ^ (now >> 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) % limit.max(1)
}
