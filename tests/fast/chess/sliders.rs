//! The table of sliding moves, which is entered by our own index (`rules/chess-types`), beside what is found step by step.

use cozy_chess::{
    BitBoard, Square, get_bishop_moves, get_bishop_moves_const, get_bishop_rays, get_rook_moves, get_rook_moves_const,
    get_rook_rays,
};

/// Every set of squares that are all in this one.
fn subsets(of: BitBoard) -> impl Iterator<Item = BitBoard> {
    let next = move |set: &BitBoard| (*set != of).then(|| BitBoard((set.0 | !of.0).wrapping_add(1) & of.0));
    std::iter::successors(Some(BitBoard::EMPTY), next)
}

type Moves = fn(Square, BitBoard) -> BitBoard;

/// Whatever stands on its rays, and whether or not all the rest of the board is full, the piece itself included.
#[track_caller]
fn compare(name: &str, rays: fn(Square) -> BitBoard, [quick, slow]: [Moves; 2]) {
    for square in Square::ALL {
        for on_rays in subsets(rays(square)) {
            let reached = slow(square, on_rays);
            for blockers in [on_rays, on_rays | !rays(square)] {
                assert_eq!(quick(square, blockers), reached, "a {name} on {square} among {blockers:?}");
            }
        }
    }
}

#[test]
fn a_rook_goes_as_far_as_step_by_step() {
    compare("rook", get_rook_rays, [get_rook_moves, get_rook_moves_const]);
}

#[test]
fn a_bishop_goes_as_far_as_step_by_step() {
    compare("bishop", get_bishop_rays, [get_bishop_moves, get_bishop_moves_const]);
}
