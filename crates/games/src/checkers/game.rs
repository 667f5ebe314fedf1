//! The settings and rules of checkers, and its explanations.

use std::borrow::Cow;

use game::{
    DiceRules, Ending, Explain, Game, IllegalMove, InvalidOption, InvalidState, Notation, OptionInfo, Options, Outcome,
    Phrase, Rules, Seat, capitalize, parse_number, say, spans,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::checkers::position::{Bitboards, MovePath, SQUARES, bit};
use crate::orientation::Orientation;

/// The number of consecutive plies without a capture or a man's move at which the game is a draw.
pub(super) const MAX_REVERSIBLE_PLIES: u16 = 80;
/// The number of occurrences of a position at which the game is a draw.
const DRAW_REPETITIONS: usize = 3;

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CheckersMove")]
pub struct Move {
    /// The squares that the piece visits, 1 to 32: its start, then the end of each step or jump.
    pub path: Vec<u8>,
}

impl From<&MovePath> for Move {
    fn from(path: &MovePath) -> Move {
        Move { path: path.squares().iter().map(|square| square + 1).collect() }
    }
}

/// A position with the history needed for draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkers {
    /// The pieces and the side to move.
    pub bitboards: Bitboards,
    /// The number of plies since the last capture or man's move.
    pub(super) reversible_plies: u16,
    /// The positions since the last capture or man's move, oldest first.
    pub(super) earlier: Vec<Bitboards>,
    /// The count of plies without a capture, if the game has this rule.
    pub(super) no_capture_rule: Option<NoCaptureRule>,
    /// How the game ended, if it is over.
    pub(super) end: Option<End>,
    /// The side that the board is shown from, if a player chose one.
    pub(super) view: Option<Orientation>,
}

/// How a game ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The side to move has no pieces left.
    NoMen,
    /// The side to move can't move.
    Blocked,
    /// The position occurred for the third time.
    Repetition,
    /// Each side made 40 moves without a capture or a man's move.
    FortyMoves,
    /// Each side made this number of moves without a capture.
    NoCaptures(u16),
}

impl End {
    /// Returns the reason in a few words.
    fn reason(self) -> Cow<'static, str> {
        match self {
            End::NoMen => "no men left".into(),
            End::Blocked => "no move left".into(),
            End::Repetition => "threefold repetition".into(),
            End::FortyMoves => "40 moves without a capture or a man's move".into(),
            End::NoCaptures(moves) => format!("{moves} moves without a capture").into(),
        }
    }
}

impl Checkers {
    /// Returns a position, with its `end` if the game is over.
    pub(super) fn with_outcome(
        bitboards: Bitboards,
        reversible_plies: u16,
        earlier: Vec<Bitboards>,
        no_capture_rule: Option<NoCaptureRule>,
    ) -> Checkers {
        let occurrences = 1 + earlier.iter().filter(|position| **position == bitboards).count();
        let end = if bitboards.sides()[0] == 0 {
            Some(End::NoMen)
        } else if !bitboards.can_move() {
            Some(End::Blocked)
        } else if occurrences >= DRAW_REPETITIONS {
            Some(End::Repetition)
        } else if reversible_plies >= MAX_REVERSIBLE_PLIES {
            Some(End::FortyMoves)
        } else {
            match no_capture_rule {
                Some(rule) if rule.is_draw() => Some(End::NoCaptures(rule.max_plies / 2)),
                _ => None,
            }
        };
        Checkers { bitboards, reversible_plies, earlier, no_capture_rule, end, view: None }
    }

    /// Returns the legal moves. There are none after the end.
    pub(super) fn legal_paths(&self) -> Vec<MovePath> {
        if self.end.is_none() { self.bitboards.legal_moves() } else { Vec::new() }
    }

    /// Returns the path of a move, or `None` if it is illegal.
    fn find_path(&self, mv: &Move) -> Option<MovePath> {
        self.legal_paths().into_iter().find(|path| Move::from(path) == *mv)
    }

    /// Returns the position after a legal move.
    pub(super) fn after_path(&self, path: &MovePath) -> Checkers {
        let no_capture_rule = self.no_capture_rule.map(|rule| rule.after_ply(path.captured != 0));
        if self.bitboards.is_irreversible(path) {
            let after = Checkers::with_outcome(self.bitboards.after_path(path), 0, Vec::new(), no_capture_rule);
            return after.with_view(self.view);
        }
        let earlier = self.earlier.iter().copied().chain([self.bitboards]).collect();
        let after = Checkers::with_outcome(
            self.bitboards.after_path(path),
            self.reversible_plies.saturating_add(1),
            earlier,
            no_capture_rule,
        );
        after.with_view(self.view)
    }

    /// Returns the same position, shown from a side.
    pub(super) fn with_view(self, view: Option<Orientation>) -> Checkers {
        Checkers { view, ..self }
    }
}

impl Rules for Checkers {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<Checkers, InvalidState> {
        let start = Checkers::with_outcome(Bitboards::START, 0, Vec::new(), config.no_capture_rule()?);
        Ok(start.with_view(config.view))
    }

    fn side_to_move(&self) -> Seat {
        self.bitboards.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.legal_paths().iter().map(Move::from).collect()
    }

    fn play(&self, mv: &Move) -> Checkers {
        // Callers pass legal moves only.
        self.find_path(mv).map_or_else(|| self.clone(), |path| self.after_path(&path))
    }

    fn ending(&self) -> Option<Ending> {
        Some(Ending { outcome: self.outcome()?, reason: Some(self.end?.reason()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| match end {
            End::NoMen | End::Blocked => Outcome::Won(self.bitboards.side_to_move.other()),
            End::Repetition | End::FortyMoves | End::NoCaptures(_) => Outcome::Draw,
        })
    }

    /// Counts positions as published perft results do: play continues after a draw.
    fn perft(&self, depth: u32) -> u64 {
        self.bitboards.perft(depth)
    }
}

impl DiceRules for Checkers {}

// The settings of a game: when it is a draw without captures, and how the board is shown.

/// The limits of `draw_after`, in moves per side.
const MIN_DRAW_MOVES: u16 = 10;
const MAX_DRAW_MOVES: u16 = 100;

/// The `/new` option for a draw without captures.
pub(super) const DRAW_OPTION: OptionInfo = OptionInfo {
    key: "draw",
    aliases: &["drawAfter", "draw-after"],
    description: spans!(
        "draw after this many moves per side without a capture, `10` to `100`; by default, after 40 moves per side \
         without a capture or a man's move"
    ),
};

/// The settings of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "CheckersConfig")]
pub struct GameConfig {
    /// The game is a draw after this many moves per side without a capture, 10 to 100. If missing, they aren't counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_after: Option<u16>,
    /// The side that the board is shown from; white if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Orientation>,
}

/// A count of plies without a capture that ends the game as a draw. Unlike the 40-move rule, it ignores moves of men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoCaptureRule {
    /// The plies so far.
    pub(super) plies: u16,
    /// The number of plies at which the game is a draw.
    pub(super) max_plies: u16,
}

impl NoCaptureRule {
    /// Returns the count after another ply.
    #[inline]
    pub(super) fn after_ply(self, is_capture: bool) -> NoCaptureRule {
        NoCaptureRule { plies: if is_capture { 0 } else { self.plies.saturating_add(1) }, ..self }
    }

    /// Whether the game is a draw.
    #[inline]
    pub(super) fn is_draw(self) -> bool {
        self.plies >= self.max_plies
    }

    /// Returns the number of plies until the draw.
    pub(super) fn plies_left(self) -> u16 {
        self.max_plies.saturating_sub(self.plies)
    }
}

impl GameConfig {
    /// Takes the options of this game from a `/new` command.
    ///
    /// # Errors
    /// Returns an error if the number of moves or the view is invalid.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let view = Orientation::take(options)?;
        let moves = options.take(DRAW_OPTION.key, DRAW_OPTION.aliases);
        // Text that isn't a number is out of range.
        let number = |text: String| parse_number(&text).and_then(|moves| u16::try_from(moves).ok()).unwrap_or_default();
        let config = GameConfig { draw_after: moves.map(number), view };
        config.no_capture_rule().map_err(|_| {
            let message = say!("`draw` has to be a number of moves from {MIN_DRAW_MOVES} to {MAX_DRAW_MOVES}.");
            InvalidOption { key: DRAW_OPTION.key, message }
        })?;
        Ok(config)
    }

    /// Returns the count at the start of a game, or `None` if the game doesn't have this rule.
    ///
    /// # Errors
    /// Returns an error if the setting is out of range.
    pub(super) fn no_capture_rule(&self) -> Result<Option<NoCaptureRule>, InvalidState> {
        match self.draw_after {
            Some(moves) if !(MIN_DRAW_MOVES..=MAX_DRAW_MOVES).contains(&moves) => Err(InvalidState::unexpected(
                "config.drawAfter",
                moves,
                &format!("{MIN_DRAW_MOVES} to {MAX_DRAW_MOVES}"),
            )),
            moves => Ok(moves.map(|moves| NoCaptureRule { plies: 0, max_plies: 2 * moves })),
        }
    }
}

// Explains illegal moves.

/// The number of plies before a draw without captures from which the players get a warning.
const DRAW_WARNING_PLIES: u16 = 10;

impl Explain for Checkers {
    fn why_illegal(&self, mv: &Move) -> IllegalMove {
        let legal: Vec<String> = self.legal_moves().iter().map(|mv| self.notation(mv)).collect();
        let context = json!({ "path": mv.path, "legalMoves": legal });
        IllegalMove { context, ..find_illegality(self, mv) }
    }

    fn turn_hint(&self) -> Option<Phrase> {
        if self.end.is_some() {
            return None;
        }
        if self.bitboards.must_capture() {
            return Some(format!("{} has to capture.", Self::INFO.side_name(self.bitboards.side_to_move)).into());
        }
        let rule = self.no_capture_rule?;
        if self.bitboards == Bitboards::START {
            // Tell the players about the rule at the start.
            return Some(
                format!("The game is a draw after {} moves per side without a capture.", rule.max_plies / 2).into(),
            );
        }
        let left = rule.plies_left();
        if left > DRAW_WARNING_PLIES {
            return None;
        }
        let moves = if left == 1 { "move".to_owned() } else { format!("{left} moves") };
        Some(format!("The game is a draw unless there's a capture in the next {moves}.").into())
    }
}

/// Returns the rule that forbids an illegal move. Leaves out the context, which the caller adds.
fn find_illegality(game: &Checkers, mv: &Move) -> IllegalMove {
    let bitboards = &game.bitboards;
    let illegal = |code, message: &str| IllegalMove::new(code, capitalize(message), Value::Null);
    if let Some(end) = game.end {
        return illegal("TERMINAL_STATE_MOVE", &format!("the game is over: {}", end.reason()));
    }
    let (&[from, to, ..], true) = (&mv.path[..], mv.path.iter().all(|square| (1..=SQUARES).contains(square))) else {
        let message = format!("a move has to be two or more squares from 1 to {SQUARES}");
        return illegal("INVALID_SQUARE", &message);
    };
    let start = bit(from - 1);
    let side = |seat: Seat| Checkers::INFO.seats[seat.index()];
    let [own, other] = bitboards.sides();
    if other & start != 0 {
        let owner = bitboards.side_to_move.other();
        let kind = if bitboards.kings & start == 0 { "man" } else { "king" };
        let explanation = format!("That's {}'s {kind} on {from}", Checkers::INFO.side_name(owner));
        return illegal("WRONG_SIDE", &format!("the man on {from} is {}'s", side(owner))).explained(explanation);
    }
    if own & start == 0 {
        let explanation = format!("There's no piece on {from}");
        return illegal("EMPTY_SQUARE", &format!("there is no man on {from}")).explained(explanation);
    }
    if bitboards.must_capture() {
        let message = format!("{} can capture, so it has to", side(bitboards.side_to_move));
        return illegal("CAPTURE_FORCED", &message).explained("You can capture, so you have to");
    }
    if bitboards.free_squares() & bit(to - 1) == 0 {
        let explanation = format!("There's already a piece on {to}");
        return illegal("OCCUPIED_SQUARE", &format!("{to} is taken")).explained(explanation);
    }
    let [(row, column), (to_row, to_column)] = [from, to].map(|square| {
        let (row, nth) = ((square - 1) / 4, (square - 1) % 4);
        (row, nth * 2 + (1 - row % 2))
    });
    if mv.path.len() > 2 || column.abs_diff(to_column) != 1 || row.abs_diff(to_row) != 1 {
        let is_jump = mv.path.len() > 2 || row.abs_diff(to_row) == 2 && column.abs_diff(to_column) == 2;
        if is_jump {
            return illegal("NO_CAPTURE", "there is nothing to capture").explained("There's nothing to capture there");
        }
        let explanation = "Without a capture, a piece moves one square diagonally";
        return illegal("INVALID_STEP", "a man moves one square diagonally").explained(explanation);
    }
    illegal("BACKWARDS", "only a king moves backward").explained("Only a king can move backward")
}
