//! A stranger's text in an answer, and the hidden first line of answers.

use answers::marker::Marker;
use answers::render::quote as quoted_text;
use pulldown_cmark::{Event, Options, Parser};

/// What stands in the place of a stranger's text, to compare with.
const PLAIN: &str = "`plain`";

/// Rendered, a quoted text is one code span and nothing else, wherever it stands.
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

/// The events of a text, with what is in its code spans put aside.
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

/// A marker that was read is the one that would be written.
pub fn marker(data: &[u8]) {
    let Some(text) = super::text(data) else { return };
    let Some(marker) = Marker::parse(text) else { return };
    let line = marker.line();
    assert_eq!(Marker::parse(&line).as_ref(), Some(&marker));
    let answer = marker.prepend_to(text);
    assert_eq!(Marker::parse(&answer).as_ref(), Some(&marker));
    assert!(answer.len() <= 60_000 + line.len() + 2 && answer.starts_with("<!--"));
}
