//! What every game has to keep to, checked for each one in the registry.

mod drop_four;

use answers::render::text;
use game::conformance::{check_json, check_parsing, default_config, play_out};
use game::contract::{Game, Interop, Rules};
use game::options::Options;
use games::backgammon::game::Backgammon;
use games::chess::config::GameConfig;
use games::chess::game::Chess;
use games::registry::{GameKind, with_game};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use testkit::often;

/// Every small picture is a document of its own.
fn check_tiles<G: Game>(positions: &[G]) {
    for mosaic in positions.iter().step_by(5).filter_map(|game| game.board(None).tile_board(&|_| true)) {
        for tile in mosaic.rows.iter().flat_map(|row| &row.tiles) {
            let svg = roxmltree::Document::parse(&tile.svg).expect("it is XML");
            assert_eq!(svg.root_element().attribute("width"), Some(tile.width.to_string().as_str()));
        }
    }
}

#[test]
fn playouts_end_and_everything_round_trips() {
    for kind in GameKind::ALL {
        let mut runner =
            TestRunner::new(Config { cases: often(1, 12), failure_persistence: None, ..Config::default() });
        let choices = proptest::collection::vec(any::<usize>(), 64);
        let ran = runner.run(&choices, |choices| {
            let mut at = 0;
            let mut choose = |from: usize| {
                at += 1;
                choices[at % choices.len()].wrapping_add(at) % from
            };
            with_game!(*kind, G => check_tiles(&play_out::<G>(&default_config::<G>(), &mut choose)));
            Ok(())
        });
        assert!(ran.is_ok(), "{kind:?}: {ran:?}");
    }
}

/// The setups that change how a game goes on, beside the default one.
#[test]
fn matches_and_cubes_round_trip_as_well() {
    for setup in ["match=3", "match=5", "cube=on", "match=2 cube=off", "cube=on jacoby=on", "overshoot=on"]
        .iter()
        .step_by(often(2, 1))
    {
        let pairs = setup.split(' ').filter_map(|pair| pair.split_once('='));
        let mut options =
            Options { pairs: pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect(), ..Options::default() };
        let config = Backgammon::configure(&mut options).expect("these are options");
        for seed in 1..=often(1, 12_u64) {
            let mut state = seed;
            play_out::<Backgammon>(&config, &mut |from| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % from
            });
        }
    }
}

/// Kings and rooks that begin anywhere, and pawns that are about to become pieces.
#[test]
fn setups_of_chess_round_trip_as_well() {
    let promoting = GameConfig { fen: Some("7k/PPPP4/8/8/8/8/4pppp/K7 w - - 0 1".to_owned()), ..GameConfig::default() };
    let numbered = |number| GameConfig { chess960: Some(number), ..GameConfig::default() };
    for (at, config) in
        [promoting].into_iter().chain((0..often(1, 13)).map(|nth| numbered(nth * 397 % 960))).enumerate()
    {
        let mut state = at;
        play_out::<Chess>(&config, &mut |from| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % from
        });
    }
}

#[test]
fn no_text_and_no_damage_makes_a_game_panic() {
    for kind in GameKind::ALL {
        let mut runner = TestRunner::new(Config { cases: 400, failure_persistence: None, ..Config::default() });
        let position = with_game!(*kind, G => {
            let start = G::start(&default_config::<G>()).unwrap();
            serde_json::to_string(&start.position()).unwrap()
        });
        let damage = (any::<prop::sample::Index>(), ".{0,3}", 0_usize..6);
        let ran = runner.run(&(".{0,40}", damage), |(text, (at, put, cut))| {
            let at = at.index(position.len());
            let mut damaged = position.clone();
            damaged.replace_range(at..(at + cut).min(position.len()), &put);
            with_game!(*kind, G => {
                check_parsing::<G>(&text);
                if let Ok(value) = serde_json::from_str(&damaged) {
                    check_json::<G>(&value);
                }
            });
            Ok(())
        });
        assert!(ran.is_ok(), "{kind:?}: {ran:?}");
    }
}

#[test]
fn what_a_game_says_about_itself_can_be_shown() {
    for kind in GameKind::ALL {
        let info = kind.info();
        assert!(info.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{}", info.name);
        assert_ne!(info.seats[0].to_lowercase(), info.seats[1].to_lowercase());
        for sentence in [info.summary.to_owned(), text(&info.how_to_move())] {
            assert!(sentence.ends_with('.'), "a sentence: {sentence}");
        }
        for name in [info.name].iter().chain(info.aliases) {
            assert_eq!(GameKind::parse(name), Some(*kind), "no two games share the name {name}");
        }
    }
}
