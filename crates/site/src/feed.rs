//! The Atom feed of results.

use game::seat::Seat;
use maud::{PreEscaped, html};
use table::calendar::to_datetime;
use table::timestamp::Timestamp;

use crate::page::Site;
use crate::round_summary::RoundSummary;

/// The maximum number of results in the feed.
const MAX_ENTRIES: usize = 50;

/// The page that a feed belongs to.
#[derive(Clone, Copy, Debug)]
pub struct FeedHead<'a> {
    /// The path of the feed: `feed.xml`.
    pub path: &'a str,
    /// The path of the page: empty for the home page.
    pub page: &'a str,
    /// The name of the site or of the player.
    pub name: &'a str,
}

/// Returns a feed as Atom ([RFC 4287](https://www.rfc-editor.org/rfc/rfc4287)), newest first; `None` if the site's URL is
/// unknown, because entries are identified by their URLs.
///
/// Leaves out games of unknown date.
pub fn atom(site: &Site, head: FeedHead<'_>, ended: &[&RoundSummary]) -> Option<String> {
    let url = site.url.as_ref()?;
    let page = format!("{url}{}", head.page);
    let dated = || ended.iter().filter(|round| to_datetime(round.last_event_at).is_some());
    // XML needs closing tags even where HTML doesn't.
    let feed = html! {
        (PreEscaped("<?xml version=\"1.0\"?>\n"))
        feed xmlns="http://www.w3.org/2005/Atom" {
            title { "Results of " (head.name) }
            id { (page) }
            updated { (rfc3339(dated().next().map_or(Timestamp::EPOCH, |round| round.last_event_at))) }
            link href=(page) rel="alternate" {}
            link href={ (url) (head.path) } rel="self" {}
            @for round in dated().take(MAX_ENTRIES) {
                @let link = format!("{url}{}", round.page_path());
                entry {
                    title { (round.title()) }
                    id { (link) }
                    updated { (rfc3339(round.last_event_at)) }
                    @for seat in Seat::BOTH { author { name { (round.player_name(seat)) } } }
                    link href=(link) rel="alternate" {}
                    published { (rfc3339(round.last_event_at)) }
                    summary { (round.ending) " " (round.plies) " moves." }
                }
            }
        }
    };
    Some(feed.into_string())
}

fn rfc3339(at: Timestamp) -> String {
    to_datetime(at).unwrap_or_default().to_rfc3339()
}
