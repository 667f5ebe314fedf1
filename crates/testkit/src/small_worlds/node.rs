//! A state of the walk: GitHub, the runs, and the way there.

use std::collections::BTreeMap;
use std::rc::Rc;

use protocol::Trigger;
use table::CommentRef;

use crate::Millis;
use crate::calls::Call;
use crate::small_worlds::fault::Fault;
use crate::small_worlds::forge::{Next, Round};
use crate::small_worlds::world::hash;
use crate::world::State;

/// GitHub's data, and its hash without the time.
pub(crate) struct Server {
    pub state: State,
    pub hash: u128,
}

impl Server {
    pub(crate) fn new(state: State) -> Rc<Server> {
        let State { people, bot, issues, reactions, branches, labels, .. } = &state;
        let hash = hash(&(people, bot, issues, reactions, branches, labels));
        Rc::new(Server { state, hash })
    }
}

/// A run of the walk.
#[derive(Clone)]
pub(crate) enum Run {
    /// Its event hasn't arrived.
    Waiting,
    Active(Active),
    /// It ended or was killed. `left`: whether it succeeded without settling the comment that triggered it.
    Gone {
        left: bool,
    },
}

/// A run between two requests.
#[derive(Clone)]
pub(crate) struct Active {
    pub trigger: Trigger,
    pub begin: Millis,
    pub rounds: Vec<Rc<Round>>,
    /// The hash of the trigger, the times and the responses.
    pub hash: u128,
    pub next: Rc<Next>,
    /// When the run began to wait.
    pub since: Millis,
}

/// Requests that take effect after their run has given them up.
#[derive(Clone)]
pub(crate) struct LateCalls {
    pub run: usize,
    pub calls: Rc<Next>,
    pub since: Millis,
}

/// One step of the walk.
#[derive(Clone)]
pub(crate) enum Transition {
    /// A person's step of the story.
    Step { at: usize },
    /// A run sends its requests.
    Round { run: usize, trigger: Option<Trigger>, calls: Rc<Next>, fault: Option<Fault> },
    /// Late requests take effect.
    Late { run: usize, calls: Rc<Next> },
    /// A run's pause is over.
    Wake { run: usize },
}

/// The steps to a state: the last one, its time, and how its run ended.
pub(crate) struct Way {
    pub transition: Transition,
    pub now: Millis,
    /// How the run ended, if it did.
    pub end: Option<Result<(), String>>,
    pub before: Option<Rc<Way>>,
}

impl Way {
    /// Returns the steps to a state, first to last.
    pub(crate) fn steps(way: Option<&Rc<Way>>) -> Vec<&Way> {
        let mut steps = Vec::new();
        let mut next = way;
        while let Some(way) = next {
            steps.push(&**way);
            next = way.before.as_ref();
        }
        steps.reverse();
        steps
    }
}

/// A state of the walk.
#[derive(Clone)]
pub(crate) struct Node {
    pub now: Millis,
    pub server: Rc<Server>,
    /// Earlier states, newest first, and until when each was the newest.
    pub earlier: Vec<(Millis, Rc<Server>)>,
    pub runs: Vec<Run>,
    /// The number of people's steps so far, and the comments that they posted.
    pub steps: usize,
    pub places: Rc<BTreeMap<u32, CommentRef>>,
    pub had_fault: bool,
    pub late: Option<LateCalls>,
    /// The hash of the order of commits, answers, deletions and comments. The checks at the end depend on it.
    pub order: u128,
    /// The hash of the times of all claims.
    pub claims: u128,
    pub way: Option<Rc<Way>>,
}

impl Node {
    /// Returns the hash of everything that the future depends on.
    pub(crate) fn key(&self) -> u128 {
        let runs: Vec<_> = self.runs.iter().map(run_key).collect();
        let earlier: Vec<_> = self.earlier.iter().map(|(until, server)| (until, server.hash)).collect();
        let earlier = if self.had_fault { Vec::new() } else { earlier };
        let late = self.late.as_ref().map(|late| (late.since, hash(&late.calls)));
        hash(&(self.now, self.server.hash, runs, self.steps, self.had_fault, earlier, late, self.order, self.claims))
    }

    /// Returns the hash of everything that the checks at the end depend on.
    pub(crate) fn outcome_key(&self) -> u128 {
        let left: Vec<_> = self.runs.iter().map(|run| matches!(run, Run::Gone { left: true })).collect();
        hash(&(self.server.hash, self.order, self.claims, left))
    }

    /// Records a request that changed the server.
    pub(crate) fn record_order(&mut self, call: &Call) {
        match call {
            Call::React(source, _) => {
                self.claims = self.claims.wrapping_add(hash(&(source, self.now / 1000)));
            }
            Call::Commit(_) | Call::Answer(_) | Call::Delete(_) => {
                self.order = hash(&(self.order, call.kind(), self.server.hash));
            }
            _ => {}
        }
    }
}

fn run_key(run: &Run) -> (u8, u128) {
    match run {
        Run::Waiting => (0, 0),
        Run::Active(active) => (1, active.hash),
        Run::Gone { left } => (2, u128::from(*left)),
    }
}
