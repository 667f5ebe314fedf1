//! The nine boards as text.
//!
//! Free cells of active boards are dots, a won board is one big mark, and a drawn board is full of dashes.

use game::board::text::{Emphasis, Text, Tone, column_letters};
use game::seat::Seat;

use crate::ultimate_tic_tac_toe::board::{BoardStatus, SIDE, SIZE, UltimateBoard, board_of};
use crate::xo::STYLES;

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
pub fn board_text(board: &UltimateBoard, unicode: bool) -> Text {
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
            let (tone, cell) = cell_text(board, row * SIZE + column, unicode);
            text.push(tone, cell);
        }
        text.end_line();
    }
    let names: Vec<String> = column_letters(SIZE).collect();
    let names: Vec<String> = names.chunks(SIDE).map(<[String]>::concat).collect();
    text.push_line(format!("  {}", names.join(" ")));
    text
}

fn cell_text(board: &UltimateBoard, index: usize, unicode: bool) -> (Tone, String) {
    let number = board_of(index);
    let cell = index / SIZE % SIDE * SIDE + index % SIDE;
    let mark = board.cells.get(index).copied().flatten();
    let tone = |seat: Seat, emphasis| Tone { ink: Some(STYLES[seat.index()].ink), emphasis };
    let letter = |seat: Seat| STYLES[seat.index()].glyph.letter;
    let in_line = cell == SIZE / 2 && board.lines.iter().any(|line| line.contains(&number));
    match (board.statuses.get(number), mark.map(|mark| mark.seat)) {
        (Some(BoardStatus::Won(winner)), _) if in_line => {
            (tone(*winner, Emphasis::WinningLine), format!("[{}]", letter(*winner)))
        }
        (_, Some(seat)) if board.last_move.contains(&index) => {
            (tone(seat, Emphasis::LastMove), format!("({})", letter(seat)))
        }
        (Some(BoardStatus::Won(winner)), _) => {
            let marks = if unicode { UNICODE_BIG_MARKS } else { BIG_MARKS };
            (tone(*winner, Emphasis::None), marks[winner.index()][cell].to_owned())
        }
        (Some(BoardStatus::Drawn), _) => (Tone { ink: None, emphasis: Emphasis::Dim }, " - ".to_owned()),
        (_, Some(seat)) => (tone(seat, Emphasis::None), format!(" {} ", letter(seat))),
        (Some(BoardStatus::Active), None) => {
            (Tone { ink: None, emphasis: Emphasis::Dim }, if unicode { " · " } else { " . " }.to_owned())
        }
        (_, None) => (Tone::default(), "   ".to_owned()),
    }
}
