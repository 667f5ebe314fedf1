//! The main button of a game: move, take the seat, or play again.

use answers::issue_title::placeholder;
use maud::{Markup, html};
use table::game_state::TableStatus;

use crate::page::Site;
use crate::round_summary::{RoundSummary, SeatOccupant};

/// Returns the main button of a game; `None` on a site without links to its repository.
pub fn main_button(site: &Site, round: &RoundSummary) -> Option<Markup> {
    let links = site.links()?;
    let (url, label) = if round.is_demonstration() || round.status != TableStatus::Playing {
        (links.new_issue(&placeholder(&round.game.noun()), &new_game_command(round)), "Play again")
    } else if round.has_open_seat() {
        (links.issue(round.issue), "Take the seat")
    } else {
        (links.issue(round.issue), "Make a move on GitHub")
    };
    Some(html! { a.button.main href=(url) { (label) } })
}

/// Returns the command for a game like this one. Its other seat is open, because any visitor can press the button.
fn new_game_command(round: &RoundSummary) -> String {
    let opponent = round.seats.iter().find_map(|holder| match holder {
        SeatOccupant::Computer(level) => Some(format!(" computer {}", level.number())),
        _ => None,
    });
    let open = round.movers.as_ref().map(|_| " seats=open".to_owned());
    format!("/new {}{}", round.game.name(), opponent.or(open).unwrap_or_default())
}
