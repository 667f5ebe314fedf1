//! Exports a chess table as PGN: players, dates, the moves without those taken back, and the result.

use std::collections::BTreeMap;

use game::{PositionJson, Rules, Seat};
use games::chess::pgn::{DRAW, UNFINISHED, WINS, format as print, move_number, needs_chess960_castling};
use games::chess::{Chess, GameConfig, PgnOutput};
use table::timestamp::pgn_date_and_time;
use table::{EventKind, MadeBy, Ply, Table, TableStatus, Timestamp};

use crate::export::is_chess960;
use crate::{Place, export};

/// The maximum number of players named for one side of an open game.
const MAX_NAMES: usize = 20;

/// Returns the game as PGN.
///
/// `ending` is the result as a sentence. `place` is `None` if it's unknown.
pub(super) fn write(table: &Table, ending: &str, place: Option<&Place>) -> String {
    let started_at = pgn_date_and_time(table.history().first().map_or(Timestamp::EPOCH, |event| event.timestamp));
    let table_name = format!("table {}", table.issue());
    // An imported game keeps the tags of its file.
    let imported_tags = table.imported();
    let imported_tag = |name: &str| Some(imported_tags?.tag(name)?.to_owned());
    let unless_imported = |value: String| if imported_tags.is_some() { "?".to_owned() } else { value };
    let [event, site] = match place {
        Some(Place { repository, issue_url }) => [format!("{repository}, {table_name}"), issue_url.clone()],
        None => [unless_imported(format!("Play by Commit, {table_name}")), "?".to_owned()],
    };
    let (event, site) = (imported_tag("Event").unwrap_or(event), imported_tag("Site").unwrap_or(site));
    let round = imported_tag("Round").unwrap_or_else(|| unless_imported(table.round().to_string()));
    let date = match imported_tags {
        Some(_) => imported_tag("Date"),
        None => started_at.as_ref().map(|[day, _]| day.clone()),
    };
    let date = date.unwrap_or_else(|| "????.??.??".to_owned());
    let [white, black] = Seat::BOTH.map(|seat| player_name(table, seat));
    let (result, termination) = result(table);
    let start = table.timeline().start_position();
    let fen = start.fen().unwrap_or_default();
    let first_move_number = move_number(&fen);
    let bank = table.terms().bank.map_or(String::new(), |bank| format!(":{}", bank.as_secs()));
    let limit = table
        .terms()
        .per_move
        .map_or_else(|| unless_imported("-".to_owned()), |limit| format!("1/{}{bank}", limit.as_secs()));
    let mut tags = vec![("TimeControl", imported_tag("TimeControl").unwrap_or(limit))];
    tags.extend(termination.map(|termination| ("Termination", termination.to_owned())));
    match (imported_tags, started_at) {
        (Some(_), _) => {
            let kept_names = ["UTCDate", "UTCTime", "WhiteElo", "BlackElo"].into_iter();
            tags.extend(kept_names.filter_map(|name| Some((name, imported_tag(name)?))));
        }
        (None, Some([day, time])) => tags.extend([("UTCDate", day), ("UTCTime", time)]),
        (None, None) => {}
    }
    for (seat, tag) in [(Seat::First, "WhiteType"), (Seat::Second, "BlackType")] {
        let kind = if table.players().computer_at(seat).is_some() { "program" } else { "human" };
        tags.push((tag, kind.to_owned()));
    }
    let chess960 = is_chess960(table) || needs_chess960_castling(&fen);
    if chess960 {
        tags.push(("Variant", "Chess960".to_owned()));
    }
    if chess960 || !Chess::start(&GameConfig::default()).is_ok_and(|usual| usual.fen() == start.fen()) {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", fen)]);
    }
    // Not every clock of an imported game comes from its file. A move without one has the time of the event before it, and the first
    // move of Black takes the seat, which starts their clock.
    let full_time = table.terms().per_move.map(|per_move| per_move + table.terms().bank.unwrap_or_default());
    let is_known = |ply: &Ply<'_>| {
        let before = ply.event_index.checked_sub(1).and_then(|at| table.history().get(at));
        imported_tags.is_none()
            || ply.clock < full_time && before.is_some_and(|before| before.timestamp < ply.event.timestamp)
    };
    print(&PgnOutput {
        roster: [event, site, date, round, white, black, result.to_owned()],
        tags,
        first_move_number,
        black_moves_first: start.side_to_move() == Seat::Second,
        moves: table
            .plies()
            .filter_map(|ply| Some((ply.played?.1.to_owned(), ply.clock.filter(|_| is_known(&ply)))))
            .collect(),
        comment: if table.status() == TableStatus::Playing { None } else { Some(ending.to_owned()) },
    })
}

/// Returns the result, and the tag `Termination`.
fn result(table: &Table) -> (&'static str, Option<&'static str>) {
    let (result, termination) = match table.status() {
        TableStatus::Won(seat) => (WINS[seat.index()], Some("normal")),
        TableStatus::Draw => (DRAW, Some("normal")),
        TableStatus::Aborted => (UNFINISHED, Some("abandoned")),
        TableStatus::Playing | TableStatus::Moved(_) => (UNFINISHED, Some("unterminated")),
    };
    match table.history().last().map(|event| &event.kind) {
        Some(last_event) if last_event.is_timeout() => (result, Some("time forfeit")),
        Some(EventKind::ImportedEnd { reason, .. }) => (result, reason.map(|_| "abandoned")),
        _ => (result, termination),
    }
}

/// Returns the name of the player of a side.
///
/// In open games, these are all people who moved for it, most active first, separated by colons.
fn player_name(table: &Table, seat: Seat) -> String {
    if table.terms().open.is_none() {
        return export::player_name(table, seat);
    }
    let mut moves: BTreeMap<String, usize> = BTreeMap::new();
    for ply in table.plies().filter(|ply| ply.seat == seat) {
        let login =
            if ply.made_by == MadeBy::Computer { "Computer" } else { table.login_of(ply.event.author).unwrap_or("?") };
        *moves.entry(login.to_owned()).or_default() += 1;
    }
    let mut players: Vec<(String, usize)> = moves.into_iter().collect();
    players.sort_by_key(|(_, moves)| std::cmp::Reverse(*moves));
    let names: Vec<String> = players.into_iter().take(MAX_NAMES).map(|(login, _)| login).collect();
    if names.is_empty() { "?".to_owned() } else { names.join(":") }
}
