//! The reasons why a move is not legal, in words that teach.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_between_rays, get_bishop_moves, get_bishop_rays,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};
use game::contract::{Explain, Game, Rules};
use game::phrase::Phrase;
use game::rule::RuleError;
use serde_json::json;

use crate::chess::game::Chess;
use crate::chess::moves::Move;
use crate::chess::names::{color_name, piece_name as name, to_seat};
use crate::chess::san::castling_targets;

/// The reason why a move is not legal.
pub(super) struct Illegality {
    /// The machine code.
    pub(super) code: &'static str,
    /// The sentence, without its full stop.
    pub(super) message: String,
    /// The same for a player, if there's a plainer one.
    pub(super) explanation: Option<String>,
}

impl Explain for Chess {
    fn legality_error(&self, mv: &Move) -> Option<RuleError> {
        let found = find_illegality(self, mv)?;
        Some(RuleError::new(found.code, found.message, json!({ "uci": mv.uci })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        Some(find_illegality(self, mv)?.explanation?.into())
    }

    fn turn_hint(&self) -> Option<Phrase> {
        let check = self.end_reason.is_none() && self.checked_king().is_some();
        check.then(|| format!("{}'s king is in check.", Self::INFO.side_name(self.side_to_move())).into())
    }
}

/// Returns the reason why a move is not legal; `None` for a legal one.
pub(super) fn find_illegality(game: &Chess, mv: &Move) -> Option<Illegality> {
    let because = |code, why: String| Some(Illegality { code, message: why, explanation: None });
    let teaches =
        |code, why: String, explained: String| Some(Illegality { code, message: why, explanation: Some(explained) });
    if let Some(end) = game.end_reason {
        return because("GAME_OVER", format!("The game is over: {}", end.describe()));
    }
    let (board, raw) = (&game.board, mv.uci.0);
    if board.is_legal(raw) {
        return None;
    }
    let own = board.side_to_move();
    let (from, to) = (raw.from, raw.to);
    let Some((moved, owner)) = board.piece_on(from).zip(board.color_on(from)) else {
        return because("EMPTY_SQUARE", format!("There is no piece on {from}"));
    };
    if owner != own {
        let why =
            format!("{} is {}'s, but it's {}'s turn", describe_piece(moved, from), color_name(owner), color_name(own));
        let explained = format!("That's {}'s {} on {from}", Chess::INFO.side_name(to_seat(owner)), name(moved));
        return teaches("OTHER_SIDE", why, explained);
    }
    if let Some(short) = castling_side(board, moved, from, to) {
        return because("NO_CASTLING", explain_no_castling(board, short));
    }
    if board.colors(own).has(to) {
        let blocker = board.piece_on(to).unwrap_or(Piece::Pawn);
        return because("OWN_PIECE", format!("There is a {} of your own on {to}", name(blocker)));
    }
    if !pseudo_legal_targets(board, moved, from, own).has(to) {
        return because("UNREACHABLE", explain_unreachable(board, moved, from, to));
    }
    let last = moved == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(own);
    if raw.promotion.is_some() != last {
        let (why, explained) = if last {
            let why = format!("A pawn that reaches {to} promotes to a queen, a rook, a bishop or a knight");
            (why, format!("A pawn that reaches {to} promotes. Add =Q, =R, =B, or =N"))
        } else {
            let why = "Only a pawn that reaches the last rank promotes".to_owned();
            (why, "Only a pawn that reaches the last rank promotes".to_owned())
        };
        return teaches("PROMOTION", why, explained);
    }
    because("CHECK", explain_check(board, moved, from, to))
}

/// Returns the squares that a piece could go to if its king did not matter.
pub(super) fn pseudo_legal_targets(board: &Board, piece: Piece, from: Square, own: Color) -> BitBoard {
    let all = board.occupied();
    let to = match piece {
        Piece::Pawn => return pseudo_legal_pawn_targets(board, from, own),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, all),
        Piece::Rook => get_rook_moves(from, all),
        Piece::Queen => get_bishop_moves(from, all) | get_rook_moves(from, all),
        Piece::King => get_king_moves(from),
    };
    to - board.colors(own)
}

fn pseudo_legal_pawn_targets(board: &Board, from: Square, own: Color) -> BitBoard {
    let passing =
        board.en_passant().map_or(BitBoard::EMPTY, |file| Square::new(file, Rank::Sixth.relative_to(own)).bitboard());
    let takes = get_pawn_attacks(from, own) & (board.colors(!own) | passing);
    let ahead = |steps: i8| from.try_offset(0, if own == Color::White { steps } else { -steps });
    let free = |square: &Square| !board.occupied().has(*square);
    let one = ahead(1).filter(free);
    let two = one.filter(|_| from.rank() == Rank::Second.relative_to(own)).and_then(|_| ahead(2)).filter(free);
    takes | one.into_iter().chain(two).collect()
}

/// Tells why a piece cannot go to a square at all.
fn explain_unreachable(board: &Board, moved: Piece, from: Square, to: Square) -> String {
    if moved == Piece::Pawn {
        let own = board.side_to_move();
        if get_pawn_attacks(from, own).has(to) {
            return format!("A pawn takes diagonally, and there is nothing to take on {to}");
        }
        let blocked = [to].into_iter().chain(get_between_rays(from, to)).find(|square| board.occupied().has(*square));
        let steps = (to.rank() as i8 - from.rank() as i8) * if own == Color::White { 1 } else { -1 };
        let could = steps == 1 || steps == 2 && from.rank() == Rank::Second.relative_to(own);
        if let Some(blocker) = blocked.filter(|_| could && from.file() == to.file()) {
            return format!("{} is blocked on {blocker}", describe_piece(moved, from));
        }
        return format!("{} can't reach {to}", describe_piece(moved, from));
    }
    let rays = match moved {
        Piece::Bishop => get_bishop_rays(from),
        Piece::Rook => get_rook_rays(from),
        Piece::Queen => get_bishop_rays(from) | get_rook_rays(from),
        Piece::Pawn | Piece::Knight | Piece::King => BitBoard::EMPTY,
    };
    let between = get_between_rays(from, to) & board.occupied();
    let near = |square: &Square| {
        (square.file() as i8 - from.file() as i8).abs().max((square.rank() as i8 - from.rank() as i8).abs())
    };
    match between.into_iter().min_by_key(near).filter(|_| rays.has(to)) {
        Some(blocker) => format!("{} can't reach {to}: the way is blocked on {blocker}", describe_piece(moved, from)),
        None => format!("{} can't reach {to}", describe_piece(moved, from)),
    }
}

/// Tells by what the own king would be in check after a move that is fine but for that.
fn explain_check(board: &Board, moved: Piece, from: Square, to: Square) -> String {
    let own = board.side_to_move();
    let king = if moved == Piece::King { to } else { board.king(own) };
    let passes = moved == Piece::Pawn && from.file() != to.file() && !board.occupied().has(to);
    let passed = if passes { Square::new(to.file(), from.rank()).bitboard() } else { BitBoard::EMPTY };
    let gone = to.bitboard() | passed;
    let occupied = (board.occupied() - from.bitboard() - passed) | to.bitboard();
    let from_it = find_attacker(board, occupied, king, !own, gone);
    let from_it = from_it.map_or(String::new(), |(piece, square)| format!(" from the {} on {square}", name(piece)));
    if moved == Piece::King {
        return format!("Your king would be in check on {to}{from_it}");
    }
    if board.checkers().is_empty() {
        return format!("That would leave your king in check{from_it}");
    }
    format!("You're in check{from_it}, and that move doesn't get you out of it")
}

/// Returns a piece of a side that attacks a square, when the board is occupied so and some pieces are gone; `None` if none does.
fn find_attacker(
    board: &Board,
    occupied: BitBoard,
    square: Square,
    by: Color,
    gone: BitBoard,
) -> Option<(Piece, Square)> {
    let reach = |piece: Piece| match piece {
        Piece::Pawn => get_pawn_attacks(square, !by),
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    };
    Piece::ALL.into_iter().find_map(|piece| {
        let attackers = (board.colored_pieces(by, piece) - gone) & reach(piece);
        attackers.next_square().map(|from| (piece, from))
    })
}

/// Tests if a move is meant as castling, and returns whether on the king's side.
fn castling_side(board: &Board, moved: Piece, from: Square, to: Square) -> Option<bool> {
    let home = Rank::First.relative_to(board.side_to_move());
    let along = moved == Piece::King && from.rank() == to.rank() && from.rank() == home;
    let rook = board.colored_pieces(board.side_to_move(), Piece::Rook).has(to);
    let far = (to.file() as i8 - from.file() as i8).abs() == 2;
    (along && (rook || far)).then_some(to.file() > from.file())
}

/// Tells why the side on turn cannot castle.
fn explain_no_castling(board: &Board, short: bool) -> String {
    let own = board.side_to_move();
    let (rights, king) = (board.castle_rights(own), board.king(own));
    let (wing, rook) = if short { ("kingside", rights.short) } else { ("queenside", rights.long) };
    let Some(rook) = rook else {
        return format!("You can't castle {wing} anymore: the king or that rook has moved");
    };
    if let Some(checker) = board.checkers().next_square() {
        let piece = board.piece_on(checker).unwrap_or(Piece::Queen);
        return format!("You can't castle out of check, and the {} on {checker} gives check", name(piece));
    }
    let rook = Square::new(rook, king.rank());
    let [king_to, rook_to] = castling_targets(own, cozy_chess::Move { from: king, to: rook, promotion: None });
    let both = king.bitboard() | rook.bitboard();
    let way = get_between_rays(king, king_to) | king_to.bitboard();
    let all = way | get_between_rays(king, rook) | get_between_rays(rook, rook_to) | rook_to.bitboard();
    if let Some(blocker) = ((all - both) & board.occupied()).next_square() {
        let piece = board.piece_on(blocker).unwrap_or(Piece::Pawn);
        return format!("You can't castle {wing} yet: there is a {} on {blocker}", name(piece));
    }
    let mut way: Vec<Square> = way.into_iter().collect();
    way.sort_by_key(|square| (square.file() as i8 - king.file() as i8).abs());
    let occupied = (board.occupied() - both) | rook_to.bitboard();
    let seen = way
        .into_iter()
        .find_map(|square| Some((square, find_attacker(board, occupied, square, !own, BitBoard::EMPTY)?)));
    match seen {
        Some((square, (piece, from))) => {
            let (verb, by) = (if square == king_to { "come to" } else { "pass" }, name(piece));
            format!("You can't castle {wing}: the king would {verb} {square}, which the {by} on {from} attacks")
        }
        None => "That would leave your king in check".to_owned(),
    }
}

/// Names a piece with its square, at the beginning of a sentence.
fn describe_piece(piece: Piece, square: Square) -> String {
    format!("The {} on {square}", name(piece))
}

/// Returns the letter of a file as a sentence names it: `e-file`.
pub(super) fn file_label(file: File) -> String {
    format!("{}-file", char::from(file))
}
