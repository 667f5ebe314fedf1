//! Positions in [Forsyth-Edwards Notation](https://www.chessprogramming.org/Forsyth-Edwards_Notation) (FEN).
//!
//! Castling rights follow X-FEN: `K` or `Q` for the outermost rook on that side, else the file of the rook. In
//! standard chess that's ordinary FEN. The en passant square is written only if an en passant capture is legal.

use std::fmt::Write;

use cozy_chess::{Board, BoardBuilder, BoardBuilderError, Color, File, Piece, Rank, Square};

use crate::chess::notation::piece_letter;

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

/// The defaults for the last four fields of a FEN.
const DEFAULT_FIELDS: [&str; 4] = ["-", "-", "0", "1"];

/// Parses a FEN. Underscores count as spaces, and the last two fields are optional.
///
/// # Errors
/// Returns an error if the text isn't a valid position. The message is the end of a sentence.
pub fn parse(text: &str) -> Result<Fen, &'static str> {
    let (fen, dropped) = parse_fields(&split(text), 4)?;
    match dropped.first() {
        Some(Unusable { reason, .. }) => Err(reason),
        None => Ok(fen),
    }
}

/// Parses a FEN as other programs do: all fields after the side to move are optional, and it drops castling rights
/// without a rook and en passant squares without a pawn. It also returns what it dropped.
///
/// # Errors
/// Returns an error if the text isn't a valid position. The message is the end of a sentence.
pub fn parse_leniently(text: &str) -> Result<(Fen, Vec<Unusable>), &'static str> {
    parse_fields(&split(text), 2)
}

/// A part of a FEN that contradicts its board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The text, such as `K` or `e3`.
    pub text: String,
    /// Why it contradicts the board, as the end of a sentence.
    pub reason: &'static str,
}

fn split(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || c == '_').filter(|field| !field.is_empty()).collect()
}

/// Parses the fields of a FEN. The text has to have at least `min_fields` of them.
fn parse_fields(fields: &[&str], min_fields: usize) -> Result<(Fen, Vec<Unusable>), &'static str> {
    if fields.len() < min_fields || fields.len() > 6 {
        return Err("it needs four to six fields");
    }
    let mut builder = BoardBuilder::empty();
    parse_pieces(fields[0], &mut builder)?;
    builder.side_to_move = match fields[1] {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err("the second field has to be w or b"),
    };
    let field = |index: usize| fields.get(index).copied().unwrap_or(DEFAULT_FIELDS[index - 2]);
    let mut unusable = parse_castling_rights(field(2), &mut builder);
    builder.en_passant = match field(3) {
        "-" => None,
        square => Some(square.parse().map_err(|_| "the fourth field has to be a square or a dash")?),
    };
    let parse_counter = |text: &str| text.parse().ok().filter(|counter: &u16| *counter <= MAX_COUNTER);
    let halfmove_clock = parse_counter(field(4))
        .ok_or("the fifth field has to be the number of halfmoves without a capture or a pawn move")?;
    let number = parse_counter(field(5)).ok_or("the last field has to be the move number")?;
    builder.halfmove_clock = halfmove_clock.min(100) as u8;
    // Some programs count the moves from 0.
    builder.fullmove_number = number.max(1);
    let board = match builder.build() {
        Err(BoardBuilderError::InvalidEnPassant) => {
            let reason = "no pawn can have just passed the en passant square";
            unusable.push(Unusable { text: field(3).to_owned(), reason });
            builder.en_passant = None;
            builder.build()
        }
        result => result,
    };
    let board = board.map_err(|_| board_fault(&builder))?;
    Ok((Fen { board: without_unusable_en_passant(board), halfmove_clock }, unusable))
}

/// Returns why a builder has no valid board.
fn board_fault(builder: &BoardBuilder) -> &'static str {
    let count = |is_counted: &dyn Fn(Square, Piece) -> bool| {
        Color::ALL.map(|color| {
            let is_counted = |square: &Square| {
                builder.square(*square).is_some_and(|(piece, owner)| owner == color && is_counted(*square, piece))
            };
            Square::ALL.iter().filter(|square| is_counted(square)).count()
        })
    };
    let is_last_rank = |square: Square| matches!(square.rank(), Rank::First | Rank::Eighth);
    if count(&|_, piece| piece == Piece::King) != [1, 1] {
        "each side needs one king"
    } else if count(&|square, piece| piece == Piece::Pawn && is_last_rank(square)) != [0, 0] {
        "a pawn can't be on the first or last rank"
    } else if count(&|_, piece| piece == Piece::Pawn).iter().any(|pawns| *pawns > 8) {
        "a side can have at most 8 pawns"
    } else if count(&|_, _| true).iter().any(|pieces| *pieces > 16) {
        "a side can have at most 16 pieces"
    } else {
        "the side that just moved can't be in check"
    }
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

/// Parses the castling rights, and returns those that don't fit the board.
///
/// `K` and `Q` mean the outermost rook on that side of the king, and a letter from `A` to `H` means the rook on that
/// file.
fn parse_castling_rights(text: &str, builder: &mut BoardBuilder) -> Vec<Unusable> {
    let mut unusable = Vec::new();
    for c in text.chars().filter(|_| text != "-") {
        let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let has = |piece: Piece, file: File| builder.square(Square::new(file, rank)) == Some((piece, color));
        let has_rook = |file: &File| has(Piece::Rook, *file);
        let king = File::ALL.into_iter().find(|file| has(Piece::King, *file));
        let rook = king.and_then(|king| match c.to_ascii_lowercase() {
            'k' => File::ALL.into_iter().rev().take_while(|file| *file > king).find(has_rook),
            'q' => File::ALL.into_iter().take_while(|file| *file < king).find(has_rook),
            letter => File::try_from(letter).ok().filter(has_rook),
        });
        let Some((king, rook)) = king.zip(rook) else {
            unusable
                .push(Unusable { text: c.to_string(), reason: "castling needs a king and a rook on their first rank" });
            continue;
        };
        let rights = builder.castle_rights_mut(color);
        let right = if rook > king { &mut rights.short } else { &mut rights.long };
        if right.is_some() {
            unusable.push(Unusable { text: c.to_string(), reason: "a castling right appears twice" });
        }
        right.get_or_insert(rook);
    }
    unusable
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
