//! The file that says what each step of a game shows: the position in words, and the facts beside the players' names.
//!
//! Screen readers read the words, so they have to be there for every step. A position repeats most of the one before it, so
//! the file has only the parts that change.

use std::fmt::Write;

use answers::board_picture::BoardPicture;
use game::{Seat, SideStatus};

/// Returns the file. Each line belongs to a step, start first, and has parts between tabs.
///
/// The parts of a step are the seat to move (0 or 1, empty after the game), the notes of both sides, the pieces that both
/// sides captured, and the position in words. A line has all of them after `=`, or only those that changed, each with its
/// index: `1=13 discs`.
pub(crate) fn file(pictures: &[BoardPicture]) -> String {
    let mut last: Vec<String> = Vec::new();
    let mut text = String::new();
    for picture in pictures {
        let parts = parts(picture);
        if parts.len() == last.len() {
            let mut tab = "";
            for (index, (part, _)) in parts.iter().zip(&last).enumerate().filter(|(_, (part, last))| part != last) {
                let _ = write!(text, "{tab}{index}={part}");
                tab = "\t";
            }
        } else {
            let _ = write!(text, "={}", parts.join("\t"));
        }
        text.push('\n');
        last = parts;
    }
    text
}

fn parts(picture: &BoardPicture) -> Vec<String> {
    let turn = Seat::BOTH.iter().find(|seat| picture.caption.sides[seat.index()].status == SideStatus::ToMove);
    let sides = Seat::BOTH.map(|seat| picture.board.side_facts(seat));
    let mut parts = vec![turn.map_or(String::new(), |seat| seat.index().to_string())];
    parts.extend(sides.iter().map(|side| side.note.clone()));
    parts.extend(sides.iter().map(|side| side.captured.join(" ")));
    let words = picture.board.description().replace(['\t', '\n'], " ");
    parts.extend(words.split_inclusive("; ").flat_map(|part| part.split_inclusive(". ")).map(str::to_owned));
    parts
}
