//! What strangers write, wherever it can be echoed: it comes back inside one-line code spans of bounded length, or not at all.
//!
//! Each answer is rendered as GitHub's Markdown would be and must consist of nothing but the forms that our own answers
//! take. What is committed must not hold a word of it either.

mod corpus;
mod rendered;

use answers::announce;
use answers::marker::Marker;
use answers::render::quote;
use answers::{marker::MAX_ANSWER, output_format::OutputFormat};
use corpus::{TOKEN, nasty};
use proptest::prelude::*;
use protocol::ledger::Report;
use protocol::repo_config::{RepoConfig, Trigger};
use protocol::settle::settle;
use table::decisions::refusal::{MoveRefusal, Refusal, SetupRefusal};
use table::talk::command;
use table::talk::command::CommandError;
use table::talk::comment::{Author, Source};
use testkit::often;
use testkit::world::{State, World, place, run};

fn wake(world: &World, place: &RepoConfig, source: Source) -> Report {
    let text = world.look(|state| state.note(source).unwrap().text.clone());
    let table = if source.comment == 0 { command::parse_issue_body(&text) } else { command::parse_comment(&text) }
        .table_number();
    run(settle(world, place, Trigger::Comment { source, table })).expect("the run ends").expect("the run succeeds")
}

/// A page with a board that a move changes, the list of tables, and the standings.
const PAGE: &str = "# Games\n\n<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n\n\
                    <!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n\n\
                    <!-- play-by-commit:standings -->\n<!-- /play-by-commit:standings -->\n";

/// Issue 1 as a table of anna and bob, set up with these words, in which anna has made these moves.
fn table(game: &str, moves: &[(&str, &str)]) -> State {
    let world = World::new();
    world.land(&[("README.md", PAGE)]);
    world.open_issue("anna", &format!("/new {game}"));
    let report = wake(&world, &place(), Source { issue: 1, comment: 0 });
    assert_eq!(report.applied, 1, "{:?}", world.answers(1));
    for (login, text) in moves {
        let comment = world.comment(1, login, text);
        let report = wake(&world, &place(), Source { issue: 1, comment });
        assert_eq!(report.applied, 1, "{text}: {:?}", world.answers(1).last());
    }
    world.look(State::clone)
}

/// Where a comment is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spot {
    /// In the thread of the table.
    Table,
    /// In an issue of anna's own without a table.
    Elsewhere,
    /// As the body of a new issue.
    Body,
}

/// Says something as anna, and looks at all that comes of it. Gives how it was received.
#[track_caller]
fn check(stage: &State, spot: Spot, text: &str) -> &'static str {
    let world = World::new();
    world.change(|state| state.clone_from(stage));
    let before = stage.commits.len();
    let source = match spot {
        Spot::Table => Source { issue: 1, comment: world.comment(1, "anna", text) },
        Spot::Elsewhere => {
            let issue = world.open_issue("anna", "A place for tests.");
            Source { issue, comment: world.comment(issue, "anna", text) }
        }
        Spot::Body => Source { issue: world.open_issue("anna", text), comment: 0 },
    };
    let answered = world.answers(source.issue).len();
    let report = wake(&world, &place(), source);
    let answers = world.answers(source.issue).split_off(answered);
    for note in report.notes.iter().chain(&report.failures) {
        assert!(!note.to_lowercase().contains(TOKEN), "{text:?} is told to the host: {note}");
    }
    world.look(|state| {
        for commit in state.commits.values() {
            let message = format!("{}\n{}", commit.headline, commit.body).to_lowercase();
            assert!(!message.contains(TOKEN), "{text:?} is in a commit message: {message}");
            for (path, file) in commit.files.iter() {
                assert!(!file.to_lowercase().contains(TOKEN), "{text:?} is in {path}");
            }
        }
        assert_eq!(state.commits.len() - before, usize::try_from(report.applied).unwrap(), "{text:?}");
    });
    let Some(answer) = answers.first() else {
        assert_eq!(report, Report::default(), "{text:?}");
        return "chat";
    };
    assert_eq!(answers.len(), 1, "{text:?}: {answers:#?}");
    assert!(answer.len() <= MAX_ANSWER, "{text:?}: {} bytes", answer.len());
    let (marker, shown) = answer.split_once('\n').unwrap();
    assert_eq!(Marker::parse(marker).map(|marker| marker.source), Some(source), "{text:?}: {marker}");
    let second = shown.lines().find(|line| Marker::parse(line).is_some());
    assert_eq!(second, None, "{text:?}: a second marker in {shown}");
    if let Err(why) = rendered::is_ours(shown) {
        panic!("{text:?} gets an answer in which {why}:\n{shown}");
    }
    match report {
        Report { applied: 1, .. } => "applied",
        Report { refused: 1, .. } => "refused",
        _ => "shown",
    }
}

/// A place where a word of a stranger's can end up in an answer: NASTY stands for it.
const PLACES: &[(Spot, &str)] = &[
    // A word that is no command, a slip of one, and two commands.
    (Spot::Table, "/NASTY"),
    (Spot::Table, "/movNASTY b2"),
    (Spot::Table, "/move b2\n/join NASTY"),
    (Spot::Table, "/mov NASTY"),
    // Words that a command does not know.
    (Spot::Table, "/resign NASTY"),
    (Spot::Table, "/undo NASTY"),
    (Spot::Table, "/join X NASTY"),
    (Spot::Table, "/draw? NASTY"),
    (Spot::Elsewhere, "/resign NASTY #1"),
    // A new table: the game, its options and their values, the opponent.
    (Spot::Body, "/new NASTY"),
    (Spot::Body, "/new tic-tac-toe NASTY"),
    (Spot::Body, "/new tic-tac-toe NASTY=1"),
    (Spot::Body, "/new tic-tac-toe size=NASTY"),
    (Spot::Body, "/new tic-tac-toe k=NASTY"),
    (Spot::Body, "/new tic-tac-toe as=NASTY"),
    (Spot::Body, "/new tic-tac-toe per-move=NASTY"),
    (Spot::Body, "/new tic-tac-toe seats=NASTY"),
    (Spot::Body, "/new tic-tac-toe seats=open gap=NASTY"),
    (Spot::Body, "/new tic-tac-toe @NASTY"),
    (Spot::Body, "/new tic-tac-toe @bob @NASTY"),
    (Spot::Body, "/new backgammon match=NASTY"),
    (Spot::Body, "/new backgammon jacoby=NASTY"),
    (Spot::Body, "/new ultimate NASTY"),
    (Spot::Elsewhere, "/new NASTY"),
    // A form that was filled in.
    (Spot::Body, "### Game\n\nNASTY\n\n### Opponent\n\n_No response_\n\n### Options\n\n_No response_"),
    (Spot::Body, "### Game\n\ntic-tac-toe\n\n### Opponent\n\nNASTY\n\n### Options\n\n_No response_"),
    (Spot::Body, "### Game\n\ntic-tac-toe\n\n### Opponent\n\n_No response_\n\n### Options\n\nNASTY"),
    (Spot::Body, "### Game\n\ntic-tac-toe\n\n### Options\n\nas=NASTY"),
    (Spot::Body, "### Game\r\n\r\ntic-tac-toe\r\n\r\n### Options\r\n\r\nNASTY=4"),
    // What is asked for or played.
    (Spot::Table, "/help NASTY"),
    (Spot::Elsewhere, "/help NASTY"),
    (Spot::Table, "/join NASTY"),
    (Spot::Table, "/move NASTY"),
    (Spot::Table, "/move b2NASTY"),
    (Spot::Table, "/move b2 NASTY"),
    (Spot::Table, "/play z99 NASTY"),
    (Spot::Table, "/move z99\nNASTY"),
    (Spot::Table, "/move 8/5NASTY 6/5"),
    (Spot::Table, "NASTY"),
    (Spot::Table, "/resign NASTY"),
    (Spot::Table, "b2NASTY"),
    (Spot::Table, "I play b2 NASTY"),
    (Spot::Table, "b2\nNASTY\n/resign"),
    (Spot::Table, "NASTY\n/resign"),
    (Spot::Table, "z99\r\nNASTY\rNASTY\n\r"),
    // At another table, or at none.
    (Spot::Elsewhere, "/move NASTY #1"),
    (Spot::Elsewhere, "/move #1 NASTY"),
    (Spot::Elsewhere, "/join NASTY #1"),
    (Spot::Elsewhere, "/move b2 #NASTY"),
    (Spot::Elsewhere, "/move NASTY #42"),
    (Spot::Elsewhere, "/movNASTY #1"),
    (Spot::Elsewhere, "NASTY"),
    (Spot::Body, "NASTY"),
    (Spot::Body, "NASTY\n/new NASTY"),
    (Spot::Body, "/move NASTY #1"),
];

#[track_caller]
fn everywhere(game: &str, moves: &[(&str, &str)], texts: &[String]) {
    let stage = table(game, moves);
    let mut came = std::collections::BTreeMap::<&str, usize>::new();
    for text in texts {
        for (spot, place) in PLACES {
            *came.entry(check(&stage, *spot, &place.replace("NASTY", text))).or_default() += 1;
        }
    }
    // That nothing shows proves something only where there are answers.
    assert!(came["refused"] > often(24 * texts.len(), 900) && came.contains_key("chat"), "{came:?}");
}

/// Most answers are the same at every table, so a part of the texts does for the others.
fn some(few: usize) -> Vec<String> {
    nasty().into_iter().step_by(often(few, 1)).collect()
}

#[test]
fn escapes_texts_at_tic_tac_toe() {
    everywhere("tic-tac-toe @bob", &[], &some(4));
}

#[test]
fn escapes_texts_at_ultimate_tic_tac_toe() {
    everywhere("ultimate @bob", &[("anna", "e5"), ("bob", "e4")], &some(10));
}

#[test]
fn escapes_texts_at_backgammon() {
    everywhere("backgammon", &[], &some(10));
}

#[test]
fn escapes_texts_in_every_refusal() {
    // Some of these quote words only today, because of how a comment is read. They hold for whatever they are given.
    let anna = Author { id: 1, login: "anna".to_owned(), is_bot: false };
    for text in nasty() {
        let text = || format!("{text}\n{text}");
        let refusals: [Refusal; 15] = [
            Refusal::UnknownStake(text(), &[]),
            Refusal::UnknownStake(text(), &["single"]),
            CommandError::TwoCommands(text(), text()).into(),
            CommandError::Typo(text(), "/move".to_owned()).into(),
            CommandError::Question(text()).into(),
            CommandError::ExtraWords(text(), text()).into(),
            CommandError::InvalidTableNumber(text()).into(),
            SetupRefusal::UnknownGame(text(), None, vec!["backgammon"]).into(),
            SetupRefusal::UnknownOption(text(), Some("size"), vec!["size"]).into(),
            SetupRefusal::InvalidLogin(text()).into(),
            SetupRefusal::OpponentWithoutAt(text()).into(),
            SetupRefusal::UnknownSeat(text(), ["X", "O"]).into(),
            MoveRefusal::NotAMove(text(), "The cell.".into(), Some("b2".to_owned())).into(),
            MoveRefusal::OutOfRange(text(), "It has 9 cells".to_owned()).into(),
            MoveRefusal::Ambiguous(text(), vec!["b2".to_owned(), "b3".to_owned()]).into(),
        ];
        for refusal in refusals {
            let answer = announce::refuse(&refusal, &anna, None, OutputFormat::MarkdownText);
            rendered::is_ours(&answer).unwrap_or_else(|why| panic!("{why}:\n{answer}"));
            assert!(answer.contains('`'), "{answer}");
        }
    }
}

#[test]
fn escapes_long_comments() {
    let stage = table("tic-tac-toe @bob", &[]);
    let long = |text: &str| text.repeat(65_536 / text.len());
    for (at, text) in nasty().iter().enumerate().step_by(often(10, 1)) {
        for (spot, around) in [
            (Spot::Table, format!("/move {text}")),
            (Spot::Table, text.clone()),
            (Spot::Body, format!("/new tic-tac-toe {text}")),
            (Spot::Body, format!("### Game\n{text}\n")),
        ] {
            let whole = match at % 3 {
                0 => long(&format!("{around} ")),
                1 => long(&format!("{around}\n")),
                _ => format!("{around}{}", long("x ")),
            };
            check(&stage, spot, &whole);
        }
    }
}

#[test]
fn escapes_deep_nesting() {
    let stage = table("tic-tac-toe @bob", &[]);
    for piece in ["> ", "- ", "1. ", "[", "![", "*", "**_", "<b>", "<details>", "`", "((", "|", "#", "~~", "\u{202e}"] {
        for count in [10, 1_000, 30_000] {
            let deep = piece.repeat(count / piece.len().max(1));
            for text in
                [format!("/move {deep}zq.x"), format!("{deep}/move zq.x"), format!("/new {deep}zq.x"), deep.clone()]
            {
                check(&stage, Spot::Table, &text);
                check(&stage, Spot::Body, &text);
            }
        }
    }
}

#[test]
fn escapes_logins_that_look_like_references() {
    // Accounts can be called so, and anyone can name them as their opponent.
    for login in
        ["GH-1", "gh-42", "deadbeef", "0123456789abcdef0123456789abcdef01234567", "JIRA-123", "_a_", "__a__", "a_b_"]
    {
        let world = World::new();
        world.open_issue("anna", &format!("/new tic-tac-toe @{login}"));
        wake(&world, &place(), Source { issue: 1, comment: 0 });
        for (who, text) in [("carl", "/join O"), ("anna", "b2"), ("carl", "/move a1"), ("anna", "/resign")] {
            let comment = world.comment(1, who, text);
            wake(&world, &place(), Source { issue: 1, comment });
        }
        let answers = world.answers(1);
        assert_eq!(answers.len(), 5);
        for answer in &answers {
            let (_, shown) = answer.split_once('\n').unwrap();
            rendered::is_ours(shown).unwrap_or_else(|why| panic!("{why}:\n{shown}"));
            assert!(!shown.contains(&format!("@{login}")), "{login} has never been here and is mentioned: {shown}");
        }
        assert!(answers[0].contains(&format!("reserved for **`{login}`**")), "{}", answers[0]);
    }
}

proptest! {
    #[test]
    fn quotes_any_text_as_one_code_span(text in "(`{0,4}|[^`]|\\PC|\\s|[<>@#\\[\\]()!*_|~$&:]){0,90}") {
        let sentence = format!("Before {} after.", quote(&text));
        prop_assert!(rendered::is_one_span(&sentence), "{sentence:?}");
    }
}
