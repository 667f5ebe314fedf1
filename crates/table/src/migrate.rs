//! Records of earlier versions of the format, brought into the form of the present one. The result is read and
//! checked like any other record, and written with the next event.
//!
//! Version 2 has the consequences of an event under `then`, where version 1 had its throws under `dice`:
//!
//! ```text
//! 1: "dice": [[2, 2], [6, 4]]
//! 2: "then": [{ "throw": [2, 2] }, { "throw": [6, 4] }]
//! ```

use game::roll::Roll;
use serde_json::{Value, json};

/// Returns a record of version 1 as one of version 2.
///
/// # Errors
/// A sentence for the host that names the field that version 1 does not have, or not like this.
pub fn from_version_1(mut record: Value) -> Result<Value, String> {
    let events = record.get_mut("history").and_then(Value::as_array_mut);
    for (at, event) in events.into_iter().flatten().enumerate() {
        let Some(event) = event.as_object_mut() else { continue };
        if event.contains_key("then") {
            return Err(format!("`history[{at}].then` isn't a field of a record with `schema` 1"));
        }
        let Some(dice) = event.shift_remove("dice") else { continue };
        let throws: Vec<Roll> = serde_json::from_value(dice).unwrap_or_default();
        if throws.is_empty() {
            return Err(format!("`history[{at}].dice` isn't a list of rolls"));
        }
        event.insert("then".to_owned(), throws.into_iter().map(|throw| json!({ "throw": throw })).collect());
    }
    if let Some(schema) = record.get_mut("schema") {
        *schema = json!(2);
    }
    Ok(record)
}
