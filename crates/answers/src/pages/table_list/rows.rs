//! The rows of the list of tables: made of a record, written as a line of Markdown, and read back from one.

use chrono::{DateTime, NaiveDateTime};
use game::contract::Game;
use game::engine::Level;
use game::seat::Seat;
use games::registry::GameKind;
use standings::result::{Participants, result_of};
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::history::Occupant;
use table::table::Table;
use table::talk::comment::{Millis, is_login};

use crate::pages::markup::escape_login;

/// A time as a page shows it, which never changes by itself. Times of this form are in order as texts, too.
const TIME: &str = "%Y-%m-%d %H:%M UTC";

/// A row of the list.
pub(super) trait Row: Sized {
    /// Returns the number of its table.
    fn issue(&self) -> u64;

    /// Returns the row as a line, with the address of its issue.
    fn line(&self, address: &str) -> String;

    /// Reads the facts of a line, and the address in it, however the rest may be.
    fn parse(line: &str) -> Option<(Self, &str)>;

    /// Reads a line; `None` if it is not, to the last byte, the line of a row.
    fn parse_exact(line: &str) -> Option<Self> {
        let (row, address) = Self::parse(line)?;
        (row.line(address) == line).then_some(row)
    }
}

/// A table that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunningRow {
    pub(super) issue: u64,
    kind: GameKind,
    /// The names at the two seats, or for whom they are reserved; `None` where anyone can move.
    players: Option<[Option<String>; 2]>,
    to_move: Seat,
    since: String,
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResultRow {
    pub(super) issue: u64,
    pub(super) round: u32,
    kind: GameKind,
    /// The logins at the two seats; `None` where anyone could move.
    players: Option<[String; 2]>,
    winner: Option<Seat>,
    ended: String,
}

impl RunningRow {
    /// The head of the table that the rows are lines of.
    pub(super) const HEADER: &'static str =
        "| Table | Game | Players | Turn | Since |\n| --- | --- | --- | --- | --- |\n";

    /// Returns the row of a table; `None` if nothing is played there any more.
    pub(super) fn from_table(table: &AnyTable) -> Option<RunningRow> {
        let kind = table.kind();
        with_table!(table, table => running_at(table, kind))
    }

    /// Returns the place in the list: the newest turn comes first.
    pub(super) fn sort_key(&self) -> (&str, u64) {
        (&self.since, self.issue)
    }
}

fn running_at<G: Game>(table: &Table<G>, kind: GameKind) -> Option<RunningRow> {
    if table.status() != TableStatus::Playing {
        return None;
    }
    let named = |sitter: &Occupant| sitter.computer.is_some() || is_login(&sitter.login);
    let at = |seat| table.occupant(seat).filter(|sitter| named(sitter)).map(|sitter| sitter.name().to_owned());
    Some(RunningRow {
        issue: table.issue(),
        kind,
        players: table.terms().open.is_none().then(|| Seat::BOTH.map(at)),
        to_move: table.player_to_move(),
        since: time(table.state().turn_started_at())?,
    })
}

impl Row for RunningRow {
    fn issue(&self) -> u64 {
        self.issue
    }

    fn line(&self, address: &str) -> String {
        let player = |seat: Seat| {
            let name = self.kind.info().side_name(seat);
            let login = self.players.as_ref().and_then(|players| players[seat.index()].as_deref());
            login.map_or_else(|| format!("{name}, open to anyone"), |login| person(login, &name))
        };
        let players = match self.players {
            Some(_) => Seat::BOTH.map(player).join(" · "),
            None => "anyone".to_owned(),
        };
        let (title, whose) = (self.kind.info().title, player(self.to_move));
        format!("| [#{}]({address}) | {title} | {players} | {whose} | {} |", self.issue, self.since)
    }

    fn parse(line: &str) -> Option<(Self, &str)> {
        let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let [table, title, players, whose, since] = cells[..] else { return None };
        let (issue, address) = linked(table)?;
        let kind = *GameKind::ALL.iter().find(|kind| kind.info().title == title)?;
        let sides = sides(kind);
        let both = players.split_once(" · ");
        let players = both.map(|(one, two)| [read_person(one, &sides[0]), read_person(two, &sides[1])]);
        // Which cells are right is seen when the line is written again.
        let second = whose == format!("{}, open to anyone", sides[1]) || whose.ends_with(&format!(" ({})", sides[1]));
        let to_move = if second { Seat::Second } else { Seat::First };
        Some((RunningRow { issue, kind, players, to_move, since: read_time(since)? }, address))
    }
}

impl ResultRow {
    /// Returns the row of a game that has ended; `None` for one that counts nowhere.
    pub(super) fn from_table(table: &AnyTable) -> Option<ResultRow> {
        let result = result_of(table)?;
        let players = match result.participants {
            Participants::Seated { players, .. } => Some(players.map(|player| player.login)),
            Participants::Open(_) => None,
            Participants::Computer { player, seat, level, .. } => {
                let mut players = [player.login, Occupant::computer(level).name().to_owned()];
                if seat == Seat::Second {
                    players.reverse();
                }
                Some(players)
            }
        };
        let winner = with_table!(table, table => match table.status() {
            TableStatus::Won(seat) => Some(seat),
            _ => None,
        });
        let (issue, round, kind) = (table.issue(), table.round(), table.kind());
        Some(ResultRow { issue, round, kind, players, winner, ended: time(result.ended_at)? })
    }

    /// Returns the place in the list: the newest result comes first.
    pub(super) fn sort_key(&self) -> (&str, u64, u32) {
        (&self.ended, self.issue, self.round)
    }

    /// Returns the outcome: "alice (X) beat bob (O)".
    fn outcome(&self) -> String {
        let sides = sides(self.kind);
        match (&self.players, self.winner) {
            (Some(players), winner) => {
                let winner = winner.map(Seat::index);
                let deed = if winner.is_some() { "beat" } else { "drew with" };
                let [one, two] = if winner == Some(1) { [1, 0] } else { [0, 1] };
                format!("{} {deed} {}", person(&players[one], &sides[one]), person(&players[two], &sides[two]))
            }
            (None, Some(seat)) => format!("{} won the open game", sides[seat.index()]),
            (None, None) => "Nobody won the open game".to_owned(),
        }
    }

    /// Reads the outcome: the players by their seats, and the winner.
    fn read_outcome(text: &str, kind: GameKind) -> Option<(Option<[String; 2]>, Option<Seat>)> {
        let sides = sides(kind);
        if let Some(who) = text.strip_suffix(" won the open game") {
            return Some((None, Seat::BOTH.into_iter().find(|seat| sides[seat.index()] == who)));
        }
        let two = |deed: &str| text.split_once(deed);
        let in_order = |(one, two): (&str, &str)| Some([read_person(one, &sides[0])?, read_person(two, &sides[1])?]);
        if let Some(players) = two(" drew with ") {
            return Some((Some(in_order(players)?), None));
        }
        let (one, two) = two(" beat ")?;
        let (players, winner) = match in_order((one, two)) {
            Some(players) => (players, Seat::First),
            None => (in_order((two, one))?, Seat::Second),
        };
        Some((Some(players), Some(winner)))
    }
}

impl Row for ResultRow {
    fn issue(&self) -> u64 {
        self.issue
    }

    fn line(&self, address: &str) -> String {
        let round = if self.round > 1 { format!(", round {}", self.round) } else { String::new() };
        let (outcome, game) = (self.outcome(), self.kind.info().name);
        format!("- {outcome} at {game}, [#{}]({address}){round}, {}", self.issue, self.ended)
    }

    fn parse(line: &str) -> Option<(Self, &str)> {
        let (rest, ended) = line.strip_prefix("- ")?.rsplit_once(", ")?;
        let (rest, round) = match rest.rsplit_once(", round ") {
            Some((rest, round)) => (rest, round.parse().ok()?),
            None => (rest, 1),
        };
        let (rest, link) = rest.rsplit_once(", ")?;
        let (issue, address) = linked(link)?;
        let (outcome, name) = rest.rsplit_once(" at ")?;
        let kind = GameKind::from_name(name)?;
        let (players, winner) = ResultRow::read_outcome(outcome, kind)?;
        Some((ResultRow { issue, round, kind, players, winner, ended: read_time(ended)? }, address))
    }
}

/// Returns the names of both sides as people read them.
fn sides(kind: GameKind) -> [String; 2] {
    Seat::BOTH.map(|seat| kind.info().side_name(seat))
}

/// Returns a player as Markdown: "alice (X)".
fn person(name: &str, seat: &str) -> String {
    // No login has a space.
    if name.contains(' ') { format!("{name} ({seat})") } else { format!("**{}** ({seat})", escape_login(name)) }
}

/// Reads the login of a player at a seat; `None` where there is none.
fn read_person(text: &str, seat: &str) -> Option<String> {
    let computer = Occupant::computer(Level::MEDIUM).name().to_owned();
    if text.strip_suffix(&format!(" ({seat})")) == Some(&computer) {
        return Some(computer);
    }
    let name = text.strip_prefix("**")?.strip_suffix(&format!("** ({seat})"))?.replace("\\_", "_");
    is_login(&name).then_some(name)
}

/// Reads a link to an issue: its number and its address, which is written anew in any case.
fn linked(text: &str) -> Option<(u64, &str)> {
    let (number, address) = text.strip_prefix("[#")?.strip_suffix(')')?.split_once("](")?;
    number.parse::<u32>().ok().filter(|number| *number > 0).map(|number| (u64::from(number), address))
}

/// Returns a time as a page shows it; `None` if no calendar has it.
fn time(at: Millis) -> Option<String> {
    let at = DateTime::from_timestamp_millis(i64::try_from(at).ok()?)?;
    read_time(&at.format(TIME).to_string())
}

/// Reads a time of a page; `None` if it is not, to the last byte, one of our form.
fn read_time(text: &str) -> Option<String> {
    let at = NaiveDateTime::parse_from_str(text, TIME).ok()?;
    let again = at.format(TIME).to_string();
    (again == text && text.len() == "2026-11-22 10:40 UTC".len()).then_some(again)
}
