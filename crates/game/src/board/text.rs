//! Boards as text for a fixed-width font, with optional ANSI colors.

use std::fmt::Write;

use crate::board::drawing::palette::Ink;

/// The lines of a board, as parts with a tone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    lines: Vec<Vec<(Tone, String)>>,
    line: Vec<(Tone, String)>,
}

/// The color and emphasis of a part. They add no information to the letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tone {
    /// The color of the seat that owns the part, if any.
    pub ink: Option<Ink>,
    /// Why the part stands out.
    pub emphasis: Emphasis,
}

/// Why a part stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emphasis {
    /// It doesn't.
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
    pub fn push(&mut self, tone: Tone, part: impl Into<String>) {
        self.line.push((tone, part.into()));
    }

    /// Appends a part without a tone to the current line.
    pub fn push_plain(&mut self, part: impl Into<String>) {
        self.push(Tone::default(), part);
    }

    /// Appends a whole line without a tone.
    pub fn push_line(&mut self, line: impl Into<String>) {
        self.push_plain(line);
        self.end_line();
    }

    /// Ends the current line and trims trailing spaces.
    pub fn end_line(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        while let Some((_, part)) = line.last_mut() {
            part.truncate(part.trim_end().len());
            if !part.is_empty() {
                break;
            }
            line.pop();
        }
        self.lines.push(line);
    }

    /// Returns the text without colors and without a final newline.
    pub fn plain(&self) -> String {
        let lines = self.lines.iter().map(|line| line.iter().map(|(_, part)| part.as_str()).collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the text with ANSI colors.
    pub fn colored(&self) -> String {
        let mut out = String::new();
        for (nth, line) in self.lines.iter().enumerate() {
            if nth > 0 {
                out.push('\n');
            }
            for (tone, part) in line {
                match tone.sgr_code() {
                    Some(code) => drop(write!(out, "\u{1b}[{code}m{part}\u{1b}[0m")),
                    None => out.push_str(part),
                }
            }
        }
        out
    }
}

impl Tone {
    /// Returns the SGR parameters of the escape sequence, or `None` for plain text.
    fn sgr_code(self) -> Option<String> {
        let emphasis = match self.emphasis {
            Emphasis::None => None,
            Emphasis::Dim => Some("2"),
            Emphasis::LastMove => Some("1"),
            Emphasis::WinningLine => Some("1;7"),
        };
        let codes: Vec<&str> = [emphasis, self.ink.map(|ink| ink.ansi_code)].into_iter().flatten().collect();
        if codes.is_empty() { None } else { Some(codes.join(";")) }
    }
}

/// Returns the letters of the columns, each padded to the width of a cell.
pub fn column_letters(columns: usize) -> impl Iterator<Item = String> {
    ('a'..='z').take(columns).map(|letter| format!(" {letter} "))
}
