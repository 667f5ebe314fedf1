//! Test tables: games played by given or random moves.

use std::any::Any;

use game::board::Board;
use game::contract::{Game, Rules};
use game::options::Options;
use game::seat::Seat;
use games::backgammon::game::Backgammon;
use games::backgammon::moves::{CubeAction, CubeMove, Move};
use table::any_table::AnyTable;
use table::dice::Key;
use table::game_state::TableStatus;
use table::history::{Event, EventKind};
use table::table::Table;
use table::talk::comment::Source;
use table::terms::Terms;

/// Downcasts a board to its type.
#[track_caller]
pub(crate) fn kind<B: Board>(board: Box<dyn Board>) -> B {
    *(board as Box<dyn Any>).downcast().unwrap()
}

/// A table under construction.
#[derive(Clone)]
pub(crate) struct Sitting<G: Game> {
    pub(crate) record: Table<G>,
    key: Key,
    chance: u64,
    logins: [&'static str; 2],
}

/// The maximum length of a random game, in plies.
const MAX_PLIES: usize = 3_000;

impl<G: Game> Sitting<G>
where
    AnyTable: From<Table<G>>,
{
    /// Opens a table as the first of the two players, with the options of `/new`.
    pub(crate) fn open(options: &str, logins: [&'static str; 2]) -> Sitting<G> {
        let mut given = Options::default();
        for word in options.split_whitespace() {
            match word.split_once('=') {
                Some((key, value)) => given.pairs.push((key.to_owned(), value.to_owned())),
                None => given.words.push(word.to_owned()),
            }
        }
        let record = Table::new(1, 1, G::configure(&mut given).unwrap(), Terms::default()).unwrap();
        let mut game = Sitting { record, key: Key::from_entropy([7; 32]), chance: 2026, logins };
        game.happens(Seat::First, EventKind::New { opponent: None, commitment: None });
        game
    }

    pub(crate) fn seed(mut self, seed: u8) -> Sitting<G> {
        self.key = Key::from_entropy([seed; 32]);
        self.chance = u64::from(seed);
        self
    }

    #[track_caller]
    pub(crate) fn happens(&mut self, seat: Seat, kind: EventKind<G::Move>) {
        let comment = self.record.history().len() as u64;
        let (by, login) = (1001 + seat.index() as u64, self.logins[seat.index()]);
        let source = Source { issue: 1, comment };
        let event = Event {
            kind,
            consequences: Vec::new(),
            key: None,
            seat: Some(seat),
            by,
            source,
            timestamp: 1_760_000_000_000 + comment * 60_000,
        };
        self.record = self.record.clone().append(event, login, Some(&self.key)).unwrap();
    }

    /// Plays moves in a player's notation.
    #[track_caller]
    pub(crate) fn play(mut self, moves: &str) -> Sitting<G> {
        for text in moves.split_whitespace() {
            let mv = self.record.game().parse_move(text).unwrap();
            self.mv(mv);
        }
        self
    }

    #[track_caller]
    pub(crate) fn mv(&mut self, mv: G::Move) {
        let notation = self.record.game().notation(&mv);
        self.happens(self.record.player_to_move(), EventKind::Move { notation, mv });
    }

    pub(crate) fn one_of(&mut self, count: usize) -> usize {
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) as usize % count
    }

    /// Plays up to `plies` random plies.
    pub(crate) fn by_chance(mut self, plies: usize) -> Sitting<G> {
        for _ in 0..plies {
            if self.record.status() != TableStatus::Playing {
                break;
            }
            let legal = self.record.game().legal_moves();
            let at = self.one_of(legal.len());
            self.mv(legal[at].clone());
        }
        self
    }

    pub(crate) fn ended(self) -> Sitting<G> {
        let played = self.by_chance(MAX_PLIES);
        assert_ne!(played.record.status(), TableStatus::Playing);
        played
    }

    pub(crate) fn resigns(mut self, seat: Seat) -> Sitting<G> {
        self.happens(seat, EventKind::Resign);
        self
    }

    pub(crate) fn table(&self) -> AnyTable {
        self.record.clone().into()
    }
}

impl Sitting<Backgammon> {
    /// Plays sensibly: home points and safety first, with a double now and then.
    pub(crate) fn sensibly(mut self, plies: usize) -> Self {
        for _ in 0..plies {
            if self.record.status() != TableStatus::Playing {
                break;
            }
            let game = self.record.game().clone();
            let deed = |cube| Move::Cube(CubeMove { cube });
            let own = game.side_to_move;
            let mut legal = game.legal_moves();
            let ahead = i64::from(game.board.pips(own.other())) - i64::from(game.board.pips(own));
            if legal.contains(&deed(CubeAction::Roll)) {
                self.mv(deed(if ahead > 12 { CubeAction::Double } else { CubeAction::Roll }));
                continue;
            }
            if legal.contains(&deed(CubeAction::Take)) {
                self.mv(deed(if ahead > -25 { CubeAction::Take } else { CubeAction::Drop }));
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
            self.mv(legal[0].clone());
        }
        self
    }
}
