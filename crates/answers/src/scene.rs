//! A table as people see it: the board with who plays, whose turn it is and what was played last, now or at any ply before,
//! and a whole game as one picture that moves.

use game::board::Board;
use game::board::drawing::Drawing;
use game::board::drawing::caption::{Caption, CaptionSide, SideStatus};
use game::board::drawing::shared_layers::SharedLayers;
use game::board::replay::{self, Replay};
use game::contract::Game;
use game::info::Info;
use game::seat::Seat;
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::history::Occupant;
use table::table::Table;

/// A board at some time of a game, with all that stands around it.
#[derive(Debug)]
pub struct Scene {
    /// The title, in a line.
    pub title: String,
    /// The board.
    pub board: Box<dyn Board>,
    /// The words around the board.
    pub caption: Caption,
}

/// Returns the board as it is now, as an SVG file.
pub fn svg(table: &AnyTable) -> String {
    current(table).svg()
}

/// Returns the path of the board's file below the state directory. It lies beside the record.
pub fn board_path(table: &AnyTable) -> String {
    format!("{}.svg", table.issue())
}

/// Returns the path of the whole game's file below the state directory, where the finished record goes when the next game
/// begins. `None` unless the game has ended and something was played in it.
pub fn replay_path(table: &AnyTable) -> Option<String> {
    let due = table.is_over() && ply_count(table) > 0;
    due.then(|| format!("archive/{}-{}.svg", table.issue(), table.round()))
}

/// Returns the board as it is now.
pub fn current(table: &AnyTable) -> Scene {
    with_table!(table, table => scene(table, table.plies().len()))
}

/// Returns the board after so many plies, 0 for the start; `None` if there were not so many.
pub fn at_ply(table: &AnyTable, ply: usize) -> Option<Scene> {
    with_table!(table, table => (ply <= table.plies().len()).then(|| scene(table, ply)))
}

/// Returns the number of plies that have been played, without those that were taken back.
pub fn ply_count(table: &AnyTable) -> usize {
    with_table!(table, table => table.plies().len())
}

/// Returns the whole game up to now, or up to a ply, as an SVG file that plays by itself, once.
///
/// It begins and ends with the board that [`svg`] shows, and where nothing moves (in print, or for those who asked for that) it is
/// that board. It never has more than [`film::MAX_REPLAY`] bytes: of a longer game it shows the last part, and says so.
pub fn replay(table: &AnyTable, upto: Option<usize>) -> String {
    replay_within(table, upto, replay::MAX_REPLAY_BYTES).svg
}

/// Returns the same with another limit, in bytes.
pub fn replay_within(table: &AnyTable, upto: Option<usize>, limit: usize) -> Replay {
    let last = ply_count(table).min(upto.unwrap_or(usize::MAX));
    let scenes = (0..=last).filter_map(|ply| at_ply(table, ply));
    let (titles, frames): (Vec<_>, Vec<_>) = scenes.map(|scene| (scene.title, (scene.board, scene.caption))).unzip();
    replay::render_replay(titles.last().map_or("", String::as_str), frames, limit)
}

impl Scene {
    /// Returns the drawing of the board with its strip.
    pub fn drawing(&self) -> Drawing {
        self.board.drawing(&self.caption, &SharedLayers::default())
    }

    /// Returns the scene as an SVG file.
    pub fn svg(&self) -> String {
        self.drawing().to_svg(&self.title)
    }
}

fn scene<G: Game>(table: &Table<G>, ply: usize) -> Scene {
    let count = table.plies().len();
    let before = ply.checked_sub(1).and_then(|at| table.timeline().ply_at(at));
    let game = before.as_ref().map_or(table.timeline().start_position(), |ply| ply.after);
    let mut board = game.board(last_play(table, ply));
    // Both moves are marked where the computer has answered at once.
    if let Some(answered) = before.as_ref().filter(|ply| ply.by_computer) {
        let own = ply.checked_sub(2).and_then(|at| table.timeline().ply_at(at));
        let own = own.filter(|own| own.event_index == answered.event_index);
        let cell = own.and_then(|own| own.before.target_cell(own.played?.0));
        cell.into_iter().for_each(|cell| board.mark_last_move(cell));
    }
    let status = if ply == count { table.status() } else { TableStatus::Playing };
    if ply < count {
        board.hide_legal_moves();
    }
    let ending = table.history().last();
    let sides = Seat::BOTH.map(|seat| {
        let (standing, word) = match status {
            TableStatus::Playing if seat == game.side_to_move() => (SideStatus::ToMove, "to move"),
            TableStatus::Playing => (SideStatus::Waiting, ""),
            TableStatus::Won(winner) if winner == seat => (SideStatus::Winner, "won"),
            TableStatus::Won(_) if ending.is_some_and(|event| event.resignation_text().is_some()) => {
                (SideStatus::Waiting, "resigned")
            }
            TableStatus::Won(_) if ending.is_some_and(|event| event.kind.is_timeout()) => {
                (SideStatus::Waiting, "out of time")
            }
            TableStatus::Won(_) => (SideStatus::Waiting, ""),
            TableStatus::Draw => (SideStatus::Waiting, "draw"),
            TableStatus::Aborted => (SideStatus::Waiting, "no result"),
            TableStatus::Moved(_) => (SideStatus::Waiting, "moved"),
        };
        let anyone = table.terms().open.map(|_| "anyone".to_owned());
        let name = table.occupant(seat).map(seated).or(anyone);
        CaptionSide { seat_name: G::INFO.side_name(seat), player: name, status: standing, status_text: word.to_owned() }
    });
    let Info { title, .. } = G::INFO;
    let players = sides.each_ref().map(|side| side.player.as_deref().unwrap_or(&side.seat_name));
    let strip = Caption {
        setup: G::setup_summary(table.config()).unwrap_or_else(|| title.to_owned()),
        last_move: before.map_or(String::new(), |before| format!("{ply}. {}", before.move_list_entry())),
        sides: sides.clone(),
    };
    Scene { title: format!("{title}: {} and {}, move {ply}", players[0], players[1]), board, caption: strip }
}

/// Returns the name of whoever sits at a seat.
fn seated(sitter: &Occupant) -> String {
    sitter.computer.map_or_else(|| sitter.login.clone(), |level| format!("computer, level {}", level.number()))
}

/// Returns the move to mark after so many plies: the last one that changed something on the board.
fn last_play<G: Game>(table: &Table<G>, ply: usize) -> Option<&G::Move> {
    let mut past = (0..ply).rev().filter_map(|at| table.timeline().ply_at(at));
    let ply = past.find(|ply| !ply.before.has_same_placement(ply.after))?;
    ply.played.map(|(mv, _)| mv)
}
