//! Compares our winning chances with those of GNU Backgammon 1.07.001 at 0-ply. `tests/oracle/backgammon_chances.py` writes the
//! file of positions.

use std::collections::BTreeMap;

use game::{Game, Options, PositionJson, Rules, Seat};
use games::analyze;
use games::backgammon::{Backgammon, GameConfig, Position};
use serde::Deserialize;

const CASES: &str = include_str!("chances.jsonl");
/// The node limit of each analysis, close to what a position of a long match gets.
const NODES: u64 = 3_000;

#[derive(Deserialize)]
struct Case {
    config: GameConfig,
    position: Position,
    /// The chance of the side to move.
    chance: f64,
}

/// Returns the first side's winning chances in a position, in percent.
fn analyzed(game: &Backgammon, nodes: u64) -> f64 {
    f64::from(analyze(&[], game, nodes).unwrap().end) / 10.0
}

#[test]
fn winning_chances_are_near_those_of_gnu_backgammon() {
    let mut differences: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in CASES.lines() {
        let Case { config, position, chance } = serde_json::from_str(line).unwrap();
        let game = Backgammon::from_position(&config, &position).unwrap();
        let chance = 100.0 * if game.side_to_move == Seat::First { chance } else { 1.0 - chance };
        let off = (analyzed(&game, NODES) - chance).abs();
        assert!(off <= 8.0, "off by {off:.1} points: {line}");
        let kind = format!("{:?} {} {}", config.length, config.cube, config.jacoby);
        differences.entry(kind).or_default().push(off);
    }
    assert_eq!(differences.len(), 4, "matches, and three kinds of money games");
    for (kind, off) in differences {
        let mean = off.iter().sum::<f64>() / off.len() as f64;
        assert!(mean <= 3.0, "{kind}: off by {mean:.1} points on average");
    }
}

#[test]
fn a_match_begins_even() {
    for pairs in [vec![("length", "3")], vec![("length", "7")], vec![], vec![("cube", "on")]] {
        let pairs = pairs.into_iter().map(|(key, value): (&str, &str)| (key.to_owned(), value.to_owned())).collect();
        let config = Backgammon::configure(&mut Options { pairs, ..Options::default() }).unwrap();
        let chance = analyzed(&Backgammon::start(&config).unwrap(), 20_000);
        assert!((48.0..52.0).contains(&chance), "{chance} for {config:?}");
    }
}
