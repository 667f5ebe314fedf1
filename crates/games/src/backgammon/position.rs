//! The JSON format of positions, and the requests that other programs may send about them.

use game::contract::{Interchange, Rules};
use game::rule::InvalidState;
use game::seat::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::backgammon::config::{GameConfig, TableOptions};
use crate::backgammon::game::{Backgammon, Cube, EndReason, GameResult, MAX_CUBE, Phase, loss_kind};
use crate::backgammon::moves::Move;
use crate::backgammon::placement::{OWN_BAR, Placement, Step};
use crate::backgammon::plays::Dice;
use crate::backgammon::side::{Color, color_name};
use crate::backgammon::validate::validate as validate_play;

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

impl Interchange for Backgammon {
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
