//! The difference between two texts, in the format that `diff -u`, git and every reader of patches knows.

/// How many lines around a change are shown.
const AROUND: usize = 3;
/// How many pairs of lines are compared at most, so that two large texts that have nothing in common end at once.
const MAX_CELLS: usize = 4_000_000;
const NO_NEWLINE: &str = "\\ No newline at end of file\n";

/// One line of a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line<'a> {
    Both(&'a str),
    Old(&'a str),
    New(&'a str),
}

/// What has to be changed in the old text to make the new one of it; empty if they are the same.
#[must_use]
pub fn unified(path: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let (before, after): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let lines = compare(&before, &after);
    let mut out = format!("--- a/{path}\n+++ b/{path}\n");
    let changed: Vec<usize> = (0..lines.len()).filter(|at| !matches!(lines[*at], Line::Both(_))).collect();
    let mut rest = changed.as_slice();
    while let Some(first) = rest.first() {
        // Changes whose surroundings touch stand in one hunk.
        let end = (1..rest.len()).find(|at| rest[*at] - rest[at - 1] > 2 * AROUND).unwrap_or(rest.len());
        let from = first.saturating_sub(AROUND);
        let to = rest[..end].last().map_or(from, |last| (last + 1 + AROUND).min(lines.len()));
        hunk(&lines, from, to, &mut out);
        rest = &rest[end..];
    }
    out
}

fn hunk(lines: &[Line<'_>], from: usize, to: usize, out: &mut String) {
    let olds = |lines: &[Line<'_>]| lines.iter().filter(|line| !matches!(line, Line::New(_))).count();
    let news = |lines: &[Line<'_>]| lines.iter().filter(|line| !matches!(line, Line::Old(_))).count();
    let range = |before: usize, count: usize| match count {
        // An empty range names the line before it.
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        _ => format!("{},{count}", before + 1),
    };
    let (above, here) = (&lines[..from], &lines[from..to]);
    out.push_str(&format!("@@ -{} +{} @@\n", range(olds(above), olds(here)), range(news(above), news(here))));
    for line in here {
        let (sign, text) = match line {
            Line::Both(text) => (' ', text),
            Line::Old(text) => ('-', text),
            Line::New(text) => ('+', text),
        };
        out.push(sign);
        out.push_str(text);
        if !text.ends_with('\n') {
            out.push('\n');
            out.push_str(NO_NEWLINE);
        }
    }
}

/// The lines of both texts in one order: as many as possible in common.
fn compare<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<Line<'a>> {
    let head = before.iter().zip(after).take_while(|(old, new)| old == new).count();
    let (left, right) = (&before[head..], &after[head..]);
    let tail = left.iter().rev().zip(right.iter().rev()).take_while(|(old, new)| old == new).count();
    let (left, right) = (&left[..left.len() - tail], &right[..right.len() - tail]);
    let mut lines: Vec<Line<'a>> = before[..head].iter().map(|line| Line::Both(line)).collect();
    if left.len().saturating_mul(right.len()) > MAX_CELLS {
        lines.extend(left.iter().map(|line| Line::Old(line)));
        lines.extend(right.iter().map(|line| Line::New(line)));
    } else {
        middle(left, right, &mut lines);
    }
    lines.extend(before[before.len() - tail..].iter().map(|line| Line::Both(line)));
    lines
}

/// The longest common subsequence, from a table of the longest ones of all ends.
fn middle<'a>(left: &[&'a str], right: &[&'a str], lines: &mut Vec<Line<'a>>) {
    let width = right.len() + 1;
    let mut longest = vec![0u32; (left.len() + 1) * width];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            longest[i * width + j] = match left[i] == right[j] {
                true => longest[(i + 1) * width + j + 1] + 1,
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        if i < left.len() && j < right.len() && left[i] == right[j] {
            lines.push(Line::Both(left[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == right.len() || (i < left.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
            lines.push(Line::Old(left[i]));
            i += 1;
        } else {
            lines.push(Line::New(right[j]));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_changed_line_is_shown_with_three_around_it() {
        let old: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let new = old.replace("5\n6\n", "5\nsix\n").replace("17\n", "");
        let expected = "--- a/x\n+++ b/x\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n@@ -14,7 +14,6 @@\n \
            14\n 15\n 16\n-17\n 18\n 19\n 20\n";
        assert_eq!(unified("x", &old, &new), expected);
        assert_eq!(unified("x", &old, &old), "");
        assert_eq!(unified("x", "", "a"), "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n");
        assert_eq!(unified("x", "a\n", ""), "--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n");
    }

    #[test]
    fn texts_that_are_too_large_to_compare_are_replaced_whole() {
        let text = |word: &str| (0..3_000).map(|n| format!("{word} {n}\n")).collect::<String>();
        let diff = unified("x", &text("a"), &text("b"));
        assert!(diff.contains("@@ -1,3000 +1,3000 @@\n-a 0\n"), "{}", &diff[..100]);
    }

    /// Makes the new text of the old one, as `patch` would, from nothing but the hunks.
    fn patch(old: &str, diff: &str) -> String {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let (mut new, mut at) = (String::new(), 0);
        let mut lines = diff.split_inclusive('\n').skip(2).peekable();
        while let Some(line) = lines.next() {
            let bare = lines.next_if_eq(&NO_NEWLINE).is_some();
            let text = if bare { line[1..].trim_end_matches('\n') } else { &line[1..] };
            match line.as_bytes()[0] {
                b'@' => {
                    let range = line.split([' ', ',']).nth(1).unwrap();
                    let empty = line.split(' ').nth(1).unwrap().ends_with(",0");
                    let start: usize = range[1..].parse().unwrap();
                    let to = if empty { start } else { start - 1 };
                    old[at..to].iter().for_each(|line| new.push_str(line));
                    at = to;
                }
                b'+' => new.push_str(text),
                sign => {
                    assert_eq!(old[at], text);
                    at += 1;
                    if sign == b' ' {
                        new.push_str(text);
                    }
                }
            }
        }
        old[at..].iter().for_each(|line| new.push_str(line));
        new
    }

    proptest! {
        #[test]
        fn a_diff_makes_the_new_text_of_the_old(old in "([abc]\n){0,30}[abc]?", new in "([abc]\n){0,30}[abc]?") {
            let diff = unified("x", &old, &new);
            prop_assert_eq!(patch(&old, &diff), new);
        }
    }
}
