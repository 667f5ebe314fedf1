//! Prints "The computer is thinking ..." if a reply takes longer than half a second.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::print::print_note;

/// The time before the notice appears.
const NOTICE_DELAY: Duration = Duration::from_millis(500);

/// A timer that prints a notice unless it is dropped first.
pub(super) struct ThinkingNotice {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ThinkingNotice {
    /// Starts the timer.
    pub(super) fn start() -> ThinkingNotice {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || {
            if stopped.recv_timeout(NOTICE_DELAY) == Err(RecvTimeoutError::Timeout) {
                print_note("The computer is thinking ...");
            }
        });
        ThinkingNotice { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for ThinkingNotice {
    fn drop(&mut self) {
        self.stop.take();
        // Wait for the thread, so the notice can't appear after the answer.
        self.thread.take().map(JoinHandle::join);
    }
}
