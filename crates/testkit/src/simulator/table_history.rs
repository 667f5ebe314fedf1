//! The history of every table, reconstructed from the commits.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Deref;
use std::rc::Rc;

use answers::{Marker, is_only_a_command, rankings};
use game::Seat;
use table::{
    Absences, Author, Command, CommandError, CommentContext, CommentId, CommentRef, Entropy, EventKind, GameSummary,
    InvalidFile, IssueNumber, ParsedComment, Query, ReplyAudit, Table, Timestamp, UserId, parse_comment,
    parse_issue_body, state_file,
};

use crate::simulator::core::{CommentVersion, PostedComment};
use crate::simulator::foreign::is_foreign;
use crate::simulator::{Core, Mode};
use crate::{Millis, place};

/// A table between two commits that changed it.
pub(crate) struct Stage {
    pub from: Millis,
    /// When the next stage began.
    pub to: Millis,
    /// `None` if there was no record, or a damaged one.
    pub table: Option<Rc<CachedTable>>,
    pub text: Option<String>,
    /// When the players were away, as the summary of the game says.
    absences: Absences,
    /// The command that led to this stage; `None` if someone repaired a damaged record.
    pub source: Option<CommentRef>,
}

/// Every table, stage by stage.
#[derive(Default)]
pub(crate) struct TableHistories {
    pub tables: BTreeMap<u64, Vec<Stage>>,
}

impl TableHistories {
    /// Reads the history of the state branch. A record that doesn't replay becomes a stage without a table.
    pub(crate) fn from_commits(core: &Core) -> TableHistories {
        let mut histories = TableHistories::default();
        let issues: BTreeSet<u64> = core.ledger.comments.keys().map(|source| source.issue.get()).collect();
        for &issue in &issues {
            histories.tables.insert(issue, Vec::new());
        }
        for (at, head) in &core.ledger.heads {
            let files = head.as_ref().map(|head| &core.state.commits[head].files);
            for &issue in &issues {
                let text = files.and_then(|files| files.get(&format!("state/{issue}.json")));
                let stages = histories.tables.get_mut(&issue).expect("inserted above");
                let absences = files.map(|files| known_absences(files, issue)).unwrap_or_default();
                if stages.last().is_some_and(|stage| stage.text.as_ref() == text && stage.absences == absences) {
                    continue;
                }
                if let Some(last) = stages.last_mut() {
                    last.to = *at;
                }
                let table = text.and_then(|text| load(text, issue).ok());
                let source = table.as_ref().and_then(|table| table.last_source());
                let source = source.filter(|source| stages.iter().all(|stage| stage.source != Some(*source)));
                let table = table.map(|table| with_absences(&table, absences.clone()));
                stages.push(Stage { from: *at, to: Millis::MAX, table, text: text.cloned(), absences, source });
            }
        }
        histories
    }

    /// Returns whether this table's record was ever missing, and ever present, between two times.
    pub(crate) fn is_table(&self, issue: u64, from: Millis, to: Millis) -> [bool; 2] {
        let mut seen = [self.stages(issue).first().is_none_or(|first| first.from > from), false];
        for stage in self.stages(issue).iter().filter(|stage| stage.to >= from && stage.from <= to) {
            seen[usize::from(stage.text.is_some())] = true;
        }
        seen
    }

    pub(crate) fn stages(&self, issue: u64) -> &[Stage] {
        self.tables.get(&issue).map_or(&[], Vec::as_slice)
    }
}

/// Returns the times away in the summary of a table's game.
pub(crate) fn known_absences(files: &Files, issue: u64) -> Absences {
    let text = files.get(&format!("state/running/{issue}.json")).filter(|text| text.contains("\"away\""));
    let game = text.and_then(|text| GameSummary::parse(text, IssueNumber::new(issue)).ok());
    game.map(|game| game.absences()).unwrap_or_default()
}

/// Whether somebody edited a comment too late for the edit to count: after five minutes.
fn is_late(posted: &PostedComment, version: &CommentVersion) -> bool {
    version.time - posted.versions[0].time > 5 * 60_000
}

/// Returns the author of a version that came too late; `None` if it came in time, or is obvious chat.
pub(crate) fn late_edit_author(core: &Core, posted: &PostedComment, version: &CommentVersion) -> Option<Author> {
    let text = version.text.as_ref().filter(|_| is_late(posted, version))?;
    author_of(core, posted).filter(|_| parse_comment(text) != ParsedComment::Chat)
}

fn author_of(core: &Core, posted: &PostedComment) -> Option<Author> {
    let person = core.state.people.get(&posted.login)?;
    Some(Author { id: UserId::new(person.id), login: person.login.clone(), is_bot: person.bot })
}

/// Returns a version of a comment as the bot reads it; `None` if it is deleted, edited too late, or obvious chat.
pub(crate) fn comment_context(
    core: &Core,
    source: CommentRef,
    posted: &PostedComment,
    version: &CommentVersion,
    entropy: Entropy,
    settled_through: u64,
) -> Option<CommentContext> {
    let text = version.text.as_ref()?;
    if is_late(posted, version) {
        return None;
    }
    let reading = if source.comment.get() == 0 { parse_issue_body(text) } else { parse_comment(text) };
    if reading == ParsedComment::Chat {
        return None;
    }
    let author = author_of(core, posted)?;
    let person = core.state.people.get(&posted.login)?;
    let opener = core.ledger.comments.get(&CommentRef::body_of(source.issue));
    Some(CommentContext {
        table: reading.table_number().unwrap_or(source.issue),
        parsed: reading,
        author,
        permission: Some(person.permission),
        by_issue_author: opener.is_some_and(|opener| opener.login == posted.login),
        source,
        // The caller sets it.
        issue_has_table: false,
        follows_question: false,
        refused_attempt: None,
        uses_french_letters: false,
        updated_at: Timestamp::from_millis(version.time),
        settled_through: CommentId::new(settled_through),
        entropy,
    })
}

impl Stage {
    pub(crate) fn table(&self) -> Option<&Table> {
        self.table.as_deref().map(|cached| &**cached)
    }

    /// Whether the record is damaged. The bot decides nothing until it is repaired.
    pub(crate) fn is_damaged(&self) -> bool {
        self.table.is_none() && self.text.is_some()
    }
}

/// The table that the body of an issue is for, according to the bot's answer.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    pub table: u64,
    /// Whether every run knows that comments without a number are for that table.
    pub is_certain: bool,
}

impl Link {
    /// Returns the table that comments in an issue may be for if they name none.
    pub(crate) fn find(core: &Core, issue: u64) -> Option<Link> {
        let body = place(issue, 0);
        let posted = core.ledger.comments.get(&body)?;
        let markers = core.ledger.answers.iter().filter_map(|answer| Marker::parse(&answer.body));
        let markers: Vec<Marker> =
            markers.filter(|marker| marker.source == body && marker.table.get() != issue).collect();
        let table = match markers.first() {
            Some(marker) => marker.table.get(),
            // GitHub refused the answer, but the run that tried knows the link.
            None if core.ledger.refused.contains(&body) => posted
                .texts()
                .find_map(|text| parse_comment(text).table_number())
                .map(IssueNumber::get)
                .filter(|table| *table != issue)?,
            None => return None,
        };
        if !posted.texts().any(is_only_a_command) {
            return None;
        }
        let path = format!("state/{issue}.json");
        let had_table = core.state.commits.values().any(|commit| commit.files.contains_key(&path));
        let comments = core.ledger.comments.range(body..place(issue + 1, 0));
        let opens_table = comments.flat_map(|(_, posted)| posted.texts()).any(|text| text.contains("/new"));
        let is_certain = !posted.was_changed()
            && !had_table
            && !opens_table
            && core.mode != Mode::Wrecked
            && core.state.issues.get(&issue).is_some_and(|thread| {
                thread.comments.iter().any(|note| Marker::parse(&note.text).is_some_and(|marker| marker.source == body))
            });
        Some(Link { table, is_certain })
    }

    /// Returns the context of a comment that is for the linked table; `None` if it names a table, or is for its own issue.
    pub(crate) fn context(self, context: &CommentContext) -> Option<CommentContext> {
        let table = IssueNumber::new(self.table);
        let parsed = match context.parsed.clone() {
            _ if context.source.comment.get() == 0 => return None,
            ParsedComment::Command(Command::New(_) | Command::Help(_) | Command::Continue, _)
            | ParsedComment::Invalid(CommandError::InvalidTableNumber(_), _)
            | ParsedComment::Chat => return None,
            ParsedComment::Command(command, None) => ParsedComment::Command(command, Some(table)),
            ParsedComment::Invalid(error, None) => ParsedComment::Invalid(error, Some(table)),
            parsed @ ParsedComment::Text(..) => parsed,
            ParsedComment::Command(..) | ParsedComment::Invalid(..) => return None,
        };
        Some(CommentContext { parsed, table, ..context.clone() })
    }
}

/// Whether a comment without a command is older than the last event of a table in another issue, so that it stays chat.
pub(crate) fn is_outdated(context: &CommentContext, table: Option<&Table>) -> bool {
    let (source, time) = (context.source, context.updated_at);
    matches!(context.parsed, ParsedComment::Text(..))
        && table.is_none_or(|table| table.last_event_time() > time || table.has_event_since(source, time))
}

/// Whether a comment without a command may have been chat when it was written, at a table that has moved to its issue since.
pub(crate) fn may_have_been_chat(context: &CommentContext, table: &Table) -> bool {
    let has_moved = table.first_issue() != table.issue();
    has_moved
        && matches!(context.parsed, ParsedComment::Text(..))
        && table.has_event_since(context.source, context.updated_at)
}

// A cache of parsed records for the checks and for people's moves. The code under test doesn't use it.

/// A parsed record and its legal moves.
pub(crate) struct CachedTable {
    table: Table,
    moves: OnceCell<Vec<String>>,
}

impl Deref for CachedTable {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl CachedTable {
    /// Returns a copy of the table.
    pub(crate) fn clone_table(&self) -> Table {
        self.table.clone()
    }

    /// Returns the comments behind the table's events.
    pub(crate) fn sources(&self) -> Vec<CommentRef> {
        self.table.history().iter().filter(|event| event.has_comment()).map(|event| event.source).collect()
    }

    /// Whether the game ended because its issue is gone.
    pub(crate) fn ended_without_issue(&self) -> bool {
        self.table.history().last().is_some_and(|event| event.kind == EventKind::IssueGone)
    }

    /// Returns the computer replies that differ when recomputed: ply, recorded move and recomputed move.
    pub(crate) fn reply_mismatches(&self) -> Vec<(usize, String, String)> {
        ReplyAudit::run(&self.table).mismatches
    }

    /// Returns the logins of the player to move and of the opponent.
    pub(crate) fn logins(&self) -> [Option<&str>; 2] {
        fn logins_of(record: &Table) -> [Option<&str>; 2] {
            let login = |seat: Seat| record.player(seat)?.login();
            [login(record.player_to_move()), login(record.player_to_move().other())]
        }
        logins_of(&self.table)
    }

    /// Returns the legal moves; `list` runs only once.
    pub(crate) fn moves(&self, list: impl FnOnce(&Table) -> Vec<String>) -> &[String] {
        self.moves.get_or_init(|| list(&self.table))
    }
}

/// Returns a table with the times when its players were away.
pub(crate) fn with_absences(cached: &Rc<CachedTable>, absences: Absences) -> Rc<CachedTable> {
    if absences == Absences::default() {
        return cached.clone();
    }
    Rc::new(CachedTable { table: cached.table.clone().with_absences(absences), moves: OnceCell::new() })
}

type Read = Result<Rc<CachedTable>, InvalidFile>;

thread_local! {
    static CACHE: RefCell<HashMap<(u64, String), Read>> = RefCell::default();
}

/// Parses a record like [`state_file::load`], or returns it from the cache.
///
/// # Errors
/// Returns an error if [`state_file::load`] does.
pub(crate) fn load(text: &str, issue: u64) -> Read {
    let key = (issue, text.to_owned());
    if let Some(cached) = CACHE.with_borrow(|cache| cache.get(&key).cloned()) {
        return cached;
    }
    let loaded = state_file::load(text, IssueNumber::new(issue))
        .map(|table| Rc::new(CachedTable { table, moves: OnceCell::new() }));
    CACHE.with_borrow_mut(|cache| cache.insert(key, loaded.clone()));
    loaded
}

/// The files of a commit, by path.
pub(crate) type Files = BTreeMap<String, String>;

/// Returns the path of a table's record.
pub(crate) fn record_path(issue: u64) -> String {
    format!("state/{issue}.json")
}

/// Returns the table whose record has this path.
pub(crate) fn issue_of(path: &str) -> Option<u64> {
    path.strip_prefix("state/")?.strip_suffix(".json")?.parse().ok()
}

/// Returns a table at a commit; `None` if its record is missing or damaged.
pub(crate) fn find(files: &Files, issue: u64) -> Option<Rc<CachedTable>> {
    load(files.get(&record_path(issue))?, issue).ok()
}

/// Clears the cache.
pub(crate) fn clear() {
    CACHE.with_borrow_mut(HashMap::clear);
}

// The right answers about the standings, and the games in progress that a list shows.

/// Returns the answers to a query about the standings at all heads that a run may have read between two times.
pub(crate) fn standings_texts(core: &Core, query: &Query, table: Option<&Table>, times: [Millis; 2]) -> Vec<String> {
    let paths = rankings::files_needed(query, table);
    let text = |head: Option<&String>| {
        let commit = head.map(|head| &core.state.commits[head].files);
        let file = |path: &String| Some((path.clone(), commit?.get(&format!("state/{path}"))?.clone()));
        rankings::show(query, table, &paths.iter().filter_map(file).collect())
    };
    heads_between(core, times).map(text).collect()
}

/// Returns the repository's own games in progress at a head.
pub(crate) fn games_at(core: &Core, head: Option<&String>) -> Vec<GameSummary> {
    let files = head.map(|head| &core.state.commits[head].files);
    let game = |(path, text): (&String, &String)| {
        let issue = path.strip_prefix("state/running/")?.strip_suffix(".json")?.parse().ok()?;
        GameSummary::parse(text, issue).ok()
    };
    let games = files.into_iter().flat_map(|files| files.iter()).filter_map(game);
    games.filter(|game| !is_foreign(game.repository)).collect()
}

/// Returns all heads that a run may have read between two times.
pub(crate) fn heads_between(core: &Core, [from, to]: [Millis; 2]) -> impl Iterator<Item = Option<&String>> {
    let heads = &core.ledger.heads;
    let ends = heads.iter().skip(1).map(|(at, _)| *at).chain([Millis::MAX]);
    let seen = heads.iter().zip(ends).filter(move |((at, _), end)| *at <= to && *end >= from);
    seen.map(|((_, head), _)| head.as_ref())
}
