//! Refused moves and positions, with their error messages.

use game::{Explain, PositionJson, Rules, apply_move};
use games::Mark;
use games::tic_tac_toe::{GameConfig, Move, Position, TicTacToe};
use serde_json::{Value, json};

use super::{cells, config, game_with_board, play_all};

#[track_caller]
fn check_refused(game: &TicTacToe, position: u32, code: &str, message: &str, context: &Value) {
    let error = game.why_illegal(&Move { position });
    assert_eq!((error.code, error.message.as_str(), &error.context), (code, message, context));
    assert_eq!(apply_move(game, &Move { position }), Err(error));
}

#[test]
fn refuses_illegal_moves_with_the_documented_messages() {
    let ongoing = play_all(config(3, 3), &[0, 4]);
    assert!(ongoing.is_legal(&Move { position: 1 }));
    check_refused(
        &play_all(config(3, 3), &[0, 3, 1, 4, 2]),
        5,
        "TERMINAL_STATE_MOVE",
        "Cannot apply move to terminal game. Game status: won, Winner: X",
        &json!({"position": 5, "currentStatus": "won", "winner": "X"}),
    );
    check_refused(
        &play_all(config(3, 3), &[0, 1, 2, 4, 3, 5, 7, 6, 8]),
        5,
        "TERMINAL_STATE_MOVE",
        "Cannot apply move to terminal game. Game status: draw, Winner: null",
        &json!({"position": 5, "currentStatus": "draw", "winner": null}),
    );
    check_refused(
        &ongoing,
        9,
        "INVALID_MOVE_POSITION",
        "Invalid move position: 9. Valid range: 0-8 for 3x3 board",
        &json!({"position": 9, "legalMoves": [1, 2, 3, 5, 6, 7, 8]}),
    );
    check_refused(
        &TicTacToe::start(&config(4, 3)).unwrap(),
        16,
        "INVALID_MOVE_POSITION",
        "Invalid move position: 16. Valid range: 0-15 for 4x4 board",
        &json!({"position": 16, "legalMoves": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]}),
    );
    check_refused(
        &ongoing,
        4,
        "OCCUPIED_CELL",
        "Cannot move to occupied cell at position 4. Cell contains: O",
        &json!({"position": 4, "cell": "O", "legalMoves": [1, 2, 3, 5, 6, 7, 8]}),
    );
}

#[test]
fn after_the_end_every_move_gets_the_same_error() {
    let over = game_with_board(3, 3, "OOO XX. X..", Mark::X);
    for position in [0, 5, 99, u32::MAX] {
        check_refused(
            &over,
            position,
            "TERMINAL_STATE_MOVE",
            "Cannot apply move to terminal game. Game status: won, Winner: O",
            &json!({"position": position, "currentStatus": "won", "winner": "O"}),
        );
    }
}

#[test]
fn refuses_an_invalid_position_and_names_the_field() {
    #[track_caller]
    fn check_invalid(config: &GameConfig, board_text: &str, field: &str, message: &str) {
        let position = Position { board: cells(board_text), current_player: Mark::X };
        let error = TicTacToe::from_position(config, &position).unwrap_err();
        assert_eq!(error.message, message);
        assert_eq!(error.context["field"], field);
    }
    let board = "X.. .O. ...";
    let size = "Invalid game state: config.boardSize is 2, expected 3 to 19";
    check_invalid(&config(2, 3), board, "config.boardSize", size);
    let size = "Invalid game state: config.boardSize is 20, expected 3 to 19";
    check_invalid(&config(20, 3), board, "config.boardSize", size);
    let k = "Invalid game state: config.kInRow is 4, expected 3 to 3 on 3x3 board";
    check_invalid(&config(3, 4), board, "config.kInRow", k);
    let k = "Invalid game state: config.kInRow is 0, expected 3 to 3 on 3x3 board";
    check_invalid(&config(3, 0), board, "config.kInRow", k);
    let length = "Invalid game state: board.length is 8, expected 9 for 3x3 board";
    check_invalid(&config(3, 3), "X.. .O. ..", "board.length", length);
    let length = "Invalid game state: board.length is 9, expected 16 for 4x4 board";
    check_invalid(&config(4, 3), board, "board.length", length);
    assert!(TicTacToe::start(&config(usize::MAX, usize::MAX)).is_err());
}
