//! The words around a board: who plays, whose turn it is or how it ended, and what was played last.

use crate::board::drawing::{Shape, escape_xml, palette};

/// The words around a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// The two sides, the first seat first.
    pub sides: [CaptionSide; 2],
    /// The setup that is being played, at the bottom left.
    pub setup: String,
    /// The last move, at the bottom right.
    pub last_move: String,
}

/// A side of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptionSide {
    /// The name of the side: `White`.
    pub seat_name: String,
    /// The player there; `None` while the seat is open.
    pub player: Option<String>,
    /// The state of the game for them.
    pub status: SideStatus,
    /// The same as a word or two.
    pub status_text: String,
}

/// The state of the game for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideStatus {
    /// The side has to wait.
    Waiting,
    /// The side is on turn.
    ToMove,
    /// The side has won.
    Winner,
}

impl Caption {
    /// Returns the room that the words of both sides need.
    pub fn status_width(&self, font: u32) -> u32 {
        let measure = |standing| if standing == SideStatus::Winner { bold_width } else { regular_width };
        let words = self.sides.iter().map(|side| measure(side.status)(&side.status_text, font));
        let longest = words.max().unwrap_or(0);
        if longest == 0 { 0 } else { longest + font * 3 / 4 }
    }
}

/// A line of words, from one edge to the other.
pub struct CaptionLine {
    /// The left end.
    pub left: u32,
    /// The right end.
    pub right: u32,
    /// The line that letters stand on.
    pub baseline: u32,
    /// The size of the letters.
    pub font_size: u32,
    /// The size of the letters of what is said by the way.
    pub small_size: u32,
    /// The room that is kept at the right end for how it stands.
    pub status_width: u32,
}

/// The words of a drawing, by where they are anchored, and the signs among them.
#[derive(Default)]
pub struct CaptionShapes {
    /// The signs.
    pub icons: Vec<Shape>,
    /// The words that begin at a place.
    pub left_text: Vec<Shape>,
    /// The words that end at a place.
    pub right_text: Vec<Shape>,
}

impl CaptionShapes {
    /// Draws a player's line: a sign when it is their turn or they have won, room for their mark, their name, further
    /// words, and how it stands for them. Notes come with the room that they take.
    pub fn add_player(&mut self, row: &CaptionLine, side: &CaptionSide, notes: &[(u32, String)]) {
        let CaptionLine {
            left: from,
            right: to,
            baseline: base,
            font_size: font,
            small_size: small,
            status_width: word,
        } = *row;
        self.add_status_icon(row, side.status);
        let start = from + font * 8 / 5;
        let taken: u32 = notes.iter().map(|(room, _)| room).sum();
        let room = to.saturating_sub(start + word + taken);
        let (weight, name, named) = match &side.player {
            Some(name) => ("bold", truncate_to_width(name, room, font), bold_width(name, font)),
            None => (
                "normal\" font-style=\"italic",
                truncate_to_width("open seat", room, font),
                regular_width("open seat", font),
            ),
        };
        // If the mark alone does not say whose it is, a name that leaves room for it has the seat beside it.
        let seat = format!(" {}", side.seat_name);
        let label = if side.seat_name.len() > 1 && named + regular_width(&seat, small) <= room {
            let style = format!("font-weight=\"normal\" font-style=\"normal\" font-size=\"{small}\"");
            format!("<tspan {style} fill=\"{}\">{seat}</tspan>", palette::MUTED)
        } else {
            String::new()
        };
        let name = escape_xml(&name);
        self.left_text
            .push(format!("<text x=\"{start}\" y=\"{base}\" font-weight=\"{weight}\">{name}{label}</text>").into());
        let mut end = to - word;
        for (room, note) in notes.iter().rev() {
            let style = format!("font-size=\"{small}\" fill=\"{}\"", palette::MUTED);
            self.right_text.push(format!("<text x=\"{end}\" y=\"{base}\" {style}>{note}</text>").into());
            end -= room;
        }
        if !side.status_text.is_empty() {
            let weight = if side.status == SideStatus::Winner { " font-weight=\"bold\"" } else { "" };
            let word = escape_xml(&side.status_text);
            self.right_text.push(format!("<text x=\"{to}\" y=\"{base}\"{weight}>{word}</text>").into());
        }
    }

    /// Draws the line at the bottom.
    pub fn add_footer(&mut self, row: &CaptionLine, strip: &Caption) {
        let CaptionLine { left: from, right: to, baseline: base, font_size: font, .. } = *row;
        let last = truncate_to_width(&strip.last_move, (to - from) * 3 / 5, font);
        let facts = truncate_to_width(&strip.setup, (to - from).saturating_sub(bold_width(&last, font) + font), font);
        let style = format!("y=\"{base}\" font-size=\"{font}\" fill=\"{}\"", palette::MUTED);
        if !facts.is_empty() {
            self.left_text.push(format!("<text x=\"{from}\" {style}>{}</text>", escape_xml(&facts)).into());
        }
        if !last.is_empty() {
            self.right_text.push(format!("<text x=\"{to}\" {style}>{}</text>", escape_xml(&last)).into());
        }
    }

    /// Draws an arrow for whose turn it is, a star for who has won: to the left of the line.
    fn add_status_icon(&mut self, row: &CaptionLine, standing: SideStatus) {
        let CaptionLine { left: from, baseline: base, font_size: font, .. } = *row;
        let half = font * 3 / 10;
        let (x, y) = (from - font, base - font * 7 / 20);
        match standing {
            SideStatus::Waiting => {}
            SideStatus::ToMove => {
                let (left, top, tall) = (x - half / 2, y - half, half * 2);
                let arrow = format!("M{left} {top}l{tall} {half}l-{tall} {half}z");
                self.icons.push(icon(&arrow, palette::ACTIVE));
            }
            SideStatus::Winner => self.icons.push(icon(&star((x + half / 2, y), half * 3 / 2), palette::GLOW_RIM)),
        }
    }
}

fn icon(path: &str, color: &str) -> Shape {
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
pub fn truncate_to_width(text: &str, room: u32, font: u32) -> String {
    if bold_width(text, font) <= room {
        return text.to_owned();
    }
    let mut cut = String::new();
    for c in text.chars() {
        cut.push(c);
        if bold_width(&cut, font) + bold_width("…", font) > room {
            cut.pop();
            break;
        }
    }
    if cut.is_empty() { cut } else { cut + "…" }
}

/// Returns the width that a text has at most, whichever font there is: the bold letters of a wide one are measured.
pub fn bold_width(text: &str, font: u32) -> u32 {
    let hundredths: u32 = text.chars().map(letter_width).sum();
    (hundredths * font).div_ceil(100)
}

/// Returns the same for letters that are not bold.
pub fn regular_width(text: &str, font: u32) -> u32 {
    bold_width(text, font) * 92 / 100
}

/// Returns the width of a letter, in hundredths of the font's size.
fn letter_width(c: char) -> u32 {
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
