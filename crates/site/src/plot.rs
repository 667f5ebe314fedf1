//! SVG plots: a rating over time with its uncertainty, and winning chances over a game.
//!
//! Lines and bands differ in shape, and labels give the numbers. The style sheet sets light and dark colors.

use std::fmt::Write;

use maud::{Markup, html};

/// The width of a plot, in SVG units. The style sheet stretches it.
const WIDTH: f64 = 640.0;
/// The height of a plot, in SVG units.
const HEIGHT: f64 = 200.0;

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
    let area_path = format!("{line_path}V{HEIGHT}H0Z");
    let dots = mistakes.iter().filter_map(|at| Some(place((*at, chances.get(*at)?))));
    // Dots are lines of length zero with round ends. The stretched plot would distort circles.
    let dots: String = dots.map(|(x, y)| format!("M{} {}h0", round(x), round(y))).collect();
    let values: Vec<String> = chances.iter().map(u16::to_string).collect();
    html! {
        svg.chances viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(label) data-side=(side) data-values=(values.join(" ")) {
            path.share d=(area_path) {}
            path.half d={ "M0 " (HEIGHT / 2.0) "H" (WIDTH) } {}
            path.line d=(line_path) {}
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
