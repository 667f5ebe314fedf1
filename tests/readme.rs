//! What the README says is what the program does: the tables in it are made from the program's own.
//! `UPDATE_EXPECT=1 cargo test --test readme` writes them anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use play_by_commit::answer::{command_table, game_table};

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// A file with what stands between two markers put in anew.
fn with(text: &str, name: &str, table: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let from = text.find(&begin).unwrap_or_else(|| panic!("README.md has no {begin}")) + begin.len();
    let to = from + text[from..].find(&end).unwrap_or_else(|| panic!("README.md has no {end}"));
    format!("{}{table}{}", &text[..from], &text[to..])
}

#[test]
fn its_tables_are_current() {
    let text = std::fs::read_to_string(README).unwrap();
    let current = with(&with(&text, "commands", &command_table()), "games", &game_table());
    expect_test::expect_file![README].assert_eq(&current);
}

/// The issue form offers every game.
#[test]
fn the_issue_form_offers_every_game() {
    let form =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/.github/ISSUE_TEMPLATE/new-game.yml")).unwrap();
    for kind in play_by_commit::games::Kind::ALL {
        assert!(form.contains(&format!("- {}", kind.info().name)), "new-game.yml offers {}", kind.info().name);
    }
}
