//! Imports a chess game that was played elsewhere as a record.
//!
//! Every event has the issue's body as its source. Its time is when the game began, or 0 if the file has no date. The
//! import never invents facts that the file doesn't have.

use std::time::Duration;

use answers::sentences;
use game::{Game, ParseMoveError, Phrase, Seat, either_code, list_code, quote, say};
use games::AnyPosition;
use games::chess::fen::parse_leniently;
use games::chess::pgn::{DRAW, UNFINISHED, WINS, config_from_tags, move_number, parse_result};
use games::chess::{Chess, GameConfig, PgnGame};
use table::state_file::{MAX_BYTES, MAX_EVENTS, to_json};
use table::{
    CommentRef, Event, EventKind, ImportedReason, ImportedResult, InvalidHistory, IssueNumber, PgnTags, Player, Table,
    TableRefusal, TableStatus, Terms, Timestamp, UserId, timestamp,
};

/// The maximum time limit per move, in seconds: 366 days.
const MAX_TIME_LIMIT: u64 = 366 * 24 * 60 * 60;

/// An error that prevents an import, or a note about what it left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// The line in the file, from 1.
    pub line: usize,
    /// The reason, as a sentence without a period.
    pub reason: Phrase,
}

/// An import that failed.
struct Failure {
    error: ImportError,
    /// Whether the file may have moves after an automatic draw, such as one by fivefold repetition. Games before 2014
    /// and games by some programs do.
    by_draw: bool,
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Failure {
        Failure { error, by_draw: false }
    }
}

/// Imports a game. `people` are the players' ids and usernames, white first.
///
/// # Errors
/// Returns an error if the file has an illegal or invalid move, an invalid start position, or a result that contradicts
/// the rest, or if the game is too long for a record. The error is the first one found.
pub fn import_game(
    game: &PgnGame<'_>,
    issue: IssueNumber,
    people: &[(UserId, String); 2],
) -> Result<Table, ImportError> {
    let result = match import_with(game, issue, people, false) {
        Err(Failure { by_draw: true, .. }) => import_with(game, issue, people, true),
        result => result,
    };
    result.map_err(|failure| failure.error)
}

/// Returns the time per move and the bank in a `TimeControl` tag that the export could have written:
/// `1/259200:1209600`, in seconds. Both are `None` for any other time control.
fn time_limits(text: &str) -> (Option<Duration>, Option<Duration>) {
    let limit =
        |text: &str| text.parse().ok().filter(|limit| (1..=MAX_TIME_LIMIT).contains(limit)).map(Duration::from_secs);
    let Some(limits) = text.strip_prefix("1/") else { return (None, None) };
    let (per_move, bank) = limits.split_once(':').unwrap_or((limits, ""));
    let per_move = limit(per_move);
    (per_move, limit(bank).filter(|_| per_move.is_some()))
}

/// Imports a game. With `claimed_draws`, draws end it only if a player claims them.
fn import_with(
    game: &PgnGame<'_>,
    issue: IssueNumber,
    people: &[(UserId, String); 2],
    claimed_draws: bool,
) -> Result<Table, Failure> {
    let first_line = game.tags.first().map_or(game.end_line, |(.., line)| *line);
    if let Some((_, line)) = game.tag("GameType") {
        let reason = "this is a game of draughts: only chess can be imported".into();
        return Err(ImportError { line, reason }.into());
    }
    let (variant, position) = (game.tag("Variant"), game.tag("FEN"));
    let config = config_from_tags(variant.map_or("", |(name, _)| name), position.map(|(fen, _)| fen));
    let setup_line = position.or(variant).map_or(first_line, |(_, line)| line);
    let config = config.map_err(|reason| ImportError { line: setup_line, reason: reason.into() })?;
    let config = GameConfig { claimed_draws, ..config };
    let stated_result = stated_result(game)?;
    let (per_move, bank) = game.tag("TimeControl").map_or((None, None), |(text, _)| time_limits(text));
    let terms = Terms { per_move, bank, ..Terms::default() };
    let start = games::start::<Chess>(config).map_err(|rule| {
        let error = ImportError { line: setup_line, reason: rule.message.into() };
        Failure { error, by_draw: !claimed_draws }
    })?;
    let table = Table::new(issue, 1, start, terms);
    let imported = PgnTags::from_lookup(|name| game.tag(name).map(|(text, _)| text));
    let start_time = imported.start_time();
    let table = table.with_imported(Some(imported));
    let opponent = Some(Player::invited(&people[1].1));
    let import = Import { table, people, time: start_time };
    let import = import.apply(EventKind::opening(opponent), Seat::First);
    let mut import = import.map_err(|reason| refused_event(first_line, reason))?;
    for (at, (text, line)) in game.moves.iter().enumerate() {
        import = import.at_clock(game.clocks.get(&(at + 1))).play(text, *line)?;
    }
    let table = import.apply_result(stated_result, game)?.table;
    if to_json(&table).len() > MAX_BYTES || table.history().len() > MAX_EVENTS {
        return Err(ImportError { line: game.end_line, reason: "the game is too long for a record".into() }.into());
    }
    Ok(table)
}

/// Returns the result in the file, with its line. `*` yields to any other result; two other results must be equal.
fn stated_result(game: &PgnGame<'_>) -> Result<(&'static str, usize), ImportError> {
    let tag = game.tag("Result");
    let tag_result = match tag {
        None => UNFINISHED,
        Some((text, line)) => parse_result(text).ok_or_else(|| {
            let results = list_code(&[WINS[0], WINS[1], DRAW, UNFINISHED]);
            ImportError { line, reason: say!("the result {text:quote} isn't one of {results}") }
        })?,
    };
    match (tag_result, game.result.unwrap_or(UNFINISHED)) {
        (tag_result, UNFINISHED) => Ok((tag_result, tag.map_or(game.end_line, |(_, line)| line))),
        (UNFINISHED, final_result) => Ok((final_result, game.end_line)),
        (tag_result, final_result) if tag_result == final_result => Ok((final_result, game.end_line)),
        (tag_result, final_result) => {
            let reason = say!("the result after the moves is {final_result}, but the tag `Result` says {tag_result}");
            Err(ImportError { line: game.end_line, reason })
        }
    }
}

/// Returns what the record leaves out of the file.
pub fn omitted_parts(game: &PgnGame<'_>, table: &Table) -> Vec<ImportError> {
    let mut notes = Vec::new();
    for name in ["Date", "UTCDate"] {
        // Dates made of question marks are unknown, so nothing is lost.
        let tag = game.tag(name).filter(|(text, _)| !text.starts_with("????"));
        if let Some((text, line)) = tag.filter(|(text, _)| timestamp::to_pgn_date(text).is_none()) {
            notes.push(ImportError { line, reason: say!("`{name}` isn't a date: {text:quote}") });
        }
    }
    if let Some((text, line)) = game.tag("FEN")
        && let Ok((_, unusable)) = parse_leniently(text)
    {
        notes.extend(unusable.into_iter().map(|part| {
            let reason = say!("a part of `FEN`, {text:quote}: {reason}", text = part.text, reason = part.reason);
            ImportError { line, reason }
        }));
    }
    let last = table.history().last().map(|event| &event.kind);
    if let (Some(EventKind::ImportedEnd { reason: None, .. }), Some((text, line))) = (last, game.tag("Termination")) {
        notes.push(ImportError { line, reason: say!("a record can't say how it ended: {text:quote}") });
    }
    notes
}

/// Whether a game of chess has ended in a draw that nobody claimed.
fn is_drawn_by_itself(game: &AnyPosition) -> bool {
    game.downcast().is_some_and(Chess::is_drawn_by_itself)
}

/// A record under construction.
#[derive(Clone)]
struct Import<'a> {
    table: Table,
    people: &'a [(UserId, String); 2],
    /// The time of the next event.
    time: Timestamp,
}

impl Import<'_> {
    /// Applies an event by a seat.
    fn apply(mut self, kind: EventKind, seat: Seat) -> Result<Self, TableRefusal> {
        let (by, login) = &self.people[seat.index()];
        let source = CommentRef::body_of(self.table.issue());
        let (seat, timestamp) = (Some(seat), self.time);
        let event = Event {
            kind,
            seat,
            author: *by,
            source,
            timestamp,
            offers_draw: false,
            votes: Vec::new(),
            time_away: Duration::ZERO,
            clock_start: None,
            effects: Vec::new(),
            key: None,
        };
        self.table = self.table.append(event, login, None)?;
        Ok(self)
    }

    /// Moves on to the time of the next move, if the file says how much time its player had left then.
    fn at_clock(self, left: Option<&Duration>) -> Self {
        let clock = self.table.state().turn_clock().filter(|_| self.time > Timestamp::EPOCH);
        let (Some(clock), Some(left)) = (clock, left) else { return self };
        let time = clock.started_at + (clock.per_move + clock.bank).saturating_sub(*left);
        Import { time, ..self }
    }

    /// Plays a move as written in the file.
    fn play(self, text: &str, line: usize) -> Result<Self, Failure> {
        let game = self.table.game();
        let fail = |reason: Phrase| {
            let side = Chess::INFO.side_name(self.table.player_to_move());
            let number = move_number(&game.fen().unwrap_or_default());
            let reason = say!("{side}'s move {number}, {text:quote}, {reason}");
            Err(Failure { error: ImportError { line, reason }, by_draw: is_drawn_by_itself(game) })
        };
        if self.table.status() != TableStatus::Playing {
            let ending = sentences::ending_reason(&self.table);
            return fail(say!("comes after the end of the game{ending}"));
        }
        let mv = match game.parse_move(text) {
            Ok(mv) => mv,
            Err(ParseMoveError::NotAMove) => return fail("isn't a move".into()),
            Err(ParseMoveError::OutOfRange(violation)) => {
                return fail(say!("can't be played: {why}", why = violation.message));
            }
            Err(ParseMoveError::Ambiguous(moves)) => {
                return fail(say!("could be {choices}", choices = either_code(&moves)));
            }
        };
        if let Err(rule) = game.check_move(&mv) {
            return fail(say!("isn't legal: {why}", why = rule.message));
        }
        let (notation, seat) = (game.notation(&mv), self.table.player_to_move());
        self.apply(EventKind::Move { notation, mv }, seat).map_err(|reason| refused_event(line, reason).into())
    }

    /// Applies the result in the file, unless the game ended on the board.
    fn apply_result(self, (result, line): (&'static str, usize), game: &PgnGame<'_>) -> Result<Self, Failure> {
        let board_result = match self.table.status() {
            TableStatus::Won(seat) => WINS[seat.index()],
            TableStatus::Draw => DRAW,
            _ => {
                let termination = game.tag("Termination").map_or("", |(text, _)| text);
                let applied = self.apply_stated_result(result, termination);
                return applied.map_err(|reason| refused_event(line, reason).into());
            }
        };
        if [board_result, UNFINISHED].contains(&result) {
            return Ok(self);
        }
        let ending = sentences::ending_reason(&self.table);
        let reason = say!("the result is {result}, but the moves end in {board_result}{ending}");
        Err(Failure { error: ImportError { line, reason }, by_draw: is_drawn_by_itself(self.table.game()) })
    }

    /// Applies the result in the file to a game that didn't end on the board.
    fn apply_stated_result(self, result: &str, termination: &str) -> Result<Self, TableRefusal> {
        let termination = termination.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| termination.contains(word));
        let player_to_move = self.table.player_to_move();
        let is_normal = termination == "normal";
        let reason = if says(&["time forfeit", "on time"]) {
            Some(ImportedReason::Time)
        } else if says(&["abandon"]) {
            Some(ImportedReason::Abandoned)
        } else {
            None
        };
        if let Some(winner) = WINS.iter().position(|won| *won == result) {
            let winner = Seat::BOTH[winner];
            // PGN has terminations for all other endings, so a normal one was a resignation.
            if is_normal || says(&["resign"]) {
                return self.apply(EventKind::Resign, winner.other());
            }
            return self.apply(EventKind::ImportedEnd { result: ImportedResult::Won, reason }, winner);
        }
        if result == DRAW {
            let is_claimable = self.table.game().claimable_draw().is_some();
            if is_claimable && (is_normal || says(&["repetition", "50"])) {
                return self.apply(EventKind::ClaimDraw, player_to_move);
            }
            if is_normal || says(&["agree"]) {
                return self
                    .apply(EventKind::OfferDraw, player_to_move.other())?
                    .apply(EventKind::AcceptDraw, player_to_move);
            }
            return self.apply(EventKind::ImportedEnd { result: ImportedResult::Draw, reason: None }, player_to_move);
        }
        if reason == Some(ImportedReason::Abandoned) {
            return self.apply(EventKind::ImportedEnd { result: ImportedResult::None, reason }, player_to_move);
        }
        Ok(self)
    }
}

/// Returns the error for an event that the table refuses, which valid games don't have.
fn refused_event(line: usize, reason: TableRefusal) -> ImportError {
    let reason = InvalidHistory::Refused(reason);
    ImportError { line, reason: format!("a record can't hold this: {reason}").into() }
}
