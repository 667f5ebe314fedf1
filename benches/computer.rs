//! Compares the computer's searches with a plain minimax over the rules.
//!
//! `cargo bench --package benches --bench computer`
//!
//! An item is a node. The searches do more work per node than minimax: they evaluate it, order its moves and store it.
//! In return they need fewer nodes. The second group measures a complete choice.

#![allow(clippy::unwrap_used)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::{Game, Level, Options, Outcome, Rules};
use games::tic_tac_toe::{GameConfig, TicTacToe};
use games::ultimate_tic_tac_toe::UltimateTicTacToe;
use games::{GameMode, Mark};

fn main() {
    divan::main();
}

fn board(size: usize, k: usize) -> TicTacToe {
    let config = GameConfig { board_size: size, k_in_row: k, first_player: Mark::X, mode: GameMode::HumanVsHuman };
    TicTacToe::start(&config).unwrap()
}

fn ultimate() -> UltimateTicTacToe {
    UltimateTicTacToe::start(&UltimateTicTacToe::configure(&mut Options::default()).unwrap()).unwrap()
}

/// Returns the result for the side to move within this many plies, or 0 if the game isn't over by then, and the number
/// of nodes.
fn minimax<G: Game>(game: &G, depth: u32) -> (i32, u64) {
    match game.outcome() {
        Some(Outcome::Won(seat)) => return (if seat == game.side_to_move() { 1 } else { -1 }, 1),
        None if depth > 0 => {}
        _ => return (0, 1),
    }
    let (mut best, mut nodes) = (-1, 1);
    for mv in game.legal_moves() {
        let (value, looked_at) = minimax(&game.play(&mv), depth - 1);
        best = best.max(-value);
        nodes += looked_at;
    }
    (best, nodes)
}

#[divan::bench_group(name = "nodes", sample_count = 3, sample_size = 1)]
mod nodes {
    use super::*;

    fn plain<G: Game>(bencher: Bencher, game: &G, depth: u32) {
        let nodes = minimax(game, depth).1;
        bencher.counter(ItemsCount::new(nodes)).bench_local(|| minimax(black_box(game), depth));
    }

    fn highest<G: Game>(bencher: Bencher, game: &G) {
        let nodes = game.choose(Level::MAX, 1).unwrap().nodes;
        bencher.counter(ItemsCount::new(nodes)).bench_local(|| black_box(game).choose(Level::MAX, 1));
    }

    #[divan::bench]
    fn plain_3x3(bencher: Bencher) {
        plain(bencher, &board(3, 3), 9);
    }

    #[divan::bench]
    fn plain_15x15(bencher: Bencher) {
        plain(bencher, &board(15, 5), 2);
    }

    #[divan::bench]
    fn plain_ultimate(bencher: Bencher) {
        plain(bencher, &ultimate(), 5);
    }

    #[divan::bench]
    fn alpha_beta_4x4_to_the_end(bencher: Bencher) {
        highest(bencher, &board(4, 4));
    }

    #[divan::bench]
    fn alpha_beta_15x15(bencher: Bencher) {
        highest(bencher, &board(15, 5));
    }

    #[divan::bench]
    fn alpha_beta_ultimate(bencher: Bencher) {
        highest(bencher, &ultimate());
    }
}

/// Complete choices, including the setup of the transposition table.
#[divan::bench_group(name = "choice", sample_count = 3, sample_size = 1)]
mod choice {
    use super::*;

    const LEVELS: [u8; 4] = [1, 4, 6, 8];

    fn choose<G: Game>(bencher: Bencher, game: &G, level: u8) {
        let level = Level::new(level).unwrap();
        bencher.bench_local(|| black_box(game).choose(level, 1));
    }

    #[divan::bench(args = LEVELS)]
    fn tic_tac_toe_3x3(bencher: Bencher, level: u8) {
        choose(bencher, &board(3, 3), level);
    }

    #[divan::bench(args = LEVELS)]
    fn gomoku(bencher: Bencher, level: u8) {
        choose(bencher, &board(15, 5), level);
    }

    #[divan::bench(args = LEVELS)]
    fn ultimate_tic_tac_toe(bencher: Bencher, level: u8) {
        choose(bencher, &ultimate(), level);
    }
}
