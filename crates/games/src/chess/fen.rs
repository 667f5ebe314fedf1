//! Positions in [Forsyth-Edwards Notation](https://www.chessprogramming.org/Forsyth-Edwards_Notation) (FEN).
//!
//! Castling rights follow X-FEN: `K` or `Q` for the outermost rook on that side, else the file of the rook. In
//! standard chess that's ordinary FEN. The en passant square is written only if an en passant capture is legal.

use std::fmt::Write;

use cozy_chess::{Board, BoardBuilder, BoardBuilderError, Color, File, Piece, Rank, Square};

use crate::chess::names::piece_letter;

/// The highest halfmove clock and move number that a FEN may have.
const MAX_COUNTER: u16 = 10_000;

/// A position with the counters of a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fen {
    /// The pieces, the side to move, the castling rights, the en passant square, and the move number.
    pub board: Board,
    /// Plies since the last capture or pawn move. The board's own clock stops at 100.
    pub halfmove_clock: u16,
}

/// Parses a FEN. Underscores count as spaces, and the last two fields are optional.
///
/// # Errors
/// Returns an error if the text isn't a valid position. The message is the end of a sentence.
pub fn parse(text: &str) -> Result<Fen, &'static str> {
    let is_separator = |c: char| c.is_whitespace() || c == '_';
    let fields: Vec<&str> = text.split(is_separator).filter(|field| !field.is_empty()).collect();
    let (pieces, side, rights, en_passant, counters) = match fields[..] {
        [pieces, side, rights, en_passant] => (pieces, side, rights, en_passant, None),
        [pieces, side, rights, en_passant, clock, number] => (pieces, side, rights, en_passant, Some((clock, number))),
        _ => return Err("it needs four or six fields"),
    };
    let mut builder = BoardBuilder::empty();
    parse_pieces(pieces, &mut builder)?;
    builder.side_to_move = match side {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err("the second field has to be w or b"),
    };
    parse_castling_rights(rights, &mut builder)?;
    builder.en_passant = match en_passant {
        "-" => None,
        square => Some(square.parse().map_err(|_| "the fourth field has to be a square or a dash")?),
    };
    let parse_counter =
        |text: &str, min: u16| text.parse().ok().filter(|counter| (min..=MAX_COUNTER).contains(counter));
    let (halfmove_clock, fullmove_number) = match counters {
        None => (0, 1),
        Some((clock, number)) => (
            parse_counter(clock, 0)
                .ok_or("the fifth field has to be the number of halfmoves without a capture or a pawn move")?,
            parse_counter(number, 1).ok_or("the last field has to be the move number")?,
        ),
    };
    builder.halfmove_clock = halfmove_clock.min(100) as u8;
    builder.fullmove_number = fullmove_number;
    let board = builder.build().map_err(|error| match error {
        BoardBuilderError::InvalidCastlingRights => "the castling rights don't match the kings and rooks",
        BoardBuilderError::InvalidEnPassant => "no pawn can have just passed the en passant square",
        _ => {
            "each side needs one king and at most 8 pawns and 16 pieces, and the side that just moved can't be in check"
        }
    })?;
    Ok(Fen { board: without_unusable_en_passant(board), halfmove_clock })
}

/// Parses the first field: the ranks, from the eighth to the first.
fn parse_pieces(text: &str, builder: &mut BoardBuilder) -> Result<(), &'static str> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != Rank::NUM {
        return Err("the first field needs eight ranks");
    }
    for (rank, row) in Rank::ALL.iter().rev().zip(ranks) {
        let mut index = 0;
        for c in row.chars() {
            if let Some(empty @ 1..=8) = c.to_digit(10) {
                index += empty as usize;
                continue;
            }
            let piece =
                Piece::try_from(c.to_ascii_lowercase()).map_err(|_| "a piece has to be one of KQRBNP or kqrbnp")?;
            let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
            let file = File::try_index(index).ok_or("each rank needs eight squares")?;
            *builder.square_mut(Square::new(file, *rank)) = Some((piece, color));
            index += 1;
        }
        if index != File::NUM {
            return Err("each rank needs eight squares");
        }
    }
    Ok(())
}

/// Parses the castling rights.
///
/// `K` and `Q` mean the outermost rook on that side of the king, and a letter from `A` to `H` means the rook on that
/// file.
fn parse_castling_rights(text: &str, builder: &mut BoardBuilder) -> Result<(), &'static str> {
    const NO_ROOK: &str = "castling needs a king and a rook on their first rank";
    if text == "-" {
        return Ok(());
    }
    for c in text.chars() {
        let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let has = |piece: Piece, file: File| builder.square(Square::new(file, rank)) == Some((piece, color));
        let has_rook = |file: &File| has(Piece::Rook, *file);
        let king = File::ALL.into_iter().find(|file| has(Piece::King, *file)).ok_or(NO_ROOK)?;
        let rook = match c.to_ascii_lowercase() {
            'k' => File::ALL.into_iter().rev().take_while(|file| *file > king).find(has_rook),
            'q' => File::ALL.into_iter().take_while(|file| *file < king).find(has_rook),
            letter => File::try_from(letter).ok().filter(has_rook),
        };
        let rook = rook.ok_or(NO_ROOK)?;
        let rights = builder.castle_rights_mut(color);
        let right = if rook > king { &mut rights.short } else { &mut rights.long };
        if right.replace(rook).is_some() {
            return Err("a castling right appears twice");
        }
    }
    Ok(())
}

/// Formats a position as FEN.
pub fn format(fen: &Fen) -> String {
    format!("{} {} {}", epd(&fen.board), fen.halfmove_clock, fen.board.fullmove_number())
}

/// Returns the first four fields of the FEN. They are equal for equal positions.
pub fn epd(board: &Board) -> String {
    let mut text = String::with_capacity(80);
    for rank in Rank::ALL.into_iter().rev() {
        if rank != Rank::Eighth {
            text.push('/');
        }
        let mut empty = 0;
        for file in File::ALL {
            let square = Square::new(file, rank);
            let Some((piece, color)) = board.piece_on(square).zip(board.color_on(square)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                let _ = write!(text, "{empty}");
                empty = 0;
            }
            text.push(with_case_of(piece_letter(piece), color));
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
    }
    text.push_str(if board.side_to_move() == Color::White { " w " } else { " b " });
    let length_before = text.len();
    for color in [Color::White, Color::Black] {
        let rights = board.castle_rights(color);
        for (rook, kingside) in [(rights.short, true), (rights.long, false)] {
            if let Some(rook) = rook {
                text.push(with_case_of(castling_letter(board, color, rook, kingside), color));
            }
        }
    }
    if text.len() == length_before {
        text.push('-');
    }
    match en_passant_square(board) {
        Some(square) => drop(write!(text, " {square}")),
        None => text.push_str(" -"),
    }
    text
}

/// Returns the uppercase letter for a castling right.
fn castling_letter(board: &Board, color: Color, rook: File, kingside: bool) -> char {
    let rank = Rank::First.relative_to(color);
    let rooks = board.colored_pieces(color, Piece::Rook);
    let is_outside = |file: &File| if kingside { *file > rook } else { *file < rook };
    if File::ALL.into_iter().filter(is_outside).any(|file| rooks.has(Square::new(file, rank))) {
        char::from(rook).to_ascii_uppercase()
    } else if kingside {
        'K'
    } else {
        'Q'
    }
}

fn with_case_of(letter: char, color: Color) -> char {
    if color == Color::White { letter } else { letter.to_ascii_lowercase() }
}

/// Returns the square that a pawn has just skipped, if any.
pub fn en_passant_square(board: &Board) -> Option<Square> {
    board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(board.side_to_move())))
}

/// Clears the en passant square if no en passant capture is legal, so that equal positions compare equal.
pub fn without_unusable_en_passant(board: Board) -> Board {
    let Some(square) = en_passant_square(&board) else { return board };
    let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
    if board.generate_moves_for(pawns, |moves| moves.to.has(square)) {
        return board;
    }
    let mut builder = BoardBuilder::from_board(&board);
    builder.en_passant = None;
    builder.build().unwrap_or(board)
}
