//! Checks the computer's own games of connect four: that it never gives away a win or a draw, and how long it takes.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use game::{Engine, Level, PositionJson, Seat};
use games::Random;
use games::connect_four::{
    BookMove, ConnectFour, Discs, GameConfig, Position, Solver, book, find_value, opening_values,
};

/// The size of the solver's transposition table in positions, which take 128 MB.
const REMEMBERED: usize = 1 << 24;

/// The number of nodes above which a choice counts as given up by the solver.
const GIVEN_UP: u64 = 10_000_000;

/// Plays level 8 in positions of its own games with at most `most` discs, at most `sample` for each number of discs.
/// Compares the solver's values before and after each move.
pub fn check(most: u32, sample: usize, seed: u64) -> Result<()> {
    let (mut solver, mut random) = (Solver::new(REMEMBERED), Random::new(seed));
    for seat in 0..2 {
        let mut level = book::first_positions(seat);
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
                let before = find_value(&mut solver, *discs, -1, u64::MAX).context("a worth")?;
                let cell = discs.landing_cell(column);
                let wins = discs.winning_cells() & cell != 0;
                let after = if wins {
                    1
                } else {
                    -find_value(&mut solver, discs.after(cell), -1, u64::MAX).context("a worth")?
                };
                ensure!(before == after, "{discs:?}: worth {before}, {after} after column {column}");
                ensure!(known(discs).is_none_or(|entry| entry.value == before), "{discs:?}: worth {before}");
                entries.push(BookMove { column, value: before });
            }
            let known = level.iter().filter(|discs| known(discs).is_some()).count();
            print(count, [all, known], &mut nodes, &mut times);
            level = book::positions_after_replies(&level, entries.into_iter()).context("a legal move")?;
        }
    }
    Ok(())
}

/// Plays level 8 in a random sample of the positions with `count` discs, as if it took over a seat there.
pub fn handed_over(count: u32, sample: usize, seed: u64) -> Result<()> {
    let mut random = Random::new(seed);
    let mut level = book::all_positions(count);
    let all = level.len();
    while level.len() > sample {
        level.swap_remove(random.below(level.len()));
    }
    let is_known = |discs: &Discs| count <= opening_values::max_discs() || book::look_up(*discs).is_some();
    let known = level.iter().filter(|discs| is_known(discs)).count();
    let (mut nodes, mut times, mut worst) = (Vec::new(), Vec::new(), (0, Discs::START));
    for discs in level {
        let begun = busy();
        let chosen = game(discs)?.choose(Level::MAX, 1).context("a move")?;
        times.push(busy() - begun);
        nodes.push(chosen.nodes);
        worst = worst.max((chosen.nodes, discs));
    }
    print(count, [all, known], &mut nodes, &mut times);
    let given_up = nodes.iter().filter(|nodes| **nodes > GIVEN_UP).count();
    println!("{given_up} given up; the most nodes at {}", rows(worst.1).join(" "));
    Ok(())
}

/// Returns this process's CPU time, or the elapsed time if the system doesn't report it.
fn busy() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let said = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let on_core = said.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    on_core.map_or_else(|| BEGUN.elapsed(), Duration::from_nanos)
}

/// Prints one line of statistics.
fn print(count: u32, [all, known]: [usize; 2], nodes: &mut [u64], times: &mut [Duration]) {
    nodes.sort_unstable();
    times.sort_unstable();
    let tried = nodes.len();
    let place = |percent: usize| (tried * percent / 100).min(tried.saturating_sub(1));
    let nodes = [50, 90, 99, 100].map(|percent| nodes.get(place(percent)).copied().unwrap_or_default());
    let seconds = [50, 99, 100].map(|percent| times.get(place(percent)).map_or(0.0, Duration::as_secs_f64));
    println!(
        "{count} discs: {all} positions, {tried} tried, {known} of them in the book; \
         nodes (median, 90 %, 99 %, most): {nodes:?}; seconds (median, 99 %, most): {seconds:.3?}"
    );
}

/// Returns the game at a position.
fn game(discs: Discs) -> Result<ConnectFour> {
    let current_player = mover(discs).into();
    let position = Position { board: rows(discs), current_player };
    ConnectFour::from_position(&GameConfig::default(), &position).map_err(|error| anyhow::anyhow!("{error:?}"))
}

/// Returns the side to move.
fn mover(discs: Discs) -> Seat {
    Seat::BOTH[(discs.taken.count_ones() % 2) as usize]
}

/// Returns the rows of the board from the top: `R` for red, `Y` for yellow, `.` for an empty cell.
fn rows(discs: Discs) -> Vec<String> {
    let signs = if mover(discs) == Seat::First { ['R', 'Y'] } else { ['Y', 'R'] };
    let sign = |row: u32, column: u32| {
        let cell = 1 << (7 * column + row);
        if discs.own & cell != 0 {
            signs[0]
        } else if discs.taken & cell != 0 {
            signs[1]
        } else {
            '.'
        }
    };
    (0..6).rev().map(|row| (0..7).map(|column| sign(row, column)).collect()).collect()
}
