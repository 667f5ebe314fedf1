//! The crate ai-othello as an opponent: it reads games, a line of moves each, and answers each with the move that the crate's
//! own `search` chooses at a depth.
//!
//! ```text
//! othello-opponent DEPTH           # answers lines such as "f5 d6 c3", where a side that has no move says "pass"
//! othello-opponent check DEPTH N   # compares N choices with those of `search`
//! ```
//!
//! Rules, evaluation and result are the crate's. Its `search` looks into every move of the root with an open window and orders
//! moves by corners alone, which takes minutes a game at depth 10. The choice is the one with the highest value, the first in the
//! order of moves among equals, whichever way that is found out; here it is found by the same alpha-beta with a window, a table
//! and a better order.

use std::collections::HashMap;
use std::io::BufRead;

use ai_othello::{EvaluationProfile, GameResult, Move, Position, SearchConfig, evaluate, search};

/// More than any value.
const BEYOND: i32 = 40_000;
/// The value of a win by no disc; see `Score` of the crate.
const WON: i32 = 30_000;

/// The known bounds of a position's value with this number of plies left.
type Known = HashMap<(u64, u64, bool, u8), (i32, i32)>;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["check", depth, count] => check(depth.parse().unwrap(), count.parse().unwrap()),
        [depth] => {
            let depth = depth.parse().unwrap();
            for line in std::io::stdin().lock().lines() {
                println!("{}", best(after(line.unwrap().split_whitespace()), depth));
            }
        }
        _ => panic!("othello-opponent DEPTH, or othello-opponent check DEPTH N"),
    }
}

fn after<'a>(moves: impl Iterator<Item = &'a str>) -> Position {
    let mut position = Position::start();
    for mv in moves {
        position.make_move(mv.parse().unwrap()).unwrap();
    }
    position
}

/// Plays random games and compares one choice in each.
fn check(depth: u8, count: u64) {
    let mut state = 1_u64;
    let mut below = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % end
    };
    for done in 0..count {
        let mut position = Position::start();
        for _ in 0..below(58) {
            if position.result() == GameResult::Ongoing {
                let moves = position.legal_moves();
                position.make_move(moves.as_slice()[below(moves.len())]).unwrap();
            }
        }
        if position.result() == GameResult::Ongoing {
            let theirs = search(position, SearchConfig::fixed_depth(depth, EvaluationProfile::Phase)).best_move;
            assert_eq!(Some(best(position, depth)), theirs, "choice {done}: {}", position.to_cassio());
        }
    }
    println!("{count} choices at depth {depth} are those of the crate");
}

/// Returns the move that the crate's `search` chooses.
fn best(position: Position, depth: u8) -> Move {
    let mut known = Known::new();
    let mut moves = position.legal_moves().as_slice().to_vec();
    let mut values: HashMap<Move, i32> = HashMap::new();
    // What was best with less depth is tried first; the last round alone counts.
    for depth in 1..=depth {
        moves.sort_by_key(|mv| (-values.get(mv).copied().unwrap_or_default(), *mv));
        let mut chosen: Option<(i32, Move)> = None;
        for mv in &moves {
            let mut next = position;
            next.make_move(*mv).unwrap();
            let left = if *mv == Move::Pass { depth } else { depth - 1 };
            // A move that comes first in the order of moves needs no more than as much.
            let floor = chosen.map_or(-BEYOND, |(best, first)| if *mv < first { best - 1 } else { best });
            let value = -descend(&mut next, left, -BEYOND, -floor, &mut known);
            values.insert(*mv, value);
            if value > floor {
                chosen = Some((value, *mv));
            }
        }
        if let Some((_, mv)) = chosen {
            moves.retain(|other| *other != mv);
            moves.insert(0, mv);
            values.insert(mv, BEYOND);
        }
    }
    moves[0]
}

fn descend(position: &mut Position, depth: u8, mut alpha: i32, beta: i32, known: &mut Known) -> i32 {
    match position.result() {
        GameResult::Ongoing => {}
        GameResult::Draw { .. } => return 0,
        GameResult::Win { winner, black, white } => {
            let value = WON + i32::from(black.abs_diff(white));
            return if winner == position.side_to_move() { value } else { -value };
        }
    }
    if depth == 0 {
        return evaluate(*position, EvaluationProfile::Phase).total;
    }
    let side = position.side_to_move();
    let key = (position.bits(side), position.bits(side.other()), side == ai_othello::Side::Black, depth);
    let (mut least, mut most) = known.get(&key).copied().unwrap_or((-BEYOND, BEYOND));
    if least >= beta || least == most {
        return least;
    }
    if most <= alpha {
        return most;
    }
    let floor = alpha;
    let mut best = -BEYOND;
    for mv in ordered(position, depth) {
        let undo = position.make_move(mv).unwrap();
        let left = if mv == Move::Pass { depth } else { depth - 1 };
        let value = -descend(position, left, -beta, -alpha, known);
        position.unmake_move(undo);
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    if best > floor {
        least = least.max(best);
    }
    if best < beta {
        most = most.min(best);
    }
    if depth > 1 {
        known.insert(key, (least, most));
    }
    best
}

/// Returns the moves, those first that leave the other side least choice.
fn ordered(position: &mut Position, depth: u8) -> Vec<Move> {
    let mut moves = position.legal_moves().as_slice().to_vec();
    if depth > 1 && moves.len() > 1 {
        moves.sort_by_cached_key(|mv| {
            let undo = position.make_move(*mv).unwrap();
            let choice = position.legal_placement_bits().count_ones();
            position.unmake_move(undo);
            let in_corner = mv.square().is_some_and(|square| [0, 7, 56, 63].contains(&square.index()));
            (!in_corner, choice)
        });
    }
    moves
}
