//! Who wins a position of the usual board: looked through to the end, for both sides.
//!
//! Two questions are asked of a position, whether the side on turn wins and whether it at least draws, and each has yes or no for
//! an answer. See <http://blog.gamesolver.org> for the moves that are left out and for the order of the others.

use crate::connect_four::perfect::foresight::foreseen;
use crate::connect_four::perfect::memory::Memory;
use crate::connect_four::perfect::usual::{BOARD, CELLS, Discs, Goal, cells, completing, mirrored};

/// Up to so many discs a position and its mirror image are one.
const MIRRORED: u32 = 20;

/// A position in which the side on turn has a choice, with what it wants.
#[derive(Clone, Copy, Debug)]
struct Choice {
    discs: Discs,
    count: u32,
    goal: Goal,
    /// The moves after which the other side does not win at once.
    safe: u64,
    /// Whether the side on turn is the other one than before the forced moves that led here.
    turned: bool,
    /// What the move before these promises.
    promise: u32,
}

/// A search that remembers what it has found.
#[derive(Debug)]
pub struct Solver {
    memory: Memory,
    /// The positions with a choice that were looked at so far.
    pub nodes: u64,
    limit: u64,
}

impl Solver {
    /// Returns a solver that remembers so many positions, a power of two, of eight bytes each.
    pub fn new(positions: usize) -> Solver {
        Solver { memory: Memory::new(positions), nodes: 0, limit: 0 }
    }

    /// Tests if the side on turn reaches a goal in a position without a line; `None` if that takes more nodes than this.
    pub fn reaches(&mut self, discs: Discs, goal: Goal, nodes: u64) -> Option<bool> {
        self.limit = self.nodes.saturating_add(nodes);
        if discs.winning() != 0 {
            return Some(true);
        }
        let found = match advanced(discs, discs.taken.count_ones(), goal) {
            Ok(choice) => self.decide(&choice, key(&choice)) != choice.turned,
            Err(found) => found,
        };
        (self.nodes <= self.limit).then_some(found)
    }

    /// Answers for a position with a choice, and its number. Beyond the limit the answer means nothing.
    fn decide(&mut self, choice: &Choice, key: u64) -> bool {
        self.nodes += 1;
        if let Some(known) = self.memory.get(key).known(choice.goal) {
            return known;
        }
        if self.nodes > self.limit {
            return false;
        }
        let begun = self.nodes;
        let Some(answer) = self.look_ahead(choice) else { return false };
        self.memory.put(key, choice.goal, answer, self.nodes - begun);
        answer
    }

    /// Answers by the moves; `None` beyond the limit.
    fn look_ahead(&mut self, choice: &Choice) -> Option<bool> {
        let (mut list, mut number) = ([(*choice, 0); 7], 0);
        for cell in cells(choice.safe) {
            match advanced(choice.discs.after(cell), choice.count + 1, choice.goal.denied()) {
                Err(true) => {}
                Err(false) => return Some(true),
                Ok(next) => {
                    let mut at = number;
                    while at > 0 && list[at - 1].0.promise < next.promise {
                        list[at] = list[at - 1];
                        at -= 1;
                    }
                    list[at] = (next, key(&next));
                    number += 1;
                }
            }
        }
        let list = &list[..number];
        // What is known of all of them costs less than looking into the first.
        let is_denied = |known: Option<bool>, next: &Choice| known == Some(next.turned);
        if list.iter().any(|(next, key)| is_denied(self.memory.get(*key).known(next.goal), next)) {
            return Some(true);
        }
        for (next, key) in list {
            let answer = self.decide(next, *key) == next.turned;
            if self.nodes > self.limit {
                return None;
            }
            if answer {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// Plays on while moves are forced, from a position in which the side on turn cannot win at once, up to one with a choice. If it
/// needs no search, that is an error: whether the side on turn reaches its goal.
#[inline]
fn advanced(mut discs: Discs, mut count: u32, mut goal: Goal) -> Result<Choice, bool> {
    let (mut turned, mut promise) = (false, None);
    loop {
        let threats = completing(discs.other()) & BOARD & !discs.taken;
        let promise = *promise.get_or_insert_with(|| number_of(threats));
        let open = discs.open();
        let forced = open & threats;
        // Below a threat nobody plays who does not want to lose.
        let safe = open & !(threats >> 1) & if forced == 0 { open } else { forced };
        if safe == 0 || forced & forced.wrapping_sub(1) != 0 {
            // Either there is no room any more, or the other side wins with its next disc.
            return Err((count == CELLS && goal == Goal::Draw) != turned);
        }
        if count >= CELLS - 2 {
            return Err((goal == Goal::Draw) != turned);
        }
        if safe & (safe - 1) != 0 {
            if let Some(answer) = foreseen(discs, goal, threats) {
                return Err(answer != turned);
            }
            return Ok(Choice { discs, count, goal, safe, turned, promise });
        }
        (discs, count, goal, turned) = (discs.after(safe), count + 1, goal.denied(), !turned);
    }
}

/// Returns the number of a position, the same for its mirror image where that is worth its while.
#[inline]
fn key(choice: &Choice) -> u64 {
    let key = choice.discs.key();
    if choice.count > MIRRORED { key } else { key.min(mirrored(key)) }
}

/// Counts the cells of a set. There are few, so this is quicker than for any number.
#[inline]
fn number_of(mut set: u64) -> u32 {
    let mut number = 0;
    while set != 0 {
        set &= set - 1;
        number += 1;
    }
    number
}
