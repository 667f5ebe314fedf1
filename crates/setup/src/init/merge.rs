//! Edits the keys of a workflow line by line, so that everything else in it stays as it is.

use std::ops::Range;

use crate::templates::WORKFLOW;
use crate::yaml::{YamlNode, parse_yaml};
use crate::yaml_text::to_flow;

/// The lines of a workflow in block style.
pub(super) struct WorkflowLines {
    pub(super) lines: Vec<String>,
}

impl WorkflowLines {
    pub(super) fn new(text: &str) -> WorkflowLines {
        WorkflowLines { lines: text.lines().map(str::to_owned).collect() }
    }

    /// Adds a key as in the template, if it is missing. Returns `None` if the layout is unsupported.
    pub(super) fn add(&mut self, path: &[&str]) -> Option<()> {
        if find_path(&self.lines, path).is_some() { Some(()) } else { self.set(path, None) }
    }

    /// Replaces a key, or adds it after the key before it in the template. `None` stands for the lines of the template; other
    /// lines are indented as there. Returns `None` if the layout is unsupported.
    pub(super) fn set(&mut self, path: &[&str], lines: Option<Vec<String>>) -> Option<()> {
        let mut in_template = path.to_vec();
        if let ["jobs", job, ..] = in_template.as_mut_slice() {
            *job = "play";
        }
        let template: Vec<String> = WORKFLOW.lines().map(str::to_owned).collect();
        let lines = match lines {
            Some(lines) => lines,
            None => template[find_path(&template, &in_template)?].to_vec(),
        };
        let (key, parent) = path.split_last()?;
        let (range, depth) = self.children(parent)?;
        let old_depth = lines.first().map(|line| indent(line))?;
        let lines = lines.iter().map(|line| match line.get(old_depth..) {
            Some(rest) if !line.trim().is_empty() => format!("{}{rest}", " ".repeat(depth)),
            _ => line.clone(),
        });
        let old = find_block(&self.lines, range.clone(), depth, key);
        let at = old.unwrap_or_else(|| {
            let root = parse_yaml(WORKFLOW).ok();
            let siblings = root.as_ref().and_then(|root| root.get_path(&in_template[..in_template.len() - 1]));
            let before = siblings.map(YamlNode::names).unwrap_or_default();
            let before = before.into_iter().take_while(|sibling| sibling != key);
            let ends = before.filter_map(|sibling| Some(find_block(&self.lines, range.clone(), depth, sibling)?.end));
            let at = ends.last().unwrap_or(range.start);
            at..at
        });
        let lines: Vec<String> = lines.collect();
        drop(self.lines.splice(at, lines));
        Some(())
    }

    /// Removes a key and its value, if it is there.
    pub(super) fn remove(&mut self, path: &[&str]) {
        if let Some(range) = find_path(&self.lines, path) {
            self.lines.drain(range);
        }
    }

    /// Returns the lines below a key, and their indentation.
    fn children(&self, path: &[&str]) -> Option<(Range<usize>, usize)> {
        let range = if path.is_empty() { 0..self.lines.len() } else { below(find_path(&self.lines, path)?) };
        let depth = range.clone().map(|at| &self.lines[at]).find(|line| !is_empty(line)).map(|line| indent(line))?;
        Some((range, depth))
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
        let depth = inside.clone().map(|at| &lines[at]).find(|line| !is_empty(line)).map(|line| indent(line))?;
        found = find_block(lines, inside, depth, key)?;
        inside = below(found.clone());
    }
    Some(found)
}

/// Returns the lines of a key among those with this indentation, with its value.
fn find_block(lines: &[String], range: Range<usize>, depth: usize, key: &str) -> Option<Range<usize>> {
    let is_key = |line: &str| {
        let name = line.split_once(':').map(|(name, _)| name.trim().trim_matches(['"', '\'']));
        indent(line) == depth && name == Some(key)
    };
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

fn below(block: Range<usize>) -> Range<usize> {
    block.start + 1..block.end
}

/// Whether a line is blank or only a comment.
pub(super) fn is_empty(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}
