//! Lines, wins and draws, read off a board.

use game::contract::{Outcome, Rules};
use game::seat::Seat;
use games::marks::Player;
use games::tic_tac_toe::engine::{is_draw, is_terminal, k_in_row, legal_moves, winner};

use super::{game, state};

/// Draws the line and nothing else, for either side, and expects exactly that line; less one cell, none.
#[track_caller]
fn check_line(size: usize, k: usize, line: &[usize]) {
    for player in [Player::X, Player::O] {
        let mut state = state(size, k, &".".repeat(size * size));
        for &cell in line {
            state.board[cell] = Some(player);
        }
        assert_eq!(k_in_row(&state), [line.to_vec()]);
        assert_eq!(winner(&state), Some(player));
        assert!(is_terminal(&state) && !is_draw(&state) && legal_moves(&state).is_empty());
        for &cell in line {
            let mut near_miss = state.clone();
            for instead in [None, Some(if player == Player::X { Player::O } else { Player::X })] {
                near_miss.board[cell] = instead;
                assert_eq!(k_in_row(&near_miss), Vec::<Vec<usize>>::new(), "{line:?} with {instead:?} in {cell}");
                assert!(winner(&near_miss).is_none() && !is_terminal(&near_miss));
            }
        }
    }
}

/// Every cell full of one side shows all lines at once, in order.
#[track_caller]
fn check_all_lines(size: usize, k: usize, expected: &[&[usize]]) {
    assert_eq!(k_in_row(&state(size, k, &"X".repeat(size * size))), expected);
    for line in expected {
        check_line(size, k, line);
    }
}

#[test]
fn the_8_lines_of_3x3() {
    check_all_lines(
        3,
        3,
        &[&[0, 1, 2], &[3, 4, 5], &[6, 7, 8], &[0, 3, 6], &[1, 4, 7], &[2, 5, 8], &[0, 4, 8], &[2, 4, 6]],
    );
}

#[test]
#[rustfmt::skip]
fn the_24_lines_of_4x4_with_3_in_a_row() {
    check_all_lines(4, 3, &[
        &[0, 1, 2], &[1, 2, 3], &[4, 5, 6], &[5, 6, 7], &[8, 9, 10], &[9, 10, 11], &[12, 13, 14], &[13, 14, 15],
        &[0, 4, 8], &[4, 8, 12], &[1, 5, 9], &[5, 9, 13], &[2, 6, 10], &[6, 10, 14], &[3, 7, 11], &[7, 11, 15],
        &[0, 5, 10], &[1, 6, 11], &[4, 9, 14], &[5, 10, 15],
        &[2, 5, 8], &[3, 6, 9], &[6, 9, 12], &[7, 10, 13],
    ]);
}

#[test]
fn the_10_lines_of_4x4_with_4_in_a_row() {
    let all = k_in_row(&state(4, 4, &"O".repeat(16)));
    assert_eq!(all.len(), 10);
    assert_eq!(all[8..], [vec![0, 5, 10, 15], vec![3, 6, 9, 12]]);
}

#[test]
fn the_number_of_lines_of_every_board() {
    for size in 3..=19 {
        for k in 3..=size {
            let starts = size - k + 1;
            let lines = k_in_row(&state(size, k, &"X".repeat(size * size)));
            assert_eq!(lines.len(), 2 * starts * size + 2 * starts * starts, "{size}x{size}, {k} in a row");
        }
    }
}

#[test]
fn lines_that_share_cells_are_all_told() {
    #[track_caller]
    fn check(size: usize, k: usize, drawn: &str, expected: &[&[usize]]) {
        assert_eq!(k_in_row(&state(size, k, drawn)), expected);
    }
    check(3, 3, "XXX XOO X..", &[&[0, 1, 2], &[0, 3, 6]]);
    check(4, 3, "XXXX .... .... ....", &[&[0, 1, 2], &[1, 2, 3]]);
    check(4, 3, "...O ..O. .O.. O...", &[&[3, 6, 9], &[6, 9, 12]]);
    check(4, 3, "X... X... X... X...", &[&[0, 4, 8], &[4, 8, 12]]);
    check(3, 3, "X.X .X. X.X", &[&[0, 4, 8], &[2, 4, 6]]);
    // Both sides have a line, which cannot happen in play.
    check(3, 3, "OOO XXX ...", &[&[0, 1, 2], &[3, 4, 5]]);
    check(5, 4, "..... XXX.X ..... ..... .....", &[]);
    // The end of one row and the start of the next are no neighbours.
    check(4, 3, "..XX X... .... ....", &[]);
    check(4, 3, "...X ...X X... ....", &[]);
    check(4, 3, ".... ...X X... .X..", &[]);
}

#[test]
fn of_two_winners_the_first_line_decides() {
    assert_eq!(winner(&state(3, 3, "OOO XXX ...")), Some(Player::O));
    assert_eq!(winner(&state(3, 3, "XXX OOO ...")), Some(Player::X));
    assert_eq!(game(3, 3, "O.X O.X O.X", Player::X).outcome(), Some(Outcome::Won(Seat::Second)));
}

#[test]
fn a_line_is_read_off_a_board_that_cannot_be_reached() {
    let three = state(3, 3, "XXX ... ...");
    assert_eq!((k_in_row(&three), winner(&three)), (vec![vec![0, 1, 2]], Some(Player::X)));
    assert!(!is_draw(&three) && is_terminal(&three));
}

#[test]
fn draws() {
    #[track_caller]
    fn check(size: usize, k: usize, drawn: &str, expected: bool) {
        let state = state(size, k, drawn);
        assert_eq!(is_draw(&state), expected);
        if expected {
            assert!(is_terminal(&state) && legal_moves(&state).is_empty() && winner(&state).is_none());
            assert_eq!(game(size, k, drawn, Player::O).outcome(), Some(Outcome::Draw));
        }
    }
    check(3, 3, "XOX OOX OXO", true);
    check(3, 3, "XXO OOX XXO", true);
    check(4, 3, "XXOO OOXX XXOO OOXX", true);
    check(4, 4, "XXXO OOOX XXXO OOOX", true);
    check(3, 3, "... ... ...", false);
    check(3, 3, "XOX OOX OX.", false);
    check(3, 3, "XXX OO. ...", false);
    check(3, 3, "XXX OOX OXO", false);
    check(4, 3, "XXXO OOOX XXXO OOOX", false);
}
