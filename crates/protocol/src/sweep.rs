//! The daily sweep: lets flags fall, settles every recent game, answers what was missed elsewhere, fills the pages, and ends games
//! whose issue is gone.
//!
//! Games whose clock needs something come first, the oldest deadline before the others. So nobody can hold up a clock with
//! commands at other tables or in other issues.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Value, json};
use table::{IssueNumber, RepositoryId, StatePath, Timestamp, json, state_file};
use tracing::info;

use crate::clock::Backoff;
use crate::gone_issues::end_games_without_issue;
use crate::own_games_query::GamesInProgress;
use crate::recent_issues::RecentIssues;
use crate::settings::{FirstRead, FirstReadOutcome};
use crate::settle::clock_check::ClockCheck;
use crate::settle::{MIN_SHARE, Run};
use crate::{
    COMMENTS_PER_PAGE, Change, FileContent, Forge, Head, HostNote, Ledger, MAX_COMMANDS, RepoConfig, SettleError,
    SweepFailure, page_refresh,
};

/// The limit on the requests for the list.
const MAX_LISTS: usize = 50;
/// The limit on the requests for issues without a table. A command takes at most three.
const MAX_OTHER_REQUESTS: u32 = 60;

/// Settles every recent game and fills the pages. If a game fails, the sweep continues with the next one.
///
/// At the forge's rate limit the sweep ends with a note, because every further request would fail as well.
///
/// # Errors
/// Returns an error if the list can't be read, or if any game failed.
pub(super) async fn sweep(forge: &dyn Forge, config: &RepoConfig, ledger: &mut Ledger) -> Result<(), SettleError> {
    let mut failures = Vec::new();
    match sweep_games(forge, config, ledger, &mut failures).await {
        Err(SettleError::RetryAfter { why, .. }) => ledger.note(HostNote::RateLimited(why)),
        outcome => outcome?,
    }
    if failures.is_empty() { Ok(()) } else { Err(SettleError::Sweep(failures)) }
}

/// Settles every issue that was updated since a time, tables first. Leaves clocks and pages to the daily run.
///
/// # Errors
/// Returns an error in the same cases as [`sweep`], and at the forge's rate limit.
pub(super) async fn catch_up(
    forge: &dyn Forge,
    config: &RepoConfig,
    since: Timestamp,
    ledger: &mut Ledger,
) -> Result<(), SettleError> {
    // This read shows the settings, which the list doesn't.
    SweepStart::read(forge, config, ledger).await?;
    let recent = Rc::new(RecentIssues::list(forge, config, since, MAX_LISTS).await?);
    ledger.recent = Some(recent.clone());
    let mut failures = Vec::new();
    settle_tables(forge, config, ledger, recent.tables.clone(), &mut failures).await?;
    let others = recent.others_to_answer(since, &config.policy);
    answer_others(forge, config, ledger, others, &mut failures).await?;
    if failures.is_empty() { Ok(()) } else { Err(SettleError::Sweep(failures)) }
}

/// Does the work of [`sweep`], and collects the failures of single games. Returns an error if the sweep can't go on.
async fn sweep_games(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
    failures: &mut Vec<SweepFailure>,
) -> Result<(), SettleError> {
    let start = SweepStart::read(forge, config, ledger).await?;
    // Only a reply tells the time.
    let began_at = forge.now();
    let recent = list_recent(forge, config, ledger).await?;
    ledger.recent = Some(recent.clone());
    let games = match &start.head {
        Head::Commit(head) => {
            let read = async || GamesInProgress::read(forge, config, head, start.repository).await;
            Some(Backoff::retry(forge, read).await?)
        }
        Head::Missing { .. } => None,
    };
    if games.as_ref().is_some_and(GamesInProgress::has_foreign) {
        ledger.note(HostNote::ForeignRecords);
    }
    let duty = ClockCheck { began_at };
    let due = games.as_ref().map(|games| due_games(games, duty)).unwrap_or_default();
    let tables: Vec<IssueNumber> = recent.tables.iter().copied().filter(|issue| !due.contains(issue)).collect();
    info!("Games whose clock needs something: {}. Other tables: {}.", due.len(), tables.len());
    for issue in due {
        let run = Run::new(forge, config, issue, None, None, ledger).with_clock_check(duty);
        collect_failure(failures, Some(issue), run.settle_thread().await)?;
    }
    settle_tables(forge, config, ledger, tables, failures).await?;
    let others = match others_to_answer(forge, config, &start, &recent).await {
        Ok(others) => others,
        Err(error) => {
            collect_failure(failures, None, Err(error))?;
            Vec::new()
        }
    };
    answer_others(forge, config, ledger, others, failures).await?;
    if start.is_first(&recent) {
        collect_failure(failures, None, note_first_sweep(forge, config, began_at).await)?;
    }
    let refreshed = page_refresh::refresh_pages(forge, config, ledger).await;
    collect_failure(failures, None, refreshed)?;
    // A game that isn't bound to a repository may belong to another one, where its issue is.
    let unbound = games.iter().flat_map(GamesInProgress::games).filter(|game| game.repository.is_none());
    let skipped: BTreeSet<IssueNumber> = recent.tables.iter().copied().chain(unbound.map(|game| game.issue)).collect();
    let running = games.iter().flat_map(GamesInProgress::issues).copied();
    let unread = rotate_start(running.filter(|issue| !skipped.contains(issue)).collect(), forge.now());
    let end =
        end_games_without_issue(forge, config, ledger, games.as_ref().map_or(&[], |games| games.games()), &unread)
            .await;
    collect_failure(failures, None, end)
}

/// Collects the failure of an issue, or of the pages. Returns an error at the forge's rate limit, which ends the sweep.
fn collect_failure(
    failures: &mut Vec<SweepFailure>,
    issue: Option<IssueNumber>,
    result: Result<(), SettleError>,
) -> Result<(), SettleError> {
    match result {
        Err(error @ SettleError::RetryAfter { .. }) => return Err(error),
        Err(error) => failures.push(SweepFailure { issue, error }),
        Ok(()) => {}
    }
    Ok(())
}

/// Settles these tables, each up to its share. The next sweep settles the rest.
async fn settle_tables(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
    tables: Vec<IssueNumber>,
    failures: &mut Vec<SweepFailure>,
) -> Result<(), SettleError> {
    let share = MAX_COMMANDS.div_ceil(u32::try_from(tables.len()).unwrap_or(MAX_COMMANDS).max(1)).max(MIN_SHARE);
    for issue in rotate_start(tables, forge.now()) {
        let run = Run::new(forge, config, issue, None, None, ledger).with_share(share);
        collect_failure(failures, Some(issue), run.settle_thread().await)?;
    }
    Ok(())
}

/// Returns the games whose clock may need something, the oldest deadline first.
fn due_games(games: &GamesInProgress, duty: ClockCheck) -> Vec<IssueNumber> {
    let mut due: Vec<_> = games.games().iter().filter(|game| duty.concerns(game, duty.began_at)).collect();
    due.sort_by_key(|game| game.runs_out_at());
    due.into_iter().map(|game| game.issue).collect()
}

/// Settles issues without a table, within the limit of requests for them.
async fn answer_others(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
    others: Vec<IssueNumber>,
    failures: &mut Vec<SweepFailure>,
) -> Result<(), SettleError> {
    info!("Issues without a game to answer: {}.", others.len());
    let mut left = MAX_OTHER_REQUESTS;
    let count = others.len();
    for (at, issue) in rotate_start(others, forge.now()).into_iter().enumerate() {
        if left < 5 {
            ledger.note(HostNote::IssuesWait(count - at));
            break;
        }
        let settled = ledger.settled_commands();
        let run = Run::new(forge, config, issue, None, None, ledger).with_share((left / 3).min(MIN_SHARE));
        let result = run.settle_thread().await;
        // One read, another one with the table that a command names, and three requests for each command.
        left = left.saturating_sub(2 + 3 * (ledger.settled_commands() - settled));
        collect_failure(failures, Some(issue), result)?;
    }
    Ok(())
}

/// What a sweep reads first.
struct SweepStart {
    head: Head,
    repository: Option<RepositoryId>,
    /// The file that says when the first sweep was.
    daily_file: FileContent,
}

impl SweepStart {
    /// Reads the head of the branch and the file, with retries. Returns an error if the read shows other settings.
    async fn read(forge: &dyn Forge, config: &RepoConfig, ledger: &mut Ledger) -> Result<SweepStart, SettleError> {
        let path = StatePath::DailyRun.below(&config.state_dir);
        let paths = std::slice::from_ref(&path);
        let mut known = ledger.first_read.take();
        let read = async || FirstRead::make(forge, config, known.take(), &[], paths, COMMENTS_PER_PAGE).await;
        let mut snapshot = match Backoff::retry(forge, read).await? {
            FirstReadOutcome::Current(snapshot) => snapshot,
            FirstReadOutcome::SettingsChanged(read) => return Err(SettleError::SettingsChanged(read)),
        };
        let daily_file = snapshot.files.remove(&path).unwrap_or(FileContent::Missing);
        Ok(SweepStart { head: snapshot.head, repository: snapshot.repository, daily_file })
    }

    /// Returns the time of the first sweep, if a file has it.
    fn noted_time(&self) -> Option<Timestamp> {
        let file: Value = serde_json::from_str(self.daily_file.text()?).ok()?;
        file["since"].as_u64().map(Timestamp::from_millis)
    }

    /// Whether this is the first sweep, in a repository without games.
    fn is_first(&self, recent: &RecentIssues) -> bool {
        matches!(self.head, Head::Commit(_)) && self.noted_time().is_none() && oldest_table(recent).is_none()
    }
}

/// Returns the issues without a table that need an answer.
///
/// A comment from before the first game or the first sweep, whichever came first, needs none, but the bot answers it before a
/// later one in its issue, as it does when the later one starts a run. Only a sweep in a repository without games keeps its time
/// in a file.
///
/// # Errors
/// Returns an error if a request fails for good, or if the run makes no progress for three minutes.
async fn others_to_answer(
    forge: &dyn Forge,
    config: &RepoConfig,
    start: &SweepStart,
    recent: &RecentIssues,
) -> Result<Vec<IssueNumber>, SettleError> {
    let others = |since| recent.others_to_answer(since, &config.policy);
    if let Some(since) = start.noted_time() {
        return Ok(others(since));
    }
    let (Some(oldest), Head::Commit(head)) = (oldest_table(recent), &start.head) else {
        // Only a missing record needs something.
        return Ok(others(recent.until));
    };
    if others(recent.since).is_empty() {
        return Ok(Vec::new());
    }
    let paths = [StatePath::ArchivedRecord { issue: oldest, round: 1 }, StatePath::Record(oldest)];
    let paths = paths.map(|path| path.below(&config.state_dir));
    let files = Backoff::retry(forge, async || forge.read_files(head, &paths).await).await?;
    let mut tables = paths.iter().filter_map(|path| state_file::load(files.get(path)?.text()?, oldest).ok());
    let first_round = tables.next().filter(|table| table.round() == 1);
    let opened_at = first_round.and_then(|table| Some(table.history().first()?.timestamp));
    // A first round that can't be read is older than all that the list shows, or nearly so.
    Ok(others(opened_at.unwrap_or(recent.since)))
}

/// Returns the table that is probably the oldest. Table 0 is only a demonstration.
fn oldest_table(recent: &RecentIssues) -> Option<IssueNumber> {
    recent.records.iter().copied().find(|issue| issue.get() > 0)
}

/// Commits the time of the first sweep.
///
/// # Errors
/// Returns an error if a request fails for good, or if the run makes no progress for three minutes.
async fn note_first_sweep(forge: &dyn Forge, config: &RepoConfig, at: Timestamp) -> Result<(), SettleError> {
    // The times of comments are whole seconds.
    let at = Timestamp::from_millis(at.as_millis() / 1_000 * 1_000);
    let file = (StatePath::DailyRun.below(&config.state_dir), json::to_text(&json!({ "since": at })));
    let note = async || {
        let Head::Commit(head) = forge.read(&[], &[], COMMENTS_PER_PAGE).await?.head else { return Ok(None) };
        let headline = "Note when the daily run first looked for games".to_owned();
        let change = Change::by_bot(&head, vec![file.clone()], headline, config.skip_ci, at);
        forge.commit(&change).await.map(Some)
    };
    Backoff::retry_commit(forge, note).await.map(|_| ())
}

/// Lists the recently updated issues. Notes if there are too many.
async fn list_recent(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
) -> Result<Rc<RecentIssues>, SettleError> {
    let recent = RecentIssues::list(forge, config, config.cutoff(forge.now()), MAX_LISTS).await?;
    if !recent.is_complete {
        ledger.note(HostNote::TooManyIssues);
    }
    Ok(Rc::new(recent))
}

/// Returns the recently updated issues that a sweep would settle, the tables first.
///
/// # Errors
/// Returns an error if retrying can't help, or if the run makes no progress for three minutes.
pub async fn issues_to_read(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
) -> Result<Vec<IssueNumber>, SettleError> {
    let start = SweepStart::read(forge, config, ledger).await?;
    let recent = list_recent(forge, config, ledger).await?;
    let others = others_to_answer(forge, config, &start, &recent).await?;
    Ok(recent.tables.iter().copied().chain(others).collect())
}

/// Rotates the list so that each sweep starts elsewhere, and soon reaches what an earlier one left over.
fn rotate_start<T>(mut issues: Vec<T>, now: Timestamp) -> Vec<T> {
    let count = u64::try_from(issues.len()).unwrap_or(u64::MAX).max(1);
    let hash = (now.as_millis() / 60_000).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    issues.rotate_left(usize::try_from(hash % count).unwrap_or(0));
    issues
}
