//! The placement of the checkers, the JSON of a position, and the requests that other programs may send about positions.

use game::{InvalidState, PositionJson, Rules, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::backgammon::game::{Cube, MAX_CUBE, TableOptions};
use crate::backgammon::{
    Backgammon, Dice, EndReason, GameConfig, GameResult, Move, Phase, loss_kind, validate as validate_play,
};

/// A number per side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "BackgammonBothSides")]
pub struct PerSide {
    /// White's number.
    pub white: u32,
    /// Black's number.
    pub black: u32,
}

/// A position: the checkers, the side to move, the dice, the cube and the score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "BackgammonPosition")]
pub struct Position {
    /// The points: positive numbers are White's checkers, negative ones Black's.
    pub board: [i8; 24],
    /// The checkers on the bar.
    #[serde(default)]
    pub bar: PerSide,
    /// The checkers borne off.
    #[serde(default)]
    pub borne_off: PerSide,
    /// The side to move.
    pub active_player: Color,
    /// The dice left to play; empty before a roll. Two equal dice are a double, which is played four times.
    #[serde(default)]
    pub dice: Vec<u8>,
    /// The table's optional rules; those of the configuration by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_options: Option<TableOptions>,
    /// `true` if the next roll is the opening roll, one die each.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opening: bool,
    /// The doubling cube, if the game uses one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube: Option<CubeState>,
    /// The match, if there is one.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub score: Option<MatchScore>,
    /// The result of the last game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "BackgammonCube")]
pub struct CubeState {
    /// The value that multiplies the result.
    pub value: u32,
    /// The owner, who alone may double; null while the cube is centered.
    pub owner: Option<Color>,
    /// `true` if the side to move has been offered a double.
    #[serde(default, skip_serializing_if = "is_default")]
    pub offered: bool,
    /// `true` if the side to move chose to roll.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rolling: bool,
}

/// The score of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "BackgammonScore")]
pub struct MatchScore {
    /// The number of the current game, from 1.
    pub game: u32,
    /// Each side's points.
    pub score: PerSide,
    /// `true` in the Crawford game, in which neither side may double.
    #[serde(default, skip_serializing_if = "is_default")]
    pub crawford: bool,
}

/// A request to check a play that may be illegal.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proposal {
    player: Color,
    moves: Vec<Step>,
}

impl PositionJson for Backgammon {
    type Position = Position;

    fn from_position(config: &GameConfig, position: &Position) -> Result<Backgammon, InvalidState> {
        let mut config = *config;
        config.table_options = position.table_options.unwrap_or(config.table_options);
        config.cube |= position.cube.is_some();
        let mut game = Backgammon::start(&config)?;
        let counts = |both: PerSide| [both.white, both.black].map(|count| u8::try_from(count).unwrap_or(u8::MAX));
        game.board = Placement::new(position.board, counts(position.bar), counts(position.borne_off))?;
        game.side_to_move = position.active_player.into();
        game.dice = Dice::from_remaining(&position.dice)?;
        game.roll = position.dice.as_slice().try_into().ok();
        if let Some(CubeState { value, owner, .. }) = position.cube {
            if !value.is_power_of_two() || value > MAX_CUBE {
                return Err(InvalidState::new(
                    "cube.value",
                    format!("Invalid cube: {value}. Expected 1, 2, 4 and so on up to 4096"),
                ));
            }
            game.cube = Cube { value, owner: owner.map(Seat::from) };
        }
        if let Some(MatchScore { game: number, score, crawford }) = position.score {
            let length =
                config.length.ok_or_else(|| InvalidState::new("match", "Invalid match: `config` has no match"))?;
            let points = [score.white, score.black];
            if number == 0 || number > 2 * length || points.iter().any(|points| *points > 4096 * 3 + length) {
                return Err(InvalidState::new("match", "Invalid match: no match can reach this score"));
            }
            game.score = points;
            game.game_number = number;
            game.crawford = crawford;
        }
        let winner = Seat::BOTH.into_iter().find(|seat| game.board.has_won(*seat));
        let won =
            winner.map(|winner| game.win_result(winner, loss_kind(&game.board, winner.other()), EndReason::BearingOff));
        game.result = position.result.or(won);
        let offered = position.cube.is_some_and(|cube| cube.offered);
        let rolling = position.cube.is_some_and(|cube| cube.rolling);
        let on_board = (1..=OWN_BAR).any(|point| game.board.count(game.side_to_move, point) > 0);
        game.phase = if game.result.is_some() {
            Phase::Over
        } else if !on_board {
            return Err(InvalidState::new("board", "Invalid board: the player to move has no checker on it"));
        } else if position.opening {
            Phase::OpeningRoll
        } else if offered {
            Phase::TakeOrDrop
        } else if !game.dice.faces().is_empty() {
            Phase::Play
        } else if game.may_double(game.side_to_move) && !rolling {
            Phase::RollOrDouble
        } else {
            Phase::Roll
        };
        if game.phase != Phase::Play {
            game.dice = Dice::NONE;
            game.roll = None;
        }
        Ok(game)
    }

    fn position(&self) -> Position {
        let Backgammon { board, dice, cube, .. } = self;
        Position {
            board: board.points(),
            bar: both(|seat| board.bar(seat).into()),
            borne_off: both(|seat| board.off(seat).into()),
            active_player: self.side_to_move.into(),
            dice: self.roll.map_or_else(|| dice.faces().to_vec(), |roll| roll.to_vec()),
            table_options: Some(self.config.table_options),
            opening: self.phase == Phase::OpeningRoll,
            cube: self.config.cube.then(|| CubeState {
                value: cube.value,
                owner: cube.owner.map(Color::from),
                offered: self.phase == Phase::TakeOrDrop,
                rolling: self.phase == Phase::Roll && self.may_double(self.side_to_move),
            }),
            score: self.config.length.map(|_| MatchScore {
                game: self.game_number,
                score: both(|seat| self.score[seat.index()]),
                crawford: self.crawford,
            }),
            result: if self.phase == Phase::Over { self.result } else { None },
        }
    }

    fn position_after_json(&self, mv: &Move) -> Value {
        checkers(&self.board_after(mv))
    }

    fn status_json(&self) -> serde_json::Map<String, Value> {
        let usable = self.legal_plays().first().map_or(0, |play| play.steps.len());
        [("diceUsable".to_owned(), usable.into())].into_iter().collect()
    }

    fn validate(&self, proposal: &Value) -> Option<Result<Value, InvalidState>> {
        Some(validate_proposal(self, proposal))
    }
}

fn validate_proposal(game: &Backgammon, proposal: &Value) -> Result<Value, InvalidState> {
    let proposal: Proposal = serde_json::from_value(proposal.clone())
        .map_err(|error| InvalidState::new("validate", format!("`validate` can't be read: {error}")))?;
    let player = proposal.player.into();
    let validation =
        validate_play(&game.board, game.side_to_move, game.dice, game.allows_overshoot(), player, &proposal.moves);
    serde_json::to_value(validation).map_err(|error| InvalidState::new("validate", error.to_string()))
}

/// Returns the checkers as JSON, without the rest of the position.
pub(super) fn checkers(board: &Placement) -> Value {
    let both = |count: &dyn Fn(Seat) -> u8| json!({ color_name(Seat::First): count(Seat::First), color_name(Seat::Second): count(Seat::Second) });
    json!({ "board": board.points(), "bar": both(&|seat| board.bar(seat)), "borneOff": both(&|seat| board.off(seat)) })
}

fn both(count: impl Fn(Seat) -> u32) -> PerSide {
    PerSide { white: count(Seat::First), black: count(Seat::Second) }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

// The two sides and their colors.

/// The color of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BackgammonPlayer")]
pub enum Color {
    /// The side that moves from high points to low ones.
    White,
    /// The side that moves from low points to high ones.
    Black,
}

impl From<Seat> for Color {
    fn from(seat: Seat) -> Color {
        [Color::White, Color::Black][seat.index()]
    }
}

impl From<Color> for Seat {
    fn from(color: Color) -> Seat {
        Seat::BOTH[color as usize]
    }
}

/// Returns a side's name in records and for programs: `white`.
pub(super) fn color_name(seat: Seat) -> &'static str {
    ["white", "black"][seat.index()]
}

/// Returns a side's name for people: `White`.
pub(super) fn display_name(seat: Seat) -> &'static str {
    ["White", "Black"][seat.index()]
}

// The checkers of both sides, and the step that moves one checker.
//
// Each side is a `u128` of 26 nibbles, indexed by that side's own point numbers. Nibbles 1 to 24 are the points, 25 is
// the bar, and 0 holds the checkers borne off. Both sides move downward, so a step is an addition.

/// The number of checkers per side.
pub const CHECKERS: u8 = 15;
/// The index of the bar in a step, only as its source.
pub(super) const BAR: i8 = -1;
/// The index of the tray in a step, only as its target.
pub(super) const OFF: i8 = 24;
/// The bar, in its owner's numbers.
pub const OWN_BAR: u32 = 25;

/// The checkers of both sides: on the points, on the bar and borne off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    pub(super) sides: [u128; 2],
}

/// A move of one checker by one die. Points are numbered from 0 to 23 for both sides: White moves down, Black moves up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "BackgammonStep")]
pub struct Step {
    /// The source: a point, or -1 for the bar.
    pub from: i8,
    /// The target: a point, or 24 for a checker borne off.
    pub to: i8,
    /// The die used.
    pub die: u8,
}

impl Placement {
    /// The starting position.
    pub const START: Placement = {
        let side = 5 << (4 * 6) | 3 << (4 * 8) | 5 << (4 * 13) | 2 << (4 * 24);
        Placement { sides: [side, side] }
    };

    /// Returns the placement with these checkers. On the points, positive numbers are White's checkers and negative
    /// ones Black's.
    ///
    /// # Errors
    /// Returns an error if a side has more than 15 checkers; the message names the field.
    pub fn new(points: [i8; 24], bar: [u8; 2], off: [u8; 2]) -> Result<Placement, InvalidState> {
        let mut sides = [0_u128; 2];
        for seat in Seat::BOTH {
            let (own, name) = (seat.index(), color_name(seat));
            let on = points.map(|count| if own == 0 { count } else { count.saturating_neg() }.max(0).unsigned_abs());
            let total = on.into_iter().chain([bar[own], off[own]]).map(u32::from).sum::<u32>();
            if total > u32::from(CHECKERS) {
                let message = format!(
                    "Invalid board: {name} has {total} checkers on `board`, `bar` and `borneOff`, and a side has at most 15"
                );
                let context = json!({ "player": name, "checkers": total });
                return Err(InvalidState { message, context });
            }
            for (index, count) in on.into_iter().enumerate() {
                sides[own] |= u128::from(count) << (4 * own_point(seat, index as i8));
            }
            sides[own] |= u128::from(bar[own]) << (4 * OWN_BAR) | u128::from(off[own]);
        }
        Ok(Placement { sides })
    }

    /// Returns the points: positive numbers are White's checkers, negative ones Black's.
    pub fn points(&self) -> [i8; 24] {
        std::array::from_fn(|index| {
            let [white, black] = Seat::BOTH.map(|seat| self.count(seat, own_point(seat, index as i8)) as i8);
            white - black
        })
    }

    /// Returns the number of a side's checkers on the bar.
    pub fn bar(&self, seat: Seat) -> u8 {
        self.count(seat, OWN_BAR)
    }

    /// Returns the number of checkers a side has borne off.
    pub fn off(&self, seat: Seat) -> u8 {
        self.count(seat, 0)
    }

    /// Returns the number of a side's checkers on a point in its own numbers; 25 is its bar, 0 its tray.
    pub fn count(&self, seat: Seat, point: u32) -> u8 {
        (self.sides[seat.index()] >> (4 * point) & 15) as u8
    }

    /// Returns a side's pip count.
    pub fn pips(&self, seat: Seat) -> u32 {
        (1..=OWN_BAR).map(|point| point * u32::from(self.count(seat, point))).sum()
    }

    /// Whether a side has borne off all its checkers.
    pub fn has_won(&self, seat: Seat) -> bool {
        let side = self.sides[seat.index()];
        side != 0 && side < 16
    }

    /// Whether checkers of the two sides still have to pass each other.
    pub fn has_contact(&self) -> bool {
        let rearmost = |seat: Seat| (1..=OWN_BAR).rev().find(|point| self.count(seat, *point) > 0).unwrap_or(0);
        rearmost(Seat::First) + rearmost(Seat::Second) > OWN_BAR
    }

    /// Returns the placement after a legal step.
    pub fn with_step(mut self, seat: Seat, step: Step) -> Placement {
        let (from, to) = (own_point(seat, step.from), own_target(seat, step.to));
        let (own, other) = (seat.index(), seat.other().index());
        self.sides[own] = self.sides[own] - (1 << (4 * from)) + (1 << (4 * to));
        if to > 0 && self.count(seat.other(), OWN_BAR - to) == 1 {
            self.sides[other] = self.sides[other] - (1 << (4 * (OWN_BAR - to))) + (1 << (4 * OWN_BAR));
        }
        self
    }
}

/// Converts the source of a step to the mover's own numbers.
pub fn own_point(seat: Seat, index: i8) -> u32 {
    match (index, seat) {
        (BAR, _) => OWN_BAR,
        (_, Seat::First) => u32::from((index + 1).unsigned_abs()),
        (_, Seat::Second) => u32::from((24 - index).unsigned_abs()),
    }
}

/// Converts the target of a step to the mover's own numbers.
pub fn own_target(seat: Seat, index: i8) -> u32 {
    if index == OFF { 0 } else { own_point(seat, index) }
}

/// Returns a step between two points in the mover's own numbers.
pub(super) fn step(seat: Seat, from: u32, to: u32, die: u8) -> Step {
    let index = |point: u32| if seat == Seat::First { point as i8 - 1 } else { 24 - point as i8 };
    Step { from: if from == OWN_BAR { BAR } else { index(from) }, to: if to == 0 { OFF } else { index(to) }, die }
}
