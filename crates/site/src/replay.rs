//! Animated boards of a whole game, one turn at a time, with the better moves that the analysis found, and each position in words.

use std::fmt::Write;

use answers::board_picture::{self, BoardPicture};
use game::replay::render_replay;
use game::{Board, Caption, Drawing, Replay, Seat, Shape, SharedLayers, SideStatus, SymbolId, palette};
use table::Table;

use crate::{Evaluation, Steps};

/// The maximum size of an animated board, in bytes.
const MAX_BYTES: usize = 600_000;

/// Returns the animated board of a game, the one from the other side if it looks different from there, and the file of
/// `step_facts`, for which the same boards are drawn.
///
/// In the replay, each step counts as a ply: a ply of the game, or an automatic turn. A hidden group with the class
/// `b12` has the better move at step 12.
pub fn animated_boards(table: &Table, evaluation: Option<&Evaluation>) -> (Replay, Option<Replay>, String) {
    let pictures = pictures(table, board_picture::current(table).board.viewer());
    let viewer = pictures.last().and_then(|picture| picture.board.viewer());
    let facts = step_facts(&pictures);
    let replay = animated_board(table, evaluation, viewer, pictures);
    let flipped = viewer.map(|viewer| {
        let viewer = Some(viewer.other());
        animated_board(table, evaluation, viewer, self::pictures(table, viewer))
    });
    let flipped = flipped.filter(|flipped| flipped.first_ply == replay.first_ply);
    (replay, flipped, facts)
}

/// Returns the file that says what each step shows: the position in words, which screen readers read, and the facts beside the
/// players' names. Each line belongs to a step, start first, and has parts between tabs.
///
/// The parts of a step are the seat to move (0 or 1, empty after the game), the notes of both sides, the pieces that both
/// sides captured, and the position in words. A line has all of them after `=`, or only those that changed, each with its
/// index: `1=13 discs`.
fn step_facts(pictures: &[BoardPicture]) -> String {
    let mut last: Vec<String> = Vec::new();
    let mut text = String::new();
    for picture in pictures {
        let parts = facts_of_step(picture);
        if parts.len() == last.len() {
            let mut tab = "";
            for (index, (part, _)) in parts.iter().zip(&last).enumerate().filter(|(_, (part, last))| part != last) {
                let _ = write!(text, "{tab}{index}={part}");
                tab = "\t";
            }
        } else {
            let _ = write!(text, "={}", parts.join("\t"));
        }
        text.push('\n');
        last = parts;
    }
    text
}

/// Returns the parts of a step's line.
fn facts_of_step(picture: &BoardPicture) -> Vec<String> {
    let turn = Seat::BOTH.iter().find(|seat| picture.caption.sides[seat.index()].status == SideStatus::ToMove);
    let sides = Seat::BOTH.map(|seat| picture.board.side_facts(seat));
    let mut parts = vec![turn.map_or(String::new(), |seat| seat.index().to_string())];
    parts.extend(sides.iter().map(|side| side.note.clone()));
    parts.extend(sides.iter().map(|side| side.captured.join(" ")));
    let words = picture.board.description().replace(['\t', '\n'], " ");
    parts.extend(words.split_inclusive("; ").flat_map(|part| part.split_inclusive(". ")).map(str::to_owned));
    parts
}

/// Returns the pictures of all steps, seen from one side.
fn pictures(table: &Table, viewer: Option<Seat>) -> Vec<BoardPicture> {
    let mut pictures = board_picture::steps(table);
    if let Some(viewer) = viewer {
        pictures.iter_mut().for_each(|picture| picture.board.set_viewer(viewer));
    }
    pictures
}

fn animated_board(
    table: &Table,
    evaluation: Option<&Evaluation>,
    viewer: Option<Seat>,
    pictures: Vec<BoardPicture>,
) -> Replay {
    let title = pictures.last().map_or_else(String::new, |picture| picture.title.clone());
    let caption = pictures.last().map(|picture| picture.caption.clone());
    let frames: Vec<(Box<dyn Board>, Caption)> =
        pictures.into_iter().map(|picture| (picture.board, picture.caption)).collect();
    let mut replay = render_replay(&title, frames, MAX_BYTES);
    if let Some((evaluation, caption)) = evaluation.zip(caption) {
        let better = better_moves(table, evaluation, viewer, &caption, replay.first_ply);
        let body = replay.svg.trim_end().trim_end_matches("</svg>");
        replay.svg = format!("{body}{better}</svg>\n");
    }
    replay
}

/// Returns the better moves as hidden groups.
fn better_moves(
    table: &Table,
    evaluation: &Evaluation,
    viewer: Option<Seat>,
    caption: &Caption,
    first_step: usize,
) -> String {
    let mut out = String::new();
    let steps = Steps::of_game(table);
    for ((ply, evaluated), step) in table.plies().zip(&evaluation.plies).zip(steps.before_plies()) {
        let better = evaluated.better.as_ref().and_then(|better| ply.before.parse_move(better).ok());
        let Some((better, frame)) = better.zip(step.checked_sub(first_step)) else { continue };
        let mut board = ply.before.play(&better).board(Some(&better));
        if let Some(viewer) = viewer {
            board.set_viewer(viewer);
        }
        let ends = Ends::from_drawing(&board.drawing(caption, &SharedLayers::default()));
        let path = ends.path();
        if !path.is_empty() {
            let width = ends.radius / 5 + 2;
            let line =
                |color: &str, width: u32| format!("<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{width}\"/>");
            let _ = writeln!(
                out,
                "<g class=\"b{frame}\" visibility=\"hidden\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">{}{}</g>",
                line(palette::HALO, width + 4),
                line(palette::ACTIVE, width)
            );
        }
    }
    out
}

/// The marked ends of a move, as centers in SVG units.
#[derive(Debug, Default)]
struct Ends {
    sources: Vec<(u32, u32)>,
    targets: Vec<(u32, u32)>,
    /// The size of a mark: half of its width.
    radius: u32,
}

impl Ends {
    /// Finds the marks of the last move.
    fn from_drawing(drawing: &Drawing) -> Ends {
        let mut ends = Ends { radius: drawing.width / 40, ..Ends::default() };
        for shape in drawing.layers.iter().flat_map(|layer| &layer.shapes) {
            match shape {
                Shape::Mark { symbol: SymbolId::Name("last"), at } => ends.targets.push(*at),
                Shape::Mark { symbol: SymbolId::Name("from"), at } => ends.sources.push(*at),
                _ => {}
            }
        }
        if let Some(symbol) = drawing.symbols.iter().find(|symbol| symbol.contains(" id=\"last\"")) {
            ends.radius = symbol_radius(symbol).unwrap_or(ends.radius);
        }
        ends
    }

    /// Returns an arrow if a single piece moves; otherwise rings around both ends.
    fn path(&self) -> String {
        match (&self.sources[..], &self.targets[..]) {
            ([source], [target]) => arrow(*source, *target, f64::from(self.radius)),
            (sources, targets) => sources.iter().chain(targets).map(|center| ring(*center, self.radius)).collect(),
        }
    }
}

/// Returns the largest coordinate or radius of a symbol.
fn symbol_radius(symbol: &str) -> Option<u32> {
    let values =
        [" d=\"", " r=\"", " points=\""].iter().filter_map(|name| symbol.split(name).nth(1)?.split('"').next());
    let numbers = values.flat_map(|value| value.split(|c: char| !c.is_ascii_digit() && c != '.'));
    numbers.filter_map(|number| number.parse::<f64>().ok()).map(|number| number as u32).max()
}

fn ring((x, y): (u32, u32), radius: u32) -> String {
    format!(
        "M{} {y}a{radius} {radius} 0 1 0 {} 0a{radius} {radius} 0 1 0-{} 0",
        x - radius.min(x),
        2 * radius,
        2 * radius
    )
}

/// Returns an arrow that ends in the middle of its target.
fn arrow(source: (u32, u32), target: (u32, u32), size: f64) -> String {
    let [x, y, to_x, to_y] = [source.0, source.1, target.0, target.1].map(f64::from);
    let length = (to_x - x).hypot(to_y - y).max(1.0);
    let (along_x, along_y) = ((to_x - x) / length, (to_y - y) / length);
    let head = |side: f64| {
        let (back, out) = (size * 0.6, size * 0.45 * side);
        (to_x - along_x * back - along_y * out, to_y - along_y * back + along_x * out)
    };
    let ((left_x, left_y), (right_x, right_y)) = (head(1.0), head(-1.0));
    format!("M{x:.0} {y:.0}L{to_x:.0} {to_y:.0}M{left_x:.0} {left_y:.0}L{to_x:.0} {to_y:.0}L{right_x:.0} {right_y:.0}")
}
