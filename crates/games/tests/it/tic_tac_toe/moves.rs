//! Legal moves, and the states after them.

use game::contract::Rules;
use games::marks::Player;
use games::tic_tac_toe::config::GameConfig;
use games::tic_tac_toe::engine::{RequestedMove, Status, apply_move, initial_state, k_in_row, legal_moves};
use games::tic_tac_toe::game::TicTacToe;

use super::{cells, config, game_with_board, play_all, requested_move, state_with_board};

#[test]
fn legal_moves_are_the_free_cells() {
    #[track_caller]
    fn check_legal_moves(size: usize, k: usize, board_text: &str, expected: &[usize]) {
        assert_eq!(legal_moves(&state_with_board(size, k, board_text)), expected);
        let moves: Vec<_> =
            game_with_board(size, k, board_text, Player::X).legal_moves().iter().map(|m| m.position as usize).collect();
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
fn apply_move_returns_a_new_state() {
    let before = play_all(config(3, 3), &[0, 4]);
    let original = before.clone();
    let after = apply_move(&before, &RequestedMove { player: "X".to_owned(), position: 8, timestamp: 77 }).unwrap();
    assert_eq!(before, original);
    assert_eq!(after.board, cells("X.. .O. ..X"));
    assert_eq!(after.current_player, Player::O);
    assert_eq!(after.move_history.len(), 3);
    assert_eq!(after.move_history[..2], before.move_history);
    assert_eq!(after.move_history[2], RequestedMove { player: "X".to_owned(), position: 8, timestamp: 77 });
    assert_eq!((after.status, after.winner, &after.winning_line), (Status::Playing, None, &None));
    assert_eq!((after.config, after.start_time, after.end_time), (before.config, 1000, None));
}

#[test]
fn the_turn_alternates_even_after_the_winning_move() {
    let mut state = initial_state(config(3, 3), 0).unwrap();
    for (player, position) in [("X", 0), ("O", 3), ("X", 1), ("O", 4), ("X", 2)] {
        assert_eq!(state.current_player.name(), player);
        state = apply_move(&state, &requested_move(player, position)).unwrap();
    }
    assert_eq!(state.current_player, Player::O);
    assert_eq!((state.status, state.winner, state.winning_line), (Status::Won, Some(Player::X), Some(vec![0, 1, 2])));
}

#[test]
fn the_first_player_can_be_either_side() {
    for first_player in [Player::X, Player::O] {
        let config = GameConfig { first_player, ..config(4, 3) };
        let start = initial_state(config, 5).unwrap();
        assert_eq!((start.current_player, start.board.len(), start.start_time), (first_player, 16, 5));
        assert_eq!(TicTacToe::start(&config).unwrap().side_to_move(), first_player.into());
    }
}

#[test]
fn the_end_time_is_that_of_the_final_move() {
    let won = play_all(config(3, 3), &[0, 3, 1, 4, 2]);
    assert_eq!((won.start_time, won.end_time), (1000, Some(2004)));
    let drawn = play_all(config(3, 3), &[0, 1, 2, 4, 3, 5, 7, 6, 8]);
    assert_eq!((drawn.status, drawn.winner, &drawn.winning_line), (Status::Draw, None, &None));
    assert_eq!(drawn.end_time, Some(2008));
    assert_eq!(play_all(config(3, 3), &[0, 3, 1, 4]).end_time, None);
}

#[test]
fn the_last_free_cell_can_win() {
    let won = play_all(config(3, 3), &[0, 1, 2, 3, 4, 6, 5, 7, 8]);
    assert_eq!((won.status, won.winner, won.winning_line), (Status::Won, Some(Player::X), Some(vec![2, 5, 8])));
}

#[test]
fn reports_the_first_of_several_winning_lines() {
    let corner = play_all(config(3, 3), &[1, 4, 2, 5, 3, 7, 6, 8, 0]);
    assert_eq!((k_in_row(&corner), corner.winning_line), (vec![vec![0, 1, 2], vec![0, 3, 6]], Some(vec![0, 1, 2])));
    // X completes a row of four, which contains two lines of three.
    let four = play_all(config(4, 3), &[0, 12, 1, 13, 3, 15, 2]);
    assert_eq!((k_in_row(&four), four.winning_line), (vec![vec![0, 1, 2], vec![1, 2, 3]], Some(vec![0, 1, 2])));
}
