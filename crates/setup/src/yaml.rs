//! YAML as a tree with line numbers: the part of it that GitHub reads in a workflow or an issue form.

use saphyr_parser::{Event, Parser};

/// The size above which a file is not looked at, in bytes; GitHub takes no workflow above 512 KB.
pub const MAX_BYTES: usize = 512_000;
/// The number of nodes that a file may have, those behind aliases counted each time.
const MAX_NODES: usize = 20_000;
/// The depth to which a file may be nested.
pub const MAX_DEPTH: usize = 50;

/// A value, and the line that it begins on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlNode {
    /// The line, from 1.
    pub line: usize,
    value: YamlValue,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum YamlValue {
    /// A scalar as it is written: also a number or a boolean is text here.
    Text(String),
    List(Vec<YamlNode>),
    Map(Vec<(String, YamlNode)>),
}

/// A list or a map that has not ended.
struct OpenNode {
    node: YamlNode,
    anchor: usize,
    /// The key whose value comes next.
    key: Option<String>,
}

/// Reads a file of one document.
///
/// # Errors
/// It is no YAML, or larger than any file of this kind; the sentence, without its full stop, names the line.
pub fn parse_yaml(text: &str) -> Result<YamlNode, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("it is longer than {MAX_BYTES} bytes"));
    }
    let mut tree = TreeBuilder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| format!("line {}: {}", error.marker().line(), error.info()))?;
        tree.handle_event(event, span.start.line())?;
    }
    tree.root.ok_or_else(|| "it is empty".to_owned())
}

impl YamlNode {
    /// Returns the value behind a key; `None` if there is no such key.
    pub fn get(&self, key: &str) -> Option<&YamlNode> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, node)| node)
    }

    /// Returns the value behind several keys, one inside the other.
    pub fn get_path(&self, keys: &[&str]) -> Option<&YamlNode> {
        keys.iter().try_fold(self, |node, key| node.get(key))
    }

    /// Returns the text; `None` if it is no scalar.
    pub fn as_str(&self) -> Option<&str> {
        if let YamlValue::Text(text) = &self.value { Some(text) } else { None }
    }

    /// Returns the entries of a map, in their order; empty if it is something else.
    pub fn entries(&self) -> &[(String, YamlNode)] {
        if let YamlValue::Map(entries) = &self.value { entries } else { &[] }
    }

    /// Returns the items of a list; empty if it is something else.
    pub fn items(&self) -> &[YamlNode] {
        if let YamlValue::List(items) = &self.value { items } else { &[] }
    }

    /// Returns the words that are named in any of the three ways: `a`, `[a, b]`, or the keys of a map.
    pub fn names(&self) -> Vec<&str> {
        match &self.value {
            YamlValue::Text(text) => vec![text.as_str()].into_iter().filter(|text| !text.is_empty()).collect(),
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
    fn handle_event(&mut self, event: Event<'_>, line: usize) -> Result<(), String> {
        let (what, anchor) = match event {
            Event::Scalar(text, _, anchor, _) => {
                return self.add_node(YamlNode { line, value: YamlValue::Text(text.into_owned()) }, anchor, line);
            }
            Event::Alias(anchor) => {
                let known = self.anchors.iter().rev().find(|(known, _)| *known == anchor);
                let node = known.map(|(_, node)| node.clone()).ok_or_else(|| format!("line {line}: unknown alias"))?;
                self.nodes += node.node_count();
                return self.add_node(node, 0, line);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(OpenNode { node, anchor, .. }) = self.open.pop() else { return Ok(()) };
                return self.add_node(node, anchor, line);
            }
            Event::DocumentStart(_) if self.root.is_some() => return Err(format!("line {line}: a second document")),
            Event::SequenceStart(anchor, _) => (YamlValue::List(Vec::new()), anchor),
            Event::MappingStart(anchor, _) => (YamlValue::Map(Vec::new()), anchor),
            _ => return Ok(()),
        };
        if self.open.len() >= MAX_DEPTH {
            return Err(format!("line {line}: it is nested more than {MAX_DEPTH} deep"));
        }
        self.open.push(OpenNode { node: YamlNode { line, value: what }, anchor, key: None });
        Ok(())
    }

    /// Puts a complete node into the one that is open.
    fn add_node(&mut self, node: YamlNode, anchor: usize, line: usize) -> Result<(), String> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(format!("line {line}: it has more than {MAX_NODES} values"));
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
                    return Err(format!("line {line}: `{key}` appears twice"));
                }
                entries.push((key, node));
            }
            (YamlValue::Map(_), None) => match node.value {
                YamlValue::Text(text) => *key = Some(text),
                _ => return Err(format!("line {line}: a key is not a word")),
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
