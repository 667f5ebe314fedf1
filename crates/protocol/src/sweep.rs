//! The daily sweep: settles every recent game, fills the pages, watches the clocks, and ends games whose issue is gone.
//!
//! It lists the recently updated issues, a hundred with one request, and reads only those that can be a game or hold a command.

use std::collections::BTreeSet;
use std::time::Duration;

use answers::marker::{Marker, Notice};
use table::comments::parser::{ParsedComment, parse_issue_body};
use table::ids::IssueNumber;
use table::oid::Oid;
use table::running_game::RunningGame;
use table::timestamp::Timestamp;
use tracing::info;

use crate::backoff::Backoff;
use crate::forge::{Fault, Forge, ListedIssue};
use crate::gone_issues::end_games_without_issue;
use crate::host_note::HostNote;
use crate::ledger::{Ledger, MAX_COMMANDS};
use crate::overtime::ClockDuty;
use crate::own_games_query::GamesInProgress;
use crate::page_refresh;
use crate::repo_config::RepoConfig;
use crate::run::Run;
use crate::settle_error::{SettleError, SweepFailure};

/// The number of issues to list with one request. The sweep lists fewer if the reply is too long.
const ISSUES_PER_LIST: usize = 100;
/// The limit on the requests for the list.
const MAX_LISTS: usize = 50;
/// The error of the time since when issues are listed from which a sweep lists them again: five minutes.
const MAX_LIST_ERROR: Duration = Duration::from_secs(5 * 60);
/// The maximum number of clocks to attend to in one sweep. The next sweep starts elsewhere.
const MAX_CLOCKS: usize = 50;

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

/// Does the work of [`sweep`], and collects the failures of single games. Returns an error if the sweep can't go on.
async fn sweep_games(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
    failures: &mut Vec<SweepFailure>,
) -> Result<(), SettleError> {
    let start = forge.elapsed();
    let issues = issues_to_read(forge, config, ledger).await?;
    // Only the list's reply tells the time.
    let began_at = forge.now() - forge.elapsed().saturating_sub(start);
    info!("Issues to read: {}.", issues.len());
    // Each issue gets at least 20 commands. The next sweep settles the rest.
    let share = MAX_COMMANDS.div_ceil(u32::try_from(issues.len()).unwrap_or(MAX_COMMANDS).max(1)).max(20);
    let mut is_complete = true;
    let mut collect_failure = |issue: Option<IssueNumber>, result: Result<(), SettleError>| match result {
        Err(error @ SettleError::RetryAfter { .. }) => Err(error),
        Err(error) => {
            failures.push(SweepFailure { issue, error });
            Ok(())
        }
        Ok(()) => Ok(()),
    };
    let read: BTreeSet<IssueNumber> = issues.iter().copied().collect();
    for issue in rotate_start(issues, forge.now()) {
        let result = Run::new(forge, config, issue, None, None, ledger).with_share(share).settle_thread().await;
        is_complete = is_complete && result.is_ok();
        collect_failure(Some(issue), result)?;
    }
    let head = match page_refresh::refresh_pages(forge, config, ledger).await {
        Ok(Some(head)) => head,
        refreshed => return collect_failure(None, refreshed.map(|_| ())),
    };
    // If commands may be left, one of them may be a move made in time.
    let flags_may_fall = is_complete && ledger.notes.iter().all(|note| !note.leaves_commands());
    let duty = ClockDuty { began_at, flags_may_fall };
    let games = read_games(forge, config, &head).await?;
    watch_clocks(forge, config, ledger, games.games(), duty, &mut collect_failure).await?;
    let others = games.issues().iter().copied().filter(|issue| !read.contains(issue)).collect();
    let others = rotate_start(others, forge.now());
    let end = end_games_without_issue(forge, config, ledger, games.games(), &others).await;
    collect_failure(None, end)
}

/// Lets the flags of overdue games fall, and reminds the players whose time runs out soon.
///
/// # Errors
/// Returns the first error that ends the whole sweep. `collect_failure` gets the errors of single games.
async fn watch_clocks(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
    games: &[RunningGame],
    duty: ClockDuty,
    collect_failure: &mut dyn FnMut(Option<IssueNumber>, Result<(), SettleError>) -> Result<(), SettleError>,
) -> Result<(), SettleError> {
    let now = forge.now();
    let issues = games.iter().filter(|game| duty.concerns(game, now)).map(|game| game.issue).collect();
    for issue in rotate_start(issues, now).into_iter().take(MAX_CLOCKS) {
        let run = Run::new(forge, config, issue, None, None, ledger).with_clock_duty(duty);
        collect_failure(Some(issue), run.settle_thread().await)?;
    }
    Ok(())
}

/// Reads the games in progress at a commit, with retries.
async fn read_games(forge: &dyn Forge, config: &RepoConfig, commit: &Oid) -> Result<GamesInProgress, SettleError> {
    let mut backoff = Backoff::new(forge);
    loop {
        match GamesInProgress::read(forge, config, commit).await {
            Ok(games) => return Ok(games),
            Err(fault) => backoff.after_fault(forge, fault).await?,
        }
    }
}

/// Lists the recently updated issues that a sweep reads, least recently updated first.
///
/// # Errors
/// Returns an error if retrying can't help, or if the run makes no progress for three minutes.
pub async fn issues_to_read(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
) -> Result<Vec<IssueNumber>, SettleError> {
    let mut since = config.cutoff(forge.now());
    let (mut found, mut records, mut from, mut count) = (Vec::new(), BTreeSet::new(), None, ISSUES_PER_LIST);
    let mut backoff = Backoff::new(forge);
    for _ in 0..MAX_LISTS {
        let page = match forge.issues_updated_since(since, from.as_ref(), count).await {
            Ok(page) => page,
            Err(fault) => {
                let is_too_long = matches!(fault, Fault::TooLong(_));
                // A reply may also get lost because it is too long.
                let can_shrink = count > 1 && (is_too_long || matches!(fault, Fault::Lost(_)));
                if can_shrink {
                    count = count.div_ceil(3);
                }
                if !(is_too_long && can_shrink) {
                    backoff.after_fault(forge, fault).await?;
                }
                continue;
            }
        };
        backoff = Backoff::new(forge);
        // The first reply tells the time. If the machine's clock was wrong, list again.
        let right = config.cutoff(forge.now());
        if from.is_none() && right.since(since).max(since.since(right)) > MAX_LIST_ERROR {
            since = right;
            continue;
        }
        count = (3 * count).min(ISSUES_PER_LIST);
        records.extend(page.records);
        for issue in page.issues {
            // An issue that is updated between two pages is on both.
            if !found.contains(&issue.number) && needs_reading(&issue, &records, since) {
                found.push(issue.number);
            }
        }
        from = page.next;
        if from.is_none() {
            return Ok(found);
        }
    }
    ledger.note(HostNote::TooManyIssues);
    Ok(found)
}

/// Whether an issue can be a game or hold a command for the bot, as far as a list shows.
fn needs_reading(issue: &ListedIssue, records: &BTreeSet<IssueNumber>, since: Timestamp) -> bool {
    // A run ignores comments in an issue without a table if they are older than the sweep looks back.
    let has_more = issue.has_more_before.is_some_and(|time| time >= since);
    // A table can lack the label: somebody may have removed it, or moved the record here.
    issue.has_label || records.contains(&issue.number) || has_more || issue.texts.iter().any(|text| is_for_bot(text))
}

/// Whether a comment or a body has a command, or is the bot's answer to one.
fn is_for_bot(text: &str) -> bool {
    let has_command = match parse_issue_body(text) {
        ParsedComment::Command(..) | ParsedComment::Invalid(..) => true,
        ParsedComment::Text(text) if text.has_slash() => text.slash_error().is_some(),
        ParsedComment::Text(text) => text.command_below().is_some(),
        ParsedComment::Chat => false,
    };
    has_command || Marker::parse(text).is_some() || Notice::parse(text).is_some()
}

/// Rotates the list so that each sweep starts elsewhere, and soon reaches what an earlier one left over.
fn rotate_start(mut issues: Vec<IssueNumber>, now: Timestamp) -> Vec<IssueNumber> {
    let count = u64::try_from(issues.len()).unwrap_or(u64::MAX).max(1);
    let hash = (now.as_millis() / 60_000).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    issues.rotate_left(usize::try_from(hash % count).unwrap_or(0));
    issues
}
