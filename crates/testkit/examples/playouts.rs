//! Plays the computer against itself and checks that each move is legal, with overflow checks on.
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example playouts -- GAME [KEY=VALUE ...] [--games 100000] [--levels 1,3] [--from 0]
//! ```
//!
//! `--from` resumes a series at this game number, which is also the game's seed.

use std::ops::Range;

use game::{Game, Level, Options, apply_move};
use games::{GameKind, Random, with_game};

/// The default number of games.
const GAMES: u64 = 100_000;

fn main() {
    let mut options = Options::default();
    let (mut kind, mut games, mut levels, mut first) = (None, GAMES, vec![1, 3], 0);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().expect("a value after the option");
        match word.as_str() {
            "--games" => games = value().parse().expect("a number of games"),
            "--from" => first = value().parse().expect("a game's number"),
            "--levels" => levels = value().split(',').map(|level| level.parse().expect("a level")).collect(),
            _ => match word.split_once('=') {
                Some((key, value)) => options.pairs.push((key.to_owned(), value.to_owned())),
                None => kind = Some(GameKind::from_name(&word).expect("a game")),
            },
        }
    }
    let kind = kind.expect("a game");
    for level in levels {
        let level = Level::new(level).expect("a level from 1 to 8");
        let plies = with_game!(kind, G => play_games::<G>(&mut options.clone(), level, first..first + games));
        println!(
            "{} at level {}: {games} games from {first} on, {plies} choices, all legal",
            kind.info().name,
            level.number()
        );
    }
}

/// Plays the games with these numbers, with this level at both seats, and returns the number of moves chosen.
fn play_games<G: Game>(options: &mut Options, level: Level, games: Range<u64>) -> u64 {
    let config = G::configure(options).expect("options of this game");
    let mut choices = 0;
    for seed in games {
        let mut random = Random::new(seed);
        let mut game = G::start(&config).expect("a game");
        while game.outcome().is_none() {
            if game.needs_roll() {
                game = game.with_roll(random.roll());
                continue;
            }
            let chosen = game.choose(level, seed).expect("a choice while the game goes on");
            game = apply_move(&game, &chosen.mv).expect("the choice is legal");
            choices += 1;
        }
        assert_eq!(game.choose(level, seed), None, "nothing is chosen after the end");
    }
    choices
}
