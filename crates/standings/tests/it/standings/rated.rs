//! Games that count and games that don't, by what people write.

use protocol::place::Wake;
use protocol::settle::settle;
use table::any::AnyTable;
use table::state_file;
use table::talk::comment::Source;
use testkit::world::{World, place, run};

const UNRATED: &str = "This game isn't rated because it starts from a chosen position.";
const MATE: &str = "fen=6k1/5ppp/8/8/8/8/8/R6K_w_-_-_0_1";

/// Plays: alice opens issue 1, then `login: comment` lines follow, in issue 1 or in a new issue with `login opens: body`.
fn played(opened: &str, lines: &[&str]) -> World {
    let world = World::new();
    let mut issue = world.open_issue("alice", opened);
    let wake = |issue, comment| {
        let wake = Wake::Comment { source: Source { issue, comment }, table: None };
        run(settle(&world, &place(), wake)).unwrap().unwrap();
    };
    wake(issue, 0);
    for line in lines {
        let (who, text) = line.split_once(": ").unwrap();
        match who.strip_suffix(" opens") {
            Some(login) => {
                issue = world.open_issue(login, text);
                wake(issue, 0);
            }
            None => wake(issue, world.comment(issue, who, text)),
        }
    }
    world
}

fn table(world: &World, issue: u64) -> AnyTable {
    state_file::load(&world.file(&format!("state/{issue}.json")).unwrap(), issue).unwrap()
}

/// Whether the game in this issue, which has ended, was counted in the standings.
#[track_caller]
fn is_counted(world: &World, issue: u64) -> bool {
    let table = table(world, issue);
    assert!(table.is_over());
    let counted = table.counted().is_some();
    assert_eq!(world.file("state/players/chess.json").is_some(), counted);
    counted
}

/// A game that alice has won by her first move, before bob could make any.
pub(crate) fn mate_in_one() -> AnyTable {
    table(&played(&format!("/new chess @bob {MATE}"), &["bob: /join", "alice: Ra8"]), 1)
}

#[test]
fn a_mate_in_one_from_a_chosen_position_costs_nobody_a_rating() {
    let world = played(&format!("/new chess {MATE}"), &["bob: /join", "alice: Ra8"]);
    assert!(world.answers(1)[0].contains(UNRATED));
    assert!(!is_counted(&world, 1));
}

#[test]
fn a_rematch_from_a_chosen_position_is_not_rated() {
    let lines = ["bob: /join", "alice: Ra8", "bob: /rematch", "bob: Ra8"];
    let world = played(&format!("/new chess {MATE}"), &lines);
    assert!(world.answers(1)[3].contains(UNRATED));
    assert_eq!(table(&world, 1).round(), 2);
    assert!(!is_counted(&world, 1));
}

#[test]
fn a_game_from_a_chosen_position_is_not_rated_in_another_issue() {
    let lines = ["bob: /join", "alice opens: /continue #1", "alice: Ra8"];
    let world = played(&format!("/new chess {MATE}"), &lines);
    assert!(world.answers(2)[0].contains(UNRATED));
    assert!(!is_counted(&world, 2));
}

#[test]
fn an_open_table_with_a_chosen_position_credits_nobody() {
    let world = played(&format!("/new chess seats=open {MATE}"), &["bob: /move Ra8"]);
    assert!(world.answers(1)[0].contains(UNRATED));
    assert!(table(&world, 1).is_over());
    assert_eq!((table(&world, 1).counted(), world.file("state/players/open.json")), (None, None));
}

#[test]
fn a_chess960_setup_is_rated_unless_somebody_chose_its_number() {
    for (opened, rated) in [("/new chess960 @bob", true), ("/new chess960 7 @bob", false), ("/new chess @bob", true)] {
        let world = played(opened, &["alice: d4", "bob: d5", "alice: /resign", "bob: /rematch"]);
        let said = [0, 4].map(|answer| world.answers(1)[answer].contains(UNRATED));
        assert_eq!(said, [!rated, !rated], "{opened}");
        let finished = state_file::load(&world.file("state/archive/1-1.json").unwrap(), 1).unwrap();
        assert_eq!(finished.counted().is_some(), rated, "{opened}");
    }
}
