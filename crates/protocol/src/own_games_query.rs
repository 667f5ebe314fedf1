//! The answer to `/mine`, which needs the short files of all games in progress.

use answers::own_games;
use table::oid::Oid;
use table::running_game::RunningGame;
use table::state_path::StatePath;
use table::talk::comment::Author;
use table::timestamp::Timestamp;

use crate::forge::{Fault, FileContent, Forge};
use crate::repo_config::RepoConfig;

/// The number of files in one request.
const FILES_PER_READ: usize = 50;

/// The games in progress at a commit. A run keeps them, because a flood may ask for them again and again.
pub(super) struct GamesInProgress {
    commit: Oid,
    games: Vec<RunningGame>,
}

impl GamesInProgress {
    /// Whether these are the games at this commit.
    pub(super) fn is_at(&self, commit: &Oid) -> bool {
        self.commit == *commit
    }

    /// Reads the games: one request for the names, and one for every fifty files.
    ///
    /// # Errors
    /// Returns an error if one of the requests fails.
    pub(super) async fn read(forge: &dyn Forge, config: &RepoConfig, commit: &Oid) -> Result<GamesInProgress, Fault> {
        let names = forge.list_files(commit, &format!("{}/running", config.state_dir)).await?;
        let paths = names.iter().filter_map(|name| StatePath::parse(&format!("running/{name}")));
        let paths: Vec<String> = paths.map(|path| path.below(&config.state_dir)).collect();
        let (mut games, mut rest, mut count) = (Vec::new(), &paths[..], FILES_PER_READ);
        while !rest.is_empty() {
            let batch = &rest[..count.min(rest.len())];
            match forge.read_files(commit, batch).await {
                Ok(files) => {
                    games.extend(files.iter().filter_map(|(path, file)| parse(path, file, &config.state_dir)));
                    rest = &rest[batch.len()..];
                }
                Err(Fault::TooLong(_)) if count > 1 => count /= 2,
                Err(fault) => return Err(fault),
            }
        }
        Ok(GamesInProgress { commit: commit.clone(), games })
    }

    /// Returns the answer about a person's games, at the time of their command.
    pub(super) fn answer(&self, config: &RepoConfig, person: &Author, at: Timestamp) -> String {
        own_games::own_games(person, &self.games, config.links().as_ref(), at)
    }
}

/// Parses a file. A damaged one isn't listed; the game's next event writes it again.
fn parse(path: &str, file: &FileContent, state_dir: &str) -> Option<RunningGame> {
    let StatePath::Running(issue) = StatePath::parse_below(path, state_dir)? else { return None };
    RunningGame::parse(file.text()?, issue).ok()
}
