//! What the computer chooses on fixed positions, in short. Whoever changes a choice raises the `ENGINE` of that game and has the
//! new line written: `UPDATE_EXPECT=1 cargo test --test fast digest`.

use expect_test::{Expect, expect};
use play_by_commit::game::contract::Game;
use play_by_commit::games::tic_tac_toe::game::TicTacToe;
use play_by_commit::games::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use play_by_commit::search::random::Random;

use super::{after_random, board, level, usual};

/// FNV-1a, for the same number everywhere.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn check<G: Game>(config: &G::Config, plies: [usize; 3], expected: &Expect) {
    let mut lines = format!("engine {}\n", G::ENGINE);
    for number in 1..=8 {
        let mut random = Random::new(number.into());
        let mut choices = String::new();
        // The upper levels take their time.
        let count = if number > 6 { 1 } else { plies.len() };
        for plies in plies.iter().take(count) {
            let game = (0..100).find_map(|_| after_random::<G>(config, *plies, &mut random)).unwrap();
            let chosen = game.choose(level(number), 5).unwrap();
            choices += &format!("{} {} {};", game.notation(&chosen.mv), chosen.nodes, chosen.value);
        }
        lines += &format!("level {number}: {:016x}\n", hash(&choices));
    }
    expected.assert_eq(&lines);
}

#[test]
fn tic_tac_toe() {
    check::<TicTacToe>(
        &usual::<TicTacToe>(),
        [1, 2, 4],
        &expect![[r#"
        engine 1
        level 1: f867c55f8c1a706c
        level 2: c1881658c18b09ff
        level 3: 6e3c4ea1b2650edc
        level 4: afb473dbddac3e08
        level 5: 25c9f926bfa123e9
        level 6: c71cbbdedb128ca2
        level 7: 71117913c4b50dde
        level 8: 9148091c4090a284
    "#]],
    );
    check::<TicTacToe>(
        &board(15, 5),
        [5, 9, 14],
        &expect![[r#"
        engine 1
        level 1: 1fec122a92f06525
        level 2: b9f1bf779825c666
        level 3: 410ed9ef71452099
        level 4: d923d072ec3a134d
        level 5: d95f1787aca10805
        level 6: 68111986b41b54e4
        level 7: 7526947a074caa72
        level 8: a48140862f47a770
    "#]],
    );
}

#[test]
fn ultimate_tic_tac_toe() {
    check::<UltimateTicTacToe>(
        &usual::<UltimateTicTacToe>(),
        [30, 12, 5],
        &expect![[r#"
        engine 1
        level 1: 53c74f23b1bffdb5
        level 2: 2bc25ff4620c83ef
        level 3: e8c031fda3139e7c
        level 4: 7f8ad333a61de08d
        level 5: 72c3285eb6736483
        level 6: c5387b9752ae5152
        level 7: 6eedd6a32f12f5b4
        level 8: a904ebd3f9a22456
    "#]],
    );
}
