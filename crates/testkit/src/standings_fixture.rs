//! A state directory in memory, and finished games to record in it.

use std::time::Duration;

use crate::{place, resignation};
use std::collections::{BTreeMap, BTreeSet};

use game::Seat;
use games::tic_tac_toe::TicTacToe;
use games::{GameVariant, RegisteredGame, with_game};
use standings::audit::audit;
use standings::{StandingsAudit, count_result, files_needed};
use table::dice::parse_secret;
use table::{
    CommentId, Event, EventKind, IssueNumber, Key, OpenRule, Player, ResultNumber, RoundContext, Table, Terms,
    Timestamp, UserId,
};

pub const KINDS: [&str; 3] = ["tic-tac-toe", "ultimate-tic-tac-toe", "backgammon"];

pub const ALICE: Person<'static> = (1001, "alice");
pub const BOB: Person<'static> = (1002, "bob");
pub const CARL: Person<'static> = (1003, "carl");

/// A person: id and login.
pub type Person<'a> = (u64, &'a str);

/// How a game ends. The number is the index of the winner.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// The loser resigns.
    Won(usize),
    /// The loser runs out of time.
    Claimed(usize),
    /// The players agree to a draw.
    Drawn,
    /// The first seat gets three in a row; tic-tac-toe only.
    OnTheBoard,
}

/// The standings' files and the finished tables, by their paths.
#[derive(Clone, Default)]
pub struct StandingsFixture {
    pub files: BTreeMap<String, String>,
    pub records: Vec<(String, Table)>,
}

impl StandingsFixture {
    /// Counts a finished game as the bot's commit does. Returns its number in the standings.
    #[track_caller]
    pub fn finish(&mut self, table: Table) -> u64 {
        let needs = files_needed(&table);
        assert!(needs.len() <= 51 && !needs.is_empty());
        let read = needs.iter().filter_map(|path| Some((path.clone(), self.files.get(path)?.clone()))).collect();
        let counted = count_result(&table, &read).unwrap();
        let written: BTreeSet<_> = counted.files.iter().map(|(path, _)| path.clone()).collect();
        assert_eq!(written, needs.into_iter().collect(), "exactly the files that were read are written");
        self.records.push((format!("{}.json", table.issue()), counted.record_in(table)));
        self.files.extend(counted.files);
        counted.number.get()
    }

    /// Recounts all games.
    pub fn audit(&self) -> StandingsAudit {
        audit(self.records.iter().cloned(), &self.files)
    }

    /// Asserts that a recount gives exactly these files.
    #[track_caller]
    pub fn holds(&self) {
        let found = self.audit();
        assert_eq!(found.faults, Vec::<String>::new());
        assert_eq!(found.expected, self.files);
        assert_eq!(found.results, self.records.len());
    }
}

pub fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

/// Returns the table with this number in the standings.
pub fn numbered(table: Table, number: Option<u64>) -> Table {
    table.with_result_number(number.map(ResultNumber::new))
}

/// Returns a finished game.
pub fn game(kind: &str, issue: u64, ended: u64, people: [Person<'_>; 2], end: End) -> Table {
    let kind = GameVariant::from_name(kind).expect("the name of a game").kind;
    with_game!(kind, G => finished::<G>(issue, ended, people, end))
}

/// Returns an open game on a big board with `people` players in turn. X completes a diagonal after 211 moves.
pub fn open_game(issue: u64, ended: u64, people: u64) -> Table {
    let logins: Vec<String> = (0..people)
        .map(|at| ["alice", "bob", "carl"].get(at as usize).map_or(format!("mover{at}"), |&login| login.to_owned()))
        .collect();
    let people: Vec<Person<'_>> = (1001..).zip(logins.iter().map(String::as_str)).collect();
    if people.len() > 9 { open(issue, ended, &people, "size=15 k=15") } else { open_games(issue, ended, &people) }
}

/// Returns an open game of tic-tac-toe that X wins, played by these people in turn.
pub fn open_games(issue: u64, ended: u64, people: &[Person<'_>]) -> Table {
    open(issue, ended, people, "")
}

fn open(issue: u64, ended: u64, people: &[Person<'_>], options: &str) -> Table {
    let terms = Terms { open: Some(OpenRule { gap: 0 }), ..Terms::default() };
    let mut record = set_up::<TicTacToe>(issue, terms, options);
    record = append_event(record, EventKind::opening(None), None, people[0], 4000);
    for turn in 0.. {
        if record.has_result() {
            break;
        }
        let mv = record.game().legal_moves()[0].clone();
        let notation = record.game().notation(&mv);
        let seat = record.player_to_move();
        record = append_event(record, EventKind::Move { notation, mv }, Some(seat), people[turn % people.len()], ended);
    }
    record
}

/// Returns an unfinished game.
pub fn going_on() -> Table {
    seated::<TicTacToe>(1, [(1001, "alice"), (1002, "bob")])
}

pub fn aborted() -> Table {
    let record = seated::<TicTacToe>(1, [(1001, "alice"), (1002, "bob")]);
    append_event(record, EventKind::Abort, None, (1003, "carl"), 5000)
}

/// Returns a game that its only player resigned. The other seat was reserved for someone who never came.
pub fn given_up_alone() -> Table {
    let opponent = Some(Player::invited("bob"));
    let record = set_up::<TicTacToe>(1, Terms::default(), "");
    let alice = (1001, "alice");
    let record = append_event(record, EventKind::opening(opponent), Some(Seat::First), alice, 4000);
    let record = append_event(record, EventKind::Resign, Some(Seat::First), alice, 5000);
    assert!(record.has_result());
    record
}

fn finished<G: RegisteredGame>(issue: u64, ended: u64, people: [Person<'_>; 2], end: End) -> Table {
    let mut record = seated::<G>(issue, people);
    let by = |record, kind, at: usize| append_event(record, kind, Some(Seat::BOTH[at]), people[at], ended);
    match end {
        End::Won(winner) => {
            record = play_until_moved(record, people, 1 - winner);
            let loser = Seat::BOTH[1 - winner];
            let kind = resignation(record.game(), loser);
            record = by(record, kind, loser.index());
        }
        End::Drawn => {
            for _ in Seat::BOTH {
                let mv = record.game().legal_moves().swap_remove(0);
                let notation = record.game().notation(&mv);
                let seat = record.player_to_move().index();
                record = by(record, EventKind::Move { notation, mv }, seat);
            }
            record = by(record, EventKind::OfferDraw, 0);
            record = by(record, EventKind::AcceptDraw, 1);
        }
        End::Claimed(winner) => {
            record = play_until_moved(record, people, 1 - winner);
            record = play_until_moved(record, people, winner);
            record = by(record, EventKind::Claim, winner);
        }
        End::OnTheBoard => {
            for text in ["a1", "b1", "a2", "b2", "a3"] {
                let mv = record.game().parse_move(text).unwrap();
                let seat = record.player_to_move();
                record = by(record, EventKind::Move { notation: text.to_owned(), mv }, seat.index());
            }
        }
    }
    assert!(record.has_result());
    record
}

/// Plays until `who` has moved and the opponent is to move.
fn play_until_moved(mut record: Table, people: [Person<'_>; 2], who: usize) -> Table {
    loop {
        let (seat, mv) = (record.player_to_move(), record.game().legal_moves()[0].clone());
        let notation = record.game().notation(&mv);
        record = append_event(record, EventKind::Move { notation, mv }, Some(seat), people[seat.index()], 4001);
        if seat.index() == who && record.player_to_move() != seat {
            return record;
        }
    }
}

/// Returns a table with both players seated.
fn seated<G: RegisteredGame>(issue: u64, people: [Person<'_>; 2]) -> Table {
    let terms = Terms { per_move: Some(Duration::from_millis(100)), ..Terms::default() };
    let new = EventKind::opening(None);
    let record = append_event(set_up::<G>(issue, terms, ""), new, Some(Seat::First), people[0], 4000);
    append_event(record, EventKind::Join, Some(Seat::Second), people[1], 4000)
}

fn set_up<G: RegisteredGame>(issue: u64, terms: Terms, options: &str) -> Table {
    let start = G::KIND.configure(&mut crate::options(options)).unwrap().unwrap();
    Table::new(IssueNumber::new(issue), 1, start, terms)
}

fn append_event(record: Table, kind: EventKind, seat: Option<Seat>, (by, login): Person<'_>, at: u64) -> Table {
    let round = RoundContext {
        issue: record.issue(),
        round: 1,
        author: UserId::new(1),
        comment: CommentId::BODY,
        time: Timestamp::from_millis(4000),
    };
    let key = Key::derive(&parse_secret("0123456789abcdef0123456789abcdef").unwrap(), &round);
    let source = place(record.issue().get(), record.history().len() as u64);
    let event = Event {
        kind,
        offers_draw: false,
        votes: Vec::new(),
        time_away: Duration::ZERO,
        clock_start: None,
        effects: Vec::new(),
        key: None,
        seat,
        author: UserId::new(by),
        source,
        timestamp: Timestamp::from_millis(at),
    };
    record.append(event, login, Some(&key)).unwrap()
}
