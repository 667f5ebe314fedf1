//! Compares our backgammon evaluation with the same net in plain floating point.
//!
//! `cargo bench --package benches --bench evaluation`
//!
//! An item is a position. `ours` is the engine's evaluation: the inputs, then an integer net whose first layer adds up
//! the rows of the inputs that are set. `plain` computes the same chances from the same inputs with full matrix
//! products in `f32`.

#![allow(clippy::unwrap_used)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::Seat;
use games::backgammon::{CONTACT_INPUTS, Dice, Escapes, Evaluator, Inputs, Placement, PlayGenerator, counts};

/// The number of positions.
const POSITIONS: usize = 200;
/// The sizes of the hidden layers.
const FIRST: usize = 320;
const SECOND: usize = 32;

fn main() {
    divan::main();
}

#[divan::bench]
fn ours(bencher: Bencher) {
    let mut evaluator = Evaluator::new();
    let boards = boards();
    bencher
        .counter(ItemsCount::new(POSITIONS))
        .bench_local(|| boards.iter().map(|board| evaluator.chances(black_box(board), Seat::First).win).sum::<i32>());
}

#[divan::bench]
fn plain(bencher: Bencher) {
    let net = Plain::new();
    let boards = boards();
    let mut escapes = Escapes::new();
    let mut inputs = Inputs::default();
    bencher.counter(ItemsCount::new(POSITIONS)).bench_local(|| {
        let mut sum = 0.0;
        for board in &boards {
            let [own, theirs] = Seat::BOTH.map(|seat| counts(black_box(board), seat));
            inputs.contact(&own, &theirs, &mut escapes);
            sum += net.chances(inputs.set())[0];
        }
        sum
    });
}

/// Returns positions with contact after random plays.
fn boards() -> Vec<Placement> {
    let mut found = Vec::new();
    let mut bits = 1_u64;
    let mut below = |bound: usize| {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (bits >> 33) as usize % bound
    };
    let mut generator = PlayGenerator::default();
    while found.len() < POSITIONS {
        let (mut board, mut seat) = (Placement::START, Seat::First);
        for _ in 0..20 {
            let roll = [below(6) as u8 + 1, below(6) as u8 + 1];
            if generator.generate(&board, seat, Dice::from_roll(roll), false) > 0 {
                let afters: Vec<Placement> = generator.boards(&board, seat).collect();
                board = afters[below(afters.len())];
            }
            seat = seat.other();
        }
        found.extend(board.has_contact().then_some(board));
    }
    found
}

/// The contact net in floating point.
struct Plain {
    first: Vec<f32>,
    second: Vec<f32>,
    last: Vec<f32>,
}

impl Plain {
    /// Uses made-up weights, which doesn't change the speed.
    fn new() -> Plain {
        let some = |size: usize| (0..size).map(|at| (at * 37 % 101) as f32 / 500.0 - 0.1).collect();
        Plain {
            first: some((CONTACT_INPUTS + 1) * FIRST),
            second: some((FIRST + 1) * SECOND),
            last: some((SECOND + 1) * 5),
        }
    }

    fn chances(&self, set: &[u16]) -> Vec<f32> {
        let mut inputs = vec![0.0; CONTACT_INPUTS];
        set.iter().for_each(|input| inputs[usize::from(*input)] = 1.0);
        let first = layer(&self.first, &inputs, |sum| sum.clamp(0.0, 1.0));
        let second = layer(&self.second, &first, |sum| sum.clamp(0.0, 1.0));
        layer(&self.last, &second, |sum| 1.0 / (1.0 + (-sum).exp()))
    }
}

/// Computes a layer. Each unit has a row of weights and a bias.
fn layer(weights: &[f32], inputs: &[f32], squash: impl Fn(f32) -> f32) -> Vec<f32> {
    let rows = weights.chunks_exact(inputs.len() + 1);
    rows.map(|row| {
        squash(row[inputs.len()] + row.iter().zip(inputs).map(|(weight, input)| weight * input).sum::<f32>())
    })
    .collect()
}
