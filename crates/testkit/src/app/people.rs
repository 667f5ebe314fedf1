//! What people do in the repositories. Each action sends its webhook.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::data::Repository;
use super::{AccountKind, AppServer, Posted, Shared, webhooks};
use crate::world::{State, World};
use crate::{Millis, payloads, place};

/// The title of every new issue.
const TITLE: &str = "A game, anyone?";

impl AppServer {
    /// Opens an issue, and returns its number.
    pub fn open_issue(&self, repository: u64, login: &str, text: &str) -> u64 {
        let world = self.enter(repository, login);
        let issue = world.open_issue(login, text);
        world.issue(issue, |issue| TITLE.clone_into(&mut issue.title));
        hide(&self.shared, repository, (issue, 0));
        webhooks::send_comment(&self.shared, repository, (issue, 0), "opened", |_| {});
        issue
    }

    /// Posts a comment, and returns its ID.
    pub fn comment(&self, repository: u64, issue: u64, login: &str, text: &str) -> u64 {
        let comment = self.enter(repository, login).comment(issue, login, text);
        hide(&self.shared, repository, (issue, comment));
        webhooks::send_comment(&self.shared, repository, (issue, comment), "created", |_| {});
        comment
    }

    /// Edits a comment (0: the issue's body) as its author.
    pub fn edit(&self, repository: u64, issue: u64, comment: u64, text: &str) {
        let world = self.world(repository);
        world.change(|state| set_time(&self.shared, state));
        world.edit(issue, comment, text);
        webhooks::send_comment(&self.shared, repository, (issue, comment), "edited", |_| {});
    }

    /// Adds a label to an issue.
    pub fn label(&self, repository: u64, issue: u64, login: &str, label: &str) {
        self.enter(repository, login).change(|state| state.label(issue, label));
        let sender = self.shared.data().account_json(login);
        webhooks::send_comment(&self.shared, repository, (issue, 0), "labeled", |payload| {
            payload["label"] = payloads::label(label);
            payload["sender"] = sender;
        });
    }

    /// Locks or unlocks an issue.
    pub fn set_locked(&self, repository: u64, issue: u64, login: &str, is_locked: bool) {
        self.enter(repository, login).change(|state| state.set_locked(issue, is_locked));
        let action = if is_locked { "locked" } else { "unlocked" };
        webhooks::send_comment(&self.shared, repository, (issue, 0), action, |_| {});
    }

    /// Makes a person a collaborator of a repository, who can push.
    pub fn add_collaborator(&self, repository: u64, login: &str) {
        self.enter(repository, login).as_maintainer(login);
    }

    /// Returns the user ID of a person, which is the same in every repository.
    pub fn user_id(&self, login: &str) -> u64 {
        self.shared.data().account(login, AccountKind::User).id
    }

    /// Returns the repository's data, at the fake's time and with this person in it.
    fn enter(&self, repository: u64, login: &str) -> Arc<World> {
        let mut data = self.shared.data();
        let world = data.repositories[&repository].world.clone();
        world.change(|state| {
            set_time(&self.shared, state);
            data.meet(state, login);
        });
        world
    }
}

/// Sets a repository's clock to the fake's time.
pub(super) fn set_time(shared: &Shared, state: &mut State) {
    state.now = shared.now().max(state.now);
}

/// Hides a new comment, or a new issue with its comment 0, for the fake's staleness.
fn hide(shared: &Shared, repository: u64, (issue, comment): (u64, u64)) {
    let staleness = shared.staleness.load(Ordering::Relaxed);
    if staleness > 0 {
        let shown = shared.now() + staleness;
        if let Some(repository) = shared.data().repositories.get_mut(&repository) {
            repository.hidden.push((issue, comment, shown));
        }
    }
}

impl Repository {
    /// Returns the comments that reads don't show yet.
    pub(super) fn still_hidden(&mut self, now: Millis) -> Vec<(u64, u64)> {
        self.hidden.retain(|(_, _, shown)| *shown > now);
        self.hidden.iter().map(|(issue, comment, _)| (*issue, *comment)).collect()
    }
}

/// Returns a stale copy without these comments.
pub(super) fn without(state: &State, hidden: &[(u64, u64)]) -> State {
    let mut old = state.clone();
    for (issue, comment) in hidden {
        if *comment == 0 {
            old.issues.remove(issue);
        } else if let Some(issue) = old.issue_mut(*issue) {
            issue.comments.retain(|note| note.id != *comment);
        }
    }
    old
}

/// Tells the watchers about a comment of the App, and sends its webhook.
pub(super) fn announce_posted(shared: &Shared, repository: u64, (issue, comment): (u64, u64)) {
    let mut data = shared.data();
    let found = &data.repositories[&repository];
    let text = found.world.with_state(|state| state.note(place(issue, comment)).map(|note| note.text.clone()));
    let Some(text) = text else { return };
    let posted = Posted { repository, full_name: found.full_name(), issue, comment, text, at: Instant::now() };
    data.watchers.retain(|watcher| watcher.send(posted.clone()).is_ok());
    let bot = data.app.bot_json();
    drop(data);
    webhooks::send_comment(shared, repository, (issue, comment), "created", |payload| payload["sender"] = bot);
}

/// Sends the webhook for a label that the App added.
pub(super) fn announce_label(shared: &Shared, repository: u64, issue: u64, label: &str) {
    let bot = shared.data().app.bot_json();
    webhooks::send_comment(shared, repository, (issue, 0), "labeled", |payload| {
        payload["label"] = payloads::label(label);
        payload["sender"] = bot;
    });
}
