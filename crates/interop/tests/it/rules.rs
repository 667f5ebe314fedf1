//! The rules as other programs see them: a line goes in, a line comes out.
//!
//! `crates/interop/tests/rules/` holds requests (behind `> `) with the response below each. `UPDATE_EXPECT=1 cargo test -p play-by-commit-interop`
//! writes the responses anew; read the diff.

use std::collections::BTreeMap;
use std::path::PathBuf;

use expect_test::expect_file;
use game::rule::RuleError;
use interop::rules::{MAX_LINE, MAX_MOVES, error_json, line_not_utf8, line_too_long, respond, with_index};
use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};

#[track_caller]
fn check(game: &str) {
    let path = PathBuf::from(format!("{}/tests/rules/{game}.txt", env!("CARGO_MANIFEST_DIR")));
    let script = std::fs::read_to_string(&path).unwrap();
    let mut said = String::new();
    for line in script.lines() {
        if let Some(request) = line.strip_prefix('>') {
            said += &format!("{line}\n{}\n", respond(request.trim_start()));
        } else if line.is_empty() || line.starts_with('#') {
            said += &format!("{line}\n");
        }
    }
    expect_file![path].assert_eq(&said);
}

#[test]
fn tic_tac_toe() {
    check("tic_tac_toe");
}

#[test]
fn ultimate_tic_tac_toe() {
    check("ultimate_tic_tac_toe");
}

#[test]
fn backgammon() {
    check("backgammon");
}

#[test]
fn chess() {
    check("chess");
}

#[test]
fn connect_four() {
    check("connect_four");
}

#[test]
fn othello() {
    check("othello");
}

#[test]
fn hex() {
    check("hex");
}

#[test]
fn checkers() {
    check("checkers");
}

/// A request for tic-tac-toe on 3x3 with these further fields, and id 1.
fn ask(fields: &str) -> String {
    format!(r#"{{"id":1,"game":"tic-tac-toe",{fields}}}"#)
}

/// What is at a path of a response: `error/code`.
#[track_caller]
fn at(request: &str, path: &str) -> String {
    let response: Value = serde_json::from_str(&respond(request)).unwrap();
    response.pointer(&format!("/{path}")).map_or("nothing".to_owned(), Value::to_string)
}

#[test]
fn a_position_that_was_answered_can_be_asked_about() {
    let first = respond(&ask(r#""moves":["b2","a1"]"#));
    let position = &serde_json::from_str::<Value>(&first).unwrap()["position"];
    assert_eq!(respond(&ask(&format!(r#""position":{position}"#))), first);
}

#[test]
fn null_is_the_same_as_left_out() {
    let nulls = ask(r#""config":{"boardSize":null},"moves":null,"position":null,"try":null"#);
    assert_eq!(respond(&nulls), respond(r#"{"id":1,"game":"tic-tac-toe"}"#));
    assert_eq!(respond(&ask(r#""config":null"#)), respond(r#"{"id":1,"game":"tic-tac-toe"}"#));
}

#[test]
fn an_id_comes_back_as_it_was_written() {
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
fn a_line_may_be_long_but_not_longer() {
    let request = ask(r#""try":"b2""#);
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
fn a_request_may_hold_so_many_moves() {
    let moves = |many: usize| ask(&format!(r#""moves":[{}]"#, vec![r#""4""#; many].join(",")));
    assert_eq!(at(&moves(MAX_MOVES), "error/code"), r#""OCCUPIED_CELL""#);
    let sentence = r#""`moves` has 2001 entries; a request may have 2000""#;
    assert_eq!(at(&moves(MAX_MOVES + 1), "error/message"), sentence);
}

#[test]
fn what_was_sent_is_repeated_in_part_only() {
    let long = "é".repeat(100_000);
    for request in [
        format!(r#"{{"id":1,"{long}":1}}"#),
        format!(r#"{{"id":1,"game":"{long}"}}"#),
        ask(&format!(r#""config":{{"{long}":1}}"#)),
        ask(&format!(r#""position":{{"board":["{long}"],"currentPlayer":"X"}}"#)),
        ask(&format!(r#""moves":["{long}"]"#)),
        ask(&format!(r#""moves":"{long}""#)),
        ask(&format!(r#""try":"{long}""#)),
    ] {
        let response = respond(&request);
        assert!(response.contains("ééé") && response.len() < 2_000, "{}", response.len());
    }
}

#[test]
fn depth_is_no_danger() {
    let nest = |open: &str, close: &str| {
        let depth = (MAX_LINE - 200) / (open.len() + close.len());
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
    };
    for deep in [nest("[", "]"), nest(r#"{"a":"#, "}"), "[".repeat(MAX_LINE - 200), r#"{"a":"#.repeat(200_000)] {
        for request in [
            deep.clone(),
            format!(r#"{{"id":{deep}}}"#),
            format!(r#"{{"id":1,"deep":{deep}}}"#),
            ask(&format!(r#""config":{deep}"#)),
            ask(&format!(r#""config":{{"mode":{deep}}}"#)),
            ask(&format!(r#""position":{{"board":[{deep}]}}"#)),
            ask(&format!(r#""position":{{"board":{deep}}}"#)),
            ask(&format!(r#""moves":{deep}"#)),
            ask(&format!(r#""moves":[{deep}]"#)),
            ask(&format!(r#""try":{deep}"#)),
        ] {
            assert!(request.len() <= MAX_LINE);
            assert_eq!(at(&request, "error/code"), r#""BAD_REQUEST""#);
        }
    }
}

/// Each field of a response as written, once it has been seen to be one line with either an error or a status.
fn sound(line: &str) -> Result<BTreeMap<String, Box<RawValue>>, TestCaseError> {
    let response = respond(line);
    prop_assert!(!response.contains(['\n', '\r']), "{response}");
    prop_assert_eq!(&response, &respond(line));
    let fields: BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(&response).map_err(|error| TestCaseError::fail(format!("{error}: {response}")))?;
    prop_assert!(fields.contains_key("id"), "{response}");
    prop_assert!(fields.contains_key("error") != fields.contains_key("status"), "{response}");
    Ok(fields)
}

const WHOLE: &str = r#"{"id":1,"game":"tic-tac-toe","config":{"boardSize":3,"kInRow":3,"firstPlayer":"X","mode":"human-vs-human"},"moves":["4"],"position":{"board":["X",null,null,null,null,null,null,null,"O"],"currentPlayer":"X"},"try":"1"}"#;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_line_gets_a_response(line in any::<String>()) {
        sound(&line)?;
    }

    #[test]
    fn any_move_gets_a_response(moves in prop::collection::vec(any::<String>(), 0..4), attempt in any::<String>()) {
        sound(&ask(&format!(r#""moves":{},"try":{}"#, serde_json::json!(moves), serde_json::json!(attempt))))?;
    }

    #[test]
    fn a_damaged_request_gets_a_response(
        cut in 0..WHOLE.len(),
        gap in 0..20_usize,
        junk in prop_oneof![any::<String>(), r#"["\[\]{},:0-9eXO.-]{0,4}"#, Just("null".to_owned())],
    ) {
        let end = (cut + gap).min(WHOLE.len());
        sound(&format!("{}{junk}{}", &WHOLE[..cut], &WHOLE[end..]))?;
    }
}

proptest! {
    // Each case asks about every cell of every position of a game.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn what_is_listed_is_what_can_be_played(size in 3..6_usize, choices in prop::collection::vec(any::<usize>(), 0..30)) {
        let mut moves: Vec<String> = Vec::new();
        for choice in choices {
            let ask = |attempt: &str| {
                let moves = serde_json::json!(moves);
                sound(&ask(&format!(r#""config":{{"boardSize":{size}}},"moves":{moves},"try":"{attempt}""#)))
            };
            let stands = ask("a1")?;
            let legal: Vec<String> = serde_json::from_str(stands["legalMoves"].get()).unwrap();
            prop_assert_eq!(legal.is_empty(), stands["status"].get() != r#""playing""#);
            for cell in 0..size * size {
                let tried: Value = serde_json::from_str(ask(&cell.to_string())?["tried"].get()).unwrap();
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
fn a_text_that_could_mean_several_moves_gets_them_all() {
    let position = r#"{"board":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-1,-1,0,0,0,0,1],"bar":{"white":0,"black":0},"borneOff":{"white":0,"black":0},"activePlayer":"white","dice":[6,5]}"#;
    assert_eq!(
        respond(&format!(r#"{{"id":1,"game":"backgammon","position":{position},"moves":["24/13"]}}"#)),
        r#"{"id":1,"error":{"code":"AMBIGUOUS_MOVE","message":"\"24/13\" could mean 24/18*/13 or 24/19*/13","context":{"moves":["24/18*/13","24/19*/13"],"index":0,"move":"24/13"}}}"#
    );
}

#[test]
fn an_error_without_facts_still_has_a_context() {
    let bare = RuleError { code: "ODD", message: "No".to_owned(), context: Value::Null };
    assert_eq!(error_json(&bare).to_string(), r#"{"code":"ODD","message":"No","context":{}}"#);
    assert_eq!(with_index(bare, 0, "a1").context, json!({ "index": 0, "move": "a1" }));
}
