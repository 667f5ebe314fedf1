//! [`LookBack`]: which deliveries may be lost, so that a server looks at their repositories.
//!
//! GitHub doesn't repeat a delivery, but it lists each one with the answer that it got. A delivery that a server accepted
//! is lost, too, if the server was killed before its run ended.

use std::time::Duration;

use table::Timestamp;

use super::Wake;

/// The time for which GitHub lists deliveries.
const LISTED: Duration = Duration::from_secs(3 * 24 * 60 * 60);
/// The time before the start within which a delivery that has arrived may still be lost, because the server was killed.
const UNCERTAIN: Duration = Duration::from_secs(60 * 60);
/// How far each later look goes back.
const LATER: Duration = Duration::from_secs(15 * 60);
/// The time that an update of an issue may be older than its delivery.
const MARGIN: Duration = Duration::from_secs(60);

/// How far back a server looks at the list of deliveries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookBack {
    /// The earliest delivery that counts.
    pub since: Timestamp,
    /// The time from which on deliveries that have arrived may be lost, too; `None` if this server has seen them.
    uncertain_since: Option<Timestamp>,
}

impl LookBack {
    /// The time between two looks.
    pub const INTERVAL: Duration = Duration::from_secs(5 * 60);

    /// Returns the look of a server that starts now.
    pub fn at_start(now: Timestamp) -> LookBack {
        LookBack { since: now - LISTED, uncertain_since: Some(now - UNCERTAIN) }
    }

    /// Returns a later look.
    pub fn later(now: Timestamp) -> LookBack {
        LookBack { since: now - LATER, uncertain_since: None }
    }

    /// Whether a delivery may be lost. `has_arrived` says whether a server accepted it.
    pub fn may_be_lost(self, delivered_at: Timestamp, has_arrived: bool) -> bool {
        let is_uncertain = self.uncertain_since.is_some_and(|from| delivered_at >= from);
        delivered_at >= self.since && (is_uncertain || !has_arrived)
    }
}

impl Wake {
    /// Returns a wake for the issues of a repository with a delivery that may be lost.
    pub fn recent(delivered_at: Timestamp, now: Timestamp) -> Wake {
        Wake { since: Some(delivered_at - MARGIN), ..Wake::at(now) }
    }
}
