//! The board in a terminal. A narrow terminal gets narrow points, and shows the bar in the wall between the halves.

use game::board::piece::{ordinary_piece, terminal_char, terminal_legend};
use game::board::text::{Emphasis, Ground, TerminalStyle, Text, Tone};
use game::contract::Game;
use game::seat::Seat;

use super::text::tone;
use crate::backgammon::board::text::{MAX_HEIGHT, Stack};
use crate::backgammon::board::{BackgammonBoard, CubeView, STYLES};
use crate::backgammon::game::Backgammon;

/// The minimum terminal width for the wide board, in columns.
const WIDE: usize = 56;

/// Returns the board as lines of text. Points are numbered for the player to move, who has to type them.
pub fn terminal_text(view: &BackgammonBoard, style: &TerminalStyle) -> Text {
    let board = TerminalBoard { view, style, is_wide: style.columns.is_none_or(|columns| columns >= WIDE) };
    let mut text = Text::default();
    let upper: [usize; 12] = std::array::from_fn(|at| 13 + at);
    let lower: [usize; 12] = std::array::from_fn(|at| 12 - at);
    board.push_numbers(upper, &mut text);
    board.push_edge(style.pick(["┌", "┬", "┐"], ["+"; 3]), &mut text);
    for row in 0..MAX_HEIGHT {
        board.push_checkers(upper, row, view.viewer.other(), &mut text);
    }
    let (wall, gap) = (board.wall(), " ".repeat(6 * board.point_width()));
    let bar = if board.is_wide { format!("{wall}BAR{wall}") } else { wall.to_owned() };
    text.push_line(format!("{wall}{gap}{bar}{gap}{wall}"));
    for row in (0..MAX_HEIGHT).rev() {
        board.push_checkers(lower, row, view.viewer, &mut text);
    }
    board.push_edge(style.pick(["└", "┴", "┘"], ["+"; 3]), &mut text);
    board.push_numbers(lower, &mut text);
    board.push_status(&mut text);
    text
}

/// A board and how to show it.
struct TerminalBoard<'a> {
    view: &'a BackgammonBoard,
    style: &'a TerminalStyle,
    is_wide: bool,
}

impl TerminalBoard<'_> {
    fn wall(&self) -> &'static str {
        self.style.pick("│", "|")
    }

    /// Returns the number of characters of a point.
    fn point_width(&self) -> usize {
        if self.is_wide { 4 } else { 3 }
    }

    /// Writes the upper or lower edge with its corners and its middle.
    fn push_edge(&self, [left, middle, right]: [&str; 3], text: &mut Text) {
        let line = self.style.pick("─", "-");
        let half = line.repeat(6 * self.point_width());
        let bar = if self.is_wide { format!("{middle}{}{middle}", line.repeat(3)) } else { middle.to_owned() };
        text.push_line(format!("{left}{half}{bar}{half}{right}"));
    }

    /// Writes the numbers of twelve points, with a star after each target of the last play.
    fn push_numbers(&self, row: [usize; 12], text: &mut Text) {
        let (view, width) = (self.view, self.point_width() - 1);
        text.push_plain(" ");
        for (at, point) in row.into_iter().enumerate() {
            if at == 6 {
                text.push_plain(if self.is_wide { "     " } else { " " });
            }
            let number = if view.side_to_move == view.viewer { point } else { 25 - point };
            if view.last_targets.contains(&(point as u32)) {
                text.push(Tone { ink: None, emphasis: Emphasis::LastMove }, format!("{number:>width$}*"));
            } else {
                text.push_plain(format!("{number:>width$} "));
            }
        }
        text.end_line();
    }

    /// Writes one row of checkers in the upper or lower half; row 0 is at the edge. The bar in this half belongs to `seat`,
    /// and its stack grows from the middle of the board.
    fn push_checkers(&self, points: [usize; 12], row: usize, seat: Seat, text: &mut Text) {
        let (view, wall) = (self.view, self.wall());
        text.push_plain(wall);
        for (at, point) in points.into_iter().enumerate() {
            if at == 6 {
                let stack = Some((seat, view.bar[seat.index()]));
                let checker = self.checker(stack, MAX_HEIGHT - 1 - row);
                if self.is_wide {
                    text.push_plain(wall);
                    text.push(tone(stack), format!("{checker:^3}"));
                    text.push_plain(wall);
                } else if checker.is_empty() {
                    text.push_plain(wall);
                } else {
                    text.push(tone(stack), checker);
                }
            }
            let stack = view.points[point - 1];
            let checker = self.checker(stack, row);
            let cell = if self.is_wide { format!("{checker:>3} ") } else { format!("{checker:>2} ") };
            let stripe = if point % 2 == 0 { Ground::Dark } else { Ground::Light };
            text.push_on(self.style.colored.then_some(stripe), tone(stack), cell);
        }
        text.push_plain(wall);
        text.end_line();
    }

    /// Returns the checker in one row of a stack, or the count at the top of a stack too tall to draw.
    fn checker(&self, stack: Stack, row: usize) -> String {
        match stack {
            Some((_, count)) if usize::from(count) > MAX_HEIGHT && row == MAX_HEIGHT - 1 => count.to_string(),
            Some((seat, count)) if usize::from(count) > row => {
                terminal_char(ordinary_piece(&STYLES, seat), self.style).to_string()
            }
            _ => String::new(),
        }
    }

    /// Writes the lines below the board.
    fn push_status(&self, text: &mut Text) {
        let (view, side) = (self.view, |seat: Seat| Backgammon::INFO.side_name(seat));
        let numbered = side(view.side_to_move);
        text.push_line(format!(
            "{}. The points are numbered for {numbered}.",
            terminal_legend(&STYLES, self.style).unwrap_or_default()
        ));
        let off = Seat::BOTH.map(|seat| format!("{} {}", side(seat), view.off[seat.index()])).join(", ");
        let off = if view.off == [0, 0] { None } else { Some(format!("Borne off: {off}.")) };
        let dice = view.dice.map(|[one, two]| format!("Dice: {one}-{two}."));
        let cube = view.cube.map(|CubeView { value, owner, .. }| match owner {
            Some(owner) => format!("{} has the cube at {value}.", side(owner)),
            None => format!("The cube is centered at {value}."),
        });
        let score = view.score.map(|score| {
            let [first, second] = score.points;
            format!("Score: {} {first}, {} {second}, match to {}.", side(Seat::First), side(Seat::Second), score.length)
        });
        let parts: Vec<String> = [dice, off, cube, score].into_iter().flatten().collect();
        if !parts.is_empty() {
            text.push_line(parts.join(" "));
        }
    }
}
