//! Checks that the bot understands the commands and conversations on the pages.

use table::{
    Author, Command, CommentContext, CommentId, Decision, Done, HostPolicy, IssueNumber, ParsedComment, Permission,
    Table, Timestamp, UserId, WhoMayStart, decide_at_once, parse_comment,
};
use testkit::place;

use super::{Code, code, pages};

/// A thread whose comments are decided one by one.
#[derive(Default)]
struct Thread {
    table: Option<Table>,
    comments: u64,
}

impl Thread {
    fn comment(&mut self, login: &str, text: &str) -> Option<Decision<Done>> {
        let id = login.bytes().fold(7, |id, byte| id * 31 % 1_000_003 + u64::from(byte));
        let context = CommentContext {
            parsed: parse_comment(text),
            author: Author { id: UserId::new(id), login: login.to_owned(), is_bot: false },
            permission: Some(Permission::Read),
            by_issue_author: self.comments == 0,
            source: place(1, self.comments),
            table: IssueNumber::new(1),
            issue_has_table: self.table.is_some(),
            follows_question: false,
            refused_attempt: None,
            uses_french_letters: false,
            updated_at: Timestamp::from_millis(1_760_000_000_000 + self.comments * 60_000),
            settled_through: CommentId::new(self.comments),
            entropy: [7; 32],
        };
        self.comments += 1;
        let decision = decide_at_once(
            self.table.as_ref(),
            &context,
            &HostPolicy { opening: WhoMayStart::Author, ..HostPolicy::default() },
        );
        if let Some(Decision::Apply(Done { table, .. })) = &decision {
            self.table = Some(Table::clone(table));
        }
        decision
    }
}

/// Whether a command on a page has placeholders, such as `/new GAME [@opponent]`.
fn is_pattern(text: &str) -> bool {
    text.contains(['[', '…'])
        || text.contains("...")
        || ["GAME", "MOVE", "SEAT", "TABLE", "ISSUE"].iter().any(|word| text.contains(word))
}

/// The paths of the server, which look like commands.
const SERVER_PATHS: [&str; 5] = ["/healthz", "/metrics", "/readyz", "/setup", "/webhook"];

#[test]
fn the_bot_understands_every_command() {
    let mut seen = 0;
    for (path, text) in pages() {
        let spans = code(&text).into_iter().filter_map(|code| match code {
            Code::Span(text) if text.starts_with('/') && !is_pattern(&text) => Some(text),
            _ => None,
        });
        // Skip paths of APIs, files and the server.
        let is_command = |span: &String| {
            let is_path = span[1..].contains('/') && !span.starts_with("/move");
            !is_path && !SERVER_PATHS.contains(&span.as_str())
        };
        for span in spans.filter(is_command) {
            seen += 1;
            match parse_comment(&span) {
                ParsedComment::Command(Command::New(words), _) if !words.is_empty() => {
                    let decision = Thread::default().comment("alice", &span);
                    assert!(matches!(decision, Some(Decision::Apply(_))), "{}: {span}: {decision:?}", path.display());
                }
                ParsedComment::Command(..) => {}
                other => panic!("{}: {span} is read as {other:?}", path.display()),
            }
        }
    }
    assert!(seen > 60, "{seen} commands");
}

#[test]
fn every_conversation_works() {
    let mut held = 0;
    for (path, text) in pages() {
        for block in code(&text) {
            let Code::Block(word, block) = block else { continue };
            let lines: Option<Vec<(&str, &str)>> = block.lines().map(|line| line.split_once(": ")).collect();
            let Some(lines) = lines.filter(|lines| word == "text" && lines[0].1.starts_with("/new ")) else { continue };
            held += 1;
            let mut thread = Thread::default();
            for (login, text) in lines {
                let decision = thread.comment(login, text);
                assert!(
                    matches!(decision, Some(Decision::Apply(_))),
                    "{}: {login}: {text}: {decision:?}",
                    path.display()
                );
            }
        }
    }
    assert!(held >= 2, "{held} conversations");
}
