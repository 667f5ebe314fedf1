//! Random games as records.

use game::Seat;
use games::{RegisteredGame, start};
use interop::export;
use table::{CommentId, CommentRef, Event, EventKind, IssueNumber, Player, Table, Terms, Timestamp, UserId};
use testkit::resignation;

const LOGINS: [&str; 2] = ["ann", "ben"];

/// Returns a table where ann and ben played the legal moves that these numbers choose, and then perhaps resigned.
pub(crate) fn play<G: RegisteredGame>(config: G::Config, choices: &[usize], resigns: bool) -> Table {
    let terms = Terms::default();
    let table = Table::new(IssueNumber::new(7), 1, start::<G>(config).unwrap(), terms);
    let mut table = append(table, EventKind::opening(Some(Player::invited(LOGINS[1]))), Seat::First);
    for choice in choices {
        let moves = table.game().legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[choice % moves.len()].clone();
        let (notation, seat) = (table.game().notation(&mv), table.player_to_move());
        table = append(table, EventKind::Move { notation, mv }, seat);
    }
    if resigns && table.is_playing() {
        let seat = table.player_to_move();
        let kind = resignation(table.game(), seat);
        table = append(table, kind, seat);
    }
    table
}

fn append(table: Table, kind: EventKind, seat: Seat) -> Table {
    let source = CommentRef { issue: IssueNumber::new(7), comment: CommentId::new(table.history().len() as u64) };
    let (by, timestamp, effects) = (seat.index() as u64 + 1, 0, Vec::new());
    let event = Event {
        time_away: std::time::Duration::ZERO,
        clock_start: None,
        kind,
        seat: Some(seat),
        author: UserId::new(by),
        source,
        timestamp: Timestamp::from_millis(timestamp),
        offers_draw: false,
        votes: Vec::new(),
        effects,
        key: None,
    };
    table.append(event, LOGINS[seat.index()], None).unwrap()
}

pub(crate) fn export(table: &Table) -> String {
    export::export(table, "", None).unwrap().text
}

/// Returns the value of a tag.
pub(crate) fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(&format!("[{name} \""))?.strip_suffix("\"]"))
}
