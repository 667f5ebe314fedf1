//! `play-by-commit perft`: counts positions by depth, within limits that keep it to minutes.

use std::io::{IsTerminal, stderr};

use answers::render;
use anyhow::{Context, Result, bail};
use game::{Game, InvalidOption, Options, Rules};
use games::{GameKind, with_game};
use terminal::print::{print_line, print_note};

/// The maximum depth, in plies.
const MAX_DEPTH: u32 = 400;
/// The maximum number of positions at one depth, as estimated from the depths before it.
const MAX_POSITIONS: u64 = 4_000_000_000;
/// Once a depth has this many positions, the program estimates all further depths, so that it can refuse early.
const ESTIMATE_THRESHOLD: u64 = 100_000;
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
        let config = G::configure(&mut parsed).map_err(|InvalidOption { message, .. }| anyhow::Error::msg(render::text(&message)))?;
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
/// It counts every smaller depth first to estimate the next ones. Together they take little longer than the last one alone.
fn count_positions<G: Rules>(start: &G, depth: u32) -> Result<u64> {
    // The counts at the last three depths.
    let mut counts = [1_u64; 3];
    for ply in 0..=depth {
        let [_, _, last] = counts;
        let until = if last >= ESTIMATE_THRESHOLD { depth } else { ply };
        let estimates = estimate(counts);
        if let Some((too_deep, count)) = (ply..=until).zip(estimates).find(|(_, count)| *count > MAX_POSITIONS) {
            let deepest = too_deep.saturating_sub(1);
            bail!(
                "there are about {count} positions at depth {too_deep}, more than the limit of {MAX_POSITIONS}: try a \
                 depth of {deepest}"
            );
        }
        let next = estimate(counts).next().unwrap_or_default();
        if next >= PROGRESS_THRESHOLD && stderr().is_terminal() {
            print_note(&format!("depth {ply} of {depth}: about {next} positions"));
        }
        counts = [counts[1], last, start.perft(ply)];
        if counts[2] == 0 {
            break;
        }
    }
    Ok(counts[2])
}

/// Estimates the number of positions at each of the next depths.
///
/// It assumes the same growth as at the last depth. If the growth has begun to slow, as on a board that fills, it assumes that
/// the growth keeps slowing.
fn estimate([first, before, last]: [u64; 3]) -> impl Iterator<Item = u64> {
    let growth = |from: u64, to: u64| to as f64 / from.max(1) as f64;
    let slowing = (growth(before, last) / growth(first, before)).min(1.0);
    let mut growth = growth(before, last);
    let mut count = last as f64;
    std::iter::from_fn(move || {
        count *= growth;
        growth *= slowing;
        Some(count.round() as u64)
    })
}
