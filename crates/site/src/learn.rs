//! The guides on how to play: the pages of `docs/games`, which `build.rs` embeds in the program.

use answers::DOCS;
use games::GameKind;
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::{PageHead, Site};

/// The width of a board, in CSS pixels.
const BOARD_WIDTH: u32 = 420;

// `GUIDES`, the pages with their names, and `BOARDS`, the boards on them: `build.rs` makes these lists.
include!(concat!(env!("OUT_DIR"), "/guides.rs"));

/// The heading of the last section.
const OTHER_PROGRAMS: &str = "\n## Other programs\n";

/// How to play a game, as HTML.
pub(crate) struct Guide {
    kind: GameKind,
    /// Whether the documentation has a part that isn't here.
    has_more: bool,
    /// The sections with their titles. The first one is the introduction, without a title.
    sections: Vec<(String, Markup)>,
    /// The names and the SVG of its boards.
    boards: Vec<(&'static str, &'static str)>,
}

impl Guide {
    /// Returns the guide to a game; `None` if there is none.
    pub(crate) fn read(kind: GameKind) -> Option<Guide> {
        let text = find(GUIDES, kind.info().name)?;
        // The rest is for hosts and their programs.
        let (text, has_more) = text.split_once(OTHER_PROGRAMS).map_or((text, false), |(text, _)| (text, true));
        let mut boards = Vec::new();
        let mut sections: Vec<(String, Vec<Event<'_>>)> = vec![Default::default()];
        let (mut is_title, mut is_name) = (false, false);
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                    sections.push(Default::default());
                    is_title = true;
                }
                Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => is_name = true,
                Event::End(TagEnd::Heading(_)) => (is_title, is_name) = (false, false),
                Event::Text(_) if is_name => {}
                Event::Text(text) | Event::Code(text) if is_title => {
                    sections.last_mut()?.0.push_str(&text);
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    let board = board(&html, &mut boards).map(|board| Event::Html(board.into_string().into()));
                    sections.last_mut()?.1.extend(board);
                }
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                    let dest_url = address(dest_url);
                    sections.last_mut()?.1.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                }
                event => sections.last_mut()?.1.push(event),
            }
        }
        let render = |(title, events): (String, Vec<Event<'_>>)| {
            let mut text = String::new();
            pulldown_cmark::html::push_html(&mut text, events.into_iter());
            (title, PreEscaped(text))
        };
        Some(Guide { kind, has_more, sections: sections.into_iter().map(render).collect(), boards })
    }

    /// Returns the part on the page of the game: the introduction, and how to write a move.
    pub(crate) fn summary(&self) -> Markup {
        let moves = self.sections.iter().find(|(title, _)| title == "Make a move");
        html! {
            section.guide id="learn" {
                h2 { "How to play" }
                @if let Some((_, text)) = self.sections.first() { div { (text) } }
                @if let Some((title, text)) = moves { div { h3 { (title) } (text) } }
                p { a href="learn.html" { "The whole guide to " (self.kind.info().title.to_lowercase()) } }
            }
        }
    }

    /// Returns the files: a page with the whole guide, and the boards.
    pub(crate) fn files(&self, site: &Site) -> Vec<(String, String)> {
        let info = self.kind.info();
        let title = format!("How to play {}", info.title.to_lowercase());
        let path = format!("{}/learn.html", info.name);
        let body = html! {
            h1 { (title) }
            div.guide.whole {
                @for (title, text) in &self.sections {
                    section { @if !title.is_empty() { h2 { (title) } } (text) }
                }
            }
            @if self.has_more { p { a href={ (DOCS) "games/" (info.name) ".md#other-programs" } { "Files for other programs" } } }
            p { a href="index.html" { "All games of " (info.title.to_lowercase()) } }
        };
        let head = PageHead { path: &path, title: &title, description: info.summary, picture: None };
        let page = (path.clone(), site.page(head, &body));
        let boards = self.boards.iter().map(|(name, svg)| (format!("{}/{name}.svg", info.name), (*svg).to_owned()));
        std::iter::once(page).chain(boards).collect()
    }
}

fn find(files: &'static [(&str, &str)], name: &str) -> Option<&'static str> {
    files.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Returns the image of a board with its size on the page, and adds the board to `boards`. `html` is the image in the
/// Markdown.
fn board(html: &str, boards: &mut Vec<(&'static str, &'static str)>) -> Option<Markup> {
    let (name, rest) = html.split_once("<img src=\"../boards/")?.1.split_once(".svg\"")?;
    let alt = rest.split_once("alt=\"")?.1.split_once('"')?.0;
    let (name, svg) = *BOARDS.iter().find(|(known, _)| *known == name)?;
    let size = |attribute: &str| -> Option<u32> {
        svg.split_once(&format!(" {attribute}=\""))?.1.split_once('"')?.0.parse().ok()
    };
    let height = BOARD_WIDTH * size("height")? / size("width")?.max(1);
    boards.push((name, svg));
    Some(html! { p.picture { img src={ (name) ".svg" } width=(BOARD_WIDTH) height=(height) alt=(PreEscaped(alt)); } })
}

/// Returns the URL of a link on a page. Links to the rest of the documentation lead to the program's repository.
fn address(link: CowStr<'_>) -> CowStr<'_> {
    match link.strip_prefix("../") {
        Some(page) => format!("{DOCS}{page}").into(),
        None => link,
    }
}
