//! The faults of a walk, and the effect of each on a run's requests.

use std::rc::Rc;
use std::time::Duration;

use protocol::forge;

use crate::Millis;
use crate::calls::{Call, Reply, Response};
use crate::world::{FailingPart, State};

/// What happens to the requests that a run makes at the same time.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// They are lost on their way.
    LostRequest,
    /// They are applied, and their responses are lost.
    LostReply,
    /// The run gives them up as lost, and they are applied within fifteen seconds.
    Late,
    /// The run is killed before the request with this index is applied.
    Kill(usize),
    /// Only the request with this index is lost.
    One(usize),
    /// A part of an answer's request fails.
    PartFails(FailingPart),
    /// The host asks to wait for a minute.
    RateLimit,
    /// The replies are only a part of what was asked for.
    Partial,
    /// A commit deletes a file that not every server knows yet.
    TooNew,
    /// A read shows an earlier state.
    Stale(Rc<State>, Old),
}

/// The old parts of a stale read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Old {
    Threads,
    Branch,
    Both,
}

/// The longest time that a request takes, in milliseconds.
pub(crate) const MAX_DELAY: Millis = 15_000;
/// The greatest age of a stale read, in milliseconds.
pub(crate) const MAX_AGE: Millis = 3_500;
const RATE_LIMIT: Duration = Duration::from_secs(60);

impl Fault {
    /// Returns the fault's name, for a trace.
    pub(crate) fn name(&self) -> String {
        match self {
            Fault::Stale(_, old) => format!("Stale {old:?}"),
            fault => format!("{fault:?}"),
        }
    }

    /// Returns the faults that these requests can meet, apart from stale reads. `with_late` adds late requests.
    pub(crate) fn all_for(calls: &[Call], with_late: bool) -> Vec<Fault> {
        let mut faults = vec![Fault::LostRequest, Fault::RateLimit];
        if calls.iter().all(Call::is_read) {
            // Nothing is left of a run that is killed here, whether GitHub got the request or not.
            faults.extend([Fault::Kill(0), Fault::Partial]);
            return faults;
        }
        faults.push(Fault::LostReply);
        faults.extend(with_late.then_some(Fault::Late));
        // A kill after the last request is a kill before the next one.
        faults.extend((0..calls.len()).map(Fault::Kill));
        if calls.len() > 1 {
            faults.extend((0..calls.len()).map(Fault::One));
        }
        if let [Call::Commit(change)] = calls
            && !change.deleted.is_empty()
        {
            faults.push(Fault::TooNew);
        }
        if let [Call::Answer(answer)] = calls {
            let parts = (0..=answer.updates.len()).flat_map(|part| [true, false].map(|runs_rest| (part, runs_rest)));
            faults.extend(parts.map(|(part, runs_rest)| Fault::PartFails(FailingPart { part, runs_rest })));
        }
        faults
    }
}

fn lost() -> Response {
    Err(forge::RequestError::Lost("The connection broke.".to_owned()))
}

/// Sends requests that may meet a fault. Returns their responses; `None` if the run is killed.
pub(crate) fn send(
    calls: &[Call],
    fault: Option<&Fault>,
    mut serve: impl FnMut(&Call, Option<&State>, Option<FailingPart>) -> Response,
) -> Option<Vec<Response>> {
    let all_lost = || calls.iter().map(|_| lost()).collect();
    Some(match fault {
        None => calls.iter().map(|call| serve(call, None, None)).collect(),
        Some(Fault::LostRequest | Fault::Late) => all_lost(),
        Some(Fault::LostReply) => {
            calls.iter().for_each(|call| _ = serve(call, None, None));
            all_lost()
        }
        Some(Fault::Kill(at)) => {
            calls[..*at].iter().for_each(|call| _ = serve(call, None, None));
            return None;
        }
        Some(Fault::One(at)) => {
            let part = |(nth, call)| if nth == *at { lost() } else { serve(call, None, None) };
            calls.iter().enumerate().map(part).collect()
        }
        Some(Fault::PartFails(part)) => calls.iter().map(|call| serve(call, None, Some(*part))).collect(),
        Some(Fault::RateLimit) => {
            let later = || Err(forge::RequestError::RetryAfter(RATE_LIMIT, "The host asks to wait.".to_owned()));
            calls.iter().map(|_| later()).collect()
        }
        Some(Fault::Partial) => {
            let part = || Err(forge::RequestError::TooLong("GitHub returned only a part.".to_owned()));
            calls.iter().map(|_| part()).collect()
        }
        Some(Fault::TooNew) => vec![Ok(Reply::Commit(forge::CommitOutcome::Stale))],
        Some(Fault::Stale(state, _)) => calls.iter().map(|call| serve(call, Some(state), None)).collect(),
    })
}
