//! The layout that all pages share: head, navigation, and footer.

use answers::pages::links::Links;
use maud::{DOCTYPE, Markup, html};
use table::calendar::to_datetime;
use table::game_state::TableStatus;
use table::timestamp::Timestamp;

use crate::round_summary::RoundSummary;
use crate::wording::date_text;

/// The style sheet.
pub const STYLE: &str =
    concat!(include_str!("site.css"), include_str!("game.css"), include_str!("people.css"), include_str!("find.css"));
/// The script of most pages. Pages work without it too.
pub const SCRIPT: &str = include_str!("times.js");
/// The script of games.
pub const GAME_SCRIPT: &str = concat!(include_str!("times.js"), include_str!("board.js"), include_str!("share.js"));
/// The script of the pages that find players and results.
pub const FIND_SCRIPT: &str = concat!(include_str!("times.js"), include_str!("find.js"));
/// Returns a script without its comments and indentation.
pub fn compact_script(script: &str) -> String {
    let lines = script.lines().map(str::trim_start).filter(|line| !line.starts_with("//") && !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The icon in browser tabs.
pub const ICON: &str = include_str!("icon.svg");

/// The icon for home screens, which don't show SVG.
pub const ICON_PNG: &[u8] = include_bytes!("icon.png");

/// The path of the not-found page. GitHub Pages shows it at any URL, so its links start at the root.
pub const NOT_FOUND: &str = "404.html";

/// The content security policy: only files of the site itself, no inline styles or scripts, and no forms. The script
/// makes a picture of a board from a blob.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; img-src 'self' blob:; style-src 'self'; script-src 'self'; connect-src 'self'; \
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
    /// Whether new issues go through the issue form for links, which gives them the host's label.
    pub use_form: bool,
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
        Some(Links { server, repository, branch: "HEAD", state_dir: "state", use_form: self.use_form })
    }

    /// Returns the path of the site's root: `/NAME/` for `https://OWNER.github.io/NAME/`; empty if the URL is unknown.
    pub fn root_path(&self) -> &str {
        let rest = self.url.as_deref().and_then(|url| url.split_once("://")).map_or("", |(_, rest)| rest);
        rest.find('/').map_or("", |at| &rest[at..])
    }

    /// Renders a page.
    pub fn page(&self, head: PageHead<'_>, body: &Markup) -> String {
        let path = head.path;
        let top = match path {
            NOT_FOUND => self.root_path().to_owned(),
            _ => "../".repeat(path.matches('/').count()),
        };
        // Mark the link to this page, or to the section that the page belongs to.
        let current = |folder: &str| match path.rsplit_once('/').map_or("", |(folder, _)| folder) == folder {
            true if path.ends_with("index.html") => Some("page"),
            true if !folder.is_empty() => Some("true"),
            _ => None,
        };
        let markup = html! {
            (DOCTYPE)
            html lang="en" {
                (self.head(&head, &top))
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
                            @if self.url.is_some() { " " a href={ (top) "feed.xml" } { "Feed of results" } "." }
                        }
                    }
                }
            }
        };
        markup.into_string() + "\n"
    }

    /// Returns the head of a page. `top` leads to the site's root.
    fn head(&self, head: &PageHead<'_>, top: &str) -> Markup {
        let PageHead { path, title, description, picture } = *head;
        let full_title = if path == "index.html" { title.to_owned() } else { format!("{title} · {}", self.name) };
        let url_of = |path: &str| self.url.as_ref().map(|url| format!("{url}{path}"));
        let url = url_of(path);
        let picture_url = if self.previews { picture.and_then(url_of) } else { None };
        html! {
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
                    meta property="og:image:alt" content={ "The board: " (title) };
                }
                @if let Some(url) = &url {
                    link rel="canonical" href=(url);
                    meta property="og:url" content=(url);
                    @if let Some(feed) = player_feed(path) { link rel="alternate" type="application/atom+xml" title={ "Results of " (title) } href={ (top) (feed) }; }
                    link rel="alternate" type="application/atom+xml" title="Results" href={ (top) "feed.xml" };
                }
                link rel="icon" type="image/png" sizes="180x180" href={ (top) "icon.png" };
                link rel="icon" type="image/svg+xml" href={ (top) "icon.svg" };
                link rel="apple-touch-icon" href={ (top) "icon.png" };
                link rel="stylesheet" href={ (top) "site.css" };
                script src={ (top) (script(path)) } defer {}
            }
        }
    }
}

/// Returns the path of a page's script.
fn script(page: &str) -> &'static str {
    match page {
        "players/index.html" | "results/index.html" => "find.js",
        _ if page.starts_with("games/") => "game.js",
        _ => "site.js",
    }
}

/// Returns the path of a player's feed, given the path of their page.
pub fn player_feed(page: &str) -> Option<String> {
    let id = page.strip_prefix("players/")?.strip_suffix(".html")?;
    id.bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("players/{id}.xml"))
}

/// Returns the day of an event as HTML; for an imported game, the date in its file.
pub fn event_day(round: &RoundSummary, at: Timestamp) -> Markup {
    match &round.imported_day {
        Some(day) if at == round.opened_at && !day.is_empty() => html! { time datetime=(day) { (date_text(day)) } },
        Some(_) if at == round.opened_at => html! {},
        _ => time_in_form(at, "day", "%b %-d, %Y"),
    }
}

/// Returns the days when a game was played, as HTML with labels.
pub fn played_days(round: &RoundSummary) -> Markup {
    let (start, end) = (event_day(round, round.opened_at), event_day(round, round.last_event_at));
    html! {
        @if round.imported_day.as_deref() == Some("") { "date unknown" }
        @else if round.status == TableStatus::Playing { "started " (start) }
        @else if start.0 == end.0 || round.imported_day.is_some() { "played " (start) }
        @else { "started " (start) " · ended " (end) }
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
