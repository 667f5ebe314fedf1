//! Games by comment, each comment followed by a run of the program, as a step of a workflow runs it.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::Method;
use serde_json::{Value, json};

use crate::report::{Question, Row};
use crate::{Answer, Live, id, number, poll};

const GAME: Question = Question {
    text: "Does a whole game come through?",
    assumed: "Each move is in the record, and each command has one answer",
    is_vital: true,
};
const RACE: Question = Question {
    text: "Do runs at the same time lose or double something?",
    assumed: "No: each command counts once and has one answer",
    is_vital: true,
};
const REFUSAL: Question =
    Question { text: "Is a wrong `/new` refused?", assumed: "One answer, and no record", is_vital: true };
const FLAG: Question =
    Question { text: "Does a flag fall?", assumed: "The daily run ends the game, and says so once", is_vital: true };

/// A command: an issue and a comment, or 0 for the issue's own text.
type Source = (u64, u64);

impl Live<'_> {
    /// Plays every game, if the token's account can.
    pub(crate) async fn play(&self, scratch: &Value, rows: &mut Vec<Row>) {
        let obstacle = self.obstacle(scratch).await;
        let skipped = |why: &&str| std::future::ready(Ok(Answer::not_asked(*why)));
        for question in [FLAG, GAME, RACE, REFUSAL] {
            match &obstacle {
                Some(why) => self.ask(rows, question, skipped(why)).await,
                None if question == FLAG => self.ask(rows, question, self.let_a_flag_fall()).await,
                None if question == GAME => self.ask(rows, question, self.play_a_game()).await,
                None if question == RACE => self.ask(rows, question, self.race()).await,
                None => self.ask(rows, question, self.refuse()).await,
            }
        }
    }

    /// Returns the reason why the token's account can't play here.
    async fn obstacle(&self, scratch: &Value) -> Option<&'static str> {
        if scratch["user"]["type"] == "Bot" {
            return Some("comments of a bot are no commands; use a person's token");
        }
        let workflow = self.api.rest(Method::GET, "contents/.github/workflows/play.yml", Value::Null).await;
        workflow
            .is_ok_and(|reply| reply.status == 200)
            .then_some("the repository's own `play.yml` would answer the same comments; use a repository without it")
    }

    /// Plays against the computer until the game ends.
    async fn play_a_game(&self) -> Result<Answer> {
        let issue = self.open_table("/new tic-tac-toe computer level=1").await?;
        let mut commands = vec![(issue, 0)];
        while let Some(cell) = free_cell(&self.record(issue, &commands).await?) {
            let comment = self.write(issue, &cell).await?;
            self.settle(&[(issue, comment)])?;
            commands.push((issue, comment));
        }
        self.check_answers(&commands).await?;
        let record = self.record(issue, &commands).await?;
        self.wait_until_closed(issue).await?;
        let about = self.api.get(&format!("issues/{issue}")).await?;
        let labels: Vec<&str> =
            about["labels"].as_array().into_iter().flatten().filter_map(|label| label["name"].as_str()).collect();
        ensure!(labels.contains(&"play-by-commit"), "the issue has the labels {labels:?}");
        let moves = commands.len() - 1;
        Ok(Answer::agrees_if(true, format!("{moves} moves, {} answers, {}", commands.len(), record["status"])))
    }

    /// Runs the program twice at the same time: on one comment, and on two comments of two issues.
    async fn race(&self) -> Result<Answer> {
        let [one, other] = [
            self.open_table("/new tic-tac-toe computer level=1").await?,
            self.open_table("/new tic-tac-toe computer level=1").await?,
        ];
        let mut commands = vec![(one, 0), (other, 0)];
        let mut move_at = async |issue: u64| -> Result<Source> {
            let cell = free_cell(&self.record(issue, &[]).await?).context("the game is over")?;
            let source = (issue, self.write(issue, &cell).await?);
            commands.push(source);
            Ok(source)
        };
        let source = move_at(one).await?;
        self.settle(&[source, source])?;
        let sources = [move_at(one).await?, move_at(other).await?];
        self.settle(&sources)?;
        let question = (other, self.write(other, "/moves").await?);
        self.settle(&[question, question])?;
        for issue in [one, other] {
            let at = |source: &&Source| source.0 == issue;
            self.record(issue, &commands.iter().filter(at).copied().collect::<Vec<_>>()).await?;
        }
        commands.push(question);
        self.check_answers(&commands).await?;
        Ok(Answer::agrees_if(true, format!("3 pairs of runs, {} commands, {} answers", commands.len(), commands.len())))
    }

    /// Opens a table of a game that doesn't exist.
    async fn refuse(&self) -> Result<Answer> {
        let issue = self.open_table("/new halma").await?;
        self.check_answers(&[(issue, 0)]).await?;
        let record = self.api.rest(Method::GET, &self.record_path(issue), Value::Null).await?;
        ensure!(record.status == 404, "issue #{issue} has a record");
        Ok(Answer::agrees_if(true, "1 answer, no record"))
    }

    /// Plays with the shortest clock, and lets it run out if time can pass.
    async fn let_a_flag_fall(&self) -> Result<Answer> {
        let issue = self.open_table("/new tic-tac-toe per-move=1m").await?;
        let time = (issue, self.write(issue, "/time").await?);
        self.settle(&[time])?;
        let mut commands = vec![(issue, 0), time];
        let Some(stage) = self.stage else {
            self.check_answers(&commands).await?;
            return Ok(Answer::not_asked("`/time` has one answer; a flag needs a second account and two hours"));
        };
        for (is_opponent, text) in [(true, "/join"), (false, "b2"), (true, "a1")] {
            let comment =
                if is_opponent { stage.write_as_opponent(issue, text) } else { self.write(issue, text).await? };
            self.settle(&[(issue, comment)])?;
            commands.push((issue, comment));
        }
        stage.advance(Duration::from_secs(3 * 60 * 60));
        for _ in 0..2 {
            self.finish(self.start("schedule", &json!({}))?)?;
        }
        self.check_answers(&commands).await?;
        commands.remove(1);
        let record = self.record(issue, &commands).await?;
        let notices = self.count_comments(issue, "<!-- play-by-commit notice ").await?;
        ensure!(record["status"] == "won" && notices == 1, "the game is {}, with {notices} notices", record["status"]);
        self.wait_until_closed(issue).await?;
        Ok(Answer::agrees_if(true, "it fell, and one comment says so"))
    }

    /// Opens an issue with a command, and runs the program.
    async fn open_table(&self, text: &str) -> Result<u64> {
        let issue = number(&self.open(text).await?)?;
        self.settle(&[(issue, 0)])?;
        Ok(issue)
    }

    async fn write(&self, issue: u64, text: &str) -> Result<u64> {
        id(&self.comment(issue, text).await?)
    }

    /// Runs the program for each of these commands, all at the same time.
    fn settle(&self, commands: &[Source]) -> Result<()> {
        let start = |(issue, comment): &Source| {
            let user = json!({ "type": "User" });
            let issue = json!({ "number": issue, "body": "", "user": user });
            match comment {
                0 => self.start("issues", &json!({ "action": "opened", "issue": issue })),
                comment => {
                    let comment = json!({ "id": comment, "body": "", "user": user });
                    self.start("issue_comment", &json!({ "action": "created", "issue": issue, "comment": comment }))
                }
            }
        };
        let steps = commands.iter().map(start).collect::<Result<Vec<Child>>>()?;
        steps.into_iter().try_for_each(|step| self.finish(step))
    }

    /// Starts the program in the environment of a step.
    fn start(&self, event: &str, payload: &Value) -> Result<Child> {
        let count = std::fs::read_dir(&self.dir)?.count();
        let file = |name: &str| self.dir.join(format!("{name}-{count}"));
        std::fs::write(file("event"), payload.to_string())?;
        let (target, server) = (&self.target, "https://github.com");
        let mut step = Command::new(&target.program);
        step.arg("run").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).env_remove("GITHUB_TOKEN");
        step.env("GITHUB_ACTIONS", "true")
            .env("GITHUB_SERVER_URL", server)
            .env("GITHUB_REPOSITORY", &target.repository);
        step.env("GITHUB_API_URL", &target.api_url).env("GITHUB_GRAPHQL_URL", &target.graphql_url);
        step.env("GITHUB_EVENT_NAME", event).env("GITHUB_EVENT_PATH", file("event"));
        step.env("GITHUB_STEP_SUMMARY", file("summary")).env("GITHUB_OUTPUT", file("outputs"));
        step.env("PLAY_BY_COMMIT_TOKEN", &target.token).env("PLAY_BY_COMMIT_BRANCH", &self.branch);
        step.spawn().with_context(|| format!("{} can't be started", target.program.display()))
    }

    /// Waits until the program ends. It must succeed, and say nothing but that the clock is wrong.
    fn finish(&self, step: Child) -> Result<()> {
        let output = step.wait_with_output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let is_about_clock = |line: &str| line.contains("this runner's clock is ");
        if !output.status.success() || !said.lines().all(is_about_clock) {
            bail!("a run ended with {}: {}", output.status, said.replace(&self.target.token, "***"));
        }
        Ok(())
    }

    fn record_path(&self, issue: u64) -> String {
        format!("contents/state/{issue}.json?ref={}", self.branch)
    }

    /// Returns a record, which must have each of these commands once.
    async fn record(&self, issue: u64, commands: &[Source]) -> Result<Value> {
        let mut counts = Vec::new();
        let record = poll(async || {
            let reply = self.api.rest(Method::GET, &self.record_path(issue), Value::Null).await?;
            let base64 = reply.body["content"].as_str().unwrap_or_default().replace('\n', "");
            let record: Value = serde_json::from_slice(&BASE64_STANDARD.decode(base64)?).unwrap_or_default();
            let history = record["history"].as_array().cloned().unwrap_or_default();
            // A flag names the comment whose clock ran out.
            let is_of =
                |event: &&Value, source: &Source| event["source"]["comment"] == source.1 && event["type"] != "flag";
            let count = |source: &Source| history.iter().filter(|event| is_of(event, source)).count();
            counts = commands.iter().map(count).collect();
            Ok((reply.status == 200 && counts.iter().all(|count| *count > 0)).then_some(record))
        });
        let record = record.await?.with_context(|| format!("table {issue} lost a command: {counts:?}"))?;
        ensure!(counts.iter().all(|count| *count == 1), "table {issue} applied a command twice: {counts:?}");
        Ok(record)
    }

    /// Checks that each command has one answer.
    async fn check_answers(&self, commands: &[Source]) -> Result<()> {
        for (issue, comment) in commands {
            let marker = format!("<!-- play-by-commit {issue}/{comment} ");
            let answered = poll(async || {
                let count = self.count_comments(*issue, &marker).await?;
                Ok((count > 0).then_some(count))
            });
            let count = answered.await?.unwrap_or_default();
            ensure!(count == 1, "comment {comment} of issue #{issue} has {count} answers");
        }
        Ok(())
    }

    /// Counts the comments that begin with a text.
    async fn count_comments(&self, issue: u64, beginning: &str) -> Result<usize> {
        let comments = self.api.get(&format!("issues/{issue}/comments?per_page=100")).await?;
        let texts = comments.as_array().into_iter().flatten().filter_map(|comment| comment["body"].as_str());
        Ok(texts.filter(|text| text.starts_with(beginning)).count())
    }

    async fn wait_until_closed(&self, issue: u64) -> Result<()> {
        let is_closed =
            async || Ok((self.api.get(&format!("issues/{issue}")).await?["state"] == "closed").then_some(()));
        poll(is_closed).await?.with_context(|| format!("issue #{issue} is still open"))
    }
}

/// Returns a free cell of a game of tic-tac-toe; `None` if the game is over.
fn free_cell(record: &Value) -> Option<String> {
    let history = record["history"].to_string();
    let is_free = |cell: &String| !history.contains(&format!("\"{cell}\""));
    let cells = ["b2", "a1", "a3", "c1", "c3", "a2", "b1", "b3", "c2"].map(str::to_owned);
    (record["status"] == "playing").then(|| cells.into_iter().find(is_free)).flatten()
}
