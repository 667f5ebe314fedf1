//! Positions, moves, and perft.

use SubBoardStatus::{Draw, InProgress, WonO, WonX};
use game::{Display, Explain, Outcome, PositionJson, Rules, Seat, apply_move};
use games::Mark;
use games::tic_tac_toe::lines::completed_lines;
use games::ultimate_tic_tac_toe::{
    ActiveBoards, GameConfig, Move, Position, SubBoardStatus, UltimateTicTacToe, has_line,
};
use testkit::short_or_long;

use super::{WON, active, after_moves, game_at, parse_pair, position, start};

const FULL: &str = "XOXXOOOXX";

#[test]
fn perft() {
    let tree = [81, 720, 6336, 55_080, 473_256, 4_020_960, 33_782_544];
    for (depth, positions) in (1..).zip(tree).take(short_or_long(6, 7)) {
        assert_eq!(start().perft(depth), positions, "depth {depth}");
    }
    assert_eq!(start().perft(0), 1);
    assert_eq!(after_moves(WON).perft(1), 0);
}

#[test]
fn perft_on_masks_agrees_with_playing_every_move() {
    fn perft_by_playing(game: &UltimateTicTacToe, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        game.legal_moves().iter().map(|mv| perft_by_playing(&apply_move(game, mv).unwrap(), depth - 1)).sum()
    }
    let moves: Vec<&str> = WON.split(' ').collect();
    for plies in [0, 12, 16, 20, 25, 27, 28] {
        let game = after_moves(&moves[..plies].join(" "));
        assert_eq!(game.perft(3), perft_by_playing(&game, 3), "after {plies} plies");
    }
}

#[test]
fn the_first_player_can_be_either_side_and_start_anywhere() {
    for first_player in [Mark::X, Mark::O] {
        let config = GameConfig { first_player, ..GameConfig::default() };
        let game = UltimateTicTacToe::start(&config).unwrap();
        assert_eq!((game.side_to_move(), game.legal_moves().len()), (first_player.into(), 81));
        assert_eq!(game.position().active_boards, ActiveBoards::All);
    }
}

#[test]
fn a_move_sends_the_opponent_to_the_board_in_the_same_place() {
    for cell in 0..9 {
        let game = start().play(&Move { board: 4, cell });
        assert_eq!(game.position().active_boards, active(&[cell as usize]));
        assert!(game.legal_moves().iter().all(|mv| mv.board == cell));
    }
}

#[test]
fn a_move_that_sends_to_a_complete_board_allows_all_boards() {
    for (cells, status) in [("XXX......", WonX), ("OOO......", WonO), (FULL, Draw)] {
        let game = game_at(&position(&[(3, cells, status)], active(&[4]))).play(&parse_pair("43"));
        assert_eq!(game.position().active_boards, ActiveBoards::All);
        assert_eq!(game.legal_moves().len(), 71, "8 boards with a cell taken");
    }
}

#[test]
fn a_move_that_completes_the_board_it_sends_to_allows_all_boards() {
    let almost = position(&[(4, "XX.......", InProgress)], active(&[4]));
    let won = game_at(&almost).play(&parse_pair("42"));
    assert_eq!((won.status(4), won.position().active_boards), (WonX, active(&[2])));
    let own = game_at(&position(&[(2, "XX.......", InProgress)], active(&[2]))).play(&parse_pair("22"));
    assert_eq!((own.status(2), own.position().active_boards), (WonX, ActiveBoards::All));
    let drawn = game_at(&position(&[(8, "XOXXOOOX.", InProgress)], active(&[8]))).play(&parse_pair("88"));
    assert_eq!((drawn.status(8), drawn.position().active_boards), (Draw, ActiveBoards::All));
    assert_eq!(drawn.legal_moves().len(), 72);
}

#[test]
fn a_full_board_with_a_line_is_won() {
    let last = game_at(&position(&[(0, "XXOOXXOO.", InProgress)], active(&[0]))).play(&parse_pair("08"));
    assert_eq!(last.status(0), WonX);
}

#[test]
fn three_boards_in_a_row_win() {
    let game = after_moves(WON);
    assert_eq!((game.outcome(), game.winning_lines()), (Some(Outcome::Won(Seat::Second)), vec![vec![0, 1, 2]]));
    assert!(game.legal_moves().is_empty());
    assert_eq!(game.position().active_boards, active(&[]));
    // The turn alternates even after the winning move.
    assert_eq!(game.side_to_move(), Seat::First);
}

#[test]
fn the_last_board_can_win() {
    let x = |board| (board, "XXX......", WonX);
    let o = |board| (board, "OOO......", WonO);
    let last = [x(0), o(1), x(2), o(3), x(4), o(5), o(6), x(7), (8, "XX.......", InProgress)];
    let game = game_at(&position(&last, ActiveBoards::All)).play(&parse_pair("82"));
    assert_eq!((game.outcome(), game.winning_lines()), (Some(Outcome::Won(Seat::First)), vec![vec![0, 4, 8]]));
}

#[test]
fn a_drawn_board_counts_for_neither_side() {
    let x = |board| (board, "XXX......", WonX);
    let o = |board| (board, "OOO......", WonO);
    // Board 8 would complete a line of either side.
    let last = [x(0), o(1), x(2), o(3), x(4), x(5), o(6), x(7), (8, "XOXXOOOX.", InProgress)];
    let game = game_at(&position(&last, ActiveBoards::All)).play(&parse_pair("88"));
    assert_eq!((game.outcome(), game.winning_lines()), (Some(Outcome::Draw), Vec::new()));
    assert!(game.legal_moves().is_empty());
    assert_eq!(game.position().active_boards, active(&[]));
}

#[test]
fn refuses_illegal_moves_with_the_documented_messages() {
    #[track_caller]
    fn check_refusal(game: &UltimateTicTacToe, mv: &str, code: &str, message: &str, expected_fact: (&str, &str)) {
        let error = game.why_illegal(&parse_pair(mv));
        assert_eq!((error.code, error.message.as_str()), (code, message));
        assert_eq!(
            (&error.context["board"], &error.context["cell"]),
            (&parse_pair(mv).board.into(), &parse_pair(mv).cell.into())
        );
        assert_eq!(error.context[expected_fact.0].to_string(), expected_fact.1);
        assert_eq!(apply_move(game, &parse_pair(mv)), Err(error));
    }
    let ongoing = after_moves("44 40 04");
    let full = position(&[(0, FULL, Draw), (1, "OOO......", WonO), (2, "X........", InProgress)], ActiveBoards::All);
    let free = game_at(&full);
    let taken = "Cannot move to occupied cell at position 4 of board 4. Cell contains: X";
    check_refusal(&ongoing, "44", "OCCUPIED_CELL", taken, ("contains", "\"X\""));
    check_refusal(&ongoing, "44", "OCCUPIED_CELL", taken, ("legalMoves", r#"["e6","f6","d5","f5","d4","e4","f4"]"#));
    let elsewhere = "Cannot move to inactive board 0. Active boards: 4";
    check_refusal(&ongoing, "04", "INACTIVE_BOARD", elsewhere, ("activeBoards", r#"[4]"#));
    check_refusal(&ongoing, "00", "INACTIVE_BOARD", elsewhere, ("activeBoards", r#"[4]"#));
    let drawn = "Cannot move to completed board 0. Board status: draw";
    check_refusal(&free, "00", "COMPLETED_BOARD", drawn, ("subBoardStatus", "\"draw\""));
    let won = "Cannot move to completed board 1. Board status: won-o";
    check_refusal(&free, "15", "COMPLETED_BOARD", won, ("subBoardStatus", "\"won-o\""));
    let off = "Invalid move position: board 9, cell 9. Valid range: 0-8 for both";
    check_refusal(&free, "99", "INVALID_MOVE_POSITION", off, ("activeBoards", "\"all\""));
    let off = "Invalid move position: board 4, cell 9. Valid range: 0-8 for both";
    check_refusal(&ongoing, "49", "INVALID_MOVE_POSITION", off, ("activeBoards", r#"[4]"#));
    // The inactive board is reported before the complete one.
    let sent = game_at(&position(&[(0, FULL, Draw)], active(&[4])));
    check_refusal(&sent, "00", "INACTIVE_BOARD", elsewhere, ("activeBoards", r#"[4]"#));
    // After the end, every move gets the same error.
    let over = "Cannot apply move to terminal game. Game status: won, Winner: O";
    for mv in ["99", "00", "44"] {
        check_refusal(&after_moves(WON), mv, "TERMINAL_STATE_MOVE", over, ("winner", "\"O\""));
    }
    let all = (0..9).map(|board| (board, FULL, Draw)).collect::<Vec<_>>();
    let over = "Cannot apply move to terminal game. Game status: draw, Winner: null";
    check_refusal(&game_at(&position(&all, active(&[]))), "00", "TERMINAL_STATE_MOVE", over, ("winner", "null"));
}

#[test]
fn refuses_a_position_that_contradicts_itself() {
    #[track_caller]
    fn check_invalid(position: &Position, message: &str) {
        let error = UltimateTicTacToe::from_position(&GameConfig::default(), position).unwrap_err();
        assert_eq!(error.message, message);
    }
    let all = ActiveBoards::All;
    for (cells, status, expected) in [
        ("XX.......", "won-x", "in-progress"),
        ("XXX......", "in-progress", "won-x"),
        ("XXX......", "won-o", "won-x"),
        ("..O.O.O..", "draw", "won-o"),
        (FULL, "in-progress", "draw"),
        ("XXXOOOXXX", "draw", "won-x"),
        ("XOXXOOOX.", "draw", "in-progress"),
    ] {
        let message =
            format!("Invalid game state: subBoardStatuses[3] is \"{status}\", expected {expected} on these cells");
        let status = serde_json::from_value(status.into()).unwrap();
        check_invalid(&position(&[(3, cells, status)], all.clone()), &message);
    }
    let expected = "expected \"all\" or a list of boards in progress";
    let won = [(3, "XXX......", WonX)];
    check_invalid(&position(&won, active(&[])), &format!("Invalid game state: activeBoards is [], {expected}"));
    check_invalid(&position(&won, active(&[3])), &format!("Invalid game state: activeBoards is [3], {expected}"));
    check_invalid(&position(&won, active(&[2, 9])), &format!("Invalid game state: activeBoards is [2,9], {expected}"));
    let over = [(0, "XXX......", WonX), (4, "XXX......", WonX), (8, "XXX......", WonX)];
    check_invalid(&position(&over, active(&[1])), "Invalid game state: activeBoards is [1], expected [] after the end");
    check_invalid(&position(&over, all), "Invalid game state: activeBoards is \"all\", expected [] after the end");
}

#[test]
fn accepts_positions_that_no_game_reaches() {
    let listed = game_at(&position(&[(3, "XXX......", WonX)], active(&[5, 1, 5])));
    assert_eq!(listed.position().active_boards, active(&[1, 5]));
    assert_eq!(listed.legal_moves().len(), 18);
    // If both sides have a line, the status decides.
    for status in [WonX, WonO] {
        assert_eq!(game_at(&position(&[(3, "XXXOOO...", status)], ActiveBoards::All)).status(3), status);
    }
    let over = [(0, "XXX......", WonX), (4, "XXX......", WonX), (8, "XXX......", WonX)];
    assert_eq!(game_at(&position(&over, active(&[]))).outcome(), Some(Outcome::Won(Seat::First)));
    let both: Vec<_> =
        (0..6).map(|board| (board, ["OOO......", "XXX......"][board / 3], [WonO, WonX][board / 3])).collect();
    assert_eq!(game_at(&position(&both, active(&[]))).outcome(), Some(Outcome::Won(Seat::Second)));
}

#[test]
fn has_line_agrees_with_the_lines_of_every_set_of_cells() {
    for cells in 0..512_u16 {
        let mark = |cell: usize| if cells >> cell & 1 == 1 { Some('X') } else { None };
        assert_eq!(has_line(cells), !completed_lines(3, 3, mark).is_empty(), "{cells:09b}");
    }
}
