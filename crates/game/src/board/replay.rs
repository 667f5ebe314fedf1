//! Animated SVG replays without scripts.
//!
//! A replay shows the final position, plays the game once, and stops. Each shape is drawn once for each range of frames
//! in which it is visible. Without animations, the picture shows the last frame: CSS hides the shapes of earlier frames
//! unless an animation shows them.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::rc::Rc;

use crate::{Board, Caption, Drawing, Shape, SharedLayers, palette};

/// The maximum size of a replay, in bytes.
pub const MAX_REPLAY_BYTES: usize = 200_000;
/// How long the final position is shown before the game starts, in milliseconds.
pub const INTRO_MS: usize = 2_000;
/// The maximum time for each ply, in milliseconds.
const MAX_PLY_MS: usize = 1_000;
/// The maximum time from the first to the last frame, in milliseconds.
pub const MAX_GAME_MS: usize = 20_000;

/// The number of uses from which a long shape becomes a symbol.
const MIN_SYMBOL_USES: usize = 3;
/// The maximum length of a shape that is always repeated inline, in bytes.
const MAX_INLINE_BYTES: usize = 60;

/// A half-open range of frames: start and end.
type FrameRange = (usize, usize);

/// An animated replay of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The SVG file.
    pub svg: String,
    /// The first ply shown. It is 0 unless the whole game exceeded the size limit.
    pub first_ply: usize,
    /// The part with the board and its coordinates, without the caption: x, y, width and height, in SVG units.
    pub view: [u32; 4],
}

/// Renders the boards of a game, oldest first, as an animated SVG file of at most `max_bytes` bytes. If the whole game
/// needs more, the replay omits the first plies. It always shows the last board, even if that alone exceeds the limit.
/// All boards are seen from the side of the last one.
pub fn render_replay(title: &str, mut boards: Vec<(Box<dyn Board>, Caption)>, max_bytes: usize) -> Replay {
    if let Some(viewer) = boards.last().and_then(|(board, _)| board.viewer()) {
        boards.iter_mut().for_each(|(board, _)| board.set_viewer(viewer));
    }
    let (mut shown, shared) = (boards.len(), SharedLayers::default());
    loop {
        let first = boards.len() - shown;
        let frames = boards[first..].iter().map(|(board, caption)| match first {
            0 => board.drawing(caption, &shared),
            _ => board.drawing(&Caption { setup: format!("from move {first} on"), ..caption.clone() }, &shared),
        });
        let frames: Vec<Drawing> = frames.collect();
        let svg = animate(&frames, title);
        if svg.len() <= max_bytes || shown <= 1 {
            let view = frames.last().map_or([0; 4], Drawing::board_view);
            return Replay { svg, first_ply: first, view };
        }
        // The size grows roughly with the number of frames.
        shown = (shown * max_bytes / svg.len() * 98 / 100).clamp(1, shown - 1);
    }
}

/// Returns the frames as one SVG file.
fn animate(frames: &[Drawing], title: &str) -> String {
    let Some(last) = frames.last() else { return String::new() };
    let ply_ms = (MAX_GAME_MS / (frames.len() - 1).max(1)).clamp(1, MAX_PLY_MS);
    let mut drawing = Drawing { symbols: Vec::new(), ..last.clone() };
    for symbol in frames.iter().flat_map(|frame| &frame.symbols) {
        drawing.add_symbol(Rc::clone(symbol));
    }
    let mut style_sheet = StyleSheet::default();
    let mut body = String::new();
    for (index, layer) in last.layers.iter().enumerate() {
        let _ = writeln!(body, "<g {}>", layer.style);
        // Shapes of a layer don't overlap, so the hidden ones can be grouped out of order.
        let mut past = String::new();
        for (shape, ranges) in shape_ranges(frames, index) {
            let mut line = shape.to_string();
            if ranges.len() >= MIN_SYMBOL_USES && line.len() > MAX_INLINE_BYTES {
                line = extract_symbol(&mut drawing.symbols, &line);
            }
            let end = line.find([' ', '/', '>']).unwrap_or(0);
            let (name, rest) = line.split_at(end);
            for range in ranges {
                let group = if range.1 == frames.len() { &mut body } else { &mut past };
                match style_sheet.class_for(range, frames.len()) {
                    None => group.push_str(&line),
                    Some(class) => {
                        let _ = write!(group, "{name} class=\"{class}\"{rest}");
                    }
                }
                group.push('\n');
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
    drawing.to_svg_with(title, &style_sheet.to_css(ply_ms, frames.len()), &body)
}

/// Turns a shape into a symbol, and returns the line that uses it.
fn extract_symbol(symbols: &mut Vec<Rc<str>>, line: &str) -> String {
    let id = symbols.len();
    let end = line.find([' ', '/', '>']).unwrap_or(0);
    let (name, rest) = line.split_at(end);
    symbols.push(format!("{name} id=\"s{id}\"{rest}").into());
    format!("<use href=\"#s{id}\"/>")
}

/// Returns the shapes of one layer in order of first appearance, with the frames in which they are visible.
fn shape_ranges(frames: &[Drawing], layer: usize) -> Vec<(&Shape, Vec<FrameRange>)> {
    // All frames share this layer.
    if let Some((first, others)) = frames.split_first()
        && let Some(first) = first.layers.get(layer)
        && others.iter().all(|other| other.layers.get(layer).is_some_and(|other| Rc::ptr_eq(first, other)))
    {
        return first.shapes.iter().map(|shape| (shape, vec![(0, frames.len())])).collect();
    }
    let mut shapes: Vec<(&Shape, Vec<FrameRange>)> = Vec::new();
    let mut indexes: HashMap<&Shape, usize> = HashMap::new();
    // Most shapes come in the same order as in the previous frame, so try that before hashing.
    let mut previous: Vec<usize> = Vec::new();
    for (frame, drawing) in frames.iter().enumerate() {
        let (mut current, mut next_in_order) = (Vec::with_capacity(previous.len()), 0);
        for shape in drawing.layers.get(layer).map_or(&[][..], |layer| &layer.shapes) {
            let in_order = (next_in_order..previous.len().min(next_in_order + 2))
                .find(|index| shapes[previous[*index]].0 == shape);
            let index = match in_order {
                Some(index) => {
                    next_in_order = index + 1;
                    previous[index]
                }
                None => *indexes.entry(shape).or_insert_with(|| {
                    shapes.push((shape, Vec::new()));
                    shapes.len() - 1
                }),
            };
            current.push(index);
            let ranges = &mut shapes[index].1;
            match ranges.last_mut() {
                Some((_, end)) if *end == frame => *end = frame + 1,
                // The frame contains the shape twice.
                Some((_, end)) if *end > frame => {}
                _ => ranges.push((frame, frame + 1)),
            }
        }
        previous = current;
    }
    shapes
}

/// Returns the progress bar below the board.
fn progress_bar(drawing: &Drawing) -> String {
    let (width, y) = (drawing.width.saturating_sub(32), drawing.height.saturating_sub(5));
    let line = format!("d=\"M16 {y}h{width}\" stroke=\"{}\" stroke-width=\"4\"", palette::ACTIVE);
    format!("<path class=\"p\" {line} pathLength=\"1\" stroke-dasharray=\"1\"/>\n")
}

/// The style sheet, with a rule for each frame in which a shape appears and for each duration.
#[derive(Default)]
struct StyleSheet {
    starts: BTreeSet<usize>,
    lengths: BTreeSet<usize>,
    /// The first frames of shapes that stay to the end.
    lasting: BTreeSet<usize>,
}

impl StyleSheet {
    /// Returns the CSS classes for a range of frames, or `None` if it covers all of them.
    fn class_for(&mut self, (start, end): FrameRange, frames: usize) -> Option<String> {
        if end < frames {
            self.starts.insert(start);
            self.lengths.insert(end - start);
            return Some(format!("a{start} l{}", end - start));
        }
        if start == 0 {
            return None;
        }
        self.lasting.insert(start);
        Some(format!("e{start}"))
    }

    /// Returns the CSS. Each ply is shown for `ply_ms` milliseconds.
    fn to_css(&self, ply_ms: usize, frames: usize) -> String {
        let mut out = String::from(
            "@media (prefers-reduced-motion:no-preference){\n\
             @keyframes show{0%,to{visibility:visible}}@keyframes hide{0%,to{visibility:hidden}}\n\
             [class]{animation-name:show}\n",
        );
        for start in &self.starts {
            let _ = writeln!(out, ".a{start}{{animation-delay:{}ms}}", INTRO_MS + start * ply_ms);
        }
        for length in &self.lengths {
            let _ = writeln!(out, ".l{length}{{animation-duration:{}ms}}", length * ply_ms);
        }
        for start in &self.lasting {
            let _ = writeln!(out, ".e{start}{{animation:hide {}ms {INTRO_MS}ms}}", start * ply_ms);
        }
        let game_ms = (frames - 1) * ply_ms;
        let _ = writeln!(
            out,
            ".p{{animation:grow {game_ms}ms linear {INTRO_MS}ms}}@keyframes grow{{0%{{stroke-dashoffset:1}}}}"
        );
        out + "}\n"
    }
}
