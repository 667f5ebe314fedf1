//! Boards as SVG drawings.
//!
//! A drawing has one shape per line in a stable order, so a move changes few lines of the file. It has its own
//! background, supports dark mode, and needs no script, font or other file. Shapes and words carry the meaning, never
//! color alone.
//!
//! Font sizes depend on the width: [`heading_size`] for players, [`small_size`] for everything else. Both are readable
//! on a phone that shows the drawing 320 pixels wide.

pub mod caption;
pub mod layout;
pub mod palette;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

use crate::palette::OPEN_CELL;
use crate::{Form, PaletteColor, PieceKind, PieceStyle, Seat};

/// The largest number of marks drawn separately. If there are more, all marks of a kind become one path with markers.
const MAX_SINGLE_MARKS: usize = 81;

/// The margin around a board without coordinates and caption, in SVG units.
const BOARD_MARGIN: u32 = 4;

/// Returns the value of an attribute in SVG.
fn attribute<'a>(svg: &'a str, name: &str) -> Option<&'a str> {
    svg.split_once(&format!("{name}=\""))?.1.split('"').next()
}

/// A drawing: symbols, and layers of shapes that use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The width, in SVG units.
    pub width: u32,
    /// The height, in SVG units.
    pub height: u32,
    /// The area of the board itself, without coordinates and caption: x, y, width, and height.
    pub board: [u32; 4],
    /// The symbols that shapes refer to, one per line.
    pub symbols: Vec<Rc<str>>,
    /// The layers in painting order. Drawings of one game have the same layers.
    pub layers: Vec<Rc<Layer>>,
}

/// Shapes with a common style that don't overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The SVG attributes of the group.
    pub style: String,
    /// The shapes.
    pub shapes: Vec<Shape>,
}

/// A line of SVG.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// An SVG element.
    Element(String),
    /// A symbol at a position.
    Mark {
        /// The id of the symbol.
        symbol: SymbolId,
        /// The center of the symbol: x and y in SVG units, from the top left.
        at: (u32, u32),
    },
}

/// The id of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolId {
    /// The name of a symbol that isn't a piece.
    Name(&'static str),
    /// The letter of a piece.
    Letter(char),
}

impl Drawing {
    /// Returns an empty drawing. `board` is the area of the board: x, y, width, and height.
    pub fn new(width: u32, height: u32, board: [u32; 4]) -> Drawing {
        Drawing { width, height, board, symbols: Vec::new(), layers: Vec::new() }
    }

    /// Returns the SVG file.
    pub fn to_svg(&self, title: &str) -> String {
        self.to_svg_with(title, "", &self.body())
    }

    /// Returns an SVG file of the board alone, without coordinates and caption.
    pub fn to_board_svg(&self, title: &str) -> String {
        let [x, y, width, height] = self.board;
        let view = [
            x.saturating_sub(BOARD_MARGIN),
            y.saturating_sub(BOARD_MARGIN),
            width + 2 * BOARD_MARGIN,
            height + 2 * BOARD_MARGIN,
        ];
        // At the size of a thumbnail, white pieces on light squares need a thick outline.
        let rules = format!("@media(max-width:100px){{[fill=\"{}\"]{{stroke-width:5}}}}\n", palette::IVORY);
        self.write_svg(view, title, &rules, &self.body())
    }

    /// Returns the part with the board and its coordinates: x, y, width and height. Coordinates are the only centered text
    /// outside the board.
    pub fn board_view(&self) -> [u32; 4] {
        let [x, y, width, height] = self.board;
        let [mut left, mut top, mut right, mut bottom] = [x, y, x + width, y + height];
        for layer in self.layers.iter().filter(|layer| layer.style.contains("text-anchor=\"middle\"")) {
            let size: u32 = attribute(&layer.style, "font-size").and_then(|size| size.parse().ok()).unwrap_or_default();
            for shape in &layer.shapes {
                let Shape::Element(text) = shape else { continue };
                let numbers =
                    |name| attribute(text, name).unwrap_or_default().split(' ').filter_map(|at| at.parse().ok());
                for at in numbers("x") {
                    (left, right) = (left.min(at - (size * 2 / 3).min(at)), right.max(at + size * 2 / 3));
                }
                for at in numbers("y") {
                    (top, bottom) = (top.min(at - size.min(at)), bottom.max(at + size / 5));
                }
            }
        }
        // The marks around cells stick out. Below the letters, there's no room for a margin.
        let (left, top) = (left.min(x - BOARD_MARGIN), top.min(y - BOARD_MARGIN));
        let (right, bottom) = (right.max(x + width + BOARD_MARGIN), bottom.max(y + height + BOARD_MARGIN));
        [left, top, right - left, bottom - top]
    }

    /// Returns the SVG of the layers.
    fn body(&self) -> String {
        let mut out = String::new();
        for layer in &self.layers {
            let Layer { style, shapes } = &**layer;
            if shapes.is_empty() {
                continue;
            }
            let _ = writeln!(out, "<g {style}>");
            let is_combined =
                shapes.iter().filter(|shape| matches!(shape, Shape::Mark { .. })).count() > MAX_SINGLE_MARKS;
            if is_combined {
                write_combined_marks(shapes, &mut out);
            }
            for shape in shapes.iter().filter(|shape| !is_combined || matches!(shape, Shape::Element(_))) {
                let _ = writeln!(out, "{shape}");
            }
            out.push_str("</g>\n");
        }
        out
    }

    /// Returns an SVG file with this body, the drawing's symbols, and a style sheet of `rules` and the dark-mode
    /// colors.
    pub fn to_svg_with(&self, title: &str, rules: &str, body: &str) -> String {
        self.write_svg([0, 0, self.width, self.height], title, rules, body)
    }

    /// Returns an SVG file that shows a part of the drawing: x, y, width and height.
    fn write_svg(&self, view: [u32; 4], title: &str, rules: &str, body: &str) -> String {
        let [x, y, width, height] = view;
        let symbols = match &self.symbols[..] {
            [] => String::new(),
            lines => format!("<defs>\n{}\n</defs>\n", lines.join("\n")),
        };
        let dark_mode_css = palette::dark_mode_css(&format!("{symbols}{body}"));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"{x} {y} {width} {height}\" \
             role=\"img\" font-family=\"system-ui,sans-serif\">\n<title>{}</title>\n\
             <style>\n{rules}{dark_mode_css}</style>\n{symbols}{body}</svg>\n",
            escape_xml(title)
        )
    }

    /// Adds a symbol, unless the drawing has it already.
    pub fn add_symbol(&mut self, line: Rc<str>) {
        if !self.symbols.contains(&line) {
            self.symbols.push(line);
        }
    }

    /// Adds a layer on top.
    pub fn add_layer(&mut self, style: impl Into<String>, shapes: Vec<Shape>) {
        self.layers.push(Rc::new(Layer { style: style.into(), shapes }));
    }
}

impl Shape {
    /// Returns a symbol centered at a position.
    pub fn mark(symbol: impl Into<SymbolId>, at: (u32, u32)) -> Shape {
        Shape::Mark { symbol: symbol.into(), at }
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Shape::Element(line) => f.write_str(line),
            Shape::Mark { symbol, at: (x, y) } => write!(f, "<use href=\"#{symbol}\" x=\"{x}\" y=\"{y}\"/>"),
        }
    }
}

impl std::fmt::Display for SymbolId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SymbolId::Name(name) => f.write_str(name),
            SymbolId::Letter(letter) => write!(f, "{letter}"),
        }
    }
}

impl From<&'static str> for SymbolId {
    fn from(name: &'static str) -> SymbolId {
        SymbolId::Name(name)
    }
}

impl From<char> for SymbolId {
    fn from(letter: char) -> SymbolId {
        SymbolId::Letter(letter)
    }
}

impl From<String> for Shape {
    fn from(line: String) -> Shape {
        Shape::Element(line)
    }
}

/// Writes all marks of a kind as markers on one invisible path, because there may be hundreds.
fn write_combined_marks(shapes: &[Shape], out: &mut String) {
    let mut kinds: Vec<(SymbolId, String, (u32, u32))> = Vec::new();
    for shape in shapes {
        let Shape::Mark { symbol, at: (x, y) } = shape else { continue };
        match kinds.iter_mut().find(|(kind, ..)| kind == symbol) {
            Some((_, path, at)) => {
                let (right, down) = (i64::from(*x) - i64::from(at.0), i64::from(*y) - i64::from(at.1));
                let _ = if down == 0 { write!(path, "h{right}") } else { write!(path, "l{right} {down}") };
                *at = (*x, *y);
            }
            None => kinds.push((*symbol, format!("M{x} {y}"), (*x, *y))),
        }
    }
    for (symbol, path, _) in kinds {
        let marker = format!("<marker id=\"{symbol}s\" overflow=\"visible\" markerUnits=\"userSpaceOnUse\">");
        let _ = writeln!(out, "{marker}<use href=\"#{symbol}\"/></marker>");
        let _ = writeln!(out, "<path d=\"{path}\" style=\"marker:url(#{symbol}s)\"/>");
    }
}

/// Returns the font size of player names in a drawing of this width.
pub const fn heading_size(width: u32) -> u32 {
    (width + 12) / 25
}

/// Returns the font size of all other text in a drawing of this width.
pub const fn small_size(width: u32) -> u32 {
    width.div_ceil(30)
}

/// Escapes text for SVG and HTML content and attributes.
pub fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML can't represent these.
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Returns a text element with each letter at its own x position.
pub fn spaced_letters<X: ToString>(
    letters: impl Iterator<Item = (X, char)>,
    baseline: impl std::fmt::Display,
) -> Shape {
    let (xs, letters): (Vec<String>, String) = letters.map(|(x, letter)| (x.to_string(), letter)).unzip();
    format!("<text x=\"{}\" y=\"{baseline}\">{letters}</text>", xs.join(" ")).into()
}

/// Returns the background of a drawing.
pub fn paper(width: u32, height: u32) -> Shape {
    let (inner_width, inner_height) = (width.saturating_sub(2), height.saturating_sub(2));
    format!(
        "<rect x=\"1\" y=\"1\" width=\"{inner_width}\" height=\"{inner_height}\" rx=\"14\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>",
        palette::PAPER,
        palette::EDGE
    )
    .into()
}

/// Returns the symbol that marks the last move: the four corners of a square.
///
/// `half` is half the side of the square, and `width` is the stroke width. `rim` adds a bright outline for dark
/// backgrounds.
pub fn corners_symbol(id: &str, half: u32, width: u32, rim: bool) -> String {
    let (leg, far) = (half * 2 / 5, half);
    let near = far - leg;
    let path = format!(
        "M-{far}-{near}v-{leg}h{leg}M{near}-{far}h{leg}v{leg}M{far} {near}v{leg}h-{leg}M-{near} {far}h-{leg}v-{leg}"
    );
    let path = format!("d=\"{path}\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    let stroke = |id: &str, color, width| format!("<path{id} {path} stroke=\"{color}\" stroke-width=\"{width}\"/>");
    if rim {
        let (below, above) = (stroke("", palette::HALO, width * 2), stroke("", palette::INK, width));
        format!("<g id=\"{id}\">{below}{above}</g>")
    } else {
        stroke(&format!(" id=\"{id}\""), palette::INK, width)
    }
}

/// Returns the symbol that marks the last move in a cell of this size.
pub fn last_cell_symbol(cell: usize, stroke_width: u32, rim: bool) -> String {
    // Small cells have little room between the piece and the edge.
    let half = if cell < SMALL_CELL { cell * 23 / 50 } else { cell * 2 / 5 };
    corners_symbol("last", half as u32, stroke_width, rim)
}

/// Returns the symbol for the cell that a piece left: a dashed circle with a bright outline.
pub fn source_symbol() -> String {
    let circle = |stroke: &str, width: u32| format!("<circle r=\"12\" stroke-width=\"{width}\" stroke=\"{stroke}\"/>");
    let dashed = format!("{}\" stroke-dasharray=\"5 4.42", palette::INK);
    format!("<g id=\"from\" fill=\"none\">{}{}</g>", circle(palette::HALO, 5), circle(&dashed, 3))
}

/// Returns the symbol that highlights a king in check: a star.
pub fn check_symbol() -> String {
    let corner = |index: u32| {
        let radius = if index.is_multiple_of(2) { 25.0 } else { 17.0 };
        let angle = f64::from(index) * std::f64::consts::PI / 12.0;
        format!("{:.1} {:.1}", radius * angle.sin(), -radius * angle.cos())
    };
    let path = (0..24).map(corner).collect::<Vec<_>>().join("L");
    format!("<path id=\"check\" d=\"M{path}z\" fill=\"{}\"/>", palette::RED)
}

/// Returns the symbol of a ring that marks a piece.
pub fn ring_symbol(id: &str, radius: usize) -> String {
    let width = (radius / 8).max(2);
    format!("<circle id=\"{id}\" r=\"{radius}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>", palette::INK)
}

// Layers and symbols that all drawings of a game share.

/// A cache of layers and symbols by name. Use one for each game and viewer, so that equal names mean equal content.
#[derive(Debug, Default)]
pub struct SharedLayers {
    layers: RefCell<HashMap<&'static str, Rc<Layer>>>,
    symbols: RefCell<HashMap<String, Rc<str>>>,
}

impl SharedLayers {
    /// Adds a layer on top of a drawing. Calls `make` for its style and shapes only the first time.
    pub fn add_layer(&self, drawing: &mut Drawing, name: &'static str, make: &dyn Fn() -> (String, Vec<Shape>)) {
        let mut layers = self.layers.borrow_mut();
        let layer = layers.entry(name).or_insert_with(|| {
            let (style, shapes) = make();
            Rc::new(Layer { style, shapes })
        });
        drawing.layers.push(Rc::clone(layer));
    }

    /// Adds a symbol to a drawing, unless it has the symbol already. Calls `make` only the first time.
    pub fn add_symbol(&self, drawing: &mut Drawing, id: &str, make: &dyn Fn() -> String) {
        let mut symbols = self.symbols.borrow_mut();
        if !symbols.contains_key(id) {
            symbols.insert(id.to_owned(), make().into());
        }
        if let Some(line) = symbols.get(id) {
            drawing.add_symbol(Rc::clone(line));
        }
    }
}

// Drawings of pieces.

/// The cell size below which pieces fill more of the cell.
pub const SMALL_CELL: usize = 40;

/// Returns the symbol of a seat's piece for cells of this size.
pub fn piece_symbol(id: &str, form: Form, seat: Seat, color: PaletteColor, cell: usize) -> String {
    let share = match form {
        Form::Cross if cell < SMALL_CELL => 27,
        Form::Cross => 23,
        Form::Ring if cell < SMALL_CELL => 29,
        Form::Ring => 25,
        Form::Disc => 35,
        Form::Path(_) | Form::Man | Form::King => 33,
        // Drawn for one size.
        Form::Figure { .. } => 0,
    };
    let stroke_width = match form {
        Form::Cross | Form::Ring => (cell / 9).max(3),
        _ => (cell / 24).max(2),
    };
    PieceShape { form, seat, color, radius: cell * share / 100, stroke_width }.draw(&format!(" id=\"{id}\""), (0, 0))
}

/// Returns a seat's ordinary piece, to be shown next to the player's name.
pub fn piece_icon(style: &PieceStyle, seat: Seat, (x, y): (u32, u32), radius: u32) -> Shape {
    let radius = radius as usize;
    let form = match style.kind.form {
        Form::Figure { .. } => return half_size_symbol(style.kind, (x, y)),
        // Its rings would be too thin.
        Form::Man => Form::Disc,
        form => form,
    };
    let mark = PieceShape { form, seat, color: style.color, radius, stroke_width: (radius * 2 / 5).max(2) };
    mark.draw("", (x as usize, y as usize)).into()
}

/// Returns a piece at half its size. The drawing needs its symbol.
pub fn half_size_symbol(kind: PieceKind, (x, y): (u32, u32)) -> Shape {
    format!("<use href=\"#{}\" transform=\"translate({x} {y})scale(.5)\"/>", kind.letter).into()
}

/// A piece at a certain size.
struct PieceShape {
    form: Form,
    seat: Seat,
    color: PaletteColor,
    /// The distance from the center to the edge.
    radius: usize,
    /// The stroke width.
    stroke_width: usize,
}

impl PieceShape {
    /// Returns the SVG element. With an id it is a symbol centered at the origin, and `(x, y)` is ignored.
    fn draw(&self, id: &str, (x, y): (usize, usize)) -> String {
        let &PieceShape { form, seat, color, radius, stroke_width } = self;
        let is_symbol = !id.is_empty();
        let is_dark = color.fill == palette::EBONY;
        let line_color = if is_dark { palette::IVORY } else { palette::EBONY };
        let stroke = format!("stroke=\"{}\" stroke-width=\"{stroke_width}\"", color.stroke);
        let center = if is_symbol { String::new() } else { format!(" cx=\"{x}\" cy=\"{y}\"") };
        match form {
            Form::Cross => {
                let diameter = radius * 2;
                let corner =
                    if is_symbol { format!("-{radius}-{radius}") } else { format!("{} {}", x - radius, y - radius) };
                format!(
                    "<path{id} d=\"M{corner}l{diameter} {diameter}m0-{diameter}l-{diameter} {diameter}\" {stroke}/>"
                )
            }
            Form::Ring => format!("<circle{id}{center} r=\"{radius}\" {stroke}/>"),
            Form::Disc => {
                let disc = |radius, fill| format!("<circle{center} r=\"{radius}\" fill=\"{fill}\" {stroke}/>");
                let bright_center = if seat == Seat::First { String::new() } else { disc(radius / 3, OPEN_CELL) };
                format!("<g{id}>{}{bright_center}</g>", disc(radius, color.fill))
            }
            Form::Path(path) => {
                let fill = if seat == Seat::First { color.fill } else { OPEN_CELL };
                let shape =
                    format!("<path d=\"{path}\" fill=\"{fill}\" vector-effect=\"non-scaling-stroke\" {stroke}/>");
                let scale = radius as f64 / 50.0;
                format!("<g{id}><g transform=\"translate({x} {y})scale({scale:.2})\">{shape}</g></g>")
            }
            Form::Man | Form::King => {
                let circle = |radius: usize, fill: &str, stroke: &str| {
                    format!("<circle r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\"/>")
                };
                let ring = |radius| circle(radius, "none", palette::GRID_LINE);
                let inner = match (form, seat) {
                    (Form::Man, Seat::First) => ring(radius * 2 / 3),
                    (Form::Man, Seat::Second) => ring(radius * 2 / 3) + &ring(radius / 3),
                    _ => {
                        // Drawn for a radius of 18.
                        let gem = if seat == Seat::First { "" } else { "M-9 12h18" };
                        let crown = format!("M-9 8l-2.5-12 5.5 5 6-9 6 9 5.5-5-2.5 12z{gem}");
                        format!("<path d=\"{crown}\" fill=\"{line_color}\" stroke=\"{line_color}\"/>")
                    }
                };
                let disc = circle(radius, color.fill, color.stroke);
                format!("<g{id} stroke-width=\"{stroke_width}\" stroke-linejoin=\"round\">{disc}{inner}</g>")
            }
            Form::Figure { outline, lines, .. } => {
                let rim = if is_dark { " stroke-width=\"2.5\" paint-order=\"stroke\"" } else { "" };
                let colors = format!("fill=\"{}\" stroke=\"{}\"{rim}", color.fill, color.stroke);
                let shape = format!("<path d=\"{outline}\" {colors}/><path d=\"{lines}\" stroke=\"{line_color}\"/>");
                format!("<g{id} stroke-width=\"1.5\" stroke-linejoin=\"round\">{shape}</g>")
            }
        }
    }
}
