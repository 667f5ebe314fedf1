//! The board as people see it: twenty-four points, a bar and two trays, the dice and the cube.

pub mod description;
pub mod dice;
pub mod drawing;
pub mod text;

use game::board::drawing::palette::Ink;
use game::board::piece::{Form, Glyph, PieceStyle};
use game::seat::Seat;

use crate::backgammon::placement::OWN_BAR;

/// The look of white and black checkers.
pub const STYLES: [PieceStyle; 2] = [
    PieceStyle { ink: Ink::WHITE, glyph: Glyph { name: "white", letter: 'W', form: Form::Disc } },
    PieceStyle { ink: Ink::BLACK, glyph: Glyph { name: "black", letter: 'B', form: Form::Disc } },
];

/// A board of twenty-four points, a bar and two trays, seen from one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardView {
    /// The seat from whose side it is seen: points are numbered as they count.
    pub viewer: Seat,
    /// The seat on turn, which has the dice.
    pub side_to_move: Seat,
    /// The owner and the number of the checkers on each point: the point that the viewer calls 1 first.
    pub points: [Option<(Seat, u8)>; 24],
    /// The checkers on the bar, by seat.
    pub bar: [u8; 2],
    /// The checkers that have been borne off, by seat.
    pub off: [u8; 2],
    /// The dice that are to be played; `None` before and between throws.
    pub dice: Option<[u8; 2]>,
    /// The cube; `None` in a game without it.
    pub cube: Option<CubeView>,
    /// The score of the match; `None` in a single game.
    pub score: Option<ScoreView>,
    /// The points, as the viewer counts, where the last move ended.
    pub last_targets: Vec<u32>,
    /// The points, as the viewer counts, that the last move left; 25 is the viewer's bar, 0 the other one.
    pub last_sources: Vec<u32>,
    /// The seat that bore checkers off in the last move; `None` if neither did.
    pub bore_off: Option<Seat>,
    /// The points, as the viewer counts, from which a checker can be moved now; 25 is the viewer's bar, 0 the other one.
    pub movable: Vec<u32>,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubeView {
    /// The stakes of the game.
    pub value: u32,
    /// The owner; `None` while it is in the middle.
    pub owner: Option<Seat>,
    /// Whether the seat on turn has been offered twice the value.
    pub offered: bool,
}

/// The score of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreView {
    /// The points of each side.
    pub points: [u32; 2],
    /// The points that win it.
    pub length: u32,
}

impl BoardView {
    /// Turns the board to the side of a seat.
    pub fn set_viewer(&mut self, view: Seat) {
        if self.viewer != view {
            self.viewer = view;
            self.points.reverse();
            let turned = |point: &mut u32| *point = OWN_BAR.saturating_sub(*point);
            self.last_targets.iter_mut().for_each(turned);
            self.last_sources.iter_mut().for_each(turned);
            self.movable.iter_mut().for_each(turned);
        }
    }

    /// Returns the number of points that the dice still have to show until a side has borne off everything.
    pub fn pips(&self, seat: Seat) -> u32 {
        let far = |point: u32| if seat == self.viewer { point } else { OWN_BAR - point };
        let on_points = (1..=24).zip(&self.points).map(|(point, stack)| match stack {
            Some((owner, count)) if *owner == seat => far(point) * u32::from(*count),
            _ => 0,
        });
        on_points.sum::<u32>() + OWN_BAR * u32::from(self.bar[seat.index()])
    }
}
