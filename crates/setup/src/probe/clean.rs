//! Cleans up after a probe. Each step runs even if others failed, and again if its reply was lost.

use std::time::Duration;

use github::probe as requests;
use protocol::forge::Fault;

use crate::probe::checks;
use crate::probe::rows::{Rows, Seen};
use crate::probe::session::{CreatedResources, Probe, TestIssue};

/// The pause before a second attempt.
const RETRY_DELAY: Duration = Duration::from_millis(500);
/// The result of a step without anything to remove.
const NOTHING: &str = "There was none";

/// Removes everything that the probe may have created. `limit` is the time limit for one attempt of one step.
pub(super) async fn clean(probe: &Probe, created: &CreatedResources, rows: &mut Rows, limit: Duration) {
    // The steps for the issue, the branch and the label don't depend on each other.
    let (issue, branch, label) = tokio::join!(
        close_issue(probe, created, limit),
        delete_branches(probe, created, limit),
        delete_label(probe, created, limit)
    );
    let issue_by_hand = match created.issue {
        TestIssue::Opened(number) => format!("Close issue #{number} by hand."),
        TestIssue::None | TestIssue::Unknown => {
            format!("Close the issue \"{}\" by hand, if it is there.", probe.running_title())
        }
    };
    rows.add(checks::CLEAN_ISSUE, Seen::from(issue).with_consequence(issue_by_hand));
    rows.add(checks::CLEAN_BRANCH, branch);
    let label_by_hand = format!("Delete the label `{}` by hand, if it is there.", probe.name);
    rows.add(checks::CLEAN_LABEL, Seen::from(label).with_consequence(label_by_hand));
}

async fn close_issue(probe: &Probe, created: &CreatedResources, limit: Duration) -> Result<Seen, Fault> {
    let github = &probe.github;
    let number = match created.issue {
        TestIssue::None => None,
        TestIssue::Opened(number) => Some(number),
        TestIssue::Unknown => {
            attempt(limit, async || requests::find_issue(github, &probe.running_title()).await).await?
        }
    };
    let Some(number) = number else { return Ok(Seen::new(true, NOTHING)) };
    let unlocked = match created.lock {
        true => attempt(limit, async || requests::set_locked(github, number, false).await).await,
        false => Ok(()),
    };
    attempt(limit, async || requests::close_retitled(github, number, &probe.ended_title()).await).await?;
    unlocked.map(|()| Seen::new(true, "Unlocked and closed"))
}

/// Deletes both branches, and reports the first one that couldn't be deleted.
async fn delete_branches(probe: &Probe, created: &CreatedResources, limit: Duration) -> Seen {
    let branches = [(created.branch, probe.name.clone()), (created.missing_branch, probe.missing_branch())];
    let (mut result, mut failure) = (NOTHING, None);
    for (_, name) in branches.into_iter().filter(|(is_created, _)| *is_created) {
        match attempt(limit, async || requests::delete_branch(&probe.github, &name).await).await {
            Ok(()) => result = "Deleted",
            Err(fault) => {
                let by_hand = format!("Delete the branch `{name}` by hand, if it is there.");
                failure.get_or_insert(Seen::from(&fault).with_consequence(by_hand));
            }
        }
    }
    failure.unwrap_or(Seen::new(true, result))
}

async fn delete_label(probe: &Probe, created: &CreatedResources, limit: Duration) -> Result<Seen, Fault> {
    if !created.label {
        return Ok(Seen::new(true, NOTHING));
    }
    attempt(limit, async || requests::delete_label(&probe.github, &probe.name).await).await?;
    Ok(Seen::new(true, "Deleted"))
}

/// Runs a step, and again if its reply was lost or GitHub asked to wait. All steps are idempotent.
async fn attempt<T>(limit: Duration, mut step: impl AsyncFnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    let mut once = async || match tokio::time::timeout(limit, step()).await {
        Ok(result) => result,
        Err(_) => Err(Fault::Lost(format!("GitHub gave no answer within {} seconds.", limit.as_secs_f32()))),
    };
    match once().await {
        Err(Fault::Lost(_) | Fault::RetryAfter(..)) => {
            tokio::time::sleep(RETRY_DELAY).await;
            once().await
        }
        result => result,
    }
}
