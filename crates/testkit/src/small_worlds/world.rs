//! The worlds: the moves before, the comments, and the runs.

use std::fmt;
use std::fmt::{Debug, Write};

use sha2::{Digest, Sha256};

use self::Then::{Event, Open, Say, Sweep};
use crate::Millis;
use crate::simulator::core::Violation;
use crate::simulator::schedule::run_steps;
use crate::simulator::{Action, Core, Mode, Person, Setting, Step, Story, Text};
use crate::small_worlds::fault::MAX_DELAY;

/// A small world.
pub struct World {
    pub name: &'static str,
    /// The body of the first issue, by alice.
    pub opening: &'static str,
    /// The comments before: a login, a colon and a text each.
    pub before: &'static [&'static str],
    /// The comments after these that never started a run.
    pub missed: &'static [&'static str],
    /// The pause after them.
    pub pause: Millis,
    pub then: &'static [Then],
    pub faults: Faults,
    /// The longest time that a write takes.
    pub max_delay: Millis,
}

/// The faults in a world. At most one of them happens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Faults {
    None,
    /// All except requests that take effect after the run has given them up.
    Prompt,
    All,
}

/// A step of a world. Comments come in this order, and runs may start at any time after the comments above them.
#[derive(Clone, Copy)]
pub enum Then {
    /// Someone opens the issue with this number: a login, a colon and the body.
    Open(u64, &'static str),
    /// Someone comments in this issue.
    Say(u64, &'static str),
    /// The event of the comment with this index arrives and starts a run.
    Event(usize),
    /// The daily run starts.
    Sweep,
}

const TABLE: &str = "/new tic-tac-toe @bob";
const CLOCKED_TABLE: &str = "/new tic-tac-toe @bob per-move=1d";
const CROWD_TABLE: &str = "/new tic-tac-toe crowd votes=1h";
const MOVED: &[&str] = &["alice: b2"];
const VOTED: &[&str] = &["bob: b2"];
const BOTH_MOVED: &[&str] = &["alice: b2", "bob: a1", "alice: c3"];
const NEARLY_WON: &[&str] = &["alice: b2", "bob: a1", "alice: a2", "bob: a3"];
const WON: &[&str] = &["alice: b2", "bob: a1", "alice: a2", "bob: a3", "alice: c2"];

const fn world(name: &'static str, before: &'static [&'static str], then: &'static [Then]) -> World {
    let faults = Faults::Prompt;
    World { name, opening: TABLE, before, missed: &[], pause: 60_000, then, faults, max_delay: MAX_DELAY }
}

impl World {
    /// Without faults, and with quick requests.
    const fn calm(self) -> World {
        World { faults: Faults::None, max_delay: 4_000, ..self }
    }

    const fn with(self, faults: Faults) -> World {
        World { faults, ..self }
    }

    /// With a clock that ran out three hours ago. The comments in `missed` never started a run.
    const fn overdue(self, missed: &'static [&'static str]) -> World {
        World { opening: CLOCKED_TABLE, missed, pause: 27 * 60 * 60_000, ..self }
    }

    /// With a crowd whose vote ended an hour ago.
    const fn voting(self) -> World {
        World { opening: CROWD_TABLE, pause: 2 * 60 * 60_000, ..self }
    }

    const fn named(self, name: &'static str) -> World {
        World { name, ..self }
    }
}

const MOVE: World = world("a move", MOVED, &[Say(1, "bob: a1"), Event(0), Event(0)]);
const REFUSED: World = world("a refused move", MOVED, &[Say(1, "bob: b2"), Event(0), Event(0)]);
const BOARD: World = world("a board and the daily run", MOVED, &[Say(1, "bob: /board"), Event(0), Sweep]);
const MOVES: World = world("two moves", MOVED, &[Say(1, "bob: a1"), Say(1, "alice: c3"), Event(0), Event(1)]);
const LATE_MOVE: World =
    world("a move and a refusal", MOVED, &[Say(1, "bob: a1"), Say(1, "bob: c3"), Event(0), Event(1)]);
const MIXED: World =
    world("a move and a board", MOVED, &[Say(1, "bob: a1"), Say(1, "alice: /board"), Event(0), Event(1)]);
const OFFER: World =
    world("an offer and its answer", MOVED, &[Say(1, "bob: a1, draw?"), Say(1, "alice: /accept"), Event(0), Event(1)]);
const NEW: World =
    world("a new table", MOVED, &[Open(2, "bob: /new tic-tac-toe @alice"), Say(2, "bob: b2"), Event(0), Sweep]);
const WIN: World =
    world("a win and a rematch", NEARLY_WON, &[Say(1, "alice: c2"), Say(1, "bob: /rematch"), Event(0), Event(1)]);
const REMATCH: World =
    world("a rematch and its answer", WON, &[Say(1, "bob: /rematch"), Say(1, "alice: yes"), Event(0), Event(1)]);
const ELSEWHERE: World =
    world("a move from another issue", MOVED, &[Open(2, "bob: /move a1 #1"), Say(1, "alice: c3"), Event(0), Event(1)]);
const LINE: World = world(
    "a conditional move and a takeback",
    &["alice: b2", "alice: /if a1 c3"],
    &[Say(1, "bob: a1"), Say(1, "alice: /undo"), Event(0), Event(1)],
);
const THREE: World = world(
    "three comments",
    MOVED,
    &[Say(1, "bob: a1"), Say(1, "bob: /board"), Say(1, "alice: c3"), Event(1), Event(2)],
);

const FLAGS: World = world("a flag and two daily runs", BOTH_MOVED, &[Sweep, Sweep]).overdue(&[]);
const IN_TIME: World = world("a flag and a comment in time", BOTH_MOVED, &[Say(1, "alice: /board"), Event(0), Sweep])
    .overdue(&["bob: a2"]);
const LATE: World = world("a flag and a late move", BOTH_MOVED, &[Say(1, "bob: a2"), Event(0), Sweep]).overdue(&[]);
const CLAIM: World = world("a flag and a claim", BOTH_MOVED, &[Say(1, "alice: /claim"), Event(0), Sweep]).overdue(&[]);

const COUNT: World = world("a count and two daily runs", VOTED, &[Sweep, Sweep]).voting();
const LATE_VOTE: World = world("a count and a vote", VOTED, &[Say(1, "carol: a1"), Event(0), Sweep]).voting();

/// The worlds that `cargo test` walks.
pub const QUICK: &[World] = &[
    REFUSED.with(Faults::None),
    BOARD.with(Faults::None),
    MOVES.calm(),
    OFFER.calm(),
    ELSEWHERE.calm(),
    FLAGS.with(Faults::None),
    LATE.with(Faults::None),
    CLAIM.with(Faults::None),
    COUNT.with(Faults::None),
];

/// The worlds that `.ci/run` walks, too.
pub const FULL: &[World] = &[
    MOVE.with(Faults::All),
    LATE_MOVE.calm(),
    MIXED.calm(),
    NEW.calm(),
    WIN.calm(),
    REMATCH.calm(),
    IN_TIME.calm(),
    LATE_VOTE.calm(),
];

/// The worlds that `.ci/run long` walks, too.
pub const LONG: &[World] = &[
    REFUSED.named("a refused move, faults"),
    BOARD.named("a board and the daily run, faults"),
    REFUSED.named("a refused move, late faults").with(Faults::All),
    BOARD.named("a board and the daily run, late faults").with(Faults::All),
    MOVES.named("two moves, faults"),
    LATE_MOVE.named("a move and a refusal, faults"),
    MIXED.named("a move and a board, faults"),
    OFFER.named("an offer and its answer, faults"),
    NEW.named("a new table, faults"),
    WIN.named("a win and a rematch, faults"),
    REMATCH.named("a rematch and its answer, faults"),
    ELSEWHERE.named("a move from another issue, faults"),
    LINE.calm(),
    LINE.named("a conditional move and a takeback, faults"),
    FLAGS.named("a flag and two daily runs, faults"),
    IN_TIME.named("a flag and a comment in time, faults"),
    LATE.named("a flag and a late move, faults"),
    CLAIM.named("a flag and a claim, faults"),
    COUNT.named("a count and two daily runs, faults"),
    LATE_VOTE.named("a count and a vote, faults"),
    THREE.calm(),
    THREE.named("three comments, faults"),
];

impl World {
    /// Returns the story up to the walk, and the whole story.
    pub fn stories(&self) -> (Story, Story) {
        let mut story = Story { seed: 0, mode: Mode::Strict, setting: setting(), steps: Vec::new() };
        add(
            &mut story,
            Action::OpenIssue { issue: 1, author: Person::named("alice"), text: Text::literal(self.opening) },
        );
        add(&mut story, Action::StartRun { comment: 0, faults: Vec::new() });
        for line in self.before {
            let (author, text) = author(line);
            let comment = add(&mut story, Action::Comment { issue: 1, author, text });
            add(&mut story, Action::StartRun { comment, faults: Vec::new() });
        }
        for line in self.missed {
            let (author, text) = author(line);
            add(&mut story, Action::Comment { issue: 1, author, text });
        }
        let before = story.clone();
        let mut comments = Vec::new();
        for then in self.then {
            match *then {
                Open(issue, line) => {
                    let (author, text) = author(line);
                    comments.push(add(&mut story, Action::OpenIssue { issue, author, text }));
                }
                Say(issue, line) => {
                    let (author, text) = author(line);
                    comments.push(add(&mut story, Action::Comment { issue, author, text }));
                }
                Event(nth) => _ = add(&mut story, Action::StartRun { comment: comments[nth], faults: Vec::new() }),
                Sweep => _ = add(&mut story, Action::Sweep { faults: Vec::new() }),
            }
        }
        (before, story)
    }
}

/// Adds a step ten seconds after the last one, and returns its id.
fn add(story: &mut Story, action: Action) -> u32 {
    let id = u32::try_from(story.steps.len()).expect("a short story");
    story.steps.push(Step { id, at: u64::from(id) * 10_000, action });
    id
}

fn author(line: &str) -> (Person, Text) {
    let (login, text) = line.split_once(": ").expect("a login and a comment");
    (Person::named(login), Text::literal(text))
}

fn setting() -> Setting {
    Setting {
        has_dice_secret: false,
        has_state_branch: false,
        uses_token_of_player: false,
        lets_anyone_open: false,
        comments_per_page: 100,
        max_comments: 2_500,
        max_reply_bytes: None,
        switches_account: false,
        needs_label: false,
        servers: 0,
    }
}

// The start of a walk: the state of GitHub, and the steps to try in every order.

/// The time grid, in milliseconds. Pauses end on it and people write on it, so fewer states differ only in time.
pub(crate) const GRID: Millis = 2_000;

/// The start of a walk.
pub(crate) struct Start {
    pub story: Story,
    /// GitHub before the walk.
    pub base: Core,
    /// The story's steps by people, and those that start a run.
    pub people: Vec<usize>,
    pub runs: Vec<usize>,
}

/// The first violation: its trace, line by line.
pub struct Found {
    pub steps: usize,
    pub wrong: Vec<Violation>,
    pub trace: Vec<String>,
}

impl Start {
    pub(crate) fn new(world: &World) -> Start {
        let (before, story) = world.stories();
        let mut base = run_steps(&before, false);
        base.now = base.now.next_multiple_of(GRID) + world.pause;
        base.state.now = base.now;
        // A page without markers saves time.
        base.state.land("main", &[("README.md".to_owned(), "# A page\n".to_owned())], "A plain page", "");
        base.changed();
        let walked = before.steps.len()..story.steps.len();
        let starts_run = |at: &usize| matches!(story.steps[*at].action, Action::StartRun { .. } | Action::Sweep { .. });
        let (runs, people) = walked.partition(starts_run);
        Start { story, base, people, runs }
    }

    /// Returns the id of a run, which is its step's.
    pub(crate) fn id(&self, run: usize) -> u32 {
        self.step(run).id
    }

    fn step(&self, run: usize) -> &Step {
        &self.story.steps[self.runs[run]]
    }
}

/// Returns the randomness of a run.
pub(crate) fn entropy(run: usize) -> [u8; 32] {
    [u8::try_from(run + 1).expect("two runs"); 32]
}

// Hashes of 128 bits, for sets of visited states.

/// A hash of the text that is written to it.
struct Hasher(Sha256);

impl Write for Hasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

/// Returns the hash of a value's `Debug` text.
pub(crate) fn hash(value: &impl Debug) -> u128 {
    let mut hasher = Hasher(Sha256::new());
    write!(hasher, "{value:?}").expect("hashing never fails");
    u128::from_le_bytes(*hasher.0.finalize().first_chunk().expect("32 bytes"))
}
