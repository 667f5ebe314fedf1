//! Checks the links on the pages.

use std::fs;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{pages, root};

/// Returns GitHub's anchor for a heading: lower case, without punctuation, and with dashes for spaces.
fn anchor(heading: &str) -> String {
    let heading = heading.to_lowercase();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(page: &str) -> Vec<String> {
    let mut heading: Option<String> = None;
    let mut all = Vec::new();
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => all.extend(heading.take().map(|heading| anchor(&heading))),
            _ => {}
        }
    }
    all
}

/// Returns the targets of links, images, and images in HTML.
fn targets(page: &str) -> Vec<String> {
    let mut all = Vec::new();
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => all.push(dest_url.to_string()),
            Event::Html(html) | Event::InlineHtml(html) => {
                let sources = html.split(" src=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
                all.extend(sources);
            }
            _ => {}
        }
    }
    all
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (path, text) in pages() {
        // GitHub shows a reference link without a definition as plain text.
        for name in text.split("][").skip(1).filter_map(|rest| rest.split_once(']')) {
            if !name.0.contains(char::is_whitespace) && !text.contains(&format!("\n[{}]: ", name.0)) {
                wrong.push(format!("{}: [{}] is not defined", path.display(), name.0));
            }
        }
        for target in targets(&text) {
            seen += 1;
            if target.starts_with("https://") || target.starts_with("http://www.glicko.net/") {
                continue;
            }
            let (file, place) = target.split_once('#').unwrap_or((&target, ""));
            let there =
                if file.is_empty() { root().join(&path) } else { root().join(&path).parent().unwrap().join(file) };
            if !there.exists() {
                wrong.push(format!("{}: there is no {target}", path.display()));
            } else if !place.is_empty()
                && !anchors(&fs::read_to_string(&there).unwrap()).iter().any(|name| name == place)
            {
                wrong.push(format!("{}: {target} names no heading", path.display()));
            }
        }
    }
    assert!(seen > 40, "{seen} links");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn headings_have_the_anchors_of_github() {
    assert_eq!(anchor("A board in your README"), "a-board-in-your-readme");
    assert_eq!(anchor("Don't \"look\": `x_y`, 2!"), "dont-look-x_y-2");
}
