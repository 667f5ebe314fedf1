//! Shows a game as a board.

use game::board::Board;
use game::board::drawing::Drawing;
use game::board::drawing::caption::Caption;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::text::{TerminalStyle, Text};
use game::board::tile_board::TileBoard;
use game::contract::{Display, Game, Rules};
use game::seat::Seat;

use crate::checkers::bitboards::{SQUARES, bit};
use crate::checkers::board::drawing::draw;
use crate::checkers::board::text::{board_text, terminal_text};
use crate::checkers::board::tiles::tile_board;
use crate::checkers::board::{BoardPiece, CheckersBoard};
use crate::checkers::game::{Checkers, Move};
use crate::view::View;

impl Board for CheckersBoard {
    fn text(&self) -> Text {
        board_text(self)
    }

    fn terminal_text(&self, style: &TerminalStyle) -> Text {
        terminal_text(self, style)
    }

    fn description(&self) -> String {
        let side = |seat: Seat| {
            let kinds: Vec<String> =
                [false, true].into_iter().filter_map(|king| self.squares_phrase(seat, king)).collect();
            let kinds = if kinds.is_empty() { "no pieces".to_owned() } else { kinds.join("; ") };
            format!("{}: {kinds}.", Checkers::INFO.side_name(seat))
        };
        let mut sentences: Vec<String> = Seat::BOTH.into_iter().map(side).collect();
        if let Some((from, path)) = self.last_move.split_last() {
            let path: Vec<String> = path.iter().rev().map(u8::to_string).collect();
            sentences.push(format!("The last move went from {from} to {}.", path.join(" and then ")));
        }
        sentences.join(" ")
    }

    fn drawing(&self, caption: &Caption, shared: &SharedLayers) -> Drawing {
        draw(self, caption, shared)
    }

    fn page_width(&self) -> usize {
        480
    }

    fn tile_board(&self, _is_playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        Some(tile_board(self))
    }

    fn viewer(&self) -> Option<Seat> {
        self.viewer
    }

    fn set_viewer(&mut self, viewer: Seat) {
        self.viewer = Some(viewer);
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        let squares = self
            .squares
            .iter()
            .map(|piece| piece.map(|piece| BoardPiece { seat: piece.seat.other(), ..piece }))
            .collect();
        Box::new(CheckersBoard { squares, ..self.clone() })
    }
}

impl Display for Checkers {
    fn board(&self, last_move: Option<&Move>) -> Box<dyn Board> {
        let bitboards = &self.bitboards;
        let piece = |square: u64| {
            let owner = Seat::BOTH.into_iter().find(|seat| bitboards.by_seat[seat.index()] & square != 0)?;
            Some(BoardPiece { seat: owner, is_king: bitboards.kings & square != 0 })
        };
        Box::new(CheckersBoard {
            viewer: self.view.map(|view| match view {
                View::White => Seat::Second,
                View::Black => Seat::First,
                View::Turn => self.side_to_move(),
            }),
            squares: (0..SQUARES).map(|square| piece(bit(square))).collect(),
            last_move: last_move.map_or(Vec::new(), |mv| mv.path.iter().rev().copied().collect()),
        })
    }

    fn source_cell(&self, mv: &Move) -> Option<usize> {
        Some(usize::from(*mv.path.first()?))
    }
}
