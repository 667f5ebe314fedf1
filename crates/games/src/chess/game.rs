//! A position of chess with all that its end depends on.

use std::borrow::Cow;

use cozy_chess::{BitBoard, Board, Color, Move as RawMove, Piece, Square};
use game::contract::{Ending, Outcome, Rules};
use game::rule::RuleError;
use game::seat::Seat;

use crate::chess::config::{GameConfig, invalid};
use crate::chess::fen::{Fen, without_idle_passing};
use crate::chess::moves::Move;
use crate::chess::names::seat;

/// The light squares.
pub(super) const LIGHT: BitBoard = BitBoard(0x55aa_55aa_55aa_55aa);
/// The plies without a capture or a pawn's move after which a draw can be claimed.
const CLAIMABLE_PLIES: u16 = 100;
/// The plies without a capture or a pawn's move after which the game is drawn.
const DRAWN_PLIES: u16 = 150;
/// How often a position has been there when a draw can be claimed.
const CLAIMABLE_TIMES: usize = 3;
/// How often a position has been there when the game is drawn.
const DRAWN_TIMES: usize = 5;

/// A position with those before it that may come again.
#[derive(Clone, Debug, PartialEq)]
pub struct Chess {
    /// The board; a pawn that has gone past a square is marked only where it can be captured there.
    pub(super) board: Board,
    /// The plies without a capture or a pawn's move.
    pub(super) quiet: u16,
    /// The positions since the last move that cannot be undone, oldest first.
    pub(super) earlier: Vec<Board>,
    /// The settings.
    pub(super) config: GameConfig,
    /// The pieces that each side began with, by side and kind.
    pub(super) men: [[u32; Piece::NUM]; 2],
    /// The end of the game.
    pub(super) end: Option<End>,
}

/// The ways in which a game ends on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
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

impl End {
    /// Returns the reason in a few words.
    pub(super) fn reason(self) -> &'static str {
        match self {
            End::Checkmate => "checkmate",
            End::Stalemate => "stalemate",
            End::InsufficientMaterial => "insufficient material",
            End::FivefoldRepetition => "fivefold repetition",
            End::SeventyFiveMoves => "75 moves without a capture or a pawn move",
        }
    }
}

impl Chess {
    /// Returns the legal moves in the order of the board: the pieces by their kinds, pawns first, and then by their squares.
    pub(super) fn moves(&self) -> Vec<RawMove> {
        let mut moves = Vec::with_capacity(48);
        if self.end.is_none() {
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
    pub(super) fn judged(mut self) -> Chess {
        let stuck = !self.board.generate_moves(|_| true);
        self.end = match () {
            () if stuck && !self.board.checkers().is_empty() => Some(End::Checkmate),
            () if is_insufficient(&self.board) => Some(End::InsufficientMaterial),
            () if stuck => Some(End::Stalemate),
            () if self.quiet >= DRAWN_PLIES => Some(End::SeventyFiveMoves),
            () if self.times() >= DRAWN_TIMES => Some(End::FivefoldRepetition),
            () => None,
        };
        self
    }

    /// Returns how often this position has been there, this time included.
    fn times(&self) -> usize {
        // A position can repeat after two moves by each side at the earliest, with the same side to move.
        let again = self.earlier.iter().rev().skip(3).step_by(2);
        1 + again.filter(|board| is_same(board, &self.board)).count()
    }

    /// Returns the king of the side on turn if it is in check.
    pub(super) fn king_in_check(&self) -> Option<Square> {
        (!self.board.checkers().is_empty()).then(|| self.board.king(self.board.side_to_move()))
    }
}

impl Rules for Chess {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<Chess, RuleError> {
        let Fen { board, quiet } = config.first()?;
        let count = |color: Color| Piece::ALL.map(|piece| board.colored_pieces(color, piece).len());
        let men = [count(Color::White), count(Color::Black)];
        let game = Chess { board, quiet, earlier: Vec::new(), config: config.clone(), men, end: None }.judged();
        match game.end {
            None => Ok(game),
            Some(_) => Err(invalid("fen", "Invalid fen: the game is already over in this position")),
        }
    }

    fn to_move(&self) -> Seat {
        seat(self.board.side_to_move())
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.moves().into_iter().map(Move::from).collect()
    }

    fn play(&self, mv: &Move) -> Chess {
        let mut board = self.board.clone();
        let raw = mv.uci.0;
        // What is not legal is never played; should it be, nothing happens.
        if board.try_play(raw).is_err() {
            return self.clone();
        }
        let board = without_idle_passing(board);
        let [lost_white, lost_black] =
            [Color::White, Color::Black].map(|color| self.board.castle_rights(color) != board.castle_rights(color));
        let quiet = if board.halfmove_clock() == 0 { 0 } else { self.quiet.saturating_add(1) };
        let mut earlier = Vec::new();
        if quiet > 0 && !lost_white && !lost_black {
            earlier.reserve_exact(self.earlier.len() + 1);
            earlier.extend_from_slice(&self.earlier);
            earlier.push(self.board.clone());
        }
        Chess { board, quiet, earlier, config: self.config.clone(), men: self.men, end: None }.judged()
    }

    fn ending(&self) -> Option<Ending> {
        let end = self.end?;
        Some(Ending { outcome: self.outcome()?, reason: Some(end.reason().into()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| match end {
            End::Checkmate => Outcome::Won(seat(!self.board.side_to_move())),
            _ => Outcome::Draw,
        })
    }

    fn claimable_draw(&self) -> Option<Cow<'static, str>> {
        match self.end {
            None if self.times() >= CLAIMABLE_TIMES => Some("threefold repetition".into()),
            None if self.quiet >= CLAIMABLE_PLIES => Some("50 moves without a capture or a pawn move".into()),
            _ => None,
        }
    }

    /// Counts as all published counts do: a drawn position goes on as long as there are moves.
    fn perft(&self, depth: u32) -> u64 {
        perft(&self.board, depth)
    }
}

/// Tests if two boards are one position: the same pieces, the same side on turn, the same rights.
fn is_same(one: &Board, other: &Board) -> bool {
    one.hash() == other.hash() && one.same_position(other)
}

/// Tests if neither side can mate by any sequence of moves, as far as the pieces alone say so: bare kings, one knight, or
/// bishops on squares of one colour.
pub(super) fn is_insufficient(board: &Board) -> bool {
    let kings = board.pieces(Piece::King);
    let [knights, bishops] = [Piece::Knight, Piece::Bishop].map(|piece| board.pieces(piece));
    if board.occupied() != kings | knights | bishops {
        return false;
    }
    if bishops.is_empty() {
        return knights.len() <= 1;
    }
    knights.is_empty() && (bishops.is_subset(LIGHT) || bishops.is_disjoint(LIGHT))
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
