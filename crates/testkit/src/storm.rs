//! Runs the simulator's stories in real time, with the real program as processes over HTTP.
//!
//! Stories, people, ledger and checks are those of [`crate::simulator`]; only the executor differs. The seed determines the
//! comments, the events and the faults of each request, but the operating system interleaves the processes, so runs differ.

mod host;
mod http_faults;
mod process;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::server::TOKEN;
use crate::simulator::schedule::SETTLING_RUNS;
use crate::simulator::{Action, Core, Mode, Step, Story, checks, generate_story};

pub use http_faults::{FaultPlan, How, HttpFault, Rival, fault_plan, real};
pub use process::{Outcome, run_story};

/// Generates the story of a seed, with times for real time.
pub fn story(seed: u64) -> Story {
    real(generate_story(seed))
}

/// Runs a story and checks its outcome.
pub fn run_and_check(story: &Story, fault_plan: FaultPlan, binary: &Path) -> Outcome {
    let refused: BTreeSet<u32> =
        fault_plan.faults.iter().filter(|(_, fault)| **fault == HttpFault::Refused).map(|((run, _), _)| *run).collect();
    let mut outcome = run_story(story, fault_plan, binary);
    checks::check(story, &mut outcome.core);
    check_failures(story, &refused, &mut outcome.core);
    check_for_token(&mut outcome.core);
    check_page(story, &mut outcome.core);
    outcome
}

/// Checks that no run failed, unless it was killed or the host has something to repair.
fn check_failures(story: &Story, refused: &BTreeSet<u32>, core: &mut Core) {
    let excused = |step: &Step| matches!(step.action, Action::ChangePermissions { .. } | Action::DamageRecord { .. });
    if story.mode == Mode::Wrecked || story.steps.iter().any(excused) {
        return;
    }
    let failed = core.ledger.ends.iter().filter(|(run, _)| !refused.contains(run));
    let failed: Vec<_> = failed.filter_map(|(run, end)| Some((*run, end.as_ref().err()?.clone()))).collect();
    for (run, why) in failed {
        core.violate("fails", format!("run {run} fails, and the host has nothing to repair: {why}"));
    }
}

/// Checks that no output contains the token.
fn check_for_token(core: &mut Core) {
    let files = core.state.commits.values().flat_map(|commit| commit.files.values());
    let messages = core.state.commits.values().flat_map(|commit| [&commit.headline, &commit.body]);
    let notes = core.state.issues.values().flat_map(|issue| issue.comments.iter().map(|note| &note.text));
    let shown = core.ledger.outputs.iter().chain(files).chain(messages).chain(notes).any(|text| text.contains(TOKEN));
    if shown {
        core.violate("secret", "the token was disclosed".to_owned());
    }
}

/// Checks that the last sweep replaced what someone else wrote between the bot's markers.
fn check_page(story: &Story, core: &mut Core) {
    let ended = matches!(core.ledger.ends.get(&SETTLING_RUNS), Some(Ok(())));
    let scribbled = core.file("README.md").is_some_and(|page| page.contains(host::SCRIBBLE));
    if ended && scribbled && story.mode != Mode::Wrecked {
        core.violate("page", "the text between the markers isn't the bot's".to_owned());
    }
}

/// Returns a report on a story: its settings, faults, trace, process output and violations.
pub fn report(story: &Story, fault_plan: &FaultPlan, outcome: &Outcome) -> String {
    let mut lines = vec![format!("{:?}, {:?}", story.mode, story.setting)];
    let mut faults: Vec<_> = fault_plan.faults.iter().map(|(at, fault)| (at, format!("{fault:?}"))).collect();
    faults.extend(fault_plan.rivals.iter().map(|(at, rival)| (at, format!("{rival:?}"))));
    lines.extend(faults.into_iter().map(|((run, nth), what)| format!("run {run}, request {nth}: {what}")));
    lines.extend(with_relative_times(outcome.core.ledger.trace.as_deref().unwrap_or_default()));
    lines.extend(outcome.outputs.iter().cloned());
    lines.push(story.line());
    lines.push(format!("It took {:.0} seconds.", outcome.seconds));
    lines.extend(outcome.core.ledger.violations.iter().map(|wrong| format!("!! {}: {}", wrong.kind, wrong.what)));
    lines.join("\n")
}

/// Makes the times of a trace relative to its first line.
fn with_relative_times(trace: &[String]) -> Vec<String> {
    let time = |line: &str| {
        let (time, rest) = line.split_once("  ").filter(|(time, _)| time.contains('.'))?;
        let (seconds, millis) = time.trim().split_once('.')?;
        Some((seconds.parse::<u64>().ok()? * 1000 + millis.parse::<u64>().ok()?, rest.to_owned()))
    };
    let Some((first, _)) = trace.first().and_then(|line| time(line)) else { return trace.to_vec() };
    let line = |line: &String| match time(line) {
        Some((at, rest)) => {
            let at = at.saturating_sub(first);
            format!("{:>5}.{:03}  {rest}", at / 1000, at % 1000)
        }
        None => line.clone(),
    };
    trace.iter().map(line).collect()
}

/// Runs the stories of the seeds `from..to`, `at_once` at a time. Prints a report on each failure and returns their number.
pub fn many(binary: &Path, from: u64, to: u64, at_once: usize) -> usize {
    let begin = Instant::now();
    let next = AtomicU64::new(from);
    let totals = Mutex::new(Totals::default());
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= to {
                        return;
                    }
                    let story = story(seed);
                    let fault_plan = fault_plan(&story);
                    let outcome = run_and_check(&story, fault_plan.clone(), binary);
                    let mut totals = totals.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    totals.add(&outcome);
                    if !outcome.core.ledger.violations.is_empty() {
                        println!("\nseed {seed} ends badly:\n{}\n", report(&story, &fault_plan, &outcome));
                        totals.bad.push(seed);
                    }
                    if totals.stories % 100 == 0 {
                        println!("{} stories, {:.0} seconds", totals.stories, begin.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    let totals = totals.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    println!("{} stories in {:.0} seconds; {}", totals.stories, begin.elapsed().as_secs_f64(), totals.line());
    if !totals.bad.is_empty() {
        println!("ended badly: {:?}", totals.bad);
    }
    totals.bad.len()
}

/// The totals over many stories.
#[derive(Default)]
struct Totals {
    stories: u64,
    processes: usize,
    requests: usize,
    commits: usize,
    answers: usize,
    killed: usize,
    longest: f64,
    seconds: f64,
    fault_counts: BTreeMap<&'static str, u32>,
    bad: Vec<u64>,
}

impl Totals {
    fn add(&mut self, outcome: &Outcome) {
        let ledger = &outcome.core.ledger;
        self.stories += 1;
        self.processes += outcome.outputs.len();
        self.requests += ledger.requests.values().map(Vec::len).sum::<usize>();
        self.commits += ledger.landed.len();
        self.answers += ledger.answers.len();
        self.killed += outcome.outputs.len() - ledger.ends.len().min(outcome.outputs.len());
        self.longest = self.longest.max(outcome.seconds);
        self.seconds += outcome.seconds;
        for (name, times) in &outcome.fault_counts {
            *self.fault_counts.entry(name).or_default() += times;
        }
    }

    fn line(&self) -> String {
        let Totals { processes, requests, commits, answers, killed, longest, fault_counts, .. } = self;
        let each = self.seconds / self.stories.max(1) as f64;
        let faults: Vec<String> = fault_counts.iter().map(|(name, times)| format!("{name} {times}")).collect();
        format!(
            "{processes} processes, {killed} of them killed, {requests} requests, {commits} commits, {answers} answers; a \
             story takes {each:.0} seconds, the longest {longest:.0}; met: {}",
            faults.join(", ")
        )
    }
}
