//! Wins by threats: moves each of which leaves the other side so little choice that all its replies can be tried.
//!
//! A mark that makes an urgent line leaves one reply. Any other mark is a threat if its side would win when the other one
//! passed; then only replies matter that spoil that win: those in one of its cells, and those that can lead to an urgent line
//! of the defender on the way ([Allis, 1994](https://cris.maastrichtuniversity.nl/en/publications/searching-for-solutions-in-games-and-artificial-intelligence),
//! with the zones of [Thomsen's lambda search](https://doi.org/10.3233/ICG-2000-23403)). So a win that is found is one, and a
//! win of four own marks or less is always found, as long as the nodes last.

use crate::search::order;
use crate::tic_tac_toe::computer::field::Field;

/// A set of cells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Zone([u64; 6]);

impl Zone {
    pub(super) fn add(&mut self, cell: u16) {
        if let Some(bits) = self.0.get_mut(usize::from(cell / 64)) {
            *bits |= 1 << (cell % 64);
        }
    }

    pub(super) fn has(&self, cell: u16) -> bool {
        self.0.get(usize::from(cell / 64)).is_some_and(|bits| bits >> (cell % 64) & 1 == 1)
    }

    fn join(&mut self, other: &Zone) {
        self.0.iter_mut().zip(other.0).for_each(|(bits, more)| *bits |= more);
    }
}

/// A win: the move to make, and the free cells that it rests on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Win {
    pub(super) cell: u16,
    pub(super) zone: Zone,
    /// The own marks that it takes.
    pub(super) marks: u8,
}

/// How far to look for a win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// The most own marks.
    pub(super) marks: u8,
    /// The most of them that leave more than one reply.
    pub(super) quiet: u8,
}

/// A search for wins by threats.
pub(super) struct Hunt {
    /// The marks that were tried.
    pub(super) nodes: u64,
    /// The most that may be tried; what is not found by then is not found.
    pub(super) limit: u64,
}

impl Hunt {
    /// Returns the shortest win of the side on turn.
    pub(super) fn shortest(&mut self, field: &mut Field, reach: Reach) -> Option<Win> {
        (1..=reach.marks).find_map(|marks| self.win(field, Reach { marks, ..reach }))
    }

    /// Returns a win of the side on turn.
    fn win(&mut self, field: &mut Field, reach: Reach) -> Option<Win> {
        let (own, other) = (field.to_move, field.to_move.other());
        if let Some(cell) = field.wins_of(own).next() {
            let mut zone = Zone::default();
            zone.add(cell);
            return Some(Win { cell, zone, marks: 1 });
        }
        let urgent = field.winning_cells(other);
        if reach.marks < 2 || urgent > 1 || self.nodes >= self.limit {
            return None;
        }
        let must = field.wins_of(other).next();
        for cell in candidates(field, reach).into_iter().filter(|cell| must.is_none_or(|must| must == *cell)) {
            self.nodes += 1;
            field.place(cell);
            let rest = self.holds(field, reach);
            field.take(cell);
            if let Some((mut zone, marks)) = rest {
                zone.add(cell);
                return Some(Win { cell, zone, marks: marks + 1 });
            }
        }
        None
    }

    /// Returns what a win rests on after a mark of the attacker, whatever the side on turn replies, and the marks that it still
    /// takes.
    fn holds(&mut self, field: &mut Field, reach: Reach) -> Option<(Zone, u8)> {
        let (defender, attacker) = (field.to_move, field.to_move.other());
        if field.winning_cells(defender) > 0 {
            return None;
        }
        let rest = Reach { marks: reach.marks - 1, ..reach };
        match field.winning_cells(attacker) {
            0 => self.holds_quietly(field, rest),
            1 => {
                let reply = field.wins_of(attacker).next()?;
                field.place(reply);
                let win = self.win(field, rest);
                field.take(reply);
                let mut win = win?;
                win.zone.add(reply);
                Some((win.zone, win.marks))
            }
            _ => {
                let mut zone = Zone::default();
                field.wins_of(attacker).for_each(|cell| zone.add(cell));
                Some((zone, 1))
            }
        }
    }

    /// The same after a mark that leaves a choice.
    fn holds_quietly(&mut self, field: &mut Field, rest: Reach) -> Option<(Zone, u8)> {
        let rest = Reach { quiet: rest.quiet.checked_sub(1)?, ..rest };
        if rest.marks < 2 {
            return None;
        }
        field.pass();
        let win = self.win(field, rest);
        field.pass();
        let Win { mut zone, mut marks, .. } = win?;
        for reply in replies(field, &zone) {
            self.nodes += 1;
            field.place(reply);
            let win = self.win(field, rest);
            field.take(reply);
            let win = win?;
            zone.join(&win.zone);
            zone.add(reply);
            marks = marks.max(win.marks);
        }
        Some((zone, marks))
    }
}

/// Returns the cells that can take part in a win of so many marks, the most promising first.
fn candidates(field: &Field, reach: Reach) -> Vec<u16> {
    // Without quiet marks each one makes a line urgent.
    let lacking = if reach.quiet == 0 { 2 } else { usize::from(reach.marks) };
    let mut seen = Zone::default();
    let mut found = Vec::new();
    for line in field.open_lines(field.to_move, field.k.saturating_sub(lacking)) {
        for &cell in line.iter().filter(|cell| field.is_free(**cell)) {
            if !seen.has(cell) {
                seen.add(cell);
                found.push((cell, (-field.promise(cell), field.off_middle(cell))));
            }
        }
    }
    order::sort_by_key(&mut found, |(_, rank)| *rank);
    found.into_iter().map(|(cell, _)| cell).collect()
}

/// Returns the replies that can spoil a win of the other side which rests on a zone: its cells, and all from which the side on
/// turn can come to an urgent line if it also gets the cells of the zone.
pub(super) fn replies(field: &Field, zone: &Zone) -> Vec<u16> {
    let mut all = *zone;
    for line in field.open_lines(field.to_move, 0) {
        let free = line.iter().filter(|cell| field.is_free(**cell));
        let could = free.clone().filter(|cell| zone.has(**cell)).count();
        // The reply itself is one more, and an urgent line lacks one.
        if field.k - free.clone().count() + could + 2 >= field.k {
            free.for_each(|cell| all.add(*cell));
        }
    }
    let mut found: Vec<u16> = field.free_cells().filter(|cell| all.has(*cell)).collect();
    order::sort_by_key(&mut found, |cell| -field.promise(*cell));
    found
}
