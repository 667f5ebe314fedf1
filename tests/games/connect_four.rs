//! Tests of connect four: perft, lines, columns as moves, options and positions.

use game::{Display, Engine, Game, Notation, Outcome, ParseMoveError, PositionJson, Rules, Seat, apply_move};
use games::Random;
use games::connect_four::{Color, ConnectFour, GameConfig, Move, Position};
use testkit::{options, short_or_long};

use crate::computer::{after_random, level};

fn config(columns: usize, rows: usize, k_in_row: usize) -> GameConfig {
    GameConfig { columns, rows, k_in_row }
}

fn start(config: &GameConfig) -> ConnectFour {
    ConnectFour::start(config).unwrap()
}

/// Returns the game after moves in these columns, one letter each.
#[track_caller]
fn after_moves(config: &GameConfig, columns: &str) -> ConnectFour {
    let drop =
        |game: ConnectFour, column: char| apply_move(&game, &game.parse_move(&column.to_string()).unwrap()).unwrap();
    columns.chars().fold(start(config), drop)
}

/// Returns a position of the 7x6 board with these rows at the bottom, in order from the top.
fn position(rows: &str, current_player: Color) -> Position {
    let mut board: Vec<String> = rows.split_whitespace().map(ToOwned::to_owned).collect();
    while board.len() < 6 {
        board.insert(0, ".......".to_owned());
    }
    Position { board, current_player }
}

fn game_at(rows: &str, current_player: Color) -> Result<ConnectFour, String> {
    ConnectFour::from_position(&GameConfig::default(), &position(rows, current_player)).map_err(|rule| rule.message)
}

/// See <https://oeis.org/A212693>, which has the same numbers up to the first wins.
#[test]
fn perft() {
    let game = start(&GameConfig::default());
    let tree = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572];
    for (depth, positions) in (0..).zip(tree).take(short_or_long(9, 10)) {
        assert_eq!(game.perft(depth), positions, "depth {depth}");
    }
    assert_eq!(after_moves(&GameConfig::default(), "abababa").perft(1), 0);
}

#[test]
fn perft_on_bitboards_agrees_with_playing_every_move() {
    fn perft_by_playing(game: &ConnectFour, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        game.legal_moves().iter().map(|mv| perft_by_playing(&apply_move(game, mv).unwrap(), depth - 1)).sum()
    }
    let mut random = Random::new(1);
    for (columns, rows, k) in [(7, 6, 4), (4, 4, 3), (10, 10, 6), (9, 7, 4), (8, 7, 5), (5, 10, 6), (10, 4, 4)] {
        let config = config(columns, rows, k);
        for plies in [0, 8, 14] {
            let Some(game) = after_random::<ConnectFour>(&config, plies, &mut random) else { continue };
            assert_eq!(
                game.perft(4),
                perft_by_playing(&game, 4),
                "{columns}x{rows}, {k} in a row, after {plies} plies"
            );
        }
    }
}

#[test]
fn a_line_wins_in_every_direction_and_place() {
    for config in [config(7, 6, 4), config(4, 4, 3), config(10, 10, 6), config(4, 10, 4), config(10, 4, 5)] {
        let GameConfig { columns, rows, k_in_row: k } = config;
        for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for start in 0..columns * rows {
                let cell = |nth: usize| {
                    let column = (start % columns).checked_add_signed(right * nth as isize)?;
                    let row = start / columns + down * nth;
                    (column < columns && row < rows).then_some(row * columns + column)
                };
                let Some(line) = (0..k).map(cell).collect::<Option<Vec<usize>>>() else { continue };
                // The other cells are filled so that neither side has three in a row there.
                let filler = |cell: usize| ['Y', 'Y', 'R', 'R'][(cell % columns + cell / columns * 2) % 4];
                let symbol = |line: &[usize], cell: usize| if line.contains(&cell) { 'R' } else { filler(cell) };
                let board = |line: &[usize]| -> Vec<String> {
                    let row =
                        |row: usize| (row * columns..(row + 1) * columns).map(|cell| symbol(line, cell)).collect();
                    (0..rows).map(row).collect()
                };
                let position = Position { board: board(&line), current_player: Color::Yellow };
                let game = ConnectFour::from_position(&config, &position).unwrap();
                assert_eq!(game.outcome(), Some(Outcome::Won(Seat::First)), "{position:?}");
                assert!(game.winning_lines().contains(&line), "{position:?}");
            }
        }
    }
}

#[test]
fn reports_every_completed_line() {
    let game = after_moves(&GameConfig::default(), "abbcdccdded");
    assert_eq!((game.outcome(), game.winning_lines()), (Some(Outcome::Won(Seat::First)), vec![vec![17, 23, 29, 35]]));
    let both = game_at("R......\nRY.....\nRYY....\nRRRR...", Color::Yellow).unwrap();
    assert_eq!(both.winning_lines(), [vec![35, 36, 37, 38], vec![14, 21, 28, 35]]);
    assert_eq!(both.ending().unwrap().reason.unwrap(), "4 in a row");
}

#[test]
fn a_full_board_is_a_draw() {
    let rows = "RRYYRRY YYRRYYR RRYYRRY YYRRYYR RRYYRRY YYRRYYR";
    let game = game_at(rows, Color::Red).unwrap();
    assert_eq!((game.outcome(), game.legal_moves().len()), (Some(Outcome::Draw), 0));
    assert_eq!(game.ending().unwrap().reason.unwrap(), "the board is full");
}

#[test]
fn parses_columns_in_different_spellings() {
    let game = start(&GameConfig::default());
    for (text, column) in [("d", 3), ("D!", 3), (" a ", 0), ("**g**", 6), ("1", 0), ("7.", 6), ("4 🙂", 3), ("04", 3)]
    {
        assert_eq!(game.parse_move(text), Ok(Move { column }), "{text:?}");
    }
    for (text, column) in [
        ("column d", 3),
        ("Column G", 6),
        ("col 4", 3),
        ("column #2", 1),
        ("column number 2", 1),
        ("3rd column", 2),
        ("the 1st column", 0),
        ("middle", 3),
        ("the middle column", 3),
        ("center column", 3),
        ("leftmost", 0),
        ("the last column", 6),
        ("far-left column", 0),
    ] {
        assert_eq!(game.parse_move(text), Ok(Move { column }), "{text:?}");
    }
    assert_eq!(start(&config(8, 8, 4)).parse_move("middle"), Err(ParseMoveError::NotAMove));
    // A letter past the widest board is chat.
    for text in ["", "k", "x", "dd", "d or e?", "42nd", "100", "-1", "column", "left", "right", "🙂", "z9"] {
        assert_eq!(game.parse_move(text), Err(ParseMoveError::NotAMove), "{text:?}");
    }
    for (text, message) in [
        ("h", "Invalid column: h. Valid range: a-g for 7x6 board"),
        ("0", "Invalid column: 0. Valid range: a-g for 7x6 board"),
        ("8", "Invalid column: 8. Valid range: a-g for 7x6 board"),
        ("column 8", "Invalid column: column 8. Valid range: a-g for 7x6 board"),
        ("D3", "Write just the column, a-g, because the disc drops to the lowest free cell"),
    ] {
        let Err(ParseMoveError::OutOfRange(violation)) = game.parse_move(text) else {
            panic!("{text:?} is off the board")
        };
        assert_eq!(violation.message, message);
    }
    assert_eq!(start(&config(10, 10, 6)).parse_move("10"), Ok(Move { column: 9 }));
}

#[test]
fn parses_the_size_and_k_options() {
    let configure = |text: &str| ConnectFour::configure(&mut options(text)).map_err(|error| error.key);
    for (text, expected) in [
        ("", Ok(config(7, 6, 4))),
        ("9x7", Ok(config(9, 7, 4))),
        ("size=8x8 k=5", Ok(config(8, 8, 5))),
        ("size=5 in-row=3", Ok(config(5, 5, 3))),
        ("10x4 k=6", Ok(config(10, 4, 6))),
        ("3x6", Err("size")),
        ("size=11x6", Err("size")),
        ("size=big", Err("size")),
        ("7x6 size=6x7", Err("size")),
        ("4x4 k=5", Err("k")),
        ("k=2", Err("k")),
        ("k=7", Err("k")),
    ] {
        assert_eq!(configure(text), expected, "{text:?}");
    }
}

#[test]
fn refuses_invalid_positions_with_the_reason() {
    let check_error = |rows: &str, message: &str| assert_eq!(game_at(rows, Color::Red).unwrap_err(), message);
    check_error("R......\n.......", r#"Invalid game state: board[4] is "R......", expected a disc below each disc"#);
    check_error("R.....", r#"Invalid game state: board[5] is "R.....", expected 7 characters"#);
    check_error("x......", r#"Invalid game state: board[5] is "x......", expected only R, Y and ."#);
    check_error(&"....... ".repeat(7), "Invalid game state: board.length is 7, expected 6 rows");
    let wide = ConnectFour::start(&config(11, 6, 4)).unwrap_err();
    assert_eq!(wide.message, "Invalid game state: config.columns is 11, expected 4 to 10");
    let long = ConnectFour::start(&config(4, 4, 5)).unwrap_err();
    assert_eq!(long.message, "Invalid game state: config.kInRow is 5, expected 3 to 4 on 4x4 board");
}

#[test]
fn level_3_and_up_never_miss_a_win_in_one_or_a_defense_against_it() {
    let mut random = Random::new(8);
    for config in [GameConfig::default(), config(9, 7, 4), config(6, 5, 3)] {
        let (mut wins, mut defenses) = (0, 0);
        while wins < short_or_long(6, 60) || defenses < short_or_long(6, 60) {
            let plies = 8 + random.below(14);
            let Some(game) = after_random::<ConnectFour>(&config, plies, &mut random) else { continue };
            let wins_at_once = |game: &ConnectFour, mv: &Move| matches!(game.play(mv).outcome(), Some(Outcome::Won(_)));
            let moves = game.legal_moves();
            let is_safe = |mv: &&Move| {
                let after = game.play(mv);
                !after.legal_moves().iter().any(|reply| wins_at_once(&after, reply))
            };
            let has_win = moves.iter().any(|mv| wins_at_once(&game, mv));
            let safe_moves = moves.iter().filter(is_safe).count();
            for number in [3, 4, 6] {
                let chosen = game.choose(level(number), 1).unwrap().mv;
                if has_win {
                    assert!(wins_at_once(&game, &chosen), "level {number}: {:?}", game.position());
                } else if safe_moves > 0 {
                    assert!(is_safe(&&chosen), "level {number}: {:?}", game.position());
                }
            }
            wins += usize::from(has_win);
            defenses += usize::from(!has_win && (1..moves.len()).contains(&safe_moves));
        }
    }
}
