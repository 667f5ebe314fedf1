//! King and pawn against king: a table that knows which positions are won, 24 KB in memory.
//!
//! The table is computed when it's first needed, backwards from promotions, captures and stalemates until nothing changes.

use std::sync::OnceLock;

use cozy_chess::{Board, Color, File, Piece, Rank, Square, get_king_moves, get_pawn_attacks};

/// The score of a won position, before a tenth of a pawn for each rank that the pawn has advanced.
const WON: i32 = 1_000;
/// The number of positions: the side to move, the squares of both kings, and the pawn's file from a to d and rank from 2 to 7.
const POSITIONS: usize = 2 * 64 * 64 * 24;

/// A set of results that positions lead to. A position that can't arise has none.
type Results = u8;
const IMPOSSIBLE: Results = 0;
const UNKNOWN: Results = 1;
const DRAWN: Results = 2;
const LOST: Results = 4;

/// A position in which White has the pawn.
#[derive(Clone, Copy)]
struct Position {
    is_white_to_move: bool,
    white: Square,
    black: Square,
    pawn: Square,
}

/// The table: a bit for each position.
#[derive(Debug)]
pub(super) struct PawnEnding {
    won: Vec<u64>,
}

impl PawnEnding {
    /// Returns the table, which all searches share.
    pub(super) fn shared() -> &'static PawnEnding {
        static TABLE: OnceLock<PawnEnding> = OnceLock::new();
        TABLE.get_or_init(PawnEnding::compute)
    }

    fn compute() -> PawnEnding {
        let mut results: Vec<Results> = (0..POSITIONS).map(|index| Position::at(index).known_result()).collect();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for index in 0..POSITIONS {
                if results[index] == UNKNOWN {
                    results[index] = Position::at(index).result_of_moves(&results);
                    has_changed |= results[index] != UNKNOWN;
                }
            }
        }
        let bits =
            |chunk: &[Results]| (0..).zip(chunk).fold(0, |bits, (at, result)| bits | u64::from(*result == LOST) << at);
        PawnEnding { won: results.chunks(64).map(bits).collect() }
    }

    /// Returns the number of won positions in the table.
    pub(super) fn won_count(&self) -> u32 {
        self.won.iter().map(|bits| bits.count_ones()).sum()
    }

    /// Returns the score of the position for the side to move; `None` if there are other pieces.
    pub(super) fn score(&self, board: &Board) -> Option<i32> {
        if board.occupied().len() != 3 {
            return None;
        }
        let pawn = board.pieces(Piece::Pawn).next_square()?;
        let strong = if board.colors(Color::White).has(pawn) { Color::White } else { Color::Black };
        let is_flipped = pawn.file() > File::D;
        let turned = |square: Square| {
            let square = if strong == Color::White { square } else { square.flip_rank() };
            if is_flipped { square.flip_file() } else { square }
        };
        let is_white_to_move = board.side_to_move() == strong;
        let [white, black] = [strong, !strong].map(|color| turned(board.king(color)));
        let pawn = turned(pawn);
        let index = Position { is_white_to_move, white, black, pawn }.index();
        if self.won[index / 64] >> (index % 64) & 1 == 0 {
            return Some(0);
        }
        let score = WON + 10 * pawn.rank() as i32;
        Some(if is_white_to_move { score } else { -score })
    }
}

impl Position {
    fn at(index: usize) -> Position {
        let (pawn, rest) = (index % 24, index / 24);
        Position {
            pawn: Square::new(File::index(pawn % 4), Rank::index(1 + pawn / 4)),
            white: Square::index(rest % 64),
            black: Square::index(rest / 64 % 64),
            is_white_to_move: rest / 64 / 64 == 0,
        }
    }

    fn index(self) -> usize {
        let pawn = self.pawn.file() as usize + 4 * (self.pawn.rank() as usize - 1);
        pawn + 24 * (self.white as usize + 64 * (self.black as usize + 64 * usize::from(!self.is_white_to_move)))
    }

    /// Returns the result if it needs no search. `LOST` means that Black loses.
    fn known_result(self) -> Results {
        let Position { is_white_to_move, white, black, pawn } = self;
        let (near_white, near_black) = (get_king_moves(white) | white.bitboard(), get_king_moves(black));
        let attacked = get_pawn_attacks(pawn, Color::White);
        if near_white.has(black) || white == pawn || black == pawn || is_white_to_move && attacked.has(black) {
            return IMPOSSIBLE;
        }
        let ahead = ahead(pawn);
        let guards_ahead = get_king_moves(white).has(ahead);
        let reaches_ahead = near_black.has(ahead) || black == ahead;
        if is_white_to_move {
            let promotes = pawn.rank() == Rank::Seventh && white != ahead && (!reaches_ahead || guards_ahead);
            return if promotes { LOST } else { UNKNOWN };
        }
        let free = near_black & !near_white & !attacked;
        // Black has no move, or takes the pawn.
        if free.is_empty() || free.has(pawn) { DRAWN } else { UNKNOWN }
    }

    /// Returns the result according to those of the positions after each move.
    fn result_of_moves(self, results: &[Results]) -> Results {
        let Position { is_white_to_move, white, black, pawn } = self;
        let after = Position { is_white_to_move: !is_white_to_move, ..self };
        let mut found = IMPOSSIBLE;
        if is_white_to_move {
            for white in get_king_moves(white) {
                found |= results[Position { white, ..after }.index()];
            }
            let one = ahead(pawn);
            if pawn.rank() < Rank::Seventh {
                found |= results[Position { pawn: one, ..after }.index()];
            }
            if pawn.rank() == Rank::Second && one != white && one != black {
                found |= results[Position { pawn: ahead(one), ..after }.index()];
            }
        } else {
            for black in get_king_moves(black) {
                found |= results[Position { black, ..after }.index()];
            }
        }
        let (best, worst) = if is_white_to_move { (LOST, DRAWN) } else { (DRAWN, LOST) };
        [best, UNKNOWN].into_iter().find(|result| found & result != 0).unwrap_or(worst)
    }
}

/// Returns the square in front of a white pawn.
fn ahead(pawn: Square) -> Square {
    Square::new(pawn.file(), Rank::index((pawn.rank() as usize + 1).min(7)))
}
