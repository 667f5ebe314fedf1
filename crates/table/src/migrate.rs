//! Converts records of earlier versions to the current format. The result is read and checked like any other record, and
//! saved with the next event.
//!
//! Version 2 has an event's consequences under `then`. Version 1 had only its rolls, under `dice`:
//!
//! ```text
//! 1: "dice": [[2, 2], [6, 4]]
//! 2: "then": [{ "throw": [2, 2] }, { "throw": [6, 4] }]
//! ```

use game::roll::Roll;
use serde_json::{Value, json};

use crate::invalid_file::InvalidFile;

/// Converts a record from version 1 to version 2.
///
/// # Errors
/// Returns an error if a field isn't valid in version 1: a sentence for the host that names the field.
pub fn from_version_1(mut record: Value) -> Result<Value, InvalidFile> {
    let events = record.get_mut("history").and_then(Value::as_array_mut);
    for (at, event) in events.into_iter().flatten().enumerate() {
        let Some(event) = event.as_object_mut() else { continue };
        if event.contains_key("then") {
            return Err(format!("`history[{at}].then` isn't a field of a record with `schema` 1").into());
        }
        let Some(dice) = event.shift_remove("dice") else { continue };
        let rolls: Vec<Roll> = serde_json::from_value(dice).unwrap_or_default();
        if rolls.is_empty() {
            return Err(format!("`history[{at}].dice` isn't a list of rolls").into());
        }
        event.insert("then".to_owned(), rolls.into_iter().map(|roll| json!({ "throw": roll })).collect());
    }
    if let Some(schema) = record.get_mut("schema") {
        *schema = json!(2);
    }
    Ok(record)
}
