//! [`Update`]s of issues and comments.

use std::fmt;

use answers::OPEN_SEAT_LABEL;
use table::{CommentRef, IssueNumber, UserId, VoteReaction};

/// A label that the bot gives to issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// `play-by-commit`: the issue has a table, or takes moves for one.
    Game,
    /// `looking-for-opponent`: a seat at the table is open.
    OpenSeat,
}

impl Label {
    /// All labels.
    pub const ALL: [Label; 2] = [Label::Game, Label::OpenSeat];

    /// Returns the name of the label.
    pub fn name(self) -> &'static str {
        match self {
            Label::Game => "play-by-commit",
            Label::OpenSeat => OPEN_SEAT_LABEL,
        }
    }
}

/// A person that an issue is assigned to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assignee {
    /// The numeric user ID.
    pub id: UserId,
    /// The username.
    pub login: String,
}

/// Why an assignment failed, if GitHub gives no error.
pub const NOT_ASSIGNED: &str = "GitHub didn't assign them, and gave no reason.";

/// GitHub's limit on the people that an issue is assigned to.
pub const MAX_ASSIGNEES: usize = 10;

/// An update of an issue or a comment. Making it twice does no harm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Update {
    /// Adds a rocket to an accepted command.
    Rocket(CommentRef),
    /// Adds a label to an issue.
    Label(IssueNumber, Label),
    /// Removes a label from an issue.
    Unlabel(IssueNumber, Label),
    /// Sets the title of an issue.
    Title(IssueNumber, String),
    /// Unassigns a person from an issue.
    Unassign(IssueNumber, Assignee),
    /// Assigns an issue to a person. GitHub ignores people who have never commented there, so the forge checks the reply.
    Assign(IssueNumber, Assignee),
    /// Minimizes an answer of the bot as outdated. It always comes with the answer that replaces it.
    Minimize(CommentRef),
    /// Adds reactions to a ballot, so that a vote is one tap. It never comes with an answer.
    Vote(CommentRef, Vec<VoteReaction>),
    /// Closes an issue.
    Close(IssueNumber),
    /// Reopens a closed issue. It never comes with an answer, because it would be made even if the comment failed.
    Reopen(IssueNumber),
}

impl Update {
    /// Returns the issue that the update changes; `None` if it changes a comment.
    pub fn issue(&self) -> Option<IssueNumber> {
        match self {
            Update::Rocket(_) | Update::Minimize(_) | Update::Vote(..) => None,
            Update::Label(issue, _)
            | Update::Unlabel(issue, _)
            | Update::Title(issue, _)
            | Update::Unassign(issue, _)
            | Update::Assign(issue, _)
            | Update::Close(issue)
            | Update::Reopen(issue) => Some(*issue),
        }
    }
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Update::Rocket(source) if source.is_body() => write!(f, "reacting to issue {}", source.issue),
            Update::Rocket(CommentRef { issue, comment }) => {
                write!(f, "reacting to comment {comment} of issue {issue}")
            }
            Update::Label(issue, label) => write!(f, "adding the label {} to issue {issue}", label.name()),
            Update::Unlabel(issue, label) => write!(f, "removing the label {} from issue {issue}", label.name()),
            Update::Title(issue, _) => write!(f, "changing the title of issue {issue}"),
            Update::Unassign(issue, Assignee { login, .. }) => write!(f, "unassigning {login} from issue {issue}"),
            Update::Assign(issue, Assignee { login, .. }) => write!(f, "assigning issue {issue} to {login}"),
            Update::Minimize(CommentRef { issue, comment }) => {
                write!(f, "minimizing comment {comment} of issue {issue}")
            }
            Update::Vote(CommentRef { issue, comment }, _) => {
                write!(f, "adding reactions to comment {comment} of issue {issue}")
            }
            Update::Close(issue) => write!(f, "closing issue {issue}"),
            Update::Reopen(issue) => write!(f, "reopening issue {issue}"),
        }
    }
}
