//! What a game of backgammon says, in the engine's words and in a player's.

use serde_json::{Value, json};

use crate::game::contract::Game;
use crate::game::rule::RuleError;
use crate::game::seat::Seat;
use crate::game::throw::Throw;
use crate::games::backgammon::board::color;
use crate::games::backgammon::flow::{Backgammon, By, GameResult, News, Phase};
use crate::games::backgammon::validate::{Validation, explain as fault_explained, validate};
use crate::games::backgammon::{CubeAction, Deed, Move, Steps};

/// What whoever is on turn has to know.
pub(super) fn turn_hint(game: &Backgammon) -> Option<String> {
    let task = match game.phase {
        Phase::Opening | Phase::Throw | Phase::Over => return None,
        Phase::Choice => "`/roll` throws the dice, `/double` doubles the stakes first.".to_owned(),
        Phase::Answer => {
            let stakes = game.cube.value * 2;
            format!("`/take` plays on for {stakes}, `/drop` loses {}.", counted(game.cube.value, "point"))
        }
        Phase::Play => {
            let throw = shown(game.throw?);
            let plays = game.legal_moves();
            let forced = match plays.as_slice() {
                [only] => format!(", and only one play is possible: `{}`", game.notation(only)),
                _ => String::new(),
            };
            format!("The dice are **{throw}**{forced}.")
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
    Some([Some(task), pips, cube, score].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// What has come about since the last move.
pub(super) fn news(game: &Backgammon) -> Option<String> {
    let sentences: Vec<String> = game.told.iter().map(|told| sentence(game, *told)).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn sentence(game: &Backgammon, told: News) -> String {
    match told {
        News::Tie(die) => format!("Both throw {die} to see who begins, so they throw again."),
        News::Begins([white, black]) => {
            let first = if white > black { Seat::First } else { Seat::Second };
            format!("The opening throw: white {white}, black {black}, so {} begins with both dice.", color(first))
        }
        News::Passed(seat, throw) => {
            let throw = shown(throw);
            format!("{} throws **{throw}** and can't move a checker, so the turn passes.", capital(seat))
        }
        News::Ended(number, GameResult { winner, kind, points, by }, after) => {
            let what = match (by, kind) {
                (By::Drop, _) => "",
                (_, 3) => " with a backgammon",
                (_, 2) => " with a gammon",
                _ => "",
            };
            let points = counted(points, "point");
            let Some(length) = game.config.length else {
                return format!("{} wins{what}: {points}.", capital(winner));
            };
            let over = game.phase == Phase::Over;
            let end = if over { format!(", and {} has won the match", color(winner)) } else { String::new() };
            format!(
                "{} wins game {number}{what}: {points}. Score: {}, match to {length}{end}.",
                capital(winner),
                score(after)
            )
        }
    }
}

/// The rule that forbids a move.
pub(super) fn objection(game: &Backgammon, mv: &Move) -> Option<RuleError> {
    if game.phase == Phase::Over {
        let winner = game.result.map(|result| color(result.winner));
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
        (Move::Cube(CubeAction { cube }), _) => error(
            "INVALID_MOVE",
            format!("Cannot {} now: {} has to {phase}", cube.word(), color(game.to_move)),
            json!({}),
        ),
        (Move::Play(_), _) => {
            error("INVALID_MOVE", format!("Cannot play now: {} has to {phase}", color(game.to_move)), json!({}))
        }
    }
}

fn error(code: &'static str, message: String, context: Value) -> Option<RuleError> {
    Some(RuleError { code, message, context })
}

fn judged(game: &Backgammon, mv: &Move) -> Option<Validation> {
    let Move::Play(Steps { moves }) = mv else { return None };
    let seat = game.to_move;
    Some(validate(&game.board, seat, game.dice, game.overshoot(), seat, moves))
}

/// The same in a player's words.
pub(super) fn explain(game: &Backgammon, mv: &Move) -> Option<String> {
    let dice = || game.throw.map_or(String::new(), shown);
    match (mv, game.phase) {
        (Move::Play(_), Phase::Play) => {
            let fault = *judged(game, mv)?.faults.first()?;
            fault_explained(&game.board, game.to_move, game.dice, game.overshoot(), fault)
        }
        (Move::Play(_), Phase::Choice) => Some("Throw the dice first, with `/roll`, or `/double`".to_owned()),
        (_, Phase::Answer) => Some("A double has been offered: `/take` it or `/drop` it first".to_owned()),
        (Move::Cube(CubeAction { cube: Deed::Roll }), Phase::Play) => {
            Some(format!("The dice have been thrown for you already, and they are {}", dice()))
        }
        (Move::Cube(CubeAction { cube: Deed::Double }), Phase::Play) if !game.config.cube => {
            Some("This game is played without the doubling cube".to_owned())
        }
        (Move::Cube(CubeAction { cube: Deed::Double }), Phase::Play) if game.crawford => {
            Some("This is the Crawford game of the match, in which nobody doubles".to_owned())
        }
        (Move::Cube(CubeAction { cube: Deed::Double }), Phase::Play) => {
            Some(format!("You can double only before the dice are thrown, with the cube in reach; they are {}", dice()))
        }
        (Move::Cube(CubeAction { cube: Deed::Take | Deed::Drop }), _) => Some("No double has been offered".to_owned()),
        _ => None,
    }
}

/// A throw as people say it, the larger die first.
fn shown([one, two]: Throw) -> String {
    format!("{}-{}", one.max(two), one.min(two))
}

fn score([white, black]: [u32; 2]) -> String {
    format!("white {white}, black {black}")
}

fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn capital(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "White",
        Seat::Second => "Black",
    }
}
