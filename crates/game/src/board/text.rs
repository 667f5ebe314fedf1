//! Boards as text for a fixed-width font, with optional ANSI colors.

use std::fmt::Write;

use crate::{PaletteColor, Seat};

/// The lines of a board, as parts with a style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    lines: Vec<Vec<Part>>,
    line: Vec<Part>,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    text_style: TextStyle,
    background: Option<Background>,
    text: String,
}

/// How a terminal shows a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalStyle {
    /// Whether the text has ANSI colors, so that squares can be shaded.
    pub colored: bool,
    /// Whether the terminal shows Unicode: figurines, discs and lines.
    pub unicode: bool,
    /// Whether the player can type the number of a cell on a 3x3 board, so that free cells show it.
    pub numbered: bool,
    /// The seat at the bottom, if the board has sides.
    pub viewer: Seat,
    /// The width of the terminal in columns; `None` if it is unlimited.
    pub columns: Option<usize>,
}

impl TerminalStyle {
    /// Returns the Unicode text, or its ASCII replacement.
    pub fn pick<T>(&self, unicode: T, ascii: T) -> T {
        if self.unicode { unicode } else { ascii }
    }
}

/// The background of a part. It's a fixed color, so that pieces look the same in dark and light terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// A light square.
    Light,
    /// A dark square.
    Dark,
    /// A square of the last move.
    Marked,
    /// A king in check.
    Alert,
    /// Green cloth.
    Felt,
    /// A blue frame.
    Frame,
}

impl Background {
    /// Returns the SGR parameters of the background, and of text without a color of its own.
    fn sgr_codes(self) -> [&'static str; 2] {
        match self {
            Background::Light => ["48;5;137", "38;5;94"],
            Background::Dark => ["48;5;94", "38;5;180"],
            Background::Marked => ["48;5;100", "38;5;230"],
            Background::Alert => ["48;5;124", "38;5;231"],
            Background::Felt => ["48;5;28", "38;5;114"],
            Background::Frame => ["48;5;18", "38;5;67"],
        }
    }
}

/// The color and emphasis of a part. The text is complete without them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// The color of the seat that owns the part, if any.
    pub color: Option<PaletteColor>,
    /// The reason the part stands out.
    pub emphasis: Emphasis,
}

/// The reason a part of a board stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emphasis {
    /// It doesn't stand out.
    #[default]
    None,
    /// A free cell.
    Dim,
    /// Part of the last move.
    LastMove,
    /// Part of a completed line.
    WinningLine,
}

impl Text {
    /// Appends a part to the current line.
    pub fn push(&mut self, text_style: TextStyle, part: impl Into<String>) {
        self.push_on(None, text_style, part);
    }

    /// Appends a part with a background to the current line.
    pub fn push_on(&mut self, background: Option<Background>, text_style: TextStyle, part: impl Into<String>) {
        self.line.push(Part { text_style, background, text: part.into() });
    }

    /// Appends a dim part to the current line.
    pub fn push_dim(&mut self, part: impl Into<String>) {
        self.push(TextStyle { color: None, emphasis: Emphasis::Dim }, part);
    }

    /// Appends a part without a style to the current line.
    pub fn push_plain(&mut self, part: impl Into<String>) {
        self.push(TextStyle::default(), part);
    }

    /// Appends a whole line without a style.
    pub fn push_line(&mut self, line: impl Into<String>) {
        self.push_plain(line);
        self.end_line();
    }

    /// Ends the current line and trims trailing spaces.
    pub fn end_line(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        while let Some(part) = line.last_mut().filter(|part| part.background.is_none()) {
            part.text.truncate(part.text.trim_end().len());
            if !part.text.is_empty() {
                break;
            }
            line.pop();
        }
        self.lines.push(line);
    }

    /// Returns the text without colors and without a final newline.
    pub fn plain(&self) -> String {
        let lines = self.lines.iter().map(|line| line.iter().map(|part| part.text.as_str()).collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the text with ANSI colors.
    pub fn colored(&self) -> String {
        let mut out = String::new();
        for (nth, line) in self.lines.iter().enumerate() {
            if nth > 0 {
                out.push('\n');
            }
            for part in line {
                let text = &part.text;
                match part.text_style.sgr_code(part.background) {
                    Some(code) => drop(write!(out, "\u{1b}[{code}m{text}\u{1b}[0m")),
                    None => out.push_str(text),
                }
            }
        }
        out
    }
}

impl TextStyle {
    /// Returns the SGR parameters of the escape sequence, or `None` for plain text.
    fn sgr_code(self, background: Option<Background>) -> Option<String> {
        let emphasis = match self.emphasis {
            Emphasis::None => None,
            // A background sets the color of its free cells.
            Emphasis::Dim if background.is_some() => None,
            Emphasis::Dim => Some("2"),
            Emphasis::LastMove => Some("1"),
            Emphasis::WinningLine if background == Some(Background::Alert) => Some("1"),
            Emphasis::WinningLine => Some("1;7"),
        };
        let color = match background {
            None => self.color.map(|color| color.ansi_code),
            Some(background) => Some(self.color.map_or(background.sgr_codes()[1], |color| color.ground_code)),
        };
        let background = background.map(|background| background.sgr_codes()[0]);
        let codes: Vec<&str> = [emphasis, color, background].into_iter().flatten().collect();
        if codes.is_empty() { None } else { Some(codes.join(";")) }
    }
}

/// Returns the letters of the columns, each padded to the width of a cell.
pub fn column_letters(columns: usize) -> impl Iterator<Item = String> {
    ('a'..='z').take(columns).map(|letter| format!(" {letter} "))
}
