//! A record made of a game of chess that was played elsewhere.
//!
//! Every event has the issue's body as its source, and the time at which the game began, or 0 if the file doesn't tell the date.
//! What a file doesn't tell isn't made up.

use answers::sentences;
use game::contract::{Game, Interop, Notation, Rules, turn};
use game::phrase::{Phrase, Span, codes, either, phrase};
use game::rule::Unread;
use game::seat::Seat;
use games::chess::game::Chess;
use games::chess::pgn::read::{PgnGame, result};
use games::chess::pgn::start::{move_number, settings};
use games::chess::pgn::{DRAWN, UNFINISHED, WON};
use table::calendar;
use table::game_state::TableStatus;
use table::history::{Event, EventKind, Sitter};
use table::imported::{Imported, ImportedReason, ImportedResult};
use table::invalid_history::InvalidHistory;
use table::refusal::TableRefusal;
use table::state_file::{MAX_BYTES, MAX_EVENTS, print};
use table::table::Table;
use table::talk::comment::{Millis, Source};
use table::terms::Terms;

/// The longest time for a move that is believed, in seconds: a year.
const MAX_LIMIT: u64 = 366 * 24 * 60 * 60;

/// The reason why a game cannot become a record: the line of the file, and a sentence without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportFault {
    /// The line, counted from 1.
    pub line: usize,
    /// The reason.
    pub why: Phrase,
}

/// Returns the record of a game that was played by these people, by id and login, white first.
///
/// # Errors
/// The first thing that no record could say.
pub fn record(game: &PgnGame<'_>, issue: u64, people: &[(u64, String); 2]) -> Result<Table<Chess>, ImportFault> {
    let top = game.tags.first().map_or(game.end, |(.., line)| *line);
    let (variant, position) = (game.tag("Variant"), game.tag("FEN"));
    let config = settings(variant.map_or("", |(name, _)| name), position.map(|(fen, _)| fen));
    let said = position.or(variant).map_or(top, |(_, line)| line);
    let config = config.map_err(|why| ImportFault { line: said, why: why.into() })?;
    let outcome = outcome(game)?;
    let limit = game.tag("TimeControl").and_then(|(text, _)| text.strip_prefix("1/")?.parse().ok());
    let per_move = limit.filter(|limit| (1..=MAX_LIMIT).contains(limit)).map(|limit: u64| limit * 1000);
    let terms = Terms { per_move, open: None };
    let table =
        Table::set_up(issue, 1, config, terms).map_err(|rule| ImportFault { line: said, why: rule.message.into() })?;
    let imported = Imported::of(|name| game.tag(name).map(|(text, _)| text));
    let at = imported.began();
    let table = table.with_imported(Some(imported));
    let opponent = Some(Sitter::reserved(&people[1].1));
    let import = Import { table, people, at };
    let opened = import.then(EventKind::New { opponent, commitment: None }, Seat::First);
    let mut import = opened.map_err(|why| forbidden(top, why))?;
    for (text, line) in &game.moves {
        import = import.play(text, *line)?;
    }
    let table = import.end(outcome, game)?.table;
    if print(&table).len() > MAX_BYTES || table.history().len() > MAX_EVENTS {
        return Err(ImportFault { line: game.end, why: "the game is too long for a record".into() });
    }
    Ok(table)
}

/// Returns the result that the file tells, with its line. A star yields to any other result, and two others have to be the same.
fn outcome(game: &PgnGame<'_>) -> Result<(&'static str, usize), ImportFault> {
    let tag = game.tag("Result");
    let tagged = match tag {
        None => UNFINISHED,
        Some((text, line)) => result(text).ok_or_else(|| {
            let why = phrase![
                "the result ",
                Span::Quote(text.to_owned()),
                " isn't one of ",
                codes(&[WON[0], WON[1], DRAWN, UNFINISHED], ", ")
            ];
            ImportFault { line, why }
        })?,
    };
    match (tagged, game.result.unwrap_or(UNFINISHED)) {
        (tagged, UNFINISHED) => Ok((tagged, tag.map_or(game.end, |(_, line)| line))),
        (UNFINISHED, after) => Ok((after, game.end)),
        (tagged, after) if tagged == after => Ok((after, game.end)),
        (tagged, after) => {
            let why = format!("the result after the moves is {after}, but the tag `Result` says {tagged}");
            Err(ImportFault { line: game.end, why: why.into() })
        }
    }
}

/// Returns the parts of the file that the record leaves out: the line, and a sentence for the importer without its end.
pub fn left_out(game: &PgnGame<'_>, table: &Table<Chess>) -> Vec<ImportFault> {
    let mut notes = Vec::new();
    let quoted = |text: &str| Span::Quote(text.to_owned());
    for name in ["Date", "UTCDate"] {
        // An unknown date is written in question marks, which lose nothing.
        let tag = game.tag(name).filter(|(text, _)| !text.starts_with("????"));
        if let Some((text, line)) = tag.filter(|(text, _)| calendar::date(text).is_none()) {
            notes.push(ImportFault { line, why: phrase![format!("`{name}` isn't a date: "), quoted(text)] });
        }
    }
    let last = table.history().last().map(|event| &event.kind);
    if let (Some(EventKind::ImportedEnd { reason: None, .. }), Some((text, line))) = (last, game.tag("Termination")) {
        notes.push(ImportFault { line, why: phrase!["a record can't say how it ended: ", quoted(text)] });
    }
    notes
}

/// A record in the making.
#[derive(Clone)]
struct Import<'a> {
    table: Table<Chess>,
    people: &'a [(u64, String); 2],
    at: Millis,
}

impl Import<'_> {
    /// Adds an event of a seat.
    fn then(mut self, kind: EventKind<<Chess as Rules>::Move>, seat: Seat) -> Result<Self, TableRefusal> {
        let (by, login) = &self.people[seat.index()];
        let source = Source { issue: self.table.issue(), comment: 0 };
        let (seat, timestamp) = (Some(seat), self.at);
        let event = Event { kind, seat, by: *by, source, timestamp, then: Vec::new(), key: None };
        self.table = self.table.then(event, login, None)?;
        Ok(self)
    }

    /// Plays a move as it is written.
    fn play(self, text: &str, line: usize) -> Result<Self, ImportFault> {
        let game = self.table.game();
        let fault = |why: Phrase| {
            let side = Chess::INFO.side(self.table.to_move());
            let number = format!("{side}'s move {}, ", move_number(&game.position().fen));
            Err(ImportFault { line, why: phrase![number, Span::Quote(text.to_owned()), ", ", why] })
        };
        if self.table.status() != TableStatus::Playing {
            return fault(phrase!["comes after the end of the game", sentences::reason(&self.table)]);
        }
        let mv = match game.read(text) {
            Ok(mv) => mv,
            Err(Unread::Strange) => return fault("isn't a move".into()),
            Err(Unread::OffBoard((_, why))) => return fault(phrase!["can't be played: ", why]),
            Err(Unread::Ambiguous(moves)) => return fault(phrase!["could be ", either(&moves)]),
        };
        if let Err(rule) = turn(game, &mv) {
            return fault(phrase!["isn't legal: ", rule.message]);
        }
        let (notation, seat) = (game.notation(&mv), self.table.to_move());
        self.then(EventKind::Move { notation, mv }, seat).map_err(|why| forbidden(line, why))
    }

    /// Ends the game as the file says, unless the board has ended it so.
    fn end(self, (result, line): (&'static str, usize), game: &PgnGame<'_>) -> Result<Self, ImportFault> {
        let on_board = match self.table.status() {
            TableStatus::Won(seat) => WON[seat.index()],
            TableStatus::Draw => DRAWN,
            _ => {
                let termination = game.tag("Termination").map_or("", |(text, _)| text);
                return self.end_by_word(result, termination).map_err(|why| forbidden(line, why));
            }
        };
        if [on_board, UNFINISHED].contains(&result) {
            return Ok(self);
        }
        let why =
            phrase![format!("the result is {result}, but the moves end in {on_board}"), sentences::reason(&self.table)];
        Err(ImportFault { line, why })
    }

    /// Ends a game that the board doesn't end, as the file says. Nothing is made up.
    fn end_by_word(self, result: &str, termination: &str) -> Result<Self, TableRefusal> {
        let termination = termination.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| termination.contains(word));
        let to_move = self.table.to_move();
        let normal = termination == "normal";
        let reason = match () {
            () if says(&["time forfeit", "on time"]) => Some(ImportedReason::Time),
            () if says(&["abandon"]) => Some(ImportedReason::Abandoned),
            () => None,
        };
        if let Some(winner) = WON.iter().position(|won| *won == result) {
            let winner = Seat::BOTH[winner];
            // PGN has words of their own for all other ends, so a normal one was resigned.
            if normal || says(&["resign"]) {
                return self.then(EventKind::Resign, winner.other());
            }
            return self.then(EventKind::ImportedEnd { result: ImportedResult::Won, reason }, winner);
        }
        if result == DRAWN {
            let claimable = self.table.game().claimable_draw().is_some();
            if claimable && (normal || says(&["repetition", "50"])) {
                return self.then(EventKind::ClaimDraw, to_move);
            }
            if normal || says(&["agree"]) {
                return self.then(EventKind::OfferDraw, to_move.other())?.then(EventKind::AcceptDraw, to_move);
            }
            return self.then(EventKind::ImportedEnd { result: ImportedResult::Draw, reason: None }, to_move);
        }
        match reason {
            Some(ImportedReason::Abandoned) => {
                self.then(EventKind::ImportedEnd { result: ImportedResult::None, reason }, to_move)
            }
            _ => Ok(self),
        }
    }
}

/// Returns a refusal of the table, which should meet none of these events.
fn forbidden(line: usize, why: TableRefusal) -> ImportFault {
    let why = InvalidHistory::Forbidden(why);
    ImportFault { line, why: format!("a record can't hold this: {why}").into() }
}
