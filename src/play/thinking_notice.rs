//! A word for whoever waits.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::print::print_note;

/// The time after which it is said that something takes long.
const NOTICE_DELAY: Duration = Duration::from_millis(500);

/// A wait that says so when it gets long. It ends when this is dropped.
pub(super) struct ThinkingNotice {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ThinkingNotice {
    /// Begins to wait.
    pub(super) fn start() -> ThinkingNotice {
        let (over, ended) = mpsc::channel();
        let teller = thread::spawn(move || {
            if ended.recv_timeout(NOTICE_DELAY) == Err(RecvTimeoutError::Timeout) {
                print_note("The computer is thinking ...");
            }
        });
        ThinkingNotice { stop: Some(over), thread: Some(teller) }
    }
}

impl Drop for ThinkingNotice {
    fn drop(&mut self) {
        self.stop.take();
        // What it was about to say comes before the answer.
        self.thread.take().map(JoinHandle::join);
    }
}
