//! Tests of blocks on pages: the bot only changes text between markers, and every link plays its move.

mod blocks;
mod splice;

use answers::announce::show;
use answers::{Links, OutputFormat};
use table::{
    Author, CommentContext, CommentId, Decision, Done, HostPolicy, IssueNumber, ParsedComment, Permission, Query,
    Table, Timestamp, UserId, decide_at_once, parse_comment,
};
use testkit::place;

pub(crate) const LINKS: Links<'static> = Links {
    server: "https://github.com",
    repository: "octo-org/games",
    branch: "main",
    state_dir: "state",
    use_form: false,
};

/// Returns the table after a comment, or an error unless the bot accepts it.
pub(crate) fn apply_comment(
    table: Option<&Table>,
    login: &str,
    parsed: ParsedComment,
    entropy: u8,
) -> Result<Table, String> {
    let id = login.bytes().fold(7_u64, |id, byte| id * 31 + u64::from(byte)) % 1_000_000;
    let events = table.map_or(0, |table| table.settled_through().get() + 1);
    let context = CommentContext {
        parsed,
        author: Author { id: UserId::new(id), login: login.to_owned(), is_bot: false },
        permission: Some(Permission::Read),
        by_issue_author: true,
        issue_has_table: false,
        follows_question: false,
        refused_attempt: None,
        uses_french_letters: false,
        source: place(42, events),
        table: IssueNumber::new(42),
        updated_at: Timestamp::from_millis(1_760_000_000_000 + events * 1000),
        settled_through: CommentId::new(events),
        entropy: [entropy; 32],
    };
    match decide_at_once(table, &context, &HostPolicy::default()) {
        Some(Decision::Apply(Done { table, .. })) => Ok(*table),
        other => Err(format!("{other:?}")),
    }
}

/// Plays a table from comments: `alice: /move b2`. `*` stands for the first legal move, which depends on the dice.
#[track_caller]
pub(crate) fn play_comments(lines: &[&str]) -> Table {
    let mut table = None;
    for (line, entropy) in lines.iter().zip(1..) {
        let (login, text) = line.split_once(": ").expect("a login and a comment");
        let first_move = table.as_ref().and_then(|table| legal_moves(table).into_iter().next()).unwrap_or_default();
        let text = text.replace('*', &first_move);
        table = Some(apply_comment(table.as_ref(), login, parse_comment(&text), entropy).expect(line));
    }
    table.expect("a comment that opens the table")
}

/// Returns the legal moves as the bot lists them.
pub(crate) fn legal_moves(table: &Table) -> Vec<String> {
    let list =
        show(&Query::Moves, Some(table), &HostPolicy::default(), Timestamp::from_millis(0), OutputFormat::MarkdownText);
    let moves =
        list.split_once("legal moves: ").or_else(|| list.split_once("legal move: ")).map_or("", |(_, moves)| moves);
    moves.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A pseudorandom generator with the same sequence in every run.
pub(crate) struct TestRandom(pub(crate) u64);

impl TestRandom {
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}
