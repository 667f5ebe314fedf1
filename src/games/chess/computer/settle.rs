//! The end of each line of the search: captures are played out, so that no value is taken in the middle of an exchange.

use cozy_chess::Board;

use crate::games::chess::computer::descend::usable;
use crate::games::chess::computer::order::{Ranked, booty, is_losing, next, step};
use crate::games::chess::computer::search::Search;
use crate::search::alpha_beta::{SURELY, WON, to_table};
use crate::search::table::Bound;

impl Search<'_> {
    /// Returns the value of a position once its captures are played out; out of check every move is tried.
    pub(super) fn settle(&mut self, board: &Board, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        if let Some(value) = self.enter(board, ply) {
            return value;
        }
        let known = self.table.get(board.hash()).copied();
        if let Some(value) = known.filter(|_| beta - alpha == 1).and_then(|known| usable(&known, ply, alpha, beta)) {
            return value;
        }
        let check = !board.checkers().is_empty();
        let value = if check { ply as i32 - WON } else { self.evaluate(board) };
        let (floor, mut best, mut best_move) = (alpha, value, None);
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }
        let begin = self.list(board, ply, known.and_then(|known| known.mv), !check);
        // Somebody who sees no way out of check is not mated for that.
        if check && self.stack.len() == begin && !self.sight.is_clear() && board.generate_moves(|_| true) {
            return self.evaluate(board);
        }
        self.keys.push(board.hash_without_ep());
        let mut at = 0;
        while let Some(Ranked { mv, rank }) = next(&mut self.stack[begin..], at) {
            at += 1;
            if best > -SURELY {
                // What comes now loses something, or is no capture and no help.
                if is_losing(rank) {
                    break;
                }
                if !check && value + booty(board, mv) + 180 <= alpha {
                    continue;
                }
            }
            let mut after = board.clone();
            after.play_unchecked(mv);
            self.way[ply] = Some(step(board, mv));
            let value = -self.settle(&after, ply + 1, -beta, -alpha);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    (alpha, best_move) = (value, Some(mv));
                }
            }
            if alpha >= beta {
                break;
            }
        }
        self.keys.pop();
        self.stack.truncate(begin);
        if self.stopped {
            return 0;
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best > floor {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        self.table.put(board.hash(), best_move.or(known.and_then(|known| known.mv)), to_table(best, ply), 0, bound);
        best
    }
}
