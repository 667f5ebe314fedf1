//! The board as text. Letters are checkers, a number marks a stack too tall to draw, and a `*` after a point's number
//! marks where the last play ended.

use game::board::piece::legend;
use game::board::text::{Emphasis, Text, Tone};
use game::seat::Seat;

use crate::backgammon::board::{BackgammonBoard, CubeView, STYLES};

/// The most checkers drawn in a stack. A taller stack shows its count at the top.
pub(super) const MAX_HEIGHT: usize = 5;

/// The owner and number of the checkers on a point or on the bar.
pub(super) type Stack = Option<(Seat, u8)>;

/// Returns the board as lines of text, with the points numbered from the viewer's side.
pub fn board_text(view: &BackgammonBoard) -> Text {
    let mut text = Text::default();
    let upper: [usize; 12] = std::array::from_fn(|at| 13 + at);
    let lower: [usize; 12] = std::array::from_fn(|at| 12 - at);
    let edge = "-".repeat(24);
    let gap = " ".repeat(24);
    push_numbers(view, upper, &mut text);
    text.push_line(format!("+{edge}+---+{edge}+"));
    for row in 0..MAX_HEIGHT {
        push_checkers(view, upper, row, view.viewer.other(), &mut text);
    }
    text.push_line(format!("|{gap}|BAR|{gap}|"));
    for row in (0..MAX_HEIGHT).rev() {
        push_checkers(view, lower, row, view.viewer, &mut text);
    }
    text.push_line(format!("+{edge}+---+{edge}+"));
    push_numbers(view, lower, &mut text);
    text.push_line(status_line(view));
    text
}

/// Writes the numbers of twelve points, with each target of the last play in parentheses.
fn push_numbers(view: &BackgammonBoard, row: [usize; 12], text: &mut Text) {
    text.push_plain(" ");
    for (at, point) in row.into_iter().enumerate() {
        if at == 6 {
            text.push_plain("     ");
        }
        if view.last_targets.contains(&(point as u32)) {
            text.push(Tone { ink: None, emphasis: Emphasis::LastMove }, format!("{:>4}", format!("({point})")));
        } else {
            text.push_plain(format!("{point:>3} "));
        }
    }
    text.end_line();
}

/// Writes one row of checkers in the upper or lower half; row 0 is at the edge. The bar in this half belongs to `seat`,
/// and its stack grows from the middle of the board.
fn push_checkers(view: &BackgammonBoard, row_of_points: [usize; 12], row: usize, seat: Seat, text: &mut Text) {
    text.push_plain("|");
    for (at, point) in row_of_points.into_iter().enumerate() {
        if at == 6 {
            let stack = Some((seat, view.bar[seat.index()]));
            text.push_plain("|");
            text.push(tone(stack), format!("{:>2} ", checker(stack, MAX_HEIGHT - 1 - row)));
            text.push_plain("|");
        }
        let stack = view.points[point - 1];
        text.push(tone(stack), format!(" {:<3}", checker(stack, row)));
    }
    text.push_plain("|");
    text.end_line();
}

/// Returns the checker in one row of a stack, or the count at the top.
fn checker(stack: Stack, row: usize) -> String {
    match stack {
        Some((_, count)) if usize::from(count) > MAX_HEIGHT && row == MAX_HEIGHT - 1 => count.to_string(),
        Some((seat, count)) if usize::from(count) > row => letter(seat).to_string(),
        _ => String::new(),
    }
}

pub(super) fn tone(stack: Stack) -> Tone {
    Tone { ink: stack.map(|(seat, _)| STYLES[seat.index()].ink), emphasis: Emphasis::None }
}

/// Returns the line below the board.
fn status_line(view: &BackgammonBoard) -> String {
    let off = Seat::BOTH.map(|seat| format!("{} {}", letter(seat), view.off[seat.index()]));
    let off = Some(format!("borne off {}", off.join(", ")));
    let dice = view.dice.map(|[one, two]| format!("dice {} {}", one.max(two), one.min(two)));
    let cube = view.cube.map(|CubeView { value, owner, .. }| match owner {
        Some(owner) => format!("{} has the cube at {value}", letter(owner)),
        None => format!("the cube is centered at {value}"),
    });
    let parts: Vec<String> = [off, dice, cube].into_iter().flatten().collect();
    let legend = legend(&STYLES).unwrap_or_default();
    format!("{legend}; {}'s view; {}", letter(view.viewer), parts.join("; "))
}

fn letter(seat: Seat) -> char {
    STYLES[seat.index()].glyph.letter
}
