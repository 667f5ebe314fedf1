//! Boards on a page: the text between two markers in a README, or in any other Markdown page of the host's, is kept current.
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
//! Between the markers the bot writes, outside of them nobody but the host does: every byte there stays. New text
//! takes the line ends of the page. The rules:
//!
//! - A marker is an HTML comment that a reader of the page would not see. In a code block or a code span the same text is
//!   an example and does not count, nor does it inside another comment or an attribute. In a `<pre>` it counts: a browser
//!   hides it there, too.
//! - Case and spaces inside the comment do not matter, and the table may be written `#42`.
//! - A pair of markers stands alone. One without its other half, and pairs that are nested or crossed, are left as they
//!   are, and the host learns on which line. Other pairs of the page are filled all the same.
//! - The same table may be shown several times. Markers work best on lines of their own, not indented: the text
//!   between them begins and ends with an empty line.

use std::collections::BTreeSet;
use std::ops::Range;

use game::board::drawing::escape_xml;
use games::registry::GameKind;

use crate::pages::links::Links;
use crate::pages::markers::{BlockKind, FoundMarkers, MAX_PAGE, MarkerPair, find_markers};
use crate::pages::table_list::TableList;

/// The blocks that a page asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedBlocks {
    /// The tables that are shown on it.
    pub tables: BTreeSet<u64>,
    /// The tables that its list has as being played; `None` where it has no list.
    pub listed: Option<BTreeSet<u64>>,
    /// Whether standings are shown on it.
    pub standings: bool,
}

impl WantedBlocks {
    /// Tests if a page asks for any block.
    pub fn has_any(&self) -> bool {
        !self.tables.is_empty() || self.listed.is_some() || self.standings
    }
}

/// The blocks that are brought up to date. Those that are not given stay as they stand on the page.
#[derive(Clone, Copy, Default)]
pub struct BlockUpdates<'a> {
    /// The block of one table.
    pub table: Option<(u64, &'a str)>,
    /// The list of tables, made of the one that stands on the page.
    pub list: Option<&'a dyn Fn(&str) -> String>,
    /// The standings of one game, or of all (`None`).
    pub standings: Option<&'a dyn Fn(Option<GameKind>) -> String>,
}

/// A page that was looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefreshedPage {
    /// The whole page with its blocks brought up to date; `None` if nothing changes.
    pub text: Option<String>,
    /// The faults of the page: sentences for the host.
    pub problems: Vec<String>,
}

/// Returns the blocks that a page asks for; pairs of markers that can't be filled ask for none.
pub fn wanted_blocks(text: &str) -> WantedBlocks {
    let mut wanted = WantedBlocks::default();
    for pair in find_markers(text).pairs {
        match pair.kind {
            BlockKind::Table(number) => _ = wanted.tables.insert(number),
            BlockKind::Tables => {
                let running = TableList::parse(&text[pair.inside]).running_issues();
                wanted.listed.get_or_insert_default().extend(running);
            }
            BlockKind::Standings(_) => wanted.standings = true,
        }
    }
    wanted
}

/// Brings blocks of a page up to date. The result is a page that would not change again.
pub fn refresh(text: &str, fresh_blocks: BlockUpdates<'_>) -> RefreshedPage {
    let BlockUpdates { table, list, standings } = fresh_blocks;
    let FoundMarkers { pairs, mut problems } = find_markers(text);
    let block = |pair: &MarkerPair| match pair.kind {
        BlockKind::Table(number) => table.filter(|(given, _)| *given == number).map(|(_, block)| block.to_owned()),
        BlockKind::Tables => list.map(|list| list(&text[pair.inside.clone()])),
        BlockKind::Standings(game) => standings.map(|standings| standings(game)),
    };
    let blocks: Vec<Option<String>> = pairs.iter().map(block).collect();
    let fresh = fill(text, &pairs, &blocks);
    if fresh == text {
        return RefreshedPage { text: None, problems };
    }
    if fresh.len() > MAX_PAGE {
        problems.push(format!(
            "With its boards the page would be longer than {MAX_PAGE} bytes, so the bot doesn't change it."
        ));
        return RefreshedPage { text: None, problems };
    }
    // Markers in odd places, in the middle of a table's row for example, may mean something else once there are new lines
    // between them. Only a page on which they are found again is one that the next move can be written into.
    let FoundMarkers { pairs: again, problems: there } = find_markers(&fresh);
    let same = again.iter().map(|pair| pair.kind).eq(pairs.iter().map(|pair| pair.kind));
    if !same || fill(&fresh, &again, &blocks) != fresh {
        problems.push(
            "The bot couldn't find the markers on this page again once a board is between them, so it doesn't change the page. \
             Put each marker on a line of its own."
                .to_owned(),
        );
        return RefreshedPage { text: None, problems };
    }
    // The host looks at the page as it is now: its lines are those that count.
    RefreshedPage { text: Some(fresh), problems: there }
}

/// Tests if a page shows a small picture, by its path below the state directory.
pub fn shows_tile(text: &str, links: &Links<'_>, tile: &str) -> bool {
    text.contains(&format!("src=\"{}\"", escape_xml(&links.tile(tile))))
}

/// Returns the page with the markers of a table changed to those of the issue that it has moved to; the rest stays.
pub fn retarget_markers(text: &str, from: u64, to: u64) -> String {
    let mut page = text.to_owned();
    for pair in find_markers(text).pairs.iter().rev().filter(|pair| pair.kind == BlockKind::Table(from)) {
        // The number is the last thing in the marker.
        let marker = &text[..pair.inside.start];
        let end = marker.rfind(|c: char| c.is_ascii_digit()).map_or(0, |at| at + 1);
        let start = marker[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
        page.replace_range(start..end, &to.to_string());
    }
    page
}

/// Returns the page with new blocks between the markers that have one.
fn fill(text: &str, pairs: &[MarkerPair], blocks: &[Option<String>]) -> String {
    let line_end = line_end(text, pairs);
    let mut fresh = String::with_capacity(text.len());
    let mut written = 0;
    for (pair, block) in pairs.iter().zip(blocks) {
        let Some(block) = block else { continue };
        let Range { start, end } = pair.inside;
        fresh.push_str(&text[written..start]);
        fresh.push_str(&format!("\n\n{}\n\n", block.trim()).replace("\r\n", "\n").replace('\n', line_end));
        written = end;
    }
    fresh.push_str(&text[written..]);
    fresh
}

/// Returns the line end of most lines outside the markers; the text inside them decides only where there is no such line.
fn line_end(text: &str, pairs: &[MarkerPair]) -> &'static str {
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
