//! The page of a round, with its animated board and exported files.

use answers::scene;
use answers::sentences;
use game::contract::{Game, Interop};
use game::seat::Seat;
use interop::export;
use maud::{Markup, html};
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::history::Event;
use table::table::Table;

use crate::entry::Entry;
use crate::evaluation::{Evaluation, Mistake, ply_seats};
use crate::moves;
use crate::page::{PageHead, Site, event_time, time_element};
use crate::people::{person_link, player_link};
use crate::plot;

/// The maximum size of the animated board, in bytes.
const MAX_REPLAY_BYTES: usize = 600_000;

/// A file of the site: its path below the root, and its text.
pub type SiteFile = (String, String);

/// Returns the files of a round except its record, which is copied: the page, the animated board, and the export.
///
/// Chess adds a file with the position of each ply, one per line.
pub fn round_files(site: &Site, table: &AnyTable, entry: &Entry, evaluation: Option<&Evaluation>) -> Vec<SiteFile> {
    let name = format!("games/{}", entry.file_stem());
    let replay = scene::replay_within(table, None, MAX_REPLAY_BYTES);
    let mut files = vec![(format!("{name}.svg"), replay.svg)];
    let starts = start_positions(table);
    if !starts.is_empty() {
        files.push((format!("{name}.txt"), starts.join("\n") + "\n"));
    }
    let origin = site.links().map(|links| [links.repository.to_owned(), links.issue(entry.issue)]);
    let exported = export::export(table, &entry.ending, origin.as_ref()).ok();
    let exported = exported.zip(export::file_type(entry.kind));
    let mut page =
        RoundPage { site, table, entry, evaluation, first_ply: replay.first_ply, starts: &starts, exports: Vec::new() };
    page.exports.push(("json", "Record (JSON)"));
    if let Some((text, (extension, title))) = exported {
        files.push((format!("{name}.{extension}"), text));
        page.exports.push((extension, title));
    }
    page.exports.push(("svg", "Animated board (SVG)"));
    files.push((entry.page_path(), page.html()));
    files
}

/// Returns the value of `/new`'s `fen` option for each position, start first; empty for games that can't start from a
/// position.
fn start_positions(table: &AnyTable) -> Vec<String> {
    match table {
        AnyTable::Chess(table) => {
            let games = std::iter::once(table.timeline().start_position()).chain(table.plies().map(|ply| ply.after));
            games.map(|game| game.position().fen.replace(' ', "_")).collect()
        }
        _ => Vec::new(),
    }
}

/// The parts of a round's page.
struct RoundPage<'a> {
    site: &'a Site,
    table: &'a AnyTable,
    entry: &'a Entry,
    evaluation: Option<&'a Evaluation>,
    /// The first ply of the animated board.
    first_ply: usize,
    starts: &'a [String],
    /// The file extensions and titles of the downloads.
    exports: Vec<(&'static str, &'static str)>,
}

impl RoundPage<'_> {
    fn html(&self) -> String {
        let entry = self.entry;
        let title = entry.title();
        let name = entry.file_stem();
        let starts_file = if self.starts.is_empty() { None } else { Some(format!("{name}.txt")) };
        let body = html! {
            h1 { (title) }
            p.facts {
                @if let Some(setup) = &entry.setup { (setup) " · " }
                (entry.plies) @if entry.plies == 1 { " move" } @else { " moves" }
                @match entry.imported_day.as_deref() {
                    None => { " · opened " (time_element(entry.opened_at)) }
                    Some("") => { " · imported, date unknown" }
                    Some(_) => { " · imported, played " (event_time(entry, entry.opened_at)) }
                }
                // All events of an import have the same time.
                @if entry.status != TableStatus::Playing && (entry.imported_day.is_none() || entry.last_event_at != entry.opened_at) { " · ended " (time_element(entry.last_event_at)) }
            }
            p.ending {
                @if entry.status == TableStatus::Playing { "To move: " (entry.player_name(entry.player_to_move)) " (" (entry.side_name(entry.player_to_move)) "), since " (event_time(entry, entry.turn_started_at)) "." }
                @else { (entry.ending) }
            }
            div.game {
                section.board aria-label="Board" data-film={ (name) ".svg" } data-first=(self.first_ply) data-plies=(entry.plies) data-starts=[&starts_file] {
                    img src={ (name) ".svg" } alt={ "The whole game, played back once: " (title) };
                    div.controls hidden role="group" aria-label="Step through the game" {
                        button type="button" data-go="first" aria-label="First position" { "«" }
                        button type="button" data-go="back" aria-label="Previous move" { "‹" }
                        button type="button" data-go="on" aria-label="Next move" { "›" }
                        button type="button" data-go="last" aria-label="Last position" { "»" }
                        a.here href="#p0" { "Link to this move" }
                    }
                    p.where role="status" hidden {}
                    (self.chances_section().unwrap_or_default())
                }
                section.list aria-label="Moves" {
                    h2 { "Moves" }
                    @if entry.plies == 0 { p { "No moves yet." } } @else { (moves::move_list(self.table)) }
                }
            }
            (self.mistakes_section().unwrap_or_default())
            (self.players_section())
            (self.dice_section().unwrap_or_default())
            (self.links_section())
        };
        let description = format!("{} {} moves.", entry.ending, entry.plies);
        self.site.page(
            PageHead {
                path: &entry.page_path(),
                title: &title,
                description: &description,
                picture: Some(&entry.picture_path()),
            },
            &body,
        )
    }

    /// Returns the plot of the winning chances.
    fn chances_section(&self) -> Option<Markup> {
        let evaluation = self.evaluation?;
        let chances = evaluation.chances();
        let sides = Seat::BOTH.map(|seat| format!("{} ({})", self.entry.player_name(seat), self.entry.side_name(seat)));
        let label = format!("Winning chances of {} move by move: {} at the end.", sides[0], percent(evaluation.end));
        Some(html! {
            figure.evaluation {
                (plot::chances_plot(&label, &chances, sides.each_ref().map(String::as_str)))
                figcaption { "Winning chances by the computer (level " (evaluation.level) ", " (evaluation.nodes) " positions)" }
            }
        })
    }

    /// Returns the biggest mistakes of each side.
    fn mistakes_section(&self) -> Option<Markup> {
        let evaluation = self.evaluation?;
        let seats = ply_seats(self.table);
        let sides = Seat::BOTH.map(|side| (side, evaluation.mistakes(&seats, side)));
        if sides.iter().all(|(_, mistakes)| mistakes.is_empty()) {
            return None;
        }
        Some(html! {
            section {
                h2 { "Biggest mistakes" }
                @for (side, mistakes) in sides.iter().filter(|(_, mistakes)| !mistakes.is_empty()) {
                    h3 { (self.entry.player_name(*side)) " (" (self.entry.side_name(*side)) ")" }
                    ul { @for mistake in mistakes { (mistake_item(mistake)) } }
                }
            }
        })
    }

    /// Returns the players, or the people who moved in an open game.
    fn players_section(&self) -> Markup {
        let entry = self.entry;
        html! {
            section {
                h2 { "Players" }
                @match &entry.movers {
                    Some(movers) => {
                        p { "Anyone could move." }
                        ul { @for (id, login, moves) in movers { li { (person_link(*id, login, "../")) ": " (moves) @if *moves == 1 { " move" } @else { " moves" } } } }
                    }
                    None => ul { @for seat in Seat::BOTH { li { (entry.side_name(seat)) ": " (player_link(entry, seat, "../")) } } }
                }
            }
        }
    }

    /// Returns the proof of the dice.
    fn dice_section(&self) -> Option<Markup> {
        with_table!(self.table, table => dice_section(table))
    }

    /// Returns the downloads and links.
    fn links_section(&self) -> Markup {
        let (entry, links) = (self.entry, self.site.links());
        // A finished game can't continue from its last position.
        let start_index = self.starts.len().saturating_sub(if entry.has_result() { 2 } else { 1 });
        let start = self.starts.get(start_index).zip(links);
        html! {
            section {
                h2 { "Files and links" }
                ul {
                    @for (extension, title) in &self.exports { li { a href={ (entry.file_stem()) "." (extension) } download { (title) } } }
                    // Demonstration games have issue number 0.
                    @if entry.issue > 0 { @if let Some(links) = links { li { a href=(links.issue(entry.issue)) { "Issue #" (entry.issue) ", where it's played" } } } }
                    @if entry.round > 1 { li { a href={ (entry.issue) "-" (entry.round - 1) ".html" } { "Previous round" } } }
                    @if let Some((start, links)) = start {
                        li {
                            a.start href=(links.new_issue("A game of chess", &format!("/new chess fen={start}"))) { "Continue from this position" }
                        }
                    }
                }
            }
        }
    }
}

/// Returns a mistake as a list item.
fn mistake_item(mistake: &Mistake<'_>) -> Markup {
    let Mistake { number, evaluated } = mistake;
    html! {
        li {
            a href={ "#p" (number) } { (number) ". " (evaluated.ply) } " lost " (percent(evaluated.lost)) " winning chances"
            @if let Some(better) = &evaluated.better { "; " b { (better) } " was better" }
            "."
        }
    }
}

fn dice_section<G: Game>(table: &Table<G>) -> Option<Markup> {
    let proof = sentences::dice_proof(table)?;
    let key = table.history().last().and_then(|event: &Event<G::Move>| event.key.as_ref());
    Some(html! {
        section {
            h2 { "Dice" }
            p { (proof) }
            dl {
                @if let Some(commitment) = table.state().dice().commitment() { dt { "Published before the first roll" } dd { code { (commitment) } } }
                @if let Some(key) = key { dt { "Key" } dd { code { (key.to_hex()) } } }
            }
        }
    })
}

/// Formats thousandths as a percentage.
fn percent(thousandths: u16) -> String {
    format!("{}%", (thousandths + 5) / 10)
}
