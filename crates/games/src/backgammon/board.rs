//! The board as players see it: 24 points, the bar, two trays, the dice and the cube.

pub mod description;
pub mod dice;
pub mod drawing;
pub mod terminal;
pub mod text;

use game::board::drawing::palette::Ink;
use game::board::piece::{Form, Glyph, PieceStyle};
use game::seat::Seat;

use crate::backgammon::placement::OWN_BAR;

/// The appearance of White's and Black's checkers.
pub const STYLES: [PieceStyle; 2] = [
    PieceStyle { ink: Ink::WHITE, glyph: Glyph { name: "white", letter: 'W', form: Form::Disc } },
    PieceStyle { ink: Ink::BLACK, glyph: Glyph { name: "black", letter: 'B', form: Form::Disc } },
];

/// A board with 24 points, the bar and two trays, seen from one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackgammonBoard {
    /// The seat whose point numbers the board uses.
    pub viewer: Seat,
    /// The side to move, which owns the dice.
    pub side_to_move: Seat,
    /// The owner and number of the checkers on each point, starting with the viewer's 1 point.
    pub points: [Option<(Seat, u8)>; 24],
    /// The checkers on the bar, by seat.
    pub bar: [u8; 2],
    /// The checkers borne off, by seat.
    pub off: [u8; 2],
    /// The dice left to play; `None` when no roll is being played.
    pub dice: Option<[u8; 2]>,
    /// The cube; `None` if the game doesn't use one.
    pub cube: Option<CubeView>,
    /// The match score; `None` in a single game.
    pub score: Option<ScoreView>,
    /// The points where the last play ended, in the viewer's numbers.
    pub last_targets: Vec<u32>,
    /// The points that the last play left, in the viewer's numbers; 25 is the viewer's bar, 0 the opponent's.
    pub last_sources: Vec<u32>,
    /// The seat that bore off a checker in the last play, if any.
    pub bore_off: Option<Seat>,
    /// The points with a checker that can move now, in the viewer's numbers; 25 is the viewer's bar, 0 the opponent's.
    pub movable: Vec<u32>,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubeView {
    /// The current stakes.
    pub value: u32,
    /// The owner; `None` while the cube is centered.
    pub owner: Option<Seat>,
    /// Whether the side to move has been offered a double.
    pub offered: bool,
}

/// The score of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreView {
    /// Each side's points.
    pub points: [u32; 2],
    /// The number of points that wins the match.
    pub length: u32,
}

impl BackgammonBoard {
    /// Turns the board so that a seat is the viewer.
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

    /// Returns a seat's pip count.
    pub fn pips(&self, seat: Seat) -> u32 {
        let far = |point: u32| if seat == self.viewer { point } else { OWN_BAR - point };
        let on_points = (1..=24).zip(&self.points).map(|(point, stack)| match stack {
            Some((owner, count)) if *owner == seat => far(point) * u32::from(*count),
            _ => 0,
        });
        on_points.sum::<u32>() + OWN_BAR * u32::from(self.bar[seat.index()])
    }
}
