//! A cache of parsed records for the checks and for people's moves. The code under test doesn't use it.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::ops::Deref;
use std::rc::Rc;

use game::contract::Game;
use game::seat::Seat;
use table::absence::Absences;
use table::any_table::{AnyTable, with_table};
use table::comments::comment::CommentRef;
use table::history::EventKind;
use table::ids::IssueNumber;
use table::invalid_file::InvalidFile;
use table::reply_audit::ReplyAudit;
use table::state_file;
use table::table::Table;

/// A parsed record and its legal moves.
pub struct CachedTable {
    table: AnyTable,
    moves: OnceCell<Vec<String>>,
}

impl Deref for CachedTable {
    type Target = AnyTable;

    fn deref(&self) -> &AnyTable {
        &self.table
    }
}

impl CachedTable {
    /// Returns a copy of the table.
    pub fn clone_table(&self) -> AnyTable {
        self.table.clone()
    }

    /// Returns the comments behind the table's events.
    pub fn sources(&self) -> Vec<CommentRef> {
        with_table!(&self.table, table => {
            table.history().iter().filter(|event| event.kind.has_comment()).map(|event| event.source).collect()
        })
    }

    /// Whether the game ended because its issue is gone.
    pub fn ended_without_issue(&self) -> bool {
        with_table!(&self.table, table => table.history().last().is_some_and(|event| event.kind == EventKind::IssueGone))
    }

    /// Returns the computer replies that differ when recomputed: ply, recorded move and recomputed move.
    pub fn reply_mismatches(&self) -> Vec<(usize, String, String)> {
        with_table!(&self.table, table => ReplyAudit::run(table).mismatches)
    }

    /// Returns the logins of the player to move and of the opponent.
    pub fn logins(&self) -> [Option<&str>; 2] {
        fn logins_of<G: Game>(record: &Table<G>) -> [Option<&str>; 2] {
            let person = |seat: Seat| record.occupant(seat).filter(|occupant| occupant.computer.is_none());
            let login = |seat: Seat| person(seat).map(|occupant| occupant.login.as_str());
            [login(record.player_to_move()), login(record.player_to_move().other())]
        }
        with_table!(&self.table, table => logins_of(table))
    }

    /// Returns the legal moves; `list` runs only once.
    pub fn moves(&self, list: impl FnOnce(&AnyTable) -> Vec<String>) -> &[String] {
        self.moves.get_or_init(|| list(&self.table))
    }
}

/// Returns a table with the times when its players were away.
pub fn with_absences(cached: &Rc<CachedTable>, absences: Absences) -> Rc<CachedTable> {
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
pub fn load(text: &str, issue: u64) -> Read {
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
pub type Files = BTreeMap<String, String>;

/// Returns the path of a table's record.
pub fn record_path(issue: u64) -> String {
    format!("state/{issue}.json")
}

/// Returns the table whose record has this path.
pub fn issue_of(path: &str) -> Option<u64> {
    path.strip_prefix("state/")?.strip_suffix(".json")?.parse().ok()
}

/// Returns a table at a commit; `None` if its record is missing or damaged.
pub fn find(files: &Files, issue: u64) -> Option<Rc<CachedTable>> {
    load(files.get(&record_path(issue))?, issue).ok()
}

/// Clears the cache.
pub fn clear() {
    CACHE.with_borrow_mut(HashMap::clear);
}
