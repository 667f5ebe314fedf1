//! Draws the boards on the pages about the games from real records. A marker on the page names the board, its record, and the
//! number of moves: `<!-- board hex: docs/boards/7.json at move 55 -->`.

use std::fs;

use answers::board_picture;
use expect_test::expect_file;
use games::GameKind;
use table::state_file;

use super::root;

#[test]
fn every_board_is_current() {
    for page in GameKind::ALL.iter().map(|kind| kind.info().name) {
        let path = root().join(format!("docs/games/{page}.md"));
        let text = fs::read_to_string(&path).unwrap();
        let (begin, end) = ("<!-- board ", "<!-- /board -->");
        let mut parts = text.split(begin);
        let mut updated = parts.next().unwrap().to_owned();
        for part in parts {
            let (marker, rest) = part.split_once(" -->\n").unwrap();
            let (_, after) = rest.split_once(end).unwrap_or_else(|| panic!("{page}: {marker} has no end"));
            updated += &format!("{begin}{marker} -->\n{}\n{end}{after}", draw(marker));
        }
        assert_eq!(updated.matches(begin).count(), updated.matches("<p><img src=").count(), "{page}");
        expect_file![path].assert_eq(&updated);
    }
}

/// Updates the board of a marker, and returns its image on the page.
fn draw(marker: &str) -> String {
    let parts = marker.split_once(": ").and_then(|(name, rest)| Some((name, rest.split_once(" at move ")?)));
    let (name, (file, moves)) = parts.unwrap_or_else(|| panic!("{marker} names no record and move"));
    let issue = file.rsplit('/').next().unwrap().strip_suffix(".json").unwrap().parse().unwrap();
    let table = state_file::load(&fs::read_to_string(root().join(file)).unwrap(), issue).unwrap();
    let board = board_picture::at_ply(&table, moves.parse().unwrap()).unwrap();
    expect_file![root().join(format!("docs/boards/{name}.svg"))].assert_eq(&board.svg());
    let words = format!("{}: {}", board.title, board.board.description());
    format!("<p><img src=\"../boards/{name}.svg\" width=\"420\" alt=\"{words}\"></p>")
}
