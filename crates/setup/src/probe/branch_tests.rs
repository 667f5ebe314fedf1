//! Tests on the temporary branch: commits, races, and the URLs of pictures.

use std::time::{Duration, Instant};

use answers::board::picture_url;
use answers::pages::links::Links;
use github::probe::{self as requests, CommitAttempt};
use github::web::fetch;
use protocol::forge::{Change, CommitOutcome, Environment, Fault, FileContent, Forge, Head};
use table::comments::comment::Author;
use table::ids::UserId;
use table::oid::Oid;

use crate::host_text::fault_text;
use crate::probe::checks;
use crate::probe::rows::{Rows, Seen};
use crate::probe::session::{CreatedResources, Probe, poll_until};

/// The file name of the picture to commit.
const PICTURE_NAME: &str = "probe.svg";
const PICTURE_TEXT: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"><rect width=\"8\" height=\"8\"/></svg>\n";
/// The time limit for fetching the picture.
const FETCH_TIMEOUT: Duration = Duration::from_secs(8);

/// Creates the temporary branch and runs the tests.
pub(super) async fn test_branch(probe: &Probe, created: &mut CreatedResources, rows: &mut Rows) {
    let base = match find_base(probe).await {
        Ok(base) => base,
        Err(seen) => return rows.add(checks::BRANCH, seen),
    };
    created.branch = true;
    let start = Instant::now();
    let reply = probe.github.create_branch(&base).await;
    rows.add(checks::BRANCH, Seen::from_reply(&reply, "201").since(start));
    if reply.is_err() {
        return;
    }
    let start = Instant::now();
    let attempt = commit_picture(probe, &base, PICTURE_TEXT, &probe.name).await;
    let (head, seen) = match attempt.map(|attempt| (describe_attempt(&attempt), attempt.outcome)) {
        Ok((_, Ok(CommitOutcome::Landed(oid)))) => (Some(oid), Seen::new(true, "It landed")),
        Ok((result, Ok(CommitOutcome::BranchMoved))) => (None, Seen::new(false, result)),
        Ok((_, Err(fault))) | Err(fault) => (None, Seen::from(&fault)),
    };
    rows.add(checks::COMMIT, seen.since(start));
    if let Some(head) = &head {
        rows.add(checks::COMMIT_LAG, read_commit(probe, head).await);
        let stale = commit_picture(probe, &base, "<svg/>\n", &probe.name).await;
        rows.add(checks::STALE_COMMIT, stale.map(|stale| describe_refusal(stale, Some("STALE_DATA"))));
        rows.add(checks::MISSING_FILE, delete_missing_file(probe, head).await);
    }
    rows.add(checks::MISSING_BRANCH, commit_to_missing_branch(probe, created, &base).await);
    if let Some(head) = &head {
        rows.add(checks::PICTURE, fetch_picture(probe, head).await);
    }
}

/// Returns the head of the default branch. The probe must not touch a branch that it didn't create.
async fn find_base(probe: &Probe) -> Result<Oid, Seen> {
    match probe.github.read(&[], &[], 1).await.map_err(|fault| Seen::from(&fault))?.head {
        Head::Missing { create_from: Some(base) } => Ok(base),
        Head::Missing { create_from: None } => {
            Err(Seen::new(false, "The repository is empty: it needs a first commit."))
        }
        Head::Commit(_) => Err(Seen::new(false, "A branch of that name already exists.")),
    }
}

/// Commits a picture the way a move is committed.
async fn commit_picture(probe: &Probe, base: &Oid, picture: &str, branch: &str) -> Result<CommitAttempt, Fault> {
    let files = vec![(probe.state_path(PICTURE_NAME), picture.to_owned())];
    try_change(probe, base, files, Vec::new(), branch).await
}

/// Tries a commit. `[skip ci]` keeps the host's other workflows from starting.
async fn try_change(
    probe: &Probe,
    base: &Oid,
    files: Vec<(String, String)>,
    deleted: Vec<String>,
    branch: &str,
) -> Result<CommitAttempt, Fault> {
    let change = Change {
        parent: Some(base.clone()),
        files,
        deleted,
        headline: "The probe of Play by Commit tries a commit [skip ci]".to_owned(),
        body: String::new(),
        author: Author { id: UserId::default(), login: String::new(), is_bot: true },
        time: probe.github.now(),
    };
    requests::try_commit(&probe.github, &change, branch).await
}

async fn read_commit(probe: &Probe, head: &Oid) -> Result<Seen, Fault> {
    let paths = [probe.state_path(PICTURE_NAME)];
    let shown = poll_until(async || {
        let read = probe.github.read(&[], &paths, 1).await?;
        let file = read.files.get(&paths[0]).cloned();
        Ok((read.head == Head::Commit(head.clone())).then_some(file))
    });
    Ok(match shown.await? {
        Some((file, lag)) if file != Some(FileContent::Text(PICTURE_TEXT.to_owned())) => {
            let seen = Seen::new(false, "The new head, but not that commit's file").after(lag);
            seen.with_consequence(
                "A run could use a position from another commit than the one it names. Don't play until this is \
                 understood.",
            )
        }
        shown => Seen::from_lag(shown.map(|(_, lag)| lag)),
    })
}

async fn delete_missing_file(probe: &Probe, head: &Oid) -> Result<Seen, Fault> {
    let missing = vec![probe.state_path("missing.json")];
    let attempt = try_change(probe, head, Vec::new(), missing, &probe.name).await?;
    Ok(match attempt.outcome {
        Ok(CommitOutcome::Landed(_)) => Seen::new(false, "It landed"),
        _ => Seen::new(true, describe_attempt(&attempt)),
    })
}

async fn commit_to_missing_branch(probe: &Probe, created: &mut CreatedResources, base: &Oid) -> Result<Seen, Fault> {
    created.missing_branch = true;
    let attempt = commit_picture(probe, base, PICTURE_TEXT, &probe.missing_branch()).await?;
    created.missing_branch = matches!(attempt.outcome, Ok(CommitOutcome::Landed(_)));
    Ok(describe_refusal(attempt, None))
}

/// Describes a commit that GitHub should refuse as a lost race, with this error type if one is given.
fn describe_refusal(attempt: CommitAttempt, kind: Option<&str>) -> Seen {
    let result = describe_attempt(&attempt);
    match attempt.outcome {
        Ok(CommitOutcome::BranchMoved) if kind.is_none() || attempt.kind.as_deref() == kind => Seen::new(true, result),
        Ok(CommitOutcome::BranchMoved) => Seen::new(false, result).with_consequence(
            "The bot recognizes a lost race only by GitHub's wording. If GitHub rewords it, a move that loses a race \
             waits for the daily run.",
        ),
        Ok(CommitOutcome::Landed(_)) => Seen::new(false, "It landed")
            .with_consequence("Two moves at once can overwrite each other. Don't play until this is understood."),
        Err(fault) => Seen::new(false, format!("{result} ({})", fault_text(&fault))),
    }
}

async fn fetch_picture(probe: &Probe, head: &Oid) -> Seen {
    let links = Links {
        server: &probe.web.server,
        repository: &probe.web.repository,
        branch: &probe.name,
        state_dir: &probe.state_dir,
    };
    let in_answer = picture_url(&probe.web.pictures_url(head, &probe.state_dir), PICTURE_NAME);
    let start = Instant::now();
    let (mut results, mut is_expected) = (Vec::new(), true);
    for (place, url) in [("in answers", in_answer), ("on pages", links.picture(PICTURE_NAME, "1"))] {
        let reply = fetch(&url, FETCH_TIMEOUT).await;
        is_expected &= reply.as_ref().is_ok_and(|reply| reply.status == 200 && reply.content_type == "image/svg+xml");
        let reply = reply.map(|reply| format!("{} {}", reply.status, reply.content_type));
        results.push(format!("{place}: {}", reply.unwrap_or_else(|fault| fault_text(&fault))));
    }
    let result = results.join("; ");
    if !is_expected && requests::is_private(&probe.github).await.unwrap_or_default() {
        let result = format!("{result}; the repository is private, so only people with access see pictures");
        return Seen::new(true, result).since(start);
    }
    Seen::new(is_expected, result).since(start)
}

/// Returns GitHub's error for a commit.
fn describe_attempt(attempt: &CommitAttempt) -> String {
    match (&attempt.kind, attempt.message.as_str()) {
        (None, "") => "No error".to_owned(),
        (None, message) => format!("An error without a type: {message}"),
        (Some(kind), message) => format!("`{kind}`: {message}"),
    }
}
