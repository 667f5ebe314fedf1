//! The start of a walk: the state of GitHub, and the steps to try in every order.

use crate::Millis;
use crate::simulator::core::{Core, Violation};
use crate::simulator::schedule::run_steps;
use crate::simulator::story::{Action, Step, Story};
use crate::small_worlds::world::World;

/// The time grid, in milliseconds. Pauses end on it and people write on it, so fewer states differ only in time.
pub const GRID: Millis = 2_000;

/// The start of a walk.
pub struct Start {
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
    pub fn new(world: &World) -> Start {
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
    pub fn id(&self, run: usize) -> u32 {
        self.step(run).id
    }

    fn step(&self, run: usize) -> &Step {
        &self.story.steps[self.runs[run]]
    }
}

/// Returns the randomness of a run.
pub fn entropy(run: usize) -> [u8; 32] {
    [u8::try_from(run + 1).expect("two runs"); 32]
}
