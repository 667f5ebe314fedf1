//! Boards as drawings: SVG, one shape a line, in an order that does not change, so that a move changes few lines.
//!
//! A drawing brings its own paper, so that it reads on light and dark pages alike, and its colours by day and by night. It
//! needs nothing from elsewhere: no script, no font, no file. Shape and word carry the meaning; colour only helps.
//!
//! All drawings have one scale of type, by their width: [`heading`] for players, [`small`] for everything else. Both can be
//! read when a phone shows the picture 320 pixels wide.

pub mod caption;
pub mod layout;
pub mod palette;
pub mod pieces;
pub mod shared_layers;

use std::fmt::Write;
use std::rc::Rc;

/// The most marks that are drawn one a line; if there are more, all of one kind are drawn together.
const MAX_SINGLE_MARKS: usize = 81;

/// A drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The width.
    pub width: u32,
    /// The height.
    pub height: u32,
    /// The symbols that shapes refer to, one a line.
    pub symbols: Vec<Rc<str>>,
    /// Everything there is to see, in the order in which it is painted. Drawings of one game have the same layers.
    pub layers: Vec<Rc<Layer>>,
}

/// Shapes of one kind, none of which covers another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The SVG attributes that they have in common.
    pub style: String,
    /// The shapes.
    pub shapes: Vec<Shape>,
}

/// A line of SVG.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// An element.
    Element(String),
    /// A symbol with its centre at a place, one of many.
    Mark {
        /// The id of the symbol.
        symbol: SymbolId,
        /// The centre.
        at: (u32, u32),
    },
}

/// The id of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolId {
    /// A name.
    Name(&'static str),
    /// The letter of a piece.
    Letter(char),
}

impl Drawing {
    /// Returns a drawing of this width and height with nothing in it.
    pub fn new(width: u32, height: u32) -> Drawing {
        Drawing { width, height, symbols: Vec::new(), layers: Vec::new() }
    }

    /// Returns an SVG file.
    pub fn to_svg(&self, title: &str) -> String {
        let mut out = String::new();
        for layer in &self.layers {
            let Layer { style, shapes } = &**layer;
            if shapes.is_empty() {
                continue;
            }
            let _ = writeln!(out, "<g {style}>");
            let together = shapes.iter().filter(|shape| matches!(shape, Shape::Mark { .. })).count() > MAX_SINGLE_MARKS;
            if together {
                write_combined_marks(shapes, &mut out);
            }
            for shape in shapes.iter().filter(|shape| !together || matches!(shape, Shape::Element(_))) {
                let _ = writeln!(out, "{shape}");
            }
            out.push_str("</g>\n");
        }
        self.to_svg_with(title, "", &out)
    }

    /// Returns an SVG file with the symbols of the drawing, its colours by night, and further rules of style.
    pub fn to_svg_with(&self, title: &str, rules: &str, body: &str) -> String {
        let Drawing { width, height, .. } = self;
        let symbols = match &self.symbols[..] {
            [] => String::new(),
            lines => format!("<defs>\n{}\n</defs>\n", lines.join("\n")),
        };
        let night = palette::dark_mode_css(&format!("{symbols}{body}"));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" font-family=\"system-ui,sans-serif\">\n<title>{}</title>\n\
             <style>\n{rules}{night}</style>\n{symbols}{body}</svg>\n",
            escape_xml(title)
        )
    }

    /// Adds a symbol, once.
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
    /// Returns a symbol with its centre at a place.
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

/// Writes all marks of a kind as the corners of one line that is not itself to be seen: there may be hundreds.
fn write_combined_marks(shapes: &[Shape], out: &mut String) {
    let mut kinds: Vec<(SymbolId, String, (u32, u32))> = Vec::new();
    for shape in shapes {
        let Shape::Mark { symbol, at: (x, y) } = shape else { continue };
        match kinds.iter_mut().find(|(kind, ..)| kind == symbol) {
            Some((_, line, at)) => {
                let (right, down) = (i64::from(*x) - i64::from(at.0), i64::from(*y) - i64::from(at.1));
                let _ = if down == 0 { write!(line, "h{right}") } else { write!(line, "l{right} {down}") };
                *at = (*x, *y);
            }
            None => kinds.push((*symbol, format!("M{x} {y}"), (*x, *y))),
        }
    }
    for (symbol, line, _) in kinds {
        let marker = format!("<marker id=\"{symbol}s\" overflow=\"visible\" markerUnits=\"userSpaceOnUse\">");
        let _ = writeln!(out, "{marker}<use href=\"#{symbol}\"/></marker>");
        let _ = writeln!(out, "<path d=\"{line}\" style=\"marker:url(#{symbol}s)\"/>");
    }
}

/// Returns the size of the letters of players in a drawing of this width.
pub const fn heading_size(width: u32) -> u32 {
    (width + 12) / 25
}

/// Returns the size of all other letters in a drawing of this width.
pub const fn small_size(width: u32) -> u32 {
    width.div_ceil(30)
}

/// Returns text as it may stand in SVG or HTML, between elements or in an attribute.
pub fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no way to write these.
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Returns letters that stand on one line, each at its own place.
pub fn spaced_letters<X: ToString>(letters: impl Iterator<Item = (X, char)>, base: impl std::fmt::Display) -> Shape {
    let (places, letters): (Vec<String>, String) = letters.map(|(x, letter)| (x.to_string(), letter)).unzip();
    format!("<text x=\"{}\" y=\"{base}\">{letters}</text>", places.join(" ")).into()
}

/// Returns the paper that a drawing is on.
pub fn paper(width: u32, height: u32) -> Shape {
    let (inner_width, inner_height) = (width.saturating_sub(2), height.saturating_sub(2));
    format!(
        "<rect x=\"1\" y=\"1\" width=\"{inner_width}\" height=\"{inner_height}\" rx=\"14\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>",
        palette::PAPER,
        palette::EDGE
    )
    .into()
}

/// Returns the symbol for the last move: the four corners of a square around it. Where it can lie on anything it has a
/// bright rim.
pub fn corners_symbol(id: &str, half: u32, wide: u32, rim: bool) -> String {
    let (leg, far) = (half * 2 / 5, half);
    let near = far - leg;
    let path = format!(
        "M-{far}-{near}v-{leg}h{leg}M{near}-{far}h{leg}v{leg}M{far} {near}v{leg}h-{leg}M-{near} {far}h-{leg}v-{leg}"
    );
    let path = format!("d=\"{path}\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    let line = |id: &str, color, wide| format!("<path{id} {path} stroke=\"{color}\" stroke-width=\"{wide}\"/>");
    if rim {
        let (below, above) = (line("", palette::HALO, wide * 2), line("", palette::INK, wide));
        format!("<g id=\"{id}\">{below}{above}</g>")
    } else {
        line(&format!(" id=\"{id}\""), palette::INK, wide)
    }
}

/// Returns the symbol for where a piece was: a circle of dashes with a bright rim.
pub fn source_symbol() -> String {
    let circle = |style: &str, wide: u32| format!("<circle r=\"12\" stroke-width=\"{wide}\" stroke=\"{style}\"/>");
    let above = format!("{}\" stroke-dasharray=\"5 4.42", palette::INK);
    format!("<g id=\"from\" fill=\"none\">{}{}</g>", circle(palette::HALO, 5), circle(&above, 3))
}

/// Returns the symbol for a piece that the last move has exchanged: a ring around it.
pub fn ring_symbol(id: &str, radius: usize) -> String {
    let wide = (radius / 8).max(2);
    format!("<circle id=\"{id}\" r=\"{radius}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{wide}\"/>", palette::INK)
}
