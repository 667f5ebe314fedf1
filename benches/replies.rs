//! Measures the computer's thinking time at the default and the highest level: the median and the maximum over many
//! positions from random play. Also measures peak memory. On Linux it uses CPU time, which doesn't depend on the load
//! of the machine.
//!
//! ```text
//! cargo bench -p benches --bench replies            # 2,000 positions per game
//! cargo bench -p benches --bench replies -- 200     # fewer
//! cargo bench -p benches --bench replies -- 15x15   # only games whose line contains this text
//! ```

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use game::{Game, Level, Options};
use games::Random;
use games::backgammon::Backgammon;
use games::checkers::Checkers;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hex::Hex;
use games::othello::Othello;
use games::tic_tac_toe::TicTacToe;
use games::ultimate_tic_tac_toe::UltimateTicTacToe;

fn main() {
    let count = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(2_000);
    println!("{:<32} {:>5} {:>10} {:>10} {:>12}", "game", "level", "median", "worst", "most nodes");
    survey::<TicTacToe>("tic-tac-toe", &[], count);
    survey::<TicTacToe>("tic-tac-toe 4x4 k=4", &[("size", "4"), ("k", "4")], count);
    survey::<TicTacToe>("tic-tac-toe 5x5 k=4", &[("size", "5"), ("k", "4")], count);
    survey::<TicTacToe>("tic-tac-toe 15x15 k=5", &[("size", "15"), ("k", "5")], count);
    survey::<UltimateTicTacToe>("ultimate-tic-tac-toe", &[], count);
    survey::<ConnectFour>("connect-four", &[], count);
    survey::<ConnectFour>("connect-four 9x7", &[("size", "9x7")], count);
    survey::<Othello>("othello", &[], count);
    survey::<Hex>("hex", &[], count);
    survey::<Checkers>("checkers", &[], count);
    survey::<Chess>("chess", &[], count);
    survey::<Backgammon>("backgammon", &[], count);
    survey::<Backgammon>("backgammon match=5", &[("match", "5")], count);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("no /proc here"));
}

/// Returns this process's CPU time, or the elapsed time if the system doesn't report it.
fn busy() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let said = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let on_core = said.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    on_core.map_or_else(|| BEGUN.elapsed(), Duration::from_nanos)
}

/// Measures the choices in positions of one game.
fn survey<G: Game>(name: &str, options: &[(&str, &str)], count: usize) {
    let wanted = std::env::args().skip(1).rfind(|word| !word.starts_with('-') && word.parse::<usize>().is_err());
    if wanted.is_some_and(|part| !name.contains(&part)) {
        return;
    }
    let pairs = options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let config = G::configure(&mut Options { pairs, ..Options::default() }).expect("options of this game");
    let positions = positions::<G>(&config, count);
    for level in [Level::MEDIUM, Level::MAX] {
        let mut times: Vec<(Duration, u64)> = positions
            .iter()
            .zip(0..)
            .map(|(position, seed)| {
                let begun = busy();
                let chosen = position.choose(level, seed).expect("a move in every position");
                assert!(position.is_legal(&chosen.mv), "{chosen:?} in {position:?}");
                (busy().saturating_sub(begun), chosen.nodes)
            })
            .collect();
        times.sort();
        let (median, worst) = (times[times.len() / 2].0, times[times.len() - 1].0);
        let most = times.iter().map(|(_, nodes)| *nodes).max().unwrap_or_default();
        println!("{name:<32} {:>5} {median:>10.1?} {worst:>10.1?} {most:>12}", level.number());
    }
}

/// Returns positions with a choice, from random play. In half of the games the computer makes some of the moves, for
/// more realistic positions.
fn positions<G: Game>(config: &G::Config, count: usize) -> Vec<G> {
    let mut random = Random::new(2026);
    let mut found = Vec::new();
    while found.len() < count {
        let mut game = G::start(config).expect("a start");
        let sane = random.below(2) == 0;
        for _ in 0..600 {
            if game.needs_roll() {
                game = game.with_roll(random.roll());
                continue;
            }
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            if random.below(8) == 0 && found.len() < count {
                found.push(game.clone());
            }
            let level = Level::new(2).expect("a level");
            let mv = match game.choose(level, random.next_u64()) {
                Some(chosen) if sane && random.below(2) == 0 => chosen.mv,
                _ => moves[random.below(moves.len())].clone(),
            };
            game = game.play(&mv);
        }
    }
    found
}
