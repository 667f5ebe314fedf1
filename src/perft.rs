//! `play-by-commit perft`: counts positions, ply by ply, as far as it takes minutes and not days.

use std::io::{IsTerminal, stderr};

use answers::render as words;
use anyhow::{Context, Result, bail};
use game::contract::{Game, Rules};
use game::options::{BadOption, Options};
use games::registry::{GameKind, with_game};

use crate::print::{print_line, print_note};

/// The deepest tree that is walked, in plies.
const MAX_DEPTH: u32 = 400;
/// The most positions that are counted at one depth, as far as the depths before it tell.
const MAX_POSITIONS: u64 = 4_000_000_000;
/// The number of positions from which on a terminal says how far it is.
const PROGRESS_THRESHOLD: u64 = 20_000_000;

/// Prints the number of positions at a depth.
///
/// # Errors
/// Returns an error for an unknown game or option, and for more positions than are counted.
pub(super) fn perft(game: &str, depth: u32, options: &[String]) -> Result<()> {
    let kind = GameKind::parse(game).with_context(|| {
        let names: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.info().name).collect();
        format!("there is no such game. The games: {}", names.join(", "))
    })?;
    if depth > MAX_DEPTH {
        bail!("the depth can be at most {MAX_DEPTH}");
    }
    let mut given = Options::default();
    for option in options {
        match option.split_once('=') {
            Some((key, value)) => given.pairs.push((key.to_owned(), value.to_owned())),
            None => given.words.push(option.clone()),
        }
    }
    with_game!(kind, G => {
        let config = G::configure(&mut given).map_err(|BadOption { expected, .. }| anyhow::Error::msg(words::text(&expected)))?;
        if !given.pairs.is_empty() || !given.words.is_empty() {
            let keys: Vec<&str> = G::INFO.options.iter().map(|option| option.key).collect();
            bail!("there is no such option. The options of {}: {}", G::INFO.name, keys.join(", "));
        }
        print_line(&count_positions(&G::start(&config)?, depth)?.to_string());
    });
    Ok(())
}

/// Counts the positions at each depth up to this one, because each count tells how long the next one takes. All of them together
/// take little longer than the last.
fn count_positions<G: Rules>(start: &G, depth: u32) -> Result<u64> {
    let (mut before, mut now) = (1_u64, 1_u64);
    for ply in 0..=depth {
        let next = estimate_next(before, now);
        if next > MAX_POSITIONS {
            let deepest = ply.saturating_sub(1);
            bail!(
                "there are about {next} positions at depth {ply}, more than the limit of {MAX_POSITIONS}: try a \
                 depth of {deepest}"
            );
        }
        if next >= PROGRESS_THRESHOLD && stderr().is_terminal() {
            print_note(&format!("depth {ply} of {depth}: about {next} positions"));
        }
        (before, now) = (now, start.perft(ply));
        if now == 0 {
            break;
        }
    }
    Ok(now)
}

/// Returns about how many positions follow a ply, if their number grows as it did with that ply.
fn estimate_next(before: u64, now: u64) -> u64 {
    let next = u128::from(now) * u128::from(now) / u128::from(before.max(1));
    u64::try_from(next).unwrap_or(u64::MAX)
}
