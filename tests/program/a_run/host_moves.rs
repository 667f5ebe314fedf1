//! Games that the host moves: to another repository, with a restored backup, and to a branch of their own.

use std::sync::Arc;

use testkit::server::{NAME, OWNER, Server, TOKEN};
use testkit::world::Request;

use super::{Runner, new_world, request_kinds, world_with_table};
use crate::cli::Home;

/// Alice and bob begin in one repository, and continue in another, where issues 1 and 2 aren't about games.
#[test]
fn a_game_continues_in_another_repository() {
    let old = world_with_table();
    let world = Arc::new(new_world());
    for (login, text) in [("alice", "CRASH on startup"), ("bob", "It still crashes"), ("alice", "Our game")] {
        world.open_issue(login, text);
    }
    let home = Home::new();
    home.write("old/state/1.json", &old.file("state/1.json").unwrap());
    home.run(&["move", "1", "--to", "3", "--from", "old/state"], "").exits(0, &["write `/board` in issue 3"]);
    let files = ["state/3.json", "state/3.svg"].map(|path| (path, std::fs::read_to_string(home.path(path)).unwrap()));
    world.land(&files.each_ref().map(|(path, text)| (*path, text.as_str())));
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    runner.comment_and_run(3, "alice", "/board").succeeds();
    world.issue(3, |issue| assert_eq!(issue.labels, ["play-by-commit"]));
    world.clear_log();
    runner.comment_and_run(3, "alice", "b2").succeeds();
    assert_eq!(request_kinds(&world).len(), 3, "{:?}", world.log());
    assert_eq!((world.answers(1).len(), world.answers(2).len(), world.answers(3).len()), (0, 0, 2));
    assert!(world.answers(3)[1].contains("It's **bob**'s turn"), "{:?}", world.answers(3));
}

/// A backup has the issues and their comments, and its repository has another ID.
#[test]
fn a_restored_game_continues_after_it_is_adopted() {
    let world = world_with_table();
    world.change(|state| state.repository_id += 1);
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let refused = runner.comment_and_run(1, "alice", "b2");
    assert!(refused.summary.contains("play-by-commit adopt"), "{refused:?}");
    assert_eq!(refused.code, Some(0), "{refused:?}");
    assert!(world.answers(1)[1].contains("`play-by-commit adopt`"), "{:?}", world.answers(1));
    let home = Home::new();
    let paths = ["state/1.json", "state/running/1.json"];
    paths.iter().for_each(|path| home.write(path, &world.file(path).unwrap()));
    let name = format!("{OWNER}/{NAME}");
    let mut adopt = home.command(env!("CARGO_BIN_EXE_play-by-commit"), &["adopt", "--repository", &name]);
    adopt.env("GITHUB_API_URL", &server.api_url).env("GITHUB_TOKEN", TOKEN).env("GH_ENTERPRISE_TOKEN", TOKEN);
    let output = adopt.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let files = paths.map(|path| (path, std::fs::read_to_string(home.path(path)).unwrap()));
    assert!(files.iter().all(|(_, text)| text.contains("\"repository\": 700000002,")), "{files:?}");
    world.land(&files.each_ref().map(|(path, text)| (*path, text.as_str())));
    runner.comment_and_run(1, "alice", "b2").succeeds();
    assert!(world.answers(1)[2].contains("It's **bob**'s turn"), "{:?}", world.answers(1));
}

#[test]
fn a_game_continues_on_its_own_branch() {
    let world = world_with_table();
    world.use_branch("play");
    let main = world.with_state(|state| state.branches["main"].clone());
    let server = Server::start(world.clone());
    let runner = Runner::new(&server).with("PLAY_BY_COMMIT_BRANCH", "play");
    let id = world.comment(1, "alice", "/move b2");
    let mut step = runner.step("issue_comment", &super::created_payload(&world, 1, id).to_string());
    let dry = String::from_utf8(step.arg("--dry-run").output().unwrap().stdout).unwrap();
    for words in [format!("Would create the games' branch at {main}"), "alice (X) played b2".to_owned()] {
        assert!(dry.contains(&words), "{dry}");
    }
    runner.run_for_comment(1, id).succeeds();
    assert_eq!(world.with_state(|state| state.branches["main"].clone()), main);
    assert_eq!((world.count(Request::MakeBranch), world.answers(1).len()), (1, 2));
    assert!(world.message().unwrap().contains("alice (X) played b2"));
}
