//! The HTTP faults of a story, by request. The story determines all of them.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::Millis;

use crate::simulator::rng::mix;
use crate::simulator::{Action, Mode, Story, Text, TimedFault};
use crate::world::FailingPart;

/// The maximum time until the last step of a story.
const LONGEST: Millis = 20_000;

/// A fault of one request. Times are in milliseconds, except `after`, which is in seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpFault {
    /// The response is lost, after `reported_after`. The server applies the request after `applied`, or never.
    Lost { how: How, applied: Option<Millis>, reported_after: Millis },
    /// The connection breaks after half of the response.
    Cut,
    /// The response is complete HTTP with half of the JSON.
    Torn,
    /// The secondary rate limit, with or without a `Retry-After`.
    Secondary { status: u16, after: Option<u64> },
    /// The hourly rate limit: an error status in REST, an error inside a 200 in GraphQL.
    Primary { after: u64 },
    /// The token lacks a permission, for this request only.
    Refused,
    /// The server applies the request after this time.
    Slow(Millis),
    /// A part of an answer's request fails.
    PartFails(FailingPart),
    /// Half of the data, with an error that says so.
    Partial,
    /// A stale read, with the ages of its threads and its branch.
    Stale { threads: Millis, head: Millis },
    /// The process is killed. The server applies the request after `applied`, or never.
    Killed { applied: Option<Millis> },
    /// The process is killed when the response arrives.
    KilledAfterwards,
}

/// How a response is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The connection breaks before the first byte of the response.
    Dropped,
    /// An HTML page with this status.
    Html(u16),
    /// GraphQL `errors` without data; a 500 in REST.
    Null,
}

/// A commit by someone else that lands between a request and its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    OtherFile,
    PageText,
    /// A change between the page's markers, where only the bot writes.
    BetweenMarkers,
}

/// The faults of a story, by run and index of the run's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultPlan {
    pub faults: BTreeMap<(u32, u32), HttpFault>,
    pub rivals: BTreeMap<(u32, u32), Rival>,
    /// The workflow's job timeout.
    pub job: Duration,
}

impl Default for FaultPlan {
    fn default() -> Self {
        FaultPlan { faults: BTreeMap::new(), rivals: BTreeMap::new(), job: Duration::from_secs(75) }
    }
}

impl HttpFault {
    /// Returns a short name of the fault.
    pub fn name(&self) -> &'static str {
        match self {
            HttpFault::Lost { how: How::Dropped, applied: None, .. } => "dropped",
            HttpFault::Lost { how: How::Dropped, applied: Some(_), .. } => "dropped, applied",
            HttpFault::Lost { how: How::Html(500), .. } => "500",
            HttpFault::Lost { how: How::Html(502), .. } => "502",
            HttpFault::Lost { how: How::Html(_), .. } => "503",
            HttpFault::Lost { how: How::Null, .. } => "null data",
            HttpFault::Cut => "cut",
            HttpFault::Torn => "torn",
            HttpFault::Secondary { after: None, .. } => "limit without a time",
            HttpFault::Secondary { status: 429, .. } => "429",
            HttpFault::Secondary { .. } => "403",
            HttpFault::Primary { .. } => "primary limit",
            HttpFault::Refused => "refused",
            HttpFault::Slow(_) => "slow",
            HttpFault::PartFails(_) => "a part fails",
            HttpFault::Partial => "partial data",
            HttpFault::Stale { .. } => "stale",
            HttpFault::Killed { applied: None } => "killed before",
            HttpFault::Killed { applied: Some(_) } => "killed, applied",
            HttpFault::KilledAfterwards => "killed after the answer",
        }
    }
}

/// Shortens a story's pauses for real time. Stories with dice get a secret, so that the checks can recompute the rolls.
pub fn real(mut story: Story) -> Story {
    // Each run is a process of its own, as in a workflow.
    story.setting.servers = 0;
    story.steps.retain(|step| !matches!(step.action, Action::RestartServer { .. }));
    let (mut was, mut now) = (0, 0);
    for step in &mut story.steps {
        let gap = step.at - was;
        was = step.at;
        now += if gap <= 1_000 { gap } else { (1_000 + (gap - 1_000) / 12).min(4_000) };
        step.at = now;
    }
    if now > LONGEST {
        story.steps.iter_mut().for_each(|step| step.at = step.at * LONGEST / now);
    }
    let dice = |text: &Text| matches!(text, Text::Literal(text) if text.contains("backgammon"));
    story.setting.has_dice_secret |= story.steps.iter().any(|step| match &step.action {
        Action::OpenIssue { text, .. } | Action::Comment { text, .. } | Action::EditComment { text, .. } => dice(text),
        _ => false,
    });
    story
}

/// Returns the faults of a story.
pub fn fault_plan(story: &Story) -> FaultPlan {
    let mut plan = FaultPlan::default();
    for step in &story.steps {
        for injected in step.action.faults() {
            let hash = mix(mix(story.seed, u64::from(step.id)), 77 + u64::from(injected.request));
            plan.faults.entry((step.id, injected.request)).or_insert(http_fault(&injected.fault, story.mode, hash));
        }
        let hash = mix(mix(story.seed, u64::from(step.id)), 0x0041_7a15);
        let runs = matches!(step.action, Action::StartRun { .. } | Action::Sweep { .. });
        if runs && story.mode != Mode::Calm && hash.is_multiple_of(8) {
            let rival = match (hash >> 8) % 10 {
                0..5 => Rival::OtherFile,
                5..7 => Rival::PageText,
                _ => Rival::BetweenMarkers,
            };
            let nth = [0, 0, 0, 1, 3][usize::try_from((hash >> 16) % 5).expect("a small number")];
            plan.rivals.insert((step.id, nth), rival);
        }
    }
    plan
}

/// Converts a fault of the simulator to one of HTTP.
fn http_fault(fault: &TimedFault, mode: Mode, hash: u64) -> HttpFault {
    // Outside the harsh modes a request must be applied within 15 seconds; leave some of that for a busy machine.
    let late = |time: Millis| match mode {
        Mode::Harsh | Mode::Wrecked => time.min(25_000),
        _ => time * 2 / 3,
    };
    match fault {
        TimedFault::Lost { applied, reported_after } => {
            let (applied, reported_after) = (applied.map(late), reported_after / 6);
            match hash % 10 {
                0..3 => HttpFault::Lost { how: How::Dropped, applied, reported_after },
                3 => HttpFault::Lost { how: How::Html(500), applied, reported_after },
                4 => HttpFault::Lost { how: How::Html(502), applied, reported_after },
                5 => HttpFault::Lost { how: How::Html(503), applied, reported_after },
                6 | 7 => HttpFault::Lost { how: How::Null, applied, reported_after },
                8 => HttpFault::Cut,
                _ => HttpFault::Torn,
            }
        }
        TimedFault::RetryAfter(time) => {
            let after = 1 + time / 30_000;
            match hash % 40 {
                0 => HttpFault::Secondary { status: 403, after: None },
                1..14 => HttpFault::Secondary { status: 403, after: Some(after) },
                14..27 => HttpFault::Secondary { status: 429, after: Some(after) },
                _ => HttpFault::Primary { after },
            }
        }
        TimedFault::Fatal => HttpFault::Refused,
        TimedFault::Partial => HttpFault::Partial,
        TimedFault::Slow(time) => HttpFault::Slow(late(*time)),
        TimedFault::Stale { threads, head } => HttpFault::Stale { threads: *threads, head: *head },
        TimedFault::Killed { applied } => HttpFault::Killed { applied: applied.map(late) },
        TimedFault::KilledAfterwards => HttpFault::KilledAfterwards,
        TimedFault::PartFails { part, runs_rest } => {
            HttpFault::PartFails(FailingPart { part: *part, runs_rest: *runs_rest })
        }
    }
}
