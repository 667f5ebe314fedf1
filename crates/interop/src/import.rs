//! A record made of a game of chess that was played elsewhere.
//!
//! Every event has the issue's body as its source, and the time at which the game began, or 0 if the file doesn't tell the date.
//! What a file doesn't tell isn't made up.

use answers::sentences;
use game::contract::{Game, Interop, Notation, Rules, apply_move};
use game::phrase::{Phrase, Span, either_code, join_code, phrase};
use game::rule::ParseMoveError;
use game::seat::Seat;
use games::chess::game::Chess;
use games::chess::pgn::reader::{PgnGame, parse_result};
use games::chess::pgn::start::{config_from_tags, move_number};
use games::chess::pgn::{DRAW, UNFINISHED, WINS};
use table::calendar;
use table::game_state::TableStatus;
use table::history::{Event, EventKind, Occupant};
use table::imported::{ImportedReason, ImportedResult, PgnTags};
use table::invalid_history::InvalidHistory;
use table::refusal::TableRefusal;
use table::state_file::{MAX_BYTES, MAX_EVENTS, table_to_json};
use table::table::Table;
use table::talk::comment::{Millis, Source};
use table::terms::Terms;

/// The longest time for a move that is believed, in seconds: a year.
const MAX_LIMIT: u64 = 366 * 24 * 60 * 60;

/// The reason why a game cannot become a record: the line of the file, and a sentence without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// The line, counted from 1.
    pub line: usize,
    /// The reason.
    pub reason: Phrase,
}

/// Returns the record of a game that was played by these people, by id and login, white first.
///
/// # Errors
/// The first thing that no record could say.
pub fn import_game(game: &PgnGame<'_>, issue: u64, people: &[(u64, String); 2]) -> Result<Table<Chess>, ImportError> {
    let top = game.tags.first().map_or(game.end_line, |(.., line)| *line);
    let (variant, position) = (game.tag("Variant"), game.tag("FEN"));
    let config = config_from_tags(variant.map_or("", |(name, _)| name), position.map(|(fen, _)| fen));
    let said = position.or(variant).map_or(top, |(_, line)| line);
    let config = config.map_err(|why| ImportError { line: said, reason: why.into() })?;
    let outcome = outcome(game)?;
    let limit = game.tag("TimeControl").and_then(|(text, _)| text.strip_prefix("1/")?.parse().ok());
    let per_move = limit.filter(|limit| (1..=MAX_LIMIT).contains(limit)).map(|limit: u64| limit * 1000);
    let terms = Terms { per_move, open: None };
    let table =
        Table::new(issue, 1, config, terms).map_err(|rule| ImportError { line: said, reason: rule.message.into() })?;
    let imported = PgnTags::from_lookup(|name| game.tag(name).map(|(text, _)| text));
    let at = imported.start_time();
    let table = table.with_imported(Some(imported));
    let opponent = Some(Occupant::reserved(&people[1].1));
    let import = Import { table, people, at };
    let opened = import.then(EventKind::New { opponent, commitment: None }, Seat::First);
    let mut import = opened.map_err(|why| forbidden(top, why))?;
    for (text, line) in &game.moves {
        import = import.play(text, *line)?;
    }
    let table = import.end(outcome, game)?.table;
    if table_to_json(&table).len() > MAX_BYTES || table.history().len() > MAX_EVENTS {
        return Err(ImportError { line: game.end_line, reason: "the game is too long for a record".into() });
    }
    Ok(table)
}

/// Returns the result that the file tells, with its line. A star yields to any other result, and two others have to be the same.
fn outcome(game: &PgnGame<'_>) -> Result<(&'static str, usize), ImportError> {
    let tag = game.tag("Result");
    let tagged = match tag {
        None => UNFINISHED,
        Some((text, line)) => parse_result(text).ok_or_else(|| {
            let why = phrase![
                "the result ",
                Span::Quote(text.to_owned()),
                " isn't one of ",
                join_code(&[WINS[0], WINS[1], DRAW, UNFINISHED], ", ")
            ];
            ImportError { line, reason: why }
        })?,
    };
    match (tagged, game.result.unwrap_or(UNFINISHED)) {
        (tagged, UNFINISHED) => Ok((tagged, tag.map_or(game.end_line, |(_, line)| line))),
        (UNFINISHED, after) => Ok((after, game.end_line)),
        (tagged, after) if tagged == after => Ok((after, game.end_line)),
        (tagged, after) => {
            let why = format!("the result after the moves is {after}, but the tag `Result` says {tagged}");
            Err(ImportError { line: game.end_line, reason: why.into() })
        }
    }
}

/// Returns the parts of the file that the record leaves out: the line, and a sentence for the importer without its end.
pub fn omitted_parts(game: &PgnGame<'_>, table: &Table<Chess>) -> Vec<ImportError> {
    let mut notes = Vec::new();
    let quoted = |text: &str| Span::Quote(text.to_owned());
    for name in ["Date", "UTCDate"] {
        // An unknown date is written in question marks, which lose nothing.
        let tag = game.tag(name).filter(|(text, _)| !text.starts_with("????"));
        if let Some((text, line)) = tag.filter(|(text, _)| calendar::to_pgn_date(text).is_none()) {
            notes.push(ImportError { line, reason: phrase![format!("`{name}` isn't a date: "), quoted(text)] });
        }
    }
    let last = table.history().last().map(|event| &event.kind);
    if let (Some(EventKind::ImportedEnd { reason: None, .. }), Some((text, line))) = (last, game.tag("Termination")) {
        notes.push(ImportError { line, reason: phrase!["a record can't say how it ended: ", quoted(text)] });
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
        let event = Event { kind, seat, by: *by, source, timestamp, consequences: Vec::new(), key: None };
        self.table = self.table.append(event, login, None)?;
        Ok(self)
    }

    /// Plays a move as it is written.
    fn play(self, text: &str, line: usize) -> Result<Self, ImportError> {
        let game = self.table.game();
        let fault = |why: Phrase| {
            let side = Chess::INFO.side_name(self.table.player_to_move());
            let number = format!("{side}'s move {}, ", move_number(&game.position().fen));
            Err(ImportError { line, reason: phrase![number, Span::Quote(text.to_owned()), ", ", why] })
        };
        if self.table.status() != TableStatus::Playing {
            return fault(phrase!["comes after the end of the game", sentences::ending_reason(&self.table)]);
        }
        let mv = match game.parse_move(text) {
            Ok(mv) => mv,
            Err(ParseMoveError::NotAMove) => return fault("isn't a move".into()),
            Err(ParseMoveError::OutOfRange((_, why))) => return fault(phrase!["can't be played: ", why]),
            Err(ParseMoveError::Ambiguous(moves)) => return fault(phrase!["could be ", either_code(&moves)]),
        };
        if let Err(rule) = apply_move(game, &mv) {
            return fault(phrase!["isn't legal: ", rule.message]);
        }
        let (notation, seat) = (game.notation(&mv), self.table.player_to_move());
        self.then(EventKind::Move { notation, mv }, seat).map_err(|why| forbidden(line, why))
    }

    /// Ends the game as the file says, unless the board has ended it so.
    fn end(self, (result, line): (&'static str, usize), game: &PgnGame<'_>) -> Result<Self, ImportError> {
        let on_board = match self.table.status() {
            TableStatus::Won(seat) => WINS[seat.index()],
            TableStatus::Draw => DRAW,
            _ => {
                let termination = game.tag("Termination").map_or("", |(text, _)| text);
                return self.end_by_word(result, termination).map_err(|why| forbidden(line, why));
            }
        };
        if [on_board, UNFINISHED].contains(&result) {
            return Ok(self);
        }
        let why = phrase![
            format!("the result is {result}, but the moves end in {on_board}"),
            sentences::ending_reason(&self.table)
        ];
        Err(ImportError { line, reason: why })
    }

    /// Ends a game that the board doesn't end, as the file says. Nothing is made up.
    fn end_by_word(self, result: &str, termination: &str) -> Result<Self, TableRefusal> {
        let termination = termination.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| termination.contains(word));
        let to_move = self.table.player_to_move();
        let normal = termination == "normal";
        let reason = match () {
            () if says(&["time forfeit", "on time"]) => Some(ImportedReason::Time),
            () if says(&["abandon"]) => Some(ImportedReason::Abandoned),
            () => None,
        };
        if let Some(winner) = WINS.iter().position(|won| *won == result) {
            let winner = Seat::BOTH[winner];
            // PGN has words of their own for all other ends, so a normal one was resigned.
            if normal || says(&["resign"]) {
                return self.then(EventKind::Resign, winner.other());
            }
            return self.then(EventKind::ImportedEnd { result: ImportedResult::Won, reason }, winner);
        }
        if result == DRAW {
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
fn forbidden(line: usize, why: TableRefusal) -> ImportError {
    let why = InvalidHistory::Refused(why);
    ImportError { line, reason: format!("a record can't hold this: {why}").into() }
}
