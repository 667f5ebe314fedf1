//! Compares our chess rules with the move generator they're built on.
//!
//! `cargo bench --package benches --bench chess`
//!
//! An item is a position at the last ply. All versions walk the same trees and must find the same counts.

#![allow(clippy::unwrap_used)]

use cozy_chess::Board;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::Rules;
use games::chess::{Chess, GameConfig};

fn main() {
    divan::main();
}

/// The starting position and Kiwipete: positions, depths and published counts.
const TREES: [(&str, u32, u64); 2] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
];

fn bench<T>(bencher: Bencher, tree: usize, set_up: impl Fn(&str) -> T, count: impl Fn(&T, u32) -> u64) {
    let (fen, depth, expected) = TREES[tree];
    let start = set_up(fen);
    bencher.counter(ItemsCount::new(expected)).bench_local(|| assert_eq!(count(black_box(&start), depth), expected));
}

#[divan::bench(args = [0, 1], sample_count = 10)]
fn ours(bencher: Bencher, tree: usize) {
    let set_up = |fen: &str| Chess::start(&GameConfig { fen: Some(fen.to_owned()), ..GameConfig::default() }).unwrap();
    bench(bencher, tree, set_up, Chess::perft);
}

/// Plays every move as a table does, with repetitions and a check for the end of the game.
#[divan::bench(args = [0, 1], sample_count = 2)]
fn every_move(bencher: Bencher, tree: usize) {
    fn walk(game: &Chess, depth: u32) -> u64 {
        if depth == 0 { 1 } else { game.legal_moves().iter().map(|mv| walk(&game.play(mv), depth - 1)).sum() }
    }
    let set_up = |fen: &str| Chess::start(&GameConfig { fen: Some(fen.to_owned()), ..GameConfig::default() }).unwrap();
    bench(bencher, tree, set_up, walk);
}

#[divan::bench(args = [0, 1], sample_count = 10)]
fn crate_alone(bencher: Bencher, tree: usize) {
    fn walk(board: &Board, depth: u32) -> u64 {
        let mut found = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                found += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    found += walk(&next, depth - 1);
                }
            }
            false
        });
        found
    }
    bench(bencher, tree, |fen| fen.parse::<Board>().unwrap(), walk);
}
