//! Compares our ultimate tic-tac-toe rules with a naive version.
//!
//! `cargo bench --package benches --bench ultimate_tic_tac_toe`
//!
//! An item is a position made by playing a move, at every ply and not only the last one. All versions walk the same
//! tree and must find the same count.

#![allow(clippy::unwrap_used)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::{Outcome, Rules};
use games::ultimate_tic_tac_toe::{GameConfig, UltimateTicTacToe};

fn main() {
    divan::main();
}

/// The number of positions at each ply from the start.
const PLIES: [u64; 6] = [81, 720, 6336, 55_080, 473_256, 4_020_960];

/// The number of random games per sample.
const GAMES: u64 = 1_000;

fn start() -> UltimateTicTacToe {
    UltimateTicTacToe::start(&GameConfig::default()).unwrap()
}

/// The tree below the start, where no board is complete yet.
#[divan::bench_group(name = "walk", sample_count = 5)]
mod walk {
    use super::*;

    fn bench(bencher: Bencher, walk: impl Fn(u32) -> u64) {
        bencher.counter(ItemsCount::new(PLIES.iter().sum::<u64>())).bench_local(|| {
            assert_eq!(Some(&walk(black_box(PLIES.len() as u32))), PLIES.last());
        });
    }

    #[divan::bench]
    fn masks(bencher: Bencher) {
        bench(bencher, |depth| black_box(start()).perft(depth));
    }

    /// The same walk, with a black box that keeps the compiler from removing unused work.
    #[divan::bench]
    fn masks_looked_at(bencher: Bencher) {
        fn walk(game: &UltimateTicTacToe, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            game.legal_moves().iter().map(|mv| walk(black_box(&game.play(mv)), depth - 1)).sum()
        }
        bench(bencher, |depth| walk(&start(), depth));
    }

    #[divan::bench]
    fn plain(bencher: Bencher) {
        fn walk(game: &Plain, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            game.legal_moves().iter().map(|mv| walk(&game.play(*mv), depth - 1)).sum()
        }
        bench(bencher, |depth| walk(&Plain::start(), depth));
    }
}

/// Complete games, in which boards are won, drawn, or already complete when a player is sent there.
#[divan::bench_group(name = "random_games", sample_count = 10)]
mod random_games {
    use super::*;

    /// Returns the numbers of positions made and of games won by each seat, to check that all versions play the same
    /// games.
    fn tally() -> [u64; 3] {
        let mut tally = [0; 3];
        each(|chance| {
            let (mut game, mut moves) = (Plain::start(), Plain::start().legal_moves());
            while !moves.is_empty() {
                game = game.play(moves[chance.below(moves.len())]);
                tally[0] += 1;
                moves = game.legal_moves();
            }
            match game.winner() {
                Some('X') => tally[1] += 1,
                Some(_) => tally[2] += 1,
                None => {}
            }
        });
        tally
    }

    fn each(mut play: impl FnMut(&mut Chance)) {
        let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
        (0..GAMES).for_each(|_| play(&mut chance));
    }

    #[divan::bench]
    fn masks(bencher: Bencher) {
        let expected = tally();
        bencher.counter(ItemsCount::new(expected[0])).bench_local(|| {
            let mut found = [0; 3];
            each(|chance| {
                let (mut game, mut moves) = (start(), start().legal_moves());
                while !moves.is_empty() {
                    game = game.play(&moves[chance.below(moves.len())]);
                    found[0] += 1;
                    moves = game.legal_moves();
                }
                if let Some(Outcome::Won(seat)) = game.outcome() {
                    found[1 + seat.index()] += 1;
                }
            });
            assert_eq!(found, expected);
        });
    }

    #[divan::bench]
    fn plain(bencher: Bencher) {
        let expected = tally();
        bencher.counter(ItemsCount::new(expected[0])).bench_local(|| assert_eq!(black_box(tally()), expected));
    }
}

/// A seeded pseudorandom number generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, many: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % many as u64) as usize
    }
}

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn line(marks: &[Option<char>]) -> Option<char> {
    LINES
        .iter()
        .find(|line| line.iter().all(|&n| marks[n].is_some() && marks[n] == marks[line[0]]))
        .and_then(|line| marks[line[0]])
}

/// A naive version of ultimate tic-tac-toe: lists of cells, copied for every move, and a check of every line.
#[derive(Clone)]
struct Plain {
    boards: Vec<Vec<Option<char>>>,
    sent_to: Option<usize>,
    to_move: char,
}

impl Plain {
    fn start() -> Plain {
        Plain { boards: vec![vec![None; 9]; 9], sent_to: None, to_move: 'X' }
    }

    fn winner(&self) -> Option<char> {
        let owners: Vec<Option<char>> = self.boards.iter().map(|cells| line(cells)).collect();
        line(&owners)
    }

    fn is_complete(&self, board: usize) -> bool {
        line(&self.boards[board]).is_some() || self.boards[board].iter().all(Option::is_some)
    }

    fn legal_moves(&self) -> Vec<(usize, usize)> {
        if self.winner().is_some() {
            return Vec::new();
        }
        let open = (0..9).filter(|&board| !self.is_complete(board));
        let active = open.filter(|&board| self.sent_to.is_none_or(|sent_to| sent_to == board));
        let free = |board: usize| (0..9).filter(move |&cell| self.boards[board][cell].is_none());
        active.flat_map(|board| free(board).map(move |cell| (board, cell))).collect()
    }

    fn play(&self, (board, cell): (usize, usize)) -> Plain {
        let mut after = self.clone();
        after.boards[board][cell] = Some(self.to_move);
        after.sent_to = Some(cell).filter(|&cell| !after.is_complete(cell));
        after.to_move = if self.to_move == 'X' { 'O' } else { 'X' };
        after
    }
}
