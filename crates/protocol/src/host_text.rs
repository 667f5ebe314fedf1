//! Errors and notes of the protocol in the words of a host: what happened, and which setting to change.

use crate::memory::MAX_ANSWERED_WITHOUT_CHANGE;
use crate::{
    GiveUpReason, HostError, HostNote, MAX_COMMANDS, PageProblem, Remedy, RequestError, SettingsMistake, SettleError,
    SweepFailure,
};
use table::timestamp::format_duration;
use table::{CommentRef, IssueNumber};

/// The maximum number of issues that are listed for one cause.
const MAX_LISTED: usize = 10;

/// Returns a sentence about a failed request.
pub fn request_error_text(fault: &RequestError) -> String {
    match fault {
        RequestError::Fatal(problem) => problem_text(problem),
        fault => fault.to_string(),
    }
}

/// Returns one or more sentences about a problem that only the host can solve.
fn problem_text(problem: &HostError) -> String {
    let remedy = match problem {
        HostError::Request { remedy: None, .. } => "",
        HostError::Request { remedy: Some(remedy), .. } => match remedy {
            Remedy::Token => " Check the input `token`.",
            Remedy::Permissions => " Give the job `permissions: contents: write` and `issues: write`.",
            Remedy::PermissionsOrToken => {
                " Give the job `permissions: contents: write` and `issues: write`, or check the input `token`."
            }
            Remedy::OwnBranch => {
                " Set the input `branch:` to a branch for the games alone, such as `play`; the bot creates it."
            }
        },
        HostError::DamagedRecord { .. } => ". Restore it from an earlier commit",
        HostError::MissingRecord { .. } => {
            ": someone changed the input `state-dir` or `branch`, or deleted or rewrote the games' branch. Set the input \
             back, or restore the file from that commit. If you removed the game, lock the issue, or delete the bot's answers there to start \
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
        SettleError::SettingsChanged(_) => format!("{error}. The next run reads it again"),
        SettleError::GaveUp(GiveUpReason::NoProgress) => format!("{error}, so it gave up. {later}"),
        SettleError::GaveUp(GiveUpReason::SlowReads) => format!("{error}, so the bot gave up. {later}"),
        SettleError::Sweep(failures) => {
            let text = |failure: &SweepFailure| {
                let place = failure.issue.map_or(String::new(), |issue| format!("issue {issue}: "));
                format!("{place}{}", error_text(&failure.error))
            };
            let is_same = |one: &SweepFailure, other: &SweepFailure| match (&one.error, &other.error) {
                (SettleError::HostMustAct(one), SettleError::HostMustAct(other)) => is_same_problem(one, other),
                (one, other) => one == other,
            };
            each_cause_once(failures, |failure| failure.issue, is_same, text).join("; ")
        }
    }
}

/// Whether two problems have the same cause. A setting that loses one record loses the others, too.
fn is_same_problem(one: &HostError, other: &HostError) -> bool {
    match (one, other) {
        (HostError::MissingRecord { .. }, HostError::MissingRecord { .. }) => true,
        _ => one == other,
    }
}

/// Returns a sentence for each cause of these notes, without its period. The first note of a cause names the issues of the
/// others.
pub fn note_texts(notes: &[HostNote]) -> Vec<String> {
    let issue = |note: &HostNote| match note {
        HostNote::ShareUsed(issue)
        | HostNote::Unanswerable(issue, _)
        | HostNote::NotAssigned(issue, _)
        | HostNote::RefusedForRecord(issue, _)
        | HostNote::LostSecret(issue)
        | HostNote::NotCounted(issue, _) => Some(*issue),
        _ => None,
    };
    let is_same = |one: &HostNote, other: &HostNote| match (one, other) {
        (HostNote::ShareUsed(_), HostNote::ShareUsed(_)) | (HostNote::LostSecret(_), HostNote::LostSecret(_)) => true,
        (HostNote::Unanswerable(_, one), HostNote::Unanswerable(_, other))
        | (HostNote::NotAssigned(_, one), HostNote::NotAssigned(_, other))
        | (HostNote::NotCounted(_, one), HostNote::NotCounted(_, other)) => one == other,
        (HostNote::RefusedForRecord(_, one), HostNote::RefusedForRecord(_, other)) => is_same_problem(one, other),
        _ => false,
    };
    each_cause_once(notes, issue, is_same, note_text)
}

/// Returns the text of the first item of each cause, with the issues of the other items.
fn each_cause_once<T>(
    items: &[T],
    issue: impl Fn(&T) -> Option<IssueNumber>,
    is_same: impl Fn(&T, &T) -> bool,
    text: impl Fn(&T) -> String,
) -> Vec<String> {
    let mut causes: Vec<(&T, Vec<IssueNumber>)> = Vec::new();
    for item in items {
        let issue_of = &issue;
        let known = causes.iter_mut().find(|(first, _)| issue_of(first).is_some() && is_same(first, item));
        match (known, issue(item)) {
            (Some((_, others)), Some(issue)) => others.push(issue),
            _ => causes.push((item, Vec::new())),
        }
    }
    causes
        .into_iter()
        .map(|(first, others)| {
            let text = text(first);
            let sentence = text.trim_end_matches('.');
            let list = others.iter().take(MAX_LISTED).map(IssueNumber::to_string).collect::<Vec<_>>().join(", ");
            match others.len() {
                0 => text,
                1 => format!("{sentence}. The same goes for issue {list}"),
                2..=MAX_LISTED => format!("{sentence}. The same goes for issues {list}"),
                many => format!("{sentence}. The same goes for issues {list} and {} more", many - MAX_LISTED),
            }
        })
        .collect()
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
        HostNote::PersonLimit => format!(
            "somebody wrote {MAX_ANSWERED_WITHOUT_CHANGE} commands that changed nothing, the limit for one person; the next run answers \
             the rest"
        ),
        HostNote::TooManyIssues => "too many issues changed: the newest wait for the next daily run".to_owned(),
        HostNote::IssuesWait(1) => {
            "an issue without a game still waits for an answer; the next daily run continues there".to_owned()
        }
        HostNote::IssuesWait(count) => {
            format!("{count} issues without a game still wait for an answer; the next daily run continues with them")
        }
        HostNote::WrongClock { by, is_ahead } => {
            let (by, direction) = (format_duration(*by), if *is_ahead { "ahead of" } else { "behind" });
            format!(
                "this runner's clock is {by} {direction} GitHub's, so the bot used GitHub's. Set the runner's clock"
            )
        }
        HostNote::Unanswerable(issue, why) => format!("the bot can't answer in issue {issue}: {why}"),
        HostNote::NotAssigned(issue, login) => {
            format!(
                "GitHub didn't assign issue {issue} to {login}. It assigns people who have commented there, who can write \
                 here, or who belong to the organization, and only one of them in a free private repository"
            )
        }
        HostNote::Page { path, problem } => format!("{path}: {}", page_problem_text(problem)),
        HostNote::ThroughIsTooHigh { path, settled_through, source: CommentRef { issue, comment } } => format!(
            "{path}: `through` is {settled_through}, beyond every comment of issue {issue}, so the bot ignores comment {comment} and \
             all others before {settled_through}. Set it to the highest `comment` of that issue in its `history`"
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
        HostNote::ForeignRecords => {
            "some games belong to another repository, of which this one may be a copy. The bot leaves \
             them alone. To continue them here, run `play-by-commit adopt` in a clone"
                .to_owned()
        }
        HostNote::Settings(source) => {
            let mistakes: Vec<String> = source.mistakes.iter().map(SettingsMistake::text).collect();
            format!("{}: {}. The default applies until somebody fixes it", source.place(), mistakes.join("; "))
        }
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
