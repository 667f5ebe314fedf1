//! Boards as people see them. A game describes its board once, as data; from the same facts it becomes lines of text
//! (`picture/text`), a drawing ([`drawing`]) and plain words (`picture/words`).

pub mod drawing;
mod text;
mod words;

use crate::game::seat::Seat;

pub use crate::game::board::drawing::Drawing;
pub use crate::game::board::drawing::strip::{Side, Standing, Strip};

/// A board, described so that it can be shown in any way.
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
    /// The completed lines, each as its cells from one end to the other.
    pub lines: Vec<Vec<usize>>,
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
    /// The completed lines, each as its boards from one end to the other.
    pub lines: Vec<Vec<usize>>,
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

/// Twenty-four points, a bar and two trays, seen from one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// Whose side it is seen from: points are numbered as they count.
    pub view: Seat,
    /// Whose turn it is: whose dice these are.
    pub turn: Seat,
    /// Who holds each point and with how many checkers: the point that the viewer calls 1 first.
    pub points: [Option<(Seat, u8)>; 24],
    /// The checkers on the bar, by seat.
    pub bar: [u8; 2],
    /// The checkers that have been borne off, by seat.
    pub off: [u8; 2],
    /// The dice that are to be played.
    pub dice: Option<[u8; 2]>,
    /// The cube, where there is one.
    pub cube: Option<Cube>,
    /// How a match stands, where one is played.
    pub score: Option<Score>,
    /// The points, as the viewer counts, where the last move ended.
    pub last: Vec<u32>,
    /// The points, as the viewer counts, from which a checker can be moved now; 25 is the viewer's bar, 0 the other one.
    pub movable: Vec<u32>,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// What the game is worth.
    pub value: u32,
    /// Who owns it; nothing while it is in the middle.
    pub owner: Option<Seat>,
    /// Whoever is on turn has been offered twice the value.
    pub offered: bool,
}

/// How a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The points of each side.
    pub points: [u32; 2],
    /// How many win.
    pub length: u32,
}

impl Picture {
    /// The board as lines of text for a fixed-width font, without a newline at the end.
    ///
    /// `(X)` is the last move, `[X]` stands in a completed line; shape carries the meaning, never colour. Of several boards
    /// those that can be played in have dots in their free cells, those that are won are one big mark, and those that are
    /// drawn are full of dashes. On a board of points letters are checkers, `W` white and `B` black, a number stands on a
    /// stack that is too high to draw, and `*` beside the number of a point says that the last move ended there.
    #[must_use]
    pub fn text(&self) -> String {
        text::of(self).plain()
    }

    /// The same text with colours for a terminal.
    #[must_use]
    pub fn coloured(&self) -> String {
        text::of(self).coloured()
    }

    /// The whole position in plain words, as one paragraph without any character that Markdown knows.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Picture::Grid(grid) => words::grid(grid),
            Picture::Boards(boards) => words::boards(boards),
            Picture::Points(points) => words::points(points),
        }
    }

    /// The board as a drawing, with a margin that says who plays and how it stands.
    #[must_use]
    pub fn drawing(&self, strip: &Strip) -> Drawing {
        match self {
            Picture::Grid(grid) => drawing::grid(grid, strip),
            Picture::Boards(boards) => drawing::boards(boards, strip),
            Picture::Points(points) => drawing::points(points, strip),
        }
    }

    /// This board seen from the same side as another one; there is only one side to see a board of cells from.
    #[must_use]
    pub fn seen_like(self, other: &Picture) -> Picture {
        match (self, other) {
            (Picture::Points(points), Picture::Points(Points { view, .. })) => Picture::Points(points.seen_by(*view)),
            (picture, _) => picture,
        }
    }

    /// This board as one of the past, from which nothing can be moved any more.
    #[must_use]
    pub fn past(self) -> Picture {
        match self {
            Picture::Points(points) => Picture::Points(Points { movable: Vec::new(), ..points }),
            picture => picture,
        }
    }
}

impl Points {
    /// The same board, seen by this seat.
    #[must_use]
    pub fn seen_by(mut self, view: Seat) -> Points {
        if self.view != view {
            self.view = view;
            self.points.reverse();
            let turned = |point: &mut u32| *point = 25_u32.saturating_sub(*point);
            self.last.iter_mut().for_each(turned);
            self.movable.iter_mut().for_each(turned);
        }
        self
    }

    /// How many points the dice still have to show until a side has borne off everything.
    #[must_use]
    pub fn pips(&self, seat: Seat) -> u32 {
        let far = |point: u32| if seat == self.view { point } else { 25 - point };
        let on_points = (1..=24).zip(&self.points).map(|(point, stack)| match stack {
            Some((owner, count)) if *owner == seat => far(point) * u32::from(*count),
            _ => 0,
        });
        on_points.sum::<u32>() + 25 * u32::from(self.bar[seat.index()])
    }
}
