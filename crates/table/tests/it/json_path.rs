//! Where in a JSON text a parser stopped.

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use table::json::error_path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is only read into")]
struct Outer {
    name: Option<String>,
    inner: Option<Box<Outer>>,
    lists: Option<Vec<[u8; 2]>>,
}

#[track_caller]
fn stops_at(json: &str, expected: &str) {
    let error = serde_json::from_str::<Outer>(json).map(drop).unwrap_err();
    assert_eq!(error_path(json, &error), expected, "{json}: {error}");
}

#[test]
fn the_place_is_named() {
    stops_at(r#"{"name":1}"#, "name");
    stops_at(r#"{ "name" : [ ] }"#, "name");
    stops_at(r#"{"inner":{"inner":{"name":{}}}}"#, "inner.inner.name");
    stops_at(r#"{"lists":[[1,2],[3,4],[5,256]]}"#, "lists[2][1]");
    stops_at(r#"{"lists":[[1,2],[]]}"#, "lists[1]");
    stops_at(r#"{"lists":[[1,2],[1,2,3]]}"#, "lists[1][2]");
    stops_at(r#"{"lists":{}}"#, "lists");
    stops_at(r#"{"name":"a","lists":[[1,2],["],}"]]}"#, "lists[1][0]");
    stops_at(r#"{"name":"\"}{[","inner":{"else":1}}"#, "inner.else");
    stops_at("{\"name\":\"a\",\n \"inner\": {\n  \"name\": true } }", "inner.name");
    stops_at("[]", "");
    stops_at("7", "");
    stops_at("", "");
}

proptest! {
    #[test]
    fn no_text_is_too_strange(json in r#"[\[\]{}",:\\a1é \n]{0,40}"#) {
        if let Err(error) = serde_json::from_str::<Value>(&json) {
            error_path(&json, &error);
        }
        if let Err(error) = serde_json::from_str::<Outer>(&json) {
            error_path(&json, &error);
        }
    }
}
