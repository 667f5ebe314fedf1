//! Adds markers to the end of a page.

use answers::pages::page;
use anyhow::{Result, bail};
use git::work_tree::WorkTree;
use protocol::forge::FileContent;
use table::ids::IssueNumber;

/// A block to show on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadmeBlock {
    /// The table of this issue.
    Table(u32),
    /// The list of tables.
    Tables,
    /// The standings of all games.
    Standings,
    /// A table that doesn't exist yet: explain how to open it.
    FutureTable,
}

/// Parses the value of `--readme`.
///
/// # Errors
/// Returns an error if the value is neither a number nor `tables` or `standings`.
pub fn parse_readme_block(text: &str) -> Result<ReadmeBlock> {
    let number = text.strip_prefix('#').unwrap_or(text).parse().ok().filter(|number: &u32| *number > 0);
    match (text, number) {
        ("", _) => Ok(ReadmeBlock::FutureTable),
        ("tables", _) => Ok(ReadmeBlock::Tables),
        ("standings", _) => Ok(ReadmeBlock::Standings),
        (_, Some(number)) => Ok(ReadmeBlock::Table(number)),
        _ => bail!("use the number of a table, `tables` or `standings`"),
    }
}

/// A page with added markers.
pub(super) struct MarkedPage {
    /// The old text of the page; empty if there was none.
    pub(super) before: String,
    /// The new text.
    pub(super) text: String,
    /// The markers that the host has to add by hand, because they wouldn't count at the end of the page.
    pub(super) by_hand: Vec<String>,
}

/// Adds markers for these blocks to the end of a page, except for those that it has already.
///
/// # Errors
/// Returns an error if the page can't be read, or if a new page would hide another one.
pub(super) fn add_markers(tree: &WorkTree, path: &str, blocks: &[ReadmeBlock]) -> Result<MarkedPage> {
    let before = match tree.read(path) {
        FileContent::Text(text) => text,
        FileContent::Missing => {
            check_name(tree, path)?;
            String::new()
        }
        FileContent::Unreadable(why) => bail!("{why}. It was left unchanged"),
    };
    let mut page = MarkedPage { text: before.clone(), before, by_hand: Vec::new() };
    for block in blocks {
        let Some((subject, word)) = block.marker() else { continue };
        if block.is_on(&page.text) {
            continue;
        }
        let lines = format!("<!-- play-by-commit:{subject} -->\n<!-- /play-by-commit:{word} -->\n");
        let space = match page.text.as_str() {
            "" => "",
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let text = format!("{}{}", page.text, with_line_endings_of(&page.text, &format!("{space}{lines}")));
        // The end of the page can be in a code block or a comment, or the page can have too many markers.
        if block.is_on(&text) {
            page.text = text;
        } else {
            page.by_hand.push(lines);
        }
    }
    Ok(page)
}

/// Checks that a new page wouldn't replace one that GitHub shows now.
fn check_name(tree: &WorkTree, path: &str) -> Result<()> {
    let names = tree.list_root();
    if let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(path)) {
        bail!("there is no {path}, but a {name}: name it with `--pages {name}`");
    }
    // GitHub shows the README of `.github` first, then that of the root, then that of `docs`.
    let places = [".github", "docs"].map(|dir| tree.list(dir)).concat();
    if path == "README.md"
        && let Some(shown) = places.iter().find(|path| {
            let name = path.strip_prefix(".github/").or(path.strip_prefix("docs/"));
            name.is_some_and(|name| name.eq_ignore_ascii_case("README.md"))
        })
    {
        bail!("your README is {shown}: name it with `--pages {shown}`");
    }
    let is_readme = |name: &str| name.split('.').next().is_some_and(|stem| stem.eq_ignore_ascii_case("README"));
    if path == "README.md"
        && let Some(name) = names.iter().find(|name| is_readme(name))
    {
        bail!(
            "GitHub would show a new README.md in place of your {name}, and markers work in Markdown only. Name another \
             page: `--pages docs/games.md`"
        );
    }
    Ok(())
}

impl ReadmeBlock {
    /// Returns the text of the start marker, and the word of the end marker.
    fn marker(self) -> Option<(String, &'static str)> {
        match self {
            ReadmeBlock::Table(number) => Some((format!("table {number}"), "table")),
            ReadmeBlock::Tables => Some(("tables".to_owned(), "tables")),
            ReadmeBlock::Standings => Some(("standings".to_owned(), "standings")),
            ReadmeBlock::FutureTable => None,
        }
    }

    fn is_on(self, page: &str) -> bool {
        let wanted = page::wanted_blocks(page);
        match self {
            ReadmeBlock::Table(number) => wanted.tables.contains(&IssueNumber::new(u64::from(number))),
            ReadmeBlock::Tables => wanted.list,
            ReadmeBlock::Standings | ReadmeBlock::FutureTable => wanted.standings,
        }
    }
}

/// Converts the line endings of `lines` to those of most lines of `file`.
pub(super) fn with_line_endings_of(file: &str, lines: &str) -> String {
    let is_crlf = file.matches("\r\n").count() * 2 > file.matches('\n').count();
    if is_crlf { lines.replace('\n', "\r\n") } else { lines.to_owned() }
}
