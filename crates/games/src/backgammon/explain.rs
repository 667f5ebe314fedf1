//! The texts of a game of backgammon: errors for programs, and explanations and events for players.

use game::contract::Explain;
use game::phrase::{Phrase, code, phrase, strong};
use game::roll::Roll;
use game::rule::RuleError;
use game::seat::Seat;
use serde_json::{Value, json};

use crate::backgammon::game::{Backgammon, EndReason, GameEvent, GameResult, Phase};
use crate::backgammon::moves::{CubeAction, CubeMove, Move, Steps};
use crate::backgammon::notation;
use crate::backgammon::side::{color_name, display_name};
use crate::backgammon::validate::{Validation, explain as fault_explained, validate};

impl Explain for Backgammon {
    fn legality_error(&self, mv: &Move) -> Option<RuleError> {
        if self.phase == Phase::Over {
            let winner = self.result.map(|result| color_name(result.winner.into()));
            let message =
                format!("Cannot apply move to terminal game. Game status: won, Winner: {}", winner.unwrap_or("null"));
            return error("TERMINAL_STATE_MOVE", message, json!({ "currentStatus": "won", "winner": winner }));
        }
        let phase = match self.phase {
            Phase::RollOrDouble => "choose between roll and double",
            Phase::TakeOrDrop => "take or drop the double",
            Phase::Play => "play the dice",
            _ => "roll the dice",
        };
        let cannot = |what: &str| {
            let message = format!("Cannot {what} now: {} has to {phase}", color_name(self.side_to_move));
            error("INVALID_MOVE", message, json!({}))
        };
        match (mv, self.phase) {
            (Move::Play(Steps { moves }), Phase::Play) => {
                let Validation { errors, faults, .. } = validate_play(self, mv)?;
                if faults.is_empty() {
                    let canonical = self.legal_plays().into_iter().any(|play| play.steps == *moves);
                    let message = "The steps of a play have to be in canonical order".to_owned();
                    return if canonical { None } else { error("INVALID_MOVE", message, json!({})) };
                }
                error("INVALID_MOVE", errors.join("; "), json!({ "errors": errors }))
            }
            (Move::Cube(CubeMove { cube: CubeAction::Roll | CubeAction::Double }), Phase::RollOrDouble)
            | (Move::Cube(CubeMove { cube: CubeAction::Take | CubeAction::Drop }), Phase::TakeOrDrop) => None,
            (Move::Cube(CubeMove { cube }), _) => cannot(cube.word()),
            (Move::Play(_), _) => cannot("play"),
        }
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        let dice = || self.roll.map_or(String::new(), format_roll);
        match (mv, self.phase) {
            (Move::Play(_), Phase::Play) => {
                let fault = *validate_play(self, mv)?.faults.first()?;
                fault_explained(&self.board, self.side_to_move, self.dice, self.allows_overshoot(), fault)
            }
            (Move::Play(_), Phase::RollOrDouble) => {
                Some(phrase!["First write ", code("/roll"), " to roll the dice, or ", code("/double")])
            }
            (_, Phase::TakeOrDrop) => {
                Some(phrase!["Your opponent doubled. First write ", code("/take"), " or ", code("/drop")])
            }
            (Move::Cube(CubeMove { cube: CubeAction::Roll }), Phase::Play) => {
                Some(format!("You've already rolled {}", dice()).into())
            }
            (Move::Cube(CubeMove { cube: CubeAction::Double }), Phase::Play) if !self.config.cube => {
                Some("There's no doubling cube in this game".into())
            }
            (Move::Cube(CubeMove { cube: CubeAction::Double }), Phase::Play) if self.crawford => {
                Some("This is the Crawford game, so nobody can double".into())
            }
            (Move::Cube(CubeMove { cube: CubeAction::Double }), Phase::Play) => Some(
                format!("You can't double now: it has to be before the roll, and you've already rolled {}", dice())
                    .into(),
            ),
            (Move::Cube(CubeMove { cube: CubeAction::Take | CubeAction::Drop }), _) => {
                Some("Nobody has doubled".into())
            }
            _ => None,
        }
    }

    fn turn_hint(&self) -> Option<Phrase> {
        let task = match self.phase {
            Phase::OpeningRoll | Phase::Roll | Phase::Over => return None,
            Phase::RollOrDouble => {
                phrase!["Write ", code("/roll"), " to roll the dice, or ", code("/double"), " to double first."]
            }
            Phase::TakeOrDrop => {
                let (stakes, lost) = (self.cube.value * 2, with_unit(self.cube.value, "point"));
                let take = format!(" to play on for {stakes} points, or ");
                phrase!["Write ", code("/take"), take, code("/drop"), format!(" to lose {lost}.")]
            }
            Phase::Play => {
                let roll = format_roll(self.roll?);
                let forced = match self.legal_plays().as_slice() {
                    [only] => {
                        let only = notation::format_play(&self.board, self.side_to_move, &only.steps);
                        phrase![", and there's only one legal play: ", code(only)]
                    }
                    _ => Phrase::default(),
                };
                phrase!["The dice are ", strong(roll), forced, "."]
            }
        };
        let pips = Seat::BOTH.map(|seat| format!("{} {}", display_name(seat), self.board.pips(seat)));
        let cube = (self.config.cube && self.cube.value > 1).then(|| {
            let whose = self.cube.owner.map_or("The".to_owned(), |owner| format!("{}'s", display_name(owner)));
            format!("{whose} cube is at {}.", self.cube.value)
        });
        let score = self.config.length.map(|length| {
            let crawford = if self.crawford { " This is the Crawford game: nobody can double." } else { "" };
            format!("Game {} of a match to {length}. Score: {}.{crawford}", self.game_number, score(self.score))
        });
        let pips = Some(format!("Pips: {}.", pips.join(", ")));
        let facts = [pips, cube, score].into_iter().flatten().map(Phrase::from);
        Some(Phrase::join([task].into_iter().chain(facts), " "))
    }

    fn commentary(&self) -> Option<Phrase> {
        if self.events.is_empty() {
            return None;
        }
        Some(Phrase::join(self.events.iter().map(|event| sentence(self, event)), " "))
    }

    fn final_score(&self) -> Option<Phrase> {
        match self.events.last() {
            Some(end @ GameEvent::GameEnded(..)) if self.phase == Phase::Over => Some(sentence(self, end)),
            _ => None,
        }
    }
}

fn sentence(game: &Backgammon, event: &GameEvent) -> Phrase {
    match *event {
        GameEvent::OpeningTie(die) => {
            format!("Both sides rolled a {die} to see who goes first, so they rolled again.").into()
        }
        GameEvent::OpeningRoll([white, black]) => {
            let first = if white > black { Seat::First } else { Seat::Second };
            let (high, low) = (white.max(black), white.min(black));
            let first = display_name(first);
            format!("Opening roll: White {white}, Black {black}. {first} goes first, with {high}-{low}.").into()
        }
        GameEvent::Passed(seat, roll) => {
            phrase![display_name(seat), " rolled ", strong(format_roll(roll)), " and can't move, so the turn passes."]
        }
        GameEvent::ForcedPlay(seat, roll, ref board, ref steps) => {
            let only = code(notation::format_play(board, seat, steps));
            phrase![
                display_name(seat),
                " rolled ",
                strong(format_roll(roll)),
                " and had only one legal play, so the bot played it: ",
                only,
                "."
            ]
        }
        GameEvent::GameEnded(number, GameResult { winner, kind, points, by }, after) => {
            let winner = winner.into();
            let what = match (by, kind) {
                (EndReason::Drop, _) => "",
                (_, 3) => " with a backgammon",
                (_, 2) => " with a gammon",
                _ => "",
            };
            let points = with_unit(points, "point");
            let Some(length) = game.config.length else {
                return format!("{} wins {points}{what}.", display_name(winner)).into();
            };
            // Points beyond the match length don't count.
            let after = after.map(|points| points.min(length));
            let winner_name = display_name(winner);
            let won = format!("{winner_name} wins {points} in game {number}{what}.");
            if game.phase == Phase::Over {
                let [own, theirs] = [winner, winner.other()].map(|seat| after[seat.index()]);
                return format!("{won} {winner_name} wins the match to {length}, {own}-{theirs}.").into();
            }
            format!("{won} The score is {}.", score(after)).into()
        }
    }
}

fn error(code: &'static str, message: String, context: Value) -> Option<RuleError> {
    Some(RuleError::new(code, message, context))
}

fn validate_play(game: &Backgammon, mv: &Move) -> Option<Validation> {
    let Move::Play(Steps { moves }) = mv else { return None };
    let seat = game.side_to_move;
    Some(validate(&game.board, seat, game.dice, game.allows_overshoot(), seat, moves))
}

/// Formats a roll as players say it, the larger die first.
fn format_roll([one, two]: Roll) -> String {
    format!("{}-{}", one.max(two), one.min(two))
}

fn score([white, black]: [u32; 2]) -> String {
    format!("White {white}, Black {black}")
}

fn with_unit(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
