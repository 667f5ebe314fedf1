//! The sentences of a game of backgammon, in the engine's words and in a player's.

use serde_json::{Value, json};

use crate::game::phrase::{Phrase, code, phrase, strong};
use crate::game::rule::RuleError;
use crate::game::seat::Seat;
use crate::game::throw::Throw;
use crate::games::backgammon::game::{Backgammon, By, GameResult, News, Phase};
use crate::games::backgammon::moves::{CubeAction, Deed, Move, Steps};
use crate::games::backgammon::side::{capital, color};
use crate::games::backgammon::validate::{Validation, explain as fault_explained, validate};
use crate::games::backgammon::written;

/// Returns what the player on turn has to know; `None` before a throw and after the end.
pub(super) fn turn_hint(game: &Backgammon) -> Option<Phrase> {
    let task = match game.phase {
        Phase::Opening | Phase::Throw | Phase::Over => return None,
        Phase::Choice => phrase![code("/roll"), " throws the dice, ", code("/double"), " doubles the stakes first."],
        Phase::Answer => {
            let (stakes, lost) = (game.cube.value * 2, counted(game.cube.value, "point"));
            phrase![code("/take"), format!(" plays on for {stakes}, "), code("/drop"), format!(" loses {lost}.")]
        }
        Phase::Play => {
            let throw = shown(game.throw?);
            let forced = match game.plays().as_slice() {
                [only] => {
                    let only = written::write(&game.board, game.to_move, &only.steps);
                    phrase![", and only one play is possible: ", code(only)]
                }
                _ => Phrase::default(),
            };
            phrase!["The dice are ", strong(throw), forced, "."]
        }
    };
    let pips = Seat::BOTH.map(|seat| format!("{} {}", color(seat), game.board.pips(seat)));
    let cube = (game.config.cube && game.cube.value > 1).then(|| {
        let owner = game.cube.owner.map_or("in the middle".to_owned(), |owner| format!("{}'s", color(owner)));
        format!("The cube is at {}, {owner}.", game.cube.value)
    });
    let score = game.config.length.map(|length| {
        let crawford = if game.crawford { " This is the Crawford game: nobody doubles." } else { "" };
        format!("Game {}, score {}, match to {length}.{crawford}", game.number, score(game.score))
    });
    let pips = Some(format!("Pips: {}.", pips.join(", ")));
    let facts = [pips, cube, score].into_iter().flatten().map(Phrase::from);
    Some(Phrase::join([task].into_iter().chain(facts), " "))
}

/// Returns what has come about since the last move, if anything has.
pub(super) fn news(game: &Backgammon) -> Option<Phrase> {
    (!game.news.is_empty()).then(|| Phrase::join(game.news.iter().map(|news| sentence(game, *news)), " "))
}

fn sentence(game: &Backgammon, news: News) -> Phrase {
    match news {
        News::Tie(die) => format!("Both throw {die} to see who begins, so they throw again.").into(),
        News::Begins([white, black]) => {
            let first = if white > black { Seat::First } else { Seat::Second };
            format!("The opening throw: white {white}, black {black}, so {} begins with both dice.", color(first))
                .into()
        }
        News::Passed(seat, throw) => {
            phrase![capital(seat), " throws ", strong(shown(throw)), " and can't move a checker, so the turn passes."]
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
                return format!("{} wins{what}: {points}.", capital(winner)).into();
            };
            let over = game.phase == Phase::Over;
            let end = if over { format!(", and {} has won the match", color(winner)) } else { String::new() };
            format!(
                "{} wins game {number}{what}: {points}. Score: {}, match to {length}{end}.",
                capital(winner),
                score(after)
            )
            .into()
        }
    }
}

/// Returns the rule that forbids a move.
pub(super) fn objection(game: &Backgammon, mv: &Move) -> Option<RuleError> {
    if game.phase == Phase::Over {
        let winner = game.result.map(|result| color(result.winner.into()));
        let message =
            format!("Cannot apply move to terminal game. Game status: won, Winner: {}", winner.unwrap_or("null"));
        return error("TERMINAL_STATE_MOVE", message, json!({ "currentStatus": "won", "winner": winner }));
    }
    let phase = match game.phase {
        Phase::Choice => "choose between roll and double",
        Phase::Answer => "take or drop the double",
        Phase::Play => "play the dice",
        _ => "throw the dice",
    };
    let cannot = |what: &str| {
        let message = format!("Cannot {what} now: {} has to {phase}", color(game.to_move));
        error("INVALID_MOVE", message, json!({}))
    };
    match (mv, game.phase) {
        (Move::Play(Steps { moves }), Phase::Play) => {
            let Validation { errors, faults, .. } = judged(game, mv)?;
            if faults.is_empty() {
                let canonical = game.plays().into_iter().any(|play| play.steps == *moves);
                let message = "The steps of a play stand in canonical order".to_owned();
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

fn error(code: &'static str, message: String, context: Value) -> Option<RuleError> {
    Some(RuleError::new(code, message, context))
}

fn judged(game: &Backgammon, mv: &Move) -> Option<Validation> {
    let Move::Play(Steps { moves }) = mv else { return None };
    let seat = game.to_move;
    Some(validate(&game.board, seat, game.dice, game.overshoot(), seat, moves))
}

/// Returns the same in a player's words.
pub(super) fn explain(game: &Backgammon, mv: &Move) -> Option<Phrase> {
    let dice = || game.throw.map_or(String::new(), shown);
    match (mv, game.phase) {
        (Move::Play(_), Phase::Play) => {
            let fault = *judged(game, mv)?.faults.first()?;
            fault_explained(&game.board, game.to_move, game.dice, game.overshoot(), fault)
        }
        (Move::Play(_), Phase::Choice) => {
            Some(phrase!["Throw the dice first, with ", code("/roll"), ", or ", code("/double")])
        }
        (_, Phase::Answer) => {
            Some(phrase!["A double has been offered: ", code("/take"), " it or ", code("/drop"), " it first"])
        }
        (Move::Cube(CubeAction { cube: Deed::Roll }), Phase::Play) => {
            Some(format!("The dice have been thrown for you already, and they are {}", dice()).into())
        }
        (Move::Cube(CubeAction { cube: Deed::Double }), Phase::Play) if !game.config.cube => {
            Some("This game is played without the doubling cube".into())
        }
        (Move::Cube(CubeAction { cube: Deed::Double }), Phase::Play) if game.crawford => {
            Some("This is the Crawford game of the match, in which nobody doubles".into())
        }
        (Move::Cube(CubeAction { cube: Deed::Double }), Phase::Play) => Some(
            format!("You can double only before the dice are thrown, with the cube in reach; they are {}", dice())
                .into(),
        ),
        (Move::Cube(CubeAction { cube: Deed::Take | Deed::Drop }), _) => Some("No double has been offered".into()),
        _ => None,
    }
}

/// Returns a throw as people say it, the larger die first.
fn shown([one, two]: Throw) -> String {
    format!("{}-{}", one.max(two), one.min(two))
}

fn score([white, black]: [u32; 2]) -> String {
    format!("white {white}, black {black}")
}

fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
