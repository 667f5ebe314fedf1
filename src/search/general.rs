//! A search for any game of the registry, which knows nothing but the contract: a [`tree`] over the contract.

use crate::game::choice::{Chosen, Level};
use crate::game::contract::{Outcome, Rules};
use crate::game::seat::Seat;
use crate::game::throw::Throw;
use crate::search::random::Random;
use crate::search::tree::{self, Manner, Simulated, Tried, worth};
use crate::search::whole::ONE;

/// The most plies of a game that is played on at random; what goes on after that counts as a draw.
const PLIES: usize = 400;

/// The simulations of each level. Three or four times as many as the level below has.
const SIMULATIONS: [u32; 8] = [12, 40, 120, 400, 1_500, 5_000, 20_000, 80_000];

/// The positions that may be looked at at each level, where the game lists many moves or goes on for long.
const NODES: [u64; 8] = [5_000, 15_000, 45_000, 150_000, 400_000, 1_000_000, 2_500_000, 6_000_000];

/// Returns the move that a tree search finds; `None` where nothing can be chosen.
pub fn choose<G: Rules>(game: &G, level: Level, seed: u64) -> Option<Chosen<G::Move>> {
    let nth = usize::from(level.number() - 1);
    let (nodes, simulations) = (NODES.get(nth).copied()?, SIMULATIONS.get(nth).copied()?);
    let (tried, nodes) =
        tree::grow(&Contract(game.clone()), Manner { nodes, simulations, curiosity: 140 }, &mut Random::new(seed));
    chosen(tried, nodes)
}

/// Returns the best move of a tree, with its value in thousandths of a won game.
pub fn chosen<M>(tried: Vec<Tried<M>>, nodes: u64) -> Option<Chosen<M>> {
    let best = tried.into_iter().next()?;
    let value = best.proven.map_or(best.value, |sure| sure * ONE as i32);
    Some(Chosen { mv: best.mv, nodes, value: value.saturating_mul(1_000) / ONE as i32 })
}

/// A game as it is known through the contract alone.
#[derive(Clone)]
struct Contract<G>(G);

impl<G: Rules> Simulated for Contract<G> {
    type Move = G::Move;

    fn to_move(&self) -> Seat {
        self.0.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn moves(&self) -> Vec<G::Move> {
        self.0.legal_moves()
    }

    fn play(&mut self, mv: &G::Move) {
        self.0 = self.0.play(mv);
    }

    fn awaits_throw(&self) -> bool {
        self.0.awaits_throw()
    }

    fn throw(&mut self, throw: Throw) {
        self.0 = self.0.thrown(throw);
    }

    fn play_on(mut self, random: &mut Random) -> (u64, i32) {
        let mut looked_at = 0;
        for _ in 0..PLIES {
            if let Some(outcome) = self.outcome() {
                return (looked_at, worth(outcome));
            }
            looked_at += 1;
            if self.awaits_throw() {
                self.throw(random.throw());
                continue;
            }
            let moves = self.moves();
            // To list moves is what takes the time.
            looked_at += moves.len() as u64;
            let Some(mv) = moves.get(random.below(moves.len())) else { break };
            self.play(mv);
        }
        (looked_at, 0)
    }
}
