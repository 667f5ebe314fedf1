//! Legal moves, and the positions after them.

use game::{Display, Outcome, PositionJson, Rules, Seat};
use games::Mark;
use games::tic_tac_toe::{GameConfig, Move, Position, TicTacToe};

use super::{cells, config, game_with_board, play_all};

#[test]
fn legal_moves_are_the_free_cells() {
    #[track_caller]
    fn check_legal_moves(size: usize, k: usize, board_text: &str, expected: &[usize]) {
        let moves: Vec<_> =
            game_with_board(size, k, board_text, Mark::X).legal_moves().iter().map(|m| m.position as usize).collect();
        assert_eq!(moves, expected);
    }
    check_legal_moves(3, 3, "... ... ...", &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    check_legal_moves(3, 3, "X.. .O. ...", &[1, 2, 3, 5, 6, 7, 8]);
    check_legal_moves(4, 3, ".... .... .... ....", &(0..16).collect::<Vec<_>>());
    check_legal_moves(4, 3, "XOXO .... X..O ..O.", &[4, 5, 6, 7, 9, 10, 12, 13, 15]);
    check_legal_moves(3, 3, "XXX OO. ...", &[]);
    check_legal_moves(3, 3, "XOX OOX OXO", &[]);
    check_legal_moves(19, 5, &".".repeat(361), &(0..361).collect::<Vec<_>>());
}

#[test]
fn a_move_marks_its_cell_and_passes_the_turn() {
    let before = play_all(config(3, 3), &[0, 4]);
    let original = before;
    let after = before.play(&Move { position: 8 });
    assert_eq!(before, original);
    assert_eq!(after.position(), Position { board: cells("X.. .O. ..X"), current_player: Mark::O });
    assert_eq!(after.outcome(), None);
}

#[test]
fn the_turn_alternates_even_after_the_winning_move() {
    let mut game = TicTacToe::start(&config(3, 3)).unwrap();
    for (seat, position) in [(Seat::First, 0), (Seat::Second, 3), (Seat::First, 1), (Seat::Second, 4), (Seat::First, 2)]
    {
        assert_eq!(game.side_to_move(), seat);
        game = game.play(&Move { position });
    }
    assert_eq!((game.side_to_move(), game.outcome()), (Seat::Second, Some(Outcome::Won(Seat::First))));
}

#[test]
fn the_first_player_can_be_either_side() {
    for first_player in [Mark::X, Mark::O] {
        let start = TicTacToe::start(&GameConfig { first_player, ..config(4, 3) }).unwrap();
        assert_eq!((start.side_to_move(), start.cell_count()), (first_player.into(), 16));
    }
}

#[test]
fn the_last_free_cell_can_win_or_draw() {
    let won = play_all(config(3, 3), &[0, 1, 2, 3, 4, 6, 5, 7, 8]);
    assert_eq!(
        (won.outcome(), won.winning_lines()),
        (Some(Outcome::Won(Seat::First)), vec![vec![2, 5, 8], vec![0, 4, 8]])
    );
    let drawn = play_all(config(3, 3), &[0, 1, 2, 4, 3, 5, 7, 6, 8]);
    assert_eq!((drawn.outcome(), drawn.winning_lines()), (Some(Outcome::Draw), Vec::new()));
}

#[test]
fn a_move_can_complete_several_lines() {
    let corner = play_all(config(3, 3), &[1, 4, 2, 5, 3, 7, 6, 8, 0]);
    assert_eq!(corner.winning_lines(), [[0, 1, 2], [0, 3, 6]]);
    // X completes a row of four, which contains two lines of three.
    let four = play_all(config(4, 3), &[0, 12, 1, 13, 3, 15, 2]);
    assert_eq!(four.winning_lines(), [[0, 1, 2], [1, 2, 3]]);
}
