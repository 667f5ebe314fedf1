//! The walk over all states of a world, breadth first, so that the first violation has a shortest trace.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::time::{Duration, Instant};

use answers::Marker;
use protocol::{RepoConfig, Trigger, table_to_read};
use table::CommentRef;

use crate::Millis;
use crate::calls::{Call, Reply, Response};
use crate::simulator::schedule::repo_config;
use crate::simulator::{Action, people};
use crate::small_worlds::fault::{Fault, MAX_AGE, MAX_DELAY, Old};
use crate::small_worlds::forge::{LiveRun, Next, Round};
use crate::small_worlds::node::{Active, LateCalls, Node, Run, Server, Transition, Way};
use crate::small_worlds::world::{Faults, Found, GRID, Start, entropy, hash};
use crate::small_worlds::{World, fault, judge};
use crate::world::{FailingPart, State};

/// The number of earlier states that a stale read may show.
const EARLIER: usize = 2;
/// The number of runs that are kept to go on without a replay.
const MAX_LIVE: usize = 5_000;

/// The result of a walk.
pub struct Walk {
    pub states: usize,
    /// The steps from one state to another.
    pub steps: usize,
    /// The states in which every run has ended.
    pub ends: usize,
    /// The ends that look different to the checks.
    pub outcomes: usize,
    pub time: Duration,
    /// Whether the walk stopped at its limit.
    pub is_cut: bool,
    pub violation: Option<Found>,
}

impl Walk {
    /// Returns the violation as a story, line by line; `None` if there is none.
    pub fn story_of_violation(&self) -> Option<String> {
        let Found { steps, wrong, trace } = self.violation.as_ref()?;
        Some(format!("{}\nafter {steps} steps: {} ({})", trace.join("\n"), wrong[0].what, wrong[0].kind))
    }
}

/// A world to walk.
pub struct Walker {
    start: Start,
    config: Rc<RepoConfig>,
    faults: Faults,
    max_delay: Millis,
    /// The next step of a run, by the hash of what it has seen.
    next: HashMap<u128, Rc<Next>>,
    /// Runs that are kept alive, by the same hash, so that they needn't be replayed.
    live: HashMap<u128, LiveRun>,
}

impl Walker {
    pub fn new(world: &World) -> Walker {
        let start = Start::new(world);
        let config = Rc::new(repo_config(&start.story));
        Walker {
            start,
            config,
            faults: world.faults,
            max_delay: world.max_delay,
            next: HashMap::new(),
            live: HashMap::new(),
        }
    }

    /// Walks all states, or as many as `limit`.
    pub fn walk(mut self, limit: usize) -> Walk {
        let begin = Instant::now();
        let mut walk =
            Walk { states: 0, steps: 0, ends: 0, outcomes: 0, time: Duration::ZERO, is_cut: false, violation: None };
        let (mut seen, mut judged) = (HashSet::new(), HashSet::new());
        let mut queue = VecDeque::from([self.first()]);
        let mut children = Vec::new();
        while let Some(node) = queue.pop_front() {
            walk.states += 1;
            self.expand(&node, &mut children);
            if children.is_empty() {
                walk.ends += 1;
                if judged.insert(node.outcome_key()) {
                    walk.outcomes += 1;
                    walk.violation = judge::find_violation(&self.start, node.way.as_ref());
                }
            }
            walk.is_cut = walk.states >= limit;
            if walk.violation.is_some() || walk.is_cut {
                break;
            }
            walk.steps += children.len();
            queue.extend(children.drain(..).filter(|child| seen.insert(child.key())));
        }
        walk.time = begin.elapsed();
        walk
    }

    fn first(&self) -> Node {
        Node {
            now: self.start.base.now,
            server: Server::new(self.start.base.state.clone()),
            earlier: Vec::new(),
            runs: vec![Run::Waiting; self.start.runs.len()],
            steps: 0,
            places: Rc::new(self.start.base.ledger.places.clone()),
            had_fault: self.faults == Faults::None,
            late: None,
            order: 0,
            claims: 0,
            way: None,
        }
    }

    /// Adds the states that follow a state.
    fn expand(&mut self, node: &Node, children: &mut Vec<Node>) {
        self.post(node, children);
        for run in 0..node.runs.len() {
            self.send(node, run, children);
        }
        self.apply_late(node, children);
        self.end_pause(node, children);
    }

    /// Whether time can pass until then without exceeding the longest time of a write. Reads take no time.
    fn may_pass(&self, node: &Node, until: Millis) -> bool {
        node.runs.iter().all(|run| {
            let Run::Active(active) = run else { return true };
            let Next::Calls(calls) = &*active.next else { return true };
            node.now == until || !calls.iter().all(Call::is_read) && active.since + self.max_delay >= until
        })
    }

    /// Advances the time. Late requests that haven't taken effect by then never do.
    fn pass(node: &mut Node, until: Millis) {
        node.now = until;
        node.earlier.retain(|(newest_until, _)| newest_until + MAX_AGE >= until);
        node.late.take_if(|late| late.since + MAX_DELAY < until);
    }

    /// The next person writes.
    fn post(&self, node: &Node, children: &mut Vec<Node>) {
        let Some(at) = self.start.people.get(node.steps) else { return };
        let time = node.now + GRID;
        if !self.may_pass(node, time) {
            return;
        }
        let mut child = node.clone();
        Walker::pass(&mut child, time);
        child.steps += 1;
        let mut core = self.start.base.fork();
        core.state = node.server.state.clone();
        (core.now, core.state.now) = (time, time);
        people::act(&mut core, &self.start.story.steps[*at]);
        let posted = core.ledger.places.into_iter();
        Rc::make_mut(&mut child.places).extend(posted);
        Walker::replace(&mut child, core.state);
        child.order = hash(&(child.order, "comment", child.server.hash));
        child.way = Walker::way(node, Transition::Step { at: *at }, time, None);
        children.push(child);
    }

    fn way(node: &Node, transition: Transition, now: Millis, end: Option<Result<(), String>>) -> Option<Rc<Way>> {
        Some(Rc::new(Way { transition, now, end, before: node.way.clone() }))
    }

    fn replace(node: &mut Node, state: State) {
        let before = std::mem::replace(&mut node.server, Server::new(state));
        if before.hash != node.server.hash {
            node.earlier.insert(0, (node.now, before));
            node.earlier.truncate(EARLIER);
        }
    }

    /// A run sends its requests, with every fault that they can meet.
    fn send(&mut self, node: &Node, run: usize, children: &mut Vec<Node>) {
        let (active, trigger) = match &node.runs[run] {
            Run::Gone { .. } => return,
            Run::Active(active) => (active.clone(), None),
            Run::Waiting => {
                let Some(trigger) = self.trigger(node, run) else { return };
                (self.begin(run, trigger, node.now), Some(trigger))
            }
        };
        let Next::Calls(calls) = &*active.next else { return };
        let mut faults = vec![None];
        if !node.had_fault {
            faults.extend(Fault::all_for(calls, self.faults == Faults::All).into_iter().map(Some));
            if let [Call::Read { .. }] = calls.as_slice() {
                faults.extend(stale_reads(node).into_iter().map(Some));
            }
        } else if let [Call::Find(_)] = calls.as_slice() {
            faults.extend(stale_lookup(node, run).map(Some));
        }
        for fault in faults {
            self.send_with(node, run, &active, trigger, fault, children);
        }
    }

    fn send_with(
        &mut self,
        node: &Node,
        run: usize,
        active: &Active,
        trigger: Option<Trigger>,
        fault: Option<Fault>,
        children: &mut Vec<Node>,
    ) {
        let Next::Calls(calls) = &*active.next else { return };
        let mut child = node.clone();
        child.had_fault |= fault.is_some();
        let responses = fault::send(calls, fault.as_ref(), |call, stale, part| match stale {
            Some(state) => call.look(state),
            None => Walker::serve(&mut child, call, part),
        });
        if let Some(Fault::Late) = fault {
            child.late = Some(LateCalls { run, calls: active.next.clone(), since: node.now });
        }
        let mut end = None;
        child.runs[run] = match responses {
            None => Run::Gone { left: false },
            Some(responses) => {
                let after = self.resume(run, active, node.now, responses);
                if let Next::End(result) = &*after.next {
                    end = Some(result.clone());
                }
                after_round(&child, after)
            }
        };
        child.way =
            Walker::way(node, Transition::Round { run, trigger, calls: active.next.clone(), fault }, node.now, end);
        children.push(child);
    }

    fn serve(node: &mut Node, call: &Call, part: Option<FailingPart>) -> Response {
        if call.is_read() {
            return call.look(&node.server.state);
        }
        let mut state = node.server.state.clone();
        (state.now, state.failing_part) = (node.now, part);
        let response = call.apply(&mut state);
        state.failing_part = None;
        Walker::replace(node, state);
        node.record_order(call);
        response
    }

    /// Late requests take effect.
    fn apply_late(&self, node: &Node, children: &mut Vec<Node>) {
        let Some(LateCalls { run, calls, .. }) = &node.late else { return };
        let mut child = node.clone();
        child.late = None;
        let Next::Calls(requests) = &**calls else { return };
        requests.iter().for_each(|call| _ = Walker::serve(&mut child, call, None));
        child.way = Walker::way(node, Transition::Late { run: *run, calls: calls.clone() }, node.now, None);
        children.push(child);
    }

    /// Ends the pause that is over first.
    fn end_pause(&mut self, node: &Node, children: &mut Vec<Node>) {
        let pauses = node.runs.iter().enumerate().filter_map(|(run, state)| match state {
            Run::Active(active) => match &*active.next {
                Next::Pause(time) => Some(((active.since + time).next_multiple_of(GRID), run)),
                _ => None,
            },
            _ => None,
        });
        let Some((until, run)) = pauses.min() else { return };
        let until = until.max(node.now);
        let Run::Active(active) = &node.runs[run] else { return };
        if !self.may_pass(node, until) {
            return;
        }
        let after = self.resume(run, active, until, vec![Ok(Reply::Done)]);
        let end = if let Next::End(result) = &*after.next { Some(result.clone()) } else { None };
        let mut child = node.clone();
        Walker::pass(&mut child, until);
        child.runs[run] = after_round(&child, after);
        child.way = Walker::way(node, Transition::Wake { run }, until, end);
        children.push(child);
    }

    /// Returns the trigger of a run; `None` if its event can't arrive yet.
    fn trigger(&self, node: &Node, run: usize) -> Option<Trigger> {
        let at = self.start.runs[run];
        match &self.start.story.steps[at].action {
            Action::StartRun { comment, .. } => {
                let source = *node.places.get(comment)?;
                let text = |source: CommentRef| node.server.state.note(source).map(|note| note.text.clone());
                let comment = if source.is_body() { None } else { text(source) };
                let body = text(CommentRef::body_of(source.issue)).unwrap_or_default();
                Some(Trigger::Comment { source, table: table_to_read(&body, comment.as_deref()) })
            }
            _ => {
                (self.start.people.iter().filter(|other| **other < at).count() <= node.steps).then_some(Trigger::Sweep)
            }
        }
    }

    fn begin(&mut self, run: usize, trigger: Trigger, now: Millis) -> Active {
        let hash = hash(&(run, trigger, now));
        let next = self.next.get(&hash).cloned().unwrap_or_else(|| {
            let (live, next) = LiveRun::begin(&self.config, trigger, entropy(run), now);
            self.keep(hash, live, next)
        });
        Active { trigger, begin: now, rounds: Vec::new(), hash, next, since: now }
    }

    /// Returns a run after more responses.
    fn resume(&mut self, run: usize, active: &Active, now: Millis, responses: Vec<Response>) -> Active {
        let mut after = active.clone();
        after.hash = hash(&(active.hash, now, &responses));
        after.rounds.push(Rc::new(Round { at: now, responses }));
        after.since = now;
        after.next = self.next.get(&after.hash).cloned().unwrap_or_else(|| {
            let live = self.live.remove(&active.hash);
            let mut live = live.unwrap_or_else(|| {
                let (mut live, _) = LiveRun::begin(&self.config, active.trigger, entropy(run), active.begin);
                active.rounds.iter().for_each(|round| _ = live.resume(round));
                live
            });
            let next = live.resume(after.rounds.last().expect("just added"));
            self.keep(after.hash, live, next)
        });
        after
    }

    fn keep(&mut self, hash: u128, live: LiveRun, next: Next) -> Rc<Next> {
        let next = Rc::new(next);
        self.next.insert(hash, next.clone());
        if self.live.len() >= MAX_LIVE {
            self.live.clear();
        }
        self.live.insert(hash, live);
        next
    }
}

/// Returns the stale reads that are possible now.
fn stale_reads(node: &Node) -> Vec<Fault> {
    let mut faults = Vec::new();
    let current = &node.server.state;
    for (_, server) in &node.earlier {
        let old = &server.state;
        for part in [Old::Threads, Old::Branch, Old::Both] {
            let mut state = if part == Old::Branch { current.clone() } else { old.clone() };
            let branches = if part == Old::Threads { &current.branches } else { &old.branches };
            state.branches.clone_from(branches);
            state.commits.clone_from(&current.commits);
            let is_new = part == Old::Branch && old.branches == current.branches;
            let is_same = part == Old::Both && old.branches == current.branches;
            if !is_new && !is_same {
                faults.push(Fault::Stale(Rc::new(state), part));
            }
        }
    }
    faults
}

/// Returns the stale lookup that may follow a stale read of the same run: neither shows what the other lacks.
fn stale_lookup(node: &Node, run: usize) -> Option<Fault> {
    match &node.way.as_ref()?.transition {
        Transition::Round { run: last, fault: Some(Fault::Stale(state, Old::Threads | Old::Both)), .. }
            if *last == run =>
        {
            Some(Fault::Stale(state.clone(), Old::Threads))
        }
        _ => None,
    }
}

fn after_round(node: &Node, after: Active) -> Run {
    let Next::End(result) = &*after.next else { return Run::Active(after) };
    let Trigger::Comment { source, .. } = after.trigger else { return Run::Gone { left: false } };
    Run::Gone { left: result.is_ok() && !is_settled(&node.server.state, source) }
}

/// Whether a comment was applied, claimed or answered.
fn is_settled(state: &State, source: CommentRef) -> bool {
    let answers = state.issues.get(&source.issue.get()).into_iter().flat_map(|issue| &issue.comments);
    let is_answered = || {
        let mut markers = answers.filter_map(|note| Marker::parse(&note.text));
        markers.any(|marker| marker.source == source)
    };
    let needle = format!("\"source\": {{ \"issue\": {}, \"comment\": {} }}", source.issue, source.comment);
    let mut files = state.head_files().into_iter().flat_map(BTreeMap::values);
    let is_claimed = state.reactions.iter().any(|(claimed, _, _)| *claimed == source);
    is_claimed || is_answered() || files.any(|text| text.contains(&needle))
}
