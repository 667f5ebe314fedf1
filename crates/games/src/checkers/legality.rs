//! Why a move is not legal.

use game::contract::{Explain, Game, Notation, Rules};
use game::phrase::{Phrase, capitalize};
use game::rule::RuleError;
use game::seat::Seat;
use serde_json::json;

use crate::checkers::bitboards::{Bitboards, SQUARES, bit};
use crate::checkers::game::{Checkers, Move};

/// The plies before a draw for want of captures from which on whoever is to move is told.
const DRAW_WARNING_PLIES: u16 = 10;

/// The rule that a move breaks.
pub(super) struct Illegality {
    /// The machine code.
    pub(super) code: &'static str,
    /// The reason, as the end of a sentence or one by itself.
    pub(super) message: String,
    /// The same for a player, if it says more than that.
    pub(super) explanation: Option<String>,
}

impl Explain for Checkers {
    fn legality_error(&self, mv: &Move) -> Option<RuleError> {
        let found = find_illegality(self, mv)?;
        let legal: Vec<String> = self.legal_moves().iter().map(|mv| self.notation(mv)).collect();
        Some(RuleError::new(found.code, capitalize(&found.message), json!({ "path": mv.path, "legalMoves": legal })))
    }

    fn explain(&self, mv: &Move) -> Option<Phrase> {
        let found = find_illegality(self, mv).filter(|_| self.end.is_none())?;
        Some(found.explanation.unwrap_or_else(|| capitalize(&found.message)).into())
    }

    fn turn_hint(&self) -> Option<Phrase> {
        if self.end.is_some() {
            return None;
        }
        if self.bitboards.must_capture() {
            return Some(format!("{} has to capture.", Self::INFO.side_name(self.bitboards.side_to_move)).into());
        }
        let drought = self.no_capture_rule?;
        if self.bitboards == Bitboards::START {
            // Whoever is invited to such a game reads it at once.
            return Some(
                format!("The game is a draw after {} moves per side without a capture.", drought.max_plies / 2).into(),
            );
        }
        let left = drought.plies_left();
        let moves = if left == 1 { "move".to_owned() } else { format!("{left} moves") };
        (left <= DRAW_WARNING_PLIES)
            .then(|| format!("The game is a draw unless there's a capture in the next {moves}.").into())
    }
}

/// Returns the rule that forbids a move; `None` for a legal one.
pub(super) fn find_illegality(game: &Checkers, mv: &Move) -> Option<Illegality> {
    let legal = game.legal_paths();
    if legal.iter().any(|way| Move::from(way) == *mv) {
        return None;
    }
    let men = &game.bitboards;
    let says = |code, why: String| Some(Illegality { code, message: why, explanation: None });
    let teaches =
        |code, why: String, explained: String| Some(Illegality { code, message: why, explanation: Some(explained) });
    if let Some(end) = game.end {
        return says("TERMINAL_STATE_MOVE", format!("the game is over: {}", end.reason()));
    }
    let (&[from, to, ..], true) = (&mv.path[..], mv.path.iter().all(|square| (1..=SQUARES).contains(square))) else {
        return says("INVALID_SQUARE", format!("a move has to be two or more squares from 1 to {SQUARES}"));
    };
    let place = bit(from - 1);
    let side = |seat: Seat| Checkers::INFO.seats[seat.index()];
    let kind = |place: u64| if men.kings & place == 0 { "man" } else { "king" };
    let [own, other] = men.sides();
    if other & place != 0 {
        let owner = men.side_to_move.other();
        let explained = format!("That's {}'s {} on {from}", Checkers::INFO.side_name(owner), kind(place));
        return teaches("WRONG_SIDE", format!("the man on {from} is {}'s", side(owner)), explained);
    }
    if own & place == 0 {
        let explained = format!("There's no piece on {from}");
        return teaches("EMPTY_SQUARE", format!("there is no man on {from}"), explained);
    }
    if men.must_capture() {
        let why = format!("{} can capture, so it has to", side(men.side_to_move));
        return teaches("CAPTURE_FORCED", why, "You can capture, so you have to".to_owned());
    }
    if men.free_squares() & bit(to - 1) == 0 {
        let explained = format!("There's already a piece on {to}");
        return teaches("OCCUPIED_SQUARE", format!("{to} is taken"), explained);
    }
    let [(row, column), (to_row, to_column)] = [from, to].map(|square| {
        let (row, nth) = ((square - 1) / 4, (square - 1) % 4);
        (row, nth * 2 + (1 - row % 2))
    });
    if mv.path.len() > 2 || column.abs_diff(to_column) != 1 || row.abs_diff(to_row) != 1 {
        let nothing = mv.path.len() > 2 || row.abs_diff(to_row) == 2 && column.abs_diff(to_column) == 2;
        if nothing {
            let explained = "There's nothing to capture there".to_owned();
            return teaches("NO_CAPTURE", "there is nothing to capture".to_owned(), explained);
        }
        let explained = "Without a capture, a piece moves one square diagonally".to_owned();
        return teaches("INVALID_STEP", "a man moves one square diagonally".to_owned(), explained);
    }
    teaches("BACKWARDS", "only a king moves backward".to_owned(), "Only a king can move backward".to_owned())
}
