//! Nothing of what a stranger writes is printed: not in the log, not in an annotation, not in the summary.

use std::sync::Arc;

use serde_json::json;
use testkit::server::Server;

use super::{Ran, Runner, issue, issues, new_world, person, table};

#[track_caller]
fn says_nothing(ran: &Ran, text: &str) {
    for printed in [&ran.out, &ran.err, &ran.summary, &ran.outputs] {
        for word in ["zq.x", "::error::", "${{", "<img", "\u{202e}", "\u{1b}["] {
            assert!(!printed.contains(word), "{word:?} of {text:?} is printed: {ran:?}");
        }
    }
}

/// One of each kind: a refusal of every sort, chat, a show, another table, a forged marker.
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
fn what_comments_say() {
    let world = table();
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    for text in COMMENTS {
        let ran = runner.comment(1, "alice", text);
        says_nothing(ran.is_done(), text);
    }
    assert!(world.answers(1).len() > 10, "{:#?}", world.answers(1));
}

#[test]
fn what_issues_say() {
    let world = Arc::new(new_world());
    let server = Server::start(world.clone());
    let runner = Runner::of(&server);
    let form = "### Game\r\n\r\n::error::zq.x\r\n\r\n### Opponent\r\n\r\n@zq.x";
    for (text, title) in [(form, "A table"), ("/new ::error::zq.x", "::error::zq.x"), ("zq.x", "${{ zq.x }}")] {
        let number = world.open_issue("alice", text);
        let mut opened = issue(number, person("alice", world.id_of("alice")), json!(text));
        opened["title"] = json!(title);
        says_nothing(runner.on("issues", &issues("opened", opened)).is_done(), text);
    }
    assert_eq!([1, 2, 3].map(|issue| world.answers(issue).len()), [1, 1, 0]);
}

#[test]
fn what_a_damaged_record_says() {
    // Whoever may push to the branch may write what they like into a record. It is told to the host, but as one line.
    let world = table();
    for damage in ["\"won\\n::error::zq\"", "\"won\\r\\n::error title=zq::\"", "{\"::error::zq\": 1}"] {
        let record = world.file("state/1.json").unwrap().replace("\"playing\"", damage);
        let intact = world.file("state/1.json").unwrap();
        world.land(&[("state/1.json", &record)]);
        let server = Server::start(world.clone());
        // The runner itself holds the output to our own annotations, one a line.
        Runner::of(&server).comment(1, "alice", "/move b2").failed("state/1.json is damaged");
        world.land(&[("state/1.json", &intact)]);
    }
}
