//! A monotonic clock that shows the time of day, as the server tells it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use table::{Oid, Timestamp};
use tracing::warn;

use crate::{CommitOutcome, Environment, GiveUpReason, RequestError, SettleError};

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

// Backoff of a run: how long it waits before it tries again, and when it gives up.

/// The time without progress after which a run gives up: three minutes.
const PROGRESS_TIMEOUT: Duration = Duration::from_secs(180);
/// The shortest pause after a lost reply, in milliseconds. Each further pause is twice as long.
const MIN_RETRY_DELAY: u64 = 500;
/// The longest pause after a lost reply, in milliseconds.
const MAX_RETRY_DELAY: u64 = 8_000;
/// The longest pause after the first lost race, in milliseconds. It grows by this much with each further race, up to ten times.
const RACE_DELAY: u64 = 300;
/// The number of reads in a row after which a run gives up, if each was too old to answer from.
const MAX_SLOW_READS: u32 = 10;

/// The retries of a run since its last progress.
pub(super) struct Backoff {
    /// The time since the start of the run at which it gives up.
    deadline: Duration,
    attempts: u32,
    slow_reads: u32,
}

impl Backoff {
    /// Returns a fresh backoff, for the start of a run and after each progress.
    pub(super) fn new(environment: &dyn Environment) -> Backoff {
        Backoff { deadline: environment.elapsed() + PROGRESS_TIMEOUT, attempts: 0, slow_reads: 0 }
    }

    /// Repeats an attempt until it succeeds, and returns its result.
    ///
    /// # Errors
    /// Returns an error if retrying can't help, or if the deadline would pass.
    pub(super) async fn retry<T>(
        environment: &dyn Environment,
        mut attempt: impl AsyncFnMut() -> Result<T, RequestError>,
    ) -> Result<T, SettleError> {
        let mut backoff = Backoff::new(environment);
        loop {
            match attempt().await {
                Ok(value) => return Ok(value),
                Err(error) => backoff.after_error(environment, error).await?,
            }
        }
    }

    /// Repeats an attempt to commit until no other run commits first. Returns the commit; `None` if there is nothing to commit.
    ///
    /// # Errors
    /// Returns an error if retrying can't help, or if the deadline would pass.
    pub(super) async fn retry_commit(
        environment: &dyn Environment,
        mut attempt: impl AsyncFnMut() -> Result<Option<CommitOutcome>, RequestError>,
    ) -> Result<Option<Oid>, SettleError> {
        let mut backoff = Backoff::new(environment);
        loop {
            match attempt().await {
                Ok(None) => return Ok(None),
                Ok(Some(CommitOutcome::Landed(commit))) => return Ok(Some(commit)),
                Ok(Some(CommitOutcome::Stale)) => backoff.after_race(environment).await?,
                Err(error) => backoff.after_error(environment, error).await?,
            }
        }
    }

    /// Waits after a error.
    ///
    /// # Errors
    /// Returns an error if retrying can't help, or if the deadline would pass.
    pub(super) async fn after_error(
        &mut self,
        environment: &dyn Environment,
        error: RequestError,
    ) -> Result<(), SettleError> {
        let (pause, why, is_rate_limit) = match error {
            RequestError::Fatal(problem) => return Err(SettleError::HostMustAct(problem)),
            RequestError::RetryAfter(pause, why) => (pause, why, true),
            RequestError::Lost(why) | RequestError::TooLong(why) => {
                let delay = MIN_RETRY_DELAY.saturating_mul(1 << self.attempts.min(10)).min(MAX_RETRY_DELAY);
                self.attempts += 1;
                (Duration::from_millis(delay + jitter(environment.now(), MIN_RETRY_DELAY)), why, false)
            }
        };
        warn!("{why}");
        if environment.elapsed() + pause > self.deadline {
            let why = why.trim_end_matches('.').to_owned();
            let at = environment.now() + pause;
            return Err(match is_rate_limit {
                true => SettleError::RetryAfter { at, why },
                false => SettleError::GaveUp(GiveUpReason::Unreachable(why)),
            });
        }
        environment.pause(pause).await;
        Ok(())
    }

    /// Waits after a lost race, longer each time, so that two runs don't keep colliding.
    ///
    /// # Errors
    /// Returns an error if the deadline would pass.
    pub(super) async fn after_race(&mut self, environment: &dyn Environment) -> Result<(), SettleError> {
        self.attempts += 1;
        let longest = RACE_DELAY * u64::from(self.attempts.min(10));
        self.wait(environment, Duration::from_millis(jitter(environment.now(), longest))).await
    }

    /// Counts a read that was too old to answer from by the time the next step was planned.
    ///
    /// # Errors
    /// Returns an error after ten of them, because the run would read forever.
    pub(super) fn after_slow_read(&mut self) -> Result<(), SettleError> {
        self.slow_reads += 1;
        if self.slow_reads < MAX_SLOW_READS { Ok(()) } else { Err(SettleError::GaveUp(GiveUpReason::SlowReads)) }
    }

    /// Waits, unless the deadline would pass.
    ///
    /// # Errors
    /// Returns an error at once if the deadline would pass.
    pub(super) async fn wait(&self, environment: &dyn Environment, pause: Duration) -> Result<(), SettleError> {
        if environment.elapsed() + pause > self.deadline {
            return Err(SettleError::GaveUp(GiveUpReason::NoProgress));
        }
        environment.pause(pause).await;
        Ok(())
    }
}

/// Returns a number below `limit` that differs from run to run. Hashing the clock is random enough for that.
fn jitter(now: Timestamp, limit: u64) -> u64 {
    let now = now.as_millis();
    ((now ^ (now >> 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) % limit.max(1)
}
