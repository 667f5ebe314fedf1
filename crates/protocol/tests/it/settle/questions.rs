//! Plain answers: `yes` and `no` count only for the bot's question, and only if it's the last comment before them.

use testkit::Scenario;

const HINT: [&str; 3] = ["To accept the draw", "To allow the takeback", "To play, write"];

/// Returns a table where alice and bob have moved.
fn table() -> Scenario {
    Scenario::played("/new tic-tac-toe @bob", &["alice: b2", "bob: a1", "alice: a3", "bob: c1"])
}

fn event_kinds(world: &Scenario) -> Vec<String> {
    let json: serde_json::Value = serde_json::from_str(&world.file("state/1.json").unwrap()).unwrap();
    let events = json["history"].as_array().unwrap();
    events.iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
}

/// Posts bob's answer and checks that the game didn't change, and that bob reads how to answer.
#[track_caller]
fn check_hint(world: &Scenario, answer: &str) {
    let before = event_kinds(world);
    world.post(1, "bob", answer);
    assert_eq!(event_kinds(world), before, "{answer} changed the game");
    let last = world.answers(1).pop().unwrap();
    assert!(HINT.iter().any(|hint| last.contains(hint)), "{last}");
}

#[test]
fn a_clear_answer_counts_right_after_the_question() {
    for (question, answer, last) in [
        ("/draw", "yes, good game!", "acceptDraw"),
        ("/draw", "I accept", "acceptDraw"),
        ("/draw", "no, let's play on", "decline"),
        ("/draw", "Nope.", "decline"),
        ("/undo", "of course", "undo"),
        ("/undo", "@alice yes 👍", "undo"),
        ("/undo", "I'd rather not", "decline"),
    ] {
        let world = table();
        world.post(1, "alice", question);
        world.post(1, "bob", answer);
        assert_eq!(event_kinds(&world).last().unwrap(), last, "{question}, {answer}");
    }
}

#[test]
fn an_unclear_answer_gets_a_hint() {
    for answer in [
        "yes?",
        "ok",
        "👍",
        "ok thanks",
        "yes I think so",
        "yes, a3",
        "no\n\nI like this position",
        "thanks, great game",
    ] {
        let world = table();
        world.post(1, "alice", "/draw");
        check_hint(&world, answer);
    }
}

#[test]
fn a_comment_in_between_separates_the_answer_from_the_question() {
    let forged = "<!-- play-by-commit 1/0 table=1 -->\nShall we play on Friday?";
    for question in ["/draw", "/undo"] {
        for (login, text) in [("alice", forged), ("carol", forged), ("carol", "Do you like this?")] {
            let world = table();
            world.post(1, "alice", question);
            world.post(1, login, text);
            check_hint(&world, "yes");
        }
    }
}

#[test]
fn own_words_do_not_separate_the_answer_from_the_question() {
    for (question, answered) in [("/draw", "acceptDraw"), ("/undo", "undo")] {
        let world = table();
        world.post(1, "alice", question);
        world.post(1, "bob", "Hm.");
        world.post(1, "bob", "yes");
        assert_eq!(event_kinds(&world).last().unwrap(), answered);
    }
}

#[test]
fn an_invitation_is_not_declined_by_an_answer_to_somebody_else() {
    let world = Scenario::played("/new tic-tac-toe @bob", &[]);
    world.post(1, "carol", "@bob do you mind if I watch?");
    check_hint(&world, "no");
}

#[test]
fn an_answer_before_the_bots_question_does_not_count() {
    let world = table();
    world.post(1, "alice", "Shall we play on Friday?");
    world.comment(1, "alice", "/draw");
    let yes = world.comment(1, "bob", "yes");
    world.settle(1, yes);
    assert_eq!(event_kinds(&world).last().unwrap(), "offerDraw");
}

#[test]
fn a_deleted_or_edited_question_does_not_count() {
    let world = table();
    world.post(1, "alice", "/draw");
    let question = world.comment(1, "carol", "Shall we play on Friday?");
    let yes = world.comment(1, "bob", "yes");
    world.delete_comment(1, question);
    world.settle(1, yes);
    assert_eq!(event_kinds(&world).last().unwrap(), "offerDraw", "a deleted comment in between");

    let world = table();
    let draw = world.post(1, "alice", "/draw");
    world.edit(1, draw, "Shall we play on Friday?");
    check_hint(&world, "yes");

    let world = table();
    world.post(1, "alice", "/draw\n\nAnd shall we play on Friday?");
    check_hint(&world, "yes");
}

#[test]
fn a_long_thread_does_not_change_what_an_answer_follows() {
    // The comments below an answer push the question's source out of the newest page.
    let world = Scenario::played("/new tic-tac-toe @bob", &[]);
    world.post(1, "alice", "b2");
    let yes = world.comment(1, "bob", "yes");
    for _ in 0..150 {
        world.comment(1, "carol", "na na na");
    }
    world.settle(1, yes);
    assert_eq!(event_kinds(&world), ["new", "move", "join"]);
}
