//! Parses and completes lines of `play`. `terminal.rs` types them in a real terminal.

use table::{
    Author, CommentContext, CommentId, Decision, Done, HostPolicy, IssueNumber, Permission, Table, Timestamp, UserId,
    decide_at_once, parse_issue_body,
};
use terminal::input_line::{Completions, InputLine, parse_line, prompt};
use testkit::place;

fn comment(text: &str) -> InputLine {
    InputLine::Comment(None, text.to_owned())
}

#[test]
fn commands_need_no_slash() {
    for (line, text) in [
        ("undo", "/undo"),
        ("Board", "/board"),
        ("yes", "/accept"),
        ("N", "/decline"),
        ("?", "/help"),
        ("help backgammon", "/help backgammon"),
        ("move b2", "/move b2"),
        ("/move b2", "/move b2"),
        ("b2", "b2"),
        ("no, wait", "no, wait"),
        ("draw near", "draw near"),
    ] {
        assert_eq!(parse_line(line), comment(text), "{line}");
    }
    let named = |login: &str, text: &str| InputLine::Comment(Some(login.to_owned()), text.to_owned());
    assert_eq!(parse_line("alice: accept"), named("alice", "/accept"));
    assert_eq!(parse_line("https://example.org"), comment("https://example.org"));
    assert_eq!([parse_line(" Quit "), parse_line("/exit")], [InputLine::Quit, InputLine::Quit]);
    assert_eq!([parse_line("# quit"), parse_line(" ")], [InputLine::Blank, InputLine::Blank]);
}

fn sample_table() -> Table {
    let opening = CommentContext {
        parsed: parse_issue_body("/new tic-tac-toe @ben"),
        author: Author { id: UserId::new(7), login: "ann".to_owned(), is_bot: false },
        permission: Some(Permission::Read),
        by_issue_author: true,
        source: place(7, 0),
        table: IssueNumber::new(7),
        issue_has_table: false,
        updated_at: Timestamp::from_millis(1_760_000_000_000),
        settled_through: CommentId::new(0),
        entropy: [0; 32],
        follows_question: false,
        refused_attempt: None,
        uses_french_letters: false,
    };
    match decide_at_once(None, &opening, &HostPolicy::default()) {
        Some(Decision::Apply(Done { table, .. })) => *table,
        other => panic!("{other:?}"),
    }
}

#[test]
fn completes_after_the_name_and_the_command() {
    let words = Completions::for_table(Some(&sample_table()));
    for (line, from, expected) in [
        ("b", 0, &["b3", "b2", "b1", "board"][..]),
        ("/B", 0, &["/board"]),
        ("alice: b", 7, &["b3", "b2", "b1", "board"]),
        ("alice:/mov", 6, &["/move", "/moves"]),
        ("/move b", 6, &["b3", "b2", "b1"]),
        ("al: move c1", 9, &["c1"]),
        ("q", 0, &["quit"]),
        // Commands of other games or only for GitHub aren't offered.
        ("ro", 0, &[]),
        ("cont", 0, &[]),
    ] {
        let (at, found) = words.complete_line(line);
        assert_eq!((at, found.iter().map(String::as_str).collect::<Vec<_>>()), (from, expected.to_vec()), "{line}");
    }
    assert_eq!(Completions::for_table(None).complete_line(""), (0, Vec::new()));
}

#[test]
fn the_prompt_names_the_player_to_move() {
    assert_eq!((prompt(Some(&sample_table())), prompt(None)), ("ann (X)> ".to_owned(), "> ".to_owned()));
}
