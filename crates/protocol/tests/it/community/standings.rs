//! The standings add up: whatever games there are and however they end, in whatever order runs settle them, with races,
//! killed runs and runs at the same time, each result is counted once, and counting everything again finds the same.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::time::Duration;

use answers::pages::block;
use protocol::settle::settle;
use serde_json::Value;
use standings::audit::audit;
use table::any_table::AnyTable;
use table::state_file;
use testkit::often;
use testkit::world::{Request, Trouble, World, run};

use super::{Chance, LINKS, Page, Part, Town, commented, opened, state_files};
use testkit::browser::forms;

const PEOPLE: [&str; 5] = ["alice", "bob", "carol", "dave", "erin"];
const SETUPS: [&str; 10] = [
    "tic-tac-toe @{}",
    "backgammon match=1 per-move=1h @{}",
    "tic-tac-toe per-move=1h @{}",
    "tic-tac-toe 4x4 @{}",
    "tic-tac-toe",
    "ultimate-tic-tac-toe @{}",
    "backgammon @{}",
    "backgammon match=2 @{}",
    "tic-tac-toe seats=open",
    "tic-tac-toe seats=open gap=0",
];

fn page() -> Page {
    let parts = vec![Part::Text("# Games\n\n"), Part::Table(1), Part::Text("\n\n"), Part::Standings(None)];
    Page { parts, crlf: false }
}

/// Something that somebody says: who, where (an issue that is there, or a new one), and what.
struct Line {
    login: String,
    issue: Option<u64>,
    text: String,
}

/// What somebody might do at a table now. Most of it is legal.
fn idea(town: &Town, chance: &mut Chance, table: u64) -> Line {
    let json = town.json(table);
    let seats: Vec<String> = json["seats"]
        .as_object()
        .unwrap()
        .values()
        .filter_map(|sitter| Some(sitter["login"].as_str()?.into()))
        .collect();
    let someone = |chance: &mut Chance| (*chance.pick(&PEOPLE)).to_owned();
    let player = |chance: &mut Chance| match seats.is_empty() {
        true => (*chance.pick(&PEOPLE)).to_owned(),
        false => chance.pick(&seats).clone(),
    };
    let mover = town.on_turn(table);
    let (login, text) = match chance.below(20) {
        _ if json["status"] != "playing" => (player(chance), "/rematch".to_owned()),
        0 => (player(chance), "/resign".to_owned()),
        1 | 2 => (player(chance), "/draw".to_owned()),
        3 => (player(chance), "/undo".to_owned()),
        4 | 5 => (player(chance), "/accept".to_owned()),
        6 => {
            let waits = seats.iter().find(|login| Some(*login) != mover.as_ref()).cloned();
            (waits.unwrap_or_else(|| someone(chance)), "/claim".to_owned())
        }
        7 if chance.below(4) == 0 => ("mona".to_owned(), "/abort".to_owned()),
        8 => (someone(chance), "/join".to_owned()),
        _ => {
            let all = forms(&block::block(&town.table(table), &LINKS).text, &LINKS);
            let command = chance.pick(&all).command().rsplit_once(' ').unwrap().0.to_owned();
            (mover.unwrap_or_else(|| someone(chance)), command)
        }
    };
    // People go by the name that they have now; the world knows them by the one that they began with.
    let login = if login == "robert" { "bob".to_owned() } else { login };
    match chance.below(3) {
        0 => Line { login, issue: Some(table), text },
        1 => Line { login, issue: Some(1 + chance.below(6) as u64), text: format!("{text} #{table}") },
        _ => Line { login, issue: None, text: format!("{text} #{table}") },
    }
}

impl Line {
    /// It is said, and this is what its webhook wakes.
    fn said(&self, world: &World) -> protocol::repo_config::Trigger {
        match self.issue {
            None => opened(world, world.open_issue(&self.login, &self.text)),
            Some(issue) => commented(world, issue, world.comment(issue, &self.login, &self.text)),
        }
    }
}

/// Something goes wrong with the next requests.
fn trouble(world: &World, chance: &mut Chance) {
    let kinds = [Request::Read, Request::Files, Request::Commit, Request::Answer, Request::React, Request::Any];
    let (kind, nth, applied) = (*chance.pick(&kinds), 1 + chance.below(3), chance.below(2) == 0);
    match chance.below(6) {
        0 => world.after(Request::Read, |world| drop(world.race())),
        1 => world.after(Request::Files, |world| drop(world.race())),
        2 => world.fail_nth(kind, nth, Trouble::Lost { applied }),
        3 | 4 => world.fail_nth(kind, nth, Trouble::Dies { applied }),
        _ => world.fail_nth(kind, nth, Trouble::Later(Duration::from_secs(30))),
    }
}

fn live(town: &Town, chance: &mut Chance) {
    let world = &town.world;
    world.as_maintainer("mona");
    for (at, login) in PEOPLE.iter().enumerate() {
        let opponent = PEOPLE[(at + 1 + chance.below(4)) % 5];
        town.opens(login, &format!("/new {}", chance.pick(&SETUPS).replace("{}", opponent)));
    }
    town.opens("erin", "/new tic-tac-toe seats=open");
    for step in 0..90 {
        if step == 45 {
            // Somebody has another name from now on.
            world.change(|state| "robert".clone_into(&mut state.person("bob").login));
        }
        if chance.below(8) == 0 {
            world.change(|state| state.now += 2 * 3_600_000);
        }
        // At the same time as often as not, and at the same table as often as not.
        let first = 1 + chance.below(6) as u64;
        let second = if chance.below(2) == 0 { first } else { 1 + chance.below(6) as u64 };
        let one = idea(town, chance, first).said(world);
        let two = (chance.below(3) == 0).then(|| idea(town, chance, second).said(world));
        if chance.below(3) == 0 {
            trouble(world, chance);
        }
        let again = chance.below(6) == 0;
        let settled = |wake| settle(world, &town.place, wake);
        // Whatever comes of it: a run may be killed or give up, and the next ones make good.
        match two {
            Some(two) => {
                world.interleave();
                drop(run(async { tokio::join!(settled(one), settled(two)) }));
            }
            None if again => {
                world.interleave();
                drop(run(async { tokio::join!(settled(one), settled(one)) }));
            }
            None => drop(run(settled(one))),
        }
    }
    world.calm();
}

/// Every record below a state directory, with its path.
fn records(files: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let is_record = |path: &str| {
        let name = path.strip_prefix("archive/").unwrap_or(path).strip_suffix(".json");
        name.is_some_and(|name| name.split('-').all(|number| number.parse::<u64>().is_ok()))
    };
    files.iter().filter(|(path, _)| is_record(path)).map(|(path, text)| (path.clone(), text.clone())).collect()
}

fn loaded(files: &BTreeMap<String, String>) -> Vec<(String, AnyTable)> {
    let issue = |path: &str| {
        let name = path.strip_prefix("archive/").unwrap_or(path);
        name.split(['-', '.']).next().unwrap().parse().unwrap()
    };
    let table = |(path, text): (String, String)| {
        let table = state_file::load(&text, issue(&path)).unwrap_or_else(|why| panic!("{path}: {why}"));
        (path, table)
    };
    records(files).into_iter().map(table).collect()
}

/// Texts that were read before: most files are the same from one commit to the next.
type Known = HashMap<String, Rc<Value>>;

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The kind of result that a record has in the standings, the number of it, and who has what of it: won, drawn, lost.
fn result(json: &Value) -> Option<(String, u64)> {
    let kind = if json["open"].is_object() { "open" } else { json["game"].as_str().unwrap() };
    Some((kind.to_owned(), json["counted"].as_u64()?))
}

/// Without any code of the standings: the numbers of each kind run from 1, each there once, and everybody's wins, draws and
/// losses are those of the records.
#[track_caller]
fn adds_up(known: &mut Known, files: &BTreeMap<String, String>, name: &str) -> usize {
    let mut parse = |text: &String| known.entry(text.clone()).or_insert_with(|| Rc::new(value(text))).clone();
    let mut numbers: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut tally: BTreeMap<(u64, String), [u64; 3]> = BTreeMap::new();
    for (path, text) in records(files) {
        let json = parse(&text);
        let seated: Vec<(&String, u64)> = json["seats"]
            .as_object()
            .unwrap()
            .iter()
            .filter_map(|(seat, sitter)| Some((seat, sitter["id"].as_u64()?)))
            .collect();
        let ended = json["status"] == "won" || json["status"] == "draw";
        let counts = ended && (seated.len() == 2 && agreed(&json) || json["movers"].is_array());
        assert_eq!(result(&json).is_some(), counts, "{name}: {path} {}", json["status"]);
        let Some((kind, number)) = result(&json) else { continue };
        numbers.entry(kind.clone()).or_default().push(number);
        for (seat, id) in seated {
            let at = match &json["winner"] {
                Value::Null => 1,
                winner if *winner == **seat => 0,
                _ => 2,
            };
            tally.entry((id, kind.clone())).or_default()[at] += 1;
        }
    }
    for (kind, mut all) in numbers.clone() {
        all.sort_unstable();
        assert_eq!(all, (1..=all.len() as u64).collect::<Vec<_>>(), "{name}: the numbers of {kind}");
        let ranking = parse(&files[&format!("players/{kind}.json")]);
        assert_eq!(ranking["counted"].as_u64(), Some(all.len() as u64), "{name}: {kind}");
    }
    for ((id, kind), [wins, draws, losses]) in &tally {
        let score = parse(&files[&format!("players/{id}.json")])["games"][kind].clone();
        let there = ["wins", "draws", "losses"].map(|word| score[word].as_u64().unwrap());
        assert_eq!(there, [*wins, *draws, *losses], "{name}: {id} at {kind}");
    }
    numbers.values().map(Vec::len).sum()
}

/// Whether both have taken their seats, and the loser has moved.
fn agreed(json: &Value) -> bool {
    let kept = json["seats"].as_object().unwrap().values().any(|sitter| sitter["kept"] == true);
    let history = json["history"].as_array().unwrap();
    let lost = |event: &Value| event["type"] == "move" && event["seat"] != json["winner"];
    !kept && (json["winner"].is_null() || history.iter().any(lost))
}

/// Any one of these communities can be had again by its number.
#[test]
fn whatever_happens_each_result_is_counted_once() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for number in 0..often(2, 12) {
        let name = format!("community {number}");
        let town = Town::new(&page().fresh());
        live(&town, &mut Chance(number));
        for _ in 0..2 {
            town.sweep();
        }
        let files = state_files(&town.world);
        let mut known = Known::new();
        let results = adds_up(&mut known, &files, &name);
        let sheets = files.iter().filter(|(path, _)| path.starts_with("players/"));
        let sheets: BTreeMap<_, _> = sheets.map(|(path, text)| (path.clone(), text.clone())).collect();
        let found = audit(loaded(&files), &sheets);
        assert_eq!((found.faults, found.uncounted), (Vec::new(), Vec::new()), "{name}");
        assert_eq!((found.expected, found.results), (sheets, results), "{name}");
        // A result is in the very commit that ended the game: the standings were never behind, at no commit.
        let commits = town.world.look(|state| state.commits.clone());
        for commit in commits.values() {
            let below = commit.files.iter().filter_map(|(path, text)| Some((path.strip_prefix("state/")?, text)));
            adds_up(&mut known, &below.map(|(path, text)| (path.to_owned(), text.clone())).collect(), &commit.headline);
        }
        let standings = |_| (results > 0).then(|| town.ranking(None));
        assert_eq!(town.readme(), page().with(|_| Some(town.block(1)), standings), "{name}");
        for (_, text) in records(&files) {
            let json = value(&text);
            let how = json["history"].as_array().unwrap().last().unwrap()["type"].as_str().unwrap().to_owned();
            if json["status"] != "playing" {
                *kinds.entry(format!("{} by {how}", json["status"].as_str().unwrap())).or_default() += 1;
                *kinds.entry(result(&json).map_or("uncounted".to_owned(), |(kind, _)| kind)).or_default() += 1;
            }
        }
    }
    println!("{kinds:#?}");
    let wanted = [
        "won by move",
        "won by resign",
        "won by claim",
        "draw by move",
        "draw by acceptDraw",
        "aborted by abort",
        "tic-tac-toe",
        "ultimate-tic-tac-toe",
        "backgammon",
        "open",
        "uncounted",
    ];
    let missing: Vec<_> = wanted.iter().filter(|what| !kinds.contains_key(**what)).collect();
    // A few communities do not see everything.
    assert!(missing.len() <= often(4, 0), "this never happened: {missing:?} in {kinds:#?}");
}
