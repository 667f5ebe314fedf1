//! The export of a checkers table as PDN, which is PGN for [draughts](https://wiegerw.github.io/pdn/): who played where and
//! when, the moves that still count, and the result.

use game::seat::Seat;
use games::checkers::game::Checkers;
use table::calendar;
use table::game_state::TableStatus;
use table::history::Occupant;
use table::table::Table;

/// The most characters of a line of moves.
const WIDE: usize = 79;

/// Returns the game. An unfinished one ends where it stands.
pub(super) fn write(table: &Table<Checkers>) -> String {
    let began = calendar::pgn_date_and_time(table.history().first().map_or(0, |event| event.timestamp));
    let date = began.map_or("????.??.??".to_owned(), |[date, _]| date);
    let [black, white] = Seat::BOTH.map(|seat| name(table, seat));
    // The first number is white's, as in PGN, though black begins.
    let result = match table.status() {
        TableStatus::Won(Seat::First) => "0-1",
        TableStatus::Won(Seat::Second) => "1-0",
        TableStatus::Draw => "1/2-1/2",
        TableStatus::Playing | TableStatus::Aborted | TableStatus::Moved(_) => "*",
    };
    let tags = [
        ("Event", format!("Play by Commit, table {}", table.issue())),
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
    let words = moves.enumerate().flat_map(|(nth, mv)| {
        let number = (nth % 2 == 0).then(|| format!("{}.", nth / 2 + 1));
        number.into_iter().chain([mv])
    });
    let mut line = String::new();
    for word in words.chain([result.to_owned()]) {
        if !line.is_empty() && line.len() + 1 + word.len() > WIDE {
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

/// Returns the name of who plays a side. Nobody sits at an open table.
fn name(table: &Table<Checkers>, seat: Seat) -> String {
    match table.occupant(seat) {
        Some(Occupant { computer: Some(level), .. }) => format!("Computer (level {})", level.number()),
        Some(sitter) => sitter.login.clone(),
        None => "?".to_owned(),
    }
}
