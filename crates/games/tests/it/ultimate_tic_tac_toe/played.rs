//! Positions, what comes of a move, and the tree of all of them.

use SubBoardStatus::{Draw, InProgress, WonO, WonX};
use game::contract::{Display, Explain, Interop, Outcome, Rules, apply_move};
use game::seat::Seat;
use games::marks::Player;
use games::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use games::ultimate_tic_tac_toe::state::{ActiveBoards, GameConfig, Position, SubBoardStatus};
use testkit::often;

use super::{WON, active, at, place, played, position, start};

const FULL: &str = "XOXXOOOXX";

#[test]
fn perft() {
    let tree = [81, 720, 6336, 55_080, 473_256, 4_020_960, 33_782_544];
    for (depth, positions) in (1..).zip(tree).take(often(6, 7)) {
        assert_eq!(start().perft(depth), positions, "depth {depth}");
    }
    assert_eq!(start().perft(0), 1);
    assert_eq!(played(WON).perft(1), 0);
}

/// Walks the tree by the list of moves and `play` alone: what `perft` does on the masks must come to the same.
#[test]
fn perft_on_masks_is_perft_by_playing() {
    fn by_playing(game: &UltimateTicTacToe, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        game.legal_moves().iter().map(|mv| by_playing(&apply_move(game, mv).unwrap(), depth - 1)).sum()
    }
    let moves: Vec<&str> = WON.split(' ').collect();
    for plies in [0, 12, 16, 20, 25, 27, 28] {
        let game = played(&moves[..plies].join(" "));
        assert_eq!(game.perft(3), by_playing(&game, 3), "after {plies} plies");
    }
}

#[test]
fn whoever_is_first_starts_anywhere() {
    for first_player in [Player::X, Player::O] {
        let config = GameConfig { first_player, ..GameConfig::default() };
        let game = UltimateTicTacToe::start(&config).unwrap();
        assert_eq!((game.side_to_move(), game.legal_moves().len()), (first_player.into(), 81));
        assert_eq!(game.position().active_boards, ActiveBoards::All);
    }
}

#[test]
fn finishing_a_board_in_its_own_place_frees_the_opponent() {
    let almost = position(&[(4, "XX.......", InProgress)], active(&[4]));
    let won = at(&almost).play(&place("42"));
    assert_eq!((won.status(4), won.position().active_boards), (WonX, active(&[2])));
    let own = at(&position(&[(2, "XX.......", InProgress)], active(&[2]))).play(&place("22"));
    assert_eq!((own.status(2), own.position().active_boards), (WonX, ActiveBoards::All));
    let drawn = at(&position(&[(8, "XOXXOOOX.", InProgress)], active(&[8]))).play(&place("88"));
    assert_eq!((drawn.status(8), drawn.position().active_boards), (Draw, ActiveBoards::All));
    assert_eq!(drawn.legal_moves().len(), 72);
}

#[test]
fn a_full_board_with_a_line_is_won() {
    let last = at(&position(&[(0, "XXOOXXOO.", InProgress)], active(&[0]))).play(&place("08"));
    assert_eq!(last.status(0), WonX);
}

#[test]
fn three_boards_in_a_row_win() {
    let game = played(WON);
    assert_eq!((game.outcome(), game.winning_lines()), (Some(Outcome::Won(Seat::Second)), vec![vec![0, 1, 2]]));
    assert!(game.legal_moves().is_empty());
    assert_eq!(game.position().active_boards, active(&[]));
    // The turn passes with the winning move, too.
    assert_eq!(game.side_to_move(), Seat::First);
}

#[test]
fn the_last_board_can_win() {
    let x = |board| (board, "XXX......", WonX);
    let o = |board| (board, "OOO......", WonO);
    let last = [x(0), o(1), x(2), o(3), x(4), o(5), o(6), x(7), (8, "XX.......", InProgress)];
    let game = at(&position(&last, ActiveBoards::All)).play(&place("82"));
    assert_eq!((game.outcome(), game.winning_lines()), (Some(Outcome::Won(Seat::First)), vec![vec![0, 4, 8]]));
}

#[test]
fn a_drawn_board_counts_for_nobody() {
    let x = |board| (board, "XXX......", WonX);
    let o = |board| (board, "OOO......", WonO);
    // Whoever had board 8 would have a line.
    let last = [x(0), o(1), x(2), o(3), x(4), x(5), o(6), x(7), (8, "XOXXOOOX.", InProgress)];
    let game = at(&position(&last, ActiveBoards::All)).play(&place("88"));
    assert_eq!((game.outcome(), game.winning_lines()), (Some(Outcome::Draw), Vec::new()));
    assert!(game.legal_moves().is_empty());
    assert_eq!(game.position().active_boards, active(&[]));
}

#[test]
fn objections_in_the_words_of_the_rules() {
    #[track_caller]
    fn check(game: &UltimateTicTacToe, mv: &str, code: &str, message: &str, fact: (&str, &str)) {
        let error = game.legality_error(&place(mv)).unwrap();
        assert_eq!((error.code, error.message.as_str()), (code, message));
        assert_eq!(
            (&error.context["board"], &error.context["cell"]),
            (&place(mv).board.into(), &place(mv).cell.into())
        );
        assert_eq!(error.context[fact.0].to_string(), fact.1);
        assert_eq!(apply_move(game, &place(mv)), Err(error));
    }
    let going = played("44 40 04");
    let full = position(&[(0, FULL, Draw), (1, "OOO......", WonO), (2, "X........", InProgress)], ActiveBoards::All);
    let free = at(&full);
    let taken = "Cannot move to occupied cell at position 4 of board 4. Cell contains: X";
    check(&going, "44", "OCCUPIED_CELL", taken, ("contains", "\"X\""));
    check(&going, "44", "OCCUPIED_CELL", taken, ("legalMoves", r#"["e6","f6","d5","f5","d4","e4","f4"]"#));
    let elsewhere = "Cannot move to inactive board 0. Active boards: 4";
    check(&going, "04", "INACTIVE_BOARD", elsewhere, ("activeBoards", r#"[4]"#));
    check(&going, "00", "INACTIVE_BOARD", elsewhere, ("activeBoards", r#"[4]"#));
    let drawn = "Cannot move to completed board 0. Board status: draw";
    check(&free, "00", "COMPLETED_BOARD", drawn, ("subBoardStatus", "\"draw\""));
    let won = "Cannot move to completed board 1. Board status: won-o";
    check(&free, "15", "COMPLETED_BOARD", won, ("subBoardStatus", "\"won-o\""));
    let off = "Invalid move position: board 9, cell 9. Valid range: 0-8 for both";
    check(&free, "99", "INVALID_MOVE_POSITION", off, ("activeBoards", "\"all\""));
    let off = "Invalid move position: board 4, cell 9. Valid range: 0-8 for both";
    check(&going, "49", "INVALID_MOVE_POSITION", off, ("activeBoards", r#"[4]"#));
    // That the player was sent elsewhere comes before that the board is complete.
    let sent = at(&position(&[(0, FULL, Draw)], active(&[4])));
    check(&sent, "00", "INACTIVE_BOARD", elsewhere, ("activeBoards", r#"[4]"#));
    // After the end that is what is in the way, whatever the move.
    let over = "Cannot apply move to terminal game. Game status: won, Winner: O";
    for mv in ["99", "00", "44"] {
        check(&played(WON), mv, "TERMINAL_STATE_MOVE", over, ("winner", "\"O\""));
    }
    let all = (0..9).map(|board| (board, FULL, Draw)).collect::<Vec<_>>();
    let over = "Cannot apply move to terminal game. Game status: draw, Winner: null";
    check(&at(&position(&all, active(&[]))), "00", "TERMINAL_STATE_MOVE", over, ("winner", "null"));
}

#[test]
fn a_position_has_to_agree_with_itself() {
    #[track_caller]
    fn check(position: &Position, message: &str) {
        let error = UltimateTicTacToe::from_position(&GameConfig::default(), position).unwrap_err();
        assert_eq!((error.code, error.message.as_str()), ("INVALID_STATE", message));
    }
    let all = ActiveBoards::All;
    for (drawn, told, given) in [
        ("XX.......", "won-x", "in-progress"),
        ("XXX......", "in-progress", "won-x"),
        ("XXX......", "won-o", "won-x"),
        ("..O.O.O..", "draw", "won-o"),
        (FULL, "in-progress", "draw"),
        ("XXXOOOXXX", "draw", "won-x"),
        ("XOXXOOOX.", "draw", "in-progress"),
    ] {
        let status = serde_json::from_value(told.into()).unwrap();
        let message = format!("Invalid game state: subBoardStatuses[3] is \"{told}\", expected {given} on these cells");
        check(&position(&[(3, drawn, status)], all.clone()), &message);
    }
    let expected = "expected \"all\" or a list of boards in progress";
    let won = [(3, "XXX......", WonX)];
    check(&position(&won, active(&[])), &format!("Invalid game state: activeBoards is [], {expected}"));
    check(&position(&won, active(&[3])), &format!("Invalid game state: activeBoards is [3], {expected}"));
    check(&position(&won, active(&[2, 9])), &format!("Invalid game state: activeBoards is [2,9], {expected}"));
    let over = [(0, "XXX......", WonX), (4, "XXX......", WonX), (8, "XXX......", WonX)];
    check(&position(&over, active(&[1])), "Invalid game state: activeBoards is [1], expected [] after the end");
    check(&position(&over, all), "Invalid game state: activeBoards is \"all\", expected [] after the end");
}

#[test]
fn a_position_need_not_be_one_that_can_be_reached() {
    let listed = at(&position(&[(3, "XXX......", WonX)], active(&[5, 1, 5])));
    assert_eq!(listed.position().active_boards, active(&[1, 5]));
    assert_eq!(listed.legal_moves().len(), 18);
    // Both have a line: the board is whose its status says.
    for status in [WonX, WonO] {
        assert_eq!(at(&position(&[(3, "XXXOOO...", status)], ActiveBoards::All)).status(3), status);
    }
    let over = [(0, "XXX......", WonX), (4, "XXX......", WonX), (8, "XXX......", WonX)];
    assert_eq!(at(&position(&over, active(&[]))).outcome(), Some(Outcome::Won(Seat::First)));
    let both: Vec<_> =
        (0..6).map(|board| (board, ["OOO......", "XXX......"][board / 3], [WonO, WonX][board / 3])).collect();
    assert_eq!(at(&position(&both, active(&[]))).outcome(), Some(Outcome::Won(Seat::Second)));
}
