//! Makes the opening book of connect four: the computer's moves in every position of its own games up to a number of
//! discs, and the value of every position with eight discs.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use games::connect_four::{
    BookMove, Discs, Goal, Solver, book, column_of, find_best_move, find_value, iter_cells, opening_values,
};

/// The size of the solver's transposition table in positions, which take 128 MB.
const REMEMBERED: usize = 1 << 24;
/// The node limit for measuring how long a lost position holds out.
const STUBBORN: u64 = 200_000;
/// The number of discs at which the book has the value of every position.
const WORTHS: u8 = 8;

/// The results so far.
struct Work {
    solver: Solver,
    entries: HashMap<Discs, BookMove>,
    file: File,
    seen: HashSet<Discs>,
    begun: Instant,
}

/// Finds the moves of both seats in the computer's own games with at most `most` discs, and the values of all positions
/// with eight discs, and writes their tables to `out`. Keeps its results in the folder `work`, so that an interrupted
/// run can continue.
pub fn make(work: &Path, most: u8, out: &Path) -> Result<()> {
    fs::create_dir_all(work)?;
    make_worths(&work.join("worths"), out)?;
    let mut work = Work::resumed(&work.join("moves"))?;
    for (seat, name) in ["first.book", "second.book"].into_iter().enumerate() {
        let most = if usize::from(most) % 2 == seat { most } else { most - 1 };
        for discs in book::first_positions(seat as u32) {
            work.follow(discs, most, -1)?;
        }
        let mut level = book::first_positions(seat as u32);
        let mut entries = Vec::new();
        for count in (seat..=most.into()).step_by(2) {
            let found = work.known(count, &level)?;
            level = book::positions_after_replies(&level, found.iter().copied()).context("a legal move")?;
            entries.extend(found);
        }
        write(&out.join(name), &book::encode(most, &entries))?;
    }
    Ok(())
}

/// Finds the value of every position with eight discs, and writes the table.
fn make_worths(kept: &Path, out: &Path) -> Result<()> {
    let all = book::all_positions(WORTHS.into());
    let mut found: Vec<i32> =
        whole_lines(kept)?.lines().map(str::parse).collect::<Result<_, _>>().context("a worth on each line")?;
    let mut file = File::options().append(true).open(kept)?;
    let (mut solver, begun) = (Solver::new(REMEMBERED), Instant::now());
    for discs in &all[found.len().min(all.len())..] {
        let worth = find_value(&mut solver, *discs, -1, u64::MAX).context("a worth")?;
        file.write_all(format!("{worth}\n").as_bytes())?;
        found.push(worth);
        if found.len().is_multiple_of(1_000) {
            let (seconds, nodes) = (begun.elapsed().as_secs(), solver.nodes / 1_000_000);
            eprintln!("{} of {} worths, {seconds} s, {nodes} million nodes", found.len(), all.len());
        }
    }
    write(&out.join("worths.book"), &opening_values::encode(WORTHS, &found))
}

/// Returns the complete lines of a file from an earlier run. Cuts off an incomplete last line, and creates a missing
/// file.
fn whole_lines(path: &Path) -> Result<String> {
    let mut known = fs::read_to_string(path).unwrap_or_default();
    known.truncate(known.rfind('\n').map_or(0, |end| end + 1));
    fs::write(path, &known)?;
    Ok(known)
}

/// Writes a table.
fn write(path: &Path, table: &[u8]) -> Result<()> {
    eprintln!("{}: {} bytes", path.display(), table.len());
    Ok(fs::write(path, table)?)
}

impl Work {
    /// Reads the results of an earlier run.
    fn resumed(path: &Path) -> Result<Work> {
        let known = whole_lines(path)?;
        let mut entries = HashMap::new();
        for line in known.lines() {
            let [own, taken, column, worth] = line.split(' ').collect::<Vec<_>>()[..] else { bail!("{line}") };
            entries.insert(
                Discs { own: own.parse()?, taken: taken.parse()? },
                BookMove { column: column.parse()?, value: worth.parse()? },
            );
        }
        let file = File::options().append(true).open(path)?;
        Ok(Work { solver: Solver::new(REMEMBERED), entries, file, seen: HashSet::new(), begun: Instant::now() })
    }

    /// Returns the moves in positions with `count` discs.
    fn known(&self, count: usize, level: &[Discs]) -> Result<Vec<BookMove>> {
        let found = level.iter().map(|discs| self.entries.get(discs).copied());
        let found = found.collect::<Option<Vec<BookMove>>>().context("a move of each")?;
        let [won, drawn] = [1, 0].map(|worth| found.iter().filter(|entry| entry.value == worth).count());
        eprintln!("{count} discs: {} positions, {won} won, {drawn} drawn", found.len());
        Ok(found)
    }

    /// Finds the computer's move in a position worth at least `least`, and in all positions that can follow.
    fn follow(&mut self, discs: Discs, most: u8, least: i32) -> Result<()> {
        let count = discs.taken.count_ones();
        if count > most.into() || !self.seen.insert(discs) {
            return Ok(());
        }
        let entry = match self.entries.get(&discs) {
            Some(entry) => *entry,
            None => self.find(discs, least)?,
        };
        if count + 2 <= most.into() {
            for next in book::positions_after_replies(&[discs], [entry].into_iter()).context("a legal move")? {
                self.follow(next, most, entry.value)?;
            }
        }
        Ok(())
    }

    /// Finds the computer's move, and saves it.
    fn find(&mut self, discs: Discs, least: i32) -> Result<BookMove> {
        let cells: Vec<u64> = iter_cells(discs.landing_cells()).collect();
        let worth = find_value(&mut self.solver, discs, least, u64::MAX).context("a worth")?;
        let mut cell = find_best_move(&mut self.solver, discs, &cells, worth, u64::MAX).context("no move")?;
        if worth < 0 {
            cell = most_stubborn(discs, &cells);
        }
        let entry = BookMove { column: column_of(cell), value: worth };
        self.entries.insert(discs, entry);
        self.file.write_all(format!("{} {} {} {worth}\n", discs.own, discs.taken, entry.column).as_bytes())?;
        let (found, count) = (self.entries.len(), discs.taken.count_ones());
        if found.is_multiple_of(100) || count < 2 {
            let (seconds, nodes) = (self.begun.elapsed().as_secs(), self.solver.nodes / 1_000_000);
            eprintln!("{found} moves, {seconds} s, {nodes} million nodes, {count} discs");
        }
        Ok(entry)
    }
}

/// Returns the move in a lost position that makes the win hardest to find.
fn most_stubborn(discs: Discs, cells: &[u64]) -> u64 {
    let work = |cell: &&u64| {
        let mut solver = Solver::new(1 << 16);
        let seen = solver.reaches(discs.after(**cell), Goal::Win, STUBBORN);
        if seen.is_some() { solver.nodes } else { STUBBORN }
    };
    // Ties go to the last one in reverse order, which favors the center.
    cells.iter().rev().max_by_key(work).copied().unwrap_or_default()
}
