//! Trains a net on files of samples, epoch by epoch.

use std::path::{Path, PathBuf};

use anyhow::Result;
use game::Seat;
use games::backgammon::{CONTACT_INPUTS, Escapes, Inputs, RACE_INPUTS, counts};

use crate::learner::Learner;
use crate::random::Random;
use crate::sample::{self, Sample};

/// The batch size.
const BATCH: usize = 256;
/// The loss weight of each chance: to win, win a gammon, win a backgammon, lose a gammon, and lose a backgammon.
const COUNTS: [f32; 5] = [2.0, 1.0, 0.5, 1.0, 0.5];
/// One in this many positions is held out for validation.
const HELD: usize = 50;

/// A training plan.
pub struct Plan<'a> {
    /// The net to train: `contact` or `race`.
    pub net: &'a str,
    /// The file of the training state. The weights go next to it, with the extension `bin`.
    pub state: PathBuf,
    /// The number of epochs.
    pub epochs: u32,
    /// The learning rates at the start and at the end.
    pub rates: [f32; 2],
    /// The sample files.
    pub files: &'a [&'a str],
    /// The state to start from if `state` doesn't exist yet.
    pub begin: Option<PathBuf>,
}

/// Trains the net, resuming from its saved state if there is one.
pub fn train(plan: &Plan) -> Result<()> {
    let race = plan.net == "race";
    let shape = if race { [RACE_INPUTS, 96, 16] } else { [CONTACT_INPUTS, 320, 32] };
    let mut learner = Learner::new(shape, 1);
    let mut done = 0;
    if plan.state.exists() {
        done = learner.load(&plan.state)?;
    } else if let Some(begin) = &plan.begin {
        learner.load(begin)?;
    }
    let mut samples = Vec::new();
    for file in plan.files {
        samples.extend(sample::read(Path::new(file))?.into_iter().filter(|sample| sample.board.has_contact() != race));
    }
    let mut looker = Looker { inputs: Inputs::default(), escapes: Escapes::new(), race };
    let held: Vec<Sample> = samples.iter().copied().step_by(HELD).collect();
    let mut order: Vec<u32> = (0..samples.len() as u32).filter(|at| !(*at as usize).is_multiple_of(HELD)).collect();
    println!("{}: {} positions", plan.net, samples.len());
    for epoch in done..plan.epochs {
        let mut random = Random(u64::from(epoch) + 1);
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at as u64 + 1) as usize);
        }
        let mut error = 0.0_f64;
        for (batch, chosen) in order.chunks(BATCH).enumerate() {
            let along = (epoch as f32 + (batch * BATCH) as f32 / order.len() as f32) / plan.epochs as f32;
            let [first, last] = plan.rates;
            for at in chosen {
                let sample = &samples[*at as usize];
                error += f64::from(learner.learn(looker.look(sample), &sample.target.0, &COUNTS));
            }
            learner.step(first * (last / first).powf(along), chosen.len());
        }
        learner.save(&plan.state, epoch + 1)?;
        std::fs::write(plan.state.with_extension("bin"), learner.written())?;
        let (points, wins) = errors(&mut learner, &mut looker, &held);
        let error = (error / order.len() as f64).sqrt();
        println!("{} epoch {}: {error:.5}, held back: points {points:.5}, wins {wins:.5}", plan.net, epoch + 1);
    }
    Ok(())
}

/// Returns the root mean square errors of the net, in points and in chances of winning.
fn errors(learner: &mut Learner, looker: &mut Looker, held: &[Sample]) -> (f64, f64) {
    let mut sums = [0.0_f64; 2];
    for sample in held {
        let chances = sample::Target(learner.chances(looker.look(sample)));
        sums[0] += f64::from(chances.points() - sample.target.points()).powi(2);
        sums[1] += f64::from(chances.0[0] - sample.target.0[0]).powi(2);
    }
    let [points, wins] = sums.map(|sum| (sum / held.len() as f64).sqrt());
    (points, wins)
}

/// Encodes positions as inputs.
struct Looker {
    inputs: Inputs,
    escapes: Escapes,
    race: bool,
}

impl Looker {
    fn look(&mut self, sample: &Sample) -> &[u16] {
        let [own, theirs] = Seat::BOTH.map(|seat| counts(&sample.board, seat));
        if self.race {
            self.inputs.race(&own, &theirs);
        } else {
            self.inputs.contact(&own, &theirs, &mut self.escapes);
        }
        self.inputs.set()
    }
}
