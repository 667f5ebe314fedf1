//! Answers with their updates, as one request in which each part can fail alone.

use protocol::forge::{Answer, AnswerOutcome, Claim, PostOutcome, Update};

use super::state::State;
use crate::place;

/// A part of an answer's request that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailingPart {
    /// The part: 0 is the comment, 1 the first update.
    pub part: usize,
    /// Whether GitHub runs the parts after it.
    pub runs_rest: bool,
}

/// Returns an answer without updates.
pub fn answer_alone(issue: u64, body: &str) -> Answer {
    Answer { source: place(issue, 0), body: body.to_owned(), updates: Vec::new() }
}

/// GitHub's sentence about a part that fails without a reason.
const FAILURE: &str = "Something went wrong.";

impl State {
    /// Posts an answer and makes its updates, except for a part that was scripted to fail.
    pub fn apply_answer(&mut self, answer: &Answer) -> AnswerOutcome {
        let failing = self.failing_part.take();
        let fails = |part: usize| {
            failing.is_some_and(|failing| part == failing.part || part > failing.part && !failing.runs_rest)
        };
        let comment = if fails(0) {
            PostOutcome::Failed(FAILURE.to_owned())
        } else {
            match self.post_comment(answer.source.issue.get(), &answer.body) {
                Ok(()) => PostOutcome::Done,
                // With updates, GitHub's error doesn't say whether it's for good.
                Err(why) if !answer.updates.is_empty() => PostOutcome::Failed(why),
                Err(why) => PostOutcome::Refused(why),
            }
        };
        let mut failed_updates = Vec::new();
        for (index, update) in answer.updates.iter().enumerate() {
            let made = if fails(index + 1) { Err(FAILURE.to_owned()) } else { self.apply_update(*update) };
            failed_updates.extend(made.err().map(|why| (*update, why)));
        }
        AnswerOutcome { comment, failed_updates }
    }

    /// Makes an update.
    ///
    /// # Errors
    /// Returns GitHub's message if it refuses the update.
    pub fn apply_update(&mut self, update: Update) -> Result<(), String> {
        match update {
            Update::Rocket(source) => match self.react(source, "rocket") {
                Claim::Refused(why) => return Err(why),
                Claim::Ours | Claim::Taken | Claim::Gone => {}
            },
            Update::Label(issue) => self.label(issue.get()),
            Update::Close(issue) => self.close(issue.get()),
            Update::Reopen(issue) => self.reopen(issue.get()),
        }
        Ok(())
    }
}
