//! The pieces, and the board that shows a game.

use cozy_chess::{Color, Move as RawMove, Piece, Square};
use game::{
    Board, BoardStyle, Display, Form, Grid, PaletteColor, Piece as ShownPiece, PieceKind, PieceStyle, Rules, Seat,
    Surface,
};

use crate::chess::notation::{castling_targets, to_color, to_seat};
use crate::chess::{Chess, Move};

/// The kinds of pieces, in the order that descriptions list them. The shapes are Staunton pieces drawn for this program.
///
/// Without its variation selector, the black pawn is an emoji on many terminals and phones, with a color of its own.
const KINDS: [[PieceKind; 2]; Piece::NUM] = [
    kind(
        "king",
        [('K', "♔"), ('k', "♚")],
        "M-12 19v-3.5l.5-6.5c-11-8.5-8-18-.5-18c4.5 0 7.5 2 9.3 4.7c-2.5-3.7-2-6.7 1.2-8.7v-3h-3.7v-2.8h3.7 \
         v-3.7h3v3.7h3.7v2.8h-3.7v3c3.2 2 3.7 5 1.2 8.7c1.8-2.7 4.8-4.7 9.3-4.7c7.5 0 10.5 9.5-.5 18l.5 6.5 \
         v3.5z",
        "M-12 15.5h24M-11.5 9c6-2.5 17-2.5 23 0M-11.8 12.3c6-2 17.6-2 23.6 0M-2.7-4.3c2 3.3 2.7 5.5 2.7 11.3 \
         c0-5.8.7-8 2.7-11.3",
    ),
    kind(
        "queen",
        [('Q', "♕"), ('q', "♛")],
        "M-12 19v-3.5l.5-7l-6.5-15.5l8.5 9l.5-14l6.5 12.5l2.5-15l2.5 15l6.5-12.5l.5 14l8.5-9l-6.5 15.5l.5 7 \
         v3.5zM-18.2-11.4a2.3 2.3 0 1 1-.1 0zM-9.2-16.5a2.3 2.3 0 1 1-.1 0zM0-19.3a2.3 2.3 0 1 1-.1 0z \
         M9.2-16.5a2.3 2.3 0 1 1-.1 0zM18.2-11.4a2.3 2.3 0 1 1-.1 0z",
        "M-12 15.5h24M-11.5 8.5c6-2.5 17-2.5 23 0M-11.8 12c6-2 17.6-2 23.6 0",
    ),
    kind(
        "rook",
        [('R', "♖"), ('r', "♜")],
        "M-14 19v-4h2.5l2.5-5.5v-12.5l-4-4v-9.5h5v4h5.3v-4h5.4v4h5.3v-4h5v9.5l-4 4v12.5l2.5 5.5h2.5v4z",
        "M-11.5 15h23M-9 9.5h18M-9-3h18M-13-7h26",
    ),
    kind(
        "bishop",
        [('B', "♗"), ('b', "♝")],
        "M-14 19v-3.5c1-4.5 8-4 8.5-10h-3v-3.5h2.5c-7-5-5.5-11.5 3.2-18.3a2.9 2.9 0 1 1 5.6 0 \
         c8.7 6.8 10.2 13.3 3.2 18.3h2.5v3.5h-3c.5 6 7.5 5.5 8.5 10v3.5z",
        "M-14 15.5h28M-5.5 5.5h11M-6 2h12M0-11v8M-4-7h8",
    ),
    kind(
        "knight",
        [('N', "♘"), ('n', "♞")],
        "M-13 19v-4h2c0-9 9-10 9.5-16.5c-3.5 3-7 3-9 6c-1.5 2.5-5.5 2.5-7-1.5c.5-6 5-8.5 6.5-14l.3-8.8 \
         l4.7 4.3l3.5-4.3c10 1 16.5 9.3 14.5 34.8h1.5v4z",
        "M-11 15h23M3.5-13.5c5.5 5 7 14 6.3 25M-7.5-9.3a1 1 0 1 1-.1 0zM-14.3 2l1-1.2",
    ),
    kind(
        "pawn",
        [('P', "♙"), ('p', "♟\u{fe0e}")],
        "M-12 19v-3.5c0-6.5 6-7.5 7-15.5h-3.5c.2-3 1.8-4.2 4.1-5a7 7 0 1 1 8.8 0c2.3.8 3.9 2 4.1 5h-3.5 \
         c1 8 7 9 7 15.5v3.5z",
        "M-12 15.5h24M-5 0h10",
    ),
];

/// Returns a kind of piece. `characters` holds the letter and the figurine of each side.
const fn kind(
    name: &'static str,
    characters: [(char, &'static str); 2],
    outline: &'static str,
    lines: &'static str,
) -> [PieceKind; 2] {
    let [(white, white_figurine), (black, black_figurine)] = characters;
    [
        PieceKind { name, letter: white, form: Form::Figure { outline, lines, figurine: white_figurine } },
        PieceKind { name, letter: black, form: Form::Figure { outline, lines, figurine: black_figurine } },
    ]
}

/// The kings, which stand for their sides.
const STYLES: [PieceStyle; 2] = [
    PieceStyle { color: PaletteColor::WHITE, kind: PieceKind { name: "white", ..KINDS[0][0] } },
    PieceStyle { color: PaletteColor::BLACK, kind: PieceKind { name: "black", ..KINDS[0][1] } },
];

/// Returns a piece as it is shown.
fn kind_of(piece: Piece, color: Color) -> PieceKind {
    // `cozy_chess` lists the kinds from the pawn to the king.
    KINDS[Piece::NUM - 1 - piece as usize][to_seat(color).index()]
}

/// Returns the cell of a square. Cells are counted from the top left, squares from a1.
fn cell(square: Square) -> usize {
    square.flip_rank() as usize
}

impl Display for Chess {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let board = &self.board;
        let mut cells = vec![None; Square::NUM];
        for square in board.occupied() {
            let piece = board.piece_on(square).zip(board.color_on(square));
            let shown = piece.map(|(piece, color)| ShownPiece { seat: to_seat(color), kind: kind_of(piece, color) });
            cells[cell(square)] = shown;
        }
        Box::new(Grid {
            last_move: last.map_or(Vec::new(), |mv| last_move_squares(self, mv).map(cell).to_vec()),
            check: self.checked_king().map(cell),
            captured: Some(Seat::BOTH.map(|seat| captured_pieces(self, to_color(seat)))),
            viewer: Some(self.config.viewer(self.side_to_move())),
            figurines: self.config.figurines,
            style: BoardStyle {
                surface: Surface::Checkered,
                bottom: Some(Seat::First),
                kinds: &KINDS,
                ..BoardStyle::default()
            },
            ..Grid::new(8, cells, STYLES)
        })
    }

    fn source_cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.uci.0.from as usize)
    }
}

/// Returns the squares of the last move: where the piece landed, then where it came from. For castling, these are the
/// king's squares, or the rook's if the king didn't move.
fn last_move_squares(game: &Chess, mv: &Move) -> [Square; 2] {
    let raw = mv.uci.0;
    let mover = !game.board.side_to_move();
    if !was_castling(game, raw, mover) {
        return [raw.to, raw.from];
    }
    let [king, rook] = castling_targets(mover, raw);
    if king == raw.from { [rook, raw.to] } else { [king, raw.from] }
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
fn captured_pieces(game: &Chess, color: Color) -> Vec<PieceKind> {
    let initial = |piece: Piece| game.initial_pieces[color as usize][piece as usize];
    let current = |piece: Piece| game.board.colored_pieces(color, piece).len();
    let missing = |piece: Piece| initial(piece).saturating_sub(current(piece));
    let kinds = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
    let promoted: u32 = kinds.iter().map(|piece| current(*piece).saturating_sub(initial(*piece))).sum();
    let pawns = (Piece::Pawn, missing(Piece::Pawn).saturating_sub(promoted));
    let lost = kinds.map(|piece| (piece, missing(piece)));
    lost.into_iter().chain([pawns]).flat_map(|(piece, count)| vec![kind_of(piece, color); count as usize]).collect()
}
