//! Checks the rules in random games against a plain search over every sequence of steps.

use std::collections::BTreeSet;

use game::Seat;
use games::backgammon::{Dice, Placement, PlayGenerator, Step, format_play, legal_plays, parse_play, validate};
use testkit::short_or_long;

use super::{BLACK, Chance, WHITE, mirrored};

/// The points, the bars and the checkers borne off; White's come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Plain {
    points: [i8; 24],
    bar: [i8; 2],
    off: [i8; 2],
}

fn plain(board: &Placement) -> Plain {
    let both = |count: fn(&Placement, Seat) -> u8| [count(board, WHITE) as i8, count(board, BLACK) as i8];
    Plain { points: board.points(), bar: both(Placement::bar), off: both(Placement::off) }
}

impl Plain {
    fn step(mut self, seat: Seat, from: i8, die: u8, overshoot: bool) -> Option<(Plain, Step)> {
        let (me, sign) = if seat == WHITE { (0, 1) } else { (1, -1) };
        let own = |index: i8| self.points[index as usize] * sign > 0;
        // The distance of a point from bearing off.
        let far = |index: i8| if seat == WHITE { index + 1 } else { 24 - index };
        let start = match (from, seat) {
            (-1, Seat::First) => 24,
            (-1, Seat::Second) => -1,
            _ => from,
        };
        let there = if from == -1 { self.bar[me] > 0 } else { self.bar[me] == 0 && own(from) };
        if !there {
            return None;
        }
        let mut to = start - sign * die as i8;
        if !(0..24).contains(&to) {
            let others = (0..24).filter(|&index| own(index));
            let farthest = others.map(far).max().unwrap_or(0);
            let exact = far(from) == die as i8;
            if farthest > 6 || !(exact || overshoot || farthest == far(from)) {
                return None;
            }
            to = 24;
            self.off[me] += 1;
        } else {
            let target = &mut self.points[to as usize];
            if *target * sign < -1 {
                return None;
            }
            if *target * sign == -1 {
                *target = 0;
                self.bar[1 - me] += 1;
            }
            *target += sign;
        }
        if from == -1 {
            self.bar[me] -= 1;
        } else {
            self.points[from as usize] -= sign;
        }
        Some((self, Step { from, to, die }))
    }

    /// Collects every sequence of steps that can't be extended, with the dice in this order.
    fn walk(self, seat: Seat, order: &[u8], overshoot: bool, so_far: &[Step], ends: &mut Vec<(Vec<Step>, Plain)>) {
        let mut moved = false;
        if let [die, rest @ ..] = order {
            for (after, step) in (-1..24).filter_map(|from| self.step(seat, from, *die, overshoot)) {
                moved = true;
                after.walk(seat, rest, overshoot, &[so_far, &[step]].concat(), ends);
            }
        }
        if !moved {
            ends.push((so_far.to_vec(), self));
        }
    }

    /// Returns all legal sequences with their results, and all sequences that are possible but illegal.
    #[allow(clippy::type_complexity)]
    fn legal(self, seat: Seat, [one, two]: [u8; 2], overshoot: bool) -> [Vec<(Vec<Step>, Plain)>; 2] {
        let orders = if one == two { vec![vec![one; 4]] } else { vec![vec![one, two], vec![two, one]] };
        let mut ends = Vec::new();
        orders.iter().for_each(|order| self.walk(seat, order, overshoot, &[], &mut ends));
        let most = ends.iter().map(|(steps, _)| steps.len()).max().unwrap();
        let largest = ends.iter().filter(|(steps, _)| steps.len() == 1).map(|(steps, _)| steps[0].die).max();
        let may = |steps: &[Step]| steps.len() == most && (most != 1 || one == two || Some(steps[0].die) == largest);
        let (legal, not) = ends.into_iter().partition(|(steps, _)| may(steps));
        [legal, not]
    }
}

/// Plays random games to the end, and tries all 21 rolls on some of their positions.
fn each(games: usize, every: usize, mut look: impl FnMut(&Placement, Seat, [u8; 2], &mut Chance)) {
    let mut chance = Chance(0x2545_F491_4F6C_DD1D);
    for _ in 0..games {
        let (mut board, mut seat) = (Placement::START, WHITE);
        while !board.has_won(seat.other()) {
            let mut die = || chance.below(6) as u8 + 1;
            let roll = [die(), die()];
            if chance.below(every) == 0 {
                look(&board, seat, roll, &mut chance);
            }
            let all = legal_plays(&board, seat, Dice::from_roll(roll), false);
            if !all.is_empty() {
                board = all[chance.below(all.len())].board_after;
            }
            seat = seat.other();
        }
    }
}

#[test]
fn the_search_finds_what_a_plain_one_finds_each_once() {
    let mut generator = PlayGenerator::default();
    let (mut seen, mut dances, mut singles, mut off) = (0, 0, 0, 0);
    each(short_or_long(20, 150), 2, |board, seat, roll, _| {
        for overshoot in [false, true] {
            let [legal, _] = plain(board).legal(seat, roll, overshoot);
            let most = legal[0].0.len();
            let expected: BTreeSet<Plain> = legal.iter().map(|(_, after)| *after).filter(|_| most > 0).collect();
            let dice = Dice::from_roll(roll);
            let found = legal_plays(board, seat, dice, overshoot);
            let results: BTreeSet<Plain> = found.iter().map(|play| plain(&play.board_after)).collect();
            assert_eq!(results, expected, "{board:?} {seat:?} {roll:?} {overshoot}");
            assert_eq!(found.len(), expected.len(), "{board:?} {seat:?} {roll:?} {overshoot}");
            assert_eq!(generator.generate(board, seat, dice, overshoot), expected.len());
            assert!(generator.boards(board, seat).eq(found.iter().map(|play| play.board_after)));
            for play in &found {
                assert_eq!(
                    play.steps.iter().fold(*board, |board, step| board.with_step(seat, *step)),
                    play.board_after
                );
                assert!(legal.iter().any(|(steps, _)| *steps == play.steps), "{play:?}");
            }
            let turned = legal_plays(&mirrored(board), seat.other(), dice, overshoot);
            assert!(
                turned.iter().map(|play| mirrored(&play.board_after)).eq(found.iter().map(|play| play.board_after))
            );
            seen += 1;
            dances += usize::from(most == 0);
            singles += usize::from(most == 1);
            off += usize::from(expected.iter().any(|after| after.off != plain(board).off));
        }
    });
    let least = short_or_long([1_500, 60, 60, 150], [5_000, 100, 100, 500]);
    assert!(
        [seen, dances, singles, off].iter().zip(least).all(|(had, least)| *had > least),
        "{seen} {dances} {singles} {off}"
    );
}

#[test]
fn a_proposal_is_valid_exactly_if_the_plain_search_allows_it() {
    let (mut valid, mut not_enough, mut wrong) = (0, 0, 0);
    each(short_or_long(6, 60), 8, |board, seat, roll, chance| {
        let dice = Dice::from_roll(roll);
        let judge = |steps: &[Step]| validate(board, seat, dice, false, seat, steps);
        let [legal, not] = plain(board).legal(seat, roll, false);
        for (steps, _) in &legal {
            let judged = judge(steps);
            assert!(judged.valid && judged.errors.is_empty(), "{board:?} {roll:?} {steps:?} {:?}", judged.errors);
            assert_eq!(judged.forced_move_info.unwrap().used_dice, steps.len() as u8);
            valid += 1;
            if !steps.is_empty() {
                let short = judge(&steps[1..]);
                assert!(!short.valid, "{board:?} {roll:?} {steps:?}");
            }
        }
        for (steps, _) in &not {
            let judged = judge(steps);
            assert!(!judged.valid && judged.errors.len() == 1, "{board:?} {roll:?} {steps:?}");
            assert!(judged.errors[0].to_string().starts_with("Forced move violation: "), "{:?}", judged.errors);
            not_enough += 1;
        }
        for _ in 0..50 {
            let any = |chance: &mut Chance| Step {
                from: chance.below(25) as i8 - 1,
                to: chance.below(25) as i8,
                die: roll[chance.below(2)],
            };
            let steps: Vec<Step> = (0..chance.below(3)).map(|_| any(chance)).collect();
            let judged = judge(&steps);
            assert_eq!(judged.valid, legal.iter().any(|(there, _)| *there == steps), "{board:?} {roll:?} {steps:?}");
            wrong += usize::from(!judged.valid);
        }
    });
    assert!(
        valid > 10_000 && not_enough > short_or_long(10, 20) && wrong > short_or_long(3_000, 5_000),
        "{valid} {not_enough} {wrong}"
    );
}

#[test]
fn each_play_is_read_back_from_its_own_notation_and_from_others() {
    let mut seen = 0;
    each(short_or_long(8, 60), 4, |board, seat, roll, _| {
        let dice = Dice::from_roll(roll);
        let all = legal_plays(board, seat, dice, false);
        for play in &all {
            let text = format_play(board, seat, &play.steps);
            let turned = text.split(' ').rev().collect::<Vec<_>>().join(", ");
            let spellings = [
                text.clone(),
                turned,
                text.to_uppercase(),
                text.replace('/', "-"),
                text.replace('(', "x").replace(')', ""),
            ];
            for spelling in spellings {
                assert_eq!(
                    parse_play(board, seat, dice, false, &spelling),
                    Ok(play.steps.clone()),
                    "{board:?} {spelling}"
                );
            }
            seen += 1;
        }
        let texts: BTreeSet<String> = all.iter().map(|play| format_play(board, seat, &play.steps)).collect();
        assert_eq!(texts.len(), all.len(), "{board:?} {roll:?}");
    });
    assert!(seen > short_or_long(3_000, 5_000), "{seen}");
}
