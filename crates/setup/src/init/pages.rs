//! The markers that `init` puts at the end of a page.

use answers::pages::page;
use anyhow::{Result, bail};
use table::talk::thread::FileContent;

use crate::work_tree::WorkTree;

/// A block that a page is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadmeBlock {
    /// The table of this issue.
    Table(u32),
    /// The list of tables.
    Tables,
    /// The standings of all games.
    Standings,
    /// A table that has still to be opened.
    FutureTable,
}

/// Reads the value of `--readme`.
///
/// # Errors
/// It is neither a number nor one of the words.
pub fn parse_readme_block(text: &str) -> Result<ReadmeBlock, String> {
    let number = text.strip_prefix('#').unwrap_or(text).parse().ok().filter(|number: &u32| *number > 0);
    match (text, number) {
        ("", _) => Ok(ReadmeBlock::FutureTable),
        ("tables", _) => Ok(ReadmeBlock::Tables),
        ("standings", _) => Ok(ReadmeBlock::Standings),
        (_, Some(number)) => Ok(ReadmeBlock::Table(number)),
        _ => Err("use the number of a table, `tables` or `standings`".to_owned()),
    }
}

/// What became of the markers for some blocks.
pub(super) struct MarkedPage {
    /// The text of the page before, empty if there was none.
    pub(super) before: String,
    /// Its text with the markers.
    pub(super) text: String,
    /// The lines that the host has to put on the page, because at its end they wouldn't count.
    pub(super) by_hand: Vec<String>,
}

/// Puts markers for these blocks at the end of a page, each unless it's there already.
///
/// # Errors
/// Returns an error if the page can't be read, or would hide another one.
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
        // The end of the page may be inside of a code block or a comment, or the page has too many markers.
        match block.is_on(&text) {
            true => page.text = text,
            false => page.by_hand.push(lines),
        }
    }
    Ok(page)
}

/// Checks that a new page doesn't take the place of one that GitHub shows now.
fn check_name(tree: &WorkTree, path: &str) -> Result<()> {
    let names = tree.list_root();
    if let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(path)) {
        bail!("there is no {path}, but a {name}: name it with `--pages {name}`");
    }
    let is_readme = |name: &str| name.split('.').next().is_some_and(|stem| stem.eq_ignore_ascii_case("README"));
    if let Some(name) = names.iter().find(|name| is_readme(name)).filter(|_| path == "README.md") {
        bail!(
            "GitHub would show a new README.md in place of your {name}, and markers work in Markdown only. Name another \
             page: `--pages docs/games.md`"
        );
    }
    Ok(())
}

impl ReadmeBlock {
    /// Returns what its first marker says, and the word in its last one.
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
            ReadmeBlock::Table(number) => wanted.tables.contains(&u64::from(number)),
            ReadmeBlock::Tables => wanted.listed.is_some(),
            ReadmeBlock::Standings | ReadmeBlock::FutureTable => wanted.standings,
        }
    }
}

/// Ends new lines as most lines of the file end that they go into.
pub(super) fn with_line_endings_of(file: &str, lines: &str) -> String {
    let long = file.matches("\r\n").count() * 2 > file.matches('\n').count();
    if long { lines.replace('\n', "\r\n") } else { lines.to_owned() }
}
