//! What all pages have in common: the head with its policy, the links at the top, and the foot.

use answers::pages::links::Links;
use maud::{DOCTYPE, Markup, html};
use table::calendar::to_datetime;
use table::talk::comment::Millis;

use crate::entry::Entry;

/// The style sheet.
pub const STYLE: &str = include_str!("site.css");
/// The script, without which everything can be read, too.
pub const SCRIPT: &str = include_str!("site.js");
/// The sign in the tab of a browser.
pub const ICON: &str = include_str!("icon.svg");

/// The page for addresses that lead nowhere. It is shown at any of them, so its links begin at the root.
pub const NOT_FOUND: &str = "404.html";

/// Nothing but the files of the site itself, no style and no script within a page, no form.
const POLICY: &str = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'";

/// The site that pages belong to.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The name in titles: `owner/name`.
    pub name: String,
    /// The server and the repository of the games: `https://github.com` and `owner/name`. `None` where nobody knows them, and
    /// then nothing links there.
    pub repository: Option<[String; 2]>,
    /// The address of the site with a slash at its end. `None` where nobody knows it, and then there is no feed and no map, as
    /// both need it.
    pub address: Option<String>,
    /// Whether each round has a picture for those who show one beside a link, and show no SVG.
    pub previews: bool,
}

/// The head of a page.
#[derive(Clone, Copy, Debug)]
pub struct PageHead<'a> {
    /// The path of the page below the top of the site, which decides what its links look like.
    pub path: &'a str,
    /// The title.
    pub title: &'a str,
    /// A sentence for those who see no more than this.
    pub description: &'a str,
    /// The path of the picture that is shown beside a link to the page, if the site has such pictures.
    pub picture: Option<&'a str>,
}

impl Site {
    /// Returns the links into the repository.
    pub fn links(&self) -> Option<Links<'_>> {
        let [server, repository] = self.repository.as_ref()?;
        Some(Links { server, repository, branch: "HEAD", state_dir: "state" })
    }

    /// Returns the path of the top of the site in its address: `/NAME/` of `https://OWNER.github.io/NAME/`. Empty where the address
    /// is not known.
    pub fn root_path(&self) -> &str {
        let rest = self.address.as_deref().and_then(|address| address.split_once("://")).map_or("", |(_, rest)| rest);
        rest.find('/').map_or("", |at| &rest[at..])
    }

    /// Returns a page.
    pub fn page(&self, head: PageHead<'_>, body: &Markup) -> String {
        let PageHead { path, title, description, picture } = head;
        let top = match path {
            NOT_FOUND => self.root_path().to_owned(),
            _ => "../".repeat(path.matches('/').count()),
        };
        let full = if title == self.name { title.to_owned() } else { format!("{title} · {}", self.name) };
        let address = self.address.as_ref().map(|address| format!("{address}{path}"));
        let picture = picture.filter(|_| self.previews).zip(self.address.as_ref());
        let picture = picture.map(|(path, address)| format!("{address}{path}"));
        let markup = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (full) }
                    meta name="description" content=(description);
                    meta property="og:type" content="website";
                    meta property="og:site_name" content=(self.name);
                    meta property="og:title" content=(title);
                    meta property="og:description" content=(description);
                    meta name="twitter:card" content="summary";
                    @if let Some(picture) = &picture {
                        meta property="og:image" content=(picture);
                        meta property="og:image:type" content="image/png";
                    }
                    @if let Some(address) = &address {
                        link rel="canonical" href=(address);
                        meta property="og:url" content=(address);
                        link rel="alternate" type="application/atom+xml" title="Results" href={ (top) "feed.xml" };
                    }
                    link rel="icon" type="image/svg+xml" href={ (top) "icon.svg" };
                    link rel="stylesheet" href={ (top) "site.css" };
                    script src={ (top) "site.js" } defer {}
                }
                body {
                    a.skip href="#main" { "Skip to content" }
                    header {
                        nav aria-label="Site" {
                            a.home href={ (top) "index.html" } { (self.name) }
                            a href={ (top) "results/index.html" } { "Results" }
                            a href={ (top) "standings/index.html" } { "Standings" }
                            a href={ (top) "players/index.html" } { "Players" }
                        }
                    }
                    main id="main" { (body) }
                    footer {
                        p {
                            "Every move is a commit, made by "
                            a href="https://github.com/play-by-commit/play-by-commit" { "Play by Commit" }
                            @if let Some([server, repository]) = &self.repository {
                                " in " a href={ (server) "/" (repository) } { (repository) }
                            }
                            "."
                            @if address.is_some() { " " a href={ (top) "feed.xml" } { "Feed of results" } "." }
                        }
                    }
                }
            }
        };
        markup.into_string() + "\n"
    }
}

/// Returns a time at a table: only the day if it is the time of an imported game.
pub fn event_time(entry: &Entry, at: Millis) -> Markup {
    match &entry.imported_day {
        Some(day) if at == entry.opened_at && !day.is_empty() => html! { time datetime=(day) { (day) } },
        Some(_) if at == entry.opened_at => time_element(0),
        _ => time_element(at),
    }
}

/// Returns a time, for people and for programs.
pub fn time_element(at: Millis) -> Markup {
    html! {
        @match to_datetime(at) {
            Some(moment) => time datetime=(moment.format("%Y-%m-%dT%H:%MZ")) { (moment.format("%Y-%m-%d %H:%M")) " UTC" },
            None => "unknown",
        }
    }
}
