//! The moves of a game, each a link to the board after it, with who made it and when.

use game::contract::Game;
use maud::{Markup, html};
use table::any_table::{AnyTable, with_table};
use table::calendar::format_to_minute;
use table::history::Occupant;
use table::table::Table;
use table::timeline::Ply;

/// The bytes that a list of moves may take, so that a page stays below 60 KB. Of a longer game the last moves are listed.
const MAX_BYTES: usize = 44_000;

/// Returns the list of moves.
pub fn move_list(table: &AnyTable) -> Markup {
    with_table!(table, table => listed(table))
}

fn listed<G: Game>(table: &Table<G>) -> Markup {
    let mut day = String::new();
    let lines: Vec<String> = table
        .plies()
        .enumerate()
        .map(|(at, ply)| {
            let now = time(table, &ply);
            let line = line(table, at + 1, &ply, if now == day { "" } else { &now });
            day = now;
            line.into_string()
        })
        .collect();
    let mut bytes = 0;
    let kept = lines.iter().rev().take_while(|line| {
        bytes += line.len();
        bytes <= MAX_BYTES
    });
    let first = lines.len() - kept.count();
    html! {
        @if first > 0 { p { "The list leaves out the first " (first) " moves. The board and the files below have all of them." } }
        ol.moves start=(first + 1) { @for line in &lines[first..] { (maud::PreEscaped(line)) } }
    }
}

/// Returns the time of a ply; empty if only the day of the whole game is known, as of an imported one.
fn time<G: Game>(table: &Table<G>, ply: &Ply<'_, G>) -> String {
    let began = table.history().first().map(|event| event.timestamp);
    let own = table.imported().is_none() || began != Some(ply.event.timestamp);
    own.then(|| format_to_minute(ply.event.timestamp)).flatten().unwrap_or_default()
}

/// Returns a line: the ply in the notation of its game, who made it, and the time, if it isn't empty.
fn line<G: Game>(table: &Table<G>, number: usize, ply: &Ply<'_, G>, time: &str) -> Markup {
    let who = match table.occupant(ply.seat) {
        _ if ply.by_computer => "computer",
        Some(Occupant { id: Some(_), login, .. }) => login,
        _ => table.login_of(ply.event.by).unwrap_or_default(),
    };
    html! { li id={ "p" (number) } { a href={ "#p" (number) } { (ply.move_list_entry()) } " " small { (who) " " (time) } } }
}
