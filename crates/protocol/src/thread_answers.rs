//! The bot's answers in one thread, found by their markers.
//!
//! Anyone can type a marker, so it counts only in comments by the bot's own accounts.

use std::collections::BTreeMap;

use answers::marker::{Marker, Notice, NoticeKind};
use table::any_table::AnyTable;
use table::comments::comment::CommentRef;
use table::ids::{CommentId, IssueNumber};
use table::oid::Oid;
use table::timestamp::Timestamp;

use crate::forge::Comment;

/// The bot's answers in one thread: comments by the bot's accounts that begin with a marker.
#[derive(Default)]
pub(crate) struct ThreadAnswers {
    /// The issue of the thread.
    issue: IssueNumber,
    /// The answers, oldest first.
    answers: Vec<ThreadAnswer>,
    /// The comments about this thread's table that no command asked for, oldest first.
    notices: Vec<(CommentId, Notice)>,
    /// The ID of the newest answer whose marker names another issue: the thread was transferred from another
    /// repository, where every comment up to there was settled.
    pub(super) transferred_through: Option<CommentId>,
}

struct ThreadAnswer {
    id: CommentId,
    time: Timestamp,
    marker: Marker,
}

/// The state of the answer to a command that changed a table.
pub(crate) enum AnswerState {
    /// There is no answer.
    Missing,
    /// An answer says that the command was accepted, or is about another table.
    Accepted,
    /// The only answer is this comment, which says that nothing changed.
    Refused(CommentId),
}

impl ThreadAnswers {
    /// Finds the bot's answers in the comments of a thread.
    pub(super) fn from_comments(issue: IssueNumber, comments: &[Comment]) -> ThreadAnswers {
        let answers = comments.iter().filter_map(|comment| {
            Some(ThreadAnswer { id: comment.id, time: comment.updated_at, marker: trusted_marker(comment)? })
        });
        let (answers, foreign): (Vec<_>, Vec<_>) = answers.partition(|answer| answer.marker.source.issue == issue);
        let notices = comments.iter().filter_map(|comment| Some((comment.id, trusted_notice(comment)?)));
        let notices = notices.filter(|(_, notice)| notice.table == issue).collect();
        ThreadAnswers { issue, answers, notices, transferred_through: foreign.last().map(|answer| answer.id) }
    }

    /// Whether a notice about the same event is in the thread.
    pub(super) fn has_notice(&self, notice: &Notice) -> bool {
        self.notices.iter().any(|(_, known)| known.is_about_same(notice))
    }

    /// Whether the announcement of a flag is in the thread: the flag that is the event with this index in this round.
    pub(super) fn has_flag(&self, round: u32, event: usize) -> bool {
        let is_flag = |notice: &Notice| notice.kind == NoticeKind::Flag;
        self.notices.iter().any(|(_, notice)| is_flag(notice) && (notice.round, notice.event) == (round, event))
    }

    /// Returns the newer one of two notices about the same event; `None` if no event has two.
    pub(super) fn find_duplicate_notice(&self) -> Option<CommentRef> {
        let (comment, _) = self.notices.iter().enumerate().find_map(|(at, (id, notice))| {
            let is_second = self.notices[..at].iter().any(|(_, earlier)| earlier.is_about_same(notice));
            is_second.then_some((*id, notice))
        })?;
        Some(CommentRef { issue: self.issue, comment })
    }

    /// Returns the state of the answer to a command that changed this table.
    pub(super) fn answer_state(&self, source: CommentRef, table: IssueNumber) -> AnswerState {
        let mut state = AnswerState::Missing;
        for ThreadAnswer { id, marker, .. } in self.answers.iter().filter(|answer| answer.marker.source == source) {
            if marker.commit.is_some() || marker.table != table {
                return AnswerState::Accepted;
            }
            state = AnswerState::Refused(*id);
        }
        state
    }

    /// Whether a command has an answer.
    pub(super) fn has_answer(&self, source: CommentRef) -> bool {
        self.answers.iter().any(|answer| answer.marker.source == source)
    }

    /// Returns when a command was answered; `None` if the answer isn't in view.
    pub(super) fn answer_time(&self, source: CommentRef) -> Option<Timestamp> {
        self.answers.iter().rfind(|answer| answer.marker.source == source).map(|answer| answer.time)
    }

    /// Whether a command below a comment was answered after the comment's last edit.
    pub(super) fn has_later_answer(&self, comment: CommentId, edited_at: Timestamp) -> bool {
        self.answers.iter().any(|answer| answer.marker.source.comment > comment && answer.time >= edited_at)
    }

    /// Returns the answer to delete if a command has two, and the command: the answer that contradicts the record, otherwise
    /// the newer one. `None` if no command has two.
    ///
    /// The first answer may be too far up to be read. The bot answers commands that change a table in the order of their
    /// comments. So if an answer to an earlier command is below the answer to a later one, it is also a second answer.
    pub(super) fn find_duplicate(&self, table: Option<&AnyTable>) -> Option<(CommentRef, CommentRef)> {
        let issue = self.issue;
        let mut seen: BTreeMap<CommentRef, &ThreadAnswer> = BTreeMap::new();
        let mut newest = CommentId::default();
        for answer in &self.answers {
            let Marker { source, table: answered_table, commit } = &answer.marker;
            let changed = *answered_table == issue
                && commit.is_some()
                && table.is_some_and(|table| table.has_event_from(*source));
            if changed && source.comment < newest {
                return Some((CommentRef { issue, comment: answer.id }, *source));
            }
            newest = if changed { source.comment } else { newest };
            let Some(first) = seen.insert(answer.marker.source, answer) else { continue };
            let says_applied = |marker: &Marker| marker.commit.is_some();
            let source = answer.marker.source;
            // The record of this thread's table shows only which of its own commands were applied. For another table,
            // believe the answer with a commit.
            let is_own = [&first.marker, &answer.marker].iter().all(|marker| marker.table == issue);
            let keep_applied = match table {
                Some(table) if table.has_event_from(source) => true,
                Some(table) if is_own && source.comment > table.floor() => false,
                _ => says_applied(&first.marker) || says_applied(&answer.marker),
            };
            let contradicts = |answer: &ThreadAnswer| says_applied(&answer.marker) != keep_applied;
            let superfluous = if contradicts(first) && !contradicts(answer) { first.id } else { answer.id };
            return Some((CommentRef { issue, comment: superfluous }, source));
        }
        None
    }

    /// Returns the issue of the thread.
    pub(super) fn issue(&self) -> IssueNumber {
        self.issue
    }

    /// Returns the newest commit that an answer for this thread's table names; `None` if no answer names one.
    pub(super) fn last_commit(&self) -> Option<Oid> {
        let own = self.answers.iter().filter(|answer| answer.marker.table == self.issue);
        let answers = own.map(|answer| (answer.id, &answer.marker.commit));
        let notices = self.notices.iter().map(|(id, notice)| (*id, &notice.commit));
        let commits = answers.chain(notices).filter_map(|(id, commit)| Some((id, commit.as_ref()?)));
        commits.max_by_key(|(id, _)| *id).map(|(_, commit)| commit.clone())
    }

    /// Returns the time of the newest answer to a command in a table's history; `None` without one.
    pub(super) fn last_answer_time(&self, table: &AnyTable) -> Option<Timestamp> {
        let known = self.answers.iter().filter(|answer| table.has_event_from(answer.marker.source));
        known.map(|answer| answer.time).max()
    }

    /// Whether an answer in this thread names an event that the table lacks.
    pub(super) fn is_ahead_of(&self, table: &AnyTable) -> bool {
        self.has_lost_event(table, self.last_answer_time(table).unwrap_or_default())
    }

    /// Whether an answer says that a table accepted a command that isn't in its history.
    ///
    /// Only commands newer than the history count, because older ones may belong to an earlier round. If that round ended while
    /// commands waited, its answers may be above the floor. So the answer also has to be newer than the last event and its
    /// answer, which was posted at `last_answer_time`.
    pub(super) fn has_lost_event(&self, table: &AnyTable, last_answer_time: Timestamp) -> bool {
        let known = table.floor().max(table.newest_own_comment());
        let last_time = last_answer_time.max(table.last_event_time());
        // If the rematch has no answer, for example in a full issue, newer answers elsewhere may be about the round before.
        let is_unanswered_rematch = last_answer_time == Timestamp::EPOCH && table.is_fresh_rematch();
        // If the record is in a later round, it had the flag before, so nothing is lost.
        let lost_flag = self.notices.iter().any(|(_, notice)| {
            let place = (notice.round, notice.event);
            notice.kind == NoticeKind::Flag
                && notice.table == table.issue()
                && place >= (table.round(), table.event_count())
        });
        lost_flag
            || self.answers.iter().any(|ThreadAnswer { time, marker, .. }| {
                let is_newer = if marker.source.issue == table.issue() {
                    marker.source.comment > known && *time >= last_time
                } else {
                    // The IDs of comments in another thread can't be compared with those in this one.
                    *time > last_time && !is_unanswered_rematch
                };
                let is_accepted = marker.table == table.issue() && marker.commit.is_some();
                is_accepted && is_newer && !table.has_event_from(marker.source)
            })
    }

    /// Returns the number of the table that the issue's body was answered for, if that isn't the issue's own.
    pub(super) fn linked_table(&self) -> Option<IssueNumber> {
        let body = CommentRef::body_of(self.issue);
        let mut markers = self.answers.iter().map(|answer| &answer.marker);
        markers.find(|marker| marker.source == body && marker.table != body.issue).map(|marker| marker.table)
    }
}

/// Returns the marker of an answer; `None` for any other comment, such as one in which somebody else typed a marker.
pub(super) fn trusted_marker(comment: &Comment) -> Option<Marker> {
    Marker::parse(&comment.text).filter(|_| comment.by_us)
}

/// Returns the marker of a notice; `None` for any other comment.
pub(super) fn trusted_notice(comment: &Comment) -> Option<Notice> {
    Notice::parse(&comment.text).filter(|_| comment.by_us)
}
