//! Looks after the computer's own games of connect four: that it never lets go of what it has, and how long it takes.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use play_by_commit::game::choice::Level;
use play_by_commit::game::contract::Game;
use play_by_commit::game::seat::Seat;
use play_by_commit::games::connect_four::config::GameConfig;
use play_by_commit::games::connect_four::game::ConnectFour;
use play_by_commit::games::connect_four::perfect::best::worth;
use play_by_commit::games::connect_four::perfect::book::{self, Entry};
use play_by_commit::games::connect_four::perfect::solver::Solver;
use play_by_commit::games::connect_four::perfect::usual::{Discs, cells};
use play_by_commit::games::connect_four::position::Position;
use play_by_commit::search::random::Random;

/// The positions that the solver remembers, in 128 MB.
const REMEMBERED: usize = 1 << 24;

/// Plays level 8 in positions of its own games with at most so many discs, in no more than so many with each number, and asks the
/// solver what they are worth before and after.
pub fn check(most: u32, sample: usize, seed: u64) -> Result<()> {
    let (mut solver, mut random) = (Solver::new(REMEMBERED), Random::new(seed));
    for seat in 0..2 {
        let mut level = book::beginnings(seat);
        for count in (seat..=most).step_by(2) {
            let all = level.len();
            let book = book::levels(seat).nth((count / 2) as usize).unwrap_or_default();
            let known = |discs: &Discs| book.binary_search_by_key(discs, |(discs, _)| *discs).ok().map(|at| book[at].1);
            if book.is_empty() {
                while level.len() > sample {
                    level.swap_remove(random.below(level.len()));
                }
                level.sort_unstable();
            }
            let (mut nodes, mut times, mut entries) = (Vec::new(), Vec::new(), Vec::new());
            for discs in &level {
                let begun = busy();
                let chosen = game(*discs)?.choose(Level::MAX, 1).context("a move")?;
                times.push(busy() - begun);
                nodes.push(chosen.nodes);
                let column = chosen.mv.column;
                let before = worth(&mut solver, *discs, -1, u64::MAX).context("a worth")?;
                let cell = discs.open_in(column);
                let wins = discs.winning() & cell != 0;
                let after =
                    if wins { 1 } else { -worth(&mut solver, discs.after(cell), -1, u64::MAX).context("a worth")? };
                ensure!(before == after, "{discs:?}: worth {before}, {after} after column {column}");
                ensure!(known(discs).is_none_or(|entry| entry.worth == before), "{discs:?}: worth {before}");
                entries.push(Entry { column, worth: before });
            }
            let known = level.iter().filter(|discs| known(discs).is_some()).count();
            print(count, [all, known], &mut nodes, &mut times);
            level = book::following(&level, entries.into_iter()).context("a legal move")?;
        }
    }
    Ok(())
}

/// Asks for moves in positions with so many discs that nobody has chosen: all of them, or some, as when a seat is handed over.
pub fn handed_over(count: u32, sample: usize, seed: u64) -> Result<()> {
    let mut random = Random::new(seed);
    let mut level = vec![Discs::START];
    for _ in 0..count {
        level = level
            .iter()
            .flat_map(|discs| cells(discs.open() & !discs.winning()).map(|cell| discs.after(cell)))
            .collect();
        level.retain(|discs| discs.winning() == 0);
        level = level.into_iter().map(|discs| book::canonical(discs).0).collect();
        level.sort_unstable();
        level.dedup();
        while level.len() > 100_000.max(sample) {
            level.swap_remove(random.below(level.len()));
        }
    }
    let (all, mut nodes, mut times) = (level.len(), Vec::new(), Vec::new());
    let known = level.iter().filter(|discs| book::look_up(**discs).is_some()).count();
    level.retain(|discs| book::look_up(*discs).is_none());
    while level.len() > sample {
        level.swap_remove(random.below(level.len()));
    }
    for discs in level {
        let begun = busy();
        let chosen = game(discs)?.choose(Level::MAX, 1).context("a move")?;
        times.push(busy() - begun);
        nodes.push(chosen.nodes);
    }
    print(count, [all, known], &mut nodes, &mut times);
    Ok(())
}

/// How long this process has been on a core, or, where the system does not say, on the way.
fn busy() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let said = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let on_core = said.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    on_core.map_or_else(|| BEGUN.elapsed(), Duration::from_nanos)
}

/// Prints a line.
fn print(count: u32, [all, known]: [usize; 2], nodes: &mut [u64], times: &mut [Duration]) {
    nodes.sort_unstable();
    times.sort_unstable();
    let at = |part: usize| {
        nodes.get((nodes.len() * part / 10).min(nodes.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    let worst = times.last().copied().unwrap_or_default();
    let tried = nodes.len();
    println!(
        "{count} discs: {all} positions, {known} in the book, {tried} tried; nodes {} {} {}, {:.3} s at most",
        at(5),
        at(9),
        at(10),
        worst.as_secs_f64()
    );
}

/// Returns a position as a game.
fn game(discs: Discs) -> Result<ConnectFour> {
    let mover = Seat::BOTH[(discs.taken.count_ones() % 2) as usize];
    let sign = |row: u32, column: u32| {
        let cell = 1 << (7 * column + row);
        let signs = if mover == Seat::First { ['R', 'Y'] } else { ['Y', 'R'] };
        if discs.own & cell != 0 {
            signs[0]
        } else if discs.taken & cell != 0 {
            signs[1]
        } else {
            '.'
        }
    };
    let board = (0..6).rev().map(|row| (0..7).map(|column| sign(row, column)).collect()).collect();
    let position = Position { board, current_player: mover.into() };
    ConnectFour::at(&GameConfig::default(), &position).map_err(|error| anyhow::anyhow!("{error:?}"))
}
