//! Compares the integer nets with the same nets in floating point.

use std::path::Path;

use game::Seat;
use games::backgammon::{CONTACT_INPUTS, Escapes, Evaluator, Inputs, Placement, RACE_INPUTS, counts, sigmoid};

use super::board;

/// A net in the file format: its numbers of inputs and hidden units, and its bytes.
struct Plain {
    sizes: [usize; 3],
    bytes: Vec<u8>,
}

impl Plain {
    fn read(name: &str, sizes: [usize; 3]) -> Plain {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/games/src/backgammon/computer/weights").join(name);
        Plain { sizes, bytes: std::fs::read(path).unwrap() }
    }

    fn chances(&self, set: &[u16]) -> [f64; 5] {
        let [inputs, first, second] = self.sizes;
        let short = |at: usize| f64::from(i16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]));
        let long = |at: usize| f64::from(i32::from_le_bytes(self.bytes[at..at + 4].try_into().unwrap()));
        let row = |input: u16, unit: usize| f64::from(self.bytes[usize::from(input) * first + unit] as i8);
        let bias = inputs * first;
        let sums: Vec<f64> = (0..first)
            .map(|unit| (short(bias + 2 * unit) + set.iter().map(|input| row(*input, unit)).sum::<f64>()) / 128.0)
            .map(|sum| sum.clamp(0.0, 127.0 / 128.0))
            .collect();
        let middle = bias + 2 * first;
        let then = middle + 2 * first * second;
        let dot = |at: usize, values: &[f64]| -> f64 {
            values.iter().enumerate().map(|(index, value)| value * short(at + 2 * index)).sum()
        };
        let units: Vec<f64> = (0..second)
            .map(|unit| long(then + 4 * unit) / 32_768.0 + dot(middle + 2 * first * unit, &sums) / 256.0)
            .map(|sum| sum.clamp(0.0, 1.0))
            .collect();
        let last = then + 4 * second;
        std::array::from_fn(|at| {
            let bias = long(last + 10 * second + 4 * at) / 524_288.0;
            1.0 / (1.0 + (-(bias + dot(last + 2 * second * at, &units) / 512.0)).exp())
        })
    }
}

#[test]
fn whole_numbers_say_what_floating_point_says() {
    let (contact, race) =
        (Plain::read("contact.bin", [CONTACT_INPUTS, 320, 32]), Plain::read("race.bin", [RACE_INPUTS, 96, 16]));
    let mut evaluator = Evaluator::new();
    let mut inputs = Inputs::default();
    for board in [
        Placement::START,
        board(&[(0, 2), (3, 3), (5, 4), (7, 3), (12, 3), (18, -4), (17, -4), (16, -3), (21, -2), (11, -2)], [0, 0]),
        board(&[(0, 4), (2, 2), (5, 5), (23, 2), (22, 1), (20, -5), (19, -4), (18, -5)], [1, 1]),
        board(&[(0, 4), (2, 2), (5, 5), (8, 4), (20, -5), (19, -4), (18, -5), (14, -1)], [0, 0]),
    ] {
        let [own, theirs] = Seat::BOTH.map(|seat| counts(&board, seat));
        let (net, size) = if board.has_contact() { (&contact, CONTACT_INPUTS) } else { (&race, RACE_INPUTS) };
        if board.has_contact() {
            inputs.contact(&own, &theirs, &mut Escapes::new());
        } else {
            inputs.race(&own, &theirs);
        }
        assert_eq!(inputs.len(), size);
        let plain = net.chances(inputs.set());
        let chances = evaluator.chances(&board, Seat::First);
        let whole =
            [chances.win, chances.win_gammon, chances.win_backgammon, chances.lose_gammon, chances.lose_backgammon];
        for (plain, whole) in plain.into_iter().zip(whole) {
            assert!((plain - f64::from(whole) / 65_536.0).abs() < 0.003, "{plain} {whole} {board:?}");
        }
    }
}

#[test]
fn the_table_of_the_sigmoid_is_right() {
    for x in (-80_000_i32..80_000).step_by(37) {
        let exact = 65_536.0 / (1.0 + (-f64::from(x) / 4096.0).exp());
        assert!((f64::from(sigmoid(x)) - exact).abs() < 4.0, "{x}");
    }
}
