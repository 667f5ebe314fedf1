//! A backgammon board.

use std::fmt::Write;

use crate::game::Seat;

/// How high a stack is drawn; higher ones have their number on top.
const HIGH: usize = 5;

/// Twenty-four points, a bar and two trays, seen from one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// Whose side it is seen from: points are numbered as they count.
    pub view: Seat,
    /// Who holds each point and with how many checkers: the point that the viewer calls 1 first.
    pub points: [Option<(Seat, u8)>; 24],
    /// The checkers on the bar, by seat.
    pub bar: [u8; 2],
    /// The checkers that have been borne off, by seat.
    pub off: [u8; 2],
    /// The dice that are to be played.
    pub dice: Option<[u8; 2]>,
    /// What the game is worth, and who owns the cube, where there is one.
    pub cube: Option<(u32, Option<Seat>)>,
    /// The points, as the viewer counts, where the last move ended.
    pub last: Vec<u32>,
}

impl Points {
    /// Letters are checkers, `W` white and `B` black; a number stands on a stack that is too high to draw; `*` beside the
    /// number of a point says that the last move ended there.
    pub(super) fn text(&self) -> String {
        let upper: Vec<usize> = (13..=24).collect();
        let lower: Vec<usize> = (1..=12).rev().collect();
        let mut out = String::new();
        let rule = format!("+{}+---+{}+\n", "-".repeat(24), "-".repeat(24));
        self.numbers(&upper, &mut out);
        out.push_str(&rule);
        for row in 0..HIGH {
            self.row(&upper, row, self.view.other(), &mut out);
        }
        let _ = writeln!(out, "|{}|BAR|{}|", " ".repeat(24), " ".repeat(24));
        for row in (0..HIGH).rev() {
            self.row(&lower, row, self.view, &mut out);
        }
        out.push_str(&rule);
        self.numbers(&lower, &mut out);
        out.push_str(&self.margin());
        out
    }

    /// The numbers of twelve points; a star where the last move ended.
    fn numbers(&self, points: &[usize], out: &mut String) {
        let mut line = String::from(" ");
        for (at, point) in points.iter().enumerate() {
            if at == 6 {
                line.push_str("     ");
            }
            let star = if self.last.contains(&(*point as u32)) { '*' } else { ' ' };
            let _ = write!(line, "{point:>3}{star}");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }

    /// One row of checkers; row 0 is at the edge. The bar of `seat` is in this half.
    fn row(&self, points: &[usize], row: usize, seat: Seat, out: &mut String) {
        let mut line = String::from("|");
        for (at, point) in points.iter().enumerate() {
            if at == 6 {
                // On the bar stacks grow from the middle of the board.
                let stack = Some((seat, self.bar[seat.index()]));
                let _ = write!(line, "|{}|", cell(stack, HIGH - 1 - row).trim_end_matches(' ').to_owned() + "");
                let short = 3_usize.saturating_sub(line.rsplit('|').nth(1).map_or(0, |cell| cell.chars().count()));
                line.pop();
                line.push_str(&" ".repeat(short));
                line.push('|');
            }
            line.push_str(&format!("{:<4}", format!(" {}", cell(self.points[point - 1], row).trim())));
        }
        line.push('|');
        out.push_str(&line);
        out.push('\n');
    }

    /// What stands beside the board.
    fn margin(&self) -> String {
        let off = Seat::BOTH.map(|seat| format!("{} {}", letter(seat), self.off[seat.index()]));
        let mut parts = vec![format!("borne off: {}", off.join(", "))];
        parts.extend(self.dice.map(|[one, two]| format!("dice: {one} {two}")));
        parts.extend(self.cube.map(|(value, owner)| match owner {
            Some(owner) => format!("cube: {value}, {}", letter(owner)),
            None => format!("cube: {value}, in the middle"),
        }));
        format!("{} is W, {} is B, seen by {}; {}", "white", "black", letter(self.view), parts.join("; "))
    }
}

/// What stands in a row of a stack.
fn cell(stack: Option<(Seat, u8)>, row: usize) -> String {
    match stack {
        Some((_, count)) if usize::from(count) > HIGH && row == HIGH - 1 => format!("{count:>2}"),
        Some((seat, count)) if usize::from(count) > row => format!(" {}", letter(seat)),
        _ => String::new(),
    }
}

fn letter(seat: Seat) -> char {
    match seat {
        Seat::First => 'W',
        Seat::Second => 'B',
    }
}
