//! The notation of moves. The parser accepts any common separator between squares.

use game::contract::Notation;
use game::notation::strip_decoration;
use game::rule::ParseMoveError;

use crate::checkers::bitboards::SQUARES;
use crate::checkers::game::{Checkers, Move};

/// The error code for a square that isn't on the board.
const INVALID_SQUARE: &str = "INVALID_SQUARE";

impl Notation for Checkers {
    fn notation(&self, mv: &Move) -> String {
        let numbers: Vec<String> = mv.path.iter().map(u8::to_string).collect();
        // The numbers of neighboring squares differ by 3 to 5.
        let is_step = matches!(mv.path[..], [from, to] if from.abs_diff(to) < 6);
        numbers.join(if is_step { "-" } else { "x" })
    }

    fn first_move_number(&self) -> Option<usize> {
        Some(1)
    }

    /// Parses `11-15`, `11 15` and `22x15x8`, and `22x8` if only one capture matches.
    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let typed = parse_squares(strip_decoration(text)).ok_or(ParseMoveError::NotAMove)?;
        if let Some(number) = typed.iter().find(|number| !(1..=SQUARES).contains(number)) {
            let message = format!("There's no square {number}: the dark squares are numbered 1 to {SQUARES}");
            return Err(ParseMoveError::out_of_range(INVALID_SQUARE, message));
        }
        let legal: Vec<Move> = self.legal_paths().iter().map(Move::from).collect();
        // A complete path takes precedence over one with squares left out, which takes precedence over the start of a path.
        let is_complete = |mv: &Move| mv.path == typed;
        let is_abridged = |mv: &Move| mv.path.last() == typed.last() && passes_through(&mv.path, &typed);
        let is_begun = |mv: &Move| mv.path.starts_with(&typed);
        for matches_text in [&is_complete as &dyn Fn(&Move) -> bool, &is_abridged, &is_begun] {
            let matches: Vec<&Move> = legal.iter().filter(|mv| matches_text(mv)).collect();
            match matches[..] {
                [] => {}
                [only] => return Ok(only.clone()),
                _ => return Err(ParseMoveError::Ambiguous(matches.into_iter().map(|mv| self.notation(mv)).collect())),
            }
        }
        Ok(Move { path: typed })
    }

    fn move_list_heading(&self, mv: &Move) -> Option<String> {
        Some(format!("From {}", mv.path.first()?))
    }
}

/// Whether a path starts on the first of these squares and passes through the others in order.
fn passes_through(path: &[u8], squares: &[u8]) -> bool {
    let mut rest = path.iter();
    path.first() == squares.first() && squares.iter().all(|square| rest.any(|other| other == square))
}

/// Parses two or more numbers with common separators between them.
fn parse_squares(text: &str) -> Option<Vec<u8>> {
    let text = text.to_lowercase();
    let is_digit = |c: char| c.is_ascii_digit();
    if !text.starts_with(is_digit) || !text.ends_with(is_digit) {
        return None;
    }
    let mut separators = text.split(is_digit).map(str::trim).filter(|part| !part.is_empty());
    let is_known = |separator: &str| {
        matches!(separator, "-" | "–" | "—" | "->" | "→" | "x" | "×" | "*" | ":" | "to" | "takes" | ",")
    };
    if !separators.all(is_known) || text.contains('\n') {
        return None;
    }
    // Old books write `1115`.
    let is_compact = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbers: Vec<&str> = if is_compact {
        vec![&text[..2], &text[2..]]
    } else {
        text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect()
    };
    let squares: Vec<u8> = numbers.into_iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
    if squares.len() > 1 { Some(squares) } else { None }
}
