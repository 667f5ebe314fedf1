//! Positions as other programs write them: `B:W21,22,K30:B1,2,3`, the
//! [FEN of draughts](https://wiegerw.github.io/pdn/fentag.html), with the side on turn first and `K` before a king.

use game::seat::Seat;

use crate::checkers::bitboards::{Bitboards, SQUARES, bit, iter_squares};

/// The most men of a side.
const MAX_PIECES: u32 = 12;

/// The letters of the sides.
const LETTERS: [char; 2] = ['B', 'W'];

/// Writes a position, white's men first.
pub fn format(men: &Bitboards) -> String {
    let side = |seat: Seat| {
        let man = |square: u8| format!("{}{}", if men.kings & bit(square) == 0 { "" } else { "K" }, square + 1);
        let all: Vec<String> = iter_squares(men.by_seat[seat.index()]).map(man).collect();
        format!(":{}{}", LETTERS[seat.index()], all.join(","))
    };
    format!("{}{}{}", LETTERS[men.side_to_move.index()], side(Seat::Second), side(Seat::First))
}

/// Reads a position, its sides in either order.
///
/// # Errors
/// What is wrong with it, after "because".
pub fn parse(text: &str) -> Result<Bitboards, String> {
    let seat = |part: &str| LETTERS.iter().position(|letter| part.starts_with(*letter)).map(|at| Seat::BOTH[at]);
    let parts: Vec<&str> = text.split(':').collect();
    let [turn, one, other] = parts[..] else { return Err("it needs three parts".to_owned()) };
    let turn = seat(turn).filter(|_| turn.len() == 1).ok_or("the first part has to be B or W")?;
    let mut men = Bitboards { by_seat: [0; 2], kings: 0, side_to_move: turn };
    let (Some(first), Some(second)) = (seat(one), seat(other)) else {
        return Err("each side needs its letter, B or W".to_owned());
    };
    if first == second {
        return Err("a side appears twice".to_owned());
    }
    for (seat, part) in [(first, one), (second, other)] {
        for man in part[1..].split(',').filter(|_| part.len() > 1) {
            let number = man.strip_prefix('K').unwrap_or(man);
            let digits = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
            let square: Option<u8> = number.parse().ok().filter(|square| digits && (1..=SQUARES).contains(square));
            let place = bit(square.ok_or_else(|| format!("`{man}` isn't a square"))? - 1);
            if (men.by_seat[0] | men.by_seat[1]) & place != 0 {
                return Err(format!("square {number} has two pieces"));
            }
            men.by_seat[seat.index()] |= place;
            if man != number {
                men.kings |= place;
            }
        }
        if men.by_seat[seat.index()].count_ones() > MAX_PIECES {
            return Err(format!("a side has more than {MAX_PIECES} pieces"));
        }
    }
    if men.has_uncrowned_man() { Err("a man on the last row has to be a king".to_owned()) } else { Ok(men) }
}
