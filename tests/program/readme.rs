//! The README's games, boards and workflow, and the commands in docs/PLAYING.md, match the program.
//! `UPDATE_EXPECT=1 cargo test --test program readme` updates them.

use answers::help::command_table;
use answers::scene;
use game::info::Info;
use games::registry::GameKind;
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

/// The boards of the README: the picture, the record that it is made from, and after how many plies.
const BOARDS: [(&str, &str, usize); 8] = [
    ("chess", "docs/boards/4.json", 31),
    ("connect-four", "docs/boards/5.json", 31),
    ("hex", "docs/boards/7.json", 55),
    ("backgammon", "tests/records/backgammon-takes/1.json", 18),
    ("checkers", "docs/boards/8.json", 40),
    ("othello", "docs/boards/6.json", 38),
    ("ultimate-tic-tac-toe", ULTIMATE, 33),
    ("tic-tac-toe", "docs/boards/1.json", 7),
];

/// A record whose game is shown as it went, too.
const ULTIMATE: &str = "docs/boards/2.json";

fn path(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn table(name: &str) -> table::any_table::AnyTable {
    let issue = name.rsplit('/').next().unwrap().strip_suffix(".json").unwrap().parse().unwrap();
    state_file::load(&std::fs::read_to_string(path(name)).unwrap(), issue).unwrap()
}

/// Real boards, made by the program, side by side. They are named in a word: their games' pages tell boards cell by cell.
fn boards() -> String {
    let images = BOARDS.map(|(name, record, ply)| {
        let board = scene::at_ply(&table(record), ply).unwrap();
        let file = format!("docs/boards/{name}.svg");
        expect_test::expect_file![path(&file)].assert_eq(&board.svg());
        format!("<img src=\"{file}\" height=\"105\" alt=\"{}\">\n", board.title)
    });
    let replay = "docs/boards/replay.svg";
    expect_test::expect_file![path(replay)].assert_eq(&scene::replay(&table(ULTIMATE), None));
    format!("<p align=\"center\">\n{}</p>\n", images.concat())
}

/// The workflow of the README is the one that `init` writes.
#[test]
fn the_workflow_is_the_template() {
    let text = std::fs::read_to_string(README).unwrap();
    let from = text.find("```yaml\n").unwrap() + "```yaml\n".len();
    let snippet = &text[from..from + text[from..].find("```").unwrap()];
    assert!(
        snippet == templates::WORKFLOW,
        "crates/setup/src/play.yml and the workflow in README.md are the same text"
    );
}

/// Our own issue form is the one that `init` writes: it offers every game.
#[test]
fn the_issue_form_is_current() {
    expect_test::expect_file![path(templates::FORM_PATH)].assert_eq(&templates::issue_form(&[]));
}
