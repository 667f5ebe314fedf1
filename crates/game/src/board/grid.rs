//! A rectangular board of cells with named columns and rows, or with numbered squares.
//!
//! This file holds the board, its text and its description; `drawing` draws it.

mod drawing;

use crate::board::{legend, piece_char};
use crate::{
    Background, Board, Caption, Drawing, Emphasis, Piece, PieceKind, PieceStyle, RowOrigin, Seat, SharedLayers,
    SideFacts, TerminalStyle, Text, TextStyle, TileBoard, board, capitalize, cell, column_letters,
};

/// The longest side of a board that has lines between its cells in a terminal.
const MAX_LINED_SIZE: usize = 5;

/// The look of a game's board: everything that doesn't change from move to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardStyle {
    /// The surface.
    pub surface: Surface,
    /// The edge where row 1 is.
    pub row_origin: RowOrigin,
    /// Whether only the dark squares are cells, numbered from 1 at the top left, as in checkers.
    pub numbered: bool,
    /// The seat at the bottom of a board that can be turned; `None` if it looks the same from both sides.
    pub bottom: Option<Seat>,
    /// The kinds of pieces of a game with several, each as the first and the second seat's piece. Descriptions list them
    /// in this order.
    pub kinds: &'static [[PieceKind; 2]],
    /// The name of the pieces, if drawings show how many each side has.
    pub counted: Option<&'static str>,
}

/// The surface of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Surface {
    /// Bright cells separated by lines.
    #[default]
    Paper,
    /// Green cells separated by lines.
    Cloth,
    /// A blue frame with a hole for each piece.
    Frame,
    /// Light and dark squares. The top left square is light.
    Checkered,
}

/// A rectangular board of cells. Cells are counted from 0 at the top left, row by row, before the board is turned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of columns, at most 26.
    pub columns: usize,
    /// The cells. `None` is a free cell.
    pub cells: Vec<Option<Piece>>,
    /// The style of each seat's pieces. If there are several kinds, the kind's name is the side's.
    pub styles: [PieceStyle; 2],
    /// The cells of the last move: first the target, then the cells it came from.
    pub last_move: Vec<usize>,
    /// The cells whose pieces changed owner in the last move.
    pub changed: Vec<usize>,
    /// The completed lines, each as its cells from end to end.
    pub lines: Vec<Vec<usize>>,
    /// The cell of a king in check.
    pub check: Option<usize>,
    /// The pieces that each seat has lost, strongest first; `None` if the board doesn't show them.
    pub captured: Option<[Vec<PieceKind>; 2]>,
    /// The seat from whose side the board is shown, if it can be turned and a side was chosen.
    pub viewer: Option<Seat>,
    /// Whether text shows figurines instead of letters.
    pub figurines: bool,
    /// The look of the board.
    pub style: BoardStyle,
}

impl Grid {
    /// Returns a board of the default style that marks nothing.
    pub fn new(columns: usize, cells: Vec<Option<Piece>>, styles: [PieceStyle; 2]) -> Grid {
        Grid {
            columns,
            cells,
            styles,
            last_move: Vec::new(),
            changed: Vec::new(),
            lines: Vec::new(),
            check: None,
            captured: None,
            viewer: None,
            figurines: false,
            style: BoardStyle::default(),
        }
    }

    /// Whether a terminal can number the free cells from 1: there are three by three, with lines between them.
    pub fn has_numbered_cells(&self) -> bool {
        self.style.surface == Surface::Paper && self.columns == 3 && self.cells.len() == 9
    }

    fn columns(&self) -> usize {
        self.columns.max(1)
    }

    fn rows(&self) -> usize {
        self.cells.len() / self.columns()
    }

    fn is_turned(&self) -> bool {
        self.viewer.is_some() && self.viewer != self.style.bottom
    }

    fn is_checkered(&self) -> bool {
        self.style.surface == Surface::Checkered
    }

    /// Returns the cell at a row and column, counted from the viewer's top left.
    fn cell_at(&self, row: usize, column: usize) -> usize {
        let cell = row * self.columns() + column;
        if self.is_turned() { self.cells.len() - 1 - cell } else { cell }
    }

    fn is_dark(&self, cell: usize) -> bool {
        (cell / self.columns() + cell % self.columns()) % 2 == 1
    }

    fn piece_at(&self, cell: usize) -> Option<Piece> {
        self.cells.get(cell).copied().flatten()
    }

    /// Returns the name of a cell: its coordinate, or the number of a dark square.
    fn cell_name(&self, cell: usize) -> String {
        if self.style.numbered {
            (cell / 2 + 1).to_string()
        } else {
            cell::name_with_origin(self.style.row_origin, cell, self.columns(), self.rows())
        }
    }

    /// Returns the number of a row, counted from the viewer's top.
    fn row_number(&self, row: usize) -> usize {
        let row = if self.is_turned() { self.rows() - 1 - row } else { row };
        self.style.row_origin.row_number(row, self.rows())
    }

    /// Returns the label of a row in text: its number, or that of its first square.
    fn row_label(&self, row: usize) -> String {
        if self.style.numbered { self.end_label(row, 0) } else { self.row_number(row).to_string() }
    }

    /// Returns the width of the rows' labels in text.
    fn margin(&self) -> usize {
        (0..self.rows()).map(|row| self.row_label(row).len()).max().unwrap_or_default()
    }

    /// Returns the number of the first (`end` is 0) or last (1) dark square in a row.
    fn end_label(&self, row: usize, end: usize) -> String {
        let first = 1 - row % 2;
        self.cell_name(self.cell_at(row, if end == 0 { first } else { self.columns() - 2 + first }))
    }

    /// Returns the columns' letters as the viewer sees them, each padded to the width of a cell.
    fn letters(&self) -> Vec<String> {
        let mut letters: Vec<String> = column_letters(self.columns()).collect();
        if self.is_turned() {
            letters.reverse();
        }
        letters
    }

    fn side_name(&self, seat: Seat) -> String {
        capitalize(self.styles[seat.index()].kind.name)
    }

    /// Returns the name of a piece with its side's: `red`, `white king`.
    fn piece_name(&self, Piece { seat, kind }: Piece) -> String {
        let side = self.styles[seat.index()].kind.name;
        if self.style.kinds.is_empty() { kind.name.to_owned() } else { format!("{side} {}", kind.name) }
    }

    /// Returns the number of a seat's pieces on the board.
    fn count(&self, seat: Seat) -> usize {
        self.cells.iter().flatten().filter(|piece| piece.seat == seat).count()
    }

    /// Returns the pieces that a seat has lost.
    fn captured(&self, seat: Seat) -> impl Iterator<Item = Piece> {
        let captured = self.captured.as_ref().map_or(&[][..], |captured| &captured[seat.index()]);
        captured.iter().map(move |kind| Piece { seat, kind: *kind })
    }

    /// Returns the same kind of piece for the other seat.
    fn swapped(&self, piece: Piece) -> Piece {
        let other = piece.seat.other();
        let kinds = self.style.kinds.iter().copied().chain([self.styles.map(|style| style.kind)]);
        let kind = kinds.into_iter().find(|kind| kind[piece.seat.index()] == piece.kind);
        Piece { seat: other, kind: kind.map_or(piece.kind, |kind| kind[other.index()]) }
    }

    // The board as text.

    /// Returns the text style and the three characters of a cell with this content.
    fn cell_text(&self, cell: usize, content: &str) -> (TextStyle, String) {
        let piece = self.piece_at(cell);
        let color = piece.map(|piece| self.styles[piece.seat.index()].color);
        let (emphasis, text) = if self.lines.iter().any(|line| line.contains(&cell)) || self.check == Some(cell) {
            (Emphasis::WinningLine, format!("[{content}]"))
        } else if self.last_move.contains(&cell) || self.changed.contains(&cell) {
            (Emphasis::LastMove, format!("({content})"))
        } else {
            (if piece.is_some() { Emphasis::None } else { Emphasis::Dim }, format!(" {content} "))
        };
        (TextStyle { color, emphasis }, text)
    }

    /// Returns an explanation of the pieces' characters: `Red is R, Yellow is Y`. `None` if the pieces are named by
    /// their letters.
    fn legend(&self, unicode: bool) -> Option<String> {
        let kinds = self.style.kinds;
        if kinds.is_empty() {
            return legend(&self.styles, unicode);
        }
        let character =
            |kind: &[PieceKind; 2], seat: Seat| piece_char(Piece { seat, kind: kind[seat.index()] }, unicode);
        // Chess players know the letters of all kinds.
        let (unnamed, named) = if kinds.len() > 2 { (kinds, &[][..]) } else { kinds.split_at(1) };
        let side = |seat| {
            let characters: String = unnamed.iter().map(|kind| character(kind, seat)).collect();
            format!("{} is {characters}", self.side_name(seat))
        };
        let named = named.iter().map(|kind| {
            format!(
                "{} are {} and {}",
                plural(kind[0].name),
                character(kind, Seat::First),
                character(kind, Seat::Second)
            )
        });
        Some(Seat::BOTH.into_iter().map(side).chain(named).collect::<Vec<_>>().join(", "))
    }

    /// Returns the board for a terminal, without what follows the column letters.
    fn terminal_rows(&self, style: &TerminalStyle, character: &dyn Fn(Piece) -> String) -> Text {
        let mut text = Text::default();
        let (columns, rows, surface) = (self.columns(), self.rows(), self.style.surface);
        let numbered = self.style.numbered;
        let full_margin = if numbered { 0 } else { self.margin() + 1 };
        // On a narrow screen, large boards have no border, and two characters for a cell: "(X" is the last move.
        let is_narrow = !numbered && style.columns.is_some_and(|width| width < full_margin + 3 * columns + 3);
        let margin = if is_narrow { self.margin() } else { full_margin };
        let fit = |text: String| if is_narrow { text.chars().take(2).collect() } else { text };
        // Small boards have lines between their cells; large ones have a border, unless their squares are shaded.
        let has_lines = surface == Surface::Paper && columns.max(rows) <= MAX_LINED_SIZE;
        let has_border = !(has_lines || is_narrow || surface == Surface::Checkered && style.colored);
        let line = style.pick("│", "|");
        let wall = if has_border { line } else { "" };
        let edge = style.pick("─", "-").repeat(if numbered { 4 } else { 3 } * columns);
        if has_border && surface != Surface::Frame {
            text.push_line(format!("{:margin$} {}{edge}{}", "", style.pick("┌", "+"), style.pick("┐", "+")));
        }
        for row in 0..rows {
            if has_lines && row > 0 {
                let cells = vec![style.pick("───", "---"); columns];
                text.push_plain(format!("{:margin$}  ", ""));
                text.push_dim(cells.join(style.pick("┼", "+")));
                text.end_line();
            }
            let label = if numbered { String::new() } else { self.row_label(row) };
            let gap = if is_narrow { "" } else { " " };
            text.push_plain(format!("{label:>margin$}{gap}{}", if has_lines { " " } else { wall }));
            for column in 0..columns {
                if has_lines && column > 0 {
                    text.push_dim(line);
                }
                let cell = self.cell_at(row, column);
                if numbered {
                    self.push_numbered_square(&mut text, cell, style, character);
                } else {
                    let content =
                        self.piece_at(cell).map_or_else(|| self.free_char(cell, style).to_string(), character);
                    let (text_style, content) = self.cell_text(cell, &content);
                    text.push_on(self.background(cell, style), text_style, fit(content));
                }
            }
            text.push_plain(wall);
            text.end_line();
        }
        if has_border {
            text.push_line(format!("{:margin$} {}{edge}{}", "", style.pick("└", "+"), style.pick("┘", "+")));
        }
        if !numbered {
            let gap = match (is_narrow, has_lines || has_border) {
                (true, _) => "",
                (false, true) => "  ",
                (false, false) => " ",
            };
            let letters: Vec<String> = self.letters().into_iter().map(fit).collect();
            let letters = letters.join(if has_lines { " " } else { "" });
            text.push_line(format!("{:margin$}{gap}{letters}", ""));
        }
        text
    }

    /// Returns the character of a free cell in a terminal.
    fn free_char(&self, cell: usize, style: &TerminalStyle) -> char {
        match char::from_digit(cell as u32 + 1, 10) {
            Some(digit) if style.numbered && self.has_numbered_cells() => digit,
            _ if self.is_checkered() && (style.colored || !self.is_dark(cell)) => ' ',
            _ => style.pick('·', '.'),
        }
    }

    /// Adds a square with its number to a row in a terminal. Squares of the last move have a star.
    fn push_numbered_square(
        &self,
        text: &mut Text,
        cell: usize,
        style: &TerminalStyle,
        character: &dyn Fn(Piece) -> String,
    ) {
        let background = self.background(cell, style);
        if !self.is_dark(cell) {
            text.push_on(background, TextStyle::default(), "    ");
            return;
        }
        text.push_on(
            background,
            TextStyle { color: None, emphasis: Emphasis::Dim },
            format!("{:>2}", self.cell_name(cell)),
        );
        let content = self.piece_at(cell).map_or(" ".to_owned(), character);
        let star = if self.last_move.contains(&cell) { '*' } else { ' ' };
        text.push_on(background, self.cell_text(cell, &content).0, format!("{content}{star}"));
    }

    /// Returns the background of a cell in a terminal; `None` without colors.
    fn background(&self, cell: usize, style: &TerminalStyle) -> Option<Background> {
        let background = match self.style.surface {
            Surface::Paper => return None,
            Surface::Cloth => Background::Felt,
            Surface::Frame => Background::Frame,
            Surface::Checkered if self.check == Some(cell) => Background::Alert,
            Surface::Checkered if self.last_move.contains(&cell) => Background::Marked,
            Surface::Checkered if self.is_dark(cell) => Background::Dark,
            Surface::Checkered => Background::Light,
        };
        style.colored.then_some(background)
    }

    // The board in words.

    /// Describes a board with one kind of piece.
    fn describe_cells(&self) -> String {
        let name = |cell: usize| self.cell_name(cell);
        let mut parts = vec![format!("{} by {} cells", self.columns(), self.rows())];
        parts.extend(board::cell_phrases(&self.cells, &self.last_move, &name));
        if !self.changed.is_empty() {
            let mover = if self.last_move.len() == 1 { "it" } else { "the reply" };
            parts.push(format!("{mover} flipped {}", board::cell_list(&self.changed, &name)));
        }
        parts.extend(self.lines.iter().map(|line| format!("a line from {}", board::line_ends(line, &name))));
        format!("{}.", parts.join("; "))
    }

    /// Describes a board with several kinds of pieces.
    fn describe_sides(&self) -> String {
        let mut sentences: Vec<String> = Seat::BOTH.into_iter().map(|seat| self.describe_side(seat)).collect();
        if let Some((from, path)) = self.last_move.split_last() {
            let path: Vec<String> = path.iter().rev().map(|cell| self.cell_name(*cell)).collect();
            let from = self.cell_name(*from);
            sentences.push(format!("The last move went from {from} to {}.", path.join(" and then ")));
        }
        if let Some((cell, king)) = self.check.and_then(|cell| Some((cell, self.piece_at(cell)?))) {
            sentences.push(format!("The {} on {} is in check.", self.piece_name(king), self.cell_name(cell)));
        }
        for seat in Seat::BOTH {
            let lost = self.style.kinds.iter().map(|kind| kind[seat.index()]).filter_map(|kind| {
                match self.captured(seat).filter(|piece| piece.kind == kind).count() {
                    0 => None,
                    1 => Some(format!("1 {}", kind.name)),
                    count => Some(format!("{count} {}", plural(kind.name))),
                }
            });
            let lost: Vec<String> = lost.collect();
            if !lost.is_empty() {
                sentences.push(format!("{} has lost {}.", self.side_name(seat), lost.join(", ")));
            }
        }
        sentences.join(" ")
    }

    /// Lists the pieces of a side with their cells: `White: king e1; rooks a1, h1.`
    fn describe_side(&self, seat: Seat) -> String {
        let kinds = self.style.kinds.iter().map(|kind| Piece { seat, kind: kind[seat.index()] }).filter_map(|piece| {
            let cells: Vec<usize> = self.cells_by_name().filter(|cell| self.piece_at(*cell) == Some(piece)).collect();
            let list = board::cell_list(&cells, &|cell| self.cell_name(cell));
            let (name, plural) = (piece.kind.name, plural(piece.kind.name));
            match (cells.len(), self.style.numbered) {
                (0, _) => None,
                // Without a preposition, the number of a square would look like a number of pieces.
                (1, true) => Some(format!("a {name} on {list}")),
                (_, true) => Some(format!("{plural} on {list}")),
                (1, false) => Some(format!("{name} {list}")),
                (_, false) => Some(format!("{plural} {list}")),
            }
        });
        let kinds: Vec<String> = kinds.collect();
        let kinds = if kinds.is_empty() { "no pieces".to_owned() } else { kinds.join("; ") };
        format!("{}: {kinds}.", self.side_name(seat))
    }

    /// Iterates over the cells from row 1.
    fn cells_by_name(&self) -> impl Iterator<Item = usize> {
        let (columns, rows) = (self.columns(), self.rows());
        let from_top = self.style.row_origin == RowOrigin::Top;
        let row = move |row: usize| if from_top { row } else { rows - 1 - row };
        (0..rows).flat_map(move |nth| row(nth) * columns..(row(nth) + 1) * columns)
    }
}

/// Returns the name of several pieces of a kind.
fn plural(name: &str) -> String {
    if name == "man" { "men".to_owned() } else { format!("{name}s") }
}

impl Board for Grid {
    fn text(&self) -> Text {
        let mut text = Text::default();
        let margin = self.margin();
        for row in 0..self.rows() {
            text.push_plain(format!("{:>margin$} ", self.row_label(row)));
            for cell in (0..self.columns()).map(|column| self.cell_at(row, column)) {
                if self.style.numbered && !self.is_dark(cell) {
                    text.push_plain("   ");
                    continue;
                }
                let content = self.piece_at(cell).map_or(".".to_owned(), |piece| piece_char(piece, self.figurines));
                let (text_style, content) = self.cell_text(cell, &content);
                text.push(text_style, content);
            }
            if self.style.numbered {
                text.push_plain(format!(" {:>margin$}", self.end_label(row, 1)));
            }
            text.end_line();
        }
        if !self.style.numbered {
            text.push_line(format!("{:margin$} {}", "", self.letters().concat()));
        }
        self.legend(self.figurines).into_iter().for_each(|legend| text.push_line(legend));
        let captured = Seat::BOTH.into_iter().flat_map(|seat| self.captured(seat));
        let captured: String = captured.map(|piece| piece_char(piece, self.figurines)).collect();
        if !captured.is_empty() {
            text.push_line(format!("captured: {captured}"));
        }
        text
    }

    fn terminal_text(&self, style: &TerminalStyle) -> Text {
        let mut board = self.clone();
        board.set_viewer(style.viewer);
        let unicode = style.unicode || self.figurines;
        // The filled figurines are easier to see on a shaded square, and their color shows the side.
        let is_filled = style.colored && unicode && self.is_checkered() && !self.style.numbered;
        let mut text = board.terminal_rows(style, &|piece| {
            let is_swapped = is_filled && piece.seat == Seat::First;
            piece_char(if is_swapped { self.swapped(piece) } else { piece }, unicode)
        });
        if !is_filled {
            self.legend(unicode).into_iter().for_each(|legend| text.push_line(format!("{legend}.")));
        }
        let lost = Seat::BOTH.into_iter().filter(|seat| self.captured(*seat).next().is_some()).map(|seat| {
            let pieces: String = self.captured(seat).map(|piece| piece_char(piece, unicode)).collect();
            format!("{} has lost {pieces}", self.side_name(seat))
        });
        let lost: Vec<String> = lost.collect();
        if !lost.is_empty() {
            text.push_line(format!("{}.", lost.join(", ")));
        }
        text
    }

    fn description(&self) -> String {
        if self.style.kinds.is_empty() { self.describe_cells() } else { self.describe_sides() }
    }

    fn drawing(&self, caption: &Caption, shared: &SharedLayers) -> Drawing {
        self.draw(caption, shared)
    }

    fn page_width(&self) -> usize {
        (self.columns * 60).clamp(320, 480)
    }

    fn tile_board(&self, is_playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        Some(self.draw_tiles(is_playable))
    }

    fn viewer(&self) -> Option<Seat> {
        self.viewer
    }

    fn side_facts(&self, seat: Seat) -> SideFacts {
        SideFacts {
            captured: self.captured(seat.other()).map(|piece| piece.kind.letter.to_string()).collect(),
            note: self.style.counted.map_or(String::new(), |name| format!("{} {name}", self.count(seat))),
            ..SideFacts::of_piece(self.styles[seat.index()].kind)
        }
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        let cells = self.cells.iter().map(|piece| piece.map(|piece| self.swapped(piece))).collect();
        Box::new(Grid { cells, ..self.clone() })
    }

    fn set_viewer(&mut self, viewer: Seat) {
        self.viewer = self.style.bottom.map(|_| viewer);
    }

    fn mark_last_move(&mut self, cell: usize) {
        self.last_move.push(cell);
    }
}
