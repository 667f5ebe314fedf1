//! The HTTP faults of a story, by request. The story determines all of them.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::Millis;

use crate::simulator::rng::mix;
use crate::simulator::story::{Mode, Story, Trouble, What, Words};
use crate::world::FailingPart;

/// The maximum time until the last step of a story.
const LONGEST: Millis = 20_000;

/// A fault of one request. Times are in milliseconds, except `after`, which is in seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weather {
    /// The response is lost, after `told`. The server applies the request after `applied`, or never.
    Lost { how: How, applied: Option<Millis>, told: Millis },
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
    /// A stale read, with the ages of its threads and its branch.
    Stale { threads: Millis, head: Millis },
    /// The process is killed. The server applies the request after `applied`, or never.
    Dies { applied: Option<Millis> },
    /// The process is killed when the response arrives.
    DiesAfter,
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

/// Somebody else's commit, right after a request was applied and before its response arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    Elsewhere,
    Page,
    /// A change between the page's markers, where only the bot writes.
    Scribble,
}

/// The faults of a story, by run and index of the run's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    pub weather: BTreeMap<(u32, u32), Weather>,
    pub rivals: BTreeMap<(u32, u32), Rival>,
    /// The workflow's job timeout.
    pub job: Duration,
}

impl Default for Forecast {
    fn default() -> Self {
        Forecast { weather: BTreeMap::new(), rivals: BTreeMap::new(), job: Duration::from_secs(75) }
    }
}

impl Weather {
    /// Returns a short name of the fault.
    pub fn name(&self) -> &'static str {
        match self {
            Weather::Lost { how: How::Dropped, applied: None, .. } => "dropped",
            Weather::Lost { how: How::Dropped, applied: Some(_), .. } => "dropped, applied",
            Weather::Lost { how: How::Html(500), .. } => "500",
            Weather::Lost { how: How::Html(502), .. } => "502",
            Weather::Lost { how: How::Html(_), .. } => "503",
            Weather::Lost { how: How::Null, .. } => "null data",
            Weather::Cut => "cut",
            Weather::Torn => "torn",
            Weather::Secondary { after: None, .. } => "limit without a time",
            Weather::Secondary { status: 429, .. } => "429",
            Weather::Secondary { .. } => "403",
            Weather::Primary { .. } => "primary limit",
            Weather::Refused => "refused",
            Weather::Slow(_) => "slow",
            Weather::PartFails(_) => "a part fails",
            Weather::Stale { .. } => "stale",
            Weather::Dies { applied: None } => "killed before",
            Weather::Dies { applied: Some(_) } => "killed, applied",
            Weather::DiesAfter => "killed after the answer",
        }
    }
}

/// Shortens a story's pauses for real time. Stories with dice get a secret, so that the checks can recompute the rolls.
pub fn real(mut story: Story) -> Story {
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
    let dice = |words: &Words| matches!(words, Words::These(text) if text.contains("backgammon"));
    story.setting.secret |= story.steps.iter().any(|step| match &step.what {
        What::Open { words, .. } | What::Say { words, .. } | What::Edit { words, .. } => dice(words),
        _ => false,
    });
    story
}

/// Returns the faults of a story.
pub fn forecast(story: &Story) -> Forecast {
    let mut forecast = Forecast::default();
    for step in &story.steps {
        for hit in step.what.troubles() {
            let hash = mix(mix(story.seed, u64::from(step.id)), 77 + u64::from(hit.nth));
            forecast.weather.entry((step.id, hit.nth)).or_insert(weather(&hit.trouble, story.mode, hash));
        }
        let hash = mix(mix(story.seed, u64::from(step.id)), 0x0041_7a15);
        let runs = matches!(step.what, What::Wake { .. } | What::Sweep { .. });
        if runs && story.mode != Mode::Calm && hash.is_multiple_of(8) {
            let rival = match (hash >> 8) % 10 {
                0..5 => Rival::Elsewhere,
                5..7 => Rival::Page,
                _ => Rival::Scribble,
            };
            let nth = [0, 0, 0, 1, 3][usize::try_from((hash >> 16) % 5).expect("a small number")];
            forecast.rivals.insert((step.id, nth), rival);
        }
    }
    forecast
}

/// Converts a fault of the simulator to one of HTTP.
fn weather(trouble: &Trouble, mode: Mode, hash: u64) -> Weather {
    // Outside the harsh modes a request must be applied within 15 seconds; leave some of that for a busy machine.
    let late = |time: Millis| match mode {
        Mode::Harsh | Mode::Wrecked => time.min(25_000),
        _ => time * 2 / 3,
    };
    match trouble {
        Trouble::Lost { applied, told } => {
            let (applied, told) = (applied.map(late), told / 6);
            match hash % 10 {
                0..3 => Weather::Lost { how: How::Dropped, applied, told },
                3 => Weather::Lost { how: How::Html(500), applied, told },
                4 => Weather::Lost { how: How::Html(502), applied, told },
                5 => Weather::Lost { how: How::Html(503), applied, told },
                6 | 7 => Weather::Lost { how: How::Null, applied, told },
                8 => Weather::Cut,
                _ => Weather::Torn,
            }
        }
        Trouble::Later(time) => {
            let after = 1 + time / 30_000;
            match hash % 40 {
                0 => Weather::Secondary { status: 403, after: None },
                1..14 => Weather::Secondary { status: 403, after: Some(after) },
                14..27 => Weather::Secondary { status: 429, after: Some(after) },
                _ => Weather::Primary { after },
            }
        }
        Trouble::Host => Weather::Refused,
        Trouble::Slow(time) => Weather::Slow(late(*time)),
        Trouble::Stale { threads, head } => Weather::Stale { threads: *threads, head: *head },
        Trouble::Dies { applied } => Weather::Dies { applied: applied.map(late) },
        Trouble::DiesAfter => Weather::DiesAfter,
        Trouble::PartFails { part, runs_rest } => {
            Weather::PartFails(FailingPart { part: *part, runs_rest: *runs_rest })
        }
    }
}
