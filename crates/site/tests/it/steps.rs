//! Tests of a game's page: what a visitor can do, its steps, and the mistakes on its board.

use std::collections::BTreeSet;

use ::game::Level;
use answers::{board_picture, review};
use games::backgammon::Backgammon;
use games::hex::Hex;
use games::othello::Othello;
use games::tic_tac_toe::TicTacToe;
use games::{AnyPosition, GameKind, Random, with_game};
use interop::{GameLink, link};
use site::evaluation::{self, evaluate};
use site::game::main_button;
use site::{Evaluation, RoundSummary, Steps, animated_boards, move_list};
use table::{IssueNumber, Player, Table, state_file};
use testkit::records::game;

use crate::support::{play_table, round_pages, site};

#[test]
fn every_game_has_a_main_button() {
    let button = |table: &Table| main_button(&site(), &RoundSummary::from_table(table)).unwrap().into_string();
    let issue = "href=\"https://github.com/host/games/issues/7\"";
    let running = button(&play_table::<TicTacToe>(Some(Player::invited("bob")), false, 3));
    assert!(running.contains(issue) && running.contains(">Open the game on GitHub<"), "{running}");
    let open_seat = button(&play_table::<TicTacToe>(None, false, 0));
    assert!(open_seat.contains(issue) && open_seat.contains(">Take the seat<"), "{open_seat}");
    let over = button(&play_table::<TicTacToe>(Some(Player::invited("bob")), false, 9));
    assert!(over.contains(">Play again<") && over.contains("body=%2Fnew%20tic-tac-toe\""), "{over}");
    let computer: Table = play_table::<TicTacToe>(Some(Player::Computer(Level::ALL[2])), false, 1);
    let mut round = RoundSummary::from_table(&computer);
    round.issue = IssueNumber::default();
    let demonstration = main_button(&site(), &round).unwrap().into_string();
    assert!(demonstration.contains("body=%2Fnew%20tic-tac-toe%20computer%203\""), "{demonstration}");
    let anyone: Table = play_table::<TicTacToe>(None, true, 9);
    assert!(button(&anyone).contains("%20seats%3Dopen\""), "{}", button(&anyone));
}

#[test]
fn a_running_game_has_a_file_that_changes_with_every_move() {
    let now = |moves| {
        let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, moves);
        let files = round_pages(&table, None);
        let file = files.iter().find(|(path, _)| path == "games/7-1.now.json").map(|(_, text)| text.trim().to_owned());
        (file, files.last().unwrap().1.clone())
    };
    let (one, page) = now(1);
    let one = one.unwrap();
    assert!(page.contains(&format!("data-live=\"7-1.now.json\" data-now=\"{one}\"")), "{page}");
    assert_ne!(Some(one), now(2).0);
    let (over, page) = now(9);
    assert!(over.is_none() && !page.contains("data-live"), "{page}");
}

#[test]
fn a_finished_game_can_be_taken_elsewhere() {
    let finished = |seed| game::<Hex>(&mut Random::new(seed), seed, 1_700_000_000_000);
    let hex: Table = (1..50).map(finished).find(|table| table.has_result()).unwrap();
    let page = round_pages(&hex, None).pop().unwrap().1;
    let GameLink { label, url } = link(&hex).unwrap();
    assert!(page.contains(&format!("<li><a href=\"{url}\">{label}</a></li>")), "{page}");
    let running: Table = play_table::<Hex>(Some(Player::invited("bob")), false, 2);
    let page = round_pages(&running, None).pop().unwrap().1;
    assert!(!page.contains("hexworld.org"), "{page}");
    let othello: Table = play_table::<Othello>(Some(Player::invited("bob")), false, 3);
    let files = round_pages(&othello, None);
    let transcript = files.iter().find(|(path, _)| path == "games/7-1.txt").unwrap();
    assert_eq!(transcript.1.trim_end().len(), 6);
    let download = "<a href=\"7-1.txt\" download>Othello transcript</a>";
    assert!(files.last().unwrap().1.contains(download), "{files:?}");
}

#[test]
fn a_page_says_how_to_check_its_dice() {
    let page = |table: &Table| round_pages(table, None).pop().unwrap().1;
    let backgammon: Table = game::<Backgammon>(&mut Random::new(1), 1, 1_700_000_000_000);
    assert!(page(&backgammon).contains("/docs/DICE.md\">How to check them</a>"), "{}", page(&backgammon));
}

/// Returns a game of backgammon with automatic turns.
fn game_with_automatic_turns() -> Table {
    let has_some = |table: &Table| table.plies().any(|ply| !ply.after.automatic_turns().is_empty());
    (1..200).map(|seed| game::<Backgammon>(&mut Random::new(seed), seed, 1_700_000_000_000)).find(has_some).unwrap()
}

#[test]
fn every_turn_of_backgammon_is_a_step() {
    let table = game_with_automatic_turns();
    for ply in table.plies() {
        let (turns, positions) = (ply.after.automatic_turns(), ply.after.automatic_positions());
        assert_eq!(turns.len(), positions.len());
        for ((seat, turn), position) in turns.iter().zip(&positions) {
            assert_eq!(position.side_to_move(), *seat);
            let plays = position.legal_moves();
            let entry = plays.first().map(|only| position.move_list_entry(only));
            assert!(plays.len() <= 1 && entry.as_ref().is_none_or(|entry| entry == turn), "{turn}: {plays:?}");
            assert_eq!(plays.is_empty(), turn.ends_with("no play"), "{turn}");
        }
        // Each automatic turn leads to the next one.
        let board = |position: &AnyPosition| position.downcast::<Backgammon>().unwrap().board;
        let after = |position: &AnyPosition| position.legal_moves().first().map(|only| board(&position.play(only)));
        for (position, next) in positions.iter().zip(positions.iter().skip(1).chain([ply.after])) {
            assert_eq!(after(position).unwrap_or(board(position)), board(next));
        }
    }
    let steps = Steps::of_game(&table);
    let list = move_list(&table, None).into_string();
    let links: BTreeSet<&str> = list.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(
        [links.len(), list.matches("<li>").count(), board_picture::steps(&table).len() - 1],
        [steps.count; 3],
        "{list}"
    );
    let page = round_pages(&table, None).pop().unwrap().1;
    assert!(page.contains(&format!("data-steps=\"{}\"", steps.count)), "{page}");
}

#[test]
fn the_list_and_the_board_show_mistakes_of_every_game() {
    for kind in GameKind::ALL {
        let name = kind.info().name;
        let found = [8, 16, 24, 32].into_iter().find_map(|length| {
            let table: Table = with_game!(*kind, G => play_table::<G>(Some(Player::invited("bob")), false, length));
            let evaluation = evaluate(&table, review::NODES / 10)?;
            let moves = evaluation.plies.iter().filter_map(|ply| ply.better.as_deref());
            // The cube is on no cell.
            let moves = moves.filter(|better| !["roll", "double", "take", "drop"].contains(better)).count();
            if moves > 0 { Some((table, evaluation, moves)) } else { None }
        });
        let (table, evaluation, moves) = found.unwrap_or_else(|| panic!("{name}: no mistake"));
        let list = move_list(&table, Some(&evaluation)).into_string();
        let glyphs = list.matches("<span class=\"bad\">?").count();
        assert_eq!(glyphs, evaluation.plies.iter().filter(|ply| ply.lost > 0).count(), "{name}: {list}");
        let (board, flipped, _) = animated_boards(&table, Some(&evaluation));
        for (side, svg) in [Some(board), flipped].into_iter().flatten().map(|replay| replay.svg).enumerate() {
            let drawn = svg.matches("<g class=\"b").count();
            assert_eq!(drawn, moves, "{name}, side {side}");
        }
    }
}

/// 18... Bxg1 is the mistake at ply 36, so the better move is on the board at step 35: the queen goes from b2 to a1.
#[test]
fn draws_the_better_move_on_the_position_before_the_mistake() {
    let path = format!("{}/../../state/archive/0-30.json", env!("CARGO_MANIFEST_DIR"));
    let table = state_file::load(&std::fs::read_to_string(path).unwrap(), IssueNumber::new(0)).unwrap();
    let evaluation = evaluate(&table, evaluation::nodes_for(table.plies().len())).unwrap();
    let (board, ..) = animated_boards(&table, Some(&evaluation));
    let group = board.svg.split("<g class=\"b35\"").nth(1).unwrap().split("</g>").next().unwrap();
    let numbers: Vec<i32> = group
        .split(" d=\"M")
        .nth(1)
        .unwrap()
        .split(['L', ' ', 'M'])
        .take(4)
        .map(|word| word.parse().unwrap())
        .collect();
    // One square to the left and one down.
    let [x, y, to_x, to_y] = numbers[..] else { panic!("{group}") };
    assert!(x - to_x == to_y - y && to_y > y, "{group}");
    let page = round_pages(&table, Some(&evaluation)).pop().unwrap().1;
    assert!(page.contains("<a href=\"#p35\">18... Bxg1??</a>"), "{page}");
    assert!(page.contains("data-better=\"Qxa1+\""), "{page}");
}

#[test]
fn automatic_turns_have_the_chances_of_the_position_after_them() {
    let table = game_with_automatic_turns();
    let steps = Steps::of_game(&table);
    let chances: Vec<u16> = (0..).take(table.plies().len()).collect();
    let plies = chances.iter().map(|chance| site::evaluation::EvaluatedPly {
        ply: String::new(),
        better: None,
        chance: *chance,
        lost: 0,
    });
    let evaluation =
        Evaluation { analysis: 1, engine: 1, nodes: 1, plies: plies.collect(), end: 1000, accuracy: [None; 2] };
    let shown = steps.chances(&evaluation);
    assert_eq!(shown.len(), steps.count + 1);
    for (index, step) in steps.of_plies.iter().enumerate() {
        assert_eq!(shown[step - 1], chances[index], "before ply {}", index + 1);
    }
    assert_eq!(shown.last(), Some(&1000));
}
