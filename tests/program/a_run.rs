//! Runs the program as a step of a workflow, in a runner's environment, against a fake GitHub over HTTP.
//!
//! [`Runner`] checks the output of every run; see [`RunResult::check_output`].

mod doctor;
mod dry_run;
mod host_moves;
mod hostile;
mod inputs;
mod outputs;
mod proxy;
mod settings;
mod trouble;
mod turns;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use protocol::settle::settle;
use protocol::{RepoConfig, Trigger};
use serde_json::{Value, json};
use table::IssueNumber;
use testkit::Relay;
use testkit::payloads::{comment, issue, issue_comment, issues, person, schedule, workflow_dispatch};
use testkit::server::{NAME, OWNER, Server, TOKEN};
use testkit::world::{Request, World, default_config, run};

/// Returns a world with the real time, which the machine's clock shows.
fn new_world() -> World {
    world_behind(Duration::ZERO)
}

/// Returns a world whose clock is this far behind the machine's.
fn world_behind(lag: Duration) -> World {
    let world = World::new();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    world.change(|state| state.now = u64::try_from((now - lag).as_millis()).unwrap());
    world
}

/// Returns a world with a table of alice and bob in issue 1, where it's alice's turn.
fn world_with_table() -> Arc<World> {
    let world = new_world();
    world.open_issue("alice", "/new tic-tac-toe @bob");
    let config = RepoConfig { pages: Vec::new(), ..default_config() };
    run(settle(&world, &config, Trigger::Issue(IssueNumber::new(1)))).unwrap().unwrap();
    world.clear_log();
    Arc::new(world)
}

/// A workflow runner that can start the step.
struct Runner<'a> {
    server: &'a Server,
    dir: PathBuf,
    variables: BTreeMap<String, String>,
}

impl<'a> Runner<'a> {
    fn new(server: &'a Server) -> Runner<'a> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("play-by-commit-run-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let file = |name: &str| dir.join(name).to_str().unwrap().to_owned();
        let variables = [
            ("CI", "true".to_owned()),
            ("GITHUB_ACTIONS", "true".to_owned()),
            ("GITHUB_API_URL", server.api_url.clone()),
            ("GITHUB_GRAPHQL_URL", server.graphql_url.clone()),
            ("GITHUB_SERVER_URL", "https://github.com".to_owned()),
            ("GITHUB_REPOSITORY", format!("{OWNER}/{NAME}")),
            ("GITHUB_EVENT_PATH", file("event.json")),
            ("GITHUB_STEP_SUMMARY", file("summary.md")),
            ("GITHUB_OUTPUT", file("outputs")),
            ("PLAY_BY_COMMIT_TOKEN", TOKEN.to_owned()),
            // The action passes on every input, even if it isn't set.
            ("PLAY_BY_COMMIT_BRANCH", String::new()),
            ("PLAY_BY_COMMIT_STATE_DIR", "state".to_owned()),
            ("PLAY_BY_COMMIT_DICE_SECRET", String::new()),
            ("PLAY_BY_COMMIT_GAMES", String::new()),
            ("PLAY_BY_COMMIT_TABLES", "author".to_owned()),
            ("PLAY_BY_COMMIT_SWEEP_DAYS", "7".to_owned()),
        ];
        let variables = variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Runner { server, dir, variables }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.variables.remove(name);
        self
    }

    /// Returns the command of the step for this event.
    fn step(&self, event: &str, payload: &str) -> Command {
        std::fs::write(self.dir.join("event.json"), payload).unwrap();
        // Each step starts with empty files.
        for file in ["summary.md", "outputs"] {
            drop(std::fs::remove_file(self.dir.join(file)));
        }
        let mut step = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
        step.arg("run").env_clear().env("GITHUB_EVENT_NAME", event).envs(&self.variables).stdin(Stdio::null());
        step
    }

    /// Runs the step for this event.
    #[track_caller]
    fn run_event(&self, event: &str, payload: &Value) -> RunResult {
        self.end(self.step(event, &payload.to_string()).output().unwrap())
    }

    /// Posts a comment and runs the step for it.
    #[track_caller]
    fn comment_and_run(&self, issue: u64, login: &str, text: &str) -> RunResult {
        self.run_for_comment(issue, self.server.world.comment(issue, login, text))
    }

    /// Runs the step for an existing comment.
    #[track_caller]
    fn run_for_comment(&self, issue: u64, id: u64) -> RunResult {
        self.run_event("issue_comment", &created_payload(&self.server.world, issue, id))
    }

    #[track_caller]
    fn end(&self, output: Output) -> RunResult {
        let written = |name| std::fs::read_to_string(self.dir.join(name)).unwrap_or_default();
        let ran =
            RunResult { summary: written("summary.md"), outputs: written("outputs"), ..RunResult::from_output(output) };
        ran.check_output();
        ran
    }
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.dir));
    }
}

/// Returns the event payload of an existing comment.
fn created_payload(world: &World, number: u64, id: u64) -> Value {
    let user = |login: &Option<String>| login.as_ref().map_or(Value::Null, |login| person(login, world.id_of(login)));
    let (opener, body, author, text) = world.with_state(|state| {
        let issue = &state.issues[&number];
        let note = issue.comments.iter().find(|note| note.id == id).expect("there is no such comment");
        (issue.body.author.clone(), issue.body.text.clone(), note.author.clone(), note.text.clone())
    });
    issue_comment("created", issue(number, user(&opener), json!(body)), comment(id, user(&author), json!(text)))
}

/// The result of a step.
#[derive(Debug)]
struct RunResult {
    code: Option<i32>,
    out: String,
    err: String,
    summary: String,
    outputs: String,
}

impl RunResult {
    /// Returns the result of a program without a summary or outputs.
    fn from_output(output: Output) -> RunResult {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        RunResult {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
            summary: String::new(),
            outputs: String::new(),
        }
    }

    /// Checks the rules for every run: it never prints the token, nor any workflow commands except our annotations. The
    /// summary has a line for each annotation. The exit code is 1 with an error, else 0.
    #[track_caller]
    fn check_output(&self) {
        let all = [&self.out, &self.err, &self.summary, &self.outputs];
        assert!(all.iter().all(|text| !text.contains(TOKEN)), "the token shows: {self:?}");
        let commands = |text: &str| -> Vec<String> {
            let lines = text.split(['\n', '\r']).map(str::trim_start).filter(|line| line.starts_with("::"));
            lines.map(ToOwned::to_owned).collect()
        };
        assert_eq!(commands(&self.err), Vec::<String>::new(), "{self:?}");
        // The log is for people: each sentence ends with one period, and no Rust values appear.
        let odd = [" {", "Some(", "None", "=\""].iter().any(|word| self.err.contains(word));
        let is_doubled = all.iter().any(|text| text.replace("...", "").replace("/..", "").contains(".."));
        assert!(!odd && !is_doubled, "the log isn't for people: {self:?}");
        let mut errors = 0;
        for line in commands(&self.out) {
            let (level, sentence) = ["error", "warning"]
                .iter()
                .find_map(|level| Some((level, line.strip_prefix(&format!("::{level} title=Play by Commit::"))?)))
                .unwrap_or_else(|| panic!("{line} isn't one of our annotations: {self:?}"));
            errors += usize::from(*level == "error");
            assert!(sentence.len() > 10, "{self:?}");
            let expected_line = format!(
                "**Play by Commit, {level}:** {}",
                sentence.replace("%0D", " ").replace("%0A", " ").replace("%25", "%")
            );
            let shown =
                |line: &str| line.replace("&lt;", "<").replace("&gt;", ">").replace("&#64;", "@").replace("&amp;", "&");
            assert!(
                self.summary.lines().any(|line| shown(line) == expected_line),
                "the summary lacks {expected_line}: {self:?}"
            );
        }
        let expected = if errors == 0 { Some(0) } else { Some(1) };
        assert!(errors <= 1 && self.code == expected, "{errors} errors, but {self:?}");
    }

    #[track_caller]
    fn succeeds(&self) -> &Self {
        assert_eq!((self.code, self.out.as_str()), (Some(0), ""), "{self:?}");
        self
    }

    /// Asserts that the step failed, and that its annotation contains this text.
    #[track_caller]
    fn fails_with(&self, words: &str) -> &Self {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert!(self.out.contains(words), "the annotation lacks {words:?}: {self:?}");
        self
    }
}

fn request_kinds(world: &World) -> Vec<Request> {
    world.log().into_iter().map(|entry| entry.request).collect()
}

#[test]
fn a_move_takes_three_requests() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let relay = Relay::start(&server.url, Duration::from_millis(100));
    let runner = Runner::new(&server)
        .with("GITHUB_API_URL", &relay.url)
        .with("GITHUB_GRAPHQL_URL", &format!("{}/graphql", relay.url));
    let ran = runner.comment_and_run(1, "alice", "/move b2");
    ran.succeeds();
    assert!(
        ran.err.contains("INFO Committing: Table 1: alice (X) played b2\n")
            && ran.err.contains("INFO Done: 1 applied.\n"),
        "{ran:?}"
    );
    assert_eq!(request_kinds(&world), [Request::Read, Request::Commit, Request::Answer]);
    assert_eq!(relay.take().chain(), 3);
    assert_eq!(world.headlines().last().unwrap(), "Table 1: alice (X) played b2");
    let message = world.message().unwrap();
    assert!(message.ends_with("\n\nCo-authored-by: alice <1001+alice@users.noreply.github.com>"), "{message}");
    let answers = world.answers(1);
    assert!(answers[1].contains(&format!("commit={}", world.head().unwrap())), "{answers:?}");
    assert!(answers.len() == 2 && answers[1].contains("**alice** (X) played `b2`."), "{answers:?}");
    assert_eq!(world.reactions(1, 5_000_000_002), ["rocket"]);
    assert!(world.file("state/1.json").unwrap().contains("\"b2\""));
}

#[test]
fn a_missing_label_takes_one_more_request_and_so_does_an_invitation() {
    let world = Arc::new(new_world());
    let server = Server::start(world.clone());
    let relay = Relay::start(&server.url, Duration::from_millis(100));
    let runner = Runner::new(&server)
        .with("GITHUB_API_URL", &relay.url)
        .with("GITHUB_GRAPHQL_URL", &format!("{}/graphql", relay.url));
    world.open_issue("alice", "/new tic-tac-toe @bob");
    runner
        .run_event("issues", &issues("opened", issue(1, person("alice", 1001), json!("/new tic-tac-toe @bob"))))
        .succeeds();
    assert_eq!(
        request_kinds(&world),
        [Request::Read, Request::Account, Request::Commit, Request::Answer, Request::Label]
    );
    world.clear_log();
    world.open_issue("bob", "/new tic-tac-toe");
    runner.run_event("issues", &issues("opened", issue(2, person("bob", 1002), json!("/new tic-tac-toe")))).succeeds();
    assert_eq!(request_kinds(&world), [Request::Read, Request::Commit, Request::Answer, Request::Label]);
    world.clear_log();
    world.open_issue("alice", "/new tic-tac-toe");
    runner
        .run_event("issues", &issues("opened", issue(3, person("alice", 1001), json!("/new tic-tac-toe"))))
        .succeeds();
    assert_eq!(request_kinds(&world), [Request::Read, Request::Commit, Request::Answer]);
    for issue in [2, 3] {
        assert!(world.with_state(|state| state.issues[&issue].labels == ["play-by-commit", "looking-for-opponent"]));
    }
    assert!(world.with_state(|state| state.issues[&1].labels == ["play-by-commit"]));
    assert_eq!(world.reactions(1, 0), ["rocket"]);
}

#[test]
fn refusals_and_queries_take_three_requests_and_no_commit() {
    for (text, reaction, answer) in [
        ("/move b9", "confused", "isn't on this board"),
        ("/moves", "eyes", "9 legal moves"),
        ("/mov b2", "confused", "/move"),
    ] {
        let world = world_with_table();
        let server = Server::start(world.clone());
        Runner::new(&server).comment_and_run(1, "alice", text).succeeds();
        assert_eq!(request_kinds(&world), [Request::Read, Request::React, Request::Answer], "{text}");
        assert_eq!(world.reactions(1, 5_000_000_002), [reaction], "{text}");
        assert!(world.answers(1).last().unwrap().contains(answer), "{text}: {:?}", world.answers(1));
        assert_eq!(world.headlines().len(), 2, "{text}");
    }
}

#[test]
fn chat_takes_one_request_and_gets_no_answer() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    for text in ["Good luck!", "> /move b2", "```\n/move b2\n```", "/usr/bin is where it lives"] {
        runner.comment_and_run(1, "carol", text).succeeds();
    }
    assert_eq!(request_kinds(&world), [Request::Read; 4]);
    assert_eq!(world.answers(1).len(), 1);
}

#[test]
fn a_filled_in_form_opens_a_table() {
    let world = Arc::new(new_world());
    let server = Server::start(world.clone());
    let form = "### Game\r\n\r\nTic-tac-toe\r\n\r\n### Opponent\r\n\r\n@bob\r\n\r\n### Options\r\n\r\nsize=4";
    world.open_issue("alice", form);
    Runner::new(&server)
        .run_event("issues", &issues("opened", issue(1, person("alice", 1001), json!(form))))
        .succeeds();
    assert_eq!(world.headlines().last().unwrap(), "Table 1: alice (X) started tic-tac-toe");
    assert!(world.answers(1)[0].contains("4x4, 3 in a row"));
}

#[test]
fn plays_a_whole_game_and_a_rematch() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    for (login, text) in
        [("alice", "b2"), ("bob", "a1"), ("alice", "/move a3"), ("bob", "2"), ("alice", "C1"), ("bob", "/rematch")]
    {
        runner.comment_and_run(1, login, text).succeeds();
    }
    let lines = world.headlines();
    assert_eq!(
        lines[2..5],
        ["alice (X) played b2", "bob (O) played a1", "alice (X) played a3"].map(|l| format!("Table 1: {l}"))
    );
    assert_eq!((lines.len(), world.answers(1).len()), (8, 7), "{lines:?}");
    assert!(world.file("state/archive/1-1.json").is_some());
}

/// Returns a world with unanswered commands, and with a locked issue, a pull request and a plain issue for the sweep to ignore.
fn world_with_missed_commands() -> Arc<World> {
    let world = world_with_table();
    world.comment(1, "alice", "/move b2");
    for (login, text) in [("carol", "/new tic-tac-toe"), ("dave", "A bug."), ("erin", "/new tic-tac-toe size=4")] {
        world.open_issue(login, text);
    }
    world.open_pull_request("frank", "/new tic-tac-toe");
    let locked = world.open_issue("grace", "/new tic-tac-toe");
    world.lock(locked);
    world
}

#[test]
fn a_sweep_settles_missed_commands_only() {
    for (event, payload) in [("schedule", schedule()), ("workflow_dispatch", workflow_dispatch(Value::Null))] {
        let world = world_with_missed_commands();
        let server = Server::start(world.clone());
        Runner::new(&server).run_event(event, &payload).succeeds();
        let mut lines = world.headlines();
        lines.sort();
        let done = ["alice (X) started", "alice (X) played", "carol (X) started", "erin (X) started"];
        assert!(lines.len() == 5 && done.iter().all(|done| lines.iter().any(|line| line.contains(done))), "{lines:?}");
        let answers: Vec<usize> = (1..=6).map(|issue| world.answers(issue).len()).collect();
        assert_eq!(answers, [2, 1, 0, 1, 0, 0]);
        assert!(world.log().iter().all(|entry| !["5", "6"].contains(&entry.about.as_str())), "{:?}", world.log());
        // A second sweep finds nothing to do.
        world.clear_log();
        Runner::new(&server).run_event(event, &payload).succeeds();
        assert_eq!(
            request_kinds(&world),
            [&[Request::Read, Request::Sweep, Request::Folder][..], &[Request::Read; 4]].concat()
        );
    }
}

#[test]
fn a_sweep_continues_after_a_damaged_table() {
    let world = world_with_missed_commands();
    let record = world.file("state/1.json").unwrap().replace("\"playing\"", "\"won\"");
    world.land(&[("state/1.json", &record)]);
    let server = Server::start(world.clone());
    let ran = Runner::new(&server).run_event("schedule", &schedule());
    ran.fails_with("issue 1: state/1.json is damaged").fails_with("`status`");
    assert_eq!([2, 4].map(|issue| world.answers(issue).len()), [1, 1]);
}

#[test]
fn irrelevant_events_send_no_requests() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let alice = || person("alice", 1001);
    let move_comment = || comment(5_000_000_002, alice(), json!("/move b2"));
    let bot = testkit::payloads::user("ci[bot]", 2001, "Bot");
    let table_issue = || issue(1, alice(), json!("/new tic-tac-toe @bob"));
    let pull_request = testkit::payloads::pull_request(1, alice(), json!(""));
    for (event, payload) in [
        ("issue_comment", issue_comment("edited", table_issue(), move_comment())),
        ("issue_comment", issue_comment("deleted", table_issue(), move_comment())),
        ("issue_comment", issue_comment("created", pull_request, move_comment())),
        (
            "issue_comment",
            issue_comment("created", table_issue(), comment(5_000_000_002, bot.clone(), json!("/move b2"))),
        ),
        ("issues", issues("closed", table_issue())),
        ("issues", issues("labeled", table_issue())),
        ("issues", issues("opened", issue(1, bot, json!("/new tic-tac-toe")))),
    ] {
        let ran = runner.run_event(event, &payload);
        assert!(ran.succeeds().err.contains("INFO Nothing to do: games ignore "), "{ran:?}");
    }
    assert_eq!((server.seen().len(), server.connections()), (0, 0));
}
