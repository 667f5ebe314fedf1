//! The live test: plays with the real program in a real repository, and asks GitHub what its documents don't say.
//!
//! `tests/live/live.rs` runs it on GitHub, and `tests/program/live.rs` on the fake one, so that it stays true.
//! It writes only to issues and branches that it makes itself, and closes or deletes them at the end. An ordinary token can't
//! delete issues, so they stay, closed.

mod api;
mod games;
mod questions;
pub mod report;

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};
use http::Method;
use serde_json::{Value, json};

use crate::api::Api;
use crate::report::{Question, Report, Row, Verdict};

/// The time limit of one question or game.
const QUESTION_TIMEOUT: Duration = Duration::from_secs(180);
/// The longest wait until a read shows a write.
const LAG_TIMEOUT: Duration = Duration::from_secs(8);

/// A repository to play in, and the program to play with.
#[derive(Clone)]
pub struct Target {
    /// The program.
    pub program: PathBuf,
    /// `OWNER/NAME`.
    pub repository: String,
    /// The token, which the bot and its opponent share.
    pub token: String,
    /// The URL of the REST API.
    pub api_url: String,
    /// The URL of the GraphQL API.
    pub graphql_url: String,
}

impl Target {
    /// Returns the target that environment variables name; `None` if they name no repository or no token.
    pub fn from_variables(program: PathBuf, variable: impl Fn(&str) -> Option<String>) -> Option<Target> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let api_url = variable("GITHUB_API_URL").unwrap_or_else(|| "https://api.github.com".to_owned());
        Some(Target {
            program,
            repository: variable("PLAY_BY_COMMIT_LIVE").filter(|name| name.split('/').count() == 2)?,
            token: variable("GITHUB_TOKEN")?,
            graphql_url: variable("GITHUB_GRAPHQL_URL").unwrap_or_else(|| format!("{api_url}/graphql")),
            api_url,
        })
    }
}

/// What only a fake GitHub can do: a second person, and time that passes.
pub trait Stage {
    /// Writes a comment as another person, and returns its ID.
    fn write_as_opponent(&self, issue: u64, text: &str) -> u64;
    /// Lets time pass.
    fn advance(&self, time: Duration);
}

/// A running live test.
struct Live<'a> {
    api: Api,
    target: Target,
    stage: Option<&'a dyn Stage>,
    /// The branch of the games. The questions use another one, whose name ends in `-questions`.
    branch: String,
    /// The directory for event files.
    dir: PathBuf,
    /// The issues to close at the end.
    issues: RefCell<Vec<u64>>,
}

/// What a question found out.
struct Answer {
    verdict: Verdict,
    observed: String,
}

impl Answer {
    fn agrees_if(agrees: bool, observed: impl Into<String>) -> Answer {
        Answer { verdict: if agrees { Verdict::Agrees } else { Verdict::Differs }, observed: observed.into() }
    }

    fn not_asked(why: impl Into<String>) -> Answer {
        Answer { verdict: Verdict::NotAsked, observed: why.into() }
    }
}

/// Plays, asks, cleans up, and returns the report.
///
/// # Errors
/// Returns an error if the test can't begin: without certificates, or without a directory for its files.
pub async fn run(target: Target, stage: Option<&dyn Stage>) -> Result<Report> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
    let branch = format!("play-by-commit-live-{now:x}");
    let dir = std::env::temp_dir().join(&branch);
    std::fs::create_dir_all(&dir).context("the directory for event files can't be made")?;
    let repository = target.repository.clone();
    let live = Live { api: Api::new(target.clone())?, target, stage, branch, dir, issues: RefCell::default() };
    let mut rows = Vec::new();
    match live.open("This issue is for questions to GitHub. No game is here.").await {
        Ok(scratch) => {
            live.play(&scratch, &mut rows).await;
            live.ask_questions(&scratch, &mut rows).await;
        }
        Err(why) => rows.push(Row {
            question: Question { text: "Can the token open an issue?", assumed: "Yes", is_vital: true },
            observed: format!("{why:#}"),
            verdict: Verdict::Differs,
        }),
    }
    rows.push(live.clean_up().await);
    drop(std::fs::remove_dir_all(&live.dir));
    Ok(Report { repository, rows })
}

impl Live<'_> {
    /// Adds a row with the answer to a question. If the question itself fails, that is a row, too.
    async fn ask(&self, rows: &mut Vec<Row>, question: Question, answer: impl Future<Output = Result<Answer>>) {
        let answer = tokio::time::timeout(QUESTION_TIMEOUT, answer).await.context("it took too long");
        let Answer { verdict, observed } = answer.and_then(|answer| answer).unwrap_or_else(|why| Answer {
            verdict: if question.is_vital { Verdict::Differs } else { Verdict::NotAsked },
            observed: format!("failed: {why:#}").replace(&self.target.token, "***"),
        });
        rows.push(Row { question, observed, verdict });
    }

    /// Opens an issue and returns it.
    async fn open(&self, body: &str) -> Result<Value> {
        let title =
            format!("A live test of Play by Commit ({})", self.branch.trim_start_matches("play-by-commit-live-"));
        let reply = self.api.rest(Method::POST, "issues", json!({ "title": title, "body": body })).await?;
        let issue = reply.accepted("opening an issue")?;
        self.issues.borrow_mut().push(number(&issue)?);
        Ok(issue)
    }

    /// Posts a comment and returns it.
    async fn comment(&self, issue: u64, text: &str) -> Result<Value> {
        let reply = self.api.rest(Method::POST, &format!("issues/{issue}/comments"), json!({ "body": text })).await?;
        reply.accepted("writing a comment")
    }

    /// Returns the name of the branch that the questions use.
    fn question_branch(&self) -> String {
        format!("{}-questions", self.branch)
    }

    /// Closes the issues and deletes the branches, and says what somebody has to do by hand.
    async fn clean_up(&self) -> Row {
        let mut left = Vec::new();
        let issues = self.issues.take();
        for issue in &issues {
            let closed = json!({ "state": "closed", "state_reason": "completed" });
            match self.api.rest(Method::PATCH, &format!("issues/{issue}"), closed).await {
                Ok(reply) if reply.status == 200 => {}
                _ => left.push(format!("close issue #{issue}")),
            }
        }
        for branch in [self.branch.clone(), self.question_branch()] {
            let deleted = self.api.rest(Method::DELETE, &format!("git/refs/heads/{branch}"), Value::Null).await;
            // 422 means that there is no such branch.
            if !deleted.is_ok_and(|reply| matches!(reply.status, 204 | 404 | 422)) {
                left.push(format!("delete the branch `{branch}`"));
            }
        }
        let by_hand = if left.is_empty() { String::new() } else { format!(". By hand: {}", left.join("; ")) };
        Row {
            question: Question { text: "Is everything cleaned up?", assumed: "Yes", is_vital: false },
            observed: format!("closed {} issues, which stay; deleted the branches{by_hand}", issues.len()),
            verdict: if left.is_empty() { Verdict::Agrees } else { Verdict::Differs },
        }
    }
}

/// Returns the number of an issue.
fn number(issue: &Value) -> Result<u64> {
    issue["number"].as_u64().context("an issue without a number")
}

/// Returns the ID of a comment.
fn id(comment: &Value) -> Result<u64> {
    comment["id"].as_u64().context("a comment without an ID")
}

/// Calls `read` until it returns a value; `None` if the time is over.
async fn poll<T>(mut read: impl AsyncFnMut() -> Result<Option<T>>) -> Result<Option<T>> {
    let start = Instant::now();
    loop {
        if let Some(value) = read().await? {
            return Ok(Some(value));
        }
        if start.elapsed() > LAG_TIMEOUT {
            return Ok(None);
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
