//! A position of chess with all that its end depends on.

use std::borrow::Cow;

use cozy_chess::{BitBoard, Board, Color, Move as RawMove, Piece, Square};
use game::contract::{Ending, Outcome, Rules};
use game::rule::RuleError;
use game::seat::Seat;

use crate::chess::config::{GameConfig, invalid_state};
use crate::chess::fen::{Fen, without_unusable_en_passant};
use crate::chess::moves::Move;
use crate::chess::names::to_seat;

/// The light squares.
pub(super) const LIGHT_SQUARES: BitBoard = BitBoard(0x55aa_55aa_55aa_55aa);
/// The plies without a capture or a pawn's move after which a draw can be claimed.
const FIFTY_MOVE_PLIES: u16 = 100;
/// The plies without a capture or a pawn's move after which the game is drawn.
const SEVENTY_FIVE_MOVE_PLIES: u16 = 150;
/// How often a position has been there when a draw can be claimed.
const THREEFOLD: usize = 3;
/// How often a position has been there when the game is drawn.
const FIVEFOLD: usize = 5;

/// A position with those before it that may come again.
#[derive(Clone, Debug, PartialEq)]
pub struct Chess {
    /// The board; a pawn that has gone past a square is marked only where it can be captured there.
    pub(super) board: Board,
    /// The plies without a capture or a pawn's move.
    pub(super) halfmove_clock: u16,
    /// The positions since the last move that cannot be undone, oldest first.
    pub(super) earlier: Vec<Board>,
    /// The settings.
    pub(super) config: GameConfig,
    /// The pieces that each side began with, by side and kind.
    pub(super) initial_pieces: [[u32; Piece::NUM]; 2],
    /// The end of the game.
    pub(super) end_reason: Option<EndReason>,
}

/// The ways in which a game ends on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndReason {
    /// The side on turn is in check and has no legal move.
    Checkmate,
    /// The side on turn is not in check and has no legal move.
    Stalemate,
    /// Neither side can mate any more.
    InsufficientMaterial,
    /// The position has come for the fifth time.
    FivefoldRepetition,
    /// There was neither a capture nor a pawn's move in 75 moves of each side.
    SeventyFiveMoves,
}

impl EndReason {
    /// Returns the reason in a few words.
    pub(super) fn describe(self) -> &'static str {
        match self {
            EndReason::Checkmate => "checkmate",
            EndReason::Stalemate => "stalemate",
            EndReason::InsufficientMaterial => "insufficient material",
            EndReason::FivefoldRepetition => "fivefold repetition",
            EndReason::SeventyFiveMoves => "75 moves without a capture or a pawn move",
        }
    }
}

impl Chess {
    /// Returns the legal moves in the order of the board: the pieces by their kinds, pawns first, and then by their squares.
    pub(super) fn legal_raw_moves(&self) -> Vec<RawMove> {
        let mut moves = Vec::with_capacity(48);
        if self.end_reason.is_none() {
            self.board.generate_moves(|from| {
                moves.extend(from);
                false
            });
            let by_kind = |mv: &RawMove| {
                // Of what a pawn can become the strongest comes first.
                (self.board.piece_on(mv.from), mv.from, mv.to, std::cmp::Reverse(mv.promotion))
            };
            moves.sort_unstable_by_key(by_kind);
        }
        moves
    }

    /// Returns the same position with the end that it is.
    pub(super) fn with_outcome(mut self) -> Chess {
        let stuck = !self.board.generate_moves(|_| true);
        self.end_reason = match () {
            () if stuck && !self.board.checkers().is_empty() => Some(EndReason::Checkmate),
            () if is_insufficient_material(&self.board) => Some(EndReason::InsufficientMaterial),
            () if stuck => Some(EndReason::Stalemate),
            () if self.halfmove_clock >= SEVENTY_FIVE_MOVE_PLIES => Some(EndReason::SeventyFiveMoves),
            () if self.count_repetitions() >= FIVEFOLD => Some(EndReason::FivefoldRepetition),
            () => None,
        };
        self
    }

    /// Returns how often this position has been there, this time included.
    fn count_repetitions(&self) -> usize {
        // A position can repeat after two moves by each side at the earliest, with the same side to move.
        let again = self.earlier.iter().rev().skip(3).step_by(2);
        1 + again.filter(|board| is_same_position(board, &self.board)).count()
    }

    /// Returns the king of the side on turn if it is in check.
    pub(super) fn checked_king(&self) -> Option<Square> {
        (!self.board.checkers().is_empty()).then(|| self.board.king(self.board.side_to_move()))
    }
}

impl Rules for Chess {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<Chess, RuleError> {
        let Fen { board, halfmove_clock: quiet } = config.initial_position()?;
        let count = |color: Color| Piece::ALL.map(|piece| board.colored_pieces(color, piece).len());
        let men = [count(Color::White), count(Color::Black)];
        let game = Chess {
            board,
            halfmove_clock: quiet,
            earlier: Vec::new(),
            config: config.clone(),
            initial_pieces: men,
            end_reason: None,
        }
        .with_outcome();
        match game.end_reason {
            None => Ok(game),
            Some(_) => Err(invalid_state("fen", "Invalid fen: the game is already over in this position")),
        }
    }

    fn side_to_move(&self) -> Seat {
        to_seat(self.board.side_to_move())
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.legal_raw_moves().into_iter().map(Move::from).collect()
    }

    fn play(&self, mv: &Move) -> Chess {
        let mut board = self.board.clone();
        let raw = mv.uci.0;
        // What is not legal is never played; should it be, nothing happens.
        if board.try_play(raw).is_err() {
            return self.clone();
        }
        let board = without_unusable_en_passant(board);
        let [lost_white, lost_black] =
            [Color::White, Color::Black].map(|color| self.board.castle_rights(color) != board.castle_rights(color));
        let quiet = if board.halfmove_clock() == 0 { 0 } else { self.halfmove_clock.saturating_add(1) };
        let mut earlier = Vec::new();
        if quiet > 0 && !lost_white && !lost_black {
            earlier.reserve_exact(self.earlier.len() + 1);
            earlier.extend_from_slice(&self.earlier);
            earlier.push(self.board.clone());
        }
        Chess {
            board,
            halfmove_clock: quiet,
            earlier,
            config: self.config.clone(),
            initial_pieces: self.initial_pieces,
            end_reason: None,
        }
        .with_outcome()
    }

    fn ending(&self) -> Option<Ending> {
        let end = self.end_reason?;
        Some(Ending { outcome: self.outcome()?, reason: Some(end.describe().into()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end_reason.map(|end| match end {
            EndReason::Checkmate => Outcome::Won(to_seat(!self.board.side_to_move())),
            _ => Outcome::Draw,
        })
    }

    fn claimable_draw(&self) -> Option<Cow<'static, str>> {
        match self.end_reason {
            None if self.count_repetitions() >= THREEFOLD => Some("threefold repetition".into()),
            None if self.halfmove_clock >= FIFTY_MOVE_PLIES => Some("50 moves without a capture or a pawn move".into()),
            _ => None,
        }
    }

    /// Counts as all published counts do: a drawn position goes on as long as there are moves.
    fn perft(&self, depth: u32) -> u64 {
        perft(&self.board, depth)
    }
}

/// Tests if two boards are one position: the same pieces, the same side on turn, the same rights.
fn is_same_position(one: &Board, other: &Board) -> bool {
    one.hash() == other.hash() && one.same_position(other)
}

/// Tests if neither side can mate by any sequence of moves, as far as the pieces alone say so: bare kings, one knight, or
/// bishops on squares of one colour.
pub(super) fn is_insufficient_material(board: &Board) -> bool {
    let kings = board.pieces(Piece::King);
    let [knights, bishops] = [Piece::Knight, Piece::Bishop].map(|piece| board.pieces(piece));
    if board.occupied() != kings | knights | bishops {
        return false;
    }
    if bishops.is_empty() {
        return knights.len() <= 1;
    }
    knights.is_empty() && (bishops.is_subset(LIGHT_SQUARES) || bishops.is_disjoint(LIGHT_SQUARES))
}

/// Counts the positions so many plies ahead, without a list of the last moves: published counts know no draws.
fn perft(board: &Board, depth: u32) -> u64 {
    let mut found = 0;
    match depth {
        0 => return 1,
        1 => {
            board.generate_moves(|moves| {
                found += moves.len() as u64;
                false
            });
        }
        _ => {
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    found += perft(&next, depth - 1);
                }
                false
            });
        }
    }
    found
}
