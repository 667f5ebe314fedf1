//! The caption around a board: the players, whose turn it is or how the game ended, and the last move.

use crate::{Shape, escape_xml, palette};

/// The text around a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// The two sides, the first seat first.
    pub sides: [CaptionSide; 2],
    /// The game's settings, or a note about an incomplete replay. Shown at the bottom left.
    pub setup: String,
    /// The last move, shown at the bottom right.
    pub last_move: String,
}

/// The caption of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptionSide {
    /// The name of the side: `White`.
    pub seat_name: String,
    /// The player, or `None` if the seat is open.
    pub player: Option<String>,
    /// The side's status, shown as an icon.
    pub status: SideStatus,
    /// The same status in one or two words.
    pub status_text: String,
}

/// The status of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideStatus {
    /// It isn't this side's turn.
    Waiting,
    /// It is this side's turn.
    ToMove,
    /// This side won.
    Winner,
}

impl Caption {
    /// Returns the width to reserve for the longer status text, in SVG units.
    pub fn status_width(&self, font_size: u32) -> u32 {
        let width = |side: &CaptionSide| {
            let width_in_style = if side.status == SideStatus::Winner { bold_width } else { regular_width };
            width_in_style(&side.status_text, font_size)
        };
        match self.sides.iter().map(width).max() {
            None | Some(0) => 0,
            Some(width) => width + font_size * 3 / 4,
        }
    }
}

/// The layout of one line of the caption, in SVG units.
pub struct CaptionLine {
    /// The left end.
    pub left: u32,
    /// The right end.
    pub right: u32,
    /// The text baseline.
    pub baseline: u32,
    /// The font size.
    pub font_size: u32,
    /// The font size of secondary text.
    pub small_size: u32,
    /// The width reserved for the status text at the right end.
    pub status_width: u32,
}

/// The shapes of a caption, by text anchor.
#[derive(Default)]
pub struct CaptionShapes {
    /// The icons.
    pub icons: Vec<Shape>,
    /// The left-aligned text.
    pub left_text: Vec<Shape>,
    /// The right-aligned text.
    pub right_text: Vec<Shape>,
}

impl CaptionShapes {
    /// Adds a player's line: status icon, room for the piece, name, notes and status text. Each note comes with its
    /// width.
    pub fn add_player(&mut self, line: &CaptionLine, side: &CaptionSide, notes: &[(u32, String)]) {
        let CaptionLine { left, right, baseline, font_size, small_size, status_width } = *line;
        self.add_status_icon(line, side.status);
        let start = left + font_size * 8 / 5;
        let notes_width: u32 = notes.iter().map(|(width, _)| width).sum();
        let room = right.saturating_sub(start + status_width + notes_width);
        let (weight, name, name_width) = match &side.player {
            Some(name) => ("bold", truncate_to_width(name, room, font_size), bold_width(name, font_size)),
            None => (
                "normal\" font-style=\"italic",
                truncate_to_width("open seat", room, font_size),
                regular_width("open seat", font_size),
            ),
        };
        // Show the seat's name after the player's name if there is room. A one-letter name, such as X, is already
        // visible as the piece.
        let seat = format!(" {}", side.seat_name);
        let label = if side.seat_name.len() > 1 && name_width + regular_width(&seat, small_size) <= room {
            let style = format!("font-weight=\"normal\" font-style=\"normal\" font-size=\"{small_size}\"");
            format!("<tspan {style} fill=\"{}\">{seat}</tspan>", palette::MUTED)
        } else {
            String::new()
        };
        let name = escape_xml(&name);
        self.left_text
            .push(format!("<text x=\"{start}\" y=\"{baseline}\" font-weight=\"{weight}\">{name}{label}</text>").into());
        let mut end = right - status_width;
        for (width, note) in notes.iter().rev() {
            let style = format!("font-size=\"{small_size}\" fill=\"{}\"", palette::MUTED);
            self.right_text.push(format!("<text x=\"{end}\" y=\"{baseline}\" {style}>{note}</text>").into());
            end -= width;
        }
        if !side.status_text.is_empty() {
            let weight = if side.status == SideStatus::Winner { " font-weight=\"bold\"" } else { "" };
            let status_text = escape_xml(&side.status_text);
            self.right_text.push(format!("<text x=\"{right}\" y=\"{baseline}\"{weight}>{status_text}</text>").into());
        }
    }

    /// Adds the line at the bottom.
    pub fn add_footer(&mut self, line: &CaptionLine, caption: &Caption) {
        let CaptionLine { left, right, baseline, font_size, .. } = *line;
        let last_move = truncate_to_width(&caption.last_move, (right - left) * 3 / 5, font_size);
        let setup_width = (right - left).saturating_sub(bold_width(&last_move, font_size) + font_size);
        let setup = truncate_to_width(&caption.setup, setup_width, font_size);
        let style = format!("y=\"{baseline}\" font-size=\"{font_size}\" fill=\"{}\"", palette::MUTED);
        if !setup.is_empty() {
            self.left_text.push(format!("<text x=\"{left}\" {style}>{}</text>", escape_xml(&setup)).into());
        }
        if !last_move.is_empty() {
            self.right_text.push(format!("<text x=\"{right}\" {style}>{}</text>", escape_xml(&last_move)).into());
        }
    }

    /// Adds an arrow for the side to move or a star for the winner, left of the line.
    fn add_status_icon(&mut self, line: &CaptionLine, status: SideStatus) {
        let CaptionLine { left, baseline, font_size, .. } = *line;
        let half = font_size * 3 / 10;
        let (x, y) = (left - font_size, baseline - font_size * 7 / 20);
        match status {
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

/// Returns the path of a five-pointed star.
fn star((x, y): (u32, u32), radius: u32) -> String {
    let corner = |at: u32| {
        let far = f64::from(radius) * if at.is_multiple_of(2) { 1.0 } else { 0.45 };
        let angle = f64::from(at) * std::f64::consts::PI / 5.0;
        let (x, y) = (f64::from(x) + far * angle.sin(), f64::from(y) - far * angle.cos());
        format!("{x:.1} {y:.1}")
    };
    format!("M{}z", (0..10).map(corner).collect::<Vec<_>>().join("L"))
}

/// Truncates a text so that it fits into this width in any common font.
pub fn truncate_to_width(text: &str, width: u32, font_size: u32) -> String {
    if bold_width(text, font_size) <= width {
        return text.to_owned();
    }
    let mut truncated = String::new();
    for c in text.chars() {
        truncated.push(c);
        if bold_width(&truncated, font_size) + bold_width("…", font_size) > width {
            truncated.pop();
            break;
        }
    }
    if truncated.is_empty() { truncated } else { truncated + "…" }
}

/// Returns an upper bound of a bold text's width in any common font.
pub fn bold_width(text: &str, font_size: u32) -> u32 {
    let hundredths: u32 = text.chars().map(letter_width).sum();
    (hundredths * font_size).div_ceil(100)
}

/// Returns an upper bound of a regular text's width in any common font.
pub fn regular_width(text: &str, font_size: u32) -> u32 {
    bold_width(text, font_size) * 92 / 100
}

/// Returns the width of a bold letter in hundredths of the font size, measured in a wide font.
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
