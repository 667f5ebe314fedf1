//! The export of a chess table as PGN: who played where and when, the moves that still count, and how the game ended.

use std::collections::BTreeMap;

use game::contract::{Interop, Rules};
use game::seat::Seat;
use games::chess::config::GameConfig;
use games::chess::game::Chess;
use games::chess::pgn::start::{move_number, needs_chess960_castling};
use games::chess::pgn::writer::{PgnOutput, format as print};
use games::chess::pgn::{DRAW, UNFINISHED, WINS};
use table::calendar::pgn_date_and_time;
use table::game_state::TableStatus;
use table::history::{EventKind, Occupant};
use table::table::Table;

/// The most people that are named for one side of an open table.
const MAX_NAMES: usize = 20;

/// Returns the game. `ending` is how it ended, in words; `place` the repository, if it is known, and the address of the issue.
pub(super) fn write(table: &Table<Chess>, ending: &str, place: Option<&[String; 2]>) -> String {
    let began = pgn_date_and_time(table.history().first().map_or(0, |event| event.timestamp));
    let at = format!("table {}", table.issue());
    // A game that was played elsewhere keeps what its file said.
    let elsewhere = table.imported();
    let imported = |name: &str| elsewhere.and_then(|imported| imported.tag(name)).map(str::to_owned);
    let own = |value: String| if elsewhere.is_some() { "?".to_owned() } else { value };
    let [event, site] = match place {
        Some([repository, address]) => [format!("{repository}, {at}"), address.clone()],
        None => [own(format!("Play by Commit, {at}")), "?".to_owned()],
    };
    let (event, site) = (imported("Event").unwrap_or(event), imported("Site").unwrap_or(site));
    let round = imported("Round").unwrap_or_else(|| own(table.round().to_string()));
    let date = match (elsewhere, &began) {
        (Some(_), _) => imported("Date"),
        (None, began) => began.as_ref().map(|[day, _]| day.clone()),
    };
    let date = date.unwrap_or_else(|| "????.??.??".to_owned());
    let [white, black] = Seat::BOTH.map(|seat| name(table, seat));
    let last = table.history().last().map(|event| &event.kind);
    let (result, termination) = match table.status() {
        TableStatus::Won(seat) => (WINS[seat.index()], Some("normal")),
        TableStatus::Draw => (DRAW, Some("normal")),
        TableStatus::Aborted => (UNFINISHED, Some("abandoned")),
        TableStatus::Playing | TableStatus::Moved(_) => (UNFINISHED, Some("unterminated")),
    };
    let termination = match last {
        Some(last) if last.is_timeout() => Some("time forfeit"),
        Some(EventKind::ImportedEnd { reason, .. }) => reason.map(|_| "abandoned"),
        _ => termination,
    };
    let fen = table.timeline().start_position().position().fen;
    let number = move_number(&fen);
    let limit = table.terms().per_move.map_or_else(|| own("-".to_owned()), |limit| format!("1/{}", limit / 1000));
    let mut tags = vec![("TimeControl", imported("TimeControl").unwrap_or(limit))];
    tags.extend(termination.map(|termination| ("Termination", termination.to_owned())));
    match (elsewhere, began) {
        (Some(_), _) => {
            let kept = ["UTCDate", "UTCTime", "WhiteElo", "BlackElo"].into_iter();
            tags.extend(kept.filter_map(|name| Some((name, imported(name)?))));
        }
        (None, Some([day, time])) => tags.extend([("UTCDate", day), ("UTCTime", time)]),
        (None, None) => {}
    }
    for (seat, tag) in [(Seat::First, "WhiteType"), (Seat::Second, "BlackType")] {
        let kind = if table.occupants().computer_at(seat).is_some() { "program" } else { "human" };
        tags.push((tag, kind.to_owned()));
    }
    let chess960 = table.config().chess960.is_some() || needs_chess960_castling(&fen);
    if chess960 {
        tags.push(("Variant", "Chess960".to_owned()));
    }
    if chess960
        || !Chess::start(&GameConfig::default())
            .is_ok_and(|usual| usual.position() == table.timeline().start_position().position())
    {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", fen)]);
    }
    print(&PgnOutput {
        roster: [event, site, date, round, white, black, result.to_owned()],
        tags,
        first_move_number: number,
        black_moves_first: table.timeline().start_position().side_to_move() == Seat::Second,
        moves: table.plies().filter_map(|ply| Some(ply.played?.1.to_owned())).collect(),
        comment: (table.status() != TableStatus::Playing).then(|| ending.to_owned()),
    })
}

/// Returns the name of who plays a side. At an open table these are all who have moved for it, the busiest first, with colons
/// between them.
fn name(table: &Table<Chess>, seat: Seat) -> String {
    match table.occupant(seat) {
        Some(Occupant { computer: Some(level), .. }) => format!("Computer (level {})", level.number()),
        Some(sitter) => sitter.login.clone(),
        None if table.terms().open.is_some() => {
            let mut moves: BTreeMap<String, usize> = BTreeMap::new();
            for ply in table.plies().filter(|ply| ply.seat == seat) {
                let login = if ply.by_computer { "Computer" } else { table.login_of(ply.event.by).unwrap_or("?") };
                *moves.entry(login.to_owned()).or_default() += 1;
            }
            let mut movers: Vec<(String, usize)> = moves.into_iter().collect();
            movers.sort_by_key(|(_, moves)| std::cmp::Reverse(*moves));
            let names: Vec<String> = movers.into_iter().take(MAX_NAMES).map(|(login, _)| login).collect();
            if names.is_empty() { "?".to_owned() } else { names.join(":") }
        }
        None => "?".to_owned(),
    }
}
