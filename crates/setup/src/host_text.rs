//! Errors and notes of the protocol in the words of a host: what happened, and which setting to change.

use answers::duration::format_duration;
use protocol::forge::{Fault, HostProblem, Remedy};
use protocol::host_note::{HostNote, PageProblem};
use protocol::ledger::MAX_COMMANDS;
use protocol::settle_error::{GiveUpReason, SettleError};
use table::comments::comment::CommentRef;

/// Returns a sentence about a failed request.
pub fn fault_text(fault: &Fault) -> String {
    match fault {
        Fault::Fatal(problem) => problem_text(problem),
        fault => fault.to_string(),
    }
}

/// Returns one or more sentences about a problem that only the host can solve.
pub fn problem_text(problem: &HostProblem) -> String {
    let remedy = match problem {
        HostProblem::Request { remedy: None, .. } => "",
        HostProblem::Request { remedy: Some(remedy), .. } => match remedy {
            Remedy::Token => " Check the input `token`.",
            Remedy::Permissions => " Give the job `permissions: contents: write` and `issues: write`.",
            Remedy::PermissionsOrToken => {
                " Give the job `permissions: contents: write` and `issues: write`, or check the input `token`."
            }
            Remedy::OwnBranch => {
                " Set the input `branch:` to a branch for the games alone, such as `play`; the bot creates it."
            }
        },
        HostProblem::DamagedRecord { .. } => ". Restore it from an earlier commit",
        HostProblem::MissingRecord { .. } => {
            ": someone deleted or rewrote the games' branch, or changed the input `branch` or `state-dir`. Restore the \
             file from that commit. If you removed the game, lock the issue, or delete the bot's answers there to start \
             over"
        }
    };
    format!("{problem}{remedy}")
}

/// Returns a sentence about the error of a run.
pub fn error_text(error: &SettleError) -> String {
    let later = "The next daily run answers the rest";
    match error {
        SettleError::HostMustAct(problem) => problem_text(problem),
        SettleError::RetryAfter { .. } | SettleError::GaveUp(GiveUpReason::Unreachable(_)) => {
            format!("{error}. The bot gave up; the next daily run answers the rest")
        }
        SettleError::GaveUp(GiveUpReason::NoProgress) => format!("{error}, so it gave up. {later}"),
        SettleError::GaveUp(GiveUpReason::SlowReads) => format!("{error}, so the bot gave up. {later}"),
        SettleError::Sweep(failures) => {
            let failures = failures.iter().map(|failure| {
                let place = failure.issue.map_or(String::new(), |issue| format!("issue {issue}: "));
                format!("{place}{}", error_text(&failure.error))
            });
            failures.collect::<Vec<String>>().join("; ")
        }
    }
}

/// Returns a sentence about a note, without its period.
pub fn note_text(note: &HostNote) -> String {
    match note {
        HostNote::ShareUsed(issue) => {
            format!("issue {issue} used up its share of this run; the next daily run continues there")
        }
        HostNote::RateLimited(why) => format!("the sweep ended early, and the next run continues: {why}"),
        HostNote::CommandLimit => {
            format!("the bot answered {MAX_COMMANDS} commands, its limit; the next run answers the rest")
        }
        HostNote::TooManyIssues => "too many issues changed: the newest wait for the next daily run".to_owned(),
        HostNote::WrongClock { by, is_ahead } => {
            let (by, direction) = (format_duration(*by), if *is_ahead { "ahead of" } else { "behind" });
            format!(
                "this runner's clock is {by} {direction} GitHub's, so the bot used GitHub's. Set the runner's clock"
            )
        }
        HostNote::Unanswerable(issue, why) => format!("the bot can't answer in issue {issue}: {why}"),
        HostNote::NotAssigned(issue, login) => {
            format!("GitHub didn't assign issue {issue} to {login}. It assigns only people who have commented there")
        }
        HostNote::Page { path, problem } => format!("{path}: {}", page_problem_text(problem)),
        HostNote::UnreachableFloor { path, floor, source: CommentRef { issue, comment } } => format!(
            "{path}: `through` is {floor}, beyond every comment of issue {issue}, so the bot ignores comment {comment} and \
             all others before {floor}. Set it to the highest `comment` of that issue in its `history`"
        ),
        HostNote::RefusedForRecord(issue, problem) => {
            format!("{}. The bot refused a command in issue {issue} because of that", problem_text(problem))
        }
        HostNote::DamagedAway { path, why } => format!(
            "{path} is damaged, so nobody can win on time against that player, and their `/away` waits: {why}. Restore it \
             from an earlier commit"
        ),
        HostNote::LostSecret(table) => format!(
            "table {table} can't roll its dice: the input `dice-secret` isn't the one its game started with. \
             Restore it, or end the game with `/abort`"
        ),
        HostNote::NotCounted(table, why) => {
            format!("the result of table {table} isn't in the standings: {why}. The game itself is complete")
        }
    }
}

fn page_problem_text(problem: &PageProblem) -> String {
    match problem {
        PageProblem::Missing => "The input `pages` names this file, but the games' branch doesn't have it.".to_owned(),
        PageProblem::Unreadable(why) => format!("{why}, so the bot doesn't fill it."),
        PageProblem::Marker(sentence) => sentence.clone(),
    }
}
