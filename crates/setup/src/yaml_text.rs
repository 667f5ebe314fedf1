//! Formats values as YAML on one line.

use crate::yaml::YamlNode;

/// Formats a text as a YAML scalar, in quotes if YAML would read it as something else than this text.
pub fn to_scalar(value: &str) -> String {
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
pub fn to_flow_item(value: &str) -> String {
    if value.contains(',') { quote(value) } else { to_scalar(value) }
}

/// Formats any value on one line, in flow style. Scalars become strings with the same text.
pub fn to_flow(node: &YamlNode) -> String {
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
