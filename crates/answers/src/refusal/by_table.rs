//! Texts of refusals by the rules of a table.

use game::phrase::{Phrase, Span, capitalize, code, phrase, spans};
use game::seat::Seat;
use table::any_table::{AnyTable, with_table};
use table::calendar::format_deadline;
use table::conditional_moves::{MAX_LINES_PER_TURN, MAX_MOVES};
use table::refusal::{ConditionalRefusal, TableRefusal};

use crate::duration::format_duration;
use crate::refusal::{list, person};

/// Returns how to end the game for a player who can't leave it.
pub(super) fn way_out(table: &AnyTable) -> Phrase {
    let counts = with_table!(table, table => Seat::BOTH.into_iter().all(|seat| table.timeline().has_moved(seat)));
    if counts {
        phrase!["To resign, write ", code("/resign"), "."]
    } else {
        phrase!["To end the game without a result, write ", code("/abort"), "."]
    }
}

/// Returns a refusal by the table that names seats, players, or moves.
pub(super) fn table_refusal(refusal: &TableRefusal) -> Phrase {
    match refusal {
        TableRefusal::SeatTaken(seat, login) => phrase![person(login), " is already playing ", capitalize(seat), "."],
        TableRefusal::ComputerHasSeat(seat) => phrase!["The computer is already playing ", capitalize(seat), "."],
        TableRefusal::AlreadySeated(seat) => phrase!["You're already playing ", capitalize(seat), " in this game."],
        TableRefusal::NotYourTurn(seat, Some(login)) => {
            phrase!["It isn't your turn yet: ", person(login), " (", capitalize(seat), ") moves next."]
        }
        TableRefusal::NotYourTurn(seat, None) => {
            let open = " moves next, and that seat is still open. Anyone can take it with ";
            phrase!["It isn't your turn yet: ", capitalize(seat), open, code("/join"), "."]
        }
        TableRefusal::IllegalMove { message, explanation: explained, legal_moves: legal, .. } => {
            let why = match explained {
                Some(explained) => phrase![explained.clone(), ". "],
                None => format!("{message}. ").into(),
            };
            match legal {
                Some(moves) => phrase![why, "Legal moves: ", list(moves), "."],
                None => phrase![why, code("/moves"), " lists what you can play."],
            }
        }
        TableRefusal::OpponentNotBack(login) => {
            let why =
                " hasn't come back for this round, so you can't do that yet. To end the game without a result, write ";
            phrase![person(login), why, code("/abort"), "."]
        }
        TableRefusal::TimeLeft { left, deadline } => {
            let from = format_deadline(*deadline)
                .map_or(phrase!["."], |from| phrase![". From ", from, " on, ", code("/claim"), " wins the game."]);
            phrase![format!("Your opponent still has {}", format_duration(*left)), from]
        }
        TableRefusal::MovedRecently(gap) if *gap > 1 => {
            let why = format!("You made one of the last {gap} moves. ");
            phrase![why, "Wait until other people have moved."]
        }
        TableRefusal::Conditional(refusal) => conditional_refusal(*refusal),
        refusal => fixed_table_refusal(refusal),
    }
}

/// Returns the refusal of conditional moves.
fn conditional_refusal(refusal: ConditionalRefusal) -> Phrase {
    let words: &[Span] = match refusal {
        ConditionalRefusal::Dice => spans!["You can't announce moves in a game with dice."],
        ConditionalRefusal::OpenTable => spans!["You can't announce moves in an open game, because anyone can move."],
        ConditionalRefusal::Computer => {
            spans!["You can't announce moves against the computer, because it moves at once."]
        }
        ConditionalRefusal::OwnTurn => spans![
            "It's your turn, so write your move. You can announce your reply with " ("/if") " while your opponent is to move."
        ],
        ConditionalRefusal::TooManyMoves => {
            let how = format!("Your lines would have more than {MAX_MOVES} moves. To drop them all, write ");
            return phrase![how, code("/if none"), "."];
        }
        ConditionalRefusal::TooManyLines => {
            return format!("You've already written {MAX_LINES_PER_TURN} lines. Wait until your opponent has moved.")
                .into();
        }
        ConditionalRefusal::NothingToDrop => spans!["You have no conditional moves to drop."],
        ConditionalRefusal::LongRecord => spans!["This game's record is too long for conditional moves."],
        // Only a record can have such a line.
        ConditionalRefusal::InvalidLine => spans!["This line isn't legal."],
    };
    words.into()
}

/// Returns a refusal by the table that always has the same text.
fn fixed_table_refusal(refusal: &TableRefusal) -> Phrase {
    let words: &[Span] = match refusal {
        TableRefusal::MovedRecently(_) => {
            spans!["You made the last move. Wait until someone else has moved."]
        }
        TableRefusal::DrawAlreadyOffered => {
            spans!["You already offered a draw. Your offer stands until your opponent moves."]
        }
        TableRefusal::DrawDeclined => {
            spans!["Your opponent declined your offer. You can offer a draw again after you have both moved twice."]
        }
        TableRefusal::NoDrawToClaim => spans!["You can't claim a draw right now."],
        TableRefusal::ResignAlreadyOffered => {
            spans!["There's already an offer to concede this game. It stands until one of you moves."]
        }
        TableRefusal::ResignDeclined => spans![
            "Your opponent declined your offer. You can offer again after your next move, or name a cost: " ("/resign gammon") "."
        ],
        TableRefusal::InvalidStake => spans!["You can't resign like that right now."],
        TableRefusal::UndoAlreadyRequested => {
            spans!["You already asked for a takeback. Your opponent can " ("/accept") " it."]
        }
        TableRefusal::UndoDeclined => {
            spans!["Your opponent declined the takeback. You can ask again after your next move."]
        }
        TableRefusal::NothingToUndo => spans!["You have no move to take back."],
        TableRefusal::NothingToAccept => spans!["There's nothing to accept right now."],
        TableRefusal::NothingToDecline => spans!["There's nothing to decline right now."],
        TableRefusal::NoOpponent => {
            spans!["You don't have an opponent yet. To end the game without a result, write " ("/abort") "."]
        }
        TableRefusal::NoTimeLimit => spans![
            "This game has no time limit, so you can't win on time. After 30 days of silence, either of you can " ("/abort") "."
        ],
        TableRefusal::OwnTimeRunning => spans!["It's your own clock that's running."],
        TableRefusal::NotAtOpenTable => spans![
            "Nobody can resign or offer a draw in an open game. Anyone can " ("/move") ", the person who made the last move can "
            ("/undo") " it, and a maintainer can " ("/abort") "."
        ],
        TableRefusal::NoHints => spans![
            "You only get hints in games against the computer (" ("/new GAME computer") ")."
        ],
        TableRefusal::AutoRollUnchanged => {
            spans!["Automatic rolls are already like that. You can turn them on once before each of your moves."]
        }
        TableRefusal::NoOptionalRolls => spans![
            "Only games of backgammon with the doubling cube wait for you to " ("/roll") "."
        ],
        TableRefusal::OnlyAtOpenTable => {
            spans!["The computer only moves for you in open games."]
        }
        TableRefusal::NotImported => spans!["Only an imported game can end like this."],
        TableRefusal::NotYourMove => {
            spans!["In an open game you can only take back the last move, and only if you made it."]
        }
        TableRefusal::DiceRolled => {
            spans!["You can't take that move back, because dice have been rolled since and everyone has seen them."]
        }
        TableRefusal::SecretLost => spans![
            "The bot can't roll the dice, because the host's " ("dice-secret") " has changed since this game began. Ask the host \
             to restore it, then write this again. A maintainer can also " ("/abort") " the game."
        ],
        // Handled by `table_refusal` or `sentence`.
        TableRefusal::GameInProgress
        | TableRefusal::GameOver
        | TableRefusal::NotSeated
        | TableRefusal::NotGuest
        | TableRefusal::TooLateToLeave
        | TableRefusal::SeatTaken(..)
        | TableRefusal::ComputerHasSeat(_)
        | TableRefusal::AlreadySeated(_)
        | TableRefusal::NotYourTurn(..)
        | TableRefusal::IllegalMove { .. }
        | TableRefusal::OpponentNotBack(_)
        | TableRefusal::TimeLeft { .. }
        | TableRefusal::Conditional(_) => {
            spans!["There's already a game in this issue. Finish it first, or open another issue for a new game."]
        }
    };
    words.into()
}
