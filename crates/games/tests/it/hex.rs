//! Hex: the tree of positions, who is joined, the swap, sizes, and positions that others have written.

use answers::render::text;
use game::contract::{Display, Engine, Explain, Game, Interop, Notation, Outcome, Rules, apply_move};
use game::options::Options;
use game::seat::Seat;
use games::hex::cell_set::neighbors;
use games::hex::config::GameConfig;
use games::hex::game::{Hex, Move};
use games::hex::position::{Color, Position};
use games::search::random::Random;
use testkit::often;

use crate::computer::{after_random, level};

fn sized(board_size: usize) -> GameConfig {
    GameConfig { board_size, swap: true }
}

#[track_caller]
fn played(size: usize, moves: &str) -> Hex {
    let start = Hex::start(&sized(size)).unwrap();
    moves.split_whitespace().fold(start, |game, mv| apply_move(&game, &game.parse_move(mv).unwrap()).unwrap())
}

#[track_caller]
fn at(rows: &str, current_player: Color) -> Hex {
    let board: Vec<String> = rows.split_whitespace().map(ToOwned::to_owned).collect();
    let config = sized(board.len());
    Hex::from_position(&config, &Position { board, current_player }).unwrap()
}

/// The second ply is one of 120 cells or the swap; on 3x3 all games are played out, and three stones of one side are needed to win.
#[test]
fn perft() {
    let start = Hex::start(&sized(11)).unwrap();
    assert_eq!([1, 2].map(|depth| start.perft(depth)), [121, 14_641]);
    let without = Hex::start(&GameConfig { swap: false, ..sized(11) }).unwrap();
    assert_eq!([1, 2].map(|depth| without.perft(depth)), [121, 14_520]);
    fn by_playing(game: &Hex, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        game.legal_moves().iter().map(|mv| by_playing(&apply_move(game, mv).unwrap(), depth - 1)).sum()
    }
    let small = Hex::start(&sized(3)).unwrap();
    for depth in 1..=often(6, 9) {
        assert_eq!(small.perft(depth), by_playing(&small, depth), "depth {depth}");
    }
}

/// Who is joined, found out from scratch in the plainest way.
fn joined(game: &Hex, seat: Seat) -> bool {
    let size = game.size;
    let far = |row: usize, column: usize| if seat == Seat::First { row } else { column };
    let own = |row: usize, column: usize| game.stone(row * size + column) == Some(seat);
    let all = (0..size * size).map(|cell| (cell / size, cell % size));
    let mut waiting: Vec<(usize, usize)> = all.filter(|(r, c)| far(*r, *c) == 0 && own(*r, *c)).collect();
    let mut seen = waiting.clone();
    while let Some((row, column)) = waiting.pop() {
        if far(row, column) == size - 1 {
            return true;
        }
        for next in neighbors(size, row, column).filter(|(r, c)| own(*r, *c)) {
            if !seen.contains(&next) {
                seen.push(next);
                waiting.push(next);
            }
        }
    }
    false
}

#[test]
fn whoever_joins_both_edges_has_won_at_once() {
    let mut random = Random::new(1);
    for nth in 0..often(60, 2_000) {
        let mut game = Hex::start(&sized(3 + nth % 17)).unwrap();
        while game.outcome().is_none() {
            assert_eq!(Seat::BOTH.map(|seat| joined(&game, seat)), [false; 2]);
            let moves = game.legal_moves();
            game = apply_move(&game, &moves[random.below(moves.len())]).unwrap();
        }
        let Some(Outcome::Won(winner)) = game.outcome() else { panic!("there are no draws") };
        assert_eq!(Seat::BOTH.map(|seat| joined(&game, seat)), Seat::BOTH.map(|seat| seat == winner));
        check_chain(&game, winner);
    }
}

/// The chain goes from edge to edge over stones of the winner, each beside the next.
fn check_chain(game: &Hex, winner: Seat) {
    let [chain] = &game.winning_lines()[..] else { panic!("there is one chain") };
    let size = game.size;
    let far = |cell: usize| if winner == Seat::First { cell / size } else { cell % size };
    assert_eq!([far(chain[0]), far(chain[chain.len() - 1])], [0, size - 1]);
    assert!(chain.iter().all(|cell| game.stone(*cell) == Some(winner)));
    let next = |pair: &[usize]| neighbors(size, pair[0] / size, pair[0] % size).any(|(r, c)| r * size + c == pair[1]);
    assert!(chain.windows(2).all(next), "{chain:?}");
}

#[test]
fn six_cells_touch_one_in_the_middle() {
    let game = played(5, "c3");
    let near: Vec<String> = neighbors(5, 2, 2)
        .map(|(row, column)| game.notation(&Move { position: (row * 5 + column) as u32, swap: false }))
        .collect();
    assert_eq!(near, ["c2", "d2", "d3", "c4", "b4", "b3"]);
    assert_eq!(neighbors(5, 0, 0).count(), 2);
    assert_eq!(neighbors(5, 0, 4).count(), 3);
}

#[test]
fn blue_may_take_the_first_stone_over() {
    let game = played(5, "d2");
    assert_eq!(
        text(&game.turn_hint().unwrap()),
        "Instead of placing a stone, Blue can take over Red's: write `/swap`."
    );
    let swapped = apply_move(&game, &game.parse_move("Swap!").unwrap()).unwrap();
    assert_eq!(swapped.position().board, [".....", ".....", ".....", ".B...", "....."]);
    assert_eq!(swapped.side_to_move(), Seat::First);
    assert_eq!(text(&swapped.commentary().unwrap()), "Red's stone is now Blue's, mirrored to `b4`.");
    assert_eq!(apply_move(&swapped, &swapped.parse_move("a1").unwrap()).unwrap().commentary(), None);
    let refused = |game: &Hex| text(&game.explain(&game.parse_move("swap").unwrap()).unwrap());
    assert_eq!(refused(&played(5, "")), "You can only `swap` on Blue's first move");
    assert_eq!(refused(&swapped), "You can only `swap` on Blue's first move");
    assert_eq!(refused(&played(5, "d2 c3")), "You can only `swap` on Blue's first move");
    let without = GameConfig { board_size: 5, swap: false };
    let game = Hex::start(&without).unwrap();
    let game = apply_move(&game, &game.parse_move("d2").unwrap()).unwrap();
    assert_eq!(refused(&game), "You can't `swap` in this game");
    assert_eq!(game.legal_moves().len(), 24);
}

#[test]
fn the_board_is_slanted() {
    let game = played(4, "b2 c3 a4 b3 a3 d2 b1");
    let last = game.parse_move("b1").unwrap();
    let board = game.board(Some(&last));
    expect_test::expect![[r#"
          a b c d
        1 .[R]. .
         2 .[R]. B
          3[R]B B .
           4[R]. . .
        Red is R, Blue is B; Red plays top to bottom, Blue left to right"#]]
    .assert_eq(&board.text().plain());
    expect_test::expect!["4 by 4 hexagons; red on b1, b2, a3, a4; blue on d2, b3, c3; 9 cells free; the last move is b1; the chain runs through b1, b2, a3, a4."].assert_eq(&board.description());
    assert_eq!(game.ending().unwrap().reason.unwrap(), "a chain from top to bottom");
    let open = played(4, "b2 c3");
    expect_test::expect![[r#"
          a b c d
        1 . . . .
         2 . R . .
          3 . .(B).
           4 . . . .
        Red is R, Blue is B; Red plays top to bottom, Blue left to right"#]]
    .assert_eq(&open.board(Some(&open.parse_move("c3").unwrap())).text().plain());
}

#[test]
fn a_move_that_is_none_is_explained() {
    let game = played(5, "c3");
    let told = |mv: &str| text(&game.explain(&game.parse_move(mv).unwrap()).unwrap());
    assert_eq!(told("c3"), "Red already has a stone on `c3`");
    let code = |mv: &str| game.legality_error(&game.parse_move(mv).unwrap()).unwrap().code;
    assert_eq!(code("12"), "OCCUPIED_CELL");
    assert_eq!(game.legality_error(&Move { position: 25, swap: false }).unwrap().code, "INVALID_MOVE_POSITION");
    assert_eq!(game.legality_error(&Move { position: 3, swap: true }).unwrap().code, "NO_SWAP");
}

#[test]
fn sizes_are_read_and_others_are_refused() {
    let asked = |words: &[&str], pairs: &[(&str, &str)]| {
        let words = words.iter().map(ToString::to_string).collect();
        let pairs = pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let mut options = Options { words, pairs, ..Options::default() };
        Hex::configure(&mut options).map_err(|bad| text(&bad.expected))
    };
    assert_eq!(asked(&["13x13"], &[("swap", "off")]), Ok(GameConfig { board_size: 13, swap: false }));
    assert_eq!(asked(&[], &[("boardsize", "19"), ("pie", "Yes")]), Ok(sized(19)));
    assert_eq!(asked(&[], &[("size", "20")]).unwrap_err(), "`size` has to be a number from 3 to 19.");
    assert_eq!(
        asked(&["5x6"], &[]).unwrap_err(),
        "Hex boards are square, so give `size` as one number: `13` (or `13x13`)."
    );
    assert_eq!(asked(&["5x5"], &[("size", "6")]).unwrap_err(), "`size` has two different values. Give it once.");
    assert_eq!(asked(&[], &[("swap", "perhaps")]).unwrap_err(), "`swap` has to be `on` or `off`.");
    assert!(Hex::start(&sized(2)).unwrap_err().message.contains("config.boardSize is 2, expected 3 to 19"));
}

#[test]
fn a_position_that_cannot_be_is_refused_with_the_reason() {
    let check = |rows: &[&str], told: &str| {
        let board = rows.iter().map(ToString::to_string).collect();
        let position = Position { board, current_player: Color::Red };
        assert_eq!(Hex::from_position(&sized(3), &position).unwrap_err().message, told);
    };
    check(&["...", "..."], "Invalid game state: board.length is 2, expected 3 rows");
    check(&["...", "..", "..."], r#"Invalid game state: board[1] is "..", expected 3 characters"#);
    check(&["...", "..X", "..."], r#"Invalid game state: board[1] is "..X", expected only R, B and ."#);
}

#[test]
fn a_chain_that_can_be_finished_is_finished() {
    let game = at("..R.. ..R.. .R... ..... .R...", Color::Red);
    for number in 1..=8 {
        let after = game.play(&game.choose(level(number), 1).unwrap().mv);
        assert_eq!(after.outcome(), Some(Outcome::Won(Seat::First)), "level {number}");
    }
}

/// Red is joined twice over two cells each time, and keeps what blue cuts.
#[test]
fn two_stones_that_two_cells_join_stay_joined() {
    let game = at("..... ..R.. ..B.. .R... .....", Color::Red);
    for number in 5..=7 {
        let chosen = game.choose(level(number), 1).unwrap();
        assert_eq!(game.notation(&chosen.mv), "b3", "level {number}");
    }
}

/// What is worth more than the move after it is taken over, and nothing else.
#[test]
fn a_strong_first_stone_is_taken_over() {
    for (mv, swaps) in [("f6", true), ("e6", true), ("a1", false), ("k11", false)] {
        let game = played(11, mv);
        assert_eq!(game.choose(level(6), 1).unwrap().mv.swap, swaps, "{mv}");
    }
    let first = Hex::start(&sized(11)).unwrap().choose(level(4), 1).unwrap().mv;
    assert!(["a3", "c2", "k9", "i10"].contains(&played(11, "").notation(&first).as_str()));
}

#[test]
fn the_end_of_a_small_board_is_found() {
    let mut random = Random::new(3);
    let mut checked = 0;
    while checked < often(8, 100) {
        let Some(game) = after_random::<Hex>(&sized(4), 6 + random.below(4), &mut random) else { continue };
        let chosen = game.choose(level(7), 1).unwrap();
        if wins(&game) {
            assert!(!wins(&game.play(&chosen.mv)), "{:?}", game.position());
        }
        checked += 1;
    }
}

/// Tests by trying everything if the side on turn can force a win.
fn wins(game: &Hex) -> bool {
    match game.outcome() {
        Some(Outcome::Won(seat)) => seat == game.side_to_move(),
        _ => game.legal_moves().iter().any(|mv| !wins(&game.play(mv))),
    }
}
