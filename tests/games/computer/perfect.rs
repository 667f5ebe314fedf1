//! Compares level 8 on small tic-tac-toe boards with a plain minimax: the value, and the plies until the end.

use std::collections::HashMap;

use game::{Notation, Outcome, PositionJson, Rules};
use games::tic_tac_toe::TicTacToe;
use games::{Random, WIN_VALUE};
use testkit::short_or_long;

use super::{after_random, choose_at_level, tic_tac_toe_config};

/// The values of positions: [`WIN_VALUE`] minus the plies until the win, or 0 for a draw.
#[derive(Default)]
struct Minimax(HashMap<Vec<u8>, i32>);

impl Minimax {
    fn value(&mut self, game: &TicTacToe) -> i32 {
        match game.outcome() {
            // The opponent made the winning move.
            Some(Outcome::Won(_)) => return -WIN_VALUE,
            Some(Outcome::Draw) => return 0,
            None => {}
        }
        let key: Vec<u8> =
            (0..game.cell_count()).map(|cell| game.mark(cell).map_or(0, |player| 1 + player as u8)).collect();
        if let Some(value) = self.0.get(&key) {
            return *value;
        }
        let values: Vec<i32> = game.legal_moves().iter().map(|mv| self.value_of_move_to(&game.play(mv))).collect();
        let value = values.into_iter().max().unwrap();
        self.0.insert(key, value);
        value
    }

    /// Returns the value of a move that leads to this position.
    fn value_of_move_to(&mut self, after: &TicTacToe) -> i32 {
        let value = -self.value(after);
        value - value.signum()
    }

    #[track_caller]
    fn check_engine(&mut self, game: &TicTacToe) {
        let chosen = choose_at_level(game, 8);
        let (value, move_value) = (self.value(game), self.value_of_move_to(&game.play(&chosen.mv)));
        assert_eq!(move_value, value, "{} at {:?}", game.notation(&chosen.mv), game.position().board);
        assert_eq!(chosen.score, value, "the score at {:?}", game.position().board);
    }
}

/// Collects all reachable positions that aren't over.
fn collect_positions(game: &TicTacToe, seen: &mut HashMap<String, TicTacToe>) {
    if game.outcome().is_none() && seen.insert(format!("{:?}", game.position()), *game).is_none() {
        game.legal_moves().iter().for_each(|mv| collect_positions(&game.play(mv), seen));
    }
}

#[test]
fn plays_perfectly_on_3x3_from_every_position() {
    let mut seen = HashMap::new();
    collect_positions(&TicTacToe::start(&tic_tac_toe_config(3, 3)).unwrap(), &mut seen);
    assert_eq!(seen.len(), 4_520);
    let mut minimax = Minimax::default();
    seen.values().for_each(|game| minimax.check_engine(game));
}

#[test]
fn plays_perfectly_on_4x4_with_three_in_a_row() {
    let mut random = Random::new(1);
    let mut checked = 0;
    while checked < short_or_long(30, 400) {
        // Minimax takes too long with fewer marks on the board.
        let plies = 6 + random.below(8);
        if let Some(game) = after_random(&tic_tac_toe_config(4, 3), plies, &mut random) {
            Minimax::default().check_engine(&game);
            checked += 1;
        }
    }
    // The first player is known to win with its third mark.
    assert_eq!(choose_at_level(&TicTacToe::start(&tic_tac_toe_config(4, 3)).unwrap(), 8).score, WIN_VALUE - 5);
}

#[test]
fn plays_perfectly_on_4x4_with_four_in_a_row() {
    let mut random = Random::new(2);
    let mut checked = 0;
    while checked < short_or_long(12, 100) {
        let plies = 8 + random.below(6);
        if let Some(game) = after_random(&tic_tac_toe_config(4, 4), plies, &mut random) {
            Minimax::default().check_engine(&game);
            checked += 1;
        }
    }
    assert_eq!(choose_at_level(&TicTacToe::start(&tic_tac_toe_config(4, 4)).unwrap(), 8).score, 0);
}
