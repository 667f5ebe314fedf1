//! [`HostNote`], something that a run tells the host, although it continues.

use std::time::Duration;

use table::comments::comment::CommentRef;
use table::ids::{CommentId, IssueNumber};

use crate::forge::HostProblem;

/// A note for the host. The program puts it into words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostNote {
    /// An issue used up its share of a sweep, and more commands may be waiting.
    ShareUsed(IssueNumber),
    /// The sweep ended early at the forge's rate limit, for this reason, without a period.
    RateLimited(String),
    /// The run reached its limit of commands, and more may be waiting.
    CommandLimit,
    /// The list of changed issues was too long for one sweep.
    TooManyIssues,
    /// This many issues without a table need an answer, and the sweep made too many requests for them already.
    IssuesWait(usize),
    /// The runner's clock is wrong by this much, so the run used GitHub's.
    WrongClock {
        /// The difference from GitHub's clock.
        by: Duration,
        /// Whether the runner's clock is ahead.
        is_ahead: bool,
    },
    /// An issue takes no answers, for this reason: it is locked or full.
    Unanswerable(IssueNumber, String),
    /// GitHub didn't assign this issue to this person.
    NotAssigned(IssueNumber, String),
    /// A page can't be filled, or not all of it.
    Page {
        /// The path of the page.
        path: String,
        /// What is wrong with it.
        problem: PageProblem,
    },
    /// The record's floor is above every comment of its thread, so the bot ignores this comment and all others up to
    /// the floor.
    UnreachableFloor {
        /// The path of the record.
        path: String,
        /// The floor.
        floor: CommentId,
        /// The ignored comment.
        source: CommentRef,
    },
    /// A command in this issue was refused because of a record.
    RefusedForRecord(IssueNumber, HostProblem),
    /// A person's file about their time away is damaged.
    DamagedAway {
        /// The path of the file.
        path: String,
        /// What is wrong with it, without a period.
        why: String,
    },
    /// The dice secret changed, so this table can't roll its dice.
    LostSecret(IssueNumber),
    /// Some records don't belong to this repository.
    ForeignRecords,
    /// The result of this table isn't in the standings, for this reason, without a period.
    NotCounted(IssueNumber, String),
}

/// What is wrong with a page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageProblem {
    /// The games' branch doesn't have it.
    Missing,
    /// It has no readable text, for this reason, without a period.
    Unreadable(String),
    /// A marker can't be used. It is a sentence that names its line.
    Marker(String),
}

impl HostNote {
    /// Whether the host has to fix it. Every command still has its answer.
    pub fn is_failure(&self) -> bool {
        match self {
            HostNote::ShareUsed(_)
            | HostNote::RateLimited(_)
            | HostNote::CommandLimit
            | HostNote::TooManyIssues
            | HostNote::IssuesWait(_)
            | HostNote::WrongClock { .. }
            | HostNote::Unanswerable(..)
            | HostNote::NotAssigned(..)
            | HostNote::ForeignRecords
            | HostNote::Page { .. } => false,
            HostNote::UnreachableFloor { .. }
            | HostNote::DamagedAway { .. }
            | HostNote::RefusedForRecord(..)
            | HostNote::LostSecret(_)
            | HostNote::NotCounted(..) => true,
        }
    }
}
