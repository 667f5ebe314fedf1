//! The words around a board: who plays, whose turn it is or how it ended, and what was played last.

use crate::board::drawing::{Shape, escape, palette};

/// The words around a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    /// The two sides, the first seat first.
    pub sides: [Side; 2],
    /// The setup that is being played, at the bottom left.
    pub facts: String,
    /// The last move, at the bottom right.
    pub last: String,
}

/// A side of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The name of the side: `White`.
    pub seat: String,
    /// The player there; `None` while the seat is open.
    pub name: Option<String>,
    /// The state of the game for them.
    pub standing: Standing,
    /// The same as a word or two.
    pub word: String,
}

/// The state of the game for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The side has to wait.
    Waiting,
    /// The side is on turn.
    OnTurn,
    /// The side has won.
    Winner,
}

impl Strip {
    /// Returns the room that the words of both sides need.
    pub fn word_room(&self, font: u32) -> u32 {
        let measure = |standing| if standing == Standing::Winner { wide } else { lean };
        let words = self.sides.iter().map(|side| measure(side.standing)(&side.word, font));
        let longest = words.max().unwrap_or(0);
        if longest == 0 { 0 } else { longest + font * 3 / 4 }
    }
}

/// A line of words, from one edge to the other.
pub struct Row {
    /// The left end.
    pub from: u32,
    /// The right end.
    pub to: u32,
    /// The line that letters stand on.
    pub base: u32,
    /// The size of the letters.
    pub font: u32,
    /// The size of the letters of what is said by the way.
    pub small: u32,
    /// The room that is kept at the right end for how it stands.
    pub word: u32,
}

/// The words of a drawing, by where they are anchored, and the signs among them.
#[derive(Default)]
pub struct Words {
    /// The signs.
    pub signs: Vec<Shape>,
    /// The words that begin at a place.
    pub left: Vec<Shape>,
    /// The words that end at a place.
    pub right: Vec<Shape>,
}

impl Words {
    /// Draws a player's line: a sign when it is their turn or they have won, room for their mark, their name, further
    /// words, and how it stands for them. Notes come with the room that they take.
    pub fn player(&mut self, row: &Row, side: &Side, notes: &[(u32, String)]) {
        let Row { from, to, base, font, small, word } = *row;
        self.standing(row, side.standing);
        let start = from + font * 8 / 5;
        let taken: u32 = notes.iter().map(|(room, _)| room).sum();
        let room = to.saturating_sub(start + word + taken);
        let (weight, name, named) = match &side.name {
            Some(name) => ("bold", fit(name, room, font), wide(name, font)),
            None => ("normal\" font-style=\"italic", fit("open seat", room, font), lean("open seat", font)),
        };
        // If the mark alone does not say whose it is, a name that leaves room for it has the seat beside it.
        let seat = format!(" {}", side.seat);
        let label = if side.seat.len() > 1 && named + lean(&seat, small) <= room {
            let style = format!("font-weight=\"normal\" font-style=\"normal\" font-size=\"{small}\"");
            format!("<tspan {style} fill=\"{}\">{seat}</tspan>", palette::MUTED)
        } else {
            String::new()
        };
        let name = escape(&name);
        self.left
            .push(format!("<text x=\"{start}\" y=\"{base}\" font-weight=\"{weight}\">{name}{label}</text>").into());
        let mut end = to - word;
        for (room, note) in notes.iter().rev() {
            let style = format!("font-size=\"{small}\" fill=\"{}\"", palette::MUTED);
            self.right.push(format!("<text x=\"{end}\" y=\"{base}\" {style}>{note}</text>").into());
            end -= room;
        }
        if !side.word.is_empty() {
            let weight = if side.standing == Standing::Winner { " font-weight=\"bold\"" } else { "" };
            let word = escape(&side.word);
            self.right.push(format!("<text x=\"{to}\" y=\"{base}\"{weight}>{word}</text>").into());
        }
    }

    /// Draws the line at the bottom.
    pub fn footer(&mut self, row: &Row, strip: &Strip) {
        let Row { from, to, base, font, .. } = *row;
        let last = fit(&strip.last, (to - from) * 3 / 5, font);
        let facts = fit(&strip.facts, (to - from).saturating_sub(wide(&last, font) + font), font);
        let style = format!("y=\"{base}\" font-size=\"{font}\" fill=\"{}\"", palette::MUTED);
        if !facts.is_empty() {
            self.left.push(format!("<text x=\"{from}\" {style}>{}</text>", escape(&facts)).into());
        }
        if !last.is_empty() {
            self.right.push(format!("<text x=\"{to}\" {style}>{}</text>", escape(&last)).into());
        }
    }

    /// Draws an arrow for whose turn it is, a star for who has won: to the left of the line.
    fn standing(&mut self, row: &Row, standing: Standing) {
        let Row { from, base, font, .. } = *row;
        let half = font * 3 / 10;
        let (x, y) = (from - font, base - font * 7 / 20);
        match standing {
            Standing::Waiting => {}
            Standing::OnTurn => {
                let (left, top, tall) = (x - half / 2, y - half, half * 2);
                let arrow = format!("M{left} {top}l{tall} {half}l-{tall} {half}z");
                self.signs.push(sign(&arrow, palette::ACTIVE));
            }
            Standing::Winner => self.signs.push(sign(&star((x + half / 2, y), half * 3 / 2), palette::GLOW_RIM)),
        }
    }
}

fn sign(path: &str, color: &str) -> Shape {
    format!("<path d=\"{path}\" fill=\"{color}\" stroke=\"{color}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>")
        .into()
}

/// Returns a star with five points.
fn star((x, y): (u32, u32), radius: u32) -> String {
    let corner = |at: u32| {
        let far = f64::from(radius) * if at.is_multiple_of(2) { 1.0 } else { 0.45 };
        let angle = f64::from(at) * std::f64::consts::PI / 5.0;
        let (x, y) = (f64::from(x) + far * angle.sin(), f64::from(y) - far * angle.cos());
        format!("{x:.1} {y:.1}")
    };
    format!("M{}z", (0..10).map(corner).collect::<Vec<_>>().join("L"))
}

/// Returns the beginning of a text, cut so that it takes no more than this room in any usual font.
pub fn fit(text: &str, room: u32, font: u32) -> String {
    if wide(text, font) <= room {
        return text.to_owned();
    }
    let mut cut = String::new();
    for c in text.chars() {
        cut.push(c);
        if wide(&cut, font) + wide("…", font) > room {
            cut.pop();
            break;
        }
    }
    if cut.is_empty() { cut } else { cut + "…" }
}

/// Returns the width that a text has at most, whichever font there is: the bold letters of a wide one are measured.
pub fn wide(text: &str, font: u32) -> u32 {
    let hundredths: u32 = text.chars().map(letter).sum();
    (hundredths * font).div_ceil(100)
}

/// Returns the same for letters that are not bold.
pub fn lean(text: &str, font: u32) -> u32 {
    wide(text, font) * 92 / 100
}

/// Returns the width of a letter, in hundredths of the font's size.
fn letter(c: char) -> u32 {
    match c {
        'm' | 'M' | 'W' | '@' | '%' => 111,
        'w' => 93,
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ' ' | '-' | '/' | '(' | ')' => 42,
        'f' | 'r' | 't' | '*' => 53,
        'A'..='Z' => 86,
        'a'..='z' | '0'..='9' | '_' => 72,
        _ => 111,
    }
}
