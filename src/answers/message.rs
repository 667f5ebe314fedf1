//! Commit messages.

use crate::answers::render::plain;
use crate::game::contract::Game;
use crate::tables::any::{AnyTable, with_table};
use crate::tables::history::{What, seat_name};
use crate::tables::table::{Table, TableStatus};
use crate::talk::comment::Author;

/// The commit message of the table's last event: the first line, and the rest with the credit to its player.
/// `noreply` is the mail domain that the host keeps for its users.
#[must_use]
pub fn message(table: &AnyTable, author: &Author, noreply: &str) -> (String, String) {
    with_table!(table, record => {
        let headline = format!("Table {}: {}", record.issue, deed(record, &author.login));
        let ply = record.moves().count();
        let credit = format!("Co-authored-by: {} <{}+{}@{noreply}>", author.login, author.id, author.login);
        (headline, format!("{}, round {}, ply {ply}. {}\n\n{credit}", title(record), record.round, plain(&record.ending())))
    })
}

/// What the last event was, as the first line of a commit message.
fn deed<G: Game>(record: &Table<G>, login: &str) -> String {
    let Some(event) = record.history.last() else { return login.to_owned() };
    let who = match event.seat {
        Some(seat) => format!("{login} ({})", seat_name::<G>(seat.0)),
        None => login.to_owned(),
    };
    match &event.what {
        What::New { .. } if record.round > 1 => format!("{who} opens round {} of {}", record.round, G::INFO.name),
        What::New { .. } => format!("{who} opens {}", G::INFO.name),
        What::Join => format!("{who} sits down"),
        What::Move { notation, mv } => {
            let before = record.plies().next_back().map(|(before, ..)| before.entry(mv));
            match G::deed(mv) {
                Some(deed) => format!("{who} {deed}"),
                None => format!("{who} plays {}", before.as_ref().unwrap_or(notation)),
            }
        }
        What::Resign if record.status == TableStatus::Playing => format!("{who} resigns this game"),
        What::OfferDraw => format!("{who} offers a draw"),
        What::AcceptDraw => format!("{who} accepts the draw"),
        What::Decline => format!("{who} declines"),
        What::AskUndo => format!("{who} asks for an undo"),
        What::Undo { plies: 1 } => format!("{who} undoes one ply"),
        What::Undo { plies } => format!("{who} undoes {plies} plies"),
        What::Resign => format!("{who} resigns"),
        What::Abort => format!("{who} ends the game without a result"),
        What::Claim => format!("{who} claims the win on time"),
        What::MovedHere { from } => format!("{who} takes the game here from issue {from}"),
        What::MovedAway { to } => format!("{who} takes the game to issue {to}"),
    }
}

fn title<G: Game>(_: &Table<G>) -> &'static str {
    G::INFO.title
}
