//! Generates a state directory with many games of all kinds, and their standings.
//!
//! A few hundred people play each other and sometimes the computer, all with the moves of level 1. Some games end by
//! resignation, and some never end. The same seed writes the same files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::{Millis, Scenario, place, resignation};
use game::{Level, Options, Seat};
use games::{GameKind, Random, RegisteredGame, with_game};
use standings::{count_result, files_needed};
use table::{
    CommentId, Commitment, Event, EventKind, IssueNumber, Key, Player, Table, TableStatus, Terms, Timestamp, UserId,
    state_file,
};

/// The number of people.
const PEOPLE: u64 = 300;
/// When the first table is opened: 2025-01-01, in milliseconds.
const BEGIN: Millis = 1_735_689_600_000;
/// The maximum time between two moves, in milliseconds.
const PAUSE: u64 = 20 * 60 * 60 * 1000;

/// Writes this many games into a directory.
pub fn write_games(dir: &Path, games: u64, seed: u64) {
    write_games_after(Vec::new(), dir, games, seed);
}

/// Writes games that look unlike the others on the website, and this many of all kinds after them.
pub fn write_unusual_games(dir: &Path, games: u64, seed: u64) {
    write_games_after(unusual_games(), dir, games, seed);
}

fn write_games_after(mut tables: Vec<Table>, dir: &Path, games: u64, seed: u64) {
    let (mut random, mut files) = (Random::new(seed), BTreeMap::new());
    let before = tables.len() as u64;
    for issue in before + 1..=before + games {
        let kind = GameKind::ALL[random.below(GameKind::ALL.len())];
        let at = BEGIN + issue * 60 * 60 * 1000;
        tables.push(with_game!(kind, G => game::<G>(&mut random, issue, at)));
    }
    tables.sort_by_key(Table::last_event_time);
    fs::create_dir_all(dir.join("players")).expect("a directory");
    for table in tables {
        let counted = if files_needed(&table).is_empty() { None } else { count_result(&table, &files).ok() };
        let table = match counted {
            Some(result) => {
                let table = result.record_in(table);
                files.extend(result.files);
                table
            }
            None => table,
        };
        write(dir, &format!("{}.json", table.issue()), &state_file::to_json(&table));
    }
    files.iter().for_each(|(path, text)| write(dir, path, text));
}

fn write(dir: &Path, path: &str, text: &str) {
    fs::write(dir.join(path), text).expect("a file");
}

/// Returns a running game of a crowd, a match, a large board, and games with a clock: one running, one out of time, and one
/// that was lost on time.
fn unusual_games() -> Vec<Table> {
    let scenario = Scenario::new();
    let play = |scenario: &Scenario, opening: &str, plies: usize| {
        let issue = scenario.open("alice", opening);
        let crowd = ["alice", "bob", "carol"];
        for at in 0..plies {
            let table = scenario.table(issue);
            if !table.is_playing() {
                break;
            }
            let people = if table.terms().open.is_some() { &crowd[..] } else { &crowd[..2] };
            let mover = match table.terms().open {
                Some(_) => people[at % people.len()],
                None => people[table.player_to_move().index()],
            };
            scenario.change(|state| state.now += (at as u64 % 7) * 37 * 60 * 1000);
            let chosen = table.game().choose(Level::new(1).expect("a level"), at as u64).expect("a choice");
            scenario.post(issue, mover, &format!("/move {}", table.game().notation(&chosen.mv)));
        }
        issue
    };
    let wait = |hours: u64| scenario.change(|state| state.now += hours * 60 * 60 * 1000);
    play(&scenario, "/new chess open", 33);
    play(&scenario, "/new backgammon @bob match=3", 400);
    let hex = play(&scenario, "/new hex 19x19 @bob", 60);
    scenario.post(hex, "bob", "/resign");
    let lost = play(&scenario, "/new chess @bob per-move=3d", 24);
    let late = play(&scenario, "/new othello @bob per-move=7d bank=14d", 9);
    wait(4 * 24);
    scenario.post(lost, "bob", "/claim");
    wait(8 * 24);
    play(&scenario, "/new chess @bob per-move=7d", 7);
    let issues = 1..=late + 1;
    let uncounted = |issue| scenario.table(issue).with_result_number(None).with_rating_changes(None);
    issues.map(uncounted).collect()
}

/// Returns a game between two people, or between a person and the computer.
pub fn game<G: RegisteredGame>(random: &mut Random, issue: u64, begin: Millis) -> Table {
    let level = Level::new(1).expect("a level");
    let people = [0; 2].map(|_| 1000 + (random.below(PEOPLE as usize) * random.below(PEOPLE as usize)) as u64 / PEOPLE);
    let people = if people[0] == people[1] { [people[0], people[0] + 1] } else { people };
    let login = |id: u64| format!("player-{id}");
    let computer = random.below(5) == 0;
    let key = Key::from_entropy([issue as u8; 32]);
    let commitment: Option<Commitment> = if G::HAS_DICE { Some(key.commitment()) } else { None };
    let start = G::KIND.configure(&mut Options::default()).expect("the usual options").expect("a position");
    let mut table = Table::new(IssueNumber::new(issue), 1, start, Terms::default());
    let mut at = begin;
    let opponent = Some(if computer { Player::Computer(level) } else { Player::invited(&login(people[1])) });
    let mut kind = EventKind::New { opponent, commitment, mentioned: Vec::new() };
    let (mut seat, mut comment) = (Seat::First, 0);
    let patience = 20 + random.below(160);
    loop {
        let source = place(issue, comment);
        let by = people[seat.index()];
        let event = Event {
            kind,
            seat: Some(seat),
            author: UserId::new(by),
            source,
            timestamp: Timestamp::from_millis(at),
            offers_draw: false,
            votes: Vec::new(),
            time_away: std::time::Duration::ZERO,
            clock_start: None,
            effects: Vec::new(),
            key: None,
        };
        table = table.append(event, &login(by), Some(&key)).expect("what may happen");
        comment = issue * 10_000 + table.history().len() as u64;
        at += random.below(PAUSE as usize) as u64;
        if table.status() != TableStatus::Playing || random.below(2_000) == 0 {
            return table.with_settled_through(CommentId::new(comment));
        }
        seat = table.player_to_move();
        kind = match table.history().len() {
            long if long > patience => resignation(table.game(), seat),
            _ => {
                let chosen = table.game().choose(level, random.next_u64()).expect("a choice");
                EventKind::Move { notation: table.game().notation(&chosen.mv), mv: chosen.mv }
            }
        };
    }
}
