//! Exports a record in the standard file format of its game.

use game::Seat;
use games::GameKind;
use games::chess::Chess;
use table::{Player, Table, TableStatus, Timestamp, timestamp};

use crate::{mat, pgn};

/// A game in a standard file format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// The file extension, without a dot.
    pub extension: &'static str,
    /// The name of the format.
    pub title: &'static str,
    /// The content.
    pub text: String,
}

/// Exports a table. `ending` is the result as a sentence. `place` is `None` if it's unknown.
///
/// # Errors
/// Returns an error if the game has no such format, or if the format can't express the table.
pub fn export(table: &Table, ending: &str, place: Option<&Place>) -> Result<GameFile, String> {
    let (extension, title, text) = match table.kind() {
        GameKind::Backgammon => ("mat", "Match text for GNU Backgammon", mat::write(table)?),
        GameKind::Chess => ("pgn", "PGN", pgn::write(table, ending, place)),
        GameKind::Checkers => ("pdn", "PDN", write(table, place)),
        GameKind::Othello => ("txt", "Othello transcript", othello_transcript(table)?),
        other => {
            return Err(format!(
                "only backgammon, chess, checkers and Othello can be exported, but this is a record of {}",
                other.info().name
            ));
        }
    };
    Ok(GameFile { extension, title, text })
}

/// Whether a game of chess began from a position of Chess960.
pub(super) fn is_chess960(table: &Table) -> bool {
    table.game().config::<Chess>().is_some_and(|config| config.chess960.is_some())
}

/// Returns a game of Othello as the cells of its moves, without separators: `f5d6c3`. Passes are left out.
///
/// Othello programs play the moves from the usual position, which every game here has, and pass when they must.
/// [Egaroucid](https://github.com/Nyanyan/Egaroucid/blob/main/src/gui/function/input.hpp) reads it so
/// (`import_transcript_processing`), and drops the passes of games from Othello Quest.
///
/// # Errors
/// Returns an error if nobody has moved yet.
fn othello_transcript(table: &Table) -> Result<String, String> {
    let moves: String = table.plies().filter_map(|ply| Some(ply.played?.1)).collect();
    if moves.is_empty() { Err("this game has no moves yet".to_owned()) } else { Ok(moves + "\n") }
}

// The place where a game was played, for the files that other programs read.

/// The place where a game was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The repository: `owner/name`.
    pub repository: String,
    /// The URL of the game's issue.
    pub issue_url: String,
}

// Exports a checkers table as [PDN](https://wiegerw.github.io/pdn/), the draughts variant of PGN: players, date, the
// moves without those taken back, and the result.

/// The maximum length of a line of moves.
const LINE_WIDTH: usize = 79;

/// Returns the game as PDN. An unfinished one stops at the current position. `place` is
/// `None` if it's unknown.
pub(super) fn write(table: &Table, place: Option<&Place>) -> String {
    let started_at =
        timestamp::pgn_date_and_time(table.history().first().map_or(Timestamp::EPOCH, |event| event.timestamp));
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
pub(crate) fn player_name(table: &Table, seat: Seat) -> String {
    match table.player(seat) {
        Some(Player::Computer(level)) => format!("Computer (level {})", level.number()),
        Some(Player::Crowd) => "Crowd".to_owned(),
        Some(player) => player.name().to_owned(),
        None => "?".to_owned(),
    }
}
