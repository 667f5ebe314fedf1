//! The executor: runs a story in virtual time, from its first step to the last sweep.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Waker};

use crate::Millis;
use crate::calls::CallForge;
use protocol::settle::settle_with_ledger;
use protocol::{Ledger, RepoConfig, SettleError, Trigger};
use table::{HostPolicy, WhoMayStart, dice, engine};

use crate::simulator::core::{BEGIN, Scheduled};
use crate::simulator::forge::SimulatedForge;
use crate::simulator::rng::mix;
use crate::simulator::servers::Servers;
use crate::simulator::{Core, Story, foreign, live_checks, people};
use crate::world;
use crate::world::State;

/// The dice secret. No output may contain it.
pub const SECRET: &str = "a secret that nobody ever gets to see";
/// The workflow's job timeout, in milliseconds.
const TIMEOUT: Millis = 10 * 60_000;
/// The pause before the last sweep, in milliseconds.
const SETTLE_PAUSE: Millis = 60_000;
const DAY: Millis = 24 * 60 * 60_000;
/// The number of the first sweep after all steps. These sweeps meet no faults.
pub const SETTLING_RUNS: u32 = u32::MAX - 1_000;
/// The maximum number of these sweeps; more are a violation.
pub const MAX_SETTLING_RUNS: u32 = 60;
/// The maximum number of events of a story; more are a violation.
const MAX_EVENTS: u32 = 300_000;

type Run = Pin<Box<dyn Future<Output = (Result<(), SettleError>, Ledger)>>>;

/// Returns the configuration of a story's repository.
pub fn repo_config(story: &Story) -> RepoConfig {
    let mut config = world::default_config();
    // Stories with clocks last for weeks, and the checks expect an answer to every comment.
    config.sweep_days = 400;
    config.policy = HostPolicy {
        games: Vec::new(),
        only_labels: if story.setting.needs_label { vec![people::LABEL.to_owned()] } else { Vec::new() },
        opening: if story.setting.lets_anyone_open { WhoMayStart::Anyone } else { WhoMayStart::Author },
        dice_secret: if story.setting.has_dice_secret {
            Some(dice::parse_secret(SECRET).expect("a long secret"))
        } else {
            None
        },
        close_finished: true,
        minimize_boards: true,
        assign_turns: story.assigns_turns(),
        has_reactions: true,
    };
    if story.setting.switches_account {
        // The account that it had before. The workflow's own token needs no word.
        config.bots.push("alice".to_owned());
    }
    if let (Some(web), true) = (&mut config.web, story.setting.has_state_branch) {
        web.branch = Some("play".to_owned());
    }
    config
}

/// Returns a story's repository before the first step.
pub fn beginning(story: &Story) -> State {
    let mut state = State::new();
    state.now = BEGIN;
    let page = ("README.md".to_owned(), people::PAGE.to_owned());
    state.land("main", &foreign::files(story).chain([page]).collect::<Vec<_>>(), "A page", "");
    state.branch = if story.setting.has_state_branch { Some("play".to_owned()) } else { None };
    state.full = story.setting.max_comments;
    if story.setting.needs_label {
        state.labels.insert(people::LABEL.to_owned());
    }
    for login in ["alice", "bob", "carol"] {
        state.person(login);
    }
    state.person("host").add_as_collaborator();
    state.longest_reply = story.setting.max_reply_bytes;
    state.is_of_organization = story.is_in_organization();
    state.deletion_delay = story.deletion_delay();
    if state.is_of_organization {
        // A private member can push, and looks like a stranger. carol can only read, like most members.
        state.person("host").association = "NONE";
        state.person("carol").association = "MEMBER";
    }
    if story.setting.uses_token_of_player {
        "alice".clone_into(&mut state.bot);
    }
    state
}

/// Runs a story to its end, with a trace if `trace` is set.
pub fn run_story(story: &Story, trace: bool) -> Core {
    finish(story, run_steps(story, trace))
}

/// Runs a story until its steps are done and its runs have ended.
pub fn run_steps(story: &Story, trace: bool) -> Core {
    let mut executor = Executor::new(story, Core::new(story, beginning(story), trace));
    for (at, step) in story.steps.iter().enumerate() {
        executor.core.borrow_mut().push(BEGIN + step.at, Scheduled::Step(at));
    }
    executor.play(story);
    executor.into_core()
}

/// Repairs everything, and runs sweeps until one has nothing to do.
pub fn finish(story: &Story, mut core: Core) -> Core {
    core.now += SETTLE_PAUSE;
    core.state.now = core.now;
    core.trace(|| "all steps are done".to_owned());
    people::repair_all(&mut core);
    if story.setting.switches_account {
        "host".clone_into(&mut core.state.bot);
        core.trace(|| "the bot runs as host from now on".to_owned());
    }
    let mut executor = Executor::new(story, core);
    // A sweep answers 20 commands per person and has three minutes per issue. Later sweeps settle the rest.
    let settles_all = (SETTLING_RUNS..).take(MAX_SETTLING_RUNS as usize).any(|run| {
        let before = executor.core.borrow().ledger.settled();
        executor.begin(run, Trigger::Sweep);
        executor.play(story);
        executor.core.borrow().ledger.settled() == before
    });
    if !settles_all {
        executor.core.borrow_mut().violate("endless", "the sweeps do not end".to_owned());
    }
    // The game of a deleted issue ends after a week.
    let is_missing = |core: &Core| {
        core.ledger.vanished.keys().any(|issue| core.file(&format!("state/running/{issue}.json")).is_some())
    };
    let days = if is_missing(&executor.core.borrow()) { 8 } else { 0 };
    for day in 0..days {
        {
            let mut core = executor.core.borrow_mut();
            core.now += DAY;
            core.state.now = core.now;
        }
        executor.begin(SETTLING_RUNS + 500 + day, Trigger::Sweep);
        executor.play(story);
    }
    executor.into_core()
}

struct Executor {
    core: Rc<RefCell<Core>>,
    config: Rc<RepoConfig>,
    runs: BTreeMap<u32, Run>,
    /// The servers that play; `None` if a workflow does.
    servers: Option<Servers>,
    left: u32,
}

impl Executor {
    fn new(story: &Story, core: Core) -> Executor {
        Executor {
            core: Rc::new(RefCell::new(core)),
            config: Rc::new(repo_config(story)),
            runs: BTreeMap::new(),
            servers: Servers::new(story),
            left: MAX_EVENTS,
        }
    }

    fn into_core(self) -> Core {
        let Executor { core, runs, .. } = self;
        drop(runs);
        Rc::into_inner(core).expect("every run has ended").into_inner()
    }

    fn play(&mut self, story: &Story) {
        loop {
            let due = self.core.borrow_mut().pop();
            let Some(due) = due else { return };
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                self.core.borrow_mut().violate("endless", "the story does not end".to_owned());
                self.runs.clear();
                return;
            }
            match due {
                Scheduled::Step(at) => {
                    let step = &story.steps[at];
                    let trigger = people::act(&mut self.core.borrow_mut(), step);
                    let starts_run = match &mut self.servers {
                        Some(servers) => {
                            let (killed, starts_run) =
                                servers.perform(&mut self.core.borrow_mut(), story, step, trigger);
                            killed.iter().for_each(|run| drop(self.runs.remove(run)));
                            starts_run
                        }
                        None => true,
                    };
                    if let Some(trigger) = trigger.filter(|_| starts_run) {
                        self.begin(step.id, trigger);
                    }
                }
                Scheduled::Change(change) => change(&mut self.core.borrow_mut()),
                Scheduled::Poll(run) => self.poll(run),
                Scheduled::Kill(run) => self.kill(story, run),
                Scheduled::Server(server, event) => {
                    let servers = self.servers.as_mut();
                    servers.into_iter().for_each(|servers| servers.act(&mut self.core.borrow_mut(), server, event));
                }
                Scheduled::Check(source) => {
                    let servers = self.servers.iter();
                    let core = &mut self.core.borrow_mut();
                    servers.for_each(|servers| servers.check(core, source, &self.config.policy));
                }
            }
            self.begin_due();
        }
    }

    /// Starts the runs that are due at the servers.
    fn begin_due(&mut self) {
        while let Some(servers) = &mut self.servers {
            let due = servers.take_due(&mut self.core.borrow_mut());
            if due.is_empty() {
                return;
            }
            due.into_iter().for_each(|(run, trigger)| self.begin(run, trigger));
        }
    }

    /// Kills a run, and its server with all others.
    fn kill(&mut self, story: &Story, run: u32) {
        if self.runs.remove(&run).is_none() {
            return;
        }
        let mut core = self.core.borrow_mut();
        core.trace(|| format!("   run {run} is killed"));
        if let Some(servers) = &mut self.servers
            && let Some(server) = servers.server_of(run)
        {
            let down = 500 + mix(mix(story.seed, u64::from(run)), 91) % 40_000;
            servers.kill(&mut core, server, down).iter().for_each(|run| drop(self.runs.remove(run)));
        }
    }

    fn begin(&mut self, run: u32, trigger: Trigger) {
        let (forge, config) = (CallForge(SimulatedForge::new(&self.core, run)), self.config.clone());
        {
            let mut core = self.core.borrow_mut();
            live_checks::run_begins(&mut core, run, trigger, &self.config.policy);
            let until = core.now + TIMEOUT;
            // A server's run ends when it makes no progress.
            if run < SETTLING_RUNS && self.servers.as_ref().is_none_or(|servers| servers.server_of(run).is_none()) {
                core.push(until, Scheduled::Kill(run));
            }
        }
        let settling = async move {
            let mut ledger = Ledger::default();
            let settled = settle_with_ledger(&forge, &config, trigger, &mut ledger).await;
            (settled.map(drop), ledger)
        };
        self.runs.insert(run, Box::pin(settling));
        self.poll(run);
    }

    fn poll(&mut self, run: u32) {
        let Some(future) = self.runs.get_mut(&run) else { return };
        let before = engine::search_count();
        let polled = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        *self.core.borrow_mut().ledger.searches.entry(run).or_default() += engine::search_count() - before;
        if let std::task::Poll::Ready((settled, ledger)) = polled {
            self.runs.remove(&run);
            let mut core = self.core.borrow_mut();
            let end = settled.as_ref().copied().map_err(|error| format!("{error:#}"));
            live_checks::run_ends(&mut core, run, end, &self.config.policy);
            if let Some(servers) = &mut self.servers {
                servers.finish(&mut core, run, settled.as_ref().copied(), &ledger);
            }
        }
    }
}
