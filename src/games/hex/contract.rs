//! The game as a table holds it.

use serde_json::json;

use crate::game::board::Board;
use crate::game::cell::{self, OFF_BOARD, RowOne};
use crate::game::choice::{Chosen, Level};
use crate::game::contract::{Ending, Game, Outcome};
use crate::game::info::{Info, Verb};
use crate::game::notation::fold;
use crate::game::options::{BadOption, Options};
use crate::game::phrase::{Phrase, code, phrase, spans};
use crate::game::rule::{RuleError, Unread};
use crate::game::seat::Seat;
use crate::games::hex::computer;
use crate::games::hex::config::{GameConfig, SIZE, SWAP};
use crate::games::hex::game::{Hex, Move};
use crate::games::hex::picture::hexagons;
use crate::games::hex::position::{self, Position};

/// The word for taking the first stone over.
const SWAPS: &str = "swap";

impl Game for Hex {
    const INFO: Info = Info {
        name: "hex",
        title: "Hex",
        aliases: &["con-tac-tix"],
        seats: ["red", "blue"],
        summary: "Connect your two edges with a chain of stones: Red from top to bottom, Blue from left to right.",
        moves: spans![
            "To move, name a cell by column and row, like " ("c3") " (" ("a1")
            " is the top left). You can also write its number, counting from " ("0")
            " at the top left. With the swap rule, Blue's first move can be " ("swap") "."
        ],
        options: &[SIZE, SWAP],
        verbs: &[Verb {
            word: SWAPS,
            aliases: &[],
            meaning: "Hex, on Blue's first move: takes over Red's stone, mirrored.",
        }],
    };

    const ENGINE: u32 = 1;

    const EDGE: i32 = 367;

    type Config = GameConfig;
    type Move = Move;
    type Position = Position;

    fn configure(options: &mut Options) -> Result<GameConfig, BadOption> {
        GameConfig::chosen(options)
    }

    fn start(config: &GameConfig) -> Result<Hex, RuleError> {
        Hex::begun(config)
    }

    fn setup(config: &GameConfig) -> Option<String> {
        let size = config.board_size;
        Some(format!("{size}x{size}{}", if config.swap { "" } else { ", no swap" }))
    }

    fn at(config: &GameConfig, position: &Position) -> Result<Hex, RuleError> {
        position::set_up(config, position)
    }

    fn position(&self) -> Position {
        position::of(self)
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn ending(&self) -> Option<Ending> {
        let reason = ["a chain from top to bottom", "a chain from left to right"][self.winner?.index()];
        Some(Ending { outcome: self.result()?, reason: Some(reason.into()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.result()
    }

    fn turn_hint(&self) -> Option<Phrase> {
        self.swap().map(|_| phrase!["Instead of placing a stone, Blue can take over Red's: write ", code("/swap"), "."])
    }

    fn news(&self) -> Option<Phrase> {
        let stone = self.stones[1].0.iter().zip(0..).find(|(cells, _)| **cells != 0).filter(|_| self.swapped)?;
        let cell = stone.1 * self.size + stone.0.trailing_zeros() as usize;
        Some(phrase!["Red's stone is now Blue's, mirrored to ", code(self.cell_name(cell)), "."])
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        self.chain().into_iter().collect()
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.winner.is_some() {
            return Vec::new();
        }
        let cells = self.free().map(|cell| Move { position: cell as u32, swap: false });
        cells.chain(self.swap()).collect()
    }

    fn objection(&self, mv: &Move) -> Option<RuleError> {
        let position = mv.position;
        let side = self.size;
        let owner = self.stone(position as usize).map(|seat| Self::INFO.seats[seat.index()]);
        let (code, message) = match (self.winner, owner) {
            (Some(winner), _) => {
                let winner = Self::INFO.seats[winner.index()];
                let message = format!("Cannot apply move to terminal game. Game status: won, Winner: {winner}");
                ("TERMINAL_STATE_MOVE", message)
            }
            _ if mv.swap && self.swap() == Some(*mv) => return None,
            _ if mv.swap => ("NO_SWAP", "Only blue's first move can swap".to_owned()),
            _ if position as usize >= side * side => (OFF_BOARD, cell::off_board(position, side, side)),
            (_, Some(owner)) => (
                "OCCUPIED_CELL",
                format!("Cannot move to occupied cell at position {position}. Cell contains: {owner}"),
            ),
            _ => return None,
        };
        Some(RuleError::new(code, message, json!({ "position": position, "swap": mv.swap })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        if self.winner.is_some() {
            return None;
        }
        if mv.swap {
            let why = if self.can_swap { " on Blue's first move" } else { " in this game" };
            let can = if self.can_swap { "You can only " } else { "You can't " };
            return Some(phrase![can, code(SWAPS), why]);
        }
        let owner = self.stone(mv.position as usize)?;
        Some(phrase![Self::INFO.side(owner), " already has a stone on ", code(self.notation(mv))])
    }

    fn play(&self, mv: &Move) -> Hex {
        self.after(mv)
    }

    fn choose(&self, level: Level, seed: u64) -> Option<Chosen<Move>> {
        computer::choose(self, level, seed)
    }

    fn notation(&self, mv: &Move) -> String {
        if mv.swap { SWAPS.to_owned() } else { self.cell_name(mv.position as usize) }
    }

    fn deed(mv: &Move) -> Option<&'static str> {
        mv.swap.then_some("swapped")
    }

    fn read(&self, text: &str) -> Result<Move, Unread> {
        if fold(text) == SWAPS {
            return Ok(self.swap().unwrap_or(Move { position: 0, swap: true }));
        }
        let cell = cell::read_from(RowOne::Top, text, self.size, self.size)?;
        Ok(Move { position: cell as u32, swap: false })
    }

    fn group(&self, mv: &Move) -> Option<String> {
        mv.swap.then(|| "Instead of a stone".to_owned())
    }

    fn cell(&self, mv: &Move) -> Option<usize> {
        (!mv.swap).then_some(mv.position as usize)
    }

    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        Box::new(hexagons(self, last))
    }

    /// Counts the last ply without playing it.
    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ if self.winner.is_some() => 0,
            1 => (self.size * self.size - self.count() + usize::from(self.swap().is_some())) as u64,
            _ => self.legal_moves().iter().map(|mv| self.after(mv).perft(depth - 1)).sum(),
        }
    }
}

impl Hex {
    fn cell_name(&self, cell: usize) -> String {
        cell::name_from(RowOne::Top, cell, self.size, self.size)
    }
}
