//! The choice of a move: a play of the dice, a roll or a double, a take or a drop.

use game::choice::{Chosen, Level};
use game::contract::Engine;
use game::seat::Seat;

use crate::backgammon::checkers::Checkers;
use crate::backgammon::engine::chances::CERTAIN;
use crate::backgammon::engine::evaluate::Evaluator;
use crate::backgammon::engine::manner::{Manner, Noise};
use crate::backgammon::engine::search::Search;
use crate::backgammon::engine::stakes::{Stakes, life};
use crate::backgammon::game::{Backgammon, Phase};
use crate::backgammon::moves::{CubeAction, Deed, Move, Steps};

/// The most positions that are valued before the last candidates are looked at.
const BUDGET: u64 = 150_000;

/// A play that may be chosen: its number, the board after it, and its value to the side that makes it.
type Candidate = (usize, Checkers, i64);

impl Engine for Backgammon {
    const ENGINE: u32 = 1;

    const EDGE: i32 = 43_000;

    /// The value is in 1/65536: points, or the chance to win the match.
    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        choose_with(&mut Evaluator::new(), self, &Manner::of(level), seed)
    }

    fn settles_for_least(&self, seat: Seat) -> bool {
        let chances = Evaluator::new().chances(&self.board, self.to_move);
        let own = if self.to_move == seat { chances } else { chances.turned() };
        own.points() <= CERTAIN
    }
}

/// Chooses a move with nets that have been read, in any manner.
pub fn choose_with(evaluator: &mut Evaluator, game: &Backgammon, manner: &Manner, seed: u64) -> Option<Chosen<Move>> {
    let seat = game.to_move;
    let stakes = Stakes::of(game, seat);
    evaluator.nodes = 0;
    let mut search = Search::new(evaluator, game.overshoot(), &stakes);
    let noise = Noise::new(&game.board, seed, manner.noise * (stakes.result(1) - stakes.result(-1)) / 2);
    let (mv, value) = match game.phase {
        Phase::Play => play(game, &mut search, &stakes, manner, &noise)?,
        Phase::Choice => {
            let [wait, take, drop] = doubling(game, &mut search, seat, manner);
            let doubled = take.min(drop);
            let deed = if doubled > wait + noise.of(1) { Deed::Double } else { Deed::Roll };
            (Move::Cube(CubeAction { cube: deed }), wait.max(doubled))
        }
        Phase::Answer => {
            let [_, take, drop] = doubling(game, &mut search, seat.other(), manner);
            let deed = if take + noise.of(1) <= drop { Deed::Take } else { Deed::Drop };
            (Move::Cube(CubeAction { cube: deed }), stakes.to_other(take.min(drop)))
        }
        Phase::Opening | Phase::Throw | Phase::Over => return None,
    };
    let value = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    Some(Chosen { mv, nodes: search.nodes(), value })
}

/// Returns what it is worth to a side that may double: to roll, to double when it is taken, and when it is dropped.
fn doubling(game: &Backgammon, search: &mut Search, seat: Seat, manner: &Manner) -> [i64; 3] {
    let stakes = Stakes::of(game, seat);
    let turn = usize::from(seat != game.to_move);
    let chances = search.chances(&game.board, seat, turn, manner.throws.min(1));
    let life = life(&game.board, seat);
    [stakes.value(chances, life), stakes.doubled().value(chances, life), stakes.result(1)]
}

/// Returns the best play and its value.
fn play(
    game: &Backgammon,
    search: &mut Search,
    stakes: &Stakes,
    manner: &Manner,
    noise: &Noise,
) -> Option<(Move, i64)> {
    let seat = game.to_move;
    let mut plays = game.plays();
    let mut candidates: Vec<Candidate> = Vec::with_capacity(plays.len());
    for (at, play) in plays.iter().enumerate() {
        let value =
            if manner.simple { manner.glance(&play.after, seat) } else { valued(search, stakes, &play.after, seat, 0) };
        candidates.push((at, play.after, value + noise.of_board(&play.after)));
    }
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.2));
    let unit = (stakes.result(1) - stakes.result(-1)) / 2;
    for (throws, width) in (1..=manner.throws).zip([8, 4]) {
        if candidates.len() < 2 || search.nodes() > BUDGET {
            break;
        }
        narrow(&mut candidates, width, unit / (4 * i64::from(throws)));
        for (_, after, value) in &mut candidates {
            *value = valued(search, stakes, after, seat, throws) + noise.of_board(after);
        }
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.2));
    }
    let (at, _, value) = candidates.first()?;
    Some((Move::Play(Steps { moves: plays.swap_remove(*at).steps }), *value))
}

/// Leaves the best candidates, so many at most, and none that is worse by a margin.
fn narrow(candidates: &mut Vec<Candidate>, width: usize, margin: i64) {
    let best = candidates.first().map_or(0, |candidate| candidate.2);
    candidates.truncate(width);
    candidates.retain(|candidate| candidate.2 >= best - margin);
}

/// Returns the value of a board to the side that has just moved.
fn valued(search: &mut Search, stakes: &Stakes, after: &Checkers, seat: Seat, throws: u32) -> i64 {
    let other = seat.other();
    let chances = search.chances(after, other, 1, throws);
    stakes.to_other(stakes.turned().value(chances, life(after, other)))
}
