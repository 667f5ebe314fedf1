//! Plots: a line over time with the band that it is uncertain by, and the chances over a game.
//!
//! Lines and bands differ in shape, words say the numbers, and the style sheet gives the colours, by day and by night.

use std::fmt::Write;

use maud::{Markup, html};

/// The width of a plot.
const WIDTH: f64 = 640.0;
/// The height of a plot.
const HEIGHT: f64 = 200.0;
/// The room for words at its left.
const LEFT: f64 = 44.0;
/// The room around it elsewhere.
const EDGE: f64 = 14.0;
/// The most points that are drawn.
const POINTS: usize = 200;

/// A point of a line: how far right from 0 to 1, the value, and what it is uncertain by.
pub type Point = (f64, f64, f64);

/// Returns a line with its band. `label` says in words what is seen; `ends` is what begins and ends at the left and right.
pub fn rating_plot(label: &str, points: &[Point], ends: [&str; 2]) -> Markup {
    let step = points.len().div_ceil(POINTS).max(1);
    // The newest is always there.
    let shown: Vec<Point> = points.iter().rev().step_by(step).rev().copied().collect();
    let low = shown.iter().map(|(_, value, band)| value - band).fold(f64::INFINITY, f64::min);
    let high = shown.iter().map(|(_, value, band)| value + band).fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = ((low / 100.0).floor() * 100.0, (high / 100.0).ceil() * 100.0);
    let span = (high - low).max(1.0);
    let across = |at: f64| LEFT + at * (WIDTH - LEFT - EDGE);
    let up = |value: f64| EDGE + (high - value) / span * (HEIGHT - 2.0 * EDGE - 10.0);
    let upper = shown.iter().map(|(at, value, band)| (across(*at), up(value + band)));
    let lower = shown.iter().rev().map(|(at, value, band)| (across(*at), up(value - band)));
    let band = path(upper.chain(lower)) + "Z";
    let line = path(shown.iter().map(|(at, value, _)| (across(*at), up(*value))));
    let lines: Vec<f64> = [low, (low + high) / 2.0, high].into();
    html! {
        svg.plot viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) {
            @for value in lines {
                path.rule d={ "M" (LEFT) " " (short(up(value))) "H" (WIDTH - EDGE) } {}
                text x=(LEFT - 6.0) y=(short(up(value) + 4.0)) text-anchor="end" { (value.round()) }
            }
            path.band d=(band) {}
            path.line d=(line) {}
            @for (at, value, _) in shown.iter().rev().take(1) { circle.dot cx=(short(across(*at))) cy=(short(up(*value))) r="4" {} }
            text x=(LEFT) y=(HEIGHT - 3.0) { (ends[0]) }
            text x=(WIDTH - EDGE) y=(HEIGHT - 3.0) text-anchor="end" { (ends[1]) }
        }
    }
}

/// Returns the chances of the first side before each ply and at the end, in thousandths, as a line over the plies.
pub fn chances_plot(label: &str, chances: &[u16], sides: [&str; 2]) -> Markup {
    let last = chances.len().saturating_sub(1).max(1) as f64;
    let across = |at: f64| at / last * WIDTH;
    let up = |chance: u16| (1000.0 - f64::from(chance)) / 1000.0 * HEIGHT;
    let line = path(chances.iter().enumerate().map(|(at, chance)| (across(at as f64), up(*chance))));
    let below = format!("{line}V{HEIGHT}H0Z");
    html! {
        svg.chances viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(label) data-plies=(chances.len() - 1) {
            path.share d=(below) {}
            path.rule d={ "M0 " (HEIGHT / 2.0) "H" (WIDTH) } {}
            path.line d=(line) {}
            path.now d={ "M" (WIDTH) " 0V" (HEIGHT) } {}
        }
        p.sides { span { "Above the line: " (sides[1]) } " " span { "Below: " (sides[0]) } }
    }
}

/// Returns the path through points.
fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut text = String::new();
    for (x, y) in points {
        let sign = if text.is_empty() { 'M' } else { 'L' };
        let _ = write!(text, "{sign}{} {}", short(x), short(y));
    }
    text
}

/// Rounds a length to what can be seen.
fn short(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}
