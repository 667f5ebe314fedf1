//! A game of checkers as a board that people see.

use game::board::Board;
use game::board::drawing::Drawing;
use game::board::drawing::caption::Caption;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::text::Text;
use game::board::tile_board::TileBoard;
use game::contract::{Display, Game};
use game::seat::Seat;

use crate::checkers::bitboards::{Bitboards, SQUARES, bit};
use crate::checkers::board::drawing::draw;
use crate::checkers::board::text::board_text;
use crate::checkers::board::tiles::tile_board;
use crate::checkers::board::{BoardPiece, CheckersBoard};
use crate::checkers::game::{Checkers, Move};

impl Board for CheckersBoard {
    fn text(&self) -> Text {
        board_text(self)
    }

    fn description(&self) -> String {
        let side = |seat: Seat| {
            let kinds: Vec<String> =
                [false, true].into_iter().filter_map(|king| self.squares_phrase(seat, king)).collect();
            let kinds = if kinds.is_empty() { "no pieces".to_owned() } else { kinds.join("; ") };
            format!("{}: {kinds}.", Checkers::INFO.side_name(seat))
        };
        let mut sentences: Vec<String> = Seat::BOTH.into_iter().map(side).collect();
        if let Some((from, way)) = self.last_move.split_last() {
            let way: Vec<String> = way.iter().rev().map(u8::to_string).collect();
            sentences.push(format!("The last move went from {from} to {}.", way.join(" and then ")));
        }
        sentences.join(" ")
    }

    fn drawing(&self, strip: &Caption, still: &SharedLayers) -> Drawing {
        draw(self, strip, still)
    }

    fn page_width(&self) -> usize {
        480
    }

    fn tile_board(&self, _playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        Some(tile_board(self))
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        let squares =
            self.squares.iter().map(|man| man.map(|man| BoardPiece { seat: man.seat.other(), ..man })).collect();
        Box::new(CheckersBoard { squares, ..self.clone() })
    }
}

impl Display for Checkers {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        Box::new(board_after(&self.bitboards, last))
    }

    fn source_cell(&self, mv: &Move) -> Option<usize> {
        Some(usize::from(*mv.path.first()?))
    }
}

/// Returns the board after the last move.
pub(super) fn board_after(men: &Bitboards, last: Option<&Move>) -> CheckersBoard {
    let man = |place: u64| {
        let owner = Seat::BOTH.into_iter().find(|seat| men.by_seat[seat.index()] & place != 0)?;
        Some(BoardPiece { seat: owner, is_king: men.kings & place != 0 })
    };
    CheckersBoard {
        squares: (0..SQUARES).map(|square| man(bit(square))).collect(),
        last_move: last.map_or(Vec::new(), |mv| mv.path.iter().rev().copied().collect()),
    }
}
