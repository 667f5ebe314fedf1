//! Stable discs, which bound the final score.

/// The four axes: the bit shift between neighbors, the cells that have a next neighbor, and the cells with at most one
/// neighbor.
const LINES: [(u32, u64, u64); 4] = [
    (1, 0x7f7f_7f7f_7f7f_7f7f, 0x8181_8181_8181_8181),
    (8, u64::MAX, 0xff00_0000_0000_00ff),
    (9, 0x7f7f_7f7f_7f7f_7f7f, 0xff81_8181_8181_81ff),
    (7, 0xfefe_fefe_fefe_fefe, 0xff81_8181_8181_81ff),
];

/// Returns an upper bound of the score of the side with the discs `own`.
pub(super) fn max_score(own: u64, other: u64) -> i32 {
    64 - 2 * stable_discs(other, own).count_ones() as i32
}

/// Returns discs of `own` that can't be flipped any more, though not necessarily all of them. On each axis, such a disc
/// is on the edge, next to another stable disc, or on a full line.
fn stable_discs(own: u64, other: u64) -> u64 {
    let free = !(own | other);
    let safe = LINES.map(|(shift, has_next, ends)| ends | !fill_lines(free, shift, has_next));
    let mut stable = 0;
    loop {
        let mut next = own;
        for ((shift, has_next, _), safe) in LINES.into_iter().zip(safe) {
            next &= safe | (stable & has_next) << shift | stable >> shift & has_next;
        }
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

/// Returns all cells on the lines of one axis that contain a cell of the set.
fn fill_lines(set: u64, shift: u32, has_next: u64) -> u64 {
    let (mut up, mut down) = (set, set);
    let (mut can_go_up, mut can_go_down) = (has_next, has_next);
    for step in [shift, 2 * shift, 4 * shift] {
        up |= (up & can_go_up) << step;
        down |= down >> step & can_go_down;
        can_go_up &= can_go_up >> step;
        can_go_down &= can_go_down >> step;
    }
    up | down
}
