//! Counts the moves that each level of the computer needs to finish a won game.
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example won_games -- GAME [--levels 1-8] [--games 20] [--seed 1]
//! ```
//!
//! Level 6 plays against random moves until a short analysis gives it 94 %. From there each level plays on against random moves.
//! For each level, prints the wins, and the mean and the highest number of moves that the winner needed.

use game::{Game, Level, Options, Outcome, Rules, Seat};
use games::{GameKind, Random, with_game};

/// The nodes of the analysis that decides whether a position is won.
const NODES: u64 = 20_000;
/// The expected result from which a position counts as won, in thousandths.
const WON: u16 = 940;
/// The winner's moves after which a game counts as unfinished.
const MAX_MOVES: usize = 200;

fn main() {
    let mut options = Options::default();
    let (mut kind, mut levels, mut games, mut seed) = (None, (1, 8), 20, 1);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().expect("a value after the option");
        match word.as_str() {
            "--levels" => {
                let value = value();
                let (low, high) = value.split_once('-').unwrap_or((&value, &value));
                levels = (low.parse().expect("a level"), high.parse().expect("a level"));
            }
            "--games" => games = value().parse().expect("a number of games"),
            "--seed" => seed = value().parse().expect("a seed"),
            _ => match word.split_once('=') {
                Some((key, value)) => options.pairs.push((key.to_owned(), value.to_owned())),
                None => kind = Some(GameKind::from_name(&word).expect("a game")),
            },
        }
    }
    with_game!(kind.expect("a game"), G => {
        let config = G::configure(&mut options).expect("options of this game");
        let starts: Vec<(G, u64)> = (seed * 1_000..).filter_map(|seed| Some((won_position::<G>(&config, seed)?, seed))).take(games).collect();
        for number in levels.0..=levels.1 {
            let level = Level::new(number).expect("a level from 1 to 8");
            let results: Vec<(bool, usize)> = starts.iter().map(|(game, seed)| finish(game, level, *seed)).collect();
            print_row(G::INFO.name, number, &results);
        }
    });
}

/// Returns a position that the side to move has almost won; `None` if the game ends first.
fn won_position<G: Game>(config: &G::Config, seed: u64) -> Option<G> {
    let mut random = Random::new(seed);
    let winner = Seat::BOTH[random.below(2)];
    let mut game = G::start(config).expect("a game");
    for ply in 0.. {
        if game.needs_roll() {
            game = game.with_roll(random.roll());
            continue;
        }
        game.outcome().is_none().then_some(())?;
        if game.side_to_move() == winner {
            if game.win_chance(game.analyze(NODES, &mut Default::default())?.score) >= WON {
                return Some(game);
            }
            game = game.play(&game.choose(Level::new(6)?, seed * 1_000 + ply)?.mv);
        } else {
            game = random_move(&game, &mut random)?;
        }
    }
    None
}

fn random_move<G: Rules>(game: &G, random: &mut Random) -> Option<G> {
    let moves = game.legal_moves();
    Some(game.play(moves.get(random.below(moves.len()))?))
}

/// Plays on at a level against random moves. Returns whether the side to move won, and its number of moves.
fn finish<G: Game>(start: &G, level: Level, seed: u64) -> (bool, usize) {
    let mut game = start.clone();
    let (winner, mut random, mut count) = (game.side_to_move(), Random::new(seed), 0);
    while game.outcome().is_none() && game.claimable_draw().is_none() && count < MAX_MOVES {
        if game.needs_roll() {
            game = game.with_roll(random.roll());
        } else if game.side_to_move() == winner {
            count += 1;
            game = game.play(&game.choose(level, seed * 1_000 + count as u64).expect("a move").mv);
        } else {
            game = random_move(&game, &mut random).expect("a move");
        }
    }
    (game.outcome() == Some(Outcome::Won(winner)), count)
}

fn print_row(game: &str, level: u8, results: &[(bool, usize)]) {
    let won = results.iter().filter(|(is_win, _)| *is_win).count();
    let total: usize = results.iter().map(|(_, count)| *count).sum();
    let most = results.iter().map(|(_, count)| *count).max().unwrap_or_default();
    let mean = total as f64 / results.len() as f64;
    println!("{game}, level {level}: won {won} of {}, {mean:.1} moves, at most {most}", results.len());
}
