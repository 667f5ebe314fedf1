//! The board as the computer plays on it: with a row of stones beyond each edge, and the free cells in a list.

use crate::hex::cell_set::CellSet;
use crate::hex::game::Hex;
use crate::search::random::Random;

/// The sign of a free cell, beside 0 and 1 for the seats.
const FREE: u8 = 2;

/// A position that can be played on quickly.
#[derive(Clone)]
pub(super) struct SearchBoard {
    size: usize,
    /// The owner of each cell, row by row, with a frame around the board.
    owners: Vec<u8>,
    /// The free cells in any order, and where each of them stands there.
    pub(super) free: Vec<u16>,
    free_index: Vec<u16>,
    /// The side on turn, 0 or 1.
    pub(super) side_to_move: u8,
}

impl SearchBoard {
    pub(super) fn new(game: &Hex) -> SearchBoard {
        let (size, wide) = (game.size, game.size + 2);
        let mut field = SearchBoard {
            size,
            owners: vec![FREE; wide * wide],
            free: Vec::new(),
            free_index: vec![0; wide * wide],
            side_to_move: game.side_to_move.index() as u8,
        };
        for place in 0..wide * wide {
            let (row, column) = (place / wide, place % wide);
            let inside = |at: usize| (1..=size).contains(&at);
            field.owners[place] = match (inside(row), inside(column)) {
                // What lies beyond an edge belongs to the side that has to reach it.
                (false, _) => 0,
                (_, false) => 1,
                _ => game.stone((row - 1) * size + column - 1).map_or(FREE, |seat| seat.index() as u8),
            };
            if field.owners[place] == FREE {
                field.free_index[place] = field.free.len() as u16;
                field.free.push(place as u16);
            }
        }
        field
    }

    /// Takes over what another field of the same size holds.
    pub(super) fn copy_from(&mut self, other: &SearchBoard) {
        self.owners.copy_from_slice(&other.owners);
        self.free_index.copy_from_slice(&other.free_index);
        self.free.clear();
        self.free.extend_from_slice(&other.free);
        self.side_to_move = other.side_to_move;
    }

    /// Returns the cell of a place, as a game counts it.
    pub(super) fn cell_index(&self, place: u16) -> usize {
        let (wide, place) = (self.size + 2, usize::from(place));
        (place / wide - 1) * self.size + place % wide - 1
    }

    /// Returns whose a place is.
    #[inline]
    pub(super) fn owner(&self, place: u16) -> u8 {
        self.owners[usize::from(place)]
    }

    /// Lays a stone of the side on turn.
    #[inline]
    pub(super) fn play(&mut self, place: u16) {
        self.owners[usize::from(place)] = self.side_to_move;
        self.side_to_move = 1 - self.side_to_move;
        let at = self.free_index[usize::from(place)];
        if let Some(last) = self.free.pop()
            && last != place
        {
            self.free[usize::from(at)] = last;
            self.free_index[usize::from(last)] = at;
        }
    }

    /// Returns the six places around one, in the order of the clock.
    #[inline]
    fn neighbors(&self, place: u16) -> [u16; 6] {
        let wide = self.size as u16 + 2;
        [place - wide, place - wide + 1, place + 1, place + wide, place + wide - 1, place - 1]
    }

    /// Plays on until the board is full, and returns the side that has its edges joined then: exactly one has. Whoever is
    /// intruded upon between two stones that two free cells join takes the other cell; all else is left to chance.
    pub(super) fn rollout(&mut self, mut last: Option<u16>, random: &mut Random) -> u8 {
        while !self.free.is_empty() {
            let reply = last.and_then(|last| self.bridge_reply(last, random));
            let place = match reply {
                Some(place) => place,
                None => self.free[random.below(self.free.len())],
            };
            self.play(place);
            last = Some(place);
        }
        self.winner()
    }

    /// Returns the cell that keeps two stones of the side on turn joined after a stone of the other side.
    #[inline]
    fn bridge_reply(&self, last: u16, random: &mut Random) -> Option<u16> {
        let around = self.neighbors(last);
        let owners = around.map(|place| self.owner(place));
        let mut found = None;
        let mut count = 0;
        for nth in 0..6 {
            let (before, after) = (owners[(nth + 5) % 6], owners[(nth + 1) % 6]);
            if owners[nth] == FREE && before == self.side_to_move && after == self.side_to_move {
                count += 1;
                if count == 1 || random.below(count) == 0 {
                    found = Some(around[nth]);
                }
            }
        }
        found
    }

    /// Returns the side whose edges are joined on a full board.
    fn winner(&self) -> u8 {
        let (wide, mut red, mut linked) = (self.size + 2, CellSet::default(), CellSet::default());
        for (row, cells) in self.owners.chunks_exact(wide).skip(1).take(self.size).enumerate() {
            red.0[row] = (1..=self.size).fold(0, |set, at| set | u32::from(cells[at] == 0) << (at - 1));
        }
        linked.0[0] = red.0[0];
        linked.flood_fill(&red);
        u8::from(linked.0[self.size - 1] == 0)
    }
}
