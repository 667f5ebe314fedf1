//! Refusals as players read them. `table/decisions/refusal.rs` has their sentences; some go with news about the table.

use game::{Phrase, Seat, by_person, person, say, without_prompt};
use table::{Player, Refusal, SeatRefusal, SetupRefusal, Table, TableRefusal};

use crate::help::game_guide;
use crate::sentences;

/// Returns a refusal as the player reads it. `table` is the table that it was decided for.
pub fn sentence(refusal: &Refusal, table: Option<&Table>) -> Phrase {
    let Some(table) = table else {
        let sentence = refusal.sentence(&|_| Phrase::default());
        return say!("{sentence}{guide}", guide = guide(refusal));
    };
    let sentence = refusal.sentence(&|seat| sentences::player(table, *seat));
    match news(refusal, table) {
        Some(news) => say!("{sentence} {news}"),
        None => sentence,
    }
}

/// Returns a link to the page that lists a game's options, if the game doesn't have the option that was written.
fn guide(refusal: &Refusal) -> Option<Phrase> {
    match refusal {
        Refusal::Setup(SetupRefusal::UnknownOption(.., kind)) => Some(game_guide(kind.info())),
        _ => None,
    }
}

/// Returns what a refused player may not know about the table.
fn news(refusal: &Refusal, table: &Table) -> Option<Phrase> {
    match refusal {
        Refusal::NoFreeSeat | Refusal::OnlyPlayers | Refusal::Table(TableRefusal::Seat(SeatRefusal::NotSeated)) => {
            Some(sentences::seating(table))
        }
        Refusal::Table(TableRefusal::GameOver) => {
            let rematch = without_prompt(say!(" To play again, write `/rematch`."));
            Some(say!("{ending}{rematch}", ending = sentences::ending(table)))
        }
        Refusal::Table(TableRefusal::Seat(SeatRefusal::NotGuest | SeatRefusal::TooLateToLeave)) => {
            let counts = Seat::BOTH.into_iter().all(|seat| table.timeline().has_moved(seat));
            Some(match counts {
                true => say!("To resign, write `/resign`."),
                false => say!("To end the game without a result, write `/abort`."),
            })
        }
        // At an open table, the author of a move has no side.
        Refusal::Move(_) | Refusal::Table(TableRefusal::IllegalMove(..)) if table.terms().open.is_some() => {
            Some(say!("It's {side}'s turn.", side = table.info().side_name(table.player_to_move())))
        }
        Refusal::MovedOn(_) => Some(turn_now(table)),
        _ => None,
    }
}

/// Returns whose turn it is after somebody else has moved.
fn turn_now(table: &Table) -> Phrase {
    let seat = table.player_to_move();
    let side = table.info().side_name(seat);
    match table.player(seat).and_then(Player::login) {
        Some(login) => by_person(login, say!("It's your turn now."), say!("It's {login:person}'s turn ({side}) now.")),
        None => say!("It's {side}'s turn now."),
    }
}
