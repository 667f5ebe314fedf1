//! Perft and random games.

use game::{Display, Notation, Outcome, PositionJson, Rules, Seat, apply_move};
use games::Mark;
use games::tic_tac_toe::{Move, TicTacToe};
use proptest::prelude::*;
use testkit::short_or_long;

use super::{all_lines, config, game_with_board, game_with_cells};

#[test]
fn perft() {
    #[track_caller]
    fn check_perft(size: usize, k: usize, expected: &[u64]) {
        let game = TicTacToe::start(&config(size, k)).unwrap();
        for (depth, &positions) in (1..).zip(expected) {
            assert_eq!(game.perft(depth), positions, "{size}x{size}, {k} in a row, depth {depth}");
        }
    }
    check_perft(3, 3, &[9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872, 0]);
    check_perft(4, 3, &[16, 240, 3360, 43_680, 524_160, 5_518_656, 52_817_760][..short_or_long(5, 7)]);
    assert_eq!(TicTacToe::start(&config(3, 3)).unwrap().perft(0), 1);
}

#[test]
fn counts_the_finished_games_of_3x3() {
    fn count(game: &TicTacToe, ends: &mut [u64; 3]) {
        match game.outcome() {
            Some(Outcome::Won(seat)) => ends[seat.index()] += 1,
            Some(Outcome::Draw) => ends[2] += 1,
            None => game.legal_moves().iter().for_each(|mv| count(&game.play(mv), ends)),
        }
    }
    let mut ends = [0; 3];
    count(&TicTacToe::start(&config(3, 3)).unwrap(), &mut ends);
    assert_eq!((ends, ends.iter().sum()), ([131_184, 77_904, 46_080], 255_168_u64));
}

#[test]
fn perft_in_place_agrees_with_playing_every_move() {
    fn perft_by_playing(game: &TicTacToe, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        game.legal_moves().iter().map(|mv| perft_by_playing(&game.play(mv), depth - 1)).sum()
    }
    for (size, k, board_text) in
        [(3, 3, "... ... ..."), (4, 4, "XOXO .... OXO. ...."), (5, 3, "XX... OO... ..... ..... .....")]
    {
        let game = game_with_board(size, k, board_text, Mark::O);
        for depth in 0..=short_or_long(4, 5) {
            assert_eq!(game.perft(depth), perft_by_playing(&game, depth));
        }
    }
}

fn board_size_and_k() -> impl Strategy<Value = (usize, usize)> {
    (3_usize..=19).prop_flat_map(|size| (Just(size), 3..=size))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: short_or_long(12, 200), ..ProptestConfig::default() })]

    /// Checks the outcome after each move, which looks at four lines only, against the lines of the whole board.
    #[test]
    fn the_outcome_agrees_with_the_lines_on_the_board((size, k) in board_size_and_k(), picks in prop::collection::vec(any::<prop::sample::Index>(), 361)) {
        let config = config(size, k);
        let mut game = TicTacToe::start(&config).unwrap();
        for pick in picks {
            let moves = game.legal_moves();
            prop_assert_eq!(moves.is_empty(), game.outcome().is_some());
            if moves.is_empty() {
                break;
            }
            game = apply_move(&game, pick.get(&moves)).unwrap();
            let position = game.position();
            let lines = game.winning_lines();
            let expected = match lines.first() {
                Some(line) => position.board[line[0]].map(|player| Outcome::Won(player.into())),
                None if position.board.iter().all(Option::is_some) => Some(Outcome::Draw),
                None => None,
            };
            prop_assert_eq!(game.outcome(), expected);
            // A position holds everything about a game.
            prop_assert_eq!(TicTacToe::from_position(&config, &position), Ok(game));
        }
    }

    #[test]
    fn completing_any_line_wins((size, k) in board_size_and_k(), index in any::<prop::sample::Index>(), gap in any::<prop::sample::Index>()) {
        let all = all_lines(size, k);
        let line = index.get(&all);
        let gap = *gap.get(line);
        let mut board = vec![None; size * size];
        for &cell in line {
            board[cell] = Some(Mark::O);
        }
        board[gap] = None;
        let game = game_with_cells(size, k, board, Mark::O);
        prop_assert_eq!(game.outcome(), None);
        let won = apply_move(&game, &Move { position: gap as u32 }).unwrap();
        prop_assert_eq!(won.outcome(), Some(Outcome::Won(Seat::Second)));
        prop_assert_eq!(won.winning_lines(), vec![line.clone()]);
    }

    #[test]
    fn any_text_parses_to_a_cell_of_the_board_or_an_error(text in "\\PC{0,12}|[a-z0-9 :*!?#]{0,8}") {
        let game = TicTacToe::start(&config(3, 3)).unwrap();
        if let Ok(mv) = game.parse_move(&text) {
            prop_assert!(mv.position < 9);
        }
    }
}
