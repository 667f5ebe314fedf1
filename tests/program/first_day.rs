//! The first day of a host: `init` in an empty repository, then a whole game through the action, as a runner runs it. Nothing
//! is edited in between.
//!
//! The step is started by the action's own script. With `PLAY_BY_COMMIT_COMPOSITE` set to a program that runs a composite action
//! (`.ci/composite`), it goes through `action.yml` as well, expressions, inputs, outputs and all.

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
use table::state_file;
use testkit::often;
use testkit::payloads::{comment, issue, issue_comment, issues, person, schedule};
use testkit::server::{NAME, OWNER, Server, TOKEN};
use testkit::world::{Request, World};

const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let nth = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("play-by-commit-first-day-{}-{nth}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&dir));
        fs::create_dir_all(&dir).unwrap();
        Folder(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn run(&self, program: &str, words: &[&str]) -> (Option<i32>, String) {
        let output = Command::new(program).args(words).current_dir(&self.0).stdin(Stdio::null()).output().unwrap();
        (output.status.code(), text(&output))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

/// The action with its program beside it, and the machine that it runs on.
struct Runner<'a> {
    server: &'a Server,
    folder: Folder,
}

/// What came of the step.
#[derive(Debug)]
struct Ran {
    exit: i64,
    outputs: BTreeMap<String, String>,
    summary: String,
    log: String,
}

impl<'a> Runner<'a> {
    fn of(server: &'a Server) -> Runner<'a> {
        let folder = Folder::new("runner");
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        for (from, to) in [
            (project.join("action.yml"), "action/action.yml"),
            (project.join(".github/action.sh"), "action/.github/action.sh"),
            (project.join(".github/build-key.sh"), "action/.github/build-key.sh"),
            (PathBuf::from(PROGRAM), "action/bin/play-by-commit-x86_64-unknown-linux-musl"),
        ] {
            fs::create_dir_all(folder.path(to).parent().unwrap()).unwrap();
            fs::copy(from, folder.path(to)).unwrap();
        }
        fs::create_dir_all(folder.path("temp")).unwrap();
        Runner { server, folder }
    }

    /// What every step of a job finds, whoever starts it.
    fn surround<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.env_clear().stdin(Stdio::null());
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("RUNNER_OS", "Linux").env("RUNNER_ARCH", "X64");
        command.env("GITHUB_API_URL", &self.server.api_url).env("GITHUB_GRAPHQL_URL", &self.server.graphql_url);
        command.env("GITHUB_SERVER_URL", "https://github.com").env("GITHUB_REPOSITORY", format!("{OWNER}/{NAME}"))
    }

    fn on(&self, event: &str, payload: &Value) -> Ran {
        let file = self.folder.path("event.json");
        fs::write(&file, payload.to_string()).unwrap();
        let ran = match std::env::var("PLAY_BY_COMMIT_COMPOSITE") {
            Ok(program) => self.through(&program, event, &file),
            Err(_) => self.directly(event, &file),
        };
        assert!(!format!("{ran:?}").contains(TOKEN), "the token shows: {ran:?}");
        assert!(ran.exit != 0 || !ran.log.contains("::"), "nothing to put right: {ran:?}");
        ran
    }

    /// Through action.yml.
    fn through(&self, program: &str, event: &str, file: &Path) -> Ran {
        let mut words = program.split(' ');
        let mut command = Command::new(words.next().unwrap());
        command.args(words).arg("--quiet").arg("--action").arg(self.folder.path("action")).arg("--event").arg(file);
        command.args(["--event-name", event, "--token", TOKEN]);
        let output = self.surround(&mut command).output().unwrap();
        let told: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output)));
        Ran {
            exit: told["exit"].as_i64().unwrap(),
            outputs: serde_json::from_value(told["outputs"].clone()).unwrap(),
            summary: told["summary"].as_str().unwrap().to_owned(),
            log: told["log"].as_str().unwrap().to_owned(),
        }
    }

    /// By the script alone, with what `action.yml` hands on when no input is set.
    fn directly(&self, event: &str, file: &Path) -> Ran {
        let (outputs, summary) = (self.folder.path("outputs"), self.folder.path("summary"));
        fs::write(&outputs, "").unwrap();
        fs::write(&summary, "").unwrap();
        let mut command = Command::new("bash");
        command.arg(self.folder.path("action/.github/action.sh"));
        self.surround(&mut command).env("GITHUB_ACTIONS", "true").env("RUNNER_TEMP", self.folder.path("temp"));
        command.env("GITHUB_ACTION_PATH", self.folder.path("action")).env("PLAY_BY_COMMIT_TOKEN", TOKEN);
        command.env("GITHUB_EVENT_NAME", event).env("GITHUB_EVENT_PATH", file);
        command.env("GITHUB_OUTPUT", &outputs).env("GITHUB_STEP_SUMMARY", &summary);
        let output = command.output().unwrap();
        let lines = fs::read_to_string(outputs).unwrap();
        Ran {
            exit: output.status.code().unwrap().into(),
            outputs: lines.lines().filter_map(|line| line.split_once('=')).map(|(a, b)| (a.into(), b.into())).collect(),
            summary: fs::read_to_string(summary).unwrap(),
            log: text(&output),
        }
    }

    /// Somebody comments in issue 1, which alice has opened.
    fn hear(&self, login: &str, words: &str) -> Ran {
        let world = &self.server.world;
        let id = world.comment(1, login, words);
        let of = issue(1, person("alice", world.id_of("alice")), json!(""));
        let ran = self.on(
            "issue_comment",
            &issue_comment("created", of, comment(id, person(login, world.id_of(login)), json!(words))),
        );
        assert_eq!(ran.exit, 0, "{ran:?}");
        ran
    }
}

impl Ran {
    #[track_caller]
    fn says(&self, wanted: [&str; 4]) {
        let names = ["game", "status", "applied", "refused"];
        assert_eq!(names.map(|name| self.outputs[name].as_str()), wanted, "{self:?}");
    }
}

/// An empty repository that a host has set up, and what is in it then.
fn set_up() -> BTreeMap<String, String> {
    let repository = Folder::new("repository");
    let init = ["init", "--readme=1"];
    assert_eq!(repository.run("git", &["init", "-q", "-b", "main"]).0, Some(0));
    let remote = format!("https://github.com/{OWNER}/{NAME}.git");
    assert_eq!(repository.run("git", &["remote", "add", "origin", &remote]).0, Some(0));
    let (code, said) = repository.run(PROGRAM, &init);
    assert_eq!(code, Some(0), "{said}");
    let files = ["README.md", ".github/workflows/play.yml", ".github/ISSUE_TEMPLATE/new-game.yml"];
    let read = || files.map(|name| (name.to_owned(), fs::read_to_string(repository.path(name)).unwrap()));
    let before = read();
    assert_eq!(repository.run(PROGRAM, &init).0, Some(0));
    assert_eq!(read(), before, "a second time nothing changes");
    // The doctor has nothing to ask of the host.
    let (code, said) = repository.run(PROGRAM, &["doctor"]);
    assert_eq!(code, Some(0), "{said}");
    before.into_iter().collect()
}

/// A repository on GitHub that a host has set up a minute ago.
fn published(files: &BTreeMap<String, String>) -> Arc<World> {
    let world = Arc::new(World::new());
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    world.change(|state| {
        state.now = u64::try_from(now.as_millis()).unwrap() - 60_000;
        state.land("main", &files.clone().into_iter().collect::<Vec<_>>(), "Set up Play by Commit", "");
    });
    world
}

#[test]
fn a_stranger_plays_the_computer_to_the_end() {
    let world = published(&set_up());
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    let (game, opening) =
        often(("tic-tac-toe", "/new tic-tac-toe computer"), ("backgammon", "/new backgammon computer"));
    assert_eq!(world.open_issue("alice", opening), 1);
    let opened = issues("opened", issue(1, person("alice", world.id_of("alice")), json!(opening)));
    runner.on("issues", &opened).says([game, "playing", "1", "0"]);
    let mut said = 1;
    // The first hint of a game goes into its record.
    let mut applied = "1";
    let status = loop {
        runner.hear("alice", "/hint").says([game, "playing", applied, "0"]);
        applied = "0";
        let hint = world.answers(1).pop().unwrap();
        let mv = hint.split('`').nth(1).expect("a move in the hint").to_owned();
        world.clear_log();
        let ran = runner.hear("alice", &mv);
        said += 2;
        assert_eq!((ran.outputs["applied"].as_str(), world.answers(1).len()), ("1", said), "{mv}: {ran:?}");
        if ran.outputs["status"] != "playing" {
            break ran.outputs["status"].clone();
        }
        assert_eq!(world.log().len(), 4, "a move and its reply take four requests");
    };
    assert!(["won", "draw"].contains(&status.as_str()), "{status}");
    let record = world.file("state/1.json").unwrap();
    assert!(record.contains("\"reply\""), "the computer has played");
    state_file::load(&record, 1).unwrap();
}

/// A game from its opening to its end, all by comments: whoever is on turn says what the computer would play at this level.
fn a_whole_game(opening: &str, level: u64) {
    let world = published(&set_up());
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    assert_eq!(world.open_issue("alice", opening), 1);
    let opened = issues("opened", issue(1, person("alice", world.id_of("alice")), json!(opening)));
    assert_eq!(runner.on("issues", &opened).outputs["applied"], "1", "{opening}");
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
        let ran = runner.hear(record["seats"][seat]["login"].as_str().unwrap(), mv);
        assert_eq!(ran.outputs["applied"], "1", "{opening}: {mv}: {ran:?}");
        if ran.outputs["status"] != "playing" {
            assert!(["won", "draw"].contains(&ran.outputs["status"].as_str()), "{ran:?}");
            break;
        }
        assert_eq!(world.log().len(), 4, "{opening}: {mv} takes four requests");
    }
    let record = world.file("state/1.json").unwrap();
    assert_eq!(record.contains("\"reply\""), opening.contains("computer"), "{opening}");
    state_file::load(&record, 1).unwrap();
}

#[test]
fn every_game_is_played_to_the_end() {
    let games: &[&str] = match std::env::var("PLAY_BY_COMMIT_COMPOSITE") {
        Ok(_) => &["chess", "connect-four", "othello", "hex size=7", "checkers"],
        Err(_) => &["connect-four"],
    };
    for game in games {
        a_whole_game(&format!("/new {game} computer level=1"), 4);
        a_whole_game(&format!("/new {game} @bob"), 3);
    }
}

#[test]
fn a_host_sets_up_and_two_people_play() {
    let files = set_up();
    let world = published(&files);
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);

    let form = "### Game\n\ntic-tac-toe\n\n### Opponent\n\n@bob\n\n### Options\n\n_No response_";
    assert_eq!(world.open_issue("alice", form), 1);
    let opened = issues("opened", issue(1, person("alice", world.id_of("alice")), json!(form)));
    let ran = runner.on("issues", &opened);
    assert_eq!(ran.exit, 0, "{ran:?}");
    ran.says(["tic-tac-toe", "playing", "1", "0"]);
    assert!(world.file("README.md").unwrap().contains("/state/tiles/"), "the board is on the page");

    runner.hear("alice", "b2").says(["tic-tac-toe", "playing", "1", "0"]);
    let refused = runner.hear("bob", "/move b2");
    refused.says(["tic-tac-toe", "playing", "0", "1"]);
    assert_eq!(refused.outputs["commit"], "");
    runner.hear("bob", "/move a1").says(["tic-tac-toe", "playing", "1", "0"]);
    runner.hear("carol", "Nice one!").says(["tic-tac-toe", "playing", "0", "0"]);
    runner.hear("alice", "A3!").says(["tic-tac-toe", "playing", "1", "0"]);
    world.clear_log();
    runner.hear("bob", "a2").says(["tic-tac-toe", "playing", "1", "0"]);
    assert_eq!(world.log().len(), 4, "a move takes four requests");
    let won = runner.hear("alice", "c1");
    won.says(["tic-tac-toe", "won", "1", "0"]);
    assert_eq!(won.outputs["commit"], world.head().unwrap().to_string());
    assert!(won.summary.contains("Tic-tac-toe") && won.summary.contains("won"), "{}", won.summary);

    // One answer to everything but chat, and a record that replays.
    assert_eq!(world.answers(1).len(), 7);
    state_file::load(&world.file("state/1.json").unwrap(), 1).unwrap();
    assert!(world.file("state/players/tic-tac-toe.json").unwrap().contains("\"counted\": 1"));
    assert!(world.file("README.md").unwrap().contains("state/archive/1-1.svg"), "the page plays the game back");

    // The daily run finds nothing left to do.
    world.clear_log();
    let sweep = runner.on("schedule", &schedule());
    assert_eq!(sweep.exit, 0, "{sweep:?}");
    let writes = [Request::Commit, Request::Answer, Request::React, Request::Delete];
    assert!(!world.log().iter().any(|entry| writes.contains(&entry.request)), "{:?}", world.log());

    runner.hear("bob", "/rematch").says(["tic-tac-toe", "playing", "1", "0"]);
    assert!(world.file("state/archive/1-1.json").is_some());
    for (name, text) in &files {
        let kept = world.file(name).unwrap();
        assert!(name == "README.md" || kept == *text, "{name} is as the host committed it");
    }
}
