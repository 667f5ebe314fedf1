//! Plays some moves of every game on clickable boards and writes each repository's page, rendered, next to its files.
//!
//! GitHub is in memory. Prints the cost of a move for each page.
//!
//! ```text
//! cargo run -p play-by-commit-testkit --example clicked -- DIR
//! ```
//!
//! `tests/look/clicked.sh` renders the pages as GitHub does and checks them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use answers::OutputFormat;
use answers::announce::show;
use protocol::Trigger;
use protocol::settle::settle;
use pulldown_cmark::{Options, Parser, html};
use table::{CommentId, CommentRef, HostPolicy, IssueNumber, Query, Timestamp, state_file};
use testkit::world::{World, default_config, run};

/// A page's name, the setups of its tables, and the number of moves at each.
const PAGES: &[(&str, &[&str], usize)] = &[
    ("tic-tac-toe", &["tic-tac-toe"], 4),
    ("tic-tac-toe-9", &["tic-tac-toe size=9"], 30),
    ("gomoku", &["gomoku"], 40),
    ("tic-tac-toe-19", &["tic-tac-toe 19x19"], 100),
    ("ultimate", &["ultimate-tic-tac-toe"], 42),
    ("connect-four", &["connect-four"], 17),
    ("othello", &["othello"], 20),
    ("hex", &["hex"], 40),
    ("hex-19", &["hex size=19"], 60),
    ("checkers", &["checkers"], 31),
    ("chess", &["chess"], 25),
    ("backgammon", &["backgammon"], 6),
    ("several", &["tic-tac-toe", "chess", "connect-four", "checkers", "chess"], 5),
];

fn main() {
    let dir = PathBuf::from(std::env::args().nth(1).expect("which directory? See the top of this file"));
    for (name, setups, moves) in PAGES {
        let world = World::new();
        let markers = |table| format!("<!-- play-by-commit:table {table} -->\n<!-- /play-by-commit:table -->\n\n");
        let page: String = (1..=setups.len()).map(markers).collect();
        world.land(&[("README.md", &format!("# Octo's games\n\n{page}"))]);
        let mut costs: Vec<(usize, usize)> = Vec::new();
        for (setup, table) in setups.iter().zip(1..) {
            let issue = world.open_issue("alice", &format!("/new {setup} seats=open gap=0"));
            settle_comment(&world, CommentRef { issue: IssueNumber::new(issue), comment: CommentId::new(0) });
            for ply in 0..*moves {
                let Some(mv) = pick_move(&world, table, ply) else { break };
                let before = files(&world);
                let comment = world.comment(table, "bob", &format!("/move {mv}"));
                settle_comment(&world, CommentRef { issue: IssueNumber::new(table), comment: CommentId::new(comment) });
                let after = files(&world);
                let changed = after.iter().filter(|(path, text)| before.get(*path) != Some(*text));
                let page = after["README.md"].len();
                costs.push((changed.map(|(_, text)| text.len()).sum(), page));
            }
        }
        let files = files(&world);
        for (path, text) in &files {
            let path = dir.join(name).join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut page = String::new();
        html::push_html(&mut page, Parser::new_ext(&files["README.md"], Options::ENABLE_TABLES | Options::ENABLE_GFM));
        std::fs::write(dir.join(format!("{name}.html")), page).unwrap();
        let (tiles, bytes) = files
            .iter()
            .filter(|(path, _)| path.contains("/tiles/"))
            .fold((0, 0), |(n, all), (_, text)| (n + 1, all + text.len()));
        let middle = costs.len() / 2;
        let mean = costs.iter().map(|(all, _)| all).sum::<usize>() / costs.len();
        println!(
            "{name}: {mean} bytes a move on average, of move {middle} {:?} (all, page), {tiles} tiles of {bytes} bytes",
            costs[middle]
        );
    }
}

fn settle_comment(world: &World, source: CommentRef) {
    run(settle(world, &default_config(), Trigger::Comment { source, table: None })).unwrap().unwrap();
}

/// Returns a legal move that varies with the ply.
fn pick_move(world: &World, table: u64, ply: usize) -> Option<String> {
    let record = state_file::load(&world.file(&format!("state/{table}.json"))?, IssueNumber::new(table)).ok()?;
    let list = show(
        &Query::Moves,
        Some(&record),
        &HostPolicy::default(),
        Timestamp::from_millis(0),
        OutputFormat::MarkdownText,
    );
    let moves = list.split_once("legal move")?.1;
    let moves: Vec<&str> = moves.split('`').skip(1).step_by(2).collect();
    let at = (ply * 7 + ply * ply * 3) % moves.len().max(1);
    moves.get(at).map(|mv| (*mv).to_owned())
}

fn files(world: &World) -> BTreeMap<String, String> {
    let head = world.head().unwrap().to_string();
    world.with_state(|state| {
        state.commits[&head].files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect()
    })
}
