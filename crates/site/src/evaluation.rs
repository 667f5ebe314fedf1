//! Evaluates games with the computer: the winning chances at every ply, and the biggest mistakes.
//!
//! The result is stored next to the page, so that a game is evaluated again only if it has new plies. Games in progress
//! are evaluated only where hints are allowed: in open games and against the computer.

use std::fmt::Write;

use answers::review::{self, analyze_table};
use game::Seat;
use games::{Analysis, AnalyzedPly, accuracy};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use table::{Table, TableStatus};

/// The version of the analysis. Increase it with every change that could lead to other results.
const ANALYSIS_VERSION: u32 = 8;
/// The fewest nodes to analyze a game with: more than for a reply, because nobody waits for it.
const MIN_NODES: u64 = 2 * review::NODES;
/// The most nodes to analyze a game with: about three seconds.
const MAX_NODES: u64 = 3_000_000;
/// The number of nodes for each ply in between, so that the analysis of a long game looks as far as that of others.
const NODES_PER_PLY: u64 = 9_000;
/// The maximum number of mistakes to show per side.
const MAX_MISTAKES: usize = 3;
/// The smallest loss of a big mistake, in thousandths of a win.
const BIG_MISTAKE: u16 = 200;
/// The smallest change of the chances, in thousandths, that looks like a jump if the next change goes back.
const JUMP: i32 = 100;
/// The number of jumps in a row from which they are smoothed.
const JUMPS: usize = 3;
/// The maximum size of a stored evaluation, in bytes.
pub const MAX_BYTES: usize = 400_000;

/// The stored evaluation of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// The version of the analysis.
    pub analysis: u32,
    /// The version of the engine.
    pub engine: u32,
    /// The total number of nodes searched.
    pub nodes: u64,
    /// The plies, oldest first.
    pub plies: Vec<EvaluatedPly>,
    /// The first side's winning chances at the end, in thousandths.
    pub end: u16,
    /// How accurately each side played, from 0 to 100; `None` if it had no choice.
    #[serde(default)]
    pub accuracy: [Option<u32>; 2],
}

/// The evaluation of a ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluatedPly {
    /// The ply, as shown in lists of moves.
    pub ply: String,
    /// The better move, if the ply was a mistake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub better: Option<String>,
    /// The first side's winning chances before the ply, in thousandths.
    pub chance: u16,
    /// The winning chances that a mistake cost its side, in thousandths; otherwise 0.
    pub lost: u16,
}

impl EvaluatedPly {
    /// Returns `?` for a mistake, and `??` for a big one; otherwise an empty string.
    pub fn glyph(&self) -> &'static str {
        match self.lost {
            0 => "",
            BIG_MISTAKE.. => "??",
            _ => "?",
        }
    }
}

/// A move that cost its side winning chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistake<'a> {
    /// The number of the ply, from 1.
    pub number: usize,
    /// The evaluation of the ply.
    pub evaluated: &'a EvaluatedPly,
}

impl Evaluation {
    /// Parses a stored evaluation; `None` if it is invalid.
    pub fn parse(text: &str) -> Option<Evaluation> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let evaluation: Evaluation = serde_json::from_str(text).ok()?;
        let are_valid = evaluation.plies.iter().all(|ply| ply.chance <= 1000 && ply.lost <= 1000);
        if !are_valid || evaluation.end > 1000 {
            return None;
        }
        Some(evaluation)
    }

    /// Returns the text of the stored evaluation.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Returns the first side's winning chances before each ply and at the end, in thousandths.
    ///
    /// On a large hex board, the side to move often seems to be winning, so the values jump up and down. Averaging each of these values
    /// with its neighbors shows who is really ahead. A single jump and the final result stay as they are.
    pub fn chances(&self) -> Vec<u16> {
        let values: Vec<u16> = self.plies.iter().map(|ply| ply.chance).chain([self.end]).collect();
        let step = |pair: &[u16]| i32::from(pair[1]) - i32::from(pair[0]);
        let is_turn = |near: &[u16]| {
            let (before, after) = (step(&near[..2]), step(&near[1..]));
            before.abs().min(after.abs()) > JUMP && (before > 0) != (after > 0)
        };
        let turns: Vec<bool> = values.windows(3).map(is_turn).collect();
        let mut smooth = values.clone();
        let mut next = 1;
        for run in turns.chunk_by(bool::eq) {
            let (mut first, mut last) = (next, next + run.len() - 1);
            next += run.len();
            if !run[0] || run.len() < JUMPS {
                continue;
            }
            if first == 1 {
                first = 0;
            }
            if last + 2 == values.len() && ![0, 1000].contains(&self.end) {
                last += 1;
            }
            for at in first..=last {
                let before = values[at.checked_sub(1).unwrap_or(1)];
                let after = values.get(at + 1).copied().unwrap_or(before);
                smooth[at] = ((u32::from(before) + 2 * u32::from(values[at]) + u32::from(after)) / 4) as u16;
            }
        }
        smooth
    }

    /// Returns the mistakes of a side, worst first. `seats` are the seats of the plies.
    pub fn mistakes(&self, seats: &[Seat], side: Seat) -> Vec<Mistake<'_>> {
        let own_plies = self.plies.iter().zip(seats).enumerate().filter(|(_, (_, seat))| **seat == side);
        let mistakes = own_plies.map(|(index, (evaluated, _))| Mistake { number: index + 1, evaluated });
        let mut mistakes: Vec<_> = mistakes.filter(|mistake| mistake.evaluated.lost > 0).collect();
        mistakes.sort_by_key(|mistake| (std::cmp::Reverse(mistake.evaluated.lost), mistake.number));
        mistakes.truncate(MAX_MISTAKES);
        mistakes
    }
}

/// Whether a game may be evaluated and has at least one ply.
pub fn can_evaluate(table: &Table) -> bool {
    let is_over = matches!(table.status(), TableStatus::Won(_) | TableStatus::Draw);
    let allows_hints = table.status() == TableStatus::Playing
        && (table.terms().open.is_some() || table.players().computer().is_some());
    (is_over || allows_hints) && table.plies().len() > 0
}

/// Returns the seats of the plies.
pub fn ply_seats(table: &Table) -> Vec<Seat> {
    table.plies().map(|ply| ply.seat).collect()
}

/// Returns the number of nodes to analyze a game of `plies` plies with.
pub fn nodes_for(plies: usize) -> u64 {
    (NODES_PER_PLY * plies as u64).clamp(MIN_NODES, MAX_NODES)
}

/// Evaluates a game with about `nodes` nodes; `None` if it is too long for that.
pub fn evaluate(table: &Table, nodes: u64) -> Option<Evaluation> {
    let Analysis { plies, end, nodes } = analyze_table(table, nodes)?;
    let accuracy = Seat::BOTH.map(|seat| {
        accuracy(table.plies().zip(&plies).filter(|(ply, _)| ply.seat == seat).map(|(_, analyzed)| analyzed))
    });
    let evaluated = table.plies().zip(plies).map(|(ply, AnalyzedPly { chance, lost, mistake, .. })| EvaluatedPly {
        ply: ply.move_list_entry(),
        chance,
        lost: mistake.as_ref().map_or(0, |_| lost),
        better: mistake.map(|mistake| ply.before.notation(&mistake.better)),
    });
    Some(Evaluation {
        analysis: ANALYSIS_VERSION,
        engine: table.game().engine_version(),
        nodes,
        plies: evaluated.collect(),
        end,
        accuracy,
    })
}

/// Whether an evaluation covers exactly the current plies of a game.
pub fn is_current(table: &Table, known: &Evaluation) -> bool {
    let plies = table.plies().map(|ply| ply.move_list_entry());
    [known.analysis, known.engine] == [ANALYSIS_VERSION, table.game().engine_version()]
        && plies.eq(known.plies.iter().map(|known| known.ply.clone()))
}

// SVG plots: a rating over time with its uncertainty, and winning chances over a game.
//
// Lines and bands differ in shape, and labels give the numbers. The style sheet sets light and dark colors.

/// The width of a plot, in SVG units. The style sheet stretches it.
const WIDTH: f64 = 640.0;
/// The height of a plot, in SVG units.
const HEIGHT: f64 = 200.0;

/// The number of steps above which the line of the chances is thin.
const DENSE: usize = 120;

/// A point: the horizontal position from 0 to 1, the value, and its uncertainty.
pub type Point = (f64, f64, f64);

/// Returns a line with its uncertainty band. `label` is the text alternative; `end_labels` are the labels of the
/// horizontal axis. The labels aren't part of the drawing, because small screens would shrink them.
pub fn rating_plot(label: &str, points: &[Point], end_labels: [&str; 2]) -> Markup {
    let low = points.iter().map(|(_, value, band)| value - band).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|(_, value, band)| value + band).fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = ((low / 100.0).floor() * 100.0, (high / 100.0).ceil() * 100.0);
    let span = (high - low).max(1.0);
    let x_of = |at: f64| at * WIDTH;
    let y_of = |value: f64| (high - value) / span * HEIGHT;
    let upper = points.iter().map(|(at, value, band)| (x_of(*at), y_of(value + band)));
    let lower = points.iter().rev().map(|(at, value, band)| (x_of(*at), y_of(value - band)));
    let band_path = path_data(upper.chain(lower)) + "Z";
    let line_path = path_data(points.iter().map(|(at, value, _)| (x_of(*at), y_of(*value))));
    html! {
        div.rating-plot {
            div.values aria-hidden="true" { @for value in [high, (low + high) / 2.0, low] { span { (value.round()) } } }
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(label) {
                path.band d=(band_path) {}
                path.rule d={ "M0 0H" (WIDTH) "M0 " (HEIGHT / 2.0) "H" (WIDTH) "M0 " (HEIGHT) "H" (WIDTH) } {}
                path.line d=(line_path) {}
            }
            div.days aria-hidden="true" { @for day in end_labels { span { (day) } } }
        }
    }
}

/// Returns the first side's winning chances at each step, in thousandths, as a line with dots at the mistakes. `side` is the
/// side's name.
pub fn chances_plot(label: &str, chances: &[u16], mistakes: &[usize], side: &str) -> Markup {
    let last = chances.len().saturating_sub(1).max(1) as f64;
    let place =
        |(at, chance): (usize, &u16)| (at as f64 / last * WIDTH, (1000.0 - f64::from(*chance)) / 1000.0 * HEIGHT);
    let line_path = path_data(chances.iter().enumerate().map(place));
    let area_path = format!("{line_path}V{0}H0Z", HEIGHT / 2.0);
    // With many steps, a thick line covers its own turns.
    let line_class = if chances.len() > DENSE { "line dense" } else { "line" };
    let dots = mistakes.iter().filter_map(|at| Some(place((*at, chances.get(*at)?))));
    // Dots are lines of length zero with round ends. The stretched plot would distort circles.
    let dots: String = dots.map(|(x, y)| format!("M{} {}h0", round(x), round(y))).collect();
    let values: Vec<String> = chances.iter().map(u16::to_string).collect();
    html! {
        svg.chances viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(label) data-side=(side) data-values=(values.join(" ")) {
            clipPath id="ahead" { rect width=(WIDTH) height=(HEIGHT / 2.0) {} }
            clipPath id="behind" { rect y=(HEIGHT / 2.0) width=(WIDTH) height=(HEIGHT / 2.0) {} }
            path.ahead d=(area_path) clip-path="url(#ahead)" {}
            path.behind d=(area_path) clip-path="url(#behind)" {}
            path.half d={ "M0 " (HEIGHT / 2.0) "H" (WIDTH) } {}
            path class=(line_class) d=(line_path) {}
            @if !dots.is_empty() { path.dots d=(dots) {} }
            path.now d={ "M" (WIDTH) " 0V" (HEIGHT) } {}
        }
    }
}

/// Returns the SVG path data of a line through points.
fn path_data(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut text = String::new();
    for (x, y) in points {
        let command = if text.is_empty() { 'M' } else { 'L' };
        let _ = write!(text, "{command}{} {}", round(x), round(y));
    }
    text
}

/// Rounds a coordinate to one decimal place.
fn round(coordinate: f64) -> f64 {
    (coordinate * 10.0).round() / 10.0
}
