//! Boards as people see them. A game describes its board once, as data; the drawing is done here.

/// A board, described so that it can be drawn as text (and, from the same facts, in other ways).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// A rectangle of cells with lettered columns and numbered rows.
    Grid(Grid),
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

impl Picture {
    /// The board as lines of text for a fixed-width font, without a newline at the end.
    ///
    /// `(X)` is the last move, `[X]` stands in a completed line; shape carries the meaning, never colour.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Picture::Grid(grid) => grid.text(),
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
        let letters = ('a'..='z').take(self.columns).map(|letter| format!(" {letter} "));
        lines.push(format!("{:margin$} {}", "", letters.collect::<String>()).trim_end().to_owned());
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
