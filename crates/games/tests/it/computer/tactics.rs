//! Wins and defences that are forced, on bigger boards.

use game::contract::{Interop, Outcome, Rules};
use games::search::alpha_beta::{PROVEN_WIN, WIN_VALUE};
use games::search::random::Random;
use games::tic_tac_toe::game::{Move, TicTacToe};
use testkit::often;

use super::{after_random, choose_at_level, tic_tac_toe_config, tic_tac_toe_position};

/// The plies within which the side on turn wins, up to five, by trying everything; `None` if it does not.
fn wins_within_five(game: &TicTacToe) -> Option<i32> {
    [1, 3, 5].into_iter().find(|plies| wins(game, *plies))
}

fn wins(game: &TicTacToe, plies: i32) -> bool {
    let moves = game.legal_moves();
    if moves.iter().any(|mv| won(&game.play(mv))) {
        return true;
    }
    plies > 1 && moves.iter().any(|mv| loses(&game.play(mv), plies - 1))
}

fn won(game: &TicTacToe) -> bool {
    matches!(game.outcome(), Some(Outcome::Won(_)))
}

/// Whether the side on turn loses within so many plies, whatever it does.
fn loses(game: &TicTacToe, plies: i32) -> bool {
    let replies = game.legal_moves();
    !replies.is_empty()
        && replies.iter().all(|reply| {
            let after = game.play(reply);
            !won(&after) && after.outcome().is_none() && wins(&after, plies - 1)
        })
}

#[test]
fn a_win_within_five_plies_is_found_exactly_where_there_is_one() {
    let mut random = Random::new(4);
    let (mut found, mut none) = (0, 0);
    while found < often(6, 60) || none < often(3, 30) {
        let plies = 16 + random.below(8);
        let Some(game) = after_random::<TicTacToe>(&tic_tac_toe_config(6, 4), plies, &mut random) else { continue };
        let value = choose_at_level(&game, 8).score;
        match wins_within_five(&game) {
            Some(plies) => {
                assert_eq!(value, WIN_VALUE - plies, "{:?}", game.position().board);
                found += 1;
            }
            None => {
                assert!(value < WIN_VALUE - 5, "{:?}", game.position().board);
                none += 1;
            }
        }
    }
}

/// Plays on at the highest level against itself and against chance, and wins in the plies that were promised.
#[track_caller]
fn keeps_its_word(game: &TicTacToe, plies: i32, random: &mut Random) {
    for nth in 0..often(3, 12) {
        let mut now = *game;
        for left in (1..=plies).rev() {
            if now.outcome().is_some() {
                break;
            }
            let mine = (plies - left) % 2 == 0;
            let moves = now.legal_moves();
            let mv = if mine || nth == 0 { choose_at_level(&now, 8).mv } else { moves[random.below(moves.len())] };
            now = now.play(&mv);
        }
        assert_eq!(now.outcome(), Some(Outcome::Won(game.side_to_move())), "{:?}", now.position().board);
    }
}

#[track_caller]
fn check_win(k: usize, rows: &str, plies: i32) {
    let game = tic_tac_toe_position(k, rows);
    assert_eq!(choose_at_level(&game, 8).score, WIN_VALUE - plies);
    keeps_its_word(&game, plies, &mut Random::new(6));
}

#[test]
fn a_win_in_one_three_five_and_seven_plies_is_found() {
    check_win(5, ONE, 1);
    check_win(5, THREE, 3);
    check_win(5, FIVE, 5);
    check_win(5, SEVEN, 7);
}

#[test]
fn the_only_defence_is_found_at_every_level_that_looks_for_it() {
    // An urgent line has one answer, and even the weaker levels see it.
    let game = tic_tac_toe_position(
        5,
        "O.......... .XXXX...... ..O........ ...O....... ........... ........... ........... ........... ........... ........... ........O..",
    );
    for number in 2..=8 {
        assert!([11, 16].contains(&choose_at_level(&game, number).mv.position), "level {number}");
    }
    // Three with both ends free: from level 4 on, whoever does not answer there sees that it loses.
    let game = tic_tac_toe_position(
        5,
        "........... ........... ...O....... ........... ...XXX..... ........... .....O..... ........... ........... ........... ...........",
    );
    for number in 4..=8 {
        let Move { position } = choose_at_level(&game, number).mv;
        assert!([45, 46, 50, 51].contains(&position), "level {number}: {position}");
    }
}

/// The other side would win by threats that are longer than what is looked through at this level: only who looks for them
/// answers.
#[test]
fn a_long_threat_is_answered_before_it_is_too_late() {
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
        let answered = game.play(&choose_at_level(&game, 6).mv);
        assert!(choose_at_level(&answered, 7).score < PROVEN_WIN, "{rows}");
    }
}

/// Here a threat has so many replies that a full share of the work for each would take twice the time.
#[test]
fn many_replies_to_a_threat_cost_no_more_than_a_few() {
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
fn what_is_said_to_be_won_is_won() {
    let mut random = Random::new(9);
    let (mut checked, mut tried) = (0, 0);
    while checked < often(3, 40) {
        tried += 1;
        let Some(game) = after_random::<TicTacToe>(&tic_tac_toe_config(9, 5), 26 + random.below(10), &mut random)
        else {
            continue;
        };
        let value = choose_at_level(&game, 8).score;
        if value >= PROVEN_WIN {
            keeps_its_word(&game, WIN_VALUE - value, &mut random);
            checked += 1;
        }
        assert!(tried < 4_000, "wins are found");
    }
}

const ONE: &str = "
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

const THREE: &str = "
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

const FIVE: &str = "
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

const SEVEN: &str = "
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
