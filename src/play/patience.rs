//! A word for whoever waits.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::print::print_note;

/// The time after which it is said that something takes long.
const LONG: Duration = Duration::from_millis(500);

/// A wait that says so when it gets long. It ends when this is dropped.
pub(super) struct Patience {
    over: Option<Sender<()>>,
    teller: Option<JoinHandle<()>>,
}

impl Patience {
    /// Begins to wait.
    pub(super) fn begin() -> Patience {
        let (over, ended) = mpsc::channel();
        let teller = thread::spawn(move || {
            if ended.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                print_note("The computer is thinking ...");
            }
        });
        Patience { over: Some(over), teller: Some(teller) }
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        self.over.take();
        // What it was about to say comes before the answer.
        self.teller.take().map(JoinHandle::join);
    }
}
