//! A game as one picture that moves, without a script: each shape is there for some of the time.
//!
//! It begins with how the game ended, plays it once, and stays on the end. A shape is drawn once for each stretch of frames
//! in which it is there, and what comes again and again is a symbol. The shapes of the last frame are visible unless an animation
//! hides them, those before it are invisible unless one shows them; so without animations the picture is the last frame.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::rc::Rc;

use crate::board::Board;
use crate::board::drawing::caption::Caption;
use crate::board::drawing::shared_layers::SharedLayers;
use crate::board::drawing::{Drawing, Shape, palette};

/// The most bytes that a replay may have.
pub const MAX_REPLAY_BYTES: usize = 200_000;
/// The time that the end is shown before the game begins, in milliseconds.
pub const INTRO_MS: usize = 2_000;
/// The time that a ply is shown, in milliseconds, unless there are many.
const MAX_PLY_MS: usize = 1_000;
/// The time from the start of the game to its end at most, in milliseconds.
pub const MAX_GAME_MS: usize = 20_000;

/// The number of stretches from which on a long shape becomes a symbol.
const MIN_SYMBOL_USES: usize = 3;
/// The bytes up to which a shape is not long.
const MAX_INLINE_BYTES: usize = 60;

/// A stretch of frames: the first one, and the first one after it.
type FrameRange = (usize, usize);

/// A game as one picture that moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The SVG file.
    pub svg: String,
    /// The ply that it begins with: 0, unless there was no room for all.
    pub first_ply: usize,
}

/// Returns the boards of a game with their strips, oldest first, as one SVG file. All are seen from the side of the last one.
pub fn render_replay(title: &str, mut boards: Vec<(Box<dyn Board>, Caption)>, limit: usize) -> Replay {
    if let Some(viewer) = boards.last().and_then(|(board, _)| board.viewer()) {
        boards.iter_mut().for_each(|(board, _)| board.set_viewer(viewer));
    }
    let (mut shown, still) = (boards.len(), SharedLayers::default());
    loop {
        let first = boards.len() - shown;
        let frames = boards[first..].iter().map(|(board, strip)| match first {
            0 => board.drawing(strip, &still),
            _ => board.drawing(&Caption { setup: format!("from move {first} on"), ..strip.clone() }, &still),
        });
        let svg = animate(&frames.collect::<Vec<_>>(), title);
        if svg.len() <= limit || shown <= 1 {
            return Replay { svg, first_ply: first };
        }
        // The bytes grow with the plies, so this is near what fits, and below it before long.
        shown = (shown * limit / svg.len() * 98 / 100).clamp(1, shown - 1);
    }
}

/// Returns the frames as one SVG file.
fn animate(frames: &[Drawing], title: &str) -> String {
    let Some(last) = frames.last() else { return String::new() };
    let ply = (MAX_GAME_MS / (frames.len() - 1).max(1)).clamp(1, MAX_PLY_MS);
    let mut whole = Drawing { symbols: Vec::new(), ..last.clone() };
    for symbol in frames.iter().flat_map(|frame| &frame.symbols) {
        whole.add_symbol(Rc::clone(symbol));
    }
    let mut rules = StyleSheet::default();
    let mut body = String::new();
    for (at, layer) in last.layers.iter().enumerate() {
        let _ = writeln!(body, "<g {}>", layer.style);
        // Those of the past are hidden together: none of a layer covers another one, so their order says nothing.
        let mut past = String::new();
        for (shape, stretches) in shape_ranges(frames, at) {
            let mut line = shape.to_string();
            if stretches.len() >= MIN_SYMBOL_USES && line.len() > MAX_INLINE_BYTES {
                line = extract_symbol(&mut whole.symbols, &line);
            }
            let end = line.find([' ', '/', '>']).unwrap_or(0);
            let (name, rest) = line.split_at(end);
            for stretch in stretches {
                let seen = if stretch.1 == frames.len() { &mut body } else { &mut past };
                match rules.class_for(stretch, frames.len()) {
                    None => seen.push_str(&line),
                    Some(class) => {
                        let _ = write!(seen, "{name} class=\"{class}\"{rest}");
                    }
                }
                seen.push('\n');
            }
        }
        if !past.is_empty() {
            let _ = writeln!(body, "<g visibility=\"hidden\">\n{past}</g>");
        }
        body.push_str("</g>\n");
    }
    if frames.len() > 1 {
        body.push_str(&progress_bar(last));
    }
    whole.to_svg_with(title, &rules.to_css(ply, frames.len()), &body)
}

/// Keeps a shape that is drawn again and again as a symbol, and returns the line that draws it.
fn extract_symbol(symbols: &mut Vec<Rc<str>>, line: &str) -> String {
    let id = symbols.len();
    let end = line.find([' ', '/', '>']).unwrap_or(0);
    let (name, rest) = line.split_at(end);
    symbols.push(format!("{name} id=\"s{id}\"{rest}").into());
    format!("<use href=\"#s{id}\"/>")
}

/// Returns the shapes of one layer in all frames, in the order in which they first come, with their stretches.
fn shape_ranges(frames: &[Drawing], layer: usize) -> Vec<(&Shape, Vec<FrameRange>)> {
    // What is drawn once is there all the time.
    if let Some((first, others)) = frames.split_first()
        && let Some(first) = first.layers.get(layer)
        && others.iter().all(|other| other.layers.get(layer).is_some_and(|other| Rc::ptr_eq(first, other)))
    {
        return first.shapes.iter().map(|shape| (shape, vec![(0, frames.len())])).collect();
    }
    let mut found: Vec<(&Shape, Vec<FrameRange>)> = Vec::new();
    let mut places: HashMap<&Shape, usize> = HashMap::new();
    // The places of the shapes of the frame before: most shapes come again in their order, with one more or one less among them.
    let mut before: Vec<usize> = Vec::new();
    for (frame, drawing) in frames.iter().enumerate() {
        let (mut now, mut next) = (Vec::with_capacity(before.len()), 0);
        for shape in drawing.layers.get(layer).map_or(&[][..], |layer| &layer.shapes) {
            let again = (next..before.len().min(next + 2)).find(|at| found[before[*at]].0 == shape);
            let place = match again {
                Some(at) => {
                    next = at + 1;
                    before[at]
                }
                None => *places.entry(shape).or_insert_with(|| {
                    found.push((shape, Vec::new()));
                    found.len() - 1
                }),
            };
            now.push(place);
            let stretches = &mut found[place].1;
            match stretches.last_mut() {
                Some((_, end)) if *end == frame => *end = frame + 1,
                // Twice the same shape in one frame is once the same shape.
                Some((_, end)) if *end > frame => {}
                _ => stretches.push((frame, frame + 1)),
            }
        }
        before = now;
    }
    found
}

/// Returns the line that grows while the game goes on.
fn progress_bar(drawing: &Drawing) -> String {
    let (width, y) = (drawing.width.saturating_sub(32), drawing.height.saturating_sub(5));
    let line = format!("d=\"M16 {y}h{width}\" stroke=\"{}\" stroke-width=\"4\"", palette::ACTIVE);
    format!("<path class=\"p\" {line} pathLength=\"1\" stroke-dasharray=\"1\"/>\n")
}

/// The style sheet: a rule for each frame at which something comes, and for each number of frames that it stays.
#[derive(Default)]
struct StyleSheet {
    starts: BTreeSet<usize>,
    lengths: BTreeSet<usize>,
    /// The starts of what stays to the end.
    lasting: BTreeSet<usize>,
}

impl StyleSheet {
    /// Returns the classes of a shape that is there for a stretch of frames; `None` if that is always.
    fn class_for(&mut self, (start, end): FrameRange, frames: usize) -> Option<String> {
        if end < frames {
            self.starts.insert(start);
            self.lengths.insert(end - start);
            return Some(format!("a{start} l{}", end - start));
        }
        (start > 0).then(|| {
            self.lasting.insert(start);
            format!("e{start}")
        })
    }

    /// Returns the rules; a ply is shown for so many milliseconds.
    fn to_css(&self, ply: usize, frames: usize) -> String {
        let mut out = String::from(
            "@media (prefers-reduced-motion:no-preference){\n\
             @keyframes show{0%,to{visibility:visible}}@keyframes hide{0%,to{visibility:hidden}}\n\
             [class]{animation-name:show}\n",
        );
        for start in &self.starts {
            let _ = writeln!(out, ".a{start}{{animation-delay:{}ms}}", INTRO_MS + start * ply);
        }
        for length in &self.lengths {
            let _ = writeln!(out, ".l{length}{{animation-duration:{}ms}}", length * ply);
        }
        for start in &self.lasting {
            let _ = writeln!(out, ".e{start}{{animation:hide {}ms {INTRO_MS}ms}}", start * ply);
        }
        let all = (frames - 1) * ply;
        let _ = writeln!(
            out,
            ".p{{animation:grow {all}ms linear {INTRO_MS}ms}}@keyframes grow{{0%{{stroke-dashoffset:1}}}}"
        );
        out + "}\n"
    }
}
