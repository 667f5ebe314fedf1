//! The load test of the server: a fake GitHub with many installations, people who move all the time, and webhooks that get lost.
//!
//! ```sh
//! cargo build --release --package play-by-commit-server
//! cargo run --release --package play-by-commit-server --example load -- target/release/play-by-commit-server --seconds 300
//! ```
//!
//! It prints the time from a webhook's arrival to its answer, and checks that each comment has one answer and each move is played
//! once. With `--servers 2`, two servers share the work; with `--kill 10`, a server is killed every ten seconds; with `--flood`, one
//! installation gets 10,000 wakes at the beginning. `--webhooks N` only opens that many issues, and prints the memory.

// A program for developers may panic, and prints its figures.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clap::Parser;
use testkit::app::{AccountKind, AppServer, DeliveryPlan, Posted};

/// The repositories of each installation.
const REPOSITORIES: usize = 5;
/// The columns of the board on which people move.
const COLUMNS: &str = "abcdefghijklmnopqrs";

/// Loads a server, and prints what it took.
#[derive(Clone, Debug, Parser)]
struct Args {
    /// The server's program
    server: String,
    /// How long people move, in seconds
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// The number of moves a second
    #[arg(long, default_value_t = 20.0)]
    rate: f64,
    /// The number of servers
    #[arg(long, default_value_t = 1)]
    servers: usize,
    /// The number of installations
    #[arg(long, default_value_t = 200)]
    installations: usize,
    /// The duration of a request, in milliseconds
    #[arg(long, default_value_t = 100)]
    latency: u64,
    /// Kill a server each time that this number of seconds has passed
    #[arg(long)]
    kill: Option<u64>,
    /// Wake one installation 10,000 times at the beginning
    #[arg(long)]
    flood: bool,
    /// The percentage of dropped webhooks; 5 % are late by 3 s, and 5 % are doubled
    #[arg(long, default_value_t = 2)]
    dropped: u64,
    /// Only send this many webhooks of new issues, and print the memory
    #[arg(long)]
    webhooks: Option<usize>,
    /// The seed of what happens to webhooks
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A server, which may be killed and started again.
struct Server {
    child: Child,
    address: String,
    /// The time from its start to its readiness.
    ready_after: Duration,
}

impl Server {
    fn start(args: &Args, app: &AppServer, address: &str) -> Server {
        let began_at = Instant::now();
        let mut child = Command::new(&args.server)
            .env("APP_ID", app.app_id().to_string())
            .env("APP_PRIVATE_KEY", app.private_key())
            .env("WEBHOOK_SECRET", app.webhook_secret())
            .env("GITHUB_API_URL", &app.url)
            .env("LISTEN", address)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (ready, is_ready) = mpsc::channel();
        let stderr = child.stderr.take().expect("a pipe");
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if line.contains("Ready.") {
                    _ = ready.send(Instant::now());
                } else if line.contains(" ERROR ") || std::env::var_os("SHOW_LOG").is_some() {
                    eprintln!("{line}");
                }
            }
        });
        let ready_at = is_ready.recv_timeout(Duration::from_secs(60)).expect("the server gets ready");
        Server { child, address: address.to_owned(), ready_after: ready_at - began_at }
    }

    /// Returns the memory that it used at most, in megabytes.
    fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
        line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) / 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A game in a repository, in which two people move in turn.
struct Game {
    repository: u64,
    issue: u64,
    moves: usize,
    /// Whether the last comment has its answer.
    is_answered: bool,
}

/// A comment that a person wrote.
struct Asked {
    at: Instant,
    is_flooded: bool,
}

fn free_address() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").to_string()
}

/// Returns the comment that an answer is for.
fn source_of(answer: &Posted) -> Option<(u64, u64, u64)> {
    let (issue, comment) =
        answer.text.strip_prefix("<!-- play-by-commit ")?.split_whitespace().next()?.split_once('/')?;
    Some((answer.repository, issue.parse().ok()?, comment.parse().ok()?))
}

fn main() {
    let args = Args::parse();
    let app = AppServer::start();
    let mut repositories = Vec::new();
    for at in 0..args.installations {
        let names: Vec<String> = (0..REPOSITORIES).map(|number| format!("games-{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let installation = app.install(&format!("club-{at}"), AccountKind::Organization, &names);
        repositories.extend(app.repositories(installation));
    }
    let mut servers: Vec<Server> = (0..args.servers).map(|_| Server::start(&args, &app, &free_address())).collect();
    let ready: Vec<u128> = servers.iter().map(|server| server.ready_after.as_millis()).collect();
    println!("ready after {ready:?} ms, with {} repositories and requests without latency", repositories.len());
    let urls: Vec<String> = servers.iter().map(|server| format!("http://{}/webhook", server.address)).collect();
    app.set_webhook_urls(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    if let Some(count) = args.webhooks {
        return open_issues(&app, &servers, &repositories, count);
    }
    let posted = app.watch();
    let mut games: Vec<Game> = repositories
        .iter()
        .map(|repository| {
            let issue = app.open_issue(*repository, "alice", "/new tic-tac-toe @bob size=19 k=19");
            Game { repository: *repository, issue, moves: 0, is_answered: false }
        })
        .collect();
    let by_repository: BTreeMap<u64, usize> =
        games.iter().enumerate().map(|(at, game)| (game.repository, at)).collect();
    let mut opened = 0;
    while opened < games.len() {
        let answer = posted.recv_timeout(Duration::from_secs(60)).expect("each game is opened");
        assert!(!answer.text.contains("isn't an option"), "{}", answer.text);
        games[by_repository[&answer.repository]].is_answered = true;
        opened += 1;
    }
    // The fake still sends webhooks about the answers.
    std::thread::sleep(Duration::from_secs(5));
    app.set_latency(Duration::from_millis(args.latency));
    let plan = DeliveryPlan { seed: args.seed, late: 5, doubled: 5, dropped: args.dropped, ..DeliveryPlan::default() };
    app.set_plan(plan);
    let requests_before: u64 = app.requests().values().sum();
    let mut asked: BTreeMap<(u64, u64, u64), Asked> = BTreeMap::new();
    let mut answered: BTreeMap<(u64, u64, u64), Vec<Instant>> = BTreeMap::new();
    // The first installation is the busy one.
    let flooded: BTreeSet<u64> =
        if args.flood { repositories.iter().take(REPOSITORIES).copied().collect() } else { BTreeSet::new() };
    let app = &app;
    let began_at = Instant::now();
    let (mut sent, mut next_kill, mut restarts) = (0_u64, args.kill.map(Duration::from_secs), 0_usize);
    std::thread::scope(|scope| {
        if args.flood {
            let targets: Vec<u64> = flooded.iter().copied().collect();
            scope.spawn(move || {
                for at in 0..10_000 {
                    app.open_issue(targets[at % targets.len()], "mallory", "Hello, is anybody here?");
                    // About 400 a second. More at once would measure the fake.
                    std::thread::sleep(Duration::from_micros(2_500));
                }
            });
        }
        let mut turn = 0;
        while began_at.elapsed() < Duration::from_secs(args.seconds) {
            if let Some(at) = next_kill.filter(|at| began_at.elapsed() >= *at) {
                let address = servers[restarts % args.servers].address.clone();
                drop(servers[restarts % args.servers].child.kill());
                drop(servers[restarts % args.servers].child.wait());
                servers[restarts % args.servers] = Server::start(&args, app, &address);
                restarts += 1;
                next_kill = Some(at + Duration::from_secs(args.kill.unwrap_or(10)));
            }
            let due = (began_at.elapsed().as_secs_f64() * args.rate) as u64;
            while sent < due {
                let Some(at) = (0..games.len()).map(|by| (turn + by) % games.len()).find(|at| games[*at].is_answered)
                else {
                    break;
                };
                turn = at + 1;
                let game = &mut games[at];
                let cell = &COLUMNS[game.moves % 19..=game.moves % 19];
                let text = format!("{cell}{}", game.moves / 19 + 1);
                let player = if game.moves.is_multiple_of(2) { "alice" } else { "bob" };
                let comment = app.comment(game.repository, game.issue, player, &text);
                (game.moves, game.is_answered) = (game.moves + 1, false);
                let asked_now = Asked { at: Instant::now(), is_flooded: flooded.contains(&game.repository) };
                asked.insert((game.repository, game.issue, comment), asked_now);
                sent += 1;
            }
            while let Ok(answer) = posted.recv_timeout(Duration::from_millis(5)) {
                take(&answer, &mut games, &by_repository, &mut answered);
            }
        }
    });
    // The last answers of those that arrived. What is left was dropped.
    let end = Instant::now() + Duration::from_secs(5);
    while Instant::now() < end {
        if let Ok(answer) = posted.recv_timeout(Duration::from_millis(100)) {
            take(&answer, &mut games, &by_repository, &mut answered);
        }
    }
    let requests: u64 = app.requests().values().sum::<u64>() - requests_before;
    println!("requests: {:.2} for each move", requests as f64 / sent.max(1) as f64);
    // Dropped webhooks are found within six minutes.
    let deadline = Instant::now() + Duration::from_secs(7 * 60);
    while asked.keys().any(|source| !answered.contains_key(source)) && Instant::now() < deadline {
        if let Ok(answer) = posted.recv_timeout(Duration::from_millis(100)) {
            take(&answer, &mut games, &by_repository, &mut answered);
        }
    }
    report(&args, app, &games, &asked, &answered, (sent, restarts));
    let memory: Vec<u64> = servers.iter().map(Server::peak_memory).collect();
    println!("peak memory: {memory:?} MB");
}

fn take(
    answer: &Posted,
    games: &mut [Game],
    by_repository: &BTreeMap<u64, usize>,
    answered: &mut BTreeMap<(u64, u64, u64), Vec<Instant>>,
) {
    let Some(source) = source_of(answer) else { return };
    answered.entry(source).or_default().push(answer.at);
    if let Some(at) = by_repository.get(&answer.repository).filter(|at| games[**at].issue == answer.issue) {
        games[*at].is_answered = true;
    }
}

/// Prints the figures, and checks that nothing was lost or doubled.
fn report(
    args: &Args,
    app: &AppServer,
    games: &[Game],
    asked: &BTreeMap<(u64, u64, u64), Asked>,
    answered: &BTreeMap<(u64, u64, u64), Vec<Instant>>,
    (sent, restarts): (u64, usize),
) {
    let mut arrived: BTreeMap<(u64, u64, u64), Instant> = BTreeMap::new();
    for delivery in app.deliveries().into_iter().filter(|delivery| delivery.status_code == 202) {
        if let (Some(repository), Some((issue, comment))) = (delivery.repository, delivery.subject) {
            arrived.entry((repository, issue, comment)).or_insert(delivery.begin);
        }
    }
    let (mut direct, mut flooded, mut dropped, mut lost) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for (source, asked) in asked {
        let Some(at) = answered.get(source).and_then(|times| times.first()) else {
            lost += 1;
            continue;
        };
        match arrived.get(source) {
            Some(begin) if asked.is_flooded => flooded.push(at.saturating_duration_since(*begin)),
            Some(begin) => {
                let time = at.saturating_duration_since(*begin);
                if std::env::var_os("SHOW_LOG").is_some() && time > Duration::from_secs(1) {
                    eprintln!(
                        "slow: {source:?} {time:?}, {:?} after it was written",
                        at.saturating_duration_since(asked.at)
                    );
                }
                direct.push(time);
            }
            None => dropped.push(at.saturating_duration_since(asked.at)),
        }
    }
    println!("{args:?}");
    println!("{sent} moves, {restarts} restarts; answers without one: {lost}");
    for (name, mut times) in [("arrived", direct), ("of the flooded installation", flooded), ("dropped", dropped)] {
        times.sort();
        let Some(last) = times.last() else { continue };
        let at = |share: usize| times[(times.len() * share / 1000).min(times.len() - 1)].as_secs_f64();
        let (median, p99, max) = (at(500), at(990), last.as_secs_f64());
        println!("{name}: {} answers, median {median:.2} s, p99 {p99:.2} s, longest {max:.1} s", times.len());
    }
    let doubled = answered.values().filter(|times| times.len() > 1).count();
    let mut wrong = 0;
    for game in games {
        let record = app.world(game.repository).file(&format!("state/{}.json", game.issue)).unwrap_or_default();
        let played = record.matches("\"notation\"").count();
        let pending = usize::from(!game.is_answered);
        wrong += usize::from(played != game.moves && played + pending != game.moves);
    }
    println!("answered twice at some time: {doubled}; games with a wrong number of moves: {wrong}");
    assert!(lost == 0 && wrong == 0, "something was lost");
}

/// Opens issues that start nothing but a look at them, and prints the memory.
fn open_issues(app: &AppServer, servers: &[Server], repositories: &[u64], count: usize) {
    let began_at = Instant::now();
    let reads = || app.requests().get("Read").copied().unwrap_or_default() as usize;
    for at in 0..count {
        app.open_issue(repositories[at % repositories.len()], "alice", "Does anybody play here?");
        // The fake keeps webhooks in memory until they are sent.
        while at % 1_000 == 999 && reads() + 2_000 < at {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    std::thread::sleep(Duration::from_secs(2));
    let memory: Vec<u64> = servers.iter().map(Server::peak_memory).collect();
    println!("{count} webhooks in {:.0} s; peak memory: {memory:?} MB", began_at.elapsed().as_secs_f64());
}
