//! Rows of the list of tables: built from a record, written as a line of Markdown, and parsed from one.

use chrono::{DateTime, NaiveDateTime};
use game::contract::Game;
use game::engine::Level;
use game::seat::Seat;
use games::registry::{GameKind, GameVariant};
use standings::result::{Participants, result_of};
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::history::Occupant;
use table::ids::IssueNumber;
use table::table::Table;
use table::talk::comment::is_login;
use table::timestamp::Timestamp;

use crate::pages::markup::escape_login;

/// The format of times on pages. Times in this format sort as text.
const TIME_FORMAT: &str = "%Y-%m-%d %H:%M UTC";

/// A row of the list.
pub(super) trait Row: Sized {
    /// Returns the issue number of its table.
    fn issue(&self) -> IssueNumber;

    /// Returns the row as a line of Markdown, with the URL of its issue.
    fn line(&self, url: &str) -> String;

    /// Parses a line loosely, and returns the row and its URL. The result may print differently.
    fn parse(line: &str) -> Option<(Self, &str)>;

    /// Parses a line; `None` if it isn't exactly how a row prints.
    fn parse_exact(line: &str) -> Option<Self> {
        let (row, url) = Self::parse(line)?;
        (row.line(url) == line).then_some(row)
    }
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunningRow {
    pub(super) issue: IssueNumber,
    game: GameVariant,
    /// The players or reserved logins, `None` for an open seat; `None` as a whole for open games.
    players: Option<[Option<String>; 2]>,
    player_to_move: Seat,
    since: String,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResultRow {
    pub(super) issue: IssueNumber,
    pub(super) round: u32,
    game: GameVariant,
    /// The players' names; `None` for open games.
    players: Option<[String; 2]>,
    winner: Option<Seat>,
    ended: String,
}

impl RunningRow {
    /// The header of the Markdown table of games in progress.
    pub(super) const HEADER: &'static str =
        "| Table | Game | Players | Turn | Since |\n| --- | --- | --- | --- | --- |\n";

    /// Returns the row of a table; `None` unless its game is in progress.
    pub(super) fn from_table(table: &AnyTable) -> Option<RunningRow> {
        let game = table.variant();
        with_table!(table, table => running_row(table, game))
    }

    /// Returns the sort key. The newest turn has the greatest key.
    pub(super) fn sort_key(&self) -> (&str, IssueNumber) {
        (&self.since, self.issue)
    }
}

fn running_row<G: Game>(table: &Table<G>, game: GameVariant) -> Option<RunningRow> {
    if table.status() != TableStatus::Playing {
        return None;
    }
    let has_name = |occupant: &Occupant| occupant.computer.is_some() || is_login(&occupant.login);
    let name_at =
        |seat| table.occupant(seat).filter(|occupant| has_name(occupant)).map(|occupant| occupant.name().to_owned());
    Some(RunningRow {
        issue: table.issue(),
        game,
        players: if table.terms().open.is_some() { None } else { Some(Seat::BOTH.map(name_at)) },
        player_to_move: table.player_to_move(),
        since: format_time(table.state().turn_started_at())?,
    })
}

impl Row for RunningRow {
    fn issue(&self) -> IssueNumber {
        self.issue
    }

    fn line(&self, url: &str) -> String {
        let player = |seat: Seat| {
            let name = self.game.kind.info().side_name(seat);
            let login = self.players.as_ref().and_then(|players| players[seat.index()].as_deref());
            login.map_or_else(|| format!("{name}, open to anyone"), |login| format_player(login, &name))
        };
        let players = match self.players {
            Some(_) => Seat::BOTH.map(player).join(" · "),
            None => "anyone".to_owned(),
        };
        let (title, turn) = (self.game.title(), player(self.player_to_move));
        format!("| [#{}]({url}) | {title} | {players} | {turn} | {} |", self.issue, self.since)
    }

    fn parse(line: &str) -> Option<(Self, &str)> {
        let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let [table, title, players, turn, since] = cells[..] else { return None };
        let (issue, url) = parse_link(table)?;
        let game = GameVariant::all().find(|game| game.title() == title)?;
        let side_names = side_names(game.kind);
        let both = players.split_once(" · ");
        let players = both.map(|(one, two)| [parse_player(one, &side_names[0]), parse_player(two, &side_names[1])]);
        // This only guesses whose turn it is. `parse_exact` rejects wrong guesses.
        let is_second =
            turn == format!("{}, open to anyone", side_names[1]) || turn.ends_with(&format!(" ({})", side_names[1]));
        let player_to_move = if is_second { Seat::Second } else { Seat::First };
        Some((RunningRow { issue, game, players, player_to_move, since: parse_time(since)? }, url))
    }
}

impl ResultRow {
    /// Returns the row of a finished game; `None` if it doesn't count in the standings.
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
        let (issue, round, game) = (table.issue(), table.round(), table.variant());
        Some(ResultRow { issue, round, game, players, winner, ended: format_time(result.ended_at)? })
    }

    /// Returns the sort key. The newest result has the greatest key.
    pub(super) fn sort_key(&self) -> (&str, IssueNumber, u32) {
        (&self.ended, self.issue, self.round)
    }

    /// Returns the result: "alice (X) beat bob (O)".
    fn format_outcome(&self) -> String {
        let side_names = side_names(self.game.kind);
        match (&self.players, self.winner) {
            (Some(players), winner) => {
                let winner = winner.map(Seat::index);
                let verb = if winner.is_some() { "beat" } else { "drew with" };
                let [one, two] = if winner == Some(1) { [1, 0] } else { [0, 1] };
                format!(
                    "{} {verb} {}",
                    format_player(&players[one], &side_names[one]),
                    format_player(&players[two], &side_names[two])
                )
            }
            (None, Some(seat)) => format!("{} won the open game", side_names[seat.index()]),
            (None, None) => "Nobody won the open game".to_owned(),
        }
    }

    /// Parses a result: the players by seat, and the winner.
    fn parse_outcome(text: &str, kind: GameKind) -> Option<(Option<[String; 2]>, Option<Seat>)> {
        let side_names = side_names(kind);
        if let Some(who) = text.strip_suffix(" won the open game") {
            return Some((None, Seat::BOTH.into_iter().find(|seat| side_names[seat.index()] == who)));
        }
        let split_at = |verb: &str| text.split_once(verb);
        let in_order =
            |(one, two): (&str, &str)| Some([parse_player(one, &side_names[0])?, parse_player(two, &side_names[1])?]);
        if let Some(players) = split_at(" drew with ") {
            return Some((Some(in_order(players)?), None));
        }
        let (one, two) = split_at(" beat ")?;
        let (players, winner) = match in_order((one, two)) {
            Some(players) => (players, Seat::First),
            None => (in_order((two, one))?, Seat::Second),
        };
        Some((Some(players), Some(winner)))
    }
}

impl Row for ResultRow {
    fn issue(&self) -> IssueNumber {
        self.issue
    }

    fn line(&self, url: &str) -> String {
        let round = if self.round > 1 { format!(", round {}", self.round) } else { String::new() };
        let (outcome, game) = (self.format_outcome(), self.game.name());
        format!("- {outcome} at {game}, [#{}]({url}){round}, {}", self.issue, self.ended)
    }

    fn parse(line: &str) -> Option<(Self, &str)> {
        let (rest, ended) = line.strip_prefix("- ")?.rsplit_once(", ")?;
        let (rest, round) = match rest.rsplit_once(", round ") {
            Some((rest, round)) => (rest, round.parse().ok()?),
            None => (rest, 1),
        };
        let (rest, link) = rest.rsplit_once(", ")?;
        let (issue, url) = parse_link(link)?;
        let (outcome, name) = rest.rsplit_once(" at ")?;
        let game = GameVariant::from_name(name)?;
        let (players, winner) = ResultRow::parse_outcome(outcome, game.kind)?;
        Some((ResultRow { issue, round, game, players, winner, ended: parse_time(ended)? }, url))
    }
}

/// Returns the display names of both sides.
fn side_names(kind: GameKind) -> [String; 2] {
    Seat::BOTH.map(|seat| kind.info().side_name(seat))
}

/// Returns a player as Markdown: "**alice** (X)".
fn format_player(name: &str, seat: &str) -> String {
    // Logins have no spaces, unlike "the computer".
    if name.contains(' ') { format!("{name} ({seat})") } else { format!("**{}** ({seat})", escape_login(name)) }
}

/// Parses a player of this side; `None` if the text isn't one.
fn parse_player(text: &str, seat: &str) -> Option<String> {
    let computer = Occupant::computer(Level::MEDIUM).name().to_owned();
    if text.strip_suffix(&format!(" ({seat})")) == Some(&computer) {
        return Some(computer);
    }
    let name = text.strip_prefix("**")?.strip_suffix(&format!("** ({seat})"))?.replace("\\_", "_");
    is_login(&name).then_some(name)
}

/// Parses a link to an issue: its number and URL.
fn parse_link(text: &str) -> Option<(IssueNumber, &str)> {
    let (number, url) = text.strip_prefix("[#")?.strip_suffix(')')?.split_once("](")?;
    number.parse::<u32>().ok().filter(|number| *number > 0).map(|number| (IssueNumber::new(u64::from(number)), url))
}

/// Formats a time; `None` if it is out of range.
fn format_time(at: Timestamp) -> Option<String> {
    let at = DateTime::from_timestamp_millis(i64::try_from(at.as_millis()).ok()?)?;
    parse_time(&at.format(TIME_FORMAT).to_string())
}

/// Parses a time; `None` unless it is exactly in our format.
fn parse_time(text: &str) -> Option<String> {
    let at = NaiveDateTime::parse_from_str(text, TIME_FORMAT).ok()?;
    let printed = at.format(TIME_FORMAT).to_string();
    (printed == text && text.len() == "2026-11-22 10:40 UTC".len()).then_some(printed)
}
