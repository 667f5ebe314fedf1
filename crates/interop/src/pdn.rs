//! Exports a checkers table as [PDN](https://wiegerw.github.io/pdn/), the draughts variant of PGN: players, date, the
//! moves without those taken back, and the result.

use game::seat::Seat;
use games::checkers::game::Checkers;
use table::calendar;
use table::game_state::TableStatus;
use table::history::Occupant;
use table::table::Table;
use table::timestamp::Timestamp;

use crate::place::Place;

/// The maximum length of a line of moves.
const LINE_WIDTH: usize = 79;

/// Returns the game as PDN. An unfinished one stops at the current position. `place` is
/// `None` if it's unknown.
pub(super) fn write(table: &Table<Checkers>, place: Option<&Place>) -> String {
    let started_at =
        calendar::pgn_date_and_time(table.history().first().map_or(Timestamp::EPOCH, |event| event.timestamp));
    let date = started_at.map_or("????.??.??".to_owned(), |[date, _]| date);
    let [black, white] = Seat::BOTH.map(|seat| player_name(table, seat));
    let (place_name, site) =
        place.map_or(("Play by Commit", "?"), |place| (place.repository.as_str(), place.issue_url.as_str()));
    // In English draughts, the score of the side that moves first comes first: Black's.
    let result = match table.status() {
        TableStatus::Won(Seat::First) => "1-0",
        TableStatus::Won(Seat::Second) => "0-1",
        TableStatus::Draw => "1/2-1/2",
        TableStatus::Playing | TableStatus::Aborted | TableStatus::Moved(_) => "*",
    };
    let tags = [
        ("Event", format!("{place_name}, table {}", table.issue())),
        ("Site", site.to_owned()),
        ("Date", date),
        ("Round", table.round().to_string()),
        ("Black", black),
        ("White", white),
        ("Result", result.to_owned()),
        ("GameType", "21".to_owned()),
    ];
    let mut out: String = tags.iter().map(|(tag, value)| format!("[{tag} \"{value}\"]\n")).collect();
    out.push('\n');
    let moves = table.plies().filter_map(|ply| Some(ply.played?.1.to_owned()));
    let words = moves.enumerate().flat_map(|(index, mv)| {
        let number = if index % 2 == 0 { Some(format!("{}.", index / 2 + 1)) } else { None };
        number.into_iter().chain([mv])
    });
    let mut line = String::new();
    for word in words.chain([result.to_owned()]) {
        if !line.is_empty() && line.len() + 1 + word.len() > LINE_WIDTH {
            out.push_str(&line);
            out.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    out + &line + "\n"
}

/// Returns the name of the player of a side. Open games have none.
fn player_name(table: &Table<Checkers>, seat: Seat) -> String {
    match table.occupant(seat) {
        Some(Occupant { computer: Some(level), .. }) => format!("Computer (level {})", level.number()),
        Some(occupant) => occupant.login.clone(),
        None => "?".to_owned(),
    }
}
