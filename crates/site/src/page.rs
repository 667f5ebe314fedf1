//! The layout that all pages share: head, navigation, and footer.

use answers::pages::links::Links;
use maud::{DOCTYPE, Markup, html};
use table::calendar::to_datetime;
use table::timestamp::Timestamp;

use crate::entry::Entry;

/// The style sheet.
pub const STYLE: &str = concat!(include_str!("site.css"), include_str!("game.css"), include_str!("people.css"));
/// The script of all pages except those of games. Pages work without it too.
pub const SCRIPT: &str = concat!(include_str!("times.js"), include_str!("site.js"));
/// The script of games.
pub const GAME_SCRIPT: &str = concat!(include_str!("times.js"), include_str!("board.js"));
/// The icon in browser tabs.
pub const ICON: &str = include_str!("icon.svg");

/// The path of the not-found page. GitHub Pages shows it at any URL, so its links start at the root.
pub const NOT_FOUND: &str = "404.html";

/// The content security policy: only files of the site itself, no inline styles or scripts, and no forms.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'";

/// The settings of the site.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The name in titles: `owner/name`.
    pub name: String,
    /// The server and the repository of the games: `https://github.com` and `owner/name`. `None` if unknown, which
    /// leaves out links to it.
    pub repository: Option<[String; 2]>,
    /// The URL of the site with a trailing slash. `None` if unknown, which leaves out the feed and the sitemap.
    pub url: Option<String>,
    /// Whether each round has a PNG for link previews, because most services don't show SVG.
    pub previews: bool,
}

/// The metadata of a page.
#[derive(Clone, Copy, Debug)]
pub struct PageHead<'a> {
    /// The path of the page below the site's root. Relative links depend on it.
    pub path: &'a str,
    /// The title.
    pub title: &'a str,
    /// The description for search engines and link previews.
    pub description: &'a str,
    /// The path of the image for link previews, on sites that have them.
    pub picture: Option<&'a str>,
}

impl Site {
    /// Returns the URLs into the repository.
    pub fn links(&self) -> Option<Links<'_>> {
        let [server, repository] = self.repository.as_ref()?;
        Some(Links { server, repository, branch: "HEAD", state_dir: "state" })
    }

    /// Returns the path of the site's root: `/NAME/` for `https://OWNER.github.io/NAME/`; empty if the URL is unknown.
    pub fn root_path(&self) -> &str {
        let rest = self.url.as_deref().and_then(|url| url.split_once("://")).map_or("", |(_, rest)| rest);
        rest.find('/').map_or("", |at| &rest[at..])
    }

    /// Renders a page.
    pub fn page(&self, head: PageHead<'_>, body: &Markup) -> String {
        let PageHead { path, title, description, picture } = head;
        let top = match path {
            NOT_FOUND => self.root_path().to_owned(),
            _ => "../".repeat(path.matches('/').count()),
        };
        let full_title = if path == "index.html" { title.to_owned() } else { format!("{title} · {}", self.name) };
        let url_of = |path: &str| self.url.as_ref().map(|url| format!("{url}{path}"));
        let url = url_of(path);
        let picture_url = if self.previews { picture.and_then(url_of) } else { None };
        // The page itself, or the section that it belongs to.
        let current = |folder: &str| match path.rsplit_once('/').map_or("", |(folder, _)| folder) == folder {
            true if path.ends_with("index.html") => Some("page"),
            true if !folder.is_empty() => Some("true"),
            _ => None,
        };
        let markup = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(CONTENT_SECURITY_POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (full_title) }
                    meta name="description" content=(description);
                    meta property="og:type" content="website";
                    meta property="og:site_name" content=(self.name);
                    meta property="og:title" content=(title);
                    meta property="og:description" content=(description);
                    meta name="twitter:card" content="summary";
                    @if let Some(picture_url) = &picture_url {
                        meta property="og:image" content=(picture_url);
                        meta property="og:image:type" content="image/png";
                    }
                    @if let Some(url) = &url {
                        link rel="canonical" href=(url);
                        meta property="og:url" content=(url);
                        link rel="alternate" type="application/atom+xml" title="Results" href={ (top) "feed.xml" };
                    }
                    link rel="icon" type="image/svg+xml" href={ (top) "icon.svg" };
                    link rel="stylesheet" href={ (top) "site.css" };
                    script src={ (top) (if path.starts_with("games/") { "game.js" } else { "site.js" }) } defer {}
                }
                body {
                    a.skip href="#main" { "Skip to content" }
                    header {
                        nav aria-label="Site" {
                            a.home href={ (top) "index.html" } aria-current=[current("")] {
                                img src={ (top) "icon.svg" } alt="" width="28" height="28";
                                span { (self.name) }
                            }
                            a href={ (top) "index.html#play" } { "Play" }
                            @for (folder, title) in [("results", "Results"), ("standings", "Standings"), ("players", "Players")] {
                                a href={ (top) (folder) "/index.html" } aria-current=[current(folder)] { (title) }
                            }
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
                            @if url.is_some() { " " a href={ (top) "feed.xml" } { "Feed of results" } "." }
                        }
                    }
                }
            }
        };
        markup.into_string() + "\n"
    }
}

/// Returns the day of an event as HTML; for an imported game, the date in its file.
pub fn event_day(entry: &Entry, at: Timestamp) -> Markup {
    match &entry.imported_day {
        Some(day) if at == entry.opened_at && !day.is_empty() => html! { time datetime=(day) { (day) } },
        Some(_) if at == entry.opened_at => html! {},
        _ => time_in_form(at, "day", "%b %-d, %Y"),
    }
}

/// Returns the day of an event as HTML. The script replaces it with the time since then.
pub fn time_ago(at: Timestamp) -> Markup {
    time_in_form(at, "ago", "%b %-d, %Y")
}

/// Returns a time as HTML.
pub fn time_element(at: Timestamp) -> Markup {
    time_in_form(at, "", "%b %-d, %Y, %H:%M UTC")
}

fn time_in_form(at: Timestamp, class: &str, form: &str) -> Markup {
    let class = if class.is_empty() { None } else { Some(class) };
    html! {
        @match to_datetime(at) {
            Some(moment) => time class=[class] datetime=(moment.format("%Y-%m-%dT%H:%MZ")) { (moment.format(form)) },
            None => "unknown",
        }
    }
}
