//! The game as a table holds it.

use serde_json::Value;

use crate::game::board::Board;
use crate::game::choice::{Chosen, Level};
use crate::game::contract::{Ending, Game, Outcome};
use crate::game::info::{Info, Verb};
use crate::game::notation::fold;
use crate::game::options::{BadOption, Options};
use crate::game::phrase::{Phrase, spans};
use crate::game::rule::{RuleError, Unread};
use crate::game::seat::Seat;
use crate::game::throw::Throw;
use crate::games::backgammon::config::{CUBE, GameConfig, JACOBY, MATCH, OVERSHOOT, VIEW};
use crate::games::backgammon::engine::choose;
use crate::games::backgammon::game::{self, Backgammon, Phase};
use crate::games::backgammon::moves::{CubeAction, Deed, Move, Steps};
use crate::games::backgammon::position::{self, Position};
use crate::games::backgammon::{picture, words, written};

impl Game for Backgammon {
    const INFO: Info = Info {
        name: "backgammon",
        title: "Backgammon",
        aliases: &["bg", "tavla", "tavli", "tric-trac"],
        seats: ["white", "black"],
        summary: "Roll two dice, bring your fifteen checkers home past your opponent's, and bear them all off first.",
        moves: spans![
            "To move, write each checker's path, like " ("8/5 6/5") " or " ("24/18/13") ", counting points from your side ("
            ("1") " is the last point before bearing off). Write " ("bar/22") " to enter, " ("6/off") " to bear off, "
            ("13/7*") " for a hit, and " ("8/5(2)") " to move two checkers."
        ],
        options: &[MATCH, CUBE, JACOBY, OVERSHOOT, VIEW],
        verbs: &[
            Verb {
                word: "roll",
                aliases: &[],
                meaning: "Backgammon with the cube: rolls the dice when you could double.",
            },
            Verb {
                word: "double",
                aliases: &["redouble"],
                meaning: "Backgammon with the cube: doubles the stakes, before you roll.",
            },
            Verb { word: "take", aliases: &[], meaning: "Backgammon with the cube: takes the double and the cube." },
            Verb {
                word: "drop",
                aliases: &["pass"],
                meaning: "Backgammon with the cube: drops the double and loses the game at the old stakes.",
            },
        ],
    };

    const DICE: bool = true;

    const ENGINE: u32 = choose::ENGINE_VERSION;

    const EDGE: i32 = 43_000;

    type Config = GameConfig;
    type Move = Move;
    type Position = Position;

    fn configure(options: &mut Options) -> Result<GameConfig, BadOption> {
        GameConfig::chosen(options)
    }

    fn start(config: &GameConfig) -> Result<Backgammon, RuleError> {
        Backgammon::begun(config)
    }

    fn setup(config: &GameConfig) -> Option<String> {
        config.setup()
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
        Some(Ending { outcome: Outcome::Won(result.winner.into()), reason: None })
    }

    fn turn_hint(&self) -> Option<Phrase> {
        words::turn_hint(self)
    }

    fn awaits_throw(&self) -> bool {
        matches!(self.phase, Phase::Opening | Phase::Throw)
    }

    fn thrown(&self, throw: Throw) -> Backgammon {
        game::thrown(self, throw)
    }

    fn forced(&self) -> Option<(Move, Backgammon)> {
        game::forced(self)
    }

    fn news(&self) -> Option<Phrase> {
        words::news(self)
    }

    fn resigned(&self, seat: Seat) -> Option<Backgammon> {
        Some(game::resigned(self, seat))
    }

    fn costs(&self, seat: Seat) -> &'static [&'static str] {
        game::costs(self, seat)
    }

    fn settles_for_least(&self, seat: Seat) -> bool {
        choose::settles_for_single(self, seat)
    }

    fn given_up(&self, seat: Seat, cost: &str) -> Option<Backgammon> {
        game::given_up(self, seat, cost)
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
            Move::Play(_) => game::played(self, self.board_after(mv)),
            Move::Cube(CubeAction { cube }) => game::turned(self, *cube),
        }
    }

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Self::Move>> {
        choose::choose(self, level, seed)
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
            Deed::Roll => "rolled",
            Deed::Double => "doubled",
            Deed::Take => "took the double",
            Deed::Drop => "dropped the double",
        })
    }

    fn read(&self, text: &str) -> Result<Move, Unread> {
        let wanted = fold(text);
        if let Some(cube) = Deed::ALL.into_iter().find(|deed| deed.word() == wanted) {
            return Ok(Move::Cube(CubeAction { cube }));
        }
        let moves = written::read(&self.board, self.to_move, self.dice, self.overshoot(), text)?;
        Ok(Move::Play(Steps { moves }))
    }

    fn has_same_pieces(&self, later: &Backgammon) -> bool {
        self.board == later.board && self.number == later.number
    }

    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let steps = last.map_or(&[][..], |mv| if let Move::Play(Steps { moves }) = mv { moves } else { &[] });
        Box::new(picture::points(self, steps))
    }

    /// Counts the distinct results of all 21 throws, each counted once, however likely it is.
    fn perft(&self, depth: u32) -> u64 {
        game::perft(&self.board, self.to_move, self.overshoot(), depth)
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
