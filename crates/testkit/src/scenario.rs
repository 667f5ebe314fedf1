//! A repository with its bot: tests post comments, run the bot, and read the replies.

use std::ops::Deref;

use protocol::settle::settle;
use protocol::{RepoConfig, Report, SettleError, Trigger};
use table::{IssueNumber, Table, state_file};

use crate::place;
use crate::world::{World, default_config, run};

/// A repository on an in-memory GitHub, and its bot.
pub struct Scenario {
    /// The in-memory GitHub.
    pub world: World,
    /// The bot's settings.
    pub config: RepoConfig,
}

/// All methods of [`World`] are available on the scenario.
impl Deref for Scenario {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl Default for Scenario {
    fn default() -> Scenario {
        Scenario::new()
    }
}

impl Scenario {
    /// Returns an empty repository, with the bot's default settings.
    pub fn new() -> Scenario {
        Scenario { world: World::new(), config: default_config() }
    }

    /// Returns a repository after alice opened issue 1 and these comments were posted and settled.
    ///
    /// Each line is `login: comment`. The line `login opens: body` opens another issue, where the next comments go.
    #[track_caller]
    pub fn played(opening: &str, comments: &[&str]) -> Scenario {
        let scenario = Scenario::new();
        let mut issue = scenario.open("alice", opening);
        for line in comments {
            let (actor, text) = line.split_once(": ").expect("`login: comment`");
            match actor.strip_suffix(" opens") {
                Some(login) => issue = scenario.open(login, text),
                None => _ = scenario.post(issue, actor, text),
            }
        }
        scenario
    }

    /// Runs the bot for a trigger. Returns `None` if the run was killed.
    pub fn try_run(&self, trigger: Trigger) -> Option<Result<Report, SettleError>> {
        run(settle(&self.world, &self.config, trigger))
    }

    /// Runs the bot for a comment (0: the issue's body). Returns `None` if the run was killed.
    pub fn try_settle(&self, issue: u64, comment: u64) -> Option<Result<Report, SettleError>> {
        self.try_run(Trigger::Comment { source: place(issue, comment), table: None })
    }

    /// Runs the bot for a comment. Panics if the run fails.
    #[track_caller]
    pub fn settle(&self, issue: u64, comment: u64) -> Report {
        self.try_settle(issue, comment).expect("the run ends").expect("the run succeeds")
    }

    /// Runs the daily sweep.
    ///
    /// # Errors
    /// Returns an error if [`settle`] does.
    pub fn sweep(&self) -> Result<Report, SettleError> {
        self.try_run(Trigger::Sweep).expect("the run ends")
    }

    /// Opens an issue, runs the bot, and returns the issue's number.
    #[track_caller]
    pub fn open(&self, login: &str, body: &str) -> u64 {
        let issue = self.world.open_issue(login, body);
        self.settle(issue, 0);
        issue
    }

    /// Posts a comment, runs the bot, and returns the comment's ID.
    #[track_caller]
    pub fn post(&self, issue: u64, login: &str, text: &str) -> u64 {
        let comment = self.world.comment(issue, login, text);
        self.settle(issue, comment);
        comment
    }

    /// Returns the bot's newest reply in an issue.
    #[track_caller]
    pub fn reply(&self, issue: u64) -> String {
        self.world.answers(issue).pop().expect("the bot has replied")
    }

    /// Returns a table's record at the head of the state branch.
    #[track_caller]
    pub fn record(&self, issue: u64) -> String {
        self.world.file(&format!("state/{issue}.json")).expect("the table has a record")
    }

    /// Returns a table, replayed from its record at the head.
    #[track_caller]
    pub fn table(&self, issue: u64) -> Table {
        state_file::load(&self.record(issue), IssueNumber::new(issue)).expect("the record replays")
    }

    /// Returns a table's moves in their recorded notation.
    #[track_caller]
    pub fn moves(&self, issue: u64) -> Vec<String> {
        let record: serde_json::Value = serde_json::from_str(&self.record(issue)).expect("the record is JSON");
        let history = record["history"].as_array().expect("the record has a history");
        history.iter().filter_map(|event| event["notation"].as_str().map(str::to_owned)).collect()
    }
}
