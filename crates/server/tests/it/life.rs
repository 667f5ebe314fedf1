//! The life of a server and of what it plays in: starts, stops, installations and repositories.

use std::process::{Command, Stdio};
use std::time::Duration;

use testkit::app::{AccountKind, AppServer};

use super::process::{Process, command, started};

/// Runs a command that ends at once, and returns what it says on standard error.
fn error_of(command: &mut Command) -> String {
    let output = command.stderr(Stdio::piped()).stdout(Stdio::piped()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn a_mistake_in_the_settings_is_one_sentence_at_the_start() {
    let (app, _) = started();
    let with = |name: &str, value: &str| {
        let mut command = command(&app);
        // A variable and its file exclude each other.
        if let Some(plain) = name.strip_suffix("_FILE") {
            command.env_remove(plain);
        }
        error_of(command.env(name, value))
    };
    assert_eq!(
        with("APP_ID", "mine"),
        "error: APP_ID isn't a number such as 123456. The App's settings page shows it\n"
    );
    let wrong_app = with("APP_ID", "1");
    assert!(wrong_app.contains("`app-id` and `private-key` have to belong to the same App"), "{wrong_app}");
    for (name, value, says) in [
        ("APP_PRIVATE_KEY", "no key", "the private key isn't a PEM file"),
        ("APP_PRIVATE_KEY", "", "there is no private key: set APP_PRIVATE_KEY_FILE"),
        (
            "APP_PRIVATE_KEY_FILE",
            "/nowhere/key.pem",
            "APP_PRIVATE_KEY_FILE names /nowhere/key.pem, which can't be read",
        ),
        ("WEBHOOK_SECRET", "", "there is no webhook secret"),
        ("WEBHOOK_SECRET", "short", "shorter than 16 characters"),
        ("DICE_SECRET", "short", "DICE_SECRET can't be used"),
        ("LISTEN", "3000", "`listen` (LISTEN) is `3000`. Set it to an IP address and a port"),
        ("LISTEN", "192.0.2.1:3000", "can't listen at 192.0.2.1:3000"),
        ("GITHUB_API_URL", "github", "`github-api-url` (GITHUB_API_URL) isn't the address of an API"),
        ("GITHUB_API_URL", "http://127.0.0.1:9", "GitHub can't be reached"),
        ("LOG", "xml", "set LOG to `text` or `json`"),
    ] {
        let error = with(name, value);
        assert!(error.starts_with("error: ") && error.contains(says), "{name}={value}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let error = error_of(command(&app).env("WEBHOOK_SECRET_FILE", "/nowhere/secret"));
    assert_eq!(error, "error: WEBHOOK_SECRET and WEBHOOK_SECRET_FILE are both set. Remove one\n");
    let error = error_of(command(&app).args(["--config", "/nowhere/app.toml"]));
    assert!(error.contains("`play-by-commit-server setup` writes one"), "{error}");
    let error = error_of(command(&app).arg("--config").arg(std::env::temp_dir()));
    assert!(error.contains("can't be read: Is a directory") && !error.contains("setup"), "{error}");
    let file = std::env::temp_dir().join(format!("play-by-commit-{}.toml", std::process::id()));
    std::fs::write(&file, "app-id = 1\nwebhook-secrets = 'sssssssssssssssss'\n").unwrap();
    let error = error_of(command(&app).arg("--config").arg(&file));
    std::fs::write(&file, "accounts = 'octo'\n").unwrap();
    let list = error_of(command(&app).arg("--config").arg(&file));
    assert!(list.contains("`accounts` needs a list, such as `[\"octo\"]`"), "{list}");
    std::fs::remove_file(&file).unwrap();
    assert!(
        error
            .contains("mistake in line 2: `webhook-secrets` isn't a setting. The settings are `app-id`, `private-key`")
            && !error.contains("ssss"),
        "{error}"
    );
}

#[test]
fn stops_when_it_is_told_and_finishes_what_it_has_begun() {
    let (app, repository) = started();
    app.set_latency(Duration::from_millis(200));
    let mut server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for("running", |server| server.has_logged("A webhook has arrived."));
    std::thread::sleep(Duration::from_millis(100));
    let (is_success, time) = server.stop();
    assert!(is_success && time < Duration::from_secs(20), "{time:?}\n{}", server.log().join("\n"));
    assert_eq!(app.world(repository).answers(issue).len(), 1);
}

#[test]
fn plays_where_it_is_installed_from_now_on_and_nowhere_else() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    let club = app.install("chess-club", AccountKind::User, &["play"]);
    let play = app.repository("chess-club/play");
    let issue = app.open_issue(play, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, play, issue, 1);
    app.suspend(club);
    app.comment(play, issue, "alice", "a1");
    app.unsuspend(club);
    app.comment(play, issue, "alice", "b2");
    server.wait_for_answers(&app, play, issue, 2);
    app.uninstall(club);
    server.wait_for("uninstalled", |server| server.has_logged("The App isn't installed there any more."));
    let other = app.open_issue(repository, "carol", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, other, 1);
}

#[test]
fn follows_a_repository_to_its_new_name_and_owner() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    app.install("chess-club", AccountKind::Organization, &["play"]);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    app.rename(repository, "all-games");
    // Without this pause, the comment's webhook may arrive first, and the answer has the old name.
    std::thread::sleep(Duration::from_millis(300));
    app.comment(repository, issue, "alice", "a1");
    let answers = server.wait_for_answers(&app, repository, issue, 2);
    assert!(answers[1].contains("octo/all-games"), "{}", answers[1]);
    app.transfer(repository, "chess-club");
    app.comment(repository, issue, "bob", "b2");
    server.wait_for_answers(&app, repository, issue, 3);
    app.archive(repository);
    app.comment(repository, issue, "alice", "c3");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(app.world(repository).answers(issue).len(), 3);
}

#[test]
fn a_rate_limit_holds_one_installation_and_not_the_others() {
    let (app, repository) = started();
    let club = app.install("chess-club", AccountKind::User, &["play"]);
    let play = app.repository("chess-club/play");
    app.set_limit_of(club, 2, Duration::from_secs(60 * 60));
    let server = Process::serving(&app);
    let limited = app.open_issue(play, "alice", "/new tic-tac-toe @bob");
    server.wait_for("limited", |server| server.has_logged("The installation waits."));
    let refused = || app.requests()["refused by the limit"];
    let refused_before = refused();
    app.comment(play, limited, "alice", "a1");
    app.open_issue(play, "carol", "/new hex computer");
    let other = app.open_issue(repository, "carol", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, other, 1);
    assert!(app.world(play).answers(limited).is_empty());
    assert_eq!(refused(), refused_before, "it asks although GitHub wants it to wait");
    // An hour passes, and GitHub's next reply tells the server.
    app.set_limit_of(club, 1_000, Duration::from_secs(60 * 60));
    app.advance(Duration::from_secs(61 * 60));
    app.comment(repository, other, "carol", "a1");
    server.wait_for_answers(&app, play, limited, 2);
}

#[test]
fn accounts_limits_who_may_play() {
    let (app, repository) = started();
    app.install("stranger", AccountKind::User, &["play"]);
    let server = Process::spawn(command(&app).env("ACCOUNTS", "octo,nobody"));
    assert!(server.has_logged("`nobody`, which hasn't installed the App"), "{:?}", server.log());
    app.set_webhook_urls(&[&server.webhook()]);
    let play = app.repository("stranger/play");
    let ignored = app.open_issue(play, "alice", "/new tic-tac-toe @bob");
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    assert!(app.world(play).answers(ignored).is_empty());
}

#[test]
fn check_says_what_is_wrong() {
    let app = AppServer::start();
    let check = |app: &AppServer| {
        let output = command(app).arg("--check").output().expect("it runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    let (code, text) = check(&app);
    assert_eq!(code, Some(1));
    assert!(text.contains("isn't installed in any repository") && text.contains("The webhook goes to"), "{text}");
    app.install("octo", AccountKind::Organization, &["games"]);
    let server = Process::serving(&app);
    app.ping();
    server.wait_for("pinged", |_| app.deliveries().iter().any(|delivery| delivery.status_code == 202));
    let (code, text) = check(&app);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("✓ The key belongs to the App"), "{text}");
    let repository = app.repository("octo/games");
    app.world(repository).land(&[(".github/play-by-commit.yml", "tables: anybody\nbranches: play\n")]);
    let (code, text) = check(&app);
    assert_eq!(code, Some(1));
    assert!(text.contains("octo/games, `.github/play-by-commit.yml`, line 1: ") && text.contains("line 2: "), "{text}");
    app.set_webhook_secret("a secret that the server doesn't know");
    app.ping();
    server.wait_for("refused", |_| app.deliveries().iter().any(|delivery| delivery.status_code == 401));
    let (code, text) = check(&app);
    assert_eq!(code, Some(1));
    assert!(text.contains("`webhook-secret` isn't the secret in the App's settings"), "{text}");
}
