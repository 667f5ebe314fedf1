//! Values written as YAML on one line.

use crate::yaml::YamlNode;

/// Writes a value as YAML that is read as this very text: in quotes when it could be read as a number, a boolean or nothing.
pub fn to_scalar(value: &str) -> String {
    let word = value.to_ascii_lowercase();
    let odd = matches!(word.as_str(), "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ',' | ' ' | '+');
    let safe = value.starts_with(|c: char| c.is_ascii_alphabetic())
        && value.chars().all(plain)
        && !value.ends_with(' ')
        && !odd;
    if safe { value.to_owned() } else { quote(value) }
}

/// Writes a text as an item of a list in brackets.
pub fn to_flow_item(value: &str) -> String {
    if value.contains(',') { quote(value) } else { to_scalar(value) }
}

/// Writes any value on one line. A scalar keeps its text, but becomes a string.
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
    match value.contains(|c: char| c.is_control()) {
        // In single quotes a line break would be read as a space. JSON is YAML.
        true => serde_json::Value::from(value).to_string(),
        false => format!("'{}'", value.replace('\'', "''")),
    }
}
