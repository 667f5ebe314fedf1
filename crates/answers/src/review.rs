//! The review of a finished game: who stood better, how accurately both sides played, and the turning points.
//!
//! The website shows the same analysis, which also comes from [`analyze_table`].

use std::cmp::Reverse;

use game::{Phrase, Seat, say};
use games::{Analysis, AnyMove, accuracy};
use table::Table;

use crate::sentences;
use crate::sentences::numbered_ply;

/// The number of nodes to analyze a game with. Games take under two seconds, most of them under one.
pub const NODES: u64 = 500_000;
/// The maximum number of nodes for each ply, so that a short game doesn't take as long as a long one.
const NODES_PER_PLY: u64 = 25_000;
/// The maximum number of turning points to show.
const MAX_TURNING_POINTS: usize = 3;
/// The maximum length of the line of blocks, in characters.
const MAX_BLOCKS: usize = 40;
/// The blocks that show the first side's winning chances, lowest first.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Analyzes the game at a table. Returns `None` if the computer can't judge it with so few nodes.
pub fn analyze_table(table: &Table, nodes: u64) -> Option<Analysis<AnyMove>> {
    let plies: Vec<_> = table.plies().collect();
    let played: Vec<_> = plies.iter().map(|ply| (ply.before, ply.played.map(|(mv, _)| mv))).collect();
    let nodes = nodes.min(NODES_PER_PLY * plies.len() as u64);
    table.game().analyze_game(&played, nodes)
}

/// Returns the review of the game at a table.
pub(super) fn review(table: &Table) -> Phrase {
    let title = title(table.round());
    match analyze_table(table, NODES) {
        Some(analysis) => say!("**{title}**\n\n{body}", body = body(table, &analysis)),
        None => say!(
            "**{title}**\n\nThis game is too long for the computer to judge it in two seconds. The list of moves: `/history`."
        ),
    }
}

/// Returns the heading of a round's review.
fn title(round: u32) -> String {
    if round > 1 { format!("Review of round {round}") } else { "Review of this game".to_owned() }
}

fn body(table: &Table, analysis: &Analysis<AnyMove>) -> Phrase {
    let chances: Vec<u16> = analysis.plies.iter().map(|ply| ply.chance).chain([analysis.end]).collect();
    say!(
        "`{blocks}` (higher is better for {side})\n\n{accuracies}{points}",
        blocks = blocks(&chances),
        side = table.info().side_name(Seat::First),
        accuracies = accuracies(table, analysis),
        points = turning_points(table, analysis),
    )
}

/// Returns the first side's winning chances as a line of blocks.
fn blocks(chances: &[u16]) -> String {
    let width = chances.len().min(MAX_BLOCKS);
    // The first block is the start of the game, and the last one is its end.
    let index = |nth: usize| nth * (chances.len() - 1) / (width - 1).max(1);
    let block = |chance: &u16| BLOCKS[usize::from(*chance) * (BLOCKS.len() - 1) / 1000];
    (0..width).filter_map(|nth| chances.get(index(nth))).map(block).collect()
}

/// Returns a sentence about the accuracy of both sides, or of the side that had choices.
fn accuracies(table: &Table, analysis: &Analysis<AnyMove>) -> Phrase {
    let sides = Seat::BOTH.into_iter().filter_map(|seat| {
        let own = table.plies().zip(&analysis.plies).filter(|(ply, _)| ply.seat == seat).map(|(_, analyzed)| analyzed);
        let percent = accuracy(own)?;
        Some(say!("{player}: **{percent}%**", player = sentences::player(table, seat)))
    });
    let sides: Vec<Phrase> = sides.collect();
    if sides.is_empty() { Phrase::default() } else { say!("Accuracy: {sides}\n", sides = Phrase::join(sides, ", ")) }
}

/// Returns the mistakes that cost the most, in the order of the game.
fn turning_points(table: &Table, analysis: &Analysis<AnyMove>) -> Phrase {
    let plies: Vec<_> = table.plies().collect();
    let mut points: Vec<_> = analysis.plies.iter().enumerate().filter(|(_, ply)| ply.mistake.is_some()).collect();
    points.sort_by_key(|(at, ply)| (Reverse(ply.lost), *at));
    points.truncate(MAX_TURNING_POINTS);
    points.sort_by_key(|(at, _)| *at);
    let lines = points.into_iter().filter_map(|(at, analyzed)| {
        let (ply, mistake) = (plies.get(at)?, analyzed.mistake.as_ref()?);
        Some(say!(
            "\n- `{mv}` cut {side}'s winning chances by {lost} points. `{better}` was better.",
            mv = numbered_ply(table, at + 1)?,
            side = table.info().side_name(ply.seat),
            lost = (analyzed.lost + 5) / 10,
            better = ply.before.notation(&mistake.better),
        ))
    });
    let lines: Vec<Phrase> = lines.collect();
    if lines.is_empty() {
        return "\nThe computer found no big mistake.".into();
    }
    say!("\nTurning points:\n{lines}", lines = Phrase::join(lines, ""))
}
