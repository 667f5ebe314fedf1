//! A notice while the computer thinks, and its thinking time if that was long.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use table::any_table::{AnyTable, with_table};
use table::timeline::MadeBy;

use crate::print::print_note;

/// The time before the notice appears. The answer mentions thinking times longer than this.
const NOTICE_DELAY: Duration = Duration::from_millis(500);

/// Returns the time that the computer took for its reply. `None` if it was short, or if the last event has no reply or isn't new.
pub(super) fn notable_time(before: Option<&AnyTable>, after: &AnyTable, time: Duration) -> Option<Duration> {
    let event_count = |table: &AnyTable| (table.round(), with_table!(table, table => table.history().len()));
    let is_new = before.map(event_count) != Some(event_count(after));
    let has_reply =
        with_table!(after, table => table.timeline().last_event_plies().any(|ply| ply.made_by == MadeBy::Computer));
    Some(time).filter(|time| *time > NOTICE_DELAY && is_new && has_reply)
}

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
