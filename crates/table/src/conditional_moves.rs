//! Conditional moves: replies that a player announces before the opponent moves.
//!
//! Each player has a tree of moves that begins at the current position. It branches at the opponent's turns, and holds
//! one move at the player's own. When a move is played at the table, each tree shrinks to the branch of that move, or
//! else to the branch of any other move. Without such a branch it's dropped.

use game::Seat;
use games::{AnyMove, AnyPosition};

use crate::game_state::GameState;
use crate::{ConditionalRefusal, Event, EventKind, SeatRefusal, TableRefusal};

/// The maximum number of moves, by both sides, in the lines of one player.
pub const MAX_MOVES: usize = 200;
/// The maximum number of comments with lines that a player can write between two moves at the table.
pub const MAX_COMMENTS_PER_TURN: usize = 5;
/// The maximum number of moves in these comments, so they can't fill a record. Lines that begin alike repeat moves.
pub const MAX_WRITTEN_PER_TURN: usize = 2 * MAX_MOVES;

/// The word in a line that stands for each of the opponent's moves that no line names.
pub const ANY: &str = "any";
/// The word in a line that stands for the player's resignation.
pub const RESIGN: &str = "resign";
/// The longest answer to any other move in a record, in bytes.
const MAX_NOTATION: usize = 60;

/// The conditional moves at a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConditionalMoves {
    trees: [Vec<Branch>; 2],
    /// The player whose answer to any other move couldn't follow the last move, and that answer.
    missed: Option<(Seat, String)>,
}

/// A move in the tree of a player, and what may follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The move; `None` for [`RESIGN`], and for [`ANY`] and the answer to it, which is a move only once the opponent has moved.
    pub mv: Option<AnyMove>,
    /// The move in canonical notation, [`ANY`] or [`RESIGN`].
    pub notation: String,
    /// The opponent's moves that the player answers, or the player's only answer. Empty at the end of a line.
    pub next: Vec<Branch>,
}

impl ConditionalMoves {
    /// Returns the tree of the player at a seat. If it's their turn, its only branch is their announced move.
    pub fn tree_of(&self, seat: Seat) -> &[Branch] {
        &self.trees[seat.index()]
    }

    /// Returns the player whose answer to any other move couldn't be played after the last move, and that answer.
    pub fn missed_answer(&self) -> Option<(Seat, &str)> {
        self.missed.as_ref().map(|(seat, answer)| (*seat, answer.as_str()))
    }

    /// Adds lines to the tree of a player who waits. If the tree already answers a move differently, a line replaces that
    /// answer and everything after it.
    ///
    /// # Errors
    /// Returns an error if a line isn't legal, doesn't end with the player's move, or if the tree gets too large.
    pub(super) fn add<'a>(
        &mut self,
        seat: Seat,
        game: &AnyPosition,
        lines: impl Iterator<Item = &'a Vec<String>>,
    ) -> Result<(), TableRefusal> {
        let mut tree = self.trees[seat.index()].clone();
        for line in lines {
            add_line(&mut tree, seat, game, line)?;
        }
        if size(&tree) > MAX_MOVES {
            return Err(ConditionalRefusal::TooManyMoves.into());
        }
        self.trees[seat.index()] = tree;
        Ok(())
    }

    /// Drops the whole tree of a player.
    ///
    /// # Errors
    /// Returns an error if there is no tree to drop.
    pub(super) fn drop_tree(&mut self, seat: Seat) -> Result<(), TableRefusal> {
        match std::mem::take(&mut self.trees[seat.index()]).as_slice() {
            [] => Err(ConditionalRefusal::NothingToDrop.into()),
            _ => Ok(()),
        }
    }

    /// Follows a move at the table, to the next position, in both trees, and drops those that don't have it. `None` drops both.
    pub(super) fn follow(&mut self, played: Option<&AnyMove>, next: &AnyPosition) {
        self.missed = None;
        for (seat, tree) in Seat::BOTH.into_iter().zip(&mut self.trees) {
            let mut branches = std::mem::take(tree);
            let is_played = |branch: &Branch| played.is_some() && branch.mv.as_ref() == played;
            let named = branches.iter().position(is_played);
            let Some(at) = named.or_else(|| branches.iter().position(|branch| played.is_some() && branch.is_any()))
            else {
                continue;
            };
            let branch = branches.swap_remove(at);
            match branch.next.first().filter(|_| branch.is_any()) {
                None => *tree = branch.next,
                Some(answer) => match read_answer(next, seat, &answer.notation) {
                    Some(answer) => tree.push(answer),
                    None => self.missed = Some((seat, answer.notation.clone())),
                },
            }
        }
    }
}

impl Branch {
    /// Whether the branch stands for each move that no other branch names.
    pub fn is_any(&self) -> bool {
        self.notation == ANY
    }

    /// Whether the branch is the player's resignation.
    pub fn is_resignation(&self) -> bool {
        self.notation == RESIGN
    }
}

/// Returns a player's answer to any other move as a branch; `None` if it doesn't match exactly one legal move.
fn read_answer(game: &AnyPosition, seat: Seat, answer: &str) -> Option<Branch> {
    let is_to_move = game.outcome().is_none() && game.side_to_move() == seat;
    let mv = game.parse_move(answer).ok().filter(|mv| is_to_move && game.is_legal(mv))?;
    Some(Branch { notation: game.notation(&mv), mv: Some(mv), next: Vec::new() })
}

/// Adds a line to a tree.
///
/// # Errors
/// Returns an error if the line isn't legal, or doesn't end with the player's move.
fn add_line(tree: &mut Vec<Branch>, seat: Seat, game: &AnyPosition, line: &[String]) -> Result<(), TableRefusal> {
    let (mut level, mut played, mut ends_with_own) = (tree, None, false);
    for (at, notation) in line.iter().enumerate() {
        let position = played.as_ref().unwrap_or(game);
        if let [any, answer] = &line[at..]
            && any == ANY
            && position.side_to_move() != seat
            && may_be_notation(answer)
        {
            level.retain(|branch| !branch.is_any());
            let next = vec![Branch { mv: None, notation: answer.clone(), next: Vec::new() }];
            level.push(Branch { mv: None, notation: ANY.to_owned(), next });
            return Ok(());
        }
        if let [resign] = &line[at..]
            && resign == RESIGN
            && position.side_to_move() == seat
        {
            *level = vec![Branch { mv: None, notation: RESIGN.to_owned(), next: Vec::new() }];
            return Ok(());
        }
        let mv = find_move(position, notation).ok_or(ConditionalRefusal::InvalidLine)?;
        ends_with_own = position.side_to_move() == seat;
        played = Some(position.apply_move(&mv).map_err(|_| ConditionalRefusal::InvalidLine)?);
        let at = level.iter().position(|branch| branch.mv.as_ref() == Some(&mv)).unwrap_or_else(|| {
            if ends_with_own {
                level.clear();
            }
            let at = level.iter().position(Branch::is_any).unwrap_or(level.len());
            level.insert(at, Branch { mv: Some(mv), notation: notation.clone(), next: Vec::new() });
            at
        });
        level = &mut level[at].next;
    }
    if ends_with_own { Ok(()) } else { Err(ConditionalRefusal::InvalidLine.into()) }
}

/// Returns the number of moves in a tree.
fn size(tree: &[Branch]) -> usize {
    tree.iter().map(|branch| 1 + size(&branch.next)).sum()
}

/// Whether a text in a record may be a move's notation. Whether it's legal depends on the opponent's move.
fn may_be_notation(text: &str) -> bool {
    let may_have = |byte: u8| byte.is_ascii_graphic() && byte != b'`' || byte == b' ';
    (1..=MAX_NOTATION).contains(&text.len()) && text.bytes().all(may_have) && ![ANY, RESIGN].contains(&text)
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

    /// Checks that a player may write these lines this turn. They can always drop their lines.
    ///
    /// # Errors
    /// Returns an error if they can't announce conditional moves, or have written too many lines this turn.
    pub(crate) fn check_lines(&self, seat: Seat, lines: &EventKind) -> Result<(), TableRefusal> {
        self.check_conditional_moves(Some(seat))?;
        let events = self.timeline().events().iter().rev();
        let this_turn = events.take_while(|event| !matches!(event.kind, EventKind::Move { .. }));
        let own = this_turn.filter(|event| matches!(event.kind, EventKind::If { .. }) && event.seat == Some(seat));
        let count = |kind: &EventKind| kind.lines().map(Vec::len).sum::<usize>();
        let (comments, written) =
            own.fold((1, count(lines)), |(comments, written), event| (comments + 1, written + count(&event.kind)));
        let is_too_much = comments > MAX_COMMENTS_PER_TURN || written > MAX_WRITTEN_PER_TURN;
        if is_too_much && count(lines) > 0 { Err(ConditionalRefusal::TooManyLines.into()) } else { Ok(()) }
    }

    /// Returns the announced reply of the player to move, if the event is the move that it answers. Returns `None`
    /// if an offer to them is open, because they have to answer it themselves.
    pub(crate) fn conditional_move(&self, event: &Event) -> Option<&Branch> {
        let seat = self.timeline().game().side_to_move();
        let is_due = matches!(event.kind, EventKind::Move { .. }) && !self.offers().is_any_made_to(seat);
        self.conditional_moves().tree_of(seat).first().filter(|_| is_due)
    }
}
