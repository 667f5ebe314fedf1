//! The game as a table holds it.

use serde_json::{Value, json};

use crate::game::board::Board;
use crate::game::choice::{Chosen, Level};
use crate::game::contract::{Ending, Game, Outcome};
use crate::game::info::Info;
use crate::game::options::{BadOption, Options};
use crate::game::phrase::{Phrase, capital, spans};
use crate::game::rule::{RuleError, Unread};
use crate::game::seat::Seat;
use crate::games::checkers::config::{DRAW, GameConfig};
use crate::games::checkers::game::{Checkers, Move};
use crate::games::checkers::men::Men;
use crate::games::checkers::objection::reason;
use crate::games::checkers::picture::checkered;
use crate::games::checkers::position::{self, Position};
use crate::games::checkers::{computer, reader};

/// The plies before a draw for want of captures from which on whoever is to move is told.
const WARNED: u16 = 10;

impl Game for Checkers {
    const INFO: Info = Info {
        name: "checkers",
        title: "Checkers",
        aliases: &["draughts", "english-draughts", "dame"],
        seats: ["black", "white"],
        summary: "Capture all your opponent's pieces, or leave them without a move.",
        moves: spans![
            "To move, give the numbers of the squares you move from and to, like " ("11-15")
            ". For a jump, list every landing square, like " ("22x15x8") ", or just the first and last if only one jump fits."
        ],
        options: &[DRAW],
        verbs: &[],
    };

    const ENGINE: u32 = 5;

    const EDGE: i32 = 328;

    type Config = GameConfig;
    type Move = Move;
    type Position = Position;

    fn configure(options: &mut Options) -> Result<GameConfig, BadOption> {
        GameConfig::chosen(options)
    }

    fn start(config: &GameConfig) -> Result<Checkers, RuleError> {
        Ok(Checkers::judged(Men::START, 0, Vec::new(), config.drought()?))
    }

    fn at(config: &GameConfig, position: &Position) -> Result<Checkers, RuleError> {
        position::set_up(config.drought()?, position)
    }

    fn position(&self) -> Position {
        position::of(self)
    }

    fn to_move(&self) -> Seat {
        self.men.turn
    }

    fn ending(&self) -> Option<Ending> {
        Some(Ending { outcome: self.result()?, reason: Some(self.end?.reason()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.result()
    }

    fn turn_hint(&self) -> Option<Phrase> {
        if self.end.is_some() {
            return None;
        }
        if self.men.must_capture() {
            return Some(format!("{} has to capture.", Self::INFO.side(self.men.turn)).into());
        }
        let drought = self.drought?;
        if self.men == Men::START {
            // Whoever is invited to such a game reads it at once.
            return Some(
                format!("The game is a draw after {} moves per side without a capture.", drought.most / 2).into(),
            );
        }
        let left = drought.left();
        let moves = if left == 1 { "move".to_owned() } else { format!("{left} moves") };
        (left <= WARNED).then(|| format!("The game is a draw unless there's a capture in the next {moves}.").into())
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.ways().iter().map(Move::from).collect()
    }

    fn objection(&self, mv: &Move) -> Option<RuleError> {
        let found = reason(self, mv)?;
        let legal: Vec<String> = self.legal_moves().iter().map(|mv| self.written(mv)).collect();
        Some(RuleError::new(found.code, capital(&found.why), json!({ "path": mv.path, "legalMoves": legal })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        let found = reason(self, mv).filter(|_| self.end.is_none())?;
        Some(found.explained.unwrap_or_else(|| capital(&found.why)).into())
    }

    fn play(&self, mv: &Move) -> Checkers {
        // What is not legal is never played; should it be, nothing happens.
        self.way(mv).map_or_else(|| self.clone(), |way| self.after(&way))
    }

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        computer::choose(self, level, seed)
    }

    fn notation(&self, mv: &Move) -> String {
        self.written(mv)
    }

    fn read(&self, text: &str) -> Result<Move, Unread> {
        reader::read(self, text)
    }

    fn group(&self, mv: &Move) -> Option<String> {
        Some(format!("From {}", mv.path.first()?))
    }

    fn origin(&self, mv: &Move) -> Option<usize> {
        Some(usize::from(*mv.path.first()?))
    }

    fn result(&self, mv: &Move) -> Value {
        json!({ "fen": self.play(mv).position().fen })
    }

    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        Box::new(checkered(&self.men, last))
    }

    /// Counts as published counts do: a drawn position goes on as long as there are moves.
    fn perft(&self, depth: u32) -> u64 {
        self.men.perft(depth)
    }
}

impl Checkers {
    /// Returns a move as it is written: a step with a dash, a capture with crosses.
    pub(super) fn written(&self, mv: &Move) -> String {
        let numbers: Vec<String> = mv.path.iter().map(u8::to_string).collect();
        // A step goes to a neighbour, whose number differs by 3 to 5.
        let steps = matches!(mv.path[..], [from, to] if from.abs_diff(to) < 6);
        numbers.join(if steps { "-" } else { "x" })
    }
}
