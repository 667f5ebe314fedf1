//! Level 0, which plays weakly but honestly, so that a child can win.

use game::{Engine, EngineMove, Level, Outcome};

use crate::Random;

/// How many of 100 wins in one level 0 sees.
const WINS_SEEN: usize = 60;

/// Returns the move of level 0: most wins in one, `skill` of 100 other moves as level 1 plays, and the rest at random. The
/// score is level 1's.
pub(crate) fn choose<G: Engine>(game: &G, skill: usize, seed: u64) -> Option<EngineMove<G::Move>> {
    let mut random = Random::new(seed);
    let usual = game.choose(Level::ALL[0], random.next_u64())?;
    let (side, mut moves) = (game.side_to_move(), game.legal_moves());
    let wins = |mv: &G::Move| game.play(mv).outcome() == Some(Outcome::Won(side));
    let sees_win = random.below(100) < WINS_SEEN;
    if let Some(win) = moves.iter().position(wins).filter(|_| sees_win) {
        return Some(EngineMove { mv: moves.swap_remove(win), ..usual });
    }
    if random.below(100) < skill {
        return Some(usual);
    }
    Some(EngineMove { mv: moves.swap_remove(random.below(moves.len())), ..usual })
}
