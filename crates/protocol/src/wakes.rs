//! [`Wakes`]: where a server has to look, when, and in which order.
//!
//! Like an event, a wake only says where to look. So several wakes for one thread become one, and losing one costs only time.

mod recovery;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use table::{CommentRef, IssueNumber, RepositoryId, Timestamp};

pub use self::recovery::LookBack;
use crate::{HostError, HostNote, Ledger, Remedy, SettleError, Trigger};

/// The number of places in one repository that the server looks at at the same time. More would mostly lose races for the branch.
const MAX_PER_REPOSITORY: usize = 4;
/// The number of places in one installation that the server looks at at the same time, so that a busy one leaves room for the others.
const MAX_PER_INSTALLATION: usize = 16;
/// The number of times that a failed wake is tried again. After that, the daily run looks there.
pub const MAX_RETRIES: u32 = 6;
/// The pause before the first retry. Each further pause is twice as long.
const RETRY_DELAY: Duration = Duration::from_secs(5);
/// The wait after a rate limit whose end GitHub didn't tell.
const LIMIT_TIME: Duration = Duration::from_secs(60);

/// The ID of an App's installation: one account with some or all of its repositories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstallationId(pub u64);

/// A place that the server looks at. It looks at each place once at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The installation whose token opens the repository.
    pub installation: InstallationId,
    /// The repository.
    pub repository: RepositoryId,
    /// The part of the repository.
    pub target: Target,
}

/// A part of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// One thread.
    Thread(IssueNumber),
    /// The recently updated issues.
    Recent,
    /// Everything that the daily run looks at.
    Daily,
}

/// What is known about a place to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// The time from which on to look there.
    pub due: Timestamp,
    /// When the first cause arrived.
    pub arrived: Timestamp,
    /// The newest comment that caused it, and the other table that the comment names.
    pub comment: Option<(CommentRef, Option<IssueNumber>)>,
    /// When the votes of a crowd are counted there; `None` if the wake isn't about votes.
    pub votes_end: Option<Timestamp>,
    /// The earliest update that counts, for [`Target::Recent`].
    pub since: Option<Timestamp>,
    /// The number of times that it failed.
    pub retries: u32,
}

impl Wake {
    /// Returns a wake that is due at this time.
    pub fn at(due: Timestamp) -> Wake {
        Wake { due, arrived: due, comment: None, votes_end: None, since: None, retries: 0 }
    }

    /// Returns a wake that counts the votes of a crowd.
    pub fn votes(end: Timestamp) -> Wake {
        Wake { votes_end: Some(end), ..Wake::at(end) }
    }

    /// Returns the trigger of the run at a place. `now` is the time at which it starts.
    pub fn trigger(&self, place: Place, now: Timestamp) -> Trigger {
        match (place.target, self.comment) {
            (Target::Daily, _) => Trigger::Sweep,
            (Target::Recent, _) => Trigger::Recent(self.since.unwrap_or(self.arrived)),
            (Target::Thread(_), Some((source, table))) => Trigger::Comment { source, table },
            (Target::Thread(issue), None) if self.votes_end.is_some_and(|end| end <= now) => Trigger::Votes(issue),
            (Target::Thread(issue), None) => Trigger::Issue(issue),
        }
    }

    /// Adds what another wake knows about the same place.
    fn merge(&mut self, other: Wake) {
        self.due = self.due.min(other.due);
        self.arrived = self.arrived.min(other.arrived);
        self.comment = self.comment.max(other.comment);
        // The newer one has read the table later.
        self.votes_end = other.votes_end.or(self.votes_end);
        self.since = self.since.into_iter().chain(other.since).min();
        self.retries = self.retries.min(other.retries);
    }
}

/// How the server's look at a place ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeOutcome {
    /// Everything there is settled. The votes of a crowd there are counted at `votes_end`.
    Settled {
        /// When the votes are counted; `None` if no votes are open.
        votes_end: Option<Timestamp>,
    },
    /// There is more to do than one run does.
    Unfinished,
    /// GitHub asks everybody with this installation's token to wait.
    Limited {
        /// The end of the wait.
        until: Timestamp,
    },
    /// It failed, and trying again may help.
    Failed,
    /// It failed, and trying again can't help.
    Refused,
}

impl WakeOutcome {
    /// Returns the outcome of a look at a place, from the result of its run and what the run did.
    ///
    /// The server may know more about a repository that wasn't found.
    pub fn of_run(place: Place, settled: Result<(), &SettleError>, ledger: &Ledger, now: Timestamp) -> WakeOutcome {
        match settled {
            Ok(()) if ledger.notes.iter().any(|note| matches!(note, HostNote::RateLimited(_))) => {
                WakeOutcome::Limited { until: now + LIMIT_TIME }
            }
            Ok(()) if ledger.notes.contains(&HostNote::CommandLimit) => WakeOutcome::Unfinished,
            // Commands in other issues may wait for those beyond the share of a table.
            Ok(()) if place.target == Target::Recent && has_used_share(ledger) => WakeOutcome::Failed,
            // The rest of a flood waits longer after each run, so that it can't use up the installation's limit.
            Ok(()) if place.target != Target::Daily && ledger.notes.contains(&HostNote::PersonLimit) => {
                WakeOutcome::Failed
            }
            // Commands in other issues may be for a table that this run has opened or changed.
            Ok(()) if place.target == Target::Recent && ledger.report().applied > 0 => WakeOutcome::Unfinished,
            Ok(()) => {
                let own = ledger.tables.iter().find(|(issue, _)| place.target == Target::Thread(**issue));
                WakeOutcome::Settled { votes_end: own.and_then(|(_, work)| work.votes_end) }
            }
            Err(SettleError::RetryAfter { at, .. }) => WakeOutcome::Limited { until: *at },
            Err(SettleError::GaveUp(_) | SettleError::SettingsChanged(_)) => WakeOutcome::Failed,
            Err(SettleError::Sweep(failures)) => {
                let can_retry = failures.iter().any(|failure| matches!(failure.error, SettleError::GaveUp(_)));
                if can_retry { WakeOutcome::Failed } else { WakeOutcome::Refused }
            }
            // The token ended early, or somebody has revoked it, and the next one may work.
            Err(SettleError::HostMustAct(HostError::Request { remedy: Some(Remedy::Token), .. })) => {
                WakeOutcome::Failed
            }
            Err(SettleError::HostMustAct(_)) => WakeOutcome::Refused,
        }
    }
}

fn has_used_share(ledger: &Ledger) -> bool {
    ledger.notes.iter().any(|note| matches!(note, HostNote::ShareUsed(_)))
}

/// Returns wakes for what a run at a place leaves elsewhere: the commands beyond an issue's share, and the votes at other tables
/// that it has read.
pub fn left_elsewhere(place: Place, ledger: &Ledger, now: Timestamp) -> Vec<(Place, Wake)> {
    let at = |issue: IssueNumber| Place { target: Target::Thread(issue), ..place };
    let shares = ledger.notes.iter().filter_map(|note| match note {
        HostNote::ShareUsed(issue) => Some((at(*issue), Wake::at(now))),
        _ => None,
    });
    let votes = ledger.tables.iter().filter_map(|(issue, work)| {
        let end = work.votes_end.filter(|end| *end > now && at(*issue) != place)?;
        Some((at(*issue), Wake::votes(end)))
    });
    shares.chain(votes).collect()
}

/// The wakes of a server. Pure: it reads no clock, and the server does the work.
#[derive(Debug, Default)]
pub struct Wakes {
    waiting: BTreeMap<InstallationId, BTreeMap<RepositoryId, Queue>>,
    running: BTreeMap<Place, Wake>,
    /// The installations that GitHub asked to wait, and until when.
    holds: BTreeMap<InstallationId, Timestamp>,
    /// The installation that was served last. The search for the next wake begins after it, so a busy one can't delay the others.
    last_served: Option<InstallationId>,
}

/// The waiting wakes of one repository.
#[derive(Debug, Default)]
struct Queue {
    wakes: BTreeMap<Target, Wake>,
    order: BTreeSet<(Timestamp, Target)>,
    /// The number of its places that the server looks at.
    running: usize,
}

impl Queue {
    fn add(&mut self, target: Target, wake: Wake) {
        let merged = match self.wakes.remove(&target) {
            Some(mut known) => {
                self.order.remove(&(known.due, target));
                known.merge(wake);
                known
            }
            None => wake,
        };
        self.order.insert((merged.due, target));
        self.wakes.insert(target, merged);
    }

    /// Removes and returns the first wake that is due and that `is_free` accepts.
    fn take(&mut self, now: Timestamp, is_free: impl Fn(Target) -> bool) -> Option<(Target, Wake)> {
        let due = self.order.iter().take_while(|(due, _)| *due <= now);
        let (due, target) = *due.into_iter().find(|(_, target)| is_free(*target))?;
        self.order.remove(&(due, target));
        Some((target, self.wakes.remove(&target)?))
    }

    fn first_due(&self) -> Option<Timestamp> {
        self.order.first().map(|(due, _)| *due)
    }
}

impl Wakes {
    /// Adds a wake. If the place waits already, the two become one. If the server is looking there, it looks again afterwards.
    pub fn add(&mut self, place: Place, wake: Wake) {
        let repositories = self.waiting.entry(place.installation).or_default();
        let queue = repositories.entry(place.repository).or_default();
        queue.add(place.target, wake);
    }

    /// Returns the next place to look at; `None` if nothing can start now. The caller ends it with [`Wakes::finish`].
    pub fn next(&mut self, now: Timestamp) -> Option<(Place, Wake)> {
        self.holds.retain(|_, until| *until > now);
        let after: Vec<InstallationId> = match self.last_served {
            Some(last) => {
                let later = self.waiting.range(last..).skip_while(|(id, _)| **id == last);
                later.chain(self.waiting.range(..=last)).map(|(id, _)| *id).collect()
            }
            None => self.waiting.keys().copied().collect(),
        };
        // What somebody has just written comes before a search for what may be lost.
        let mut take = |only_threads| after.iter().find_map(|installation| self.take(*installation, now, only_threads));
        let (place, wake) = take(true).or_else(|| take(false))?;
        self.last_served = Some(place.installation);
        self.running.insert(place, wake);
        // This run is about the comment, or it comes too early for the votes.
        if let Some(end) = wake.votes_end.filter(|end| *end > now || wake.comment.is_some()) {
            self.add(place, Wake::votes(end));
        }
        Some((place, wake))
    }

    /// Removes and returns an installation's first wake that can start now; with `only_threads`, the first about a thread.
    fn take(&mut self, installation: InstallationId, now: Timestamp, only_threads: bool) -> Option<(Place, Wake)> {
        let running = self.running.keys().filter(|place| place.installation == installation).count();
        if self.holds.contains_key(&installation) || running >= MAX_PER_INSTALLATION {
            return None;
        }
        let Wakes { waiting, running, .. } = self;
        let mut queues: Vec<(&RepositoryId, &mut Queue)> = waiting
            .get_mut(&installation)?
            .iter_mut()
            .filter(|(_, queue)| queue.running < MAX_PER_REPOSITORY)
            .collect();
        queues.sort_by_key(|(_, queue)| queue.first_due());
        for (repository, queue) in queues {
            let place = |target| Place { installation, repository: *repository, target };
            let is_free = |target| {
                let is_wanted = !only_threads || matches!(target, Target::Thread(_));
                is_wanted && !running.contains_key(&place(target))
            };
            if let Some((target, wake)) = queue.take(now, is_free) {
                queue.running += 1;
                return Some((place(target), wake));
            }
        }
        None
    }

    /// Ends the look at a place, and adds what is left to do there.
    pub fn finish(&mut self, place: Place, outcome: WakeOutcome, now: Timestamp) {
        let Some(wake) = self.running.remove(&place) else { return };
        let repositories = self.waiting.get_mut(&place.installation);
        if let Some(queue) = repositories.and_then(|repositories| repositories.get_mut(&place.repository)) {
            queue.running = queue.running.saturating_sub(1);
        }
        match outcome {
            WakeOutcome::Settled { votes_end: Some(end) } if end > now => self.add(place, Wake::votes(end)),
            // If a run has just counted too few votes, the daily run counts again.
            WakeOutcome::Settled { .. } | WakeOutcome::Refused => {}
            WakeOutcome::Unfinished => self.add(place, Wake { due: now, ..wake }),
            WakeOutcome::Limited { until } => {
                let until = until.max(now);
                let hold = self.holds.entry(place.installation).or_insert(until);
                *hold = (*hold).max(until);
                self.add(place, Wake { due: until, ..wake });
            }
            WakeOutcome::Failed if wake.retries < MAX_RETRIES => {
                let pause = RETRY_DELAY * 2_u32.pow(wake.retries);
                self.add(place, Wake { due: now + pause, retries: wake.retries + 1, ..wake });
            }
            WakeOutcome::Failed => {}
        }
        self.drop_empty_queues(place.installation);
    }

    fn drop_empty_queues(&mut self, installation: InstallationId) {
        if let Some(repositories) = self.waiting.get_mut(&installation) {
            repositories.retain(|_, queue| queue.running > 0 || !queue.wakes.is_empty());
            if repositories.is_empty() {
                self.waiting.remove(&installation);
            }
        }
    }

    /// Removes the waiting wakes of an installation that is suspended or gone.
    pub fn forget_installation(&mut self, installation: InstallationId) {
        for queue in self.waiting.get_mut(&installation).into_iter().flat_map(BTreeMap::values_mut) {
            *queue = Queue { running: queue.running, ..Queue::default() };
        }
        self.drop_empty_queues(installation);
    }

    /// Returns the time of the next wake that isn't due yet; `None` if there are no others.
    pub fn next_due(&self, now: Timestamp) -> Option<Timestamp> {
        let of = |(installation, repositories): (&InstallationId, &BTreeMap<RepositoryId, Queue>)| {
            let hold = self.holds.get(installation).copied().unwrap_or_default();
            let due = repositories.values().filter_map(Queue::first_due).map(|due| due.max(hold));
            due.filter(|due| *due > now).min()
        };
        self.waiting.iter().filter_map(of).min()
    }

    /// Returns the number of waiting wakes that are due.
    pub fn due(&self, now: Timestamp) -> usize {
        let queues = self.waiting.values().flat_map(BTreeMap::values);
        queues.map(|queue| queue.order.iter().take_while(|(due, _)| *due <= now).count()).sum()
    }

    /// Returns when the oldest wake that is due has arrived; `None` if none is due.
    pub fn oldest_arrival(&self, now: Timestamp) -> Option<Timestamp> {
        let wakes = self.waiting.values().flat_map(BTreeMap::values).flat_map(|queue| queue.wakes.values());
        wakes.filter(|wake| wake.due <= now).map(|wake| wake.arrived).min()
    }

    /// Returns the number of places that the server looks at.
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// Returns the installations that GitHub asked to wait.
    pub fn holds(&self) -> usize {
        self.holds.len()
    }
}
