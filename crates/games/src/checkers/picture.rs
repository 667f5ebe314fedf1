//! A game of checkers as a board that people see.

use game::board::Board;
use game::board::drawing::Drawing;
use game::board::drawing::still::Still;
use game::board::drawing::strip::Strip;
use game::board::mosaic::Mosaic;
use game::board::text::Text;
use game::contract::{Display, Game};
use game::seat::Seat;

use crate::checkers::board::drawing::drawing;
use crate::checkers::board::text::text;
use crate::checkers::board::tiles::mosaic;
use crate::checkers::board::{Checkered, Man};
use crate::checkers::game::{Checkers, Move};
use crate::checkers::men::{Men, SQUARES, bit};

impl Board for Checkered {
    fn text(&self) -> Text {
        text(self)
    }

    fn words(&self) -> String {
        let side = |seat: Seat| {
            let kinds: Vec<String> = [false, true].into_iter().filter_map(|king| self.places(seat, king)).collect();
            let kinds = if kinds.is_empty() { "no pieces".to_owned() } else { kinds.join("; ") };
            format!("{}: {kinds}.", Checkers::INFO.side(seat))
        };
        let mut sentences: Vec<String> = Seat::BOTH.into_iter().map(side).collect();
        if let Some((from, way)) = self.last.split_last() {
            let way: Vec<String> = way.iter().rev().map(u8::to_string).collect();
            sentences.push(format!("The last move went from {from} to {}.", way.join(" and then ")));
        }
        sentences.join(" ")
    }

    fn drawing(&self, strip: &Strip, still: &Still) -> Drawing {
        drawing(self, strip, still)
    }

    fn page_width(&self) -> usize {
        480
    }

    fn mosaic(&self, _playable: &dyn Fn(usize) -> bool) -> Option<Mosaic> {
        Some(mosaic(self))
    }

    fn with_seats_exchanged(&self) -> Box<dyn Board> {
        let squares = self.squares.iter().map(|man| man.map(|man| Man { seat: man.seat.other(), ..man })).collect();
        Box::new(Checkered { squares, ..self.clone() })
    }
}

impl Display for Checkers {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        Box::new(checkered(&self.men, last))
    }

    fn origin(&self, mv: &Move) -> Option<usize> {
        Some(usize::from(*mv.path.first()?))
    }
}

/// Returns the board after the last move.
pub(super) fn checkered(men: &Men, last: Option<&Move>) -> Checkered {
    let man = |place: u64| {
        let owner = Seat::BOTH.into_iter().find(|seat| men.own[seat.index()] & place != 0)?;
        Some(Man { seat: owner, king: men.kings & place != 0 })
    };
    Checkered {
        squares: (0..SQUARES).map(|square| man(bit(square))).collect(),
        last: last.map_or(Vec::new(), |mv| mv.path.iter().rev().copied().collect()),
    }
}
