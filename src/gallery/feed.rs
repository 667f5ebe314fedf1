//! The feed of results.

use atom_syndication::{Entry as FeedEntry, Feed, FixedDateTime, Link, Person, Text};

use crate::gallery::entry::Entry;
use crate::gallery::page::Site;
use crate::game::seat::Seat;
use crate::tables::calendar::moment;
use crate::talk::comment::Millis;

/// The most results in the feed.
const ENTRIES: usize = 50;

/// Returns the feed of results, the newest first, as Atom (RFC 4287), without those of an unknown date; `None` where the address of the site is not known, as every
/// entry is known by its own.
pub fn atom(site: &Site, ended: &[&Entry]) -> Option<String> {
    let address = site.address.as_ref()?;
    let dated = ended.iter().filter(|entry| moment(entry.last).is_some());
    let newest = dated.clone().next();
    let entries = dated.take(ENTRIES).map(|entry| {
        let link = Link { href: format!("{address}{}", entry.path()), rel: "alternate".to_owned(), ..Link::default() };
        let people = Seat::BOTH.map(|seat| Person { name: entry.player(seat), ..Person::default() });
        FeedEntry {
            title: Text::plain(entry.title()),
            id: link.href.clone(),
            updated: date(entry.last),
            published: Some(date(entry.last)),
            authors: people.into(),
            summary: Some(Text::plain(format!("{} {} moves.", entry.ending, entry.plies))),
            links: vec![link],
            ..FeedEntry::default()
        }
    });
    let own = |path: &str, rel: &str| Link { href: format!("{address}{path}"), rel: rel.to_owned(), ..Link::default() };
    let feed = Feed {
        title: Text::plain(format!("Results of {}", site.name)),
        id: address.clone(),
        updated: date(newest.map_or(0, |entry| entry.last)),
        links: vec![own("", "alternate"), own("feed.xml", "self")],
        entries: entries.collect(),
        ..Feed::default()
    };
    Some(feed.to_string())
}

fn date(at: Millis) -> FixedDateTime {
    moment(at).unwrap_or_default().fixed_offset()
}
