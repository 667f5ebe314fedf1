//! Test tables: games played by given or random moves.

use std::any::Any;
use testkit::{place, resignation};

use game::{Board, Options, Rules, Seat};
use games::backgammon::{Backgammon, CubeAction, CubeMove, Move};
use games::{AnyMove, RegisteredGame};
use table::{Event, EventKind, IssueNumber, Key, Table, TableStatus, Terms, Timestamp, UserId};

/// Downcasts a board to its type.
#[track_caller]
pub(crate) fn downcast_board<B: Board>(board: Box<dyn Board>) -> B {
    *(board as Box<dyn Any>).downcast().unwrap()
}

/// A table under construction.
#[derive(Clone)]
pub(crate) struct TableBuilder {
    pub(crate) table: Table,
    key: Key,
    random_state: u64,
    logins: [&'static str; 2],
}

/// The maximum length of a random game, in plies.
const MAX_PLIES: usize = 3_000;

impl TableBuilder {
    /// Opens a table as the first of the two players, with the options of `/new`.
    pub(crate) fn open<G: RegisteredGame>(options: &str, logins: [&'static str; 2]) -> TableBuilder {
        let mut parsed = Options::default();
        for word in options.split_whitespace() {
            match word.split_once('=') {
                Some((key, value)) => parsed.pairs.push((key.to_owned(), value.to_owned())),
                None => parsed.words.push(word.to_owned()),
            }
        }
        let start = G::KIND.configure(&mut parsed).unwrap().unwrap();
        let table = Table::new(IssueNumber::new(1), 1, start, Terms::default());
        let mut builder = TableBuilder { table, key: Key::from_entropy([7; 32]), random_state: 2026, logins };
        builder.apply_event(Seat::First, EventKind::opening(None));
        builder
    }

    /// Seeds the dice and the random moves.
    pub(crate) fn seed(mut self, seed: u8) -> TableBuilder {
        self.key = Key::from_entropy([seed; 32]);
        self.random_state = u64::from(seed);
        self
    }

    /// Applies an event by a seat.
    #[track_caller]
    pub(crate) fn apply_event(&mut self, seat: Seat, kind: EventKind) {
        let comment = self.table.history().len() as u64;
        let (by, login) = (1001 + seat.index() as u64, self.logins[seat.index()]);
        let source = place(1, comment);
        let event = Event {
            kind,
            offers_draw: false,
            votes: Vec::new(),
            time_away: std::time::Duration::ZERO,
            clock_start: None,
            effects: Vec::new(),
            key: None,
            seat: Some(seat),
            author: UserId::new(by),
            source,
            timestamp: Timestamp::from_millis(1_760_000_000_000 + comment * 60_000),
        };
        self.table = self.table.clone().append(event, login, Some(&self.key)).unwrap();
    }

    /// Plays moves in a player's notation.
    #[track_caller]
    pub(crate) fn play(mut self, moves: &str) -> TableBuilder {
        for text in moves.split_whitespace() {
            let mv = self.table.game().parse_move(text).unwrap();
            self.play_move(mv);
        }
        self
    }

    #[track_caller]
    pub(crate) fn play_move(&mut self, mv: AnyMove) {
        let notation = self.table.game().notation(&mv);
        self.apply_event(self.table.player_to_move(), EventKind::Move { notation, mv });
    }

    pub(crate) fn random_below(&mut self, count: usize) -> usize {
        self.random_state =
            self.random_state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random_state >> 33) as usize % count
    }

    /// Plays up to `plies` random plies.
    pub(crate) fn play_random(mut self, plies: usize) -> TableBuilder {
        for _ in 0..plies {
            if self.table.status() != TableStatus::Playing {
                break;
            }
            let legal = self.table.game().legal_moves();
            let index = self.random_below(legal.len());
            self.play_move(legal[index].clone());
        }
        self
    }

    pub(crate) fn play_to_end(self) -> TableBuilder {
        let played = self.play_random(MAX_PLIES);
        assert_ne!(played.table.status(), TableStatus::Playing);
        played
    }

    pub(crate) fn resign(mut self, seat: Seat) -> TableBuilder {
        self.apply_event(seat, resignation(self.table.game(), seat));
        self
    }

    pub(crate) fn build(&self) -> Table {
        self.table.clone()
    }

    /// Plays sensibly: home points and safety first, with a double now and then.
    pub(crate) fn play_sensibly(mut self, plies: usize) -> Self {
        for _ in 0..plies {
            if self.table.status() != TableStatus::Playing {
                break;
            }
            let game = self.table.game().downcast::<Backgammon>().unwrap().clone();
            let cube_move = |cube| Move::Cube(CubeMove { cube });
            let own = game.side_to_move;
            let mut legal = game.legal_moves();
            let ahead = i64::from(game.board.pips(own.other())) - i64::from(game.board.pips(own));
            if legal.contains(&cube_move(CubeAction::Roll)) {
                self.play_move(AnyMove::new(cube_move(if ahead > 12 { CubeAction::Double } else { CubeAction::Roll })));
                continue;
            }
            if legal.contains(&cube_move(CubeAction::Take)) {
                self.play_move(AnyMove::new(cube_move(if ahead > -25 { CubeAction::Take } else { CubeAction::Drop })));
                continue;
            }
            let blots = |mv: &Move| {
                let Move::Play(steps) = mv else { return 0 };
                let after = steps.moves.iter().fold(game.board, |board, step| board.with_step(own, *step));
                (1..=24).filter(|point| after.count(own, *point) == 1).count() as i64 * 3
                    - (1..=6).filter(|point| after.count(own, *point) > 1).count() as i64
                    - i64::from(after.bar(own.other())) * 4
            };
            legal.sort_by_key(blots);
            self.play_move(AnyMove::new(legal.swap_remove(0)));
        }
        self
    }
}
