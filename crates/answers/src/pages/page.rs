//! Blocks on Markdown pages: the bot keeps the text between two markers up to date, in the README or any other page.
//!
//! ```text
//! <!-- play-by-commit:table 42 -->
//! <!-- /play-by-commit:table -->
//!
//! <!-- play-by-commit:tables -->
//! <!-- /play-by-commit:tables -->
//!
//! <!-- play-by-commit:standings -->
//! <!-- /play-by-commit:standings -->
//!
//! <!-- play-by-commit:standings tic-tac-toe -->
//! <!-- /play-by-commit:standings -->
//! ```
//!
//! The bot only changes text between markers, and keeps the line endings of the page. The rules:
//!
//! - A marker is an HTML comment. It doesn't count in code blocks, code spans, attributes, or other comments, where
//!   readers see it as an example. It counts in `<pre>`, where browsers hide it.
//! - Case and spaces in the comment don't matter. The number can have a `#`: `#42`.
//! - The bot ignores unpaired, nested, and overlapping markers, and reports their lines to the host. It still fills
//!   other pairs.
//! - A page can show the same table several times.
//!
//! ```
//! use answers::BlockUpdates;
//! use answers::page::refresh;
//! use table::IssueNumber;
//!
//! let page = "<!-- play-by-commit:table 42 --><!-- /play-by-commit:table -->";
//! let updates = BlockUpdates { table: Some((IssueNumber::new(42), "It's alice's turn.")), ..BlockUpdates::default() };
//! let expected = "<!-- play-by-commit:table 42 -->\n\nIt's alice's turn.\n\n<!-- /play-by-commit:table -->";
//! assert_eq!(refresh(page, updates).text.as_deref(), Some(expected));
//! ```

use std::collections::BTreeSet;
use std::ops::Range;

use game::escape_xml;
use games::GameVariant;
use table::IssueNumber;

use crate::pages::markers::{BlockKind, FoundMarkers, MarkerPair, find_markers};
use crate::{Links, MAX_PAGE};

/// The blocks that a page has markers for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedBlocks {
    /// The tables whose blocks it shows.
    pub tables: BTreeSet<IssueNumber>,
    /// Whether it shows the list of tables.
    pub list: bool,
    /// Whether it shows standings.
    pub standings: bool,
}

impl WantedBlocks {
    /// Whether the page has any block.
    pub fn has_any(&self) -> bool {
        !self.tables.is_empty() || self.list || self.standings
    }
}

/// New contents of blocks. Blocks without one stay as they are.
#[derive(Clone, Copy, Default)]
pub struct BlockUpdates<'a> {
    /// The block of one table, by its number.
    pub table: Option<(IssueNumber, &'a str)>,
    /// The list of tables.
    pub list: Option<&'a str>,
    /// Builds the standings of one game, or of all games (`None`).
    pub standings: Option<&'a dyn Fn(Option<GameVariant>) -> String>,
}

/// The result of refreshing a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefreshedPage {
    /// The new text of the whole page; `None` if nothing changes.
    pub text: Option<String>,
    /// Problems with the page, as sentences for the host.
    pub problems: Vec<String>,
}

/// Returns the blocks that a page has valid markers for.
pub fn wanted_blocks(text: &str) -> WantedBlocks {
    let mut wanted = WantedBlocks::default();
    for pair in find_markers(text).pairs {
        match pair.kind {
            BlockKind::Table(number) => _ = wanted.tables.insert(number),
            BlockKind::Tables => wanted.list = true,
            BlockKind::Standings(_) => wanted.standings = true,
        }
    }
    wanted
}

/// Updates blocks of a page. Refreshing the result again changes nothing.
pub fn refresh(text: &str, updates: BlockUpdates<'_>) -> RefreshedPage {
    let BlockUpdates { table, list, standings } = updates;
    let FoundMarkers { pairs, mut problems } = find_markers(text);
    let block = |pair: &MarkerPair| match pair.kind {
        BlockKind::Table(number) => match table {
            Some((updated, block)) if updated == number => Some(block.to_owned()),
            _ => None,
        },
        BlockKind::Tables => list.map(str::to_owned),
        BlockKind::Standings(game) => standings.map(|standings| standings(game)),
    };
    let blocks: Vec<Option<String>> = pairs.iter().map(block).collect();
    let fresh = fill_blocks(text, &pairs, &blocks);
    if fresh == text {
        return RefreshedPage { text: None, problems };
    }
    if fresh.len() > MAX_PAGE {
        problems.push(format!(
            "With its boards the page would be longer than {MAX_PAGE} bytes, so the bot doesn't change it."
        ));
        return RefreshedPage { text: None, problems };
    }
    // New lines between markers can change what the Markdown around them means, for example in a table row. Reject a
    // page on which the next refresh would not find its markers again.
    let FoundMarkers { pairs: new_pairs, problems: new_problems } = find_markers(&fresh);
    let same_kinds = new_pairs.iter().map(|pair| pair.kind).eq(pairs.iter().map(|pair| pair.kind));
    if !same_kinds || fill_blocks(&fresh, &new_pairs, &blocks) != fresh {
        problems.push(
            "The bot couldn't find the markers on this page again once a board is between them, so it doesn't change the page. \
             Put each marker on a line of its own."
                .to_owned(),
        );
        return RefreshedPage { text: None, problems };
    }
    // Report line numbers of the new page, which is what the host sees.
    RefreshedPage { text: Some(fresh), problems: new_problems }
}

/// Whether a page shows a tile, by its path below the state directory.
pub fn shows_tile(text: &str, links: &Links<'_>, tile: &str) -> bool {
    text.contains(&format!("src=\"{}\"", escape_xml(&links.tile(tile))))
}

/// Returns the page with the markers of table `from` changed to table `to`.
pub fn retarget_markers(text: &str, from: IssueNumber, to: IssueNumber) -> String {
    let mut page = text.to_owned();
    for pair in find_markers(text).pairs.iter().rev().filter(|pair| pair.kind == BlockKind::Table(from)) {
        // The number is at the end of the marker.
        let marker = &text[..pair.inside.start];
        let end = marker.rfind(|c: char| c.is_ascii_digit()).map_or(0, |at| at + 1);
        let start = marker[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
        page.replace_range(start..end, &to.to_string());
    }
    page
}

/// Returns the page with the text between markers replaced where there is a new block.
fn fill_blocks(text: &str, pairs: &[MarkerPair], blocks: &[Option<String>]) -> String {
    let line_ending = line_ending(text, pairs);
    let mut fresh = String::with_capacity(text.len());
    let mut written = 0;
    for (pair, block) in pairs.iter().zip(blocks) {
        let Some(block) = block else { continue };
        let Range { start, end } = pair.inside;
        fresh.push_str(&text[written..start]);
        fresh.push_str(&format!("\n\n{}\n\n", block.trim()).replace("\r\n", "\n").replace('\n', line_ending));
        written = end;
    }
    fresh.push_str(&text[written..]);
    fresh
}

/// Returns the most common line ending outside the markers, or the one inside if there are no other lines.
fn line_ending(text: &str, pairs: &[MarkerPair]) -> &'static str {
    let ends = pairs.iter().map(|pair| pair.inside.start).chain([text.len()]);
    let starts = [0].into_iter().chain(pairs.iter().map(|pair| pair.inside.end));
    let (mut all, mut long) = (0, 0);
    for outside in starts.zip(ends).map(|(start, end)| &text[start..end]) {
        all += outside.matches('\n').count();
        long += outside.matches("\r\n").count();
    }
    let inside = all == 0 && text.contains("\r\n");
    if long * 2 > all || inside { "\r\n" } else { "\n" }
}
