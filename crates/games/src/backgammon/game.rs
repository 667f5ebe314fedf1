//! The rules of a game and a match: whose turn it is, when to roll, and how the cube and the score change.

use game::{
    DiceRules, Ending, InvalidOption, InvalidState, OptionInfo, Options, Outcome, Roll, Rules, Seat, say, spans,
    take_switch,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::backgammon::plays::Play;
use crate::backgammon::{
    CHECKERS, Color, CubeAction, CubeMove, Dice, Move, OWN_BAR, Placement, PlayGenerator, Step, Steps, legal_plays,
};

/// The highest value of the cube.
pub(super) const MAX_CUBE: u32 = 4096;

/// A backgammon game, or a match with its current game.
#[derive(Clone, Debug, PartialEq)]
pub struct Backgammon {
    /// The settings.
    pub config: GameConfig,
    /// The checkers.
    pub board: Placement,
    /// The side to move.
    pub side_to_move: Seat,
    /// The kind of event that comes next.
    pub phase: Phase,
    /// The dice left to play.
    pub dice: Dice,
    /// The roll being played, as it was rolled.
    pub roll: Option<Roll>,
    /// The cube. It stays centered at 1 in a game without one.
    pub cube: Cube,
    /// Each side's points in the match.
    pub score: [u32; 2],
    /// Whether this is the Crawford game, the one game of a match in which neither side may double.
    pub crawford: bool,
    /// The number of the current game in the match, from 1.
    pub game_number: u32,
    /// The result of the last game.
    pub result: Option<GameResult>,
    /// The events since the last move. They follow from the moves and aren't part of the position.
    pub events: Vec<GameEvent>,
}

/// The kind of event that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The opening roll: one die each, to see who starts.
    OpeningRoll,
    /// A roll by the side to move.
    Roll,
    /// The choice between rolling and doubling, made by the side to move.
    RollOrDouble,
    /// The answer to a double, take or drop, made by the side to move.
    TakeOrDrop,
    /// A play by the side to move.
    Play,
    /// The end of the game or the match.
    Over,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// The value that multiplies the result, 1 to [`MAX_CUBE`].
    pub value: u32,
    /// The owner, who alone may double; `None` while the cube is centered.
    pub owner: Option<Seat>,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "BackgammonResult")]
pub struct GameResult {
    /// The winner.
    pub winner: Color,
    /// The number of points won.
    pub points: u32,
    /// The kind of win: 1 a single game, 2 a gammon, 3 a backgammon.
    pub kind: u32,
    /// The reason the game ended.
    pub by: EndReason,
}

/// The reason a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BackgammonEnding")]
pub enum EndReason {
    /// The last checker was borne off.
    BearingOff,
    /// A double was dropped.
    Drop,
    /// The loser resigned.
    Resigning,
}

/// An event other than a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameEvent {
    /// A tie in the opening roll, by the die that both sides rolled.
    OpeningTie(u8),
    /// The opening roll that decided who starts: White's die, then Black's.
    OpeningRoll(Roll),
    /// A roll without a legal play.
    Passed(Seat, Roll),
    /// A roll with only one legal play: the board before it, and the play.
    ForcedPlay(Seat, Roll, Placement, Vec<Step>),
    /// The end of a game: its number, its result, and the score after it.
    GameEnded(u32, GameResult, [u32; 2]),
}

impl Default for Cube {
    fn default() -> Cube {
        Cube { value: 1, owner: None }
    }
}

impl Backgammon {
    /// Returns every legal play, one for each resulting position.
    pub fn legal_plays(&self) -> Vec<Play> {
        legal_plays(&self.board, self.side_to_move, self.dice, self.allows_overshoot())
    }

    /// Whether a larger die bears off any checker.
    pub fn allows_overshoot(&self) -> bool {
        self.config.table_options.allow_bear_off_overshoot
    }

    /// Returns the board right after a move, before the next game of a match is set up.
    pub(super) fn board_after(&self, mv: &Move) -> Placement {
        let Move::Play(Steps { moves }) = mv else { return self.board };
        moves.iter().fold(self.board, |board, step| board.with_step(self.side_to_move, *step))
    }

    /// Whether a side may double now. It has to have access to the cube, and to need more points than the cube is worth.
    /// Nobody may double in the Crawford game.
    pub fn may_double(&self, seat: Seat) -> bool {
        let has_access = self.cube.owner.is_none_or(|owner| owner == seat);
        let needs_points = self.config.length.is_none_or(|length| self.score[seat.index()] + self.cube.value < length);
        self.config.cube && !self.crawford && has_access && needs_points && self.cube.value < MAX_CUBE
    }

    /// Returns the result of a win. Under the Jacoby rule a gammon counts as a single game until the cube has been
    /// turned.
    pub(super) fn win_result(&self, winner: Seat, kind: u32, by: EndReason) -> GameResult {
        let kind = if self.config.jacoby && self.cube.value == 1 { 1 } else { kind };
        GameResult { winner: winner.into(), points: kind * self.cube.value, kind, by }
    }

    /// Passes the turn to the other side.
    fn with_turn_passed(mut self) -> Backgammon {
        self.side_to_move = self.side_to_move.other();
        self.dice = Dice::NONE;
        self.roll = None;
        self.phase = if self.may_double(self.side_to_move) { Phase::RollOrDouble } else { Phase::Roll };
        self
    }

    /// Ends the current game, then either ends the whole match or sets up its next game.
    fn after_game_end(mut self, winner: Seat, kind: u32, by: EndReason) -> Backgammon {
        let result = self.win_result(winner, kind, by);
        let before = self.score;
        self.score[winner.index()] += result.points;
        self.result = Some(result);
        self.events.push(GameEvent::GameEnded(self.game_number, result, self.score));
        self.dice = Dice::NONE;
        self.roll = None;
        let going_on = self.config.length.filter(|length| self.score[winner.index()] < *length);
        let Some(length) = going_on else {
            self.phase = Phase::Over;
            return self;
        };
        // Only the first game after someone comes within a point of winning the match is the Crawford game.
        let matchpoint = length - 1;
        self.crawford = self.score[winner.index()] == matchpoint && !before.contains(&matchpoint);
        self.board = Placement::START;
        self.cube = Cube::default();
        self.game_number += 1;
        self.phase = Phase::OpeningRoll;
        self
    }
}

impl Rules for Backgammon {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<Backgammon, InvalidState> {
        config.check()?;
        Ok(Backgammon {
            config: *config,
            board: Placement::START,
            side_to_move: Seat::First,
            phase: Phase::OpeningRoll,
            dice: Dice::NONE,
            roll: None,
            cube: Cube::default(),
            score: [0; 2],
            crawford: false,
            game_number: 1,
            result: None,
            events: Vec::new(),
        })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        let actions: &[CubeAction] = match self.phase {
            Phase::Play => {
                return self.legal_plays().into_iter().map(|play| Move::Play(Steps { moves: play.steps })).collect();
            }
            Phase::RollOrDouble => &[CubeAction::Roll, CubeAction::Double],
            Phase::TakeOrDrop => &[CubeAction::Take, CubeAction::Drop],
            Phase::OpeningRoll | Phase::Roll | Phase::Over => &[],
        };
        actions.iter().map(|cube| Move::Cube(CubeMove { cube: *cube })).collect()
    }

    fn proposal_answers(&self) -> Option<[Move; 2]> {
        let answers = [CubeAction::Take, CubeAction::Drop].map(|cube| Move::Cube(CubeMove { cube }));
        if self.phase == Phase::TakeOrDrop { Some(answers) } else { None }
    }

    fn play(&self, mv: &Move) -> Backgammon {
        match mv {
            Move::Play(_) => after_play(self, self.board_after(mv)),
            Move::Cube(CubeMove { cube }) => after_cube_action(self, *cube),
        }
    }

    fn ending(&self) -> Option<Ending> {
        if self.phase != Phase::Over {
            return None;
        }
        let result = self.result?;
        Some(Ending { outcome: Outcome::Won(result.winner.into()), reason: None })
    }

    /// Counts the distinct results of all 21 rolls. Each roll counts once, however likely it is.
    fn perft(&self, depth: u32) -> u64 {
        perft(&self.board, self.side_to_move, self.allows_overshoot(), depth)
    }
}

impl DiceRules for Backgammon {
    const HAS_DICE: bool = true;

    fn needs_roll(&self) -> bool {
        matches!(self.phase, Phase::OpeningRoll | Phase::Roll)
    }

    fn has_optional_rolls(&self) -> bool {
        // In a match to one point, nobody can double.
        self.config.cube && self.config.length != Some(1)
    }

    fn after_choosing_to_roll(&self) -> Option<Backgammon> {
        if self.phase == Phase::RollOrDouble { Some(Backgammon { phase: Phase::Roll, ..self.clone() }) } else { None }
    }

    fn with_roll(&self, roll: Roll) -> Backgammon {
        let mut next = self.clone();
        let [one, two] = roll;
        if self.phase == Phase::OpeningRoll {
            if one == two {
                next.events.push(GameEvent::OpeningTie(one));
                return next;
            }
            next.side_to_move = if one > two { Seat::First } else { Seat::Second };
            next.events.push(GameEvent::OpeningRoll(roll));
        }
        next.dice = Dice::from_roll(roll);
        next.roll = Some(roll);
        next.phase = Phase::Play;
        let stuck =
            PlayGenerator::default().generate(&next.board, next.side_to_move, next.dice, next.allows_overshoot()) == 0;
        if stuck {
            next.events.push(GameEvent::Passed(next.side_to_move, roll));
            return next.with_turn_passed();
        }
        next
    }

    fn forced_play(&self) -> Option<(Move, Backgammon)> {
        if self.phase != Phase::Play {
            return None;
        }
        let roll = self.roll?;
        if PlayGenerator::default().generate(&self.board, self.side_to_move, self.dice, self.allows_overshoot()) != 1 {
            return None;
        }
        let only = Steps { moves: self.legal_plays().pop()?.steps };
        let (before, steps, mv) = (self.board, only.moves.clone(), Move::Play(only));
        let mut next = after_play(self, self.board_after(&mv));
        let own = GameEvent::ForcedPlay(self.side_to_move, roll, before, steps);
        next.events.splice(0..0, self.events.iter().cloned().chain([own]));
        Some((mv, next))
    }

    fn automatic_positions(&self) -> Vec<Backgammon> {
        let (mut earlier, mut positions) = (self.clone(), Vec::new());
        for (index, event) in self.events.iter().enumerate().rev() {
            let (seat, roll) = match event {
                GameEvent::ForcedPlay(seat, roll, board, _) => {
                    earlier.board = *board;
                    (seat, roll)
                }
                GameEvent::Passed(seat, roll) => (seat, roll),
                GameEvent::GameEnded(number, result, score) => {
                    (earlier.game_number, earlier.score) = (*number, *score);
                    let points = &mut earlier.score[Seat::from(result.winner).index()];
                    *points = points.saturating_sub(result.points);
                    continue;
                }
                GameEvent::OpeningTie(_) | GameEvent::OpeningRoll(_) => continue,
            };
            (earlier.side_to_move, earlier.roll, earlier.dice) = (*seat, Some(*roll), Dice::from_roll(*roll));
            earlier.phase = Phase::Play;
            earlier.events.truncate(index);
            positions.push(earlier.clone());
        }
        positions.reverse();
        positions
    }
}

/// Returns the position after a play.
fn after_play(game: &Backgammon, board: Placement) -> Backgammon {
    let mut next = game.clone();
    next.events.clear();
    next.board = board;
    let winner = game.side_to_move;
    if board.has_won(winner) {
        next.after_game_end(winner, loss_kind(&board, winner.other()), EndReason::BearingOff)
    } else {
        next.with_turn_passed()
    }
}

/// Returns the position after a cube action.
fn after_cube_action(game: &Backgammon, action: CubeAction) -> Backgammon {
    let mut next = game.clone();
    next.events.clear();
    match action {
        CubeAction::Roll => next.phase = Phase::Roll,
        CubeAction::Double => {
            next.side_to_move = game.side_to_move.other();
            next.phase = Phase::TakeOrDrop;
        }
        CubeAction::Take => {
            next.cube = Cube { value: game.cube.value * 2, owner: Some(game.side_to_move) };
            next.side_to_move = game.side_to_move.other();
            next.phase = Phase::Roll;
        }
        CubeAction::Drop => return next.after_game_end(game.side_to_move.other(), 1, EndReason::Drop),
    }
    next
}

/// Returns the position after a side resigned a game of this kind.
pub(super) fn after_resignation(game: &Backgammon, loser: Seat, kind: usize) -> Backgammon {
    let mut next = game.clone();
    next.events.clear();
    next.after_game_end(loser.other(), kind as u32, EndReason::Resigning)
}

/// Returns the worst kind of loss still possible: 1 is a single game, 2 a gammon, 3 a backgammon.
pub(super) fn max_loss_kind(board: &Placement, loser: Seat) -> usize {
    let has_far_checker = (19..=OWN_BAR).any(|point| board.count(loser, point) > 0);
    if board.off(loser) > 0 {
        1
    } else if has_far_checker || board.has_contact() {
        3
    } else {
        2
    }
}

/// Returns the kind of a lost game: 1 is a single game, 2 a gammon, 3 a backgammon.
///
/// It is a single game if the loser has borne off a checker. If not, it is a backgammon if the loser has a checker on
/// the bar or in the winner's home board, or else a gammon. A side that started with fewer than 15 checkers counts as
/// having borne off the others.
pub fn loss_kind(board: &Placement, loser: Seat) -> u32 {
    let left: u8 = (1..=OWN_BAR).map(|point| board.count(loser, point)).sum();
    let has_far_checker = (19..=OWN_BAR).any(|point| board.count(loser, point) > 0);
    if board.off(loser) > 0 || left < CHECKERS {
        1
    } else if has_far_checker {
        3
    } else {
        2
    }
}

/// Counts the distinct results of the 21 rolls to a depth in turns. A roll without a legal play has one result.
fn perft(board: &Placement, seat: Seat, overshoot: bool, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if Seat::BOTH.into_iter().any(|side| board.has_won(side)) {
        return 0;
    }
    let mut generator = PlayGenerator::default();
    let mut found = 0;
    for roll in (1..=6).flat_map(|one| (one..=6).map(move |two| [one, two])) {
        let count = generator.generate(board, seat, Dice::from_roll(roll), overshoot) as u64;
        found += match depth {
            1 => count.max(1),
            _ if count == 0 => perft(board, seat.other(), overshoot, depth - 1),
            _ => generator.boards(board, seat).map(|after| perft(&after, seat.other(), overshoot, depth - 1)).sum(),
        };
    }
    found
}

// The settings of a game: the match, the cube, the table's optional rules, and the side the board is shown from.

/// The length of the longest match that the record format allows, in points.
const MAX_MATCH_LENGTH: u32 = 15;

/// The settings of a game or a match, fixed before the first roll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "BackgammonConfig")]
pub struct GameConfig {
    /// The table's optional rules.
    pub table_options: TableOptions,
    /// `true` if the doubling cube is used.
    pub cube: bool,
    /// The Jacoby rule: gammons count only after the cube has been turned. Never set in a match.
    pub jacoby: bool,
    /// The number of points that wins the match, 1 to 15; null for a single game.
    #[serde(rename = "match")]
    pub length: Option<u32>,
    /// The side the board is shown from; the side to move by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Color>,
}

/// The table's optional rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "BackgammonTableOptions")]
pub struct TableOptions {
    /// `true` if a die larger than needed bears off any checker, not only the rearmost one.
    pub allow_bear_off_overshoot: bool,
}

/// The `/new` option for the match length.
pub(super) const MATCH: OptionInfo = OptionInfo {
    key: "match",
    aliases: &["points", "length"],
    description: spans!(
        "a match to this many points, 1 to 15, with the doubling cube: `match=5` (default: a single game)"
    ),
};

/// The `/new` option for the doubling cube.
pub(super) const CUBE: OptionInfo = OptionInfo {
    key: "cube",
    aliases: &["doubling"],
    description: spans!("`cube=on` plays a single game with the doubling cube; `cube=off` plays a match without it"),
};

/// The `/new` option for the Jacoby rule.
pub(super) const JACOBY: OptionInfo = OptionInfo {
    key: "jacoby",
    aliases: &[],
    description: spans!("`jacoby=on` counts gammons only after someone has doubled; not in a match"),
};

/// The `/new` option that lets a larger die bear off any checker.
pub(super) const OVERSHOOT: OptionInfo = OptionInfo {
    key: "overshoot",
    aliases: &["allowBearOffOvershoot"],
    description: spans!("`overshoot=on` lets a larger die bear off any checker, not just the farthest one"),
};

/// The `/new` option for the side the board is shown from.
pub(super) const VIEW: OptionInfo = OptionInfo {
    key: "view",
    aliases: &["seen-by"],
    description: spans!(
        "`view=white` or `view=black` always shows the board from that side (default: the side whose turn it is)"
    ),
};

impl GameConfig {
    /// Takes the options of this game from a `/new` command.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let points = |text: String| {
            text.parse().ok().filter(|points| (1..=MAX_MATCH_LENGTH).contains(points)).ok_or_else(|| {
                let message =
                    say!("`match` has to be a number of points from 1 to {MAX_MATCH_LENGTH}, for example `match=5`.");
                InvalidOption { key: MATCH.key, message }
            })
        };
        let length = options.take(MATCH.key, MATCH.aliases).map(points).transpose()?;
        let cube = take_switch(options, &CUBE)?.unwrap_or(length.is_some());
        let jacoby = take_switch(options, &JACOBY)?.unwrap_or(false);
        let overshoot = take_switch(options, &OVERSHOOT)?.unwrap_or(false);
        let view = chosen_view(options)?;
        let table_options = TableOptions { allow_bear_off_overshoot: overshoot };
        let config = GameConfig { table_options, cube, jacoby, length, view };
        config.check().map_err(|_| {
            let message = say!("`jacoby` only works in a single game with `cube=on`.");
            InvalidOption { key: JACOBY.key, message }
        })?;
        Ok(config)
    }

    /// Checks a configuration, which another program may have written.
    fn check(&self) -> Result<(), InvalidState> {
        match self.length {
            Some(points) if !(1..=MAX_MATCH_LENGTH).contains(&points) => {
                let message = format!("Invalid match: {points}. Expected 1 to {MAX_MATCH_LENGTH}");
                Err(InvalidState::new("match", message))
            }
            _ if self.jacoby && (self.length.is_some() || !self.cube) => {
                Err(InvalidState::new("jacoby", "Invalid jacoby: it only works in a single game with the cube"))
            }
            _ => Ok(()),
        }
    }
}

/// Takes the option for the side that the board is shown from.
fn chosen_view(options: &mut Options) -> Result<Option<Color>, InvalidOption> {
    match options.take(VIEW.key, VIEW.aliases).map(|text| text.to_lowercase()).as_deref() {
        None | Some("turn") => Ok(None),
        Some("white" | "w") => Ok(Some(Color::White)),
        Some("black" | "b") => Ok(Some(Color::Black)),
        Some(_) => {
            let message =
                say!("`view` has to be `white` or `black`. Without it, the board turns to the side whose turn it is.");
            Err(InvalidOption { key: VIEW.key, message })
        }
    }
}
