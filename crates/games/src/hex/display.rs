//! Shows a game as a board.

use game::board::drawing::Drawing;
use game::board::drawing::caption::Caption;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::piece::ordinary_piece;
use game::board::text::{TerminalStyle, Text};
use game::board::tile_board::TileBoard;
use game::board::{Board, description};
use game::cell::{self, RowOrigin};
use game::contract::Display;
use game::seat::Seat;

use crate::hex::board::drawing::draw;
use crate::hex::board::text::{board_text, terminal_text};
use crate::hex::board::tiles::tile_board;
use crate::hex::board::{HexBoard, STYLES};
use crate::hex::game::{Hex, Move};

impl Board for HexBoard {
    fn text(&self) -> Text {
        board_text(self)
    }

    fn terminal_text(&self, style: &TerminalStyle) -> Text {
        terminal_text(self, style)
    }

    fn description(&self) -> String {
        let name = |cell: usize| cell::name_with_origin(RowOrigin::Top, cell, self.size, self.size);
        let pieces: Vec<_> = self.cells.iter().map(|seat| Some(ordinary_piece(&self.styles, (*seat)?))).collect();
        let mut parts = vec![format!("{0} by {0} hexagons", self.size)];
        parts.extend(description::piece_list(&pieces, &name, |_| true));
        let free = pieces.iter().filter(|cell| cell.is_none()).count();
        parts.push(format!("{free} cell{} free", if free == 1 { "" } else { "s" }));
        if !self.last_move.is_empty() {
            parts.push(format!("the {}", description::last_move(&self.last_move, &name)));
        }
        if !self.chain.is_empty() {
            parts.push(format!("the chain runs through {}", description::cell_list(&self.chain, &name)));
        }
        format!("{}.", parts.join("; "))
    }

    fn mark_last_move(&mut self, cell: usize) {
        self.last_move.push(cell);
    }

    fn drawing(&self, caption: &Caption, shared: &SharedLayers) -> Drawing {
        draw(self, caption, shared)
    }

    fn page_width(&self) -> usize {
        (self.size * 50).clamp(320, 560)
    }

    fn tile_board(&self, _playable: &dyn Fn(usize) -> bool) -> Option<TileBoard> {
        Some(tile_board(self))
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        let cells = self.cells.iter().map(|seat| seat.map(Seat::other)).collect();
        Box::new(HexBoard { cells, ..self.clone() })
    }
}

impl Display for Hex {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        Box::new(HexBoard {
            size: self.size,
            cells: (0..self.size * self.size).map(|cell| self.stone(cell)).collect(),
            styles: STYLES,
            last_move: last.map(|mv| mv.position as usize).into_iter().collect(),
            chain: self.winning_chain().unwrap_or_default(),
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        if mv.swap { None } else { Some(mv.position as usize) }
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        self.winning_chain().into_iter().collect()
    }
}
