//! Boards in plain words, for those who hear them: whole positions, without any character that Markdown knows.

use crate::game::board::{Boards, Cube, Fate, Grid, Points, Score};
use crate::game::cell;
use crate::game::seat::Seat;

pub(super) fn grid(grid: &Grid) -> String {
    let columns = grid.columns.max(1);
    let rows = grid.cells.len() / columns;
    let name = |index: usize| cell::name(index, columns, rows);
    let mut parts = vec![format!("{columns} by {rows} cells")];
    parts.extend(marks(&grid.cells, &name, |_| true));
    let free = grid.cells.iter().filter(|cell| cell.is_none()).count();
    parts.push(format!("{} free", counted(free, "cell")));
    parts.extend(grid.last.map(|last| format!("the last move is {}", name(last))));
    parts.extend(grid.lines.iter().map(|line| format!("a line from {}", ends(line, &name))));
    format!("{}.", parts.join("; "))
}

pub(super) fn boards(boards: &Boards) -> String {
    let (side, size) = (boards.side.max(1), boards.side * boards.side);
    let name = |index: usize| cell::name(index, size, size);
    let all = side * side;
    let mut sentences = vec![format!("{all} boards, numbered from 0 at the top left.")];
    for (board, fate) in boards.fates.iter().enumerate() {
        let fate = match fate {
            Fate::Active => "can be played in".to_owned(),
            Fate::Waiting => "waits".to_owned(),
            Fate::Won(mark) => format!("is won by {mark}"),
            Fate::Drawn => "is drawn".to_owned(),
        };
        let here = |index: usize| index / size / side * side + index % size / side == board;
        let mut parts = vec![format!("Board {board} {fate}")];
        parts.extend(marks(&boards.cells, &name, here));
        sentences.push(format!("{}.", parts.join("; ")));
    }
    sentences.extend(boards.last.map(|last| format!("The last move is {}.", name(last))));
    let number = |board: usize| board.to_string();
    sentences.extend(boards.lines.iter().map(|line| format!("A line from board {}.", ends(line, &number))));
    sentences.join(" ")
}

pub(super) fn points(points: &Points) -> String {
    let mut sentences = vec![format!("Points as {} counts them.", color(points.view))];
    for seat in Seat::BOTH {
        let own = (1..=24).rev().filter_map(|point: u32| match points.points[point as usize - 1] {
            Some((owner, count)) if owner == seat => Some(format!("{count} on {point}")),
            _ => None,
        });
        let (bar, off) = (points.bar[seat.index()], points.off[seat.index()]);
        let bar = (bar > 0).then(|| format!("{bar} on the bar"));
        let off = (off > 0).then(|| format!("{off} borne off"));
        let all: Vec<String> = own.chain(bar).chain(off).collect();
        let all = if all.is_empty() { "no checkers".to_owned() } else { all.join(", ") };
        sentences.push(format!("{}: {all}; pips {}.", capital(seat), points.pips(seat)));
    }
    sentences.extend(points.dice.map(|[one, two]| format!("The dice of {} are {one} and {two}.", color(points.turn))));
    sentences.extend(points.cube.map(|Cube { value, owner, offered }| {
        let place = owner.map_or("in the middle".to_owned(), |owner| format!("with {}", color(owner)));
        let offer =
            if offered { format!(", and {} is offered {}", color(points.turn), value * 2) } else { String::new() };
        format!("The cube is at {value}, {place}{offer}.")
    }));
    sentences.extend(points.score.map(|Score { points: [white, black], length }| {
        format!("The score is white {white}, black {black}, in a match to {length}.")
    }));
    if !points.last.is_empty() {
        let mut last = points.last.clone();
        last.sort_unstable_by(|one, two| two.cmp(one));
        last.dedup();
        let last: Vec<String> = last.iter().map(u32::to_string).collect();
        sentences.push(format!("The last move ended on {}.", last.join(", ")));
    }
    sentences.join(" ")
}

/// The marks of both sides in some of the cells: "X on a1, b2".
fn marks(cells: &[Option<char>], name: &dyn Fn(usize) -> String, here: impl Fn(usize) -> bool) -> Vec<String> {
    let mut kinds: Vec<char> = cells.iter().flatten().copied().collect();
    kinds.sort_unstable_by(|one, two| two.cmp(one));
    kinds.dedup();
    let list = |kind: char| {
        let own = cells.iter().enumerate().filter(|(index, cell)| **cell == Some(kind) && here(*index));
        let own: Vec<String> = own.map(|(index, _)| name(index)).collect();
        (!own.is_empty()).then(|| format!("{kind} on {}", own.join(", ")))
    };
    kinds.into_iter().filter_map(list).collect()
}

/// From where to where a line goes.
fn ends(line: &[usize], name: &dyn Fn(usize) -> String) -> String {
    let end = |at: Option<&usize>| at.map_or(String::new(), |at| name(*at));
    format!("{} to {}", end(line.first()), end(line.last()))
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn color(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "white",
        Seat::Second => "black",
    }
}

fn capital(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "White",
        Seat::Second => "Black",
    }
}
