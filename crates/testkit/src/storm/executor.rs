//! The executor: runs a story in real time, with processes that talk HTTP to the story's own server.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::{Duration, Instant, SystemTime};

use crate::Millis;
use protocol::repo_config::Trigger;
use table::decisions::host_policy::HostPolicy;
use tokio::time::sleep;

use super::host;
use super::http_faults::{FaultPlan, Rival};
use super::process::{Process, Setup};
use crate::simulator::core::Core;
use crate::simulator::live_checks;
use crate::simulator::schedule::{beginning, repo_config};
use crate::simulator::story::{Mode, Story};

/// The interval at which ended processes are collected.
pub(super) const TICK: Duration = Duration::from_millis(40);

/// The state of a running story, on one thread.
pub(super) struct Executor {
    pub core: RefCell<Core>,
    pub fault_plan: FaultPlan,
    pub seed: u64,
    pub calm: bool,
    pub fault_counts: RefCell<BTreeMap<&'static str, u32>>,
    /// Runs that are killed or about to be. Their further requests are dropped.
    pub doomed: RefCell<BTreeSet<u32>>,
    /// The number of requests in flight.
    pub in_flight: Cell<u32>,
    pub policy: HostPolicy,
    pub setup: Setup,
    pub runs: RefCell<BTreeMap<u32, Process>>,
    pub outputs: RefCell<Vec<String>>,
    pub begin: Instant,
    pub epoch: Millis,
}

impl Executor {
    pub(super) fn new(story: &Story, fault_plan: FaultPlan, setup: Setup) -> Executor {
        let epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let core = Core::new(story, beginning(story), true);
        Executor {
            core: RefCell::new(core),
            fault_plan,
            seed: story.seed,
            calm: story.mode == Mode::Calm,
            fault_counts: RefCell::default(),
            doomed: RefCell::default(),
            in_flight: Cell::new(0),
            policy: repo_config(story).policy,
            setup,
            runs: RefCell::default(),
            outputs: RefCell::default(),
            begin: Instant::now(),
            epoch: Millis::try_from(epoch.as_millis()).expect("a time"),
        }
    }

    /// Advances the time. No two events share a millisecond, so the ledger's order is unambiguous.
    pub(super) fn tick(&self) {
        let real = self.epoch + Millis::try_from(self.begin.elapsed().as_millis()).expect("a short story");
        let mut core = self.core.borrow_mut();
        core.now = real.max(core.now + 1);
        core.state.now = core.now;
    }

    /// Records an applied request, and lets someone else commit right after it.
    pub(super) fn after_request(&self, rival: Option<Rival>) {
        self.core.borrow_mut().changed();
        if let Some(rival) = rival {
            self.tick();
            host::rival(&mut self.core.borrow_mut(), rival);
        }
    }

    /// Counts a fault.
    pub(super) fn count_fault(&self, name: &'static str) {
        *self.fault_counts.borrow_mut().entry(name).or_default() += 1;
    }

    pub(super) fn begin(&self, run: u32, trigger: Trigger, job: Duration) {
        let mut core = self.core.borrow_mut();
        live_checks::run_begins(&mut core, run, trigger, &self.policy);
        let process = self.setup.start(&core, run, trigger, Instant::now() + job);
        self.runs.borrow_mut().insert(run, process);
    }

    /// Kills a run's process.
    pub(super) fn kill(&self, run: u32) {
        self.doomed.borrow_mut().insert(run);
        if let Some(process) = self.runs.borrow_mut().get_mut(&run) {
            process.kill();
            self.tick();
            self.core.borrow_mut().trace(|| format!("   run {run} is killed"));
        }
    }

    /// Waits until all processes have ended.
    pub(super) async fn wait_for_all(&self) {
        while !self.runs.borrow().is_empty() {
            sleep(TICK / 2).await;
        }
    }

    pub(super) fn collect_ended(&self) {
        let late: Vec<u32> = {
            let runs = self.runs.borrow();
            let late = runs.iter().filter(|(_, process)| !process.killed && Instant::now() > process.until);
            late.map(|(run, _)| *run).collect()
        };
        for run in late {
            self.count_fault("job stopped");
            self.kill(run);
        }
        let ended: Vec<_> = {
            let mut runs = self.runs.borrow_mut();
            let ended = runs.iter_mut().filter_map(|(run, process)| Some((*run, process.ended()?)));
            let ended: Vec<_> = ended.collect();
            ended.into_iter().filter_map(|(run, end)| Some((run, runs.remove(&run)?, end))).collect()
        };
        for (run, process, end) in ended {
            self.tick();
            let mut core = self.core.borrow_mut();
            let mut output = format!("run {run}, {}:", end.status);
            for (name, text) in [("stdout", &end.out), ("stderr", &end.err), ("summary", &end.summary)] {
                if !text.is_empty() {
                    _ = write!(output, "\n  {name}:\n    {}", text.trim_end().replace('\n', "\n    "));
                }
            }
            self.outputs.borrow_mut().push(output);
            if let (false, Some(why)) = (process.killed, end.wrong()) {
                core.violate("output", format!("run {run} {why}"));
            }
            match end.result {
                Some(result) if !process.killed => live_checks::run_ends(&mut core, run, result, &self.policy),
                _ => core.trace(|| format!("   run {run} ends: {}", end.status)),
            }
            core.ledger.outputs.extend([end.out, end.err, end.summary]);
        }
    }
}
