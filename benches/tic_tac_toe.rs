//! Compares our tic-tac-toe rules with a naive version.
//!
//! `cargo bench --package benches --bench tic_tac_toe`
//!
//! An item is a position made by playing a move, at every ply and not only the last one, including the check for a win.
//! Both versions walk the same tree and must find the same count.

#![allow(clippy::unwrap_used)]

use std::fmt;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::{PositionJson, Rules};
use games::tic_tac_toe::{GameConfig, TicTacToe};
use games::{GameMode, Mark};

fn main() {
    divan::main();
}

/// The part of a game tree to walk, and the number of positions at each ply.
#[derive(Debug)]
struct Tree {
    size: usize,
    k: usize,
    plies: &'static [u64],
}

const TREES: [Tree; 3] = [
    Tree { size: 3, k: 3, plies: &[9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872] },
    Tree { size: 4, k: 3, plies: &[16, 240, 3360, 43_680, 524_160, 5_518_656] },
    Tree { size: 15, k: 5, plies: &[225, 50_400] },
];

impl Tree {
    fn config(&self) -> GameConfig {
        GameConfig { board_size: self.size, k_in_row: self.k, first_player: Mark::X, mode: GameMode::HumanVsHuman }
    }

    /// Repeatedly walks to the last ply, and counts the positions of all plies as items.
    fn bench(&self, bencher: Bencher, walk: impl Fn(u32) -> u64) {
        let depth = self.plies.len() as u32;
        bencher.counter(ItemsCount::new(self.plies.iter().sum::<u64>())).bench_local(|| {
            assert_eq!(Some(&walk(black_box(depth))), self.plies.last());
        });
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}, {1} in a row, depth {2}", self.size, self.k, self.plies.len())
    }
}

#[divan::bench_group(name = "walk", sample_count = 5)]
mod walk {
    use super::*;

    #[divan::bench(args = TREES)]
    fn bits(bencher: Bencher, tree: &Tree) {
        let game = TicTacToe::start(&tree.config()).unwrap();
        tree.bench(bencher, |depth| black_box(&game).perft(depth));
    }

    #[divan::bench(args = TREES)]
    fn plain(bencher: Bencher, tree: &Tree) {
        let game = Plain::start(tree);
        tree.bench(bencher, |depth| black_box(&game).walk(depth));
    }
}

/// A gomoku board in the middle of a game: plays every empty cell and checks for a win.
#[divan::bench_group(name = "win_on_15x15", sample_count = 20)]
mod win_on_15x15 {
    use super::*;

    /// Fills half of the board without making a line.
    fn middle(mut place: impl FnMut(usize, char)) {
        for cell in (0..225).filter(|cell| (cell / 15) % 2 == 0) {
            place(cell, if (cell % 15 + cell / 15) / 2 % 2 == 0 { 'X' } else { 'O' });
        }
    }

    const GOMOKU: Tree = Tree { size: 15, k: 5, plies: &[] };

    #[divan::bench]
    fn bits(bencher: Bencher) {
        let mut position = TicTacToe::start(&GOMOKU.config()).unwrap().position();
        middle(|cell, mark| position.board[cell] = Some(if mark == 'X' { Mark::X } else { Mark::O }));
        let game = TicTacToe::from_position(&GOMOKU.config(), &position).unwrap();
        let moves = game.legal_moves();
        assert_eq!(moves.len(), 105);
        bencher
            .counter(ItemsCount::new(moves.len()))
            .bench_local(|| moves.iter().filter(|mv| black_box(&game).play(mv).outcome().is_some()).count());
    }

    #[divan::bench]
    fn plain(bencher: Bencher) {
        let mut game = Plain::start(&GOMOKU);
        middle(|cell, mark| game.board[cell] = Some(mark));
        let moves = game.legal_moves();
        assert_eq!(moves.len(), 105);
        bencher
            .counter(ItemsCount::new(moves.len()))
            .bench_local(|| moves.iter().filter(|&&cell| black_box(&game).play(cell).is_over()).count());
    }
}

/// A naive version of tic-tac-toe: a list of cells, copied for every move, and a check of every line.
#[derive(Clone)]
struct Plain {
    size: usize,
    k: usize,
    board: Vec<Option<char>>,
    to_move: char,
}

impl Plain {
    fn start(tree: &Tree) -> Plain {
        Plain { size: tree.size, k: tree.k, board: vec![None; tree.size * tree.size], to_move: 'X' }
    }

    fn legal_moves(&self) -> Vec<usize> {
        (0..self.board.len()).filter(|&cell| self.board[cell].is_none()).collect()
    }

    fn play(&self, cell: usize) -> Plain {
        let mut after = self.clone();
        after.board[cell] = Some(self.to_move);
        after.to_move = if self.to_move == 'X' { 'O' } else { 'X' };
        after
    }

    fn k_in_row(&self) -> Vec<Vec<usize>> {
        let mut lines = Vec::new();
        let (size, k) = (self.size as isize, self.k as isize);
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            for row in 0..size {
                for column in 0..size {
                    let (last_row, last_column) = (row + down * (k - 1), column + right * (k - 1));
                    if !(0..size).contains(&last_row) || !(0..size).contains(&last_column) {
                        continue;
                    }
                    let cell = |n: isize| ((row + down * n) * size + column + right * n) as usize;
                    let mark = self.board[cell(0)];
                    if mark.is_some() && (1..k).all(|n| self.board[cell(n)] == mark) {
                        lines.push((0..k).map(cell).collect());
                    }
                }
            }
        }
        lines
    }

    fn is_over(&self) -> bool {
        !self.k_in_row().is_empty() || self.board.iter().all(Option::is_some)
    }

    fn walk(&self, depth: u32) -> u64 {
        let over = self.is_over();
        match depth {
            0 => 1,
            _ if over => 0,
            _ => self.legal_moves().into_iter().map(|cell| self.play(cell).walk(depth - 1)).sum(),
        }
    }
}
