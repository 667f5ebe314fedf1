//! Measures the CPU time of a run when many comments are waiting.
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example waiting -- [COMMENTS]
//! ```
//!
//! Each row is a crowd that floods a table against the computer at level 8, or an open table. Then bob asks for the board, and
//! the bot runs until he has his answer. GitHub is in memory, so the time is the program's own.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use answers::Marker;
use games::GameKind;
use protocol::Trigger;
use protocol::settle::settle;
use table::CommentId;
use testkit::place;
use testkit::world::{Request, World, default_config, run};

/// The default number of waiting comments.
const COMMENTS: usize = 1_000;
/// The number of people in a crowd.
const CROWD: usize = 50;
/// The plies of a long game. The number is even, so that alice is to move.
const LONG: usize = 300;
/// Maximum number of one person's commands that a run answers without a commit.
const MAX_ANSWERS_PER_PERSON: usize = 20;
/// Words that look like moves of many games, a little less than a line that is searched for one.
const WORDS: &str = "d 3 d3 pass 11 15 22x18 e4 Nf3 8 5 6/5 swap bar 4 0 h8 take g to f6 13/7* O-O a 1 b 2 c";

fn main() {
    let comments = std::env::args().nth(1).map_or(COMMENTS, |count| count.parse().expect("a number of comments"));
    println!(
        "| Waiting | Comments | Runs | Requests | CPU s | CPU ms a comment |\n| --- | ---: | ---: | ---: | ---: | ---: |"
    );
    let player = |world: &World, text: &str, count: usize| {
        (0..MAX_ANSWERS_PER_PERSON).for_each(|_| _ = world.comment(1, "alice", "/move zz9"));
        (MAX_ANSWERS_PER_PERSON..count - 1).for_each(|_| _ = world.comment(1, "alice", text));
    };
    measure("nothing", "/new chess computer level=8", 0, |_, _| {});
    for (game, text, mv) in [
        ("chess", "/move Ng1", "/move Nf3"),
        ("connect-four", "/move c", "/move d"),
        ("othello", "/move c3", "/move d3"),
        ("hex size=11", "/move c3", "/move d4"),
        ("backgammon", "/move 13/7", "/move 13/8"),
    ] {
        let what = format!("a player's moves that may be legal later, {game}");
        measure(&what, &format!("/new {game} computer level=8"), comments, |world, count| {
            player(world, text, count);
            world.comment(1, "alice", mv);
        });
    }
    measure("a player's moves in a long game", "/new tic-tac-toe size=19 k=19 @bob", comments, |world, count| {
        for cell in 0..LONG {
            let comment = world.comment(1, if cell % 2 == 0 { "alice" } else { "bob" }, &format!("/move {cell}"));
            run_bot(world, Trigger::Comment { source: place(1, comment), table: None });
        }
        player(world, "t19", count);
        world.comment(1, "alice", "/move 360");
    });
    measure("a player's draw offers", "/new chess computer level=8", comments, |world, count| {
        player(world, "/draw", count);
    });
    measure("a stranger's `/computer`", "/new chess seats=open", comments, |world, count| {
        (0..count).for_each(|_| _ = world.comment(1, "mallory", "/computer 8"));
    });
    measure("a stranger's `/hint`", "/new chess seats=open", comments, |world, count| {
        (0..count).for_each(|_| _ = world.comment(1, "mallory", "/hint"));
    });
    measure("fifty strangers' moves", "/new chess computer level=8", comments, |world, count| {
        (0..count).for_each(|nth| _ = world.comment(1, &format!("guest{}", nth % CROWD), "/move e4"));
    });
    measure("fifty strangers' hints", "/new chess seats=open", comments, |world, count| {
        (0..count).for_each(|nth| _ = world.comment(1, &format!("guest{}", nth % CROWD), "/hint"));
    });
    for kind in GameKind::ALL.iter().copied() {
        let game = kind.info().name;
        measure(
            &format!("a stranger's unknown commands, {game}"),
            &format!("/new {game}"),
            comments,
            |world, count| {
                (0..count).for_each(|nth| _ = world.comment(1, "mallory", &format!("/boar{nth} {WORDS}")));
            },
        );
        measure(&format!("a player's long chats, {game}"), &format!("/new {game} @bob"), comments, |world, count| {
            let lines = [WORDS; 60].join("\n");
            (0..count).for_each(|nth| _ = world.comment(1, "alice", &format!("Well {nth} {WORDS}\n{lines}")));
        });
    }
    measure("a player's hints among chat", "/new chess computer level=8", comments, |world, count| {
        (0..count).for_each(|_| _ = world.comment(1, "alice", "I think Nf3 is good"));
    });
}

/// Opens a table, lets the crowd comment, and runs the bot until bob has his answer.
fn measure(what: &str, opening: &str, count: usize, crowd: impl FnOnce(&World, usize)) {
    let world = World::new();
    let issue = world.open_issue("alice", opening);
    run_bot(&world, Trigger::Comment { source: place(issue, 0), table: None });
    crowd(&world, count);
    let comment = world.comment(issue, "bob", "/board");
    world.clear_log();
    let (since, mut runs) = (cpu_time(), 0);
    while !world
        .answers(issue)
        .iter()
        .filter_map(|text| Marker::parse(text))
        .any(|marker| marker.source.comment == CommentId::new(comment))
    {
        run_bot(&world, Trigger::Comment { source: place(issue, comment), table: None });
        runs += 1;
        if (cpu_time() - since).as_secs() > 120 {
            println!("| {what} | {count} | {runs} | | over 120 | |");
            return;
        }
    }
    let (seconds, requests) = ((cpu_time() - since).as_secs_f64(), world.count(Request::Any));
    let each = seconds * 1_000.0 / count.max(1) as f64;
    println!("| {what} | {count} | {runs} | {requests} | {seconds:.2} | {each:.2} |");
}

fn run_bot(world: &World, trigger: Trigger) {
    run(settle(world, &default_config(), trigger)).expect("the run ends").expect("the run succeeds");
}

/// Returns the CPU time of this thread, or the time on the clock where the system doesn't tell.
fn cpu_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let used = text.split(' ').next().and_then(|nanos| nanos.parse().ok()).map(Duration::from_nanos);
    used.unwrap_or_else(|| START.elapsed())
}
