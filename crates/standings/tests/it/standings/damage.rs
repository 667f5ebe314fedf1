//! Damaged, lost and invented entries are named and have no effect.

use proptest::prelude::*;
use standings::{count_result, files_needed};

use testkit::standings_fixture::{ALICE, BOB, CARL, game, given_up_alone, numbered, open_game};
use testkit::{End, StandingsFixture};

/// A few games of two kinds, and an open one.
fn build_fixture() -> StandingsFixture {
    let mut fixture = StandingsFixture::default();
    fixture.finish(game("tic-tac-toe", 1, 5000, [ALICE, BOB], End::Won(0)));
    fixture.finish(game("tic-tac-toe", 2, 5001, [BOB, CARL], End::Drawn));
    fixture.finish(game("backgammon", 3, 5002, [CARL, BOB], End::Won(1)));
    fixture.finish(open_game(4, 5003, 3));
    fixture.finish(game("tic-tac-toe", 5, 5004, [ALICE, CARL], End::Won(1)));
    fixture
}

#[test]
fn a_changed_digit_anywhere_is_found() {
    let good = build_fixture();
    good.holds();
    let mut changed = 0;
    for (path, text) in &good.files {
        for (at, digit) in text.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
            let other = if digit == '9' { '8' } else { char::from(digit as u8 + 1) };
            let mut fixture = good.clone();
            fixture.files.get_mut(path).unwrap().replace_range(at..=at, &other.to_string());
            let found = fixture.audit();
            assert!(found.faults.iter().any(|sentence| sentence.contains(path)), "{path} at {at}: {:?}", found.faults);
            assert_eq!(found.expected, good.files);
            changed += 1;
        }
    }
    assert!(changed > 250, "{changed} digits");
}

/// Replaces one text in a file, and checks what counting a result and the recount report.
#[track_caller]
fn check_fault(path: &str, find: &str, put: &str, counted: &str, audited: &str) {
    let mut fixture = build_fixture();
    let text = fixture.files.get_mut(path).unwrap();
    assert!(text.contains(find), "{find:?} is in {text}");
    *text = text.replacen(find, put, 1);
    let table = game("tic-tac-toe", 9, 6000, [ALICE, CARL], End::Won(0));
    let files = files_needed(&table)
        .into_iter()
        .filter_map(|path| Some((path.clone(), fixture.files.get(&path)?.clone())))
        .collect();
    let error = count_result(&table, &files).unwrap_err().to_string();
    assert!(error.contains(path) && error.contains(counted), "{error}");
    let found = fixture.audit().faults.join("\n");
    assert!(found.contains(path) && found.contains(audited), "{found}");
}

#[test]
fn damage_is_named() {
    let (alice, table) = ("players/1001.json", "players/tic-tac-toe.json");
    for (path, find, put, counted, audited) in [
        (alice, r#""schema": 1"#, r#""schema": 2"#, "`schema` is 2", "`schema` is `2`; it should be `1`"),
        (alice, r#""id": 1001"#, r#""id": 1002"#, "`id` is 1002", "`id` is `1002`; it should be `1001`"),
        (alice, r#""login": "alice""#, r#""login": "al ice""#, "`login` isn't a valid username", "`login` is"),
        (alice, r#""login""#, r#""note": 1, "login""#, "unknown field `note`", "`\"note\"` shouldn't be there"),
        (alice, r#""login": "alice","#, "", "missing field `login`", "`login` is missing; it should be `\"alice\"`"),
        (
            alice,
            r#""tic-tac-toe""#,
            r#""halma""#,
            "this version of play-by-commit doesn't know the game `",
            "`games.tic-tac-toe` is missing",
        ),
        (
            alice,
            r#""wins": 1"#,
            r#""wins": 2"#,
            "don't add up to `games`",
            "`games.tic-tac-toe.wins` is `2`; it should be `1`",
        ),
        (alice, r#""wins": 1"#, r#""wins": 18446744073709551615"#, "don't add up to", "`games.tic-tac-toe.wins`"),
        (alice, r#""wins": 1"#, r#""wins": 1, "wins": 1"#, "duplicate field `wins`", "duplicate field `wins`"),
        (
            alice,
            r#""rating": 1"#,
            r#""rating": 1.0001, "was": 1"#,
            "unknown field `was`",
            "`\"was\"` in `games.tic-tac-toe`",
        ),
        (alice, r#""rating": "#, r#""rating": 1e"#, "damaged", alice),
        (alice, r#""rating": 1"#, r#""rating": 9"#, "from 0 to 5000", "`games.tic-tac-toe.rating` is"),
        (alice, r#""volatility": 0.0"#, r#""volatility": 0.9"#, "from 0.01 to 0.2", "volatility"),
        (alice, r#""volatility": 0.06"#, r#""volatility": 0.061234567"#, "which has too many digits", "volatility"),
        (
            alice,
            r#""moves": 3"#,
            r#""moves": 0"#,
            "`games` has to be at least 1, and `moves` at least as many",
            "`open.moves` is `0`; it should be `3`",
        ),
        (alice, "{", "[", "damaged", "damaged"),
        (alice, r#""games": 2, "wins": 1"#, r#""games": 3, "wins": 2"#, table, "`games.tic-tac-toe.games` is `3`"),
        (table, r#""game": "tic-tac-toe""#, r#""game": "backgammon""#, "is named for tic-tac-toe", "`game` is"),
        (
            table,
            r#""counted": 3"#,
            r#""counted": 1"#,
            "`games` is more than `counted`",
            "`counted` is `1`; it should be `3`",
        ),
        (table, r#""players": 3"#, r#""players": 4"#, "`top` has 3 people", "`players` is `4`; it should be `3`"),
        (table, r#""id": 1001"#, r#""id": 1003"#, "in `top[", "id` is"),
        (table, r#""login": "bob""#, r#""login": "@bob""#, "`login` isn't a valid username", "login` is"),
    ] {
        check_fault(path, find, put, counted, audited);
    }
}

#[test]
fn what_was_lost_is_missed() {
    let table = game("tic-tac-toe", 9, 6000, [ALICE, CARL], End::Won(0));
    for lost in ["players/1001.json", "players/tic-tac-toe.json"] {
        let mut fixture = build_fixture();
        fixture.files.remove(lost);
        let error = count_result(&table, &fixture.files).unwrap_err().to_string();
        assert!(error.contains(lost), "{error}");
        assert!(fixture.audit().faults.contains(&format!("`{lost}` is missing")));
    }
    let mut fixture = build_fixture();
    fixture.files.insert("players/1009.json".to_owned(), "{}".to_owned());
    assert_eq!(fixture.audit().faults, ["`\"players/1009.json\"` exists, but no result belongs to it"]);
}

#[test]
fn an_older_ranking_is_no_base() {
    let before = {
        let mut fixture = StandingsFixture::default();
        fixture.finish(game("tic-tac-toe", 1, 5000, [ALICE, BOB], End::Won(0)));
        fixture.files["players/tic-tac-toe.json"].clone()
    };
    let mut fixture = build_fixture();
    fixture.files.insert("players/tic-tac-toe.json".to_owned(), before);
    for people in [[ALICE, BOB], [CARL, BOB], [ALICE, (1004, "dora")]] {
        let error =
            count_result(&game("tic-tac-toe", 9, 6000, people, End::Won(0)), &fixture.files).unwrap_err().to_string();
        assert!(error.contains("players/tic-tac-toe.json"), "{error}");
    }
}

#[test]
fn too_much_is_not_read() {
    let mut fixture = build_fixture();
    fixture.files.get_mut("players/1001.json").unwrap().push_str(&" ".repeat(60_000));
    let table = game("tic-tac-toe", 9, 6000, [ALICE, CARL], End::Won(0));
    assert!(count_result(&table, &fixture.files).unwrap_err().to_string().contains("more than the limit of 60000"));
    fixture.files.insert("players/1001.json".to_owned(), "[".repeat(50_000));
    assert!(count_result(&table, &fixture.files).unwrap_err().to_string().contains("`players/1001.json` is damaged"));
}

#[test]
fn a_torn_file_is_refused_wherever_it_is_torn() {
    let fixture = build_fixture();
    let table = game("tic-tac-toe", 9, 6000, [ALICE, CARL], End::Won(0));
    for path in files_needed(&table) {
        let text = &fixture.files[&path];
        for end in 0..text.trim_end().len() {
            let mut files = fixture.files.clone();
            files.insert(path.clone(), text[..end].to_owned());
            assert!(count_result(&table, &files).unwrap_err().to_string().contains(&path), "torn at {end}");
        }
    }
}

#[test]
fn numbers_that_are_missing_double_or_made_up() {
    let good = build_fixture();
    let with = |numbers: [Option<u64>; 3]| {
        let mut fixture = good.clone();
        for (at, number) in [0, 1, 4].into_iter().zip(numbers) {
            let (_, table) = &mut fixture.records[at];
            *table = numbered(table.clone(), number);
        }
        fixture.audit()
    };
    assert_eq!(with([Some(1), Some(2), Some(3)]).faults, Vec::<String>::new());
    for (numbers, first) in [
        ([None, Some(2), Some(3)], "no record has number 1 among the results of tic-tac-toe"),
        ([Some(1), None, Some(3)], "no record has number 2 among the results of tic-tac-toe"),
        ([Some(1), Some(2), Some(9)], "no record has numbers 3 to 8 among the results of tic-tac-toe"),
        ([Some(1), Some(1), Some(3)], "`1.json` and `2.json` both have the number 1 among the results of tic-tac-toe"),
        (
            [Some(0), Some(1), Some(3)],
            "`1.json` has the number 0 among the results of tic-tac-toe, but numbers start at 1",
        ),
        ([Some(1), Some(2), None], "in `players/1001.json`, `lastResult` is `5004`; it should be `5003`"),
    ] {
        assert_eq!(with(numbers).faults[0], first, "{numbers:?}");
    }
    let last = with([Some(1), Some(2), None]);
    assert_eq!(last.uncounted, ["`5.json` is finished, but it wasn't counted."]);
    assert!(last.faults.contains(&"in `players/tic-tac-toe.json`, `counted` is `3`; it should be `2`".to_owned()));
    // A missing number does not let a later one be given twice.
    assert!(with([Some(1), None, Some(3)]).expected["players/tic-tac-toe.json"].contains(r#""counted": 3"#));
    // The end of time is a number, too.
    assert!(!with([Some(1), Some(2), Some(u64::MAX)]).faults.is_empty());
}

#[test]
fn a_number_without_two_players_is_wrong() {
    let mut fixture = build_fixture();
    fixture.records.push(("8.json".to_owned(), numbered(given_up_alone(), Some(4))));
    assert_eq!(fixture.audit().faults, ["`8.json` has a number, but there is no result to count"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// No damage makes anything panic, and what a count accepts can be counted on.
    #[test]
    fn no_damage_panics(file in 0..3_usize, at in any::<prop::sample::Index>(), put in r#"[ -~]{0,3}"#, cut in 0..4_usize) {
        let mut fixture = GOOD.with(Clone::clone);
        let table = game("tic-tac-toe", 9, 6000, [ALICE, CARL], End::Won(0));
        let text = fixture.files.get_mut(&files_needed(&table)[file]).unwrap();
        let at = at.index(text.len());
        text.replace_range(at..(at + cut).min(text.len()), &put);
        drop(fixture.audit());
        drop(answers::ranking_table::markdown(&fixture.files, None, 10));
        if let Ok(counted) = count_result(&table, &fixture.files) {
            fixture.files.extend(counted.files);
            let next = game("tic-tac-toe", 10, 6001, [ALICE, CARL], End::Drawn);
            prop_assert!(count_result(&next, &fixture.files).is_ok());
        }
    }
}

thread_local! {
    static GOOD: StandingsFixture = build_fixture();
}
