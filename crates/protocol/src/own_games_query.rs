//! The answer to `/mine`, which needs the summaries of all games in progress.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use answers::announce::show;
use answers::{OutputFormat, own_games};
use table::{Author, CommentRef, GameSummary, IssueNumber, Oid, Query, RepositoryId, StatePath, Table, Timestamp};

use crate::answer::{site_link, trusted_marker};
use crate::forge::read_files_in_parts;
use crate::reader::{RepoState, is_other_repository};
use crate::{FileContent, Forge, RepoConfig, RequestError};

/// The number of files in one request, if the whole folder is too much for one.
const FILES_PER_READ: usize = 100;

/// The games in progress at a commit. A run keeps them, because a flood may ask for them again and again.
pub(super) struct GamesInProgress {
    commit: Oid,
    /// The issues of all games, even of those whose file is damaged, the newest first.
    issues: Vec<IssueNumber>,
    /// The games, the newest first.
    games: Vec<GameSummary>,
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
    ) -> Result<GamesInProgress, RequestError> {
        let dir = format!("{}/running", config.state_dir);
        let files = match forge.read_folder(commit, &dir).await {
            Err(RequestError::TooLong(_) | RequestError::Lost(_)) => read_in_parts(forge, commit, &dir).await?,
            files => files?,
        };
        let files = files.iter().filter_map(|(name, file)| Some((running_issue(name)?, file)));
        let mut files: Vec<(IssueNumber, &FileContent)> = files.collect();
        files.sort_unstable_by_key(|(issue, _)| Reverse(*issue));
        // A damaged file isn't listed; the game's next event writes it again.
        let games = files.iter().filter_map(|(issue, file)| GameSummary::parse(file.text()?, *issue).ok());
        let (foreign, games): (Vec<GameSummary>, Vec<GameSummary>) =
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
    pub(super) fn games(&self) -> &[GameSummary] {
        &self.games
    }

    /// Returns the games, the newest tables first.
    pub(super) fn into_games(self) -> Vec<GameSummary> {
        self.games
    }

    /// Returns the answer about a person's games, at the time of their command.
    pub(super) fn answer(&self, config: &RepoConfig, person: &Author, at: Timestamp) -> String {
        own_games::own_games(person, &self.games, config.links().as_ref(), at)
    }
}

/// Reads a folder with several requests.
async fn read_in_parts(
    forge: &dyn Forge,
    commit: &Oid,
    dir: &str,
) -> Result<BTreeMap<String, FileContent>, RequestError> {
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

// The answer to `/review`: the review, or where the bot has already given it.

/// Returns the review of a game, with a link to its page on the website. `at` is the time of the command.
pub(super) fn review(table: &Table, config: &RepoConfig, at: Timestamp, format: OutputFormat<'_>) -> String {
    let mut review = show(&Query::Review, Some(table), &config.policy, at, format);
    if let Some(link) = site_link(table, config) {
        review.push_str(&format!("\n\n{link}"));
    }
    match format {
        OutputFormat::Terminal(_) => review,
        _ => format!("{}\n{review}", review_line(table)),
    }
}

/// Returns the hidden line that marks the review of a round, so that the bot can find it later.
pub fn review_line(table: &Table) -> String {
    format!("<!-- review round={} -->", table.round())
}

/// Returns the answer that points to an earlier review of the same game in the same thread; `None` if there is none.
///
/// So a game is analyzed once, however often people ask.
pub(super) fn earlier_review(view: &RepoState, source: CommentRef, table: &Table) -> Option<String> {
    let thread = &view.threads.get(&source.issue)?.thread;
    let line = review_line(table);
    let asked = thread.comments.iter().find_map(|comment| {
        let marker = trusted_marker(comment)?;
        let is_review = marker.table == table.issue()
            && marker.commit.is_none()
            && comment.text.lines().nth(1) == Some(line.as_str());
        if is_review { Some(marker.source) } else { None }
    })?;
    Some(pointer(asked))
}

/// Returns the answer that points to the review for this comment.
pub fn pointer(asked: CommentRef) -> String {
    let place = if asked.is_body() { "above".to_owned() } else { format!("[here](#issuecomment-{})", asked.comment) };
    format!("The review of this game is {place}.")
}
