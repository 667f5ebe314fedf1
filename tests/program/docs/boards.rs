//! Draws the boards on the pages about the games from real records.

use std::fs;

use answers::board_picture;
use expect_test::expect_file;
use games::GameKind;
use table::state_file;

use super::root;

/// The page, the name of the board, the record, and the number of plies.
const BOARDS: [(&str, &str, &str, usize); 15] = [
    ("tic-tac-toe", "tic-tac-toe", "docs/boards/1.json", 7),
    ("tic-tac-toe", "gomoku", "docs/boards/3.json", 25),
    ("ultimate-tic-tac-toe", "ultimate-tic-tac-toe", "docs/boards/2.json", 33),
    ("backgammon", "backgammon-start", "tests/records/backgammon-takes/1.json", 0),
    ("backgammon", "backgammon-bar", "tests/records/backgammon-takes/1.json", 10),
    ("backgammon", "backgammon-cube", "tests/records/backgammon-takes/1.json", 48),
    ("backgammon", "backgammon-off", "tests/records/backgammon-takes/1.json", 134),
    ("chess", "chess", "docs/boards/4.json", 31),
    ("connect-four", "connect-four", "docs/boards/5.json", 31),
    ("othello", "othello-start", "docs/boards/6.json", 0),
    ("othello", "othello", "docs/boards/6.json", 38),
    ("hex", "hex-start", "docs/boards/7.json", 0),
    ("hex", "hex", "docs/boards/7.json", 55),
    ("checkers", "checkers-start", "docs/boards/8.json", 0),
    ("checkers", "checkers", "docs/boards/8.json", 40),
];

#[test]
fn every_board_is_current() {
    for page in GameKind::ALL.iter().map(|kind| kind.info().name) {
        let path = root().join(format!("docs/games/{page}.md"));
        let mut text = fs::read_to_string(&path).unwrap();
        for (_, name, file, plies) in BOARDS.iter().filter(|(on, ..)| *on == page) {
            let issue = file.rsplit('/').next().unwrap().strip_suffix(".json").unwrap().parse().unwrap();
            let table = state_file::load(&fs::read_to_string(root().join(file)).unwrap(), issue).unwrap();
            let board = board_picture::at_ply(&table, *plies).unwrap();
            let svg = root().join(format!("docs/boards/{name}.svg"));
            expect_file![svg].assert_eq(&board.svg());
            let words = format!("{}: {}", board.title, board.board.description());
            let image = format!("<p><img src=\"../boards/{name}.svg\" width=\"420\" alt=\"{words}\"></p>\n");
            let (begin, end) = (format!("<!-- board {name} -->\n"), "<!-- /board -->");
            let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("{page} has no {begin}"));
            let (_, after) = rest.split_once(end).unwrap();
            text = format!("{before}{begin}{image}{end}{after}");
        }
        assert_eq!(text.matches("<!-- board ").count(), text.matches("<p><img src=").count(), "{page}");
        expect_file![path].assert_eq(&text);
    }
}
