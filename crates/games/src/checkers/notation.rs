//! The notation of moves. The parser accepts any common separator between squares.

use game::notation::strip_decoration;
use game::{Notation, ParseMoveError, Seat};

use crate::checkers::Checkers;
use crate::checkers::game::Move;
use crate::checkers::position::{Bitboards, SQUARES, bit, iter_squares};

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
    let text = text.strip_prefix("from ").unwrap_or(&text);
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

// Positions in the [FEN of draughts](https://wiegerw.github.io/pdn/fentag.html): `B:W21,22,K30:B1,2,3`.
//
// The side to move comes first. `K` precedes the square of a king.

/// The largest number of pieces of a side.
const MAX_PIECES: u32 = 12;

/// The letters of the sides.
const LETTERS: [char; 2] = ['B', 'W'];

/// Formats a position, with White's pieces first.
pub fn format(bitboards: &Bitboards) -> String {
    let side = |seat: Seat| {
        let square_text =
            |square: u8| format!("{}{}", if bitboards.kings & bit(square) == 0 { "" } else { "K" }, square + 1);
        let squares: Vec<String> = iter_squares(bitboards.by_seat[seat.index()]).map(square_text).collect();
        format!(":{}{}", LETTERS[seat.index()], squares.join(","))
    };
    format!("{}{}{}", LETTERS[bitboards.side_to_move.index()], side(Seat::Second), side(Seat::First))
}

/// Parses a position, with the sides in either order.
///
/// # Errors
/// Returns an error if the text isn't a valid position. The message has no subject and no final period.
pub fn parse(text: &str) -> Result<Bitboards, String> {
    let seat = |part: &str| LETTERS.iter().position(|letter| part.starts_with(*letter)).map(|index| Seat::BOTH[index]);
    let parts: Vec<&str> = text.split(':').collect();
    let [side_part, first_part, second_part] = parts[..] else { return Err("it needs three parts".to_owned()) };
    let side_to_move = match seat(side_part) {
        Some(seat) if side_part.len() == 1 => seat,
        _ => return Err("the first part has to be B or W".to_owned()),
    };
    let mut bitboards = Bitboards { by_seat: [0; 2], kings: 0, side_to_move };
    let (Some(first), Some(second)) = (seat(first_part), seat(second_part)) else {
        return Err("each side needs its letter, B or W".to_owned());
    };
    if first == second {
        return Err("a side appears twice".to_owned());
    }
    for (seat, part) in [(first, first_part), (second, second_part)] {
        if part.len() == 1 {
            continue;
        }
        for piece in part[1..].split(',') {
            let number = piece.strip_prefix('K').unwrap_or(piece);
            let is_number = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
            let mask = match number.parse() {
                Ok(square) if is_number && (1..=SQUARES).contains(&square) => bit(square - 1),
                _ => return Err(format!("`{piece}` isn't a square")),
            };
            if (bitboards.by_seat[0] | bitboards.by_seat[1]) & mask != 0 {
                return Err(format!("square {number} has two pieces"));
            }
            bitboards.by_seat[seat.index()] |= mask;
            if piece != number {
                bitboards.kings |= mask;
            }
        }
        if bitboards.by_seat[seat.index()].count_ones() > MAX_PIECES {
            return Err(format!("a side has more than {MAX_PIECES} pieces"));
        }
    }
    if bitboards.has_uncrowned_man() { Err("a man on the last row has to be a king".to_owned()) } else { Ok(bitboards) }
}
