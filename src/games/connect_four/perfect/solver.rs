//! Who wins a position of 7x6 with four in a row: looked through to the end, for both sides.
//!
//! Two questions are asked of a position, whether the side on turn wins and whether it at least draws, and each has yes or no for
//! an answer. See <http://blog.gamesolver.org> for the moves that are left out and for the order of the others.

use crate::games::connect_four::perfect::memory::{Answer, Memory};

/// The bits of a column: six cells, and one that stays empty.
pub const BITS: u32 = 7;
/// The lowest cell of each column.
pub const FLOOR: u64 = 0x0000_0408_1020_4081;
/// All cells.
pub const BOARD: u64 = FLOOR * 0x3f;
/// The first, third and fifth row from the bottom.
const ODD_ROWS: u64 = FLOOR * 0x15;
/// The columns, those in the middle first.
const COLUMNS: [u64; 7] = [0x3f << 21, 0x3f << 14, 0x3f << 28, 0x3f << 7, 0x3f << 35, 0x3f, 0x3f << 42];
/// Up to so many discs a position and its mirror image are one.
const MIRRORED: u32 = 20;
/// Up to so many discs the answers that are known of all replies are looked up first.
const LOOKED_UP: u32 = 30;

/// What a side wants of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A draw at least.
    Draw,
    /// A win.
    Win,
}

impl Goal {
    /// Returns what the other side wants, to deny this.
    pub fn denied(self) -> Goal {
        if self == Goal::Win { Goal::Draw } else { Goal::Win }
    }
}

/// A position: the discs of the side on turn, and all discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Discs {
    /// The discs of the side on turn.
    pub own: u64,
    /// All discs.
    pub taken: u64,
}

impl Discs {
    /// Returns the cells in which a disc comes to rest.
    pub fn open(self) -> u64 {
        (self.taken + FLOOR) & BOARD
    }

    /// Returns the open cells that win at once.
    pub fn winning(self) -> u64 {
        completing(self.own) & self.open()
    }

    /// Returns the position after a disc in an open cell.
    pub fn after(self, cell: u64) -> Discs {
        Discs { own: self.own ^ self.taken, taken: self.taken | cell }
    }

    /// Returns a number that no other position has.
    pub fn key(self) -> u64 {
        self.own + self.taken + FLOOR
    }

    /// Returns the position with left and right exchanged.
    pub fn mirrored(self) -> Discs {
        let mirror =
            |set: u64| (0..7).fold(0, |found, column| found | ((set >> (7 * column)) & 0x7f) << (7 * (6 - column)));
        Discs { own: mirror(self.own), taken: mirror(self.taken) }
    }

    /// Returns the cells that keep the other side from winning at once; none where that is impossible.
    fn safe(self) -> u64 {
        let open = self.open();
        // The bit above a column belongs to no cell, and nor does what lies below it.
        let threats = completing(self.own ^ self.taken) & BOARD;
        let forced = open & threats;
        let safe = open & !(threats >> 1);
        match forced.count_ones() {
            0 => safe,
            1 => safe & forced,
            _ => 0,
        }
    }
}

/// Returns the cells, taken or not, that complete a line of a set.
pub fn completing(set: u64) -> u64 {
    let mut found = (set << 1) & (set << 2) & (set << 3);
    for step in [BITS - 1, BITS, BITS + 1] {
        let pairs = (set << step) & (set << (2 * step));
        found |= pairs & ((set << (3 * step)) | (set >> step));
        let pairs = (set >> step) & (set >> (2 * step));
        found |= pairs & ((set >> (3 * step)) | (set << step));
    }
    found
}

/// Tests if a set holds a line.
fn has_line(set: u64) -> bool {
    [1, BITS - 1, BITS, BITS + 1].into_iter().any(|step| {
        let pairs = set & (set >> step);
        pairs & (pairs >> (2 * step)) != 0
    })
}

/// A search that remembers what it has found.
#[derive(Debug)]
pub struct Solver {
    memory: Memory,
    /// The positions that were looked at so far.
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
        let found = self.descend(discs, goal);
        (self.nodes <= self.limit).then_some(found)
    }

    /// Answers for a position in which the side on turn cannot win at once. Beyond the limit the answer means nothing.
    fn descend(&mut self, discs: Discs, goal: Goal) -> bool {
        self.nodes += 1;
        let safe = discs.safe();
        let count = discs.taken.count_ones();
        if safe == 0 {
            // Either there is no room any more, or the other side wins with its next disc.
            return count == 42 && goal == Goal::Draw;
        }
        if count >= 40 {
            return goal == Goal::Draw;
        }
        if let Some(answer) = foreseen(discs, goal) {
            return answer;
        }
        let key = key(discs, count);
        match (self.memory.get(key), goal) {
            (known, Goal::Win) if known.wins => return true,
            (known, Goal::Win) if known.wins_not => return false,
            (known, Goal::Draw) if known.draws => return true,
            (known, Goal::Draw) if known.draws_not => return false,
            _ => {}
        }
        if self.nodes > self.limit {
            return false;
        }
        let begun = self.nodes;
        let (cells, number) = ordered(discs, safe);
        let mut answer =
            count < LOOKED_UP && cells[..number].iter().any(|cell| self.is_known(discs.after(*cell), goal.denied()));
        for cell in &cells[..number] {
            answer = answer || !self.descend(discs.after(*cell), goal.denied());
            if self.nodes > self.limit {
                return false;
            }
            if answer {
                break;
            }
        }
        self.memory.put(key, goal == Goal::Win, answer, self.nodes - begun);
        answer
    }

    /// Tests if a goal is known to be out of reach.
    fn is_known(&self, discs: Discs, goal: Goal) -> bool {
        let Answer { wins_not, draws_not, .. } = self.memory.get(key(discs, discs.taken.count_ones()));
        if goal == Goal::Win { wins_not } else { draws_not }
    }
}

/// Returns the number of a position, the same for its mirror image where that is worth its while.
fn key(discs: Discs, count: u32) -> u64 {
    let key = discs.key();
    if count > MIRRORED { key } else { key.min(discs.mirrored().key()) }
}

/// Returns an answer that needs no search.
fn foreseen(discs: Discs, goal: Goal) -> Option<bool> {
    let free = BOARD & !discs.taken;
    let other = discs.own ^ discs.taken;
    match goal {
        Goal::Win if !has_line(discs.own | free) => return Some(false),
        Goal::Draw if !has_line(other | free) => return Some(true),
        _ => {}
    }
    // Where each column has room for an even number, the other side may always play on top of the disc before.
    let follows = discs.open() & !ODD_ROWS == 0 && !has_line(discs.own | free & ODD_ROWS);
    if follows && (goal == Goal::Win || has_line(other | free & !ODD_ROWS)) {
        return Some(false);
    }
    None
}

/// Returns the cells of a set, those first that threaten most, and their number.
fn ordered(discs: Discs, safe: u64) -> ([u64; 7], usize) {
    let (mut cells, mut worths, mut number) = ([0; 7], [0; 7], 0);
    let free = BOARD & !discs.taken;
    for column in COLUMNS {
        let cell = column & safe;
        if cell == 0 {
            continue;
        }
        let worth = (completing(discs.own | cell) & free).count_ones();
        let mut at = number;
        while at > 0 && worths[at - 1] < worth {
            (cells[at], worths[at]) = (cells[at - 1], worths[at - 1]);
            at -= 1;
        }
        (cells[at], worths[at]) = (cell, worth);
        number += 1;
    }
    (cells, number)
}
