//! The nine boards, ready to be rendered.

use game::board::{ordinary_piece, swap_seats};
use game::{
    Board, Caption, Display, Drawing, Emphasis, GridLayout, Piece, PieceStyle, PlayerLines, Seat, Shape, SharedLayers,
    SideFacts, TerminalStyle, Text, TextStyle, Tile, TileBoard, TileRow, add_glow, board, cell, column_letters,
    corners_symbol, grid_lines, last_cell_symbol, palette, paper, piece_symbol, tile_board,
};

use crate::tic_tac_toe::lines;
use crate::ultimate_tic_tac_toe::{Move, SubBoardStatus, UltimateTicTacToe, position};
use crate::{Mark, STYLES};

/// The cells along a side of one board, and the boards along a side of the whole board.
const SIDE: usize = 3;
/// The cells along a side of the whole board.
pub(super) const SIZE: usize = SIDE * SIDE;

/// The nine boards. Cell a1 is at the bottom left of the whole board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UltimateBoard {
    /// The marks of all 81 cells, row by row from the top left of the whole board; `None` if free.
    pub cells: Vec<Option<Piece>>,
    /// The status of each board, row by row from the top left.
    pub statuses: Vec<BoardStatus>,
    /// The cells of the last move.
    pub last_move: Vec<usize>,
    /// The boards of each completed line, from end to end.
    pub lines: Vec<Vec<usize>>,
}

/// The status of one of the nine boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStatus {
    /// The next mark can go here.
    Active,
    /// The board isn't finished, but the next mark can't go here.
    Inactive,
    /// The seat has won the board.
    Won(Seat),
    /// The board is full, and neither side has won it.
    Drawn,
}

/// Returns the index of the board that contains a cell of the whole board.
fn board_of(cell: usize) -> usize {
    cell / SIZE / SIDE * SIDE + cell % SIZE / SIDE
}

// The nine boards as text.
//
// Free cells of active boards are dots, a won board is one big mark, and a drawn board is full of dashes.

/// The text of the cells of a won board, by seat. Together they form one big mark.
const BIG_MARKS: [[&str; SIZE]; 2] = [
    ["  \\", "   ", "/  ", "   ", " X ", "   ", "  /", "   ", "\\  "],
    ["  /", "---", "\\  ", " | ", " O ", " | ", "  \\", "---", "/  "],
];
/// The same in a terminal that shows Unicode.
const UNICODE_BIG_MARKS: [[&str; SIZE]; 2] = [
    ["  ╲", "   ", "╱  ", "   ", " ╳ ", "   ", "  ╱", "   ", "╲  "],
    ["  ╭", "───", "╮  ", " │ ", " O ", " │ ", "  ╰", "───", "╯  "],
];

/// Returns the boards in ASCII or Unicode.
fn board_text(board: &UltimateBoard, unicode: bool) -> Text {
    let [line, crossing, wall] = if unicode { ["─", "┼", "│"] } else { ["-", "+", "|"] };
    let mut text = Text::default();
    for row in 0..SIZE {
        if row > 0 && row % SIDE == 0 {
            text.push_line(format!("  {}", vec![line.repeat(3 * SIDE); SIDE].join(crossing)));
        }
        text.push_plain(format!("{} ", SIZE - row));
        for column in 0..SIZE {
            if column > 0 && column % SIDE == 0 {
                text.push_plain(wall);
            }
            let (text_style, cell) = cell_text(board, row * SIZE + column, unicode);
            text.push(text_style, cell);
        }
        text.end_line();
    }
    let names: Vec<String> = column_letters(SIZE).collect();
    let names: Vec<String> = names.chunks(SIDE).map(<[String]>::concat).collect();
    text.push_line(format!("  {}", names.join(" ")));
    text
}

fn cell_text(board: &UltimateBoard, index: usize, unicode: bool) -> (TextStyle, String) {
    let number = board_of(index);
    let cell = index / SIZE % SIDE * SIDE + index % SIDE;
    let mark = board.cells.get(index).copied().flatten();
    let text_style = |seat: Seat, emphasis| TextStyle { color: Some(STYLES[seat.index()].color), emphasis };
    let letter = |seat: Seat| STYLES[seat.index()].kind.letter;
    let in_line = cell == SIZE / 2 && board.lines.iter().any(|line| line.contains(&number));
    match (board.statuses.get(number), mark.map(|mark| mark.seat)) {
        (Some(BoardStatus::Won(winner)), _) if in_line => {
            (text_style(*winner, Emphasis::WinningLine), format!("[{}]", letter(*winner)))
        }
        (_, Some(seat)) if board.last_move.contains(&index) => {
            (text_style(seat, Emphasis::LastMove), format!("({})", letter(seat)))
        }
        (Some(BoardStatus::Won(winner)), _) => {
            let marks = if unicode { UNICODE_BIG_MARKS } else { BIG_MARKS };
            (text_style(*winner, Emphasis::None), marks[winner.index()][cell].to_owned())
        }
        (Some(BoardStatus::Drawn), _) => (TextStyle { color: None, emphasis: Emphasis::Dim }, " - ".to_owned()),
        (_, Some(seat)) => (text_style(seat, Emphasis::None), format!(" {} ", letter(seat))),
        (Some(BoardStatus::Active), None) => {
            (TextStyle { color: None, emphasis: Emphasis::Dim }, if unicode { " · " } else { " . " }.to_owned())
        }
        (_, None) => (TextStyle::default(), "   ".to_owned()),
    }
}

// The nine boards as clickable tiles.

/// The size of a cell's tile, in pixels.
const TILE_SIZE: u32 = 40;
/// The gap between two boards of tiles, in pixels.
const TILE_GAP: u32 = 8;

/// Returns the tile of a cell. On a finished board, this is a ninth of the board's symbol.
fn tile(board: &UltimateBoard, cell: usize, playable: bool) -> Tile {
    let number = board_of(cell);
    let mark = board.cells.get(cell).copied().flatten();
    let is_last_move = board.last_move.contains(&cell);
    match board.statuses.get(number) {
        Some(BoardStatus::Won(seat)) => return finished_board_tile(board, cell, Some(*seat)),
        Some(BoardStatus::Drawn) => return finished_board_tile(board, cell, None),
        _ => {}
    }
    let line =
        if board.statuses.get(number) == Some(&BoardStatus::Active) { palette::ACTIVE } else { palette::GRID_LINE };
    let mut body = tile_board::background(TILE_SIZE, TILE_SIZE, palette::OPEN_CELL);
    body += &tile_board::edge(TILE_SIZE, line);
    if playable {
        body += &format!("<circle r=\"4\" fill=\"{}\"/>\n", palette::ACTIVE);
    }
    if let Some(Piece { seat, kind }) = mark {
        let symbol = piece_symbol("mark", kind.form, seat, STYLES[seat.index()].color, TILE_SIZE as usize);
        let corners = if is_last_move { last_cell_symbol(TILE_SIZE as usize, 3, false) } else { String::new() };
        body += &format!("<g fill=\"none\" stroke-linecap=\"round\">{symbol}{corners}</g>\n");
    }
    let name = cell::name(cell, SIZE, SIZE);
    Tile {
        cell: Some(cell),
        alt_text: tile_board::alt_text(&name, mark.map(|mark| mark.kind.name), is_last_move),
        width: TILE_SIZE,
        svg: tile_board::centered_svg(TILE_SIZE, TILE_SIZE, &body),
    }
}

/// Returns a ninth of a finished board, with the symbol of its winner or of a draw. The alt text is on the middle tile.
fn finished_board_tile(board: &UltimateBoard, cell: usize, winner: Option<Seat>) -> Tile {
    let (number, size) = (board_of(cell), SIDE as u32 * TILE_SIZE);
    let (right, down) = ((cell % SIDE) as u32 * TILE_SIZE, (cell / SIZE % SIDE) as u32 * TILE_SIZE);
    let view = format!(
        "{} {} {TILE_SIZE} {TILE_SIZE}",
        i64::from(right) - i64::from(size / 2),
        i64::from(down) - i64::from(size / 2)
    );
    let (symbol, status) = match winner {
        Some(seat) => {
            let PieceStyle { color, kind } = STYLES[seat.index()];
            (piece_symbol("whole", kind.form, seat, color, size as usize), format!("won by {}", kind.name))
        }
        None => (drawn_symbol(size as usize), "drawn".to_owned()),
    };
    let has_last_move = board.last_move.iter().any(|last| board_of(*last) == number);
    let corners = if has_last_move { corners_symbol("last", size / 2 - 8, 4, false) } else { String::new() };
    let body = format!(
        "{}{}<g fill=\"none\" stroke-linecap=\"round\">{symbol}{corners}</g>\n",
        tile_board::background(size, size, palette::CLOSED_CELL),
        tile_board::edge(size, palette::GRID_LINE)
    );
    let is_middle = cell / SIZE % SIDE * SIDE + cell % SIDE == SIZE / 2;
    Tile {
        cell: Some(cell),
        alt_text: if is_middle { format!("board {number}: {status}") } else { String::new() },
        width: TILE_SIZE,
        svg: tile_board::cropped_svg(TILE_SIZE, TILE_SIZE, &view, &body),
    }
}

// The nine boards as a drawing.

/// The total width of the boards in drawings, in pixels, without the gaps.
const BOARD_LENGTH: usize = 342;
/// The gap between two boards, in pixels.
const BOARD_GAP: usize = 14;

/// Draws the boards without their marks. Active boards get a frame, and dots in their free cells.
fn draw_background(board: &UltimateBoard, layout: &GridLayout, drawing: &mut Drawing) {
    let (mut boards, mut grids, mut frames) = (vec![paper(drawing.width, drawing.height)], Vec::new(), Vec::new());
    for (number, status) in board.statuses.iter().enumerate() {
        let ((x, y), size) = (board_corner(layout, number), SIDE * layout.cell);
        let is_finished = matches!(status, BoardStatus::Won(_) | BoardStatus::Drawn);
        let fill = if is_finished { palette::CLOSED_CELL } else { palette::OPEN_CELL };
        let rect = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"8\" fill=\"{fill}\"/>");
        boards.push(rect.into());
        if !is_finished {
            grids.push(format!("<use href=\"#rules\" x=\"{x}\" y=\"{y}\"/>").into());
        }
        if *status == BoardStatus::Active {
            let (x, y, size) = (x - 3, y - 3, size + 6);
            let rect = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"10\"/>");
            frames.push(rect.into());
        }
    }
    let is_playable = |cell: &usize| {
        board.cells[*cell].is_none() && board.statuses.get(board_of(*cell)) == Some(&BoardStatus::Active)
    };
    let playable: Vec<usize> = (0..board.cells.len()).filter(is_playable).collect();
    let dot = |cell: &usize| {
        let (x, y) = layout.cell_center(*cell);
        format!("M{x} {y}h0")
    };
    let dots = playable.chunks(9).map(|cells| cells.iter().map(dot).collect::<String>());
    let dots = dots.map(|dots| format!("<path d=\"{dots}\"/>").into());
    let (line, active) = (palette::GRID_LINE, palette::ACTIVE);
    drawing.add_layer(format!("stroke=\"{line}\" stroke-width=\"2\""), boards);
    drawing.add_layer(format!("stroke=\"{line}\" stroke-width=\"2\""), grids);
    drawing.add_layer(format!("fill=\"none\" stroke=\"{active}\" stroke-width=\"5\""), frames);
    drawing.add_layer(format!("stroke=\"{active}\" stroke-width=\"6\" stroke-linecap=\"round\""), dots.collect());
}

/// Returns the marks on unfinished boards, and one big symbol for each finished board.
fn mark_shapes(board: &UltimateBoard, layout: &GridLayout) -> Vec<Shape> {
    let is_unfinished =
        |cell: usize| matches!(board.statuses.get(board_of(cell)), Some(BoardStatus::Active | BoardStatus::Inactive));
    let small = board.cells.iter().enumerate().filter(|(cell, _)| is_unfinished(*cell));
    let small = small.filter_map(|(cell, mark)| Some(Shape::mark((*mark)?.kind.letter, layout.cell_center(cell))));
    let big = board.statuses.iter().enumerate().filter_map(|(number, status)| {
        let symbol = match status {
            BoardStatus::Active | BoardStatus::Inactive => return None,
            BoardStatus::Won(seat) => winner_symbol_id(*seat),
            BoardStatus::Drawn => "drawn",
        };
        Some(Shape::mark(symbol, board_center(layout, number)))
    });
    small.chain(big).collect()
}

/// Returns the top left corner of a board.
fn board_corner(layout: &GridLayout, board: usize) -> (usize, usize) {
    layout.cell_corner(board / SIDE * SIDE, board % SIDE * SIDE)
}

/// Returns the center of a board.
fn board_center(layout: &GridLayout, board: usize) -> (u32, u32) {
    let ((x, y), half) = (board_corner(layout, board), SIDE * layout.cell / 2);
    ((x + half) as u32, (y + half) as u32)
}

/// Returns the id of the symbol for a board won by a seat.
fn winner_symbol_id(seat: Seat) -> &'static str {
    if seat == Seat::First { "XX" } else { "OO" }
}

/// Adds the symbols that have the size of a board.
fn add_symbols(layout: &GridLayout, drawing: &mut Drawing, shared: &SharedLayers) {
    let size = SIDE * layout.cell;
    for seat in Seat::BOTH {
        let (Piece { kind, .. }, id) = (ordinary_piece(&STYLES, seat), winner_symbol_id(seat));
        shared.add_symbol(drawing, id, &|| piece_symbol(id, kind.form, seat, STYLES[seat.index()].color, size));
    }
    shared.add_symbol(drawing, "rules", &|| {
        format!("<path id=\"rules\" d=\"{}\"/>", grid_lines(0, 0, SIDE, SIDE, layout.cell))
    });
    shared.add_symbol(drawing, "drawn", &|| drawn_symbol(size));
    shared.add_symbol(drawing, "whole", &|| corners_symbol("whole", (size / 2 - 8) as u32, 4, false));
}

/// Returns the symbol for a drawn board of `size` pixels.
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

// Shows a game as a board.

impl Board for UltimateBoard {
    fn text(&self) -> Text {
        board_text(self, false)
    }

    fn terminal_text(&self, style: &TerminalStyle) -> Text {
        board_text(self, style.unicode)
    }

    fn description(&self) -> String {
        let name = |index: usize| cell::name(index, SIZE, SIZE);
        let mut sentences = vec![format!("{SIZE} boards, numbered from 0 at the top left.")];
        for (board, status) in self.statuses.iter().enumerate() {
            let status = match status {
                BoardStatus::Active => "is open".to_owned(),
                BoardStatus::Inactive => "is closed for now".to_owned(),
                BoardStatus::Won(seat) => format!("is won by {}", STYLES[seat.index()].kind.name),
                BoardStatus::Drawn => "is drawn".to_owned(),
            };
            let mut parts = vec![format!("Board {board} {status}")];
            parts.extend(board::piece_list(&self.cells, &name, |index| board_of(index) == board));
            sentences.push(format!("{}.", parts.join("; ")));
        }
        if !self.last_move.is_empty() {
            sentences.push(format!("The {}.", board::last_move(&self.last_move, &name)));
        }
        let number = |board: usize| board.to_string();
        sentences
            .extend(self.lines.iter().map(|line| format!("A line from board {}.", board::line_ends(line, &number))));
        sentences.join(" ")
    }

    fn mark_last_move(&mut self, cell: usize) {
        self.last_move.push(cell);
    }

    fn drawing(&self, caption: &Caption, shared: &SharedLayers) -> Drawing {
        let layout = GridLayout::new(SIZE, SIZE, BOARD_LENGTH, BOARD_GAP, SIDE);
        let mut drawing = layout.drawing(&STYLES, std::iter::empty(), shared);
        if !self.last_move.is_empty() {
            shared.add_symbol(&mut drawing, "last", &|| last_cell_symbol(layout.cell, layout.mark_width(), false));
        }
        add_symbols(&layout, &mut drawing, shared);
        draw_background(self, &layout, &mut drawing);
        let lines: Vec<Shape> = self
            .lines
            .iter()
            .filter_map(|line| layout.line_through(line, |number| board_center(&layout, number)))
            .collect();
        add_glow(&mut drawing, &lines, SIDE * layout.cell * 4 / 5);
        drawing.add_layer("fill=\"none\" stroke-linecap=\"round\"", mark_shapes(self, &layout));
        let last_move = self.last_move.iter().flat_map(|cell| {
            // A finished board hides its cells, so another marker goes around the whole self.
            let is_hidden =
                matches!(self.statuses.get(board_of(*cell)), Some(BoardStatus::Won(_) | BoardStatus::Drawn));
            let whole = is_hidden.then(|| Shape::mark("whole", board_center(&layout, board_of(*cell))));
            whole.into_iter().chain([Shape::mark("last", layout.cell_center(*cell))])
        });
        layout.finish(&mut drawing, caption, &PlayerLines::new(&STYLES), last_move.collect(), shared);
        drawing
    }

    fn page_width(&self) -> usize {
        440
    }

    fn tile_board(&self, playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        let mut board = TileBoard { rows: Vec::new(), page_width: 500 };
        for row in 0..SIZE {
            if row > 0 && row % SIDE == 0 {
                let tiles = vec![Tile::blank(board.width(), TILE_GAP)];
                board.rows.push(TileRow { name: None, tiles });
            }
            let label = (SIZE - row).to_string();
            let mut tiles = vec![tile_board::row_number_tile(&label, TILE_SIZE)];
            for column in 0..SIZE {
                if column > 0 && column % SIDE == 0 {
                    tiles.push(Tile::blank(TILE_GAP, TILE_SIZE));
                }
                let cell = row * SIZE + column;
                tiles.push(tile(self, cell, playable(cell)));
            }
            board.rows.push(TileRow { name: Some(format!("Row {label}")), tiles });
        }
        let width = board.width();
        let center = |column: u32| {
            width - (SIZE as u32 - column) * TILE_SIZE + TILE_SIZE / 2 - (2 - column / SIDE as u32) * TILE_GAP
        };
        board.rows.push(tile_board::column_letters_row((0..).map(center).zip('a'..='i'), width, TILE_SIZE));
        Some(board)
    }

    fn side_facts(&self, seat: Seat) -> SideFacts {
        SideFacts::of_piece(STYLES[seat.index()].kind)
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        let swapped = |status: &BoardStatus| match *status {
            BoardStatus::Won(seat) => BoardStatus::Won(seat.other()),
            other => other,
        };
        let statuses = self.statuses.iter().map(swapped).collect();
        Box::new(UltimateBoard { cells: swap_seats(&self.cells, &STYLES), statuses, ..self.clone() })
    }
}

impl Display for UltimateTicTacToe {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let playable = self.playable();
        let status = |board| match self.status(board) {
            SubBoardStatus::InProgress if playable >> board & 1 == 1 => BoardStatus::Active,
            SubBoardStatus::InProgress => BoardStatus::Inactive,
            SubBoardStatus::WonX => BoardStatus::Won(Seat::First),
            SubBoardStatus::WonO => BoardStatus::Won(Seat::Second),
            SubBoardStatus::Draw => BoardStatus::Drawn,
        };
        let mark = |index| {
            let Move { board, cell } = position::move_at(index);
            self.mark(board as usize, cell as usize).map(Mark::piece)
        };
        Box::new(UltimateBoard {
            cells: (0..81).map(mark).collect(),
            statuses: (0..9).map(status).collect(),
            last_move: last.and_then(position::cell_index).into_iter().collect(),
            lines: self.winning_lines(),
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        position::cell_index(mv)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        lines::completed_lines(3, 3, |board| self.owner(board))
    }
}
