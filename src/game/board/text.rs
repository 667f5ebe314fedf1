//! Boards as text for a fixed-width font, with colours for those who can show them.

mod boards;
mod grid;
mod points;

use std::fmt::Write;

use crate::game::board::Picture;
use crate::game::seat::Seat;

/// Lines of a board, in pieces that each have a tone.
#[derive(Default)]
pub(super) struct Text {
    lines: Vec<Vec<(Tone, String)>>,
    line: Vec<(Tone, String)>,
}

/// How a piece looks where there are colours. The letters alone say everything, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tone {
    /// Whose it is.
    side: Option<Seat>,
    stress: Stress,
}

/// What is special about a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stress {
    #[default]
    None,
    /// There is nothing there.
    Faint,
    /// The last move.
    Last,
    /// A part of a completed line.
    Line,
}

/// A board as text.
pub(super) fn of(picture: &Picture) -> Text {
    let mut text = Text::default();
    match picture {
        Picture::Grid(grid) => grid::write(grid, &mut text),
        Picture::Boards(boards) => boards::write(boards, &mut text),
        Picture::Points(points) => points::write(points, &mut text),
    }
    text
}

impl Text {
    fn push(&mut self, tone: Tone, piece: impl Into<String>) {
        self.line.push((tone, piece.into()));
    }

    fn plainly(&mut self, piece: impl Into<String>) {
        self.push(Tone::default(), piece);
    }

    /// Ends a line. What is blank at its end is left out.
    fn end(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        while let Some((_, piece)) = line.last_mut() {
            piece.truncate(piece.trim_end().len());
            if !piece.is_empty() {
                break;
            }
            line.pop();
        }
        self.lines.push(line);
    }

    pub(super) fn plain(&self) -> String {
        let lines = self.lines.iter().map(|line| line.iter().map(|(_, piece)| piece.as_str()).collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }

    pub(super) fn coloured(&self) -> String {
        let mut out = String::new();
        for (at, line) in self.lines.iter().enumerate() {
            if at > 0 {
                out.push('\n');
            }
            for (tone, piece) in line {
                match tone.code() {
                    Some(code) => drop(write!(out, "\u{1b}[{code}m{piece}\u{1b}[0m")),
                    None => out.push_str(piece),
                }
            }
        }
        out
    }
}

impl Tone {
    fn new(side: Option<Seat>, stress: Stress) -> Tone {
        Tone { side, stress }
    }

    /// The parameters of the escape sequence that begins it.
    fn code(self) -> Option<String> {
        let stress = match self.stress {
            Stress::None => None,
            Stress::Faint => Some("2"),
            Stress::Last => Some("1"),
            Stress::Line => Some("1;7"),
        };
        // Cyan and magenta are told apart from each other and from the ground, be it light or dark.
        let side = self.side.map(|seat| match seat {
            Seat::First => "36",
            Seat::Second => "35",
        });
        let codes: Vec<&str> = [stress, side].into_iter().flatten().collect();
        (!codes.is_empty()).then(|| codes.join(";"))
    }
}

/// The side that a mark stands for.
fn side(mark: char) -> Seat {
    if mark == 'X' { Seat::First } else { Seat::Second }
}

/// The names of the columns, each as wide as a cell.
fn letters(columns: usize) -> impl Iterator<Item = String> {
    ('a'..='z').take(columns).map(|letter| format!(" {letter} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_blank_at_the_end_is_left_out_and_colours_add_nothing() {
        let mut text = Text::default();
        text.push(Tone::new(Some(Seat::First), Stress::Last), " X ");
        text.push(Tone::new(None, Stress::Faint), " ");
        text.plainly("  ");
        text.end();
        text.plainly("  ");
        text.end();
        text.plainly("a");
        text.end();
        assert_eq!(text.plain(), " X\n\na");
        assert_eq!(text.coloured(), "\u{1b}[1;36m X\u{1b}[0m\n\na");
    }
}
