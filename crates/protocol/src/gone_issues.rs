//! Ends the games whose issue was deleted or transferred, during a sweep.
//!
//! Nobody can comment there any more, so nothing else would ever end such a game. To rule out stale reads and outages, a read and
//! a lookup both have to miss the issue, and twenty seconds later the run checks again.

use answers::commit_message;
use table::comments::comment::CommentRef;
use table::decisions::append::end_without_issue;
use table::ids::IssueNumber;
use table::state_file;
use tracing::info;

use crate::backoff::Backoff;
use crate::commit_files::CommitFiles;
use crate::forge::{Change, CommitOutcome, Fault, FileContent, Forge, Presence, bot_author};
use crate::ledger::Ledger;
use crate::memory::CONFIRM_AFTER;
use crate::reader::Reader;
use crate::repo_config::RepoConfig;
use crate::settle_error::SettleError;

/// The maximum number of issues to check in one sweep. The next sweep starts elsewhere.
const MAX_ISSUES: usize = 50;
/// The number of issues in one request. A sweep asks for fewer if the reply is too long.
const ISSUES_PER_READ: usize = 10;

/// Ends the games in progress whose issue is gone. It checks the first [`MAX_ISSUES`] of `running`.
///
/// # Errors
/// Returns an error if retrying can't help, or if the run makes no progress for three minutes.
pub(super) async fn end_games_without_issue(
    forge: &dyn Forge,
    config: &RepoConfig,
    ledger: &mut Ledger,
    running: &[IssueNumber],
) -> Result<(), SettleError> {
    let running = &running[..running.len().min(MAX_ISSUES)];
    let mut backoff = Backoff::new(forge.now());
    let missing = loop {
        match find_missing(forge, running).await {
            Ok(missing) => break missing,
            Err(fault) => backoff.after_fault(forge, fault).await?,
        }
    };
    if missing.is_empty() {
        return Ok(());
    }
    forge.pause(CONFIRM_AFTER).await;
    for issue in missing {
        let mut backoff = Backoff::new(forge.now());
        loop {
            match end_game(forge, config, ledger, issue).await {
                Ok(None | Some(CommitOutcome::Landed(_))) => break,
                Ok(Some(CommitOutcome::Stale)) => backoff.after_race(forge).await?,
                Err(fault) => backoff.after_fault(forge, fault).await?,
            }
        }
    }
    Ok(())
}

/// Returns the tables with a game in progress whose issue GitHub doesn't find.
async fn find_missing(forge: &dyn Forge, running: &[IssueNumber]) -> Result<Vec<IssueNumber>, Fault> {
    let (mut missing, mut rest, mut count) = (Vec::new(), running, ISSUES_PER_READ);
    while !rest.is_empty() {
        let batch = &rest[..count.min(rest.len())];
        match forge.read(batch, &[], 1).await {
            Ok(snapshot) => {
                missing.extend(batch.iter().copied().filter(|issue| !snapshot.threads.contains_key(issue)));
                rest = &rest[batch.len()..];
            }
            Err(Fault::TooLong(_)) if count > 1 => count /= 2,
            Err(fault) => return Err(fault),
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
) -> Result<Option<CommitOutcome>, Fault> {
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
