//! Answers with their updates, as one request in which each part can fail alone.

use protocol::{
    Answer, AnswerOutcome, ClaimOutcome, LISTED_COMMENTS, MAX_ASSIGNEES, NOT_ASSIGNED, PostOutcome, Update,
};

use table::{CommentId, CommentRef, Permission};

use super::state::State;
use crate::place;

/// Returns an answer without updates.
pub fn answer_alone(issue: u64, body: &str) -> Answer {
    Answer { source: place(issue, 0), body: body.to_owned(), updates: Vec::new() }
}

/// GitHub's sentence about a part that fails without a reason.
const FAILURE: &str = "Something went wrong.";

impl State {
    /// Whether an issue takes no more comments.
    pub fn is_full(&self, issue: u64) -> bool {
        self.issues.get(&issue).is_some_and(|issue| issue.comments.len() >= self.full)
    }

    /// Whether ten others follow a comment, so that a list of issues doesn't show it.
    pub fn is_below_many(&self, source: CommentRef) -> bool {
        let issue = self.issues.get(&source.issue.get());
        let later =
            issue.map_or(0, |issue| issue.comments.iter().filter(|note| note.id > source.comment.get()).count());
        !source.is_body() && later >= LISTED_COMMENTS
    }

    /// Posts an answer and makes its updates, except for a part that was scripted to fail.
    pub fn apply_answer(&mut self, answer: &Answer) -> AnswerOutcome {
        let failing = self.failing_part.take();
        let fails = |part: usize| {
            failing.is_some_and(|failing| part == failing.part || part > failing.part && !failing.runs_rest)
        };
        let id = CommentId::new(self.next_comment);
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
            let made = if fails(index + 1) { Err(FAILURE.to_owned()) } else { self.apply_update(update) };
            failed_updates.extend(made.err().map(|why| (update.clone(), why)));
        }
        let posted = (comment == PostOutcome::Done).then_some(id);
        AnswerOutcome { comment, posted, failed_updates }
    }

    /// Makes an update.
    ///
    /// # Errors
    /// Returns GitHub's message if it refuses the update.
    pub fn apply_update(&mut self, update: &Update) -> Result<(), String> {
        match update {
            Update::Rocket(source) => match self.react(*source, "rocket") {
                ClaimOutcome::Refused(why) => return Err(why),
                ClaimOutcome::Ours | ClaimOutcome::Taken | ClaimOutcome::Gone => {}
            },
            Update::Label(issue, label) => self.label(issue.get(), label.name()),
            Update::Unlabel(issue, label) => self.remove_label(issue.get(), label.name()),
            Update::Title(issue, title) => self.set_title(issue.get(), title),
            Update::Unassign(issue, person) => self.unassign(issue.get(), person.id.get()),
            Update::Assign(issue, person) => {
                let is_ignored = self.exists(place(issue.get(), 0)) && !self.assign(issue.get(), person.id.get());
                return if is_ignored { Err(NOT_ASSIGNED.to_owned()) } else { Ok(()) };
            }
            Update::Minimize(source) => self.minimize(*source),
            Update::Vote(source, reactions) => {
                for reaction in reactions {
                    if let ClaimOutcome::Refused(why) = self.react(*source, reaction.name()) {
                        return Err(why);
                    }
                }
            }
            Update::Close(issue) => self.close(issue.get()),
            Update::Reopen(issue) => self.reopen(issue.get()),
        }
        Ok(())
    }

    /// Minimizes a comment.
    pub fn minimize(&mut self, source: CommentRef) {
        let issue = self.issue_mut(source.issue.get());
        let note = issue.and_then(|issue| issue.comments.iter_mut().find(|note| note.id == source.comment.get()));
        note.into_iter().for_each(|note| note.minimized = true);
    }

    /// Sets the title of an issue.
    pub fn set_title(&mut self, number: u64, title: &str) {
        let now = self.second();
        if let Some(issue) = self.issue_mut(number) {
            title.clone_into(&mut issue.title);
            issue.updated = now;
        }
    }

    /// Adds a label to an issue, and creates the label if the repository doesn't have it.
    pub fn label(&mut self, number: u64, label: &str) {
        let (now, label) = (self.second(), label.to_owned());
        if self.issues.contains_key(&number) {
            self.labels.insert(label.clone());
        }
        if let Some(issue) = self.issue_mut(number).filter(|issue| !issue.labels.contains(&label)) {
            issue.labels.push(label);
            issue.updated = now;
        }
    }

    /// Removes a label from an issue.
    pub fn remove_label(&mut self, number: u64, label: &str) {
        let now = self.second();
        if let Some(issue) = self.issue_mut(number) {
            issue.labels.retain(|other| other != label);
            issue.updated = now;
        }
    }

    /// Assigns an issue to a person. Returns false if GitHub ignores it: the person has never commented there and can't write, or
    /// the issue is assigned to ten others.
    pub fn assign(&mut self, number: u64, id: u64) -> bool {
        let Some(login) = self.people.values().find(|person| person.id == id).map(|person| person.login.clone()) else {
            return false;
        };
        let (may_write, now) = (self.people[&login].permission >= Permission::Write, self.second());
        let Some(issue) = self.issue_mut(number) else { return false };
        let mut notes = std::iter::once(&issue.body).chain(&issue.comments);
        let has_commented = notes.any(|note| note.author.as_ref() == Some(&login));
        if issue.assignees.len() >= MAX_ASSIGNEES || !has_commented && !may_write {
            return issue.assignees.contains(&id);
        }
        issue.assignees.insert(id);
        issue.updated = now;
        true
    }

    /// Ends the assignment of an issue.
    pub fn unassign(&mut self, number: u64, id: u64) {
        let now = self.second();
        if let Some(issue) = self.issue_mut(number) {
            issue.assignees.remove(&id);
            issue.updated = now;
        }
    }
}
