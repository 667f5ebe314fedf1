//! The answer to `/mine`, which needs the short files of all games in progress.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

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

/// The number of files in one request, if the whole folder is too much for one.
const FILES_PER_READ: usize = 100;

/// The games in progress at a commit. A run keeps them, because a flood may ask for them again and again.
pub(super) struct GamesInProgress {
    commit: Oid,
    /// The issues of all games, even of those whose file is damaged, the newest first.
    issues: Vec<IssueNumber>,
    /// The games, the newest first.
    games: Vec<RunningGame>,
    /// Whether there are games of another repository, which aren't in the lists.
    has_foreign: bool,
}

impl GamesInProgress {
    /// Whether these are the games at this commit.
    pub(super) fn is_at(&self, commit: &Oid) -> bool {
        self.commit == *commit
    }

    /// Reads all games of a repository with one request. If that's too much for one reply: one for the names, and one for every
    /// hundred files.
    ///
    /// # Errors
    /// Returns an error if one of the requests fails.
    pub(super) async fn read(
        forge: &dyn Forge,
        config: &RepoConfig,
        commit: &Oid,
        repository: Option<RepositoryId>,
    ) -> Result<GamesInProgress, Fault> {
        let dir = format!("{}/running", config.state_dir);
        let files = match forge.read_folder(commit, &dir).await {
            Err(Fault::TooLong(_) | Fault::Lost(_)) => read_in_parts(forge, commit, &dir).await?,
            files => files?,
        };
        let files = files.iter().filter_map(|(name, file)| Some((running_issue(name)?, file)));
        let mut files: Vec<(IssueNumber, &FileContent)> = files.collect();
        files.sort_unstable_by_key(|(issue, _)| Reverse(*issue));
        // A damaged file isn't listed; the game's next event writes it again.
        let games = files.iter().filter_map(|(issue, file)| RunningGame::parse(file.text()?, *issue).ok());
        let (foreign, games): (Vec<RunningGame>, Vec<RunningGame>) =
            games.partition(|game| is_other_repository(game.repository, repository));
        let others: BTreeSet<IssueNumber> = foreign.into_iter().map(|game| game.issue).collect();
        let issues = files.into_iter().map(|(issue, _)| issue).filter(|issue| !others.contains(issue)).collect();
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

/// Reads a folder with several requests.
async fn read_in_parts(forge: &dyn Forge, commit: &Oid, dir: &str) -> Result<BTreeMap<String, FileContent>, Fault> {
    let names = forge.list_files(commit, dir).await?;
    let paths: Vec<String> = names.iter().map(|name| format!("{dir}/{name}")).collect();
    let mut files = read_files_in_parts(forge, commit, &paths, FILES_PER_READ).await?;
    Ok(names.into_iter().zip(&paths).filter_map(|(name, path)| Some((name, files.remove(path)?))).collect())
}

/// Returns the issue of a file in the folder; `None` if the name isn't one of the bot's.
fn running_issue(name: &str) -> Option<IssueNumber> {
    match StatePath::parse(&format!("running/{name}"))? {
        StatePath::Running(issue) => Some(issue),
        _ => None,
    }
}
