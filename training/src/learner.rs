//! A trainable net in floating point. It rounds the weights of the first layer as the saved net does.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::random::Random;

/// The number of outputs.
const OUTPUTS: usize = 5;
/// The largest value after the first layer, where the engine clips it.
const TOP: f32 = 127.0 / 128.0;
/// The decay rates of Adam's first and second moments.
const MOMENTS: [f32; 2] = [0.9, 0.999];
const SANE: f32 = 1e-8;

/// A trainable net. A single list holds its weights: first-layer rows and biases, then the second and the last layer
/// with their biases.
pub struct Learner {
    inputs: usize,
    first: usize,
    second: usize,
    weights: Vec<f32>,
    rounded: Vec<f32>,
    slope: Vec<f32>,
    moments: [Vec<f32>; 2],
    steps: i32,
    hidden: [Vec<f32>; 2],
    back: [Vec<f32>; 2],
}

impl Learner {
    /// Returns an untrained net with random weights.
    pub fn new([inputs, first, second]: [usize; 3], seed: u64) -> Learner {
        let size = inputs * first + first + first * second + second + second * OUTPUTS + OUTPUTS;
        let mut random = Random(seed);
        let mut weights = vec![0.0; size];
        let [row, one, middle, two, last, _] = Learner::parts(inputs, first, second);
        let mut fill = |range: std::ops::Range<usize>, spread: f32, mean: f32| {
            for weight in &mut weights[range] {
                *weight = mean + spread * (2.0 * random.unit() - 1.0);
            }
        };
        fill(row..one, 0.15, 0.0);
        fill(one..middle, 0.1, 0.3);
        fill(middle..two, (3.0 / first as f32).sqrt(), 0.0);
        fill(two..last, 0.1, 0.3);
        fill(last..last + second * OUTPUTS, (3.0 / second as f32).sqrt(), 0.0);
        let zero = || vec![0.0; size];
        let mut learner = Learner {
            inputs,
            first,
            second,
            rounded: vec![0.0; inputs * first],
            weights,
            slope: zero(),
            moments: [zero(), zero()],
            steps: 0,
            hidden: [vec![0.0; first], vec![0.0; second]],
            back: [vec![0.0; first], vec![0.0; second]],
        };
        learner.round();
        learner
    }

    /// Returns the offset of each part of the list.
    fn parts(inputs: usize, first: usize, second: usize) -> [usize; 6] {
        let one = inputs * first;
        let middle = one + first;
        let two = middle + first * second;
        let last = two + second;
        [0, one, middle, two, last, last + second * OUTPUTS]
    }

    fn round(&mut self) {
        for (rounded, weight) in self.rounded.iter_mut().zip(&mut self.weights) {
            *weight = weight.clamp(-1.0, TOP);
            *rounded = (*weight * 128.0).round() / 128.0;
        }
    }

    /// Returns the chances for the inputs that are set.
    pub fn chances(&mut self, set: &[u16]) -> [f32; OUTPUTS] {
        let (first, second) = (self.first, self.second);
        let [_, one, middle, two, last, bias] = Learner::parts(self.inputs, first, second);
        let [sums, units] = &mut self.hidden;
        sums.copy_from_slice(&self.weights[one..middle]);
        for input in set {
            let at = usize::from(*input) * first;
            for (sum, weight) in sums.iter_mut().zip(&self.rounded[at..at + first]) {
                *sum += weight;
            }
        }
        for sum in sums.iter_mut() {
            *sum = sum.clamp(0.0, TOP);
        }
        let rows = self.weights[middle..two].chunks_exact(first);
        for ((unit, row), bias) in units.iter_mut().zip(rows).zip(&self.weights[two..last]) {
            *unit = (bias + dot(row, sums)).clamp(0.0, 1.0);
        }
        std::array::from_fn(|at| {
            let row = &self.weights[last + at * second..last + (at + 1) * second];
            1.0 / (1.0 + (-(self.weights[bias + at] + dot(row, units))).exp())
        })
    }

    /// Adds the gradient of the weighted cross-entropy loss for one position.
    pub fn learn(&mut self, set: &[u16], target: &[f32; OUTPUTS], counts: &[f32; OUTPUTS]) -> f32 {
        let chances = self.chances(set);
        let (first, second) = (self.first, self.second);
        let [_, one, middle, two, last, bias] = Learner::parts(self.inputs, first, second);
        let [sums, units] = &self.hidden;
        let [back_first, back_second] = &mut self.back;
        back_second.fill(0.0);
        back_first.fill(0.0);
        let mut error = 0.0;
        for at in 0..OUTPUTS {
            let wrong = (chances[at] - target[at]) * counts[at];
            error += (chances[at] - target[at]).powi(2);
            self.slope[bias + at] += wrong;
            let range = last + at * second..last + (at + 1) * second;
            let row = self.slope[range.clone()].iter_mut().zip(&self.weights[range]);
            for (((slope, weight), unit), back) in row.zip(units).zip(back_second.iter_mut()) {
                *slope += wrong * unit;
                *back += wrong * weight;
            }
        }
        for at in 0..second {
            let passes = units[at] > 0.0 && units[at] < 1.0;
            let wrong = if passes { back_second[at] } else { 0.0 };
            if wrong == 0.0 {
                continue;
            }
            self.slope[two + at] += wrong;
            let range = middle + at * first..middle + (at + 1) * first;
            let row = self.slope[range.clone()].iter_mut().zip(&self.weights[range]);
            for (((slope, weight), sum), back) in row.zip(sums).zip(back_first.iter_mut()) {
                *slope += wrong * sum;
                *back += wrong * weight;
            }
        }
        for (back, sum) in back_first.iter_mut().zip(sums) {
            if *sum <= 0.0 || *sum >= TOP {
                *back = 0.0;
            }
        }
        for (slope, back) in self.slope[one..middle].iter_mut().zip(back_first.iter()) {
            *slope += back;
        }
        for input in set {
            let at = usize::from(*input) * first;
            for (slope, back) in self.slope[at..at + first].iter_mut().zip(back_first.iter()) {
                *slope += back;
            }
        }
        error
    }

    /// Updates the weights by the accumulated gradient, with Adam.
    pub fn step(&mut self, rate: f32, batch: usize) {
        self.steps += 1;
        let [one, two] = MOMENTS;
        let size = 1.0 / batch as f32;
        let rate = rate * (1.0 - two.powi(self.steps)).sqrt() / (1.0 - one.powi(self.steps));
        let [means, squares] = &mut self.moments;
        let lists = self.weights.iter_mut().zip(&mut self.slope).zip(means).zip(squares);
        for (((weight, slope), mean), square) in lists {
            let now = *slope * size;
            *slope = 0.0;
            *mean = one * *mean + (1.0 - one) * now;
            *square = two * *square + (1.0 - two) * now * now;
            *weight -= rate * *mean / (square.sqrt() + SANE);
        }
        self.round();
    }

    /// Returns the weights in the engine's file format.
    pub fn written(&self) -> Vec<u8> {
        let [row, one, middle, two, last, bias] = Learner::parts(self.inputs, self.first, self.second);
        let part = |range: std::ops::Range<usize>, unit: f32| {
            self.weights[range].iter().map(move |weight| (weight * unit).round())
        };
        let mut bytes: Vec<u8> = part(row..one, 128.0).map(|weight| weight as i8 as u8).collect();
        let shorts = |bytes: &mut Vec<u8>, range, unit| {
            bytes.extend(part(range, unit).flat_map(|weight| (weight as i16).to_le_bytes()))
        };
        let longs = |bytes: &mut Vec<u8>, range, unit| {
            bytes.extend(part(range, unit).flat_map(|weight| (weight as i32).to_le_bytes()))
        };
        shorts(&mut bytes, one..middle, 128.0);
        shorts(&mut bytes, middle..two, 256.0);
        longs(&mut bytes, two..last, 128.0 * 256.0);
        shorts(&mut bytes, last..bias, 512.0);
        longs(&mut bytes, bias..bias + OUTPUTS, 1024.0 * 512.0);
        bytes
    }

    /// Saves the state needed to resume training.
    pub fn save(&self, path: &Path, epoch: u32) -> Result<()> {
        let lists = [&self.weights, &self.moments[0], &self.moments[1]];
        let numbers = lists.into_iter().flatten().flat_map(|number| number.to_le_bytes());
        let bytes: Vec<u8> = epoch.to_le_bytes().into_iter().chain(self.steps.to_le_bytes()).chain(numbers).collect();
        let new = path.with_extension("new");
        std::fs::write(&new, bytes).with_context(|| new.display().to_string())?;
        Ok(std::fs::rename(&new, path)?)
    }

    /// Loads a saved state, and returns its epoch.
    pub fn load(&mut self, path: &Path) -> Result<u32> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let words: Vec<[u8; 4]> = bytes.as_chunks::<4>().0.to_vec();
        let size = self.weights.len();
        ensure!(words.len() == 2 + 3 * size, "{}: another kind of net", path.display());
        self.steps = i32::from_le_bytes(words[1]);
        let [means, squares] = &mut self.moments;
        let lists = [&mut self.weights, means, squares];
        for (list, words) in lists.into_iter().zip(words[2..].chunks_exact(size)) {
            list.iter_mut().zip(words).for_each(|(number, word)| *number = f32::from_le_bytes(*word));
        }
        self.round();
        Ok(u32::from_le_bytes(words[0]))
    }
}

/// Returns the dot product, summed in eight lanes.
fn dot(one: &[f32], two: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    for (one, two) in one.as_chunks::<8>().0.iter().zip(two.as_chunks::<8>().0) {
        for at in 0..8 {
            lanes[at] = one[at].mul_add(two[at], lanes[at]);
        }
    }
    lanes.iter().sum()
}
