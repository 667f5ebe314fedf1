//! Clicks links on pages at an open table: the real program as a workflow step, against a fake GitHub over HTTP.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::SystemTime;

use answers::Links;
use answers::block::block;
use answers::ranking_table::markdown;
use serde_json::json;
use table::{IssueNumber, state_file};
use testkit::payloads::{issue, issues, person, schedule};
use testkit::server::{NAME, OWNER, Server, TOKEN};
use testkit::world::{Request, World};

use testkit::{Form, Page, Part, forms};

const HERE: Links<'static> = Links {
    server: "https://github.example",
    repository: "octo/games",
    branch: "HEAD",
    state_dir: "games/state",
    use_form: false,
};

fn pages() -> [(&'static str, Page); 2] {
    let readme = vec![Part::Text("# Here\n\n"), Part::Table(1), Part::Text("\n\n{{ \u{2265} }}\n")];
    let docs = vec![Part::Standings(None), Part::Text("\n\n"), Part::Table(1)];
    [("README.md", Page { parts: readme, crlf: true }), ("docs/play.md", Page { parts: docs, crlf: false })]
}

struct Step {
    server: Server,
    dir: PathBuf,
}

impl Step {
    /// Creates a repository with both pages.
    fn new(name: &str) -> Step {
        let world = World::new();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        world.change(|state| {
            state.now = u64::try_from(now.as_millis()).unwrap();
            "games/state".clone_into(&mut state.state_dir);
        });
        let pages = pages().map(|(path, page)| (path, page.fresh()));
        world.land(&pages.each_ref().map(|(path, text)| (*path, text.as_str())));
        let dir = std::env::temp_dir().join(format!("play-by-commit-community-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Step { server: Server::start(Arc::new(world)), dir }
    }

    fn world(&self) -> &World {
        &self.server.world
    }

    /// Runs the step for this event.
    fn run_event(&self, event: &str, payload: &str) -> Output {
        let path = |name: &str| self.dir.join(name).to_str().unwrap().to_owned();
        std::fs::write(path("event.json"), payload).unwrap();
        let variables = [
            ("GITHUB_EVENT_NAME", event.to_owned()),
            ("GITHUB_EVENT_PATH", path("event.json")),
            ("GITHUB_API_URL", self.server.api_url.clone()),
            ("GITHUB_GRAPHQL_URL", self.server.graphql_url.clone()),
            ("GITHUB_SERVER_URL", HERE.server.to_owned()),
            ("GITHUB_REPOSITORY", format!("{OWNER}/{NAME}")),
            ("GITHUB_STEP_SUMMARY", path("summary.md")),
            ("PLAY_BY_COMMIT_TOKEN", TOKEN.to_owned()),
            ("PLAY_BY_COMMIT_STATE_DIR", "games/state".to_owned()),
            ("PLAY_BY_COMMIT_PAGES", "README.md, docs/play.md".to_owned()),
        ];
        let mut program = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
        program.arg("run").env_clear().envs(variables).output().unwrap()
    }

    /// Opens an issue and runs the step for it; returns the number and the output.
    #[track_caller]
    fn open_issue_and_run(&self, login: &str, body: &str, code: i32) -> (u64, String) {
        let number = self.world().open_issue(login, body);
        self.world().clear_log();
        let opener = person(login, self.world().id_of(login));
        let ran = self.run_event("issues", &issues("opened", issue(number, opener, json!(body))).to_string());
        let out = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(ran.status.code(), Some(code), "{out}{}", String::from_utf8_lossy(&ran.stderr));
        (number, out)
    }

    fn move_link(&self, notation: &str) -> Form {
        let all = forms(&self.world().file("README.md").unwrap(), &HERE);
        all.into_iter().find(|form| form.command().starts_with(&format!("/move {notation} #1 "))).expect("a link")
    }

    fn requests(&self) -> Vec<Request> {
        let mut all: Vec<Request> = self.world().log().iter().map(|entry| entry.request).collect();
        // The step sends the requests after the commit in parallel.
        all[2..].sort();
        all
    }

    /// Asserts that both pages show the current board, and the ranking if `ranked` is true.
    #[track_caller]
    fn assert_pages_current(&self, ranked: bool) {
        let table = state_file::load(&self.world().file("games/state/1.json").unwrap(), IssueNumber::new(1)).unwrap();
        let mut rankings = BTreeMap::new();
        if let Some(text) = self.world().file("games/state/players/open.json") {
            rankings.insert("players/open.json".to_owned(), text);
        }
        for (path, page) in pages() {
            let expected =
                page.with(|_| Some(block(&table, &HERE).text), |_| ranked.then(|| markdown(&rankings, None, 10)));
            assert_eq!(self.world().file(path).unwrap(), expected, "{path}");
        }
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.dir));
    }
}

/// Returns the paths of the files that the newest commit changed.
fn changed_paths(world: &World) -> Vec<String> {
    world.with_state(|state| {
        let head = &state.commits[state.branches["main"].as_str()];
        let before = &state.commits[head.parent.as_ref().unwrap()].files;
        let changed = head.files.iter().filter(|(path, text)| before.get(*path) != Some(text));
        changed.map(|(path, _)| path.clone()).collect()
    })
}

#[test]
fn plays_a_game_at_an_open_table() {
    let step = Step::new("game");
    step.open_issue_and_run("alice", "/new tic-tac-toe seats=open", 0);
    step.assert_pages_current(false);
    let moves = [("alice", "b2"), ("bob", "a1"), ("alice", "a2"), ("carol", "b1"), ("bob", "c2")];
    for (at, (login, notation)) in moves.into_iter().enumerate() {
        let commits = step.world().headlines().len();
        let (number, out) = step.open_issue_and_run(login, &step.move_link(notation).posted(), 0);
        assert_eq!(out, "");
        let over = at == 4;
        let mut expected = vec![Request::Read, Request::Commit, Request::Answer];
        if over {
            expected.insert(1, Request::Files);
        }
        assert_eq!(step.requests(), expected);
        assert_eq!(step.world().headlines().len(), commits + 1);
        let mut files = vec!["README.md", "docs/play.md", "games/state/1.json", "games/state/1.svg"];
        if over {
            files.extend(["games/state/archive/1-1.svg", "games/state/players/1001.json"]);
            files.extend(["games/state/players/1002.json", "games/state/players/1003.json"]);
            files.extend(["games/state/players/open.json"]);
        } else {
            files.push("games/state/running/1.json");
        }
        let (tiles, changed): (Vec<_>, Vec<_>) =
            changed_paths(step.world()).into_iter().partition(|path| path.contains("/tiles/"));
        assert_eq!(changed, files);
        // New tiles: X and O as the last move, then each of them as an older one.
        assert_eq!(tiles.len(), [1, 2, 1, 0, 0][at], "{tiles:?}");
        step.assert_pages_current(over);
        assert!(step.world().with_state(|state| state.issues[&number].closed));
        let answers = step.world().answers(number);
        assert!(answers.len() == 1 && answers[0].contains(&format!("`{notation}`")), "{answers:?}");
    }
    assert!(step.world().file("docs/play.md").unwrap().contains("| 1 | **alice** | 2 | 1 |"));
}

#[test]
fn finishes_the_game_despite_a_damaged_ranking() {
    let step = Step::new("damage");
    step.open_issue_and_run("alice", "/new tic-tac-toe seats=open", 0);
    for (login, notation) in [("alice", "b2"), ("bob", "a1"), ("alice", "a2"), ("bob", "b1")] {
        step.open_issue_and_run(login, &step.move_link(notation).posted(), 0);
    }
    let bad = "{ \"schema\": 1 }";
    step.world().land(&[("games/state/players/open.json", bad)]);
    let (number, out) = step.open_issue_and_run("carol", &step.move_link("c2").posted(), 1);
    let why =
        "::error title=Play by Commit::the result of table 1 isn't in the standings: `players/open.json` is damaged";
    assert!(out.starts_with(why) && out.lines().count() == 1, "{out}");
    let summary = std::fs::read_to_string(step.dir.join("summary.md")).unwrap();
    assert!(summary.contains("**Play by Commit, error:** the result of table 1"), "{summary}");
    assert_eq!(step.world().file("games/state/players/open.json").as_deref(), Some(bad));
    assert!(step.world().answers(number)[0].contains("and won: "));
    assert!(step.world().with_state(|state| state.issues[&number].closed));
    assert!(!changed_paths(step.world()).iter().any(|path| path.contains("players/")));
}

#[test]
fn a_sweep_updates_pages_and_reports_bad_markers() {
    let step = Step::new("sweep");
    step.open_issue_and_run("alice", "/new tic-tac-toe seats=open", 0);
    let pages = pages().map(|(path, page)| (path, page.fresh() + "\n\n<!-- play-by-commit:table 3 -->\n"));
    step.world().land(&pages.each_ref().map(|(path, text)| (*path, text.as_str())));
    let ran = step.run_event("schedule", &schedule().to_string());
    let out = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(ran.status.code(), Some(0), "{out}");
    let notes: Vec<&str> = out.lines().collect();
    assert_eq!(notes.len(), 2, "{out}");
    for (note, path) in notes.iter().zip(["README.md", "docs/play.md"]) {
        assert!(note.starts_with(&format!("::warning title=Play by Commit::{path}: Line ")), "{note}");
        assert!(note.contains("The marker of table 3 has no end"), "{note}");
    }
    assert_eq!(step.world().headlines().last().unwrap(), "Update README.md, docs/play.md");
    assert_eq!(changed_paths(step.world()), ["README.md", "docs/play.md"]);
}
