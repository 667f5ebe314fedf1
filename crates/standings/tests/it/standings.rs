//! The standings: counted one result at a time with the files as the only memory, and counted again from the records.

mod computer;
mod damage;
mod page;
mod ranking;
mod rated;
mod ratings;
mod schema;

use answers::ranking_table::markdown;
use proptest::prelude::*;
use serde_json::json;
use standings::{MAX_CREDITED_MOVERS, count_result, files_needed};
use testkit::standings_fixture::{ALICE, BOB, CARL, KINDS, aborted, game, going_on, open_game, open_games, value};
use testkit::{End, StandingsFixture, standings_fixture};

#[test]
fn a_result_names_its_files_and_gets_the_next_number() {
    let mut fixture = StandingsFixture::default();
    for kind in KINDS {
        let files = [format!("players/{kind}.json"), "players/1001.json".to_owned(), "players/1002.json".to_owned()];
        for number in 1..=3 {
            let table = game(kind, number, 5000, [ALICE, BOB], End::Won(0));
            assert_eq!(files_needed(&table), files);
            assert_eq!(fixture.finish(table), number, "each kind has numbers of its own");
        }
    }
    fixture.holds();
}

#[test]
fn every_way_to_end_a_game_counts_for_the_right_side() {
    let mut fixture = StandingsFixture::default();
    for end in [End::Won(0), End::Claimed(1), End::Drawn, End::OnTheBoard] {
        fixture.finish(game("tic-tac-toe", 1, 5000, [ALICE, BOB], end));
    }
    let of = |id| value(&fixture.files[&format!("players/{id}.json")])["games"]["tic-tac-toe"].clone();
    let sums = |score: serde_json::Value| ["games", "wins", "draws", "losses"].map(|key| score[key].as_u64().unwrap());
    assert_eq!(sums(of(1001)), [4, 2, 1, 1]);
    assert_eq!(sums(of(1002)), [4, 1, 1, 2]);
    fixture.holds();
}

#[test]
fn what_does_not_count_needs_nothing() {
    let counted = {
        let mut fixture = StandingsFixture::default();
        fixture.finish(game("tic-tac-toe", 1, 5000, [ALICE, BOB], End::Drawn));
        fixture.records.pop().unwrap().1
    };
    let alone = standings_fixture::given_up_alone();
    for (why, table) in
        [("goes on", going_on()), ("aborted", aborted()), ("nobody opposite", alone), ("counted", counted)]
    {
        assert!(files_needed(&table).is_empty(), "{why}");
        assert!(count_result(&table, &StandingsFixture::default().files).is_err(), "{why}");
    }
}

#[test]
fn the_files_read_like_a_page() {
    let mut fixture = StandingsFixture::default();
    fixture.finish(game("tic-tac-toe", 1, 5000, [ALICE, BOB], End::Won(0)));
    fixture.finish(open_game(2, 6000, 3));
    expect_test::expect![[r#"
        {
          "schema": 1,
          "id": 1001,
          "login": "alice",
          "lastResult": 6000,
          "games": { "tic-tac-toe": { "games": 1, "wins": 1, "draws": 0, "losses": 0, "rating": 1662.31, "deviation": 290.32, "volatility": 0.05999968 } },
          "open": { "games": 1, "moves": 3 }
        }
    "#]]
    .assert_eq(&fixture.files["players/1001.json"]);
    expect_test::expect![[r#"
        {
          "schema": 1,
          "game": "tic-tac-toe",
          "counted": 1,
          "players": 2,
          "top": [
            { "id": 1001, "login": "alice", "games": 1, "wins": 1, "draws": 0, "losses": 0, "rating": 1662.31, "deviation": 290.32 },
            { "id": 1002, "login": "bob", "games": 1, "wins": 0, "draws": 0, "losses": 1, "rating": 1337.69, "deviation": 290.32 }
          ]
        }
    "#]].assert_eq(&fixture.files["players/tic-tac-toe.json"]);
    expect_test::expect![[r#"
        {
          "schema": 1,
          "game": "open",
          "counted": 1,
          "players": 3,
          "top": [
            { "id": 1001, "login": "alice", "games": 1, "moves": 3 },
            { "id": 1002, "login": "bob", "games": 1, "moves": 2 },
            { "id": 1003, "login": "carl", "games": 1, "moves": 2 }
          ]
        }
    "#]]
    .assert_eq(&fixture.files["players/open.json"]);
}

#[test]
fn an_open_game_credits_its_busiest_movers_and_rates_nobody() {
    let table = open_game(7, 5000, 200);
    let mut fixture = StandingsFixture::default();
    assert_eq!(files_needed(&table).len(), 1 + MAX_CREDITED_MOVERS);
    assert_eq!(files_needed(&table)[0], "players/open.json");
    fixture.finish(table);
    let open = value(&fixture.files["players/open.json"]);
    assert_eq!(open["counted"], 1);
    assert_eq!(open["players"], 50);
    // There were 211 moves. Eleven people moved twice; of the others, the first ones are credited.
    assert_eq!(open["top"][0], json!({ "id": 1001, "login": "alice", "games": 1, "moves": 2 }));
    let ids: Vec<u64> = open["top"].as_array().unwrap().iter().map(|line| line["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (1001..=1050).collect::<Vec<_>>());
    assert_eq!(value(&fixture.files["players/1050.json"])["games"], json!({}));
    // The second game finds them again.
    fixture.finish(open_game(8, 6000, 200));
    assert_eq!(value(&fixture.files["players/1001.json"])["open"], json!({ "games": 2, "moves": 4 }));
    fixture.holds();
}

#[test]
fn a_new_login_is_shown_as_soon_as_it_has_played() {
    let mut fixture = StandingsFixture::default();
    fixture.finish(game("tic-tac-toe", 1, 5000, [ALICE, BOB], End::Won(0)));
    fixture.finish(game("backgammon", 2, 9000, [(1001, "alicia"), BOB], End::Won(0)));
    let login = |fixture: &StandingsFixture| value(&fixture.files["players/1001.json"])["login"].clone();
    assert_eq!(login(&fixture), "alicia");
    assert_eq!(value(&fixture.files["players/tic-tac-toe.json"])["top"][0]["login"], "alice", "not played since");
    // A game that ended earlier, but is counted later, does not bring the old login back.
    fixture.finish(game("ultimate-tic-tac-toe", 3, 7000, [ALICE, BOB], End::Won(0)));
    assert_eq!(login(&fixture), "alicia");
    fixture.finish(game("tic-tac-toe", 4, 9500, [(1001, "alicia"), BOB], End::Won(0)));
    assert_eq!(value(&fixture.files["players/tic-tac-toe.json"])["top"][0]["login"], "alicia");
    fixture.holds();
}

#[test]
fn no_game_is_called_like_a_file_of_another() {
    for kind in games::GameKind::ALL {
        assert!(kind.info().name != "open" && kind.info().name.parse::<u64>().is_err());
    }
}

/// Who wins a game of which kind, when it ended: what the sequences below are made of.
fn results() -> impl Strategy<Value = Vec<(usize, usize, usize, usize, u64)>> {
    prop::collection::vec((0..4_usize, 0..6_usize, 1..6_usize, 0..4_usize, 5000..5010_u64), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is played, counting with the files as the only memory and counting again agree, in whichever order the
    /// records are read.
    #[test]
    fn counting_anew_agrees(results in results(), turned in any::<prop::sample::Index>()) {
        let mut fixture = StandingsFixture::default();
        for (at, (kind, one, apart, end, time)) in results.iter().enumerate() {
            let issue = at as u64 + 1;
            let two = (one + apart) % 6;
            // Logins change from game to game, and times come in no order.
            let logins = [one, &two].map(|id| format!("p{id}-{}", time % 3));
            let people = [(*one as u64, logins[0].as_str()), (two as u64, logins[1].as_str())];
            let end = [End::Won(0), End::Won(1), End::Drawn, End::Claimed(0)][*end];
            match KINDS.get(*kind) {
                Some(kind) => fixture.finish(game(kind, issue, *time, people, end)),
                None => fixture.finish(open_games(issue, *time, &people)),
            };
        }
        let turned = if fixture.records.is_empty() { 0 } else { turned.index(fixture.records.len()) };
        fixture.records.rotate_left(turned);
        fixture.holds();
        prop_assert!(!markdown(&fixture.files, None, 10).contains("cannot be shown"));
    }
}

#[test]
fn carl_is_a_third() {
    let mut fixture = StandingsFixture::default();
    for (issue, people) in [[ALICE, BOB], [BOB, CARL], [CARL, ALICE]].into_iter().enumerate() {
        fixture.finish(game("tic-tac-toe", issue as u64 + 1, 5000, people, End::Won(0)));
    }
    assert_eq!(value(&fixture.files["players/tic-tac-toe.json"])["players"], 3);
    fixture.holds();
}
