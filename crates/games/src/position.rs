//! A position of any game behind one type, so that code about tables is compiled once instead of once per game.
//!
//! [`Position`] is the object-safe form of the traits in `game`: its methods have their names and their meaning, with
//! [`AnyMove`] in place of a game's own type of moves. [`start`] makes the first position of a game.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::{Debug, Formatter};
use std::ops::Deref;
use std::sync::Arc;

use game::{
    Board, Ending, EngineMove, Game, IllegalMove, Info, InvalidState, Level, Options, Outcome, ParseMoveError, Phrase,
    Roll, Seat, Variant, apply_move, check_move,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::analysis::{Mistake, analyze};
use crate::{Analysis, AnalyzedPly, GameKind, PlayedPly, RegisteredGame};

/// A move of any game. One that comes from a file is JSON until [`Position::read_move`] reads it.
#[derive(Clone)]
pub struct AnyMove(Arc<dyn ErasedMove>);

/// A move whose type is erased: what a table needs of it.
trait ErasedMove: Any + Debug + Send + Sync {
    fn is_same(&self, other: &AnyMove) -> bool;
    fn to_json(&self) -> serde_json::Result<Value>;
}

impl<M: Any + Debug + PartialEq + Serialize + Send + Sync> ErasedMove for M {
    fn is_same(&self, other: &AnyMove) -> bool {
        other.downcast() == Some(self)
    }

    fn to_json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }
}

impl AnyMove {
    /// Returns a move of one game as a move of any game.
    pub fn new<M: Any + Debug + PartialEq + Serialize + Send + Sync>(mv: M) -> AnyMove {
        AnyMove(Arc::new(mv))
    }

    /// Returns the move as a game's own type; `None` if it's another game's.
    pub fn downcast<M: Any>(&self) -> Option<&M> {
        let mv: &dyn Any = &*self.0;
        mv.downcast_ref()
    }
}

impl Debug for AnyMove {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for AnyMove {
    fn eq(&self, other: &AnyMove) -> bool {
        self.0.is_same(other)
    }
}

impl Serialize for AnyMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_json().map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnyMove {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyMove, D::Error> {
        Value::deserialize(deserializer).map(AnyMove::new)
    }
}

/// A position of any game that can be kept.
#[derive(Clone, Debug)]
pub struct AnyPosition(Arc<dyn Position>);

impl Deref for AnyPosition {
    type Target = dyn Position;

    fn deref(&self) -> &(dyn Position + 'static) {
        &*self.0
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &AnyPosition) -> bool {
        self.is_same(other)
    }
}

impl dyn Position {
    /// Returns the position as a game's own type; `None` if it's another game's.
    pub fn downcast<G: RegisteredGame>(&self) -> Option<&G> {
        self.adapter().map(|adapter| &adapter.game)
    }

    /// Returns the settings as a game's own type; `None` if they're another game's.
    pub fn config<G: RegisteredGame>(&self) -> Option<&G::Config> {
        self.adapter::<G>().map(|adapter| &*adapter.config)
    }

    fn adapter<G: RegisteredGame>(&self) -> Option<&Adapter<G>> {
        let position: &dyn Any = self;
        position.downcast_ref()
    }
}

/// Returns the position before the first move.
///
/// # Errors
/// Returns an error if the game can't start from this configuration.
pub fn start<G: RegisteredGame>(config: G::Config) -> Result<AnyPosition, InvalidState> {
    let game = G::start(&config)?;
    Ok(AnyPosition(Arc::new(Adapter::<G> { game, config: Arc::new(config) })))
}

/// The position of one game, as a position of any game.
#[derive(Debug, PartialEq)]
struct Adapter<G: Game> {
    game: G,
    config: Arc<G::Config>,
}

impl<G: RegisteredGame> Adapter<G> {
    fn with(&self, game: G) -> AnyPosition {
        AnyPosition(Arc::new(Adapter { game, config: self.config.clone() }))
    }

    /// Returns what a function says about a move; the default for another game's.
    fn about<T: Default>(&self, mv: &AnyMove, say: impl FnOnce(&G, &G::Move) -> T) -> T {
        mv.downcast().map_or_else(T::default, |mv| say(&self.game, mv))
    }
}

/// Returns a game's own move.
fn own_move<G: Game>(mv: &AnyMove) -> Result<&G::Move, IllegalMove> {
    mv.downcast().ok_or_else(|| IllegalMove::new("OTHER_GAME", "This is a move of another game", json!({})))
}

fn any_choice<M: Any + Debug + PartialEq + Serialize + Send + Sync>(chosen: EngineMove<M>) -> EngineMove<AnyMove> {
    EngineMove { mv: AnyMove::new(chosen.mv), nodes: chosen.nodes, score: chosen.score }
}

/// Declares [`Position`] and implements it for [`Adapter`], so that each method is written once.
macro_rules! position {
    ($($(#[$doc:meta])* fn $name:ident(&$self:ident $(, $arg:ident: $type:ty)*) -> $returned:ty $body:block)+) => {
        /// A position of any game, with the settings of the game.
        ///
        /// A method with the name of one in `game` does the same. A move of another game is illegal, and has no text and no cell.
        #[expect(missing_docs, reason = "the traits of `game` document the methods that have the same name there")]
        pub trait Position: Any + Debug + Send + Sync {
            $($(#[$doc])* fn $name(&$self $(, $arg: $type)*) -> $returned;)+
        }

        impl<G: RegisteredGame> Position for Adapter<G> {
            $(fn $name(&$self $(, $arg: $type)*) -> $returned $body)+
        }
    };
}

position! {
    /// Returns the game.
    fn kind(&self) -> GameKind { G::KIND }
    /// Returns the game's description.
    fn info(&self) -> &'static Info { G::KIND.info() }
    /// Returns the settings as JSON.
    fn config_json(&self) -> Value {
        serde_json::to_value(&*self.config).unwrap_or_else(|error| format!("can't be written: {error}").into())
    }
    /// Whether the game has the settings of `/new` without options, except for those that only change how the board looks.
    fn has_usual_settings(&self) -> bool {
        G::configure(&mut Options::default()).is_ok_and(|usual| usual == G::without_display_options(&self.config))
    }
    fn has_custom_start(&self) -> bool { G::has_custom_start(&self.config) }
    fn variant(&self) -> Option<&'static Variant> { G::variant(&self.config) }
    fn setup_summary(&self) -> Option<String> { G::setup_summary(&self.config) }
    fn setup_options(&self) -> String { G::setup_options(&self.config) }
    fn aim(&self) -> Cow<'static, str> { G::aim(&self.config) }
    /// Returns the position before the first move, with the same settings.
    ///
    /// # Errors
    /// Returns an error if the game can't start with them.
    fn restart(&self) -> Result<AnyPosition, InvalidState> { Ok(self.with(G::start(&self.config)?)) }
    /// Whether another position is the same, with the same settings.
    fn is_same(&self, other: &AnyPosition) -> bool { other.adapter() == Some(self) }

    fn side_to_move(&self) -> Seat { self.game.side_to_move() }
    fn legal_moves(&self) -> Vec<AnyMove> { self.game.legal_moves().into_iter().map(AnyMove::new).collect() }
    fn is_legal(&self, mv: &AnyMove) -> bool { self.about(mv, G::is_legal) }
    /// Checks that a move is legal.
    ///
    /// # Errors
    /// Returns the rule that forbids the move if it is illegal.
    fn check_move(&self, mv: &AnyMove) -> Result<(), IllegalMove> { check_move(&self.game, own_move::<G>(mv)?) }
    /// Returns the position after a legal move; the same position after one of another game.
    fn play(&self, mv: &AnyMove) -> AnyPosition {
        self.with(mv.downcast().map_or_else(|| self.game.clone(), |mv| self.game.play(mv)))
    }
    /// Returns the position after a move.
    ///
    /// # Errors
    /// Returns the rule that forbids the move if it is illegal.
    fn apply_move(&self, mv: &AnyMove) -> Result<AnyPosition, IllegalMove> {
        apply_move(&self.game, own_move::<G>(mv)?).map(|game| self.with(game))
    }
    fn ending(&self) -> Option<Ending> { self.game.ending() }
    fn outcome(&self) -> Option<Outcome> { self.game.outcome() }
    fn proposal_answers(&self) -> Option<[AnyMove; 2]> { Some(self.game.proposal_answers()?.map(AnyMove::new)) }
    fn claimable_draw(&self) -> Option<Cow<'static, str>> { self.game.claimable_draw() }
    fn can_win(&self, seat: Seat) -> bool { self.game.can_win(seat) }
    fn resignation_stakes(&self, seat: Seat) -> &'static [&'static str] { self.game.resignation_stakes(seat) }
    fn resign_for(&self, seat: Seat, stake: &str) -> Option<AnyPosition> {
        self.game.resign_for(seat, stake).map(|game| self.with(game))
    }

    fn has_dice(&self) -> bool { G::HAS_DICE }
    fn needs_roll(&self) -> bool { self.game.needs_roll() }
    fn with_roll(&self, roll: Roll) -> AnyPosition { self.with(self.game.with_roll(roll)) }
    fn has_optional_rolls(&self) -> bool { self.game.has_optional_rolls() }
    fn after_choosing_to_roll(&self) -> Option<AnyPosition> {
        self.game.after_choosing_to_roll().map(|game| self.with(game))
    }
    fn forced_play(&self) -> Option<(AnyMove, AnyPosition)> {
        self.game.forced_play().map(|(mv, game)| (AnyMove::new(mv), self.with(game)))
    }
    fn automatic_positions(&self) -> Vec<AnyPosition> {
        self.game.automatic_positions().into_iter().map(|game| self.with(game)).collect()
    }

    fn is_case_sensitive(&self) -> bool { G::CASE_SENSITIVE }
    fn reads_other_alphabets(&self) -> bool { G::READS_OTHER_ALPHABETS }
    fn move_words(&self) -> &'static [&'static str] { G::WORDS }
    fn notation(&self, mv: &AnyMove) -> String { self.about(mv, G::notation) }
    /// See [`game::Notation::parse_move`].
    ///
    /// # Errors
    /// Returns an error if the text isn't a move of this game or is ambiguous.
    fn parse_move(&self, text: &str) -> Result<AnyMove, ParseMoveError> { self.game.parse_move(text).map(AnyMove::new) }
    /// Reads a move that comes from a file.
    ///
    /// # Errors
    /// Returns an error if this game has no such move.
    fn read_move(&self, mv: &AnyMove) -> serde_json::Result<AnyMove> {
        G::Move::deserialize(mv.downcast().unwrap_or(&Value::Null)).map(AnyMove::new)
    }
    fn move_list_entry(&self, mv: &AnyMove) -> String { self.about(mv, G::move_list_entry) }
    fn move_list_heading(&self, mv: &AnyMove) -> Option<String> { self.about(mv, G::move_list_heading) }
    fn action_phrase(&self, mv: &AnyMove) -> Option<&'static str> { mv.downcast().and_then(G::action_phrase) }
    fn automatic_turns(&self) -> Vec<(Seat, String)> { self.game.automatic_turns() }
    fn first_move_number(&self) -> Option<usize> { self.game.first_move_number() }
    fn turn_hint(&self) -> Option<Phrase> { self.game.turn_hint() }
    fn standing(&self) -> Option<Phrase> { self.game.standing() }
    fn why_claimable(&self) -> Option<&'static str> { self.game.why_claimable() }
    fn commentary(&self) -> Option<Phrase> { self.game.commentary() }
    fn final_score(&self) -> Option<Phrase> { self.game.final_score() }

    fn board(&self, last: Option<&AnyMove>) -> Box<dyn Board> { self.game.board(last.and_then(AnyMove::downcast)) }
    fn target_cell(&self, mv: &AnyMove) -> Option<usize> { self.about(mv, G::target_cell) }
    fn source_cell(&self, mv: &AnyMove) -> Option<usize> { self.about(mv, G::source_cell) }
    fn winning_lines(&self) -> Vec<Vec<usize>> { self.game.winning_lines() }
    fn has_same_placement(&self, later: &AnyPosition) -> bool {
        later.downcast().is_some_and(|later| self.game.has_same_placement(later))
    }
    /// Returns the position as JSON, as the record keeps it.
    fn position_json(&self) -> Value {
        let position = serde_json::to_value(self.game.position());
        position.unwrap_or_else(|error| format!("can't be written: {error}").into())
    }
    fn fen(&self) -> Option<String> { self.game.fen() }

    fn engine_version(&self) -> u32 { G::ENGINE_VERSION }
    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<AnyMove>> {
        self.game.choose(level, seed).map(any_choice)
    }
    fn accepts_resignation(&self, seat: Seat) -> bool { self.game.accepts_resignation(seat) }
    /// Analyzes the game that ends with this position; see [`analyze`](crate::analyze).
    fn analyze_game(&self, plies: &[(&AnyPosition, Option<&AnyMove>)], nodes: u64) -> Option<Analysis<AnyMove>> {
        let own = plies.iter().map(|(before, mv)| {
            Some(PlayedPly { before: before.downcast::<G>()?, mv: mv.and_then(AnyMove::downcast) })
        });
        let plies: Option<Vec<_>> = own.collect();
        let Analysis { plies, end, nodes } = analyze(&plies?, &self.game, nodes)?;
        let any = plies.into_iter().map(|AnalyzedPly { chance, lost, is_forced, mistake }| {
            let mistake = mistake.map(|Mistake { better }| Mistake { better: AnyMove::new(better) });
            AnalyzedPly { chance, lost, is_forced, mistake }
        });
        Some(Analysis { plies: any.collect(), end, nodes })
    }
}
