//! A game of hex as a board that people see.

use game::board::drawing::Drawing;
use game::board::drawing::still::Still;
use game::board::drawing::strip::Strip;
use game::board::mosaic::Mosaic;
use game::board::piece::piece;
use game::board::text::Text;
use game::board::{Board, words};
use game::cell::{self, RowOne};
use game::contract::Display;
use game::seat::Seat;

use crate::hex::board::drawing::drawing;
use crate::hex::board::text::text;
use crate::hex::board::tiles::mosaic;
use crate::hex::board::{Hexagons, LOOKS};
use crate::hex::game::{Hex, Move};

impl Board for Hexagons {
    fn text(&self) -> Text {
        text(self)
    }

    fn words(&self) -> String {
        let name = |cell: usize| cell::name_from(RowOne::Top, cell, self.size, self.size);
        let pieces: Vec<_> = self.cells.iter().map(|seat| Some(piece(&self.looks, (*seat)?))).collect();
        let mut parts = vec![format!("{0} by {0} hexagons", self.size)];
        parts.extend(words::pieces(&pieces, &name, |_| true));
        let free = pieces.iter().filter(|cell| cell.is_none()).count();
        parts.push(format!("{free} cell{} free", if free == 1 { "" } else { "s" }));
        if !self.last.is_empty() {
            parts.push(format!("the {}", words::last(&self.last, &name)));
        }
        if !self.chain.is_empty() {
            parts.push(format!("the chain runs through {}", words::list(&self.chain, &name)));
        }
        format!("{}.", parts.join("; "))
    }

    fn mark(&mut self, cell: usize) {
        self.last.push(cell);
    }

    fn drawing(&self, strip: &Strip, still: &Still) -> Drawing {
        drawing(self, strip, still)
    }

    fn page_width(&self) -> usize {
        (self.size * 50).clamp(320, 560)
    }

    fn mosaic(&self, _playable: &dyn Fn(usize) -> bool) -> Option<Mosaic> {
        Some(mosaic(self))
    }

    fn with_seats_exchanged(&self) -> Box<dyn Board> {
        let cells = self.cells.iter().map(|seat| seat.map(Seat::other)).collect();
        Box::new(Hexagons { cells, ..self.clone() })
    }
}

impl Display for Hex {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        Box::new(Hexagons {
            size: self.size,
            cells: (0..self.size * self.size).map(|cell| self.stone(cell)).collect(),
            looks: LOOKS,
            last: last.map(|mv| mv.position as usize).into_iter().collect(),
            chain: self.chain().unwrap_or_default(),
        })
    }

    fn cell(&self, mv: &Move) -> Option<usize> {
        (!mv.swap).then_some(mv.position as usize)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        self.chain().into_iter().collect()
    }
}
