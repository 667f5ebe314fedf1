//! Tests of the JSON Lines rules engine.
//!
//! `crates/interop/tests/rules/` contains requests (after `> `) and their responses. To update the responses, run
//! `UPDATE_EXPECT=1 cargo test -p play-by-commit-interop` and review the diff.

use std::collections::BTreeMap;
use std::fs;

use expect_test::expect_file;
use interop::ErrorResponse;
use interop::rules::{MAX_LINE, MAX_MOVES, error_json, line_not_utf8, line_too_long, respond, with_index};
use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};

#[test]
fn responds_as_the_scripts_say() {
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules")).unwrap() {
        let path = entry.unwrap().path();
        let mut output = String::new();
        for line in fs::read_to_string(&path).unwrap().lines() {
            if let Some(request) = line.strip_prefix('>') {
                output += &format!("{line}\n{}\n", respond(request.trim_start()));
            } else if line.is_empty() || line.starts_with('#') {
                output += &format!("{line}\n");
            }
        }
        expect_file![path].assert_eq(&output);
    }
}

/// Returns a request for tic-tac-toe on 3x3 with id 1 and these other fields.
fn request_with(fields: &str) -> String {
    format!(r#"{{"id":1,"game":"tic-tac-toe",{fields}}}"#)
}

/// Returns the value at a path of a response: `error/code`.
#[track_caller]
fn response_field(request: &str, path: &str) -> String {
    let response: Value = serde_json::from_str(&respond(request)).unwrap();
    response.pointer(&format!("/{path}")).map_or("nothing".to_owned(), Value::to_string)
}

#[test]
fn accepts_a_position_from_a_response() {
    let first = respond(&request_with(r#""moves":["b2","a1"]"#));
    let position = &serde_json::from_str::<Value>(&first).unwrap()["position"];
    assert_eq!(respond(&request_with(&format!(r#""position":{position}"#))), first);
}

#[test]
fn treats_null_as_missing() {
    let nulls = request_with(r#""config":{"boardSize":null},"moves":null,"position":null,"try":null"#);
    assert_eq!(respond(&nulls), respond(r#"{"id":1,"game":"tic-tac-toe"}"#));
    assert_eq!(respond(&request_with(r#""config":null"#)), respond(r#"{"id":1,"game":"tic-tac-toe"}"#));
}

#[test]
fn repeats_the_id_as_written() {
    for id in [
        "0",
        "-0",
        "1.50",
        "1E5",
        "123456789012345678901234567890.12345678901234567890",
        "1e999",
        "null",
        "true",
        "false",
        r#""""#,
        r#""é\u00e9\n\ud83c\udfb2🎲""#,
        r#""\"},\"status\":\"""#,
    ] {
        for rest in [r#""game":"tic-tac-toe""#, r#""game":"go""#, r#""gam":1"#] {
            let response = respond(&format!("{{ {rest} , \"id\" : {id} }}\r"));
            assert!(response.starts_with(&format!("{{\"id\":{id},\"")), "{id}: {response}");
        }
    }
    for bad in ["[1]", "{}", r#""\ud800""#, "01", "NaN", "'a'", "1,\"id\":1"] {
        let response = respond(&format!(r#"{{"id":{bad},"game":"tic-tac-toe"}}"#));
        assert!(response.starts_with(r#"{"id":null,"error":{"code":"BAD_REQUEST""#), "{bad}: {response}");
    }
    assert!(respond(r#"{"game":"tic-tac-toe"}"#).starts_with(r#"{"id":null,"status":"#));
}

#[test]
fn refuses_lines_over_the_limit() {
    let request = request_with(r#""try":"b2""#);
    let longest = format!("{request}{}", " ".repeat(MAX_LINE - request.len()));
    assert_eq!(respond(&longest), respond(&request));
    assert_eq!(respond(&format!("{longest} ")), line_too_long());
    for (response, why) in
        [(line_too_long(), "longer than 1048576 bytes, the limit for a request"), (line_not_utf8(), "not UTF-8")]
    {
        assert!(response.starts_with(r#"{"id":null,"error":{"code":"BAD_REQUEST","message":"The line is "#));
        assert!(response.contains(why), "{response}");
    }
}

#[test]
fn refuses_too_many_moves() {
    let moves = |count: usize| request_with(&format!(r#""moves":[{}]"#, vec![r#""4""#; count].join(",")));
    assert_eq!(response_field(&moves(MAX_MOVES), "error/code"), r#""OCCUPIED_CELL""#);
    let sentence = r#""`moves` has 2001 entries; a request may have 2000""#;
    assert_eq!(response_field(&moves(MAX_MOVES + 1), "error/message"), sentence);
}

#[test]
fn truncates_quoted_input() {
    let long = "é".repeat(100_000);
    for request in [
        format!(r#"{{"id":1,"{long}":1}}"#),
        format!(r#"{{"id":1,"game":"{long}"}}"#),
        request_with(&format!(r#""config":{{"{long}":1}}"#)),
        request_with(&format!(r#""position":{{"board":["{long}"],"currentPlayer":"X"}}"#)),
        request_with(&format!(r#""moves":["{long}"]"#)),
        request_with(&format!(r#""moves":"{long}""#)),
        request_with(&format!(r#""try":"{long}""#)),
    ] {
        let response = respond(&request);
        assert!(response.contains("ééé") && response.len() < 2_000, "{}", response.len());
    }
}

#[test]
fn survives_deeply_nested_json() {
    let nest = |open: &str, close: &str| {
        let depth = (MAX_LINE - 200) / (open.len() + close.len());
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
    };
    for deep in [nest("[", "]"), nest(r#"{"a":"#, "}"), "[".repeat(MAX_LINE - 200), r#"{"a":"#.repeat(200_000)] {
        for request in [
            deep.clone(),
            format!(r#"{{"id":{deep}}}"#),
            format!(r#"{{"id":1,"deep":{deep}}}"#),
            request_with(&format!(r#""config":{deep}"#)),
            request_with(&format!(r#""config":{{"mode":{deep}}}"#)),
            request_with(&format!(r#""position":{{"board":[{deep}]}}"#)),
            request_with(&format!(r#""position":{{"board":{deep}}}"#)),
            request_with(&format!(r#""moves":{deep}"#)),
            request_with(&format!(r#""moves":[{deep}]"#)),
            request_with(&format!(r#""try":{deep}"#)),
        ] {
            assert!(request.len() <= MAX_LINE);
            assert_eq!(response_field(&request, "error/code"), r#""BAD_REQUEST""#);
        }
    }
}

/// Checks that a response is one line with either an error or a status. Returns its fields as raw JSON.
fn check_response(line: &str) -> Result<BTreeMap<String, Box<RawValue>>, TestCaseError> {
    let response = respond(line);
    prop_assert!(!response.contains(['\n', '\r']), "{response}");
    prop_assert_eq!(&response, &respond(line));
    let fields: BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(&response).map_err(|error| TestCaseError::fail(format!("{error}: {response}")))?;
    prop_assert!(fields.contains_key("id"), "{response}");
    prop_assert!(fields.contains_key("error") != fields.contains_key("status"), "{response}");
    Ok(fields)
}

const FULL_REQUEST: &str = r#"{"id":1,"game":"tic-tac-toe","config":{"boardSize":3,"kInRow":3,"firstPlayer":"X","mode":"human-vs-human"},"moves":["4"],"position":{"board":["X",null,null,null,null,null,null,null,"O"],"currentPlayer":"X"},"try":"1"}"#;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_any_line(line in any::<String>()) {
        check_response(&line)?;
    }

    #[test]
    fn answers_any_move(moves in prop::collection::vec(any::<String>(), 0..4), attempt in any::<String>()) {
        check_response(&request_with(&format!(r#""moves":{},"try":{}"#, serde_json::json!(moves), serde_json::json!(attempt))))?;
    }

    #[test]
    fn answers_a_damaged_request(
        cut in 0..FULL_REQUEST.len(),
        gap in 0..20_usize,
        junk in prop_oneof![any::<String>(), r#"["\[\]{},:0-9eXO.-]{0,4}"#, Just("null".to_owned())],
    ) {
        let end = (cut + gap).min(FULL_REQUEST.len());
        check_response(&format!("{}{junk}{}", &FULL_REQUEST[..cut], &FULL_REQUEST[end..]))?;
    }
}

proptest! {
    // Each case tries every cell in every position of a game.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn lists_exactly_the_playable_moves(size in 3..6_usize, choices in prop::collection::vec(any::<usize>(), 0..30)) {
        let mut moves: Vec<String> = Vec::new();
        for choice in choices {
            let try_move = |attempt: &str| {
                let moves = serde_json::json!(moves);
                check_response(&request_with(&format!(r#""config":{{"boardSize":{size}}},"moves":{moves},"try":"{attempt}""#)))
            };
            let response = try_move("a1")?;
            let legal: Vec<String> = serde_json::from_str(response["legalMoves"].get()).unwrap();
            prop_assert_eq!(legal.is_empty(), response["status"].get() != r#""playing""#);
            for cell in 0..size * size {
                let tried: Value = serde_json::from_str(try_move(&cell.to_string())?["tried"].get()).unwrap();
                let listed = tried["notation"].as_str().is_some_and(|name| legal.iter().any(|mv| mv == name));
                prop_assert_eq!(tried["ok"].as_bool(), Some(listed), "{}", cell);
            }
            if legal.is_empty() {
                break;
            }
            moves.push(legal[choice % legal.len()].clone());
        }
    }
}

#[test]
fn lists_all_moves_that_an_ambiguous_text_matches() {
    let position = r#"{"board":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-1,-1,0,0,0,0,1],"bar":{"white":0,"black":0},"borneOff":{"white":0,"black":0},"activePlayer":"white","dice":[6,5]}"#;
    assert_eq!(
        respond(&format!(r#"{{"id":1,"game":"backgammon","position":{position},"moves":["24/13"]}}"#)),
        r#"{"id":1,"error":{"code":"AMBIGUOUS_MOVE","message":"\"24/13\" could mean 24/18*/13 or 24/19*/13","context":{"moves":["24/18*/13","24/19*/13"],"index":0,"move":"24/13"}}}"#
    );
}

#[test]
fn every_error_has_a_context_object() {
    let error = ErrorResponse { code: "ODD", message: "No".to_owned(), context: Value::Null };
    assert_eq!(error_json(&error).to_string(), r#"{"code":"ODD","message":"No","context":{}}"#);
    assert_eq!(with_index(error, 0, "a1").context, json!({ "index": 0, "move": "a1" }));
}
