//! Checks of a rendered answer: its forms, and its text outside of code.

use answers::DOCS;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, html};

use super::corpus::TOKEN;

/// The longest code span in an answer, in characters: a quoted text with the mark of a cut.
const LONGEST: usize = 80;
/// The start of a picture's URL.
const PICTURES: &str = "https://github.example/host/games/blob/";

/// Removes the brackets and the address of links to our own docs.
fn without_docs_links(answer: &str) -> String {
    let mut answer = answer.to_owned();
    while let Some(at) = answer.find(&format!("]({DOCS}")) {
        let end = answer[at..].find(')').map_or(answer.len(), |length| at + length + 1);
        answer.replace_range(at..end, "");
        if let Some(start) = answer[..at].rfind('[') {
            answer.remove(start);
        }
    }
    answer
}

fn options() -> Options {
    Options::all() - Options::ENABLE_YAML_STYLE_METADATA_BLOCKS - Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
}

/// Checks that an answer, without its marker, has only our own forms, with other people's texts in code.
pub(crate) fn check_answer(answer: &str) -> Result<(), String> {
    // The reference and the link are ours.
    let answer = &without_docs_links(&answer.replace("The game is in #1.", ""));
    if let Some(odd) = answer.chars().find(|c| is_hidden(*c)) {
        return Err(format!("there is {odd:?}"));
    }
    // Parse with all extensions of Markdown, with some, and with none.
    for options in [options(), Options::ENABLE_TABLES, Options::ENABLE_GFM, Options::empty()] {
        let mut outside = String::new();
        let (mut board, mut picture) = (false, false);
        for event in Parser::new_ext(answer, options) {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) if &*kind == "text" => board = true,
                Event::End(TagEnd::CodeBlock) => board = false,
                Event::Start(Tag::Image { dest_url, title, .. }) => {
                    picture = true;
                    let plain = dest_url.chars().all(|c| c.is_ascii_alphanumeric() || "-./:?=".contains(c));
                    if !dest_url.starts_with(PICTURES)
                        || !dest_url.ends_with(".svg?raw=true")
                        || !plain
                        || !title.is_empty()
                    {
                        return Err(format!("there is the image {dest_url}"));
                    }
                }
                Event::Start(Tag::Paragraph | Tag::Strong | Tag::HtmlBlock | Tag::List(_) | Tag::Item) => {}
                // Without the extension, the tables of `/help` are text.
                Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell) => {}
                Event::Start(tag) => return Err(format!("there is {tag:?}")),
                Event::Code(code) => check_code(&code)?,
                Event::End(TagEnd::Image) => picture = false,
                // GitHub doesn't interpret code blocks and the alt text of pictures.
                Event::Text(text) if board || picture => {
                    if text.to_lowercase().contains(TOKEN) {
                        return Err(format!("a board says {text:?}"));
                    }
                }
                Event::Text(text) => outside.push_str(&text),
                Event::Html(html) | Event::InlineHtml(html) => {
                    let ours = [
                        "<details><summary>The board as text</summary>",
                        "<details><summary>The rule</summary>",
                        "</details>",
                    ];
                    if !ours.contains(&html.trim()) {
                        return Err(format!("there is the HTML {html:?}"));
                    }
                }
                Event::SoftBreak | Event::HardBreak => outside.push('\n'),
                Event::End(_) => outside.push(' '),
                other => return Err(format!("there is {other:?}")),
            }
        }
        check_outside(&outside)?;
        check_html(answer, options)?;
    }
    Ok(())
}

/// Whether a sentence is one line of text with a single code span, or without one if the quoted text had nothing to show.
pub(crate) fn is_one_span(sentence: &str) -> bool {
    let events: Vec<Event<'_>> = Parser::new_ext(sentence, options()).collect();
    match events.as_slice() {
        [Event::Start(Tag::Paragraph), Event::Text(before), Event::Code(code), Event::Text(after), Event::End(_)] => {
            &**before == "Before " && &**after == " after." && check_code(code).is_ok()
        }
        _ => sentence == "Before (nothing that can be shown) after.",
    }
}

fn check_code(code: &str) -> Result<(), String> {
    let long = code.chars().count() > LONGEST;
    if long || code.contains(['\n', '\r']) { Err(format!("the code {code:?} is long or has lines")) } else { Ok(()) }
}

/// Checks text outside of code for anything that GitHub interprets: mentions, references, commits, URLs, emoji, formulas, commands.
fn check_outside(text: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{what} stands outside of code"));
    if text.to_lowercase().contains(TOKEN) {
        return wrong("what was written");
    }
    // Only the player to move may be mentioned.
    let mentions = text.split('@').skip(1).filter(|rest| !rest.starts_with("anna ") && !rest.starts_with("bob "));
    if mentions.count() > 0 {
        return wrong("a mention");
    }
    for odd in ["#", "://", "www.", "$", "::", "{", "}", "<!--", "](", "~~"] {
        if text.contains(odd) {
            return wrong(odd);
        }
    }
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| word.len() > 2) {
        let hex = word.len() >= 7 && word.chars().all(|c| c.is_ascii_hexdigit());
        let ends_in_number = word.rsplit_once('-').is_some_and(|(name, number)| {
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && number.chars().all(|c| c.is_ascii_digit())
        });
        if hex || (ends_in_number && !word.ends_with('-')) {
            return wrong(word);
        }
    }
    Ok(())
}

/// Checks the rendered HTML.
fn check_html(answer: &str, options: Options) -> Result<(), String> {
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(answer, options));
    let mut rest = page.as_str();
    while let Some(at) = rest.to_lowercase().find(TOKEN) {
        let before = &rest[..at];
        let code = before.rfind("<code>");
        if code.is_none() || before.rfind("</code>") > code {
            return Err(format!("what was written is outside of code in {page}"));
        }
        rest = &rest[at + TOKEN.len()..];
        // Skip to the end of the code.
        let end = rest.find("</code>").ok_or("code does not end")?;
        rest = &rest[end..];
    }
    for tag in ["<a", "<script", "<b>", "<h1", "<blockquote", "<input", "<del", "<em"] {
        if page.contains(tag) {
            return Err(format!("there is {tag} in {page}"));
        }
    }
    Ok(())
}

/// Whether a character is invisible or changes the direction of text.
fn is_hidden(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'
                ..='\u{180f}'
        )
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}
