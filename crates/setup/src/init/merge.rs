//! Edits the keys of a workflow line by line, so that everything else in it stays as it is.
//!
//! A function returns `None` if the layout is unsupported.

use std::ops::Range;
use std::time::Duration;

use similar::TextDiff;

use crate::yaml::to_flow;
use crate::{WorkflowKind, YamlNode, parse_yaml};

/// The lines of a workflow in block style.
pub(super) struct WorkflowLines {
    /// The workflow that has the lines to add.
    template: &'static str,
    lines: Vec<String>,
}

impl WorkflowLines {
    pub(super) fn new(kind: WorkflowKind, text: &str) -> WorkflowLines {
        WorkflowLines { template: kind.template(), lines: text.lines().map(str::to_owned).collect() }
    }

    /// Returns the text of the workflow.
    pub(super) fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Adds a key as in the template, if it is missing.
    pub(super) fn add(&mut self, path: &[&str]) -> Option<()> {
        if find_path(&self.lines, path).is_some() { Some(()) } else { self.set(path, None) }
    }

    /// Replaces a key, or adds it after the key before it in the template. `None` stands for the lines of the template.
    pub(super) fn set(&mut self, path: &[&str], line: Option<String>) -> Option<()> {
        let mut in_template = path.to_vec();
        if let ["jobs", job, ..] = in_template.as_mut_slice() {
            *job = "play";
        }
        let template: Vec<String> = self.template.lines().map(str::to_owned).collect();
        let lines = match line {
            Some(line) => vec![line],
            None => template[find_path(&template, &in_template)?].to_vec(),
        };
        let (key, parent) = path.split_last()?;
        let (range, depth) = self.children(parent)?;
        let old_depth = lines.first().map(|line| indent(line))?;
        let lines = lines.iter().map(|line| match line.get(old_depth..) {
            Some(rest) if !line.trim().is_empty() => format!("{}{rest}", " ".repeat(depth)),
            _ => line.clone(),
        });
        let block = |key: &str| find_block(&self.lines, range.clone(), depth, |name| name == key);
        let at = block(key).unwrap_or_else(|| {
            let root = parse_yaml(self.template).ok();
            let siblings = root.as_ref().and_then(|root| root.get_path(&in_template[..in_template.len() - 1]));
            let before = siblings.map(YamlNode::names).unwrap_or_default();
            let before = before.into_iter().take_while(|sibling| sibling != key);
            let at = before.filter_map(|sibling| Some(block(sibling)?.end)).last().unwrap_or(range.start);
            at..at
        });
        let lines: Vec<String> = lines.collect();
        drop(self.lines.splice(at, lines));
        Some(())
    }

    /// Removes a key, its value and the comments above it, if it is there.
    pub(super) fn remove(&mut self, path: &[&str]) {
        let Some(mut range) = find_path(&self.lines, path) else { return };
        let depth = indent(&self.lines[range.start]);
        let is_comment = |line: &str| line.trim_start().starts_with('#') && indent(line) == depth;
        while range.start > 0 && is_comment(&self.lines[range.start - 1]) {
            range.start -= 1;
        }
        self.lines.drain(range);
    }

    /// Replaces a whole line, wherever it is.
    pub(super) fn replace_line(&mut self, from: &str, to: &str) {
        for line in self.lines.iter_mut().filter(|line| *line == from) {
            to.clone_into(line);
        }
    }

    /// Sets the `uses:` of the step at this line, counted from 1.
    pub(super) fn set_uses(&mut self, step: usize, value: &str) -> Option<()> {
        let (range, depth) = self.step(step)?;
        let at = find_block(&self.lines, range, depth, |key| key == "uses")?.start;
        let (before, _) = self.lines[at].split_once("uses:")?;
        self.lines[at] = format!("{before}uses: {value}");
        Some(())
    }

    /// Sets an input of the step at this line, counted from 1.
    pub(super) fn set_input(&mut self, step: usize, name: &str, value: &str) -> Option<()> {
        let (range, depth) = self.step(step)?;
        let Some(with) = find_block(&self.lines, range.clone(), depth, |key| key == "with") else {
            let at = find_block(&self.lines, range, depth, |key| key == "uses")?.start + 1;
            let (with, input) = (" ".repeat(depth), " ".repeat(depth + 2));
            drop(self.lines.splice(at..at, [format!("{with}with:"), format!("{input}{name}: {value}")]));
            return Some(());
        };
        let depth = first_indent(&self.lines, below(with.clone())).unwrap_or(depth + 2);
        let old = find_block(&self.lines, below(with.clone()), depth, |key| key.eq_ignore_ascii_case(name));
        let at = old.unwrap_or(with.end..with.end);
        drop(self.lines.splice(at, [format!("{}{name}: {value}", " ".repeat(depth))]));
        Some(())
    }

    /// Returns the lines below a key, and their indentation.
    fn children(&self, path: &[&str]) -> Option<(Range<usize>, usize)> {
        let range = if path.is_empty() { 0..self.lines.len() } else { below(find_path(&self.lines, path)?) };
        let depth = first_indent(&self.lines, range.clone())?;
        Some((range, depth))
    }

    /// Returns the lines of the step that begins at this line, counted from 1, and the indentation of its keys.
    fn step(&self, line: usize) -> Option<(Range<usize>, usize)> {
        let begin = line.checked_sub(1)?;
        let dash = self.lines.get(begin).filter(|line| line.trim_start().starts_with("- ")).map(|line| indent(line))?;
        let is_outside = |line: &str| !line.trim().is_empty() && indent(line) <= dash;
        let end = (begin + 1..self.lines.len()).find(|at| is_outside(&self.lines[*at])).unwrap_or(self.lines.len());
        Some((begin..end, dash + "- ".len()))
    }
}

/// Returns the paths of the values that differ between two workflows, or are missing in the second one. It enters a map only if
/// both have it.
pub(super) fn changed_paths(old: &YamlNode, new: &YamlNode, path: &str, changed: &mut Vec<String>) {
    if to_flow(old) == to_flow(new) {
        return;
    }
    if old.entries().is_empty() || new.entries().is_empty() {
        return changed.push(path.to_owned());
    }
    for (key, value) in old.entries() {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match new.get(key) {
            Some(new) => changed_paths(value, new, &path, changed),
            None => changed.push(path),
        }
    }
}

/// Returns the lines of the key at a path, with its value.
fn find_path(lines: &[String], path: &[&str]) -> Option<Range<usize>> {
    let mut found = 0..0;
    let mut inside = 0..lines.len();
    for key in path {
        let depth = first_indent(lines, inside.clone())?;
        found = find_block(lines, inside, depth, |name| name == *key)?;
        inside = below(found.clone());
    }
    Some(found)
}

/// Returns the lines of a key among those with this indentation, with its value.
pub(super) fn find_block(
    lines: &[String],
    range: Range<usize>,
    depth: usize,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let is_key = |line: &str| key_of(line).is_some_and(|(at, key)| at == depth && is_wanted(key));
    let begin = range.clone().find(|at| is_key(&lines[*at]))?;
    // A list may have the same indentation as its key.
    let is_next = |line: &str| !is_empty(line) && indent(line) <= depth && !line.trim_start().starts_with("- ");
    let mut end = (begin + 1..range.end).find(|at| is_next(&lines[*at])).unwrap_or(range.end);
    // Comments above the next key belong to it.
    while end > begin + 1
        && is_empty(&lines[end - 1])
        && (lines[end - 1].trim().is_empty() || indent(&lines[end - 1]) <= depth)
    {
        end -= 1;
    }
    Some(begin..end)
}

/// Returns the key of a line with its indentation. The dash of a step counts as indentation.
fn key_of(line: &str) -> Option<(usize, &str)> {
    let (text, dash) = match line.trim_start().strip_prefix("- ") {
        Some(text) => (text, "- ".len()),
        None => (line, 0),
    };
    let (key, _) = text.split_once(':')?;
    Some((indent(line) + dash, key.trim().trim_matches(['"', '\''])))
}

fn below(block: Range<usize>) -> Range<usize> {
    block.start + 1..block.end
}

/// Returns the indentation of the first line that isn't empty.
fn first_indent(lines: &[String], mut range: Range<usize>) -> Option<usize> {
    range.find(|at| !is_empty(&lines[*at])).map(|at| indent(&lines[at]))
}

/// Whether a line is blank or only a comment.
fn is_empty(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

// Unified diffs, in the format of `diff -u`.

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
