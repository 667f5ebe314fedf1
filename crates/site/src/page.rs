//! The layout that all pages share: head, navigation, and footer.

use answers::Links;
use anyhow::Result;
use game::Seat;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use table::timestamp::to_datetime;
use table::{TableStatus, Timestamp};

use crate::RoundSummary;

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
                            "Each move played here is a commit, made by "
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
                @if path == NOT_FOUND { meta name="robots" content="noindex"; }
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

/// Returns a player's deadline as HTML. The script replaces it with the time that is left.
pub fn time_left(at: Timestamp) -> Markup {
    time_in_form(at, "left", "time until %b %-d, %Y, %H:%M UTC")
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

// Preview images of boards (PNG), which chats show for a link.
//
// This is a Cargo feature because the renderer doubles the size of the program.

/// Renders an SVG file as a PNG file.
pub type PngRenderer = fn(&str) -> Result<Vec<u8>>;

/// Returns the renderer; `None` without the feature `previews`.
pub fn png_renderer() -> Option<PngRenderer> {
    #[cfg(feature = "previews")]
    let renderer: Option<PngRenderer> = Some(resvg_renderer::render_png);
    #[cfg(not(feature = "previews"))]
    let renderer = None;
    renderer
}

#[cfg(feature = "previews")]
mod resvg_renderer {
    use std::sync::{Arc, LazyLock};

    use anyhow::{Context, Result};
    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::fontdb::{Database, Family, Query};
    use resvg::usvg::{Options, Tree};

    /// The width of an image, in pixels: enough for phones, and far below the limits of chats.
    const WIDTH: f32 = 800.0;
    /// Common sans-serif fonts, best first.
    const FONTS: [&str; 8] =
        ["Noto Sans", "DejaVu Sans", "Liberation Sans", "Ubuntu", "Open Sans", "Arial", "Helvetica", "Segoe UI"];

    /// Parser options with the system's fonts. Without fonts, boards have no text.
    static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let is_known =
            |name: &&str| fonts.query(&Query { families: &[Family::Name(name)], ..Query::default() }).is_some();
        let any_font = || fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
        if let Some(name) = FONTS.into_iter().find(is_known).map(str::to_owned).or_else(any_font) {
            fonts.set_sans_serif_family(name);
        }
        Options { fontdb: Arc::new(fonts), ..Options::default() }
    });

    /// Renders an SVG file as a PNG file.
    ///
    /// # Errors
    /// Returns an error if it isn't a valid SVG file, or has no size.
    fn render_png(svg: &str) -> Result<Vec<u8>> {
        // resvg drops a space at the start of a span, except a non-breaking one.
        let tree = Tree::from_str(&svg.replace("\"> ", "\">\u{a0}"), &OPTIONS)?;
        let scale = WIDTH / tree.size().width();
        let size = tree.size().to_int_size().scale_by(scale).context("it has no size")?;
        let mut pixmap = Pixmap::new(size.width(), size.height()).context("it has no size")?;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
        Ok(pixmap.encode_png()?)
    }
}

// The Atom feed of results.

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

// Small pieces of text that several pages share.

/// Returns a number with a noun: `1 game`, `12 games`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The largest deviation of a rating that isn't provisional.
const PROVISIONAL_DEVIATION: f64 = 110.0;
/// The names of the months.
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Returns a date as far as it's known: `Jun 21, 1851` for `1851-06-21`, `May 2020` for `2020-05`, or `2020`.
pub fn date_text(date: &str) -> String {
    let mut parts = date.splitn(3, '-');
    let year = parts.next().unwrap_or_default();
    let month: Option<usize> = parts.next().and_then(|month| month.parse().ok());
    let month = month.and_then(|month| MONTHS.get(month.checked_sub(1)?));
    match (month, parts.next().and_then(|day| day.parse::<u32>().ok())) {
        (Some(month), Some(day)) => format!("{month} {day}, {year}"),
        (Some(month), None) => format!("{month} {year}"),
        (None, _) => year.to_owned(),
    }
}

/// Returns a rating with two deviations: `1612 ± 84`, or `1612? ± 320` if it's provisional.
pub fn rating_text(rating: f64, deviation: f64) -> String {
    rating_parts(rating, deviation).join(" ")
}

/// Returns the parts of [`rating_text`]: `1612` and `± 84`.
pub fn rating_parts(rating: f64, deviation: f64) -> [String; 2] {
    let mark = if is_provisional(deviation) { "?" } else { "" };
    [format!("{rating:.0}{mark}"), format!("± {:.0}", 2.0 * deviation)]
}

/// Whether a rating with this deviation is provisional, because it's from too few games.
pub fn is_provisional(deviation: f64) -> bool {
    deviation > PROVISIONAL_DEVIATION
}
