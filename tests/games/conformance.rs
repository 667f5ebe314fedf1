//! Conformance checks for every game in the registry.

use answers::render::text;
use game::cell::OUT_OF_RANGE_CODE;
use game::{
    Game, Notation, Options, ParseMoveError, PositionJson, Rules, Span, check_json, check_parsing, default_config,
    play_out,
};
use games::backgammon::Backgammon;
use games::chess::{Chess, GameConfig};
use games::{GameKind, GameVariant, with_game};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use testkit::{options, short_or_long};

/// Checks that every tile is a standalone SVG document.
fn check_tiles<G: Game>(positions: &[G]) {
    for mosaic in positions.iter().step_by(5).filter_map(|game| game.board(None).tile_board(&|_| true)) {
        for tile in mosaic.rows.iter().flat_map(|row| &row.tiles) {
            let svg = roxmltree::Document::parse(&tile.svg).expect("it is XML");
            assert_eq!(svg.root_element().attribute("width"), Some(tile.width.to_string().as_str()));
        }
    }
}

#[test]
fn playouts_end_and_round_trip() {
    for kind in GameKind::ALL {
        let mut runner =
            TestRunner::new(Config { cases: short_or_long(1, 8), failure_persistence: None, ..Config::default() });
        let choices = proptest::collection::vec(any::<usize>(), 64);
        let result = runner.run(&choices, |choices| {
            let mut calls = 0;
            let mut choose = |count: usize| {
                calls += 1;
                choices[calls % choices.len()].wrapping_add(calls) % count
            };
            with_game!(*kind, G => check_tiles(&play_out::<G>(&default_config::<G>(), &mut choose)));
            Ok(())
        });
        assert!(result.is_ok(), "{kind:?}: {result:?}");
    }
}

/// Options that change the rules.
#[test]
fn backgammon_options_round_trip() {
    for setup in ["match=3", "match=5", "cube=on", "match=2 cube=off", "cube=on jacoby=on", "overshoot=on"]
        .iter()
        .step_by(short_or_long(2, 1))
    {
        let pairs = setup.split(' ').filter_map(|pair| pair.split_once('='));
        let mut options =
            Options { pairs: pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect(), ..Options::default() };
        let config = Backgammon::configure(&mut options).expect("the options are valid");
        for seed in 1..=short_or_long(1, 8_u64) {
            let mut state = seed;
            play_out::<Backgammon>(&config, &mut |count| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % count
            });
        }
    }
}

/// Chess960 starting positions, and pawns about to promote.
#[test]
fn chess_setups_round_trip() {
    let promoting = GameConfig { fen: Some("7k/PPPP4/8/8/8/8/4pppp/K7 w - - 0 1".to_owned()), ..GameConfig::default() };
    let numbered = |number| GameConfig { chess960: Some(number), ..GameConfig::default() };
    let setups = (0..short_or_long(1, 13)).map(|index| numbered(index * 397 % 960));
    for (seed, config) in [promoting].into_iter().chain(setups).enumerate() {
        let mut state = seed;
        play_out::<Chess>(&config, &mut |count| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % count
        });
    }
}

#[test]
fn arbitrary_text_and_damaged_json_never_panic() {
    for kind in GameKind::ALL {
        let mut runner = TestRunner::new(Config { cases: 400, failure_persistence: None, ..Config::default() });
        let position = with_game!(*kind, G => {
            let start = G::start(&default_config::<G>()).unwrap();
            serde_json::to_string(&start.position()).unwrap()
        });
        let damage = (any::<prop::sample::Index>(), ".{0,3}", 0_usize..6);
        let result = runner.run(&(".{0,40}", damage), |(text, (index, inserted, removed))| {
            let start = index.index(position.len());
            let mut damaged = position.clone();
            damaged.replace_range(start..(start + removed).min(position.len()), &inserted);
            with_game!(*kind, G => {
                check_parsing::<G>(&text);
                if let Ok(value) = serde_json::from_str(&damaged) {
                    check_json::<G>(&value);
                }
            });
            Ok(())
        });
        assert!(result.is_ok(), "{kind:?}: {result:?}");
    }
}

#[test]
fn game_info_is_well_formed() {
    for kind in GameKind::ALL {
        let info = kind.info();
        assert!(info.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{}", info.name);
        assert_ne!(info.seats[0].to_lowercase(), info.seats[1].to_lowercase());
        for sentence in [info.summary.to_owned(), text(&info.how_to_move())] {
            assert!(sentence.ends_with('.'), "ends with a period: {sentence}");
        }
        for name in [info.name].iter().chain(info.aliases) {
            assert_eq!(GameKind::parse(name), Some(*kind), "no two games share the name {name}");
        }
    }
}

#[test]
fn variants_are_selected_by_their_options_and_share_no_names() {
    for game in GameVariant::all() {
        for name in game.names() {
            assert_eq!(GameVariant::parse(name), Some(game), "no two games share the name {name}");
        }
        let options = game.variant.map_or("", |variant| variant.options);
        let pairs = options.split_whitespace().filter_map(|word| word.split_once('='));
        let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        with_game!(game.kind, G => {
            let config = G::configure(&mut Options { pairs, ..Options::default() }).unwrap();
            assert_eq!(G::variant(&config), game.variant);
        });
    }
}

#[test]
fn examples_are_on_the_smallest_board() {
    for kind in GameKind::ALL {
        with_game!(*kind, G => {
            let start_with = |size: String| G::start(&G::configure(&mut options(&size)).ok()?).ok();
            let mut sizes = (2..20).flat_map(|size| [format!("size={size}"), format!("size={size}x{size}")]);
            let start = sizes.find_map(start_with).unwrap();
            for span in G::INFO.moves {
                let Span::Code(example) = span else { continue };
                if let Err(ParseMoveError::OutOfRange(violation)) = start.parse_move(example) {
                    assert_ne!(violation.code, OUT_OF_RANGE_CODE, "{kind:?}: {example}: {violation:?}");
                }
            }
        });
    }
}
