//! Cleans up after a probe. Each step runs even if others failed, and again if its reply was lost.

use std::time::Duration;

use github::probe;
use protocol::forge::Fault;

use crate::host_text::fault_text;
use crate::probe::checks;
use crate::probe::rows::Rows;
use crate::probe::session::{CreatedResources, Probe, Resource, TestIssue};

/// The pause before a second attempt.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Removes everything that the probe may have created. `limit` is the time limit for one attempt of one step.
pub(super) async fn clean(probe: &Probe, created: &CreatedResources, rows: &mut Rows, limit: Duration) {
    // The steps for the issue, the branch and the label don't depend on each other.
    let (issue, branch, label) = tokio::join!(
        close_issue(probe, created, limit),
        delete_branches(probe, created, limit),
        delete_label(probe, created, limit)
    );
    match issue {
        Ok(result) => rows.note(checks::CLEAN_ISSUE, true, result, None),
        Err(fault) => {
            let which = match created.issue().number() {
                Some(number) => format!("issue #{number}"),
                None => format!("the issue \"{}\", if it is there", probe.title),
            };
            rows.difference(checks::CLEAN_ISSUE, fault_text(&fault), &format!("Close {which} by hand."), None);
        }
    }
    match branch {
        Ok(result) => rows.note(checks::CLEAN_BRANCH, true, result, None),
        Err((name, fault)) => {
            let by_hand = format!("Delete the branch `{name}` by hand, if it is there.");
            rows.difference(checks::CLEAN_BRANCH, fault_text(&fault), &by_hand, None);
        }
    }
    match label {
        Ok(result) => rows.note(checks::CLEAN_LABEL, true, result, None),
        Err(fault) => {
            let by_hand = format!("Delete the label `{}` by hand, if it is there.", probe.name);
            rows.difference(checks::CLEAN_LABEL, fault_text(&fault), &by_hand, None);
        }
    }
}

async fn close_issue(probe: &Probe, created: &CreatedResources, limit: Duration) -> Result<&'static str, Fault> {
    let number = match created.issue() {
        TestIssue::None => None,
        TestIssue::Opened(number) => Some(number),
        TestIssue::Unknown => attempt(limit, async || probe::find_issue(&probe.github, &probe.title).await).await?,
    };
    let Some(number) = number else { return Ok("There was none") };
    let unlocked = if created.contains(Resource::Lock) {
        attempt(limit, async || probe::set_locked(&probe.github, number, false).await).await
    } else {
        Ok(())
    };
    let title = probe.title.replace("is running", "has ended");
    attempt(limit, async || probe::close_retitled(&probe.github, number, &title).await).await?;
    unlocked.map(|()| "Unlocked and closed")
}

async fn delete_branches(
    probe: &Probe,
    created: &CreatedResources,
    limit: Duration,
) -> Result<&'static str, (String, Fault)> {
    let mut result = Ok("There was none");
    for (is_created, name) in [
        (created.contains(Resource::Branch), probe.name.clone()),
        (created.contains(Resource::MissingBranch), probe.missing_branch()),
    ] {
        if is_created {
            let deleted = attempt(limit, async || probe::delete_branch(&probe.github, &name).await).await;
            result = result.and(deleted.map(|()| "Deleted").map_err(|fault| (name, fault)));
        }
    }
    result
}

async fn delete_label(probe: &Probe, created: &CreatedResources, limit: Duration) -> Result<&'static str, Fault> {
    if !created.contains(Resource::Label) {
        return Ok("There was none");
    }
    attempt(limit, async || probe::delete_label(&probe.github, &probe.name).await).await.map(|()| "Deleted")
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
