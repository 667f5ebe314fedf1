//! The main button of a game: move, take the seat, or play again.

use answers::issue_title::placeholder;
use maud::{Markup, html};
use table::game_state::TableStatus;

use crate::entry::{Entry, SeatOccupant};
use crate::page::Site;

/// Returns the main button of a game; `None` on a site without links to its repository.
pub fn main_button(site: &Site, entry: &Entry) -> Option<Markup> {
    let links = site.links()?;
    let (url, label) = if entry.is_demonstration() || entry.status != TableStatus::Playing {
        (links.new_issue(&placeholder(&entry.game.noun()), &new_game_command(entry)), "Play again")
    } else if entry.has_open_seat() {
        (links.issue(entry.issue), "Take the seat")
    } else {
        (links.issue(entry.issue), "Make a move on GitHub")
    };
    Some(html! { a.button.main href=(url) { (label) } })
}

/// Returns the command for a game like this one. Its other seat is open, because any visitor can press the button.
fn new_game_command(entry: &Entry) -> String {
    let opponent = entry.seats.iter().find_map(|holder| match holder {
        SeatOccupant::Computer(level) => Some(format!(" computer {}", level.number())),
        _ => None,
    });
    let open = entry.movers.as_ref().map(|_| " seats=open".to_owned());
    format!("/new {}{}", entry.game.name(), opponent.or(open).unwrap_or_default())
}
