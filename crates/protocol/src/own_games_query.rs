//! The answer to `/mine`, which needs the short files of all games in progress.

use std::collections::BTreeSet;

use answers::own_games;
use table::comments::comment::Author;
use table::ids::{IssueNumber, RepositoryId};
use table::oid::Oid;
use table::running_game::RunningGame;
use table::state_path::StatePath;
use table::timestamp::Timestamp;

use crate::forge::{Fault, FileContent, Forge, read_files_in_parts};
use crate::repo_config::RepoConfig;
use crate::view::is_other_repository;

/// The number of files in one request.
const FILES_PER_READ: usize = 50;
/// The limit on the files of one answer. The newest games count, so an answer takes at most 24 requests.
const MAX_FILES: usize = 1_000;

/// The games in progress at a commit. A run keeps them, because a flood may ask for them again and again.
pub(super) struct GamesInProgress {
    commit: Oid,
    /// The issues of all games, even of those whose file wasn't read, the newest first.
    issues: Vec<IssueNumber>,
    games: Vec<RunningGame>,
    /// Whether there are games of another repository, which aren't in the lists.
    has_foreign: bool,
}

impl GamesInProgress {
    /// Whether these are the games at this commit.
    pub(super) fn is_at(&self, commit: &Oid) -> bool {
        self.commit == *commit
    }

    /// Reads the games of a repository: one request for the names, and one for every fifty files.
    ///
    /// # Errors
    /// Returns an error if one of the requests fails.
    pub(super) async fn read(
        forge: &dyn Forge,
        config: &RepoConfig,
        commit: &Oid,
        repository: Option<RepositoryId>,
    ) -> Result<GamesInProgress, Fault> {
        let mut issues = running_issues(forge, config, commit).await?;
        let path = |issue: &IssueNumber| StatePath::Running(*issue).below(&config.state_dir);
        let paths: Vec<String> = issues.iter().take(MAX_FILES).map(path).collect();
        let files = read_files_in_parts(forge, commit, &paths, FILES_PER_READ).await?;
        let games = paths.iter().filter_map(|path| parse(path, files.get(path)?, &config.state_dir));
        let (foreign, games): (Vec<RunningGame>, Vec<RunningGame>) =
            games.partition(|game| is_other_repository(game.repository, repository));
        let others: BTreeSet<IssueNumber> = foreign.into_iter().map(|game| game.issue).collect();
        issues.retain(|issue| !others.contains(issue));
        Ok(GamesInProgress { commit: commit.clone(), issues, games, has_foreign: !others.is_empty() })
    }

    /// Whether there are games of another repository.
    pub(super) fn has_foreign(&self) -> bool {
        self.has_foreign
    }

    /// Returns the issues of all games, the newest first.
    pub(super) fn issues(&self) -> &[IssueNumber] {
        &self.issues
    }

    /// Returns the games, the newest tables first.
    pub(super) fn games(&self) -> &[RunningGame] {
        &self.games
    }

    /// Returns the games, the newest tables first.
    pub(super) fn into_games(self) -> Vec<RunningGame> {
        self.games
    }

    /// Returns the answer about a person's games, at the time of their command.
    pub(super) fn answer(&self, config: &RepoConfig, person: &Author, at: Timestamp) -> String {
        own_games::own_games(person, &self.games, config.links().as_ref(), at)
    }
}

/// Returns the tables with a short file at a commit, the newest first.
///
/// # Errors
/// Returns an error if the request fails.
async fn running_issues(forge: &dyn Forge, config: &RepoConfig, commit: &Oid) -> Result<Vec<IssueNumber>, Fault> {
    let names = forge.list_files(commit, &format!("{}/running", config.state_dir)).await?;
    let mut issues: Vec<IssueNumber> = names.iter().filter_map(|name| running_issue(name)).collect();
    issues.sort_unstable_by(|one, other| other.cmp(one));
    Ok(issues)
}

/// Returns the issue of a file in the folder; `None` if the name isn't one of the bot's.
fn running_issue(name: &str) -> Option<IssueNumber> {
    match StatePath::parse(&format!("running/{name}"))? {
        StatePath::Running(issue) => Some(issue),
        _ => None,
    }
}

/// Parses a file. A damaged one isn't listed; the game's next event writes it again.
fn parse(path: &str, file: &FileContent, state_dir: &str) -> Option<RunningGame> {
    let StatePath::Running(issue) = StatePath::parse_below(path, state_dir)? else { return None };
    RunningGame::parse(file.text()?, issue).ok()
}
