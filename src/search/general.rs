//! A search for any game of the registry, which knows nothing but the contract.

use crate::game::choice::{Chosen, Level};
use crate::game::contract::{Game, Outcome};
use crate::search::random::Random;

/// The most plies of a playout; what goes on after that counts as a draw.
const PLIES: usize = 400;

/// Returns the move after which random play goes best, of so many playouts at each level; `None` where nothing can be
/// chosen.
pub fn choose<G: Game>(game: &G, level: Level, seed: u64) -> Option<Chosen<G::Move>> {
    let moves = game.legal_moves();
    let mut random = Random::new(seed);
    let mut best: Option<Chosen<G::Move>> = None;
    let each = 1 << level.number();
    for mv in &moves {
        let after = game.play(mv);
        let value = (0..each).map(|_| playout(after.clone(), game.to_move(), &mut random)).sum();
        if best.as_ref().is_none_or(|best| best.value < value) {
            best = Some(Chosen { mv: mv.clone(), nodes: each * moves.len() as u64, value });
        }
    }
    best
}

/// Plays at random to the end, and returns what came of it for a side: 1, 0 or -1.
fn playout<G: Game>(mut game: G, side: crate::game::seat::Seat, random: &mut Random) -> i32 {
    for _ in 0..PLIES {
        match game.outcome() {
            Some(Outcome::Won(winner)) => return if winner == side { 1 } else { -1 },
            Some(Outcome::Draw) => return 0,
            None if game.awaits_throw() => game = game.thrown(random.throw()),
            None => {
                let moves = game.legal_moves();
                let Some(mv) = moves.get(random.below(moves.len())) else { return 0 };
                game = game.play(mv);
            }
        }
    }
    0
}
