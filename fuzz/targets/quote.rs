//! Fuzzes quoted user text in answers, and the hidden first line of answers.

use answers::Marker;
use answers::render::quote as quoted_text;
use pulldown_cmark::{Event, Options, Parser};

/// The text that stands in for the user's text in the comparison.
const PLAIN: &str = "`plain`";

/// Checks that quoted text always renders as exactly one code span.
pub fn quote(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let quoted = quoted_text(&text);
    assert!(!quoted.chars().any(char::is_control), "{quoted:?} is one line");
    assert!(quoted.chars().count() <= 2 * 63 + 4 + 63, "{quoted:?} is cut");
    if quoted == "(nothing that can be shown)" {
        return;
    }
    for options in [Options::empty(), Options::all()] {
        for (before, after) in [
            ("", ""),
            ("**alice**: There is no command ", ". Did you mean `/move`? `/help` lists them all."),
            ("`a` ", " `b`"),
            ("- ", "\n- next"),
            ("<!-- play-by-commit 1/2 table=1 -->\n", " could mean `a1`.\n\n![picture](https://github.example/a)\n"),
        ] {
            let (mut codes, mut plain) = (Vec::new(), Vec::new());
            let ours = events(&format!("{before}{quoted}{after}"), options, &mut codes);
            let expected = events(&format!("{before}{PLAIN}{after}"), options, &mut plain);
            assert_eq!(ours, expected, "{before:?} {quoted:?} {after:?}");
            let at = plain.iter().position(|code| code == "plain").expect("the plain text is a code span");
            assert!(quoted.contains(&codes[at]) && !codes[at].trim_matches('`').is_empty() || codes[at].contains('`'));
        }
    }
}

/// Returns the Markdown events of a text, and moves the contents of its code spans to `codes`.
fn events(text: &str, options: Options, codes: &mut Vec<String>) -> Vec<String> {
    let shown = Parser::new_ext(text, options).map(|event| match event {
        Event::Code(code) => {
            codes.push(code.into_string());
            "code".to_owned()
        }
        other => format!("{other:?}"),
    });
    shown.collect()
}

/// Checks that a parsed marker serializes to the same marker.
pub fn marker(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let Some(marker) = Marker::parse(text) else { return };
    let line = marker.line();
    assert_eq!(Marker::parse(&line).as_ref(), Some(&marker));
    let answer = marker.prepend_to(text);
    assert_eq!(Marker::parse(&answer).as_ref(), Some(&marker));
    assert!(answer.len() <= 60_000 + line.len() + 2 && answer.starts_with("<!--"));
}
