//! Better training targets than the teacher's own chances: the average, over the 21 distinct rolls, of the teacher's
//! chances after the best play.
//!
//! A smaller net preselects the plays. It rarely misses the best one, and then by little.

use std::path::Path;

use anyhow::Result;
use game::Seat;
use games::backgammon::{Dice, Evaluator, Placement, PlayGenerator, loss_kind};

use crate::sample::{self, Sample, Target};
use crate::teacher::Teacher;

/// The number of plays per roll that the teacher evaluates.
const CANDIDATES: usize = 3;

/// Copies the positions of a file with the teacher's own chances. Resumes where an earlier run stopped.
pub fn copy(teacher: &mut Teacher, from: &Path, to: &Path) -> Result<()> {
    let samples = sample::read(from)?;
    let (mut file, done) = sample::append(to)?;
    for chunk in samples.get(done as usize..).unwrap_or_default().chunks(10_000) {
        let mut copied = |sample: &Sample| Sample { target: teacher.chances(&sample.board, Seat::First), ..*sample };
        let labelled: Vec<Sample> = chunk.iter().map(&mut copied).collect();
        sample::write(&mut file, &labelled)?;
    }
    Ok(())
}

/// Labels a range of the positions of a file and appends them to a second file. Resumes where an earlier run stopped.
pub fn label(teacher: &mut Teacher, filter: &mut Evaluator, from: &Path, to: &Path, range: [usize; 2]) -> Result<()> {
    let samples = sample::read(from)?;
    let (mut file, done) = sample::append(to)?;
    let [first, last] = range;
    let rest = samples.get(first + done as usize..last.min(samples.len())).unwrap_or_default();
    for chunk in rest.chunks(1000) {
        let labelled: Vec<Sample> = chunk.iter().map(|sample| ahead(teacher, filter, sample)).collect();
        sample::write(&mut file, &labelled)?;
    }
    Ok(())
}

fn ahead(teacher: &mut Teacher, filter: &mut Evaluator, sample: &Sample) -> Sample {
    let mut generator = PlayGenerator::default();
    let mut sum = [0.0; 5];
    for one in 1..=6 {
        for two in one..=6 {
            let weight = if one == two { 1.0 } else { 2.0 };
            let best = reply(teacher, filter, &mut generator, &sample.board, [one, two]);
            for (sum, chance) in sum.iter_mut().zip(best.0) {
                *sum += weight / 36.0 * chance;
            }
        }
    }
    Sample { board: sample.board, target: Target(sum) }
}

/// Returns White's chances after its best play of this roll.
fn reply(
    teacher: &mut Teacher,
    filter: &mut Evaluator,
    generator: &mut PlayGenerator,
    board: &Placement,
    roll: [u8; 2],
) -> Target {
    generator.generate(board, Seat::First, Dice::from_roll(roll), false);
    let mut afters: Vec<(i32, Placement)> = generator.boards(board, Seat::First).map(|after| (0, after)).collect();
    if let Some((_, won)) = afters.iter().find(|(_, after)| after.has_won(Seat::First)) {
        return Target::won(loss_kind(won, Seat::Second));
    }
    if afters.is_empty() {
        return teacher.chances(board, Seat::Second).turned();
    }
    if afters.len() > CANDIDATES {
        for (value, after) in &mut afters {
            *value = filter.chances(after, Seat::Second).points();
        }
        afters.select_nth_unstable_by_key(CANDIDATES - 1, |(value, _)| *value);
        afters.truncate(CANDIDATES);
    }
    let mut best = Target::default();
    let mut most = f32::MIN;
    for (_, after) in afters {
        let chances = teacher.chances(&after, Seat::Second).turned();
        if chances.points() > most {
            (most, best) = (chances.points(), chances);
        }
    }
    best
}
