//! Webhooks, and the list of their deliveries.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::app::{AccountKind, AppServer, DeliveryPlan, Fate, signature};

use super::client::{Receiver, Webhook, send};

/// Starts a fake whose App gets webhooks from now on.
fn started(receiver: &Receiver) -> (AppServer, u64) {
    let app = AppServer::start();
    app.install("octo", AccountKind::Organization, &["games"]);
    app.set_webhook_urls(&[&receiver.url]);
    let repository = app.repository("octo/games");
    (app, repository)
}

fn names(webhooks: &[Webhook]) -> Vec<String> {
    webhooks.iter().map(Webhook::name).collect()
}

#[test]
fn signs_the_body_of_a_webhook() {
    let receiver = Receiver::start(202);
    let (app, repository) = started(&receiver);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob, \"é\" octo/games");
    receiver.wait(1);
    let comment = app.comment(repository, issue, "bob", "b2");
    receiver.wait(2);
    app.label(repository, issue, "alice", "games");
    let webhooks = receiver.wait(3);
    assert_eq!(names(&webhooks), ["issues opened", "issue_comment created", "issues labeled"]);
    for webhook in &webhooks {
        assert_eq!(webhook.header("x-hub-signature-256"), signature(&app.webhook_secret(), webhook.body.as_bytes()));
        assert!(webhook.header("user-agent").starts_with("GitHub-Hookshot/"));
        assert_eq!(
            (webhook.header("x-github-delivery").len(), webhook.header("content-type")),
            (36, "application/json")
        );
    }
    let body = webhooks[1].json();
    assert_eq!(body["issue"]["body"], "/new tic-tac-toe @bob, \"é\" octo/games");
    assert_eq!((&body["comment"]["id"], &body["comment"]["body"]), (&json!(comment), &json!("b2")));
    assert_eq!((&body["sender"]["login"], &body["sender"]["id"]), (&json!("bob"), &json!(app.user_id("bob"))));
    assert_eq!(body["repository"]["id"], repository);
    assert_eq!(body["installation"]["id"], app.find_installation("octo").unwrap());
    assert_eq!(webhooks[2].json()["label"]["name"], "games");
}

#[test]
fn announces_the_comments_of_the_app() {
    let receiver = Receiver::start(202);
    let (app, repository) = started(&receiver);
    let posted = app.watch();
    let issue = app.open_issue(repository, "alice", "/new");
    receiver.wait(1);
    let token = app.token(app.find_installation("octo").unwrap(), &Value::Null);
    let body = json!({ "body": "It's your turn." }).to_string();
    let path = format!("/repos/octo/games/issues/{issue}/comments");
    assert_eq!(send("POST", &app.url, &path, &token, &body).status, 201);
    let user = receiver.wait(2)[1].json()["comment"]["user"].clone();
    assert_eq!((&user["login"], &user["type"]), (&json!("play-by-commit[bot]"), &json!("Bot")));
    assert_eq!(user["id"], app.bot_id());
    assert_eq!(posted.recv().unwrap().text, "It's your turn.");
    let body = json!({ "labels": ["play-by-commit"] }).to_string();
    let path = format!("/repos/octo/games/issues/{issue}/labels");
    assert_eq!(send("POST", &app.url, &path, &token, &body).status, 200);
    let labeled = receiver.wait(3)[2].json();
    assert_eq!((&labeled["action"], &labeled["label"]["name"]), (&json!("labeled"), &json!("play-by-commit")));
    assert_eq!((&labeled["sender"]["type"], &labeled["issue"]["user"]["login"]), (&json!("Bot"), &json!("alice")));
}

#[test]
fn follows_a_script() {
    let receiver = Receiver::start(202);
    let (app, repository) = started(&receiver);
    let issue = app.open_issue(repository, "alice", "/new");
    receiver.wait(1);
    app.script([Fate::Doubled, Fate::Dropped, Fate::Reordered, Fate::OnTime, Fate::Late(Duration::from_millis(50))]);
    for (text, count) in [("a", 3), ("b", 3), ("c", 3), ("d", 5), ("e", 6)] {
        app.comment(repository, issue, "alice", text);
        receiver.wait(count);
    }
    let webhooks = receiver.wait(6);
    let texts: Vec<Value> = webhooks[1..].iter().map(|webhook| webhook.json()["comment"]["body"].clone()).collect();
    assert_eq!(texts, ["a", "a", "d", "c", "e"]);
    assert_eq!(webhooks[1].header("x-github-delivery"), webhooks[2].header("x-github-delivery"));
    // The list is written after the answer.
    while app.deliveries().len() < 7 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let failed: Vec<_> = app.deliveries().into_iter().filter(|delivery| delivery.status_code != 202).collect();
    assert_eq!((failed.len(), failed[0].status_code), (1, 502));

    let again = format!("/app/hook/deliveries/{}/attempts", failed[0].id);
    assert_eq!(send("POST", &app.url, &again, &app.jwt(), "").status, 202);
    let webhooks = receiver.wait(7);
    assert_eq!(webhooks[6].json()["comment"]["body"], "b");
    assert_eq!(webhooks[6].header("x-github-delivery"), failed[0].guid);
}

#[test]
fn a_plan_drops_and_doubles_some() {
    let receiver = Receiver::start(202);
    let (app, repository) = started(&receiver);
    let issue = app.open_issue(repository, "alice", "/new");
    receiver.wait(1);
    app.set_plan(DeliveryPlan { seed: 7, doubled: 20, dropped: 20, ..DeliveryPlan::default() });
    for n in 0..100 {
        app.comment(repository, issue, "alice", &n.to_string());
    }
    let dropped = || app.deliveries().iter().filter(|delivery| delivery.status_code == 502).count();
    let doubled = || app.deliveries().len() - 101;
    while app.deliveries().len() < 101 {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(500));
    assert!((10..30).contains(&dropped()) && (10..30).contains(&doubled()), "{} {}", dropped(), doubled());
}

#[test]
fn lists_deliveries_in_pages_newest_first() {
    let receiver = Receiver::start(500);
    let (app, repository) = started(&receiver);
    let issue = app.open_issue(repository, "alice", "/new");
    for n in 0..6 {
        app.comment(repository, issue, "alice", &n.to_string());
    }
    receiver.wait(7);
    while app.deliveries().len() < 7 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut path = Some("/app/hook/deliveries?per_page=3".to_owned());
    let mut seen = Vec::new();
    let mut pages = 0;
    while let Some(at) = path {
        let page = send("GET", &app.url, &at, &app.jwt(), "");
        seen.extend(page.json().as_array().unwrap().clone());
        path = page.next();
        pages += 1;
    }
    let ids: Vec<u64> = seen.iter().map(|delivery| delivery["id"].as_u64().unwrap()).collect();
    assert!(pages == 3 && ids.len() == 7 && ids.is_sorted_by(|a, b| a > b), "{pages} {ids:?}");
    let first = &seen[0];
    assert_eq!((&first["status_code"], &first["repository_id"]), (&json!(500), &json!(repository)));
    assert!(first.get("issue").is_none());
    let shown = send("GET", &app.url, &format!("/app/hook/deliveries/{}", ids[0]), &app.jwt(), "").json();
    assert_eq!(shown["request"]["payload"]["issue"]["number"], issue);
}

#[test]
fn takes_the_next_server_if_one_is_down() {
    let (one, two) = (Receiver::start(202), Receiver::start(202));
    let (app, repository) = started(&one);
    app.set_webhook_urls(&[&one.url, &two.url]);
    let issue = app.open_issue(repository, "alice", "/new");
    app.comment(repository, issue, "alice", "a1");
    assert_eq!((one.wait(1).len(), two.wait(1).len()), (1, 1));
    app.set_webhook_urls(&["http://127.0.0.1:1/webhook", &two.url]);
    app.comment(repository, issue, "alice", "a2");
    app.comment(repository, issue, "alice", "a3");
    two.wait(3);
}

#[test]
fn says_what_happens_to_installations_and_repositories() {
    let receiver = Receiver::start(202);
    let app = AppServer::start();
    app.set_webhook_urls(&[&receiver.url]);
    let mut count = 0;
    let mut wait = |more: usize| {
        count += more;
        receiver.wait(count)
    };
    app.ping();
    wait(1);
    let installation = app.install("octo", AccountKind::Organization, &["games"]);
    wait(1);
    let added = app.add_repository(installation, "chess");
    wait(1);
    app.rename(added, "boards");
    wait(1);
    app.archive(added);
    wait(1);
    app.remove_repository(added);
    wait(1);
    app.suspend(installation);
    wait(1);
    app.open_issue(app.repository("octo/games"), "alice", "/new");
    app.unsuspend(installation);
    wait(1);
    app.delete_repository(app.repository("octo/games"));
    wait(1);
    app.uninstall(installation);
    let webhooks = wait(1);
    let expected = [
        "ping ",
        "installation created",
        "installation_repositories added",
        "repository renamed",
        "repository archived",
        "installation_repositories removed",
        "installation suspend",
        "installation unsuspend",
        "repository deleted",
        "installation deleted",
    ];
    assert_eq!(names(&webhooks), expected);
    assert_eq!(webhooks[3].json()["changes"]["repository"]["name"]["from"], "chess");
}
