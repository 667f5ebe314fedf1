//! Standings under random games and faults: races, killed runs and concurrent runs. Each result is counted once, and a recount
//! agrees.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::time::Duration;

use answers::block;
use protocol::settle::settle;
use serde_json::Value;
use standings::audit::audit;
use table::{Table, state_file};
use testkit::short_or_long;
use testkit::world::{Request, RequestFault, World, run};

use super::{LINKS, Page, Part, Random, TestRepo, state_files, trigger_for_comment, trigger_for_issue};
use testkit::forms;

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

/// A comment to write: the login, the issue (`None` for a new one), and the text.
struct Line {
    login: String,
    issue: Option<u64>,
    text: String,
}

/// Returns a random command for a table, mostly a legal one.
fn random_line(repo: &TestRepo, random: &mut Random, table: u64) -> Line {
    let json = repo.json(table);
    let seats: Vec<String> = json["seats"]
        .as_object()
        .unwrap()
        .values()
        .filter_map(|player| Some(player["login"].as_str()?.into()))
        .collect();
    let someone = |random: &mut Random| (*random.pick(&PEOPLE)).to_owned();
    let player = |random: &mut Random| match seats.is_empty() {
        true => (*random.pick(&PEOPLE)).to_owned(),
        false => random.pick(&seats).clone(),
    };
    let mover = repo.player_to_move(table);
    let (login, text) = match random.below(20) {
        _ if json["status"] != "playing" => (player(random), "/rematch".to_owned()),
        0 => (player(random), "/resign".to_owned()),
        1 | 2 => (player(random), "/draw".to_owned()),
        3 => (player(random), "/undo".to_owned()),
        4 | 5 => (player(random), "/accept".to_owned()),
        6 => {
            let waits = seats.iter().find(|login| Some(*login) != mover.as_ref()).cloned();
            (waits.unwrap_or_else(|| someone(random)), "/claim".to_owned())
        }
        7 if random.below(4) == 0 => ("mona".to_owned(), "/abort".to_owned()),
        8 => (someone(random), "/join".to_owned()),
        _ => {
            let all = forms(&block::block(&repo.table(table), &LINKS).text, &LINKS);
            let command = random.pick(&all).command().split(" #").next().unwrap().to_owned();
            (mover.unwrap_or_else(|| someone(random)), command)
        }
    };
    // The fake GitHub knows people by their first login.
    let login = if login == "robert" { "bob".to_owned() } else { login };
    match random.below(3) {
        0 => Line { login, issue: Some(table), text },
        1 => Line { login, issue: Some(1 + random.below(6) as u64), text: format!("{text} #{table}") },
        _ => Line { login, issue: None, text: format!("{text} #{table}") },
    }
}

impl Line {
    /// Writes the comment and returns its trigger.
    fn write(&self, world: &World) -> protocol::Trigger {
        match self.issue {
            None => trigger_for_issue(world, world.open_issue(&self.login, &self.text)),
            Some(issue) => trigger_for_comment(world, issue, world.comment(issue, &self.login, &self.text)),
        }
    }
}

/// Lets something go wrong with the next requests.
fn cause_trouble(world: &World, random: &mut Random) {
    let kinds = [Request::Read, Request::Files, Request::Commit, Request::Answer, Request::Any];
    let (kind, nth, applied) = (*random.pick(&kinds), 1 + random.below(3), random.below(2) == 0);
    match random.below(6) {
        0 => world.after(Request::Read, |world| drop(world.race())),
        1 => world.after(Request::Files, |world| drop(world.race())),
        2 => world.fail_nth(kind, nth, RequestFault::Lost { applied }),
        3 | 4 => world.fail_nth(kind, nth, RequestFault::Killed { applied }),
        _ => world.fail_nth(kind, nth, RequestFault::RetryAfter(Duration::from_secs(30))),
    }
}

/// Plays random games with random faults.
fn play_randomly(repo: &TestRepo, random: &mut Random) {
    let world = &repo.world;
    world.as_maintainer("mona");
    for (at, login) in PEOPLE.iter().enumerate() {
        let opponent = PEOPLE[(at + 1 + random.below(4)) % 5];
        repo.open_issue(login, &format!("/new {}", random.pick(&SETUPS).replace("{}", opponent)));
    }
    repo.open_issue("erin", "/new tic-tac-toe seats=open");
    for step in 0..90 {
        if step == 45 {
            // Somebody changes their login.
            world.change(|state| "robert".clone_into(&mut state.person("bob").login));
        }
        if random.below(8) == 0 {
            world.change(|state| state.now += 2 * 3_600_000);
        }
        // Often two runs at the same time, and often at the same table.
        let first = 1 + random.below(6) as u64;
        let second = if random.below(2) == 0 { first } else { 1 + random.below(6) as u64 };
        let one = random_line(repo, random, first).write(world);
        let two = (random.below(3) == 0).then(|| random_line(repo, random, second).write(world));
        if random.below(3) == 0 {
            cause_trouble(world, random);
        }
        let again = random.below(6) == 0;
        let settled = |trigger| settle(world, &repo.config, trigger);
        // A run may be killed or give up. The next ones recover.
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

/// Returns every record in a state directory, with its path.
fn records(files: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let is_record = |path: &str| {
        let name = path.strip_prefix("archive/").unwrap_or(path).strip_suffix(".json");
        name.is_some_and(|name| name.split('-').all(|number| number.parse::<u64>().is_ok()))
    };
    files.iter().filter(|(path, _)| is_record(path)).map(|(path, text)| (path.clone(), text.clone())).collect()
}

fn load_tables(files: &BTreeMap<String, String>) -> Vec<(String, Table)> {
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

/// A cache of parsed files, because most files are the same from one commit to the next.
type ParsedFiles = HashMap<String, Rc<Value>>;

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Returns the kind and the number of a record's result in the standings; `None` if it isn't counted.
fn counted_result(json: &Value) -> Option<(String, u64)> {
    let kind = if json["open"].is_object() { "open" } else { json["game"].as_str().unwrap() };
    Some((kind.to_owned(), json["counted"].as_u64()?))
}

/// Checks, without any code of the standings, that the numbers of each kind run from 1 without gaps, and that the scores are those
/// of the records. Returns the number of results.
#[track_caller]
fn check_standings(known: &mut ParsedFiles, files: &BTreeMap<String, String>, name: &str) -> usize {
    let mut parse = |text: &String| known.entry(text.clone()).or_insert_with(|| Rc::new(value(text))).clone();
    let mut numbers: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut tally: BTreeMap<(u64, String), [u64; 3]> = BTreeMap::new();
    for (path, text) in records(files) {
        let json = parse(&text);
        let seated: Vec<(&String, u64)> = json["seats"]
            .as_object()
            .unwrap()
            .iter()
            .filter_map(|(seat, player)| Some((seat, player["id"].as_u64()?)))
            .collect();
        let ended = json["status"] == "won" || json["status"] == "draw";
        let counts = ended && (seated.len() == 2 && has_agreed_players(&json) || json["movers"].is_array());
        assert_eq!(counted_result(&json).is_some(), counts, "{name}: {path} {}", json["status"]);
        let Some((kind, number)) = counted_result(&json) else { continue };
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

/// Whether both players have taken their seats, and the loser has moved. In a draw, both have.
fn has_agreed_players(json: &Value) -> bool {
    let kept = json["seats"].as_object().unwrap().values().any(|player| player["kept"] == true);
    let history = json["history"].as_array().unwrap();
    let mut must_have_moved = json["seats"].as_object().unwrap().keys().filter(|seat| json["winner"] != seat.as_str());
    let has_moved =
        |seat: &String| history.iter().any(|event| event["type"] == "move" && event["seat"] == seat.as_str());
    !kept && must_have_moved.all(has_moved)
}

/// Each community is determined by its number.
#[test]
fn counts_each_result_once_despite_faults() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for number in 0..short_or_long(2, 12) {
        let name = format!("community {number}");
        let repo = TestRepo::new(&page().fresh());
        play_randomly(&repo, &mut Random(number));
        for _ in 0..2 {
            repo.sweep();
        }
        let files = state_files(&repo.world);
        let mut known = ParsedFiles::new();
        let results = check_standings(&mut known, &files, &name);
        let sheets = files.iter().filter(|(path, _)| path.starts_with("players/"));
        let sheets: BTreeMap<_, _> = sheets.map(|(path, text)| (path.clone(), text.clone())).collect();
        let found = audit(load_tables(&files), &sheets);
        assert_eq!((found.faults, found.uncounted), (Vec::new(), Vec::new()), "{name}");
        assert_eq!((found.expected, found.results), (sheets, results), "{name}");
        // The commit that ends a game also counts its result, so the standings are right at every commit.
        let commits = repo.world.with_state(|state| state.commits.clone());
        for commit in commits.values() {
            let below = commit.files.iter().filter_map(|(path, text)| Some((path.strip_prefix("state/")?, text)));
            check_standings(
                &mut known,
                &below.map(|(path, text)| (path.to_owned(), text.clone())).collect(),
                &commit.headline,
            );
        }
        let standings = |_| (results > 0).then(|| repo.expected_ranking(None));
        assert_eq!(repo.readme(), page().with(|_| Some(repo.expected_block(1)), standings), "{name}");
        for (_, text) in records(&files) {
            let json = value(&text);
            let how = json["history"].as_array().unwrap().last().unwrap()["type"].as_str().unwrap().to_owned();
            if json["status"] != "playing" {
                *kinds.entry(format!("{} by {how}", json["status"].as_str().unwrap())).or_default() += 1;
                *kinds.entry(counted_result(&json).map_or("uncounted".to_owned(), |(kind, _)| kind)).or_default() += 1;
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
    // A few communities don't cover everything.
    assert!(missing.len() <= short_or_long(4, 0), "this never happened: {missing:?} in {kinds:#?}");
}
