//! Explains why a move is illegal.

use cozy_chess::{
    BitBoard, Board, CastleRights, Color, File, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};
use game::{Explain, Game, IllegalMove, Phrase, Rules};
use serde_json::{Value, json};

use crate::chess::fen::en_passant_square;
use crate::chess::game::{DrawClaim, draw_claim};
use crate::chess::notation::{castling_targets, color_name, piece_name, to_seat};
use crate::chess::{Chess, Move};

impl Explain for Chess {
    fn why_illegal(&self, mv: &Move) -> IllegalMove {
        IllegalMove { context: json!({ "uci": mv.uci }), ..find_illegality(self, mv) }
    }

    fn turn_hint(&self) -> Option<Phrase> {
        if self.end_reason.is_some() || self.checked_king().is_none() {
            return None;
        }
        Some(format!("{}'s king is in check.", Self::INFO.side_name(self.side_to_move())).into())
    }

    fn why_claimable(&self) -> Option<&'static str> {
        Some(match draw_claim(self)? {
            DrawClaim::Threefold => "This position has occurred three times",
            DrawClaim::FiftyMoves => "There were 50 moves without a capture or a pawn move",
            DrawClaim::Material => "Neither side has enough material to win",
        })
    }
}

/// Returns the rule that forbids an illegal move. Leaves out the context, which the caller adds.
fn find_illegality(game: &Chess, mv: &Move) -> IllegalMove {
    let illegal = |code, message: String| IllegalMove::new(code, message, Value::Null);
    if let Some(reason) = game.end_reason {
        return illegal("GAME_OVER", format!("The game is over: {}", reason.describe()));
    }
    let (board, raw) = (&game.board, mv.uci.0);
    let us = board.side_to_move();
    let (from, to) = (raw.from, raw.to);
    let Some((piece, owner)) = board.piece_on(from).zip(board.color_on(from)) else {
        return illegal("EMPTY_SQUARE", format!("There is no piece on {from}"));
    };
    if owner != us {
        let (piece_on_square, owner_name) = (describe_piece(piece, from), color_name(owner));
        let message = format!("{piece_on_square} is {owner_name}'s, but it's {}'s turn", color_name(us));
        let seat_name = Chess::INFO.side_name(to_seat(owner));
        let explanation = format!("That's {seat_name}'s {} on {from}", piece_name(piece));
        return illegal("OTHER_SIDE", message).explained(explanation);
    }
    if let Some(kingside) = castling_side(board, piece, from, to) {
        return illegal("NO_CASTLING", explain_no_castling(game, kingside));
    }
    if board.colors(us).has(to) {
        let blocker = board.piece_on(to).unwrap_or(Piece::Pawn);
        return illegal("OWN_PIECE", format!("There is a {} of your own on {to}", piece_name(blocker)));
    }
    if !pseudo_legal_targets(board, piece, from, us).has(to) {
        return illegal("UNREACHABLE", explain_unreachable(board, piece, from, to));
    }
    let promotes = piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(us);
    if promotes && raw.promotion.is_none() {
        let message = format!("A pawn that reaches {to} promotes to a queen, a rook, a bishop or a knight");
        let explanation = format!("A pawn that reaches {to} promotes. Add =Q, =R, =B, or =N");
        return illegal("PROMOTION", message).explained(explanation);
    }
    if !promotes && raw.promotion.is_some() {
        return illegal("PROMOTION", "Only a pawn that reaches the last rank promotes".to_owned());
    }
    illegal("CHECK", explain_check(board, piece, from, to))
}

/// Returns the squares that a piece could move to, ignoring check.
pub(super) fn pseudo_legal_targets(board: &Board, piece: Piece, from: Square, us: Color) -> BitBoard {
    let occupied = board.occupied();
    let targets = match piece {
        Piece::Pawn => return pseudo_legal_pawn_targets(board, from, us),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    };
    targets - board.colors(us)
}

fn pseudo_legal_pawn_targets(board: &Board, from: Square, us: Color) -> BitBoard {
    let en_passant = en_passant_square(board).map_or(BitBoard::EMPTY, Square::bitboard);
    let mut targets = get_pawn_attacks(from, us) & (board.colors(!us) | en_passant);
    let max_steps = if from.rank() == Rank::Second.relative_to(us) { 2 } else { 1 };
    for step in 1..=max_steps {
        match from.try_offset(0, if us == Color::White { step } else { -step }) {
            Some(square) if !board.occupied().has(square) => targets |= square.bitboard(),
            _ => break,
        }
    }
    targets
}

/// Explains why a piece can't reach a square.
fn explain_unreachable(board: &Board, piece: Piece, from: Square, to: Square) -> String {
    if piece == Piece::Pawn {
        return explain_unreachable_by_pawn(board, from, to);
    }
    let rays = match piece {
        Piece::Bishop => get_bishop_rays(from),
        Piece::Rook => get_rook_rays(from),
        Piece::Queen => get_bishop_rays(from) | get_rook_rays(from),
        Piece::Pawn | Piece::Knight | Piece::King => BitBoard::EMPTY,
    };
    let distance = |square: &Square| {
        (square.file() as i8 - from.file() as i8).abs().max((square.rank() as i8 - from.rank() as i8).abs())
    };
    let blockers = get_between_rays(from, to) & board.occupied();
    match blockers.into_iter().min_by_key(distance) {
        Some(blocker) if rays.has(to) => {
            format!("{} can't reach {to}: the way is blocked on {blocker}", describe_piece(piece, from))
        }
        _ => format!("{} can't reach {to}", describe_piece(piece, from)),
    }
}

fn explain_unreachable_by_pawn(board: &Board, from: Square, to: Square) -> String {
    let us = board.side_to_move();
    if get_pawn_attacks(from, us).has(to) {
        return format!("A pawn takes diagonally, and there is nothing to take on {to}");
    }
    let steps = (to.rank() as i8 - from.rank() as i8) * if us == Color::White { 1 } else { -1 };
    let is_push = from.file() == to.file() && (steps == 1 || steps == 2 && from.rank() == Rank::Second.relative_to(us));
    let mut way = [to].into_iter().chain(get_between_rays(from, to));
    match way.find(|square| board.occupied().has(*square)) {
        Some(blocker) if is_push => format!("{} is blocked on {blocker}", describe_piece(Piece::Pawn, from)),
        _ => format!("{} can't reach {to}", describe_piece(Piece::Pawn, from)),
    }
}

/// Explains which piece would give check after a move that is pseudo-legal.
fn explain_check(board: &Board, piece: Piece, from: Square, to: Square) -> String {
    let us = board.side_to_move();
    let king = if piece == Piece::King { to } else { board.king(us) };
    let is_en_passant = piece == Piece::Pawn && from.file() != to.file() && !board.occupied().has(to);
    let en_passant_pawn = if is_en_passant { Square::new(to.file(), from.rank()).bitboard() } else { BitBoard::EMPTY };
    let captured = to.bitboard() | en_passant_pawn;
    let occupied = (board.occupied() - from.bitboard() - en_passant_pawn) | to.bitboard();
    let by = match find_attacker(board, occupied, king, !us, captured) {
        Some((piece, square)) => format!(" from the {} on {square}", piece_name(piece)),
        None => String::new(),
    };
    if piece == Piece::King {
        return format!("Your king would be in check on {to}{by}");
    }
    if board.checkers().is_empty() {
        return format!("That would leave your king in check{by}");
    }
    format!("You're in check{by}, and that move doesn't get you out of it")
}

/// Returns a piece of color `by` that attacks a square, given the occupied squares and ignoring the pieces in
/// `captured`.
fn find_attacker(
    board: &Board,
    occupied: BitBoard,
    square: Square,
    by: Color,
    captured: BitBoard,
) -> Option<(Piece, Square)> {
    let attacks = |piece: Piece| match piece {
        Piece::Pawn => get_pawn_attacks(square, !by),
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    };
    Piece::ALL.into_iter().find_map(|piece| {
        let attackers = (board.colored_pieces(by, piece) - captured) & attacks(piece);
        attackers.next_square().map(|from| (piece, from))
    })
}

/// Returns whether a move is an attempt to castle kingside, or `None` if it isn't an attempt to castle.
///
/// The parser writes an attempt as the king's move onto its own square if the right to castle is lost and no other move
/// would mean castling.
fn castling_side(board: &Board, piece: Piece, from: Square, to: Square) -> Option<bool> {
    let us = board.side_to_move();
    let home_rank = Rank::First.relative_to(us);
    if piece == Piece::King && from == to {
        let kingside = from.file() > File::D;
        let is_lost = rook_file(board.castle_rights(us), kingside).is_none();
        return is_lost.then_some(kingside);
    }
    if piece != Piece::King || from.rank() != home_rank || to.rank() != home_rank {
        return None;
    }
    let is_on_rook = board.colored_pieces(us, Piece::Rook).has(to);
    let is_two_files = (to.file() as i8 - from.file() as i8).abs() == 2;
    (is_on_rook || is_two_files).then_some(to.file() > from.file())
}

/// Whether the king of the side to move has left the square that it started on.
pub(super) fn has_king_moved(game: &Chess) -> bool {
    let us = game.board.side_to_move();
    let start = game.config.initial_position();
    start.is_ok_and(|start| start.board.king(us) != game.board.king(us))
}

/// Explains why the side to move can't castle.
fn explain_no_castling(game: &Chess, kingside: bool) -> String {
    let board = &game.board;
    let us = board.side_to_move();
    let (king, wing) = (board.king(us), wing_name(kingside));
    let Some(rook) = rook_file(board.castle_rights(us), kingside) else {
        return explain_lost_castling(game, kingside);
    };
    if let Some(checker) = board.checkers().next_square() {
        let piece = board.piece_on(checker).unwrap_or(Piece::Queen);
        return format!("You can't castle out of check, and the {} on {checker} gives check", piece_name(piece));
    }
    let rook = Square::new(rook, king.rank());
    let [king_to, rook_to] = castling_targets(us, cozy_chess::Move { from: king, to: rook, promotion: None });
    let movers = king.bitboard() | rook.bitboard();
    let king_path = get_between_rays(king, king_to) | king_to.bitboard();
    let must_be_free = king_path | get_between_rays(king, rook) | get_between_rays(rook, rook_to) | rook_to.bitboard();
    if let Some(blocker) = ((must_be_free - movers) & board.occupied()).next_square() {
        let piece = board.piece_on(blocker).unwrap_or(Piece::Pawn);
        return format!("You can't castle {wing} yet: there is a {} on {blocker}", piece_name(piece));
    }
    let mut king_path: Vec<Square> = king_path.into_iter().collect();
    king_path.sort_by_key(|square| (square.file() as i8 - king.file() as i8).abs());
    let occupied = (board.occupied() - movers) | rook_to.bitboard();
    for square in king_path {
        if let Some((piece, from)) = find_attacker(board, occupied, square, !us, BitBoard::EMPTY) {
            let (verb, by) = (if square == king_to { "come to" } else { "pass" }, piece_name(piece));
            return format!(
                "You can't castle {wing}: the king would {verb} {square}, which the {by} on {from} attacks"
            );
        }
    }
    "That would leave your king in check".to_owned()
}

/// Explains why the side to move has lost the right to castle on a wing.
fn explain_lost_castling(game: &Chess, kingside: bool) -> String {
    let (board, us) = (&game.board, game.board.side_to_move());
    if has_king_moved(game) {
        return "You can't castle anymore: the king has moved".to_owned();
    }
    let start = game.config.initial_position().ok();
    let file = start.and_then(|start| rook_file(start.board.castle_rights(us), kingside));
    let home = file.map(|file| Square::new(file, board.king(us).rank()));
    let rights = board.castle_rights(us);
    let reason = match home {
        Some(home) if !board.colored_pieces(us, Piece::Rook).has(home) => format!("there is no rook on {home}"),
        _ if rights.short.is_some() || rights.long.is_some() => "that rook has moved".to_owned(),
        _ => "the king or that rook has moved".to_owned(),
    };
    format!("You can't castle {} anymore: {reason}", wing_name(kingside))
}

/// Returns the file of the rook that may castle on a wing, if any.
fn rook_file(rights: &CastleRights, kingside: bool) -> Option<File> {
    if kingside { rights.short } else { rights.long }
}

fn wing_name(kingside: bool) -> &'static str {
    if kingside { "kingside" } else { "queenside" }
}

/// Names a piece and its square, as the start of a sentence.
fn describe_piece(piece: Piece, square: Square) -> String {
    format!("The {} on {square}", piece_name(piece))
}

/// Returns the name of a file: `e-file`.
pub(super) fn file_label(file: File) -> String {
    format!("{}-file", char::from(file))
}
