//! Records that the checks, and the people of a story, have read before: a text always gives the same table. What is under
//! test reads everything anew.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;

use play_by_commit::games::Table;
use play_by_commit::record;
use serde_json::Value;

/// A record with what was worked out from it.
pub struct Known {
    table: Table,
    value: OnceCell<Value>,
    moves: OnceCell<Vec<String>>,
}

impl Deref for Known {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl Known {
    /// The fields of the record.
    pub fn value(&self) -> &Value {
        self.value.get_or_init(|| serde_json::from_str(&record::write(&self.table)).expect("a record"))
    }

    /// The legal moves, listed once.
    pub fn moves(&self, list: impl FnOnce(&Table) -> Vec<String>) -> &[String] {
        self.moves.get_or_init(|| list(&self.table))
    }
}

type Read = Result<Rc<Known>, String>;

thread_local! {
    static KNOWN: RefCell<HashMap<(u64, String), Read>> = RefCell::default();
}

/// What [`record::load`] makes of a text.
pub fn load(text: &str, issue: u64) -> Read {
    let key = (issue, text.to_owned());
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&key).cloned()) {
        return known;
    }
    let known = |table| Rc::new(Known { table, value: OnceCell::new(), moves: OnceCell::new() });
    let read = record::load(text, issue).map(known);
    KNOWN.with_borrow_mut(|all| all.insert(key, read.clone()));
    read
}

/// Forgets everything: a new story begins.
pub fn forget() {
    KNOWN.with_borrow_mut(HashMap::clear);
}
