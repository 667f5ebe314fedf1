//! Reading a move as people write it: any spelling that can mean one legal move, and none that could mean two.

use cozy_chess::{Color, Move as RawMove, Piece, Rank, Square};
use game::cell;
use game::contract::Notation;
use game::phrase::capitalize;
use game::rule::ParseMoveError;

use crate::chess::game::Chess;
use crate::chess::move_pattern::{MovePattern, ParsedText, normalize, parse as spelled};
use crate::chess::moves::Move;
use crate::chess::names::{color_name, piece_name, piece_name as name};
use crate::chess::reasons::{file_label, pseudo_legal_targets};
use crate::chess::san::{self, castling_targets, is_capture, is_castling};

/// The machine code for a piece that is not there.
const NO_SUCH_PIECE: &str = "NO_SUCH_PIECE";

impl Notation for Chess {
    const CASE_SENSITIVE: bool = true;

    fn notation(&self, mv: &Move) -> String {
        san::format(&self.board, mv.uci.0)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let (legal, spelling) = (self.legal_raw_moves(), spelled(text));
        let found: Vec<RawMove> = match &spelling {
            ParsedText::Castling(short) => {
                let side = |mv: &RawMove| short.is_none_or(|short| (mv.to.file() > mv.from.file()) == short);
                legal.into_iter().filter(|mv| is_castling(&self.board, *mv) && side(mv)).collect()
            }
            ParsedText::Patterns(groups) => groups
                .iter()
                .map(|group| matching_moves(self, group, &legal))
                .find(|found| !found.is_empty())
                .unwrap_or_default(),
        };
        match (&found[..], &spelling) {
            ([only], _) => Ok((*only).into()),
            ([_, _, ..], _) => {
                Err(ParseMoveError::Ambiguous(found.iter().map(|mv| san::format(&self.board, *mv)).collect()))
            }
            ([], ParsedText::Castling(short)) => Ok(unavailable_castling(self, short.unwrap_or(true))),
            ([], ParsedText::Patterns(groups)) => match groups.iter().flatten().next() {
                Some(likeliest) => illegal_move(self, likeliest),
                None => Err(unreadable(text)),
            },
        }
    }

    fn move_list_heading(&self, mv: &Move) -> Option<String> {
        let name = piece_name(self.board.piece_on(mv.uci.0.from)?);
        Some(format!("{} {}", capitalize(name), mv.uci.0.from))
    }
}

/// Returns the legal moves that some reading means.
fn matching_moves(game: &Chess, readings: &[MovePattern], legal: &[RawMove]) -> Vec<RawMove> {
    legal.iter().copied().filter(|mv| readings.iter().any(|wanted| matches_pattern(game, wanted, *mv))).collect()
}

/// Tests if a legal move is one that is wanted.
fn matches_pattern(game: &Chess, wanted: &MovePattern, mv: RawMove) -> bool {
    let board = &game.board;
    let moved = board.piece_on(mv.from);
    let pushed = wanted.piece == Some(Piece::Pawn) && wanted.from_file.is_none() && !wanted.captures;
    (wanted.piece.is_none() || wanted.piece == moved)
        && wanted.from_file.is_none_or(|file| file == mv.from.file())
        && wanted.from_rank.is_none_or(|rank| rank == mv.from.rank())
        && matches_target(game, wanted, mv)
        && (!wanted.captures || is_capture(board, mv))
        && (!pushed || !is_capture(board, mv))
        // Without a piece to become it is all four moves.
        && (wanted.promotion.is_none() || wanted.promotion == mv.promotion)
}

/// Tests if a legal move ends where it is wanted to. Who castles may name the square of the king, two away at least, or, with
/// the king's own, that of the rook.
fn matches_target(game: &Chess, wanted: &MovePattern, mv: RawMove) -> bool {
    let here =
        |square: Square| wanted.to_file == square.file() && wanted.to_rank.is_none_or(|rank| rank == square.rank());
    if !is_castling(&game.board, mv) {
        return here(mv.to);
    }
    let [king, _] = castling_targets(game.board.side_to_move(), mv);
    let far = (king.file() as i8 - mv.from.file() as i8).abs() > 1;
    let whole = wanted.from_file.is_some() && wanted.from_rank.is_some();
    (far && here(king)) || (whole && here(mv.to))
}

/// Returns the castling that is not possible, so that it can be told why.
fn unavailable_castling(game: &Chess, short: bool) -> Move {
    let own = game.board.side_to_move();
    let (king, rights) = (game.board.king(own), game.board.castle_rights(own));
    let rook = if short { rights.short } else { rights.long };
    let step = if short { 2 } else { -2 };
    let to = rook.map(|file| Square::new(file, king.rank())).or_else(|| king.try_offset(step, 0));
    RawMove { from: king, to: to.unwrap_or(king), promotion: None }.into()
}

/// Returns a move that is wanted and not legal, so that it can be told why; or else tells that no piece could be meant.
fn illegal_move(game: &Chess, wanted: &MovePattern) -> Result<Move, ParseMoveError> {
    let (board, own) = (&game.board, game.board.side_to_move());
    let says = |sentence: String| Err(ParseMoveError::OutOfRange((NO_SUCH_PIECE, sentence)));
    let Some(to) = wanted.to_rank.map(|rank| Square::new(wanted.to_file, rank)) else {
        let [from, to] = [wanted.from_file.unwrap_or(wanted.to_file), wanted.to_file].map(file_label);
        return says(format!("No pawn on the {from} can take on the {to}"));
    };
    let mv = |from: Square| {
        let raw = RawMove { from, to, promotion: wanted.promotion };
        // What is legal was not wanted so: a capture of nothing.
        if game.end_reason.is_none() && board.is_legal(raw) {
            says(format!("There is nothing to take on {to}"))
        } else {
            Ok(raw.into())
        }
    };
    let from = wanted.from_file.zip(wanted.from_rank).map(|(file, rank)| Square::new(file, rank));
    let Some(piece) = wanted.piece else { return from.map_or(Err(ParseMoveError::NotAMove), mv) };
    if let Some(from) = from.filter(|from| board.piece_on(*from) != Some(piece)) {
        return says(format!("There is no {} on {from}", name(piece)));
    }
    if let Some(from) = from {
        return mv(from);
    }
    let named = |square: &Square| {
        wanted.from_file.is_none_or(|file| file == square.file())
            && wanted.from_rank.is_none_or(|rank| rank == square.rank())
    };
    let all: Vec<Square> = board.colored_pieces(own, piece).into_iter().filter(named).collect();
    if piece == Piece::Pawn {
        let takes = wanted.captures || wanted.from_file.is_some();
        let verb = if takes { "take on" } else { "go to" };
        let none = || says(format!("There is no {} pawn that could {verb} {to}", color_name(own)));
        return likely_pawn(to, own, takes, &all).map_or_else(none, mv);
    }
    let near: Vec<Square> =
        all.iter().copied().filter(|from| pseudo_legal_targets(board, piece, *from, own).has(to)).collect();
    match (&all[..], &near[..]) {
        ([only], _) | (_, [only]) => mv(*only),
        ([], _) if wanted.from_file.is_none() && wanted.from_rank.is_none() => {
            says(format!("There is no {} {}", color_name(own), name(piece)))
        }
        ([], _) => says(format!("There is no {} {} there", color_name(own), name(piece))),
        (_, []) => says(format!("There is no {} that can go to {to}", name(piece))),
        // All of them would leave the king in check, and the first tells why.
        (_, [first, ..]) => mv(*first),
    }
}

/// Returns the pawn that is meant to go to a square: the nearest behind it, or one that stands as if it could take there.
fn likely_pawn(to: Square, own: Color, takes: bool, pawns: &[Square]) -> Option<Square> {
    let towards = |square: &&Square| {
        let ahead = Rank::relative_to(to.rank(), own) as i8 - Rank::relative_to(square.rank(), own) as i8;
        let aside = (square.file() as i8 - to.file() as i8).abs();
        if takes { (aside, ahead) == (1, 1) } else { aside == 0 && ahead > 0 }
    };
    pawns.iter().filter(towards).max_by_key(|square| Rank::relative_to(square.rank(), own)).copied()
}

/// Tells a square that the board does not have from what is no move at all.
fn unreadable(text: &str) -> ParseMoveError {
    let text = normalize(text);
    let behind = text.char_indices().nth(1).map_or("", |(at, _)| &text[at..]);
    let pieces = text.starts_with(['K', 'Q', 'R', 'B', 'N']);
    for square in [text.as_str()].into_iter().chain(pieces.then_some(behind)) {
        if let (true, Err(off @ ParseMoveError::OutOfRange(_))) =
            (square.starts_with(char::is_alphabetic), cell::parse(square, 8, 8))
        {
            return off;
        }
    }
    ParseMoveError::NotAMove
}
