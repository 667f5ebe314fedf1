//! The block of a table on a page: who is to move, the board, a link for every move, what was played last.

use crate::answers::render::{markdown, text};
use crate::answers::scene;
pub(super) use crate::game::board::drawing::escape as html;
use crate::game::contract::Game;
use crate::game::phrase::Phrase;
use crate::game::seat::Seat;
use crate::games::registry::Kind;
use crate::pages::links::Links;
use crate::pages::moves::moves;
use crate::tables::any::{AnyTable, with_table};
use crate::tables::history::{Event, EventKind, seat_name};
use crate::tables::table::{Table, TableStatus};

/// How long a block may be, in bytes. A page has other things on it, too.
pub const MAX_BLOCK: usize = 30_000;
/// How many of the last moves are listed.
const LAST_MOVES: usize = 5;
/// How long the sentences of a game may be, in bytes. The issue tells the longer ones.
const MAX_SENTENCES: usize = 2_000;

/// What a new issue says below its command.
const PRESS: &str = "Press the green button: the move is played, answered, and this issue is closed.";

/// The Markdown of a table's block. It mentions nobody, is the same for the same record, and says nothing that is not in it.
#[must_use]
pub fn block(table: &AnyTable, links: &Links<'_>) -> String {
    with_table!(table, record => if record.status == TableStatus::Playing { playing(table, record, links) } else { over(table, record, links) })
}

/// The block of a table that there is no record of: how to open one. `games` are those that can be played here.
#[must_use]
pub fn nobody(number: u64, links: &Links<'_>, games: &[Kind]) -> String {
    let open = games.iter().map(|kind| {
        let info = kind.info();
        format!("[{}]({})", info.title, new_table(links, info.title, info.name, ""))
    });
    let open = open.collect::<Vec<_>>().join(" · ");
    let open = if open.is_empty() { open } else { format!("\n\nOpen a table of your own: {open}") };
    format!(
        "**No game yet** at [table {number}]({}). A comment there that says `/new` opens one.{open}",
        links.issue(number)
    )
}

/// A form for a new issue that plays a move at a table; without the note it is the command alone.
pub(super) fn move_link<G: Game>(record: &Table<G>, links: &Links<'_>, notation: &str, note: bool) -> String {
    let number = record.issue;
    let note = if note { format!("\n\n{PRESS}") } else { String::new() };
    links.new_issue(&format!("Table {number}: {notation}"), &format!("/move {notation} #{number}{note}"))
}

/// The same for whatever move somebody writes.
pub(super) fn any_move_link<G: Game>(record: &Table<G>, links: &Links<'_>) -> String {
    let number = record.issue;
    let body = format!("/move  #{number}\n\nWrite the move between the word and the number. {PRESS}");
    links.new_issue(&format!("Table {number}: a move"), &body)
}

fn playing<G: Game>(table: &AnyTable, record: &Table<G>, links: &Links<'_>) -> String {
    let seat = record.to_move();
    let who = player(record, seat);
    let whose = match record.sitter(seat) {
        Some(sitter) => format!("The links are for **{}**: click", login(&sitter.login)),
        None if record.terms.open.is_some() => format!("{} Click", markdown(&record.seating())),
        None => "The seat is open, and whoever moves first takes it: click".to_owned(),
    };
    let turn_hint = short(record.game().turn_hint());
    let came = short(record.game().news());
    let head = format!(
        "**{who} is to move.** {}{came}{turn_hint}\n\n{}\n\n{whose} a move, then press the green button.",
        setup(record, links),
        picture(table, record, links, &format!("{who} is to move.")),
    );
    let last = last_moves(record);
    let room = MAX_BLOCK.saturating_sub(head.len() + last.len() + 2);
    format!("{head}\n\n{}{last}", moves(record, links, room))
}

fn over<G: Game>(table: &AnyTable, record: &Table<G>, links: &Links<'_>) -> String {
    let number = record.issue;
    if let TableStatus::Moved(to) = record.status {
        return format!("**The game goes on** at [table {to}]({}). {}", links.issue(to), setup(record, links));
    }
    let (ending, plain) = (markdown(&record.ending()), text(&record.ending()));
    let (again, options) = match record.terms.open {
        Some(_) => ("Play again", " seats=open"),
        None => ("Rematch, for either player", ""),
    };
    let note = format!("Press the green button: the next game begins at table {number}, and this issue is closed.");
    let rematch = links.new_issue(&format!("Table {number}: a rematch"), &format!("/rematch #{number}\n\n{note}"));
    format!(
        "{} {}\n\n{}\n\n[{again}]({rematch}) · [Open another table]({}){}",
        if ending.len() > MAX_SENTENCES { "The game is over." } else { &ending },
        setup(record, links),
        picture(table, record, links, &plain),
        new_table(links, G::INFO.title, G::INFO.name, options),
        last_moves(record),
    )
}

fn new_table(links: &Links<'_>, title: &str, name: &str, options: &str) -> String {
    let note = "Press the green button: the table is set up in this issue, and every comment here can be a move.";
    links.new_issue(&format!("A game of {title}"), &format!("/new {name}{options}\n\n{note}"))
}

/// What is played, and where.
fn setup<G: Game>(record: &Table<G>, links: &Links<'_>) -> String {
    let setup = G::setup(&record.config).map_or(String::new(), |setup| format!(" ({setup})"));
    let round = if record.round > 1 { format!(", round {}", record.round) } else { String::new() };
    let number = record.issue;
    format!("{}{setup}{round} at [table {number}]({}).", G::INFO.title, links.issue(number))
}

/// The board, which leads to the issue; of a game that has ended all of it, played back. The history only grows, so its
/// length says which board it is.
fn picture<G: Game>(table: &AnyTable, record: &Table<G>, links: &Links<'_>, sentence: &str) -> String {
    let file = scene::replay_file(table).unwrap_or_else(|| scene::file(table));
    let source = links.picture(&file, &format!("{}.{}", record.round, record.history.len()));
    let sentence = if sentence.len() > MAX_SENTENCES { "" } else { sentence };
    let words = format!("The board of table {}. {sentence} {}", record.issue, scene::words(table));
    let (width, words) = (record.game().board(None).page_width(), html(&words.replace(['\\', '\n'], "")));
    format!(
        "<a href=\"{}\"><img src=\"{}\" alt=\"{words}\" width=\"{width}\"></a>",
        html(&links.issue(record.issue)),
        html(&source)
    )
}

/// The last moves that count, the newest first.
fn last_moves<G: Game>(record: &Table<G>) -> String {
    let moves = record.plies().rev().take(LAST_MOVES).filter_map(|(before, event, _)| {
        let who = doer(record, event)?;
        Some(match &event.kind {
            EventKind::Move { mv, .. } => match G::deed(mv) {
                Some(deed) => format!("\n- {who} {deed}"),
                None => format!("\n- {who} {}", code(&before.entry(mv))),
            },
            _ => format!("\n- {who} resigns"),
        })
    });
    let moves: String = moves.collect();
    if moves.is_empty() { moves } else { format!("\n\nThe last moves, newest first:\n{moves}") }
}

/// Whoever did something: "**alice** (X)".
fn doer<G: Game>(record: &Table<G>, event: &Event<G>) -> Option<String> {
    let seat = event.seat?.0;
    let open = record.terms.open.and_then(|_| record.login_of(event.by));
    let known = open.or_else(|| record.sitter(seat).map(|sitter| sitter.login.as_str()));
    let name = seat_name::<G>(seat);
    Some(known.map_or(format!("**{name}**"), |known| format!("**{}** ({name})", login(known))))
}

/// Whoever sits at a seat: "alice (X)".
fn player<G: Game>(record: &Table<G>, seat: Seat) -> String {
    let name = seat_name::<G>(seat);
    match record.sitter(seat) {
        Some(sitter) => format!("{} ({name})", login(&sitter.login)),
        None if name.len() == 1 => name.to_owned(),
        None => format!("{}{}", name[..1].to_uppercase(), &name[1..]),
    }
}

/// A login as Markdown. Those of some companies have an underscore, which could begin emphasis.
fn login(login: &str) -> String {
    login.replace('_', "\\_")
}

/// Returns sentences behind others, if there are any and they are short enough.
fn short(sentences: Option<Phrase>) -> String {
    let sentences = sentences.map(|sentences| format!(" {}", markdown(&sentences)));
    sentences.filter(|sentences| sentences.len() <= MAX_SENTENCES + 1).unwrap_or_default()
}

/// A text of a game's in a code span.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", text.replace(['`', '|', '\n'], " "))
}
