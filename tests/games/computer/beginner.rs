//! Level 1 wins if it can, and level 2 beats random moves.

use game::{Game, Outcome, apply_move};
use games::{GameKind, Random, with_game};
use testkit::short_or_long;

use super::{default_config, level};

/// Plays a game of a level against random moves. Returns twice its points, and how often level 1 had a win in one.
///
/// Checks that level 1 wins as soon as it can.
fn play_against_random<G: Game>(number: u8, seed: u64) -> (usize, usize) {
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
            let chosen = game.choose(level(number), random.next_u64()).unwrap().mv;
            let is_win = |mv: &G::Move| game.play(mv).outcome() == Some(Outcome::Won(side));
            if number == 1 && moves.iter().any(is_win) {
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

/// Returns twice the points of a level in games against random moves, and how often level 1 had a win in one.
fn points_against_random(kind: GameKind, number: u8, games: usize) -> (usize, usize) {
    let results = (0..games as u64).map(|seed| with_game!(kind, G => play_against_random::<G>(number, seed)));
    results.fold((0, 0), |sum, result| (sum.0 + result.0, sum.1 + result.1))
}

#[test]
fn level_1_takes_a_win_in_one_and_beats_random_moves() {
    for kind in GameKind::ALL {
        let games = short_or_long(20, 200);
        let (points, wins) = points_against_random(*kind, 1, games);
        assert!(points > games, "{kind:?}: {points} of {} half points", 2 * games);
        assert!(wins > 0, "{kind:?}: no win in one came up");
    }
}

#[test]
fn level_2_scores_90_percent_against_random_moves() {
    for kind in GameKind::ALL {
        let games = short_or_long(20, 200);
        // In Othello, random moves often end with more discs.
        let percent = if *kind == GameKind::Othello { 80 } else { 90 };
        let (points, _) = points_against_random(*kind, 2, games);
        assert!(100 * points >= percent * 2 * games, "{kind:?}: {points} of {} half points", 2 * games);
    }
}
