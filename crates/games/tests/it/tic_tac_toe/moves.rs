//! Moves that are legal, and what comes of them.

use game::contract::Rules;
use games::marks::Player;
use games::tic_tac_toe::config::GameConfig;
use games::tic_tac_toe::engine::{RequestedMove, Status, apply_move, initial_state, k_in_row, legal_moves};
use games::tic_tac_toe::game::TicTacToe;

use super::{cells, config, game, mv, play_all, state};

#[test]
fn the_legal_moves_are_the_empty_cells() {
    #[track_caller]
    fn check(size: usize, k: usize, drawn: &str, expected: &[usize]) {
        assert_eq!(legal_moves(&state(size, k, drawn)), expected);
        let moves: Vec<_> = game(size, k, drawn, Player::X).legal_moves().iter().map(|m| m.position as usize).collect();
        assert_eq!(moves, expected);
    }
    check(3, 3, "... ... ...", &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    check(3, 3, "X.. .O. ...", &[1, 2, 3, 5, 6, 7, 8]);
    check(4, 3, ".... .... .... ....", &(0..16).collect::<Vec<_>>());
    check(4, 3, "XOXO .... X..O ..O.", &[4, 5, 6, 7, 9, 10, 12, 13, 15]);
    check(3, 3, "XXX OO. ...", &[]);
    check(3, 3, "XOX OOX OXO", &[]);
    check(19, 5, &".".repeat(361), &(0..361).collect::<Vec<_>>());
}

#[test]
fn a_move_makes_a_new_state_and_leaves_the_old_one() {
    let before = play_all(config(3, 3), &[0, 4]);
    let kept = before.clone();
    let after = apply_move(&before, &RequestedMove { player: "X".to_owned(), position: 8, timestamp: 77 }).unwrap();
    assert_eq!(before, kept);
    assert_eq!(after.board, cells("X.. .O. ..X"));
    assert_eq!(after.current_player, Player::O);
    assert_eq!(after.move_history.len(), 3);
    assert_eq!(after.move_history[..2], before.move_history);
    assert_eq!(after.move_history[2], RequestedMove { player: "X".to_owned(), position: 8, timestamp: 77 });
    assert_eq!((after.status, after.winner, &after.winning_line), (Status::Playing, None, &None));
    assert_eq!((after.config, after.start_time, after.end_time), (before.config, 1000, None));
}

#[test]
fn players_alternate_and_the_winning_move_too() {
    let mut state = initial_state(config(3, 3), 0).unwrap();
    for (player, position) in [("X", 0), ("O", 3), ("X", 1), ("O", 4), ("X", 2)] {
        assert_eq!(state.current_player.name(), player);
        state = apply_move(&state, &mv(player, position)).unwrap();
    }
    assert_eq!(state.current_player, Player::O);
    assert_eq!((state.status, state.winner, state.winning_line), (Status::Won, Some(Player::X), Some(vec![0, 1, 2])));
}

#[test]
fn whoever_is_first_starts() {
    for first_player in [Player::X, Player::O] {
        let config = GameConfig { first_player, ..config(4, 3) };
        let start = initial_state(config, 5).unwrap();
        assert_eq!((start.current_player, start.board.len(), start.start_time), (first_player, 16, 5));
        assert_eq!(TicTacToe::start(&config).unwrap().side_to_move(), first_player.into());
    }
}

#[test]
fn the_end_is_the_time_of_the_final_move() {
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
fn the_winning_line_is_the_first_of_several() {
    let corner = play_all(config(3, 3), &[1, 4, 2, 5, 3, 7, 6, 8, 0]);
    assert_eq!((k_in_row(&corner), corner.winning_line), (vec![vec![0, 1, 2], vec![0, 3, 6]], Some(vec![0, 1, 2])));
    // X fills the gap of a row of four: two lines of three at once.
    let four = play_all(config(4, 3), &[0, 12, 1, 13, 3, 15, 2]);
    assert_eq!((k_in_row(&four), four.winning_line), (vec![vec![0, 1, 2], vec![1, 2, 3]], Some(vec![0, 1, 2])));
}
