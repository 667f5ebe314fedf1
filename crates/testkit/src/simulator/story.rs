//! A story: people's actions, the times of events, and the faults of requests. It determines the whole run.

use serde::{Deserialize, Serialize};
use table::VoteReaction;

use crate::Millis;
use crate::simulator::checks::verdict;
use crate::simulator::rng::mix;

/// A schedule of steps, and the settings of its repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// Determines the latency of requests, the dice, and everything else that the steps leave open.
    pub seed: u64,
    pub mode: Mode,
    pub setting: Setting,
    pub steps: Vec<Step>,
}

/// The severity of a story's faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// No faults, and runs don't overlap, so the checks can count the requests of a move.
    Calm,
    /// All faults, but GitHub applies a request within 15 seconds or never.
    Strict,
    /// GitHub may apply a request minutes after its caller gave up.
    Harsh,
    /// As `Harsh`, and the branch loses commits that the bot confirmed.
    Wrecked,
}

/// The host's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Whether there is a dice secret.
    pub has_dice_secret: bool,
    /// Whether the state has its own branch, which doesn't exist at first.
    pub has_state_branch: bool,
    /// Whether the bot uses the token of alice, who also plays.
    pub uses_token_of_player: bool,
    /// Whether anyone may open a table.
    pub lets_anyone_open: bool,
    /// The number of comments per page of a read.
    pub comments_per_page: usize,
    /// The maximum number of comments in an issue.
    pub max_comments: usize,
    /// The maximum size of the comments in one response, in bytes of JSON.
    pub max_reply_bytes: Option<usize>,
    /// Whether the bot switches to another account after the last step.
    pub switches_account: bool,
    /// Whether the bot listens only in issues with a label, and at tables.
    #[serde(default)]
    pub needs_label: bool,
    /// The number of servers that play instead of a workflow. 0 is a workflow.
    #[serde(default)]
    pub servers: u32,
}

/// An action at some time, in milliseconds from the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// An id that doesn't change when other steps are removed.
    pub id: u32,
    pub at: Millis,
    pub action: Action,
}

/// The action of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    OpenIssue {
        issue: u64,
        author: Person,
        text: Text,
    },
    Comment {
        issue: u64,
        author: Person,
        text: Text,
    },
    /// A comment's author edits it. `comment` is the step that posted it.
    EditComment {
        comment: u32,
        text: Text,
    },
    /// A maintainer edits another person's comment.
    OverwriteComment {
        comment: u32,
        text: Text,
    },
    /// Someone posts this many long comments in an issue.
    PostMany {
        issue: u64,
        count: u32,
    },
    /// A comment's author deletes it.
    DeleteComment {
        comment: u32,
    },
    /// A comment's event arrives and starts a run.
    StartRun {
        comment: u32,
        faults: Vec<InjectedFault>,
    },
    /// The scheduled event starts a sweep.
    Sweep {
        faults: Vec<InjectedFault>,
    },
    /// A server is killed with its runs, and starts again after this time. Its first look at recent issues meets these faults.
    RestartServer {
        server: u32,
        down: Millis,
        faults: Vec<InjectedFault>,
    },
    /// Someone adds these reactions to the newest ballot in an issue, and takes back all others.
    Vote {
        issue: u64,
        login: String,
        reactions: Vec<VoteReaction>,
    },
    /// Someone deletes the newest ballot in an issue.
    DeleteBallot {
        issue: u64,
    },
    /// Someone commits an unrelated file.
    UnrelatedCommit,
    /// Someone changes the README outside the markers.
    EditReadme,
    /// Someone damages a table's record.
    DamageRecord {
        issue: u64,
    },
    /// Someone restores the damaged record.
    RestoreRecord {
        issue: u64,
    },
    /// The token loses its permissions, or regains them.
    ChangePermissions {
        revoked: bool,
    },
    /// The clocks of new runs are this many milliseconds ahead (negative: behind).
    ShiftClock {
        by: i64,
    },
    /// The host locks or unlocks an issue.
    LockIssue {
        issue: u64,
        locked: bool,
    },
    /// The host limits interactions with the repository to people who can push, or stops limiting them.
    LimitInteractions {
        limited: bool,
    },
    /// The host closes an issue.
    CloseIssue {
        issue: u64,
    },
    /// The host shows an old board again that the bot minimized.
    ShowBoard {
        issue: u64,
    },
    /// An issue is deleted with everything in it.
    DeleteIssue {
        issue: u64,
    },
    /// GitHub stops showing an issue, or shows it again.
    HideIssue {
        issue: u64,
        hidden: bool,
    },
    /// Someone deletes their account. Their comments stay, without an author.
    DeleteAccount {
        login: String,
    },
    /// Someone deletes the state branch.
    DeleteBranch,
    /// Someone restores the deleted state branch at its old head.
    RestoreBranch,
    /// Someone removes the newest commits of the state branch.
    RemoveCommits {
        commits: u32,
    },
}

/// The author of a comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Person {
    Named(String),
    /// The player to move at this table at that time.
    ToMove(u64),
    /// Their opponent.
    Waiting(u64),
}

/// The text of a comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Text {
    Literal(String),
    /// A phrase whose `{}` is replaced with a legal move at this table at that time.
    Move {
        table: u64,
        nth: u64,
        phrase: String,
    },
    /// A phrase whose `{}` is replaced with the opponent's next move in a line that the waiting player has announced at this
    /// table. Without lines it's like `Move`.
    AlongLine {
        table: u64,
        nth: u64,
        phrase: String,
    },
    /// `/if` and one or more random lines of this many moves, from the position at this table at that time.
    Line {
        table: u64,
        nth: u64,
        moves: u64,
    },
    /// A forged answer to the newest comment of this issue, with or without the newest commit.
    Forged {
        issue: u64,
        #[serde(default)]
        names_commit: bool,
    },
    /// A forged notice about this table.
    ForgedNotice {
        issue: u64,
        is_flag: bool,
    },
}

/// A fault, and the index of the run's request that it affects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InjectedFault {
    pub request: u32,
    pub fault: TimedFault,
}

/// A fault of a request. Times are in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimedFault {
    /// The connection breaks after `reported_after`. GitHub applies the request after `applied`, or never.
    Lost { applied: Option<Millis>, reported_after: Millis },
    /// The run is killed while it waits. GitHub applies the request after `applied`, or never.
    Killed { applied: Option<Millis> },
    /// The run is killed when the response arrives.
    KilledAfterwards,
    /// A rate limit: retry after this time.
    RetryAfter(Millis),
    /// A permanent error.
    Fatal,
    /// GitHub applies the request after this time.
    Slow(Millis),
    /// A part of an answer's request fails: 0 is the comment, 1 the first update. GitHub runs the rest or doesn't.
    PartFails { part: usize, runs_rest: bool },
    /// A reply that is only a part of what a read asked for.
    Partial,
    /// A stale read, with the ages of its threads and its branch.
    Stale { threads: Millis, head: Millis },
}

impl TimedFault {
    /// Returns the time until it can have no more effect, in milliseconds.
    pub fn duration(&self) -> Millis {
        match self {
            TimedFault::Lost { applied, reported_after } => applied.unwrap_or(0).max(*reported_after),
            TimedFault::Killed { applied } => applied.unwrap_or(0),
            TimedFault::RetryAfter(time) | TimedFault::Slow(time) => *time,
            TimedFault::KilledAfterwards
            | TimedFault::Fatal
            | TimedFault::PartFails { .. }
            | TimedFault::Partial
            | TimedFault::Stale { .. } => 0,
        }
    }
}

impl Person {
    /// Returns the person with this login.
    pub fn named(login: impl AsRef<str>) -> Person {
        Person::Named(login.as_ref().to_owned())
    }
}

impl Text {
    /// Returns a text that doesn't depend on the board.
    pub fn literal(text: impl AsRef<str>) -> Text {
        Text::Literal(text.as_ref().to_owned())
    }
}

impl Story {
    /// Returns the greatest age of a stale read, in milliseconds.
    pub fn oldest(&self) -> Millis {
        let age = |injected: &InjectedFault| match injected.fault {
            TimedFault::Stale { threads, head } => threads.max(head),
            _ => 0,
        };
        self.steps.iter().flat_map(|step| step.action.faults()).map(age).max().unwrap_or(0)
    }

    /// Whether issues are assigned to the player to move.
    pub fn assigns_turns(&self) -> bool {
        mix(self.seed, 51) % 2 == 1
    }

    /// Whether a workflow does the daily runs beside the servers.
    pub fn has_daily_workflow(&self) -> bool {
        mix(self.seed, 82).is_multiple_of(3)
    }

    /// Whether the repository belongs to an organization.
    pub fn is_in_organization(&self) -> bool {
        mix(self.seed, 52).is_multiple_of(3)
    }

    /// Returns the time until a new file can be deleted, in milliseconds.
    pub fn deletion_delay(&self) -> Millis {
        match mix(self.seed, 61) % 4 {
            0 if self.mode != Mode::Calm => 1 + (mix(self.seed, 62) % 4_000),
            _ => 0,
        }
    }

    /// Serializes the story as one line of JSON.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a story can be written")
    }

    /// Parses a story from [`Story::line`].
    pub fn parse(text: &str) -> Story {
        serde_json::from_str(text).expect("a story")
    }
}

impl Action {
    pub fn faults(&self) -> &[InjectedFault] {
        match self {
            Action::StartRun { faults, .. } | Action::Sweep { faults } | Action::RestartServer { faults, .. } => faults,
            _ => &[],
        }
    }

    pub fn faults_mut(&mut self) -> Option<&mut Vec<InjectedFault>> {
        match self {
            Action::StartRun { faults, .. } | Action::Sweep { faults } | Action::RestartServer { faults, .. } => {
                Some(faults)
            }
            _ => None,
        }
    }
}

/// A title that a person chose, so it stays.
pub const OWN_TITLE: &str = "The game we began at lunch";

/// Returns the first title of an issue: the form's, the command, or one that a person chose.
pub fn first_title(seed: u64, issue: u64, text: &str) -> String {
    let first_line = text.lines().map(str::trim).find(|line| !line.is_empty());
    match (mix(seed, issue) % 3, first_line.filter(|line| line.starts_with('/'))) {
        (1, Some(command)) => command.to_owned(),
        (0 | 1, _) => "A game of ...".to_owned(),
        _ => OWN_TITLE.to_owned(),
    }
}

// Reduces a failing story to a minimal one that fails in the same way.

/// Removes steps, faults and settings while the story still has a violation of this kind.
pub fn shrink(story: &Story, kind: &str) -> Story {
    let fails = |story: &Story| verdict(story).iter().any(|violation| violation.kind == kind);
    let mut small = story.clone();
    loop {
        let before = small.clone();
        small = fewer_steps(small, &fails);
        small = fewer_faults(small, &fails);
        small = simpler_setting(small, &fails);
        if small == before {
            return small;
        }
    }
}

fn fewer_steps(mut story: Story, fails: &impl Fn(&Story) -> bool) -> Story {
    let mut size = story.steps.len().next_power_of_two() / 2;
    while size > 0 {
        let mut at = 0;
        while at < story.steps.len() {
            let mut less = story.clone();
            less.steps.drain(at..(at + size).min(story.steps.len()));
            if fails(&less) { story = less } else { at += size }
        }
        size /= 2;
    }
    story
}

fn fewer_faults(mut story: Story, fails: &impl Fn(&Story) -> bool) -> Story {
    for step in 0..story.steps.len() {
        for nth in (0..story.steps[step].action.faults().len()).rev() {
            let mut less = story.clone();
            if let Some(faults) = less.steps[step].action.faults_mut() {
                faults.remove(nth);
            }
            if fails(&less) {
                story = less;
            }
        }
    }
    story
}

/// Resets each setting to its default if possible.
fn simpler_setting(mut story: Story, fails: &impl Fn(&Story) -> bool) -> Story {
    let changes: [fn(&mut Story); 10] = [
        |story| story.setting.has_dice_secret = false,
        |story| story.setting.has_state_branch = false,
        |story| story.setting.uses_token_of_player = false,
        |story| story.setting.lets_anyone_open = false,
        |story| story.setting.comments_per_page = 100,
        |story| story.setting.max_reply_bytes = None,
        |story| story.setting.switches_account = false,
        |story| story.setting.needs_label = false,
        |story| story.setting.servers = story.setting.servers.min(1),
        |story| story.setting.servers = 0,
    ];
    for change in changes {
        let mut plain = story.clone();
        change(&mut plain);
        if plain != story && fails(&plain) {
            story = plain;
        }
    }
    story
}
