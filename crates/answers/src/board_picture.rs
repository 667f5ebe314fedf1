//! Pictures of a table: the board at any ply with its caption, and animated replays of whole games.

use game::{Board, Caption, CaptionSide, Drawing, Replay, Seat, SharedLayers, SideStatus, replay};
use games::AnyMove;
use table::{MadeBy, Player, StatePath, Table, TableStatus};

use crate::sentences::numbered_ply;

/// A board at one ply of a game, with its caption.
#[derive(Debug)]
pub struct BoardPicture {
    /// The title, on one line.
    pub title: String,
    /// The board.
    pub board: Box<dyn Board>,
    /// The text around the board.
    pub caption: Caption,
}

/// Returns the current board as an SVG file.
pub fn svg(table: &Table) -> String {
    current(table).svg()
}

/// Returns the path of the board's SVG file below the state directory, next to the record.
pub fn board_path(table: &Table) -> String {
    StatePath::Board(table.issue()).to_string()
}

/// Returns the path of the replay below the state directory, in the archive of finished records.
///
/// `None` unless the game is over and has at least one ply.
pub fn replay_path(table: &Table) -> Option<String> {
    if !table.is_over() || ply_count(table) == 0 {
        return None;
    }
    Some(StatePath::Replay { issue: table.issue(), round: table.round() }.to_string())
}

/// Returns the current picture.
pub fn current(table: &Table) -> BoardPicture {
    board_picture(table, table.plies().len())
}

/// Returns the picture after `ply` plies, 0 for the start; `None` if the game has fewer.
pub fn at_ply(table: &Table, ply: usize) -> Option<BoardPicture> {
    if ply > ply_count(table) {
        return None;
    }
    Some(board_picture(table, ply))
}

/// Returns the number of plies, not counting those taken back.
pub fn ply_count(table: &Table) -> usize {
    table.plies().len()
}

/// Returns the game up to now, or up to a ply, as an animated SVG file that plays once.
///
/// It starts and ends with the board that [`svg`] shows, and doesn't move in print or for readers who prefer reduced
/// motion. It has at most [`replay::MAX_REPLAY_BYTES`] bytes: a longer game is shortened to its last part, with a note.
pub fn replay(table: &Table, up_to: Option<usize>) -> String {
    replay_within(table, up_to, replay::MAX_REPLAY_BYTES).svg
}

/// Returns the game up to now, or up to a ply, as an animated SVG file of at most `max_bytes` bytes.
fn replay_within(table: &Table, up_to: Option<usize>, max_bytes: usize) -> Replay {
    let last = ply_count(table).min(up_to.unwrap_or(usize::MAX));
    let pictures = (0..=last).filter_map(|ply| at_ply(table, ply));
    let (titles, frames): (Vec<_>, Vec<_>) =
        pictures.map(|picture| (picture.title, (picture.board, picture.caption))).unzip();
    replay::render_replay(titles.last().map_or("", String::as_str), frames, max_bytes)
}

/// Returns the pictures of a game one turn at a time: the start, and the board after each ply and each automatic turn.
pub fn steps(table: &Table) -> Vec<BoardPicture> {
    (0..=table.plies().len()).flat_map(|ply| pictures_of_ply(table, ply)).collect()
}

/// Returns the board after a ply and after each automatic turn that follows it, oldest first.
fn pictures_of_ply(table: &Table, ply: usize) -> Vec<BoardPicture> {
    let mut last = board_picture(table, ply);
    let Some(after) = ply.checked_sub(1).and_then(|index| table.timeline().ply_at(index)).map(|ply| ply.after) else {
        return vec![last];
    };
    let turns: Vec<_> = after.automatic_turns().into_iter().zip(after.automatic_positions()).collect();
    let mut last_move = last.caption.last_move.clone();
    let mut pictures = Vec::new();
    for ((seat, turn), position) in turns {
        let mut board = position.board(last_board_change(table, ply));
        board.hide_legal_moves();
        let mut caption = Caption { last_move, ..last.caption.clone() };
        for (side, of) in caption.sides.iter_mut().zip(Seat::BOTH) {
            (side.status, side.status_text) = playing_status(of == seat);
        }
        pictures.push(BoardPicture { title: last.title.clone(), board, caption });
        last_move = format!("{} {turn}", table.info().side_name(seat));
    }
    last.caption.last_move = last_move;
    pictures.push(last);
    pictures
}

/// Returns a side's status while the game is in progress, with its words.
fn playing_status(is_to_move: bool) -> (SideStatus, String) {
    if is_to_move { (SideStatus::ToMove, "to move".to_owned()) } else { (SideStatus::Waiting, String::new()) }
}

impl BoardPicture {
    /// Returns the drawing of the board with its caption.
    pub fn drawing(&self) -> Drawing {
        self.board.drawing(&self.caption, &SharedLayers::default())
    }

    /// Returns the picture as an SVG file.
    pub fn svg(&self) -> String {
        self.drawing().to_svg(&self.title)
    }

    /// Returns the board without its caption as an SVG file.
    pub fn board_svg(&self) -> String {
        let side = |side: &CaptionSide| CaptionSide { player: Some(String::new()), ..side.clone() };
        let sides = self.caption.sides.each_ref().map(side);
        let caption = Caption { sides, setup: String::new(), last_move: String::new() };
        self.board.drawing(&caption, &SharedLayers::default()).to_board_svg(&self.title)
    }
}

fn board_picture(table: &Table, ply: usize) -> BoardPicture {
    let ply_count = table.plies().len();
    let last_ply = ply.checked_sub(1).and_then(|index| table.timeline().ply_at(index));
    let game = last_ply.as_ref().map_or(table.timeline().start_position(), |ply| ply.after);
    let mut board = game.board(last_board_change(table, ply));
    // If the last move is an automatic reply to a move in the same event, mark that move, too.
    if let Some(reply) = &last_ply
        && reply.made_by != MadeBy::Player
        && let Some(own_ply) = ply.checked_sub(2).and_then(|index| table.timeline().ply_at(index))
        && own_ply.event_index == reply.event_index
        && let Some((mv, _)) = own_ply.played
        && let Some(cell) = own_ply.before.target_cell(mv)
    {
        board.mark_last_move(cell);
    }
    let status = if ply == ply_count { table.status() } else { TableStatus::Playing };
    if ply < ply_count {
        board.hide_legal_moves();
    }
    let last_event = table.history().last();
    let sides = Seat::BOTH.map(|seat| {
        let (status, status_text) = match status {
            TableStatus::Playing if seat == game.side_to_move() => (SideStatus::ToMove, "to move"),
            TableStatus::Playing => (SideStatus::Waiting, ""),
            TableStatus::Won(winner) if winner == seat => (SideStatus::Winner, "won"),
            TableStatus::Won(_) if last_event.is_some_and(|event| event.resignation_text().is_some()) => {
                (SideStatus::Waiting, "resigned")
            }
            TableStatus::Won(_) if last_event.is_some_and(|event| event.kind.is_timeout()) => {
                (SideStatus::Waiting, "out of time")
            }
            TableStatus::Won(_) => (SideStatus::Waiting, ""),
            TableStatus::Draw => (SideStatus::Waiting, "draw"),
            TableStatus::Aborted => (SideStatus::Waiting, "no result"),
            TableStatus::Moved(_) => (SideStatus::Waiting, "moved"),
        };
        let anyone = table.terms().open.map(|_| "anyone".to_owned());
        let player = table.player(seat).map(Player::name_with_level).or(anyone);
        CaptionSide { seat_name: table.info().side_name(seat), player, status, status_text: status_text.to_owned() }
    });
    let title = table.variant().title();
    let players = sides.each_ref().map(|side| side.player.as_deref().unwrap_or(&side.seat_name));
    let caption = Caption {
        setup: match (table.game().setup_summary(), table.variant().variant) {
            (Some(setup), Some(variant)) => format!("{}, {setup}", variant.title),
            (Some(setup), None) => setup,
            (None, _) => title.to_owned(),
        },
        last_move: numbered_ply(table, ply).unwrap_or_default(),
        sides: sides.clone(),
    };
    BoardPicture { title: format!("{title}: {} and {}, move {ply}", players[0], players[1]), board, caption }
}

/// Returns the last move that changed the board, which the picture marks.
fn last_board_change(table: &Table, ply: usize) -> Option<&AnyMove> {
    let mut past = (0..ply).rev().filter_map(|index| table.timeline().ply_at(index));
    let ply = past.find(|ply| !ply.before.has_same_placement(ply.after))?;
    ply.played.map(|(mv, _)| mv)
}
