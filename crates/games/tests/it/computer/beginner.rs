//! Level 1: it wins if it can, and plays better than at random.

use game::contract::{Game, Outcome, apply_move};
use games::registry::{GameKind, with_game};
use games::search::random::Random;
use testkit::short_or_long;

use super::{default_config, level};

/// Plays a game of level 1 against random moves and checks that level 1 wins as soon as it can. Returns twice its points.
fn play_against_random<G: Game>(seed: u64) -> (usize, usize) {
    let (mut random, mut wins) = (Random::new(seed), 0);
    let mut game = G::start(&default_config::<G>()).unwrap();
    loop {
        if let Some(outcome) = game.outcome() {
            let is_win = matches!(outcome, Outcome::Won(seat) if seat.index() as u64 == seed % 2);
            return (if is_win { 2 } else { usize::from(outcome == Outcome::Draw) }, wins);
        }
        if game.needs_roll() {
            game = game.with_roll(random.roll());
            continue;
        }
        let (side, moves) = (game.side_to_move(), game.legal_moves());
        let mv = if side.index() as u64 == seed % 2 {
            let chosen = game.choose(level(1), random.next_u64()).unwrap().mv;
            let is_win = |mv: &G::Move| game.play(mv).outcome() == Some(Outcome::Won(side));
            if moves.iter().any(is_win) {
                assert!(is_win(&chosen), "{} misses a win: {game:?}", G::INFO.name);
                wins += 1;
            }
            chosen
        } else {
            moves[random.below(moves.len())].clone()
        };
        game = apply_move(&game, &mv).unwrap();
    }
}

#[test]
fn level_1_takes_a_win_in_one_and_beats_random_moves() {
    for kind in GameKind::ALL {
        let games = short_or_long(20, 200);
        let results = (0..games as u64).map(|seed| with_game!(*kind, G => play_against_random::<G>(seed)));
        let (points, wins) = results.fold((0, 0), |sum, result| (sum.0 + result.0, sum.1 + result.1));
        assert!(points > games, "{kind:?}: {points} of {} half points", 2 * games);
        assert!(wins > 0, "{kind:?}: no win in one came up");
    }
}
