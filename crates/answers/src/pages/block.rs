//! The block of a table on a page: the side on turn, the board, a link for every move, the last moves.

use std::collections::{BTreeMap, BTreeSet};

use game::board::Board;
use game::board::drawing::escape_xml;
use game::contract::Game;
use game::phrase::Phrase;
use games::registry::GameKind;
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::history::Occupant;
use table::table::Table;
use table::timeline::Ply;

use crate::pages::clicked::{ClickableBoard, clickable_board};
use crate::pages::links::Links;
use crate::pages::markup::{code_span, escape_login, submit_note};
use crate::pages::moves::{listed_moves, move_list, name_rows};
use crate::render::{markdown, text};
use crate::{scene, sentences};

/// The most bytes of a block. A page has other things on it, too.
pub const MAX_BLOCK: usize = 100_000;
/// The most bytes of a block whose board is not clicked: more than these lists of moves nobody reads.
pub const MAX_LIST_BLOCK: usize = 30_000;
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
    let file = scene::replay_path(table).unwrap_or_else(|| scene::board_path(table));
    let board = scene::current(table).board;
    with_table!(table, table => TableBlock { table, links, file, board }.block())
}

/// Returns the block of a table that there is no record of: how to open one. `games` are those that can be played here.
pub fn block_without_table(number: u64, links: &Links<'_>, games: &[GameKind]) -> String {
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

/// A table and what its block is made with.
struct TableBlock<'a, G: Game> {
    table: &'a Table<G>,
    links: &'a Links<'a>,
    /// The file of the picture, below the state directory; of a game that has ended all of it, played back.
    file: String,
    /// The board in the picture.
    board: Box<dyn Board>,
}

impl<G: Game> TableBlock<'_, G> {
    fn block(&self) -> Block {
        match self.table.status() {
            TableStatus::Playing => self.playing(),
            TableStatus::Moved(to) => {
                let there = self.links.issue(to);
                format!("**The game continues** at [table {to}]({there}). {}", self.setup()).into()
            }
            TableStatus::Won(_) | TableStatus::Draw | TableStatus::Aborted => self.over().into(),
        }
    }

    /// Returns a board to be clicked if there is one that fits, else a picture and lists of moves.
    fn playing(&self) -> Block {
        let TableBlock { table, links, .. } = self;
        let game = table.game();
        let turn = self.turn();
        let head = format!("**{turn}** {}{}{}", self.setup(), short(game.commentary()), short(game.turn_hint()));
        let [click, then] = self.press();
        let last_moves = self.last_moves();
        let taken = head.len() + click.len() + then.len() + last_moves.len() + WORDS;

        let mut choices = listed_moves(game);
        let cells: BTreeSet<usize> = choices.iter().filter_map(|choice| choice.target_cell).collect();
        let last = table.plies().rev().find_map(|ply| ply.played).map(|(mv, _)| mv);
        if let Some(mosaic) = game.board(last).tile_board(&|cell| cells.contains(&cell)) {
            name_rows(&mut choices, &mosaic);
            let room = MAX_BLOCK.saturating_sub(taken);
            if let Some(ClickableBoard { text, tiles, click_target: what, anchor }) =
                clickable_board(table.issue(), &mosaic, &choices, links, room)
            {
                return Block { text: format!("{head}\n\n{anchor}{click} {what}{then}\n\n{text}{last_moves}"), tiles };
            }
        }
        let picture = self.picture(&turn);
        let moves = move_list(table.issue(), &choices, links, MAX_LIST_BLOCK.saturating_sub(taken + picture.len()));
        format!("{head}\n\n{picture}\n\n{click} a move{then}\n\n{moves}{last_moves}").into()
    }

    /// Returns the request to click: the part before the thing to click, and the part after it.
    fn press(&self) -> [String; 2] {
        let TableBlock { table, links, .. } = self;
        let whose = match table.occupant(table.player_to_move()) {
            Some(sitter) => format!("These links are for **{}**. Click", escape_login(&sitter.login)),
            None if table.terms().open.is_some() => format!("{} Click", markdown(&sentences::seating(table))),
            None => "The seat is open, and the first person to move takes it. Click".to_owned(),
        };
        let mut then = ", then press the green button to submit.".to_owned();
        if table.terms().open.is_some() {
            let number = table.issue();
            let note = submit_note(&format!("the computer moves at table {number}"));
            let body = format!("/computer #{number}\n\n{note}");
            let ask = links.new_issue(&format!("Table {number}: the computer"), &body);
            then.push_str(&format!(" Or [let the computer move]({ask})."));
        }
        [whose, then]
    }

    fn over(&self) -> String {
        let TableBlock { table, links, .. } = self;
        let number = table.issue();
        let (ending, plain) = (markdown(&sentences::ending(table)), text(&sentences::ending(table)));
        let (again, options) = match table.terms().open {
            Some(_) => ("Play again", " seats=open"),
            None => ("Rematch, for either player", ""),
        };
        let note = submit_note(&format!("the next game starts at table {number}"));
        let rematch = links.new_issue(&format!("Table {number}: a rematch"), &format!("/rematch #{number}\n\n{note}"));
        format!(
            "{} {}\n\n{}\n\n[{again}]({rematch}) · [Start another game]({}){}",
            if ending.len() > MAX_SENTENCES { "The game is over." } else { &ending },
            self.setup(),
            self.picture(&plain),
            new_table(links, G::INFO.title, G::INFO.name, options),
            self.last_moves(),
        )
    }

    /// Returns the game with its options, the round and the issue.
    fn setup(&self) -> String {
        let (config, round, issue) = (self.table.config(), self.table.round(), self.table.issue());
        let setup = G::setup_summary(config).map_or(String::new(), |setup| format!(" ({setup})"));
        let round = if round > 1 { format!(", round {round}") } else { String::new() };
        format!("{}{setup}{round} at [table {issue}]({}).", G::INFO.title, self.links.issue(issue))
    }

    /// Returns the picture, which leads to the issue. The history only grows, so its length says which board it is.
    fn picture(&self, sentence: &str) -> String {
        let TableBlock { table, links, file, board } = self;
        let source = links.picture(file, &format!("{}.{}", table.round(), table.history().len()));
        let sentence = if sentence.len() > MAX_SENTENCES { "" } else { sentence };
        let words = format!("The board of table {}. {sentence} {}", table.issue(), board.description());
        let (width, words) = (board.page_width(), escape_xml(&words.replace(['\\', '\n'], "")));
        format!(
            "<a href=\"{}\"><img src=\"{}\" alt=\"{words}\" width=\"{width}\"></a>",
            escape_xml(&links.issue(table.issue())),
            escape_xml(&source)
        )
    }

    /// Returns the last moves that count, the newest first.
    fn last_moves(&self) -> String {
        let moves = self.table.plies().rev().take(LAST_MOVES).map(|ply| {
            let who = self.doer(&ply);
            match ply.played.map(|(mv, _)| G::action_phrase(mv)) {
                Some(None) => format!("\n- {who} {}", code_span(&ply.move_list_entry())),
                Some(Some(deed)) => format!("\n- {who} {deed}"),
                None => format!("\n- {who} {}", ply.move_list_entry()),
            }
        });
        let moves: String = moves.collect();
        if moves.is_empty() { moves } else { format!("\n\nLast moves, newest first:\n{moves}") }
    }

    /// Returns the doer of a ply: "**alice** (X)".
    fn doer(&self, ply: &Ply<'_, G>) -> String {
        let (table, name) = (self.table, G::INFO.side_name(ply.seat));
        if ply.by_computer {
            return format!("**the computer** ({name})");
        }
        let open = table.terms().open.and_then(|_| table.login_of(ply.event.by));
        let known = open.or_else(|| table.occupant(ply.seat).map(|sitter| sitter.login.as_str()));
        known.map_or(format!("**{name}**"), |known| format!("**{}** ({name})", escape_login(known)))
    }

    /// Returns whose turn it is: "It's alice's turn (X)."
    fn turn(&self) -> String {
        let seat = self.table.player_to_move();
        let name = G::INFO.side_name(seat);
        match self.table.occupant(seat) {
            Some(Occupant { computer: Some(_), .. }) => format!("It's the computer's turn ({name})."),
            Some(sitter) => format!("It's {}'s turn ({name}).", escape_login(&sitter.login)),
            None => format!("It's {name}'s turn."),
        }
    }
}

fn new_table(links: &Links<'_>, title: &str, name: &str, options: &str) -> String {
    let note = "Press the green button to start the game in this issue. You move by writing comments here.";
    links.new_issue(&format!("A game of {title}"), &format!("/new {name}{options}\n\n{note}"))
}

/// Returns the sentences after a space, or an empty text if there are none or they are too long.
fn short(sentences: Option<Phrase>) -> String {
    let sentences = sentences.map(|sentences| format!(" {}", markdown(&sentences)));
    sentences.filter(|sentences| sentences.len() <= MAX_SENTENCES + 1).unwrap_or_default()
}
