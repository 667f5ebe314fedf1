//! The moves of the computer in the opening, in positions that its own moves lead to, whatever the other side does.
//!
//! The book knows no positions. Three places of a table that depend on the position come to one number when they are added without
//! carrying: thirteen bits that only such a position is likely to have, and three of the column. See
//! <https://doi.org/10.1145/3376122> for tables like this one. `training/connect_four.sh` makes it.

use crate::games::connect_four::perfect::solver::{BITS, Discs};

/// The table, in bytes: the number that its places depend on, then the places themselves, each as two bytes, the lower first.
const TABLE: &[u8] = include_bytes!("book.bin");

/// Returns the number of a position that it has in common with its mirror image, and whether the image is the one that it is of.
pub fn key(discs: Discs) -> (u64, bool) {
    let (key, image) = (discs.key(), discs.mirrored().key());
    (key.min(image), image < key)
}

/// Returns the places of a position in a table with so many, and what it has to be marked with there.
pub fn places(key: u64, salt: u16, number: usize) -> ([usize; 3], u16) {
    let mut mixed = key.wrapping_add(u64::from(salt) << 49);
    let mut next = || {
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        mixed
    };
    let third = number / 3;
    let place = |part: usize, mixed: u64| part * third + (((mixed >> 32) * third as u64) >> 32) as usize;
    let found = [place(0, next()), place(1, next()), place(2, next())];
    (found, next() as u16 & !7)
}

/// Returns the cell that the book plays; `None` if it does not know the position.
pub fn look_up(discs: Discs) -> Option<u64> {
    find(TABLE, discs)
}

/// Returns the cell that a book plays, which is given by its bytes.
pub fn find(table: &[u8], discs: Discs) -> Option<u64> {
    let number = |place: usize| Some(u16::from_le_bytes([*table.get(2 * place)?, *table.get(2 * place + 1)?]));
    let (key, is_mirrored) = key(discs);
    let (places, mark) = places(key, number(0)?, (table.len() / 2).checked_sub(1)?);
    let mut found = mark;
    for place in places {
        found ^= number(place + 1)?;
    }
    // Whatever is left above the column was no mark of this position.
    let column = u32::from(found);
    if column > 6 {
        return None;
    }
    let column = if is_mirrored { 6 - column } else { column };
    let cell = discs.open() & (0x3f << (BITS * column));
    (cell != 0).then_some(cell)
}
