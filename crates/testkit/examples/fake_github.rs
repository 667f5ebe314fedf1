//! Runs the fake GitHub with an App, to try the server by hand.
//!
//! ```text
//! cargo run -p play-by-commit-testkit --example fake_github -- --port 4000 --webhook http://127.0.0.1:3000/webhook
//! ```
//!
//! It prints the settings of its App. Then type what people write, and it prints the App's comments:
//!
//! ```text
//! alice@octo/games#new: /new tic-tac-toe computer
//! alice@octo/games#1: b2
//! ```
//!
//! A repository that doesn't exist yet is created. Instead of using this App, you can create one as on GitHub: the pages are at
//! `http://127.0.0.1:4000/settings/apps/new`.

use std::io::BufRead;
use std::path::PathBuf;

use testkit::app::{AccountKind, AppServer};

const USAGE: &str = "Usage: fake_github [--port 4000] [--webhook http://127.0.0.1:3000/webhook] [--dir DIR]";

struct Arguments {
    port: u16,
    webhook: String,
    dir: PathBuf,
}

fn arguments() -> Option<Arguments> {
    let webhook = "http://127.0.0.1:3000/webhook".to_owned();
    let mut parsed = Arguments { port: 4000, webhook, dir: std::env::temp_dir().join("fake-github") };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--port" => parsed.port = value.parse().ok()?,
            "--webhook" => parsed.webhook = value,
            "--dir" => parsed.dir = PathBuf::from(value),
            _ => return None,
        }
    }
    Some(parsed)
}

/// A line such as `alice@octo/games#1: b2`.
struct Line<'a> {
    login: &'a str,
    repository: &'a str,
    /// `None` for a new issue.
    issue: Option<u64>,
    text: &'a str,
}

fn parse(line: &str) -> Option<Line<'_>> {
    let (head, text) = line.split_once(':')?;
    let (login, place) = head.trim().split_once('@')?;
    let (repository, issue) = place.split_once('#')?;
    repository.split_once('/')?;
    let issue = if issue == "new" { None } else { Some(issue.parse().ok()?) };
    Some(Line { login, repository, issue, text: text.trim_start() })
}

fn main() {
    let Some(Arguments { port, webhook, dir }) = arguments() else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    let app = AppServer::start_on(port);
    app.set_webhook_urls(&[&webhook]);
    app.install("octo", AccountKind::Organization, &["games"]);
    write_settings(&app, &dir);
    println!("Type `alice@octo/games#new: /new tic-tac-toe computer`, and then `alice@octo/games#1: b2`.\n");

    let posted = app.watch();
    std::thread::spawn(move || {
        for comment in posted {
            println!("\n--- the App in {}#{}:\n{}\n---", comment.full_name, comment.issue, comment.text);
        }
    });
    for line in std::io::stdin().lock().lines().map_while(Result::ok).filter(|line| !line.trim().is_empty()) {
        let Some(Line { login, repository, issue, text }) = parse(&line) else {
            println!("A line is LOGIN@OWNER/NAME#ISSUE: TEXT. For a new issue, write `new` as the number.");
            continue;
        };
        let repository = app.find_repository(repository).unwrap_or_else(|| create(&app, repository));
        match issue {
            None => println!("#{}", app.open_issue(repository, login, text)),
            Some(issue) if app.world(repository).with_state(|state| state.issue(issue).is_some()) => {
                app.comment(repository, issue, login, text);
            }
            Some(issue) => println!("There's no issue {issue}."),
        }
    }
    // The input has ended, but the server may still need answers.
    loop {
        std::thread::park();
    }
}

/// Creates a repository, and installs the App on its owner's account if needed.
fn create(app: &AppServer, full_name: &str) -> u64 {
    let (owner, name) = full_name.split_once('/').expect("a full name");
    match app.find_installation(owner) {
        Some(installation) => app.add_repository(installation, name),
        None => {
            app.install(owner, AccountKind::User, &[name]);
            app.repository(full_name)
        }
    }
}

/// Writes the settings of the App into a folder, and prints them.
fn write_settings(app: &AppServer, dir: &std::path::Path) {
    std::fs::create_dir_all(dir).expect("a folder for the key");
    let (key, secret) = (dir.join("private-key.pem"), dir.join("webhook-secret.txt"));
    std::fs::write(&key, app.private_key()).expect("a file for the key");
    std::fs::write(&secret, app.webhook_secret()).expect("a file for the secret");
    println!("The fake GitHub is at {}, with {} in octo/games.", app.url, app.slug());
    println!("APP_ID={}", app.app_id());
    println!("APP_PRIVATE_KEY_FILE={}", key.display());
    println!("WEBHOOK_SECRET={}", app.webhook_secret());
    println!("GITHUB_API_URL={}", app.url);
    println!("The secret is also in {}.", secret.display());
}
