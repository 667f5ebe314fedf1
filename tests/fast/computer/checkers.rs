//! Checkers: endings that are won are won in time, and who is as good as the other side plays on.

use kit::often;
use play_by_commit::game::contract::{Game, Outcome, turn};
use play_by_commit::games::checkers::game::{Checkers, GameConfig};
use play_by_commit::games::checkers::position::Position;
use play_by_commit::search::alpha_beta::SURELY;

use super::level;

#[track_caller]
fn at(fen: &str, moves: &[&str]) -> Checkers {
    let position = Position { fen: fen.to_owned(), quiet: 0, earlier: Vec::new() };
    let game = Checkers::at(&GameConfig {}, &position).unwrap();
    moves.iter().fold(game, |game, mv| turn(&game, &game.read(mv).unwrap()).unwrap())
}

/// Has a level play both sides; the side on turn wins within so many plies.
#[track_caller]
fn is_won(fen: &str, number: u8, plies: usize) {
    let begin = at(fen, &[]);
    let mut game = begin.clone();
    for ply in 0..plies {
        if game.outcome().is_some() {
            break;
        }
        game = game.play(&game.choose(level(number), ply as u64).unwrap().mv);
    }
    assert_eq!(game.outcome(), Some(Outcome::Won(begin.to_move())), "{fen}");
}

#[test]
fn two_kings_win_against_one() {
    is_won("W:WK14,K32:BK28", 8, 7);
    is_won("W:WK18,K22:BK1", 8, 23);
    if often(false, true) {
        is_won("W:WK31,K32:BK1", 8, 41);
    }
}

/// Without going after the kings in the corners, no exchange comes about within forty moves.
#[test]
fn three_kings_win_against_two() {
    for (fen, plies) in [("W:WK29,K30,K21:BK1,K5", 60), ("W:WK29,K30,K21:BK1,K32", 120), ("W:WK18,K22,K23:BK1,K4", 110)] {
        is_won(fen, 7, plies);
    }
    is_won("W:WK25,K26,K30,K31:BK1,K2,K6", often(7, 8), 160);
}

/// Each could be repeated until it is drawn; with as many men there is something better to hope for.
#[test]
fn a_level_game_goes_on() {
    for (fen, moves) in [
        ("W:WK16,K26,23:BK6,K5,13", ["26-31", "6-2", "31-26"]),
        ("W:WK28,K21,24:BK26,K23,12", ["28-32", "26-22", "32-28"]),
        ("W:WK20,K12,9,10:BK27,K24,22,21", ["12-8", "24-28", "8-12"]),
        ("W:WK7,K6,10,13:BK15,K20,23,18", ["7-2", "20-16", "2-7"]),
    ] {
        let game = at(fen, &moves);
        let [from, to]: [&str; 2] = moves[1].split('-').collect::<Vec<_>>().try_into().unwrap();
        let chosen = game.choose(level(6), 1).unwrap();
        assert_ne!(game.notation(&chosen.mv), format!("{to}-{from}"), "{fen}");
        assert!(chosen.value.abs() < SURELY, "{fen}");
    }
}
