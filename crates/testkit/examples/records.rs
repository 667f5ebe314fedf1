//! Writes a state directory with many games, to benchmark the site.
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example records -- DIR [GAMES] [SEED] [unusual]
//! ```
//!
//! With `unusual`, it begins with games that look unlike the others.

use std::path::Path;

fn main() {
    let mut words = std::env::args().skip(1);
    let dir = words.next().expect("a directory");
    let games = words.next().map_or(10_000, |games| games.parse().expect("a number of games"));
    let seed = words.next().map_or(1, |seed| seed.parse().expect("a seed"));
    if words.next().is_some() {
        testkit::write_unusual_games(Path::new(&dir), games, seed);
    } else {
        testkit::write_games(Path::new(&dir), games, seed);
    }
}
