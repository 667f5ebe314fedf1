//! Lines, wins and draws on a board.

use game::contract::{Outcome, Rules};
use game::seat::Seat;
use games::marks::Player;
use games::tic_tac_toe::engine::{is_draw, is_terminal, k_in_row, legal_moves, winner};

use super::{game_with_board, state_with_board};

/// Checks that a board with only this line has exactly this line, for both sides, and none if a cell is missing.
#[track_caller]
fn check_line(size: usize, k: usize, line: &[usize]) {
    for player in [Player::X, Player::O] {
        let mut state = state_with_board(size, k, &".".repeat(size * size));
        for &cell in line {
            state.board[cell] = Some(player);
        }
        assert_eq!(k_in_row(&state), [line.to_vec()]);
        assert_eq!(winner(&state), Some(player));
        assert!(is_terminal(&state) && !is_draw(&state) && legal_moves(&state).is_empty());
        for &cell in line {
            let mut near_miss = state.clone();
            for replacement in [None, Some(if player == Player::X { Player::O } else { Player::X })] {
                near_miss.board[cell] = replacement;
                assert_eq!(k_in_row(&near_miss), Vec::<Vec<usize>>::new(), "{line:?} with {replacement:?} in {cell}");
                assert!(winner(&near_miss).is_none() && !is_terminal(&near_miss));
            }
        }
    }
}

/// Checks that a board full of one side's marks has all lines in order, then each line alone.
#[track_caller]
fn check_all_lines(size: usize, k: usize, expected: &[&[usize]]) {
    assert_eq!(k_in_row(&state_with_board(size, k, &"X".repeat(size * size))), expected);
    for line in expected {
        check_line(size, k, line);
    }
}

#[test]
fn finds_the_8_lines_of_3x3() {
    check_all_lines(
        3,
        3,
        &[&[0, 1, 2], &[3, 4, 5], &[6, 7, 8], &[0, 3, 6], &[1, 4, 7], &[2, 5, 8], &[0, 4, 8], &[2, 4, 6]],
    );
}

#[test]
#[rustfmt::skip]
fn finds_the_24_lines_of_4x4_with_3_in_a_row() {
    check_all_lines(4, 3, &[
        &[0, 1, 2], &[1, 2, 3], &[4, 5, 6], &[5, 6, 7], &[8, 9, 10], &[9, 10, 11], &[12, 13, 14], &[13, 14, 15],
        &[0, 4, 8], &[4, 8, 12], &[1, 5, 9], &[5, 9, 13], &[2, 6, 10], &[6, 10, 14], &[3, 7, 11], &[7, 11, 15],
        &[0, 5, 10], &[1, 6, 11], &[4, 9, 14], &[5, 10, 15],
        &[2, 5, 8], &[3, 6, 9], &[6, 9, 12], &[7, 10, 13],
    ]);
}

#[test]
fn finds_the_10_lines_of_4x4_with_4_in_a_row() {
    let all = k_in_row(&state_with_board(4, 4, &"O".repeat(16)));
    assert_eq!(all.len(), 10);
    assert_eq!(all[8..], [vec![0, 5, 10, 15], vec![3, 6, 9, 12]]);
}

#[test]
fn finds_every_line_of_every_board() {
    for size in 3..=19 {
        for k in 3..=size {
            let starts = size - k + 1;
            let lines = k_in_row(&state_with_board(size, k, &"X".repeat(size * size)));
            assert_eq!(lines.len(), 2 * starts * size + 2 * starts * starts, "{size}x{size}, {k} in a row");
        }
    }
}

#[test]
fn finds_lines_that_share_cells() {
    #[track_caller]
    fn check_lines(size: usize, k: usize, board_text: &str, expected: &[&[usize]]) {
        assert_eq!(k_in_row(&state_with_board(size, k, board_text)), expected);
    }
    check_lines(3, 3, "XXX XOO X..", &[&[0, 1, 2], &[0, 3, 6]]);
    check_lines(4, 3, "XXXX .... .... ....", &[&[0, 1, 2], &[1, 2, 3]]);
    check_lines(4, 3, "...O ..O. .O.. O...", &[&[3, 6, 9], &[6, 9, 12]]);
    check_lines(4, 3, "X... X... X... X...", &[&[0, 4, 8], &[4, 8, 12]]);
    check_lines(3, 3, "X.X .X. X.X", &[&[0, 4, 8], &[2, 4, 6]]);
    // Both sides have a line, which can't happen in a game.
    check_lines(3, 3, "OOO XXX ...", &[&[0, 1, 2], &[3, 4, 5]]);
    check_lines(5, 4, "..... XXX.X ..... ..... .....", &[]);
    // The end of a row and the start of the next aren't neighbors.
    check_lines(4, 3, "..XX X... .... ....", &[]);
    check_lines(4, 3, "...X ...X X... ....", &[]);
    check_lines(4, 3, ".... ...X X... .X..", &[]);
}

#[test]
fn the_first_line_decides_if_both_sides_have_one() {
    assert_eq!(winner(&state_with_board(3, 3, "OOO XXX ...")), Some(Player::O));
    assert_eq!(winner(&state_with_board(3, 3, "XXX OOO ...")), Some(Player::X));
    assert_eq!(game_with_board(3, 3, "O.X O.X O.X", Player::X).outcome(), Some(Outcome::Won(Seat::Second)));
}

#[test]
fn an_unreachable_board_can_be_won() {
    let three = state_with_board(3, 3, "XXX ... ...");
    assert_eq!((k_in_row(&three), winner(&three)), (vec![vec![0, 1, 2]], Some(Player::X)));
    assert!(!is_draw(&three) && is_terminal(&three));
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    #[track_caller]
    fn check_draw(size: usize, k: usize, board_text: &str, expected: bool) {
        let state = state_with_board(size, k, board_text);
        assert_eq!(is_draw(&state), expected);
        if expected {
            assert!(is_terminal(&state) && legal_moves(&state).is_empty() && winner(&state).is_none());
            assert_eq!(game_with_board(size, k, board_text, Player::O).outcome(), Some(Outcome::Draw));
        }
    }
    check_draw(3, 3, "XOX OOX OXO", true);
    check_draw(3, 3, "XXO OOX XXO", true);
    check_draw(4, 3, "XXOO OOXX XXOO OOXX", true);
    check_draw(4, 4, "XXXO OOOX XXXO OOOX", true);
    check_draw(3, 3, "... ... ...", false);
    check_draw(3, 3, "XOX OOX OX.", false);
    check_draw(3, 3, "XXX OO. ...", false);
    check_draw(3, 3, "XXX OOX OXO", false);
    check_draw(4, 3, "XXXO OOOX XXXO OOOX", false);
}
