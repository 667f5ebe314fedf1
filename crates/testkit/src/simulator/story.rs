//! A story: what people do, which events come when, and what goes wrong at which request. Everything else follows from it.

use serde::{Deserialize, Serialize};
use table::talk::comment::Millis;

/// One schedule, from its first comment to the end of the storm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// Decides how long each request takes, the dice, and whatever else the steps do not say.
    pub seed: u64,
    pub mode: Mode,
    pub setting: Setting,
    pub steps: Vec<Step>,
}

/// How bad it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Nothing goes wrong and nobody is in a hurry: what a move costs can be counted.
    Calm,
    /// Anything goes wrong, but a request is applied within 15 seconds or never.
    Strict,
    /// A request may be applied minutes after its caller has given up.
    Harsh,
    /// Commits are taken out of the branch, too: what was answered may be gone.
    Wrecked,
}

/// What the host has set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// There is a secret for the dice.
    pub secret: bool,
    /// The state lives on a branch of its own, which is not there in the beginning.
    pub branch: bool,
    /// The bot runs with the token of alice, who plays.
    pub personal: bool,
    /// Anyone may open a table.
    pub anyone: bool,
    /// How many comments a read gives at once.
    pub page: usize,
    /// How many comments an issue takes.
    #[serde(default = "full")]
    pub full: usize,
    /// How many bytes the comments of one reply may have, if there is a limit.
    #[serde(default)]
    pub reply: Option<usize>,
    /// The bot runs as another account when the storm is over.
    #[serde(default)]
    pub account: bool,
}

fn full() -> usize {
    2_500
}

/// Something that happens at some time (milliseconds from the beginning).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// A name that stays when other steps are taken out.
    pub id: u32,
    pub at: Millis,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    /// Somebody opens an issue.
    Open { issue: u64, who: Who, words: Words },
    /// Somebody comments.
    Say { issue: u64, who: Who, words: Words },
    /// The author of a comment changes it.
    Edit { of: u32, words: Words },
    /// Somebody with access changes what another person has said.
    Overwrite { of: u32, words: Words },
    /// Somebody fills an issue with so many long comments.
    Flood { issue: u64, count: u32 },
    /// The author of a comment deletes it.
    Delete { of: u32 },
    /// The event of a comment arrives: a run begins.
    Wake { of: u32, troubles: Vec<Hit> },
    /// The time of day: a run that looks at everything.
    Sweep { troubles: Vec<Hit> },
    /// Somebody commits a file that is none of the bot's.
    Elsewhere,
    /// Somebody changes the README outside the markers.
    Page,
    /// Somebody changes the record of a table by hand.
    Damage { issue: u64 },
    /// They put it right again.
    Repair { issue: u64 },
    /// The token loses its permissions, or has them again.
    Forbid { on: bool },
    /// The clocks of the machines on which runs begin from now on are so far ahead (or behind).
    Clock { by: i64 },
    /// The host locks an issue, or opens it again.
    Lock { issue: u64, on: bool },
    /// An issue is deleted with everything in it.
    Vanish { issue: u64 },
    /// Somebody deletes their account: what they wrote stays, and is nobody's.
    Leave { who: String },
    /// The branch is deleted.
    BranchGone,
    /// The branch is where it was before it was deleted, whatever happened to it meanwhile.
    BranchBack,
    /// The newest commits of the branch are taken out.
    Rewind { commits: u32 },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Who {
    Named(String),
    /// Whoever is to move at this table when it happens.
    OnTurn(u64),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Words {
    These(String),
    /// One of the moves that are legal at this table when it happens; `{}` stands for it.
    Move {
        table: u64,
        nth: u64,
        phrase: String,
    },
    /// What looks like an answer to the newest comment of this issue.
    Forged {
        issue: u64,
    },
}

/// A trouble, and the request of the run that it hits (0 is the first).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    pub nth: u32,
    pub trouble: Trouble,
}

/// What goes wrong with a request. Times are milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// The connection breaks after `told`. The request was applied after so long, or never.
    Lost { applied: Option<Millis>, told: Millis },
    /// The run is killed while it waits for this. The request is applied after so long, or never.
    Dies { applied: Option<Millis> },
    /// The answer arrives, and the run is killed before it can do anything with it.
    DiesAfter,
    /// A limit: the host asks to wait.
    Later(Millis),
    /// The host refuses, this once.
    Host,
    /// It takes this long until the request is applied.
    Slow(Millis),
    /// A read shows the threads, and the branch, as they were so long ago.
    Stale { threads: Millis, head: Millis },
}

impl Story {
    /// How old the oldest thing is that a read shows.
    pub fn oldest(&self) -> Millis {
        let age = |hit: &Hit| match hit.trouble {
            Trouble::Stale { threads, head } => threads.max(head),
            _ => 0,
        };
        self.steps.iter().flat_map(|step| step.what.troubles()).map(age).max().unwrap_or(0)
    }

    /// One line from which the story can be had again.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a story can be written")
    }

    pub fn parse(text: &str) -> Story {
        serde_json::from_str(text).expect("a story")
    }
}

impl What {
    pub fn troubles(&self) -> &[Hit] {
        match self {
            What::Wake { troubles, .. } | What::Sweep { troubles } => troubles,
            _ => &[],
        }
    }

    pub fn troubles_mut(&mut self) -> Option<&mut Vec<Hit>> {
        match self {
            What::Wake { troubles, .. } | What::Sweep { troubles } => Some(troubles),
            _ => None,
        }
    }
}
