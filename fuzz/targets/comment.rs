//! Fuzzes the comment parser: what counts as a command, and that parsing is fast.

use answers::render::markdown;
use answers::{BlockUpdates, page, sentence};
use table::{Command, CommandError, IssueNumber, ParsedComment, form_comment, parse_comment, parse_issue_body};

/// The length of the repeated text in bytes: four times as much as a comment can hold in ASCII.
const LONG: usize = 1 << 18;

/// Checks that the result stays within its limits and doesn't depend on line endings, and that quotes and code contain
/// no commands.
pub fn comment(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let reading = parse_comment(text);
    match &reading {
        ParsedComment::Chat => {}
        ParsedComment::Text(text) => {
            let line = text.first();
            assert!(line.len() <= 400 && !line.contains(['\n', '`']), "{line:?}");
            assert!(line.trim() == line && !line.starts_with('/'), "{line:?}");
            text.slash_error().into_iter().for_each(check_error);
        }
        ParsedComment::Command(command, table) => {
            assert!(table.is_none_or(|table| (1..=u64::from(u32::MAX)).contains(&table.get())));
            check(command);
        }
        ParsedComment::Invalid(error, _) => check_error(error),
    }
    check_body(text);
    if text.contains('\r') {
        return;
    }
    assert_eq!(parse_comment(&text.replace('\n', "\r\n")), reading, "web forms send other line ends than mails");
    let quoted: String = text.split('\n').map(|line| format!("> {line}\n")).collect();
    assert_eq!(parse_comment(&quoted), ParsedComment::Chat, "quotes are no commands");
    let fence = "~".repeat(text.len() + 3);
    let is_no_command = match parse_comment(&format!("{fence}\n{text}\n{fence}\n")) {
        ParsedComment::Chat => true,
        ParsedComment::Text(text) => text.first().is_empty() && text.command_below().is_none(),
        ParsedComment::Command(..) | ParsedComment::Invalid(..) => false,
    };
    assert!(is_no_command, "code is no command");
}

/// Checks that the body of an issue is a comment, unless it is a form or starts a game with other words than `/new`.
fn check_body(text: &str) {
    let text = form_comment(text).unwrap_or(text);
    let comment = parse_comment(text);
    let is_other_command = match &comment {
        // `/play` is a move, except in a new issue.
        ParsedComment::Command(Command::Move(_) | Command::MoveWithOffer(_), _) => false,
        ParsedComment::Command(..) => !text.contains("### Game"),
        _ => false,
    };
    match parse_issue_body(text) {
        body if body == comment => {}
        ParsedComment::Command(command, None) if !is_other_command => {
            assert!(matches!(command, Command::New(_)), "{command:?}");
            check(&command);
        }
        ParsedComment::Invalid(error, None) if !is_other_command => check_error(&error),
        body => panic!("an issue with the text of {comment:?} is {body:?}"),
    }
}

fn check_error(error: &CommandError) {
    let sentence = markdown(&sentence(&error.clone().into(), None));
    assert!(sentence.len() < 2_000, "{sentence}");
}

/// Checks that the words of a command don't contain white space.
fn check(command: &Command) {
    let words: Vec<&str> = match command {
        Command::New(words) => words.iter().map(String::as_str).collect(),
        Command::Move(words) | Command::Help(Some(words)) => words.split(' ').filter(|word| !word.is_empty()).collect(),
        Command::Join(Some(word)) => vec![word],
        _ => return,
    };
    for word in words {
        // A form's opponent field is taken as a whole, so that it can be refused as a whole.
        let whole = word.starts_with('@') && word.trim() == word;
        assert!(!word.is_empty() && (whole || !word.contains(char::is_whitespace)), "{word:?}");
    }
}

/// Repeats a text until it is longer than any comment. If parsing is slow, the fuzzer's time limit reports it. The
/// first byte is the length of the prefix that isn't repeated.
pub fn long_text(data: &[u8]) {
    let Some((&once, text)) = data.split_first() else { return };
    let Some(text) = super::text(text) else { return };
    let split = (0..=usize::from(once) % 16).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (once, again) = text.split_at(split);
    if again.is_empty() {
        return;
    }
    let long = format!("{once}{}", again.repeat(LONG.div_ceil(again.len())));
    _ = parse_comment(&long);
    let marked = format!("{long}\n\n<!-- play-by-commit:table 42 -->\n<!-- /play-by-commit:table -->\n");
    _ = page::refresh(
        &marked,
        BlockUpdates { table: Some((IssueNumber::new(42), "A board")), ..BlockUpdates::default() },
    );
}
