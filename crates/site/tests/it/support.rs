//! Helpers that several tests share.

use ::game::{Level, Options, Seat};
use games::RegisteredGame;
use site::{Evaluation, RoundSummary, Site, game};
use table::{Event, EventKind, IssueNumber, Key, OpenRule, Player, Table, TableStatus, Terms, Timestamp, UserId};
use testkit::place;

/// Returns the settings of a site with links.
pub(crate) fn site() -> Site {
    Site {
        name: "host/games".to_owned(),
        repository: Some(["https://github.com".to_owned(), "host/games".to_owned()]),
        url: Some("https://host.github.io/games/".to_owned()),
        previews: false,
        use_form: false,
    }
}

/// Returns a table with `moves` moves, chosen by the lowest level.
pub(crate) fn play_table<G: RegisteredGame>(opponent: Option<Player>, open: bool, moves: usize) -> Table {
    let start = G::KIND.configure(&mut Options::default()).unwrap().unwrap();
    let terms = Terms { open: open.then_some(OpenRule { gap: 0 }), ..Terms::default() };
    let mut table = Table::new(IssueNumber::new(7), 1, start, terms);
    let key = Key::from_entropy([7; 32]);
    let commitment = G::HAS_DICE.then(|| key.commitment());
    let mut kind = EventKind::New { opponent, commitment, mentioned: Vec::new() };
    for at in 0..=moves as u64 {
        let seat = if at == 0 { (!open).then_some(Seat::First) } else { Some(table.player_to_move()) };
        let by = if seat == Some(Seat::Second) && !open { 1002 } else { 1001 };
        let source = place(7, at);
        let timestamp = 1_700_000_000_000 + at * 60_000;
        let event = Event {
            kind,
            seat,
            author: UserId::new(by),
            source,
            timestamp: Timestamp::from_millis(timestamp),
            offers_draw: false,
            votes: Vec::new(),
            time_away: std::time::Duration::ZERO,
            clock_start: None,
            effects: Vec::new(),
            key: None,
        };
        table = table.append(event, if by == 1001 { "alice" } else { "bob" }, Some(&key)).unwrap();
        if table.status() != TableStatus::Playing {
            break;
        }
        let engine_move = table.game().choose(Level::ALL[0], at).unwrap();
        kind = EventKind::Move { notation: table.game().notation(&engine_move.mv), mv: engine_move.mv };
    }
    table
}

/// Returns the files of a round, its page last.
pub(crate) fn round_pages(table: &Table, evaluation: Option<&Evaluation>) -> Vec<(String, String)> {
    game::round_files(&site(), table, &RoundSummary::from_table(table), evaluation)
}
