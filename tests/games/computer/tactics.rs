//! Forced wins and defenses on large tic-tac-toe boards.

use game::{Outcome, PositionJson, Rules};
use games::tic_tac_toe::{Move, TicTacToe};
use games::{PROVEN_WIN, Random, WIN_VALUE};
use testkit::short_or_long;

use super::{after_random, choose_at_level, tic_tac_toe_config, tic_tac_toe_position};

/// Returns in how many plies, at most five, the side to move can force a win, by a full search.
fn plies_to_win(game: &TicTacToe) -> Option<i32> {
    [1, 3, 5].into_iter().find(|plies| wins(game, *plies))
}

/// Whether the side to move can force a win within `plies` plies.
fn wins(game: &TicTacToe, plies: i32) -> bool {
    let moves = game.legal_moves();
    if moves.iter().any(|mv| is_won(&game.play(mv))) {
        return true;
    }
    plies > 1 && moves.iter().any(|mv| loses(&game.play(mv), plies - 1))
}

fn is_won(game: &TicTacToe) -> bool {
    matches!(game.outcome(), Some(Outcome::Won(_)))
}

/// Whether the side to move loses within `plies` plies after every move.
fn loses(game: &TicTacToe, plies: i32) -> bool {
    let replies = game.legal_moves();
    !replies.is_empty()
        && replies.iter().all(|reply| {
            let after = game.play(reply);
            !is_won(&after) && after.outcome().is_none() && wins(&after, plies - 1)
        })
}

#[test]
fn finds_a_win_within_five_plies_exactly_if_there_is_one() {
    let mut random = Random::new(4);
    let (mut found, mut none) = (0, 0);
    while found < short_or_long(6, 60) || none < short_or_long(3, 30) {
        let plies = 16 + random.below(8);
        let Some(game) = after_random::<TicTacToe>(&tic_tac_toe_config(6, 4), plies, &mut random) else { continue };
        let score = choose_at_level(&game, 8).score;
        match plies_to_win(&game) {
            Some(plies) => {
                assert_eq!(score, WIN_VALUE - plies, "{:?}", game.position().board);
                found += 1;
            }
            None => {
                assert!(score < WIN_VALUE - 5, "{:?}", game.position().board);
                none += 1;
            }
        }
    }
}

/// Checks that level 8 wins within `plies` plies, against itself and against random moves.
#[track_caller]
fn check_wins_within(game: &TicTacToe, plies: i32, random: &mut Random) {
    for nth in 0..short_or_long(3, 12) {
        let mut current = *game;
        for left in (1..=plies).rev() {
            if current.outcome().is_some() {
                break;
            }
            let is_winners_turn = (plies - left) % 2 == 0;
            let moves = current.legal_moves();
            let mv = if is_winners_turn || nth == 0 {
                choose_at_level(&current, 8).mv
            } else {
                moves[random.below(moves.len())]
            };
            current = current.play(&mv);
        }
        assert_eq!(current.outcome(), Some(Outcome::Won(game.side_to_move())), "{:?}", current.position().board);
    }
}

/// Checks that level 8 finds the win in `plies` plies.
#[track_caller]
fn check_win(k: usize, rows: &str, plies: i32) {
    let game = tic_tac_toe_position(k, rows);
    assert_eq!(choose_at_level(&game, 8).score, WIN_VALUE - plies);
    check_wins_within(&game, plies, &mut Random::new(6));
}

#[test]
fn finds_wins_in_one_three_five_and_seven_plies() {
    check_win(5, WIN_IN_1, 1);
    check_win(5, WIN_IN_3, 3);
    check_win(5, WIN_IN_5, 5);
    check_win(5, WIN_IN_7, 7);
}

#[test]
fn finds_the_only_defense_at_every_level_that_looks_for_it() {
    // From level 2 on, the engine answers a threat of five.
    let game = tic_tac_toe_position(
        5,
        "O.......... .XXXX...... ..O........ ...O....... ........... ........... ........... ........... ........... ........... ........O..",
    );
    for number in 2..=8 {
        assert!([11, 16].contains(&choose_at_level(&game, number).mv.position), "level {number}");
    }
    // From level 4 on, the engine answers an open three.
    let game = tic_tac_toe_position(
        5,
        "........... ........... ...O....... ........... ...XXX..... ........... .....O..... ........... ........... ........... ...........",
    );
    for number in 4..=8 {
        let Move { position } = choose_at_level(&game, number).mv;
        assert!([45, 46, 50, 51].contains(&position), "level {number}: {position}");
    }
}

/// The opponent's forced win is longer than the depth of the alpha-beta search at this level. Only the threat search finds it.
#[test]
fn answers_a_long_threat_in_time() {
    for rows in [
        "
            .........X.
            ...O..O..O.
            .....XX..O.
            ....X......
            ..O......O.
            .O.........
            .X...XO....
            .X...X..O..
            ..X........
            ..XO....O..
            ....X....X.",
        "
            ...XXO.X...
            .O..O......
            ..XO....O..
            ...XO..O...
            O..........
            ..O......O.
            ....X...OXX
            ...X...O.O.
            ....OX.....
            .....X...X.
            .....XXX...",
    ] {
        let game = tic_tac_toe_position(5, rows);
        let after = game.play(&choose_at_level(&game, 6).mv);
        assert!(choose_at_level(&after, 7).score < PROVEN_WIN, "{rows}");
    }
}

/// With a full node budget for each of the many replies, this would take twice the time.
#[test]
fn limits_the_nodes_of_a_threat_with_many_replies() {
    let game = tic_tac_toe_position(
        5,
        "........X......
         X...X.......X..
         O.........O....
         ......O......O.
         ...............
         OO..X.....O....
         ..X.....O....X.
         ...............
         .....X........O
         .O.O.......X...
         ....O..........
         .......X.O..X..
         ..X.X...X....X.
         X..............
         .....O.......O.",
    );
    let nodes = choose_at_level(&game, 8).nodes;
    assert!(nodes <= 520_000, "{nodes} nodes");
}

#[test]
fn proven_wins_are_won() {
    let mut random = Random::new(9);
    let (mut checked, mut tried) = (0, 0);
    while checked < short_or_long(3, 40) {
        tried += 1;
        let Some(game) = after_random::<TicTacToe>(&tic_tac_toe_config(9, 5), 26 + random.below(10), &mut random)
        else {
            continue;
        };
        let score = choose_at_level(&game, 8).score;
        if score >= PROVEN_WIN {
            check_wins_within(&game, WIN_VALUE - score, &mut random);
            checked += 1;
        }
        assert!(tried < 4_000, "too few wins found");
    }
}

const WIN_IN_1: &str = "
    ...........
    ...........
    ...O.......
    ..XXXX.....
    .O..O......
    ........O..
    ...........
    ...........
    ...........
    ...........
    ...........";

const WIN_IN_3: &str = "
    ...........
    ...........
    ...O.......
    ...XXX.....
    .O..O......
    ...........
    ...........
    ...........
    ...........
    ...........
    ...........";

const WIN_IN_5: &str = "
    ...........
    ...........
    ...........
    ...XX......
    ..O..O.....
    ......X....
    ......X....
    .O...O.....
    ...........
    ...........
    ...........";

const WIN_IN_7: &str = "
    ...........
    ...........
    ...........
    ...........
    ...OXOO....
    ...OXX.....
    .....X.....
    ...........
    ...........
    ...........
    ...........";
