//! Training positions from self-play with varying amounts of noise, and from plays that the player rejected.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;
use game::Seat;
use games::backgammon::{Dice, Placement, PlayGenerator};

use crate::random::Random;
use crate::sample::{self, Sample, Target, as_white};

/// A function that evaluates a position for the side on roll.
pub type Judge<'a> = dyn FnMut(&Placement, Seat) -> Target + 'a;

/// The number of games between two writes to the file.
const GAMES: u64 = 200;

/// Plays games until a file has `wanted` positions, each with the judge's chances. Resumes where an earlier run
/// stopped.
pub fn positions(judge: &mut Judge, path: &Path, wanted: u64, seed: u64) -> Result<()> {
    let (mut file, mut count) = sample::append(path)?;
    let mut seen: HashSet<[u8; 28]> = HashSet::new();
    for known in if count > 0 { sample::read(path)? } else { Vec::new() } {
        seen.insert(key(&known));
    }
    let mut round = seed << 32 | count;
    while count < wanted {
        let mut random = Random(round);
        round = random.next();
        let mut found = Vec::new();
        for _ in 0..GAMES {
            game(judge, &mut random, &mut found);
        }
        found.retain(|sample| seen.insert(key(sample)));
        sample::write(&mut file, &found)?;
        count += found.len() as u64;
    }
    println!("{}: {count} positions", path.display());
    Ok(())
}

fn key(sample: &Sample) -> [u8; 28] {
    let bytes = sample.bytes();
    std::array::from_fn(|at| bytes[at])
}

fn game(judge: &mut Judge, random: &mut Random, found: &mut Vec<Sample>) {
    let carelessness = [0.0, 0.02, 0.05, 0.1, 0.25][random.below(5) as usize];
    let wild = [0, 0, 2, 4, 12][random.below(5) as usize];
    let mut generator = PlayGenerator::default();
    let mut board = Placement::START;
    let mut seat = Seat::First;
    for ply in 0..400 {
        generator.generate(&board, seat, Dice::from_roll(random.roll()), false);
        let mut afters: Vec<Placement> = generator.boards(&board, seat).collect();
        let other = seat.other();
        if afters.iter().any(|after| after.has_won(seat)) {
            return;
        }
        if afters.is_empty() {
            afters.push(board);
        }
        let mut valued: Vec<(f32, Placement, Target)> = Vec::new();
        for after in &afters {
            let target = judge(after, other);
            let careless = if ply < wild { random.unit() } else { carelessness * random.normal() - target.points() };
            valued.push((careless, *after, target));
        }
        valued.sort_by(|one, two| two.0.total_cmp(&one.0));
        let mut take = |(_, after, target): (f32, Placement, Target)| {
            found.push(Sample { board: as_white(&after, other), target });
        };
        if random.below(2) == 0 {
            take(valued[0]);
        }
        if random.below(3) == 0 && valued.len() > 1 {
            take(valued[1 + random.below(valued.len().min(6) as u64 - 1) as usize]);
        }
        if random.below(12) == 0 {
            take(valued[random.below(valued.len() as u64) as usize]);
        }
        board = valued[0].1;
        seat = other;
    }
}
