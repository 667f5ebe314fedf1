//! Moves and states that are refused, and in which words.

use game::contract::{self, Explain};
use game::rule::RuleError;
use games::marks::Player;
use games::tic_tac_toe::engine::{
    GameState, RequestedMove, Status, apply_move, initial_state, is_draw, is_terminal, k_in_row, legal_moves, winner,
};
use games::tic_tac_toe::game::{Move, TicTacToe};
use serde_json::{Value, json};

use super::{cells, config, game, mv, play_all, state};

#[track_caller]
fn check_refused(state: &GameState, mv: &RequestedMove, code: &str, message: &str, context: &Value) {
    let kept = state.clone();
    let RuleError { code: given, message: sentence, context: facts } = apply_move(state, mv).unwrap_err();
    assert_eq!((given, sentence.as_str()), (code, message));
    assert_eq!(&facts, context);
    assert_eq!(*state, kept);
}

#[test]
fn refusals_in_the_words_of_the_rules() {
    let won = play_all(config(3, 3), &[0, 3, 1, 4, 2]);
    let drawn = play_all(config(3, 3), &[0, 1, 2, 4, 3, 5, 7, 6, 8]);
    let going = play_all(config(3, 3), &[0, 4]);
    let big = initial_state(config(4, 3), 0).unwrap();
    check_refused(
        &won,
        &mv("O", 5),
        "TERMINAL_STATE_MOVE",
        "Cannot apply move to terminal game. Game status: won, Winner: X",
        &json!({"position": 5, "currentStatus": "won", "winner": "X"}),
    );
    check_refused(
        &drawn,
        &mv("O", 5),
        "TERMINAL_STATE_MOVE",
        "Cannot apply move to terminal game. Game status: draw, Winner: null",
        &json!({"position": 5, "currentStatus": "draw", "winner": null}),
    );
    check_refused(
        &going,
        &mv("Z", 5),
        "INVALID_PLAYER",
        "Invalid player: Z. Expected X or O",
        &json!({"position": 5, "player": "Z"}),
    );
    check_refused(
        &play_all(config(3, 3), &[0]),
        &mv("X", 5),
        "PLAYER_MISMATCH",
        "Move player X does not match current player O",
        &json!({"position": 5, "player": "X", "currentPlayer": "O"}),
    );
    check_refused(
        &going,
        &mv("X", 9),
        "INVALID_MOVE_POSITION",
        "Invalid move position: 9. Valid range: 0-8 for 3x3 board",
        &json!({"position": 9, "legalMoves": [1, 2, 3, 5, 6, 7, 8]}),
    );
    check_refused(
        &going,
        &mv("X", -1),
        "INVALID_MOVE_POSITION",
        "Invalid move position: -1. Valid range: 0-8 for 3x3 board",
        &json!({"position": -1, "legalMoves": [1, 2, 3, 5, 6, 7, 8]}),
    );
    check_refused(
        &big,
        &mv("X", 16),
        "INVALID_MOVE_POSITION",
        "Invalid move position: 16. Valid range: 0-15 for 4x4 board",
        &json!({"position": 16, "legalMoves": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]}),
    );
    check_refused(
        &going,
        &mv("X", 4),
        "OCCUPIED_CELL",
        "Cannot move to occupied cell at position 4. Cell contains: O",
        &json!({"position": 4, "cell": "O", "legalMoves": [1, 2, 3, 5, 6, 7, 8]}),
    );
}

#[test]
fn the_first_rule_in_the_way_is_told() {
    #[track_caller]
    fn check(state: &GameState, player: &str, position: i64, code: &str) {
        assert_eq!(apply_move(state, &mv(player, position)).unwrap_err().code, code);
    }
    // Every case breaks each later rule, too, as far as a move can.
    let won = play_all(config(3, 3), &[0, 3, 1, 4, 2]);
    check(&GameState { board: cells("XXX"), ..won.clone() }, "Z", 99, "INVALID_STATE");
    check(&won, "Z", 99, "TERMINAL_STATE_MOVE");
    check(&won, "X", 0, "TERMINAL_STATE_MOVE");
    let going = play_all(config(3, 3), &[0, 4]);
    check(&going, "Z", 99, "INVALID_PLAYER");
    check(&going, "x", 0, "INVALID_PLAYER");
    check(&going, "", 0, "INVALID_PLAYER");
    check(&going, "O", 99, "PLAYER_MISMATCH");
    check(&going, "O", 0, "PLAYER_MISMATCH");
    check(&going, "X", i64::MAX, "INVALID_MOVE_POSITION");
    check(&going, "X", i64::MIN, "INVALID_MOVE_POSITION");
    check(&going, "X", 1 << 32, "INVALID_MOVE_POSITION");
    check(&going, "X", 0, "OCCUPIED_CELL");
}

#[test]
fn the_board_or_the_status_ends_the_game() {
    let board_only = state(3, 3, "XXX OO. ...");
    let message = "Cannot apply move to terminal game. Game status: won, Winner: X";
    let context = json!({"position": 5, "currentStatus": "won", "winner": "X"});
    check_refused(&board_only, &mv("X", 5), "TERMINAL_STATE_MOVE", message, &context);

    for (status, winner, sentence) in [
        (Status::Won, Some(Player::O), "Cannot apply move to terminal game. Game status: won, Winner: O"),
        (Status::Draw, None, "Cannot apply move to terminal game. Game status: draw, Winner: null"),
    ] {
        let told = GameState { status, winner, ..state(3, 3, "... ... ...") };
        let context = json!({"position": 5, "currentStatus": status, "winner": winner});
        check_refused(&told, &mv("X", 5), "TERMINAL_STATE_MOVE", sentence, &context);
        assert!(is_terminal(&told) && legal_moves(&told).is_empty());
        // The board is empty whatever the status says.
        assert!(!is_draw(&told) && self::winner(&told).is_none() && k_in_row(&told).is_empty());
    }
}

#[test]
fn a_state_of_no_shape_is_refused_and_the_field_named() {
    #[track_caller]
    fn check(change: impl FnOnce(&mut GameState), message: &str, field: &str) {
        let mut broken = play_all(config(3, 3), &[0, 4]);
        change(&mut broken);
        let error = apply_move(&broken, &mv("X", 1)).unwrap_err();
        assert_eq!((error.code, error.message.as_str()), ("INVALID_STATE", message));
        assert_eq!(error.context["field"], field);
    }
    let size = "Invalid game state: config.boardSize is 2, expected 3 to 19";
    check(|s| s.config.board_size = 2, size, "config.boardSize");
    let size = "Invalid game state: config.boardSize is 20, expected 3 to 19";
    check(|s| s.config.board_size = 20, size, "config.boardSize");
    let k = "Invalid game state: config.kInRow is 4, expected 3 to 3 on 3x3 board";
    check(|s| s.config.k_in_row = 4, k, "config.kInRow");
    let k = "Invalid game state: config.kInRow is 0, expected 3 to 3 on 3x3 board";
    check(|s| s.config.k_in_row = 0, k, "config.kInRow");
    let board = "Invalid game state: board.length is 8, expected 9 for 3x3 board";
    check(|s| s.board.truncate(8), board, "board.length");
    let board = "Invalid game state: board.length is 9, expected 16 for 4x4 board";
    check(|s| s.config.board_size = 4, board, "board.length");
    let player = "Invalid game state: moveHistory[1].player is \"Z\", expected X or O";
    check(|s| s.move_history[1].player = "Z".to_owned(), player, "moveHistory[1].player");
    let position = "Invalid game state: moveHistory[0].position is 9, expected a cell of the board";
    check(|s| s.move_history[0].position = 9, position, "moveHistory[0].position");
    let line = "Invalid game state: winningLine is 9, expected cells of the board";
    check(|s| s.winning_line = Some(vec![7, 8, 9]), line, "winningLine");
}

#[test]
fn a_state_of_no_shape_has_no_lines_and_no_moves() {
    for broken in [state(3, 3, "XXXX"), state(3, 3, ""), GameState { config: config(0, 0), ..state(3, 3, "XXX") }] {
        assert!(k_in_row(&broken).is_empty() && legal_moves(&broken).is_empty());
        assert!(!is_draw(&broken) && !is_terminal(&broken) && winner(&broken).is_none());
    }
    assert_eq!(initial_state(config(20, 3), 0).unwrap_err().code, "INVALID_STATE");
    assert_eq!(initial_state(config(usize::MAX, usize::MAX), 0).unwrap_err().code, "INVALID_STATE");
}

#[test]
fn the_game_objects_in_the_same_words() {
    #[track_caller]
    fn check(game: &TicTacToe, position: u32, expected: Option<(&str, &str)>) {
        let error = game.legality_error(&Move { position });
        assert_eq!(error.as_ref().map(|e| (e.code, e.message.as_str())), expected);
        assert_eq!(contract::apply_move(game, &Move { position }).err(), error);
    }
    let going = game(3, 3, "X.. .O. ...", Player::X);
    check(&going, 1, None);
    check(&going, 4, Some(("OCCUPIED_CELL", "Cannot move to occupied cell at position 4. Cell contains: O")));
    check(&going, 9, Some(("INVALID_MOVE_POSITION", "Invalid move position: 9. Valid range: 0-8 for 3x3 board")));
    let over = "Cannot apply move to terminal game. Game status: won, Winner: O";
    check(&game(3, 3, "OOO XX. X..", Player::X), 99, Some(("TERMINAL_STATE_MOVE", over)));
    let over = "Cannot apply move to terminal game. Game status: draw, Winner: null";
    check(&game(3, 3, "XOX OOX OXO", Player::X), 0, Some(("TERMINAL_STATE_MOVE", over)));
}
