//! Decisions become Markdown: answers, commit messages, and the hidden first line by which answers are known.
//!
//! This is the only place where a stranger's text is quoted. Everything that comes from a comment goes through [`span`];
//! logins have been checked to be logins before they reach a table.

use crate::command::COMMANDS;
use crate::decide::{House, Show};
use crate::game::{Game, Info, Seat};
use crate::games::{Kind, Table, with_table};
use crate::history::{Event, What, seat_name};
use crate::refusal::{Refusal, time};
use crate::said::{Author, Oid, Source};
use crate::setup::TABLE_OPTIONS;
use crate::table::{Record, Status};

/// How long an answer may be, in bytes. A comment holds 65,536 characters.
pub const MAX_ANSWER: usize = 60_000;
/// How much of a stranger's text is quoted, in characters.
const MAX_QUOTE: usize = 60;
const MARKER: &str = "<!-- play-by-commit ";

/// The hidden first line of an answer: what it answers and, where something was accepted, a commit that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The comment that is answered.
    pub source: Source,
    /// The table that it was decided at.
    pub table: u64,
    /// A commit with the record that the answer speaks of; nothing when nothing was changed.
    pub commit: Option<Oid>,
}

impl Marker {
    /// The first line of an answer.
    #[must_use]
    pub fn line(&self) -> String {
        let Source { issue, comment } = self.source;
        let commit = self.commit.as_ref().map_or(String::new(), |commit| format!(" commit={commit}"));
        format!("{MARKER}{issue}/{comment} table={}{commit} -->", self.table)
    }

    /// Reads the first line of a comment. Whether the comment is one of ours is for the caller to know: anyone can type one.
    #[must_use]
    pub fn read(text: &str) -> Option<Marker> {
        let line = text.lines().next()?.trim_end();
        let mut words = line.strip_prefix(MARKER)?.strip_suffix(" -->")?.split(' ');
        let (issue, comment) = words.next()?.split_once('/')?;
        let source = Source { issue: issue.parse().ok()?, comment: comment.parse().ok()? };
        let table = words.next()?.strip_prefix("table=")?.parse().ok()?;
        let commit = match words.next() {
            None => None,
            Some(word) => Some(Oid::parse(word.strip_prefix("commit=")?)?),
        };
        words.next().is_none().then_some(Marker { source, table, commit })
    }

    /// A whole answer: the marker, then the text, cut where it would be too long for a comment.
    #[must_use]
    pub fn over(&self, text: &str) -> String {
        format!("{}\n{}\n", self.line(), cut(text, MAX_ANSWER))
    }
}

/// The answer to an accepted command, from the record alone: it says what happened last and how the table stands.
#[must_use]
pub fn announce(table: &Table) -> String {
    with_table!(table, record => {
        let sentence = match record.status {
            Status::Playing => format!("{}{} {}", happened(record), came_of(record), standing(record, mentions(record))),
            _ => format!("{} {}", ended(record), rematch(record)),
        };
        format!("{sentence}\n\n{}{}{}", board(record), welcome(record), proof(record))
    })
}

/// The answer to a refused command.
#[must_use]
pub fn refuse(refusal: &Refusal, author: &Author) -> String {
    format!("{}: {refusal}", name(&author.login))
}

/// The answer to a command that only shows something.
#[must_use]
pub fn show(show: &Show, table: Option<&Table>, house: &House) -> String {
    match (show, table) {
        (Show::Help(Some(kind)), _) => help_game(kind.info()),
        (Show::Help(None), _) | (_, None) => help(house),
        (Show::Board, Some(table)) => with_table!(table, record => {
            format!("{}\n\n{}", standing(record, false), board(record)).trim_end().to_owned()
        }),
        (Show::Moves, Some(table)) => with_table!(table, record => moves(record)),
        (Show::History, Some(table)) => with_table!(table, record => history(record)),
    }
}

/// The commit message of the table's last event: the first line, and the rest with the credit to its player.
/// `noreply` is the mail domain that the host keeps for its users.
#[must_use]
pub fn message(table: &Table, author: &Author, noreply: &str) -> (String, String) {
    with_table!(table, record => {
        let headline = format!("Table {}: {}", record.issue, deed(record, &author.login));
        let ply = record.moves().count();
        let credit = format!("Co-authored-by: {} <{}+{}@{noreply}>", author.login, author.id, author.login);
        (headline, format!("{}, round {}, ply {ply}. {}\n\n{credit}", title(record), record.round, plain(&record.ending())))
    })
}

/// A text of our own in a code span.
#[must_use]
pub fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Several texts of our own in code spans, with commas.
#[must_use]
pub fn list(texts: &[impl AsRef<str>]) -> String {
    texts.iter().map(|text| code(text.as_ref())).collect::<Vec<_>>().join(", ")
}

/// A stranger's text in a code span that it cannot end: one line, cut, without characters that are not to be seen.
#[must_use]
pub fn span(text: &str) -> String {
    let mut shown: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !hidden(*c)).collect();
    if let Some((end, _)) = shown.char_indices().nth(MAX_QUOTE) {
        shown.truncate(end);
        shown.push_str("...");
    }
    let shown = shown.trim();
    if shown.is_empty() {
        return "(nothing that can be shown)".to_owned();
    }
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("`{shown}`") } else { format!("{fence} {shown} {fence}") }
}

/// The beginning of a text, at most so many bytes and never half a character.
#[must_use]
pub fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// Control characters, and those that turn the direction of writing or take no room.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(c, '\u{e0000}'..='\u{e0fff}')
}

/// A login that does not mention anyone.
fn name(login: &str) -> String {
    format!("**{login}**")
}

fn plain(text: &str) -> String {
    text.replace("**", "").replace('`', "")
}

/// Whoever sits at a seat, with the seat: "**alice** (X)".
fn player<G: Game>(record: &Record<G>, seat: Seat) -> String {
    let seat_name = seat_name::<G>(seat);
    record.sitter(seat).map_or(seat_name.to_owned(), |sitter| format!("{} ({seat_name})", name(&sitter.login)))
}

/// Whoever did something, with the seat they did it for.
fn doer<G: Game>(record: &Record<G>, event: &Event<G>) -> String {
    match (event.seat, record.terms.open.and_then(|_| record.login_of(event.by))) {
        (Some(seat), Some(login)) => format!("{} ({})", name(login), seat_name::<G>(seat.0)),
        (Some(seat), None) => player(record, seat.0),
        (None, _) => "A maintainer".to_owned(),
    }
}

/// Only the answer to a move mentions anyone: the player who is to move.
fn mentions<G: Game>(record: &Record<G>) -> bool {
    matches!(record.history.last().map(|event| &event.what), Some(What::Move { .. } | What::Resign))
}

/// What the last event has brought about, if it was one that could.
fn came_of<G: Game>(record: &Record<G>) -> String {
    match record.history.last().map(|event| &event.what) {
        Some(What::New { .. } | What::Move { .. } | What::Resign) => record.also(),
        _ => String::new(),
    }
}

/// What the last event was, as a sentence.
fn happened<G: Game>(record: &Record<G>) -> String {
    let Some(event) = record.history.last() else { return String::new() };
    let who = doer(record, event);
    let other = event.seat.map_or(String::new(), |seat| player(record, seat.0.other()));
    match &event.what {
        What::New { .. } => opened(record, &who),
        What::Join => format!("{who} sits down."),
        What::Move { notation, mv } => format!("{who} {}.", played::<G>(notation, mv)),
        What::OfferDraw => format!("{who} offers a draw. {other} can `/accept` or `/decline`; any move refuses it."),
        What::AcceptDraw => format!("{who} accepts the draw."),
        What::Decline => format!("{who} declines. The game goes on."),
        What::AskUndo => {
            format!(
                "{who} asks to take their last move back. {other} can `/accept` or `/decline`; any move refuses it."
            )
        }
        What::Undo { plies } => {
            let agrees = event.seat.is_some_and(|seat| record.is_seated(seat.0.other()));
            let deed = if agrees { "agrees to the undo" } else { "takes the last move back" };
            format!(
                "{who} {deed}: {} undone.",
                if *plies == 1 { "one ply is".to_owned() } else { format!("{plies} plies are") }
            )
        }
        What::Resign => format!("{who} resigns this game."),
        What::Abort => format!("{who} ends the game."),
        What::Claim => format!("{who} claims the win on time."),
    }
}

/// A move as the deed of somebody: "plays `b2`".
fn played<G: Game>(notation: &str, mv: &G::Move) -> String {
    G::deed(mv).map_or_else(|| format!("plays {}", code(notation)), str::to_owned)
}

/// What ended the game, as a sentence.
fn ended<G: Game>(record: &Record<G>) -> String {
    match record.history.last() {
        Some(event @ Event { what: What::Move { notation, mv }, .. }) => {
            let who = doer(record, event);
            let mover = event.seat.map(|seat| seat.0);
            let how = match record.status {
                Status::Won(winner) if Some(winner) == mover => "and wins.".to_owned(),
                Status::Won(winner) => format!("and {} wins.", player(record, winner)),
                _ => "and the game is a draw.".to_owned(),
            };
            format!("{who} {} {how}{}", played::<G>(notation, mv), record.also())
        }
        _ => record.ending(),
    }
}

fn opened<G: Game>(record: &Record<G>, who: &str) -> String {
    let game = G::INFO.name;
    let setup = G::setup(&record.config).map_or(String::new(), |setup| format!(" ({setup})"));
    let round = if record.round > 1 { format!("Round {}: ", record.round) } else { String::new() };
    if record.terms.open.is_some() {
        return format!("{round}An open game of {game}{setup} begins. {}", record.seating());
    }
    format!("{round}{who} opens a game of {game}{setup}. {}", record.seating())
}

/// Who is to move and what they face, or how the game ended.
fn standing<G: Game>(record: &Record<G>, mention: bool) -> String {
    if record.status != Status::Playing {
        return format!("{} {}", record.ending(), rematch(record));
    }
    let seat = record.to_move();
    let seat_name = seat_name::<G>(seat);
    let turn = match record.sitter(seat) {
        Some(sitter) if sitter.id.is_some() && mention => format!("@{} ({seat_name}) is to move.", sitter.login),
        Some(sitter) => format!("{} ({seat_name}) is to move.", name(&sitter.login)),
        None if record.terms.open.is_some() => format!("{seat_name} is to move: `/move` plays."),
        None => format!("{seat_name} is to move, and the seat is open: `/move` takes it and plays."),
    };
    let limit =
        record.terms.per_move.filter(|_| record.is_seated(seat)).map(|limit| format!("They have {}.", time(limit)));
    [Some(turn), limit, record.game().faces()].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// What can be done after the end.
fn rematch<G: Game>(record: &Record<G>) -> &'static str {
    match record.terms.open {
        Some(_) => "`/rematch` plays again.",
        None => "`/rematch` plays again with the seats swapped.",
    }
}

fn board<G: Game>(record: &Record<G>) -> String {
    let last = record.moves().next_back().map(|(_, mv, _)| mv);
    format!("```text\n{}\n```\n", record.game().picture(last).text())
}

/// What proves the dice, below the first board and the last.
fn proof<G: Game>(record: &Record<G>) -> String {
    let Some(event) = record.history.last() else { return String::new() };
    match (&event.what, &event.key) {
        (_, Some(key)) => format!(
            "\nThe dice of this round were made with the key `{}`: `play-by-commit verify` proves every throw.\n",
            key.reveal()
        ),
        (What::New { commitment: Some(commitment), .. }, _) => format!(
            "\nThe dice are made with a key that is shown when the round has ended, so that every throw can be proved \
             then. Its SHA-256 is `{commitment}`.\n"
        ),
        _ => String::new(),
    }
}

/// What a newcomer needs to know, below the first board only.
fn welcome<G: Game>(record: &Record<G>) -> String {
    match record.history.as_slice() {
        [_] if record.round == 1 => format!("\n{} {} `/help` shows all commands.\n", G::INFO.summary, G::INFO.moves),
        _ => String::new(),
    }
}

fn moves<G: Game>(record: &Record<G>) -> String {
    let game = record.game();
    let moves: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    match (record.status, moves.len()) {
        (Status::Playing, 1) => format!("{} One legal move: {}.", standing(record, false), list(&moves)),
        (Status::Playing, count) => format!("{} {count} legal moves: {}.", standing(record, false), list(&moves)),
        _ => record.ending(),
    }
}

/// The moves that count, two a line, and what was taken back.
fn history<G: Game>(record: &Record<G>) -> String {
    let played: Vec<String> = record
        .plies()
        .filter_map(|(before, event, _)| {
            let deed = match &event.what {
                What::Move { mv, .. } => code(&before.entry(mv)),
                _ => "resigns".to_owned(),
            };
            event.seat.map(|seat| format!("{} {deed}", seat_name::<G>(seat.0)))
        })
        .collect();
    if played.is_empty() {
        return format!("Nothing has been played yet. {}", standing(record, false));
    }
    let turns = played.chunks(2).enumerate().map(|(at, turn)| format!("{}. {}", at + 1, turn.join(", ")));
    let undone = record.history.iter().filter(|event| matches!(event.what, What::Undo { .. })).count();
    let undone = if undone > 0 { format!("\n\nUndos so far: {undone}.") } else { String::new() };
    format!("{}{undone}\n\n{}", turns.collect::<Vec<_>>().join("\n"), standing(record, false))
}

/// Every command as a Markdown table: for `/help` and for the README.
#[must_use]
pub fn command_table() -> String {
    let commands = COMMANDS.iter().map(|info| format!("| `{}` | {} |\n", info.usage, info.meaning));
    format!("| Command | What it does |\n| --- | --- |\n{}", commands.collect::<String>())
}

/// The games as a Markdown table: for the README.
#[must_use]
pub fn game_table() -> String {
    let games = Kind::ALL.iter().map(|kind| {
        let Info { name, title, seats, summary, options, .. } = kind.info();
        let options: Vec<&str> = options.iter().map(|option| option.key).collect();
        format!("| {title} | `/new {name}` | {} | {summary} | {} |\n", list(seats), list(&options))
    });
    format!(
        "| Game | To begin | Seats | What it is | Options |\n| --- | --- | --- | --- | --- |\n{}",
        games.collect::<String>()
    )
}

fn help(house: &House) -> String {
    let games = Kind::ALL.iter().filter(|kind| house.allows(**kind)).map(|kind| {
        let info = kind.info();
        format!("- `{}`: {}", info.name, info.summary)
    });
    format!(
        "Write a command as the first line of a comment, one a comment.\n\n{}\nThe games here:\n\n{}\n\n\
         `/help GAME` says how a game is played.",
        command_table(),
        games.collect::<Vec<_>>().join("\n"),
    )
}

fn help_game(info: &Info) -> String {
    let own = info.options.iter().map(|option| (option.key, option.meaning));
    let options = own.chain(TABLE_OPTIONS.iter().copied()).map(|(key, meaning)| format!("- `{key}`: {meaning}"));
    format!(
        "**{}.** {}\n\n{}\n\nThe seats are {}. `/new {}` opens a table; its options:\n\n{}\n\n`/help` shows all commands.",
        info.title,
        info.summary,
        info.moves,
        list(&info.seats),
        info.name,
        options.collect::<Vec<_>>().join("\n"),
    )
}

/// What the last event was, as the first line of a commit message.
fn deed<G: Game>(record: &Record<G>, login: &str) -> String {
    let Some(event) = record.history.last() else { return login.to_owned() };
    let who = match event.seat {
        Some(seat) => format!("{login} ({})", seat_name::<G>(seat.0)),
        None => login.to_owned(),
    };
    match &event.what {
        What::New { .. } if record.round > 1 => format!("{who} opens round {} of {}", record.round, G::INFO.name),
        What::New { .. } => format!("{who} opens {}", G::INFO.name),
        What::Join => format!("{who} sits down"),
        What::Move { notation, mv } => {
            let before = record.plies().next_back().map(|(before, ..)| before.entry(mv));
            match G::deed(mv) {
                Some(deed) => format!("{who} {deed}"),
                None => format!("{who} plays {}", before.as_ref().unwrap_or(notation)),
            }
        }
        What::Resign if record.status == Status::Playing => format!("{who} resigns this game"),
        What::OfferDraw => format!("{who} offers a draw"),
        What::AcceptDraw => format!("{who} accepts the draw"),
        What::Decline => format!("{who} declines"),
        What::AskUndo => format!("{who} asks for an undo"),
        What::Undo { plies: 1 } => format!("{who} undoes one ply"),
        What::Undo { plies } => format!("{who} undoes {plies} plies"),
        What::Resign => format!("{who} resigns"),
        What::Abort => format!("{who} ends the game without a result"),
        What::Claim => format!("{who} claims the win on time"),
    }
}

fn title<G: Game>(_: &Record<G>) -> &'static str {
    G::INFO.title
}
