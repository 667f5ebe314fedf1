//! A host's first day: `init` in an empty repository, then whole games through the action, without editing anything.
//!
//! The tests start the action's script. If `PLAY_BY_COMMIT_COMPOSITE` names a program that runs composite actions, such as
//! `.ci/composite`, they run `action.yml` itself. `PLAY_BY_COMMIT_ACTION` names the folder of another action, such as a release.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use interop::rules;
use serde_json::{Value, json};
use setup::{YamlNode, parse_yaml};
use table::{IssueNumber, state_file};
use testkit::payloads::{comment, issue, issue_comment, issues, person, schedule};
use testkit::server::{NAME, OWNER, Server, TOKEN};
use testkit::short_or_long;
use testkit::world::{Request, World};

const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");

/// A temporary directory that is deleted on drop.
struct TempFolder(PathBuf);

impl TempFolder {
    fn new(name: &str) -> TempFolder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let nth = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("play-by-commit-first-day-{}-{nth}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&dir));
        fs::create_dir_all(&dir).unwrap();
        TempFolder(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn run(&self, program: &str, words: &[&str]) -> (Option<i32>, String) {
        let output = Command::new(program).args(words).current_dir(&self.0).stdin(Stdio::null()).output().unwrap();
        (output.status.code(), combined_output(&output))
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn combined_output(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

/// A workflow runner with the action and its program.
struct Runner<'a> {
    server: &'a Server,
    folder: TempFolder,
    action: PathBuf,
}

/// The result of the step.
#[derive(Debug)]
struct RunResult {
    exit: i64,
    outputs: BTreeMap<String, String>,
    summary: String,
    log: String,
}

impl<'a> Runner<'a> {
    fn new(server: &'a Server) -> Runner<'a> {
        let folder = TempFolder::new("runner");
        fs::create_dir_all(folder.path("temp")).unwrap();
        if let Ok(action) = std::env::var("PLAY_BY_COMMIT_ACTION") {
            return Runner { server, folder, action: action.into() };
        }
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        for (from, to) in [
            (project.join("action.yml"), "action/action.yml"),
            (project.join(".github/action.sh"), "action/.github/action.sh"),
            (project.join(".github/build-key.sh"), "action/.github/build-key.sh"),
            (PathBuf::from(PROGRAM), "action/bin/play-by-commit-x86_64-unknown-linux-musl"),
        ] {
            fs::create_dir_all(folder.path(to).parent().unwrap()).unwrap();
            // A link has no writer. A copy that another test's child process inherits can't be run: "Text file busy".
            if fs::hard_link(&from, folder.path(to)).is_err() {
                fs::copy(from, folder.path(to)).unwrap();
            }
        }
        let action = folder.path("action");
        Runner { server, folder, action }
    }

    /// Sets the environment of every step.
    fn set_environment<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.env_clear().stdin(Stdio::null());
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("RUNNER_OS", "Linux").env("RUNNER_ARCH", "X64");
        command.env("GITHUB_API_URL", &self.server.api_url).env("GITHUB_GRAPHQL_URL", &self.server.graphql_url);
        command.env("GITHUB_SERVER_URL", "https://github.com").env("GITHUB_REPOSITORY", format!("{OWNER}/{NAME}"))
    }

    fn run_event(&self, event: &str, payload: &Value) -> RunResult {
        let file = self.folder.path("event.json");
        fs::write(&file, payload.to_string()).unwrap();
        let ran = match std::env::var("PLAY_BY_COMMIT_COMPOSITE") {
            Ok(program) => self.run_composite(&program, event, &file),
            Err(_) => self.run_script(event, &file),
        };
        assert!(!format!("{ran:?}").contains(TOKEN), "the token shows: {ran:?}");
        assert!(ran.exit != 0 || !ran.log.contains("::"), "a successful step has no annotations: {ran:?}");
        ran
    }

    /// Runs `action.yml` with a program that runs composite actions.
    fn run_composite(&self, program: &str, event: &str, file: &Path) -> RunResult {
        let mut words = program.split(' ');
        let mut command = Command::new(words.next().unwrap());
        command.args(words).arg("--quiet").arg("--action").arg(&self.action).arg("--event").arg(file);
        command.args(["--event-name", event, "--token", TOKEN]);
        let output = self.set_environment(&mut command).output().unwrap();
        let result: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", combined_output(&output)));
        RunResult {
            exit: result["exit"].as_i64().unwrap(),
            outputs: serde_json::from_value(result["outputs"].clone()).unwrap(),
            summary: result["summary"].as_str().unwrap().to_owned(),
            log: result["log"].as_str().unwrap().to_owned(),
        }
    }

    /// Runs only the action's script, with the environment that `action.yml` sets if there are no inputs.
    fn run_script(&self, event: &str, file: &Path) -> RunResult {
        let (outputs, summary) = (self.folder.path("outputs"), self.folder.path("summary"));
        fs::write(&outputs, "").unwrap();
        fs::write(&summary, "").unwrap();
        let mut command = Command::new("bash");
        command.arg(self.action.join(".github/action.sh"));
        self.set_environment(&mut command).env("GITHUB_ACTIONS", "true").env("RUNNER_TEMP", self.folder.path("temp"));
        command.env("GITHUB_ACTION_PATH", &self.action).env("PLAY_BY_COMMIT_TOKEN", TOKEN);
        command.env("GITHUB_EVENT_NAME", event).env("GITHUB_EVENT_PATH", file);
        command.env("GITHUB_OUTPUT", &outputs).env("GITHUB_STEP_SUMMARY", &summary);
        let output = command.output().unwrap();
        let lines = fs::read_to_string(outputs).unwrap();
        RunResult {
            exit: output.status.code().unwrap().into(),
            outputs: lines.lines().filter_map(|line| line.split_once('=')).map(|(a, b)| (a.into(), b.into())).collect(),
            summary: fs::read_to_string(summary).unwrap(),
            log: combined_output(&output),
        }
    }

    /// Posts a comment in issue 1, which alice opened, and runs the step for it.
    fn comment_and_run(&self, login: &str, words: &str) -> RunResult {
        let world = &self.server.world;
        follow_machine(world);
        let id = world.comment(1, login, words);
        let of = issue(1, person("alice", world.id_of("alice")), json!(""));
        let ran = self.run_event(
            "issue_comment",
            &issue_comment("created", of, comment(id, person(login, world.id_of(login)), json!(words))),
        );
        assert_eq!(ran.exit, 0, "{ran:?}");
        ran
    }
}

impl RunResult {
    #[track_caller]
    fn assert_outputs(&self, expected: [&str; 4]) {
        let names = ["game", "status", "applied", "refused"];
        assert_eq!(names.map(|name| self.outputs[name].as_str()), expected, "{self:?}");
    }
}

/// Runs `init` in an empty repository, and returns the files.
fn set_up_repository() -> BTreeMap<String, String> {
    let repository = TempFolder::new("repository");
    let init = ["init", "--readme=1"];
    assert_eq!(repository.run("git", &["init", "-q", "-b", "main"]).0, Some(0));
    let remote = format!("https://github.com/{OWNER}/{NAME}.git");
    assert_eq!(repository.run("git", &["remote", "add", "origin", &remote]).0, Some(0));
    let (code, text) = repository.run(PROGRAM, &init);
    assert_eq!(code, Some(0), "{text}");
    let files = [
        "README.md",
        ".github/workflows/play.yml",
        ".github/workflows/daily.yml",
        ".github/ISSUE_TEMPLATE/new-game.yml",
    ];
    let read = || files.map(|name| (name.to_owned(), fs::read_to_string(repository.path(name)).unwrap()));
    let before = read();
    assert_eq!(repository.run(PROGRAM, &init).0, Some(0));
    assert_eq!(read(), before, "a second time nothing changes");
    // The doctor finds no problem.
    let (code, text) = repository.run(PROGRAM, &["doctor"]);
    assert_eq!(code, Some(0), "{text}");
    before.into_iter().collect()
}

/// Sets the world's clock to the machine's, because the program compares them. On its own, the world's clock stands still.
fn follow_machine(world: &World) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    world.change(|state| {
        (state.latency, state.pace) = (0, 0);
        state.now = state.now.max(u64::try_from(now.as_millis()).unwrap());
    });
}

/// Returns a world with these files, pushed just now.
fn world_with_files(files: &BTreeMap<String, String>) -> Arc<World> {
    let world = Arc::new(World::new());
    follow_machine(&world);
    world.change(|state| {
        state.land("main", &files.clone().into_iter().collect::<Vec<_>>(), "Set up Play by Commit", "");
    });
    world
}

/// Returns the files that a host pastes from the project's README, by their paths.
fn pasted_workflows() -> BTreeMap<String, String> {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let blocks = readme.split("```yaml\n").skip(1).map(|block| block.split("```").next().unwrap());
    let path = |block: &str| block.lines().next().unwrap().strip_prefix("# ").unwrap().to_owned();
    blocks.map(|block| (path(block), block.to_owned())).collect()
}

/// Whether an event starts a workflow.
fn starts(workflow: &str, event: &str, action: Option<&str>) -> bool {
    let root = parse_yaml(workflow).unwrap();
    let on = root.get("on").unwrap();
    let types = on.get_path(&[event, "types"]).map(YamlNode::names).unwrap_or_default();
    on.names().contains(&event) && action.is_none_or(|action| types.contains(&action))
}

#[test]
fn the_workflows_of_the_readme_work_on_the_first_day() {
    let files = pasted_workflows();
    let [play, daily] = ["play", "daily"].map(|name| files[&format!(".github/workflows/{name}.yml")].as_str());
    // Each event starts one of them, so nothing runs twice.
    for (event, action) in [("issues", Some("opened")), ("issue_comment", Some("created")), ("schedule", None)] {
        let started = [starts(play, event, action), starts(daily, event, action)];
        assert_eq!(started, [event != "schedule", event == "schedule"], "{event}");
    }
    assert!(starts(play, "workflow_dispatch", None) && starts(daily, "workflow_dispatch", None));
    let world = world_with_files(&files);
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    // The first comment.
    assert_eq!(world.open_issue("alice", "Who plays?"), 1);
    runner.comment_and_run("alice", "/new tic-tac-toe @bob").assert_outputs(["tic-tac-toe", "playing", "1", "0"]);
    // GitHub drops the run of the next one, and the daily run answers it.
    world.comment(1, "alice", "b2");
    assert_eq!(world.answers(1).len(), 1);
    assert_eq!(runner.run_event("schedule", &schedule()).exit, 0);
    assert!(world.answers(1)[1].contains("played `b2`"), "{:?}", world.answers(1));
    // If GitHub disables the daily workflow, games go on.
    runner.comment_and_run("bob", "a1").assert_outputs(["tic-tac-toe", "playing", "1", "0"]);
}

#[test]
fn plays_the_computer_to_the_end() {
    let world = world_with_files(&set_up_repository());
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let (game, opening) =
        short_or_long(("tic-tac-toe", "/new tic-tac-toe computer"), ("backgammon", "/new backgammon computer"));
    assert_eq!(world.open_issue("alice", opening), 1);
    let opened = issues("opened", issue(1, person("alice", world.id_of("alice")), json!(opening)));
    runner.run_event("issues", &opened).assert_outputs([game, "playing", "1", "0"]);
    let mut answer_count = 1;
    // The record notes the first hint of a game.
    let mut applied = "1";
    let status = loop {
        runner.comment_and_run("alice", "/hint").assert_outputs([game, "playing", applied, "0"]);
        applied = "0";
        let hint = world.answers(1).pop().unwrap();
        let mv = hint.split('`').nth(1).expect("a move in the hint").to_owned();
        world.clear_log();
        let ran = runner.comment_and_run("alice", &mv);
        answer_count += 2;
        assert_eq!((ran.outputs["applied"].as_str(), world.answers(1).len()), ("1", answer_count), "{mv}: {ran:?}");
        if ran.outputs["status"] != "playing" {
            break ran.outputs["status"].clone();
        }
        assert_eq!(world.log().len(), 3, "a move and its reply take three requests");
    };
    assert!(["won", "draw"].contains(&status.as_str()), "{status}");
    let record = world.file("state/1.json").unwrap();
    assert!(record.contains("\"reply\""), "the computer has played");
    state_file::load(&record, IssueNumber::new(1)).unwrap();
}

/// Plays a game to its end by comments. Each player plays the computer's move at this level.
fn play_whole_game(opening: &str, level: u64) {
    let world = world_with_files(&set_up_repository());
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    assert_eq!(world.open_issue("alice", opening), 1);
    let opened = issues("opened", issue(1, person("alice", world.id_of("alice")), json!(opening)));
    assert_eq!(runner.run_event("issues", &opened).outputs["applied"], "1", "{opening}");
    loop {
        let text = world.file("state/1.json").unwrap();
        let record: Value = serde_json::from_str(&text).unwrap();
        let request = json!({
            "game": record["game"], "config": record["config"], "position": record["position"], "choose": { "level": level },
        });
        let response: Value = serde_json::from_str(&rules::respond(&request.to_string())).unwrap();
        let mv = response["chosen"]["notation"].as_str().unwrap_or_else(|| panic!("{opening}: {response}"));
        let seat = record["currentPlayer"].as_str().unwrap();
        world.clear_log();
        let ran = runner.comment_and_run(record["seats"][seat]["login"].as_str().unwrap(), mv);
        assert_eq!(ran.outputs["applied"], "1", "{opening}: {mv}: {ran:?}");
        if ran.outputs["status"] != "playing" {
            assert!(["won", "draw"].contains(&ran.outputs["status"].as_str()), "{ran:?}");
            break;
        }
        assert_eq!(world.log().len(), 3, "{opening}: {mv} takes three requests");
    }
    let record = world.file("state/1.json").unwrap();
    assert_eq!(record.contains("\"reply\""), opening.contains("computer"), "{opening}");
    state_file::load(&record, IssueNumber::new(1)).unwrap();
}

#[test]
fn plays_every_game_to_the_end() {
    let every = ["chess", "connect-four", "othello", "hex size=7", "checkers"];
    for game in short_or_long(&every[1..2], &every[..]) {
        play_whole_game(&format!("/new {game} computer level=1"), 4);
        play_whole_game(&format!("/new {game} @bob"), 3);
    }
}

#[test]
fn two_people_play_after_init() {
    let files = set_up_repository();
    let world = world_with_files(&files);
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);

    let form = "### Game\n\ntic-tac-toe\n\n### Opponent\n\n@bob\n\n### Options\n\n_No response_";
    assert_eq!(world.open_issue("alice", form), 1);
    let opened = issues("opened", issue(1, person("alice", world.id_of("alice")), json!(form)));
    let ran = runner.run_event("issues", &opened);
    assert_eq!(ran.exit, 0, "{ran:?}");
    ran.assert_outputs(["tic-tac-toe", "playing", "1", "0"]);
    assert!(world.file("README.md").unwrap().contains("/state/tiles/"), "the board is on the page");

    runner.comment_and_run("alice", "b2").assert_outputs(["tic-tac-toe", "playing", "1", "0"]);
    let refused = runner.comment_and_run("bob", "/move b2");
    refused.assert_outputs(["tic-tac-toe", "playing", "0", "1"]);
    assert_eq!(refused.outputs["commit"], "");
    runner.comment_and_run("bob", "/move a1").assert_outputs(["tic-tac-toe", "playing", "1", "0"]);
    runner.comment_and_run("carol", "Nice one!").assert_outputs(["tic-tac-toe", "playing", "0", "0"]);
    runner.comment_and_run("alice", "A3!").assert_outputs(["tic-tac-toe", "playing", "1", "0"]);
    world.clear_log();
    runner.comment_and_run("bob", "a2").assert_outputs(["tic-tac-toe", "playing", "1", "0"]);
    assert_eq!(world.log().len(), 3, "a move takes three requests");
    let won = runner.comment_and_run("alice", "c1");
    won.assert_outputs(["tic-tac-toe", "won", "1", "0"]);
    assert_eq!(won.outputs["commit"], world.head().unwrap().to_string());
    assert!(won.summary.contains("Tic-tac-toe") && won.summary.contains("won"), "{}", won.summary);

    // There is one answer to every comment except chat, and the record replays.
    assert_eq!(world.answers(1).len(), 7);
    state_file::load(&world.file("state/1.json").unwrap(), IssueNumber::new(1)).unwrap();
    assert!(world.file("state/players/tic-tac-toe.json").unwrap().contains("\"counted\": 1"));
    assert!(world.file("README.md").unwrap().contains("state/archive/1-1.svg"), "the page plays the game back");

    // The daily run finds nothing to do.
    world.clear_log();
    let sweep = runner.run_event("schedule", &schedule());
    assert_eq!(sweep.exit, 0, "{sweep:?}");
    let writes = [Request::Commit, Request::Answer, Request::React, Request::Delete];
    assert!(!world.log().iter().any(|entry| writes.contains(&entry.request)), "{:?}", world.log());

    runner.comment_and_run("bob", "/rematch").assert_outputs(["tic-tac-toe", "playing", "1", "0"]);
    assert!(world.file("state/archive/1-1.json").is_some());
    for (name, text) in &files {
        let current = world.file(name).unwrap();
        assert!(name == "README.md" || current == *text, "{name} is as the host committed it");
    }
}

/// A guest who knows only the README's table of commands is answered at every attempt to play.
#[test]
fn a_guest_is_answered_at_every_attempt() {
    let world = world_with_files(&set_up_repository());
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    assert_eq!(world.open_issue("alice", "/new tic-tac-toe"), 1);
    let opened = issues("opened", issue(1, person("alice", world.id_of("alice")), json!("/new tic-tac-toe")));
    runner.run_event("issues", &opened).assert_outputs(["tic-tac-toe", "playing", "1", "0"]);
    let applied = ["tic-tac-toe", "playing", "1", "0"];
    let refused = ["tic-tac-toe", "playing", "0", "1"];
    let mut answer_count = 1;
    for (login, text, outputs, reply) in [
        ("zoe", "a1", refused, "Write `/join` to take the open seat"),
        ("alice", "b2", applied, "the seat is open: write a move"),
        ("zoe", "b2", refused, "X is already on `b2`"),
        ("zoe", "a1, hello!", refused, "To play `a1` for O, write just `a1`."),
        ("zoe", "a1", applied, "**zoe** (O) joined and played `a1`. @alice, it's your turn."),
        ("zoe", "/leave", applied, "O's player left. Their move is taken back"),
        ("yan", "a3", applied, "**yan** (O) joined and played `a3`."),
        ("alice", "a1, good luck!", applied, "@yan, it's your turn."),
        ("yan", "/takeback", applied, "@alice (X): `/accept`, `/decline`, or just move."),
        ("alice", "no thanks", applied, "**alice** (X) declined the takeback."),
        ("yan", "c3", applied, "@alice, it's your turn."),
        ("alice", "c1", applied, "@yan, it's your turn."),
        ("yan", "I give up", refused, "To resign, write `/resign`."),
        ("yan", "/resign please", ["tic-tac-toe", "won", "1", "0"], "**yan** (O) resigned. @alice (X) won."),
    ] {
        runner.comment_and_run(login, text).assert_outputs(outputs);
        answer_count += 1;
        let answers = world.answers(1);
        assert_eq!(answers.len(), answer_count, "{login}: {text}");
        assert!(answers[answer_count - 1].contains(reply), "{login}: {text}: {}", answers[answer_count - 1]);
    }
}
