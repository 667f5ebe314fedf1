//! The nine boards as people see them.
//!
//! In text the boards that can be played in have dots in their free cells, those that are won are one big mark, and those
//! that are drawn are full of dashes.

use game::board::drawing::caption::Caption;
use game::board::drawing::layout::{GridLayout, add_glow, grid_lines};
use game::board::drawing::pieces::piece_symbol;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::drawing::{Drawing, Shape, corners_symbol, palette, paper};
use game::board::piece::{Piece, PieceStyle, ordinary_piece, swap_seats};
use game::board::text::{Emphasis, Text, Tone, column_letters};
use game::board::tile_board::{self, Tile, TileBoard, TileRow};
use game::board::{Board, description};
use game::cell;
use game::seat::Seat;

use crate::marks::STYLES;

/// The cells of a board on a side, and the boards on a side.
const SIDE: usize = 3;
/// The cells of the whole on a side.
const SIZE: usize = SIDE * SIDE;
/// The length of a side of all boards together in drawings, without what is between them.
const BOARD_LENGTH: usize = 342;
/// The room between two boards.
const BOARD_GAP: usize = 14;
/// The side of a cell that is a picture of its own, and the room between two boards of such cells.
const TILE_SIZE: u32 = 40;
const TILE_GAP: u32 = 8;
/// The cells of a board that a seat has won, as text: one big mark.
const BIG_MARKS: [[&str; SIZE]; 2] = [
    ["  \\", "   ", "/  ", "   ", " X ", "   ", "  /", "   ", "\\  "],
    ["  /", "---", "\\  ", " | ", " O ", " | ", "  \\", "---", "/  "],
];

/// A square of square boards; a1 is at the bottom left of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UltimateBoard {
    /// The mark in each cell, `None` if it is free: row by row from the top left of the whole.
    pub cells: Vec<Option<Piece>>,
    /// The state of each board: row by row from the top left.
    pub statuses: Vec<BoardStatus>,
    /// The cell of the last move.
    pub last: Vec<usize>,
    /// The completed lines, each as its boards from one end to the other.
    pub lines: Vec<Vec<usize>>,
}

/// The state of one of several boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStatus {
    /// The next mark can go here.
    Active,
    /// The board is not finished, but the next mark cannot go here.
    Inactive,
    /// The seat has won the board.
    Won(Seat),
    /// The board is full, and neither side has won it.
    Drawn,
}

/// Returns the board that a cell of the whole is on.
fn board_of(cell: usize) -> usize {
    cell / SIZE / SIDE * SIDE + cell % SIZE / SIDE
}

impl Board for UltimateBoard {
    fn text(&self) -> Text {
        let mut text = Text::default();
        for row in 0..SIZE {
            if row > 0 && row % SIDE == 0 {
                text.push_line(format!("  {}", vec!["---".repeat(SIDE); SIDE].join("+")));
            }
            text.push_plain(format!("{} ", SIZE - row));
            for column in 0..SIZE {
                if column > 0 && column % SIDE == 0 {
                    text.push_plain("|");
                }
                let (tone, cell) = self.cell_text(row * SIZE + column);
                text.push(tone, cell);
            }
            text.end_line();
        }
        let names: Vec<String> = column_letters(SIZE).collect();
        let names: Vec<String> = names.chunks(SIDE).map(<[String]>::concat).collect();
        text.push_line(format!("  {}", names.join(" ")));
        text
    }

    fn description(&self) -> String {
        let name = |index: usize| cell::name(index, SIZE, SIZE);
        let mut sentences = vec![format!("{SIZE} boards, numbered from 0 at the top left.")];
        for (board, fate) in self.statuses.iter().enumerate() {
            let fate = match fate {
                BoardStatus::Active => "is open".to_owned(),
                BoardStatus::Inactive => "is closed for now".to_owned(),
                BoardStatus::Won(seat) => format!("is won by {}", STYLES[seat.index()].glyph.name),
                BoardStatus::Drawn => "is drawn".to_owned(),
            };
            let mut parts = vec![format!("Board {board} {fate}")];
            parts.extend(description::piece_list(&self.cells, &name, |index| board_of(index) == board));
            sentences.push(format!("{}.", parts.join("; ")));
        }
        if !self.last.is_empty() {
            sentences.push(format!("The {}.", description::last_move(&self.last, &name)));
        }
        let number = |board: usize| board.to_string();
        sentences.extend(
            self.lines.iter().map(|line| format!("A line from board {}.", description::line_ends(line, &number))),
        );
        sentences.join(" ")
    }

    fn mark_last_move(&mut self, cell: usize) {
        self.last.push(cell);
    }

    fn drawing(&self, strip: &Caption, still: &SharedLayers) -> Drawing {
        let plan = GridLayout::new(SIZE, SIZE, BOARD_LENGTH, BOARD_GAP, SIDE);
        let mut drawing = plan.drawing(&STYLES, std::iter::empty(), !self.last.is_empty(), still);
        add_symbols(&plan, &mut drawing, still);
        self.draw_background(&plan, &mut drawing);
        let lines: Vec<Shape> =
            self.lines.iter().filter_map(|line| plan.line_through(line, |board| board_center(&plan, board))).collect();
        add_glow(&mut drawing, &lines, SIDE * plan.cell * 4 / 5);
        drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", self.mark_shapes(&plan));
        let last = self.last.iter().map(|cell| match self.statuses.get(board_of(*cell)) {
            // The move that completed a board is marked around all of it: its own cell is not to be seen any more.
            Some(BoardStatus::Won(_) | BoardStatus::Drawn) => {
                Shape::mark("whole", board_center(&plan, board_of(*cell)))
            }
            _ => Shape::mark("last", plan.cell_center(*cell)),
        });
        plan.finish(&mut drawing, strip, &STYLES, last.collect(), still);
        drawing
    }

    fn page_width(&self) -> usize {
        440
    }

    fn tile_board(&self, playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        let gap = || Tile::blank(TILE_GAP, TILE_SIZE);
        let mut tile_board = TileBoard { rows: Vec::new(), page_width: 500 };
        for row in 0..SIZE {
            if row > 0 && row % SIDE == 0 {
                let tiles = vec![Tile::blank(tile_board.width(), TILE_GAP)];
                tile_board.rows.push(TileRow { name: None, tiles });
            }
            let label = (SIZE - row).to_string();
            let mut tiles = vec![tile_board::row_number_tile(&label, TILE_SIZE)];
            for column in 0..SIZE {
                tiles.extend((column > 0 && column % SIDE == 0).then(gap));
                let cell = row * SIZE + column;
                tiles.push(self.tile(cell, playable(cell)));
            }
            tile_board.rows.push(TileRow { name: Some(format!("Row {label}")), tiles });
        }
        let width = tile_board.width();
        let centre = |column: u32| {
            width - (SIZE as u32 - column) * TILE_SIZE + TILE_SIZE / 2 - (2 - column / SIDE as u32) * TILE_GAP
        };
        tile_board.rows.push(tile_board::column_letters_row((0..).map(centre).zip('a'..='i'), width, TILE_SIZE));
        Some(tile_board)
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        let won =
            |fate: &BoardStatus| if let BoardStatus::Won(seat) = fate { BoardStatus::Won(seat.other()) } else { *fate };
        let fates = self.statuses.iter().map(won).collect();
        Box::new(UltimateBoard { cells: swap_seats(&self.cells, &STYLES), statuses: fates, ..self.clone() })
    }
}

impl UltimateBoard {
    fn cell_text(&self, index: usize) -> (Tone, String) {
        let board = board_of(index);
        let place = index / SIZE % SIDE * SIDE + index % SIDE;
        let mark = self.cells.get(index).copied().flatten();
        let own = |seat: Seat, stress| Tone { ink: Some(STYLES[seat.index()].ink), emphasis: stress };
        let letter = |seat: Seat| STYLES[seat.index()].glyph.letter;
        let in_line = place == SIZE / 2 && self.lines.iter().any(|line| line.contains(&board));
        match (self.statuses.get(board), mark.map(|mark| mark.seat)) {
            (Some(BoardStatus::Won(winner)), _) if in_line => {
                (own(*winner, Emphasis::WinningLine), format!("[{}]", letter(*winner)))
            }
            (_, Some(seat)) if self.last.contains(&index) => {
                (own(seat, Emphasis::LastMove), format!("({})", letter(seat)))
            }
            (Some(BoardStatus::Won(winner)), _) => {
                (own(*winner, Emphasis::None), BIG_MARKS[winner.index()][place].to_owned())
            }
            (Some(BoardStatus::Drawn), _) => (Tone { ink: None, emphasis: Emphasis::Dim }, " - ".to_owned()),
            (_, Some(seat)) => (own(seat, Emphasis::None), format!(" {} ", letter(seat))),
            (Some(BoardStatus::Active), None) => (Tone { ink: None, emphasis: Emphasis::Dim }, " . ".to_owned()),
            (_, None) => (Tone::default(), "   ".to_owned()),
        }
    }

    /// Returns a cell as a picture of its own: on a finished board a ninth of its sign.
    fn tile(&self, cell: usize, playable: bool) -> Tile {
        let (board, half) = (board_of(cell), TILE_SIZE / 2);
        let mark = self.cells.get(cell).copied().flatten();
        let last = self.last.contains(&cell);
        let sign = match self.statuses.get(board) {
            Some(BoardStatus::Won(seat)) => Some(Ok(*seat)),
            Some(BoardStatus::Drawn) => Some(Err(())),
            _ => None,
        };
        if let Some(sign) = sign {
            return self.finished_board_tile(cell, sign);
        }
        let line =
            if self.statuses.get(board) == Some(&BoardStatus::Active) { palette::ACTIVE } else { palette::GRID_LINE };
        let mut body = tile_board::background(TILE_SIZE, TILE_SIZE, palette::OPEN_CELL);
        body += &format!(
            "<path d=\"M-{half}-{half}h{TILE_SIZE}v{TILE_SIZE}h-{TILE_SIZE}z\" fill=\"none\" stroke=\"{line}\" stroke-width=\"2\"/>\n"
        );
        if playable {
            body += &format!("<circle r=\"4\" fill=\"{}\"/>\n", palette::ACTIVE);
        }
        if let Some(Piece { seat, glyph }) = mark {
            let symbol = piece_symbol("mark", glyph.form, seat, STYLES[seat.index()].ink, TILE_SIZE as usize);
            let corners = if last { corners_symbol("last", TILE_SIZE * 2 / 5, 3, false) } else { String::new() };
            body += &format!("<g fill=\"none\" stroke-linecap=\"round\">{symbol}{corners}</g>\n");
        }
        let words = tile_board::alt_text(&cell::name(cell, SIZE, SIZE), mark.map(|mark| mark.glyph.name), last);
        Tile {
            cell: Some(cell),
            alt_text: words,
            width: TILE_SIZE,
            svg: tile_board::centered_svg(TILE_SIZE, TILE_SIZE, &body),
        }
    }

    /// Returns a ninth of a finished board, with the sign of who has won it; the one in the middle says that in words.
    fn finished_board_tile(&self, cell: usize, sign: Result<Seat, ()>) -> Tile {
        let (board, size) = (board_of(cell), SIDE as u32 * TILE_SIZE);
        let (right, down) = ((cell % SIDE) as u32 * TILE_SIZE, (cell / SIZE % SIDE) as u32 * TILE_SIZE);
        let view = format!(
            "{} {} {TILE_SIZE} {TILE_SIZE}",
            i64::from(right) - i64::from(size / 2),
            i64::from(down) - i64::from(size / 2)
        );
        let (symbol, fate) = match sign {
            Ok(seat) => {
                let PieceStyle { ink, glyph } = STYLES[seat.index()];
                (piece_symbol("whole", glyph.form, seat, ink, size as usize), format!("won by {}", glyph.name))
            }
            Err(()) => (drawn_symbol(size as usize), "drawn".to_owned()),
        };
        let ended = self.last.iter().any(|last| board_of(*last) == board);
        let corners = if ended { corners_symbol("last", size / 2 - 8, 4, false) } else { String::new() };
        let half = size / 2;
        let edge = format!("M-{half}-{half}h{size}v{size}h-{size}z");
        let body = format!(
            "{}<g fill=\"none\" stroke-linecap=\"round\"><path d=\"{edge}\" stroke=\"{}\" stroke-width=\"2\"/>{symbol}{corners}</g>\n",
            tile_board::background(size, size, palette::CLOSED_CELL),
            palette::GRID_LINE
        );
        let middle = cell / SIZE % SIDE * SIDE + cell % SIDE == SIZE / 2;
        let words = if middle { format!("board {board}: {fate}") } else { String::new() };
        Tile {
            cell: Some(cell),
            alt_text: words,
            width: TILE_SIZE,
            svg: tile_board::cropped_svg(TILE_SIZE, TILE_SIZE, &view, &body),
        }
    }

    /// Draws the boards without any marks: those that can be played in have a frame, and dots in their free cells.
    fn draw_background(&self, plan: &GridLayout, drawing: &mut Drawing) {
        let (mut ground, mut inner, mut frames) = (vec![paper(drawing.width, drawing.height)], Vec::new(), Vec::new());
        for (board, fate) in self.statuses.iter().enumerate() {
            let ((x, y), size) = (board_corner(plan, board), SIDE * plan.cell);
            let finished = matches!(fate, BoardStatus::Won(_) | BoardStatus::Drawn);
            let fill = if finished { palette::CLOSED_CELL } else { palette::OPEN_CELL };
            let rect =
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"8\" fill=\"{fill}\"/>");
            ground.push(rect.into());
            if !finished {
                inner.push(format!("<use href=\"#rules\" x=\"{x}\" y=\"{y}\"/>").into());
            }
            if *fate == BoardStatus::Active {
                let (x, y, size) = (x - 3, y - 3, size + 6);
                let rect = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"10\"/>");
                frames.push(rect.into());
            }
        }
        let free = |cell: &usize| {
            self.cells[*cell].is_none() && self.statuses.get(board_of(*cell)) == Some(&BoardStatus::Active)
        };
        let free: Vec<usize> = (0..self.cells.len()).filter(free).collect();
        let dot = |cell: &usize| {
            let (x, y) = plan.cell_center(*cell);
            format!("M{x} {y}h0")
        };
        let dots = free.chunks(9).map(|cells| cells.iter().map(dot).collect::<String>());
        let dots = dots.map(|dots| format!("<path d=\"{dots}\"/>").into());
        let (rule, active) = (palette::GRID_LINE, palette::ACTIVE);
        drawing.add_layer(format!("stroke=\"{rule}\" stroke-width=\"2\""), ground);
        drawing.add_layer(format!("stroke=\"{rule}\" stroke-width=\"2\""), inner);
        drawing.add_layer(format!("fill=\"none\" stroke=\"{active}\" stroke-width=\"5\""), frames);
        drawing.add_layer(format!("stroke=\"{active}\" stroke-width=\"6\" stroke-linecap=\"round\""), dots.collect());
    }

    /// Returns the marks on boards that are not finished, and one big sign on each that is.
    fn mark_shapes(&self, plan: &GridLayout) -> Vec<Shape> {
        let open = |cell: usize| {
            matches!(self.statuses.get(board_of(cell)), Some(BoardStatus::Active | BoardStatus::Inactive))
        };
        let small = self.cells.iter().enumerate().filter(|(cell, _)| open(*cell));
        let small = small.filter_map(|(cell, mark)| Some(Shape::mark((*mark)?.glyph.letter, plan.cell_center(cell))));
        let big = self.statuses.iter().enumerate().filter_map(|(board, fate)| {
            let sign = match fate {
                BoardStatus::Active | BoardStatus::Inactive => return None,
                BoardStatus::Won(seat) => winner_symbol_id(*seat),
                BoardStatus::Drawn => "drawn",
            };
            Some(Shape::mark(sign, board_center(plan, board)))
        });
        small.chain(big).collect()
    }
}

/// Returns the top left corner of a board.
fn board_corner(plan: &GridLayout, board: usize) -> (usize, usize) {
    plan.cell_corner(board / SIDE * SIDE, board % SIDE * SIDE)
}

/// Returns the middle of a board.
fn board_center(plan: &GridLayout, board: usize) -> (u32, u32) {
    let ((x, y), half) = (board_corner(plan, board), SIDE * plan.cell / 2);
    ((x + half) as u32, (y + half) as u32)
}

/// Returns the id of the symbol for a board that a seat has won.
fn winner_symbol_id(seat: Seat) -> &'static str {
    if seat == Seat::First { "XX" } else { "OO" }
}

/// Adds the symbols that are as big as a board.
fn add_symbols(plan: &GridLayout, drawing: &mut Drawing, still: &SharedLayers) {
    let size = SIDE * plan.cell;
    for seat in Seat::BOTH {
        let (Piece { glyph, .. }, id) = (ordinary_piece(&STYLES, seat), winner_symbol_id(seat));
        still.add_symbol(drawing, id, &|| piece_symbol(id, glyph.form, seat, STYLES[seat.index()].ink, size));
    }
    still.add_symbol(drawing, "rules", &|| {
        format!("<path id=\"rules\" d=\"{}\"/>", grid_lines(0, 0, SIDE, SIDE, plan.cell))
    });
    still.add_symbol(drawing, "drawn", &|| drawn_symbol(size));
    still.add_symbol(drawing, "whole", &|| corners_symbol("whole", (size / 2 - 8) as u32, 4, false));
}

/// Returns the symbol for a drawn board of this size.
fn drawn_symbol(size: usize) -> String {
    let (wide, half) = (size / 10, size / 5);
    format!(
        "<path id=\"drawn\" d=\"M-{half}-{wide}h{0}m-{0} {1}h{0}\" stroke=\"{2}\" stroke-width=\"{3}\"/>",
        half * 2,
        wide * 2,
        palette::MUTED,
        wide * 9 / 10
    )
}
