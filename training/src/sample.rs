//! Training samples: positions with their chances, and the files that store them.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use anyhow::{Context, Result};
use game::Seat;
use games::backgammon::{CERTAIN, Chances, Placement};

/// The chances of the side on roll: to win, win a gammon, win a backgammon, lose a gammon, and lose a backgammon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Target(pub [f32; 5]);

/// A position with White on roll, and its target.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The checkers.
    pub board: Placement,
    /// The chances of White, who is on roll.
    pub target: Target,
}

/// The size of a sample in a file: 24 points, both bars, both trays and five chances, in bytes.
pub const BYTES: usize = 38;

impl From<Chances> for Target {
    fn from(chances: Chances) -> Target {
        let Chances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } = chances;
        let all = [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon];
        Target(all.map(|chance| chance as f32 / CERTAIN as f32))
    }
}

impl Target {
    /// Returns the opponent's chances.
    pub fn turned(self) -> Target {
        let Target([win, gammon, backgammon, lost_gammon, lost_backgammon]) = self;
        Target([1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon])
    }

    /// Returns the cubeless equity in points.
    pub fn points(self) -> f32 {
        let Target([win, gammon, backgammon, lost_gammon, lost_backgammon]) = self;
        2.0 * win - 1.0 + gammon + backgammon - lost_gammon - lost_backgammon
    }

    /// Returns the chances of a side that won a game of this kind.
    pub fn won(kind: u32) -> Target {
        let certain = |least: u32| if kind >= least { 1.0 } else { 0.0 };
        Target([1.0, certain(2), certain(3), 0.0, 0.0])
    }
}

/// Returns the board with the side on roll as White.
pub fn as_white(board: &Placement, seat: Seat) -> Placement {
    if seat == Seat::First {
        return *board;
    }
    let mut points = board.points().map(|count| -count);
    points.reverse();
    let both = |count: fn(&Placement, Seat) -> u8| [count(board, Seat::Second), count(board, Seat::First)];
    Placement::new(points, both(Placement::bar), both(Placement::off)).unwrap_or(*board)
}

impl Sample {
    /// Returns the sample in the file format.
    pub fn bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let board = &self.board;
        let counts = board.points().map(|count| count as u8);
        bytes[..24].copy_from_slice(&counts);
        let seats = Seat::BOTH;
        bytes[24..28].copy_from_slice(&[
            board.bar(seats[0]),
            board.bar(seats[1]),
            board.off(seats[0]),
            board.off(seats[1]),
        ]);
        for (pair, chance) in bytes[28..].chunks_exact_mut(2).zip(self.target.0) {
            pair.copy_from_slice(&((chance * 65_535.0).round() as u16).to_le_bytes());
        }
        bytes
    }

    /// Parses a sample in the file format.
    pub fn read(bytes: &[u8; BYTES]) -> Result<Sample> {
        let points = std::array::from_fn(|at| bytes[at] as i8);
        let board = Placement::new(points, [bytes[24], bytes[25]], [bytes[26], bytes[27]]);
        let board = board.ok().context("a board that cannot be")?;
        let chance = |at: usize| f32::from(u16::from_le_bytes([bytes[28 + 2 * at], bytes[29 + 2 * at]])) / 65_535.0;
        Ok(Sample { board, target: Target(std::array::from_fn(chance)) })
    }
}

/// Reads all complete samples of a file.
pub fn read(path: &Path) -> Result<Vec<Sample>> {
    let mut reader = BufReader::new(File::open(path).with_context(|| path.display().to_string())?);
    let mut samples = Vec::new();
    let mut bytes = [0; BYTES];
    while reader.read_exact(&mut bytes).is_ok() {
        samples.push(Sample::read(&bytes)?);
    }
    Ok(samples)
}

/// Opens a file for appending, after cutting off an incomplete sample at its end. Returns the number of its samples,
/// too.
pub fn append(path: &Path) -> Result<(BufWriter<File>, u64)> {
    let file = File::options().create(true).append(true).open(path).with_context(|| path.display().to_string())?;
    let count = file.metadata()?.len() / BYTES as u64;
    file.set_len(count * BYTES as u64)?;
    Ok((BufWriter::new(file), count))
}

/// Writes samples to a file.
pub fn write(writer: &mut BufWriter<File>, samples: &[Sample]) -> Result<()> {
    for sample in samples {
        writer.write_all(&sample.bytes())?;
    }
    writer.flush()?;
    Ok(())
}
