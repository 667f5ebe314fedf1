//! Extracts a page's links and images, and the issue forms that the links open.

use answers::{LINK_FORM, Links};
use games::GameKind;
use pulldown_cmark::{Event, Options, Parser, Tag};

/// A new-issue form that a link prefilled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The title of the issue.
    pub title: String,
    /// The body of the issue, with LF line endings.
    pub body: String,
}

impl Form {
    /// Returns the first line of the body.
    pub fn command(&self) -> &str {
        self.body.strip_prefix("### Comment\n\n").unwrap_or(&self.body).lines().next().unwrap_or_default()
    }

    /// Returns the body as the web form sends it.
    pub fn posted(&self) -> String {
        self.body.replace('\n', "\r\n")
    }
}

/// Returns the forms that a page's links open, in page order.
#[track_caller]
pub fn forms(page: &str, links: &Links<'_>) -> Vec<Form> {
    addresses(page).iter().filter_map(|address| parse_form(address, links)).collect()
}

/// Returns the targets of a page's links, without those in code blocks and comments.
pub fn addresses(page: &str) -> Vec<String> {
    let mut all = Vec::new();
    for event in Parser::new_ext(page, Options::ENABLE_TABLES | Options::ENABLE_GFM) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => all.push(dest_url.into_string()),
            Event::Html(html) | Event::InlineHtml(html) => {
                let values =
                    html.split("<a href=\"").skip(1).map(|rest| rest.split_once('"').expect("a closing quote").0);
                all.extend(
                    values.map(|value| value.replace("&quot;", "\"").replace("&lt;", "<").replace("&amp;", "&")),
                );
            }
            _ => {}
        }
    }
    all
}

/// Returns the URLs of a page's images.
pub fn pictures(page: &str) -> Vec<String> {
    let sources = page.split("<img src=\"").skip(1).map(|rest| rest.split_once('"').expect("a closing quote").0);
    sources.map(|source| source.replace("&amp;", "&")).collect()
}

/// Parses the URL of a form; `None` for other URLs. Panics unless it has exactly a title and a body, correctly encoded.
#[track_caller]
fn parse_form(address: &str, links: &Links<'_>) -> Option<Form> {
    let query = address.strip_prefix(&format!("{}/{}/issues/new?", links.server, links.repository))?;
    assert!(address.len() < 8_000, "no server takes an address of {} bytes", address.len());
    let parts: Vec<_> = query.split('&').map(|part| part.split_once('=').expect("a name and a value")).collect();
    match parts[..] {
        [("title", title), ("body", body)] => Some(Form { title: percent_decode(title), body: percent_decode(body) }),
        [("template", LINK_FORM), ("title", title), ("comment", text)] if links.use_form => {
            Some(Form { title: percent_decode(title), body: format!("### Comment\n\n{}", percent_decode(text)) })
        }
        _ => panic!("{query}"),
    }
}

/// Percent-decodes a text. Panics unless exactly the reserved bytes are encoded, with uppercase digits.
#[track_caller]
fn percent_decode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let digit = |byte: Option<u8>| match byte {
        Some(byte @ (b'0'..=b'9' | b'A'..=b'F')) => char::from(byte).to_digit(16).unwrap() as u8,
        other => panic!("{other:?} isn't a digit in {text}"),
    };
    let mut bytes = text.bytes();
    let mut all = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let byte = digit(bytes.next()) * 16 + digit(bytes.next());
            assert!(!plain(byte), "{} needs no encoding in {text}", char::from(byte));
            all.push(byte);
        } else {
            assert!(plain(byte), "{} has to be encoded in {text}", char::from(byte));
            all.push(byte);
        }
    }
    String::from_utf8(all).expect("UTF-8")
}

// A host's page with markers, before and after the bot fills it in.

/// A part of a page.
#[derive(Clone, Copy)]
pub enum Part {
    /// The host's own text.
    Text(&'static str),
    /// The markers of a table.
    Table(u64),
    /// The markers of the standings of one game, or of all.
    Standings(Option<GameKind>),
}

/// A host's page.
pub struct Page {
    /// The parts, from top to bottom.
    pub parts: Vec<Part>,
    /// Whether lines end in CR LF.
    pub crlf: bool,
}

impl Page {
    /// Returns the page with these texts between its markers. `None` keeps the host's text.
    pub fn with(
        &self,
        table: impl Fn(u64) -> Option<String>,
        standings: impl Fn(Option<GameKind>) -> Option<String>,
    ) -> String {
        let inside = |block: Option<String>| block.map_or("\n".to_owned(), |block| format!("\n\n{}\n\n", block.trim()));
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => (*text).to_owned(),
            Part::Table(number) => format!(
                "<!-- play-by-commit:table {number} -->{}<!-- /play-by-commit:table -->",
                inside(table(*number))
            ),
            Part::Standings(kind) => format!(
                "<!-- play-by-commit:standings{} -->{}<!-- /play-by-commit:standings -->",
                kind.map_or(String::new(), |kind| format!(" {}", kind.info().name)),
                inside(standings(*kind))
            ),
        });
        let text: String = parts.collect();
        if self.crlf { text.replace('\n', "\r\n") } else { text }
    }

    /// Returns the page before the bot's first run.
    pub fn fresh(&self) -> String {
        self.with(|_| None, |_| None)
    }
}
