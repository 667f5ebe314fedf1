//! Wins by threats: moves each of which leaves the other side so little choice that all its replies can be tried.
//!
//! A mark that makes an urgent line leaves one reply. Any other mark is a threat if its side would win when the other one
//! passed; then only replies matter that spoil that win: those in one of its cells, and those that can lead to an urgent line
//! of the defender on the way ([Allis, 1994](https://cris.maastrichtuniversity.nl/en/publications/searching-for-solutions-in-games-and-artificial-intelligence),
//! with the zones of [Thomsen's lambda search](https://doi.org/10.3233/ICG-2000-23403)). So a win that is found is one, and a
//! win of four own marks or less is always found, as long as the nodes last.

use crate::search::order;
use crate::tic_tac_toe::computer::search_board::SearchBoard;

/// A set of cells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RelevantCells([u64; 6]);

impl RelevantCells {
    pub(super) fn add(&mut self, cell: u16) {
        if let Some(bits) = self.0.get_mut(usize::from(cell / 64)) {
            *bits |= 1 << (cell % 64);
        }
    }

    pub(super) fn contains(&self, cell: u16) -> bool {
        self.0.get(usize::from(cell / 64)).is_some_and(|bits| bits >> (cell % 64) & 1 == 1)
    }

    fn add_all(&mut self, other: &RelevantCells) {
        self.0.iter_mut().zip(other.0).for_each(|(bits, more)| *bits |= more);
    }
}

/// A win: the move to make, and the free cells that it rests on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Win {
    pub(super) cell: u16,
    pub(super) relevant: RelevantCells,
    /// The own marks that it takes.
    pub(super) marks: u8,
}

/// How far to look for a win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// The most own marks.
    pub(super) marks: u8,
    /// The most of them that leave more than one reply.
    pub(super) quiet_marks: u8,
}

/// A search for wins by threats.
pub(super) struct ThreatSearch {
    /// The marks that were tried.
    pub(super) nodes: u64,
    /// The most that may be tried; what is not found by then is not found.
    pub(super) max_nodes: u64,
}

impl ThreatSearch {
    /// Returns the shortest win of the side on turn.
    pub(super) fn shortest_win(&mut self, field: &mut SearchBoard, reach: Budget) -> Option<Win> {
        (1..=reach.marks).find_map(|marks| self.find_win(field, Budget { marks, ..reach }))
    }

    /// Returns a win of the side on turn.
    fn find_win(&mut self, field: &mut SearchBoard, reach: Budget) -> Option<Win> {
        let (own, other) = (field.side_to_move, field.side_to_move.other());
        if let Some(cell) = field.winning_moves(own).next() {
            let mut zone = RelevantCells::default();
            zone.add(cell);
            return Some(Win { cell, relevant: zone, marks: 1 });
        }
        let urgent = field.winning_cell_count(other);
        if reach.marks < 2 || urgent > 1 || self.nodes >= self.max_nodes {
            return None;
        }
        let must = field.winning_moves(other).next();
        for cell in candidates(field, reach).into_iter().filter(|cell| must.is_none_or(|must| must == *cell)) {
            self.nodes += 1;
            field.place(cell);
            let rest = self.prove_threat(field, reach);
            field.remove(cell);
            if let Some((mut zone, marks)) = rest {
                zone.add(cell);
                return Some(Win { cell, relevant: zone, marks: marks + 1 });
            }
        }
        None
    }

    /// Returns what a win rests on after a mark of the attacker, whatever the side on turn replies, and the marks that it still
    /// takes.
    fn prove_threat(&mut self, field: &mut SearchBoard, reach: Budget) -> Option<(RelevantCells, u8)> {
        let (defender, attacker) = (field.side_to_move, field.side_to_move.other());
        if field.winning_cell_count(defender) > 0 {
            return None;
        }
        let rest = Budget { marks: reach.marks - 1, ..reach };
        match field.winning_cell_count(attacker) {
            0 => self.prove_quiet_threat(field, rest),
            1 => {
                let reply = field.winning_moves(attacker).next()?;
                field.place(reply);
                let win = self.find_win(field, rest);
                field.remove(reply);
                let mut win = win?;
                win.relevant.add(reply);
                Some((win.relevant, win.marks))
            }
            _ => {
                let mut zone = RelevantCells::default();
                field.winning_moves(attacker).for_each(|cell| zone.add(cell));
                Some((zone, 1))
            }
        }
    }

    /// The same after a mark that leaves a choice.
    fn prove_quiet_threat(&mut self, field: &mut SearchBoard, rest: Budget) -> Option<(RelevantCells, u8)> {
        let rest = Budget { quiet_marks: rest.quiet_marks.checked_sub(1)?, ..rest };
        if rest.marks < 2 {
            return None;
        }
        field.pass();
        let win = self.find_win(field, rest);
        field.pass();
        let Win { mut relevant, mut marks, .. } = win?;
        for reply in relevant_replies(field, &relevant) {
            self.nodes += 1;
            field.place(reply);
            let win = self.find_win(field, rest);
            field.remove(reply);
            let win = win?;
            relevant.add_all(&win.relevant);
            relevant.add(reply);
            marks = marks.max(win.marks);
        }
        Some((relevant, marks))
    }
}

/// Returns the cells that can take part in a win of so many marks, the most promising first.
fn candidates(field: &SearchBoard, reach: Budget) -> Vec<u16> {
    // Without quiet marks each one makes a line urgent.
    let lacking = if reach.quiet_marks == 0 { 2 } else { usize::from(reach.marks) };
    let mut seen = RelevantCells::default();
    let mut found = Vec::new();
    for line in field.open_lines(field.side_to_move, field.k.saturating_sub(lacking)) {
        for &cell in line.iter().filter(|cell| field.is_free(**cell)) {
            if !seen.contains(cell) {
                seen.add(cell);
                found.push((cell, (-field.mark_value(cell), field.distance_from_center(cell))));
            }
        }
    }
    order::sort_by_key(&mut found, |(_, rank)| *rank);
    found.into_iter().map(|(cell, _)| cell).collect()
}

/// Returns the replies that can spoil a win of the other side which rests on a zone: its cells, and all from which the side on
/// turn can come to an urgent line if it also gets the cells of the zone.
pub(super) fn relevant_replies(field: &SearchBoard, zone: &RelevantCells) -> Vec<u16> {
    let mut all = *zone;
    for line in field.open_lines(field.side_to_move, 0) {
        let free = line.iter().filter(|cell| field.is_free(**cell));
        let could = free.clone().filter(|cell| zone.contains(**cell)).count();
        // The reply itself is one more, and an urgent line lacks one.
        if field.k - free.clone().count() + could + 2 >= field.k {
            free.for_each(|cell| all.add(*cell));
        }
    }
    let mut found: Vec<u16> = field.free_cells().filter(|cell| all.contains(*cell)).collect();
    order::sort_by_key(&mut found, |cell| -field.mark_value(*cell));
    found
}
