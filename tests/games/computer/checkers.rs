//! The checkers engine wins won endgames in time, and plays on in balanced ones.

use game::{Engine, Notation, Outcome, PositionJson, Rules, apply_move};
use games::PROVEN_WIN;
use games::checkers::{Checkers, GameConfig, Position};
use testkit::short_or_long;

use super::level;

#[track_caller]
fn at(fen: &str, moves: &[&str]) -> Checkers {
    let position = Position { fen: fen.to_owned(), quiet: 0, earlier: Vec::new(), captureless: 0 };
    let game = Checkers::from_position(&GameConfig::default(), &position).unwrap();
    moves.iter().fold(game, |game, mv| apply_move(&game, &game.parse_move(mv).unwrap()).unwrap())
}

/// Lets a level play both sides, and checks that the side to move wins within `plies` plies.
#[track_caller]
fn check_win(fen: &str, number: u8, plies: usize) {
    let start = at(fen, &[]);
    let mut game = start.clone();
    for ply in 0..plies {
        if game.outcome().is_some() {
            break;
        }
        game = game.play(&game.choose(level(number), ply as u64).unwrap().mv);
    }
    assert_eq!(game.outcome(), Some(Outcome::Won(start.side_to_move())), "{fen}");
}

#[test]
fn two_kings_win_against_one() {
    check_win("W:WK14,K32:BK28", 8, 7);
    check_win("W:WK18,K22:BK1", 8, 23);
    if short_or_long(false, true) {
        check_win("W:WK31,K32:BK1", 8, 41);
    }
}

/// Unless the engine chases the kings in the corners, there is no exchange within forty moves.
#[test]
fn three_kings_win_against_two() {
    let all = [("W:WK29,K30,K21:BK1,K5", 60), ("W:WK29,K30,K21:BK1,K32", 120), ("W:WK18,K22,K23:BK1,K4", 110)];
    for (fen, plies) in all.into_iter().take(short_or_long(1, 3)) {
        check_win(fen, 7, plies);
    }
}

/// In a balanced position, the engine doesn't repeat moves for a draw.
#[test]
fn a_balanced_game_goes_on() {
    for (fen, moves) in [
        ("W:WK28,K21,24:BK26,K23,12", ["28-32", "26-22", "32-28"]),
        ("W:WK23,K21,28:BK9,K7,20", ["23-26", "7-10", "26-23"]),
    ] {
        let game = at(fen, &moves);
        let [from, to]: [&str; 2] = moves[1].split('-').collect::<Vec<_>>().try_into().unwrap();
        let chosen = game.choose(level(7), 1).unwrap();
        assert_ne!(game.notation(&chosen.mv), format!("{to}-{from}"), "{fen}");
        assert!(chosen.score.abs() < PROVEN_WIN, "{fen}");
    }
}

/// Two kings need more than 20 plies to win against one. If the draw comes sooner, the position is worth nothing.
#[test]
fn knows_that_a_draw_without_captures_comes_before_the_win() {
    let value = |moves, captureless| {
        let config = GameConfig { draw_after: Some(moves), view: None };
        let position = Position { fen: "W:WK18,K22:BK1".to_owned(), quiet: 0, earlier: Vec::new(), captureless };
        Checkers::from_position(&config, &position).unwrap().choose(level(8), 1).unwrap().score
    };
    assert_eq!(value(10, 10), 0);
    assert!(value(30, 0) >= PROVEN_WIN);
}
