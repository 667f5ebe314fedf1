//! Tests that the text alternatives describe the whole position, by parsing them back.

use answers::board_picture;
use game::board::ordinary_piece;
use game::{Board, Grid, Piece, Seat};
use games::STYLES;
use games::backgammon::{Backgammon, BackgammonBoard, CubeView, ScoreView};
use games::tic_tac_toe::TicTacToe;
use games::ultimate_tic_tac_toe::{BoardStatus, UltimateBoard, UltimateTicTacToe};

use super::tables::{TableBuilder, downcast_board};

const ALICE_BOB: [&str; 2] = ["alice", "bob"];

/// Checks that a description is one short paragraph without Markdown.
#[track_caller]
fn assert_plain(words: &str) {
    let special = |c: char| "[]()<>|`*_#~!\\\n\r&\"".contains(c) || c.is_control();
    assert!(!words.contains(special) && words.ends_with('.') && words.len() < 2_500, "{words}");
}

/// Returns the index of a cell.
fn index(name: &str, columns: usize, rows: usize) -> usize {
    let column = usize::from(name.as_bytes()[0] - b'a');
    (rows - name[1..].parse::<usize>().unwrap()) * columns + column
}

/// Returns the seat of a mark.
fn seat_of_mark(mark: &str) -> Seat {
    Seat::BOTH.into_iter().find(|seat| STYLES[seat.index()].kind.name == mark).unwrap()
}

/// Places the marks of "X on a1, b2".
fn place_marks(part: &str, cells: &mut [Option<Piece>], columns: usize, rows: usize) {
    let (mark, names) = part.split_once(" on ").unwrap();
    for name in names.split(", ") {
        cells[index(name, columns, rows)] = Some(ordinary_piece(&STYLES, seat_of_mark(mark)));
    }
}

fn parse_grid(words: &str) -> (Grid, Vec<String>) {
    let parts: Vec<&str> = words.strip_suffix('.').unwrap().split("; ").collect();
    let (columns, rows) = parts[0].strip_suffix(" cells").unwrap().split_once(" by ").unwrap();
    let (columns, rows): (usize, usize) = (columns.parse().unwrap(), rows.parse().unwrap());
    let mut grid = Grid::new(columns, vec![None; columns * rows], STYLES);
    let mut lines = Vec::new();
    for part in &parts[1..] {
        if let Some(name) = part.strip_prefix("the last move is ") {
            grid.last_move.push(index(name, columns, rows));
        } else if let Some(line) = part.strip_prefix("a line from ") {
            lines.push(line.to_owned());
        } else if !part.ends_with("free") {
            place_marks(part, &mut grid.cells, columns, rows);
        }
    }
    let free = grid.cells.iter().filter(|cell| cell.is_none()).count();
    assert!(parts.contains(&&*format!("{free} cell{} free", if free == 1 { "" } else { "s" })), "{words}");
    (grid, lines)
}

#[test]
fn describes_a_grid() {
    for (options, seed) in [("", 1), ("", 2), ("4x4", 3), ("7x7", 4), ("19x19", 5), ("size=19 k=19", 6)] {
        let table = TableBuilder::open::<TicTacToe>(options, ALICE_BOB).seed(seed).play_to_end().build();
        for ply in 0..=board_picture::ply_count(&table) {
            let board = downcast_board::<Grid>(board_picture::at_ply(&table, ply).unwrap().board);
            let words = board.description();
            assert_plain(&words);
            let (parsed, lines) = parse_grid(&words);
            assert_eq!(lines.len(), board.lines.len());
            assert_eq!(Grid { lines: board.lines.clone(), ..parsed }, board);
        }
    }
    let game = TableBuilder::open::<TicTacToe>("", ALICE_BOB).play("b2 a2 c3 c2 a1");
    expect_test::expect![
        "3 by 3 cells; X on c3, b2, a1; O on a2, c2; 4 cells free; the last move is a1; a line from c3 to a1."
    ]
    .assert_eq(&board_picture::current(&game.build()).board.description());
}

fn parse_boards(words: &str) -> UltimateBoard {
    let mut parsed = UltimateBoard {
        cells: vec![None; 81],
        statuses: vec![BoardStatus::Inactive; 9],
        last_move: vec![],
        lines: vec![],
    };
    for sentence in words.strip_suffix('.').unwrap().split(". ").skip(1) {
        if let Some(name) = sentence.strip_prefix("The last move is ") {
            parsed.last_move.push(index(name, 9, 9));
        } else if let Some(line) = sentence.strip_prefix("A line from board ") {
            let (from, to) = line.split_once(" to ").unwrap();
            let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
            parsed.lines.push(vec![from, usize::midpoint(from, to), to]);
        } else {
            let mut parts = sentence.split("; ");
            let (board, fate) = parts.next().unwrap().strip_prefix("Board ").unwrap().split_once(' ').unwrap();
            parsed.statuses[board.parse::<usize>().unwrap()] = match fate {
                "is open" => BoardStatus::Active,
                "is closed for now" => BoardStatus::Inactive,
                "is drawn" => BoardStatus::Drawn,
                won => BoardStatus::Won(seat_of_mark(won.strip_prefix("is won by ").unwrap())),
            };
            parts.for_each(|part| place_marks(part, &mut parsed.cells, 9, 9));
        }
    }
    parsed
}

#[test]
fn describes_ultimate_boards() {
    for seed in 0..12 {
        let table = TableBuilder::open::<UltimateTicTacToe>("", ALICE_BOB).seed(seed).play_to_end().build();
        for ply in 0..=board_picture::ply_count(&table) {
            let board = downcast_board::<UltimateBoard>(board_picture::at_ply(&table, ply).unwrap().board);
            let words = board.description();
            assert_plain(&words);
            assert_eq!(parse_boards(&words), board, "{words}");
        }
    }
    let game = TableBuilder::open::<UltimateTicTacToe>("", ALICE_BOB).play("e5 d4 a1");
    expect_test::expect![
        "9 boards, numbered from 0 at the top left. Board 0 is closed for now. Board 1 is closed for now. \
         Board 2 is closed for now. Board 3 is closed for now. Board 4 is closed for now; X on e5; O on d4. \
         Board 5 is closed for now. Board 6 is open; X on a1. Board 7 is closed for now. Board 8 is closed for now. \
         The last move is a1."
    ]
    .assert_eq(&board_picture::current(&game.build()).board.description());
}

fn seat_of_color(color: &str) -> Seat {
    match color {
        "white" | "White" => Seat::First,
        "black" | "Black" => Seat::Second,
        other => panic!("{other}"),
    }
}

fn parse_number<T: std::str::FromStr>(text: &str) -> T
where
    T::Err: std::fmt::Debug,
{
    text.parse().unwrap()
}

/// Parses a description onto an empty board.
fn parse_points(words: &str, empty: BackgammonBoard) -> BackgammonBoard {
    let mut parsed = BackgammonBoard {
        points: [None; 24],
        bar: [0; 2],
        off: [0; 2],
        dice: None,
        cube: None,
        score: None,
        last_targets: Vec::new(),
        ..empty
    };
    for sentence in words.strip_suffix('.').unwrap().split(". ") {
        let all: Vec<&str> = sentence.split([' ', ',', ':', ';']).filter(|word| !word.is_empty()).collect();
        match *all {
            ["Points", "are", "numbered", "for", viewer] => parsed.viewer = seat_of_color(viewer),
            [who, "rolled", one, "and", two] => {
                parsed.side_to_move = seat_of_color(who);
                parsed.dice = Some([parse_number(one), parse_number(two)]);
            }
            [whose, "cube", "is", "at", value, ref rest @ ..] => {
                let owner = whose.strip_suffix("'s").map(seat_of_color);
                let offered = rest.contains(&"offered");
                parsed.cube = Some(CubeView { value: parse_number(value), owner, offered });
            }
            ["The", "score", "is", "White", white, "Black", black, .., length] => {
                parsed.score = Some(ScoreView {
                    points: [parse_number(white), parse_number(black)],
                    length: parse_number(length),
                });
            }
            ["The", "last", "move", "ended", "on", ref last @ ..] => {
                parsed.last_targets = last.iter().map(|point| parse_number(point)).collect();
            }
            [who, ref stacks @ .., "pips", pips] => {
                let seat = seat_of_color(who);
                if stacks != ["no", "checkers"] {
                    for stack in sentence.split_once(": ").unwrap().1.split("; ").next().unwrap().split(", ") {
                        let (count, place) = stack.split_once(' ').unwrap();
                        match place.strip_prefix("on ") {
                            Some("the bar") => parsed.bar[seat.index()] = parse_number(count),
                            Some(point) => {
                                parsed.points[parse_number::<usize>(point) - 1] = Some((seat, parse_number(count)));
                            }
                            None => parsed.off[seat.index()] = parse_number(count),
                        }
                    }
                }
                assert_eq!(parsed.pips(seat), parse_number::<u32>(pips), "{words}");
            }
            _ => panic!("{sentence}"),
        }
    }
    parsed
}

#[test]
fn describes_a_backgammon_board() {
    let mut offered = 0;
    for seed in 0..6 {
        let game = TableBuilder::open::<Backgammon>("match=5", ALICE_BOB).seed(seed);
        let table = if seed % 2 == 0 { game.play_sensibly(150) } else { game.play_random(150) }.build();
        for ply in 0..=board_picture::ply_count(&table) {
            let mut board = downcast_board::<BackgammonBoard>(board_picture::at_ply(&table, ply).unwrap().board);
            let words = board.description();
            assert_plain(&words);
            offered += usize::from(words.contains("is offered"));
            board.last_targets.sort_unstable_by(|one, two| two.cmp(one));
            board.last_targets.dedup();
            board.dice = board.dice.map(|[one, two]| [one.max(two), one.min(two)]);
            assert_eq!(parse_points(&words, board.clone()), board, "{words}");
            // The view from the other side shows the same position.
            let mut turned = board.clone();
            turned.set_viewer(board.viewer.other());
            assert_eq!(Seat::BOTH.map(|seat| turned.pips(seat)), Seat::BOTH.map(|seat| board.pips(seat)));
            assert_eq!(parse_points(&turned.description(), turned.clone()).points, turned.points);
            turned.set_viewer(board.viewer);
            assert_eq!(turned.points, board.points);
        }
    }
    assert!(offered > 0);
    let game = TableBuilder::open::<Backgammon>("match=5", ALICE_BOB).seed(3).play_sensibly(3);
    expect_test::expect!["Points are numbered for Black. White: 2 on 20, 4 on 19, 2 on 17, 5 on 12, 2 on 1; pips 163. Black: 2 on 24, 3 on 13, 1 on 9, 4 on 8, 5 on 6; pips 158. The cube is at 1. The score is White 0, Black 0 in a match to 5. The last move ended on 20."].assert_eq(&board_picture::current(&game.build()).board.description());
}
