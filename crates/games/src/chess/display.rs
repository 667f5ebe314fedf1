//! Shows a game as a board.

use cozy_chess::{Color, Move as RawMove, Piece, Square};
use game::{Board, Caption, Display, Drawing, Rules, Seat, SharedLayers, TerminalStyle, Text, TileBoard};

use crate::chess::board::drawing::draw;
use crate::chess::board::{ColoredPiece, board_text, describe, draw_tiles, terminal_text};
use crate::chess::notation::{castling_targets, to_color, to_seat};
use crate::chess::{Chess, ChessBoard, Move};

impl Board for ChessBoard {
    fn text(&self) -> Text {
        board_text(self)
    }

    fn terminal_text(&self, style: &TerminalStyle) -> Text {
        let figurines = style.unicode || self.figurines;
        terminal_text(&ChessBoard { viewer: style.viewer, figurines, ..self.clone() }, style)
    }

    fn description(&self) -> String {
        describe(self)
    }

    fn drawing(&self, caption: &Caption, layers: &SharedLayers) -> Drawing {
        draw(self, caption, layers)
    }

    fn page_width(&self) -> usize {
        480
    }

    fn tile_board(&self, _playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        Some(draw_tiles(self))
    }

    fn viewer(&self) -> Option<Seat> {
        Some(self.viewer)
    }

    fn set_viewer(&mut self, viewer: Seat) {
        self.viewer = viewer;
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        let pieces = self.pieces.map(|piece| piece.map(|piece| ColoredPiece { seat: piece.seat.other(), ..piece }));
        Box::new(ChessBoard { pieces, ..self.clone() })
    }
}

impl Display for Chess {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let board = &self.board;
        let piece_at = |square: Square| {
            let (piece, owner) = board.piece_on(square).zip(board.color_on(square))?;
            Some(ColoredPiece { seat: to_seat(owner), piece })
        };
        Box::new(ChessBoard {
            viewer: self.config.viewer(self.side_to_move()),
            figurines: self.config.figurines,
            pieces: Square::ALL.map(piece_at),
            last_move: last.map_or(Vec::new(), |mv| last_move_squares(self, mv)),
            checked_king: self.checked_king(),
            captured: Seat::BOTH.map(|seat| captured_pieces(self, to_color(seat))),
        })
    }

    fn source_cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.uci.0.from as usize)
    }
}

/// Returns the squares of the last move: where the piece landed, then where it came from. For castling, these are the
/// king's squares, or the rook's if the king didn't move.
fn last_move_squares(game: &Chess, mv: &Move) -> Vec<Square> {
    let raw = mv.uci.0;
    let mover = !game.board.side_to_move();
    if !was_castling(game, raw, mover) {
        return vec![raw.to, raw.from];
    }
    let [king, rook] = castling_targets(mover, raw);
    if king == raw.from { vec![rook, raw.to] } else { vec![king, raw.from] }
}

/// Whether the last move castled.
///
/// UCI names the rook's square, which is normally empty afterward. In Chess960, the king may land there, or the rook
/// may stay.
fn was_castling(game: &Chess, raw: RawMove, mover: Color) -> bool {
    let (board, [king, rook]) = (&game.board, castling_targets(mover, raw));
    if board.color_on(raw.to) != Some(mover) {
        return true;
    }
    // A rook move next to its king can leave the same board. Unlike castling, it captures, or leaves earlier positions
    // repeatable, or doesn't begin on the king's starting square.
    let looks_castled =
        raw.to == rook && board.king(mover) == king && board.colored_pieces(mover, Piece::Rook).has(rook);
    let lost_rights = game.halfmove_clock > 0 && game.earlier.is_empty();
    let from_home = || game.config.initial_position().is_ok_and(|start| start.board.king(mover) == raw.from);
    looks_castled && lost_rights && from_home()
}

/// Returns the pieces that a side has lost, strongest first. Promoted pawns don't count as lost.
fn captured_pieces(game: &Chess, color: Color) -> Vec<Piece> {
    let initial = |piece: Piece| game.initial_pieces[color as usize][piece as usize];
    let current = |piece: Piece| game.board.colored_pieces(color, piece).len();
    let missing = |piece: Piece| initial(piece).saturating_sub(current(piece));
    let kinds = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
    let promoted: u32 = kinds.iter().map(|piece| current(*piece).saturating_sub(initial(*piece))).sum();
    let pawns = (Piece::Pawn, missing(Piece::Pawn).saturating_sub(promoted));
    let lost = kinds.map(|piece| (piece, missing(piece)));
    lost.into_iter().chain([pawns]).flat_map(|(piece, count)| vec![piece; count as usize]).collect()
}
