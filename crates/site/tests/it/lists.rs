//! Tests of cards, the pages of each game, neighbors, and lists of moves.

use ::game::contract::Notation;
use games::backgammon::game::Backgammon;
use games::chess::pgn;
use games::registry::GameKind;
use games::search::random::Random;
use games::tic_tac_toe::game::TicTacToe;
use interop::import;
use site::cards::{game_cards, spread};
use site::entry::{Entry, SeatHolder};
use site::moves::{move_list, numbered_ply};
use site::{game_index, nearby};
use standings::recount::Recount;
use table::any_table::AnyTable;
use table::history::Occupant;
use table::ids::{IssueNumber, UserId};
use table::state_file;
use table::table::Table;
use testkit::records::game;

use crate::support::{play_table, site};

fn chess(moves: &str) -> AnyTable {
    let game = pgn::reader::parse_games(moves).next().unwrap().unwrap();
    let people = [(UserId::new(1001), "alice".to_owned()), (UserId::new(1002), "bob".to_owned())];
    let record = state_file::table_to_json(&import::import_game(&game, IssueNumber::new(7), &people).unwrap());
    state_file::load(&record, IssueNumber::new(7)).unwrap()
}

#[test]
fn numbers_moves_in_pairs() {
    let table = chess("1. e4 e5 2. Nf3 1-0\n");
    let list = move_list(&table, None).into_string();
    assert_eq!(list.matches("<li>").count(), 2, "{list}");
    assert!(list.contains("<b>1.</b>") && list.contains("<b>2.</b>") && list.contains("href=\"#p3\""), "{list}");
    assert_eq!([1, 2, 3].map(|ply| numbered_ply(&table, ply)), ["1. e4", "1... e5", "2. Nf3"]);
}

#[test]
fn numbers_a_first_move_of_black() {
    let table = chess("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 13\"]\n\n13... Kd7 14. e4 Kd6 1-0\n");
    let list = move_list(&table, None).into_string();
    assert!(list.contains("<b>13...</b>") && list.contains("<b>14.</b>"), "{list}");
    assert_eq!(list.matches("<li>").count(), 2, "{list}");
    assert_eq!(numbered_ply(&table, 1), "13... Kd7");
}

#[test]
fn lists_turns_that_the_dice_decide() {
    let (table, turn) = (1..200)
        .find_map(|seed| {
            let table: Table<Backgammon> = game(&mut Random::new(seed), seed, 1_700_000_000_000);
            let (_, turn) = table.plies().find_map(|ply| ply.after.automatic_turns().pop())?;
            Some((table, turn))
        })
        .unwrap();
    let list = move_list(&table.into(), None).into_string();
    assert!(list.contains(&format!("\">{turn}</a>")), "{turn} isn't in {list}");
}

#[test]
fn cards_say_who_moves_and_where() {
    let table: AnyTable = play_table::<TicTacToe>(Some(Occupant::reserved("bob")), false, 2).into();
    let entry = Entry::from_table(&table);
    let card = |entry: &Entry| game_cards(&site(), [entry].into_iter(), "../").into_string();
    let text = card(&entry);
    assert!(text.contains(">alice</a></strong> ") && text.contains("to move"), "{text}");
    assert!(text.contains("href=\"../games/7-1.html\"") && text.contains("host/games/issues/7\""), "{text}");
    let demonstration = card(&Entry { issue: IssueNumber::new(0), ..entry.clone() });
    assert!(!demonstration.contains("/issues/") && demonstration.contains("Game 1"), "{demonstration}");
    let mut open = entry;
    open.seats[1] = SeatHolder::Empty;
    assert!(card(&open).contains("Take the open seat"));
}

#[test]
fn nobody_fills_the_front_page_alone() {
    let table: AnyTable = play_table::<TicTacToe>(Some(Occupant::reserved("bob")), false, 2).into();
    let opened_by = |issue: u64, id: u64| {
        let seats = [SeatHolder::Person(UserId::new(id), format!("player-{id}")), SeatHolder::Empty];
        Entry { issue: IssueNumber::new(issue), seats, ..Entry::from_table(&table) }
    };
    let mut entries: Vec<Entry> = (1..=20).map(|issue| opened_by(issue, 1001)).collect();
    entries.push(opened_by(21, 1002));
    let all: Vec<&Entry> = entries.iter().collect();
    let shown: Vec<u64> = spread(&all, 5, 3).iter().map(|entry| entry.issue.get()).collect();
    assert_eq!(shown, [1, 2, 3, 21, 4], "the game of somebody else comes before the fourth of one person");
}

#[test]
fn a_game_has_a_page_with_its_results_only() {
    let table: AnyTable = play_table::<TicTacToe>(Some(Occupant::reserved("bob")), false, 9).into();
    let entries: Vec<Entry> =
        (1..=31).map(|issue| Entry { issue: IssueNumber::new(issue), ..Entry::from_table(&table) }).collect();
    let (ended, standings): (Vec<&Entry>, _) = (entries.iter().collect(), Recount::default().count());
    let pages = game_index::pages(&site(), GameKind::TicTacToe, &[], &ended, &standings);
    let (path, page) = &pages[0];
    assert_eq!(path, "tic-tac-toe/index.html");
    assert!(page.contains("All 31 results") && page.contains("games/31-1.html") && !page.contains("games/1-1.html"));
    assert!(pages.iter().any(|(path, page)| path == "tic-tac-toe/results.html" && page.contains("games/1-1.html")));
    let pages = game_index::pages(&site(), GameKind::Chess, &[], &ended, &standings);
    assert!(pages.len() == 1 && pages[0].1.contains("No finished games yet"), "{pages:?}");
}

#[test]
fn neighbors_are_in_order_across_files() {
    let table: AnyTable = play_table::<TicTacToe>(Some(Occupant::reserved("bob")), false, 9).into();
    let entries = [250, 99, 100, 3].map(|issue| Entry { issue: IssueNumber::new(issue), ..Entry::from_table(&table) });
    let files = nearby::files(&entries);
    let file = |range: &str| {
        let path = format!("games/tic-tac-toe-{range}.json");
        files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.as_str())
    };
    assert_eq!(file("0"), Some(r#"["3-1","99-1","100-1"]"#));
    assert_eq!(file("1"), Some(r#"["99-1","100-1","250-1"]"#));
    assert_eq!(file("2"), Some(r#"["100-1","250-1"]"#));
    assert_eq!(files.len(), 3);
}
