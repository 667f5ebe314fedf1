//! Explains illegal moves, decisions and events.

use game::{Explain, IllegalMove, Phrase, Roll, Rules, Seat, capitalize, game_over, say, side};
use serde_json::json;

use crate::backgammon::position::{color_name, display_name};
use crate::backgammon::validate::explain_fault;
use crate::backgammon::{
    Backgammon, CubeAction, CubeMove, EndReason, GameEvent, GameResult, Move, Phase, Placement, PlayFault, Step, Steps,
    Validation, notation, validate,
};

impl Explain for Backgammon {
    fn why_illegal(&self, mv: &Move) -> IllegalMove {
        if let Some(outcome) = self.outcome() {
            return game_over::<Self>(outcome);
        }
        let attempt = match mv {
            Move::Play(Steps { moves }) if self.phase == Phase::Play => return illegal_play(self, moves),
            Move::Play(_) => "play",
            Move::Cube(CubeMove { cube }) => cube.word(),
        };
        let task = match self.phase {
            Phase::RollOrDouble => "choose between roll and double",
            Phase::TakeOrDrop => "take or drop the double",
            Phase::Play => "play the dice",
            Phase::OpeningRoll | Phase::Roll | Phase::Over => "roll the dice",
        };
        let message = format!("Cannot {attempt} now: {} has to {task}", color_name(self.side_to_move));
        let illegal = IllegalMove::new("INVALID_MOVE", message, json!({}));
        IllegalMove { explanation: explain_phase(self, mv).map(Box::new), ..illegal }
    }

    fn turn_hint(&self) -> Option<Phrase> {
        Some(match self.phase {
            Phase::OpeningRoll | Phase::Roll | Phase::Over => return None,
            Phase::RollOrDouble => {
                say!("Write `/roll` to roll the dice, or `/double` to double first.")
            }
            Phase::TakeOrDrop => {
                let (stakes, lost) = (self.cube.value * 2, with_unit(self.cube.value, "point"));
                say!("Write `/take` to play on for {stakes} points, or `/drop` to lose {lost}.")
            }
            Phase::Play => {
                let roll = format_roll(self.roll?);
                match self.legal_plays().as_slice() {
                    [only] => say!(
                        "The dice are **{roll}**, and there's only one legal play: `{play}`.",
                        play = notation::format_play(&self.board, self.side_to_move, &only.steps),
                    ),
                    _ => say!("The dice are **{roll}**."),
                }
            }
        })
    }

    fn standing(&self) -> Option<Phrase> {
        // At the start, everybody knows the score and the pips.
        let is_start = self.board == Placement::START && self.game_number == 1;
        if self.phase == Phase::Over || is_start {
            return None;
        }
        let score = self.config.length.map(|length| {
            let crawford = if self.crawford { " This is the Crawford game: nobody can double." } else { "" };
            let (number, score) = (self.game_number, of_both(self.score));
            say!("Match to {length}, game {number}: {score}.{crawford}")
        });
        let pips = say!("Pips: {pips}.", pips = of_both(Seat::BOTH.map(|seat| self.board.pips(seat))));
        let cube = (self.config.cube && self.cube.value > 1).then(|| {
            let holder = self.cube.owner.map(|owner| say!(", held by {owner:named}"));
            say!(" The cube is at {value}{holder}.", value = self.cube.value)
        });
        Some(Phrase::join([score, Some(say!("{pips}{cube}"))].into_iter().flatten(), "\n"))
    }

    fn commentary(&self) -> Option<Phrase> {
        let ties = self.events.iter().filter(|event| matches!(event, GameEvent::OpeningTie(_))).count();
        let tie = opening_ties(ties);
        let events = self.events.iter().filter_map(|event| sentence(self, event));
        let sentences: Vec<Phrase> = tie.into_iter().chain(events).collect();
        if sentences.is_empty() { None } else { Some(Phrase::join(sentences, "\n")) }
    }

    fn final_score(&self) -> Option<Phrase> {
        let Some(&GameEvent::GameEnded(number, ref result, after)) = self.events.last() else { return None };
        if self.phase != Phase::Over {
            return None;
        }
        let (kind, points) = (kind_of_win(result), with_unit(result.points, "point"));
        let Some(length) = self.config.length else {
            return (result.points > 1).then(|| say!("This counts {points}{kind}."));
        };
        // Points beyond the match length don't count.
        let winner: Seat = result.winner.into();
        let [own, theirs] = [winner, winner.other()].map(|seat| after[seat.index()].min(length));
        Some(say!("The match to {length} ended {own}-{theirs}, with {points} in game {number}{kind}."))
    }
}

/// Returns a sentence about the opening rolls that were ties; `None` if none were.
fn opening_ties(count: usize) -> Option<Phrase> {
    Some(match count {
        0 => return None,
        1 => say!("The first opening roll was a tie."),
        2 => say!("The first two opening rolls were ties."),
        count => say!("The first {count} opening rolls were ties."),
    })
}

/// Returns a sentence about an event; `None` for ties, which have one sentence together, and for the end of the last game.
fn sentence(game: &Backgammon, event: &GameEvent) -> Option<Phrase> {
    Some(match *event {
        GameEvent::OpeningTie(_) => return None,
        GameEvent::OpeningRoll(dice) => say!("Opening roll: {dice}.", dice = of_both(dice)),
        GameEvent::Passed(seat, roll) => {
            let roll = format_roll(roll);
            say!("{seat:named} rolled **{roll}** and can't move, so the turn passes.")
        }
        GameEvent::ForcedPlay(seat, roll, ref board, ref steps) => {
            let (roll, play) = (format_roll(roll), notation::format_play(board, seat, steps));
            say!("{seat:named} rolled **{roll}** and had one legal play: `{play}`.")
        }
        GameEvent::GameEnded(number, ref result, _) => {
            if game.phase == Phase::Over {
                return None;
            }
            let (winner, points): (Seat, _) = (result.winner.into(), with_unit(result.points, "point"));
            say!("{winner:named} won {points} in game {number}{kind}.", kind = kind_of_win(result))
        }
    })
}

/// Returns how more than a single game was won, with a leading space.
fn kind_of_win(result: &GameResult) -> &'static str {
    match (&result.by, result.kind) {
        (EndReason::Drop, _) => "",
        (_, 3) => " with a backgammon",
        (_, 2) => " with a gammon",
        _ => "",
    }
}

/// Returns the rule that forbids a play of these dice.
fn illegal_play(game: &Backgammon, steps: &[Step]) -> IllegalMove {
    let Backgammon { board, dice, side_to_move: seat, .. } = game;
    let overshoot = game.allows_overshoot();
    let Validation { errors, .. } = validate(board, *seat, *dice, overshoot, *seat, steps);
    let Some(fault) = errors.first() else {
        return IllegalMove::new("INVALID_MOVE", "The steps of a play have to be in canonical order", json!({}));
    };
    let messages: Vec<String> = errors.iter().map(PlayFault::to_string).collect();
    let illegal = IllegalMove::new("INVALID_MOVE", messages.join("; "), json!({ "errors": errors }));
    let explanation = explain_fault(board, *seat, *dice, overshoot, *fault).map(Box::new);
    IllegalMove { explanation, ..illegal }
}

/// Explains why a kind of move isn't possible now.
fn explain_phase(game: &Backgammon, mv: &Move) -> Option<Phrase> {
    let rolled = || game.roll.map_or(String::new(), |roll| format!("you've already rolled {}", format_roll(roll)));
    match (mv, game.phase) {
        (Move::Play(_), Phase::RollOrDouble) => Some(say!("First write `/roll` to roll the dice, or `/double`")),
        (_, Phase::TakeOrDrop) => Some(say!("Your opponent doubled. First write `/take` or `/drop`")),
        (Move::Cube(CubeMove { cube: CubeAction::Roll }), Phase::Play) => Some(capitalize(&rolled()).into()),
        (Move::Cube(CubeMove { cube: CubeAction::Double }), Phase::Play) if !game.config.cube => {
            Some("There's no doubling cube in this game".into())
        }
        (Move::Cube(CubeMove { cube: CubeAction::Double }), Phase::Play) if game.crawford => {
            Some("This is the Crawford game, so nobody can double".into())
        }
        (Move::Cube(CubeMove { cube: CubeAction::Double }), Phase::Play) => {
            Some(format!("You can't double now: it has to be before the roll, and {}", rolled()).into())
        }
        (Move::Cube(CubeMove { cube: CubeAction::Take | CubeAction::Drop }), _) => Some("Nobody has doubled".into()),
        _ => None,
    }
}

/// Formats a roll as players say it, the larger die first.
fn format_roll([one, two]: Roll) -> String {
    format!("{}-{}", one.max(two), one.min(two))
}

/// Returns a number for each side: "White 3, Black 1".
fn of_both(numbers: [impl ToString; 2]) -> Phrase {
    let [white, black] = numbers.map(|number| number.to_string());
    say!("{first} {white}, {second} {black}", first = named(Seat::First), second = named(Seat::Second))
}

/// Returns a side, which a table with players shows as a name.
fn named(seat: Seat) -> Phrase {
    side(seat, display_name(seat))
}

fn with_unit(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
