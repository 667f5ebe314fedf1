//! Lines, wins and draws on a board.

use game::{Display, Outcome, Rules, Seat};
use games::Mark;

use super::{all_lines, game_with_board, game_with_cells};

/// Checks that a board with only this line has exactly this line, for both sides, and none if a cell is missing.
#[track_caller]
fn check_line(size: usize, k: usize, line: &[usize]) {
    for (player, opponent) in [(Mark::X, Mark::O), (Mark::O, Mark::X)] {
        let mut board = vec![None; size * size];
        for &cell in line {
            board[cell] = Some(player);
        }
        let won = game_with_cells(size, k, board.clone(), Mark::X);
        assert_eq!((won.winning_lines(), won.outcome()), (vec![line.to_vec()], Some(Outcome::Won(player.into()))));
        assert!(won.legal_moves().is_empty());
        for &cell in line {
            for replacement in [None, Some(opponent)] {
                let mut near_miss = board.clone();
                near_miss[cell] = replacement;
                let game = game_with_cells(size, k, near_miss, Mark::X);
                let no_line = (Vec::<Vec<usize>>::new(), None);
                assert_eq!((game.winning_lines(), game.outcome()), no_line, "{line:?}, {replacement:?} in {cell}");
            }
        }
    }
}

/// Checks that a board has exactly these lines, in order.
#[track_caller]
fn check_all_lines(size: usize, k: usize, expected: &[&[usize]]) {
    assert_eq!(all_lines(size, k), expected);
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
    let all = all_lines(4, 4);
    assert_eq!(all.len(), 10);
    assert_eq!(all[8..], [vec![0, 5, 10, 15], vec![3, 6, 9, 12]]);
}

#[test]
fn finds_every_line_of_every_board() {
    for size in 3..=19 {
        for k in 3..=size {
            let starts = size - k + 1;
            assert_eq!(
                all_lines(size, k).len(),
                2 * starts * size + 2 * starts * starts,
                "{size}x{size}, {k} in a row"
            );
        }
    }
}

#[test]
fn finds_lines_that_share_cells() {
    #[track_caller]
    fn check_lines(size: usize, k: usize, board_text: &str, expected: &[&[usize]]) {
        assert_eq!(game_with_board(size, k, board_text, Mark::X).winning_lines(), expected);
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
    for (board_text, winner) in
        [("OOO XXX ...", Seat::Second), ("XXX OOO ...", Seat::First), ("O.X O.X O.X", Seat::Second)]
    {
        let game = game_with_board(3, 3, board_text, Mark::X);
        assert_eq!(game.outcome(), Some(Outcome::Won(winner)), "{board_text}");
    }
}

#[test]
fn an_unreachable_board_can_be_won() {
    let three = game_with_board(3, 3, "XXX ... ...", Mark::X);
    assert_eq!((three.winning_lines(), three.outcome()), (vec![vec![0, 1, 2]], Some(Outcome::Won(Seat::First))));
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    #[track_caller]
    fn check_outcome(size: usize, k: usize, board_text: &str, expected: Option<Outcome>) {
        let game = game_with_board(size, k, board_text, Mark::O);
        assert_eq!(game.outcome(), expected);
        assert_eq!(game.legal_moves().is_empty(), expected.is_some());
    }
    let (draw, x_won) = (Some(Outcome::Draw), Some(Outcome::Won(Seat::First)));
    check_outcome(3, 3, "XOX OOX OXO", draw);
    check_outcome(3, 3, "XXO OOX XXO", draw);
    check_outcome(4, 3, "XXOO OOXX XXOO OOXX", draw);
    check_outcome(4, 4, "XXXO OOOX XXXO OOOX", draw);
    check_outcome(3, 3, "... ... ...", None);
    check_outcome(3, 3, "XOX OOX OX.", None);
    check_outcome(3, 3, "XXX OO. ...", x_won);
    check_outcome(3, 3, "XXX OOX OXO", x_won);
    check_outcome(4, 3, "XXXO OOOX XXXO OOOX", x_won);
}
