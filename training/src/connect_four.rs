//! Makes the book of connect four: the computer's moves in every position of its own games up to a number of discs.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use play_by_commit::games::connect_four::perfect::best::best;
use play_by_commit::games::connect_four::perfect::book;
use play_by_commit::games::connect_four::perfect::solver::{BITS, Discs, Goal, Solver};

/// The positions that the solver remembers: 1 GB.
const REMEMBERED: usize = 1 << 27;
/// The nodes that it takes at most to see how long a lost position holds.
const STUBBORN: u64 = 50_000;
/// The columns, those in the middle first.
const COLUMNS: [u32; 7] = [3, 2, 4, 1, 5, 0, 6];
const START: Discs = Discs { own: 0, taken: 0 };

/// What has been found out: the column of each position, by its key.
struct Work {
    solver: Solver,
    moves: HashMap<u64, u32>,
    file: File,
    most: u32,
    seen: HashSet<u64>,
    begun: Instant,
}

/// Finds the moves of the computer that begins, and of the one that does not, in positions with at most so many discs, and writes
/// the book. They are kept in `moves` in a folder, from where it goes on when it is interrupted.
pub fn make(folder: &Path, most: [u32; 2], out: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let path = folder.join("moves");
    let known = fs::read_to_string(&path).unwrap_or_default();
    let mut moves = HashMap::new();
    // The last line may have been torn.
    for line in known.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let (key, column) = line.trim_end().split_once(' ').context("a position and its move")?;
        moves.insert(key.parse()?, column.parse()?);
    }
    let lines: Vec<String> = moves.iter().map(|(key, column)| format!("{key} {column}\n")).collect();
    fs::write(&path, lines.concat())?;
    let file = File::options().append(true).open(&path)?;
    let solver = Solver::new(REMEMBERED);
    let mut work = Work { solver, moves, file, most: most[0], seen: HashSet::new(), begun: Instant::now() };
    // The computer begins, or the other side does, with any move.
    work.follow(START)?;
    work.most = most[1];
    for cell in cells(START) {
        work.follow(START.after(cell))?;
    }
    let entries = work.moves.into_iter().collect();
    fs::write(out, table(entries)?)?;
    Ok(())
}

impl Work {
    /// Finds the computer's move here, and those in all positions that may come of it.
    fn follow(&mut self, discs: Discs) -> Result<()> {
        let (key, is_mirrored) = book::key(discs);
        if discs.taken.count_ones() > self.most || !self.seen.insert(key) {
            return Ok(());
        }
        let discs = if is_mirrored { discs.mirrored() } else { discs };
        let column = match self.moves.get(&key) {
            Some(column) => *column,
            None => self.find(discs)?,
        };
        let cell = discs.open() & (0x3f << (BITS * column));
        if discs.winning() & cell != 0 {
            return Ok(());
        }
        let after = discs.after(cell);
        for reply in cells(after) {
            if after.winning() & reply == 0 {
                self.follow(after.after(reply))?;
            }
        }
        Ok(())
    }

    /// Finds the computer's move, and writes it down.
    fn find(&mut self, discs: Discs) -> Result<u32> {
        let key = book::key(discs).0;
        let cells = cells(discs);
        let Some((mut cell, worth)) = best(&mut self.solver, discs, &cells, u64::MAX) else { bail!("no move") };
        if worth < 0 {
            cell = most_stubborn(discs, &cells);
        }
        let column = cell.trailing_zeros() / BITS;
        self.moves.insert(key, column);
        self.file.write_all(format!("{key} {column}\n").as_bytes())?;
        if self.moves.len().is_multiple_of(100) || discs.taken.count_ones() < 6 {
            let (found, seconds) = (self.moves.len(), self.begun.elapsed().as_secs());
            eprintln!(
                "{found} moves, {seconds} s, {} million nodes, {} discs",
                self.solver.nodes / 1_000_000,
                discs.taken.count_ones()
            );
        }
        Ok(column)
    }
}

/// Returns the move of a lost position after which the win is hardest to see.
fn most_stubborn(discs: Discs, cells: &[u64]) -> u64 {
    let work = |cell: &&u64| {
        let mut solver = Solver::new(1 << 16);
        let seen = solver.reaches(discs.after(**cell), Goal::Win, STUBBORN);
        if seen.is_some() { solver.nodes } else { STUBBORN }
    };
    // Of equals the last one is taken, and the middle is better.
    cells.iter().rev().max_by_key(work).copied().unwrap_or_default()
}

/// Returns the cells in which a disc comes to rest, those in the middle first.
fn cells(discs: Discs) -> Vec<u64> {
    COLUMNS.iter().map(|column| discs.open() & (0x3f << (BITS * column))).filter(|cell| *cell != 0).collect()
}

/// Returns the bytes of a book: positions are put off one by one that have a place to themselves, and then filled in backwards.
fn table(mut entries: Vec<(u64, u32)>) -> Result<Vec<u8>> {
    entries.sort_unstable();
    let number = (entries.len() * 123 / 100 + 32) / 3 * 3;
    for salt in 0..u16::MAX {
        let all: Vec<([usize; 3], u16)> = entries.iter().map(|(key, _)| book::places(*key, salt, number)).collect();
        let mut at: Vec<HashSet<usize>> = vec![HashSet::new(); number];
        for (entry, (places, _)) in all.iter().enumerate() {
            places.iter().for_each(|place| _ = at[*place].insert(entry));
        }
        let mut alone: Vec<usize> = (0..number).filter(|place| at[*place].len() == 1).collect();
        let mut order = Vec::new();
        while let Some(place) = alone.pop() {
            let Some(entry) = at[place].iter().next().copied() else { continue };
            order.push((entry, place));
            for other in all[entry].0 {
                at[other].remove(&entry);
                if at[other].len() == 1 {
                    alone.push(other);
                }
            }
        }
        if order.len() < entries.len() {
            continue;
        }
        let mut slots = vec![0_u16; number];
        for (entry, place) in order.into_iter().rev() {
            let (places, mark) = all[entry];
            slots[place] = 0;
            let others = places.iter().fold(0, |sum, place| sum ^ slots[*place]);
            slots[place] = others ^ mark ^ entries[entry].1 as u16;
        }
        return Ok([salt].into_iter().chain(slots).flat_map(u16::to_le_bytes).collect());
    }
    bail!("no salt will do")
}
