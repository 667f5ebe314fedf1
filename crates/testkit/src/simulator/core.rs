//! GitHub in virtual time: the event queue, the repository's data, and a ledger of everything that the checks inspect.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use crate::Millis;
use protocol::{
    Change, ClaimOutcome, Comment, CommitOutcome, Head, HostError, Reaction, RequestError, Snapshot, Update,
};
use table::{CommentRef, Entropy, Oid};

use crate::calls::{Call, Reply, Response};
use crate::simulator::live_checks;
use crate::simulator::rng::mix;
use crate::simulator::servers::ServerEvent;
use crate::simulator::table_history::issue_of;
use crate::simulator::{InjectedFault, Mode, Story, TimedFault};
use crate::world::{FailingPart, Issue, Request, State, numbers};

/// The start of virtual time.
pub(crate) const BEGIN: Millis = 1_760_000_000_000;

/// A scheduled event.
pub enum Scheduled {
    /// Perform the step of the story with this index.
    Step(usize),
    /// Apply a request, or deliver its response.
    Change(Box<dyn FnOnce(&mut Core)>),
    /// Poll a run.
    Poll(u32),
    /// Kill a run.
    Kill(u32),
    /// A server does something.
    Server(usize, ServerEvent),
    /// Check that the servers have settled a command.
    Check(CommentRef),
}

/// Reports a violation: its kind and a description.
pub(crate) type Violate<'a> = dyn FnMut(&'static str, String) + 'a;

/// A violated check: its short name, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub kind: &'static str,
    pub what: String,
}

/// A version of a comment's text.
#[derive(Clone, Debug)]
pub struct CommentVersion {
    /// When it was written, to the millisecond.
    pub at: Millis,
    /// Its timestamp on GitHub.
    pub time: Millis,
    /// `None` if the comment was deleted.
    pub text: Option<String>,
}

/// A person's comment, with its edits.
#[derive(Clone, Debug)]
pub struct PostedComment {
    pub login: String,
    pub versions: Vec<CommentVersion>,
}

impl PostedComment {
    /// Returns the texts of all versions.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.versions.iter().filter_map(|version| version.text.as_deref())
    }

    /// Whether its author, or a maintainer, edited or deleted it.
    pub fn was_changed(&self) -> bool {
        self.versions.len() > 1
    }
}

/// A commit that a run landed.
#[derive(Clone)]
pub struct LandedCommit {
    pub at: Millis,
    pub run: u32,
    pub oid: String,
    pub entropy: Entropy,
}

/// An answer that a run posted.
#[derive(Clone)]
pub struct PostedAnswer {
    pub at: Millis,
    pub run: u32,
    pub id: u64,
    pub issue: u64,
    pub body: String,
}

/// A log of everything that the checks need.
#[derive(Clone, Default)]
pub struct Ledger {
    /// The comment that each step of the story created.
    pub places: BTreeMap<u32, CommentRef>,
    pub comments: BTreeMap<CommentRef, PostedComment>,
    pub landed: Vec<LandedCommit>,
    pub answers: Vec<PostedAnswer>,
    /// The heads of the state branch, and since when.
    pub heads: Vec<(Millis, Option<String>)>,
    /// The commands whose answer GitHub refused: the issue is locked, full or gone.
    pub refused: BTreeSet<CommentRef>,
    /// The tables whose record someone damaged.
    pub damaged: BTreeSet<u64>,
    /// When the host unlocked an issue, as GitHub shows it.
    pub unlocked: Vec<(u64, Millis)>,
    /// When the host closed each issue.
    pub closed_by_host: BTreeMap<u64, Millis>,
    /// When each issue was deleted.
    pub vanished: BTreeMap<u64, Millis>,
    /// The issues that GitHub didn't show for a while: from when, and until when.
    pub hidden: Vec<(u64, Millis, Millis)>,
    /// When each command was first claimed, by the commit that applied it or by a reaction.
    pub claims: BTreeMap<CommentRef, Millis>,
    /// The tables to which a run applied a command from another thread.
    pub crossed: BTreeSet<u64>,
    /// The requests of each run.
    pub requests: BTreeMap<u32, Vec<Request>>,
    /// The runs that no comment started.
    pub looks: BTreeSet<u32>,
    /// The number of computer searches in each run.
    pub searches: BTreeMap<u32, usize>,
    /// The number of comments that each run claimed with an eyes reaction.
    pub shown: BTreeMap<u32, usize>,
    /// The people who ever reacted to each ballot, by user ID.
    pub voters: BTreeMap<CommentRef, BTreeSet<u64>>,
    /// When people have shown boards again.
    pub shown_again: BTreeMap<CommentRef, Millis>,
    /// The boards that an answer failed to minimize, or minimized although it failed itself.
    pub left_boards: BTreeSet<CommentRef>,
    /// The result of each run that wasn't killed.
    pub ends: BTreeMap<u32, Result<(), String>>,
    pub violations: Vec<Violation>,
    /// All output of the runs. It must not contain secrets.
    pub outputs: Vec<String>,
    /// The trace, line by line, if it was requested.
    pub trace: Option<Vec<String>>,
}

/// The maximum number of one person's commands that a run answers without a commit.
pub(crate) const MAX_ANSWERS_PER_PERSON: usize = 20;

impl Ledger {
    /// Whether an issue was missing in the quarter of an hour before a time.
    pub fn was_missing(&self, issue: u64, at: Millis) -> bool {
        let is_hidden = |(hidden, from, until): &(u64, Millis, Millis)| {
            *hidden == issue && *from <= at && at <= until.saturating_add(15 * 60_000)
        };
        self.vanished.get(&issue).is_some_and(|vanished| *vanished <= at) || self.hidden.iter().any(is_hidden)
    }

    /// Whether GitHub ever hid an issue.
    pub fn was_hidden(&self, issue: u64) -> bool {
        self.hidden.iter().any(|(hidden, ..)| *hidden == issue)
    }

    /// Whether a run may postpone a command, because its author has posted more of them than a run answers.
    pub fn may_wait(&self, source: CommentRef) -> bool {
        let author = self.comments.get(&source).map(|posted| posted.login.as_str());
        author.is_some_and(|author| self.commands()[author] > MAX_ANSWERS_PER_PERSON)
    }

    /// Returns the number of commits and answers.
    pub fn settled(&self) -> usize {
        self.landed.len() + self.answers.len()
    }

    /// Returns the number of comments by each person.
    pub fn commands(&self) -> BTreeMap<&str, usize> {
        let mut commands = BTreeMap::new();
        self.comments.values().for_each(|posted| *commands.entry(posted.login.as_str()).or_default() += 1);
        commands
    }
}

/// GitHub, and the requests and responses in flight.
pub struct Core {
    pub now: Millis,
    pub state: State,
    pub ledger: Ledger,
    pub mode: Mode,
    /// Whether the token lacks its permissions.
    pub forbidden: bool,
    /// How far the clocks of new runs are ahead, in milliseconds.
    pub clock: i64,
    /// When the last thing that went wrong has ended.
    pub disturbed_until: Millis,
    /// The head of the state branch before it was deleted.
    pub deleted_head: Option<String>,
    /// The deleted accounts.
    pub deleted_accounts: BTreeSet<String>,
    /// The original records of damaged tables.
    pub original_records: BTreeMap<u64, String>,
    /// The issues that GitHub doesn't show at the moment.
    pub hidden_issues: BTreeMap<u64, Arc<Issue>>,
    /// The command that each run has to settle: it triggered the run, and nothing had settled it before.
    pub due: BTreeMap<u32, CommentRef>,
    pub seed: u64,
    /// The number of comments per page of a read.
    pub page: usize,
    /// The faults of each run.
    pub(crate) faults: BTreeMap<u32, Vec<InjectedFault>>,
    queue: BTreeMap<(Millis, u64), Scheduled>,
    order: u64,
    /// Earlier copies of the data for stale reads, as far back as the story needs.
    snapshots: VecDeque<(Millis, Arc<State>)>,
    oldest: Millis,
    /// The heads that each run has read.
    read: BTreeMap<u32, BTreeSet<Option<Oid>>>,
    /// The latest entropy given to each run.
    entropy: BTreeMap<u32, Entropy>,
}

/// Receives the response to a request.
pub(crate) type Slot = Rc<RefCell<Option<Response>>>;

impl Core {
    pub fn new(story: &Story, state: State, trace: bool) -> Core {
        let faults = story.steps.iter().map(|step| (step.id, step.action.faults().to_vec())).collect();
        let mut core = Core {
            now: BEGIN,
            state,
            ledger: Ledger { trace: if trace { Some(Vec::new()) } else { None }, ..Ledger::default() },
            mode: story.mode,
            forbidden: false,
            clock: 0,
            disturbed_until: 0,
            deleted_head: None,
            deleted_accounts: BTreeSet::new(),
            original_records: BTreeMap::new(),
            hidden_issues: BTreeMap::new(),
            due: BTreeMap::new(),
            seed: story.seed,
            page: story.setting.comments_per_page,
            faults,
            queue: BTreeMap::new(),
            order: 0,
            snapshots: VecDeque::new(),
            oldest: story.oldest(),
            read: BTreeMap::new(),
            entropy: BTreeMap::new(),
        };
        core.changed();
        core
    }

    /// Returns a copy without the events in the queue and the earlier states.
    pub fn fork(&self) -> Core {
        Core {
            state: self.state.clone(),
            ledger: self.ledger.clone(),
            deleted_head: self.deleted_head.clone(),
            deleted_accounts: self.deleted_accounts.clone(),
            original_records: self.original_records.clone(),
            hidden_issues: self.hidden_issues.clone(),
            due: self.due.clone(),
            faults: self.faults.clone(),
            queue: BTreeMap::new(),
            snapshots: VecDeque::new(),
            read: self.read.clone(),
            entropy: self.entropy.clone(),
            ..*self
        }
    }

    pub fn push(&mut self, at: Millis, due: Scheduled) {
        self.order += 1;
        self.queue.insert((at.max(self.now), self.order), due);
    }

    /// Removes the next event and advances the time to it.
    pub fn pop(&mut self) -> Option<Scheduled> {
        let ((at, _), due) = self.queue.pop_first()?;
        self.now = at;
        self.state.now = at;
        Some(due)
    }

    pub fn violate(&mut self, kind: &'static str, what: String) {
        self.trace(|| format!("!! {what}"));
        self.ledger.violations.push(Violation { kind, what });
    }

    pub fn trace(&mut self, line: impl FnOnce() -> String) {
        let now = self.now - BEGIN;
        if let Some(trace) = &mut self.ledger.trace {
            trace.push(format!("{:>5}.{:03}  {}", now / 1000, now % 1000, line()));
        }
    }

    /// Records the new state. Call it after every change of the data.
    pub fn changed(&mut self) {
        let head = self.state.branches.get(self.state.state_branch());
        if self.ledger.heads.last().is_none_or(|(_, last)| last.as_ref() != head) {
            self.ledger.heads.push((self.now, head.cloned()));
        }
        if self.oldest > 0 {
            self.snapshots.push_back((self.now, Arc::new(self.state.clone())));
            let bound = self.now.saturating_sub(self.oldest);
            while self.snapshots.get(1).is_some_and(|(at, _)| *at <= bound) {
                self.snapshots.pop_front();
            }
        }
    }

    /// Returns the data with threads and a branch of these ages, in milliseconds.
    pub fn stale_copy(&self, threads: Millis, head: Millis) -> State {
        let mut copy = self.ago(threads).clone();
        copy.branches.clone_from(&self.ago(head).branches);
        copy.commits.clone_from(&self.state.commits);
        copy
    }

    /// Returns the data as it was this many milliseconds ago.
    fn ago(&self, age: Millis) -> &State {
        let time = self.now - age;
        let found = self.snapshots.iter().rev().find(|(at, _)| *at <= time).or(self.snapshots.front());
        found.map_or(&self.state, |(_, state)| state)
    }

    /// Returns entropy for a run. It is the same each time the story runs.
    pub fn entropy_for(&mut self, run: u32) -> Entropy {
        let asked = self.ledger.requests.get(&run).map_or(0, Vec::len) as u64;
        let mut entropy = [0; 32];
        for (at, part) in entropy.chunks_mut(8).enumerate() {
            part.copy_from_slice(&mix(mix(self.seed, u64::from(run)), asked * 4 + at as u64).to_le_bytes());
        }
        self.entropy.insert(run, entropy);
        entropy
    }

    /// Returns the latest entropy given to a run.
    pub fn last_entropy(&self, run: u32) -> Entropy {
        self.entropy.get(&run).copied().unwrap_or_default()
    }

    /// Gives a run its faults.
    pub(crate) fn inject(&mut self, run: u32, faults: Vec<InjectedFault>) {
        self.faults.insert(run, faults);
    }

    /// Notes that something goes wrong for this time, in milliseconds.
    pub(crate) fn disturb(&mut self, time: Millis) {
        self.disturbed_until = self.disturbed_until.max(self.now + time);
    }

    /// Records that a run has read this head.
    pub fn has_read(&mut self, run: u32, head: Option<Oid>) {
        self.read.entry(run).or_default().insert(head);
    }

    /// Schedules a request and its response, with the fault that the story injects into it. For a stale read `serve` gets an
    /// older copy of the data.
    pub(crate) fn send(&mut self, run: u32, call: Call, slot: &Slot) {
        let request = call.kind().expect("a run makes requests only");
        let entropy = self.last_entropy(run);
        let sent = self.ledger.requests.entry(run).or_default();
        let nth = u32::try_from(sent.len()).expect("a short run");
        sent.push(request);
        let (mut go, back) = self.latency(run, nth);
        let fault = self.faults.get(&run).and_then(|injected| injected.iter().find(|injected| injected.request == nth));
        let fault = fault.map(|injected| injected.fault.clone());
        if let Some(fault) = &fault {
            self.trace(|| format!("   run {run}: {request:?} meets {fault:?}"));
            self.disturb(fault.duration());
        }
        let call = Rc::new(call);
        let called = call.clone();
        let name = move || format!("   run {run}: {request:?} {}", called.about());
        let sent_at = self.now;
        let serve = move |core: &mut Core, copy: Option<State>| {
            core.allow_late_minimizing(&call, sent_at);
            core.serve(run, &call, copy.as_ref(), entropy)
        };
        let (mut age, mut failing) = (None, None);
        match fault {
            Some(TimedFault::Lost { applied, reported_after }) => {
                self.discard(applied, name, serve);
                let lost = Err(RequestError::Lost("The connection broke.".to_owned()));
                return self.reply(run, self.now + reported_after, slot, lost);
            }
            Some(TimedFault::Killed { applied }) => {
                self.discard(applied, name, serve);
                return self.push(self.now + 1, Scheduled::Kill(run));
            }
            Some(TimedFault::KilledAfterwards) => {
                self.discard(Some(go), name, serve);
                return self.push(self.now + go + back, Scheduled::Kill(run));
            }
            Some(TimedFault::RetryAfter(time)) => {
                let later = RequestError::RetryAfter(
                    std::time::Duration::from_millis(time),
                    "The host asks to wait.".to_owned(),
                );
                return self.reply(run, self.now + back, slot, Err(later));
            }
            Some(TimedFault::Fatal) => {
                let host = RequestError::Fatal(HostError::new("The host refuses."));
                return self.reply(run, self.now + back, slot, Err(host));
            }
            Some(TimedFault::Partial) if request.is_read() => {
                let part = RequestError::TooLong("GitHub returned only a part.".to_owned());
                return self.reply(run, self.now + back, slot, Err(part));
            }
            Some(TimedFault::Slow(time)) => go = time,
            Some(TimedFault::PartFails { part, runs_rest }) => failing = Some(FailingPart { part, runs_rest }),
            Some(TimedFault::Stale { threads, head }) => age = Some((threads, head)),
            Some(TimedFault::Partial) | None => {}
        }
        let slot = slot.clone();
        let apply = move |core: &mut Core| {
            let copy = age.map(|(threads, head)| core.stale_copy(threads, head));
            core.state.failing_part = failing;
            let result = serve(core, copy);
            core.state.failing_part = None;
            if !request.is_read() {
                core.changed();
            }
            core.trace(|| format!("{} -> {}", name(), brief(&result)));
            core.reply(run, core.now + back, &slot, result);
        };
        self.push(self.now + go, Scheduled::Change(Box::new(apply)));
    }

    /// Returns the latencies of a request and of its response.
    fn latency(&self, run: u32, nth: u32) -> (Millis, Millis) {
        let hash = mix(mix(self.seed, u64::from(run)), 1_000_003 + u64::from(nth));
        let (go, back) = (5 + hash % 200, 5 + (hash >> 20) % 200);
        let is_slow = self.mode != Mode::Calm && (hash >> 40).is_multiple_of(24);
        if is_slow { (go * 20, back * 5) } else { (go, back) }
    }

    /// Schedules a request without a response.
    fn discard(
        &mut self,
        applied: Option<Millis>,
        name: impl Fn() -> String + 'static,
        serve: impl FnOnce(&mut Core, Option<State>) -> Response + 'static,
    ) {
        let Some(time) = applied else { return };
        let apply = move |core: &mut Core| {
            let result = serve(core, None);
            core.changed();
            core.trace(|| format!("{} -> {} (response lost)", name(), brief(&result)));
        };
        self.push(self.now + time, Scheduled::Change(Box::new(apply)));
    }

    /// Schedules the response to a request.
    pub(crate) fn reply(&mut self, run: u32, at: Millis, slot: &Slot, result: Response) {
        let slot = slot.clone();
        self.push(at, Scheduled::Change(Box::new(move |_| *slot.borrow_mut() = Some(result))));
        self.push(at, Scheduled::Poll(run));
    }

    /// Returns the text of a file at the head of the state branch.
    pub fn file(&self, path: &str) -> Option<String> {
        self.state.head_files()?.get(path).cloned()
    }

    /// Lets an answer that was sent before a person showed a board again minimize it.
    fn allow_late_minimizing(&mut self, call: &Call, sent_at: Millis) {
        let Call::Answer(answer) = call else { return };
        let is_late = |update: &Update, shown: &CommentRef| matches!(update, Update::Minimize(board) if board == shown);
        self.ledger.shown_again.retain(|shown, shown_at| {
            *shown_at < sent_at || !answer.updates.iter().any(|update| is_late(update, shown))
        });
    }

    /// Serves a request, and records what the checks need. `copy` is an older copy of the data, for a stale read.
    pub(crate) fn serve(&mut self, run: u32, call: &Call, copy: Option<&State>, entropy: Entropy) -> Response {
        if self.forbidden && !call.is_read() {
            return Err(RequestError::Fatal(HostError::new("Resource not accessible by integration")));
        }
        let state = copy.unwrap_or(&self.state);
        match call {
            Call::Read { issues, paths, comments } => {
                let snapshot = state.snapshot(&numbers(issues), paths, (*comments).min(self.page));
                let texts: Vec<Comment> =
                    snapshot.threads.values().flat_map(|thread| thread.comments.clone()).collect();
                let snapshot = self.state.fitting(snapshot, texts.iter())?;
                let head = if let Head::Commit(oid) = &snapshot.head { Some(oid.clone()) } else { None };
                self.has_read(run, head);
                Ok(Reply::Snapshot(snapshot))
            }
            // Pages are never stale: the simulator doesn't cover comments that are missing between two pages.
            Call::Page { issue, cursor, comments } => {
                Ok(Reply::Page(self.state.page(issue.get(), Some(cursor), (*comments).min(self.page))))
            }
            Call::Commit(change) => self.commit(run, change, entropy).map(Reply::Commit),
            Call::Answer(answer) => Ok(Reply::Answer(live_checks::post_answer(self, run, answer))),
            Call::React(source, reaction) => {
                let response = call.apply(&mut self.state);
                if *reaction == Reaction::Eyes {
                    *self.ledger.shown.entry(run).or_default() += 1;
                }
                match response {
                    Ok(Reply::Claim(ClaimOutcome::Refused(_))) => _ = self.ledger.refused.insert(*source),
                    Ok(Reply::Claim(ClaimOutcome::Ours)) => _ = self.ledger.claims.entry(*source).or_insert(self.now),
                    _ => {}
                }
                response
            }
            Call::Delete(source) => {
                live_checks::check_deletion(self, run, *source);
                call.apply(&mut self.state)
            }
            _ if call.is_read() => call.look(state),
            _ => call.apply(&mut self.state),
        }
    }

    /// Applies a commit.
    pub fn commit(&mut self, run: u32, change: &Change, entropy: Entropy) -> Result<CommitOutcome, RequestError> {
        if !self.read.get(&run).is_some_and(|heads| heads.contains(&change.parent)) {
            self.violate("another head", format!("run {run} commits on a head that it has never read"));
        }
        let committed = if self.state.branches.contains_key(self.state.state_branch()) {
            self.state.commit(change)?
        } else {
            return Err(RequestError::Lost("There is no such branch.".to_owned()));
        };
        self.ledger.outputs.push(change.headline.clone());
        self.ledger.outputs.push(change.body.clone());
        if let CommitOutcome::Landed(oid) = &committed {
            let records = change.files.iter().filter(|(path, _)| path.ends_with(".json"));
            for (path, source) in records.filter_map(|(path, text)| Some((path, last_source(text)?))) {
                self.ledger.claims.entry(source).or_insert(self.now);
                self.ledger.crossed.extend(issue_of(path).filter(|table| *table != source.issue.get()));
            }
            self.ledger.landed.push(LandedCommit { at: self.now, run, oid: oid.to_string(), entropy });
        }
        Ok(committed)
    }
}

/// Returns the command behind the last event of a record.
fn last_source(record: &str) -> Option<CommentRef> {
    let (_, last) = record.rsplit_once("\"source\": { \"issue\": ")?;
    let (issue, rest) = last.split_once(", \"comment\": ")?;
    let comment = rest.split_once(' ')?.0.parse().ok()?;
    Some(CommentRef { issue: issue.parse().ok()?, comment })
}

/// Returns the beginning of a response; of a read, its abbreviated head.
pub(crate) fn brief(response: &Response) -> String {
    match response {
        Ok(Reply::Snapshot(Snapshot { head: Head::Commit(oid), .. })) => oid.as_str()[..7].to_owned(),
        _ => format!("{response:?}").chars().take(110).collect(),
    }
}
