//! Tests of the engines: moves are legal and reproducible, perfect on small boards, and never miss a forced win or defense.

mod beginner;
mod checkers;
mod chess;
mod connect_four;
mod digest;
mod learning;
mod othello;
mod perfect;
mod tactics;

use game::{DiceRules, Engine, EngineMove, Game, Level, Options, PositionJson, Rules, apply_move};
use games::hex::Hex;
use games::tic_tac_toe::{GameConfig, Move, TicTacToe};
use games::{GameKind, GameMode, Mark, PlayedPly, Random, analyze, with_game};
use testkit::{quick_or_full, short_or_long};

/// The most nodes that any level may search, about a second.
const MAX_NODES: u64 = 10_200_000;

/// An analysis stays near its number of nodes, and is the same every time.
#[test]
fn analyses_are_legal_and_reproducible() {
    for kind in GameKind::ALL {
        let name = kind.info().name;
        with_game!(*kind, G => {
            let config = G::configure(&mut Options::default()).unwrap();
            for plies in [2, 7] {
                let Some(game) = after_random::<G>(&config, plies, &mut Random::new(5)) else { continue };
                for nodes in [2_000, 40_000] {
                    let found = game.analyze(nodes, &mut Default::default()).unwrap();
                    assert!(game.legal_moves().contains(&found.mv), "{name}");
                    assert!(found.nodes < 3 * nodes, "{name}: {} of {nodes} nodes", found.nodes);
                    assert_eq!(game.analyze(nodes, &mut Default::default()), Some(found), "{name}");
                }
            }
        });
    }
}

/// Rollouts on 19x19 take three times as long as on 11x11, so the same number of nodes has to mean fewer.
#[test]
fn nodes_of_a_hex_analysis_count_the_size_of_the_board() {
    let mut options = Options { pairs: vec![("size".to_owned(), "19".to_owned())], ..Options::default() };
    let config = Hex::configure(&mut options).unwrap();
    let game = after_random::<Hex>(&config, 7, &mut Random::new(5)).unwrap();
    let found = game.analyze(9_000, &mut Default::default()).unwrap();
    assert!((4_500..13_500).contains(&found.nodes), "{}", found.nodes);
}

/// A few rollouts can't tell how good a move is, but the win rate of all of them hardly depends on the side to move.
#[test]
fn chances_do_not_jump_on_a_large_hex_board() {
    let mut options = Options { pairs: vec![("size".to_owned(), "19".to_owned())], ..Options::default() };
    let mut game = Hex::start(&Hex::configure(&mut options).unwrap()).unwrap();
    let mut plies = Vec::new();
    for seed in 0..24 {
        let mv = game.choose(level(3), seed).unwrap().mv;
        let next = game.play(&mv);
        plies.push((std::mem::replace(&mut game, next), mv));
    }
    let played: Vec<_> = plies.iter().map(|(before, mv)| PlayedPly { before, mv: Some(mv) }).collect();
    let chances: Vec<u16> = analyze(&played, &game, 150_000).unwrap().plies.iter().map(|ply| ply.chance).collect();
    let sum: u16 = chances.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum();
    assert!(sum / 23 < 60, "{chances:?}");
}

/// Returns a game after `plies` random moves and any pending roll; `None` if the game is over.
pub(crate) fn after_random<G: Game>(config: &G::Config, plies: usize, random: &mut Random) -> Option<G> {
    let mut game = G::start(config).unwrap();
    for _ in 0..plies {
        while game.needs_roll() {
            game = game.with_roll(random.roll());
        }
        let moves = game.legal_moves();
        game = apply_move(&game, moves.get(random.below(moves.len()))?).unwrap();
    }
    while game.needs_roll() {
        game = game.with_roll(random.roll());
    }
    game.outcome().is_none().then_some(game)
}

/// Returns the settings of tic-tac-toe on a board of this size.
pub(crate) fn tic_tac_toe_config(size: usize, k: usize) -> GameConfig {
    GameConfig { board_size: size, k_in_row: k, first_player: Mark::X, mode: GameMode::HumanVsHuman }
}

/// Parses a board: rows of `X`, `O` and `.` from the top. The side with fewer marks is to move.
#[track_caller]
pub(crate) fn tic_tac_toe_position(k: usize, rows: &str) -> TicTacToe {
    let rows: Vec<&str> = rows.split_whitespace().collect();
    let cells = rows.concat();
    let count = |mark: char| cells.chars().filter(|c| *c == mark).count();
    let config = tic_tac_toe_config(rows.len(), k);
    let mut position = TicTacToe::start(&config).unwrap().position();
    position.current_player = if count('X') > count('O') { Mark::O } else { Mark::X };
    let mark = |c: char| match c {
        'X' => Some(Mark::X),
        'O' => Some(Mark::O),
        _ => None,
    };
    position.board = cells.chars().map(mark).collect();
    TicTacToe::from_position(&config, &position).unwrap()
}

pub(crate) fn level(number: u8) -> Level {
    Level::new(number).unwrap()
}

pub(crate) fn choose_at_level(game: &TicTacToe, number: u8) -> EngineMove<Move> {
    game.choose(level(number), 1).expect("there is a move")
}

/// Plays a game at these levels, to the end or for at most `plies` plies, and checks every move.
pub(crate) fn check_self_play<G: Game>(config: &G::Config, levels: [u8; 2], plies: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut game = G::start(config).unwrap();
    for ply in 0..plies {
        if game.needs_roll() {
            assert_eq!(game.choose(level(1), seed), None, "no move before a roll");
            game = game.with_roll(random.roll());
            continue;
        }
        let level = level(levels[game.side_to_move().index()]);
        let chosen = game.choose(level, seed + ply as u64);
        if game.outcome().is_some() {
            assert_eq!(chosen, None, "no move after the end");
            return;
        }
        let chosen = chosen.expect("a move while the game goes on");
        assert!(chosen.nodes <= MAX_NODES, "{} {level:?}: {} nodes", G::INFO.name, chosen.nodes);
        game = apply_move(&game, &chosen.mv).expect("a legal move");
    }
}

fn default_config<G: Game>() -> G::Config {
    G::configure(&mut Options::default()).unwrap()
}

#[test]
fn every_engine_plays_legal_moves() {
    for kind in GameKind::ALL {
        for seed in 0..short_or_long(1, 4) {
            with_game!(*kind, G => check_self_play::<G>(&default_config::<G>(), [1, 2], 300, seed));
        }
        // The digests have moves of level 8, too.
        let plies = short_or_long(quick_or_full(0, 2), 8);
        with_game!(*kind, G => {
            check_self_play::<G>(&default_config::<G>(), [1, 8], plies, 3);
            check_self_play::<G>(&default_config::<G>(), [8, 1], short_or_long(0, plies), 4);
        });
    }
}

#[test]
fn plays_legal_moves_on_every_kind_of_tic_tac_toe_board() {
    for (size, k) in
        [(3, 3), (4, 3), (4, 4), (5, 3), (5, 5), (6, 3), (6, 4), (7, 7), (11, 3), (15, 5), (19, 6), (19, 19)]
    {
        check_self_play::<TicTacToe>(&tic_tac_toe_config(size, k), [1, 3], 40, 7);
        check_self_play::<TicTacToe>(&tic_tac_toe_config(size, k), [4, 2], short_or_long(8, 400), 8);
    }
}

#[test]
fn the_same_position_level_and_seed_give_the_same_move() {
    for kind in GameKind::ALL {
        with_game!(*kind, G => {
            let mut random = Random::new(5);
            for plies in [0, 3, 9] {
                let Some(game) = after_random::<G>(&default_config::<G>(), plies, &mut random) else { continue };
                for level in [kind.lowest_level(), level(1), level(4)] {
                    let choices = [(); 3].map(|()| game.clone().choose(level, 11));
                    assert!(choices[0].is_some() && choices[0] == choices[1] && choices[1] == choices[2]);
                }
            }
        });
    }
}

#[test]
fn different_seeds_vary_the_move() {
    for kind in GameKind::ALL {
        with_game!(*kind, G => {
            let mut game = G::start(&default_config::<G>()).unwrap();
            if game.needs_roll() {
                game = game.with_roll([4, 1]);
            }
            let first = game.choose(level(1), 0);
            assert!((1..20).any(|seed| game.choose(level(1), seed) != first), "{}", G::INFO.name);
        });
    }
}
