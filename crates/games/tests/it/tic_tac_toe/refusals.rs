//! Refused moves and states, with their error messages.

use game::contract::{self, Explain};
use game::rule::RuleError;
use games::marks::Player;
use games::tic_tac_toe::engine::{
    GameState, RequestedMove, Status, apply_move, initial_state, is_draw, is_terminal, k_in_row, legal_moves, winner,
};
use games::tic_tac_toe::game::{Move, TicTacToe};
use serde_json::{Value, json};

use super::{cells, config, game_with_board, play_all, requested_move, state_with_board};

#[track_caller]
fn check_refused(state: &GameState, mv: &RequestedMove, code: &str, message: &str, context: &Value) {
    let before = state.clone();
    let error: RuleError = apply_move(state, mv).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (code, message));
    assert_eq!(&error.context, context);
    assert_eq!(*state, before);
}

#[test]
fn refuses_illegal_moves_with_the_documented_messages() {
    let won = play_all(config(3, 3), &[0, 3, 1, 4, 2]);
    let drawn = play_all(config(3, 3), &[0, 1, 2, 4, 3, 5, 7, 6, 8]);
    let ongoing = play_all(config(3, 3), &[0, 4]);
    let big = initial_state(config(4, 3), 0).unwrap();
    check_refused(
        &won,
        &requested_move("O", 5),
        "TERMINAL_STATE_MOVE",
        "Cannot apply move to terminal game. Game status: won, Winner: X",
        &json!({"position": 5, "currentStatus": "won", "winner": "X"}),
    );
    check_refused(
        &drawn,
        &requested_move("O", 5),
        "TERMINAL_STATE_MOVE",
        "Cannot apply move to terminal game. Game status: draw, Winner: null",
        &json!({"position": 5, "currentStatus": "draw", "winner": null}),
    );
    check_refused(
        &ongoing,
        &requested_move("Z", 5),
        "INVALID_PLAYER",
        "Invalid player: Z. Expected X or O",
        &json!({"position": 5, "player": "Z"}),
    );
    check_refused(
        &play_all(config(3, 3), &[0]),
        &requested_move("X", 5),
        "PLAYER_MISMATCH",
        "Move player X does not match current player O",
        &json!({"position": 5, "player": "X", "currentPlayer": "O"}),
    );
    check_refused(
        &ongoing,
        &requested_move("X", 9),
        "INVALID_MOVE_POSITION",
        "Invalid move position: 9. Valid range: 0-8 for 3x3 board",
        &json!({"position": 9, "legalMoves": [1, 2, 3, 5, 6, 7, 8]}),
    );
    check_refused(
        &ongoing,
        &requested_move("X", -1),
        "INVALID_MOVE_POSITION",
        "Invalid move position: -1. Valid range: 0-8 for 3x3 board",
        &json!({"position": -1, "legalMoves": [1, 2, 3, 5, 6, 7, 8]}),
    );
    check_refused(
        &big,
        &requested_move("X", 16),
        "INVALID_MOVE_POSITION",
        "Invalid move position: 16. Valid range: 0-15 for 4x4 board",
        &json!({"position": 16, "legalMoves": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]}),
    );
    check_refused(
        &ongoing,
        &requested_move("X", 4),
        "OCCUPIED_CELL",
        "Cannot move to occupied cell at position 4. Cell contains: O",
        &json!({"position": 4, "cell": "O", "legalMoves": [1, 2, 3, 5, 6, 7, 8]}),
    );
}

#[test]
fn reports_the_first_broken_rule() {
    #[track_caller]
    fn check_code(state: &GameState, player: &str, position: i64, code: &str) {
        assert_eq!(apply_move(state, &requested_move(player, position)).unwrap_err().code, code);
    }
    // Every case also breaks the later rules, as far as possible.
    let won = play_all(config(3, 3), &[0, 3, 1, 4, 2]);
    check_code(&GameState { board: cells("XXX"), ..won.clone() }, "Z", 99, "INVALID_STATE");
    check_code(&won, "Z", 99, "TERMINAL_STATE_MOVE");
    check_code(&won, "X", 0, "TERMINAL_STATE_MOVE");
    let ongoing = play_all(config(3, 3), &[0, 4]);
    check_code(&ongoing, "Z", 99, "INVALID_PLAYER");
    check_code(&ongoing, "x", 0, "INVALID_PLAYER");
    check_code(&ongoing, "", 0, "INVALID_PLAYER");
    check_code(&ongoing, "O", 99, "PLAYER_MISMATCH");
    check_code(&ongoing, "O", 0, "PLAYER_MISMATCH");
    check_code(&ongoing, "X", i64::MAX, "INVALID_MOVE_POSITION");
    check_code(&ongoing, "X", i64::MIN, "INVALID_MOVE_POSITION");
    check_code(&ongoing, "X", 1 << 32, "INVALID_MOVE_POSITION");
    check_code(&ongoing, "X", 0, "OCCUPIED_CELL");
}

#[test]
fn either_the_board_or_the_status_ends_the_game() {
    let board_only = state_with_board(3, 3, "XXX OO. ...");
    let message = "Cannot apply move to terminal game. Game status: won, Winner: X";
    let context = json!({"position": 5, "currentStatus": "won", "winner": "X"});
    check_refused(&board_only, &requested_move("X", 5), "TERMINAL_STATE_MOVE", message, &context);

    for (status, winner, message) in [
        (Status::Won, Some(Player::O), "Cannot apply move to terminal game. Game status: won, Winner: O"),
        (Status::Draw, None, "Cannot apply move to terminal game. Game status: draw, Winner: null"),
    ] {
        let ended = GameState { status, winner, ..state_with_board(3, 3, "... ... ...") };
        let context = json!({"position": 5, "currentStatus": status, "winner": winner});
        check_refused(&ended, &requested_move("X", 5), "TERMINAL_STATE_MOVE", message, &context);
        assert!(is_terminal(&ended) && legal_moves(&ended).is_empty());
        // The board is still empty.
        assert!(!is_draw(&ended) && self::winner(&ended).is_none() && k_in_row(&ended).is_empty());
    }
}

#[test]
fn refuses_an_invalid_state_and_names_the_field() {
    #[track_caller]
    fn check_invalid(change: impl FnOnce(&mut GameState), message: &str, field: &str) {
        let mut state = play_all(config(3, 3), &[0, 4]);
        change(&mut state);
        let error = apply_move(&state, &requested_move("X", 1)).unwrap_err();
        assert_eq!((error.code, error.message.as_str()), ("INVALID_STATE", message));
        assert_eq!(error.context["field"], field);
    }
    let size = "Invalid game state: config.boardSize is 2, expected 3 to 19";
    check_invalid(|s| s.config.board_size = 2, size, "config.boardSize");
    let size = "Invalid game state: config.boardSize is 20, expected 3 to 19";
    check_invalid(|s| s.config.board_size = 20, size, "config.boardSize");
    let k = "Invalid game state: config.kInRow is 4, expected 3 to 3 on 3x3 board";
    check_invalid(|s| s.config.k_in_row = 4, k, "config.kInRow");
    let k = "Invalid game state: config.kInRow is 0, expected 3 to 3 on 3x3 board";
    check_invalid(|s| s.config.k_in_row = 0, k, "config.kInRow");
    let board = "Invalid game state: board.length is 8, expected 9 for 3x3 board";
    check_invalid(|s| s.board.truncate(8), board, "board.length");
    let board = "Invalid game state: board.length is 9, expected 16 for 4x4 board";
    check_invalid(|s| s.config.board_size = 4, board, "board.length");
    let player = "Invalid game state: moveHistory[1].player is \"Z\", expected X or O";
    check_invalid(|s| s.move_history[1].player = "Z".to_owned(), player, "moveHistory[1].player");
    let position = "Invalid game state: moveHistory[0].position is 9, expected a cell of the board";
    check_invalid(|s| s.move_history[0].position = 9, position, "moveHistory[0].position");
    let line = "Invalid game state: winningLine is 9, expected cells of the board";
    check_invalid(|s| s.winning_line = Some(vec![7, 8, 9]), line, "winningLine");
}

#[test]
fn an_invalid_state_has_no_lines_and_no_moves() {
    let invalid_config = GameState { config: config(0, 0), ..state_with_board(3, 3, "XXX") };
    for invalid in [state_with_board(3, 3, "XXXX"), state_with_board(3, 3, ""), invalid_config] {
        assert!(k_in_row(&invalid).is_empty() && legal_moves(&invalid).is_empty());
        assert!(!is_draw(&invalid) && !is_terminal(&invalid) && winner(&invalid).is_none());
    }
    assert_eq!(initial_state(config(20, 3), 0).unwrap_err().code, "INVALID_STATE");
    assert_eq!(initial_state(config(usize::MAX, usize::MAX), 0).unwrap_err().code, "INVALID_STATE");
}

#[test]
fn the_game_refuses_moves_with_the_same_messages() {
    #[track_caller]
    fn check_legality(game: &TicTacToe, position: u32, expected: Option<(&str, &str)>) {
        let error = game.legality_error(&Move { position });
        assert_eq!(error.as_ref().map(|e| (e.code, e.message.as_str())), expected);
        assert_eq!(contract::apply_move(game, &Move { position }).err(), error);
    }
    let ongoing = game_with_board(3, 3, "X.. .O. ...", Player::X);
    check_legality(&ongoing, 1, None);
    check_legality(
        &ongoing,
        4,
        Some(("OCCUPIED_CELL", "Cannot move to occupied cell at position 4. Cell contains: O")),
    );
    check_legality(
        &ongoing,
        9,
        Some(("INVALID_MOVE_POSITION", "Invalid move position: 9. Valid range: 0-8 for 3x3 board")),
    );
    let over = "Cannot apply move to terminal game. Game status: won, Winner: O";
    check_legality(&game_with_board(3, 3, "OOO XX. X..", Player::X), 99, Some(("TERMINAL_STATE_MOVE", over)));
    let over = "Cannot apply move to terminal game. Game status: draw, Winner: null";
    check_legality(&game_with_board(3, 3, "XOX OOX OXO", Player::X), 0, Some(("TERMINAL_STATE_MOVE", over)));
}
