//! The block of a table on a page: the side on turn, the board, a link for every move, the last moves.

use std::collections::{BTreeMap, BTreeSet};

use crate::answers::render::{markdown, text};
use crate::answers::scene;
use crate::answers::sentences;
use crate::game::board::Board;
use crate::game::board::drawing::escape;
use crate::game::contract::Game;
use crate::game::phrase::Phrase;
use crate::game::seat::Seat;
use crate::games::registry::Kind;
use crate::pages::clicked::{Clicked, clicked};
use crate::pages::links::Links;
use crate::pages::markup::{code, login, note_that};
use crate::pages::moves::{Choice, choices, moves, name_rows};
use crate::tables::any::{AnyTable, with_table};
use crate::tables::game_state::TableStatus;
use crate::tables::history::Sitter;
use crate::tables::line::Ply;
use crate::tables::table::Table;

/// The most bytes of a block. A page has other things on it, too.
pub const MAX_BLOCK: usize = 100_000;
/// The most bytes of a block whose board is not clicked: more than these lists of moves nobody reads.
pub const MAX_LISTED: usize = 30_000;
/// The room for what stands between the parts of a block, in bytes.
const WORDS: usize = 200;
/// The number of the last moves that are listed.
const LAST_MOVES: usize = 5;
/// The most bytes of the sentences of a game. The issue tells the longer ones.
const MAX_SENTENCES: usize = 2_000;

/// The block of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The Markdown. It mentions nobody, and follows from the record alone.
    pub text: String,
    /// The small pictures that it shows: their paths below the state directory, and the files.
    pub tiles: BTreeMap<String, String>,
}

/// Returns the block of a table.
pub fn block(table: &AnyTable, links: &Links<'_>) -> Block {
    let any = table;
    with_table!(any, table => match table.status() {
        TableStatus::Playing => playing(any, table, links),
        TableStatus::Moved(to) => format!("**The game continues** at [table {to}]({}). {}", links.issue(to), setup(table, links)).into(),
        _ => over(any, table, links).into(),
    })
}

/// Returns the block of a table that there is no record of: how to open one. `games` are those that can be played here.
pub fn without_table(number: u64, links: &Links<'_>, games: &[Kind]) -> String {
    let open = games.iter().map(|kind| {
        let info = kind.info();
        format!("[{}]({})", info.title, new_table(links, info.title, info.name, ""))
    });
    let open = open.collect::<Vec<_>>().join(" · ");
    let open = if open.is_empty() { open } else { format!("\n\nStart your own game: {open}") };
    format!(
        "**No game yet** at [table {number}]({}). To start one, write a comment there that says `/new`.{open}",
        links.issue(number)
    )
}

impl From<String> for Block {
    fn from(text: String) -> Block {
        Block { text, tiles: BTreeMap::new() }
    }
}

fn playing<G: Game>(any: &AnyTable, table: &Table<G>, links: &Links<'_>) -> Block {
    let seat = table.to_move();
    let turn = turn(table, seat);
    let whose = match table.sitter(seat) {
        Some(sitter) => format!("These links are for **{}**. Click", login(&sitter.login)),
        None if table.terms().open.is_some() => format!("{} Click", markdown(&sentences::seating(table))),
        None => "The seat is open, and the first person to move takes it. Click".to_owned(),
    };
    let turn_hint = short(table.game().turn_hint());
    let came = short(table.game().news());
    let head = format!("**{turn}** {}{came}{turn_hint}", setup(table, links));
    let computer = table.terms().open.map_or(String::new(), |_| computer_link(table, links));
    let last = table.plies().rev().find_map(|ply| ply.played).map(|(mv, _)| mv);
    let parts = Parts {
        issue: table.issue(),
        head,
        press: [whose, format!(", then press the green button to submit.{computer}")],
        board: table.game().board(last),
        choices: choices(table.game()),
        last: last_moves(table),
    };
    parts.put_together(links, &|| picture(any, table, links, &turn))
}

/// The parts of a block that know nothing of games any more.
struct Parts {
    issue: u64,
    head: String,
    /// The request to click, before the thing to click and after it.
    press: [String; 2],
    board: Box<dyn Board>,
    choices: Vec<Choice>,
    last: String,
}

impl Parts {
    /// Puts the board between them: one to be clicked if there is one that fits, else a picture and lists of moves.
    fn put_together(mut self, links: &Links<'_>, picture: &dyn Fn() -> String) -> Block {
        let Parts { issue, head, press: [click, then], board, choices, last } = &mut self;
        let cells: BTreeSet<usize> = choices.iter().filter_map(|choice| choice.cell).collect();
        let mosaic = board.mosaic(&|cell| cells.contains(&cell));
        mosaic.iter().for_each(|mosaic| name_rows(choices, mosaic));
        let taken = head.len() + click.len() + then.len() + last.len() + WORDS;
        let room = MAX_BLOCK.saturating_sub(taken);
        let board = mosaic.and_then(|mosaic| clicked(*issue, &mosaic, choices, links, room));
        if let Some(Clicked { text, tiles, what, anchor }) = board {
            return Block { text: format!("{head}\n\n{anchor}{click} {what}{then}\n\n{text}{last}"), tiles };
        }
        let picture = picture();
        let moves = moves(*issue, choices, links, MAX_LISTED.saturating_sub(taken + picture.len()));
        format!("{head}\n\n{picture}\n\n{click} a move{then}\n\n{moves}{last}").into()
    }
}

/// Returns the link that lets the computer move, with a space before it.
fn computer_link<G: Game>(table: &Table<G>, links: &Links<'_>) -> String {
    let number = table.issue();
    let note = note_that(&format!("the computer moves at table {number}"));
    let ask = links.new_issue(&format!("Table {number}: the computer"), &format!("/computer #{number}\n\n{note}"));
    format!(" Or [let the computer move]({ask}).")
}

fn over<G: Game>(any: &AnyTable, table: &Table<G>, links: &Links<'_>) -> String {
    let number = table.issue();
    let (ending, plain) = (markdown(&sentences::ending(table)), text(&sentences::ending(table)));
    let (again, options) = match table.terms().open {
        Some(_) => ("Play again", " seats=open"),
        None => ("Rematch, for either player", ""),
    };
    let note = note_that(&format!("the next game starts at table {number}"));
    let rematch = links.new_issue(&format!("Table {number}: a rematch"), &format!("/rematch #{number}\n\n{note}"));
    format!(
        "{} {}\n\n{}\n\n[{again}]({rematch}) · [Start another game]({}){}",
        if ending.len() > MAX_SENTENCES { "The game is over." } else { &ending },
        setup(table, links),
        picture(any, table, links, &plain),
        new_table(links, G::INFO.title, G::INFO.name, options),
        last_moves(table),
    )
}

fn new_table(links: &Links<'_>, title: &str, name: &str, options: &str) -> String {
    let note = "Press the green button to start the game in this issue. You move by writing comments here.";
    links.new_issue(&format!("A game of {title}"), &format!("/new {name}{options}\n\n{note}"))
}

/// Returns the game with its options, the round and the issue.
fn setup<G: Game>(table: &Table<G>, links: &Links<'_>) -> String {
    let setup = G::setup(table.config()).map_or(String::new(), |setup| format!(" ({setup})"));
    let round = if table.round() > 1 { format!(", round {}", table.round()) } else { String::new() };
    let number = table.issue();
    format!("{}{setup}{round} at [table {number}]({}).", G::INFO.title, links.issue(number))
}

/// Returns the board, which leads to the issue; of a game that has ended all of it, played back. The history only grows, so
/// its length says which board it is.
fn picture<G: Game>(any: &AnyTable, table: &Table<G>, links: &Links<'_>, sentence: &str) -> String {
    let file = scene::replay_file(any).unwrap_or_else(|| scene::file(any));
    let source = links.picture(&file, &format!("{}.{}", table.round(), table.history().len()));
    let sentence = if sentence.len() > MAX_SENTENCES { "" } else { sentence };
    let words = format!("The board of table {}. {sentence} {}", table.issue(), scene::now(any).board.words());
    let (width, words) = (table.game().board(None).page_width(), escape(&words.replace(['\\', '\n'], "")));
    format!(
        "<a href=\"{}\"><img src=\"{}\" alt=\"{words}\" width=\"{width}\"></a>",
        escape(&links.issue(table.issue())),
        escape(&source)
    )
}

/// Returns the last moves that count, the newest first.
fn last_moves<G: Game>(table: &Table<G>) -> String {
    let moves = table.plies().rev().take(LAST_MOVES).map(|ply| {
        let who = doer(table, &ply);
        match ply.played.map(|(mv, _)| G::deed(mv)) {
            Some(None) => format!("\n- {who} {}", code(&ply.entry())),
            Some(Some(deed)) => format!("\n- {who} {deed}"),
            None => format!("\n- {who} {}", ply.entry()),
        }
    });
    let moves: String = moves.collect();
    if moves.is_empty() { moves } else { format!("\n\nLast moves, newest first:\n{moves}") }
}

/// Returns the doer of a ply: "**alice** (X)".
fn doer<G: Game>(table: &Table<G>, ply: &Ply<'_, G>) -> String {
    let name = G::INFO.side(ply.seat);
    if ply.by_computer {
        return format!("**the computer** ({name})");
    }
    let open = table.terms().open.and_then(|_| table.login_of(ply.event.by));
    let known = open.or_else(|| table.sitter(ply.seat).map(|sitter| sitter.login.as_str()));
    known.map_or(format!("**{name}**"), |known| format!("**{}** ({name})", login(known)))
}

/// Returns whose turn it is: "It's alice's turn (X)."
fn turn<G: Game>(table: &Table<G>, seat: Seat) -> String {
    let name = G::INFO.side(seat);
    match table.sitter(seat) {
        Some(Sitter { computer: Some(_), .. }) => format!("It's the computer's turn ({name})."),
        Some(sitter) => format!("It's {}'s turn ({name}).", login(&sitter.login)),
        None => format!("It's {name}'s turn."),
    }
}

/// Returns sentences with a space before them; an empty text if there are none or they are too long.
fn short(sentences: Option<Phrase>) -> String {
    let sentences = sentences.map(|sentences| format!(" {}", markdown(&sentences)));
    sentences.filter(|sentences| sentences.len() <= MAX_SENTENCES + 1).unwrap_or_default()
}
