//! The messages of the commits that hold a record.

use crate::answers::render::plain;
use crate::game::contract::Game;
use crate::tables::any::{AnyTable, with_table};
use crate::tables::history::{EventKind, seat_name};
use crate::tables::table::{Table, TableStatus};
use crate::talk::comment::Author;

/// The line that keeps CI services from building a commit.
pub const SKIP_CI: &str = "[skip ci]";

/// Returns the commit message of the table's last event: the first line, and the rest with the credit to its player.
/// `noreply` is the mail domain that the host keeps for its users. `skip_ci` adds [`SKIP_CI`] above the credit.
pub fn message(table: &AnyTable, author: &Author, noreply: &str, skip_ci: bool) -> (String, String) {
    let title = table.kind().info().title;
    with_table!(table, table => {
        let reply = table.newest_plies().filter(|ply| ply.by_computer).last();
        let reply = reply.map_or(String::new(), |ply| format!("; the computer plays {}", ply.entry()));
        let headline = format!("Table {}: {}{reply}", table.issue, deed(table, &author.login));
        let ply = table.plies().filter(|ply| ply.played.is_some()).count();
        let credit = format!("Co-authored-by: {} <{}+{}@{noreply}>", author.login, author.id, author.login);
        let skip = if skip_ci { format!("{SKIP_CI}\n\n") } else { String::new() };
        let ending = plain(&table.ending());
        (headline, format!("{title}, round {}, ply {ply}. {ending}\n\n{skip}{credit}", table.round))
    })
}

/// Returns the last event as the first line of a commit message.
fn deed<G: Game>(table: &Table<G>, login: &str) -> String {
    let Some(event) = table.history.last() else { return login.to_owned() };
    let who = event.seat.map_or(login.to_owned(), |seat| format!("{login} ({})", seat_name::<G>(seat.0)));
    match &event.kind {
        EventKind::New { .. } if table.round > 1 => format!("{who} opens round {} of {}", table.round, G::INFO.name),
        EventKind::New { .. } => format!("{who} opens {}", G::INFO.name),
        EventKind::Join => format!("{who} sits down"),
        EventKind::Move { notation, mv } => {
            let before = table.newest_plies().next().map(|ply| ply.entry());
            match G::deed(mv) {
                Some(deed) => format!("{who} {deed}"),
                None => format!("{who} plays {}", before.as_ref().unwrap_or(notation)),
            }
        }
        EventKind::Resign if table.status == TableStatus::Playing => format!("{who} resigns this game"),
        EventKind::ResignFor { .. } if table.status == TableStatus::Playing => format!("{who} resigns this game"),
        EventKind::OfferResign => format!("{who} offers this game"),
        EventKind::AcceptResign => format!("{who} accepts this game"),
        EventKind::OfferDraw => format!("{who} offers a draw"),
        EventKind::AcceptDraw => format!("{who} accepts the draw"),
        EventKind::ClaimDraw => format!("{who} claims a draw"),
        EventKind::Decline => format!("{who} declines"),
        EventKind::AskUndo => format!("{who} asks for an undo"),
        EventKind::Hint => format!("{who} gets a hint"),
        EventKind::Undo { plies: 1 } => format!("{who} undoes one ply"),
        EventKind::Undo { plies } => format!("{who} undoes {plies} plies"),
        EventKind::Resign | EventKind::ResignFor { .. } => format!("{who} resigns"),
        EventKind::Abort => format!("{who} ends the game without a result"),
        EventKind::Claim => format!("{who} claims the win on time"),
        EventKind::ImportedEnd { .. } => format!("{who} ended the game elsewhere"),
        EventKind::SeatComputer { level } => format!("{who} seats the computer, level {}", level.number()),
        EventKind::AskComputer { .. } => format!("{who} lets the computer move"),
        EventKind::MovedHere { from } => format!("{who} takes the game here from issue {from}"),
        EventKind::MovedAway { to } => format!("{who} takes the game to issue {to}"),
    }
}
