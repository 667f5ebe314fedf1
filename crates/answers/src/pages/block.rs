//! The block of a table on a page: whose turn it is, the board, a link for every move, and the last moves.

use std::collections::{BTreeMap, BTreeSet};

use game::{Board, Phrase, escape_xml};
use games::GameKind;
use table::timestamp::format_deadline;
use table::{Ballot, EventKind, IssueNumber, MadeBy, Player, Ply, Table, TableStatus};

use crate::commit_message::placeholder;
use crate::pages::links::{code_span, escape_login, submit_note};
use crate::pages::moves::{ClickableBoard, clickable_board, listed_moves, move_list, name_rows};
use crate::render::{markdown, text};
use crate::{Links, board_picture, sentences};

/// The maximum size of a block, in bytes, which leaves room for the rest of the page.
pub const MAX_BLOCK: usize = 100_000;
/// The maximum size of a block without a clickable board, in bytes. Nobody reads longer lists of moves.
pub const MAX_LIST_BLOCK: usize = 30_000;
/// The room for separators between the parts of a block, in bytes.
const SEPARATOR_ROOM: usize = 200;
/// The number of last moves in a block.
const LAST_MOVES: usize = 5;
/// The maximum length of a game's sentences, in bytes. Longer ones only appear in the issue.
const MAX_SENTENCES: usize = 2_000;

/// The block of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The Markdown. It mentions nobody, and depends only on the record.
    pub text: String,
    /// The tiles in it: contents by path below the state directory.
    pub tiles: BTreeMap<String, String>,
}

/// Returns the block of a table.
pub fn block(table: &Table, links: &Links<'_>) -> Block {
    let picture_path = board_picture::replay_path(table).unwrap_or_else(|| board_picture::board_path(table));
    let board = board_picture::current(table).board;
    TableBlock { table, links, picture_path, board }.block()
}

/// Returns the block of a table without a record: how to start one of `games`.
pub fn block_without_table(number: IssueNumber, links: &Links<'_>, games: &[GameKind]) -> String {
    let games = games.iter().map(|kind| {
        let info = kind.info();
        format!("[{}]({})", info.title, new_table_url(links, info.title, info.name, ""))
    });
    let games = games.collect::<Vec<_>>().join(" · ");
    let invitation = if games.is_empty() { games } else { format!("\n\nStart your own game: {games}") };
    format!(
        "**No game yet** at [table {number}]({}). To start one, write a comment there that says `/new`.{invitation}",
        links.issue(number)
    )
}

impl From<String> for Block {
    fn from(text: String) -> Block {
        Block { text, tiles: BTreeMap::new() }
    }
}

/// A table, with the parts that its block needs.
struct TableBlock<'a> {
    table: &'a Table,
    links: &'a Links<'a>,
    /// The path of the picture below the state directory. Finished games show their replay.
    picture_path: String,
    /// The board in the picture.
    board: Box<dyn Board>,
}

impl TableBlock<'_> {
    fn block(&self) -> Block {
        match self.table.status() {
            TableStatus::Playing => self.running_block(),
            TableStatus::Moved(to) => {
                let url = self.links.issue(to);
                format!("**The game continues** at [table {to}]({url}). {}", self.setup()).into()
            }
            TableStatus::Won(_) | TableStatus::Draw | TableStatus::Aborted => self.ended_block().into(),
        }
    }

    /// Returns a clickable board if it fits, else a picture and lists of moves.
    fn running_block(&self) -> Block {
        let TableBlock { table, links, .. } = self;
        let game = table.game();
        let turn_sentence = self.turn_sentence();
        if let Some(ballot) = table.ballot() {
            return self.voting_block(ballot, &turn_sentence).into();
        }
        let named = |phrase: Option<Phrase>| if_short(phrase.map(|phrase| sentences::with_names(table, &phrase)));
        let facts = [game.commentary(), game.standing(), game.turn_hint()].map(named).concat();
        let head = format!("**{turn_sentence}** {}{facts}", self.setup());
        let [before, after] = self.click_instructions();
        let last_moves = self.last_moves();
        let used = head.len() + before.len() + after.len() + last_moves.len() + SEPARATOR_ROOM;

        let mut moves = listed_moves(game);
        let cells: BTreeSet<usize> = moves.iter().filter_map(|mv| mv.target_cell).collect();
        let last = table.plies().rev().find_map(|ply| ply.played).map(|(mv, _)| mv);
        if let Some(tile_board) = game.board(last).tile_board(&|cell| cells.contains(&cell)) {
            name_rows(&mut moves, &tile_board);
            let room = MAX_BLOCK.saturating_sub(used);
            if let Some(ClickableBoard { text, tiles, click_target, anchor }) =
                clickable_board(table.issue(), table.turn(), &tile_board, &moves, links, room)
            {
                return Block {
                    text: format!("{head}\n\n{anchor}{before} {click_target}{after}\n\n{text}{last_moves}"),
                    tiles,
                };
            }
        }
        let picture = self.picture(&turn_sentence);
        let list =
            move_list(table.issue(), table.turn(), &moves, links, MAX_LIST_BLOCK.saturating_sub(used + picture.len()));
        format!("{head}\n\n{picture}\n\n{before} a move{after}\n\n{list}{last_moves}").into()
    }

    /// Returns the board with a crowd's candidates, which link to the issue with the ballot.
    fn voting_block(&self, ballot: &Ballot, turn_sentence: &str) -> String {
        let TableBlock { table, links, .. } = self;
        let issue = links.issue(table.issue());
        let candidates = ballot
            .candidates
            .iter()
            .map(|candidate| format!("[{} {}]({issue})", candidate.reaction.emoji(), code_span(&candidate.notation)));
        let end = table.votes_end().and_then(format_deadline).map(|end| format!(" until {end}")).unwrap_or_default();
        format!(
            "**{turn_sentence}** {}\n\n{}\n\nEverybody can [vote]({issue}){end}: {}{}",
            self.setup(),
            self.picture(turn_sentence),
            candidates.collect::<Vec<_>>().join(" · "),
            self.last_moves(),
        )
    }

    /// Returns the text before and after the thing to click: who the links are for, and how to submit the move.
    fn click_instructions(&self) -> [String; 2] {
        let TableBlock { table, links, .. } = self;
        let before = match table.player(table.player_to_move()) {
            Some(player) => format!("These links are for **{}**. Click", escape_login(player.name())),
            None if table.terms().open.is_some() => format!("{} Click", markdown(&sentences::seating(table))),
            None => "The seat is open, and the first person to move takes it. Click".to_owned(),
        };
        let mut after = ", then press the green button to submit.".to_owned();
        if table.terms().open.is_some() {
            let number = table.issue();
            let note = submit_note(&format!("the computer moves at table {number}"));
            let body = format!("/computer #{number}\n\n{note}");
            let ask = links.new_issue(&format!("Table {number}: the computer"), &body);
            after.push_str(&format!(" Or [let the computer move]({ask})."));
        }
        [before, after]
    }

    fn ended_block(&self) -> String {
        let TableBlock { table, links, .. } = self;
        let number = table.issue();
        let (ending, plain) = (markdown(&sentences::ending(table)), text(&sentences::ending(table)));
        let (rematch_label, options) = match table.terms().open {
            Some(_) => ("Play again", " seats=open"),
            None => ("Rematch, for either player", ""),
        };
        let note = submit_note(&format!("the next game starts at table {number}"));
        let rematch_url =
            links.new_issue(&format!("Table {number}: a rematch"), &format!("/rematch #{number}\n\n{note}"));
        let rematch = match table.history().last().map(|event| &event.kind) {
            Some(EventKind::IssueGone) => String::new(),
            _ => format!("[{rematch_label}]({rematch_url}) · "),
        };
        format!(
            "{} {}\n\n{}\n\n{rematch}[Start another game]({}){}",
            if ending.len() > MAX_SENTENCES { "The game is over." } else { &ending },
            self.setup(),
            self.picture(&plain),
            new_table_url(links, table.variant().title(), table.variant().name(), options),
            self.last_moves(),
        )
    }

    /// Returns the game with its options, the round, and a link to the issue.
    fn setup(&self) -> String {
        let (round, issue) = (self.table.round(), self.table.issue());
        let setup = self.table.game().setup_summary().map_or(String::new(), |setup| format!(" ({setup})"));
        let round = if round > 1 { format!(", round {round}") } else { String::new() };
        let casual = if self.table.terms().casual { ", casual" } else { "" };
        format!(
            "{}{setup}{casual}{round} at [table {issue}]({}).",
            self.table.variant().title(),
            self.links.issue(issue)
        )
    }

    /// Returns the picture as a link to the issue.
    ///
    /// The URL includes the length of the history, which changes with every event.
    fn picture(&self, sentence: &str) -> String {
        let TableBlock { table, links, picture_path, board } = self;
        let source = links.picture(picture_path, &format!("{}.{}", table.round(), table.history().len()));
        let sentence = if sentence.len() > MAX_SENTENCES { "" } else { sentence };
        let words = format!("The board of table {}. {sentence} {}", table.issue(), board.description());
        let (width, words) = (board.page_width(), escape_xml(&words.replace(['\\', '\n'], "")));
        format!(
            "<a href=\"{}\"><img src=\"{}\" alt=\"{words}\" width=\"{width}\"></a>",
            escape_xml(&links.issue(table.issue())),
            escape_xml(&source)
        )
    }

    /// Returns the last moves, newest first, without those taken back.
    fn last_moves(&self) -> String {
        let moves = self.table.plies().rev().take(LAST_MOVES).map(|ply| {
            let who = self.actor(&ply);
            match ply.played.map(|(mv, _)| ply.before.action_phrase(mv)) {
                Some(None) => format!("\n- {who} {}", code_span(&ply.move_list_entry())),
                Some(Some(action)) => format!("\n- {who} {action}"),
                None => format!("\n- {who} {}", ply.move_list_entry()),
            }
        });
        let moves: String = moves.collect();
        if moves.is_empty() { moves } else { format!("\n\nLast moves, newest first:\n{moves}") }
    }

    /// Returns who played a ply: "**alice** (X)".
    fn actor(&self, ply: &Ply<'_>) -> String {
        let (table, name) = (self.table, self.table.info().side_name(ply.seat));
        if ply.made_by == MadeBy::Computer {
            return format!("**the computer** ({name})");
        }
        let seat_login = || table.player(ply.seat)?.login();
        let login = match table.terms().open {
            Some(_) => table.login_of(ply.event.author).or_else(seat_login),
            None if ply.event.has_votes() => return format!("**the crowd** ({name})"),
            None => seat_login(),
        };
        login.map_or(format!("**{name}**"), |login| format!("**{}** ({name})", escape_login(login)))
    }

    /// Returns whose turn it is: "It's alice's turn (X)."
    fn turn_sentence(&self) -> String {
        let seat = self.table.player_to_move();
        let name = self.table.info().side_name(seat);
        match self.table.player(seat) {
            Some(player @ (Player::Computer(_) | Player::Crowd)) => format!("It's {}'s turn ({name}).", player.name()),
            Some(player) => format!("It's {}'s turn ({name}).", escape_login(player.name())),
            None => format!("It's {name}'s turn."),
        }
    }
}

fn new_table_url(links: &Links<'_>, title: &str, name: &str, options: &str) -> String {
    let note = "Press the green button to start the game in this issue. You move by writing comments here.";
    links.new_issue(&placeholder(title), &format!("/new {name}{options}\n\n{note}"))
}

/// Returns sentences with a leading space; empty if there are none or they are too long.
fn if_short(sentences: Option<Phrase>) -> String {
    let sentences = sentences.map(|sentences| format!(" {}", markdown(&sentences)));
    sentences.filter(|sentences| sentences.len() <= MAX_SENTENCES + 1).unwrap_or_default()
}
