//! Reading a move as people write it: the squares are what counts, whatever stands between them.

use game::contract::Notation;
use game::notation::strip_decoration;
use game::rule::ParseMoveError;

use crate::checkers::bitboards::SQUARES;
use crate::checkers::game::{Checkers, Move};

/// The machine code for a square that the board does not have.
const INVALID_SQUARE: &str = "INVALID_SQUARE";

impl Notation for Checkers {
    fn notation(&self, mv: &Move) -> String {
        let numbers: Vec<String> = mv.path.iter().map(u8::to_string).collect();
        // A step goes to a neighbour, whose number differs by 3 to 5.
        let steps = matches!(mv.path[..], [from, to] if from.abs_diff(to) < 6);
        numbers.join(if steps { "-" } else { "x" })
    }

    /// Reads `11-15`, `11 15`, `22x15x8`, and `22x8` where only one capture goes there.
    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let named = parse_squares(strip_decoration(text)).ok_or(ParseMoveError::NotAMove)?;
        if let Some(off) = named.iter().find(|number| !(1..=SQUARES).contains(number)) {
            let sentence = format!("There's no square {off}: the dark squares are numbered 1 to {SQUARES}");
            return Err(ParseMoveError::OutOfRange((INVALID_SQUARE, sentence)));
        }
        let legal: Vec<Move> = self.legal_paths().iter().map(Move::from).collect();
        // What is written in full is meant so, then what leaves squares out on the way, then what stops on the way.
        let whole = |mv: &Move| mv.path == named;
        let between = |mv: &Move| mv.path.last() == named.last() && passes_through(&mv.path, &named);
        let begun = |mv: &Move| mv.path.starts_with(&named);
        for meant in [&whole as &dyn Fn(&Move) -> bool, &between, &begun] {
            let found: Vec<&Move> = legal.iter().filter(|mv| meant(mv)).collect();
            match found[..] {
                [] => {}
                [only] => return Ok(only.clone()),
                _ => return Err(ParseMoveError::Ambiguous(found.into_iter().map(|mv| self.notation(mv)).collect())),
            }
        }
        Ok(Move { path: named })
    }

    fn move_list_heading(&self, mv: &Move) -> Option<String> {
        Some(format!("From {}", mv.path.first()?))
    }
}

/// Tests if some squares are on a path, in this order, from the same square on.
fn passes_through(path: &[u8], named: &[u8]) -> bool {
    let mut rest = path.iter();
    path.first() == named.first() && named.iter().all(|square| rest.any(|other| other == square))
}

/// Returns the numbers of a text that is nothing but numbers and what people put between squares: at least two.
fn parse_squares(text: &str) -> Option<Vec<u8>> {
    let text = text.to_lowercase();
    let is_digit = |c: char| c.is_ascii_digit();
    if !text.starts_with(is_digit) || !text.ends_with(is_digit) {
        return None;
    }
    let between = text.split(is_digit).map(str::trim).filter(|part| !part.is_empty());
    let known =
        |part: &str| matches!(part, "-" | "–" | "—" | "->" | "→" | "x" | "×" | "*" | ":" | "to" | "takes" | ",");
    if !between.into_iter().all(known) || text.contains('\n') {
        return None;
    }
    // Old books write `1115`.
    let old = text.split_at_checked(2).filter(|_| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()));
    let parts: Vec<&str> = match old {
        Some((from, to)) => vec![from, to],
        None => text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect(),
    };
    let found: Vec<u8> = parts.into_iter().map(|part| part.parse().ok()).collect::<Option<_>>()?;
    (found.len() > 1).then_some(found)
}
