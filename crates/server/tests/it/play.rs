//! Games: people comment, and the server answers.

use std::time::Duration;

use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::{Digest, Sha256};
use table::dice::{Key, RoundContext, parse_secret};
use table::{CommentId, IssueNumber, Timestamp, UserId};
use testkit::app::{AccountKind, AppServer, DeliveryPlan, Fate};

use super::process::{Process, command, moves_of, started, started_long_before_the_daily_run};

#[test]
fn plays_a_game_against_the_computer() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe computer");
    server.wait_for_answers(&app, repository, issue, 1);
    app.comment(repository, issue, "alice", "b2");
    let answers = server.wait_for_answers(&app, repository, issue, 2);
    assert!(answers[1].contains("**alice** (X) played `b2`"), "{}", answers[1]);
    app.comment(repository, issue, "alice", "b2");
    let answers = server.wait_for_answers(&app, repository, issue, 3);
    assert!(answers[2].contains("taken") || answers[2].contains("b2"), "{}", answers[2]);
    assert_eq!(app.world(repository).with_state(|state| state.bot.clone()), app.slug());
}

#[test]
fn a_move_takes_three_requests() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    app.comment(repository, issue, "alice", "a1");
    server.wait_for_answers(&app, repository, issue, 2);
    let before = app.requests();
    app.comment(repository, issue, "bob", "b2");
    server.wait_for_answers(&app, repository, issue, 3);
    server.wait_for("idle", |_| app.requests().values().sum::<u64>() >= before.values().sum::<u64>() + 3);
    std::thread::sleep(Duration::from_millis(500));
    let after = app.requests();
    let more: Vec<(String, u64)> = after
        .into_iter()
        .map(|(kind, count)| (kind.clone(), count - before.get(&kind).copied().unwrap_or(0)))
        .filter(|(_, count)| *count > 0)
        .collect();
    assert_eq!(more, [("Answer".to_owned(), 1), ("Commit".to_owned(), 1), ("Read".to_owned(), 1)]);
}

#[test]
fn answers_the_rest_of_a_flood_without_another_webhook() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    // The first daily run would answer the rest, too.
    server.wait_for("the daily run", |server| server.has_logged("daily run"));
    app.set_latency(Duration::from_millis(20));
    for _ in 0..45 {
        app.comment(repository, issue, "alice", "z9");
    }
    let answers = server.wait_for_answers(&app, repository, issue, 46);
    assert!(answers[45].contains("`z9` isn't on this board"), "{}", answers[45]);
}

#[test]
fn two_servers_play_each_move_once_though_webhooks_are_doubled_late_and_reordered() {
    let (app, repository) = started();
    let (first, second) = (Process::start(&app), Process::start(&app));
    app.set_webhook_urls(&[&first.webhook(), &second.webhook()]);
    let plan = DeliveryPlan { seed: 7, late: 20, doubled: 50, reordered: 20, ..DeliveryPlan::default() };
    app.set_plan(DeliveryPlan { delay: Duration::from_millis(300), ..plan });
    app.set_latency(Duration::from_millis(20));
    let issue = app.open_issue(repository, "alice", "/new connect-four @bob");
    first.wait_for_answers(&app, repository, issue, 1);
    let moves = ["a", "b", "a", "b", "c", "b"];
    for (at, text) in moves.iter().enumerate() {
        let player = if at % 2 == 0 { "alice" } else { "bob" };
        app.comment(repository, issue, player, text);
        first.wait_for_answers(&app, repository, issue, at + 2);
    }
    std::thread::sleep(Duration::from_secs(1));
    let answers = app.world(repository).answers(issue);
    assert_eq!(answers.len(), moves.len() + 1, "{answers:#?}");
    assert_eq!(moves_of(&app, repository, issue), moves);
}

#[test]
fn finds_a_webhook_that_never_arrived_when_it_starts() {
    let (app, repository) = started_long_before_the_daily_run();
    let mut server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    server.kill();
    app.script([Fate::Dropped]);
    app.comment(repository, issue, "alice", "a1");
    let other = app.open_issue(repository, "carol", "/new chess computer");
    let server = Process::serving(&app);
    server.wait_for_answers(&app, repository, issue, 2);
    server.wait_for_answers(&app, repository, other, 1);
}

#[test]
fn loses_nothing_when_it_is_killed_in_the_middle_of_moves() {
    let (app, repository) = started();
    app.set_latency(Duration::from_millis(40));
    let mut server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new chess computer");
    server.wait_for_answers(&app, repository, issue, 1);
    for (at, pawn) in ["a3", "h3", "a4", "h4"].iter().enumerate() {
        app.comment(repository, issue, "alice", pawn);
        // Kill the server at a different point of the three requests each time.
        std::thread::sleep(Duration::from_millis(30 + 37 * at as u64));
        server.kill();
        server = Process::serving(&app);
        server.wait_for_answers(&app, repository, issue, at + 2);
        let moves = moves_of(&app, repository, issue);
        assert_eq!(moves.iter().filter(|text| text.as_str() == *pawn).count(), 1, "{moves:?}");
    }
    assert_eq!(app.world(repository).answers(issue).len(), 5);
}

#[test]
fn believes_that_a_comment_exists_which_reads_do_not_show_yet() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    app.set_staleness(Duration::from_secs(2));
    app.comment(repository, issue, "alice", "a1");
    server.wait_for_answers(&app, repository, issue, 2);
}

#[test]
fn asks_for_a_new_token_before_the_last_one_ends() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    let tokens = app.requests()["access_tokens"];
    // The first move tells the server the time, three minutes before the token ends.
    app.advance(Duration::from_secs(57 * 60));
    app.comment(repository, issue, "alice", "a1");
    server.wait_for_answers(&app, repository, issue, 2);
    app.comment(repository, issue, "bob", "b2");
    server.wait_for_answers(&app, repository, issue, 3);
    assert!(app.requests()["access_tokens"] > tokens);
}

#[test]
fn replaces_a_token_that_ended_early() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    app.revoke_tokens();
    app.comment(repository, issue, "alice", "a1");
    server.wait_for_answers(&app, repository, issue, 2);
}

#[test]
fn counts_votes_that_ended_while_it_was_down() {
    let (app, repository) = started();
    let mut server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe crowd computer votes=1h");
    server.wait_for_answers(&app, repository, issue, 1);
    app.comment(repository, issue, "bob", "b2");
    server.wait_for_answers(&app, repository, issue, 2);
    server.kill();
    // GitHub lists webhooks for three days.
    app.advance(Duration::from_secs(4 * 24 * 60 * 60));
    let server = Process::serving(&app);
    server.wait_for("counted", |_| moves_of(&app, repository, issue).contains(&"b2".to_owned()));
}

#[test]
fn answers_what_somebody_wrote_while_the_issue_was_locked() {
    let (app, repository) = started_long_before_the_daily_run();
    let server = Process::serving(&app);
    app.add_collaborator(repository, "alice");
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    app.set_locked(repository, issue, "alice", true);
    app.comment(repository, issue, "alice", "a1");
    server.wait_for("looked", |server| {
        server.log().iter().filter(|line| line.contains("A run has ended.") && line.contains("thread")).count() >= 2
    });
    assert_eq!(app.world(repository).answers(issue).len(), 1);
    app.set_locked(repository, issue, "alice", false);
    server.wait_for_answers(&app, repository, issue, 2);
}

#[test]
fn the_dice_of_two_repositories_have_their_own_keys() {
    const SECRET: &str = "a secret of at least thirty-two characters";
    let app = AppServer::start();
    app.install("octo", AccountKind::Organization, &["games", "club"]);
    let mut command = command(&app);
    let server = Process::spawn(command.env("DICE_SECRET", SECRET));
    app.set_webhook_urls(&[&server.webhook()]);
    for name in ["octo/games", "octo/club"] {
        let repository = app.repository(name);
        let issue = app.open_issue(repository, "alice", "/new backgammon computer");
        server.wait_for_answers(&app, repository, issue, 1);
        let record = app.world(repository).file(&format!("state/{issue}.json")).expect("a record");
        let record: Value = serde_json::from_str(&record).expect("JSON");
        let opening = &record["history"][0];
        let context = RoundContext {
            issue: IssueNumber::new(issue),
            round: 1,
            author: UserId::new(app.user_id("alice")),
            comment: CommentId::BODY,
            time: Timestamp::from_millis(opening["timestamp"].as_u64().expect("a time")),
        };
        // As docs/SERVER.md says, so that a host can compute it, too.
        let mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
        let own = hex::encode(mac.chain_update(repository.to_string()).finalize().into_bytes());
        let key = Key::derive(&parse_secret(&own).unwrap(), &context);
        let commitment = opening["commitment"].as_str().expect("a commitment");
        assert_eq!(commitment, hex::encode(Sha256::digest(hex::decode(key.to_hex()).unwrap())), "{name}");
    }
}
