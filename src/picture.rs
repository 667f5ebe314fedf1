//! Boards as people see them. A game describes its board once, as data; the drawing is done here.

mod points;

use std::cmp::Ordering;

pub use points::Points;

/// A board, described so that it can be drawn as text (and, from the same facts, in other ways).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// A rectangle of cells with lettered columns and numbered rows.
    Grid(Grid),
    /// Such a rectangle, divided into boards that are won one by one.
    Boards(Boards),
    /// Twenty-four points, a bar and two trays.
    Points(Points),
}

/// A rectangle of cells; a1 is at the bottom left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// How many columns there are; at most 26.
    pub columns: usize,
    /// The mark in each cell (`X`), or nothing: row by row from the top left.
    pub cells: Vec<Option<char>>,
    /// The cell of the last move.
    pub last: Option<usize>,
    /// The cells of the completed lines.
    pub lines: Vec<usize>,
}

/// A square of square boards, all of one size; a1 is at the bottom left of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boards {
    /// How many cells a board has on a side, and how many boards there are on a side; at most 5.
    pub side: usize,
    /// The mark in each cell, or nothing: row by row from the top left of the whole.
    pub cells: Vec<Option<char>>,
    /// How each board stands: row by row from the top left.
    pub fates: Vec<Fate>,
    /// The cell of the last move.
    pub last: Option<usize>,
    /// The boards of the completed lines.
    pub lines: Vec<usize>,
}

/// How one of several boards stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The next mark can go here.
    Active,
    /// It is not finished, but the next mark cannot go here.
    Waiting,
    /// The side with this mark has won it.
    Won(char),
    /// It is full and nobody has won it.
    Drawn,
}

impl Picture {
    /// The board as lines of text for a fixed-width font, without a newline at the end.
    ///
    /// `(X)` is the last move, `[X]` stands in a completed line; shape carries the meaning, never colour. Of several boards
    /// those that can be played in have dots in their free cells, those that are won are one big mark, and those that are
    /// drawn are full of dashes. A board of points is seen from the side of whoever is on turn.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Picture::Grid(grid) => grid.text(),
            Picture::Boards(boards) => boards.text(),
            Picture::Points(points) => points.text(),
        }
    }
}

impl Grid {
    fn text(&self) -> String {
        let rows = self.cells.len().checked_div(self.columns).unwrap_or(0);
        let margin = rows.to_string().len();
        let mut lines = Vec::with_capacity(rows + 1);
        for row in 0..rows {
            let cells = (0..self.columns).map(|column| self.cell(row * self.columns + column));
            let number = rows - row;
            lines.push(format!("{number:>margin$} {}", cells.collect::<String>()).trim_end().to_owned());
        }
        let letters: String = letters(self.columns).collect();
        lines.push(format!("{:margin$} {letters}", "").trim_end().to_owned());
        lines.join("\n")
    }

    fn cell(&self, index: usize) -> String {
        let mark = self.cells.get(index).copied().flatten().unwrap_or('.');
        if self.lines.contains(&index) {
            format!("[{mark}]")
        } else if self.last == Some(index) {
            format!("({mark})")
        } else {
            format!(" {mark} ")
        }
    }
}

impl Boards {
    fn text(&self) -> String {
        let (side, size) = (self.side, self.side * self.side);
        let margin = size.to_string().len();
        let mut lines = Vec::with_capacity(size + side);
        for row in 0..size {
            if row > 0 && row % side == 0 {
                let rule = vec!["---".repeat(side); side].join("+");
                lines.push(format!("{:margin$} {rule}", ""));
            }
            let cells = apart((0..size).map(|column| self.cell(row, column)), side, "|");
            lines.push(format!("{:>margin$} {cells}", size - row).trim_end().to_owned());
        }
        lines.push(format!("{:margin$} {}", "", apart(letters(size), side, " ")).trim_end().to_owned());
        lines.join("\n")
    }

    fn cell(&self, row: usize, column: usize) -> String {
        let index = row * self.side * self.side + column;
        let board = row / self.side * self.side + column / self.side;
        let (row, column) = (row % self.side, column % self.side);
        let centre = (row, column) == (self.side / 2, self.side / 2);
        let mark = self.cells.get(index).copied().flatten();
        match (self.fates.get(board), mark) {
            (Some(Fate::Won(winner)), _) if centre && self.lines.contains(&board) => format!("[{winner}]"),
            (_, Some(mark)) if self.last == Some(index) => format!("({mark})"),
            (Some(Fate::Won(winner)), _) if centre => format!(" {winner} "),
            (Some(Fate::Won(winner)), _) => big(*winner, self.side, row, column).to_owned(),
            (Some(Fate::Drawn), _) => " - ".to_owned(),
            (Some(Fate::Active), None) => " . ".to_owned(),
            (_, mark) => format!(" {} ", mark.unwrap_or(' ')),
        }
    }
}

/// A cell's part of a mark that is as big as its board: of a cross the diagonals, of anything else the rim.
fn big(mark: char, side: usize, row: usize, column: usize) -> &'static str {
    let end = side.saturating_sub(1);
    let (falls, rises) = (row == column, row + column == end);
    let corner = (row == 0 || row == end) && (column == 0 || column == end);
    // What leans over leans towards the middle.
    let diagonal = |left, middle, right| match (column * 2).cmp(&end) {
        Ordering::Less => left,
        Ordering::Equal => middle,
        Ordering::Greater => right,
    };
    match mark {
        'X' if falls => diagonal("  \\", " \\ ", "\\  "),
        'X' if rises => diagonal("  /", " / ", "/  "),
        'X' => "   ",
        _ if corner && falls => diagonal("  /", " / ", "/  "),
        _ if corner => diagonal("  \\", " \\ ", "\\  "),
        _ if row == 0 || row == end => "---",
        _ if column == 0 || column == end => " | ",
        _ => "   ",
    }
}

/// Parts of a line with something between the boards.
fn apart(parts: impl Iterator<Item = String>, side: usize, between: &str) -> String {
    let parts: Vec<String> = parts.collect();
    parts.chunks(side.max(1)).map(<[String]>::concat).collect::<Vec<_>>().join(between)
}

fn letters(columns: usize) -> impl Iterator<Item = String> {
    ('a'..='z').take(columns).map(|letter| format!(" {letter} "))
}
