//! The page of a round, with its animated board and exported files.

use std::collections::BTreeMap;

use answers::board_picture::BoardPicture;
use answers::commit_message::placeholder;
use answers::{DICE_PAGE, DOCS, board_picture, sentences};
use game::{Seat, SideStatus};
use games::GameKind;
use interop::export::export;
use interop::{GameFile, GameLink, Place, link};
use maud::{Markup, html};
use table::{Event, PgnTags, Player, Table, TableStatus, UserId};

use crate::evaluation::{Mistake, ply_seats};
use crate::lists::result_player;
use crate::page::{count, played_days, time_ago, time_left};
use crate::people::{Outcome, person_link, result_for, seat_of};
use crate::{Evaluation, PageHead, RoundSummary, Site, Steps, animated_boards, evaluation, flip_changes, moves};

/// A file of the site: its path below the root, and its text.
pub type SiteFile = (String, String);

/// Returns the files of a round except its record, which is copied: the page, the animated board, and the export.
///
/// `replay.rs` describes the file with the facts of each step. Chess adds one for `/new`, with one position per line.
pub fn round_files(site: &Site, table: &Table, round: &RoundSummary, evaluation: Option<&Evaluation>) -> Vec<SiteFile> {
    let name = format!("games/{}", round.file_stem());
    let (replay, flipped, facts) = animated_boards(table, evaluation);
    let mut files = vec![(round.board_path(), small_board(table, round))];
    files.push((format!("{name}.steps.txt"), facts));
    let changes = flipped.and_then(|flipped| flip_changes(&replay.svg, &flipped.svg));
    let starts = start_positions(table);
    if !starts.is_empty() {
        files.push((format!("{name}.txt"), starts.join("\n") + "\n"));
    }
    let place = site
        .links()
        .map(|links| Place { repository: links.repository.to_owned(), issue_url: links.issue(round.issue) });
    let exported = export(table, &round.ending, place.as_ref()).ok();
    let animation = AnimatedBoard {
        first_step: replay.first_ply,
        last_step: Steps::of_game(table).count,
        view: replay.view,
        can_flip: changes.is_some(),
    };
    let mut page = RoundPage { site, table, round, evaluation, animation, starts: &starts, exports: Vec::new() };
    files.push((format!("{name}.svg"), replay.svg));
    files.extend(changes.map(|changes| (format!("{name}.flip.txt"), changes)));
    if round.status == TableStatus::Playing {
        files.push((format!("{name}.now.json"), format!("{}\n", last_event(round))));
    }
    page.exports.push(("json", "Record (JSON)"));
    if let Some(GameFile { extension, title, text }) = exported {
        files.push((format!("{name}.{extension}"), text));
        page.exports.push((extension, title));
    }
    page.exports.push(("svg", "Animated board (SVG)"));
    files.push((round.page_path(), page.html()));
    files
}

/// Returns the small board for lists. The final board of backgammon is empty, so lists show an earlier one.
fn small_board(table: &Table, round: &RoundSummary) -> String {
    let is_empty = round.kind == GameKind::Backgammon && round.has_result();
    let picture = if is_empty { board_picture::at_ply(table, round.plies * 2 / 3) } else { None };
    picture.unwrap_or_else(|| board_picture::current(table)).board_svg()
}

/// Returns the number of moves and the time of the last event. The script polls it to notice new events.
fn last_event(round: &RoundSummary) -> String {
    format!("[{},{}]", round.plies, round.last_event_at.as_millis())
}

/// Returns the value of `/new`'s `fen` option for each position, start first; empty for games that can't start from a
/// position.
fn start_positions(table: &Table) -> Vec<String> {
    let games = std::iter::once(table.timeline().start_position()).chain(table.plies().map(|ply| ply.after));
    games.filter_map(|game| Some(game.fen()?.replace(' ', "_"))).collect()
}

/// The animated board of a page.
struct AnimatedBoard {
    /// The step that it starts with: 0 unless the whole game is too large.
    first_step: usize,
    /// The number of plies and automatic turns.
    last_step: usize,
    /// The part that the page shows: x, y, width and height.
    view: [u32; 4],
    /// Whether there is one from the other side, too.
    can_flip: bool,
}

/// The parts of a round's page.
struct RoundPage<'a> {
    site: &'a Site,
    table: &'a Table,
    round: &'a RoundSummary,
    evaluation: Option<&'a Evaluation>,
    animation: AnimatedBoard,
    starts: &'a [String],
    /// The file extensions and titles of the downloads.
    exports: Vec<(&'static str, &'static str)>,
}

impl RoundPage<'_> {
    fn html(&self) -> String {
        let round = self.round;
        let title = round.title();
        let body = html! {
            div.game.analyzed[self.evaluation.is_some()] {
                (self.info_section(&title))
                (self.board_section())
                p.act { (main_button(self.site, round).unwrap_or_default()) }
                section.list aria-label="Moves" {
                    @if round.plies == 0 { p.none { "No moves yet." } } @else { (moves::move_list(self.table, self.evaluation)) }
                    (self.neighbor_links())
                }
                (self.chances_section().unwrap_or_default())
                (self.mistakes_section().unwrap_or_default())
            }
            div.more {
                (self.movers_section().unwrap_or_default())
                (self.dice_section().unwrap_or_default())
                (share_section(&title))
                (self.links_section())
            }
        };
        let description = format!("{} {}.", round.ending, count(round.plies, "move"));
        // Two people may have played many games.
        let unique_title = format!("{title} ({})", round.short_name());
        self.site.page(
            PageHead {
                path: &round.page_path(),
                title: if round.movers.is_some() { &title } else { &unique_title },
                description: &description,
                picture: Some(&round.picture_path()),
            },
            &body,
        )
    }

    /// Returns the game and its result.
    fn info_section(&self, title: &str) -> Markup {
        let round = self.round;
        let is_running = round.status == TableStatus::Playing;
        html! {
            section.info aria-label="Game" {
                h1.unseen { (title) }
                p.facts {
                    a href={ "../" (round.kind.info().name) "/index.html" } { (round.game.title()) }
                    @if round.movers.is_some() { " · open table " (round.short_name()) }
                    @if let Some(setup) = &round.setup { " · " (setup) }
                    @if round.casual { " · casual" }
                    " · " (count(round.plies, "move"))
                    " · " (played_days(round))
                }
                @if let Some(tags) = self.table.imported() { (imported_facts(tags)) }
                @if is_running { (self.turn_line()) (about(round, self.site).unwrap_or_default()) } @else { p.ending { (round.ending) } }
            }
        }
    }

    /// Returns whose turn it is, and how much time is left. The script keeps the times true.
    fn turn_line(&self) -> Markup {
        let (round, seat) = (self.round, self.round.player_to_move);
        html! {
            p.ending {
                "To move: " (round.player_name(seat)) " (" (round.side_name(seat)) "), " (time_ago(round.turn_started_at))
                @if let Some(deadline) = round.deadline.or(round.votes_end) { " · " (time_left(deadline)) }
            }
        }
    }

    /// Returns the board between its players, with the buttons that step through the game.
    fn board_section(&self) -> Markup {
        let (round, name) = (self.round, self.round.file_stem());
        let AnimatedBoard { first_step, last_step, view, can_flip } = self.animation;
        let [x, y, width, height] = view;
        let view = format!("{x} {y} {width} {height}");
        // As large as the style sheet allows.
        let (width, height) = (width * SCALE, height * SCALE);
        let starts_file = if self.starts.is_empty() { None } else { Some(format!("{name}.txt")) };
        let flipped_file = if can_flip { Some(format!("{name}.flip.txt")) } else { None };
        let live = (round.status == TableStatus::Playing).then(|| (format!("{name}.now.json"), last_event(round)));
        let (live_file, now) = live.unzip();
        let picture = board_picture::current(self.table);
        let (above, below) = player_rows(self.table);
        html! {
            section.board aria-label="Board" data-replay={ (name) ".svg" } data-view=(view) data-words={ (name) ".steps.txt" } data-flip=[flipped_file] data-first=(first_step) data-steps=(last_step) data-starts=[starts_file] data-live=[live_file] data-now=[now] {
                div.stage {
                    (self.player_row(above, &picture))
                    // The script shows one step at a time. An animation of thousands of shapes would only delay it.
                    noscript { img src={ (name) ".board.svg" } alt="" width=(width) height=(height); }
                    svg.empty viewBox=(view) width=(width) height=(height) aria-hidden="true" {}
                    (self.player_row(below, &picture))
                    p.unseen id="position" { (picture.board.description()) }
                }
                div.controls role="group" aria-label="Step through the game" {
                    (button("first", "First position", "M6 5v14M19 5l-9 7 9 7z"))
                    (button("back", "Previous move", "M16 5l-9 7 9 7z"))
                    button type="button" data-go="play" aria-label="Play" title="Play" { (icon("M8 5l11 7-11 7z")) (icon("M8 5v14M16 5v14")) }
                    (button("on", "Next move", "M8 5l9 7-9 7z"))
                    (button("last", "Last position", "M18 5v14M5 5l9 7-9 7z"))
                }
                div.tools {
                    p.where role="status" {}
                    button type="button" data-go="speed" aria-label="Speed 1×" title="Speed" { "1×" }
                    @if can_flip { (button("flip", "Flip the board", "M8 20V5l-4 4M16 4v15l4-4")) }
                    (button("copy", "Copy a link to this move", "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"))
                    button type="button" data-go="keys" aria-label="Keyboard shortcuts" title="Keyboard shortcuts" { "?" }
                }
            }
        }
    }

    /// Returns the row of a player beside the board. The script fills in the pieces.
    fn player_row(&self, seat: Seat, picture: &BoardPicture) -> Markup {
        let (round, side) = (self.round, &picture.caption.sides[seat.index()]);
        let facts = picture.board.side_facts(seat);
        let is_turn = side.status == SideStatus::ToMove;
        html! {
            div.player.turn[is_turn] data-seat=(seat.index()) data-piece=(facts.piece) {
                span.piece aria-hidden="true" {}
                span.name { (result_player(round, seat, "../")) " " small { (side.seat_name) } }
                span.captured aria-hidden="true" {}
                span.note { (facts.note) }
                span.status { (side.status_text) }
            }
        }
    }

    /// Returns links to the games before and after this one, which the script fills in.
    fn neighbor_links(&self) -> Markup {
        let (round, info) = (self.round, self.round.kind.info());
        let all_games = format!("../{}/index.html", info.name);
        html! {
            nav.near aria-label="Other games" data-near=(file_name(round)) data-stem=(round.file_stem()) {
                a rel="prev" href=(all_games) hidden { "‹ Previous game" }
                a rel="next" href=(all_games) hidden { "Next game ›" }
                a href=(all_games) { "All games of " (info.title.to_lowercase()) }
            }
        }
    }

    /// Returns the plot of the winning chances.
    fn chances_section(&self) -> Option<Markup> {
        let evaluation = self.evaluation?;
        let sides = Seat::BOTH.map(|seat| format!("{} ({})", self.round.player_name(seat), self.round.side_name(seat)));
        let label = format!("Winning chances of {} move by move: {} at the end.", sides[0], percent(evaluation.end));
        let side = self.round.side_name(Seat::First);
        let steps = Steps::of_game(self.table);
        let chances = steps.chances(evaluation);
        let mistakes = evaluation.plies.iter().zip(&steps.of_plies).filter(|(ply, _)| ply.lost > 0);
        let mistakes: Vec<usize> = mistakes.map(|(_, step)| *step).collect();
        let accuracies = Seat::BOTH.into_iter().zip(evaluation.accuracy);
        let accuracies: Vec<String> = accuracies
            .filter_map(|(seat, percent)| Some(format!("{} {}%", self.round.side_name(seat), percent?)))
            .collect();
        Some(html! {
            figure.evaluation {
                div.chart { (evaluation::chances_plot(&label, &chances, &mistakes, &side)) }
                figcaption {
                    span { "Winning chances of " (side) ", by the computer" }
                    output.value {}
                    @if !accuracies.is_empty() { span.accuracy { "Accuracy: " (accuracies.join(", ")) } }
                }
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
            section.mistakes {
                h2 { "Biggest mistakes" }
                @for (side, mistakes) in sides.iter().filter(|(_, mistakes)| !mistakes.is_empty()) {
                    h3 { (self.round.player_name(*side)) " (" (self.round.side_name(*side)) ")" }
                    ul { @for mistake in mistakes { (mistake_item(self.table, mistake)) } }
                }
            }
        })
    }

    /// Returns the people who moved in an open game.
    fn movers_section(&self) -> Option<Markup> {
        let movers = self.round.movers.as_ref()?;
        Some(html! {
            section {
                h2 { "Players" }
                p { "Anyone can move." }
                ul { @for mover in movers { li { (person_link(mover.id, &mover.login, "../")) ": " (count(mover.moves, "move")) } } }
            }
        })
    }

    /// Returns the proof of the dice.
    fn dice_section(&self) -> Option<Markup> {
        dice_section(self.table)
    }

    /// Returns the downloads and links.
    fn links_section(&self) -> Markup {
        let (round, links) = (self.round, self.site.links());
        // A finished game can't continue from its last position.
        let start_index = self.starts.len().saturating_sub(if round.has_result() { 2 } else { 1 });
        let start = self.starts.get(start_index).zip(links);
        // During a game, a link to an analysis board would be an invitation to cheat.
        let elsewhere = if round.has_result() { link(self.table) } else { None };
        html! {
            section {
                h2 { "Files and links" }
                ul {
                    @for (extension, title) in &self.exports { li { a href={ (round.file_stem()) "." (extension) } download { (title) } } }
                    @if let Some(GameLink { label, url }) = elsewhere { li { a href=(url) { (label) } } }
                    @if round.has_issue() { @if let Some(links) = links { li { a href=(links.issue(round.issue)) { "Issue #" (round.issue) ", where it's played" } } } }
                    @if round.round > 1 { li { a href={ (round.issue) "-" (round.round - 1) ".html" } { "Previous round" } } }
                    @if let Some((start, links)) = start {
                        li {
                            a.from-here href=(links.new_issue(&placeholder("chess"), &format!("/new chess fen={start}"))) { "Continue from this position" }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the seats whose rows are above and below the board.
fn player_rows(table: &Table) -> (Seat, Seat) {
    let below = board_picture::current(table).board.viewer().unwrap_or(Seat::Second);
    (below.other(), below)
}

/// Returns what the file of an imported game says about it.
fn imported_facts(tags: &PgnTags) -> Markup {
    let tag = |name: &str| tags.tag(name).filter(|value| !matches!(*value, "-" | "?"));
    let place: Vec<&str> = ["Event", "Site"].into_iter().filter_map(tag).collect();
    let ratings = [("WhiteElo", "White"), ("BlackElo", "Black")];
    let ratings: Vec<String> =
        ratings.into_iter().filter_map(|(name, side)| Some(format!("{side} {}", tag(name)?))).collect();
    html! {
        p.facts {
            "Imported: it was played elsewhere"
            @if !place.is_empty() { " · " (place.join(", ")) }
            @if let Some(round) = tag("Round") { " · round " (round) }
            @if !ratings.is_empty() { " · Elo: " (ratings.join(", ")) }
        }
    }
}

/// Returns what a newcomer to a running game can do.
fn about(round: &RoundSummary, site: &Site) -> Option<Markup> {
    let links = site.links().filter(|_| !round.is_demonstration())?;
    let game = round.game.noun();
    let new_game = links.new_issue(&placeholder(&game), &format!("/new {}", round.game.name()));
    Some(html! {
        p.about {
            @if round.has_open_seat() { "Each comment on the issue is a move, and the first one takes the seat. " }
            @else if round.movers.is_some() { "Anyone can move with a comment on the issue. " }
            @else if round.votes_end.is_some() { "Everybody can vote for the next move, with a reaction or a comment on the issue. " }
            @else if round.has_crowd() { "Everybody can vote for the crowd's moves on the issue. " }
            @else { "Two people play here with comments on an issue. To follow them, choose " em { "Subscribe" } " there. " }
            a href=(new_game) { "Start your own game" }
        }
    })
}

/// How much larger than its drawing a board can get.
const SCALE: u32 = 10;

/// Returns the buttons that share the board, which need the script.
fn share_section(title: &str) -> Markup {
    html! {
        section.sharing data-title=(title) {
            h2 { "Share" }
            p {
                button type="button" data-share="picture" { "Save this board as PNG" } " "
                button type="button" data-share="markdown" { "Copy Markdown for a README" }
            }
            p role="status" {}
        }
    }
}

/// Returns a mistake as a list item. It links to the position in which the better move was possible.
fn mistake_item(table: &Table, mistake: &Mistake<'_>) -> Markup {
    let Mistake { number, evaluated } = mistake;
    html! {
        li {
            a href={ "#" (moves::step_name_before(table, *number)) } { (moves::numbered_ply(table, *number)) (evaluated.glyph()) }
            " lost " (percent(evaluated.lost))
            @if let Some(better) = &evaluated.better { "; " b { (better) } " was better" }
            "."
        }
    }
}

/// Returns a button with an icon.
fn button(name: &str, label: &str, path: &str) -> Markup {
    html! { button type="button" data-go=(name) aria-label=(label) title=(label) { (icon(path)) } }
}

fn icon(path: &str) -> Markup {
    html! { svg viewBox="0 0 24 24" aria-hidden="true" { path d=(path) {} } }
}

fn dice_section(table: &Table) -> Option<Markup> {
    let proof = sentences::dice_proof(table)?;
    let key = table.history().last().and_then(|event: &Event| event.key.as_ref());
    let commitment = table.state().dice().commitment();
    Some(html! {
        section {
            h2 { "Dice" }
            p { (proof) @if commitment.is_some() { " " a href={ (DOCS) (DICE_PAGE) } { "How to check them" } } }
            dl {
                @if let Some(commitment) = commitment { dt { "Published before the first roll" } dd { code { (commitment) } } }
                @if let Some(key) = key { dt { "Key" } dd { code { (key.to_hex()) } } }
            }
        }
    })
}

/// Formats thousandths as a percentage.
fn percent(thousandths: u16) -> String {
    format!("{}%", (thousandths + 5) / 10)
}

// Files that tell a game's page which games come before and after it.
//
// The neighbors of a game change, but its page doesn't, so the script reads them from a small file. Each file lists
// the games of one kind in a range of issue numbers, and one more on either side.

/// The size of the range of issue numbers in a file.
const RANGE: u64 = 100;

/// Returns the name of the file that lists a game, next to its page: `chess-0.json`.
pub fn file_name(round: &RoundSummary) -> String {
    format!("{}-{}.json", round.kind.info().name, round.issue.get() / RANGE)
}

/// Returns the paths and contents of all files.
pub fn files(rounds: &[RoundSummary]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for kind in GameKind::ALL {
        let mut games: Vec<&RoundSummary> = rounds.iter().filter(|round| round.kind == *kind).collect();
        games.sort_by_key(|round| (round.issue, round.round));
        let mut ranges: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, round) in games.iter().enumerate() {
            ranges.entry(file_name(round)).or_default().push(index);
        }
        for (name, indices) in ranges {
            let first = indices.first().map_or(0, |first| first.saturating_sub(1));
            let last = indices.last().map_or(0, |last| (last + 2).min(games.len()));
            let stems: Vec<String> = games[first..last].iter().map(|round| round.file_stem()).collect();
            files.push((format!("games/{name}"), serde_json::json!(stems).to_string()));
        }
    }
    files
}

// The main button of a game: move, take the seat, or play again.

/// Returns the main button of a game; `None` on a site without links to its repository.
pub fn main_button(site: &Site, round: &RoundSummary) -> Option<Markup> {
    let links = site.links()?;
    let (url, label) = if round.is_demonstration() || round.status != TableStatus::Playing {
        (links.new_issue(&placeholder(&round.game.noun()), &new_game_command(round)), "Play again")
    } else if round.has_open_seat() {
        (links.issue(round.issue), "Take the seat")
    } else {
        (
            links.issue(round.issue),
            match round.movers.is_some() {
                true => "Make a move on GitHub",
                false if round.votes_end.is_some() => "Vote on GitHub",
                false => "Open the game on GitHub",
            },
        )
    };
    Some(html! { a.button.main href=(url) { (label) } })
}

/// Returns the command for a game like this one. Its other seat is open, because any visitor can press the button.
fn new_game_command(round: &RoundSummary) -> String {
    let level = round.seats.iter().flatten().find_map(Player::level);
    let opponent = level.map(|level| format!(" computer {}", level.number()));
    let opponent = if round.has_crowd() { opponent.map(|computer| format!("{computer} crowd")) } else { opponent };
    let open = round.movers.as_ref().map(|_| " seats=open".to_owned());
    let open = if round.has_crowd() { Some(" crowd".to_owned()) } else { open };
    let options = if round.options.is_empty() { String::new() } else { format!(" {}", round.options) };
    format!("/new {}{options}{}", round.game.name(), opponent.or(open).unwrap_or_default())
}

// Results by side: who wins with White, and who with Black.

/// The minimum number of results for shares of a kind of game.
const MIN_RESULTS: usize = 10;

/// Returns a sentence about how often each side won; `None` if there are too few results.
pub fn shares(kind: GameKind, ended: &[&RoundSummary]) -> Option<Markup> {
    let results: Vec<&&RoundSummary> = ended.iter().filter(|round| round.has_result()).collect();
    if results.len() < MIN_RESULTS {
        return None;
    }
    let number = |status: TableStatus| results.iter().filter(|round| round.status == status).count();
    let [first, second] = Seat::BOTH.map(|seat| number(TableStatus::Won(seat)));
    let draws = number(TableStatus::Draw);
    let percent = |part: usize| format!("{}%", (200 * part + results.len()) / (2 * results.len()));
    let [one, other] = Seat::BOTH.map(|seat| kind.info().side_name(seat));
    Some(html! {
        p.facts {
            (one) " won " (count(first, "game")) " (" (percent(first)) ") and " (other) " " (second) " (" (percent(second)) ")"
            @if draws > 0 { ", and " (count(draws, "game")) " (" (percent(draws)) ") ended in a draw" }
            "."
        }
    })
}

/// Returns a player's results in each game with each side; `None` if there are none. `ended` is oldest first.
pub fn side_scores(ended: &[&RoundSummary], id: UserId) -> Option<Markup> {
    // The keys are the index of the game in `GameKind::ALL`, and the side.
    let mut scores: BTreeMap<(usize, Seat), [usize; 3]> = BTreeMap::new();
    for round in ended {
        let Some((result, seat)) = result_for(round, id).zip(seat_of(round, id)) else { continue };
        let kind = GameKind::ALL.iter().position(|kind| *kind == round.kind).unwrap_or_default();
        let score = scores.entry((kind, seat)).or_default();
        score[match result.outcome {
            Outcome::Won => 0,
            Outcome::Drawn => 1,
            Outcome::Lost => 2,
        }] += 1;
    }
    if scores.is_empty() {
        return None;
    }
    Some(html! {
        section {
            h2 { "By side" }
            ul.versus {
                @for ((kind, seat), [won, drawn, lost]) in scores {
                    @let info = GameKind::ALL[kind].info();
                    li {
                        span.opponent { (info.title) " as " (info.side_name(seat)) }
                        span.result { @if drawn > 0 { small { (count(drawn, "draw")) } " " } (won) " – " (lost) }
                    }
                }
            }
        }
    })
}
