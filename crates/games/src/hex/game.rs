//! The settings, rules and notation of Hex, and its explanations.

use std::collections::VecDeque;

use game::cell::OUT_OF_RANGE_CODE;
use game::notation::normalize;
use game::{
    DiceRules, Ending, Explain, Game, IllegalMove, InvalidOption, InvalidState, Notation, OptionInfo, Options, Outcome,
    ParseMoveError, Phrase, RowOrigin, Rules, Seat, Span, cell, game_over, say, spans, take_square_size, take_switch,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::hex::neighbors;
use crate::hex::position::{CellSet, MAX_SIZE};

/// A move: a new stone, or a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "HexMove")]
pub struct Move {
    /// The cell, from 0 at the top left, row by row.
    pub position: u32,
    /// Whether the move takes over Red's first stone. The stone moves to `position`, its mirror image.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub swap: bool,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hex {
    /// The length of a side.
    pub size: usize,
    /// Whether the game has the swap rule.
    pub(super) can_swap: bool,
    /// The stones of each seat.
    pub(super) stones: [CellSet; 2],
    /// The stones that are connected to their seat's first edge: Red's to the top, Blue's to the left.
    linked: [CellSet; 2],
    pub(super) side_to_move: Seat,
    pub(super) winner: Option<Seat>,
    /// Whether the last move was a swap. This isn't part of the position.
    pub(super) was_swapped: bool,
}

impl Hex {
    /// Places a stone, and updates the stones connected to the edge and the winner.
    pub(super) fn place_stone(&mut self, seat: Seat, cell: usize) {
        let (row, column) = (cell / self.size, cell % self.size);
        let (own, linked) = (&mut self.stones[seat.index()], &mut self.linked[seat.index()]);
        own.add(row, column);
        let distance = if seat == Seat::First { row } else { column };
        if distance == 0 || linked.touches(row, column) {
            linked.add(row, column);
            linked.flood_fill(own);
            let end = self.size - 1;
            let has_won = match seat {
                Seat::First => linked.0[end] != 0,
                Seat::Second => linked.0.iter().any(|row| row >> end & 1 == 1),
            };
            if has_won {
                self.winner = Some(seat);
            }
        }
    }

    /// Returns the owner of the stone in a cell, counted from 0 at the top left, row by row; `None` if it's free.
    pub fn stone(&self, cell: usize) -> Option<Seat> {
        let has = |seat: &Seat| self.stones[seat.index()].contains(cell / self.size, cell % self.size);
        Seat::BOTH.into_iter().find(has)
    }

    /// Returns the number of stones.
    pub(super) fn stone_count(&self) -> usize {
        self.stones.iter().map(|stones| stones.count() as usize).sum()
    }

    /// Returns the free cells, row by row from the top left.
    pub(super) fn free_cells(&self) -> impl Iterator<Item = usize> {
        (0..self.size * self.size).filter(|cell| self.stone(*cell).is_none())
    }

    /// Returns the move that takes over the first stone; `None` if it's illegal.
    pub(super) fn swap_move(&self) -> Option<Move> {
        if !self.can_swap || self.side_to_move == Seat::First || self.stone_count() != 1 || self.winner.is_some() {
            return None;
        }
        let stone = (0..self.size * self.size).find(|cell| self.stone(*cell) == Some(Seat::First))?;
        // The mirror image is as far from Blue's edges as the stone was from Red's.
        let mirrored = stone % self.size * self.size + stone / self.size;
        Some(Move { position: mirrored as u32, swap: true })
    }

    /// Returns the shortest chain between the winner's edges, starting at the top or left; `None` before the end.
    pub(super) fn winning_chain(&self) -> Option<Vec<usize>> {
        let (seat, size) = (self.winner?, self.size);
        let distance = |cell: usize| if seat == Seat::First { cell / size } else { cell % size };
        let is_own = |cell: &usize| self.stone(*cell) == Some(seat);
        // A breadth-first search. The parent of a cell at the first edge is the cell itself.
        let mut parents: Vec<Option<usize>> = vec![None; size * size];
        let mut queue: VecDeque<usize> = (0..size * size).filter(|cell| distance(*cell) == 0).filter(is_own).collect();
        queue.iter().for_each(|cell| parents[*cell] = Some(*cell));
        while let Some(cell) = queue.pop_front() {
            if distance(cell) == size - 1 {
                let parent = |cell: &usize| parents[*cell].filter(|parent| parent != cell);
                let mut chain: Vec<usize> = std::iter::successors(Some(cell), parent).collect();
                chain.reverse();
                return Some(chain);
            }
            let neighbors = neighbors(size, cell / size, cell % size).map(|(row, column)| row * size + column);
            for next in neighbors.filter(is_own) {
                if parents[next].is_none() {
                    parents[next] = Some(cell);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

impl Rules for Hex {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<Hex, InvalidState> {
        Ok(Hex {
            size: config.checked_size()?,
            can_swap: config.swap,
            stones: [CellSet::default(); 2],
            linked: [CellSet::default(); 2],
            side_to_move: Seat::First,
            winner: None,
            was_swapped: false,
        })
    }

    fn side_to_move(&self) -> Seat {
        self.side_to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.winner.is_some() {
            return Vec::new();
        }
        let cells = self.free_cells().map(|cell| Move { position: cell as u32, swap: false });
        cells.chain(self.swap_move()).collect()
    }

    fn play(&self, mv: &Move) -> Hex {
        let mut after = Hex { was_swapped: mv.swap, side_to_move: self.side_to_move.other(), ..*self };
        if mv.swap {
            (after.stones, after.linked) = Default::default();
        }
        after.place_stone(self.side_to_move, mv.position as usize);
        after
    }

    fn ending(&self) -> Option<Ending> {
        let reason = ["a chain from top to bottom", "a chain from left to right"][self.winner?.index()];
        Some(Ending { outcome: self.outcome()?, reason: Some(reason.into()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Won)
    }

    /// The last ply needs no moves played.
    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ if self.winner.is_some() => 0,
            1 => (self.size * self.size - self.stone_count() + usize::from(self.swap_move().is_some())) as u64,
            _ => self.legal_moves().iter().map(|mv| self.play(mv).perft(depth - 1)).sum(),
        }
    }
}

impl DiceRules for Hex {}

// The settings of a game: board size and swap rule.

/// The smallest board size.
const MIN_SIZE: usize = 3;

/// The `/new` option for the board size.
pub(super) const SIZE: OptionInfo = OptionInfo {
    key: "size",
    aliases: &["boardSize"],
    description: spans!("the length of a side, `3` to `19` (default `11`); you can also just write `13x13`"),
};

/// The `/new` option for the swap rule.
pub(super) const SWAP: OptionInfo = OptionInfo {
    key: "swap",
    aliases: &["pie"],
    description: spans!("whether Blue can take over Red's first stone, `on` (default) or `off`"),
};

/// The error text for a board that isn't square.
const NOT_SQUARE: &[Span] = spans!("Hex boards are square, so give `size` as one number: `13` (or `13x13`).");

/// The settings of a game, fixed before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "HexConfig")]
pub struct GameConfig {
    /// The length of a side, 3 to 19. Defaults to 11.
    pub board_size: usize,
    /// Whether Blue's first move can take over Red's stone. Defaults to true.
    pub swap: bool,
}

impl Default for GameConfig {
    fn default() -> GameConfig {
        GameConfig { board_size: 11, swap: true }
    }
}

impl GameConfig {
    /// Takes the options of this game from a `/new` command.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let mut config = GameConfig::default();
        if let Some(size) = take_square_size(options, &SIZE, MIN_SIZE..=MAX_SIZE, NOT_SQUARE)? {
            config.board_size = size;
        }
        config.swap = take_switch(options, &SWAP)?.unwrap_or(config.swap);
        Ok(config)
    }

    /// Returns the length of a side.
    ///
    /// # Errors
    /// Returns an error if the size is out of range.
    fn checked_size(&self) -> Result<usize, InvalidState> {
        let size = self.board_size;
        if (MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Ok(size);
        }
        Err(InvalidState::unexpected("config.boardSize", size, &format!("{MIN_SIZE} to {MAX_SIZE}")))
    }
}

// Move notation.

/// The notation of the swap move.
pub(super) const SWAP_WORD: &str = "swap";

impl Notation for Hex {
    fn notation(&self, mv: &Move) -> String {
        if mv.swap { SWAP_WORD.to_owned() } else { cell_name(self, mv.position as usize) }
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        if normalize(text) == SWAP_WORD {
            return Ok(self.swap_move().unwrap_or(Move { position: 0, swap: true }));
        }
        let cell = cell::parse_with_origin(RowOrigin::Top, text, self.size, self.size)?;
        Ok(Move { position: cell as u32, swap: false })
    }

    fn move_list_heading(&self, mv: &Move) -> Option<String> {
        if mv.swap { Some("Instead of a stone".to_owned()) } else { None }
    }

    fn action_phrase(mv: &Move) -> Option<&'static str> {
        if mv.swap { Some("swapped") } else { None }
    }
}

fn cell_name(game: &Hex, cell: usize) -> String {
    cell::name_with_origin(RowOrigin::Top, cell, game.size, game.size)
}

// Explains illegal moves and swaps.

impl Explain for Hex {
    fn why_illegal(&self, mv: &Move) -> IllegalMove {
        let (position, size) = (mv.position, self.size);
        let context = json!({ "position": position, "swap": mv.swap });
        if let Some(winner) = self.winner {
            return IllegalMove { context, ..game_over::<Self>(Outcome::Won(winner)) };
        }
        if mv.swap {
            let explanation = if self.can_swap {
                say!("You can only `{SWAP_WORD}` on Blue's first move")
            } else {
                say!("You can't `{SWAP_WORD}` in this game")
            };
            return IllegalMove::new("NO_SWAP", "Only blue's first move can swap", context).explained(explanation);
        }
        let Some(owner) = self.stone(position as usize) else {
            let message = cell::out_of_range_message(position, size, size);
            return IllegalMove::new(OUT_OF_RANGE_CODE, message, context);
        };
        let name = Self::INFO.seats[owner.index()];
        let message = format!("Cannot move to occupied cell at position {position}. Cell contains: {name}");
        let (side, cell) = (Self::INFO.side_name(owner), cell_name(self, position as usize));
        let explanation = say!("{side} already has a stone on `{cell}`");
        IllegalMove::new("OCCUPIED_CELL", message, context).explained(explanation)
    }

    fn turn_hint(&self) -> Option<Phrase> {
        self.swap_move()?;
        Some(say!("Instead of placing a stone, Blue can take over Red's: write `/swap`."))
    }

    fn commentary(&self) -> Option<Phrase> {
        if !self.was_swapped {
            return None;
        }
        let cell = (0..self.size * self.size).find(|cell| self.stone(*cell) == Some(Seat::Second))?;
        Some(say!("Red's stone is now Blue's, mirrored to `{cell}`.", cell = cell_name(self, cell)))
    }
}
