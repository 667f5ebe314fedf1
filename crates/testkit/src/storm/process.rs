//! Starts the program as the workflow does, with its environment and event file, and collects its output.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime};

use protocol::Trigger;
use serde_json::{Value, json};
use table::HostPolicy;
use tokio::time::sleep;

use crate::server::TOKEN;
use crate::simulator::schedule::{MAX_SETTLING_RUNS, SECRET, SETTLING_RUNS, beginning, repo_config};
use crate::simulator::{Core, Mode, Story, live_checks, people};
use crate::storm::host::REPOSITORY;
use crate::storm::http_faults::{FaultPlan, Rival};
use crate::storm::{host, wire};
use crate::{Millis, payloads, place};

/// The settings that all runs of a story share.
pub(super) struct Setup {
    pub dir: PathBuf,
    binary: PathBuf,
    url: String,
    variables: Vec<(&'static str, String)>,
}

/// A running process.
pub(super) struct Process {
    pub killed: bool,
    pub until: Instant,
    child: Child,
    dir: PathBuf,
}

/// The result and output of a run.
pub(super) struct End {
    pub status: ExitStatus,
    /// `None` if the process was killed or crashed.
    pub result: Option<Result<(), String>>,
    pub out: String,
    pub err: String,
    pub summary: String,
}

impl Setup {
    pub(super) fn new(story: &Story, binary: &Path, url: String) -> Setup {
        let set = |on: bool, value: &str| if on { value.to_owned() } else { String::new() };
        let setting = &story.setting;
        let variables = vec![
            ("CI", "true".to_owned()),
            ("GITHUB_ACTIONS", "true".to_owned()),
            ("GITHUB_SERVER_URL", "https://github.example".to_owned()),
            ("GITHUB_REPOSITORY", REPOSITORY.to_owned()),
            ("PLAY_BY_COMMIT_TOKEN", TOKEN.to_owned()),
            ("PLAY_BY_COMMIT_BRANCH", set(setting.has_state_branch, "play")),
            ("PLAY_BY_COMMIT_STATE_DIR", "state".to_owned()),
            ("PLAY_BY_COMMIT_DICE_SECRET", set(setting.has_dice_secret, SECRET)),
            ("PLAY_BY_COMMIT_GAMES", String::new()),
            ("PLAY_BY_COMMIT_TABLES", if setting.lets_anyone_open { "anyone" } else { "author" }.to_owned()),
            ("PLAY_BY_COMMIT_ASSIGN", story.assigns_turns().to_string()),
            ("PLAY_BY_COMMIT_SWEEP_DAYS", "7".to_owned()),
        ];
        Setup { dir: directory(), binary: binary.to_owned(), url, variables }
    }

    /// Starts a run for this trigger.
    fn start(&self, core: &Core, run: u32, trigger: Trigger, until: Instant) -> Process {
        let dir = self.dir.join(run.to_string());
        fs::create_dir_all(&dir).expect("a directory");
        let (event, payload) = event(core, trigger);
        fs::write(dir.join("event.json"), payload.to_string()).expect("the event file");
        let file = |name: &str| File::create(dir.join(name)).expect("an output file");
        let child = Command::new(&self.binary)
            .arg("run")
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (*name, value)))
            .env("GITHUB_API_URL", format!("{}/{run}", self.url))
            .env("GITHUB_GRAPHQL_URL", format!("{}/{run}/graphql", self.url))
            .env("GITHUB_EVENT_NAME", event)
            .env("GITHUB_EVENT_PATH", dir.join("event.json"))
            .env("GITHUB_STEP_SUMMARY", dir.join("summary.md"))
            .stdin(Stdio::null())
            .stdout(file("stdout"))
            .stderr(file("stderr"))
            .spawn()
            .expect("the binary can be started");
        Process { killed: false, until, child, dir }
    }
}

impl Process {
    pub(super) fn kill(&mut self) {
        self.killed = true;
        drop(self.child.kill());
    }

    /// Returns the result and output once the process has ended.
    pub(super) fn ended(&mut self) -> Option<End> {
        let status = self.child.try_wait().expect("a child of ours")?;
        let text =
            |name: &str| String::from_utf8_lossy(&fs::read(self.dir.join(name)).unwrap_or_default()).into_owned();
        let (out, err, summary) = (text("stdout"), text("stderr"), text("summary.md"));
        let result = match status.code() {
            Some(0) => Some(Ok(())),
            Some(1) => Some(Err(out.trim_end().to_owned())),
            _ => None,
        };
        drop(fs::remove_dir_all(&self.dir));
        Some(End { status, result, out, err, summary })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl End {
    /// Returns what is wrong with the output.
    ///
    /// A run may print only the bot's own annotations as workflow commands, and the summary repeats each. Exit code 1 has an
    /// error annotation, and 0 has none.
    pub(super) fn wrong(&self) -> Option<String> {
        if self.result.is_none() {
            return Some(format!("crashes: {}", self.status));
        }
        let commands = |text: &str| -> Vec<String> {
            let lines = text.split(['\n', '\r']).map(str::trim_start).filter(|line| line.starts_with("::"));
            lines.map(str::to_owned).collect()
        };
        if let Some(command) = commands(&self.err).first() {
            return Some(format!("has {command:?} in its log"));
        }
        let (mut errors, annotations) = (0, commands(&self.out));
        for line in &annotations {
            let ours = ["error", "warning"].iter().any(|l| line.starts_with(&format!("::{l} title=Play by Commit::")));
            if !ours {
                return Some(format!("prints {line:?}"));
            }
            errors += usize::from(line.starts_with("::error"));
        }
        let summed = self.summary.lines().filter(|line| line.starts_with("**Play by Commit, ")).count();
        if summed != annotations.len() {
            return Some(format!("prints {} annotations, and {summed} lines in the summary", annotations.len()));
        }
        let fails = self.result.as_ref().is_some_and(Result::is_err);
        if fails == (errors > 0) {
            return None;
        }
        Some(format!("ends with {}, and {errors} errors", self.status))
    }
}

/// Returns the webhook event of a trigger, with the comment's original text.
fn event(core: &Core, trigger: Trigger) -> (&'static str, Value) {
    let Trigger::Comment { source, .. } = trigger else { return ("schedule", payloads::schedule()) };
    let author_and_text = |comment: u64| {
        let posted = core.ledger.comments.get(&place(source.issue.get(), comment));
        let person = posted.and_then(|posted| core.state.people.get(&posted.login));
        let user = person.map_or(Value::Null, |person| payloads::person(&person.login, person.id));
        (user, json!(posted.and_then(|posted| posted.versions.first()?.text.clone())))
    };
    let (opener, body) = author_and_text(0);
    let issue = payloads::issue(source.issue.get(), opener, body);
    if source.comment.get() == 0 {
        return ("issues", payloads::issues("opened", issue));
    }
    let (user, text) = author_and_text(source.comment.get());
    ("issue_comment", payloads::issue_comment("created", issue, payloads::comment(source.comment.get(), user, text)))
}

/// Creates a directory for the files of a story's processes.
fn directory() -> PathBuf {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("play-by-commit-storm-{}-{count}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    dir
}

// Runs a story in real time, with processes that talk HTTP to the story's own server.

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
    for run in (SETTLING_RUNS..).take(MAX_SETTLING_RUNS as usize) {
        let before = executor.core.borrow().ledger.settled();
        executor.begin(run, Trigger::Sweep, LAST_JOB);
        executor.wait_for_all().await;
        if executor.core.borrow().ledger.settled() == before {
            return executor;
        }
    }
    executor.core.borrow_mut().violate("endless", "the sweeps do not end".to_owned());
    executor
}

/// Collects ended processes and kills those past their timeout.
async fn watch_processes(executor: Rc<Executor>) {
    loop {
        sleep(TICK).await;
        executor.collect_ended();
    }
}

// The executor: runs a story in real time, with processes that talk HTTP to the story's own server.

/// The interval at which ended processes are collected.
const TICK: Duration = Duration::from_millis(40);

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
    async fn wait_for_all(&self) {
        while !self.runs.borrow().is_empty() {
            sleep(TICK / 2).await;
        }
    }

    fn collect_ended(&self) {
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
