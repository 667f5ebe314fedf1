//! Shows a game as a board.

use game::board::drawing::Drawing;
use game::board::drawing::caption::Caption;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::piece::swap_seats;
use game::board::text::{TerminalStyle, Text};
use game::board::tile_board::TileBoard;
use game::board::{Board, description};
use game::cell;
use game::contract::Display;
use game::seat::Seat;

use crate::tic_tac_toe::lines;
use crate::ultimate_tic_tac_toe::board::drawing::draw;
use crate::ultimate_tic_tac_toe::board::text::board_text;
use crate::ultimate_tic_tac_toe::board::tiles::tile_board;
use crate::ultimate_tic_tac_toe::board::{BoardStatus, SIZE, UltimateBoard, board_of};
use crate::ultimate_tic_tac_toe::game::{Move, SubBoardStatus, UltimateTicTacToe};
use crate::ultimate_tic_tac_toe::notation;
use crate::xo::{Player, STYLES};

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
                BoardStatus::Won(seat) => format!("is won by {}", STYLES[seat.index()].glyph.name),
                BoardStatus::Drawn => "is drawn".to_owned(),
            };
            let mut parts = vec![format!("Board {board} {status}")];
            parts.extend(description::piece_list(&self.cells, &name, |index| board_of(index) == board));
            sentences.push(format!("{}.", parts.join("; ")));
        }
        if !self.last_move.is_empty() {
            sentences.push(format!("The {}.", description::last_move(&self.last_move, &name)));
        }
        let number = |board: usize| board.to_string();
        sentences.extend(
            self.lines.iter().map(|line| format!("A line from board {}.", description::line_ends(line, &number))),
        );
        sentences.join(" ")
    }

    fn mark_last_move(&mut self, cell: usize) {
        self.last_move.push(cell);
    }

    fn drawing(&self, caption: &Caption, shared: &SharedLayers) -> Drawing {
        draw(self, caption, shared)
    }

    fn page_width(&self) -> usize {
        440
    }

    fn tile_board(&self, playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        Some(tile_board(self, playable))
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
            let Move { board, cell } = notation::move_at(index);
            self.mark(board as usize, cell as usize).map(Player::piece)
        };
        Box::new(UltimateBoard {
            cells: (0..81).map(mark).collect(),
            statuses: (0..9).map(status).collect(),
            last_move: last.and_then(notation::cell_index).into_iter().collect(),
            lines: self.winning_lines(),
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        notation::cell_index(mv)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        lines::completed_lines(3, 3, |board| self.owner(board))
    }
}
