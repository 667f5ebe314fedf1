//! Discs that nothing can turn over any more: they bound the result before the end.

/// The distances between neighbours along the four kinds of lines, the cells from which the next is on the board, and those
/// that have but one neighbour on their line, or none.
const LINES: [(u32, u64, u64); 4] = [
    (1, 0x7f7f_7f7f_7f7f_7f7f, 0x8181_8181_8181_8181),
    (8, u64::MAX, 0xff00_0000_0000_00ff),
    (9, 0x7f7f_7f7f_7f7f_7f7f, 0xff81_8181_8181_81ff),
    (7, 0xfefe_fefe_fefe_fefe, 0xff81_8181_8181_81ff),
];

/// Returns the most discs by which a side can come out ahead whose other side has these discs.
pub(super) fn max_score(own: u64, other: u64) -> i32 {
    64 - 2 * stable_discs(other, own).count_ones() as i32
}

/// Returns discs of `own` that nothing can turn over, though not all of them: those that on each line are safe from one side, by
/// the edge or by another such disc, or stand on a full line.
fn stable_discs(own: u64, other: u64) -> u64 {
    let free = !(own | other);
    let safe = LINES.map(|(by, inner, ends)| ends | !fill_lines(free, by, inner));
    let mut found = 0;
    loop {
        let mut next = own;
        for ((by, inner, _), safe) in LINES.into_iter().zip(safe) {
            next &= safe | (found & inner) << by | found >> by & inner;
        }
        if next == found {
            return found;
        }
        found = next;
    }
}

/// Returns all cells that are on a line of one kind with a cell of the set.
fn fill_lines(set: u64, by: u32, inner: u64) -> u64 {
    let (mut up, mut down) = (set, set);
    let (mut from, mut to) = (inner, inner);
    for step in [by, 2 * by, 4 * by] {
        up |= (up & from) << step;
        down |= down >> step & to;
        from &= from >> step;
        to &= to >> step;
    }
    up | down
}
