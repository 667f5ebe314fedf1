//! The outputs and the summary of the step.

use games::GameKind;
use play_by_commit::report::{markdown_line, output_line, outputs, summary};
use protocol::{Ledger, TableWork, WebRepo};
use table::{IssueNumber, Oid};

/// Returns a ledger with a commit at table 7, and a refusal in an issue without a table.
fn ledger() -> Ledger {
    let commit = Oid::parse(&"0123456789".repeat(4));
    let entry = TableWork { applied: 2, refused: 1, commit: commit.clone(), ..TableWork::default() };
    let entry = TableWork { game: Some((GameKind::ALL[0].into(), "won")), ..entry };
    let without_game = TableWork { refused: 1, repaired: 1, ..TableWork::default() };
    let without_work = TableWork { game: Some((GameKind::ALL[1].into(), "playing")), ..TableWork::default() };
    Ledger {
        tables: [(7, entry), (8, without_game), (9, without_work)]
            .map(|(issue, work)| (IssueNumber::new(issue), work))
            .into(),
        commit,
        ..Ledger::default()
    }
}

fn web(server: &str) -> WebRepo {
    WebRepo { server: server.to_owned(), repository: "octo/games".to_owned(), branch: None }
}

#[test]
fn outputs_are_those_of_the_triggering_issue() {
    let values = |issue| outputs(&ledger(), issue, None).map(|(_, value)| value)[..5].to_vec();
    let commit = "0123456789".repeat(4);
    assert_eq!(values(Some(IssueNumber::new(7))), ["tic-tac-toe", "won", "2", "2", &commit]);
    assert_eq!(values(Some(IssueNumber::new(8))), ["", "", "2", "2", &commit]);
    assert_eq!(values(Some(IssueNumber::new(9))), ["ultimate-tic-tac-toe", "playing", "2", "2", &commit]);
    assert_eq!(values(None), ["", "", "2", "2", &commit]);
    assert_eq!(
        outputs(&Ledger::default(), Some(IssueNumber::new(7)), None).map(|(_, value)| value),
        ["", "", "0", "0", "", "", "", "", ""]
    );
}

#[test]
fn a_value_never_ends_its_own_output() {
    assert_eq!(output_line("game", "chess"), "game=chess\n");
    assert_eq!(output_line("game", "a<<b"), "game=a<<b\n");
    assert_eq!(output_line("game", "a\nb"), "game<<END\na\nb\nEND\n");
    assert_eq!(output_line("game", "a\nEND\ncommit=1"), "game<<END+\na\nEND\ncommit=1\nEND+\n");
    assert_eq!(output_line("game", "END+\r\nEND"), "game<<END++\nEND+\r\nEND\nEND++\n");
}

#[test]
fn the_summary_has_a_row_for_each_table_with_work() {
    let text = summary(&ledger(), Some(&web("https://github.example"))).unwrap();
    let rows: Vec<&str> = text.lines().skip(4).collect();
    let at = "https://github.example/octo/games";
    let commit = "0123456789".repeat(4);
    let first = format!(
        "| [#7]({at}/issues/7) | Tic-tac-toe | won | 2 applied, 1 refused | [`0123456`]({at}/commit/{commit}) |"
    );
    let second = format!("| [#8]({at}/issues/8) | no table |  | 1 refused, 1 answered late |  |");
    assert_eq!(rows, [first.as_str(), second.as_str(), ""]);
    assert_eq!(summary(&Ledger::default(), Some(&web("https://github.example"))), None);
}

#[test]
fn links_no_address_that_could_end_the_link() {
    for web in [Some(web("https://github.example/)<img>")), None] {
        let text = summary(&ledger(), web.as_ref()).unwrap();
        assert!(text.contains("| #7 |") && text.contains("| `0123456` |") && !text.contains("]("), "{text}");
    }
}

#[test]
fn the_summary_shows_markers_as_they_are() {
    for (sentence, line) in [
        ("Put `<!-- /play-by-commit:table -->` there", "Put `<!-- /play-by-commit:table -->` there"),
        ("a <img> by @bob & co\n::x", "a &lt;img&gt; by &#64;bob &amp; co ::x"),
        ("`a` <b> `<c>`", "`a` &lt;b&gt; `<c>`"),
        ("one ` begins no <code>", "one ` begins no &lt;code&gt;"),
    ] {
        assert_eq!(markdown_line(sentence), line);
    }
}
