//! Tests that diffs look like those of `diff -u`, and that applying one gives the new text.

use proptest::prelude::*;
use setup::{DIFF_TIMEOUT, unified_diff};
use testkit::short_or_long;

const NO_NEWLINE: &str = "\\ No newline at end of file\n";

#[test]
fn shows_three_lines_around_a_change() {
    let old: String = (1..=20).map(|n| format!("{n}\n")).collect();
    let new = old.replace("5\n6\n", "5\nsix\n").replace("17\n", "");
    let expected = "--- a/x\n+++ b/x\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n@@ -14,7 +14,6 @@\n \
        14\n 15\n 16\n-17\n 18\n 19\n 20\n";
    assert_eq!(unified_diff("x", &old, &new), expected);
    assert_eq!(unified_diff("x", &old, &old), "");
    assert_eq!(unified_diff("x", "", "a"), "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n");
    assert_eq!(unified_diff("x", "a\n", ""), "--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n");
}

#[test]
fn replaces_texts_without_common_lines_as_a_whole() {
    let text = |word: &str| (0..3_000).map(|n| format!("{word} {n}\n")).collect::<String>();
    let diff = unified_diff("x", &text("a"), &text("b"));
    assert!(diff.contains("@@ -1,3000 +1,3000 @@\n-a 0\n"), "{}", &diff[..100]);
}

/// Two texts as large as a record, with many equal lines but no long common parts.
#[test]
fn compares_difficult_texts_in_time() {
    let text = |factor: u64| -> String {
        let seed = |n: u64| n.wrapping_mul(factor).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
        (0..short_or_long(10_000, 200_000))
            .map(|n| format!("{}\n", (b'0' + u8::try_from(seed(n)).unwrap()) as char))
            .collect()
    };
    let (old, new, begun) = (text(3), text(5), std::time::Instant::now());
    let diff = unified_diff("x", &old, &new);
    assert!(begun.elapsed() < 5 * DIFF_TIMEOUT, "{:?}", begun.elapsed());
    assert_eq!(patch(&old, &diff), new);
}

/// Applies a diff to the old text.
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
    fn patching_the_old_text_gives_the_new_one(old in "([abc]\n){0,30}[abc]?", new in "([abc]\n){0,30}[abc]?") {
        let diff = unified_diff("x", &old, &new);
        prop_assert_eq!(patch(&old, &diff), new);
    }
}
