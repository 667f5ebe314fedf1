//! The traits that a game implements so that it can be played at a table.
//!
//! [`Rules::legal_moves`] decides what is legal. [`apply_move`] checks a move and plays it.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use crate::{Board, IllegalMove, Info, InvalidOption, InvalidState, Options, ParseMoveError, Phrase, Variant};

/// The result of a game on the board. The table handles resignations and agreed draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This seat won.
    Won(Seat),
    /// The game is a draw.
    Draw,
}

/// How and why a game ended on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The result.
    pub outcome: Outcome,
    /// The reason in a few words: `three in a row`, `stalemate`. `None` if [`Explain::commentary`] gives it.
    pub reason: Option<Cow<'static, str>>,
}

/// A position that knows the rules of its game.
///
/// Positions are immutable and cheap to clone; [`Rules::play`] returns a new one.
///
/// ```
/// use game::{Game, Notation, Options, Rules, apply_move};
/// use games::tic_tac_toe::TicTacToe;
///
/// let config = TicTacToe::configure(&mut Options::default()).unwrap();
/// let game = TicTacToe::start(&config).unwrap();
/// let mv = game.parse_move("b2").unwrap();
/// let after = apply_move(&game, &mv).unwrap();
/// assert_eq!(after.side_to_move(), game.side_to_move().other());
/// assert_eq!(after.legal_moves().len(), 8);
/// ```
pub trait Rules: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The settings chosen with `/new`, such as the board size or who starts. Stored in the record as `config`.
    type Config: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static;

    /// A move. It serializes to an object, whose fields the record stores next to `notation`: `{"position": 4}`.
    type Move: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static;

    /// Returns the position before the first move.
    ///
    /// # Errors
    /// Returns an error if [`Game::configure`] could not have produced this configuration.
    fn start(config: &Self::Config) -> Result<Self, InvalidState>;

    /// Returns the side to move. After the end of the game, this is the side that would move next.
    fn side_to_move(&self) -> Seat;

    /// Returns every legal move once, in an order that makes sense to people. The list is empty if and only if the game
    /// is over or needs a roll.
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// Whether a move is legal.
    fn is_legal(&self, mv: &Self::Move) -> bool {
        self.legal_moves().contains(mv)
    }

    /// Returns the position after a legal move. Use [`apply_move`] for moves that might be illegal.
    fn play(&self, mv: &Self::Move) -> Self;

    /// Returns how the game ended and why, or `None` if it isn't over.
    fn ending(&self) -> Option<Ending>;

    /// Returns the result, or `None` if the game isn't over.
    fn outcome(&self) -> Option<Outcome> {
        self.ending().map(|ending| ending.outcome)
    }

    /// Returns the moves that accept and refuse what the opponent has just proposed, such as a double; `None` if there is no
    /// proposal.
    fn proposal_answers(&self) -> Option<[Self::Move; 2]> {
        None
    }

    /// Returns the reason why either side may claim a draw now: `threefold repetition`. `None` if a draw needs
    /// the opponent's consent.
    fn claimable_draw(&self) -> Option<Cow<'static, str>> {
        None
    }

    /// Whether this seat could still win by some series of legal moves. If not, the game is a draw when the opponent
    /// runs out of time.
    fn can_win(&self, _seat: Seat) -> bool {
        true
    }

    /// Counts the positions exactly `depth` plies ahead. See <https://www.chessprogramming.org/Perft>.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.legal_moves().iter().map(|mv| self.play(mv).perft(depth - 1)).sum()
    }
}

/// The rules of a game with dice. A game without dice implements it with an empty block.
pub trait DiceRules: Rules {
    /// Whether the game uses dice.
    const HAS_DICE: bool = false;

    /// Whether the game can't continue until the table rolls two dice.
    fn needs_roll(&self) -> bool {
        false
    }

    /// Returns the position after a roll, with dice from 1 to 6. It may need another roll, for example after a tied
    /// opening roll.
    fn with_roll(&self, _roll: Roll) -> Self {
        self.clone()
    }

    /// Whether the players decide when to roll, as with the doubling cube.
    fn has_optional_rolls(&self) -> bool {
        false
    }

    /// Returns the position after the player to move chooses to roll instead of doubling; `None` if they have no choice.
    fn after_choosing_to_roll(&self) -> Option<Self> {
        None
    }

    /// Returns the only legal play of this roll and the position after it. The table plays it automatically.
    ///
    /// `None` if there is a choice, or if players make their forced moves themselves.
    fn forced_play(&self) -> Option<(Self::Move, Self)> {
        None
    }

    /// Returns the position before each automatic turn that led here, oldest first: one for each of
    /// [`Notation::automatic_turns`].
    fn automatic_positions(&self) -> Vec<Self> {
        Vec::new()
    }
}

/// The text form of moves.
pub trait Notation: Rules {
    /// Whether case matters. In chess, `bxc6` and `Bxc6` are different moves.
    const CASE_SENSITIVE: bool = false;

    /// Whether [`Notation::parse_move`] reads Cyrillic and Greek letters itself. In chess, a Russian `К` is a knight.
    const READS_OTHER_ALPHABETS: bool = false;

    /// The words in this game's moves, such as `knight`. The bot notices a typo in them.
    const WORDS: &'static [&'static str] = &[];

    /// Returns a legal move in canonical notation: `b2`.
    fn notation(&self, mv: &Self::Move) -> String;

    /// Parses a move as people type it, in any case unless [`Notation::CASE_SENSITIVE`] is set. The result need not be legal.
    ///
    /// # Errors
    /// Returns an error if the text isn't a move of this game or is ambiguous.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError>;

    /// Returns a legal move as the move list shows it, including the roll if there is one: `31: 8/5 6/5`.
    fn move_list_entry(&self, mv: &Self::Move) -> String {
        self.notation(mv)
    }

    /// Returns the automatic turns just before this position, as the move list shows them: `62: no play`.
    fn automatic_turns(&self) -> Vec<(Seat, String)> {
        Vec::new()
    }

    /// Returns the number of the first move from this start position if both sides' moves share a number, as in chess.
    /// `None` if every move has its own number.
    fn first_move_number(&self) -> Option<usize> {
        None
    }

    /// Returns the heading for a legal move in a long list: `From 24`. `None` groups moves by the row of their cell.
    fn move_list_heading(&self, _mv: &Self::Move) -> Option<String> {
        None
    }

    /// Returns the phrase for a move that reads better than "plays" with its notation: `takes the double`.
    fn action_phrase(_mv: &Self::Move) -> Option<&'static str> {
        None
    }
}

/// Explanations of a position and its moves.
pub trait Explain: Rules {
    /// Returns the rule that forbids an illegal move. [`Rules::legal_moves`] decides which moves are illegal.
    fn why_illegal(&self, mv: &Self::Move) -> IllegalMove;

    /// Returns a hint for the side to move: "The next move has to be in the middle board." `None` if the board shows
    /// everything or the game is over.
    fn turn_hint(&self) -> Option<Phrase> {
        None
    }

    /// Returns what stands above a hint for the side to move, such as the score of a match; `None` if the board shows everything
    /// or the game is over.
    fn standing(&self) -> Option<Phrase> {
        None
    }

    /// Returns the fact that lets either side claim a draw now, as [`Rules::claimable_draw`] names it: "This position has
    /// occurred three times".
    fn why_claimable(&self) -> Option<&'static str> {
        None
    }

    /// Returns what happened since the last move and the position doesn't show, such as an opening roll, a pass, or the end
    /// of a game in a match. At the end, [`Explain::final_score`] has the score.
    fn commentary(&self) -> Option<Phrase> {
        None
    }

    /// Returns a sentence about how a finished game was decided, such as the score; `None` if there is nothing to add.
    fn final_score(&self) -> Option<Phrase> {
        if self.outcome().is_some() { self.commentary() } else { None }
    }
}

/// The board that people see and click.
///
/// A cell is a number: row by row from the top left, from 0, before the board is turned. Games without a [`Grid`](crate::Grid) count
/// as their own board does.
pub trait Display: Rules {
    /// Returns the board, with the last move marked.
    fn board(&self, last: Option<&Self::Move>) -> Box<dyn Board>;

    /// Returns the cell that a page links to this move, if any. Distinct legal moves have distinct cells.
    fn target_cell(&self, _mv: &Self::Move) -> Option<usize> {
        None
    }

    /// Returns the cell that a legal move takes a piece from. A page links it to all moves of that piece. `None` for
    /// moves that don't take a piece from a cell.
    fn source_cell(&self, _mv: &Self::Move) -> Option<usize> {
        None
    }

    /// Returns the completed lines of a won game as lists of cells, or of boards if lines are made of boards.
    fn winning_lines(&self) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// Whether all pieces stand on the same cells in a later position. If so, the board keeps marking the earlier move;
    /// a roll, for example, moves no piece.
    fn has_same_placement(&self, _later: &Self) -> bool {
        false
    }
}

/// The computer opponent.
pub trait Engine: DiceRules {
    /// The engine's version. Increase it with every change that could make the engine choose a different move.
    const ENGINE_VERSION: u32;

    /// The lowest level: [`Level::LEARNING`] if the game has it.
    const LOWEST_LEVEL: Level = Level::ALL[0];

    /// The [`EngineMove::score`] at which the side to move has a chance of 75 %, usually in self-play games at level 4.
    /// `crates/testkit/examples/score_scale.rs` measures it.
    const SCORE_SCALE: i32 = 100;

    /// The smallest loss that the analysis of a game lists as a mistake, in thousandths of a win. Smaller ones are often errors
    /// of the engine's evaluation.
    const MISTAKE_LOSS: u16 = 100;

    /// What the analysis of a game keeps from one position to the next; `()` for nothing.
    type Memory: Default;

    /// Returns the engine's move, or `None` if the game is over or needs a roll.
    ///
    /// The move depends only on the position, the level and the seed. The search has a node budget instead of a time
    /// limit, so it returns the same move on every machine. The level is at least [`Engine::LOWEST_LEVEL`].
    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Self::Move>>;

    /// Returns the best move that a search with about `nodes` positions finds, for analysis: at full strength, without
    /// the handicaps of the levels. `None` if the game is over or needs a roll.
    ///
    /// `memory` keeps what the searches of other positions of the same game have found. By default, this plays at the
    /// highest level that fits.
    fn analyze(&self, nodes: u64, _memory: &mut Self::Memory) -> Option<EngineMove<Self::Move>> {
        let mut found = self.choose(Level::ALL[0], 0)?;
        for level in &Level::ALL[1..] {
            // A level searches about four times as many positions as the one below.
            if found.nodes.saturating_mul(4) > nodes {
                break;
            }
            found = self.choose(*level, 0)?;
        }
        Some(found)
    }

    /// Returns the expected result for the side to move in this position at this [`EngineMove::score`], from 0 to 1000. A
    /// draw counts as 500.
    fn win_chance(&self, score: i32) -> u16 {
        let against = 3_f64.powf(-f64::from(score) / f64::from(Self::SCORE_SCALE));
        (1000.0 / (1.0 + against)).round() as u16
    }

    /// Returns the chance of the side to move to win after this move, from 0 to 1000. `None` if that's the expected result.
    /// In backgammon for points, it isn't: gammons and the cube count, too.
    fn chance_to_win(&self, _mv: &Self::Move, _memory: &mut Self::Memory) -> Option<u16> {
        None
    }

    /// Returns the [`EngineMove::score`] of a finished game for the first side, if wins can be larger or smaller.
    fn score_at_end(&self) -> Option<i32> {
        None
    }

    /// Whether the engine often misjudges positions of this kind. The analysis then lists a mistake only if a search at twice
    /// the cost finds it, too.
    fn is_hard_to_judge(&self) -> bool {
        false
    }

    /// Whether the computer at this seat accepts the opponent's offer to resign at the lowest of
    /// [`Game::resignation_stakes`].
    fn accepts_resignation(&self, _seat: Seat) -> bool {
        true
    }
}

/// The interchange format of positions and moves.
pub trait PositionJson: Rules {
    /// The serializable form of a position.
    type Position: Clone + fmt::Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;

    /// Sets up a position. This checks that it is well formed, but not that play can reach it.
    ///
    /// # Errors
    /// Returns an error if the position is malformed.
    fn from_position(config: &Self::Config, position: &Self::Position) -> Result<Self, InvalidState>;

    /// Returns the serializable form, for the record and for other programs.
    fn position(&self) -> Self::Position;

    /// Returns the position after a legal move as JSON. A game may leave out everything that isn't needed to identify
    /// the position.
    fn position_after_json(&self, mv: &Self::Move) -> Value {
        serde_json::to_value(self.play(mv).position()).unwrap_or_default()
    }

    /// Returns the value of `/new`'s option `fen` that starts a game from this position, with spaces. `None` if the game
    /// has no such option.
    fn fen(&self) -> Option<String> {
        None
    }

    /// Returns additional fields about the legal moves, for other programs.
    fn status_json(&self) -> serde_json::Map<String, Value> {
        serde_json::Map::new()
    }

    /// Validates a move that another program proposes, and returns a list of everything wrong with it as JSON. The
    /// error is for a proposal that can't be read. `None` if the game doesn't support this.
    fn validate(&self, _proposal: &Value) -> Option<Result<Value, InvalidState>> {
        None
    }
}

/// A complete game: all the traits above, its name, its options, and the stakes of resigning.
pub trait Game: Rules + DiceRules + Notation + Explain + Display + Engine + PositionJson {
    /// The game's name, seats, options and help texts.
    const INFO: Info;

    /// Takes the options that this game knows, and returns its settings. The table refuses any options that remain.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    fn configure(options: &mut Options) -> Result<Self::Config, InvalidOption>;

    /// Returns the aim of the game with these settings, in one sentence.
    fn aim(_config: &Self::Config) -> Cow<'static, str> {
        Self::INFO.summary.into()
    }

    /// Returns the variant that these settings select; `None` for the game itself.
    fn variant(_config: &Self::Config) -> Option<&'static Variant> {
        None
    }

    /// Returns the settings in a few words, without the variant's name: `3x3, 3 in a row`. `None` if there is nothing to say.
    fn setup_summary(_config: &Self::Config) -> Option<String> {
        None
    }

    /// Returns the options of `/new` for another game of this size or length: `13x13`. Empty for the usual one.
    fn setup_options(_config: &Self::Config) -> String {
        String::new()
    }

    /// Returns the settings without those that only change how the board looks. If the results are equal, the games
    /// have the same rules.
    fn without_display_options(config: &Self::Config) -> Self::Config {
        config.clone()
    }

    /// Whether a person chose the starting position. Such games aren't rated.
    fn has_custom_start(_config: &Self::Config) -> bool {
        false
    }

    /// Returns the stakes at which `seat` may resign, lowest first. If there are several, the lowest needs the
    /// opponent's consent. Empty if resigning always costs the same.
    fn resignation_stakes(&self, _seat: Seat) -> &'static [&'static str] {
        &[]
    }

    /// Returns the position after a seat resigns at one of its [`Game::resignation_stakes`], or `None` for any other
    /// stake.
    fn resign_for(&self, _seat: Seat, _stake: &str) -> Option<Self> {
        None
    }
}

/// Checks that a move is legal.
///
/// # Errors
/// Returns the rule that forbids the move if it is illegal.
pub fn check_move<G: Explain>(game: &G, mv: &G::Move) -> Result<(), IllegalMove> {
    if game.is_legal(mv) { Ok(()) } else { Err(game.why_illegal(mv)) }
}

/// Returns the position after a move.
///
/// # Errors
/// Returns the rule that forbids the move if it is illegal.
pub fn apply_move<G: Explain>(game: &G, mv: &G::Move) -> Result<G, IllegalMove> {
    check_move(game, mv).map(|()| game.play(mv))
}

/// Returns the error for a move after the end of a game. Its context is the result.
pub fn game_over<G: Game>(outcome: Outcome) -> IllegalMove {
    let (status, winner) = match outcome {
        Outcome::Won(seat) => ("won", Some(G::INFO.seats[seat.index()])),
        Outcome::Draw => ("draw", None),
    };
    let by = winner.unwrap_or("null");
    let message = format!("Cannot apply move to terminal game. Game status: {status}, Winner: {by}");
    IllegalMove::new("TERMINAL_STATE_MOVE", message, json!({ "currentStatus": status, "winner": winner }))
}

// The two seats at a table.

/// A seat at a table, in the order of [`Info::seats`](crate::Info::seats).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Seat {
    /// The first seat in [`Info::seats`](crate::Info::seats): X in tic-tac-toe, white in chess.
    First,
    /// The second seat: O in tic-tac-toe, black in chess.
    Second,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    /// Returns the opponent's seat.
    pub fn other(self) -> Seat {
        if self == Seat::First { Seat::Second } else { Seat::First }
    }

    /// Returns 0 for the first seat and 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }
}

// A roll of two dice.

/// Two dice from 1 to 6, in roll order.
pub type Roll = [u8; 2];

// The computer's levels, and the move that it chooses.

/// The computer's playing strength, from 1 (suitable for beginners) to 8 (strongest). Some games also have 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Level(u8);

impl Level {
    /// The level `learning`, at which a child wins. Not every game has it: see [`Engine::LOWEST_LEVEL`].
    pub const LEARNING: Level = Level(0);
    /// The levels that every game has, weakest first.
    pub const ALL: [Level; 8] = [Level(1), Level(2), Level(3), Level(4), Level(5), Level(6), Level(7), Level(8)];
    /// The level `easy`.
    pub const EASY: Level = Level(1);
    /// The level `medium`, the default.
    pub const MEDIUM: Level = Level(4);
    /// The level `hard`.
    pub const HARD: Level = Level(6);
    /// The level `max`.
    pub const MAX: Level = Level(8);

    /// Returns the level with this number, or `None` if it isn't 0 to 8.
    pub fn new(number: u8) -> Option<Level> {
        if number <= 8 { Some(Level(number)) } else { None }
    }

    /// Returns the level above; `None` for the highest.
    pub fn next(self) -> Option<Level> {
        Level::new(self.0 + 1)
    }

    /// Returns the level below; `None` for the lowest.
    pub fn previous(self) -> Option<Level> {
        Level::new(self.0.checked_sub(1)?)
    }

    /// Parses `0` to `8`, or `learning`, `easy`, `medium`, `hard` or `max` in any case.
    pub fn parse(name: &str) -> Option<Level> {
        match name.to_lowercase().as_str() {
            "learning" => Some(Level::LEARNING),
            "easy" => Some(Level::EASY),
            "medium" => Some(Level::MEDIUM),
            "hard" => Some(Level::HARD),
            "max" => Some(Level::MAX),
            number => Level::new(number.parse().ok()?),
        }
    }

    /// Returns the number, 0 to 8.
    pub fn number(self) -> u8 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Level::new(number).ok_or_else(|| serde::de::Error::custom("a level is a number from 0 to 8"))
    }
}

impl JsonSchema for Level {
    fn schema_name() -> Cow<'static, str> {
        "Level".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 0, "maximum": 8 })
    }
}

/// A move that the computer chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMove<M> {
    /// The move.
    pub mv: M,
    /// The number of positions searched.
    pub nodes: u64,
    /// The score for the side to move, in a unit of the game's own. Positive is better.
    pub score: i32,
}
