//! `play-by-commit perft`: counts positions by depth, within limits that keep it to minutes.

use std::io::{IsTerminal, stderr};

use answers::render;
use anyhow::{Context, Result, bail};
use game::contract::{Game, Rules};
use game::options::{BadOption, Options};
use games::registry::{GameKind, with_game};

use crate::print::{print_line, print_note};

/// The maximum depth, in plies.
const MAX_DEPTH: u32 = 400;
/// The maximum number of positions at one depth, as estimated from the depths before it.
const MAX_POSITIONS: u64 = 4_000_000_000;
/// The number of positions at a depth above which a terminal shows progress.
const PROGRESS_THRESHOLD: u64 = 20_000_000;

/// Prints the number of positions at a depth.
///
/// # Errors
/// Returns an error if the game or an option is unknown, or if there are too many positions.
pub(super) fn perft(game: &str, depth: u32, options: &[String]) -> Result<()> {
    let kind = GameKind::parse(game).with_context(|| {
        let names: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.info().name).collect();
        format!("there is no such game. The games: {}", names.join(", "))
    })?;
    if depth > MAX_DEPTH {
        bail!("the depth can be at most {MAX_DEPTH}");
    }
    let mut parsed = Options::default();
    for option in options {
        match option.split_once('=') {
            Some((key, value)) => parsed.pairs.push((key.to_owned(), value.to_owned())),
            None => parsed.words.push(option.clone()),
        }
    }
    with_game!(kind, G => {
        let config = G::configure(&mut parsed).map_err(|BadOption { expected, .. }| anyhow::Error::msg(render::text(&expected)))?;
        if !parsed.pairs.is_empty() || !parsed.words.is_empty() {
            let keys: Vec<&str> = G::INFO.options.iter().map(|option| option.key).collect();
            bail!("there is no such option. The options of {}: {}", G::INFO.name, keys.join(", "));
        }
        print_line(&count_positions(&G::start(&config)?, depth)?.to_string());
    });
    Ok(())
}

/// Counts the positions at `depth`.
///
/// It counts every smaller depth first to estimate the next one. Together they take little longer than the last one alone.
fn count_positions<G: Rules>(start: &G, depth: u32) -> Result<u64> {
    let (mut before, mut last) = (1_u64, 1_u64);
    for ply in 0..=depth {
        let next = estimate_next(before, last);
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
        (before, last) = (last, start.perft(ply));
        if last == 0 {
            break;
        }
    }
    Ok(last)
}

/// Estimates the number of positions at the next depth by assuming the same growth as at the last one.
fn estimate_next(before: u64, last: u64) -> u64 {
    let next = u128::from(last) * u128::from(last) / u128::from(before.max(1));
    u64::try_from(next).unwrap_or(u64::MAX)
}
