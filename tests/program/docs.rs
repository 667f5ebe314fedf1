//! Checks the Markdown pages: runs their commands and conversations, draws their boards, and follows their links and names of files.
//! `UPDATE_EXPECT=1 cargo test --test program docs` updates the boards.

mod boards;
mod links;
mod shell;
mod snippets;
mod sources;
mod talk;

use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Returns the root directory of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all pages, with their paths relative to the root.
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

/// Code on a page.
pub(crate) enum Code {
    /// Inline code.
    Span(String),
    /// A block, with the language after its fence; empty for an indented block.
    Block(String, String),
}

/// Returns all code on a page.
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
