//! Hostile text in comments, wherever an answer can quote it: it comes back only in one-line code spans of bounded length.
//!
//! The tests render each answer like GitHub's Markdown, and allow only the forms of our own answers. The text must not get into
//! commits either.

mod corpus;
mod rendered;

use answers::render::quote;
use answers::{MAX_ANSWER, Marker, OutputFormat, announce};
use corpus::{TOKEN, hostile_texts};
use games::GameKind;
use proptest::prelude::*;
use protocol::settle::settle;
use protocol::{RepoConfig, Report, Trigger};
use table::{
    Author, CommandError, CommentId, CommentRef, IssueNumber, LineFault, MoveRefusal, Refusal, SetupRefusal,
    TableRefusal, UserId, is_login, parse_comment, parse_issue_body,
};
use testkit::world::{State, World, default_config, run};
use testkit::{place, short_or_long};

fn settle_comment(world: &World, config: &RepoConfig, source: CommentRef) -> Report {
    let text = world.with_state(|state| state.note(source).unwrap().text.clone());
    let table =
        if source.comment == CommentId::new(0) { parse_issue_body(&text) } else { parse_comment(&text) }.table_number();
    run(settle(world, config, Trigger::Comment { source, table })).expect("the run ends").expect("the run succeeds")
}

/// A page with a board that a move changes, the list of tables, and the standings.
const PAGE: &str = "# Games\n\n<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n\n\
                    <!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n\n\
                    <!-- play-by-commit:standings -->\n<!-- /play-by-commit:standings -->\n";

/// Returns the fake GitHub with a table of anna and bob in issue 1, after these moves.
fn set_up_table(game: &str, moves: &[(&str, &str)]) -> State {
    let world = World::new();
    world.land(&[("README.md", PAGE)]);
    world.open_issue("anna", &format!("/new {game}"));
    let report = settle_comment(
        &world,
        &default_config(),
        CommentRef { issue: IssueNumber::new(1), comment: CommentId::new(0) },
    );
    assert_eq!(report.applied, 1, "{:?}", world.answers(1));
    for (login, text) in moves {
        let comment = world.comment(1, login, text);
        let report = settle_comment(
            &world,
            &default_config(),
            CommentRef { issue: IssueNumber::new(1), comment: CommentId::new(comment) },
        );
        assert_eq!(report.applied, 1, "{text}: {:?}", world.answers(1).last());
    }
    world.with_state(State::clone)
}

/// Where a text is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Location {
    /// In a comment at the table.
    Table,
    /// In a comment in anna's own issue without a table.
    Elsewhere,
    /// In the body of a new issue.
    Body,
}

/// Writes a text as anna and checks all effects. Returns the kind of the outcome.
#[track_caller]
fn write_and_check(start: &State, location: Location, text: &str) -> &'static str {
    let world = World::new();
    world.change(|state| state.clone_from(start));
    let before = start.commits.len();
    let source = match location {
        Location::Table => place(1, world.comment(1, "anna", text)),
        Location::Elsewhere => {
            let issue = world.open_issue("anna", "A place for tests.");
            place(issue, world.comment(issue, "anna", text))
        }
        Location::Body => place(world.open_issue("anna", text), 0),
    };
    let answered = world.answers(source.issue.get()).len();
    let report = settle_comment(&world, &default_config(), source);
    let answers = world.answers(source.issue.get()).split_off(answered);
    for note in report.notes.iter().chain(&report.failures) {
        let note = format!("{note:?}");
        assert!(!note.to_lowercase().contains(TOKEN), "{text:?} is told to the host: {note}");
    }
    world.with_state(|state| {
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
    // An invitation mentions the person that its author named.
    let invited = text.split_once('@').map(|(_, rest)| rest.split(|c| !is_login(&String::from(c))).next().unwrap());
    let invitation = invited.map(|login| format!(" invites @{login} to play "));
    let shown = match invitation.filter(|_| report.applied == 1) {
        Some(invitation) => &shown.replacen(&invitation, " invites somebody to play ", 1),
        None => shown,
    };
    if let Err(why) = rendered::check_answer(shown) {
        panic!("{text:?} gets an answer in which {why}:\n{shown}");
    }
    match report {
        Report { applied: 1, .. } => "applied",
        Report { refused: 1, .. } => "refused",
        _ => "shown",
    }
}

/// The places where an answer may quote a text. NASTY is a placeholder for it.
const PLACES: &[(Location, &str)] = &[
    // An unknown command, a mistyped one, and two commands.
    (Location::Table, "/NASTY"),
    (Location::Table, "/movNASTY b2"),
    (Location::Table, "/move b2\n/join NASTY"),
    (Location::Table, "/mov NASTY"),
    // Extra words after a command.
    (Location::Table, "/resign NASTY"),
    (Location::Table, "/undo NASTY"),
    (Location::Table, "/join X NASTY"),
    (Location::Table, "/draw? NASTY"),
    (Location::Elsewhere, "/resign NASTY #1"),
    // A new table: game, options, values, opponent.
    (Location::Body, "/new NASTY"),
    (Location::Body, "/new tic-tac-toe NASTY"),
    (Location::Body, "/new tic-tac-toe NASTY=1"),
    (Location::Body, "/new tic-tac-toe size=NASTY"),
    (Location::Body, "/new tic-tac-toe k=NASTY"),
    (Location::Body, "/new tic-tac-toe as=NASTY"),
    (Location::Body, "/new tic-tac-toe per-move=NASTY"),
    (Location::Body, "/new tic-tac-toe seats=NASTY"),
    (Location::Body, "/new tic-tac-toe seats=open gap=NASTY"),
    (Location::Body, "/new tic-tac-toe @NASTY"),
    (Location::Body, "/new tic-tac-toe @bob @NASTY"),
    (Location::Body, "/new backgammon match=NASTY"),
    (Location::Body, "/new backgammon jacoby=NASTY"),
    (Location::Body, "/new ultimate NASTY"),
    (Location::Elsewhere, "/new NASTY"),
    // An issue form.
    (Location::Body, "### Game\n\nNASTY\n\n### Opponent\n\n_No response_\n\n### Options\n\n_No response_"),
    (Location::Body, "### Game\n\ntic-tac-toe\n\n### Opponent\n\nNASTY\n\n### Options\n\n_No response_"),
    (Location::Body, "### Game\n\ntic-tac-toe\n\n### Opponent\n\n_No response_\n\n### Options\n\nNASTY"),
    (Location::Body, "### Game\n\ntic-tac-toe\n\n### Options\n\nas=NASTY"),
    (Location::Body, "### Game\r\n\r\ntic-tac-toe\r\n\r\n### Options\r\n\r\nNASTY=4"),
    // Help, seats and moves.
    (Location::Table, "/help NASTY"),
    (Location::Elsewhere, "/help NASTY"),
    (Location::Table, "/join NASTY"),
    (Location::Table, "/move NASTY"),
    (Location::Table, "/move b2NASTY"),
    (Location::Table, "/move b2 NASTY"),
    (Location::Table, "/play z99 NASTY"),
    (Location::Table, "/move z99\nNASTY"),
    (Location::Table, "/move 8/5NASTY 6/5"),
    (Location::Table, "NASTY"),
    (Location::Table, "/resign NASTY"),
    (Location::Table, "b2NASTY"),
    (Location::Table, "I play b2 NASTY"),
    (Location::Table, "b2\nNASTY\n/resign"),
    (Location::Table, "NASTY\n/resign"),
    (Location::Table, "z99\r\nNASTY\rNASTY\n\r"),
    // Another table, or none.
    (Location::Elsewhere, "/move NASTY #1"),
    (Location::Elsewhere, "/move #1 NASTY"),
    (Location::Elsewhere, "/join NASTY #1"),
    (Location::Elsewhere, "/move b2 #NASTY"),
    (Location::Elsewhere, "/move NASTY #42"),
    (Location::Elsewhere, "/movNASTY #1"),
    (Location::Elsewhere, "NASTY"),
    (Location::Body, "NASTY"),
    (Location::Body, "NASTY\n/new NASTY"),
    (Location::Body, "/move NASTY #1"),
];

/// Writes each text in every place.
#[track_caller]
fn write_everywhere(game: &str, moves: &[(&str, &str)], texts: &[String]) {
    let start = set_up_table(game, moves);
    let mut outcomes = std::collections::BTreeMap::<&str, usize>::new();
    for text in texts {
        for (location, place) in PLACES {
            *outcomes.entry(write_and_check(&start, *location, &place.replace("NASTY", text))).or_default() += 1;
        }
    }
    // The test is only worth something if there are enough answers.
    assert!(
        outcomes["refused"] > short_or_long(24 * texts.len(), 900) && outcomes.contains_key("chat"),
        "{outcomes:?}"
    );
}

/// Returns every `step`th hostile text, because most answers are the same at every table.
fn sample(step: usize) -> Vec<String> {
    hostile_texts().into_iter().step_by(short_or_long(step, 1)).collect()
}

#[test]
fn escapes_texts_at_tic_tac_toe() {
    write_everywhere("tic-tac-toe @bob", &[], &sample(4));
}

#[test]
fn escapes_texts_at_ultimate_tic_tac_toe() {
    write_everywhere("ultimate @bob", &[("anna", "e5"), ("bob", "e4")], &sample(10));
}

#[test]
fn escapes_texts_at_backgammon() {
    write_everywhere("backgammon", &[], &sample(10));
}

#[test]
fn escapes_texts_in_conditional_moves() {
    let start = set_up_table("tic-tac-toe @bob", &[("anna", "b2")]);
    let mut refused = 0;
    for text in hostile_texts() {
        for place in [
            "/if NASTY",
            "/if a1 NASTY",
            "/if a1 c3, NASTY",
            "/if NASTY a1",
            "/if any NASTY",
            "/if a1 c3\nc3 NASTY",
            "if NASTY",
            "b2, if NASTY",
        ] {
            let outcome = write_and_check(&start, Location::Table, &place.replace("NASTY", &text));
            refused += usize::from(outcome == "refused");
        }
    }
    assert!(refused > 3 * hostile_texts().len(), "{refused}");
}

#[test]
fn escapes_texts_in_every_refusal() {
    // The command parser limits some of these texts today. Check them with any text.
    let anna = Author { id: UserId::new(1), login: "anna".to_owned(), is_bot: false };
    for text in hostile_texts() {
        let text = || format!("{text}\n{text}");
        let refusals: [Refusal; 21] = [
            Refusal::UnknownCost(text(), &[]),
            Refusal::UnknownCost(text(), &["single"]),
            CommandError::TwoCommands(text(), text()).into(),
            CommandError::Typo(text(), "/move".to_owned()).into(),
            CommandError::Question(text()).into(),
            CommandError::ExtraWords(text(), text()).into(),
            CommandError::InvalidTableNumber(text()).into(),
            CommandError::TooLong(text()).into(),
            Refusal::Line(vec!["b2".to_owned()], Box::new(LineFault::Illegal(text(), TableRefusal::GameInProgress))),
            Refusal::Line(
                Vec::new(),
                Box::new(LineFault::Move(MoveRefusal::NotAMove(text(), "The cell.".into(), None))),
            ),
            SetupRefusal::UnknownGame(text(), None, vec!["backgammon"]).into(),
            SetupRefusal::UnknownOption(text(), Some("size"), GameKind::Hex).into(),
            SetupRefusal::InvalidLogin(text()).into(),
            SetupRefusal::OpponentWithoutAt(text()).into(),
            SetupRefusal::OpponentIsMissing(text()).into(),
            SetupRefusal::OpponentIsOrganization(text()).into(),
            SetupRefusal::UnknownSeat(text(), ["X", "O"]).into(),
            MoveRefusal::NotAMove(text(), "The cell.".into(), Some("b2".to_owned())).into(),
            MoveRefusal::OutsideBoard(text(), "a1-c3".to_owned()).into(),
            MoveRefusal::OutOfRange(text(), "It has 9 cells".to_owned()).into(),
            MoveRefusal::Ambiguous(text(), vec!["b2".to_owned(), "b3".to_owned()]).into(),
        ];
        for refusal in refusals {
            let answer = announce::refuse(&refusal, &anna, None, OutputFormat::MarkdownText);
            rendered::check_answer(&answer).unwrap_or_else(|why| panic!("{why}:\n{answer}"));
            assert!(answer.contains('`'), "{answer}");
        }
    }
}

#[test]
fn escapes_long_comments() {
    let start = set_up_table("tic-tac-toe @bob", &[]);
    let long = |text: &str| text.repeat(65_536 / text.len());
    for (at, text) in hostile_texts().iter().enumerate().step_by(short_or_long(10, 1)) {
        for (location, around) in [
            (Location::Table, format!("/move {text}")),
            (Location::Table, text.clone()),
            (Location::Body, format!("/new tic-tac-toe {text}")),
            (Location::Body, format!("### Game\n{text}\n")),
        ] {
            let whole = match at % 3 {
                0 => long(&format!("{around} ")),
                1 => long(&format!("{around}\n")),
                _ => format!("{around}{}", long("x ")),
            };
            write_and_check(&start, location, &whole);
        }
    }
}

#[test]
fn escapes_deep_nesting() {
    let start = set_up_table("tic-tac-toe @bob", &[]);
    for piece in ["> ", "- ", "1. ", "[", "![", "*", "**_", "<b>", "<details>", "`", "((", "|", "#", "~~", "\u{202e}"] {
        for count in [10, 1_000, 30_000] {
            let deep = piece.repeat(count / piece.len().max(1));
            for text in
                [format!("/move {deep}zq.x"), format!("{deep}/move zq.x"), format!("/new {deep}zq.x"), deep.clone()]
            {
                write_and_check(&start, Location::Table, &text);
                write_and_check(&start, Location::Body, &text);
            }
        }
    }
}

#[test]
fn escapes_logins_that_look_like_references() {
    // Accounts can have these logins, and anyone can name them as the opponent.
    for login in [
        "GH-1",
        "gh-42",
        "deadbeef",
        "0123456789abcdef0123456789abcdef01234567",
        "JIRA-123",
        "_a_",
        "__a__",
        "a_b_",
        "bob_corp",
    ] {
        let world = World::new();
        world.open_issue("anna", &format!("/new tic-tac-toe @{login}"));
        settle_comment(
            &world,
            &default_config(),
            CommentRef { issue: IssueNumber::new(1), comment: CommentId::new(0) },
        );
        for (who, text) in [("carl", "/join O"), ("anna", "b2"), ("carl", "/move a1"), ("anna", "/resign")] {
            let comment = world.comment(1, who, text);
            settle_comment(
                &world,
                &default_config(),
                CommentRef { issue: IssueNumber::new(1), comment: CommentId::new(comment) },
            );
        }
        let answers = world.answers(1);
        assert_eq!(answers.len(), 5);
        // Only the invitation mentions somebody who has never been here. A mention isn't a
        // reference, but it may be emphasis.
        let is_emphasis = login.starts_with('_') || login.ends_with('_');
        let name = if is_emphasis { format!("**`{login}`**") } else { format!("@{login}") };
        let invitation = format!("invites {name} to play");
        assert!(answers[0].contains(&invitation), "{}", answers[0]);
        for answer in &answers {
            let (_, shown) = answer.split_once('\n').unwrap();
            let shown = shown.replacen(&invitation, "invites somebody to play", 1);
            rendered::check_answer(&shown).unwrap_or_else(|why| panic!("{why}:\n{shown}"));
            assert!(!shown.contains(&format!("@{login}")), "{login} has never been here and is mentioned: {shown}");
        }
    }
}

proptest! {
    #[test]
    fn quotes_any_text_as_one_code_span(text in "(`{0,4}|[^`]|\\PC|\\s|[<>@#\\[\\]()!*_|~$&:]){0,90}") {
        let sentence = format!("Before {} after.", quote(&text));
        prop_assert!(rendered::is_one_span(&sentence), "{sentence:?}");
    }
}
