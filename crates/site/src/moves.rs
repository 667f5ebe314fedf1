//! The list of a game's moves. Each links to the board after it, with the player and the time.

use game::contract::Game;
use maud::{Markup, html};
use table::any_table::{AnyTable, with_table};
use table::calendar::format_to_minute;
use table::history::Occupant;
use table::table::Table;
use table::timeline::Ply;

/// The maximum size of a list of moves, in bytes, so that a page stays below 60 KB. Longer games list their last moves.
const MAX_BYTES: usize = 44_000;

/// Returns the list of moves.
pub fn move_list(table: &AnyTable) -> Markup {
    with_table!(table, table => render_moves(table))
}

fn render_moves<G: Game>(table: &Table<G>) -> Markup {
    let mut last_time = String::new();
    let items: Vec<String> = table
        .plies()
        .enumerate()
        .map(|(index, ply)| {
            let time = ply_time(table, &ply);
            let item = move_item(table, index + 1, &ply, if time == last_time { "" } else { &time });
            last_time = time;
            item.into_string()
        })
        .collect();
    let mut bytes = 0;
    let kept = items.iter().rev().take_while(|item| {
        bytes += item.len();
        bytes <= MAX_BYTES
    });
    let omitted = items.len() - kept.count();
    html! {
        @if omitted > 0 { p { "The list leaves out the first " (omitted) " moves. The board and the files below have all of them." } }
        ol.moves start=(omitted + 1) { @for item in &items[omitted..] { (maud::PreEscaped(item)) } }
    }
}

/// Returns the time of a ply; empty for imported games, which only have a date.
fn ply_time<G: Game>(table: &Table<G>, ply: &Ply<'_, G>) -> String {
    let opened_at = table.history().first().map(|event| event.timestamp);
    if table.imported().is_some() && opened_at == Some(ply.event.timestamp) {
        return String::new();
    }
    format_to_minute(ply.event.timestamp).unwrap_or_default()
}

/// Returns a list item: the ply, its player, and the time unless it is empty.
fn move_item<G: Game>(table: &Table<G>, number: usize, ply: &Ply<'_, G>, time: &str) -> Markup {
    let player = match table.occupant(ply.seat) {
        _ if ply.by_computer => "computer",
        Some(Occupant { id: Some(_), login, .. }) => login,
        _ => table.login_of(ply.event.by).unwrap_or_default(),
    };
    html! { li id={ "p" (number) } { a href={ "#p" (number) } { (ply.move_list_entry()) } " " small { (player) " " (time) } } }
}
