//! How fast the rules of tic-tac-toe are, beside the same rules written down in the plainest way.
//!
//! `cargo bench --bench tic_tac_toe`
//!
//! An item is a position that was really made by playing a move, win detection included, at every ply and not only at the
//! last one. Both sides of a comparison walk the same tree in the same run and must find the same number of positions.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use play_by_commit::game::Game;
use play_by_commit::games::tic_tac_toe::TicTacToe;
use play_by_commit::games::tic_tac_toe::engine::{GameConfig, GameMode, Player};

fn main() {
    divan::main();
}

/// A tree: size, k, depth, and how many positions lie at each ply.
const TREES: [(&str, &[u64]); 3] = [
    ("3x3, 3 in a row", &[9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]),
    ("4x4, 3 in a row", &[16, 240, 3360, 43_680, 524_160, 5_518_656]),
    ("15x15, 5 in a row", &[225, 50_400]),
];

fn board(name: &str) -> (usize, usize) {
    match name {
        "3x3, 3 in a row" => (3, 3),
        "4x4, 3 in a row" => (4, 3),
        _ => (15, 5),
    }
}

fn start(size: usize, k: usize) -> TicTacToe {
    let config = GameConfig { board_size: size, k_in_row: k, first_player: Player::X, mode: GameMode::HumanVsHuman };
    TicTacToe::start(&config).unwrap()
}

#[divan::bench_group(name = "walk", sample_count = 5)]
mod walk {
    use super::*;

    #[divan::bench(args = TREES.map(|(name, _)| name))]
    fn bits(bencher: Bencher, name: &str) {
        let (size, k) = board(name);
        let (game, plies) = (start(size, k), plies(name));
        bencher.counter(ItemsCount::new(plies.iter().sum::<u64>())).bench_local(|| {
            assert_eq!(black_box(&game).perft(plies.len() as u32), plies[plies.len() - 1]);
        });
    }

    #[divan::bench(args = TREES.map(|(name, _)| name))]
    fn plain(bencher: Bencher, name: &str) {
        let (size, k) = board(name);
        let (game, plies) = (Plain { size, k, board: vec![None; size * size], to_move: 'X' }, plies(name));
        bencher.counter(ItemsCount::new(plies.iter().sum::<u64>())).bench_local(|| {
            assert_eq!(black_box(&game).walk(plies.len() as u32), plies[plies.len() - 1]);
        });
    }

    fn plies(name: &str) -> &'static [u64] {
        TREES.iter().find(|(other, _)| *other == name).map(|(_, plies)| *plies).unwrap()
    }
}

/// A gomoku board in the middle of the game: every empty cell is tried, and whether it wins is asked.
#[divan::bench_group(name = "win_on_15x15", sample_count = 20)]
mod win_on_15x15 {
    use super::*;

    /// Half of the board, filled without a line: pairs of rows lean against each other.
    fn middle(mut place: impl FnMut(usize, char)) {
        for cell in (0..225).filter(|cell| (cell / 15) % 2 == 0) {
            place(cell, if (cell % 15 + cell / 15) / 2 % 2 == 0 { 'X' } else { 'O' });
        }
    }

    #[divan::bench]
    fn bits(bencher: Bencher) {
        let empty = start(15, 5);
        let mut position = empty.position();
        middle(|cell, mark| position.board[cell] = Some(if mark == 'X' { Player::X } else { Player::O }));
        let config = GameConfig { board_size: 15, k_in_row: 5, first_player: Player::X, mode: GameMode::HumanVsHuman };
        let game = TicTacToe::at(&config, &position).unwrap();
        let moves = game.legal_moves();
        assert_eq!(moves.len(), 105);
        bencher
            .counter(ItemsCount::new(moves.len()))
            .bench_local(|| moves.iter().filter(|mv| black_box(&game).play(mv).outcome().is_some()).count());
    }

    #[divan::bench]
    fn plain(bencher: Bencher) {
        let mut game = Plain { size: 15, k: 5, board: vec![None; 225], to_move: 'X' };
        middle(|cell, mark| game.board[cell] = Some(mark));
        let moves = game.legal_moves();
        assert_eq!(moves.len(), 105);
        bencher
            .counter(ItemsCount::new(moves.len()))
            .bench_local(|| moves.iter().filter(|&&cell| black_box(&game).play(cell).is_over()).count());
    }
}

/// Tic-tac-toe as one would first write it: a list of cells, copied for every move, and a look at every line.
#[derive(Clone)]
struct Plain {
    size: usize,
    k: usize,
    board: Vec<Option<char>>,
    to_move: char,
}

impl Plain {
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
