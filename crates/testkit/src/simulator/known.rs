//! Records that the checks, and the people of a story, have read before: a text always gives the same table. What is under
//! test reads everything again.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;

use game::contract::Game;
use game::seat::Seat;
use table::any_table::{AnyTable, with_table};
use table::reply_audit::ReplyAudit;
use table::state_file;
use table::table::Table;
use table::talk::comment::Source;

/// A record with what was worked out from it.
pub struct Known {
    table: AnyTable,
    moves: OnceCell<Vec<String>>,
}

impl Deref for Known {
    type Target = AnyTable;

    fn deref(&self) -> &AnyTable {
        &self.table
    }
}

impl Known {
    /// The comments that everything at this table came from.
    pub fn sources(&self) -> Vec<Source> {
        with_table!(&self.table, table => table.history().iter().map(|event| event.source).collect())
    }

    /// Whether the game goes on in another issue.
    pub fn has_moved(&self) -> bool {
        !self.table.is_playing() && !self.table.is_over()
    }

    /// The replies that the computer would not have given there: what is recorded, and what it would play.
    pub fn false_replies(&self) -> Vec<(usize, String, String)> {
        with_table!(&self.table, table => ReplyAudit::run(table).mismatches)
    }

    /// Who sits at the seat on turn, then who sits opposite.
    pub fn logins(&self) -> [Option<&str>; 2] {
        fn of<G: Game>(record: &Table<G>) -> [Option<&str>; 2] {
            let people = |seat: Seat| record.occupant(seat).filter(|sitter| sitter.computer.is_none());
            let login = |seat: Seat| people(seat).map(|sitter| sitter.login.as_str());
            [login(record.player_to_move()), login(record.player_to_move().other())]
        }
        with_table!(&self.table, table => of(table))
    }

    /// The legal moves, listed once.
    pub fn moves(&self, list: impl FnOnce(&AnyTable) -> Vec<String>) -> &[String] {
        self.moves.get_or_init(|| list(&self.table))
    }
}

type Read = Result<Rc<Known>, String>;

thread_local! {
    static KNOWN: RefCell<HashMap<(u64, String), Read>> = RefCell::default();
}

/// What `state_file::load` makes of a text.
pub fn load(text: &str, issue: u64) -> Read {
    let key = (issue, text.to_owned());
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&key).cloned()) {
        return known;
    }
    let known = |table| Rc::new(Known { table, moves: OnceCell::new() });
    let read = state_file::load(text, issue).map(known);
    KNOWN.with_borrow_mut(|all| all.insert(key, read.clone()));
    read
}

/// Forgets everything: a new story begins.
pub fn forget() {
    KNOWN.with_borrow_mut(HashMap::clear);
}
