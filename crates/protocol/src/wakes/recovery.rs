//! [`LookBack`]: which deliveries may be lost, so that a server looks at their repositories.
//!
//! GitHub doesn't repeat a delivery, but it lists each one with the answer that it got. A delivery that a server accepted
//! is lost, too, if the server was killed before its run ended.

use std::collections::BTreeSet;
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
const MARGIN: Duration = Duration::from_secs(10 * 60);
/// The time after which GitHub shows a delivery in its list, and an update of an issue in each read.
const LAG: Duration = Duration::from_secs(2 * 60);

/// The pause before the look at an accepted delivery is its age divided by this.
const PAUSE_DIVISOR: u32 = 20;

/// A look back at the list of deliveries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookBack {
    /// The earliest delivery that counts.
    pub since: Timestamp,
    /// The time of the look.
    now: Timestamp,
    /// Between these times, a delivery that has arrived may be lost, too.
    uncertain: [Timestamp; 2],
}

impl LookBack {
    /// The time between two looks.
    pub const INTERVAL: Duration = Duration::from_secs(5 * 60);

    /// Returns the look of a server that starts now.
    pub fn at_start(now: Timestamp) -> LookBack {
        LookBack { since: now - LISTED, now, uncertain: [now - UNCERTAIN, now + UNCERTAIN] }
    }

    /// Returns a later look of a server that started at `start`. Its first list may have lacked the newest deliveries.
    pub fn later(now: Timestamp, start: Timestamp) -> LookBack {
        let since = now - LATER;
        LookBack { since, now, uncertain: [since, start + LAG] }
    }

    /// Returns the time from which on a delivery that has arrived may be lost, too; `None` if that's no longer possible.
    pub fn uncertain_since(self) -> Option<Timestamp> {
        let [from, until] = self.uncertain;
        (from <= until).then_some(from)
    }

    /// Whether to look at the repository of a delivery, because it may be lost. `has_arrived` says whether a server accepted it.
    ///
    /// `handled` has the IDs of the deliveries that need no other look. A new one gets a second look, because the first may be
    /// too early to show what it's about.
    pub fn takes(self, handled: &mut BTreeSet<u64>, id: u64, delivered_at: Timestamp, has_arrived: bool) -> bool {
        let [from, until] = self.uncertain;
        let is_uncertain = from <= delivered_at && delivered_at <= until;
        if delivered_at < self.since || has_arrived && !is_uncertain || handled.contains(&id) {
            return false;
        }
        if delivered_at + LAG <= self.now {
            handled.insert(id);
        }
        true
    }

    /// Returns a wake for the recent issues of a repository with a delivery that may be lost.
    pub fn wake(self, delivered_at: Timestamp, has_arrived: bool) -> Wake {
        // The longer ago a server accepted it, the likelier its run has ended. So the newest get the first looks, and a server
        // that is killed soon again has had them.
        let pause = if has_arrived { self.now.since(delivered_at) / PAUSE_DIVISOR } else { Duration::ZERO };
        Wake { due: self.now + pause, since: Some(delivered_at - MARGIN), ..Wake::at(self.now) }
    }
}
