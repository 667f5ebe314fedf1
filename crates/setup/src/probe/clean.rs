//! Taking away what a probe has made. Each step is tried whatever came of the others, and once more if its reply was lost.

use std::time::Duration;

use github::scratch;
use protocol::forge::Fault;

use crate::probe::bench::{Bench, Made, Scratch, ScratchIssue};
use crate::probe::rows::Rows;
use crate::probe::things;

/// The pause before a step is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// Takes everything away that may be there; `limit` is the time for one try of one step.
pub(super) async fn clean(bench: &Bench, made: &Made, rows: &mut Rows, limit: Duration) {
    // The issue takes up to three steps, and none of them waits for the branch or the label.
    let (issue, branch, label) = tokio::join!(
        put_issue_away(bench, made, limit),
        delete_branches(bench, made, limit),
        delete_label(bench, made, limit)
    );
    match issue {
        Ok(seen) => rows.note(things::CLEAN_ISSUE, true, seen, None),
        Err(fault) => {
            let which = match made.issue().number() {
                Some(number) => format!("issue #{number}"),
                None => format!("the issue \"{}\", if it is there", bench.title),
            };
            rows.differs(things::CLEAN_ISSUE, fault.to_string(), &format!("Close {which} by hand."), None);
        }
    }
    match branch {
        Ok(seen) => rows.note(things::CLEAN_BRANCH, true, seen, None),
        Err((name, fault)) => {
            let by_hand = format!("Delete the branch `{name}` by hand, if it is there.");
            rows.differs(things::CLEAN_BRANCH, fault.to_string(), &by_hand, None);
        }
    }
    match label {
        Ok(seen) => rows.note(things::CLEAN_LABEL, true, seen, None),
        Err(fault) => {
            let by_hand = format!("Delete the label `{}` by hand, if it is there.", bench.name);
            rows.differs(things::CLEAN_LABEL, fault.to_string(), &by_hand, None);
        }
    }
}

async fn put_issue_away(bench: &Bench, made: &Made, limit: Duration) -> Result<&'static str, Fault> {
    let number = match made.issue() {
        ScratchIssue::None => None,
        ScratchIssue::Opened(number) => Some(number),
        ScratchIssue::Unknown => {
            attempt(limit, async || scratch::find_issue(&bench.github, &bench.title).await).await?
        }
    };
    let Some(number) = number else { return Ok("There was none") };
    let unlocked = match made.has(Scratch::Lock) {
        true => attempt(limit, async || scratch::lock(&bench.github, number, false).await).await,
        false => Ok(()),
    };
    let title = bench.title.replace("is running", "has ended");
    attempt(limit, async || scratch::put_away(&bench.github, number, &title).await).await?;
    unlocked.map(|()| "Unlocked and closed")
}

async fn delete_branches(bench: &Bench, made: &Made, limit: Duration) -> Result<&'static str, (String, Fault)> {
    let mut done = Ok("There was none");
    for (made, name) in
        [(made.has(Scratch::Branch), bench.name.clone()), (made.has(Scratch::MissingBranch), bench.missing())]
    {
        if made {
            let deleted = attempt(limit, async || scratch::delete_branch(&bench.github, &name).await).await;
            done = done.and(deleted.map(|()| "Deleted").map_err(|fault| (name, fault)));
        }
    }
    done
}

async fn delete_label(bench: &Bench, made: &Made, limit: Duration) -> Result<&'static str, Fault> {
    if !made.has(Scratch::Label) {
        return Ok("There was none");
    }
    attempt(limit, async || scratch::delete_label(&bench.github, &bench.name).await).await.map(|()| "Deleted")
}

/// Tries a step, and once more unless it was refused: none of them does anything when it is done twice.
async fn attempt<T>(limit: Duration, mut step: impl AsyncFnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    let mut once = async || match tokio::time::timeout(limit, step()).await {
        Ok(done) => done,
        Err(_) => Err(Fault::Lost(format!("GitHub gave no answer within {} seconds.", limit.as_secs_f32()))),
    };
    match once().await {
        Err(Fault::Lost(_) | Fault::Later(..)) => {
            tokio::time::sleep(AGAIN).await;
            once().await
        }
        done => done,
    }
}
