//! Parses [descriptive notation](https://en.wikipedia.org/wiki/Descriptive_notation), as in older books: `P-K4`, `N-KB3`, `NxP`,
//! `pawn to king four`.
//!
//! A file has the name of the piece that starts on it, and ranks count from the player who moves.

use cozy_chess::{Board, Color, File, Piece, Rank, Square};

use crate::chess::move_pattern::{MovePattern, normalize};

/// The longest move in letters, such as `KBPxQBP`.
const MAX_LETTERS: usize = 12;

/// The letters and signs for words.
const WORDS: &[(&str, &str)] = &[
    ("king", "K"),
    ("queen", "Q"),
    ("rook", "R"),
    ("bishop", "B"),
    ("knight", "N"),
    ("pawn", "P"),
    ("to", "-"),
    ("takes", "x"),
    ("captures", "x"),
    ("s", ""),
    ("the", ""),
];

/// Returns every pattern that a text means in this position; none if it isn't a move in descriptive notation.
pub(super) fn parse(board: &Board, text: &str) -> Vec<MovePattern> {
    read(board, text).unwrap_or_default()
}

fn read(board: &Board, text: &str) -> Option<Vec<MovePattern>> {
    let letters = to_letters(&normalize(text).replace("Kt", "N"))?;
    let (letters, promotion) = match letters.split_once(['=', '(']) {
        Some((letters, piece)) => (letters, Some(parse_piece(piece.trim_end_matches(')'))?.0)),
        None => (letters.as_str(), None),
    };
    let at = letters.find(['-', 'x'])?;
    let ((mover, target), captures) = ((&letters[..at], &letters[at + 1..]), letters[at..].starts_with('x'));
    let (piece, from_files) = parse_piece(mover)?;
    // A piece of the king's or the queen's side may stand anywhere by now.
    if piece != Piece::Pawn && !from_files.is_empty() {
        return None;
    }
    let us = board.side_to_move();
    let targets: Vec<Square> = if captures {
        let (piece, files) = parse_piece(target)?;
        let is_target = |square: &Square| files.is_empty() || files.contains(&square.file());
        board.colored_pieces(!us, piece).into_iter().filter(is_target).collect()
    } else {
        parse_squares(us, target)?
    };
    let pattern = |to: Square, from_file: Option<File>| MovePattern {
        piece: Some(piece),
        from_file,
        from_rank: None,
        captures,
        to_file: to.file(),
        to_rank: Some(to.rank()),
        promotion,
    };
    let from_files: Vec<Option<File>> =
        if from_files.is_empty() { vec![None] } else { from_files.into_iter().map(Some).collect() };
    Some(targets.into_iter().flat_map(|to| from_files.iter().map(move |from| pattern(to, *from))).collect())
}

/// Returns a move in letters and signs: `knight to king's bishop 3` is `N-KB3`. `None` for text with other words.
fn to_letters(text: &str) -> Option<String> {
    let mut letters = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
        let known = WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        match (known, first) {
            (Some((_, sign)), _) => letters.push_str(sign),
            (None, 'K' | 'Q' | 'R' | 'B' | 'N' | 'P' | '1'..='8' | 'x' | '-' | '=' | '(' | ')') => letters.push(first),
            (None, ' ' | '\'' | '’') => {}
            _ => return None,
        }
        rest = &rest[known.map_or(first.len_utf8(), |_| word.len())..];
        if letters.len() > MAX_LETTERS {
            return None;
        }
    }
    Some(letters)
}

/// Parses a piece, and the files that its letters before it name: `QBP` is the pawn on the c-file.
fn parse_piece(text: &str) -> Option<(Piece, Vec<File>)> {
    let piece = match text.chars().next_back()? {
        'K' => Piece::King,
        'Q' => Piece::Queen,
        'R' => Piece::Rook,
        'B' => Piece::Bishop,
        'N' => Piece::Knight,
        'P' => Piece::Pawn,
        _ => return None,
    };
    match &text[..text.len() - 1] {
        "" => Some((piece, Vec::new())),
        files => Some((piece, parse_files(files)?)),
    }
}

/// Parses a file: `K` is one, `B` two, and `KB` one of them.
fn parse_files(text: &str) -> Option<Vec<File>> {
    let files: &[File] = match text {
        "QR" => &[File::A],
        "QN" => &[File::B],
        "QB" => &[File::C],
        "Q" => &[File::D],
        "K" => &[File::E],
        "KB" => &[File::F],
        "KN" => &[File::G],
        "KR" => &[File::H],
        "R" => &[File::A, File::H],
        "N" => &[File::B, File::G],
        "B" => &[File::C, File::F],
        _ => return None,
    };
    Some(files.to_vec())
}

/// Parses the squares that a target can be: `K4` is `e4` for White and `e5` for Black, and `B4` is `c4` or `f4` for White.
fn parse_squares(us: Color, text: &str) -> Option<Vec<Square>> {
    let (files, rank) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let rank = Rank::try_from(rank.chars().next()?).ok()?.relative_to(us);
    Some(parse_files(files)?.into_iter().map(|file| Square::new(file, rank)).collect())
}
