//! Unified diffs, in the format of `diff -u`.

use std::time::Duration;

use similar::TextDiff;

/// The time limit for finding a small diff. After that, the rest of the text is replaced as a whole.
pub const DIFF_TIMEOUT: Duration = Duration::from_secs(2);

/// Returns the diff from `old` to `new`; empty if they are the same. `path` goes into its header.
pub fn unified_diff(path: &str, old: &str, new: &str) -> String {
    // Split lines at line feeds only, as git does. `similar` would also split them at carriage returns.
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let diff = TextDiff::configure().timeout(DIFF_TIMEOUT).newline_terminated(true).diff_slices(&old, &new);
    diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string()
}
