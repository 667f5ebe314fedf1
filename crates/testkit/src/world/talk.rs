//! People's actions in the repository, and accessors for tests.

use crate::place;
use std::sync::Arc;
use std::time::Duration;

use protocol::{Change, RepoConfig, WebRepo};
use table::{Author, HostPolicy, Oid, Timestamp, UserId};

use super::state::{Issue, Note};
use super::{State, World};

impl World {
    /// Opens an issue; the first is 1.
    pub fn open_issue(&self, login: &str, body: &str) -> u64 {
        self.change(|state| {
            state.person(login);
            let number = state.issues.keys().last().map_or(1, |last| last + 1);
            let (author, text) = (Some(login.to_owned()), body.to_owned());
            let body =
                Note { id: 0, author, text, created: state.second(), edited: None, editor: None, minimized: false };
            let issue = Issue::new(body);
            state.issues.insert(number, Arc::new(issue));
            state.now += state.pace;
            number
        })
    }

    /// Opens a pull request; it is numbered like an issue.
    pub fn open_pull_request(&self, login: &str, body: &str) -> u64 {
        let number = self.open_issue(login, body);
        self.issue(number, |issue| issue.is_pull_request = true);
        number
    }

    /// Posts a comment; a second passes, unless the test sets another pace. Logins that end in `[bot]` are bots.
    pub fn comment(&self, issue: u64, login: &str, text: &str) -> u64 {
        self.change(|state| {
            let id = state.add_comment(issue, login, text);
            state.now += state.pace;
            id
        })
    }

    /// Edits a comment (0: the body) as its author; a second passes.
    pub fn edit(&self, issue: u64, comment: u64, text: &str) {
        self.edit_as(None, issue, comment, text);
    }

    /// Edits a comment (0: the body) as `editor`, or as its author if `None`; a second passes.
    pub fn edit_as(&self, editor: Option<&str>, issue: u64, comment: u64, text: &str) {
        self.change(|state| {
            let now = state.second();
            let issue = state.issue_mut(issue).expect("the issue exists");
            let note = match comment {
                0 => &mut issue.body,
                id => issue.comments.iter_mut().find(|note| note.id == id).expect("the comment exists"),
            };
            text.clone_into(&mut note.text);
            note.edited = Some(now);
            note.editor = editor.map(str::to_owned);
            issue.updated = now;
            state.now += state.pace;
        });
    }

    /// Deletes a comment (0: the whole issue).
    pub fn delete_comment(&self, issue: u64, comment: u64) {
        self.change(|state| match comment {
            0 => drop(state.issues.remove(&issue)),
            _ => state.delete(place(issue, comment)),
        });
    }

    /// Locks the conversation.
    pub fn lock(&self, issue: u64) {
        self.change(|state| state.set_locked(issue, true));
    }

    /// Unlocks the conversation.
    pub fn unlock(&self, issue: u64) {
        self.change(|state| state.set_locked(issue, false));
    }

    /// Makes this person a collaborator.
    pub fn as_maintainer(&self, login: &str) {
        self.change(|state| state.person(login).add_as_collaborator());
    }

    /// Makes the bot use this person's token from now on.
    pub fn run_as(&self, login: &str) {
        self.change(|state| {
            state.person(login);
            login.clone_into(&mut state.bot);
        });
    }

    /// Deletes an account. Its comments stay, without an author.
    pub fn delete_account(&self, login: &str) {
        self.change(|state| {
            for issue in state.issues.values_mut().map(Arc::make_mut) {
                for note in issue.comments.iter_mut().chain([&mut issue.body]) {
                    note.author.take_if(|author| author == login);
                }
            }
        });
    }

    /// Makes this a copy of the repository, as from a template: the same files, without the issues and labels.
    pub fn copy_repository(&self) {
        self.change(|state| {
            state.repository_id += 1;
            state.issues.clear();
            state.reactions.clear();
            state.labels.clear();
        });
    }

    /// Returns the numeric ID of a login.
    pub fn id_of(&self, login: &str) -> u64 {
        self.change(|state| state.person(login).id)
    }

    /// Makes this the state branch from now on, without creating it.
    pub fn use_branch(&self, name: &str) {
        self.change(|state| state.branch = Some(name.to_owned()));
    }

    /// Commits files to the state branch as someone else.
    pub fn land(&self, files: &[(&str, &str)]) -> Oid {
        let files: Vec<_> = files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
        self.change(|state| {
            let branch = state.state_branch().to_owned();
            Oid::parse(&state.land(&branch, &files, "Something else", "")).expect("an oid")
        })
    }

    /// Commits the deletion of a file as someone else.
    pub fn remove_file(&self, path: &str) {
        self.change(|state| {
            let branch = state.state_branch().to_owned();
            let parent = state.branches.get(&branch).and_then(|oid| Oid::parse(oid));
            let author = Author { id: UserId::default(), login: String::new(), is_bot: false };
            let (files, deleted, headline) = (Vec::new(), vec![path.to_owned()], "Something else".to_owned());
            let time = Timestamp::from_millis(state.now);
            let change = Change { parent, files, deleted, headline, body: String::new(), author, time };
            state.land_change(&branch, &change).expect("the file exists");
        });
    }

    /// Commits an unrelated file as someone else.
    pub fn race(&self) -> Oid {
        let count = self.with_state(|state| state.commits.len());
        self.land(&[("elsewhere.txt", &format!("{count}\n"))])
    }

    /// Returns the head of the state branch.
    pub fn head(&self) -> Option<Oid> {
        self.with_state(|state| state.branches.get(state.state_branch()).and_then(|oid| Oid::parse(oid)))
    }

    /// Returns a file at the head of the state branch.
    pub fn file(&self, path: &str) -> Option<String> {
        self.with_state(|state| state.head_files()?.get(path).cloned())
    }

    /// Returns the commit headlines on the state branch, oldest first.
    pub fn headlines(&self) -> Vec<String> {
        self.with_state(|state| {
            let mut oid = state.branches.get(state.state_branch());
            let mut lines = Vec::new();
            while let Some(commit) = oid.map(|oid| &state.commits[oid]) {
                lines.push(commit.headline.clone());
                oid = commit.parent.as_ref();
            }
            lines.reverse();
            lines
        })
    }

    /// Returns the full message of the newest commit on the state branch.
    pub fn message(&self) -> Option<String> {
        self.with_state(|state| {
            let commit = &state.commits[state.branches.get(state.state_branch())?];
            Some(format!("{}\n\n{}", commit.headline, commit.body))
        })
    }

    /// Returns the bot's comments in a thread, oldest first.
    pub fn answers(&self, issue: u64) -> Vec<String> {
        self.with_state(|state| {
            let ours = |note: &&Note| note.author.as_ref() == Some(&state.bot);
            let comments = state.issues.get(&issue).map(|issue| issue.comments.as_slice()).unwrap_or_default();
            comments.iter().filter(ours).map(|note| note.text.clone()).collect()
        })
    }

    /// Returns the bot's reactions to a comment (0: the body), by name, in alphabetical order.
    pub fn reactions(&self, issue: u64, comment: u64) -> Vec<String> {
        let wanted = place(issue, comment);
        self.with_state(|state: &State| {
            let ours = state.reactions.iter().filter(|(source, user, _)| *source == wanted && *user == state.bot_id());
            ours.map(|(_, _, content)| content.clone()).collect()
        })
    }

    /// Changes an issue directly.
    pub fn issue(&self, number: u64, f: impl FnOnce(&mut Issue)) {
        self.change(|state| f(state.issue_mut(number).expect("the issue exists")));
    }
}

/// Returns the configuration of a repository with the default settings.
pub fn default_config() -> RepoConfig {
    RepoConfig {
        policy: HostPolicy::default(),
        state_dir: "state".to_owned(),
        noreply_domain: "users.noreply.github.com".to_owned(),
        skip_ci: false,
        web: Some(WebRepo {
            server: "https://github.example".to_owned(),
            repository: "host/games".to_owned(),
            branch: None,
        }),
        terminal: Default::default(),
        pages: vec!["README.md".to_owned()],
        bots: Vec::new(),
        sweep_days: 7,
        site_url: None,
        settings: None,
        min_comment_age: Duration::ZERO,
        notices_for_settings: false,
    }
}
