//! The last moves, looked through to the end: who wins is all that is asked.

use crate::games::othello::discs::{cells, flips, moves};

/// With more free cells, what was found is remembered, and the moves that leave the other side least choice come first.
const FEW: u32 = 7;
/// With more free cells, what is known of all replies is looked up first.
const LOOKED_UP: u32 = 9;
/// The positions that are remembered, a power of two; each takes 24 bytes.
const REMEMBERED: usize = 1 << 20;
/// The cells in the corners.
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The cells on the edges.
const EDGES: u64 = 0xff81_8181_8181_81ff;
/// All cells but those of the rightmost column, and but those of the leftmost.
const SIDES: [u64; 2] = [0x7f7f_7f7f_7f7f_7f7f, 0xfefe_fefe_fefe_fefe];
/// The four quarters of the board.
const QUARTERS: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];

/// A position that was met before, with the least and the most discs by which the side on turn comes out ahead.
#[derive(Clone, Copy, Default)]
struct Known {
    own: u64,
    other: u64,
    least: i8,
    most: i8,
    mv: u8,
}

/// A search to the end.
struct Ending {
    known: Vec<Known>,
    nodes: u64,
    limit: u64,
}

/// Returns the first of these moves that keeps what the position is worth, and that worth: 1 for a win, 0 for a draw, -1 for a loss,
/// in which any is as good; `None` if that takes more nodes than this. With it comes the number of nodes that were looked at.
pub fn best(own: u64, other: u64, among: &[u8], limit: u64) -> (Option<(u8, i32)>, u64) {
    let mut ending = Ending { known: vec![Known::default(); REMEMBERED], nodes: 0, limit };
    // More than nothing is a win, and more than one disc too few is no loss.
    for (floor, worth) in [(0, 1), (-1, 0)] {
        for mv in among {
            let turned = flips(own, other, (*mv).into());
            let value = -ending.descend(other & !turned, own | turned | 1 << mv, -floor - 1);
            if ending.nodes > limit {
                return (None, ending.nodes);
            }
            if value > floor {
                return (Some((*mv, worth)), ending.nodes);
            }
        }
    }
    (among.first().map(|mv| (*mv, -1)), ending.nodes)
}

impl Ending {
    /// Returns by how many discs the side on turn comes out ahead, if that is more than `floor`: so many or more; else so many or
    /// fewer. Beyond the limit it means nothing.
    fn descend(&mut self, own: u64, other: u64, floor: i32) -> i32 {
        self.nodes += 1;
        let open = moves(own, other);
        if open == 0 {
            if moves(other, own) == 0 {
                return ahead(own, other);
            }
            return -self.descend(other, own, -floor - 1);
        }
        match (!(own | other)).count_ones() {
            1 => ahead(own, other) + 2 * flips(own, other, open.trailing_zeros()).count_ones() as i32 + 1,
            free if free <= FEW => self.last(own, other, open, floor),
            free => self.remembering([own, other, open], free, floor),
        }
    }

    /// Tries the moves first after which the other side will not have the last word in a quarter.
    fn last(&mut self, own: u64, other: u64, open: u64, floor: i32) -> i32 {
        let free = !(own | other);
        let odd =
            QUARTERS.into_iter().filter(|quarter| (free & quarter).count_ones() % 2 == 1).fold(0, |sum, set| sum | set);
        let mut best = -64;
        for set in [open & odd, open & !odd] {
            for cell in cells(set) {
                let turned = flips(own, other, cell);
                best = best.max(-self.descend(other & !turned, own | turned | 1 << cell, -floor - 1));
                if best > floor {
                    return best;
                }
            }
        }
        best
    }

    /// Looks up what is known, and tries the moves first that leave the other side least choice.
    fn remembering(&mut self, [own, other, open]: [u64; 3], free: u32, floor: i32) -> i32 {
        let place = index(own, other);
        let known = Some(self.known[place]).filter(|known| known.own == own && known.other == other);
        if let Some(known) = known {
            if i32::from(known.least) > floor {
                return known.least.into();
            }
            if i32::from(known.most) <= floor {
                return known.most.into();
            }
        }
        if self.nodes > self.limit {
            return 0;
        }
        let first = known.map_or(64, |known| known.mv);
        let (mut list, number) = sorted(own, other, open, first);
        let replies = &list[..number];
        if free > LOOKED_UP
            && let Some(value) = replies.iter().find_map(|reply| self.refuted(own, other, reply, floor))
        {
            return value;
        }
        let (mut best, mut best_move) = (-64, 0);
        for &mut (_, cell, turned) in &mut list[..number] {
            let value = -self.descend(other & !turned, own | turned | 1 << cell, -floor - 1);
            if self.nodes > self.limit {
                return 0;
            }
            if value > best {
                (best, best_move) = (value, cell);
            }
            if best > floor {
                break;
            }
        }
        let (mut least, mut most) = known.map_or((-64, 64), |known| (known.least, known.most));
        if best > floor {
            least = best as i8;
        } else {
            most = best as i8;
        }
        self.known[place] = Known { own, other, least, most, mv: best_move as u8 };
        best
    }

    /// Returns a value above the floor that is known to come of a move.
    fn refuted(&self, own: u64, other: u64, reply: &(i32, u32, u64), floor: i32) -> Option<i32> {
        let &(_, cell, turned) = reply;
        let (left, right) = (other & !turned, own | turned | 1 << cell);
        let known = self.known[index(left, right)];
        let value = -i32::from(known.most);
        (known.own == left && known.other == right && value > floor).then_some(value)
    }
}

/// Returns the moves with what they turn over, those first that promise most, and their number.
fn sorted(own: u64, other: u64, open: u64, first: u8) -> ([(i32, u32, u64); 34], usize) {
    let free = !(own | other);
    let mut list = [(0, 0, 0); 34];
    let mut number = 0;
    for cell in cells(open) {
        let turned = flips(own, other, cell);
        let (left, right) = (other & !turned, own | turned | 1 << cell);
        let choice = moves(left, right);
        let quarter = QUARTERS.into_iter().find(|quarter| quarter >> cell & 1 == 1).unwrap_or_default();
        let mut rank = 4 * (choice.count_ones() + 2 * (choice & CORNERS).count_ones()) as i32;
        // Discs next to free cells give the other side its moves later.
        rank += (around(free ^ 1 << cell) & right).count_ones() as i32;
        rank -= (right & EDGES).count_ones() as i32 - (left & EDGES).count_ones() as i32;
        rank -= 2 * ((free & quarter).count_ones() % 2) as i32;
        rank -= 6 * (CORNERS >> cell & 1) as i32;
        if cell == u32::from(first) {
            rank = i32::MIN;
        }
        if let Some(place) = list.get_mut(number) {
            *place = (rank, cell, turned);
            number += 1;
        }
    }
    list[..number].sort_unstable_by_key(|(rank, ..)| *rank);
    (list, number)
}

/// Returns by how many discs a side is ahead.
fn ahead(own: u64, other: u64) -> i32 {
    own.count_ones() as i32 - other.count_ones() as i32
}

/// Returns the cells next to a set, in all eight directions, and the set itself.
fn around(set: u64) -> u64 {
    let wide = set | (set & SIDES[0]) << 1 | (set & SIDES[1]) >> 1;
    wide | wide << 8 | wide >> 8
}

fn index(own: u64, other: u64) -> usize {
    let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.rotate_left(29).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((mixed ^ (mixed >> 29)) >> 20) as usize & (REMEMBERED - 1)
}
