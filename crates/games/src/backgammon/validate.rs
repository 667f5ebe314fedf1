//! Validates a proposed play and lists everything wrong with it.
//!
//! Steps are checked in order on a copy of the board. A wrong step isn't played but still uses up its die, so that one
//! mistake isn't reported again with every step after it. Only if every step is possible does the check compare the
//! number of dice used with the maximum.

use game::{MAX_LISTED_MOVES, Phrase, Seat, say};
use serde::{Serialize, Serializer};

use crate::backgammon::plays::Play;
use crate::backgammon::position::{BAR, OFF, color_name, display_name};
use crate::backgammon::{Dice, OWN_BAR, Placement, Step, legal_plays, notation, own_point, own_target, position};

/// The result of validating a proposed play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Validation {
    /// Whether the play is legal.
    pub valid: bool,
    /// Everything that is wrong with the play. Programs get the messages.
    pub errors: Vec<PlayFault>,
    /// The first blot hit by the play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_info: Option<HitInfo>,
    /// How many dice could be used, and how many were; `None` unless every step is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forced_move_info: Option<ForcedMoveInfo>,
}

/// A hit blot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HitInfo {
    /// The point, from 0.
    pub point: i8,
    /// The owner of the blot.
    pub player: &'static str,
    /// All hits of the play, in order, starting with this one. Empty if the play hits only once, and in the items of this list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<HitInfo>,
}

/// How many dice could be used, and how many were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ForcedMoveInfo {
    /// Whether more dice could be used than were.
    pub more_moves_available: bool,
    /// The most dice that can be used.
    pub max_dice: u8,
    /// The number of dice used.
    pub used_dice: u8,
    /// Whether either die can be played but not both, so that the play must use the larger one.
    pub must_use_larger: bool,
}

/// A fault in a proposed play. `Display` writes the message for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayFault {
    /// It's the opponent's turn: the side to move, and the side that proposed the play.
    #[error("Not your turn: expected {} but got {}", color_name(*.0), color_name(*.1))]
    Turn(Seat, Seat),
    /// The side has checkers on the bar: how many.
    #[error("Must re-enter from bar before moving other pieces ({0} pieces on bar)")]
    Bar(u8),
    /// The opponent has made the point: the point, its owner, and the number of checkers there.
    #[error("Point {0} is blocked by {color} ({2} pieces)", color = color_name(*.1))]
    Blocked(i8, Seat, u8),
    /// Not all checkers are in the home board: the rearmost point.
    #[error("Cannot bear off: pieces exist outside home board (point {0})")]
    Outside(i8),
    /// The play uses too few dice: the number that could be used, and the number used.
    #[error("Forced move violation: {0} dice could be used but only {1} were used")]
    Dice(u8, u8),
    /// The die doesn't match the length of the step: the step, and the matching die.
    #[error("Move {} to {} requires die {} but used {}", .0.from, .0.to, .1, .0.die)]
    Distance(Step, u32),
    /// The step goes in the wrong direction: the side, and the step.
    #[error("{} must move from {} (attempted {} to {})", color_name(*.0), direction(*.0), .1.from, .1.to)]
    Direction(Seat, Step),
    /// The smaller die was played where the larger one is required: the larger one.
    #[error("Forced move violation: die {0} must be used when only one die can be played")]
    Larger(u8),
    /// The side has no checker on the point: the side, and the point.
    #[error("No {} checker on point {}", color_name(*.0), .1)]
    Empty(Seat, i8),
    /// The die isn't available: the die, and the dice left.
    #[error("Die {} is not available (remaining: {})", .0, format_dice(*.1))]
    Gone(u8, Dice),
    /// The source or target isn't a point: its index.
    #[error("There is no point {0}")]
    NoPoint(i8),
}

impl Serialize for PlayFault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Validates a play proposed by `player` while `active` is the side to move.
pub fn validate(
    board: &Placement,
    active: Seat,
    dice: Dice,
    overshoot: bool,
    player: Seat,
    steps: &[Step],
) -> Validation {
    let mut faults = Vec::new();
    let mut hits = Vec::new();
    let mut forced = None;
    if player == active {
        let (mut after, mut left) = (*board, dice);
        for step in steps {
            let step_faults = step_faults(&after, player, left, overshoot, *step);
            if step_faults.is_empty() {
                let to = own_target(player, step.to);
                if to > 0 && after.count(player.other(), OWN_BAR - to) == 1 {
                    hits.push(HitInfo { point: step.to, player: color_name(player.other()), hits: Vec::new() });
                }
                after = after.with_step(player, *step);
            }
            faults.extend(step_faults);
            left = left.without(step.die);
        }
        if faults.is_empty() {
            let info = forced_move_info(board, player, dice, overshoot, steps);
            if info.more_moves_available {
                faults.push(PlayFault::Dice(info.max_dice, info.used_dice));
            }
            let larger = dice.faces().iter().copied().max().unwrap_or(0);
            if info.must_use_larger && steps.first().is_some_and(|step| step.die != larger) {
                faults.push(PlayFault::Larger(larger));
            }
            forced = Some(info);
        }
    } else {
        faults.push(PlayFault::Turn(active, player));
    }
    let all = if hits.len() > 1 { hits.clone() } else { Vec::new() };
    Validation {
        valid: faults.is_empty(),
        errors: faults,
        hit_info: hits.into_iter().next().map(|first| HitInfo { hits: all, ..first }),
        forced_move_info: forced,
    }
}

/// Explains the first fault to a player, with points in the player's own numbers.
pub(super) fn explain_fault(
    board: &Placement,
    seat: Seat,
    dice: Dice,
    overshoot: bool,
    fault: PlayFault,
) -> Option<Phrase> {
    // The refusal itself lists a few legal plays.
    let with_examples = |reason: String| {
        let plays = legal_plays(board, seat, dice, overshoot);
        let name = |play: &Play| notation::format_play(board, seat, &play.steps);
        match plays.as_slice() {
            [first, .., last] if plays.len() > MAX_LISTED_MOVES => {
                let (first, last) = (name(first), name(last));
                say!("{reason}. For example, play `{first}` or `{last}`")
            }
            _ => reason.into(),
        }
    };
    let own = |index: i8| match own_point(seat, index) {
        OWN_BAR => "bar".to_owned(),
        point => format!("{point}-point"),
    };
    let mut faces = dice.faces().to_vec();
    faces.sort_unstable_by(|one, two| two.cmp(one));
    let roll = faces.iter().take(2).map(u8::to_string).collect::<Vec<_>>().join("-");
    if roll.is_empty() {
        return None;
    }
    let explanation = match fault {
        PlayFault::Bar(_) => {
            return Some(with_examples(format!("You rolled {roll} and have to enter from the bar first")));
        }
        PlayFault::Dice(1, _) => return Some(with_examples("You can play a die, so you have to".to_owned())),
        PlayFault::Dice(most, _) => {
            let why =
                if most == 2 { "You have to use both dice".to_owned() } else { format!("You have to use {most} dice") };
            return Some(with_examples(why));
        }
        PlayFault::Larger(die) => {
            let why = format!("You can play only one of your dice, so it has to be the larger one, the {die}");
            return Some(with_examples(why));
        }
        PlayFault::Distance(step, _) if step.to == OFF => {
            let (die, own) = (step.die, own(step.from));
            format!("You can't bear off from your {own} with a {die} while you have checkers farther back")
        }
        PlayFault::Distance(..) | PlayFault::Gone(..) => {
            return Some(with_examples(format!("You rolled {roll}, and that doesn't allow this move")));
        }
        PlayFault::Blocked(index, other, count) => {
            format!("You can't land on your {}: {} has {count} checkers there", own(index), display_name(other))
        }
        PlayFault::Outside(index) => {
            format!("You can't bear off yet: you have a checker outside your home board, on your {}", own(index))
        }
        PlayFault::Direction(..) => {
            "You're moving the wrong way. Go from your higher points to your lower ones, down to 1 and off".to_owned()
        }
        PlayFault::Empty(_, BAR) => "You have no checker on the bar".to_owned(),
        PlayFault::Empty(_, index) => format!("You have no checker on your {}", own(index)),
        PlayFault::Turn(..) | PlayFault::NoPoint(_) => return None,
    };
    Some(explanation.into())
}

/// Returns every fault of a single step.
fn step_faults(board: &Placement, seat: Seat, dice: Dice, overshoot: bool, step: Step) -> Vec<PlayFault> {
    let Step { from, to, die } = step;
    let off_board = [(from, BAR..=23), (to, 0..=OFF)].into_iter().find(|(index, range)| !range.contains(index));
    if let Some((index, _)) = off_board {
        return vec![PlayFault::NoPoint(index)];
    }
    let mut faults = Vec::new();
    let (source, target) = (own_point(seat, from), own_target(seat, to));
    let on_bar = board.bar(seat);
    if on_bar > 0 && from != BAR {
        faults.push(PlayFault::Bar(on_bar));
    }
    if board.count(seat, source) == 0 {
        faults.push(PlayFault::Empty(seat, from));
    }
    let right_way = target < source;
    if !right_way {
        faults.push(PlayFault::Direction(seat, step));
    }
    let theirs = if target == 0 { 0 } else { board.count(seat.other(), OWN_BAR - target) };
    if theirs > 1 {
        faults.push(PlayFault::Blocked(to, seat.other(), theirs));
    }
    let rearmost = (1..OWN_BAR).rev().find(|point| board.count(seat, *point) > 0).unwrap_or(0);
    let outside = target == 0 && rearmost > 6;
    if outside && on_bar == 0 {
        faults.push(PlayFault::Outside(position::step(seat, rearmost, 0, 1).from));
    }
    let due = source.saturating_sub(target);
    let beyond = target == 0 && u32::from(die) > due && (overshoot || rearmost <= source);
    if right_way && u32::from(die) != due && !beyond {
        faults.push(PlayFault::Distance(step, due));
    }
    if !dice.faces().contains(&die) {
        faults.push(PlayFault::Gone(die, dice));
    }
    faults
}

/// Returns how many dice could be used, and how many these steps use.
fn forced_move_info(board: &Placement, seat: Seat, dice: Dice, overshoot: bool, steps: &[Step]) -> ForcedMoveInfo {
    let plays = legal_plays(board, seat, dice, overshoot);
    let max_dice = plays.first().map_or(0, |play| play.steps.len() as u8);
    let used_dice = steps.len() as u8;
    // If only one of two dice can be played, it has to be the larger one where possible.
    let must_use_larger = match (dice.faces(), plays.first()) {
        (&[one, two], Some(play)) if one != two && max_dice == 1 && play.steps[0].die == one.max(two) => {
            !legal_plays(board, seat, dice.without(one.max(two)), overshoot).is_empty()
        }
        _ => false,
    };
    ForcedMoveInfo { more_moves_available: used_dice < max_dice, max_dice, used_dice, must_use_larger }
}

fn direction(seat: Seat) -> &'static str {
    if seat == Seat::First { "higher to lower" } else { "lower to higher" }
}

fn format_dice(dice: Dice) -> String {
    let faces: Vec<String> = dice.faces().iter().map(u8::to_string).collect();
    if faces.is_empty() { "none".to_owned() } else { faces.join(", ") }
}
