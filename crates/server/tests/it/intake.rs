//! What strangers can send: forged, huge, slow, malformed and many requests.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::app::signature;

use super::process::{Process, command, started};

/// Sends raw bytes to a server, and returns what comes back until the connection ends.
fn exchange(server: &Process, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.url.trim_start_matches("http://")).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // The server may close the connection before it has read all.
    drop(stream.write_all(request));
    let mut reply = Vec::new();
    drop(stream.read_to_end(&mut reply));
    String::from_utf8_lossy(&reply).into_owned()
}

/// Sends a webhook with this signature, and returns the reply's status.
fn send(server: &Process, event: &str, body: &str, signature: &str) -> String {
    let request = format!(
        "POST /webhook HTTP/1.1\r\nHost: games.example\r\nConnection: close\r\nX-GitHub-Event: {event}\r\nX-GitHub-Delivery: \
         1\r\nX-Hub-Signature-256: {signature}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let reply = exchange(server, request.as_bytes());
    reply.split_whitespace().nth(1).unwrap_or_default().to_owned()
}

#[test]
fn refuses_what_is_not_signed_with_the_secret() {
    let (app, repository) = started();
    let server = Process::start(&app);
    let body = json!({ "action": "created" }).to_string();
    let right = signature(&app.webhook_secret(), body.as_bytes());
    assert_eq!(send(&server, "issue_comment", &body, &signature("another secret!!", body.as_bytes())), "401");
    assert_eq!(send(&server, "issue_comment", &body, "sha256=00"), "401");
    assert_eq!(send(&server, "issue_comment", &body, ""), "401");
    assert_eq!(send(&server, "issue_comment", &format!("{body} "), &right), "401");
    assert_eq!(send(&server, "ping", &body, &right), "202");
    // A forged webhook starts nothing.
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe computer");
    let payload = json!({
        "action": "opened", "installation": { "id": app.find_installation("octo") },
        "repository": { "id": repository, "full_name": "octo/games" },
        "issue": { "number": issue, "body": "/new tic-tac-toe computer", "user": { "type": "User" } },
    });
    let payload = payload.to_string();
    assert_eq!(send(&server, "issues", &payload, &signature("another secret!!", payload.as_bytes())), "401");
    std::thread::sleep(Duration::from_millis(500));
    assert!(app.world(repository).answers(issue).is_empty());
    assert_eq!(send(&server, "issues", &payload, &signature(&app.webhook_secret(), payload.as_bytes())), "202");
    server.wait_for_answers(&app, repository, issue, 1);
}

#[test]
fn accepts_the_old_secret_while_it_is_being_replaced() {
    let (app, repository) = started();
    let old = app.webhook_secret();
    let mut command = command(&app);
    command.env("WEBHOOK_SECRET", "the secret from now on").env("WEBHOOK_SECRET_OLD", &old);
    let server = Process::spawn(&mut command);
    app.set_webhook_urls(&[&server.webhook()]);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    app.set_webhook_secret("the secret from now on");
    app.comment(repository, issue, "bob", "a1");
    server.wait_for_answers(&app, repository, issue, 2);
}

#[test]
fn survives_malformed_payloads() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    let secret = app.webhook_secret();
    let installation = json!({ "id": app.find_installation("octo") });
    let repository_json = json!({ "id": repository, "full_name": "octo/games" });
    let bodies = [
        "".to_owned(),
        "{".to_owned(),
        "null".to_owned(),
        "[".repeat(100_000),
        json!({ "installation": { "id": "one" } }).to_string(),
        json!({ "installation": installation, "repository": { "id": -1, "full_name": "a/b" } }).to_string(),
        json!({ "installation": installation, "repository": repository_json, "action": "created" }).to_string(),
        json!({ "installation": installation, "repository": { "id": 5, "full_name": "../../etc" }, "action": "renamed" })
            .to_string(),
    ];
    for event in ["issue_comment", "issues", "repository", "installation", "installation_repositories", "unknown\u{7f}"]
    {
        for body in &bodies {
            let status = send(&server, event, body, &signature(&secret, body.as_bytes()));
            assert!(["202", "400"].contains(&status.as_str()), "{event} {body:.80}: {status}");
        }
    }
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
}

#[test]
fn limits_time_size_and_memory() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    // A body that is too long, with and without a header that says so.
    let head = "POST /webhook HTTP/1.1\r\nHost: games.example\r\n";
    let reply = exchange(&server, format!("{head}Content-Length: 5000000\r\n\r\n").as_bytes());
    assert!(reply.starts_with("HTTP/1.1 413"), "{reply}");
    let chunk = format!("{:x}\r\n{}\r\n", 100_000, "x".repeat(100_000));
    let reply = exchange(&server, format!("{head}Transfer-Encoding: chunked\r\n\r\n{}", chunk.repeat(45)).as_bytes());
    assert!(reply.starts_with("HTTP/1.1 413"), "{reply:.200}");
    let reply = exchange(&server, format!("{head}X-Long: {}\r\n\r\n", "x".repeat(200_000)).as_bytes());
    assert!(reply.starts_with("HTTP/1.1 431") || reply.is_empty(), "{reply:.200}");
    // Slow headers and slow bodies end.
    let began_at = Instant::now();
    assert!(!exchange(&server, b"POST /webhook HTT").contains("HTTP/1.1 2"));
    assert!(began_at.elapsed() < Duration::from_secs(9), "{:?}", began_at.elapsed());
    let began_at = Instant::now();
    let reply = exchange(&server, format!("{head}Content-Length: 100\r\nConnection: close\r\n\r\nhalf").as_bytes());
    assert!(reply.starts_with("HTTP/1.1 408"), "{reply}");
    assert!(began_at.elapsed() < Duration::from_secs(15), "{:?}", began_at.elapsed());
    // Many at once, each at the size limit and with a wrong signature.
    let body = "x".repeat(4 * 1024 * 1024);
    std::thread::scope(|scope| {
        for _ in 0..40 {
            scope.spawn(|| assert_eq!(send(&server, "issues", &body, "sha256=00"), "401"));
        }
    });
    let peak = server.peak_memory();
    assert!(peak < 100 * 1024 * 1024, "{} MB", peak / 1024 / 1024);
    // Long bodies that never come hold up nobody's comment.
    let slow: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(server.url.trim_start_matches("http://")).expect("a connection");
            stream.write_all(format!("{head}Content-Length: 4000000\r\n\r\nhalf").as_bytes()).unwrap();
            stream
        })
        .collect();
    let began_at = Instant::now();
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    assert!(began_at.elapsed() < Duration::from_secs(5), "{:?}", began_at.elapsed());
    drop(slow);
}

#[test]
fn no_secret_is_in_the_log_or_the_figures() {
    let (app, repository) = started();
    let server = Process::serving(&app);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe @bob");
    server.wait_for_answers(&app, repository, issue, 1);
    let comment = "a comment that belongs to nobody's log";
    app.comment(repository, issue, "bob", &format!("/move {comment}"));
    server.wait_for_answers(&app, repository, issue, 2);
    let body = "{}";
    assert_eq!(send(&server, "issues", body, "sha256=00"), "401");
    server.wait_for("logged", |server| server.has_logged("no valid signature"));
    let figures = exchange(&server, b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert!(figures.contains("play_by_commit_commands_total{kind=\"applied\"} 1"), "{figures}");
    assert!(figures.contains("play_by_commit_webhooks_total{kind=\"forged\"} 1"), "{figures}");
    let shown = format!("{}\n{figures}", server.log().join("\n"));
    let key: Vec<&str> = app.private_key().lines().filter(|line| !line.starts_with('-')).collect();
    for secret in [app.webhook_secret().as_str(), key[0], key[10], "ghs_", "eyJ", comment] {
        assert!(!shown.contains(secret), "{secret} is shown:\n{shown}");
    }
}
