//! What the pages tell people to write is understood, and the conversations on them can be held.

use table::any_table::AnyTable;
use table::decisions::decide::decide;
use table::decisions::decision::Decision;
use table::decisions::host_policy::{HostPolicy, OpeningPolicy};
use table::talk::command::{Command, ParsedComment, parse_comment};
use table::talk::comment::{Author, Source};
use table::talk::context::CommentContext;

use super::{Code, code, pages};

/// A table that grows comment by comment.
#[derive(Default)]
struct Thread {
    table: Option<AnyTable>,
    comments: u64,
}

impl Thread {
    fn hear(&mut self, who: &str, text: &str) -> Decision {
        let id = who.bytes().fold(7, |id, byte| id * 31 % 1_000_003 + u64::from(byte));
        let said = CommentContext {
            parsed: parse_comment(text),
            author: Author { id, login: who.to_owned(), is_bot: false },
            by_maintainer: false,
            by_issue_author: self.comments == 0,
            source: Source { issue: 1, comment: self.comments },
            issue_has_table: self.table.is_some(),
            attempted_new: false,
            updated_at: 1_760_000_000_000 + self.comments * 60_000,
            settles_through: self.comments,
            entropy: [7; 32],
        };
        self.comments += 1;
        let decision = decide(
            self.table.as_ref(),
            1,
            &said,
            &HostPolicy { opening: OpeningPolicy::Author, ..HostPolicy::default() },
        );
        if let Decision::Apply { table, .. } = &decision {
            self.table = Some(AnyTable::clone(table));
        }
        decision
    }
}

/// Whether a text on a page stands for many: `/new GAME [@opponent]`.
fn is_pattern(text: &str) -> bool {
    text.contains(['[', '…'])
        || text.contains("...")
        || ["GAME", "MOVE", "SEAT", "TABLE", "ISSUE"].iter().any(|word| text.contains(word))
}

#[test]
fn every_command_is_understood() {
    let mut seen = 0;
    for (path, text) in pages() {
        let spans = code(&text).into_iter().filter_map(|code| match code {
            Code::Span(text) if text.starts_with('/') && !is_pattern(&text) => Some(text),
            _ => None,
        });
        // A path of an API or of a file is no command.
        for span in spans.filter(|span| !span[1..].contains('/') || span.starts_with("/move")) {
            seen += 1;
            match parse_comment(&span) {
                ParsedComment::Command(Command::New(words), _) if !words.is_empty() => {
                    let decision = Thread::default().hear("alice", &span);
                    assert!(matches!(decision, Decision::Apply { .. }), "{}: {span}: {decision:?}", path.display());
                }
                ParsedComment::Command(..) => {}
                other => panic!("{}: {span} is read as {other:?}", path.display()),
            }
        }
    }
    assert!(seen > 60, "{seen} commands");
}

#[test]
fn every_conversation_can_be_held() {
    let mut held = 0;
    for (path, text) in pages() {
        for block in code(&text) {
            let Code::Block(word, block) = block else { continue };
            let lines: Option<Vec<(&str, &str)>> = block.lines().map(|line| line.split_once(": ")).collect();
            let Some(lines) = lines.filter(|lines| word == "text" && lines[0].1.starts_with("/new ")) else { continue };
            held += 1;
            let mut thread = Thread::default();
            for (who, said) in lines {
                let decision = thread.hear(who, said);
                assert!(matches!(decision, Decision::Apply { .. }), "{}: {who}: {said}: {decision:?}", path.display());
            }
        }
    }
    assert!(held >= 2, "{held} conversations");
}
