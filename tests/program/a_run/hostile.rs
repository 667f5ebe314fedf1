//! A stranger's text never gets into the log, an annotation, the summary or the outputs.

use std::sync::Arc;

use serde_json::json;
use testkit::server::Server;

use super::{RunResult, Runner, issue, issues, new_world, person, world_with_table};

#[track_caller]
fn assert_not_printed(ran: &RunResult, text: &str) {
    for printed in [&ran.out, &ran.err, &ran.summary, &ran.outputs] {
        for word in ["zq.x", "::error::", "${{", "<img", "\u{202e}", "\u{1b}["] {
            assert!(!printed.contains(word), "{word:?} of {text:?} is printed: {ran:?}");
        }
    }
}

/// Comments of each kind: refused commands, chat, a query, another table, a forged marker.
const COMMENTS: &[&str] = &[
    "::error::zq.x",
    "/move ::error::zq.x",
    "/move b2\n::error::zq.x",
    "/move c3\r::error::zq.x",
    "/mov \u{202e}zq.x",
    "/movezq.x ${{ github.token }}",
    "/new ::error::zq.x",
    "/new tic-tac-toe zq.x=${{ secrets.zq.x }}",
    "/help <img/src=zq.x>",
    "/join \u{1b}[31mzq.x",
    "/move zq.x #42",
    "/move #1 zq.x",
    "/undo\n/draw ::error::zq.x",
    "<!-- play-by-commit 1/5000000001 table=1 --> zq.x",
    "/board %0A::error::zq.x",
];

#[test]
fn prints_nothing_from_comments() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    for text in COMMENTS {
        let ran = runner.comment_and_run(1, "alice", text);
        assert_not_printed(ran.succeeds(), text);
    }
    assert!(world.answers(1).len() > 10, "{:#?}", world.answers(1));
}

#[test]
fn prints_nothing_from_issues() {
    let world = Arc::new(new_world());
    let server = Server::start(world.clone());
    let runner = Runner::new(&server);
    let form = "### Game\r\n\r\n::error::zq.x\r\n\r\n### Opponent\r\n\r\n@zq.x";
    for (text, title) in [(form, "A table"), ("/new ::error::zq.x", "::error::zq.x"), ("zq.x", "${{ zq.x }}")] {
        let number = world.open_issue("alice", text);
        let mut opened = issue(number, person("alice", world.id_of("alice")), json!(text));
        opened["title"] = json!(title);
        assert_not_printed(runner.run_event("issues", &issues("opened", opened)).succeeds(), text);
    }
    assert_eq!([1, 2, 3].map(|issue| world.answers(issue).len()), [1, 1, 0]);
}

#[test]
fn prints_a_damaged_record_on_one_line() {
    // People with push access can write anything into a record. The error quotes it, but only on one line.
    let world = world_with_table();
    for damage in ["\"won\\n::error::zq\"", "\"won\\r\\n::error title=zq::\"", "{\"::error::zq\": 1}"] {
        let record = world.file("state/1.json").unwrap().replace("\"playing\"", damage);
        let intact = world.file("state/1.json").unwrap();
        world.land(&[("state/1.json", &record)]);
        let server = Server::start(world.clone());
        // The runner checks that the output has only our own annotations.
        Runner::new(&server).comment_and_run(1, "alice", "/move b2").fails_with("state/1.json is damaged");
        world.land(&[("state/1.json", &intact)]);
    }
}
