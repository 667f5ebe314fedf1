//! Learning from files of samples, epoch by epoch.

use std::path::{Path, PathBuf};

use anyhow::Result;
use game::seat::Seat;
use games::backgammon::engine::inputs::{CONTACT_INPUTS, Escapes, Inputs, RACE_INPUTS, counts};

use crate::learner::Learner;
use crate::random::Random;
use crate::sample::{self, Sample};

/// The positions between two steps.
const BATCH: usize = 256;
/// How much each chance counts: to win, with a gammon, with a backgammon, to lose a gammon, a backgammon.
const COUNTS: [f32; 5] = [2.0, 1.0, 0.5, 1.0, 0.5];
/// One position in so many is not learned from, but looked at.
const HELD: usize = 50;

/// What is to be learned.
pub struct Plan<'a> {
    /// Which net: `contact` or `race`.
    pub net: &'a str,
    /// Where the state of learning is kept, and the weights beside it with the ending `bin`.
    pub state: PathBuf,
    /// The number of times that each position is seen.
    pub epochs: u32,
    /// The first and the last rate of learning.
    pub rates: [f32; 2],
    /// The samples.
    pub files: &'a [&'a str],
    /// The state to begin with, if there is no own one yet.
    pub begin: Option<PathBuf>,
}

/// Learns, or goes on learning.
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

/// Returns the root of the mean square of what the net is off by, in points and in chances to win.
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

/// What turns a position into inputs.
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
