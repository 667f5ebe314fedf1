//! Ends the games whose issue was deleted or transferred, during a sweep.
//!
//! Nobody can comment there any more, so nothing else would ever end such a game. But GitHub may also hide an issue for days. So
//! a game ends only if no daily run has found its issue for a week; its summary says since when. To rule out stale reads, a
//! read and a lookup both have to miss the issue, and before the game ends, the run checks again after twenty seconds.

use std::collections::BTreeSet;
use std::time::Duration;

use answers::commit_message;
use table::{CommentRef, GameSummary, IssueNumber, StatePath, end_without_issue, state_file};
use tracing::info;

use crate::clock::Backoff;
use crate::commit_files::CommitFiles;
use crate::forge::bot_author;
use crate::memory::CONFIRM_AFTER;
use crate::reader::Reader;
use crate::{Change, CommitOutcome, FileContent, Forge, Head, Ledger, Presence, RepoConfig, RequestError, SettleError};

/// The maximum number of issues to look for in one sweep, beside those that are missing already. The next sweep starts elsewhere.
const MAX_ISSUES: usize = 50;
/// The maximum number of missing issues to look for in one sweep.
const MAX_MISSING: usize = 200;
/// The number of issues in one request. A sweep asks for fewer if the reply is too long.
const ISSUES_PER_READ: usize = 10;
/// How long an issue has to be missing: a week, less the hours by which a daily run may be early.
const GONE_AFTER: Duration = Duration::from_secs((7 * 24 - 6) * 60 * 60);

/// Ends the games in progress whose issue is gone. It looks for the issues that an earlier sweep missed, and for the first
/// [`MAX_ISSUES`] of `others`.
///
/// # Errors
/// Returns an error if retrying can't help, or if the run makes no progress for three minutes.
pub(super) async fn end_games_without_issue(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
    games: &[GameSummary],
    others: &[IssueNumber],
) -> Result<(), SettleError> {
    let marked = games.iter().filter(|game| game.missing_since.is_some());
    let marked: BTreeSet<IssueNumber> = marked.map(|game| game.issue).take(MAX_MISSING).collect();
    let unmarked = others.iter().copied().filter(|issue| !marked.contains(issue)).take(MAX_ISSUES);
    let sought: Vec<IssueNumber> = marked.iter().copied().chain(unmarked).collect();
    let missing = Backoff::retry(forge, async || find_missing(forge, &sought).await).await?;
    let now = forge.now();
    let is_due = |game: &&GameSummary| game.missing_since.is_some_and(|since| now.since(since) >= GONE_AFTER);
    let due: Vec<IssueNumber> = games.iter().filter(is_due).map(|game| game.issue).collect();
    let gone: Vec<IssueNumber> = missing.iter().copied().filter(|issue| due.contains(issue)).collect();
    if !gone.is_empty() {
        forge.pause(CONFIRM_AFTER).await;
    }
    for issue in gone {
        Backoff::retry_commit(forge, async || end_game(forge, config, ledger, issue).await).await?;
    }
    let is_changed = |issue: &IssueNumber| missing.contains(issue) != marked.contains(issue);
    let changed: Vec<IssueNumber> = sought.into_iter().filter(is_changed).collect();
    if !changed.is_empty() {
        Backoff::retry_commit(forge, async || mark_games(forge, config, &changed, &missing).await).await?;
    }
    Ok(())
}

/// Notes in the summaries of these games whether their issue is missing. Returns `None` if there is nothing to note.
async fn mark_games(
    forge: &dyn Forge,
    config: &RepoConfig,
    games: &[IssueNumber],
    missing: &[IssueNumber],
) -> Result<Option<CommitOutcome>, RequestError> {
    let Head::Commit(head) = forge.read(&[], &[], 1).await?.head else { return Ok(None) };
    let path = |issue: &IssueNumber| StatePath::Running(*issue).below(&config.state_dir);
    let read = forge.read_files(&head, &games.iter().map(path).collect::<Vec<String>>()).await?;
    let time = forge.now();
    let marked = games.iter().filter_map(|issue| {
        let mut game = GameSummary::parse(read.get(&path(issue))?.text()?, *issue).ok()?;
        let missing_since = missing.contains(issue).then(|| game.missing_since.unwrap_or(time));
        let has_changed = std::mem::replace(&mut game.missing_since, missing_since) != missing_since;
        has_changed.then(|| (path(issue), game.to_json()))
    });
    let files: Vec<(String, String)> = marked.collect();
    if files.is_empty() {
        return Ok(None);
    }
    let headline = "Note which issues are missing".to_owned();
    forge.commit(&Change::by_bot(&head, files, headline, config.skip_ci, time)).await.map(Some)
}

/// Returns the tables with a game in progress whose issue GitHub doesn't find.
async fn find_missing(forge: &dyn Forge, running: &[IssueNumber]) -> Result<Vec<IssueNumber>, RequestError> {
    let (mut missing, mut rest, mut count) = (Vec::new(), running, ISSUES_PER_READ);
    while !rest.is_empty() {
        let batch = &rest[..count.min(rest.len())];
        match forge.read(batch, &[], 1).await {
            Ok(snapshot) => {
                missing.extend(batch.iter().copied().filter(|issue| !snapshot.threads.contains_key(issue)));
                rest = &rest[batch.len()..];
            }
            Err(RequestError::TooLong(_)) if count > 1 => count /= 2,
            Err(error) => return Err(error),
        }
    }
    let mut absent = Vec::new();
    for issue in missing {
        if forge.find(CommentRef::body_of(issue)).await? == Presence::Absent {
            absent.push(issue);
        }
    }
    Ok(absent)
}

/// Reads a game again, and ends it if its issue is still missing; `None` if there is nothing to end.
async fn end_game(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
    issue: IssueNumber,
) -> Result<Option<CommitOutcome>, RequestError> {
    let view = Reader::new(forge, config, issue, None, None).read_view().await?;
    let (true, Some(head)) = (view.missing_issues.contains(&issue), view.head_commit()) else { return Ok(None) };
    let path = config.record_path(issue);
    let files = forge.read_files(head, std::slice::from_ref(&path)).await?;
    // A damaged record is left to the host.
    let table = files.get(&path).and_then(FileContent::text).and_then(|text| state_file::load(text, issue).ok());
    // Only the repository that a record is bound to can tell that its issue is gone.
    let table = table.filter(|table| table.repository().is_some() && table.repository() == view.repository);
    let Some(ended) = table.and_then(|table| end_without_issue(&table, forge.now(), &config.policy)) else {
        return Ok(None);
    };
    let CommitFiles { table, files, deleted, page_problems, .. } =
        CommitFiles::collect(forge, config, Some(head), ended, None, &view).await?;
    let author = bot_author();
    let (headline, body) = commit_message::commit_message(&table, &author, &config.noreply_domain, config.skip_ci);
    info!("Committing: {headline}");
    let time = forge.now();
    let change = Change { parent: Some(head.clone()), files, deleted, headline, body, author, time };
    let outcome = forge.commit(&change).await?;
    if let CommitOutcome::Landed(commit) = &outcome {
        ledger.record_table(&table);
        ledger.commit = Some(commit.clone());
        page_problems.into_iter().for_each(|(path, problems)| ledger.record_page(&path, problems));
    }
    Ok(Some(outcome))
}
