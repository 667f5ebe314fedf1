//! A search for any game. It knows only the game's rules, and uses [`mcts`].

use game::contract::DiceRules;
use game::engine::{EngineMove, Level};

use crate::search::fixed_point::ONE;
use crate::search::mcts;
use crate::search::random::Random;

/// The number of simulations at each level, three or four times as many as at the level before.
const SIMULATIONS: [u32; 8] = [12, 40, 120, 400, 1_500, 5_000, 20_000, 80_000];

/// The most positions to visit at each level. They limit the search in games with many moves or long rollouts.
const NODES: [u64; 8] = [5_000, 15_000, 45_000, 150_000, 400_000, 1_000_000, 2_500_000, 6_000_000];

/// Returns the move that Monte Carlo tree search finds; `None` if there isn't a choice to make.
pub fn choose<G: DiceRules>(game: &G, level: Level, seed: u64) -> Option<EngineMove<G::Move>> {
    let index = usize::from(level.number() - 1);
    let (nodes, simulations) = (NODES.get(index).copied()?, SIMULATIONS.get(index).copied()?);
    let (moves, nodes) = mcts::search(game, nodes, simulations, &mut Random::new(seed));
    let best = moves.into_iter().next()?;
    // The value is in thousandths of a win.
    let value = best.proven.map_or(best.value, |result| result * ONE as i32).saturating_mul(1_000) / ONE as i32;
    Some(EngineMove { mv: best.mv, nodes, score: value })
}
