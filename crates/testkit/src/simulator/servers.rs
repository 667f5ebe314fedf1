//! Stories in which servers play instead of a workflow: webhooks, wakes, servers that are killed, and what they do afterwards.
//!
//! A server here is the real [`Wakes`], with the product's own decisions about runs that end and about lost deliveries.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use protocol::wakes::{InstallationId, LookBack, MAX_RETRIES, Place, Target, Wake, WakeOutcome, Wakes, left_elsewhere};
use protocol::{Ledger, SettleError, Trigger};
use table::{CommentRef, HostPolicy, RepositoryId, Timestamp};

use crate::Millis;
use crate::simulator::core::{BEGIN, Scheduled};
use crate::simulator::live_checks;
use crate::simulator::rng::mix;
use crate::simulator::{Action, Core, InjectedFault, Mode, Step, Story};
use crate::world::FIRST_REPOSITORY;

/// The number of the first run of a server. Steps have smaller ones.
const FIRST_RUN: u32 = 1_000_000;
/// The time from a server's start to its first daily run here. It has many other repositories.
const FIRST_DAILY: Duration = Duration::from_secs(30 * 60);
/// The time in which servers settle a command whose webhook didn't arrive, once everything works: six minutes.
const LOST_WEBHOOK_TIME: Millis = 6 * 60_000;
/// The time in which servers settle a command whose webhook arrived while everything works.
const WEBHOOK_TIME: Millis = 60_000;
/// The longest time that a run takes for all comments, in milliseconds: on short pages, a quarter of an hour.
const MAX_RUN_TIME: Millis = 15 * 60_000;
/// The longest time until GitHub lists a delivery, in milliseconds.
const LIST_LAG: Millis = 3_000;
/// More time for each comment in the story, because they may come all at once.
const TIME_PER_COMMENT: Millis = 3_000;

/// What a server does at some time.
#[derive(Clone, Copy, Debug)]
pub enum ServerEvent {
    /// Start the runs that are due.
    Work,
    /// Start after a kill.
    Start,
    /// Look at the list of deliveries. Only the process with this number does.
    LookBack(u32),
}

/// The servers of a story, and GitHub's list of deliveries.
pub(crate) struct Servers {
    all: Vec<Server>,
    /// When each delivery was made, and whether a server accepted it.
    deliveries: Vec<(Millis, bool)>,
    /// The runs in progress, each with its server.
    runs: BTreeMap<u32, (usize, Place, Wake)>,
    next_run: u32,
    /// The comments whose event a step delivers.
    announced: BTreeSet<u32>,
    /// The last time at which a run left something to the daily run.
    left_to_daily: Millis,
}

#[derive(Default)]
struct Server {
    /// The number of this process among those that the server has been.
    process: u32,
    is_up: bool,
    started_at: Millis,
    /// The same by the server's clock.
    start_time: Timestamp,
    wakes: Wakes,
    /// The deliveries that an earlier look found.
    handled: BTreeSet<u64>,
    /// The faults of the next run at each place.
    faults: BTreeMap<Place, Vec<InjectedFault>>,
    /// The time of the next scheduled look at the wakes.
    alarm: Option<Millis>,
    /// When a rate limit ends that GitHub told a run of this process.
    held_until: Timestamp,
}

fn place(target: Target) -> Place {
    Place { installation: InstallationId(1), repository: RepositoryId::new(FIRST_REPOSITORY), target }
}

/// Whether a list of issues doesn't show a comment. A table's thread is read as a whole.
fn is_unlisted(core: &Core, source: CommentRef) -> bool {
    core.file(&format!("state/{}.json", source.issue)).is_none() && core.state.is_below_many(source)
}

/// Whether an issue was locked at some time since a comment. Stories have no webhook for an unlocked issue, so the daily run looks there.
fn was_locked(core: &Core, issue: u64, since: Millis) -> bool {
    let is_locked = core.state.issues.get(&issue).is_some_and(|issue| issue.locked);
    is_locked || core.ledger.unlocked.iter().any(|(unlocked, at)| *unlocked == issue && at + 1_000 > since)
}

impl Servers {
    /// Returns the servers of a story; `None` if a workflow plays.
    pub(crate) fn new(story: &Story) -> Option<Servers> {
        let count = story.setting.servers as usize;
        let server = || Server { is_up: true, started_at: BEGIN, ..Server::default() };
        let announced = story.steps.iter().filter_map(|step| match step.action {
            Action::StartRun { comment, .. } => Some(comment),
            _ => None,
        });
        (count > 0).then(|| Servers {
            all: std::iter::repeat_with(server).take(count).collect(),
            deliveries: Vec::new(),
            runs: BTreeMap::new(),
            next_run: FIRST_RUN,
            announced: announced.collect(),
            left_to_daily: 0,
        })
    }

    /// Does what a step means for the servers. Returns the runs to kill, and whether the step's own trigger starts a run.
    pub(crate) fn perform(
        &mut self,
        core: &mut Core,
        story: &Story,
        step: &Step,
        trigger: Option<Trigger>,
    ) -> (Vec<u32>, bool) {
        match &step.action {
            Action::OpenIssue { .. } | Action::Comment { .. } => {
                if let (Some(source), false) =
                    (core.ledger.places.get(&step.id).copied(), self.announced.contains(&step.id))
                {
                    core.trace(|| "   its webhook fails".to_owned());
                    self.fail_delivery(core, source);
                }
            }
            Action::StartRun { faults, .. } => {
                if let Some(Trigger::Comment { source, table }) = trigger {
                    let server = usize::try_from(mix(story.seed, u64::from(step.id))).unwrap_or(0) % self.all.len();
                    self.deliver(core, server, Wake { comment: Some((source, table)), ..Wake::at(now(core)) }, faults);
                }
            }
            Action::Sweep { faults } => {
                if story.has_daily_workflow() {
                    return (Vec::new(), true);
                }
                for (nth, server) in self.all.iter_mut().enumerate().filter(|(_, server)| server.is_up) {
                    let now = now(core);
                    server.wakes.add(place(Target::Daily), Wake::at(now));
                    let faults = if nth == 0 { faults.clone() } else { Vec::new() };
                    server.faults.insert(place(Target::Daily), faults);
                }
            }
            Action::RestartServer { server, down, faults } => {
                let server = *server as usize % self.all.len();
                let killed = self.kill(core, server, *down);
                self.all[server].faults.insert(place(Target::Recent), faults.clone());
                return (killed, false);
            }
            Action::Vote { .. } | Action::UnrelatedCommit | Action::EditReadme | Action::EditComment { .. } => {}
            _ => core.disturb(0),
        }
        (Vec::new(), false)
    }

    /// A webhook arrives at a server, or fails if that is down.
    fn deliver(&mut self, core: &mut Core, nth: usize, wake: Wake, faults: &[InjectedFault]) {
        let Some((source, _)) = wake.comment else { return };
        let server = &mut self.all[nth];
        if !server.is_up {
            core.trace(|| format!("   server {nth} is down, so a webhook fails"));
            return self.fail_delivery(core, source);
        }
        core.trace(|| format!("   a webhook arrives at server {nth}"));
        let place = place(Target::Thread(source.issue));
        server.wakes.add(place, wake);
        server.faults.insert(place, faults.to_vec());
        self.deliveries.push((core.now, true));
        let pause = WEBHOOK_TIME + TIME_PER_COMMENT * core.ledger.comments.len() as Millis;
        core.push(core.now + pause, Scheduled::Check(source));
    }

    /// GitHub lists a failed delivery, and the servers that are up will find it.
    fn fail_delivery(&mut self, core: &mut Core, source: CommentRef) {
        self.deliveries.push((core.now, false));
        for (nth, server) in self.all.iter().enumerate().filter(|(_, server)| server.is_up) {
            let interval = LookBack::INTERVAL.as_millis() as Millis;
            let next = core.now + interval - (core.now - server.started_at) % interval;
            // The first look may come before GitHub lists it.
            for at in [next, next + interval] {
                core.push(at, Scheduled::Server(nth, ServerEvent::LookBack(server.process)));
            }
        }
        core.push(core.now + LOST_WEBHOOK_TIME, Scheduled::Check(source));
    }

    /// Does what a server does at this time.
    pub(crate) fn act(&mut self, core: &mut Core, nth: usize, event: ServerEvent) {
        let server = &mut self.all[nth];
        match event {
            ServerEvent::Work => server.alarm = None,
            ServerEvent::Start if !server.is_up => {
                core.trace(|| format!("   server {nth} starts"));
                (server.is_up, server.started_at) = (true, core.now);
                let now = now(core);
                server.start_time = now;
                server.look_back(LookBack::at_start(now), &self.deliveries, now);
                // Nothing fails later on that this look wouldn't find.
                let next = core.now + LookBack::INTERVAL.as_millis() as Millis;
                core.push(next, Scheduled::Server(nth, ServerEvent::LookBack(server.process)));
                server.wakes.add(place(Target::Daily), Wake::at(now + FIRST_DAILY));
            }
            ServerEvent::LookBack(process) if server.is_up && server.process == process => {
                let now = now(core);
                server.look_back(LookBack::later(now, server.start_time), &self.deliveries, now);
            }
            ServerEvent::Start | ServerEvent::LookBack(_) => {}
        }
    }

    /// Kills a server. Returns its runs.
    pub(crate) fn kill(&mut self, core: &mut Core, nth: usize, down: Millis) -> Vec<u32> {
        let server = &mut self.all[nth];
        if !server.is_up {
            return Vec::new();
        }
        core.trace(|| format!("   server {nth} is killed, and starts again after {down} ms"));
        *server = Server { process: server.process + 1, ..Server::default() };
        core.disturb(down);
        core.push(core.now + down, Scheduled::Server(nth, ServerEvent::Start));
        let killed = self.runs.iter().filter(|(_, (server, ..))| *server == nth).map(|(run, _)| *run).collect();
        self.runs.retain(|_, (server, ..)| *server != nth);
        killed
    }

    /// Returns the server of a run.
    pub(crate) fn server_of(&self, run: u32) -> Option<usize> {
        self.runs.get(&run).map(|(server, ..)| *server)
    }

    /// Takes the runs that are due at any server, and schedules the next look.
    pub(crate) fn take_due(&mut self, core: &mut Core) -> Vec<(u32, Trigger)> {
        let mut due = Vec::new();
        for (nth, server) in self.all.iter_mut().enumerate().filter(|(_, server)| server.is_up) {
            let now = now(core);
            while let Some((place, wake)) = server.wakes.next(now) {
                let run = self.next_run;
                self.next_run += 1;
                if now < server.held_until {
                    core.violate("limit", format!("server {nth} starts run {run}, but GitHub asked it to wait"));
                }
                core.trace(|| format!("   server {nth} starts run {run}"));
                core.inject(run, server.faults.remove(&place).unwrap_or_default());
                self.runs.insert(run, (nth, place, wake));
                due.push((run, wake.trigger(place, now)));
            }
            let alarm = server.wakes.next_due(now).map(|due| core.now + due.since(now).as_millis() as Millis);
            if let Some(at) = alarm.filter(|at| server.alarm != Some(*at)) {
                server.alarm = Some(at);
                core.push(at, Scheduled::Server(nth, ServerEvent::Work));
            }
        }
        due
    }

    /// Ends a run, if it's a server's.
    pub(crate) fn finish(&mut self, core: &mut Core, run: u32, settled: Result<(), &SettleError>, ledger: &Ledger) {
        let Some((nth, place, wake)) = self.runs.remove(&run) else { return };
        let server = &mut self.all[nth];
        let now = now(core);
        for (place, wake) in left_elsewhere(place, ledger, now) {
            server.wakes.add(place, wake);
        }
        let outcome = WakeOutcome::of_run(place, settled, ledger, now);
        core.trace(|| format!("   server {nth}: {place:?} is {outcome:?}"));
        match outcome {
            WakeOutcome::Limited { until } => {
                server.held_until = until;
                core.disturb(until.since(now).as_millis() as Millis);
            }
            WakeOutcome::Refused => self.left_to_daily = core.now,
            WakeOutcome::Failed if wake.retries == MAX_RETRIES => self.left_to_daily = core.now,
            WakeOutcome::Failed => core.disturb(0),
            WakeOutcome::Settled { .. } | WakeOutcome::Unfinished => {}
        }
        server.wakes.finish(place, outcome, now);
    }

    /// Checks that a command is settled by now, if everything has worked for six minutes.
    pub(crate) fn check(&self, core: &mut Core, source: CommentRef, policy: &HostPolicy) {
        let posted_at = core.ledger.comments.get(&source).map_or(0, |posted| posted.versions[0].at);
        let is_excused = core.mode == Mode::Wrecked
            || self.left_to_daily >= posted_at
            || core.ledger.may_wait(source)
            || core.ledger.was_hidden(source.issue.get())
            || core.state.is_full(source.issue.get())
            || is_unlisted(core, source)
            || was_locked(core, source.issue.get(), posted_at)
            || !live_checks::is_left(core, source, policy);
        if is_excused {
            return;
        }
        let free_from = core.disturbed_until + LOST_WEBHOOK_TIME;
        if core.disturbed_until >= posted_at && free_from > core.now {
            return core.push(free_from, Scheduled::Check(source));
        }
        let is_at_it = self.runs.values().any(|(_, at, _)| match at.target {
            Target::Thread(issue) => issue == source.issue,
            Target::Recent | Target::Daily => true,
        });
        if is_at_it && core.now < posted_at.max(core.disturbed_until) + MAX_RUN_TIME {
            return core.push(core.now + WEBHOOK_TIME, Scheduled::Check(source));
        }
        let seconds = (core.now - posted_at) / 1000;
        core.violate("late", format!("the servers haven't settled {source:?} after {seconds} seconds"));
    }
}

/// Returns a server's time, which is GitHub's: a server asks for its App before anything else.
fn now(core: &Core) -> Timestamp {
    Timestamp::from_millis(core.now)
}

impl Server {
    /// Wakes the repository for each delivery that may be lost.
    fn look_back(&mut self, look_back: LookBack, deliveries: &[(Millis, bool)], now: Timestamp) {
        for (id, (at, has_arrived)) in (0..).zip(deliveries) {
            let is_listed = Timestamp::from_millis(at + mix(id, 83) % LIST_LAG) <= now;
            let at = Timestamp::from_millis(*at);
            if is_listed && look_back.takes(&mut self.handled, id, at, *has_arrived) {
                self.wakes.add(place(Target::Recent), look_back.wake(at, *has_arrived));
            }
        }
    }
}
