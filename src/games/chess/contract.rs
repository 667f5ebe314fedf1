//! The game as a table holds it.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::game::board::Board;
use crate::game::choice::{Chosen, Level};
use crate::game::contract::{Ending, Game};
use crate::game::info::Info;
use crate::game::options::{BadOption, Options};
use crate::game::phrase::{Phrase, capital, spans};
use crate::game::rule::{RuleError, Unread};
use crate::game::seat::Seat;
use crate::games::chess::config::GameConfig;
use crate::games::chess::game::{self, Chess, End};
use crate::games::chess::moves::Move;
use crate::games::chess::names::{piece, seat};
use crate::games::chess::options::{CHESS960, FEN, FIGURINES, VIEW, chosen};
use crate::games::chess::position::{self, Position};
use crate::games::chess::reasons::reason;
use crate::games::chess::{computer, picture, reader, san};

impl Game for Chess {
    const INFO: Info = Info {
        name: "chess",
        title: "Chess",
        aliases: &["schach", "echecs", "ajedrez"],
        seats: ["white", "black"],
        summary: "Checkmate your opponent's king.",
        moves: spans![
            "To move, use algebraic notation, like " ("e4") ", " ("Nf3") ", or " ("exd5") ". To castle, write " ("O-O")
            "; to promote, " ("e8=Q") ". You can also write the from and to squares, like " ("g1f3") "."
        ],
        options: &[FEN, CHESS960, VIEW, FIGURINES],
        verbs: &[],
    };

    const CASE_COUNTS: bool = true;

    const ENGINE: u32 = 3;

    const EDGE: i32 = 186;

    type Config = GameConfig;
    type Move = Move;
    type Position = Position;

    fn configure(options: &mut Options) -> Result<GameConfig, BadOption> {
        chosen(options)
    }

    fn start(config: &GameConfig) -> Result<Chess, RuleError> {
        Chess::begun(config)
    }

    fn setup(config: &GameConfig) -> Option<String> {
        config.setup()
    }

    fn without_looks(config: &GameConfig) -> GameConfig {
        GameConfig { view: None, figurines: false, ..config.clone() }
    }

    fn has_chosen_start(config: &GameConfig) -> bool {
        config.fen.is_some() || config.chosen
    }

    fn at(config: &GameConfig, position: &Position) -> Result<Chess, RuleError> {
        position::set_up(config, position)
    }

    fn position(&self) -> Position {
        position::of(self)
    }

    fn to_move(&self) -> Seat {
        seat(self.board.side_to_move())
    }

    fn ending(&self) -> Option<Ending> {
        let end = self.end?;
        Some(Ending { outcome: self.result()?, reason: Some(end.reason().into()) })
    }

    fn turn_hint(&self) -> Option<Phrase> {
        let check = self.end.is_none() && self.king_in_check().is_some();
        check.then(|| format!("{}'s king is in check.", Self::INFO.side(self.to_move())).into())
    }

    fn claimable_draw(&self) -> Option<Cow<'static, str>> {
        self.claim().map(Cow::from)
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.moves().into_iter().map(Move::from).collect()
    }

    fn objection(&self, mv: &Move) -> Option<RuleError> {
        let found = reason(self, mv)?;
        Some(RuleError::new(found.code, found.why, json!({ "uci": mv.uci })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        Some(reason(self, mv)?.explained?.into())
    }

    fn play(&self, mv: &Move) -> Chess {
        self.after(mv)
    }

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        computer::choose(self, level, seed)
    }

    fn notation(&self, mv: &Move) -> String {
        san::write(&self.board, mv.uci.0)
    }

    fn read(&self, text: &str) -> Result<Move, Unread> {
        reader::read(self, text)
    }

    fn group(&self, mv: &Move) -> Option<String> {
        let name = piece(self.board.piece_on(mv.uci.0.from)?);
        Some(format!("{} {}", capital(name), mv.uci.0.from))
    }

    fn origin(&self, mv: &Move) -> Option<usize> {
        Some(mv.uci.0.from as usize)
    }

    fn result(&self, mv: &Move) -> Value {
        json!({ "fen": self.after(mv).position().fen })
    }

    fn facts(&self) -> Map<String, Value> {
        let check = ("check".to_owned(), self.king_in_check().is_some().into());
        let ending = ("ending".to_owned(), self.end.map(End::reason).into());
        [check, ending, ("claimableDraw".to_owned(), self.claim().into())].into_iter().collect()
    }

    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        Box::new(picture::squares(self, last))
    }

    /// Counts as all published counts do: a drawn position goes on as long as there are moves.
    fn perft(&self, depth: u32) -> u64 {
        game::perft(&self.board, depth)
    }
}
