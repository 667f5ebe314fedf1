//! Positions as Forsyth-Edwards Notation: [the fields](https://www.chessprogramming.org/Forsyth-Edwards_Notation) are the
//! pieces, the side on turn, the castling rights, the square of an en passant capture, the plies without a capture or a pawn's
//! move, and the number of the move.
//!
//! A right to castle is written `K` or `Q` where the rook is the outermost on its side, else by the rook's file: X-FEN, which
//! is ordinary FEN in ordinary games. The square of an en passant capture is written only where that capture is legal.

use std::fmt::Write;

use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Rank, Square};

use crate::chess::names::piece_letter;

/// The most plies that are counted.
const MAX_COUNTER: u16 = 10_000;

/// A position as FEN has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fen {
    /// The pieces, the side on turn, the rights, and the number of the move.
    pub board: Board,
    /// The plies without a capture or a pawn's move: the board itself counts to 100 only.
    pub halfmove_clock: u16,
}

/// Reads a FEN; spaces may be underscores, and the last two fields may be missing.
///
/// # Errors
/// The fault, as the end of a sentence.
pub fn parse(text: &str) -> Result<Fen, &'static str> {
    let fields: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == '_').filter(|field| !field.is_empty()).collect();
    let (pieces, side, rights, passed, counts) = match fields[..] {
        [pieces, side, rights, passed] => (pieces, side, rights, passed, None),
        [pieces, side, rights, passed, quiet, number] => (pieces, side, rights, passed, Some((quiet, number))),
        _ => return Err("it needs four or six fields"),
    };
    let mut setup = BoardBuilder::empty();
    parse_pieces(pieces, &mut setup)?;
    setup.side_to_move = match side {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err("the second field has to be w or b"),
    };
    parse_castling_rights(rights, &mut setup)?;
    setup.en_passant = match passed {
        "-" => None,
        square => Some(square.parse().map_err(|_| "the fourth field has to be a square or a dash")?),
    };
    let count = |text: &str, from: u16| text.parse().ok().filter(|count| (from..=MAX_COUNTER).contains(count));
    let (quiet, number) = match counts {
        None => (0, 1),
        Some((quiet, number)) => (
            count(quiet, 0)
                .ok_or("the fifth field has to be the number of halfmoves without a capture or a pawn move")?,
            count(number, 1).ok_or("the last field has to be the move number")?,
        ),
    };
    setup.halfmove_clock = quiet.min(100) as u8;
    setup.fullmove_number = number;
    let board = setup.build().map_err(|error| match error {
        cozy_chess::BoardBuilderError::InvalidCastlingRights => "the castling rights don't match the kings and rooks",
        cozy_chess::BoardBuilderError::InvalidEnPassant => "no pawn can have just passed the en passant square",
        _ => {
            "each side needs one king and at most 8 pawns and 16 pieces, and the side that just moved can't be in check"
        }
    })?;
    Ok(Fen { board: without_unusable_en_passant(board), halfmove_clock: quiet })
}

/// Reads the ranks, the eighth first.
fn parse_pieces(text: &str, setup: &mut BoardBuilder) -> Result<(), &'static str> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != Rank::NUM {
        return Err("the first field needs eight ranks");
    }
    for (rank, row) in Rank::ALL.iter().rev().zip(ranks) {
        let mut file = 0;
        for sign in row.chars() {
            if let Some(free) = sign.to_digit(10).filter(|free| (1..=8).contains(free)) {
                file += free as usize;
                continue;
            }
            let piece =
                Piece::try_from(sign.to_ascii_lowercase()).map_err(|_| "a piece has to be one of KQRBNP or kqrbnp")?;
            let color = if sign.is_ascii_uppercase() { Color::White } else { Color::Black };
            let at = File::try_index(file).ok_or("each rank needs eight squares")?;
            *setup.square_mut(Square::new(at, *rank)) = Some((piece, color));
            file += 1;
        }
        if file != File::NUM {
            return Err("each rank needs eight squares");
        }
    }
    Ok(())
}

/// Reads the castling rights: `K` is the outermost rook on the king's right, a letter from `A` to `H` the rook on that file.
fn parse_castling_rights(text: &str, setup: &mut BoardBuilder) -> Result<(), &'static str> {
    const NO_ROOK: &str = "castling needs a king and a rook on their first rank";
    for sign in text.chars().filter(|_| text != "-") {
        let color = if sign.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let has = |piece: Piece| move |file: &File| (piece, color, *file);
        let on = |wanted: (Piece, Color, File)| setup.square(Square::new(wanted.2, rank)) == Some((wanted.0, wanted.1));
        let king = File::ALL.into_iter().find(|file| on(has(Piece::King)(file))).ok_or(NO_ROOK)?;
        let rook = |file: &File| on(has(Piece::Rook)(file));
        let rook = match sign.to_ascii_lowercase() {
            'k' => File::ALL.into_iter().rev().take_while(|file| *file > king).find(rook),
            'q' => File::ALL.into_iter().take_while(|file| *file < king).find(rook),
            letter => File::try_from(letter).ok().filter(rook),
        };
        let rook = rook.ok_or(NO_ROOK)?;
        let rights = setup.castle_rights_mut(color);
        let right = if rook > king { &mut rights.short } else { &mut rights.long };
        if right.replace(rook).is_some() {
            return Err("a castling right appears twice");
        }
    }
    Ok(())
}

/// Returns a position as FEN.
pub fn format(fen: &Fen) -> String {
    format!("{} {} {}", epd(&fen.board), fen.halfmove_clock, fen.board.fullmove_number())
}

/// Returns the first four fields of a position: two positions are the same if these are.
pub fn epd(board: &Board) -> String {
    let mut text = String::with_capacity(80);
    for (at, rank) in Rank::ALL.iter().rev().enumerate() {
        if at > 0 {
            text.push('/');
        }
        let mut free = 0;
        for file in File::ALL {
            let square = Square::new(file, *rank);
            let Some((piece, color)) = board.piece_on(square).zip(board.color_on(square)) else {
                free += 1;
                continue;
            };
            if free > 0 {
                let _ = write!(text, "{free}");
                free = 0;
            }
            text.push(with_case_of(piece_letter(piece), color));
        }
        if free > 0 {
            let _ = write!(text, "{free}");
        }
    }
    text.push_str(if board.side_to_move() == Color::White { " w " } else { " b " });
    let before = text.len();
    for color in [Color::White, Color::Black] {
        let rights = board.castle_rights(color);
        for (rook, short) in [(rights.short, true), (rights.long, false)] {
            text.extend(rook.map(|rook| with_case_of(castling_letter(board, color, rook, short), color)));
        }
    }
    if text.len() == before {
        text.push('-');
    }
    match en_passant_square(board) {
        Some(square) => drop(write!(text, " {square}")),
        None => text.push_str(" -"),
    }
    text
}

/// Returns the sign of a right to castle, in upper case.
fn castling_letter(board: &Board, color: Color, rook: File, short: bool) -> char {
    let rank = Rank::First.relative_to(color);
    let rooks = board.colored_pieces(color, Piece::Rook);
    let beyond = |file: &File| if short { *file > rook } else { *file < rook };
    match File::ALL.into_iter().filter(beyond).any(|file| rooks.has(Square::new(file, rank))) {
        true => char::from(rook).to_ascii_uppercase(),
        false if short => 'K',
        false => 'Q',
    }
}

fn with_case_of(letter: char, color: Color) -> char {
    if color == Color::White { letter } else { letter.to_ascii_lowercase() }
}

/// Returns the square that a pawn has just gone past; `None` if none has.
pub fn en_passant_square(board: &Board) -> Option<Square> {
    board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(board.side_to_move())))
}

/// Returns the board without the mark of a pawn that has gone past a square, unless it can be captured there: that pawn makes
/// no other position of this one.
pub fn without_unusable_en_passant(board: Board) -> Board {
    let Some(square) = en_passant_square(&board) else { return board };
    let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
    if board.generate_moves_for(pawns, |moves| moves.to.has(square)) {
        return board;
    }
    let mut setup = BoardBuilder::from_board(&board);
    setup.en_passant = None;
    setup.build().unwrap_or(board)
}
