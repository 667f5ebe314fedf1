//! What goes wrong over HTTP, and with which request: all of it follows from the story.

use std::collections::BTreeMap;
use std::time::Duration;

use table::talk::comment::Millis;

use crate::simulator::chance::mix;
use crate::simulator::story::{Mode, Story, Trouble, What, Words};

/// How long a story's people talk, at most.
const LONGEST: Millis = 20_000;

/// What one request meets. Times are milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weather {
    /// The caller never hears what came of it, which is told after some time. It is applied after so long, or never.
    Lost { how: How, applied: Option<Millis>, told: Millis },
    /// Only half of the right answer arrives, and the connection breaks.
    Cut,
    /// The answer arrives, and is half of the right JSON.
    Torn,
    /// A limit: of too much at once, with or without a time to wait.
    Secondary { status: u16, after: Option<u64> },
    /// The limit of the hour: with a status in REST, and in GraphQL inside a 200.
    Primary { after: u64 },
    /// The token may not do this, this once.
    Refused,
    /// It takes this long until it is applied.
    Slow(Millis),
    /// A read that shows threads and branch as they were so long ago.
    Stale { threads: Millis, head: Millis },
    /// The process is killed. The request is applied after so long, or never.
    Dies { applied: Option<Millis> },
    /// The answer arrives, and the process is killed before it can do anything with it.
    DiesAfter,
}

/// How a request is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The connection breaks before a byte of the answer.
    Dropped,
    /// A page in HTML, with this status.
    Html(u16),
    /// GraphQL's apology: `errors`, and no data. REST says it with a 500.
    Null,
}

/// What somebody else commits in the moment after a request was applied, before its answer is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    Elsewhere,
    Page,
    /// Between the markers of the page, which is the bot's place.
    Scribble,
}

/// The weather of a whole story, by run and request (0 is a run's first).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    pub weather: BTreeMap<(u32, u32), Weather>,
    pub rivals: BTreeMap<(u32, u32), Rival>,
    /// After how long the job of a workflow is stopped.
    pub job: Duration,
}

impl Default for Forecast {
    fn default() -> Self {
        Forecast { weather: BTreeMap::new(), rivals: BTreeMap::new(), job: Duration::from_secs(75) }
    }
}

impl Weather {
    /// One word for it.
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
            Weather::Stale { .. } => "stale",
            Weather::Dies { applied: None } => "killed before",
            Weather::Dies { applied: Some(_) } => "killed, applied",
            Weather::DiesAfter => "killed after the answer",
        }
    }
}

/// The same story for real time: nobody waits for minutes. What dice show without a secret, nobody can know beforehand.
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

/// What the weather is going to be.
pub fn forecast(story: &Story) -> Forecast {
    let mut forecast = Forecast::default();
    for step in &story.steps {
        for hit in step.what.troubles() {
            let chance = mix(mix(story.seed, u64::from(step.id)), 77 + u64::from(hit.nth));
            if let Some(weather) = weather(&hit.trouble, story.mode, chance) {
                forecast.weather.entry((step.id, hit.nth)).or_insert(weather);
            }
        }
        let chance = mix(mix(story.seed, u64::from(step.id)), 0x0041_7a15);
        let runs = matches!(step.what, What::Wake { .. } | What::Sweep { .. });
        if runs && story.mode != Mode::Calm && chance.is_multiple_of(8) {
            let rival = match (chance >> 8) % 10 {
                0..5 => Rival::Elsewhere,
                5..7 => Rival::Page,
                _ => Rival::Scribble,
            };
            let nth = [0, 0, 0, 1, 3][usize::try_from((chance >> 16) % 5).expect("a small number")];
            forecast.rivals.insert((step.id, nth), rival);
        }
    }
    forecast
}

/// A trouble as HTTP has it. Nothing for what HTTP does not know.
#[allow(unreachable_patterns)]
fn weather(trouble: &Trouble, mode: Mode, chance: u64) -> Option<Weather> {
    // Where a request is applied within fifteen seconds, some of them are for this machine to lose.
    let late = |time: Millis| match mode {
        Mode::Harsh | Mode::Wrecked => time.min(25_000),
        _ => time * 2 / 3,
    };
    Some(match trouble {
        Trouble::Lost { applied, told } => {
            let (applied, told) = (applied.map(late), told / 6);
            match chance % 10 {
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
            match chance % 40 {
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
        _ => return None,
    })
}
