//! The difference between two texts, in the format that `diff -u`, git and every reader of patches knows.

use std::time::Duration;

use similar::TextDiff;

/// The time after which two texts that have little in common are no longer compared closely: the rest is replaced
/// whole.
pub const DIFF_TIMEOUT: Duration = Duration::from_secs(2);

/// Returns the changes that make the new text of the old one; empty if they are the same.
pub fn unified_diff(path: &str, old: &str, new: &str) -> String {
    // Lines end with a line feed alone, as they do for git; `similar` by itself would also end them with a carriage return.
    let (before, after): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let diff = TextDiff::configure().timeout(DIFF_TIMEOUT).newline_terminated(true).diff_slices(&before, &after);
    diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string()
}
