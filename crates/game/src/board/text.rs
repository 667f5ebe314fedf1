//! Boards as text for a fixed-width font, with colours for those who can show them.

use std::fmt::Write;

use crate::board::drawing::palette::Ink;

/// The lines of a board, in parts that each have a tone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    lines: Vec<Vec<(Tone, String)>>,
    line: Vec<(Tone, String)>,
}

/// The look of a part where there are colours. The letters alone say everything, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tone {
    /// The colour of the seat that it belongs to; `None` if it belongs to neither.
    pub ink: Option<Ink>,
    /// The reason why it stands out.
    pub emphasis: Emphasis,
}

/// The reason why a part stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emphasis {
    /// The part does not stand out.
    #[default]
    None,
    /// The part is a free cell.
    Dim,
    /// The part belongs to the last move.
    LastMove,
    /// The part stands in a completed line.
    WinningLine,
}

impl Text {
    /// Adds a part to the line.
    pub fn push(&mut self, tone: Tone, part: impl Into<String>) {
        self.line.push((tone, part.into()));
    }

    /// Adds a part without any tone.
    pub fn push_plain(&mut self, part: impl Into<String>) {
        self.push(Tone::default(), part);
    }

    /// Adds a whole line without any tone.
    pub fn push_line(&mut self, line: impl Into<String>) {
        self.push_plain(line);
        self.end_line();
    }

    /// Ends a line. What is blank at its end is left out.
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

    /// Returns the text without colours, and without a newline at the end.
    pub fn plain(&self) -> String {
        let lines = self.lines.iter().map(|line| line.iter().map(|(_, part)| part.as_str()).collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the same text with colours for a terminal.
    pub fn colored(&self) -> String {
        let mut out = String::new();
        for (at, line) in self.lines.iter().enumerate() {
            if at > 0 {
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
    /// Returns the parameters of the escape sequence that begins it.
    fn sgr_code(self) -> Option<String> {
        let stress = match self.emphasis {
            Emphasis::None => None,
            Emphasis::Dim => Some("2"),
            Emphasis::LastMove => Some("1"),
            Emphasis::WinningLine => Some("1;7"),
        };
        let codes: Vec<&str> = [stress, self.ink.map(|ink| ink.ansi_code)].into_iter().flatten().collect();
        (!codes.is_empty()).then(|| codes.join(";"))
    }
}

/// Returns the names of the columns, each as wide as a cell.
pub fn column_letters(columns: usize) -> impl Iterator<Item = String> {
    ('a'..='z').take(columns).map(|letter| format!(" {letter} "))
}
