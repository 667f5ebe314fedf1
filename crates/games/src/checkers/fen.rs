//! Positions in the [FEN of draughts](https://wiegerw.github.io/pdn/fentag.html): `B:W21,22,K30:B1,2,3`.
//!
//! The side to move comes first. `K` precedes the square of a king.

use game::seat::Seat;

use crate::checkers::bitboards::{Bitboards, SQUARES, bit, iter_squares};

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
