//! Hashes of the engines' moves in fixed positions.
//!
//! If you change a move, increase the game's `ENGINE_VERSION` and update the hashes:
//! `UPDATE_EXPECT=1 cargo test --test games digest`.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use game::{Engine, Game};
use games::checkers::Checkers;
use games::chess::Chess;
use games::connect_four::{ConnectFour, GameConfig};
use games::hex::Hex;
use games::othello::Othello;
use games::tic_tac_toe::TicTacToe;
use games::ultimate_tic_tac_toe::UltimateTicTacToe;
use games::{GameKind, Random, with_game};
use serde_json::Value;

use super::{after_random, default_config, level, tic_tac_toe_config};

/// Returns the FNV-1a hash, which is the same on every machine.
fn fnv_1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn check_digest<G: Game>(config: &G::Config, plies: [usize; 3], expected: &Expect) {
    let mut lines = format!("engine {}\n", G::ENGINE_VERSION);
    for number in 1..=8 {
        let mut random = Random::new(number.into());
        let mut choices = String::new();
        // The upper levels are slow.
        let count = if number > 6 { 1 } else { plies.len() };
        for plies in plies.iter().take(count) {
            let game = (0..100).find_map(|_| after_random::<G>(config, *plies, &mut random)).unwrap();
            let chosen = game.choose(level(number), 5).unwrap();
            assert!(game.is_legal(&chosen.mv), "level {number}: {chosen:?} in {game:?}");
            choices += &format!("{} {} {};", game.notation(&chosen.mv), chosen.nodes, chosen.score);
        }
        lines += &format!("level {number}: {:016x}\n", fnv_1a(&choices));
    }
    expected.assert_eq(&lines);
}

#[test]
fn tic_tac_toe() {
    check_digest::<TicTacToe>(
        &default_config::<TicTacToe>(),
        [1, 2, 4],
        &expect![[r#"
            engine 4
            level 1: ca869a8f57297459
            level 2: 6aae97f66d5f3cee
            level 3: 341fa63e7b4c9159
            level 4: a838345290bee52e
            level 5: 4c49e8da4cb5084d
            level 6: c5ab9666b2f8f28a
            level 7: 5171aec6ff0c371b
            level 8: 26163ea9a3d13ac4
        "#]],
    );
    check_digest::<TicTacToe>(
        &tic_tac_toe_config(15, 5),
        [5, 9, 14],
        &expect![[r#"
            engine 4
            level 1: 201bbac836b1f4b2
            level 2: b9f1bf779825c666
            level 3: 38577ea6e40ea0fa
            level 4: 573a9bca86533fbc
            level 5: e970cf73a9c64186
            level 6: f646eb6ae31f7ccd
            level 7: 27938eeca6f34640
            level 8: b422ad214fecbb64
        "#]],
    );
}

#[test]
fn ultimate_tic_tac_toe() {
    check_digest::<UltimateTicTacToe>(
        &default_config::<UltimateTicTacToe>(),
        [30, 12, 5],
        &expect![[r#"
            engine 3
            level 1: 116435c9a7b87fb0
            level 2: 7c20506472d5ff10
            level 3: 4f7af1a613511471
            level 4: 97c3b9321c14a700
            level 5: 83b6339ef4743ce4
            level 6: 88f2020cd62623a6
            level 7: 6eedd6a32f12f5b4
            level 8: a904ebd3f9a22456
        "#]],
    );
}

#[test]
fn chess() {
    check_digest::<Chess>(
        &default_config::<Chess>(),
        [10, 30, 3],
        &expect![[r#"
            engine 5
            level 1: 8d3cf53527ef902d
            level 2: 92afa51ff014ff86
            level 3: c7e2a5113113a88c
            level 4: d1b192db0f3d8f10
            level 5: 0204c8d26161c3ee
            level 6: 1ac7c11553df8454
            level 7: 3c70ae4662e1ebac
            level 8: c302b4dd8b3d1f8a
        "#]],
    );
}

#[test]
fn connect_four() {
    check_digest::<ConnectFour>(
        &default_config::<ConnectFour>(),
        [12, 20, 6],
        &expect![[r#"
            engine 5
            level 1: 03f54fd11e6dffd1
            level 2: 37bcf309fb31a901
            level 3: 8beac214c7e55876
            level 4: 7ba073bd40c0bb60
            level 5: 31c7f3b5cd6b93be
            level 6: d73b9b974352e4ce
            level 7: c39942262b738c8c
            level 8: 2bb34476e133eb86
        "#]],
    );
    let config = GameConfig { columns: 9, rows: 7, k_in_row: 4 };
    check_digest::<ConnectFour>(
        &config,
        [30, 20, 6],
        &expect![[r#"
            engine 5
            level 1: 3455b32d34bba423
            level 2: 3f1b8bd6769c459a
            level 3: cc3e9f1cb9fb71e9
            level 4: 0133126c30b8b68f
            level 5: 793b7e315b483bb2
            level 6: b313b939e7d4de45
            level 7: cf34938dd7d50d4c
            level 8: 9872d9b3c7f579c1
        "#]],
    );
}

#[test]
fn othello() {
    check_digest::<Othello>(
        &default_config::<Othello>(),
        [46, 20, 6],
        &expect![[r#"
            engine 4
            level 1: fa11c3d13d444279
            level 2: 57cc054d6c28a977
            level 3: 08e8e9ead712bc9b
            level 4: b83cc44c89fbb7ee
            level 5: 669e0638651e9550
            level 6: e9921a640bbaed5b
            level 7: 45837724ed9dc665
            level 8: 6617d8b85e5504cf
        "#]],
    );
}

#[test]
fn hex() {
    check_digest::<Hex>(
        &default_config::<Hex>(),
        [60, 30, 9],
        &expect![[r#"
            engine 3
            level 1: ad0f419fe4529acc
            level 2: 4f03d2be12bc1012
            level 3: c6be3518ebbc65d7
            level 4: 70f1a5036325a981
            level 5: 768e1394afdde54b
            level 6: 542ff991ed2cf9c0
            level 7: 6af49c8899fec8fd
            level 8: b067d50d8dbe0adc
        "#]],
    );
}

#[test]
fn checkers() {
    check_digest::<Checkers>(
        &default_config::<Checkers>(),
        [20, 40, 6],
        &expect![[r#"
            engine 7
            level 1: 9f38fd7756bf58e7
            level 2: 731b0ccde2cb18fe
            level 3: 4361fc5361f6c391
            level 4: 699f0ccb6931b9f6
            level 5: 29743d20b971d969
            level 6: 95b9ec0ab255b441
            level 7: 07f39473e9e9dd30
            level 8: 9caf665cacfe45df
        "#]],
    );
}

/// Otherwise `verify --replies` can't check these records. If this fails, run `tests/records/demonstration.py` to play them
/// again.
#[test]
fn the_demonstration_records_are_from_the_current_engines() {
    let state = Path::new(env!("CARGO_MANIFEST_DIR")).join("state");
    let archive = fs::read_dir(state.join("archive")).unwrap().map(|file| file.unwrap().path());
    let mut replies = 0;
    for path in archive.chain([state.join("0.json")]) {
        let record: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let kind = GameKind::from_name(record["game"].as_str().unwrap()).unwrap();
        let version = with_game!(kind, G => G::ENGINE_VERSION);
        let events = record["history"].as_array().unwrap().iter();
        let effects = events.filter_map(|event| event["then"].as_array()).flatten();
        for reply in effects.filter_map(|effect| effect.get("reply")) {
            assert_eq!(reply["engine"], version, "{}", path.display());
            replies += 1;
        }
    }
    assert!(replies > 100, "{replies}");
}
