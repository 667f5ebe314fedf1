//! The contract between a game and the table it is played at.
//!
//! A game is a value. It knows its rules, its notation and its board, and no more: no GitHub, no players, no JSON text, no
//! Markdown. [`Rules::legal_moves`] decides what is legal, and [`turn`] is the only way to move.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::board::Board;
use crate::engine::{EngineMove, Level};
use crate::info::Info;
use crate::notation::{normalize, normalize_keeping_case};
use crate::options::{BadOption, Options};
use crate::phrase::Phrase;
use crate::roll::Roll;
use crate::rule::{ParseMoveError, RuleError};
use crate::seat::Seat;

/// The result of a game on the board. Endings by word (resigning, agreeing) belong to the table, not to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side of this seat has won.
    Won(Seat),
    /// Neither side has won.
    Draw,
}

/// The end of a game on the board, and its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The result.
    pub outcome: Outcome,
    /// The reason in a few words: `three in a row`, `stalemate`. `None` where [`Explain::news`] tells it.
    pub reason: Option<Cow<'static, str>>,
}

/// The rules of a game, as a position that knows its legal moves.
///
/// Positions are immutable and cheap to clone; [`Rules::play`] returns a new one.
///
/// ```
/// use game::contract::{Game, Notation, Rules, turn};
/// use game::options::Options;
/// use games::tic_tac_toe::game::TicTacToe;
///
/// let config = TicTacToe::configure(&mut Options::default()).unwrap();
/// let game = TicTacToe::start(&config).unwrap();
/// let mv = game.read("b2").unwrap();
/// let after = turn(&game, &mv).unwrap();
/// assert_eq!(after.to_move(), game.to_move().other());
/// assert_eq!(after.legal_moves().len(), 8);
/// ```
pub trait Rules: Clone + fmt::Debug + PartialEq {
    /// Whether dice are thrown in this game.
    const HAS_DICE: bool = false;

    /// The settings of `/new`: board size, who starts, house rules. Written into the record as `config`.
    type Config: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;

    /// A move as the record keeps it, an object whose fields stand beside `notation` in the history: `{"position": 4}`.
    type Move: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;

    /// Returns the position before the first move.
    ///
    /// # Errors
    /// `INVALID_STATE` when the configuration is none that [`Game::configure`] could have made; the sentence names the field.
    fn start(config: &Self::Config) -> Result<Self, RuleError>;

    /// Returns the seat on turn; once the game is over, the one that would be.
    fn side_to_move(&self) -> Seat;

    /// Returns every legal move, each once, in the order a person would list them. Empty exactly when the game is over, or
    /// waits for a throw.
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// Returns the position after a legal move. Only [`turn`] calls this, and only with a legal move.
    fn play(&self, mv: &Self::Move) -> Self;

    /// Returns how the game ended and why; `None` while it goes on.
    fn ending(&self) -> Option<Ending>;

    /// Returns how the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome> {
        self.ending().map(|ending| ending.outcome)
    }

    /// Returns the reason why either side may end the game as a draw now, by word alone: `threefold repetition`. `None` where
    /// the other side has to agree, as in most games always.
    fn claimable_draw(&self) -> Option<Cow<'static, str>> {
        None
    }

    /// Tests if two dice have to be thrown before anything else. The table throws them, at once.
    fn needs_roll(&self) -> bool {
        false
    }

    /// Returns the position after a throw that the game was waiting for, each die from 1 to 6. It may wait for another
    /// one then.
    fn with_roll(&self, _throw: Roll) -> Self {
        self.clone()
    }

    /// Returns the one move that a throw has left, and the position after it with news of it: the table plays it at once.
    /// `None` where there is a choice, and in games whose players move for themselves even then.
    fn forced_play(&self) -> Option<(Self::Move, Self)> {
        None
    }

    /// Counts the positions exactly `depth` plies ahead.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.legal_moves().iter().map(|mv| self.play(mv).perft(depth - 1)).sum()
    }
}

/// How the moves of a game are written and read.
pub trait Notation: Rules {
    /// Whether case counts in the notation: in SAN `bxc6` and `Bxc6` are different moves.
    const CASE_SENSITIVE: bool = false;

    /// Returns the canonical way to write a legal move: `b2`.
    fn notation(&self, mv: &Self::Move) -> String;

    /// Reads a move, legal or not, as people type it: the canonical notation of a legal move, or else a text that is the same
    /// but for spaces, punctuation, emoji and, unless [`Notation::CASE_COUNTS`], case.
    ///
    /// # Errors
    /// The reason why the text is no move of this game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError> {
        let legal = self.legal_moves();
        if let Some(exact) = legal.iter().find(|mv| self.notation(mv) == text.trim()) {
            return Ok(exact.clone());
        }
        let fold = if Self::CASE_SENSITIVE { normalize_keeping_case } else { normalize };
        let wanted = fold(text);
        let mut found = legal.into_iter().filter(|mv| fold(&self.notation(mv)) == wanted);
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only),
            (Some(one), Some(two)) => {
                let all = [one, two].into_iter().chain(found);
                Err(ParseMoveError::Ambiguous(all.map(|mv| self.notation(&mv)).collect()))
            }
            (None, _) => Err(ParseMoveError::NotAMove),
        }
    }

    /// Returns a legal move as a list of moves shows it, with what it was an answer to: `31: 8/5 6/5`.
    fn move_list_entry(&self, mv: &Self::Move) -> String {
        self.notation(mv)
    }

    /// Returns the heading under which a legal move stands where many are listed: `From 24`. `None` for moves that name a
    /// cell: they go by the rows of the board.
    fn move_list_heading(&self, _mv: &Self::Move) -> Option<String> {
        None
    }

    /// Returns the words for a move where "plays" and its notation would not say it well: `takes the double`.
    fn action_phrase(_mv: &Self::Move) -> Option<&'static str> {
        None
    }
}

/// The sentences about a position and its moves.
pub trait Explain: Rules {
    /// Returns the rule that forbids a move, in the engine's words; `None` for a legal move.
    fn legality_error(&self, mv: &Self::Move) -> Option<RuleError>;

    /// Returns the same objection in a player's words: "`a1` is taken by O". `None` if the engine's words will do.
    fn explain(&self, _mv: &Self::Move) -> Option<Phrase> {
        None
    }

    /// Returns a sentence for the player on turn: "The next mark must go into the middle board." `None` where the board says
    /// it all, and after the end.
    fn turn_hint(&self) -> Option<Phrase> {
        None
    }

    /// Returns what the last move has brought about and the position alone does not say, as sentences: who throws first, a
    /// turn that passed because nothing could be moved, a game of a match that ended. `None` where there is nothing to tell.
    fn commentary(&self) -> Option<Phrase> {
        None
    }
}

/// The board that people see and click.
pub trait Display: Rules {
    /// Returns the board that people see, with the last move marked if there was one.
    fn board(&self, last: Option<&Self::Move>) -> Box<dyn Board>;

    /// Returns the cell of the board that a legal move belongs to, where a page puts its link; `None` if it belongs to
    /// no cell. No two legal moves belong to one cell.
    fn target_cell(&self, _mv: &Self::Move) -> Option<usize> {
        None
    }

    /// Returns the cell of the board that a legal move takes a piece away from, where a page puts the link to all moves of that
    /// piece; `None` for moves that are not made like that.
    fn source_cell(&self, _mv: &Self::Move) -> Option<usize> {
        None
    }

    /// Returns the completed lines of a won game, each as its cells (or as its boards, where lines are made of boards); none
    /// in games that know no lines.
    fn winning_lines(&self) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// Tests if all pieces stayed where they are up to a later position, as they do when dice are rolled: the move before that
    /// remains the one that is marked.
    fn has_same_placement(&self, _later: &Self) -> bool {
        false
    }
}

/// The computer opponent.
pub trait Engine: Rules {
    /// The version of the computer that plays this game. It rises whenever it may choose otherwise in any position.
    const ENGINE_VERSION: u32;

    /// The [`Chosen::value`] with which a side wins three games of four, by the games that level 4 plays with itself
    /// (`tests/kit/examples/edge.rs` finds it).
    const SCORE_SCALE: i32 = 100;

    /// Returns the move that the computer plays here. It follows from the position, the level and the seed alone, is bounded by
    /// nodes and never by time, and so is the same on every machine. `None` where nothing can be chosen: after the end, and
    /// before a throw.
    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Self::Move>>;

    /// Returns the chance that a value of [`Chosen`] gives the side that moves, in thousandths; a draw is half a win.
    fn win_chance(value: i32) -> u16 {
        let against = 3_f64.powf(-f64::from(value) / f64::from(Self::SCORE_SCALE));
        (1000.0 / (1.0 + against)).round() as u16
    }

    /// Tests if the computer at this seat takes the least of [`Game::costs`], when the other side offers to give the game up
    /// for that.
    fn accepts_resignation(&self, _seat: Seat) -> bool {
        true
    }
}

/// Positions and moves as other programs read and write them.
pub trait Interop: Rules {
    /// The position as other programs read it.
    type Position: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;

    /// Returns a position given by another program. Its shape is checked, not whether it can be reached.
    ///
    /// # Errors
    /// `INVALID_STATE`; the sentence names the field.
    fn from_position(config: &Self::Config, position: &Self::Position) -> Result<Self, RuleError>;

    /// Returns the position, for the record and for other programs.
    fn position(&self) -> Self::Position;

    /// Returns what a legal move leads to, for other programs: the position, or the part of it that says it all.
    fn to_json_after(&self, mv: &Self::Move) -> Value {
        serde_json::to_value(self.play(mv).position()).unwrap_or_default()
    }

    /// Returns what else other programs want to know about the moves here, as fields of their own.
    fn extra_json(&self) -> serde_json::Map<String, Value> {
        serde_json::Map::new()
    }

    /// Judges a move that need not be legal, as another program proposes it, and returns everything that is wrong with it.
    /// `None` where the game has no such judgement.
    fn validate(&self, _proposal: &Value) -> Option<Result<Value, RuleError>> {
        None
    }
}

/// A game that can be played at a table: its name, its options, and what resigning costs. The parts that make it up are
/// traits of their own, so that a function asks for no more than it needs.
pub trait Game: Rules + Notation + Explain + Display + Engine + Interop {
    /// The things that the game says about itself.
    const INFO: Info;

    /// Takes the options that this game knows out of a `/new`; what is left over is refused by the table.
    ///
    /// # Errors
    /// A value that the game cannot take.
    fn configure(options: &mut Options) -> Result<Self::Config, BadOption>;

    /// Returns the aim of the game in one sentence, as it is with this setup.
    fn aim(_config: &Self::Config) -> Cow<'static, str> {
        Self::INFO.summary.into()
    }

    /// Returns the setup in a few words for a sentence: `3x3, 3 in a row`. `None` where there is nothing to choose.
    fn setup_summary(_config: &Self::Config) -> Option<String> {
        None
    }

    /// Returns a setup without what only changes how the board looks: two games are the same if these are.
    fn without_display_options(config: &Self::Config) -> Self::Config {
        config.clone()
    }

    /// Whether a person chose the position that the game starts from. Such a game isn't rated.
    fn has_custom_start(_config: &Self::Config) -> bool {
        false
    }

    /// Returns the position after a seat has given the game up, for games that go on after that or count what was lost;
    /// `None` where resigning ends the game at the table.
    fn resign(&self, _seat: Seat) -> Option<Self> {
        None
    }

    /// Returns what giving the game up can cost a seat now, by name and the least first; where it could cost more, the least
    /// takes the other side's agreement. Empty where it always costs the same.
    fn resignation_stakes(&self, _seat: Seat) -> &'static [&'static str] {
        &[]
    }

    /// Returns the position after a seat has given the game up for one of its [`Game::costs`]; `None` for any other.
    fn resign_for(&self, _seat: Seat, _cost: &str) -> Option<Self> {
        None
    }
}

/// Returns the position after a move: the only way to move.
///
/// # Errors
/// The rule that forbids the move; the position is unchanged.
pub fn apply_move<G: Explain>(game: &G, mv: &G::Move) -> Result<G, RuleError> {
    if game.legal_moves().contains(mv) {
        return Ok(game.play(mv));
    }
    let unnamed = || RuleError::new("INVALID_MOVE_POSITION", "The move isn't legal here", Value::Null);
    Err(game.legality_error(mv).unwrap_or_else(unnamed))
}
