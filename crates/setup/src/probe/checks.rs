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

/// Defines a constant for each check, and `ALL` of them.
macro_rules! checks {
    ($($name:ident: $id:literal, $title:literal, $expected:literal, $consequence:literal;)*) => {
        $(pub(super) const $name: Check =
            Check { id: $id, title: $title, expected: $expected, consequence: $consequence };)*

        /// All checks, in the order of the report.
        pub const ALL: &[Check] = &[$($name),*];
    };
}

checks! {
    ISSUE: "issue", "Open an issue", "201, with its number",
        "The bot never opens an issue, so games don't need this. But without one, the tests of a thread can't run.";
    COMMENT: "comment", "Write a comment", "201", "The bot commits moves, but it can't answer.";
    COMMENT_LAG: "comment-lag", "Read the thread afterward", "The comment is there within 5 seconds",
        "A run doesn't see the comment that started it, or earlier answers: moves are played late, and some wait for the \
         daily run.";
    VIEWER_DID_AUTHOR: "viewer-did-author", "Ask GitHub whether the comment is ours", "`viewerDidAuthor` is true",
        "The bot recognizes its own answers only by its login. If that fails too, it could answer a command twice.";
    VIEWER_LOGIN: "viewer-login", "Compare the comment's author with the token's account", "The same account",
        "The bot recognizes its own answers only by `viewerDidAuthor`. If that fails too, it could answer a command \
         twice.";
    COMMENT_REACTION: "comment-reaction", "React to a comment, twice", "201, then 200",
        "No run can claim a refusal, so refused moves and `/board` are answered late or not at all.";
    ISSUE_REACTION: "issue-reaction", "React to the issue itself, twice", "201, then 200",
        "No run can claim a refusal, so a refused `/new` is answered late or not at all.";
    DELETE: "delete", "Delete the comment", "It's gone",
        "If two runs answer the same command, both answers stay.";
    ANSWER: "answer", "Comment, react to the deleted comment, and close the issue, in one request",
        "The comment is posted", "Each answer to a move takes two more requests.";
    BRANCH: "branch", "Create a branch at the head of the default branch", "201",
        "With the input `branch:`, no game can start until someone creates that branch by hand.";
    COMMIT: "commit", "Commit on the right head", "GitHub accepts it and returns its id",
        "No move can be played: a move is a commit.";
    COMMIT_LAG: "commit-lag", "Read the branch afterward",
        "The new head, and that commit's file, within 5 seconds",
        "The next run starts from an old position, loses the race and tries again: answers come late, and some moves \
         wait for the daily run.";
    STALE_COMMIT: "stale-commit", "Commit on an outdated head", "`STALE_DATA`, and nothing is written",
        "A move that loses a race ends its run with an error, and waits for the daily run.";
    MISSING_FILE: "missing-file", "Commit the deletion of a file that isn't there",
        "An error that says so, and nothing is written",
        "Games don't need this: the bot deletes only files that it has just read.";
    MISSING_BRANCH: "missing-branch", "Commit to a branch that doesn't exist",
        "An error that says so, and nothing is written",
        "If someone deletes the games' branch during a move, its run ends with an error, and the move waits for the \
         daily run.";
    PICTURE: "picture", "Fetch a picture without logging in, by the addresses in answers and on pages",
        "200 and `image/svg+xml` from both", "Boards show as broken pictures; the board as text is below them.";
    LABEL: "label", "Add a new label to the issue", "200, and the issue has it",
        "A bare move such as `b2` starts no run until someone creates the label `play-by-commit` by hand.";
    CLOSE: "close", "Close the issue", "A read shows it closed",
        "The issue of a finished game stays open. Set `close: false`, so the bot doesn't try.";
    REOPEN: "reopen", "Reopen it", "A read shows it open, and reopened",
        "The issue of a rematch stays closed, or the bot closes a reopened issue every day.";
    LOCKED: "locked", "Read, comment and react in a locked issue",
        "It reads as locked; GitHub refuses the rest, or accepts it because the token allows it",
        "If an issue is locked after a command, the daily run fails every day.";
    CLEAN_ISSUE: "clean-issue", "Clean up: close the issue", "Unlocked and closed", "Close that issue by hand.";
    CLEAN_BRANCH: "clean-branch", "Clean up: delete the branch", "Deleted", "Delete that branch by hand.";
    CLEAN_LABEL: "clean-label", "Clean up: delete the label", "Deleted", "Delete that label by hand.";
}
