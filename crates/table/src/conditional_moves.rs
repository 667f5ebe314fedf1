//! Conditional moves: replies that a player announces before the opponent moves.
//!
//! Each player has a tree of moves that begins at the current position. It branches at the opponent's turns, and holds
//! one move at the player's own. When a move is played at the table, each tree shrinks to the branch of that move, or
//! is dropped if it has no such branch.

use game::Seat;
use games::{AnyMove, AnyPosition};

use crate::game_state::GameState;
use crate::{ConditionalRefusal, Event, EventKind, Offer, SeatRefusal, TableRefusal};

/// The maximum number of moves, by both sides, in the lines of one player.
pub const MAX_MOVES: usize = 50;
/// The maximum number of lines that a player can write between two moves at the table.
pub const MAX_LINES_PER_TURN: usize = 5;

/// The conditional moves at a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConditionalMoves {
    trees: [Vec<Branch>; 2],
}

/// A move in the tree of a player, and what may follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The move.
    pub mv: AnyMove,
    /// The move in canonical notation.
    pub notation: String,
    /// The opponent's moves that the player answers, or the player's only answer. Empty at the end of a line.
    pub next: Vec<Branch>,
}

impl ConditionalMoves {
    /// Returns the tree of the player at a seat. If it's their turn, its only branch is their announced move.
    pub fn tree_of(&self, seat: Seat) -> &[Branch] {
        &self.trees[seat.index()]
    }

    /// Adds a line to the tree of a player who waits. If the tree already answers a move differently, the line replaces that
    /// answer and everything after it. An empty line drops the whole tree.
    ///
    /// # Errors
    /// Returns an error if the line isn't legal, doesn't end with the player's move, or makes the tree too large. An
    /// empty line is an error if there is no tree to drop.
    pub(super) fn add(&mut self, seat: Seat, game: &AnyPosition, line: &[String]) -> Result<(), TableRefusal> {
        let mut tree = self.trees[seat.index()].clone();
        let (mut level, mut played, mut ends_with_own) = (&mut tree, None, false);
        for notation in line {
            let position = played.as_ref().unwrap_or(game);
            let mv = find_move(position, notation).ok_or(ConditionalRefusal::InvalidLine)?;
            ends_with_own = position.side_to_move() == seat;
            played = Some(position.apply_move(&mv).map_err(|_| ConditionalRefusal::InvalidLine)?);
            let at = level.iter().position(|branch| branch.mv == mv).unwrap_or_else(|| {
                if ends_with_own {
                    level.clear();
                }
                level.push(Branch { mv, notation: notation.clone(), next: Vec::new() });
                level.len() - 1
            });
            level = &mut level[at].next;
        }
        match line {
            [] if tree.is_empty() => return Err(ConditionalRefusal::NothingToDrop.into()),
            [] => tree.clear(),
            _ if !ends_with_own => return Err(ConditionalRefusal::InvalidLine.into()),
            _ if size(&tree) > MAX_MOVES => return Err(ConditionalRefusal::TooManyMoves.into()),
            _ => {}
        }
        self.trees[seat.index()] = tree;
        Ok(())
    }

    /// Follows a move at the table in both trees, and drops those that don't have it. `None` drops both.
    pub(super) fn follow(&mut self, played: Option<&AnyMove>) {
        for tree in &mut self.trees {
            let branch = std::mem::take(tree).into_iter().find(|branch| Some(&branch.mv) == played);
            *tree = branch.map_or_else(Vec::new, |branch| branch.next);
        }
    }
}

/// Returns the number of moves in a tree.
fn size(tree: &[Branch]) -> usize {
    tree.iter().map(|branch| 1 + size(&branch.next)).sum()
}

/// Returns the legal move with this canonical notation.
fn find_move(game: &AnyPosition, notation: &str) -> Option<AnyMove> {
    let mv = game.parse_move(notation).ok().filter(|mv| game.is_legal(mv))?;
    (game.notation(&mv) == notation).then_some(mv)
}

// The rules for announcing conditional moves, and the move that follows from them.

impl GameState {
    /// Checks that a player may announce conditional moves now. Without a seat, it checks only the table.
    ///
    /// # Errors
    /// Returns an error if the table doesn't allow conditional moves, if it's the player's own turn, or if there is no
    /// opponent.
    pub fn check_conditional_moves(&self, seat: Option<Seat>) -> Result<(), TableRefusal> {
        match seat {
            _ if self.timeline().game().has_dice() => Err(ConditionalRefusal::Dice.into()),
            _ if self.terms().open.is_some() => Err(ConditionalRefusal::OpenTable.into()),
            _ if self.players().computer().is_some() => Err(ConditionalRefusal::Computer.into()),
            Some(seat) if seat == self.timeline().game().side_to_move() => Err(ConditionalRefusal::OwnTurn.into()),
            Some(seat) if self.players().player(seat.other()).is_none() => Err(SeatRefusal::NoOpponent.into()),
            _ => Ok(()),
        }
    }

    /// Checks that a player may write another line this turn. They can always drop their lines.
    ///
    /// # Errors
    /// Returns an error if they can't announce conditional moves, or have written too many lines this turn.
    pub(crate) fn check_line(&self, seat: Seat, line: &[String]) -> Result<(), TableRefusal> {
        self.check_conditional_moves(Some(seat))?;
        let events = self.timeline().events().iter().rev();
        let this_turn = events.take_while(|event| !matches!(event.kind, EventKind::Move { .. }));
        let own = this_turn.filter(|event| matches!(event.kind, EventKind::If { .. }) && event.seat == Some(seat));
        let is_one_too_many = !line.is_empty() && own.count() >= MAX_LINES_PER_TURN;
        if is_one_too_many { Err(ConditionalRefusal::TooManyLines.into()) } else { Ok(()) }
    }

    /// Returns the announced reply of the player to move, if the event is the move that it answers. Returns `None`
    /// if an offer to them is open, because they have to answer it themselves.
    pub(crate) fn conditional_move(&self, event: &Event) -> Option<&Branch> {
        let seat = self.timeline().game().side_to_move();
        let is_asked = |offer| self.offers().is_made_to(seat, offer);
        let is_due = matches!(event.kind, EventKind::Move { .. })
            && ![Offer::Draw, Offer::Takeback, Offer::Resignation].into_iter().any(is_asked);
        self.conditional_moves().tree_of(seat).first().filter(|_| is_due)
    }
}
