//! Levels of the computer that somebody has beaten.

use game::{Engine, Level, Seat};
use games::GameKind;
use games::chess::Chess;
use standings::{beaten_level, files_needed};
use table::{Effect, Event, EventKind, IssueNumber, Player, Reply, Table, Terms, Timestamp, UserId};
use testkit::place;

/// Alice's game as black at this level, with these options, in which the computer lets itself be mated at once. She may ask for
/// a hint.
fn mated(level: Level, options: &str, hint: bool) -> Table {
    let start = GameKind::Chess.configure(&mut testkit::options(options)).unwrap().unwrap();
    let table = Table::new(IssueNumber::new(1), 1, start, Terms::default());
    let opponent = Some(Player::Computer(level));
    let event = |table: &Table, kind, reply: Option<&str>| {
        let own = match &kind {
            EventKind::Move { mv, .. } => table.game().play(mv),
            _ => table.game().clone(),
        };
        let reply = reply.map(|text| (own.parse_move(text).unwrap(), text.to_owned()));
        let reply = reply.map(|(mv, notation)| Effect::Reply(Reply { notation, mv, engine: Chess::ENGINE_VERSION }));
        let source = place(1, table.history().len() as u64);
        let (seat, then) = (Some(Seat::Second), reply.into_iter().collect());
        Event {
            kind,
            offers_draw: false,
            votes: Vec::new(),
            seat,
            author: UserId::new(1001),
            source,
            timestamp: Timestamp::from_millis(4000),
            time_away: std::time::Duration::ZERO,
            clock_start: None,
            effects: then,
            key: None,
        }
    };
    let mv = |table: &Table, notation: &str| EventKind::Move {
        notation: notation.to_owned(),
        mv: table.game().parse_move(notation).unwrap(),
    };
    let opened = event(&table, EventKind::opening(opponent), Some("f3"));
    let table = table.replay(opened, "alice").unwrap();
    let first = event(&table, mv(&table, "e5"), Some("g4"));
    let mut table = table.replay(first, "alice").unwrap();
    if hint {
        let hint = event(&table, EventKind::Hint, None);
        table = table.replay(hint, "alice").unwrap();
    }
    let mate = event(&table, mv(&table, "Qh4#"), None);
    table.replay(mate, "alice").unwrap()
}

#[test]
fn how_the_board_looks_makes_no_other_game() {
    for options in ["", "view=black", "figurines=on", "view=white figurines=on"] {
        assert_eq!(
            files_needed(&mated(Level::MEDIUM, options, false)),
            ["players/computer.json", "players/1001.json"],
            "{options:?}"
        );
    }
    // A setup of one's own may be easier.
    let setup = "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR_w_Kkq_-_0_1";
    for options in [setup, "chess960=518"] {
        assert!(files_needed(&mated(Level::MEDIUM, options, false)).is_empty(), "{options:?}");
    }
}

#[test]
fn a_level_beaten_with_a_hint_does_not_count() {
    assert!(!files_needed(&mated(Level::MEDIUM, "", false)).is_empty());
    assert!(files_needed(&mated(Level::MEDIUM, "", true)).is_empty());
}

#[test]
fn level_0_is_beaten_without_counting() {
    let [learning, easy] = [Level::LEARNING, Level::EASY].map(|level| mated(level, "", false));
    assert_eq!([&learning, &easy].map(beaten_level), [Some(Level::LEARNING), Some(Level::EASY)]);
    assert_eq!([&learning, &easy].map(|table| files_needed(table).len()), [0, 2]);
    assert_eq!(beaten_level(&mated(Level::EASY, "", true)), None);
}
