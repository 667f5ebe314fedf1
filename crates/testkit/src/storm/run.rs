//! Runs a story in real time, with processes that talk HTTP to the story's own server.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use protocol::repo_config::Trigger;
use tokio::time::sleep;

use super::executor::{Executor, TICK};
use super::http_faults::FaultPlan;
use super::process::Setup;
use super::wire;
use crate::simulator::core::Core;
use crate::simulator::people;
use crate::simulator::schedule::SETTLING_RUNS;
use crate::simulator::story::Story;

/// The job timeout of the last sweep.
const LAST_JOB: Duration = Duration::from_secs(240);
/// The pause before the last sweep, when no request is in flight.
const SETTLE_PAUSE: Duration = Duration::from_millis(500);
/// How long a request may stay in flight after its process ended.
const STRAY: Duration = Duration::from_secs(60);

/// The outcome of a story.
pub struct Outcome {
    pub core: Core,
    /// The output of each process.
    pub outputs: Vec<String>,
    /// How often each fault occurred, by name.
    pub fault_counts: BTreeMap<&'static str, u32>,
    pub seconds: f64,
}

/// Runs a story to its end. Blocks meanwhile, mostly asleep.
pub fn run_story(story: &Story, fault_plan: FaultPlan, binary: &Path) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let tasks = tokio::task::LocalSet::new();
    let executor = tasks.block_on(&runtime, run_steps(story, fault_plan, binary));
    // The listening tasks hold references to the executor.
    drop(tasks);
    drop(runtime);
    let executor = Rc::into_inner(executor).expect("all tasks have ended");
    let seconds = executor.begin.elapsed().as_secs_f64();
    drop(std::fs::remove_dir_all(&executor.setup.dir));
    let (core, outputs, fault_counts) =
        (executor.core.into_inner(), executor.outputs.into_inner(), executor.fault_counts.into_inner());
    Outcome { core, outputs, fault_counts, seconds }
}

async fn run_steps(story: &Story, fault_plan: FaultPlan, binary: &Path) -> Rc<Executor> {
    let listener = tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let executor = Rc::new(Executor::new(story, fault_plan, Setup::new(story, binary, url)));
    executor.tick();
    tokio::task::spawn_local(wire::listen(listener, executor.clone()));
    tokio::task::spawn_local(watch_processes(executor.clone()));
    for step in &story.steps {
        if executor.calm {
            executor.wait_for_all().await;
        } else {
            let due = Duration::from_millis(step.at);
            sleep(due.saturating_sub(executor.begin.elapsed())).await;
        }
        executor.tick();
        let trigger = people::act(&mut executor.core.borrow_mut(), step);
        if let Some(trigger) = trigger {
            executor.begin(step.id, trigger, executor.fault_plan.job);
        }
    }
    executor.wait_for_all().await;
    let stray = Instant::now();
    while executor.in_flight.get() > 0 && stray.elapsed() < STRAY {
        sleep(TICK).await;
    }
    sleep(SETTLE_PAUSE).await;
    executor.tick();
    {
        let mut core = executor.core.borrow_mut();
        if executor.in_flight.get() > 0 {
            core.violate("endless", "a request stays in flight forever".to_owned());
        }
        core.trace(|| "all steps are done".to_owned());
        people::repair_all(&mut core);
    }
    // A sweep answers 20 commands per person. Later sweeps settle the rest.
    for run in SETTLING_RUNS..=u32::MAX {
        let before = executor.core.borrow().ledger.settled();
        executor.begin(run, Trigger::Sweep, LAST_JOB);
        executor.wait_for_all().await;
        if executor.core.borrow().ledger.settled() == before {
            break;
        }
    }
    executor
}

/// Collects ended processes and kills those past their timeout.
async fn watch_processes(executor: Rc<Executor>) {
    loop {
        sleep(TICK).await;
        executor.collect_ended();
    }
}
