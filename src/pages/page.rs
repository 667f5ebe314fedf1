//! Boards on a page: what stands between two markers in a README, or in any other Markdown page of the host's, is kept
//! current.
//!
//! ```text
//! <!-- play-by-commit:table 42 -->
//! <!-- /play-by-commit:table -->
//!
//! <!-- play-by-commit:standings -->
//! <!-- /play-by-commit:standings -->
//!
//! <!-- play-by-commit:standings tic-tac-toe -->
//! <!-- /play-by-commit:standings -->
//! ```
//!
//! Between the markers the bot writes, outside of them nobody but the host does: every byte there stays. What is written
//! takes the line ends of the page. The rules:
//!
//! - A marker is an HTML comment that a reader of the page would not see. In a code block or a code span the same text is
//!   an example and does not count, nor does it inside another comment or an attribute. In a `<pre>` it counts: a browser
//!   hides it there, too.
//! - Case and spaces inside the comment do not matter, and the table may be written `#42`.
//! - A pair of markers stands alone. One without its other half, and pairs that are nested or crossed, are left as they
//!   are, and the host is told on which line. Other pairs of the page are filled all the same.
//! - The same table may be shown several times. Markers work best on lines of their own, not indented: what is written
//!   between them begins and ends with an empty line.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::games::registry::Kind;
use crate::pages::markers::{Found, Pair, Subject, find};

pub use crate::pages::block::{MAX_BLOCK, block, nobody};
pub use crate::pages::links::{Links, encode};

/// The size above which a page is left alone, in bytes. GitHub hands out at most 512 KB of a file.
pub const MAX_PAGE: usize = 400_000;
/// How many pairs of markers a page may have.
pub const MAX_PAIRS: usize = 20;

/// What a page asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The tables that are shown on it.
    pub tables: BTreeSet<u64>,
    /// Whether standings are shown on it.
    pub standings: bool,
}

/// A page that was looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// The whole page with its blocks brought up to date; nothing if nothing changes.
    pub text: Option<String>,
    /// What is wrong with the page: sentences for the host.
    pub complaints: Vec<String>,
}

/// What a page asks for; pairs of markers that can't be filled ask for nothing.
#[must_use]
pub fn wanted(text: &str) -> Wanted {
    let mut wanted = Wanted::default();
    for pair in find(text).pairs {
        match pair.subject {
            Subject::Table(number) => _ = wanted.tables.insert(number),
            Subject::Standings(_) => wanted.standings = true,
        }
    }
    wanted
}

/// The page with the blocks of one table, and the standings of one game or of all (nothing), brought up to date. What is
/// not given stays as it stands on the page. The result is a page that would not change again.
#[must_use]
pub fn refresh(
    text: &str,
    table: Option<(u64, &str)>,
    standings: Option<&dyn Fn(Option<Kind>) -> String>,
) -> Refreshed {
    let Found { pairs, mut complaints } = find(text);
    let block = |pair: &Pair| match pair.subject {
        Subject::Table(number) => table.filter(|(given, _)| *given == number).map(|(_, block)| block.to_owned()),
        Subject::Standings(game) => standings.map(|standings| standings(game)),
    };
    let blocks: Vec<Option<String>> = pairs.iter().map(block).collect();
    let fresh = fill(text, &pairs, &blocks);
    if fresh == text {
        return Refreshed { text: None, complaints };
    }
    if fresh.len() > MAX_PAGE {
        complaints
            .push(format!("With its blocks the page would be longer than {MAX_PAGE} bytes, so it is left alone."));
        return Refreshed { text: None, complaints };
    }
    // Markers in odd places, in the middle of a table's row for example, may mean something else once there are new lines
    // between them. Only a page on which they are found again is one that the next move can be written into.
    let Found { pairs: again, complaints: there } = find(&fresh);
    let same = again.iter().map(|pair| pair.subject).eq(pairs.iter().map(|pair| pair.subject));
    if !same || fill(&fresh, &again, &blocks) != fresh {
        complaints.push(
            "The markers on this page would not be found again once a board stands between them, so it is left alone. \
             Put each of them on a line of its own."
                .to_owned(),
        );
        return Refreshed { text: None, complaints };
    }
    // The host looks at the page as it is now: its lines are those that count.
    Refreshed { text: Some(fresh), complaints: there }
}

/// The page with new blocks between the markers that have one.
fn fill(text: &str, pairs: &[Pair], blocks: &[Option<String>]) -> String {
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

/// How most lines outside the markers end; what is inside them decides only where there is no such line.
fn line_end(text: &str, pairs: &[Pair]) -> &'static str {
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
