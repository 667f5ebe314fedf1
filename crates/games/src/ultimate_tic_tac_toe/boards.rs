//! The nine boards as people see them.
//!
//! In text the boards that can be played in have dots in their free cells, those that are won are one big mark, and those
//! that are drawn are full of dashes.

use game::board::drawing::marks::symbol;
use game::board::drawing::plan::{Plan, glow, rules};
use game::board::drawing::still::Still;
use game::board::drawing::strip::Strip;
use game::board::drawing::{Drawing, Shape, corners, palette, paper};
use game::board::mosaic::{self, Mosaic, Row, Tile};
use game::board::piece::{Look, Piece, exchanged, piece};
use game::board::text::{Stress, Text, Tone, letters};
use game::board::{Board, words};
use game::cell;
use game::seat::Seat;

use crate::marks::LOOKS;

/// The cells of a board on a side, and the boards on a side.
const SIDE: usize = 3;
/// The cells of the whole on a side.
const SIZE: usize = SIDE * SIDE;
/// The length of a side of all boards together in drawings, without what is between them.
const LENGTH: usize = 342;
/// The room between two boards.
const GAP: usize = 14;
/// The side of a cell that is a picture of its own, and the room between two boards of such cells.
const TILE: u32 = 40;
const SEAM: u32 = 8;
/// The cells of a board that a seat has won, as text: one big mark.
const BIG: [[&str; SIZE]; 2] = [
    ["  \\", "   ", "/  ", "   ", " X ", "   ", "  /", "   ", "\\  "],
    ["  /", "---", "\\  ", " | ", " O ", " | ", "  \\", "---", "/  "],
];

/// A square of square boards; a1 is at the bottom left of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boards {
    /// The mark in each cell, `None` if it is free: row by row from the top left of the whole.
    pub cells: Vec<Option<Piece>>,
    /// The state of each board: row by row from the top left.
    pub fates: Vec<Fate>,
    /// The cell of the last move.
    pub last: Vec<usize>,
    /// The completed lines, each as its boards from one end to the other.
    pub lines: Vec<Vec<usize>>,
}

/// The state of one of several boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The next mark can go here.
    Active,
    /// The board is not finished, but the next mark cannot go here.
    Waiting,
    /// The seat has won the board.
    Won(Seat),
    /// The board is full, and neither side has won it.
    Drawn,
}

/// Returns the board that a cell of the whole is on.
fn board_of(cell: usize) -> usize {
    cell / SIZE / SIDE * SIDE + cell % SIZE / SIDE
}

impl Board for Boards {
    fn text(&self) -> Text {
        let mut text = Text::default();
        for row in 0..SIZE {
            if row > 0 && row % SIDE == 0 {
                text.line(format!("  {}", vec!["---".repeat(SIDE); SIDE].join("+")));
            }
            text.plainly(format!("{} ", SIZE - row));
            for column in 0..SIZE {
                if column > 0 && column % SIDE == 0 {
                    text.plainly("|");
                }
                let (tone, cell) = self.cell_text(row * SIZE + column);
                text.push(tone, cell);
            }
            text.end();
        }
        let names: Vec<String> = letters(SIZE).collect();
        let names: Vec<String> = names.chunks(SIDE).map(<[String]>::concat).collect();
        text.line(format!("  {}", names.join(" ")));
        text
    }

    fn words(&self) -> String {
        let name = |index: usize| cell::name(index, SIZE, SIZE);
        let mut sentences = vec![format!("{SIZE} boards, numbered from 0 at the top left.")];
        for (board, fate) in self.fates.iter().enumerate() {
            let fate = match fate {
                Fate::Active => "is open".to_owned(),
                Fate::Waiting => "is closed for now".to_owned(),
                Fate::Won(seat) => format!("is won by {}", LOOKS[seat.index()].glyph.name),
                Fate::Drawn => "is drawn".to_owned(),
            };
            let mut parts = vec![format!("Board {board} {fate}")];
            parts.extend(words::pieces(&self.cells, &name, |index| board_of(index) == board));
            sentences.push(format!("{}.", parts.join("; ")));
        }
        if !self.last.is_empty() {
            sentences.push(format!("The {}.", words::last(&self.last, &name)));
        }
        let number = |board: usize| board.to_string();
        sentences.extend(self.lines.iter().map(|line| format!("A line from board {}.", words::ends(line, &number))));
        sentences.join(" ")
    }

    fn mark(&mut self, cell: usize) {
        self.last.push(cell);
    }

    fn drawing(&self, strip: &Strip, still: &Still) -> Drawing {
        let plan = Plan::new(SIZE, SIZE, LENGTH, GAP, SIDE);
        let mut drawing = plan.drawing(&LOOKS, std::iter::empty(), !self.last.is_empty(), still);
        symbols(&plan, &mut drawing, still);
        self.ground(&plan, &mut drawing);
        let lines: Vec<Shape> =
            self.lines.iter().filter_map(|line| plan.through(line, |board| centre(&plan, board))).collect();
        glow(&mut drawing, &lines, SIDE * plan.cell * 4 / 5);
        drawing.layer("fill=\"none\" stroke-linecap=\"round\"", self.marks(&plan));
        let last = self.last.iter().map(|cell| match self.fates.get(board_of(*cell)) {
            // The move that completed a board is marked around all of it: its own cell is not to be seen any more.
            Some(Fate::Won(_) | Fate::Drawn) => Shape::mark("whole", centre(&plan, board_of(*cell))),
            _ => Shape::mark("last", plan.centre(*cell)),
        });
        plan.finish(&mut drawing, strip, &LOOKS, last.collect(), still);
        drawing
    }

    fn page_width(&self) -> usize {
        440
    }

    fn mosaic(&self, playable: &dyn Fn(usize) -> bool) -> Option<Mosaic> {
        let gap = || Tile::paper(SEAM, TILE);
        let mut mosaic = Mosaic { rows: Vec::new(), page_width: 500 };
        for row in 0..SIZE {
            if row > 0 && row % SIDE == 0 {
                let tiles = vec![Tile::paper(mosaic.width(), SEAM)];
                mosaic.rows.push(Row { name: None, tiles });
            }
            let label = (SIZE - row).to_string();
            let mut tiles = vec![mosaic::number(&label, TILE)];
            for column in 0..SIZE {
                tiles.extend((column > 0 && column % SIDE == 0).then(gap));
                let cell = row * SIZE + column;
                tiles.push(self.tile(cell, playable(cell)));
            }
            mosaic.rows.push(Row { name: Some(format!("Row {label}")), tiles });
        }
        let width = mosaic.width();
        let centre = |column: u32| width - (SIZE as u32 - column) * TILE + TILE / 2 - (2 - column / SIDE as u32) * SEAM;
        mosaic.rows.push(mosaic::letters((0..).map(centre).zip('a'..='i'), width, TILE));
        Some(mosaic)
    }

    fn with_seats_exchanged(&self) -> Box<dyn Board> {
        let won = |fate: &Fate| if let Fate::Won(seat) = fate { Fate::Won(seat.other()) } else { *fate };
        let fates = self.fates.iter().map(won).collect();
        Box::new(Boards { cells: exchanged(&self.cells, &LOOKS), fates, ..self.clone() })
    }
}

impl Boards {
    fn cell_text(&self, index: usize) -> (Tone, String) {
        let board = board_of(index);
        let place = index / SIZE % SIDE * SIDE + index % SIDE;
        let mark = self.cells.get(index).copied().flatten();
        let own = |seat: Seat, stress| Tone { ink: Some(LOOKS[seat.index()].ink), stress };
        let letter = |seat: Seat| LOOKS[seat.index()].glyph.letter;
        let in_line = place == SIZE / 2 && self.lines.iter().any(|line| line.contains(&board));
        match (self.fates.get(board), mark.map(|mark| mark.seat)) {
            (Some(Fate::Won(winner)), _) if in_line => (own(*winner, Stress::Line), format!("[{}]", letter(*winner))),
            (_, Some(seat)) if self.last.contains(&index) => (own(seat, Stress::Last), format!("({})", letter(seat))),
            (Some(Fate::Won(winner)), _) => (own(*winner, Stress::None), BIG[winner.index()][place].to_owned()),
            (Some(Fate::Drawn), _) => (Tone { ink: None, stress: Stress::Faint }, " - ".to_owned()),
            (_, Some(seat)) => (own(seat, Stress::None), format!(" {} ", letter(seat))),
            (Some(Fate::Active), None) => (Tone { ink: None, stress: Stress::Faint }, " . ".to_owned()),
            (_, None) => (Tone::default(), "   ".to_owned()),
        }
    }

    /// Returns a cell as a picture of its own: on a finished board a ninth of its sign.
    fn tile(&self, cell: usize, playable: bool) -> Tile {
        let (board, half) = (board_of(cell), TILE / 2);
        let mark = self.cells.get(cell).copied().flatten();
        let last = self.last.contains(&cell);
        let sign = match self.fates.get(board) {
            Some(Fate::Won(seat)) => Some(Ok(*seat)),
            Some(Fate::Drawn) => Some(Err(())),
            _ => None,
        };
        if let Some(sign) = sign {
            return self.ninth(cell, sign);
        }
        let line = if self.fates.get(board) == Some(&Fate::Active) { palette::ACTIVE } else { palette::RULE };
        let mut body = mosaic::ground(TILE, TILE, palette::FIELD);
        body += &format!(
            "<path d=\"M-{half}-{half}h{TILE}v{TILE}h-{TILE}z\" fill=\"none\" stroke=\"{line}\" stroke-width=\"2\"/>\n"
        );
        if playable {
            body += &format!("<circle r=\"4\" fill=\"{}\"/>\n", palette::ACTIVE);
        }
        if let Some(Piece { seat, glyph }) = mark {
            let symbol = symbol("mark", glyph.form, seat, LOOKS[seat.index()].ink, TILE as usize);
            let corners = if last { corners("last", TILE * 2 / 5, 3, false) } else { String::new() };
            body += &format!("<g fill=\"none\" stroke-linecap=\"round\">{symbol}{corners}</g>\n");
        }
        let words = mosaic::words(&cell::name(cell, SIZE, SIZE), mark.map(|mark| mark.glyph.name), last);
        Tile { cell: Some(cell), words, width: TILE, picture: mosaic::picture(TILE, TILE, &body) }
    }

    /// Returns a ninth of a finished board, with the sign of who has won it; the one in the middle says that in words.
    fn ninth(&self, cell: usize, sign: Result<Seat, ()>) -> Tile {
        let (board, size) = (board_of(cell), SIDE as u32 * TILE);
        let (right, down) = ((cell % SIDE) as u32 * TILE, (cell / SIZE % SIDE) as u32 * TILE);
        let view = format!(
            "{} {} {TILE} {TILE}",
            i64::from(right) - i64::from(size / 2),
            i64::from(down) - i64::from(size / 2)
        );
        let (symbol, fate) = match sign {
            Ok(seat) => {
                let Look { ink, glyph } = LOOKS[seat.index()];
                (symbol("whole", glyph.form, seat, ink, size as usize), format!("won by {}", glyph.name))
            }
            Err(()) => (drawn(size as usize), "drawn".to_owned()),
        };
        let ended = self.last.iter().any(|last| board_of(*last) == board);
        let corners = if ended { corners("last", size / 2 - 8, 4, false) } else { String::new() };
        let half = size / 2;
        let edge = format!("M-{half}-{half}h{size}v{size}h-{size}z");
        let body = format!(
            "{}<g fill=\"none\" stroke-linecap=\"round\"><path d=\"{edge}\" stroke=\"{}\" stroke-width=\"2\"/>{symbol}{corners}</g>\n",
            mosaic::ground(size, size, palette::SHADE),
            palette::RULE
        );
        let middle = cell / SIZE % SIDE * SIDE + cell % SIDE == SIZE / 2;
        let words = if middle { format!("board {board}: {fate}") } else { String::new() };
        Tile { cell: Some(cell), words, width: TILE, picture: mosaic::part(TILE, TILE, &view, &body) }
    }

    /// Draws the boards without any marks: those that can be played in have a frame, and dots in their free cells.
    fn ground(&self, plan: &Plan, drawing: &mut Drawing) {
        let (mut ground, mut inner, mut frames) = (vec![paper(drawing.width, drawing.height)], Vec::new(), Vec::new());
        for (board, fate) in self.fates.iter().enumerate() {
            let ((x, y), size) = (corner(plan, board), SIDE * plan.cell);
            let finished = matches!(fate, Fate::Won(_) | Fate::Drawn);
            let fill = if finished { palette::SHADE } else { palette::FIELD };
            let rect =
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"8\" fill=\"{fill}\"/>");
            ground.push(rect.into());
            if !finished {
                inner.push(format!("<use href=\"#rules\" x=\"{x}\" y=\"{y}\"/>").into());
            }
            if *fate == Fate::Active {
                let (x, y, size) = (x - 3, y - 3, size + 6);
                let rect = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"10\"/>");
                frames.push(rect.into());
            }
        }
        let free = |cell: &usize| self.cells[*cell].is_none() && self.fates.get(board_of(*cell)) == Some(&Fate::Active);
        let free: Vec<usize> = (0..self.cells.len()).filter(free).collect();
        let dot = |cell: &usize| {
            let (x, y) = plan.centre(*cell);
            format!("M{x} {y}h0")
        };
        let dots = free.chunks(9).map(|cells| cells.iter().map(dot).collect::<String>());
        let dots = dots.map(|dots| format!("<path d=\"{dots}\"/>").into());
        let (rule, active) = (palette::RULE, palette::ACTIVE);
        drawing.layer(format!("stroke=\"{rule}\" stroke-width=\"2\""), ground);
        drawing.layer(format!("stroke=\"{rule}\" stroke-width=\"2\""), inner);
        drawing.layer(format!("fill=\"none\" stroke=\"{active}\" stroke-width=\"5\""), frames);
        drawing.layer(format!("stroke=\"{active}\" stroke-width=\"6\" stroke-linecap=\"round\""), dots.collect());
    }

    /// Returns the marks on boards that are not finished, and one big sign on each that is.
    fn marks(&self, plan: &Plan) -> Vec<Shape> {
        let open = |cell: usize| matches!(self.fates.get(board_of(cell)), Some(Fate::Active | Fate::Waiting));
        let small = self.cells.iter().enumerate().filter(|(cell, _)| open(*cell));
        let small = small.filter_map(|(cell, mark)| Some(Shape::mark((*mark)?.glyph.letter, plan.centre(cell))));
        let big = self.fates.iter().enumerate().filter_map(|(board, fate)| {
            let sign = match fate {
                Fate::Active | Fate::Waiting => return None,
                Fate::Won(seat) => big_id(*seat),
                Fate::Drawn => "drawn",
            };
            Some(Shape::mark(sign, centre(plan, board)))
        });
        small.chain(big).collect()
    }
}

/// Returns the top left corner of a board.
fn corner(plan: &Plan, board: usize) -> (usize, usize) {
    plan.corner(board / SIDE * SIDE, board % SIDE * SIDE)
}

/// Returns the middle of a board.
fn centre(plan: &Plan, board: usize) -> (u32, u32) {
    let ((x, y), half) = (corner(plan, board), SIDE * plan.cell / 2);
    ((x + half) as u32, (y + half) as u32)
}

/// Returns the id of the symbol for a board that a seat has won.
fn big_id(seat: Seat) -> &'static str {
    if seat == Seat::First { "XX" } else { "OO" }
}

/// Adds the symbols that are as big as a board.
fn symbols(plan: &Plan, drawing: &mut Drawing, still: &Still) {
    let size = SIDE * plan.cell;
    for seat in Seat::BOTH {
        let (Piece { glyph, .. }, id) = (piece(&LOOKS, seat), big_id(seat));
        still.symbol(drawing, id, &|| symbol(id, glyph.form, seat, LOOKS[seat.index()].ink, size));
    }
    still.symbol(drawing, "rules", &|| format!("<path id=\"rules\" d=\"{}\"/>", rules(0, 0, SIDE, SIDE, plan.cell)));
    still.symbol(drawing, "drawn", &|| drawn(size));
    still.symbol(drawing, "whole", &|| corners("whole", (size / 2 - 8) as u32, 4, false));
}

/// Returns the symbol for a drawn board of this size.
fn drawn(size: usize) -> String {
    let (wide, half) = (size / 10, size / 5);
    format!(
        "<path id=\"drawn\" d=\"M-{half}-{wide}h{0}m-{0} {1}h{0}\" stroke=\"{2}\" stroke-width=\"{3}\"/>",
        half * 2,
        wide * 2,
        palette::MUTED,
        wide * 9 / 10
    )
}
