//! A game of chess as a board that people see.

use cozy_chess::{Color, Move as RawMove, Piece, Square};
use game::board::Board;
use game::board::drawing::Drawing;
use game::board::drawing::caption::Caption;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::text::Text;
use game::board::tile_board::TileBoard;
use game::contract::Display;
use game::seat::Seat;

use crate::chess::board_view::drawing::drawing;
use crate::chess::board_view::text::text;
use crate::chess::board_view::tiles::mosaic;
use crate::chess::board_view::words::words;
use crate::chess::board_view::{BoardView, ColoredPiece};
use crate::chess::game::Chess;
use crate::chess::moves::Move;
use crate::chess::names::{to_color, to_seat};
use crate::chess::san::castling_targets;

impl Board for BoardView {
    fn text(&self) -> Text {
        text(self)
    }

    fn text_seen_by(&self, viewer: Seat) -> Text {
        text(&BoardView { viewer, ..self.clone() })
    }

    fn description(&self) -> String {
        words(self)
    }

    fn drawing(&self, strip: &Caption, still: &SharedLayers) -> Drawing {
        drawing(self, strip, still)
    }

    fn page_width(&self) -> usize {
        480
    }

    fn tile_board(&self, _playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        Some(mosaic(self))
    }

    fn viewer(&self) -> Option<Seat> {
        Some(self.viewer)
    }

    fn set_viewer(&mut self, viewer: Seat) {
        self.viewer = viewer;
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        let men = self.pieces.map(|man| man.map(|man| ColoredPiece { seat: man.seat.other(), ..man }));
        Box::new(BoardView { pieces: men, ..self.clone() })
    }
}

impl Display for Chess {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let board = &self.board;
        let man = |square: Square| {
            let (piece, owner) = board.piece_on(square).zip(board.color_on(square))?;
            Some(ColoredPiece { seat: to_seat(owner), piece })
        };
        Box::new(BoardView {
            viewer: self.config.viewer(),
            figurines: self.config.figurines,
            pieces: Square::ALL.map(man),
            last_move: last.map_or(Vec::new(), |mv| last_move_squares(self, mv)),
            checked_king: self.checked_king(),
            captured: Seat::BOTH.map(|seat| captured_pieces(self, to_color(seat))),
        })
    }

    fn source_cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.uci.0.from as usize)
    }
}

/// Returns the squares of a move that has been played: where the piece came to, and where it came from. Of a castling these are
/// the king's, or the rook's where the king has stayed.
fn last_move_squares(game: &Chess, mv: &Move) -> Vec<Square> {
    let raw = mv.uci.0;
    let mover = !game.board.side_to_move();
    if !was_castling(game, raw, mover) {
        return vec![raw.to, raw.from];
    }
    let [king, rook] = castling_targets(mover, raw);
    if king == raw.from { vec![rook, raw.to] } else { vec![king, raw.from] }
}

/// Tests if the last move has castled. It is written with the square of the rook, which is left by it; in Chess960 the king may
/// come there, or the rook may stay.
fn was_castling(game: &Chess, raw: RawMove, mover: Color) -> bool {
    let (board, [king, rook]) = (&game.board, castling_targets(mover, raw));
    if board.color_on(raw.to) != Some(mover) {
        return true;
    }
    // A rook that goes to where it would come in castling, beside its king, leaves the same board. But it takes something, or
    // leaves a position that may come again, or does not begin where the king began.
    let stays = raw.to == rook && board.king(mover) == king && board.colored_pieces(mover, Piece::Rook).has(rook);
    let lost_rights = game.halfmove_clock > 0 && game.earlier.is_empty();
    let from_home = || game.config.initial_position().is_ok_and(|first| first.board.king(mover) == raw.from);
    stays && lost_rights && from_home()
}

/// Returns the men that a side has lost, the strongest first; a pawn that became another piece is not lost.
fn captured_pieces(game: &Chess, side: Color) -> Vec<Piece> {
    let counts = |piece: Piece| {
        let (began, has) =
            (game.initial_pieces[side as usize][piece as usize], game.board.colored_pieces(side, piece).len());
        (began.saturating_sub(has), has.saturating_sub(began))
    };
    let officers = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
    let became: u32 = officers.iter().map(|piece| counts(*piece).1).sum();
    let lost = officers.map(|piece| (piece, counts(piece).0));
    let pawns = (Piece::Pawn, counts(Piece::Pawn).0.saturating_sub(became));
    lost.into_iter().chain([pawns]).flat_map(|(piece, count)| vec![piece; count as usize]).collect()
}
