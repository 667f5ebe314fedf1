//! Explains illegal moves, decisions and events.

use game::{Explain, IllegalMove, Phrase, Roll, Rules, Seat, capitalize, game_over, say};
use serde_json::json;

use crate::backgammon::position::{color_name, display_name};
use crate::backgammon::validate::explain_fault;
use crate::backgammon::{
    Backgammon, CubeAction, CubeMove, EndReason, GameEvent, GameResult, Move, Phase, PlayFault, Step, Steps,
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
        let task = match self.phase {
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
        let ties = self.events.iter().filter(|event| matches!(event, GameEvent::OpeningTie(_))).count();
        let others = self.events.iter().filter(|event| ties < 2 || !matches!(event, GameEvent::OpeningTie(_)));
        let ties = (ties > 1).then(|| say!("The first {ties} opening rolls were ties."));
        Some(Phrase::join(ties.into_iter().chain(others.map(|event| sentence(self, event))), " "))
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
            say!("Both sides rolled a {die} to see who goes first, so they rolled again.")
        }
        GameEvent::OpeningRoll([white, black]) => {
            let first = if white > black { Seat::First } else { Seat::Second };
            let (high, low) = (white.max(black), white.min(black));
            let first = display_name(first);
            say!("Opening roll: White {white}, Black {black}. {first} goes first, with {high}-{low}.")
        }
        GameEvent::Passed(seat, roll) => {
            let (side, roll) = (display_name(seat), format_roll(roll));
            say!("{side} rolled **{roll}** and can't move, so the turn passes.")
        }
        GameEvent::ForcedPlay(seat, roll, ref board, ref steps) => {
            let (side, roll, play) = (display_name(seat), format_roll(roll), notation::format_play(board, seat, steps));
            say!("{side} rolled **{roll}** and had one legal play: `{play}`.")
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

fn score([white, black]: [u32; 2]) -> String {
    format!("White {white}, Black {black}")
}

fn with_unit(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
