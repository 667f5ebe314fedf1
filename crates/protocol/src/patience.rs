//! The patience of a run: the time it goes on when nothing gets settled, and its pauses meanwhile.

use std::time::Duration;

use anyhow::{Result, anyhow};
use table::talk::comment::Millis;
use tracing::warn;

use crate::forge::{Environment, Fault};

/// The time that a run goes on without getting anything settled: three minutes.
const PATIENCE: Millis = 180_000;
/// The shortest and the longest pause after a reply was lost, in milliseconds.
const BACKOFF: (u64, u64) = (500, 8_000);
/// The pause after a lost race is somewhere below this, in milliseconds, and grows with each one that is lost.
const RACE: u64 = 300;

/// The most reads in a row that may be too old for an answer once they have been planned.
const MOST_OLD_READS: u32 = 10;

/// The time for which a run still tries.
pub(super) struct Patience {
    deadline: Millis,
    attempts: u32,
    old_reads: u32,
}

impl Patience {
    /// Returns the patience that a run begins with, and has again when something was settled.
    pub(super) fn new(now: Millis) -> Patience {
        Patience { deadline: now + PATIENCE, attempts: 0, old_reads: 0 }
    }

    /// Rests after a fault; where resting does not help, the host has to see it.
    pub(super) async fn rest(&mut self, environment: &dyn Environment, fault: Fault) -> Result<()> {
        let (pause, why) = match fault {
            Fault::Host(why) => return Err(anyhow!(why)),
            Fault::Later(pause, why) => (pause, why),
            Fault::Lost(why) | Fault::TooLong(why) => {
                let backoff = BACKOFF.0.saturating_mul(1 << self.attempts.min(10)).min(BACKOFF.1);
                self.attempts += 1;
                (Duration::from_millis(backoff + jitter(environment.now(), BACKOFF.0)), why)
            }
        };
        warn!("{why}");
        self.hold(environment, pause)
            .await
            .map_err(|_| anyhow!("{why}. The bot gave up; the next daily run answers the rest"))
    }

    /// Rests after a lost race, longer after each one, so that two runs do not keep meeting.
    pub(super) async fn race(&mut self, environment: &dyn Environment) -> Result<(), Fault> {
        self.attempts += 1;
        let longest = RACE * u64::from(self.attempts.min(10));
        self.hold(environment, Duration::from_millis(jitter(environment.now(), longest))).await
    }

    /// Notes a read that was too old for an answer by the time it was planned.
    ///
    /// # Errors
    /// Returns an error after several of them in a row: reading again would go on forever.
    pub(super) fn read_too_old(&mut self) -> Result<(), Fault> {
        self.old_reads += 1;
        if self.old_reads < MOST_OLD_READS {
            return Ok(());
        }
        let why = "reading the thread took longer than five seconds each time, so the bot gave up. The next daily \
             run answers the rest";
        Err(Fault::Host(why.to_owned()))
    }

    /// Waits, if there is still time for it.
    pub(super) async fn hold(&self, environment: &dyn Environment, pause: Duration) -> Result<(), Fault> {
        let until = u128::from(environment.now()) + pause.as_millis();
        if until > u128::from(self.deadline) {
            let why = "the bot made no progress for three minutes, so it gave up. The next daily run answers the rest";
            return Err(Fault::Host(why.to_owned()));
        }
        environment.pause(pause).await;
        Ok(())
    }
}

/// Returns a number below a limit that differs from run to run: the clock will do.
fn jitter(now: Millis, limit: u64) -> u64 {
    ((now ^ (now >> 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) % limit.max(1)
}
