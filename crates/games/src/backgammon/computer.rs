//! The computer opponent, which chooses a play, a roll or a double, a take or a drop.
//!
//! One of two small nets ([`net`]) evaluates a position from its [`inputs`]; [`bearoff`] computes the very end of a
//! race exactly. [`evaluate`] picks between them. [`stakes`] turns the chances into one value, by the cube and the
//! score. [`search`] looks a roll or two ahead, as the level's profile asks ([`level_profile`]).
//!
//! All numbers are integers, so the engine plays the same on every machine. The package `training` makes the nets.

pub mod bearoff;
pub mod chances;
pub mod evaluate;
pub mod inputs;
pub mod level_profile;
pub mod match_equity;
pub mod net;
pub mod search;
pub mod sigmoid;
pub mod stakes;

use game::contract::Engine;
use game::engine::{EngineMove, Level};
use game::seat::Seat;

use crate::backgammon::computer::chances::CERTAIN;
use crate::backgammon::computer::evaluate::Evaluator;
use crate::backgammon::computer::level_profile::{LevelProfile, Noise};
use crate::backgammon::computer::search::Search;
use crate::backgammon::computer::stakes::{Stakes, cube_efficiency};
use crate::backgammon::game::{Backgammon, Phase};
use crate::backgammon::moves::{CubeAction, CubeMove, Move, Steps};
use crate::backgammon::placement::Placement;

/// The number of evaluated positions after which the search doesn't deepen any further.
const BUDGET: u64 = 150_000;

/// A candidate play: its index, the board after it, and its value for the side that makes it.
type Candidate = (usize, Placement, i64);

impl Engine for Backgammon {
    const ENGINE_VERSION: u32 = 2;

    const SCORE_SCALE: i32 = 43_000;

    // An analysis runs thousands of small searches, so it keeps the costly bearoff table between them.
    type Memory = Evaluator;

    /// The score is in 1/65536 points, or in a match the chance of winning it, in 1/65536.
    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        choose_with(&mut Evaluator::new(), self, &LevelProfile::for_level(level), seed)
    }

    fn analyze(&self, nodes: u64, evaluator: &mut Evaluator) -> Option<EngineMove<Move>> {
        choose_with(evaluator, self, &LevelProfile::for_analysis(nodes), 0)
    }

    fn accepts_resignation(&self, seat: Seat) -> bool {
        let chances = Evaluator::new().chances(&self.board, self.side_to_move);
        let own = if self.side_to_move == seat { chances } else { chances.for_opponent() };
        own.points() <= CERTAIN
    }
}

/// Chooses a move with the given evaluator and level profile.
pub fn choose_with(
    evaluator: &mut Evaluator,
    game: &Backgammon,
    profile: &LevelProfile,
    seed: u64,
) -> Option<EngineMove<Move>> {
    let seat = game.side_to_move;
    let stakes = Stakes::from_game(game, seat);
    evaluator.nodes = 0;
    let mut search = Search::new(evaluator, game.allows_overshoot(), &stakes);
    let noise = Noise::new(&game.board, seed, profile.noise * (stakes.result(1) - stakes.result(-1)) / 2);
    let (mv, value) = match game.phase {
        Phase::Play => best_play(game, &mut search, &stakes, profile, &noise)?,
        Phase::RollOrDouble => {
            let [roll, take, drop] = cube_values(game, &mut search, seat, profile);
            let doubled = take.min(drop);
            let action = if doubled > roll + noise.for_cube() { CubeAction::Double } else { CubeAction::Roll };
            (Move::Cube(CubeMove { cube: action }), roll.max(doubled))
        }
        Phase::TakeOrDrop => {
            let [_, take, drop] = cube_values(game, &mut search, seat.other(), profile);
            let action = if take + noise.for_cube() <= drop { CubeAction::Take } else { CubeAction::Drop };
            (Move::Cube(CubeMove { cube: action }), stakes.to_other(take.min(drop)))
        }
        Phase::OpeningRoll | Phase::Roll | Phase::Over => return None,
    };
    let value = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    Some(EngineMove { mv, nodes: search.nodes(), score: value })
}

/// Returns three values for the side that may double: of rolling, of a double that is taken, and of a double that is
/// dropped.
fn cube_values(game: &Backgammon, search: &mut Search, seat: Seat, profile: &LevelProfile) -> [i64; 3] {
    let stakes = Stakes::from_game(game, seat);
    let turn = usize::from(seat != game.side_to_move);
    let chances = search.chances(&game.board, seat, turn, profile.rolls_ahead.min(1));
    let life = cube_efficiency(&game.board, seat);
    [stakes.value(chances, life), stakes.doubled().value(chances, life), stakes.result(1)]
}

/// Returns the best play and its value.
fn best_play(
    game: &Backgammon,
    search: &mut Search,
    stakes: &Stakes,
    profile: &LevelProfile,
    noise: &Noise,
) -> Option<(Move, i64)> {
    let seat = game.side_to_move;
    let mut plays = game.legal_plays();
    let mut candidates: Vec<Candidate> = Vec::with_capacity(plays.len());
    for (at, play) in plays.iter().enumerate() {
        let value = if profile.is_beginner {
            profile.beginner_eval(&play.board_after, seat)
        } else {
            evaluate_after(search, stakes, &play.board_after, seat, 0)
        };
        candidates.push((at, play.board_after, value + noise.for_board(&play.board_after)));
    }
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.2));
    let unit = (stakes.result(1) - stakes.result(-1)) / 2;
    for (rolls_ahead, width) in (1..=profile.rolls_ahead).zip([8, 4]) {
        if candidates.len() < 2 || search.nodes() > BUDGET {
            break;
        }
        keep_best(&mut candidates, width, unit / (4 * i64::from(rolls_ahead)));
        for (_, after, value) in &mut candidates {
            *value = evaluate_after(search, stakes, after, seat, rolls_ahead) + noise.for_board(after);
        }
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.2));
    }
    let (at, _, value) = candidates.first()?;
    Some((Move::Play(Steps { moves: plays.swap_remove(*at).steps }), *value))
}

/// Keeps at most `width` candidates, and only those within `margin` of the best.
fn keep_best(candidates: &mut Vec<Candidate>, width: usize, margin: i64) {
    let best = candidates.first().map_or(0, |candidate| candidate.2);
    candidates.truncate(width);
    candidates.retain(|candidate| candidate.2 >= best - margin);
}

/// Returns the value of a board for the side that just moved.
fn evaluate_after(search: &mut Search, stakes: &Stakes, after: &Placement, seat: Seat, rolls_ahead: u32) -> i64 {
    let other = seat.other();
    let chances = search.chances(after, other, 1, rolls_ahead);
    stakes.to_other(stakes.for_opponent().value(chances, cube_efficiency(after, other)))
}
