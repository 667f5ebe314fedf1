//! Judges the end of a walk with the simulator's checks: repeats its steps with a ledger, and lets sweeps settle the rest.

use std::rc::Rc;

use table::HostPolicy;

use crate::calls::{Call, Response};
use crate::simulator::core::brief;
use crate::simulator::{Core, InjectedFault, Story, TimedFault, checks, live_checks, people, schedule};
use crate::small_worlds::fault;
use crate::small_worlds::fault::{Fault, MAX_AGE};
use crate::small_worlds::forge::Next;
use crate::small_worlds::node::{Transition, Way};
use crate::small_worlds::world::{Found, Start, entropy};
use crate::world::State;

/// Returns the violations at the end of a way, with the trace; `None` if there are none.
pub(crate) fn find_violation(start: &Start, way: Option<&Rc<Way>>) -> Option<Found> {
    let core = judge(start, way, false);
    if core.ledger.violations.is_empty() {
        return None;
    }
    let core = judge(start, way, true);
    let trace = core.ledger.trace.unwrap_or_default();
    Some(Found { steps: Way::steps(way).len(), wrong: core.ledger.violations, trace })
}

fn judge(start: &Start, way: Option<&Rc<Way>>, trace: bool) -> Core {
    let mut core = start.base.fork();
    core.ledger.trace = trace.then(Vec::new);
    let mut story = start.story.clone();
    let policy = schedule::repo_config(&start.story).policy;
    let mut retaking = Retaking { start, core: &mut core, policy };
    for step in Way::steps(way) {
        retaking.take(step);
        if let Transition::Round { run, fault: Some(Fault::Stale(..)), .. } = &step.transition {
            add_stale_read(&mut story, start.runs[*run]);
        }
    }
    let mut core = schedule::finish(&story, core);
    checks::check(&story, &mut core);
    core
}

/// Tells the checks how old a read can be.
fn add_stale_read(story: &mut Story, at: usize) {
    if let Some(faults) = story.steps[at].action.faults_mut() {
        faults.push(InjectedFault { request: 0, fault: TimedFault::Stale { threads: MAX_AGE, head: MAX_AGE } });
    }
}

struct Retaking<'a> {
    start: &'a Start,
    core: &'a mut Core,
    policy: HostPolicy,
}

impl Retaking<'_> {
    fn take(&mut self, way: &Way) {
        // Each step has its own time, so that the checks see their order.
        let now = way.now.max(self.core.now + 1);
        (self.core.now, self.core.state.now) = (now, way.now);
        match &way.transition {
            Transition::Step { at } => _ = people::act(self.core, &self.start.story.steps[*at]),
            Transition::Round { run, trigger, calls, fault } => {
                let id = self.start.id(*run);
                if let Some(trigger) = trigger {
                    live_checks::run_begins(self.core, id, *trigger, &self.policy);
                }
                let Next::Calls(calls) = &**calls else { return };
                if let Some(fault) = fault {
                    self.core.trace(|| format!("   run {id}: {:?} meets {}", calls[0].kind(), fault.name()));
                }
                let sent = fault::send(calls, fault.as_ref(), |call, stale, part| {
                    self.core.state.failing_part = part;
                    let response = serve(self.core, *run, id, call, stale);
                    self.core.state.failing_part = None;
                    response
                });
                if sent.is_none() {
                    self.core.trace(|| format!("   run {id} is killed"));
                }
            }
            Transition::Late { run, calls } => {
                let id = self.start.id(*run);
                let Next::Calls(calls) = &**calls else { return };
                self.core.trace(|| format!("   run {id}: the lost request takes effect"));
                calls.iter().for_each(|call| _ = serve(self.core, *run, id, call, None));
            }
            Transition::Wake { run } => {
                let id = self.start.id(*run);
                self.core.trace(|| format!("   run {id} wakes up"));
            }
        }
        if let (Some(end), Transition::Round { run, .. } | Transition::Wake { run }) = (&way.end, &way.transition) {
            live_checks::run_ends(self.core, self.start.id(*run), end.clone(), &self.policy);
        }
    }
}

/// Serves a request as the simulator's forge does, and records it for the checks.
fn serve(core: &mut Core, run: usize, id: u32, call: &Call, stale: Option<&State>) -> Response {
    core.ledger.requests.entry(id).or_default().extend(call.kind());
    let response = core.serve(id, call, stale, entropy(run));
    if !call.is_read() {
        core.changed();
    }
    core.trace(|| {
        let kind = call.kind().map_or(String::new(), |kind| format!("{kind:?} "));
        format!("   run {id}: {kind}{} -> {}", call.about(), brief(&response))
    });
    response
}
