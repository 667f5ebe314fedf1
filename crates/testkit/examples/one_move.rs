//! Measures the cost of one move: time, memory, requests and bytes of one run, against a local server without latency.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p play-by-commit-testkit --example one_move -- target/release/play-by-commit [RUNS]
//! ```
//!
//! Times are medians of whole processes, from start to exit. Peak memory is `ru_maxrss`, as `/usr/bin/time -f %M` reports it; it
//! is left out if that program is missing. Bytes are those of HTTP, including headers. The lines differ only in the history of
//! the repository, and the last one in its larger board.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use protocol::settle::settle;
use protocol::{RepoConfig, Trigger};
use table::{HostPolicy, IssueNumber};
use testkit::Relay;
use testkit::server::{NAME, OWNER, Server, TOKEN};
use testkit::world::{State, World, run};

fn main() {
    let mut args = std::env::args().skip(1);
    let program = PathBuf::from(args.next().expect("which program? See the top of this file"));
    let runs: usize = args.next().map_or(50, |runs| runs.parse().expect("how many runs?"));
    let dir = std::env::temp_dir().join(format!("play-by-commit-one-move-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    println!("the program: {:.1} MB, {runs} runs each", std::fs::metadata(&program).unwrap().len() as f64 / 1e6);
    let alice = ("alice", "c3");
    measure(&program, &dir, runs, "a table in mid-game", &mid_game(0), alice);
    measure(&program, &dir, runs, "beside 20,000 other records", &with_other_tables(mid_game(0)), alice);
    measure(&program, &dir, runs, "after 1,000 events in 144 games at it", &mid_game(144), alice);
    measure(&program, &dir, runs, "after 1,000 events in the same record (19x19)", &long_game(), ("alice", "s1"));
    drop(std::fs::remove_dir_all(dir));
}

/// Runs the program many times for the same move and prints the cost.
fn measure(program: &Path, dir: &Path, runs: usize, name: &str, world: &Arc<World>, (login, mv): (&str, &str)) {
    let start = world.with_state(State::clone);
    let server = Server::start(world.clone());
    let run_program = |url: &str, before: &[&str]| {
        world.change(|state| *state = start.clone());
        let id = world.comment(1, login, &format!("/move {mv}"));
        let event = format!(
            r#"{{"action":"created","issue":{{"number":1}},"comment":{{"id":{id},"body":"/move {mv}","user":{{"type":"User"}}}}}}"#
        );
        std::fs::write(dir.join("event.json"), event).unwrap();
        let mut words = before.iter().map(|word| (*word).into()).chain([program.as_os_str().to_owned()]);
        let mut command = Command::new(words.next().unwrap());
        command.args(words).arg("run").env_clear();
        command.env("GITHUB_EVENT_NAME", "issue_comment").env("GITHUB_EVENT_PATH", dir.join("event.json"));
        command.env("GITHUB_API_URL", url).env("GITHUB_GRAPHQL_URL", format!("{url}/graphql"));
        command.env("GITHUB_REPOSITORY", format!("{OWNER}/{NAME}")).env("PLAY_BY_COMMIT_TOKEN", TOKEN);
        let (commits, start) = (world.with_state(|state| state.commits.len()), Instant::now());
        let output = command.stdin(Stdio::null()).output().unwrap();
        let time = start.elapsed();
        assert!(output.status.success(), "{output:?}");
        let landed = world.with_state(|state| state.commits.len()) == commits + 1;
        assert!(landed, "the move has not landed: {output:?} {:?}", world.answers(1).last());
        (time, String::from_utf8(output.stderr).unwrap())
    };
    let mut times: Vec<Duration> = (0..runs).map(|_| run_program(&server.url, &[]).0).collect();
    times.sort_unstable();
    let median = times[runs / 2].as_secs_f64() * 1e3;
    let memory = if Path::new("/usr/bin/time").exists() {
        let mut peaks: Vec<u64> = (0..runs.min(15))
            .map(|_| {
                let (_, log) = run_program(&server.url, &["/usr/bin/time", "-f", "%M"]);
                log.lines().last().unwrap().trim().parse().unwrap()
            })
            .collect();
        peaks.sort_unstable();
        format!("{:.1} MB", peaks[peaks.len() / 2] as f64 * 1024.0 / 1e6)
    } else {
        "unknown".to_owned()
    };
    // The server keeps whole trees, so its commits are slower with more files.
    let start = Instant::now();
    world.land(&[("state/1.json", "")]);
    let own = start.elapsed().as_secs_f64() * 1e3;
    // Slow enough to detect concurrent requests.
    let relay = Relay::start(&server.url, Duration::from_millis(100));
    drop(run_program(&relay.url, &[]));
    let traffic = relay.take();
    println!(
        "{name}: {median:.1} ms (the server's own commit is {own:.1} ms of it), {memory}, {} requests of which {} in sequence, {} bytes sent, {} received",
        traffic.exchanges.len(),
        traffic.chain(),
        traffic.sent,
        traffic.received
    );
}

/// Returns a 3x3 table after four moves, with `games` earlier games.
fn mid_game(games: usize) -> Arc<World> {
    let world = table("/new tic-tac-toe @bob");
    for game in 0..games {
        let [first, second] = if game.is_multiple_of(2) { ["alice", "bob"] } else { ["bob", "alice"] };
        for (login, text) in [(first, "a1"), (second, "b1"), (first, "a2"), (second, "b2"), (first, "a3")] {
            play(&world, login, text);
        }
        play(&world, second, "/rematch");
    }
    let [first, second] = if games.is_multiple_of(2) { ["alice", "bob"] } else { ["bob", "alice"] };
    for (login, text) in [(first, "b2"), (second, "a1"), (first, "a2"), (second, "c2")] {
        play(&world, login, text);
    }
    Arc::new(world)
}

/// Adds 20,000 other tables to the repository.
fn with_other_tables(world: Arc<World>) -> Arc<World> {
    let record = world.file("state/1.json").unwrap();
    let records: Vec<_> = (2..20_002).map(|issue| (format!("state/{issue}.json"), record.clone())).collect();
    let records: Vec<(&str, &str)> = records.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    world.land(&records);
    world
}

/// Returns a table with a big board, where each move comes with a declined draw offer.
fn long_game() -> Arc<World> {
    let world = table("/new tic-tac-toe @bob size=19 k=19");
    for ply in 0..334 {
        let (row, column) = (19 - ply / 19, ply % 19);
        let [mover, other] = if ply % 2 == 0 { ["alice", "bob"] } else { ["bob", "alice"] };
        let cell = format!("{}{row}", char::from(b'a' + u8::try_from(column).unwrap()));
        play(&world, mover, &cell);
        // A draw offer needs a seated opponent.
        if ply > 0 {
            play(&world, mover, "/draw");
            play(&world, other, "/decline");
        }
    }
    Arc::new(world)
}

fn table(opening: &str) -> World {
    let world = World::new();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    // Start a few hours ago, so that the sweep window covers everything.
    world.change(|state| state.now = u64::try_from(now.as_millis()).unwrap() - 4 * 3_600_000);
    world.open_issue("alice", opening);
    run_bot(&world);
    world
}

fn play(world: &World, login: &str, text: &str) {
    let commits = world.with_state(|state| state.commits.len());
    world.comment(1, login, text);
    run_bot(world);
    assert_eq!(
        world.with_state(|state| state.commits.len()),
        commits + 1,
        "{login}: {text}: {:?}",
        world.answers(1).last()
    );
}

fn run_bot(world: &World) {
    let (policy, state_dir) = (HostPolicy::default(), "state".to_owned());
    let config = RepoConfig {
        policy,
        state_dir,
        noreply_domain: "users.noreply.github.com".to_owned(),
        skip_ci: false,
        web: None,
        terminal: Default::default(),
        pages: Vec::new(),
        bots: Vec::new(),
        sweep_days: 7,
        site_url: None,
        settings: None,
        min_comment_age: Duration::ZERO,
        notices_for_settings: false,
    };
    run(settle(world, &config, Trigger::Issue(IssueNumber::new(1)))).unwrap().unwrap();
}
