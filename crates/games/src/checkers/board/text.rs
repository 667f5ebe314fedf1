//! The board as text: `b` and `w` are men, capitals kings, `(` and `)` stand around the squares of the last move. Beside each
//! row are the numbers of its first and its last square.

use game::board::drawing::palette::Ink;
use game::board::text::{Stress, Text, Tone};
use game::seat::Seat;

use crate::checkers::board::Checkered;

/// Returns the board as lines of text.
pub fn text(board: &Checkered) -> Text {
    let mut text = Text::default();
    for row in 0..8 {
        text.plainly(format!("{:>2} ", row * 4 + 1));
        for column in 0..8 {
            let (tone, part) = Checkered::number(row, column)
                .map_or((Tone::default(), "   ".to_owned()), |number| part(board, number));
            text.push(tone, part);
        }
        text.plainly(format!(" {:>2}", row * 4 + 4));
        text.end();
    }
    text.line("Black is b, White is w, kings are B and W");
    text
}

fn part(board: &Checkered, number: u8) -> (Tone, String) {
    let man = board.man(number);
    let shown = man.map_or('.', |man| man.letter());
    let ink = man.map(|man| if man.seat == Seat::First { Ink::BLACK } else { Ink::WHITE });
    let (stress, part) = if board.last.contains(&number) {
        (Stress::Last, format!("({shown})"))
    } else {
        (if man.is_some() { Stress::None } else { Stress::Faint }, format!(" {shown} "))
    };
    (Tone { ink, stress }, part)
}
