//! The checks of the probe: the expected result of each, and the consequence of any other result.

/// An assumption that the protocol relies on, or a step of the cleanup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// A short name for reports.
    pub id: &'static str,
    /// A description of the request.
    pub title: &'static str,
    /// The expected result.
    pub expected: &'static str,
    /// The consequence of another result for players and hosts, as sentences.
    pub consequence: &'static str,
}

const fn check(id: &'static str, title: &'static str, expected: &'static str, consequence: &'static str) -> Check {
    Check { id, title, expected, consequence }
}

/// Opening the temporary issue.
pub const ISSUE: Check = check(
    "issue",
    "Open an issue",
    "201, with its number",
    "The bot never opens an issue, so games don't need this. But without one, the tests of a thread can't run.",
);
/// Posting a comment.
pub const COMMENT: Check = check("comment", "Write a comment", "201", "The bot commits moves, but it can't answer.");
/// The time until a read returns a new comment.
pub const COMMENT_LAG: Check = check(
    "comment-lag",
    "Read the thread afterward",
    "The comment is there within 5 seconds",
    "A run doesn't see the comment that started it, or earlier answers: moves are played late, and some wait for the \
     daily run.",
);
/// The first way to recognize the bot's comments.
pub const VIEWER_DID_AUTHOR: Check = check(
    "viewer-did-author",
    "Ask GitHub whether the comment is ours",
    "`viewerDidAuthor` is true",
    "The bot recognizes its own answers only by its login. If that failed too, it could answer a command twice.",
);
/// The second way to recognize the bot's comments.
pub const VIEWER_LOGIN: Check = check(
    "viewer-login",
    "Compare the comment's author with the token's account",
    "The same account",
    "The bot recognizes its own answers only by `viewerDidAuthor`. If that failed too, it could answer a command \
     twice.",
);
/// Claiming the answer to a comment with a reaction.
pub const COMMENT_REACTION: Check = check(
    "comment-reaction",
    "React to a comment, twice",
    "201, then 200",
    "No run can claim a refusal, so refused moves and `/board` are answered late or not at all.",
);
/// Claiming the answer to the body of an issue with a reaction.
pub const ISSUE_REACTION: Check = check(
    "issue-reaction",
    "React to the issue itself, twice",
    "201, then 200",
    "No run can claim a refusal, so a refused `/new` is answered late or not at all.",
);
/// Deleting a duplicate answer.
pub const DELETE: Check =
    check("delete", "Delete the comment", "It's gone", "If two runs answer the same command, both answers stay.");
/// Posting an answer of which one part fails.
pub const ANSWER: Check = check(
    "answer",
    "Comment, react to the deleted comment, and close the issue, in one request",
    "The comment is posted",
    "Each answer to a move takes two more requests.",
);
/// Creating a branch.
pub const BRANCH: Check = check(
    "branch",
    "Create a branch at the head of the default branch",
    "201",
    "With the input `branch:`, no game can start until someone creates that branch by hand.",
);
/// Committing a move.
pub const COMMIT: Check =
    check("commit", "Commit on the right head", "It lands, with its id", "No move can be played: a move is a commit.");
/// The time until a read returns a new commit.
pub const COMMIT_LAG: Check = check(
    "commit-lag",
    "Read the branch afterward",
    "The new head, and the file through that very commit, within 5 seconds",
    "The next run starts from an old position, loses the race and tries again: answers come late, and some moves \
     wait for the daily run.",
);
/// Losing a race.
pub const STALE_COMMIT: Check = check(
    "stale-commit",
    "Commit on an outdated head",
    "`STALE_DATA`, and nothing is written",
    "A move that loses a race ends its run with an error, and waits for the daily run.",
);
/// Deleting a file that isn't there.
pub const MISSING_FILE: Check = check(
    "missing-file",
    "Commit the deletion of a file that isn't there",
    "An error that says so, and nothing is written",
    "Games don't need this: the bot deletes only files that it has just read.",
);
/// Committing to a branch that doesn't exist.
pub const MISSING_BRANCH: Check = check(
    "missing-branch",
    "Commit to a branch that doesn't exist",
    "An error that says so, and nothing is written",
    "If someone deletes the games' branch during a move, its run ends with an error, and the move waits for the \
     daily run.",
);
/// Fetching a picture of an answer or a page.
pub const PICTURE: Check = check(
    "picture",
    "Fetch a picture without logging in, by the addresses in answers and on pages",
    "200 and `image/svg+xml` by both",
    "Boards show as broken pictures; the board as text is below them.",
);
/// Adding a label that the repository doesn't have yet.
pub const LABEL: Check = check(
    "label",
    "Add a new label to the issue",
    "200, and the issue has it",
    "A bare move such as `b2` starts no run until someone creates the label `play-by-commit` by hand.",
);
/// Closing the issue of a finished game.
pub const CLOSE: Check = check(
    "close",
    "Close the issue",
    "A read shows it closed",
    "The issue of a finished game stays open. Set `close: false`, so the bot doesn't try.",
);
/// Reopening the issue for a rematch.
pub const REOPEN: Check = check(
    "reopen",
    "Reopen it",
    "A read shows it open, and reopened",
    "The issue of a rematch stays closed, or the bot closes a reopened issue every day.",
);
/// Answering in a locked issue.
pub const LOCKED: Check = check(
    "locked",
    "Read, comment and react in a locked issue",
    "It reads as locked; GitHub refuses the rest, or accepts it because the token allows it",
    "If an issue is locked after a command, the daily run fails every day.",
);
/// Closing the temporary issue.
pub const CLEAN_ISSUE: Check =
    check("clean-issue", "Clean up: close the issue", "Unlocked and closed", "Close that issue by hand.");
/// Deleting the temporary branch.
pub const CLEAN_BRANCH: Check =
    check("clean-branch", "Clean up: delete the branch", "Deleted", "Delete that branch by hand.");
/// Deleting the temporary label.
pub const CLEAN_LABEL: Check =
    check("clean-label", "Clean up: delete the label", "Deleted", "Delete that label by hand.");

/// All checks, in the order of the report.
pub const ALL: [Check; 23] = [
    ISSUE,
    COMMENT,
    COMMENT_LAG,
    VIEWER_DID_AUTHOR,
    VIEWER_LOGIN,
    COMMENT_REACTION,
    ISSUE_REACTION,
    DELETE,
    ANSWER,
    BRANCH,
    COMMIT,
    COMMIT_LAG,
    STALE_COMMIT,
    MISSING_FILE,
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
