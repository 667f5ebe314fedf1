//! The sentences of a game of backgammon, in the engine's words and in a player's.

use game::contract::Explain;
use game::phrase::{Phrase, code, phrase, strong};
use game::rule::RuleError;
use game::seat::Seat;
use game::throw::Throw;
use serde_json::{Value, json};

use crate::backgammon::game::{Backgammon, By, GameResult, News, Phase};
use crate::backgammon::moves::{CubeAction, Deed, Move, Steps};
use crate::backgammon::side::{capital, color};
use crate::backgammon::validate::{Validation, explain as fault_explained, validate};
use crate::backgammon::written;

impl Explain for Backgammon {
    fn objection(&self, mv: &Move) -> Option<RuleError> {
        if self.phase == Phase::Over {
            let winner = self.result.map(|result| color(result.winner.into()));
            let message =
                format!("Cannot apply move to terminal game. Game status: won, Winner: {}", winner.unwrap_or("null"));
            return error("TERMINAL_STATE_MOVE", message, json!({ "currentStatus": "won", "winner": winner }));
        }
        let phase = match self.phase {
            Phase::Choice => "choose between roll and double",
            Phase::Answer => "take or drop the double",
            Phase::Play => "play the dice",
            _ => "roll the dice",
        };
        let cannot = |what: &str| {
            let message = format!("Cannot {what} now: {} has to {phase}", color(self.to_move));
            error("INVALID_MOVE", message, json!({}))
        };
        match (mv, self.phase) {
            (Move::Play(Steps { moves }), Phase::Play) => {
                let Validation { errors, faults, .. } = judged(self, mv)?;
                if faults.is_empty() {
                    let canonical = self.plays().into_iter().any(|play| play.steps == *moves);
                    let message = "The steps of a play have to be in canonical order".to_owned();
                    return if canonical { None } else { error("INVALID_MOVE", message, json!({})) };
                }
                error("INVALID_MOVE", errors.join("; "), json!({ "errors": errors }))
            }
            (Move::Cube(CubeAction { cube: Deed::Roll | Deed::Double }), Phase::Choice)
            | (Move::Cube(CubeAction { cube: Deed::Take | Deed::Drop }), Phase::Answer) => None,
            (Move::Cube(CubeAction { cube }), _) => cannot(cube.word()),
            (Move::Play(_), _) => cannot("play"),
        }
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        let dice = || self.throw.map_or(String::new(), shown);
        match (mv, self.phase) {
            (Move::Play(_), Phase::Play) => {
                let fault = *judged(self, mv)?.faults.first()?;
                fault_explained(&self.board, self.to_move, self.dice, self.overshoot(), fault)
            }
            (Move::Play(_), Phase::Choice) => {
                Some(phrase!["First write ", code("/roll"), " to roll the dice, or ", code("/double")])
            }
            (_, Phase::Answer) => {
                Some(phrase!["Your opponent doubled. First write ", code("/take"), " or ", code("/drop")])
            }
            (Move::Cube(CubeAction { cube: Deed::Roll }), Phase::Play) => {
                Some(format!("You've already rolled {}", dice()).into())
            }
            (Move::Cube(CubeAction { cube: Deed::Double }), Phase::Play) if !self.config.cube => {
                Some("There's no doubling cube in this game".into())
            }
            (Move::Cube(CubeAction { cube: Deed::Double }), Phase::Play) if self.crawford => {
                Some("This is the Crawford game, so nobody can double".into())
            }
            (Move::Cube(CubeAction { cube: Deed::Double }), Phase::Play) => Some(
                format!("You can't double now: it has to be before the roll, and you've already rolled {}", dice())
                    .into(),
            ),
            (Move::Cube(CubeAction { cube: Deed::Take | Deed::Drop }), _) => Some("Nobody has doubled".into()),
            _ => None,
        }
    }

    fn turn_hint(&self) -> Option<Phrase> {
        let task = match self.phase {
            Phase::Opening | Phase::Throw | Phase::Over => return None,
            Phase::Choice => {
                phrase!["Write ", code("/roll"), " to roll the dice, or ", code("/double"), " to double first."]
            }
            Phase::Answer => {
                let (stakes, lost) = (self.cube.value * 2, counted(self.cube.value, "point"));
                let take = format!(" to play on for {stakes} points, or ");
                phrase!["Write ", code("/take"), take, code("/drop"), format!(" to lose {lost}.")]
            }
            Phase::Play => {
                let throw = shown(self.throw?);
                let forced = match self.plays().as_slice() {
                    [only] => {
                        let only = written::write(&self.board, self.to_move, &only.steps);
                        phrase![", and there's only one legal play: ", code(only)]
                    }
                    _ => Phrase::default(),
                };
                phrase!["The dice are ", strong(throw), forced, "."]
            }
        };
        let pips = Seat::BOTH.map(|seat| format!("{} {}", capital(seat), self.board.pips(seat)));
        let cube = (self.config.cube && self.cube.value > 1).then(|| {
            let whose = self.cube.owner.map_or("The".to_owned(), |owner| format!("{}'s", capital(owner)));
            format!("{whose} cube is at {}.", self.cube.value)
        });
        let score = self.config.length.map(|length| {
            let crawford = if self.crawford { " This is the Crawford game: nobody can double." } else { "" };
            format!("Game {} of a match to {length}. Score: {}.{crawford}", self.number, score(self.score))
        });
        let pips = Some(format!("Pips: {}.", pips.join(", ")));
        let facts = [pips, cube, score].into_iter().flatten().map(Phrase::from);
        Some(Phrase::join([task].into_iter().chain(facts), " "))
    }

    fn news(&self) -> Option<Phrase> {
        (!self.news.is_empty()).then(|| Phrase::join(self.news.iter().map(|news| sentence(self, news)), " "))
    }
}

fn sentence(game: &Backgammon, news: &News) -> Phrase {
    match *news {
        News::Tie(die) => format!("Both sides rolled a {die} to see who goes first, so they rolled again.").into(),
        News::Begins([white, black]) => {
            let first = if white > black { Seat::First } else { Seat::Second };
            let (high, low) = (white.max(black), white.min(black));
            let first = capital(first);
            format!("Opening roll: White {white}, Black {black}. {first} goes first and plays {high}-{low}.").into()
        }
        News::Passed(seat, throw) => {
            phrase![capital(seat), " rolled ", strong(shown(throw)), " and can't move, so the turn passes."]
        }
        News::Forced(seat, throw, ref board, ref steps) => {
            let only = code(written::write(board, seat, steps));
            phrase![
                capital(seat),
                " rolled ",
                strong(shown(throw)),
                " and had only one legal play, so the bot played it: ",
                only,
                "."
            ]
        }
        News::Ended(number, GameResult { winner, kind, points, by }, after) => {
            let winner = winner.into();
            let what = match (by, kind) {
                (By::Drop, _) => "",
                (_, 3) => " with a backgammon",
                (_, 2) => " with a gammon",
                _ => "",
            };
            let points = counted(points, "point");
            let Some(length) = game.config.length else {
                return format!("{} wins {points}{what}.", capital(winner)).into();
            };
            // Points beyond the match count for nothing.
            let after = after.map(|points| points.min(length));
            let winner_name = capital(winner);
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

fn judged(game: &Backgammon, mv: &Move) -> Option<Validation> {
    let Move::Play(Steps { moves }) = mv else { return None };
    let seat = game.to_move;
    Some(validate(&game.board, seat, game.dice, game.overshoot(), seat, moves))
}

/// Returns a roll as people say it, the larger die first.
fn shown([one, two]: Throw) -> String {
    format!("{}-{}", one.max(two), one.min(two))
}

fn score([white, black]: [u32; 2]) -> String {
    format!("White {white}, Black {black}")
}

fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
