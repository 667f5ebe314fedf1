//! Games in the repositories of a GitHub App.

use protocol::settle::settle;
use protocol::{RepoConfig, Trigger, WebRepo};
use serde_json::Value;
use testkit::app::{AccountKind, AppServer};
use testkit::world::default_config;

use super::*;

/// Settles a comment (0: the issue's body) with a token of the repository's installation.
fn settle_with(app: &AppServer, token: &str, full_name: &str, issue: u64, comment: u64) {
    let (owner, name) = full_name.split_once('/').unwrap();
    let settings = Settings {
        token: token.to_owned(),
        api_url: app.url.clone(),
        graphql_url: app.graphql_url.clone(),
        owner: owner.to_owned(),
        name: name.to_owned(),
        branch: None,
        state_dir: "state".to_owned(),
        assign_turns: false,
        timeout: Duration::from_secs(20),
    };
    let web = WebRepo { server: app.url.clone(), repository: full_name.to_owned(), branch: None };
    let config = RepoConfig { web: Some(web), ..default_config() };
    with_github(settings, async |github| {
        let trigger = Trigger::Comment { source: place(issue, comment), table: None };
        settle(github, &config, trigger).await.unwrap();
    });
}

#[test]
fn plays_in_two_repositories_of_an_app() {
    let app = AppServer::start();
    let installation = app.install("octo", AccountKind::Organization, &["games", "chess"]);
    let token = app.token(installation, &Value::Null);
    for (full_name, cell) in [("octo/games", "a1"), ("octo/chess", "c3")] {
        let repository = app.repository(full_name);
        let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
        settle_with(&app, &token, full_name, issue, 0);
        for (login, text) in [("alice", "b2"), ("bob", cell)] {
            let comment = app.comment(repository, issue, login, text);
            settle_with(&app, &token, full_name, issue, comment);
        }
        let world = app.world(repository);
        assert_eq!(world.answers(issue).len(), 3, "{:#?}", world.answers(issue));
        let record = world.file("state/1.json").unwrap();
        assert!(record.contains(cell) && record.contains(&repository.to_string()), "{record}");
    }
    assert_eq!((app.requests()["Commit"], app.requests()["Answer"]), (6, 6));
}
