//! Backgammon, with an optional doubling cube and matches.
//!
//! `position` has the checkers, `plays` generates the legal plays, and [`validate`] checks a proposed play.

mod board;
mod computer;
mod explain;
mod game;
mod notation;
mod plays;
mod position;
mod validate;

pub use board::{BackgammonBoard, CubeView, ScoreView};
pub use computer::evaluate::{CERTAIN, Chances, Evaluator};
pub use computer::inputs::{CONTACT_INPUTS, Counts, Escapes, Inputs, RACE_INPUTS, counts};
pub use computer::net::sigmoid;
pub use computer::{LevelProfile, choose_with};
pub use game::{Backgammon, EndReason, GameConfig, GameEvent, GameResult, Phase, loss_kind};
pub use notation::{format_play, parse_play};
pub use plays::{CubeAction, CubeMove, Dice, Move, PlayGenerator, Steps, legal_plays};
pub use position::{CHECKERS, Color, OWN_BAR, Placement, Position, Step, own_point, own_target};
pub use validate::{PlayFault, Validation, validate};

use ::game::{Game, Info, InvalidOption, Options, Seat, Verb, spans};

use crate::backgammon::game::{CUBE, JACOBY, MATCH, OVERSHOOT, VIEW, after_resignation, max_loss_kind};
use crate::backgammon::position::display_name;

/// The possible costs of resigning, by the kind of loss.
pub const COSTS: [&str; 3] = ["single", "gammon", "backgammon"];

impl Game for Backgammon {
    const INFO: Info = Info {
        name: "backgammon",
        title: "Backgammon",
        aliases: &["bg", "tavla", "tavli", "tric-trac"],
        seats: ["white", "black"],
        tagline: "a race with dice",
        summary: "Roll two dice, bring your fifteen checkers home past your opponent's, and bear them all off first.",
        details: "You can't land on a point with two or more enemy checkers. A single one is hit and has to enter again \
                  from the bar. You must use both dice if you can.",
        moves: spans!(
            "To move, write each checker's path, like `8/5 6/5` or `24/18/13`, counting points from your side (`1` is \
             the last point before bearing off). Write `bar/22` to enter, `6/off` to bear off, `13/7*` for a hit, and \
             `8/5(2)` to move two checkers."
        ),
        numbers: &[],
        options: &[MATCH, CUBE, JACOBY, OVERSHOOT, VIEW],
        verbs: &[
            Verb {
                word: "roll",
                aliases: &[],
                description: "Backgammon with the cube: rolls the dice when you could double.",
            },
            Verb {
                word: "double",
                aliases: &["redouble"],
                description: "Backgammon with the cube: doubles the stakes, before you roll.",
            },
            Verb {
                word: "take",
                aliases: &[],
                description: "Backgammon with the cube: takes the double and the cube.",
            },
            Verb {
                word: "drop",
                aliases: &["pass"],
                description: "Backgammon with the cube: drops the double and loses the game at the old stakes.",
            },
        ],
        variants: &[],
    };

    fn configure(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        GameConfig::from_options(options)
    }

    fn setup_summary(config: &GameConfig) -> Option<String> {
        let length = config.length.map(|points| format!("match to {points}"));
        let cube = match (config.cube, config.length) {
            (true, None) => Some("with the cube".to_owned()),
            (false, Some(_)) => Some("without the cube".to_owned()),
            _ => None,
        };
        let jacoby = if config.jacoby { Some("Jacoby rule".to_owned()) } else { None };
        let overshoot = config.table_options.allow_bear_off_overshoot.then(|| "overshoot allowed".to_owned());
        let view = config.view.map(|view| format!("{}'s view", display_name(view.into())));
        let parts: Vec<String> = [length, cube, jacoby, overshoot, view].into_iter().flatten().collect();
        if parts.is_empty() { None } else { Some(parts.join(", ")) }
    }

    fn setup_options(config: &GameConfig) -> String {
        let length = config.length.map(|points| format!("match={points}"));
        let cube = match (config.cube, config.length) {
            (true, None) => Some("cube=on".to_owned()),
            (false, Some(_)) => Some("cube=off".to_owned()),
            _ => None,
        };
        let jacoby = if config.jacoby { Some("jacoby=on".to_owned()) } else { None };
        [length, cube, jacoby].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn resignation_stakes(&self, seat: Seat) -> &'static [&'static str] {
        let counts_points = self.config.cube || self.config.length.is_some();
        let is_always_single = self.config.jacoby && self.cube.value == 1;
        // An offered double can be dropped, which costs a single game.
        let may_drop = self.phase == Phase::TakeOrDrop && self.side_to_move == seat;
        let costs_single = !counts_points || is_always_single || may_drop;
        if costs_single { &COSTS[..1] } else { &COSTS[..max_loss_kind(&self.board, seat)] }
    }

    fn resign_for(&self, seat: Seat, cost: &str) -> Option<Backgammon> {
        let at = self.resignation_stakes(seat).iter().position(|name| *name == cost)?;
        Some(after_resignation(self, seat, at + 1))
    }
}
