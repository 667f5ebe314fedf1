//! The list of a game's moves, numbered the way its players number them. Each move links to the board after it.

use answers::move_number::{self, MoveNumber};
use game::contract::Game;
use maud::{Markup, PreEscaped, html};
use table::any_table::{AnyTable, with_table};
use table::calendar::format_to_minute;
use table::history::Occupant;
use table::table::Table;
use table::timeline::{MadeBy, Ply};

/// The maximum size of a list of moves, in bytes, so that a page stays below 60 KB. Longer games list their last moves.
const MAX_BYTES: usize = 44_000;

/// Returns the list of moves.
pub fn move_list(table: &AnyTable) -> Markup {
    with_table!(table, table => render_moves(table))
}

/// Returns a ply with its number, without a link: `13... Rh3#`.
pub fn numbered_ply(table: &AnyTable, ply: usize) -> String {
    with_table!(table, table => move_number::numbered_ply(table, ply)).unwrap_or_default()
}

fn render_moves<G: Game>(table: &Table<G>) -> Markup {
    let is_paired = table.timeline().start_position().first_move_number().is_some();
    let is_open = table.terms().open.is_some();
    // Rolls make entries long, and an open table names the people who moved.
    let layout = if is_paired {
        "pairs"
    } else if G::HAS_DICE || is_open {
        "lines"
    } else {
        "grid"
    };
    let mut last_note = String::new();
    let mut lines: Vec<String> = Vec::new();
    for (index, ply) in table.plies().enumerate() {
        let number = MoveNumber::of_ply(table, index + 1);
        let note = note(table, &ply);
        let link = move_link(&ply, index + 1, if note == last_note { None } else { Some(&note) });
        last_note = note;
        let automatic = ply.after.automatic_turns();
        match lines.last_mut() {
            Some(line) if is_paired && number.is_second => line.push_str(&link.into_string()),
            _ => lines.push(start_line(table, &ply, number, &link).into_string()),
        }
        for (seat, turn) in automatic {
            lines.push(html! { li { b {} i { (G::INFO.side_name(seat)) " " } span { (turn) } } }.into_string());
        }
    }
    let mut bytes = 0;
    let kept = lines.iter().rev().take_while(|line| {
        bytes += line.len();
        bytes <= MAX_BYTES
    });
    let omitted = lines.len() - kept.count();
    html! {
        @if omitted > 0 { p { "The list leaves out the beginning. The board and the files below have all moves." } }
        ol class={ "moves " (layout) } tabindex="0" { @for line in &lines[omitted..] { (PreEscaped(line)) } }
    }
}

/// Returns the beginning of a list item: the number, the side if it isn't clear, and the move.
fn start_line<G: Game>(table: &Table<G>, ply: &Ply<'_, G>, number: MoveNumber, link: &Markup) -> Markup {
    let is_open = table.terms().open.is_some();
    // The end tag is left out, because another move may follow. HTML doesn't need it.
    html! {
        (PreEscaped("<li>"))
        b { (number) }
        @if G::HAS_DICE { i { (G::INFO.side_name(ply.seat)) " " } }
        (link)
        @if is_open { small { " " (mover(table, ply)) } }
    }
}

/// Returns a ply as a link to the board after it.
fn move_link<G: Game>(ply: &Ply<'_, G>, index: usize, note: Option<&String>) -> Markup {
    html! { a href={ "#p" (index) } title=[note] { (ply.move_list_entry()) } " " }
}

/// Returns who made a ply and when. Imported games have only a date, so it is left out.
fn note<G: Game>(table: &Table<G>, ply: &Ply<'_, G>) -> String {
    let opened_at = table.history().first().map(|event| event.timestamp);
    let has_time = table.imported().is_none() || opened_at != Some(ply.event.timestamp);
    let time = if has_time { format_to_minute(ply.event.timestamp) } else { None };
    match time {
        Some(time) => format!("{}, {time} UTC", mover(table, ply)),
        None => mover(table, ply).to_owned(),
    }
}

/// Returns the name of the person who made a ply, or `computer`.
fn mover<'a, G: Game>(table: &'a Table<G>, ply: &Ply<'a, G>) -> &'a str {
    match table.occupant(ply.seat) {
        _ if ply.made_by == MadeBy::Computer => "computer",
        Some(Occupant { id: Some(_), login, .. }) => login,
        _ => table.login_of(ply.event.by).unwrap_or_default(),
    }
}
