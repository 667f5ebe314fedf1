//! Pieces of GitHub's JSON.

use serde_json::{Value, json};

/// Returns an error of a GraphQL reply.
pub(crate) fn error(kind: &str, path: &[&str], message: &str) -> Value {
    json!({ "type": kind, "path": path, "locations": [{ "line": 2, "column": 3 }], "message": message })
}

/// Returns a REST reply that is only a message.
pub(crate) fn json_message(status: u16, message: &str) -> (u16, Value) {
    (status, json!({ "message": message, "status": status.to_string() }))
}

/// Returns a string, or "" for anything else.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
