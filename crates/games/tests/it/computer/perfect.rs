//! Small boards against a plain minimax: the value, and the number of plies up to the end.

use std::collections::HashMap;

use game::contract::{Interop, Notation, Outcome, Rules};
use games::search::alpha_beta::WIN_VALUE;
use games::search::random::Random;
use games::tic_tac_toe::game::TicTacToe;
use testkit::often;

use super::{after_random, choose_at_level, tic_tac_toe_config};

/// The values of positions: [`WON`] less the plies until a win, 0 for a draw.
#[derive(Default)]
struct Minimax(HashMap<Vec<u8>, i32>);

impl Minimax {
    fn value(&mut self, game: &TicTacToe) -> i32 {
        match game.outcome() {
            // Whoever is on turn has not made the last move.
            Some(Outcome::Won(_)) => return -WIN_VALUE,
            Some(Outcome::Draw) => return 0,
            None => {}
        }
        let key: Vec<u8> =
            (0..game.cell_count()).map(|cell| game.mark(cell).map_or(0, |player| 1 + player as u8)).collect();
        if let Some(value) = self.0.get(&key) {
            return *value;
        }
        let values: Vec<i32> = game.legal_moves().iter().map(|mv| self.after(&game.play(mv))).collect();
        let value = values.into_iter().max().unwrap();
        self.0.insert(key, value);
        value
    }

    /// The value of a move, by the position after it.
    fn after(&mut self, game: &TicTacToe) -> i32 {
        let value = -self.value(game);
        value - value.signum()
    }

    #[track_caller]
    fn check(&mut self, game: &TicTacToe) {
        let chosen = choose_at_level(game, 8);
        let (value, of_choice) = (self.value(game), self.after(&game.play(&chosen.mv)));
        assert_eq!(of_choice, value, "{} at {:?}", game.notation(&chosen.mv), game.position().board);
        assert_eq!(chosen.score, value, "what it says of {:?}", game.position().board);
    }
}

/// All positions that can be reached and go on.
fn walk(game: &TicTacToe, seen: &mut HashMap<String, TicTacToe>) {
    if game.outcome().is_none() && seen.insert(format!("{:?}", game.position()), *game).is_none() {
        game.legal_moves().iter().for_each(|mv| walk(&game.play(mv), seen));
    }
}

#[test]
fn on_3x3_it_is_perfect_from_every_position() {
    let mut seen = HashMap::new();
    walk(&TicTacToe::start(&tic_tac_toe_config(3, 3)).unwrap(), &mut seen);
    assert_eq!(seen.len(), 4_520);
    let mut minimax = Minimax::default();
    seen.values().for_each(|game| minimax.check(game));
}

#[test]
fn on_4x4_with_three_in_a_row_it_is_perfect() {
    let mut random = Random::new(1);
    let mut checked = 0;
    while checked < often(30, 400) {
        // The minimax needs some marks on the board to come to an end.
        let plies = 6 + random.below(8);
        if let Some(game) = after_random(&tic_tac_toe_config(4, 3), plies, &mut random) {
            Minimax::default().check(&game);
            checked += 1;
        }
    }
    // Known without a minimax: the first side wins with its third mark.
    assert_eq!(choose_at_level(&TicTacToe::start(&tic_tac_toe_config(4, 3)).unwrap(), 8).score, WIN_VALUE - 5);
}

#[test]
fn on_4x4_with_four_in_a_row_it_is_perfect() {
    let mut random = Random::new(2);
    let mut checked = 0;
    while checked < often(12, 100) {
        let plies = 8 + random.below(6);
        if let Some(game) = after_random(&tic_tac_toe_config(4, 4), plies, &mut random) {
            Minimax::default().check(&game);
            checked += 1;
        }
    }
    assert_eq!(choose_at_level(&TicTacToe::start(&tic_tac_toe_config(4, 4)).unwrap(), 8).score, 0);
}
