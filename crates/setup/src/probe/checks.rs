//! The things that the probe tries: what is expected of each, and what it means for a host if it is otherwise.

/// A thing that the protocol rests on, or a step of taking away what was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// A short name, for reports.
    pub id: &'static str,
    /// What is tried.
    pub title: &'static str,
    /// What the program expects.
    pub expected: &'static str,
    /// What it means for players and hosts if it is otherwise; a sentence.
    pub consequence: &'static str,
}

const fn check(id: &'static str, tried: &'static str, expected: &'static str, consequence: &'static str) -> Check {
    Check { id, title: tried, expected, consequence }
}

/// The scratch issue.
pub const ISSUE: Check = check(
    "issue",
    "Open an issue",
    "201, with its number",
    "The bot never opens an issue, so games don't need this. But without one, the tests of a thread can't run.",
);
/// A comment of the bot.
pub const COMMENT: Check = check("comment", "Write a comment", "201", "The bot commits moves, but it can't answer.");
/// The time until a read shows a comment.
pub const COMMENT_LAG: Check = check(
    "comment-lag",
    "Read the thread afterward",
    "The comment is there within 5 seconds",
    "A run doesn't see the comment that started it, or earlier answers: moves are played late, and some wait for the \
     daily run.",
);
/// The first sign of whose a comment is.
pub const VIEWER_DID_AUTHOR: Check = check(
    "viewer-did-author",
    "Ask GitHub whether the comment is ours",
    "`viewerDidAuthor` is true",
    "The bot recognizes its own answers only by its login. If that failed too, it could answer a command twice.",
);
/// The second sign of whose a comment is.
pub const VIEWER_LOGIN: Check = check(
    "viewer-login",
    "Compare the comment's author with the token's account",
    "The same account",
    "The bot recognizes its own answers only by `viewerDidAuthor`. If that failed too, it could answer a command \
     twice.",
);
/// The claim to answer a comment.
pub const COMMENT_REACTION: Check = check(
    "comment-reaction",
    "React to a comment, twice",
    "201, then 200",
    "No run can claim a refusal, so refused moves and `/board` are answered late or not at all.",
);
/// The claim to answer the body of an issue.
pub const ISSUE_REACTION: Check = check(
    "issue-reaction",
    "React to the issue itself, twice",
    "201, then 200",
    "No run can claim a refusal, so a refused `/new` is answered late or not at all.",
);
/// Two answers, of which one is deleted.
pub const DELETE: Check =
    check("delete", "Delete the comment", "It's gone", "If two runs answer the same command, both answers stay.");
/// A branch that is made.
pub const BRANCH: Check = check(
    "branch",
    "Create a branch at the head of the default branch",
    "201",
    "With the input `branch:`, no game can start until someone creates that branch by hand.",
);
/// A move.
pub const COMMIT: Check =
    check("commit", "Commit on the right head", "It lands, with its id", "No move can be played: a move is a commit.");
/// The time until a read shows a commit.
pub const COMMIT_LAG: Check = check(
    "commit-lag",
    "Read the branch afterward",
    "The new head, and the file through that very commit, within 5 seconds",
    "The next run starts from an old position, loses the race and tries again: answers come late, and some moves \
     wait for the daily run.",
);
/// A race that is lost.
pub const STALE_COMMIT: Check = check(
    "stale-commit",
    "Commit on an outdated head",
    "`STALE_DATA`, and nothing is written",
    "A move that loses a race ends its run with an error, and waits for the daily run.",
);
/// A branch that has gone.
pub const MISSING_BRANCH: Check = check(
    "missing-branch",
    "Commit to a branch that doesn't exist",
    "An error that says so, and nothing is written",
    "If someone deletes the games' branch during a move, its run ends with an error, and the move waits for the \
     daily run.",
);
/// The pictures in answers and on pages.
pub const PICTURE: Check = check(
    "picture",
    "Fetch a picture without logging in, by the addresses in answers and on pages",
    "200 and `image/svg+xml` by both",
    "Boards show as broken pictures; the board as text is below them.",
);
/// The label of a table, which no new repository has.
pub const LABEL: Check = check(
    "label",
    "Add a new label to the issue",
    "200, and the issue has it",
    "A bare move such as `b2` starts no run until someone creates the label `play-by-commit` by hand.",
);
/// A game that is over.
pub const CLOSE: Check = check(
    "close",
    "Close the issue",
    "A read shows it closed",
    "The issue of a finished game stays open. Set `close: false`, so the bot doesn't try.",
);
/// A rematch.
pub const REOPEN: Check = check(
    "reopen",
    "Reopen it",
    "A read shows it open, and reopened",
    "The issue of a rematch stays closed, or the bot closes a reopened issue every day.",
);
/// A thread that takes no answer.
pub const LOCKED: Check = check(
    "locked",
    "Read, comment and react in a locked issue",
    "It reads as locked; GitHub refuses the rest, or accepts it because the token allows it",
    "If an issue is locked after a command, the daily run fails every day.",
);
/// The issue afterwards.
pub const CLEAN_ISSUE: Check =
    check("clean-issue", "Clean up: close the issue", "Unlocked and closed", "Close that issue by hand.");
/// The branch afterwards.
pub const CLEAN_BRANCH: Check =
    check("clean-branch", "Clean up: delete the branch", "Deleted", "Delete that branch by hand.");
/// The label afterwards.
pub const CLEAN_LABEL: Check =
    check("clean-label", "Clean up: delete the label", "Deleted", "Delete that label by hand.");

/// All things, in the order in which they are told.
pub const ALL: [Check; 21] = [
    ISSUE,
    COMMENT,
    COMMENT_LAG,
    VIEWER_DID_AUTHOR,
    VIEWER_LOGIN,
    COMMENT_REACTION,
    ISSUE_REACTION,
    DELETE,
    BRANCH,
    COMMIT,
    COMMIT_LAG,
    STALE_COMMIT,
    MISSING_BRANCH,
    PICTURE,
    LABEL,
    CLOSE,
    REOPEN,
    LOCKED,
    CLEAN_ISSUE,
    CLEAN_BRANCH,
    CLEAN_LABEL,
];
