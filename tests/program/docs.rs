//! What the pages say is what the program does: their commands are run, their conversations held, their boards drawn anew, and
//! their links lead somewhere. `UPDATE_EXPECT=1 cargo test --test program docs` draws the boards anew.

mod boards;
mod links;
mod shell;
mod talk;

use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// The project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every page that people read, with its path below the project.
pub(crate) fn pages() -> Vec<(PathBuf, String)> {
    let mut pages = Vec::new();
    for dir in ["", "docs", "docs/games"] {
        let files = fs::read_dir(root().join(dir)).unwrap().map(|file| file.unwrap().path());
        for path in files.filter(|path| path.extension().is_some_and(|end| end == "md")) {
            let text = fs::read_to_string(&path).unwrap();
            pages.push((path.strip_prefix(root()).unwrap().to_owned(), text));
        }
    }
    pages.sort();
    assert!(pages.len() > 10, "the pages are found");
    pages
}

/// A piece of code on a page.
pub(crate) enum Code {
    /// In a line of text.
    Span(String),
    /// A block of its own, with the word behind its fence; an indented one has none.
    Block(String, String),
}

/// All code on a page.
pub(crate) fn code(page: &str) -> Vec<Code> {
    let mut all = Vec::new();
    let mut open: Option<(String, String)> = None;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Code(text) => all.push(Code::Span(text.to_string())),
            Event::Start(Tag::CodeBlock(kind)) => {
                let word = match kind {
                    CodeBlockKind::Fenced(word) => word.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                open = Some((word, String::new()));
            }
            Event::Text(text) => {
                if let Some((_, block)) = &mut open {
                    block.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => all.extend(open.take().map(|(word, block)| Code::Block(word, block))),
            _ => {}
        }
    }
    all
}
