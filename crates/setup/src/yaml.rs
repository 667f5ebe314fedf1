//! A YAML parser that keeps line numbers, for workflows and issue forms.

use anyhow::{Context, Result, anyhow, bail};
use saphyr_parser::{Event, Parser};

/// The maximum size of a file, in bytes, which is GitHub's limit for a workflow.
pub const MAX_BYTES: usize = 512_000;
/// The maximum number of nodes in a file. The nodes of an anchor count again for each alias.
const MAX_NODES: usize = 20_000;
/// The maximum depth of nesting.
pub const MAX_DEPTH: usize = 50;

/// A value with its line number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlNode {
    /// The line where the value begins, counted from 1.
    pub line: usize,
    value: YamlValue,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum YamlValue {
    /// A scalar as text, including numbers and booleans.
    Text(String),
    List(Vec<YamlNode>),
    Map(Vec<(String, YamlNode)>),
}

/// A list or a map whose end hasn't been read yet.
struct OpenNode {
    node: YamlNode,
    anchor: usize,
    /// The key of the next value.
    key: Option<String>,
}

/// Parses a file with one document.
///
/// # Errors
/// Returns an error with the reason, without a period, if the text isn't valid YAML or exceeds a limit.
pub fn parse_yaml(text: &str) -> Result<YamlNode> {
    if text.len() > MAX_BYTES {
        bail!("it is longer than {MAX_BYTES} bytes");
    }
    let mut tree = TreeBuilder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| anyhow!("line {}: {}", error.marker().line(), error.info()))?;
        tree.handle_event(event, span.start.line())?;
    }
    tree.root.context("it is empty")
}

impl YamlNode {
    /// Returns the value of a key; `None` if there is no such key.
    pub fn get(&self, key: &str) -> Option<&YamlNode> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, node)| node)
    }

    /// Returns the value at a path of keys.
    pub fn get_path(&self, keys: &[&str]) -> Option<&YamlNode> {
        keys.iter().try_fold(self, |node, key| node.get(key))
    }

    /// Returns the text of a scalar; `None` for a list or a map.
    pub fn as_str(&self) -> Option<&str> {
        if let YamlValue::Text(text) = &self.value { Some(text) } else { None }
    }

    /// Returns the text of a key's scalar; `None` if there is none.
    pub fn text_at(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// Returns the entries of a key's map; empty if there is none.
    pub fn entries_at(&self, key: &str) -> &[(String, YamlNode)] {
        self.get(key).map(YamlNode::entries).unwrap_or_default()
    }

    /// Returns the items of a key's list; empty if there is none.
    pub fn items_at(&self, key: &str) -> &[YamlNode] {
        self.get(key).map(YamlNode::items).unwrap_or_default()
    }

    /// Returns the entries of a map, in order; empty for other values.
    pub fn entries(&self) -> &[(String, YamlNode)] {
        if let YamlValue::Map(entries) = &self.value { entries } else { &[] }
    }

    /// Returns the items of a list; empty for other values.
    pub fn items(&self) -> &[YamlNode] {
        if let YamlValue::List(items) = &self.value { items } else { &[] }
    }

    /// Returns the names in a scalar (`a`), a list (`[a, b]`) or the keys of a map, as in `on:` of a workflow.
    pub fn names(&self) -> Vec<&str> {
        match &self.value {
            YamlValue::Text(text) if text.is_empty() => Vec::new(),
            YamlValue::Text(text) => vec![text.as_str()],
            YamlValue::List(items) => items.iter().filter_map(YamlNode::as_str).collect(),
            YamlValue::Map(entries) => entries.iter().map(|(key, _)| key.as_str()).collect(),
        }
    }
}

#[derive(Default)]
struct TreeBuilder {
    open: Vec<OpenNode>,
    anchors: Vec<(usize, YamlNode)>,
    nodes: usize,
    root: Option<YamlNode>,
}

impl TreeBuilder {
    fn handle_event(&mut self, event: Event<'_>, line: usize) -> Result<()> {
        let (value, anchor) = match event {
            Event::Scalar(text, _, anchor, _) => {
                return self.add_node(YamlNode { line, value: YamlValue::Text(text.into_owned()) }, anchor, line);
            }
            Event::Alias(anchor) => {
                let known = self.anchors.iter().rev().find(|(known, _)| *known == anchor);
                let (_, node) = known.with_context(|| format!("line {line}: unknown alias"))?;
                let node = node.clone();
                self.nodes += node.node_count();
                return self.add_node(node, 0, line);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(OpenNode { node, anchor, .. }) = self.open.pop() else { return Ok(()) };
                return self.add_node(node, anchor, line);
            }
            Event::DocumentStart(_) if self.root.is_some() => bail!("line {line}: a second document"),
            Event::SequenceStart(anchor, _) => (YamlValue::List(Vec::new()), anchor),
            Event::MappingStart(anchor, _) => (YamlValue::Map(Vec::new()), anchor),
            _ => return Ok(()),
        };
        if self.open.len() >= MAX_DEPTH {
            bail!("line {line}: it is nested more than {MAX_DEPTH} deep");
        }
        self.open.push(OpenNode { node: YamlNode { line, value }, anchor, key: None });
        Ok(())
    }

    /// Adds a complete node to the innermost open one.
    fn add_node(&mut self, node: YamlNode, anchor: usize, line: usize) -> Result<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            bail!("line {line}: it has more than {MAX_NODES} values");
        }
        if anchor > 0 {
            self.nodes += node.node_count();
            self.anchors.push((anchor, node.clone()));
        }
        let Some(OpenNode { node: parent, key, .. }) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match (&mut parent.value, key.take()) {
            (YamlValue::List(items), _) => items.push(node),
            (YamlValue::Map(entries), Some(key)) => {
                if entries.iter().any(|(known, _)| *known == key) {
                    bail!("line {line}: `{key}` appears twice");
                }
                entries.push((key, node));
            }
            (YamlValue::Map(_), None) => match node.value {
                YamlValue::Text(text) => *key = Some(text),
                _ => bail!("line {line}: a key is not a word"),
            },
            (YamlValue::Text(_), _) => {}
        }
        Ok(())
    }
}

impl YamlNode {
    fn node_count(&self) -> usize {
        match &self.value {
            YamlValue::Text(_) => 1,
            YamlValue::List(items) => 1 + items.iter().map(YamlNode::node_count).sum::<usize>(),
            YamlValue::Map(entries) => 1 + entries.iter().map(|(_, node)| node.node_count()).sum::<usize>(),
        }
    }
}

// Formats values as YAML on one line.

/// Formats a text as a YAML scalar, in quotes if YAML would read it as something else than this text.
pub(crate) fn to_scalar(value: &str) -> String {
    let word = value.to_ascii_lowercase();
    let is_reserved = matches!(word.as_str(), "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ',' | ' ' | '+');
    let is_safe = value.starts_with(|c: char| c.is_ascii_alphabetic())
        && value.chars().all(is_plain)
        && !value.ends_with(' ')
        && !is_reserved;
    if is_safe { value.to_owned() } else { quote(value) }
}

/// Formats a text as an item of a list in brackets.
pub(crate) fn to_flow_item(value: &str) -> String {
    if value.contains(',') { quote(value) } else { to_scalar(value) }
}

/// Formats any value on one line, in flow style. Scalars become strings with the same text.
pub(crate) fn to_flow(node: &YamlNode) -> String {
    if let Some(text) = node.as_str() {
        return to_flow_item(text);
    }
    let entries: Vec<String> =
        node.entries().iter().map(|(key, value)| format!("{}: {}", to_flow_item(key), to_flow(value))).collect();
    if entries.is_empty() {
        let items: Vec<String> = node.items().iter().map(to_flow).collect();
        return format!("[{}]", items.join(", "));
    }
    format!("{{ {} }}", entries.join(", "))
}

fn quote(value: &str) -> String {
    if value.contains(|c: char| c.is_control()) {
        // YAML folds line breaks in single quotes. A JSON string is valid YAML and keeps them.
        serde_json::Value::from(value).to_string()
    } else {
        format!("'{}'", value.replace('\'', "''"))
    }
}
