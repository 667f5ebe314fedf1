//! Texts of refusals by the rules of a table.

use game::phrase::{Phrase, Span, capitalize, code, join_code, person, phrase, spans, without_prompt};
use game::seat::Seat;
use table::any_table::{AnyTable, with_table};
use table::calendar::format_deadline;
use table::conditional_moves::{MAX_LINES_PER_TURN, MAX_MOVES};
use table::refusal::{ClockRefusal, ConditionalRefusal, OfferRefusal, SeatRefusal, TableRefusal};

use crate::duration::format_duration;
use crate::people::{after_name, side_after};
use crate::refusal::open_turn;
use crate::sentences;

/// Returns how to end the game for a player who can't leave it.
fn way_out(table: &AnyTable) -> Phrase {
    let counts = with_table!(table, table => Seat::BOTH.into_iter().all(|seat| table.timeline().has_moved(seat)));
    if counts {
        phrase!["To resign, write ", code("/resign"), "."]
    } else {
        phrase!["To end the game without a result, write ", code("/abort"), "."]
    }
}

/// Returns a refusal by the rules of a table. `table` is the table that it was decided for.
pub(super) fn table_refusal(refusal: &TableRefusal, table: Option<&AnyTable>) -> Phrase {
    let words: &[Span] = match refusal {
        TableRefusal::GameInProgress => {
            spans!["There's already a game in this issue. Finish it first, or open another issue for a new game."]
        }
        TableRefusal::GameOver => {
            let ending = table.map(|table| with_table!(table, table => sentences::ending(table)));
            let rematch = without_prompt(phrase![" To play again, write ", code("/rematch"), "."]);
            return phrase!["This game is over. ", ending, rematch];
        }
        TableRefusal::Seat(refusal) => return seat_refusal(refusal, table),
        TableRefusal::NotYourTurn(seat, login) => return not_your_turn(seat, login.as_deref()),
        TableRefusal::IllegalMove { message, explanation, legal_moves, .. } => {
            let why = explanation.clone().unwrap_or_else(|| message.clone().into());
            let how = match legal_moves {
                Some(moves) => phrase!["Legal moves: ", join_code(moves, ", "), "."],
                None => phrase![code("/moves"), " lists what you can play."],
            };
            return phrase![why, ". ", how, table.and_then(open_turn)];
        }
        TableRefusal::Offer(refusal) => return offer_refusal(*refusal),
        TableRefusal::DiceRolled => {
            spans!["You can't take that move back, because dice have been rolled since and everyone has seen them."]
        }
        TableRefusal::NoOptionalRolls => spans![
            "Only games of backgammon with the doubling cube wait for you to " ("/roll") "."
        ],
        TableRefusal::AutoRollUnchanged => {
            spans!["Automatic rolls are already like that. You can turn them on once before each of your moves."]
        }
        TableRefusal::Clock(refusal) => return clock_refusal(*refusal),
        TableRefusal::NoHints => spans![
            "You only get hints in games against the computer (" ("/new GAME computer") ")."
        ],
        TableRefusal::NotAtOpenTable => spans![
            "Nobody can resign or offer a draw in an open game. Anyone can " ("/move") ", the person who made the last move can "
            ("/undo") " it, and a maintainer can " ("/abort") "."
        ],
        TableRefusal::OnlyAtOpenTable => spans!["The computer only moves for you in open games."],
        TableRefusal::MovedRecently(..=1) => spans!["You made the last move. Wait until someone else has moved."],
        TableRefusal::MovedRecently(gap) => {
            return format!("You made one of the last {gap} moves. Wait until other people have moved.").into();
        }
        TableRefusal::NotYourMove => {
            spans!["In an open game you can only take back the last move, and only if you made it."]
        }
        TableRefusal::NotImported => spans!["Only an imported game can end like this."],
        TableRefusal::SecretLost => spans![
            "The bot can't roll the dice, because the host's " ("dice-secret") " has changed since this game began. Ask the host \
             to restore it, then write this again. A maintainer can also " ("/abort") " the game."
        ],
        TableRefusal::Conditional(refusal) => return conditional_refusal(*refusal),
    };
    words.into()
}

/// Returns a refusal because of the author's seat.
fn seat_refusal(refusal: &SeatRefusal, table: Option<&AnyTable>) -> Phrase {
    match refusal {
        SeatRefusal::NotSeated => {
            let seating = table.map(|table| with_table!(table, table => sentences::seating(table)));
            phrase!["You aren't playing in this game. ", seating]
        }
        SeatRefusal::Taken(seat, login) => {
            phrase![person(login.clone()), after_name(login, " are", " is"), " already playing ", capitalize(seat), "."]
        }
        SeatRefusal::Computer(seat) => phrase!["The computer is already playing ", capitalize(seat), "."],
        SeatRefusal::AlreadySeated(seat) => phrase!["You're already playing ", capitalize(seat), " in this game."],
        SeatRefusal::NotGuest => {
            phrase!["You can only leave a game that you joined at an open seat. ", table.map(way_out)]
        }
        SeatRefusal::TooLateToLeave => {
            phrase![
                "You can't leave now. You can leave only once, and only before the game continues. ",
                table.map(way_out)
            ]
        }
        SeatRefusal::NoOpponent => {
            phrase!["You don't have an opponent yet. To end the game without a result, write ", code("/abort"), "."]
        }
        SeatRefusal::OpponentNotBack(login) => {
            let why =
                " hasn't come back for this round, so you can't do that yet. To end the game without a result, write ";
            phrase![person(login.clone()), why, code("/abort"), "."]
        }
    }
}

/// Returns the refusal of a move out of turn.
fn not_your_turn(seat: &str, login: Option<&str>) -> Phrase {
    let seat = capitalize(seat);
    match login {
        Some(login) => {
            let moves = after_name(login, " move next.", " moves next.");
            phrase!["It isn't your turn yet: ", person(login), side_after(login, &seat), moves]
        }
        None => {
            let open = " moves next, and that seat is still open. Anyone can take it with ";
            phrase!["It isn't your turn yet: ", seat, open, code("/join"), "."]
        }
    }
}

/// Returns the refusal of an offer, a takeback or a resignation.
fn offer_refusal(refusal: OfferRefusal) -> Phrase {
    let words: &[Span] = match refusal {
        OfferRefusal::DrawAlreadyOffered => {
            spans!["You already offered a draw. Your offer stands until your opponent moves."]
        }
        OfferRefusal::DrawDeclined => {
            spans!["Your opponent declined your offer. You can offer a draw again after you have both moved twice."]
        }
        OfferRefusal::NoDrawToClaim => spans!["You can't claim a draw right now."],
        OfferRefusal::TakebackAlreadyAsked => {
            spans!["You already asked for a takeback. Your opponent can " ("/accept") " it."]
        }
        OfferRefusal::TakebackDeclined => {
            spans!["Your opponent declined the takeback. You can ask again after your next move."]
        }
        OfferRefusal::NothingToTakeBack => spans!["You have no move to take back."],
        OfferRefusal::ResignAlreadyOffered => {
            spans!["There's already an offer to concede this game. It stands until one of you moves."]
        }
        OfferRefusal::ResignDeclined => spans![
            "Your opponent declined your offer. You can offer again after your next move, or name a cost: " ("/resign gammon") "."
        ],
        OfferRefusal::InvalidCost => spans!["You can't resign at that cost right now."],
        OfferRefusal::NothingToAccept => spans!["There's nothing to accept right now."],
        OfferRefusal::NothingToDecline => spans!["There's nothing to decline right now."],
    };
    words.into()
}

/// Returns the refusal of a claim.
fn clock_refusal(refusal: ClockRefusal) -> Phrase {
    let words: &[Span] = match refusal {
        ClockRefusal::NoTimeLimit => spans![
            "This game has no time limit, so you can't win on time. After 30 days of silence, either of you can " ("/abort") "."
        ],
        ClockRefusal::OwnTimeRunning => spans!["It's your own clock that's running."],
        ClockRefusal::TimeLeft { left, deadline } => {
            let from = format_deadline(deadline)
                .map_or(phrase!["."], |from| phrase![". From ", from, " on, ", code("/claim"), " wins the game."]);
            return phrase![format!("Your opponent still has {}", format_duration(left)), from];
        }
    };
    words.into()
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
