//! Tests of Hex: perft, winning chains, the swap, options and positions.

use answers::render::text;
use game::{Display, Engine, Explain, Game, Notation, Options, Outcome, PositionJson, Rules, Seat, apply_move};
use games::Random;
use games::hex::{Color, GameConfig, Hex, Move, Position, neighbors};
use testkit::{quick_or_full, short_or_long};

use crate::computer::{after_random, level};

fn config_with_size(board_size: usize) -> GameConfig {
    GameConfig { board_size, swap: true }
}

#[track_caller]
fn after_moves(size: usize, moves: &str) -> Hex {
    let start = Hex::start(&config_with_size(size)).unwrap();
    moves.split_whitespace().fold(start, |game, mv| apply_move(&game, &game.parse_move(mv).unwrap()).unwrap())
}

#[track_caller]
fn game_at(rows: &str, current_player: Color) -> Hex {
    let board: Vec<String> = rows.split_whitespace().map(ToOwned::to_owned).collect();
    let config = config_with_size(board.len());
    Hex::from_position(&config, &Position { board, current_player }).unwrap()
}

/// The second ply is one of 120 cells or the swap.
#[test]
fn perft() {
    let start = Hex::start(&config_with_size(11)).unwrap();
    assert_eq!([1, 2].map(|depth| start.perft(depth)), [121, 14_641]);
    let without_swap = Hex::start(&GameConfig { swap: false, ..config_with_size(11) }).unwrap();
    assert_eq!([1, 2].map(|depth| without_swap.perft(depth)), [121, 14_520]);
    fn perft_by_playing(game: &Hex, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        game.legal_moves().iter().map(|mv| perft_by_playing(&apply_move(game, mv).unwrap(), depth - 1)).sum()
    }
    let small = Hex::start(&config_with_size(3)).unwrap();
    for depth in 1..=short_or_long(6, 9) {
        assert_eq!(small.perft(depth), perft_by_playing(&small, depth), "depth {depth}");
    }
}

/// Whether a side has a winning chain, by a depth-first search.
fn has_chain(game: &Hex, seat: Seat) -> bool {
    let size = game.size;
    let distance = |row: usize, column: usize| if seat == Seat::First { row } else { column };
    let is_own = |row: usize, column: usize| game.stone(row * size + column) == Some(seat);
    let all = (0..size * size).map(|cell| (cell / size, cell % size));
    let mut stack: Vec<(usize, usize)> = all.filter(|(r, c)| distance(*r, *c) == 0 && is_own(*r, *c)).collect();
    let mut seen = stack.clone();
    while let Some((row, column)) = stack.pop() {
        if distance(row, column) == size - 1 {
            return true;
        }
        for next in neighbors(size, row, column).filter(|(r, c)| is_own(*r, *c)) {
            if !seen.contains(&next) {
                seen.push(next);
                stack.push(next);
            }
        }
    }
    false
}

#[test]
fn connecting_both_edges_wins_at_once() {
    let mut random = Random::new(1);
    for nth in 0..short_or_long(60, 2_000) {
        let mut game = Hex::start(&config_with_size(3 + nth % 17)).unwrap();
        while game.outcome().is_none() {
            assert_eq!(Seat::BOTH.map(|seat| has_chain(&game, seat)), [false; 2]);
            let moves = game.legal_moves();
            game = apply_move(&game, &moves[random.below(moves.len())]).unwrap();
        }
        let Some(Outcome::Won(winner)) = game.outcome() else { panic!("there are no draws") };
        assert_eq!(Seat::BOTH.map(|seat| has_chain(&game, seat)), Seat::BOTH.map(|seat| seat == winner));
        check_chain(&game, winner);
    }
}

/// Checks that the chain goes from edge to edge through adjacent stones of the winner.
fn check_chain(game: &Hex, winner: Seat) {
    let [chain] = &game.winning_lines()[..] else { panic!("there is one chain") };
    let size = game.size;
    let distance = |cell: usize| if winner == Seat::First { cell / size } else { cell % size };
    assert_eq!([distance(chain[0]), distance(chain[chain.len() - 1])], [0, size - 1]);
    assert!(chain.iter().all(|cell| game.stone(*cell) == Some(winner)));
    let are_adjacent =
        |pair: &[usize]| neighbors(size, pair[0] / size, pair[0] % size).any(|(r, c)| r * size + c == pair[1]);
    assert!(chain.windows(2).all(are_adjacent), "{chain:?}");
}

#[test]
fn a_cell_has_up_to_six_neighbors() {
    let game = after_moves(5, "c3");
    let names: Vec<String> = neighbors(5, 2, 2)
        .map(|(row, column)| game.notation(&Move { position: (row * 5 + column) as u32, swap: false }))
        .collect();
    assert_eq!(names, ["c2", "d2", "d3", "c4", "b4", "b3"]);
    assert_eq!(neighbors(5, 0, 0).count(), 2);
    assert_eq!(neighbors(5, 0, 4).count(), 3);
}

#[test]
fn blue_can_take_over_the_first_stone() {
    let game = after_moves(5, "d2");
    assert_eq!(
        text(&game.turn_hint().unwrap()),
        "Instead of placing a stone, Blue can take over Red's: write `/swap`."
    );
    let swapped = apply_move(&game, &game.parse_move("Swap!").unwrap()).unwrap();
    assert_eq!(swapped.position().board, [".....", ".....", ".....", ".B...", "....."]);
    assert_eq!(swapped.side_to_move(), Seat::First);
    assert_eq!(text(&swapped.commentary().unwrap()), "Red's stone is now Blue's, mirrored to `b4`.");
    assert_eq!(apply_move(&swapped, &swapped.parse_move("a1").unwrap()).unwrap().commentary(), None);
    let explanation = |game: &Hex| text(&game.why_illegal(&game.parse_move("swap").unwrap()).explanation.unwrap());
    assert_eq!(explanation(&after_moves(5, "")), "You can only `swap` on Blue's first move");
    assert_eq!(explanation(&swapped), "You can only `swap` on Blue's first move");
    assert_eq!(explanation(&after_moves(5, "d2 c3")), "You can only `swap` on Blue's first move");
    let without_swap = GameConfig { board_size: 5, swap: false };
    let game = Hex::start(&without_swap).unwrap();
    let game = apply_move(&game, &game.parse_move("d2").unwrap()).unwrap();
    assert_eq!(explanation(&game), "You can't `swap` in this game");
    assert_eq!(game.legal_moves().len(), 24);
}

#[test]
fn the_text_board_is_slanted() {
    let game = after_moves(4, "b2 c3 a4 b3 a3 d2 b1");
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
    let open = after_moves(4, "b2 c3");
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
fn explains_illegal_moves() {
    let game = after_moves(5, "c3");
    let explain = |mv: &str| text(&game.why_illegal(&game.parse_move(mv).unwrap()).explanation.unwrap());
    assert_eq!(explain("c3"), "Red already has a stone on `c3`");
    let code = |mv: &str| game.why_illegal(&game.parse_move(mv).unwrap()).code;
    assert_eq!(code("12"), "OCCUPIED_CELL");
    assert_eq!(game.why_illegal(&Move { position: 25, swap: false }).code, "INVALID_MOVE_POSITION");
    assert_eq!(game.why_illegal(&Move { position: 3, swap: true }).code, "NO_SWAP");
}

#[test]
fn parses_its_options_and_refuses_invalid_values() {
    let configure = |words: &[&str], pairs: &[(&str, &str)]| {
        let words = words.iter().map(ToString::to_string).collect();
        let pairs = pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let mut options = Options { words, pairs, ..Options::default() };
        Hex::configure(&mut options).map_err(|error| text(&error.message))
    };
    assert_eq!(configure(&["13x13"], &[("swap", "off")]), Ok(GameConfig { board_size: 13, swap: false }));
    assert_eq!(configure(&[], &[("boardsize", "19"), ("pie", "Yes")]), Ok(config_with_size(19)));
    assert_eq!(configure(&[], &[("size", "20")]).unwrap_err(), "`size` has to be a number from 3 to 19.");
    assert_eq!(
        configure(&["5x6"], &[]).unwrap_err(),
        "Hex boards are square, so give `size` as one number: `13` (or `13x13`)."
    );
    assert_eq!(configure(&["5x5"], &[("size", "6")]).unwrap_err(), "`size` has two different values. Give it once.");
    assert_eq!(configure(&[], &[("swap", "perhaps")]).unwrap_err(), "`swap` has to be `on` or `off`.");
    assert!(Hex::start(&config_with_size(2)).unwrap_err().message.contains("config.boardSize is 2, expected 3 to 19"));
}

#[test]
fn refuses_invalid_positions_with_the_reason() {
    let check_error = |rows: &[&str], message: &str| {
        let board = rows.iter().map(ToString::to_string).collect();
        let position = Position { board, current_player: Color::Red };
        assert_eq!(Hex::from_position(&config_with_size(3), &position).unwrap_err().message, message);
    };
    check_error(&["...", "..."], "Invalid game state: board.length is 2, expected 3 rows");
    check_error(&["...", "..", "..."], r#"Invalid game state: board[1] is "..", expected 3 characters"#);
    check_error(&["...", "..X", "..."], r#"Invalid game state: board[1] is "..X", expected only R, B and ."#);
}

#[test]
fn every_level_completes_a_winning_chain() {
    let game = game_at("..R.. ..R.. .R... ..... .R...", Color::Red);
    for number in 1..=8 {
        let after = game.play(&game.choose(level(number), 1).unwrap().mv);
        assert_eq!(after.outcome(), Some(Outcome::Won(Seat::First)), "level {number}");
    }
}

/// Returns the position with the sides exchanged, and the board mirrored so that each keeps its edges.
fn exchanged(game: &Hex) -> Hex {
    let (size, Position { board, current_player }) = (game.size, game.position());
    let cell = |row: usize, column: usize| match board[column].as_bytes()[row] {
        b'R' => 'B',
        b'B' => 'R',
        _ => '.',
    };
    let rows: Vec<String> = (0..size).map(|row| (0..size).map(|column| cell(row, column)).collect()).collect();
    let other = if current_player == Color::Red { Color::Blue } else { Color::Red };
    Hex::from_position(&config_with_size(size), &Position { board: rows, current_player: other }).unwrap()
}

/// Red needs seven stones, and its bridges make sure that it gets them.
#[test]
fn every_level_finishes_a_won_game() {
    let rows = "........... ..B........ .......R... ........B.. ......R.... .B......... .....R..... .........B. ....R...... \
                ........... ...........";
    let red = game_at(rows, Color::Red);
    let blue = exchanged(&red);
    for start in [red, blue] {
        for number in 1..=short_or_long(6, 7) {
            for seed in 0..quick_or_full(1, 3) {
                let moves = moves_to_win(start, number, seed);
                assert!(moves.is_some_and(|moves| moves <= 8), "level {number}, seed {seed}: {moves:?} moves");
            }
        }
    }
}

/// Returns the moves that a level needs to win against random moves, or `None` if it loses.
fn moves_to_win(start: Hex, number: u8, seed: u64) -> Option<usize> {
    let (mut game, mut random, mut moves) = (start, Random::new(seed), 0);
    while game.outcome().is_none() {
        let cells = game.legal_moves();
        let mut mv = cells[random.below(cells.len())];
        if game.side_to_move() == start.side_to_move() {
            mv = game.choose(level(number), seed)?.mv;
            moves += 1;
        }
        game = game.play(&mv);
    }
    (game.outcome() == Some(Outcome::Won(start.side_to_move()))).then_some(moves)
}

/// Bridges connect Red's stones with each other and with both edges, and Blue has just played into one of them.
#[test]
fn saves_a_bridge() {
    let game = game_at("..... ..R.. ..B.. .R... .....", Color::Red);
    for number in 5..=7 {
        let chosen = game.choose(level(number), 1).unwrap();
        assert_eq!(game.notation(&chosen.mv), "b3", "level {number}");
    }
}

#[test]
fn takes_over_only_a_strong_first_stone() {
    for (mv, swaps) in [("f6", true), ("e6", true), ("a1", false), ("k11", false)] {
        let game = after_moves(11, mv);
        assert_eq!(game.choose(level(6), 1).unwrap().mv.swap, swaps, "{mv}");
    }
    let first = Hex::start(&config_with_size(11)).unwrap().choose(level(4), 1).unwrap().mv;
    assert!(["a3", "c2", "k9", "i10"].contains(&after_moves(11, "").notation(&first).as_str()));
}

#[test]
fn finds_wins_on_a_small_board() {
    let mut random = Random::new(3);
    let mut checked = 0;
    while checked < short_or_long(8, 100) {
        let Some(game) = after_random::<Hex>(&config_with_size(4), 6 + random.below(4), &mut random) else { continue };
        let chosen = game.choose(level(7), 1).unwrap();
        if can_force_win(&game) {
            assert!(!can_force_win(&game.play(&chosen.mv)), "{:?}", game.position());
        }
        checked += 1;
    }
}

/// Whether the side to move can force a win, by a full search.
fn can_force_win(game: &Hex) -> bool {
    match game.outcome() {
        Some(Outcome::Won(seat)) => seat == game.side_to_move(),
        _ => game.legal_moves().iter().any(|mv| !can_force_win(&game.play(mv))),
    }
}
