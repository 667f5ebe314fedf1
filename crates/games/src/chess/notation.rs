//! Parses moves as people type them.
//!
//! Any spelling that matches exactly one legal move is accepted; an ambiguous one is refused.

use cozy_chess::{BitBoard, Board, Color, Move as RawMove, Piece, Rank, Square};
use game::{Notation, ParseMoveError, Rules, Seat, capitalize, cell};

use crate::chess::explain::{file_label, has_king_moved, pseudo_legal_targets};
use crate::chess::move_pattern::{MovePattern, ParsedText, normalize};
use crate::chess::{Chess, Move, descriptive, move_pattern};

/// The error code for a piece that isn't there.
const NO_SUCH_PIECE: &str = "NO_SUCH_PIECE";

impl Notation for Chess {
    const CASE_SENSITIVE: bool = true;
    const READS_OTHER_ALPHABETS: bool = true;
    const WORDS: &'static [&'static str] = move_pattern::WORDS;

    fn notation(&self, mv: &Move) -> String {
        format(&self.board, mv.uci.0)
    }

    fn first_move_number(&self) -> Option<usize> {
        Some(usize::from(self.board.fullmove_number()))
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let read: Vec<_> = move_pattern::readings(text).iter().map(|reading| parse_reading(self, reading)).collect();
        if read.len() > 1 {
            let name = |mv: &Move| Some(self.notation(mv)).filter(|_| self.is_legal(mv));
            let names = read.iter().flat_map(|parsed| match parsed {
                Ok(mv) => name(mv).into_iter().collect(),
                Err(ParseMoveError::Ambiguous(names)) => names.clone(),
                Err(_) => Vec::new(),
            });
            let mut names: Vec<String> = names.collect();
            names.dedup();
            match &names[..] {
                [] => {}
                [only] => return parse_reading(self, only),
                _ => return Err(ParseMoveError::Ambiguous(names)),
            }
        }
        read.into_iter().next().unwrap_or(Err(ParseMoveError::NotAMove))
    }

    fn move_list_heading(&self, mv: &Move) -> Option<String> {
        let from = mv.uci.0.from;
        Some(format!("{} {from}", capitalize(piece_name(self.board.piece_on(from)?))))
    }
}

/// Parses one reading of a text.
///
/// # Errors
/// Returns an error if the text isn't a move or is ambiguous.
fn parse_reading(game: &Chess, text: &str) -> Result<Move, ParseMoveError> {
    let (legal, parsed) = (game.legal_raw_moves(), move_pattern::parse(text));
    let mut found: Vec<RawMove> = match &parsed {
        ParsedText::Castling(kingside) => {
            let is_on_side = |mv: &RawMove| kingside.is_none_or(|kingside| (mv.to.file() > mv.from.file()) == kingside);
            legal.into_iter().filter(|mv| is_castling(&game.board, *mv) && is_on_side(mv)).collect()
        }
        ParsedText::Patterns(groups) => groups
            .iter()
            .map(|group| matching_moves(game, group, &legal))
            .find(|found| !found.is_empty())
            .unwrap_or_default(),
    };
    let described = match &parsed {
        // `N-B3` can be `Nb3`, or `Nc3` in the older notation.
        ParsedText::Patterns(_) if found.is_empty() || text.contains("-B") => descriptive::parse(&game.board, text),
        _ => Vec::new(),
    };
    if !described.is_empty() {
        let more = matching_moves(game, &described, &game.legal_raw_moves());
        found.extend(more.into_iter().filter(|mv| !found.contains(mv)).collect::<Vec<_>>());
    }
    match (&found[..], &parsed) {
        ([only], _) => Ok((*only).into()),
        ([_, _, ..], _) => Err(ParseMoveError::Ambiguous(found.iter().map(|mv| format(&game.board, *mv)).collect())),
        ([], ParsedText::Castling(kingside)) => Ok(unavailable_castling(game, *kingside)),
        ([], ParsedText::Patterns(groups)) => match groups.iter().flatten().chain(&described).next() {
            Some(_) if groups.is_empty() && described.len() > 1 => {
                Err(ParseMoveError::out_of_range(NO_SUCH_PIECE, "None of your legal moves matches it"))
            }
            Some(likeliest) => illegal_move(game, likeliest),
            None => Err(unreadable(text)),
        },
    }
}

/// Returns the legal moves that match any of the patterns.
fn matching_moves(game: &Chess, patterns: &[MovePattern], legal: &[RawMove]) -> Vec<RawMove> {
    legal.iter().copied().filter(|mv| patterns.iter().any(|pattern| matches_pattern(game, pattern, *mv))).collect()
}

/// Whether a legal move matches a pattern.
fn matches_pattern(game: &Chess, pattern: &MovePattern, mv: RawMove) -> bool {
    let board = &game.board;
    let is_push = pattern.piece == Some(Piece::Pawn) && pattern.from_file.is_none() && !pattern.captures;
    (pattern.piece.is_none() || pattern.piece == board.piece_on(mv.from))
        && pattern.from_file.is_none_or(|file| file == mv.from.file())
        && pattern.from_rank.is_none_or(|rank| rank == mv.from.rank())
        && matches_target(game, pattern, mv)
        && (!pattern.captures || is_capture(board, mv))
        && (!is_push || !is_capture(board, mv))
        // Without a promotion piece, the pattern matches all four promotions.
        && (pattern.promotion.is_none() || pattern.promotion == mv.promotion)
}

/// Whether a legal move goes to the target of a pattern. Castling may name the king's target if it is at least two
/// files away, or, with the king's square as origin, the rook's square.
fn matches_target(game: &Chess, pattern: &MovePattern, mv: RawMove) -> bool {
    let is_target =
        |square: Square| pattern.to_file == square.file() && pattern.to_rank.is_none_or(|rank| rank == square.rank());
    if !is_castling(&game.board, mv) {
        return is_target(mv.to);
    }
    let [king, _] = castling_targets(game.board.side_to_move(), mv);
    let is_far = (king.file() as i8 - mv.from.file() as i8).abs() > 1;
    let has_origin = pattern.from_file.is_some() && pattern.from_rank.is_some();
    (is_far && is_target(king)) || (has_origin && is_target(mv.to))
}

/// Returns an illegal castling move, so that a refusal can explain it. If no other move would mean castling, the king moves
/// onto its own square.
fn unavailable_castling(game: &Chess, kingside: Option<bool>) -> Move {
    let us = game.board.side_to_move();
    let (king, rights) = (game.board.king(us), game.board.castle_rights(us));
    let kingside = kingside.unwrap_or(rights.short.is_some() || rights.long.is_none());
    let (rook, step) = if kingside { (rights.short, 2) } else { (rights.long, -2) };
    let to = match rook {
        Some(file) => Some(Square::new(file, king.rank())),
        None if has_king_moved(game) => None,
        None => king.try_offset(step, 0),
    };
    RawMove { from: king, to: to.unwrap_or(king), promotion: None }.into()
}

/// Returns the likeliest illegal move for a pattern, so that its refusal can explain why it's illegal.
///
/// # Errors
/// Returns an error if no piece fits the pattern.
fn illegal_move(game: &Chess, pattern: &MovePattern) -> Result<Move, ParseMoveError> {
    let (board, us) = (&game.board, game.board.side_to_move());
    let no_piece = |message: String| Err(ParseMoveError::out_of_range(NO_SUCH_PIECE, message));
    let Some(to) = pattern.to_rank.map(|rank| Square::new(pattern.to_file, rank)) else {
        let [from, to] = [pattern.from_file.unwrap_or(pattern.to_file), pattern.to_file].map(file_label);
        return no_piece(format!("No pawn on the {from} can take on the {to}"));
    };
    let move_from = |from: Square| {
        let raw = RawMove { from, to, promotion: pattern.promotion };
        if from == to && from == board.king(us) {
            return no_piece(format!("Your king is already on {to}"));
        }
        // The move is legal, but the pattern says that it captures.
        if game.end_reason.is_none() && board.is_legal(raw) {
            no_piece(format!("There is nothing to take on {to}"))
        } else {
            Ok(raw.into())
        }
    };
    let from = pattern.from_file.zip(pattern.from_rank).map(|(file, rank)| Square::new(file, rank));
    // Which of several pieces should move doesn't matter if none of them can.
    if from.is_none()
        && let Some(piece) = board.piece_on(to).filter(|_| board.colors(us).has(to) && to != board.king(us))
        && pattern.piece.is_some_and(|moving| candidates(board, moving, pattern).len() > 1)
    {
        return no_piece(format!("There is a {} of your own on {to}", piece_name(piece)));
    }
    match (pattern.piece, from) {
        (None, None) => Err(ParseMoveError::NotAMove),
        (None, Some(from)) => move_from(from),
        (Some(piece), Some(from)) if board.piece_on(from) == Some(piece) => move_from(from),
        (Some(piece), Some(from)) => no_piece(format!("There is no {} on {from}", piece_name(piece))),
        (Some(Piece::Pawn), None) => {
            let captures = pattern.captures || pattern.from_file.is_some();
            match likely_pawn(to, us, captures, &candidates(board, Piece::Pawn, pattern)) {
                Some(from) => move_from(from),
                None => {
                    let verb = if captures { "take on" } else { "go to" };
                    no_piece(format!("There is no {} pawn that could {verb} {to}", color_name(us)))
                }
            }
        }
        (Some(piece), None) => {
            let all = candidates(board, piece, pattern);
            let reaching: Vec<Square> =
                all.iter().copied().filter(|from| pseudo_legal_targets(board, piece, *from, us).has(to)).collect();
            match (&all[..], &reaching[..]) {
                ([only], _) | (_, [only]) => move_from(*only),
                ([], _) if pattern.from_file.is_none() && pattern.from_rank.is_none() => {
                    no_piece(format!("There is no {} {}", color_name(us), piece_name(piece)))
                }
                ([], _) => no_piece(format!("There is no {} {} there", color_name(us), piece_name(piece))),
                (_, []) => no_piece(format!("There is no {} that can go to {to}", piece_name(piece))),
                // Each of them would leave the king in check; explain the first.
                (_, [first, ..]) => move_from(*first),
            }
        }
    }
}

/// Returns the squares of the pieces that the origin of a pattern fits.
fn candidates(board: &Board, piece: Piece, pattern: &MovePattern) -> Vec<Square> {
    let fits = |square: &Square| {
        pattern.from_file.is_none_or(|file| file == square.file())
            && pattern.from_rank.is_none_or(|rank| rank == square.rank())
    };
    board.colored_pieces(board.side_to_move(), piece).into_iter().filter(fits).collect()
}

/// Returns the pawn that most likely should go to a square: the nearest one behind it, or one placed to capture there.
fn likely_pawn(to: Square, us: Color, captures: bool, pawns: &[Square]) -> Option<Square> {
    let rank = |square: Square| Rank::relative_to(square.rank(), us) as i8;
    let fits = |square: &&Square| {
        let ranks = rank(to) - rank(**square);
        let files = (square.file() as i8 - to.file() as i8).abs();
        if captures { (files, ranks) == (1, 1) } else { files == 0 && ranks > 0 }
    };
    pawns.iter().filter(fits).max_by_key(|square| rank(**square)).copied()
}

/// Returns the error for a text that isn't a move: out of range if it names a square off the board.
fn unreadable(text: &str) -> ParseMoveError {
    let text = normalize(text);
    let mut squares = vec![text.as_str()];
    // The square may follow a piece letter.
    squares.extend(text.strip_prefix(['K', 'Q', 'R', 'B', 'N']));
    for square in squares {
        if square.starts_with(char::is_alphabetic)
            && let Err(error @ ParseMoveError::OutOfRange(_)) = cell::parse(square, 8, 8)
        {
            return error;
        }
    }
    ParseMoveError::NotAMove
}

// Names of pieces and colors, and the seats that play each color.

/// Returns the name of a piece, in lowercase.
pub(super) fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

/// Returns the uppercase letter of a piece, as in FEN and SAN.
pub(super) fn piece_letter(piece: Piece) -> char {
    char::from(piece).to_ascii_uppercase()
}

/// Returns the name of a color, in lowercase.
pub(super) fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Returns the seat that plays a color.
pub(super) fn to_seat(color: Color) -> Seat {
    match color {
        Color::White => Seat::First,
        Color::Black => Seat::Second,
    }
}

/// Returns the color that a seat plays.
pub(super) fn to_color(seat: Seat) -> Color {
    match seat {
        Seat::First => Color::White,
        Seat::Second => Color::Black,
    }
}

// Moves in Standard Algebraic Notation, [as specified for
// PGN](https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm): `Nbd2`, `exd5`, `e8=Q`, `O-O`, with `+` for
// check and `#` for checkmate.

/// Formats a legal move.
pub(super) fn format(board: &Board, mv: RawMove) -> String {
    let mut san = format_without_suffix(board, mv);
    let mut after = board.clone();
    if after.try_play(mv).is_ok() && !after.checkers().is_empty() {
        san.push(if after.generate_moves(|_| true) { '+' } else { '#' });
    }
    san
}

/// Formats a legal move without the suffix for check or checkmate.
fn format_without_suffix(board: &Board, mv: RawMove) -> String {
    if is_castling(board, mv) {
        return if mv.to.file() > mv.from.file() { "O-O".to_owned() } else { "O-O-O".to_owned() };
    }
    let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let captures = is_capture(board, mv);
    let mut san = String::with_capacity(8);
    if piece != Piece::Pawn {
        san.push(piece_letter(piece));
        let (needs_file, needs_rank) = disambiguation(board, piece, mv);
        if needs_file {
            san.push(mv.from.file().into());
        }
        if needs_rank {
            san.push(mv.from.rank().into());
        }
    } else if captures {
        san.push(mv.from.file().into());
    }
    if captures {
        san.push('x');
    }
    san.push(mv.to.file().into());
    san.push(mv.to.rank().into());
    if let Some(piece) = mv.promotion {
        san.extend(['=', piece_letter(piece)]);
    }
    san
}

/// Whether a move castles: the king moves onto a rook of its own.
pub(super) fn is_castling(board: &Board, mv: RawMove) -> bool {
    let own = |piece| board.colored_pieces(board.side_to_move(), piece);
    own(Piece::King).has(mv.from) && own(Piece::Rook).has(mv.to)
}

/// Whether a move captures something.
fn is_capture(board: &Board, mv: RawMove) -> bool {
    let is_diagonal_pawn = mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from);
    board.colors(!board.side_to_move()).has(mv.to) || is_diagonal_pawn
}

/// Returns the squares where the king and the rook land after castling, the king's first.
pub(super) fn castling_targets(color: Color, mv: RawMove) -> [Square; 2] {
    let [king, rook] = if mv.to.file() > mv.from.file() { [Square::G1, Square::F1] } else { [Square::C1, Square::D1] };
    [king.relative_to(color), rook.relative_to(color)]
}

/// Returns whether the origin's file and rank are needed to distinguish the move from one by another piece of the same
/// kind.
fn disambiguation(board: &Board, piece: Piece, mv: RawMove) -> (bool, bool) {
    let same_kind = board.colored_pieces(board.side_to_move(), piece) - mv.from.bitboard();
    let mut others = BitBoard::EMPTY;
    board.generate_moves_for(same_kind, |moves| {
        if moves.to.has(mv.to) {
            others |= moves.from.bitboard();
        }
        false
    });
    let on_rank = !others.is_disjoint(mv.from.rank().bitboard());
    let on_file = !others.is_disjoint(mv.from.file().bitboard());
    (!others.is_empty() && (on_rank || !on_file), on_file)
}
