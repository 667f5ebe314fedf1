//! Games that count and games that don't, by what people write.

use std::collections::BTreeMap;

use standings::audit::audit;
use table::{IssueNumber, ResultNumber};
use testkit::Scenario;

const UNRATED: &str = "This game isn't rated because it starts from a chosen position.";
const MATE: &str = "fen=6k1/5ppp/8/8/8/8/8/R6K_w_-_-_0_1";

/// Whether the game in this issue, which has ended, was counted in the standings.
#[track_caller]
fn is_counted(scenario: &Scenario, issue: u64) -> bool {
    let table = scenario.table(issue);
    assert!(table.is_over());
    let counted = table.result_number().is_some();
    assert_eq!(scenario.file("state/players/chess.json").is_some(), counted);
    counted
}

#[test]
fn a_mate_in_one_from_a_chosen_position_costs_nobody_a_rating() {
    let scenario = Scenario::played(&format!("/new chess {MATE}"), &["bob: /join", "alice: Ra8"]);
    assert!(scenario.answers(1)[0].contains(UNRATED));
    assert!(!is_counted(&scenario, 1));
}

#[test]
fn a_rematch_from_a_chosen_position_is_not_rated() {
    let lines = ["bob: /join", "alice: Ra8", "bob: /rematch", "bob: Ra8"];
    let scenario = Scenario::played(&format!("/new chess {MATE}"), &lines);
    assert!(scenario.answers(1)[3].contains(UNRATED));
    assert_eq!(scenario.table(1).round(), 2);
    assert!(!is_counted(&scenario, 1));
}

#[test]
fn a_game_from_a_chosen_position_is_not_rated_in_another_issue() {
    let lines = ["bob: /join", "alice opens: /continue #1", "alice: Ra8"];
    let scenario = Scenario::played(&format!("/new chess {MATE}"), &lines);
    assert!(scenario.answers(2)[0].contains(UNRATED));
    assert!(!is_counted(&scenario, 2));
}

#[test]
fn an_open_table_with_a_chosen_position_credits_nobody() {
    let scenario = Scenario::played(&format!("/new chess seats=open {MATE}"), &["bob: /move Ra8"]);
    assert!(scenario.answers(1)[0].contains(UNRATED));
    assert!(scenario.table(1).is_over());
    assert_eq!((scenario.table(1).result_number(), scenario.file("state/players/open.json")), (None, None));
}

/// The answer of a casual game.
const CASUAL: &str = "This game is casual, so it changes no ratings.";

#[test]
fn a_casual_game_is_not_rated_and_neither_is_its_rematch() {
    let lines = ["bob: /join", "alice: e4", "bob: e5", "alice: /resign", "bob: /rematch"];
    for (opened, casual) in [("/new chess @bob casual", true), ("/new chess @bob rated", false)] {
        let scenario = Scenario::played(opened, &lines);
        let said = [0, 5].map(|answer| scenario.answers(1)[answer].contains(CASUAL));
        assert_eq!(said, [casual, casual], "{opened}");
        let finished = scenario.file("state/archive/1-1.json").unwrap();
        assert_eq!(finished.contains("\"casual\": true"), casual, "{opened}");
        let finished = table::state_file::load(&finished, IssueNumber::new(1)).unwrap();
        assert_eq!(finished.result_number().is_none(), casual, "{opened}");
        assert_eq!(scenario.file("state/players/chess.json").is_none(), casual, "{opened}");
        assert_eq!(scenario.file("state/1.json").unwrap().contains("\"casual\": true"), casual, "{opened}");
    }
}

#[test]
fn a_casual_game_is_casual_in_another_issue_at_an_open_table_and_against_the_computer() {
    let continued = ["bob: /join", "alice opens: /continue #1", "alice: b2", "bob: a1", "alice: /resign"];
    let scenario = Scenario::played("/new tic-tac-toe @bob casual", &continued);
    assert!(scenario.answers(2)[0].contains(CASUAL));
    assert_eq!(scenario.table(2).result_number(), None);
    let open = ["alice: a1", "bob: a2", "alice: b1", "bob: b2", "alice: c1"];
    for (options, counted) in [("seats=open gap=0 casual", None), ("seats=open gap=0", Some(1))] {
        let scenario = Scenario::played(&format!("/new tic-tac-toe {options}"), &open);
        assert!(scenario.table(1).is_over());
        assert_eq!(scenario.table(1).result_number().map(ResultNumber::get), counted, "{options}");
    }
}

#[test]
fn a_variant_has_ratings_of_its_own() {
    for (opened, own, base) in
        [("/new gomoku @bob", "gomoku", "tic-tac-toe"), ("/new chess960 @bob", "chess960", "chess")]
    {
        let moves = if base == "chess" { ["alice: d4", "bob: d5"] } else { ["alice: h8", "bob: h9"] };
        let scenario = Scenario::played(opened, &[&moves[..], &["alice: /resign"]].concat());
        let record = scenario.file("state/1.json").unwrap();
        assert!(record.contains(&format!("\"countedAs\": \"{own}\"")), "{opened}");
        let table = table::state_file::load(&record, IssueNumber::new(1)).unwrap();
        let file = |name: &str| scenario.file(&format!("state/players/{name}.json"));
        assert!(file(own).is_some() && file(base).is_none(), "{opened}");
        // A recount gives the files that are there.
        let recounted = audit([("1.json".to_owned(), table)], &BTreeMap::new()).expected;
        assert_eq!(recounted.len(), 3);
        for (path, text) in recounted {
            assert_eq!(scenario.file(&format!("state/{path}")), Some(text), "{path}");
        }
    }
}

#[test]
fn a_chess960_setup_is_rated_unless_somebody_chose_its_number() {
    for (opened, rated) in [("/new chess960 @bob", true), ("/new chess960 7 @bob", false), ("/new chess @bob", true)] {
        let scenario = Scenario::played(opened, &["alice: d4", "bob: d5", "alice: /resign", "bob: /rematch"]);
        let said = [0, 4].map(|answer| scenario.answers(1)[answer].contains(UNRATED));
        assert_eq!(said, [!rated, !rated], "{opened}");
        let finished =
            table::state_file::load(&scenario.file("state/archive/1-1.json").unwrap(), IssueNumber::new(1)).unwrap();
        assert_eq!(finished.result_number().is_some(), rated, "{opened}");
    }
}

#[test]
fn the_last_answer_and_the_record_say_how_the_ratings_changed() {
    let scenario = Scenario::played("/new tic-tac-toe @bob", &["alice: b2", "bob: a1", "bob: /resign"]);
    let said = "New ratings: **alice** 1662 (+162, provisional), **bob** 1338 (−162, provisional).";
    assert!(scenario.reply(1).contains(said), "{}", scenario.reply(1));
    let record = scenario.record(1);
    let files: BTreeMap<String, String> = standings::ranking_paths()
        .into_iter()
        .chain([1001, 1002].map(|id| format!("players/{id}.json")))
        .filter_map(|path| Some((path.clone(), scenario.file(&format!("state/{path}"))?)))
        .collect();
    let load = |text: &str| table::state_file::load(text, IssueNumber::new(1));
    let faults = |text: &str| audit([("1.json".to_owned(), load(text).unwrap())], &files).faults;
    assert_eq!(faults(&record), Vec::<String>::new());
    // Other programs write whole numbers without a point.
    assert_eq!(faults(&record.replace("\"before\": 1500.0", "\"before\": 1500")), Vec::<String>::new());
    let wrong = faults(&record.replacen("1662.31", "1800.0", 1));
    assert!(
        wrong[0].starts_with("in `1.json`, `ratings` is `[{\"before\":1500.0,\"after\":1800.0,") && wrong.len() == 1,
        "{wrong:?}"
    );
    let bad = [("\"counted\": 1,\n  ", "", "`ratings` is set"), ("1662.31", "1e9", "`ratings` has a number")];
    for (good, bad, why) in bad {
        let why_not = load(&record.replacen(good, bad, 1)).unwrap_err().to_string();
        assert!(why_not.starts_with(why), "{why_not}");
    }
}

#[test]
fn a_game_that_does_not_count_says_nothing_about_ratings() {
    for opened in ["/new tic-tac-toe @bob casual", "/new tic-tac-toe computer level=1"] {
        let scenario = Scenario::played(opened, &["alice: b2", "bob: a1", "alice: /resign"]);
        assert!(scenario.table(1).is_over() && !scenario.reply(1).contains("ratings:"), "{}", scenario.reply(1));
        assert!(!scenario.record(1).contains("\"ratings\""));
    }
}
