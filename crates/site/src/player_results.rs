//! Results from a player's side.

use game::seat::Seat;
use maud::{Markup, html};
use table::calendar::to_datetime;
use table::game_state::TableStatus;
use table::ids::UserId;

use crate::page::event_day;
use crate::people::player_link;
use crate::round_summary::{RoundSummary, SeatOccupant};
use crate::wording::{count, date_text};

/// How a game ended for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player won.
    Won,
    /// Nobody won.
    Drawn,
    /// The player lost.
    Lost,
}

/// A finished game from a player's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerResult {
    /// The opponent.
    pub opponent: SeatOccupant,
    /// How the game ended.
    pub outcome: Outcome,
}

/// Returns a player's seat; `None` in an open game.
pub fn seat_of(round: &RoundSummary, id: UserId) -> Option<Seat> {
    let holds = |seat: &Seat| matches!(&round.seats[seat.index()], SeatOccupant::Person(holder, _) if *holder == id);
    Seat::BOTH.into_iter().find(holds)
}

/// Returns a game's result for a player; `None` without one, or in an open game.
pub fn result_for(round: &RoundSummary, id: UserId) -> Option<PlayerResult> {
    let seat = seat_of(round, id)?;
    let outcome = match round.status {
        TableStatus::Won(winner) if winner == seat => Outcome::Won,
        TableStatus::Won(_) => Outcome::Lost,
        TableStatus::Draw => Outcome::Drawn,
        _ => return None,
    };
    Some(PlayerResult { opponent: round.seats[seat.other().index()].clone(), outcome })
}

/// Returns finished games as a list with small boards, each with its result for the player.
pub fn player_rows<'a>(rounds: impl Iterator<Item = &'a RoundSummary>, id: UserId) -> Markup {
    html! { ul.rows.own { @for round in rounds { li.row { (player_row(round, id)) } } } }
}

fn player_row(round: &RoundSummary, id: UserId) -> Markup {
    html! {
        img src={ "../" (round.board_path()) } alt="" width="56" height="56" loading="lazy";
        p { a.cover href={ "../" (round.page_path()) } { (round.game.title()) } " " small { (count(round.plies, "move")) } }
        p.who {
            @match (seat_of(round, id), &round.movers) {
                (Some(seat), _) => { "against " (player_link(round, seat.other(), "../")) }
                (None, Some(movers)) => { "Open table " (round.short_name()) ", " (own_moves(movers, id)) }
                (None, None) => (round.title()),
            }
        }
        @match result_for(round, id).map(|result| result.outcome) {
            Some(Outcome::Won) => p.score.won { "Won" },
            Some(Outcome::Drawn) => p.score { "Draw" },
            Some(Outcome::Lost) => p.score.lost { "Lost" },
            None => p.score { (round.score()) },
        }
        p.when { (event_day(round, round.last_event_at)) }
    }
}

/// Returns how many moves a player made in an open game: `made 5 moves`.
fn own_moves(movers: &[(UserId, String, usize)], id: UserId) -> String {
    let moves = movers.iter().find(|(mover, ..)| *mover == id).map_or(0, |(.., moves)| *moves);
    format!("made {}", count(moves, "move"))
}

/// Returns the month of the first game, or only the year if that's all we know: `Mar 2025`, or `1851`.
pub fn first_month(rounds: &[&RoundSummary]) -> Option<String> {
    let start = |round: &&RoundSummary| match &round.imported_day {
        Some(day) => Some(day.clone()).filter(|day| !day.is_empty()),
        None => to_datetime(round.opened_at).map(|moment| moment.format("%Y-%m").to_string()),
    };
    let first = rounds.iter().filter_map(start).min()?;
    // The day doesn't matter.
    Some(date_text(first.get(..7).unwrap_or(&first)))
}
