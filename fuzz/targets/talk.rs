//! Fuzzes whole conversations. Each line is a comment, and its first letter is its author.

use std::collections::BTreeMap;
use std::time::Duration;

use answers::block::MAX_BLOCK;
use answers::{BlockUpdates, Links, OutputFormat, announce, block, page};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;
use table::{
    Author, CommentContext, CommentId, CommentRef, Decision, Done, HostPolicy, IssueNumber, Permission, Table,
    Timestamp, UserId, WhoMayStart, decide_at_once, parse_comment, parse_issue_body, state_file,
};

const ISSUE: IssueNumber = IssueNumber::new(7);
/// An issue without a table.
const FRESH: IssueNumber = IssueNumber::new(8);
const COMMENTS: usize = 60;
const HOUR: Duration = Duration::from_secs(3_600);
const LOOK: OutputFormat<'static> = OutputFormat::MarkdownText;
const PAGE: &str = "# Games\n\n<!-- play-by-commit:table 7 -->\n<!-- /play-by-commit:table -->\n";

/// A table built comment by comment.
#[derive(Default)]
struct Thread {
    table: Option<Table>,
    files: BTreeMap<String, String>,
    now: Timestamp,
}

/// Checks that after any comment, the committed files can be read and are counted once, and that answers don't mention
/// anyone they shouldn't.
pub fn talk(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let mut thread = Thread { now: Timestamp::from_millis(1_700_000_000_000), ..Thread::default() };
    for (at, line) in text.split('\n').enumerate().take(COMMENTS) {
        thread.hear(at as u64, line);
    }
}

/// Returns the table that a conversation leads to, without counting it in the standings.
pub fn table(data: &[u8]) -> Table {
    let mut thread = Thread { now: Timestamp::from_millis(1_700_000_000_000), ..Thread::default() };
    for (at, line) in super::text(data).unwrap_or_default().split('\n').enumerate() {
        let said = thread.comment_context(at as u64, line);
        let decision = decide_at_once(thread.table.as_ref(), &said, &host_policy());
        if let Some(Decision::Apply(Done { table, .. })) = decision {
            thread.table = Some(*table);
        }
    }
    thread.table.expect("the conversation opens a table")
}

/// Checks that a table from a record is still valid after any comment.
pub fn goes_on(table: &Table) {
    let value: Value = serde_json::from_str(&state_file::to_json(table)).expect("a record is JSON");
    let last = value["history"].as_array().and_then(|history| history.last()?["timestamp"].as_u64()).unwrap_or(0);
    let seats = value["seats"].as_object().into_iter().flat_map(|seats| seats.values());
    let seated = seats.filter_map(|player| player["id"].as_u64());
    for id in seated.chain([1]) {
        let continued = format!("/continue #{}", table.issue());
        let texts = ["/rematch", "/new tic-tac-toe", "/draw", "/undo", "/accept", "/resign", "/roll", "/abort", "b2"];
        for text in texts.into_iter().chain([continued.as_str()]) {
            let comment = table.settled_through().next();
            let at_table = text != continued;
            let issue = if at_table { table.issue() } else { FRESH };
            let said = CommentContext {
                parsed: parse_comment(text),
                author: Author { id: UserId::new(id), login: "alice".to_owned(), is_bot: false },
                permission: Some(if id == 1 { Permission::Write } else { Permission::Read }),
                by_issue_author: true,
                source: CommentRef { issue, comment },
                table: table.issue(),
                issue_has_table: at_table,
                follows_question: false,
                refused_attempt: None,
                uses_french_letters: false,
                updated_at: Timestamp::from_millis(last) + HOUR,
                settled_through: comment,
                entropy: [1; 32],
            };
            let decision = decide_at_once(Some(table), &said, &host_policy());
            if let Some(Decision::Apply(Done { table: after, previous })) = decision {
                for table in [Some(after), previous].into_iter().flatten() {
                    let text = state_file::to_json(&table);
                    state_file::load(&text, table.issue()).unwrap_or_else(|sentence| panic!("{sentence}: {text}"));
                }
            }
        }
    }
}

fn host_policy() -> HostPolicy {
    HostPolicy { opening: WhoMayStart::Anyone, ..HostPolicy::default() }
}

impl Thread {
    fn comment_context(&mut self, at: u64, line: &str) -> CommentContext {
        let (who, text) = line.split_at(line.chars().next().map_or(0, char::len_utf8));
        let (id, login) = match who {
            "b" => (1002, "bob"),
            "c" => (1003, "carl"),
            "m" => (1009, "host"),
            _ => (1001, "alice"),
        };
        // An uppercase letter means a long silence before the comment.
        self.now = self.now + if who.chars().all(char::is_uppercase) { 800 * HOUR } else { HOUR };
        let author = Author { id: UserId::new(id), login: login.to_owned(), is_bot: false };
        CommentContext {
            parsed: if at == 0 { parse_issue_body(text) } else { parse_comment(text) },
            permission: Some(if who == "m" { Permission::Write } else { Permission::Read }),
            by_issue_author: id == 1001,
            author,
            source: CommentRef { issue: ISSUE, comment: CommentId::new(at) },
            table: ISSUE,
            issue_has_table: self.table.is_some(),
            follows_question: false,
            refused_attempt: None,
            uses_french_letters: false,
            updated_at: self.now,
            settled_through: CommentId::new(at),
            entropy: [at as u8 ^ text.len() as u8; 32],
        }
    }

    fn hear(&mut self, at: u64, line: &str) {
        let said = self.comment_context(at, line);
        let decide = || decide_at_once(self.table.as_ref(), &said, &host_policy());
        let decision = decide();
        assert_eq!(decide(), decision, "the same comment, the same decision");
        match decision {
            None => {}
            Some(Decision::Apply(Done { table, previous })) => {
                assert!(table.has_event_from(said.source));
                assert!(previous.is_none_or(|old| self.table.as_ref() == Some(&*old)));
                self.table = Some(self.counted(*table));
                self.holds();
            }
            Some(Decision::Refuse(refusal)) => {
                let answer = announce::refuse(&refusal, &said.author, None, LOOK);
                assert!(answer.len() < 8_000, "{answer}");
                harmless(&answer);
            }
            // Its answer needs the files of a repository, and a vote has none.
            Some(Decision::Away(_) | Decision::Vote(_)) => {}
            Some(Decision::Show(show)) => {
                let answer = announce::show(&show, self.table.as_ref(), &host_policy(), said.updated_at, LOOK);
                assert!(!answer.is_empty());
                harmless(&answer);
            }
        }
    }

    /// Counts a finished table in the standings, and returns it with its result number.
    fn counted(&mut self, table: Table) -> Table {
        if standings::files_needed(&table).is_empty() {
            return table;
        }
        let counted = standings::count_result(&table, &self.files).expect("our own files can be counted on");
        let table = counted.record_in(table);
        self.files.extend(counted.files);
        table
    }

    /// Checks that the committed record and page read back the same.
    fn holds(&self) {
        let Some(table) = &self.table else { return };
        let text = state_file::to_json(table);
        let back = state_file::load(&text, ISSUE).unwrap_or_else(|sentence| panic!("{sentence}: {text}"));
        assert_eq!(state_file::to_json(&back), text);
        // An open table forgets the login of a player whose moves were all taken back.
        assert!(back == *table || text.contains("\"open\":"), "{text}");
        assert!(!announce::announce(table, LOOK).is_empty());
        let links = Links {
            server: "https://github.example",
            repository: "host/games",
            branch: "main",
            state_dir: "state",
            use_form: false,
        };
        let block = block::block(table, &links).text;
        assert!(block.len() <= MAX_BLOCK && !block.contains('@'), "{block}");
        let fresh_blocks = BlockUpdates { table: Some((ISSUE, &block)), ..BlockUpdates::default() };
        let fresh = page::refresh(PAGE, fresh_blocks).text.expect("the block is new");
        assert_eq!(page::refresh(&fresh, fresh_blocks).text, None);
    }
}

/// Checks that an answer that changes nothing mentions nobody, links nothing, and has no HTML except a collapsible
/// board.
fn harmless(answer: &str) {
    let mut code = false;
    for event in Parser::new_ext(answer, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => code = true,
            Event::End(TagEnd::CodeBlock) => code = false,
            Event::Text(text) if !code => assert!(!text.contains('@'), "{answer}"),
            // `/help` links our own docs.
            Event::Start(Tag::Link { dest_url, .. }) if dest_url.starts_with("https://github.com/play-by-commit/") => {}
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => panic!("a link: {answer}"),
            Event::Html(html) | Event::InlineHtml(html) => {
                let ours = ["<details>", "</details>", "<summary>", "</summary>"];
                assert!(ours.iter().any(|tag| html.contains(tag)), "{html:?} in {answer}");
            }
            _ => {}
        }
    }
}
