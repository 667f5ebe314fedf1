//! Fuzzes the rules protocol for other programs: one line in, one line out.

use interop::rules::respond;
use serde_json::{Value, json};

/// The number of legal moves to try.
const TRIED: usize = 3;

/// Checks that every line gets one line of JSON with its id, and that the returned position is valid.
pub fn rules(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let response = respond(text);
    assert!(!response.contains(['\n', '\r']), "{response}");
    assert_eq!(respond(text), response, "the same line gets the same bytes");
    let asked = serde_json::from_str::<Value>(text);
    let Ok(told) = serde_json::from_str::<Value>(&response) else {
        // The response repeats an `id` unchanged, and some JSON parsers reject some numbers.
        assert!(asked.is_err() && response.len() < 4_000, "a response is JSON: {response}");
        return;
    };
    let Ok(asked) = asked else {
        // Fields that didn't matter for the refusal may hold text that isn't valid Unicode.
        assert!(told["error"]["code"].is_string(), "{response}");
        return;
    };
    if let Some(error) = told.get("error") {
        assert!(error["code"].is_string() && error["context"].is_object(), "{response}");
        assert!(error["message"].as_str().is_some_and(|message| message.len() < 4_000), "{response}");
        return;
    }
    assert_eq!(told["id"], asked["id"]);
    let legal = told["legalMoves"].as_array().expect("there is a list of legal moves");
    if let Some(results) = told["results"].as_array() {
        assert_eq!(results.len(), legal.len(), "a result for each legal move");
    }
    // A returned position is a valid request.
    let mut next = json!({ "game": asked["game"], "config": asked["config"], "position": told["position"] });
    let same = ask(&next);
    for field in ["status", "currentPlayer", "winner", "winningLines", "legalMoves", "position", "diceUsable"] {
        assert_eq!(same.get(field), told.get(field), "`{field}` of the same position");
    }
    for (at, name) in legal.iter().enumerate().take(TRIED) {
        next["try"] = name.clone();
        next["results"] = true.into();
        let tried = ask(&next);
        assert_eq!((&tried["tried"]["ok"], &tried["tried"]["notation"]), (&Value::Bool(true), name));
        assert!(!tried["results"][at].is_null());
    }
}

fn ask(request: &Value) -> Value {
    serde_json::from_str(&respond(&request.to_string())).expect("a response is JSON")
}
