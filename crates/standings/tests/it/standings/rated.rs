//! Games that count and games that don't, by what people write.

use table::any_table::AnyTable;
use testkit::scenario::Scenario;

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

/// A game that alice has won by her first move, before bob could make any.
pub(crate) fn mate_in_one() -> AnyTable {
    Scenario::played(&format!("/new chess @bob {MATE}"), &["bob: /join", "alice: Ra8"]).table(1)
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

#[test]
fn a_chess960_setup_is_rated_unless_somebody_chose_its_number() {
    for (opened, rated) in [("/new chess960 @bob", true), ("/new chess960 7 @bob", false), ("/new chess @bob", true)] {
        let scenario = Scenario::played(opened, &["alice: d4", "bob: d5", "alice: /resign", "bob: /rematch"]);
        let said = [0, 4].map(|answer| scenario.answers(1)[answer].contains(UNRATED));
        assert_eq!(said, [!rated, !rated], "{opened}");
        let finished = table::state_file::load(&scenario.file("state/archive/1-1.json").unwrap(), 1).unwrap();
        assert_eq!(finished.result_number().is_some(), rated, "{opened}");
    }
}
