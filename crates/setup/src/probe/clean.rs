//! Taking away what a probe has made. Each step is tried whatever came of the others, and once more if its reply was lost.

use std::time::Duration;

use github::probe;
use protocol::forge::Fault;

use crate::probe::checks;
use crate::probe::rows::Rows;
use crate::probe::session::{CreatedResources, Probe, Resource, TestIssue};

/// The pause before a step is tried again.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Takes everything away that may be there; `limit` is the time for one try of one step.
pub(super) async fn clean(bench: &Probe, made: &CreatedResources, rows: &mut Rows, limit: Duration) {
    // The issue takes up to three steps, and none of them waits for the branch or the label.
    let (issue, branch, label) = tokio::join!(
        close_issue(bench, made, limit),
        delete_branches(bench, made, limit),
        delete_label(bench, made, limit)
    );
    match issue {
        Ok(seen) => rows.note(checks::CLEAN_ISSUE, true, seen, None),
        Err(fault) => {
            let which = match made.issue().number() {
                Some(number) => format!("issue #{number}"),
                None => format!("the issue \"{}\", if it is there", bench.title),
            };
            rows.difference(checks::CLEAN_ISSUE, fault.to_string(), &format!("Close {which} by hand."), None);
        }
    }
    match branch {
        Ok(seen) => rows.note(checks::CLEAN_BRANCH, true, seen, None),
        Err((name, fault)) => {
            let by_hand = format!("Delete the branch `{name}` by hand, if it is there.");
            rows.difference(checks::CLEAN_BRANCH, fault.to_string(), &by_hand, None);
        }
    }
    match label {
        Ok(seen) => rows.note(checks::CLEAN_LABEL, true, seen, None),
        Err(fault) => {
            let by_hand = format!("Delete the label `{}` by hand, if it is there.", bench.name);
            rows.difference(checks::CLEAN_LABEL, fault.to_string(), &by_hand, None);
        }
    }
}

async fn close_issue(bench: &Probe, made: &CreatedResources, limit: Duration) -> Result<&'static str, Fault> {
    let number = match made.issue() {
        TestIssue::None => None,
        TestIssue::Opened(number) => Some(number),
        TestIssue::Unknown => attempt(limit, async || probe::find_issue(&bench.github, &bench.title).await).await?,
    };
    let Some(number) = number else { return Ok("There was none") };
    let unlocked = match made.contains(Resource::Lock) {
        true => attempt(limit, async || probe::set_locked(&bench.github, number, false).await).await,
        false => Ok(()),
    };
    let title = bench.title.replace("is running", "has ended");
    attempt(limit, async || probe::close_retitled(&bench.github, number, &title).await).await?;
    unlocked.map(|()| "Unlocked and closed")
}

async fn delete_branches(
    bench: &Probe,
    made: &CreatedResources,
    limit: Duration,
) -> Result<&'static str, (String, Fault)> {
    let mut done = Ok("There was none");
    for (made, name) in [
        (made.contains(Resource::Branch), bench.name.clone()),
        (made.contains(Resource::MissingBranch), bench.missing_branch()),
    ] {
        if made {
            let deleted = attempt(limit, async || probe::delete_branch(&bench.github, &name).await).await;
            done = done.and(deleted.map(|()| "Deleted").map_err(|fault| (name, fault)));
        }
    }
    done
}

async fn delete_label(bench: &Probe, made: &CreatedResources, limit: Duration) -> Result<&'static str, Fault> {
    if !made.contains(Resource::Label) {
        return Ok("There was none");
    }
    attempt(limit, async || probe::delete_label(&bench.github, &bench.name).await).await.map(|()| "Deleted")
}

/// Tries a step, and once more unless it was refused: none of them does anything when it is done twice.
async fn attempt<T>(limit: Duration, mut step: impl AsyncFnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    let mut once = async || match tokio::time::timeout(limit, step()).await {
        Ok(done) => done,
        Err(_) => Err(Fault::Lost(format!("GitHub gave no answer within {} seconds.", limit.as_secs_f32()))),
    };
    match once().await {
        Err(Fault::Lost(_) | Fault::RetryAfter(..)) => {
            tokio::time::sleep(RETRY_DELAY).await;
            once().await
        }
        done => done,
    }
}
