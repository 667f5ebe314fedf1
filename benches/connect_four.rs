//! Compares our connect four rules with a naive version.
//!
//! `cargo bench --package benches --bench connect_four`
//!
//! An item is a position at the last ply. All versions walk the same tree and must find the same count.

#![allow(clippy::unwrap_used)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::Rules;
use games::connect_four::{ConnectFour, GameConfig};

fn main() {
    divan::main();
}

/// The number of plies, and of positions there; see <https://oeis.org/A212693>.
const TREE: (u32, u64) = (9, 39_394_572);

fn start() -> ConnectFour {
    ConnectFour::start(&GameConfig::default()).unwrap()
}

fn bench(bencher: Bencher, count: impl Fn(u32) -> u64) {
    bencher.counter(ItemsCount::new(TREE.1)).bench_local(|| assert_eq!(count(black_box(TREE.0)), TREE.1));
}

/// Bitboards, with bulk counting at the last ply.
#[divan::bench(sample_count = 10)]
fn sets(bencher: Bencher) {
    bench(bencher, |depth| black_box(start()).perft(depth));
}

/// Plays every move as a table does.
#[divan::bench(sample_count = 2)]
fn every_move(bencher: Bencher) {
    fn walk(game: &ConnectFour, depth: u32) -> u64 {
        if depth == 0 { 1 } else { game.legal_moves().iter().map(|mv| walk(&game.play(mv), depth - 1)).sum() }
    }
    bench(bencher, |depth| walk(&start(), depth));
}

/// A board of 42 bytes that looks for lines around the last disc.
#[divan::bench(sample_count = 2)]
fn plain(bencher: Bencher) {
    bench(bencher, |depth| walk(&mut [[0; 7]; 6], 1, depth));
}

fn walk(board: &mut [[u8; 7]; 6], side: u8, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut found = 0;
    for column in 0..7 {
        let Some(row) = (0..6).find(|row| board[*row][column] == 0) else { continue };
        board[row][column] = side;
        if !has_line(board, row, column) {
            found += walk(board, 3 - side, depth - 1);
        } else if depth == 1 {
            found += 1;
        }
        board[row][column] = 0;
    }
    found
}

fn has_line(board: &[[u8; 7]; 6], row: usize, column: usize) -> bool {
    let side = board[row][column];
    let run = |up: isize, right: isize| {
        let at = |nth: &isize| {
            let row = row.checked_add_signed(up * nth)?;
            board.get(row)?.get(column.checked_add_signed(right * nth)?).copied()
        };
        (1..4).take_while(|nth| at(nth) == Some(side)).count()
    };
    [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(up, right)| run(up, right) + run(-up, -right) >= 3)
}
