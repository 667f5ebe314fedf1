//! Compares our Othello rules with the crate ai-othello and with a naive version.
//!
//! `cargo bench --package benches --bench othello`
//!
//! An item is a position at the last ply. All versions walk the same tree and must find the same count.

#![allow(clippy::unwrap_used)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::Rules;
use games::othello::{GameConfig, Othello};

fn main() {
    divan::main();
}

/// The number of plies, and of positions there; see <https://www.aartbik.com/strategy.php>.
const TREE: (u32, u64) = (8, 390_216);

fn start() -> Othello {
    Othello::start(&GameConfig {}).unwrap()
}

fn bench(bencher: Bencher, count: impl Fn(u32) -> u64) {
    bencher.counter(ItemsCount::new(TREE.1)).bench_local(|| assert_eq!(count(black_box(TREE.0)), TREE.1));
}

/// Bitboards, with bulk counting at the last ply.
#[divan::bench(sample_count = 10)]
fn sets(bencher: Bencher) {
    bench(bencher, |depth| black_box(start()).perft(depth));
}

/// The crate's bitboards, which play and take back every move.
#[divan::bench(sample_count = 10)]
fn ai_othello(bencher: Bencher) {
    bench(bencher, |depth| ai_othello::perft(&mut ai_othello::Position::start(), depth as u8));
}

/// Plays every move as a table does.
#[divan::bench(sample_count = 2)]
fn every_move(bencher: Bencher) {
    fn walk(game: &Othello, depth: u32) -> u64 {
        if depth == 0 { 1 } else { game.legal_moves().iter().map(|mv| walk(&game.play(mv), depth - 1)).sum() }
    }
    bench(bencher, |depth| walk(&start(), depth));
}

/// A board of 64 bytes that follows each of the eight directions disc by disc. Nobody has to pass this early.
#[divan::bench(sample_count = 2)]
fn plain(bencher: Bencher) {
    let mut board = [[0; 8]; 8];
    (board[3][3], board[3][4], board[4][3], board[4][4]) = (2, 1, 1, 2);
    bench(bencher, |depth| walk(&board, 1, depth));
}

type Board = [[u8; 8]; 8];

fn walk(board: &Board, side: u8, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let cells = (0..8).flat_map(|row| (0..8).map(move |column| (row, column)));
    cells.filter_map(|cell| played(board, side, cell)).map(|board| walk(&board, 3 - side, depth - 1)).sum()
}

/// Returns the board after placing a disc, if that flips any.
fn played(board: &Board, side: u8, (row, column): (usize, usize)) -> Option<Board> {
    if board[row][column] != 0 {
        return None;
    }
    let mut after = *board;
    for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let at = |nth: isize| {
            let (row, column) = (row.checked_add_signed(down * nth)?, column.checked_add_signed(right * nth)?);
            (row < 8 && column < 8).then_some((row, column))
        };
        let run: Vec<_> = (1..).map_while(at).take_while(|cell| board[cell.0][cell.1] == 3 - side).collect();
        let end = at(run.len() as isize + 1).map(|cell| board[cell.0][cell.1]);
        if end == Some(side) {
            run.into_iter().for_each(|cell| after[cell.0][cell.1] = side);
        }
    }
    after[row][column] = side;
    (after.iter().flatten().filter(|cell| **cell == side).count()
        > board.iter().flatten().filter(|cell| **cell == side).count() + 1)
        .then_some(after)
}
