//! Backgammon, with the doubling cube and matches for those who want them.
//!
//! The board and its plays are in [`board`] and [`mod@plays`], a proposal is judged in [`mod@validate`], plays are written and read in
//! [`written`]; how a game and a match go on is in [`flow`]. Here all of it becomes a game that a table can hold.

pub mod board;
pub mod flow;
mod picture;
pub mod plays;
pub mod points;
pub mod position;
pub mod validate;
mod words;
pub mod written;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::game::board::Board as Shown;
use crate::game::contract::{Ending, Game, Outcome};
use crate::game::info::{Info, OptionInfo, Verb};
use crate::game::options::{BadOption, Options};
use crate::game::phrase::{Phrase, code, phrase, spans};
use crate::game::rule::{RuleError, Unread};
use crate::game::seat::Seat;
use crate::game::throw::Throw;
use crate::games::backgammon::board::{Board, Step};
use crate::games::backgammon::flow::{Cube, Phase};
use crate::games::backgammon::plays::{Dice, Play, plays};

pub use crate::games::backgammon::flow::Backgammon;
pub use crate::games::backgammon::position::{Player, Position};

/// The longest match, in points. A record has room for it.
pub const MAX_MATCH: u32 = 15;

/// What is settled before the first throw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "BackgammonConfig")]
pub struct GameConfig {
    /// The rules of the house.
    pub table_options: TableOptions,
    /// Whether the doubling cube is used.
    pub cube: bool,
    /// Whether gammons count only once the cube has been turned. Not in matches.
    pub jacoby: bool,
    /// How many points win the match; null is a single game.
    #[serde(rename = "match")]
    pub length: Option<u32>,
    /// Whose side the board is shown from; without one, from the side of whoever is on turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Player>,
}

/// The rules of the house.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "BackgammonTableOptions")]
pub struct TableOptions {
    /// A die that is larger than needed bears off any checker, not only the rearmost one.
    pub allow_bear_off_overshoot: bool,
}

/// What a player does: plays the dice, or something about the cube.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "BackgammonMove")]
pub enum Move {
    /// Plays the dice.
    Play(Steps),
    /// Does something about the cube.
    Cube(CubeAction),
}

/// The steps of a play, in canonical order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "BackgammonSteps")]
pub struct Steps {
    /// One step a die.
    pub moves: Vec<Step>,
}

/// What is done about the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "BackgammonAction")]
pub struct CubeAction {
    /// The deed.
    pub cube: Deed,
}

/// The four things that can be done about the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BackgammonDeed")]
pub enum Deed {
    /// Rolls, and does not double.
    Roll,
    /// Offers to play on at twice the stakes.
    Double,
    /// Plays on at twice the stakes, and owns the cube.
    Take,
    /// Loses at the stakes as they were.
    Drop,
}

impl Deed {
    const ALL: [Deed; 4] = [Deed::Roll, Deed::Double, Deed::Take, Deed::Drop];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Deed::Roll => "roll",
            Deed::Double => "double",
            Deed::Take => "take",
            Deed::Drop => "drop",
        }
    }
}

impl Game for Backgammon {
    const INFO: Info = Info {
        name: "backgammon",
        title: "Backgammon",
        aliases: &["bg", "tavla", "tavli", "tric-trac"],
        seats: ["white", "black"],
        summary: "Two dice, fifteen checkers each: bring yours home past the other side's and bear them all off first.",
        moves: spans![
            "The way of each checker, points counted from your own side and " ("1")
            " the last one of your home board: " ("8/5 6/5") ", " ("24/18/13") ", " ("bar/22")
            " to enter, " ("6/off") " to bear off, " ("13/7*") " for a hit, " ("8/5(2)")
            " for two alike."
        ],
        options: &[
            OptionInfo {
                key: "match",
                aliases: &["points", "length"],
                meaning: spans![
                    "play to so many points, 1 to 15, with the doubling cube: " ("match=5")
                    "; a single game unless given"
                ],
            },
            OptionInfo {
                key: "cube",
                aliases: &["doubling"],
                meaning: spans![
                    ("cube=on") " plays a single game with the doubling cube; a match has it unless "
                    ("cube=off")
                ],
            },
            OptionInfo {
                key: "jacoby",
                aliases: &[],
                meaning: spans![
                    ("jacoby=on") " counts gammons only once the cube has been turned; not in a match"
                ],
            },
            OptionInfo {
                key: "overshoot",
                aliases: &["allowBearOffOvershoot"],
                meaning: spans![
                    ("overshoot=on") " lets a larger die bear off any checker, not only the rearmost one"
                ],
            },
            OptionInfo {
                key: "view",
                aliases: &["side", "seen-by"],
                meaning: spans![
                    ("view=white") " or " ("view=black")
                    " always shows the board from that side; from the side of whoever is on turn unless given"
                ],
            },
        ],
        verbs: &[
            Verb {
                word: "roll",
                aliases: &[],
                meaning: "Backgammon with the cube: rolls the dice, when you could have doubled.",
            },
            Verb {
                word: "double",
                aliases: &["redouble"],
                meaning: "Backgammon with the cube: doubles the stakes, before you roll.",
            },
            Verb { word: "take", aliases: &[], meaning: "Backgammon with the cube: takes the double, and the cube." },
            Verb {
                word: "drop",
                aliases: &["pass"],
                meaning: "Backgammon with the cube: drops the double and loses the game at the old stakes.",
            },
        ],
    };

    const DICE: bool = true;

    type Config = GameConfig;
    type Move = Move;
    type Position = Position;

    fn configure(options: &mut Options) -> Result<GameConfig, BadOption> {
        let length = match options.take("match", &["points", "length"]) {
            None => None,
            Some(text) => {
                Some(text.parse().ok().filter(|points| (1..=MAX_MATCH).contains(points)).ok_or_else(|| {
                    let range = format!(" is a number of points from 1 to {MAX_MATCH}: for example ");
                    let expected = phrase![code("match"), range, code("match=5"), "."];
                    BadOption { key: "match", expected }
                })?)
            }
        };
        let cube = switch(options, "cube", &["doubling"])?.unwrap_or(length.is_some());
        let jacoby = switch(options, "jacoby", &[])?.unwrap_or(false);
        let overshoot = switch(options, "overshoot", &["allowBearOffOvershoot"])?.unwrap_or(false);
        let view = chosen_view(options)?;
        if jacoby && (length.is_some() || !cube) {
            let why = " in a single game; a match is played without it.";
            let expected = phrase![code("jacoby"), " goes with ", code("cube=on"), why];
            return Err(BadOption { key: "jacoby", expected });
        }
        let table_options = TableOptions { allow_bear_off_overshoot: overshoot };
        Ok(GameConfig { table_options, cube, jacoby, length, view })
    }

    fn start(config: &GameConfig) -> Result<Backgammon, RuleError> {
        match config.length {
            Some(points) if !(1..=MAX_MATCH).contains(&points) => {
                let message = format!("Invalid match: {points}. Expected 1 to {MAX_MATCH}");
                return Err(position::invalid("match", &message));
            }
            _ if config.jacoby && (config.length.is_some() || !config.cube) => {
                return Err(position::invalid("jacoby", "Invalid jacoby: it goes with the cube in a single game"));
            }
            _ => {}
        }
        Ok(Backgammon {
            config: *config,
            board: Board::START,
            to_move: Seat::First,
            phase: Phase::Opening,
            dice: Dice::NONE,
            throw: None,
            cube: Cube::default(),
            score: [0; 2],
            crawford: false,
            number: 1,
            result: None,
            news: Vec::new(),
        })
    }

    fn setup(config: &GameConfig) -> Option<String> {
        let length = config.length.map(|points| format!("a match to {points}"));
        let cube = match (config.cube, config.length) {
            (true, None) => Some("with the cube".to_owned()),
            (false, Some(_)) => Some("without the cube".to_owned()),
            _ => None,
        };
        let jacoby = config.jacoby.then(|| "Jacoby rule".to_owned());
        let overshoot = config.table_options.allow_bear_off_overshoot.then(|| "overshoot allowed".to_owned());
        let view = config.view.map(|view| format!("seen by {}", board::color(view.into())));
        let parts: Vec<String> = [length, cube, jacoby, overshoot, view].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn at(config: &GameConfig, position: &Position) -> Result<Backgammon, RuleError> {
        position::set_up(config, position)
    }

    fn position(&self) -> Position {
        position::of(self)
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn ending(&self) -> Option<Ending> {
        let result = self.result.filter(|_| self.phase == Phase::Over)?;
        Some(Ending { outcome: Outcome::Won(result.winner), reason: None })
    }

    fn turn_hint(&self) -> Option<Phrase> {
        words::turn_hint(self)
    }

    fn awaits_throw(&self) -> bool {
        matches!(self.phase, Phase::Opening | Phase::Throw)
    }

    fn thrown(&self, throw: Throw) -> Backgammon {
        flow::thrown(self, throw)
    }

    fn news(&self) -> Option<Phrase> {
        words::news(self)
    }

    fn resigned(&self, seat: Seat) -> Option<Backgammon> {
        Some(flow::resigned(self, seat))
    }

    fn legal_moves(&self) -> Vec<Move> {
        let deeds: &[Deed] = match self.phase {
            Phase::Play => {
                return self.plays().into_iter().map(|play| Move::Play(Steps { moves: play.steps })).collect();
            }
            Phase::Choice => &[Deed::Roll, Deed::Double],
            Phase::Answer => &[Deed::Take, Deed::Drop],
            Phase::Opening | Phase::Throw | Phase::Over => &[],
        };
        deeds.iter().map(|cube| Move::Cube(CubeAction { cube: *cube })).collect()
    }

    fn objection(&self, mv: &Move) -> Option<RuleError> {
        words::objection(self, mv)
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        words::explain(self, mv)
    }

    fn play(&self, mv: &Move) -> Backgammon {
        match mv {
            Move::Play(_) => flow::played(self, self.board_after(mv)),
            Move::Cube(CubeAction { cube }) => flow::turned(self, *cube),
        }
    }

    fn notation(&self, mv: &Move) -> String {
        match mv {
            Move::Play(Steps { moves }) => written::write(&self.board, self.to_move, moves),
            Move::Cube(CubeAction { cube }) => cube.word().to_owned(),
        }
    }

    fn entry(&self, mv: &Move) -> String {
        match (mv, self.throw) {
            (Move::Play(_), Some([one, two])) => format!("{}{}: {}", one.max(two), one.min(two), self.notation(mv)),
            _ => self.notation(mv),
        }
    }

    fn group(&self, mv: &Move) -> Option<String> {
        let Move::Play(_) = mv else { return Some("The cube".to_owned()) };
        let notation = self.notation(mv);
        let from = notation.split('/').next().filter(|from| *from != "bar");
        Some(from.map_or("From the bar".to_owned(), |point| format!("From {point}")))
    }

    fn deed(mv: &Move) -> Option<&'static str> {
        let Move::Cube(CubeAction { cube }) = mv else { return None };
        Some(match cube {
            Deed::Roll => "rolls",
            Deed::Double => "doubles",
            Deed::Take => "takes the double",
            Deed::Drop => "drops the double",
        })
    }

    fn read(&self, text: &str) -> Result<Move, Unread> {
        let wanted = crate::game::notation::fold(text);
        if let Some(cube) = Deed::ALL.into_iter().find(|deed| deed.word() == wanted) {
            return Ok(Move::Cube(CubeAction { cube }));
        }
        let moves = written::read(&self.board, self.to_move, self.dice, self.overshoot(), text)?;
        Ok(Move::Play(Steps { moves }))
    }

    fn board(&self, last: Option<&Move>) -> Box<dyn Shown> {
        let steps = last.map_or(&[][..], |mv| if let Move::Play(Steps { moves }) = mv { moves } else { &[] });
        Box::new(picture::points(self, steps))
    }

    /// The distinct results of all 21 throws, each counted once, however likely it is.
    fn perft(&self, depth: u32) -> u64 {
        flow::perft(&self.board, self.to_move, self.overshoot(), depth)
    }

    fn result(&self, mv: &Move) -> Value {
        position::checkers(&self.board_after(mv))
    }

    fn facts(&self) -> serde_json::Map<String, Value> {
        let usable = self.plays().first().map_or(0, |play| play.steps.len());
        [("diceUsable".to_owned(), usable.into())].into_iter().collect()
    }

    fn validate(&self, proposal: &Value) -> Option<Result<Value, RuleError>> {
        Some(position::validate(self, proposal))
    }
}

impl Backgammon {
    /// Every distinct way to play the dice.
    #[must_use]
    pub fn plays(&self) -> Vec<Play> {
        plays(&self.board, self.to_move, self.dice, self.overshoot())
    }

    /// Whether a larger die bears off any checker.
    #[must_use]
    pub fn overshoot(&self) -> bool {
        self.config.table_options.allow_bear_off_overshoot
    }

    /// The checkers right after a move, before the next game of a match is set up.
    fn board_after(&self, mv: &Move) -> Board {
        match mv {
            Move::Play(Steps { moves }) => moves.iter().fold(self.board, |board, step| board.step(self.to_move, *step)),
            Move::Cube(_) => self.board,
        }
    }
}

/// The side that the board is to be shown from.
fn chosen_view(options: &mut Options) -> Result<Option<Player>, BadOption> {
    match options.take("view", &["side", "seen-by"]).map(|text| text.to_lowercase()).as_deref() {
        None | Some("turn") => Ok(None),
        Some("white" | "w") => Ok(Some(Player::White)),
        Some("black" | "b") => Ok(Some(Player::Black)),
        Some(_) => {
            let otherwise = "; without it, the board turns with whoever is on turn.";
            let expected = phrase![code("view"), " is ", code("white"), " or ", code("black"), otherwise];
            Err(BadOption { key: "view", expected })
        }
    }
}

/// An option that is on or off.
fn switch(options: &mut Options, key: &'static str, aliases: &[&str]) -> Result<Option<bool>, BadOption> {
    match options.take(key, aliases).map(|text| text.to_lowercase()).as_deref() {
        None => Ok(None),
        Some("on" | "yes" | "true" | "1") => Ok(Some(true)),
        Some("off" | "no" | "false" | "0") => Ok(Some(false)),
        Some(_) => Err(BadOption { key, expected: phrase![code(key), " is ", code("on"), " or ", code("off"), "."] }),
    }
}
