//! The functions over plain data.

use game::contract::{Rules, apply_move};
use game::seat::Seat;
use games::marks::Player;
use games::tic_tac_toe::lines::completed_lines;
use games::ultimate_tic_tac_toe::engine::{GameResult, GameState, active_boards, is_valid_move, next_active_board};
use games::ultimate_tic_tac_toe::rule::has_line;
use games::ultimate_tic_tac_toe::state::{ActiveBoards, Move, SubBoardStatus};
use proptest::prelude::*;
use serde_json::json;

use super::{active, after_moves, cells, start_state};

const COMPLETE: [SubBoardStatus; 3] = [SubBoardStatus::WonX, SubBoardStatus::WonO, SubBoardStatus::Draw];

#[test]
fn a_free_cell_of_the_active_board_is_valid() {
    let state = GameState { active_boards: active(&[4]), ..start_state() };
    assert!(is_valid_move(&state, 4, 0));
}

#[test]
fn a_cell_of_an_inactive_board_is_invalid() {
    let state = GameState { active_boards: active(&[4]), ..start_state() };
    assert!(!is_valid_move(&state, 3, 0));
}

#[test]
fn any_board_in_progress_is_valid_when_all_are_active() {
    let state = GameState { active_boards: ActiveBoards::All, ..start_state() };
    assert!(is_valid_move(&state, 7, 5));
}

#[test]
fn a_mark_sends_the_opponent_to_the_board_in_the_same_place() {
    for cell in 0..9 {
        assert_eq!(next_active_board(cell, &start_state().sub_board_statuses), active(&[cell]));
    }
}

#[test]
fn a_mark_that_sends_to_a_complete_board_allows_all_boards() {
    for complete in COMPLETE {
        let mut statuses = start_state().sub_board_statuses;
        statuses[3] = complete;
        assert_eq!(next_active_board(3, &statuses), ActiveBoards::All);
        assert_eq!(next_active_board(4, &statuses), active(&[4]));
    }
}

#[test]
fn an_occupied_cell_is_invalid() {
    let mut state = start_state();
    state.boards[4] = cells("X...O....");
    for cell in 0..9 {
        assert_eq!(is_valid_move(&state, 4, cell), cell != 0 && cell != 4);
        assert!(is_valid_move(&state, 5, cell));
    }
}

#[test]
fn no_move_is_valid_after_the_end() {
    for result in [GameResult::WonX, GameResult::WonO, GameResult::Draw] {
        // The other fields say that the game continues. The result takes precedence.
        let over = GameState { game_result: Some(result), ..start_state() };
        assert!((0..81).all(|index| !is_valid_move(&over, index / 9, index % 9)));
    }
}

#[test]
fn all_means_the_boards_in_progress() {
    let mut state = start_state();
    assert_eq!(active_boards(&state), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (board, complete) in [0, 3, 5].into_iter().zip(COMPLETE) {
        state.sub_board_statuses[board] = complete;
    }
    assert_eq!(active_boards(&state), [1, 2, 4, 6, 7, 8]);
}

#[test]
fn returns_a_list_of_active_boards_unchanged() {
    let mut state = GameState { active_boards: active(&[8, 0, 3]), ..start_state() };
    state.sub_board_statuses[3] = SubBoardStatus::WonX;
    assert_eq!(active_boards(&state), [8, 0, 3]);
    assert!(active_boards(&GameState { active_boards: active(&[]), ..state.clone() }).is_empty());
    // A complete board takes no marks, even if the list wrongly contains it.
    assert!(is_valid_move(&state, 0, 0) && is_valid_move(&state, 8, 8) && !is_valid_move(&state, 3, 4));
}

#[test]
fn a_complete_board_takes_no_marks_even_when_all_are_active() {
    for complete in COMPLETE {
        let mut state = start_state();
        state.sub_board_statuses[6] = complete;
        assert!((0..9).all(|cell| !is_valid_move(&state, 6, cell)));
        assert!(is_valid_move(&state, 7, 0));
    }
}

#[test]
fn boards_and_cells_beyond_eight_are_invalid() {
    let listed = GameState { active_boards: active(&[4, 9, 99, usize::MAX]), ..start_state() };
    for index in [9, 10, 16, 64, 73, usize::MAX] {
        assert!(!is_valid_move(&start_state(), index, 0) && !is_valid_move(&start_state(), 0, index));
        assert!(!is_valid_move(&listed, index, 0) && is_valid_move(&listed, 4, 0));
        assert_eq!(next_active_board(index, &start_state().sub_board_statuses), active(&[]));
    }
}

#[test]
fn a_state_serializes_with_the_documented_names() {
    let state = GameState::from(&after_moves("40"));
    let json = serde_json::to_value(&state).unwrap();
    assert_eq!(json["boards"][4], json!(["X", null, null, null, null, null, null, null, null]));
    assert_eq!(
        (&json["activeBoards"], &json["currentPlayer"], &json["gameResult"]),
        (&json!([0]), &json!("O"), &json!(null))
    );
    assert_eq!(serde_json::from_value::<GameState>(json).unwrap(), state);
    assert_eq!(serde_json::to_value(start_state()).unwrap()["activeBoards"], "all");
    let statuses = [SubBoardStatus::InProgress, COMPLETE[0], COMPLETE[1], COMPLETE[2]];
    assert_eq!(json!(statuses), json!(["in-progress", "won-x", "won-o", "draw"]));
    for status in statuses {
        assert_eq!(json!(status), status.to_string());
    }
    let over = GameState::from(&after_moves(super::WON));
    assert_eq!((over.game_result, over.active_boards), (Some(GameResult::WonO), active(&[])));
    assert_eq!(json!([GameResult::WonX, GameResult::WonO, GameResult::Draw]), json!(["won-x", "won-o", "draw"]));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn the_functions_and_the_game_agree_in_random_games(picks in prop::collection::vec(any::<prop::sample::Index>(), 81)) {
        let mut game = super::start();
        for pick in picks {
            let (state, moves) = (GameState::from(&game), game.legal_moves());
            let valid: Vec<Move> = (0..81)
                .filter(|index| is_valid_move(&state, index / 9, index % 9))
                .map(|index| Move { board: index as u32 / 9, cell: index as u32 % 9 })
                .collect();
            prop_assert_eq!(&valid, &moves);
            let boards: Vec<usize> = active_boards(&state);
            prop_assert!(moves.iter().all(|mv| boards.contains(&(mv.board as usize))));
            if moves.is_empty() {
                prop_assert!(state.game_result.is_some() && boards.is_empty());
                break;
            }
            let mv = *pick.get(&moves);
            let mover = Player::from(game.side_to_move());
            game = apply_move(&game, &mv).unwrap();
            let after = GameState::from(&game);
            prop_assert_eq!(after.boards[mv.board as usize][mv.cell as usize], Some(mover));
            prop_assert_eq!(Seat::from(after.current_player), Seat::from(mover).other());
            if after.game_result.is_none() {
                prop_assert_eq!(after.active_boards, next_active_board(mv.cell as usize, &after.sub_board_statuses));
            }
        }
    }
}

#[test]
fn has_line_agrees_with_the_lines_of_every_set_of_cells() {
    for cells in 0..512_u16 {
        let mark = |cell: usize| (cells >> cell & 1 == 1).then_some('X');
        assert_eq!(has_line(cells), !completed_lines(3, 3, mark).is_empty(), "{cells:09b}");
    }
}
