//! The look-ahead search: an average over the 21 distinct rolls, with both sides making the nets' best plays.

use game::seat::Seat;

use crate::backgammon::computer::chances::Chances;
use crate::backgammon::computer::evaluate::Evaluator;
use crate::backgammon::computer::stakes::Stakes;
use crate::backgammon::placement::Placement;
use crate::backgammon::plays::{Dice, PlayGenerator};

/// A search: the evaluator, the rules of bearing off, and the weights of the chances for choosing a play between two
/// rolls.
#[derive(Debug)]
pub struct Search<'a> {
    evaluator: &'a mut Evaluator,
    overshoot: bool,
    /// The weights for the side that rolls first, then for its opponent: what a gammon and a backgammon add to the next
    /// smaller win or loss, in 1/64 of the difference between a win and a loss.
    weights: [[i32; 4]; 2],
}

/// The sum of the chances over all rolls, weighted by their frequency.
#[derive(Default)]
struct Sum([i64; 5]);

impl<'a> Search<'a> {
    /// Returns a search for a side with these stakes.
    pub fn new(evaluator: &'a mut Evaluator, overshoot: bool, stakes: &Stakes) -> Search<'a> {
        Search { evaluator, overshoot, weights: [weights(stakes), weights(&stakes.for_opponent())] }
    }

    /// Returns the number of positions evaluated so far.
    pub fn nodes(&self) -> u64 {
        self.evaluator.nodes
    }

    /// Returns the chances of the side on roll after searching this number of rolls ahead. `turn` is 0 if
    /// the search is for that side, and 1 if it is for the opponent.
    pub fn chances(&mut self, board: &Placement, seat: Seat, turn: usize, rolls_ahead: u32) -> Chances {
        if rolls_ahead == 0 || board.has_won(seat.other()) {
            return self.evaluator.chances(board, seat);
        }
        let mut sum = Sum::default();
        let mut generator = PlayGenerator::default();
        for one in 1..=6 {
            for two in one..=6 {
                generator.generate(board, seat, Dice::from_roll([one, two]), self.overshoot);
                let (after, chances) = self.best(&generator, board, seat, turn);
                let chances = if rolls_ahead > 1 {
                    self.chances(&after, seat.other(), 1 - turn, rolls_ahead - 1)
                } else {
                    chances
                };
                sum.add(chances.for_opponent(), if one == two { 1 } else { 2 });
            }
        }
        sum.mean()
    }

    /// Returns the board after the best play, and the opponent's chances there.
    fn best(&mut self, found: &PlayGenerator, board: &Placement, seat: Seat, turn: usize) -> (Placement, Chances) {
        let mut best: Option<(i32, Placement, Chances)> = None;
        for after in found.boards(board, seat) {
            let chances = self.evaluator.chances(&after, seat.other());
            let value = self.cubeless_value(chances, 1 - turn);
            if best.is_none_or(|(least, ..)| value < least) {
                best = Some((value, after, chances));
            }
        }
        match best {
            Some((_, after, chances)) => (after, chances),
            None => (*board, self.evaluator.chances(board, seat.other())),
        }
    }

    /// Returns a fast cubeless value of the chances.
    fn cubeless_value(&self, chances: Chances, turn: usize) -> i32 {
        let Chances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } = chances;
        let [gammon, backgammon, lost_gammon, lost_backgammon] = self.weights[turn];
        64 * win + gammon * win_gammon + backgammon * win_backgammon
            - lost_gammon * lose_gammon
            - lost_backgammon * lose_backgammon
    }
}

/// Returns the weights of gammons and backgammons relative to wins.
fn weights(stakes: &Stakes) -> [i32; 4] {
    // Under the Jacoby rule gammons still count later, if someone doubles.
    let stakes = Stakes { jacoby: false, ..*stakes };
    let whole = (stakes.result(1) - stakes.result(-1)).max(1);
    [(1, 2), (2, 3), (-2, -1), (-3, -2)]
        .map(|(less, more)| ((stakes.result(more) - stakes.result(less)) * 64 / whole).clamp(0, 1024) as i32)
}

impl Sum {
    fn add(&mut self, chances: Chances, times: i64) {
        let Chances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } = chances;
        for (sum, chance) in self.0.iter_mut().zip([win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]) {
            *sum += times * i64::from(chance);
        }
    }

    fn mean(&self) -> Chances {
        let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = self.0.map(|sum| (sum / 36) as i32);
        Chances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon }
    }
}
