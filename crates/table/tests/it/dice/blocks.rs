//! The dice in a stream of blocks.

use table::dice::{FAIR_BYTE_BOUND, roll_from_blocks};

/// A block that runs out, which no key will ever show.
#[test]
fn the_next_block_follows_when_one_runs_out() {
    let with = |at: usize, byte: u8| {
        let mut block = [255; 32];
        block[at] = byte;
        block
    };
    // The first die is the last byte of block 1, the second the first byte of block 3.
    let blocks = [[252; 32], with(31, 251), [253; 32], with(0, 7)];
    let asked = std::cell::Cell::new(0);
    let block_at = |at: u32| {
        asked.set(asked.get() + 1);
        assert!(asked.get() <= blocks.len(), "each block is asked for once");
        blocks[at as usize]
    };
    assert_eq!(roll_from_blocks(block_at), [6, 2]);
    assert_eq!(roll_from_blocks(|_| with(5, 0)), [1, 1], "one die a block");
}

#[test]
fn each_byte_below_252_is_a_die() {
    for byte in 0..=251 {
        assert_eq!(roll_from_blocks(|_| [byte; 32]), [byte % 6 + 1; 2]);
    }
    assert_eq!(
        (0..FAIR_BYTE_BOUND).filter(|byte| byte % 6 == 0).count() * 6,
        usize::from(FAIR_BYTE_BOUND),
        "each face is as likely"
    );
}
