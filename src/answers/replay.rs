//! A game as one picture that moves, without a script: each shape is there for some of the time.
//!
//! A shape is drawn once for each stretch of frames in which it is there, and is otherwise invisible. All animations have
//! the same period; how long a shape is there is the rule, and when it comes is the delay. Without animations only the
//! shapes of the last frame are visible.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use crate::game::board::Board;
use crate::game::board::drawing::strip::Strip;
use crate::game::board::drawing::{Drawing, Layer, Shape, palette};

/// The most bytes that a replay may have.
pub const MAX_REPLAY: usize = 200_000;
/// The time that a ply is shown, in seconds, unless there are many.
const PLY: f64 = 1.0;
/// The time that all plies together are shown at most, in seconds.
const ALL: f64 = 70.0;
/// The time that the last one is shown beyond that, in seconds.
const HOLD: f64 = 5.0;

/// A stretch of frames: the first one, and the first one after it.
type Stretch = (usize, usize);

/// The times of the frames, in seconds.
struct Timing {
    frames: usize,
    frame: f64,
}

/// Returns the boards of a game with their strips, oldest first, as one SVG file. All are seen from the side of the last one.
pub(super) fn replay(title: &str, mut boards: Vec<(Box<dyn Board>, Strip)>) -> String {
    if let Some(viewer) = boards.last().and_then(|(board, _)| board.viewer()) {
        boards.iter_mut().for_each(|(board, _)| board.turn_to(viewer));
    }
    let mut shown = boards.len();
    loop {
        let first = boards.len() - shown;
        let frames = boards[first..].iter().map(|(board, strip)| match first {
            0 => board.drawing(strip),
            _ => board.drawing(&Strip { facts: format!("from ply {first} on"), ..strip.clone() }),
        });
        let svg = animate(&frames.collect::<Vec<_>>(), title);
        if svg.len() <= MAX_REPLAY || shown <= 1 {
            return svg;
        }
        // The bytes grow with the plies, so this is near what fits, and below it before long.
        shown = (shown * MAX_REPLAY / svg.len() * 98 / 100).clamp(1, shown - 1);
    }
}

/// Returns the frames as one SVG file.
fn animate(frames: &[Drawing], title: &str) -> String {
    let Some(last) = frames.last() else { return String::new() };
    let timing = Timing::new(frames.len());
    let mut whole = Drawing { symbols: Vec::new(), ..last.clone() };
    for symbol in frames.iter().flat_map(|frame| &frame.symbols) {
        if !whole.symbols.contains(symbol) {
            whole.symbols.push(symbol.clone());
        }
    }
    let mut rules = Rules::default();
    let mut body = String::new();
    for (at, Layer { style, .. }) in last.layers.iter().enumerate() {
        let _ = writeln!(body, "<g {style}>");
        for (shape, stretches) in stretches(frames, at) {
            for stretch in stretches {
                let line = shape.to_string();
                match rules.class(stretch, frames.len()) {
                    None => body.push_str(&line),
                    Some(class) => {
                        let hidden = if stretch.1 == frames.len() { "" } else { " visibility=\"hidden\"" };
                        let end = line.find([' ', '/', '>']).unwrap_or(0);
                        let (name, rest) = line.split_at(end);
                        let _ = write!(body, "{name} class=\"{class}\"{hidden}{rest}");
                    }
                }
                body.push('\n');
            }
        }
        body.push_str("</g>\n");
    }
    let mut out = whole.opening(title);
    out.push_str(&rules.style(&timing));
    out.push_str(&body);
    if frames.len() > 1 {
        out.push_str(&progress(last));
    }
    out.push_str("</svg>\n");
    out
}

/// Returns the shapes of one layer in all frames, in the order in which they first come, with their stretches.
fn stretches(frames: &[Drawing], layer: usize) -> Vec<(&Shape, Vec<Stretch>)> {
    let mut found: Vec<(&Shape, Vec<Stretch>)> = Vec::new();
    let mut places: HashMap<&Shape, usize> = HashMap::new();
    for (frame, drawing) in frames.iter().enumerate() {
        for shape in drawing.layers.get(layer).map_or(&[][..], |layer| &layer.shapes) {
            let place = *places.entry(shape).or_insert_with(|| {
                found.push((shape, Vec::new()));
                found.len() - 1
            });
            let stretches = &mut found[place].1;
            match stretches.last_mut() {
                Some((_, end)) if *end == frame => *end = frame + 1,
                // Twice the same shape in one frame is once the same shape.
                Some((_, end)) if *end > frame => {}
                _ => stretches.push((frame, frame + 1)),
            }
        }
    }
    found
}

/// Returns the line that grows while the game goes on.
fn progress(drawing: &Drawing) -> String {
    let (width, y) = (drawing.width.saturating_sub(32), drawing.height.saturating_sub(5));
    let line = format!("d=\"M16 {y}h{width}\" stroke=\"{}\" stroke-width=\"4\"", palette::ACTIVE);
    format!("<path class=\"p\" {line} pathLength=\"1\" stroke-dasharray=\"1\"/>\n")
}

/// The style sheet: for each length of time that something is there for a rule, and for each frame at
/// which something comes a delay.
#[derive(Default)]
struct Rules {
    lengths: BTreeSet<Length>,
    starts: BTreeSet<usize>,
}

/// The number of frames that a shape is there for; true if the last one is among them, which is shown for longer.
type Length = (usize, bool);

impl Rules {
    /// Returns the classes of a shape that is there for a stretch of frames; `None` if that is always.
    fn class(&mut self, (start, end): Stretch, frames: usize) -> Option<String> {
        if (start, end) == (0, frames) {
            return None;
        }
        let (length, last) = (end - start, end == frames);
        self.lengths.insert((length, last));
        self.starts.insert(start);
        Some(format!("a{start} {}{length}", kind(last)))
    }

    fn style(&self, timing: &Timing) -> String {
        let period = timing.period();
        let mut out = String::from("<style>\n@media (prefers-reduced-motion:no-preference){\n");
        let _ = writeln!(out, "[class]{{animation:{period:.3}s step-end infinite}}");
        for start in &self.starts {
            // A delay that has passed already: nothing is ever seen before its time.
            let _ = writeln!(out, ".a{start}{{animation-delay:{:.3}s}}", timing.start(*start) - period);
        }
        for &(length, last) in &self.lengths {
            let name = format!("{}{length}", kind(last));
            let (start, end) = if last { (timing.frames - length, timing.frames) } else { (0, length) };
            let share = (timing.start(end) - timing.start(start)) / period * 100.0;
            let _ = writeln!(
                out,
                ".{name}{{animation-name:{name}}}@keyframes {name}{{0%{{visibility:visible}}{share:.4}%,to{{visibility:hidden}}}}"
            );
        }
        let share = timing.start(timing.frames - 1) / period * 100.0;
        let _ = writeln!(
            out,
            ".p{{animation:p {period:.3}s linear infinite}}@keyframes p{{0%{{stroke-dashoffset:1}}{share:.4}%,to{{stroke-dashoffset:0}}}}"
        );
        out.push_str("}\n</style>\n");
        out
    }
}

fn kind(last: bool) -> char {
    if last { 'e' } else { 'l' }
}

impl Timing {
    fn new(frames: usize) -> Timing {
        let plies = frames.saturating_sub(1).max(1);
        Timing { frames, frame: PLY.min(ALL / plies as f64) }
    }

    /// Returns the beginning of a frame, in seconds; one beyond the last is the time at which all begins anew.
    fn start(&self, frame: usize) -> f64 {
        let hold = if frame >= self.frames { HOLD } else { 0.0 };
        frame as f64 * self.frame + hold
    }

    fn period(&self) -> f64 {
        self.start(self.frames)
    }
}
