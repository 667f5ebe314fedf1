//! The teacher: two nets from the open-source project wildbg, as ONNX files.
//!
//! Both have three hidden layers and six outputs: the chances of winning, then losing, exactly a single game, a gammon,
//! and a backgammon.

use std::path::Path;

use anyhow::{Context, Result, bail};
use game::Seat;
use games::backgammon::{CHECKERS, Counts, Placement, counts};

use crate::sample::Target;

/// The two nets.
pub struct Teacher {
    contact: Dense,
    race: Dense,
    inputs: Vec<f32>,
}

/// A fully connected net.
struct Dense {
    layers: Vec<Layer>,
    hard: bool,
    values: [Vec<f32>; 2],
}

/// A layer: its weights by input, and its biases.
struct Layer {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Teacher {
    /// Reads `contact.onnx` and `race.onnx` from a folder.
    pub fn read(folder: &Path) -> Result<Teacher> {
        Ok(Teacher {
            contact: Dense::read(&folder.join("contact.onnx"), true)?,
            race: Dense::read(&folder.join("race.onnx"), false)?,
            inputs: Vec::new(),
        })
    }

    /// Returns the chances of the side on roll in a game that isn't over.
    pub fn chances(&mut self, board: &Placement, seat: Seat) -> Target {
        let (own, theirs) = (counts(board, seat), counts(board, seat.other()));
        let inputs = &mut self.inputs;
        inputs.clear();
        inputs.extend([&own, &theirs].map(off));
        let net = if board.has_contact() {
            inputs.extend(four(own[25]));
            inputs.extend(own[1..25].iter().flat_map(|count| four(*count)));
            inputs.extend((0..25).flat_map(|point: usize| four(theirs[25 - point])));
            &mut self.contact
        } else {
            inputs.extend(own[1..24].iter().flat_map(|count| four(*count)));
            inputs.extend((2..25).flat_map(|point: usize| four(theirs[25 - point])));
            &mut self.race
        };
        let [win, gammon, backgammon, _, lost_gammon, lost_backgammon] = net.run(inputs);
        Target([
            win + gammon + backgammon,
            gammon + backgammon,
            backgammon,
            lost_gammon + lost_backgammon,
            lost_backgammon,
        ])
    }
}

fn off(side: &Counts) -> f32 {
    f32::from(CHECKERS - side.iter().sum::<u8>())
}

fn four(count: u8) -> [f32; 4] {
    match count {
        0 => [0.0; 4],
        1 => [1.0, 0.0, 0.0, 0.0],
        2 => [0.0, 1.0, 0.0, 0.0],
        _ => [0.0, 0.0, 1.0, f32::from(count - 3)],
    }
}

impl Dense {
    fn read(path: &Path, hard: bool) -> Result<Dense> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        // ModelProto.graph is field 7, GraphProto.initializer field 5; TensorProto has dims 1, name 8, raw_data 9.
        let graph = fields(&bytes)?.into_iter().find(|field| field.0 == 7).context("no graph")?.1;
        let mut tensors = Vec::new();
        for (_, tensor) in fields(graph)?.into_iter().filter(|field| field.0 == 5) {
            let raw = fields(tensor)?.into_iter().find(|field| field.0 == 9).context("no data")?.1;
            tensors.push(
                raw.chunks_exact(4)
                    .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
                    .collect::<Vec<f32>>(),
            );
        }
        let mut layers = Vec::new();
        for pair in tensors.chunks_exact(2) {
            let (outputs, inputs) = (pair[1].len(), pair[0].len() / pair[1].len());
            let by_input = |at: usize| pair[0][at % outputs * inputs + at / outputs];
            layers.push(Layer { weights: (0..inputs * outputs).map(by_input).collect(), bias: pair[1].clone() });
        }
        if layers.len() != 4 {
            bail!("{}: {} layers", path.display(), layers.len());
        }
        Ok(Dense { layers, hard, values: Default::default() })
    }

    fn run(&mut self, inputs: &[f32]) -> [f32; 6] {
        let [values, sums] = &mut self.values;
        values.clear();
        values.extend(inputs);
        let count = self.layers.len();
        for (index, layer) in self.layers.iter().enumerate() {
            sums.clear();
            sums.extend(&layer.bias);
            add_rows(sums, values, &layer.weights);
            if index + 1 < count {
                for sum in sums.iter_mut() {
                    *sum = if self.hard { (*sum / 6.0 + 0.5).clamp(0.0, 1.0) } else { sum.max(0.0) };
                }
            }
            std::mem::swap(values, sums);
        }
        let most = values.iter().copied().fold(f32::MIN, f32::max);
        let powers: [f32; 6] = std::array::from_fn(|at| (values[at] - most).exp());
        let sum: f32 = powers.iter().sum();
        powers.map(|power| power / sum)
    }
}

/// Adds the weight rows scaled by their inputs, skipping inputs of 0. Adds eight rows at a time to save memory traffic.
fn add_rows(sums: &mut [f32], values: &[f32], weights: &[f32]) {
    let size = sums.len();
    let used: Vec<(f32, &[f32])> =
        values.iter().copied().zip(weights.chunks_exact(size)).filter(|(value, _)| *value != 0.0).collect();
    let (groups, rest) = used.as_chunks::<8>();
    for group in groups {
        let rows = group.map(|(_, row)| &row[..size]);
        let by = group.map(|(value, _)| value);
        for (at, sum) in sums.iter_mut().enumerate() {
            let mut total = *sum;
            for (row, value) in rows.iter().zip(by) {
                total = value.mul_add(row[at], total);
            }
            *sum = total;
        }
    }
    for (value, row) in rest {
        for (sum, weight) in sums.iter_mut().zip(*row) {
            *sum = value.mul_add(*weight, *sum);
        }
    }
}

/// Returns the length-delimited fields of a protocol buffer message.
fn fields(bytes: &[u8]) -> Result<Vec<(u64, &[u8])>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let key = number(bytes, &mut at)?;
        match key & 7 {
            0 => drop(number(bytes, &mut at)?),
            1 => at += 8,
            5 => at += 4,
            2 => {
                let length = number(bytes, &mut at)? as usize;
                found.push((key >> 3, bytes.get(at..at + length).context("cut off")?));
                at += length;
            }
            kind => bail!("a field of kind {kind}"),
        }
    }
    Ok(found)
}

fn number(bytes: &[u8], at: &mut usize) -> Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at).context("cut off")?;
        *at += 1;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    bail!("a number that is too long")
}
