//! The README's games, boards and workflow, and the commands in docs/PLAYING.md, match the program.
//! `UPDATE_EXPECT=1 cargo test --test program readme` updates them.

use answers::{board_picture, command_table};
use game::Info;
use games::GameKind;
use setup::templates;
use table::state_file;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
const PLAYING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/PLAYING.md");

/// Returns a page with new text between two markers.
fn with(text: &str, name: &str, table: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let from = text.find(&begin).unwrap_or_else(|| panic!("the page has no {begin}")) + begin.len();
    let to = from + text[from..].find(&end).unwrap_or_else(|| panic!("the page has no {end}"));
    format!("{}{table}{}", &text[..from], &text[to..])
}

#[test]
fn the_tables_are_current() {
    let text = std::fs::read_to_string(README).unwrap();
    let current = with(&with(&text, "games", &game_table()), "boards", &boards());
    expect_test::expect_file![README].assert_eq(&current);
}

#[test]
fn the_list_of_commands_is_current() {
    let text = std::fs::read_to_string(PLAYING).unwrap();
    expect_test::expect_file![PLAYING].assert_eq(&with(&text, "commands", &command_table()));
}

/// Returns the games as a Markdown table, each with a link to its page.
fn game_table() -> String {
    let games = GameKind::ALL.iter().map(|kind| {
        let Info { name, title, summary, .. } = kind.info();
        format!("| [{title}](docs/games/{name}.md) | `/new {name}` | {summary} |\n")
    });
    format!("| Game | Write | The goal |\n| --- | --- | --- |\n{}", games.collect::<String>())
}

/// The record of the game that plays itself in the README.
const CHESS: &str = "docs/boards/4.json";

/// The other boards of the README: the game, its record, and after how many plies. They are square, and two fit on a phone.
const BOARDS: [(&str, &str, usize); 4] = [
    ("tic-tac-toe", "docs/boards/1.json", 7),
    ("othello", "docs/boards/6.json", 38),
    ("checkers", "docs/boards/8.json", 40),
    ("ultimate-tic-tac-toe", ULTIMATE, 33),
];

/// The record of the replay in docs/HOSTING.md.
const ULTIMATE: &str = "docs/boards/2.json";

fn path(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn table(name: &str) -> table::Table {
    let issue = name.rsplit('/').next().unwrap().strip_suffix(".json").unwrap().parse().unwrap();
    state_file::load(&std::fs::read_to_string(path(name)).unwrap(), issue).unwrap()
}

/// Real boards, made by the program: a game that plays itself, and boards without captions, which would be too small to read.
fn boards() -> String {
    let picture = |file: &str, svg: &str| expect_test::expect_file![path(file)].assert_eq(svg);
    picture("docs/boards/replay.svg", &board_picture::replay(&table(ULTIMATE), None));
    let moving = "docs/boards/chess-replay.svg";
    picture(moving, &board_picture::replay(&table(CHESS), None));
    let images = BOARDS.map(|(name, record, ply)| {
        let board = board_picture::at_ply(&table(record), ply).unwrap();
        let file = format!("docs/boards/{name}-board.svg");
        picture(&file, &board.board_svg());
        format!("<img src=\"{file}\" width=\"160\" height=\"160\" alt=\"{}\">\n", board.title)
    });
    let words = "A game of chess between alice and bob, played back once";
    let moving = format!("<p align=\"center\"><img src=\"{moving}\" width=\"400\" alt=\"{words}\"></p>\n");
    format!("{moving}<p align=\"center\">\n{}</p>\n", images.concat())
}

/// The workflows of the README are those that `init` writes.
#[test]
fn the_workflows_are_the_templates() {
    for template in [templates::WORKFLOW, templates::DAILY_WORKFLOW] {
        let first = template.lines().next().unwrap();
        let text = std::fs::read_to_string(README).unwrap();
        assert!(
            text.contains(&format!("```yaml\n{template}```\n")),
            "README.md and crates/setup/src have the same text for {first}"
        );
    }
}

/// Our own issue form is the one that `init` writes: it offers every game.
#[test]
fn the_issue_form_is_current() {
    expect_test::expect_file![path(templates::FORM_PATH)].assert_eq(&templates::issue_form(&[]));
}
