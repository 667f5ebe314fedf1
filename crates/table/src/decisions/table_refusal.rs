//! The refusals by the rules of a table. A record can have what they refuse, so each has words for its host, too.

use std::time::Duration;

use game::{IllegalMove, Level, MAX_LISTED_MOVES, Phrase, by_person, capitalize, list_code, person, plain, say};
use games::AnyPosition;

use super::refusal::{refusals, sentence};
use crate::timestamp::{format_deadline, format_duration};
use crate::{MAX_COMMENTS_PER_TURN, MAX_MOVES, MAX_WRITTEN_PER_TURN, Timestamp};

refusals! {
    /// The rule of a table, or of its game, that forbids an event.
    #[derive(Clone, Debug, PartialEq, Eq)]
    TableRefusal {
        /// A new game while one is in progress at the table.
        GameInProgress => "There's already a game in this issue. Finish it first, or open another issue for a new game.",
            "the first event, and only the first, has to be `new`";
        /// A command after the end of the game.
        GameOver => "This game is over.", "the game was over";
        /// An event that its author's seat doesn't allow.
        Seat(refusal: SeatRefusal) => "{refusal:SeatRefusal::sentence}", "{refusal}";
        /// A move out of turn: the seat to move, and the username of its player, if there is one.
        NotYourTurn(seat: &'static str, login: Option<String>) => {
            let side = capitalize(seat);
            match login {
                Some(login) => by_person(
                    login,
                    say!("It isn't your turn yet: {login:person} move next."),
                    say!("It isn't your turn yet: {login:person} ({side}) moves next."),
                ),
                None => say!(
                    "It isn't your turn yet: {side} moves next, and that seat is still open. Anyone can take it with `/join`."
                ),
            }
        }, "it was {seat}'s turn";
        /// An illegal move: the engine's sentence, the explanation for players, if the game has one, and the legal moves;
        /// `None` if there are too many to list.
        IllegalMove(message: String, explanation: Option<Phrase>, legal_moves: Option<Vec<String>>) => {
            let why = explanation.clone().unwrap_or_else(|| plain(message).into());
            match legal_moves {
                Some(moves) => say!("{why}. Legal moves: {moves:list_code}."),
                None => say!("{why}. `/moves` lists what you can play."),
            }
        }, "the move isn't legal: {message}";
        /// An offer, a takeback or a resignation that isn't possible.
        Offer(refusal: OfferRefusal) => "{refusal:OfferRefusal::sentence}", "{refusal}";
        /// A takeback of a move after which dice were rolled.
        DiceRolled => "You can't take that move back, because dice have been rolled since and everyone has seen them.",
            "dice had been rolled since that move";
        /// An `/autoroll` in a game without optional rolls.
        NoOptionalRolls => "Only games of backgammon with the doubling cube wait for you to `/roll`.",
            "this game has no optional rolls";
        /// An `/autoroll` that changes nothing, or a second one since the player's last move.
        AutoRollUnchanged => "Automatic rolls are already like that. You can turn them on once before each of your moves.",
            "automatic rolls were already set that way, or had changed since the player's last move";
        /// A claim that the clocks don't allow.
        Clock(refusal: ClockRefusal) => "{refusal:ClockRefusal::sentence}", "{refusal}";
        /// A reminder of the opponent that isn't allowed.
        Nudge(refusal: NudgeRefusal) => "{refusal:NudgeRefusal::sentence}", "{refusal}";
        /// A hint in a game between two people.
        NoHints => "You only get hints in games against the computer (`/new GAME computer`).", "the opponent wasn't the computer";
        /// A command that needs a seat, at an open table.
        NotAtOpenTable => "Nobody can resign or offer a draw in an open game. Anyone can `/move`, the person who made the last \
            move can `/undo` it, and a maintainer can `/abort`.", "in an open game, nobody can do that for a side";
        /// A request for the computer to move, at a table that isn't open.
        OnlyAtOpenTable => "The computer only moves for you in open games.", "this isn't an open table";
        /// A move too soon at an open table: the number of other moves required before this person may move again.
        MovedRecently(gap: u32) => { match gap {
            ..=1 => say!("You made the last move. Wait until someone else has moved."),
            gap => say!("You made one of the last {gap} moves. Wait until other people have moved."),
        } }, "`by` had made one of the last {gap} moves in this open game";
        /// A takeback at an open table by someone who didn't make the last move.
        NotYourMove => "In an open game you can only take back the last move, and only if you made it.",
            "someone else had made the last move";
        /// An ending that only an imported game can have.
        NotImported => "Only an imported game can end like this.", "only an imported game can end like this";
        /// An event that needs dice when their key is gone, because the host changed the secret.
        SecretLost => "The bot can't roll the dice, because the host's `dice-secret` has changed since this game began. Ask the \
            host to restore it, then write this again. A maintainer can also `/abort` the game.",
            "the key of the dice doesn't match";
        /// Level 0 of the computer in a game that doesn't have it: the game's title, and its lowest level.
        LevelTooLow(game: &'static str, lowest: Level) => { say!(
            "{game} has no level 0. Its lowest level is `{lowest}`.",
            game = *game,
            lowest = lowest.number(),
        ) }, "the game has no level 0";
        /// Time for the opponent that the clocks don't allow.
        Extension(refusal: ExtensionRefusal) => "{refusal:ExtensionRefusal::sentence}", "{refusal}";
        /// Conditional moves that aren't allowed.
        Conditional(refusal: ConditionalRefusal) => "{refusal:ConditionalRefusal::sentence}", "{refusal}";
        /// A command that doesn't work in a game with a crowd.
        Crowd(refusal: CrowdRefusal) => "{refusal:CrowdRefusal::sentence}", "{refusal}";
    }
}

refusals! {
    /// The reason that something doesn't work in a game with a crowd.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    CrowdRefusal {
        /// A player who wants the crowd's seat.
        NoSeats => "Everybody can vote for the crowd, so there's no seat to take. On the crowd's turn, write a move or use the \
            reactions of the ballot.", "the crowd's seat belongs to nobody";
        /// A request that the opponent has to answer.
        NoAnswers => "A crowd only votes on moves, so it can't answer that.", "a crowd can't answer that";
        /// A draw offer with a vote.
        VoteWithOffer => "A crowd only votes on moves, so write just the move.", "a crowd can't offer a draw";
        /// A vote in another issue. Only a comment can have it.
        VoteElsewhere => "Votes count only in the game's own issue. Write your move there, or use the reactions of the ballot.",
            "a vote counts only in the game's issue";
        /// A counted move that the votes don't give. Only a record can have it.
        InvalidCount => "The votes don't give this move.", "its votes don't give this move";
        /// A ballot whose candidates aren't legal. Only a record can have it.
        InvalidBallot => "This ballot isn't valid.", "its ballot has to have legal moves, each with a reaction of its own";
    }
}

refusals! {
    /// The reason that someone's seat doesn't allow an event.
    #[derive(Clone, Debug, PartialEq, Eq)]
    SeatRefusal {
        /// A command by someone without a seat.
        NotSeated => "You aren't playing in this game.", "`by` had no seat";
        /// A seat that is someone else's: the seat and their username.
        Taken(seat: &'static str, login: String) => { by_person(
            login,
            say!("{login:person} are already playing {seat:capitalize}."),
            say!("{login:person} is already playing {seat:capitalize}."),
        ) }, "someone else was playing {seat}";
        /// A seat that is the computer's.
        Computer(seat: &'static str, level: Level) => { say!(
            "The computer already plays {seat:capitalize} at level {level}. For another level, start a new game.",
            level = level.number(),
        ) }, "the computer was playing {seat}";
        /// A second seat for the same player: the seat they already have.
        AlreadySeated(seat: &'static str) => "You're already playing {seat:capitalize} in this game.",
            "`by` was already playing {seat}";
        /// A `/leave` by a player who didn't join at an open seat.
        NotGuest => "You can only leave a game that you joined at an open seat.", "the player hadn't joined at an open seat";
        /// A `/leave` by a player who can no longer leave, because the opponent has moved or dice were rolled.
        TooLateToLeave => "You can't leave now. You can leave only once, and only before the game continues.",
            "it was too late for the player to leave";
        /// A request or a claim when there is no opponent.
        NoOpponent => "You don't have an opponent yet. To end the game without a result, write `/abort`.",
            "the opponent hadn't joined";
        /// A request or a claim after a rematch, before the opponent has come back: their username.
        OpponentNotBack(login: String) => "{login:person} hasn't come back for this round, so you can't do that yet. To end the \
            game without a result, write `/abort`.", "the opponent hadn't joined";
    }
}

refusals! {
    /// The reason that an offer, a takeback or a resignation isn't possible.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    OfferRefusal {
        /// A second draw offer while one is pending.
        DrawAlreadyOffered => "You already offered a draw. Your offer stands until your opponent moves.",
            "a draw had already been offered";
        /// A draw offer too soon after the player's last one was declined.
        DrawDeclined => "Your opponent declined your offer. You can offer a draw again after you have both moved twice.",
            "the draw had been declined, and the player who offered it hadn't moved since";
        /// A claim of a draw that the game's rules don't grant.
        NoDrawToClaim => "You can't claim a draw right now.", "there was no draw to claim";
        /// A second takeback request while one is pending.
        TakebackAlreadyAsked => "You already asked for a takeback. Your opponent can `/accept` it.",
            "a takeback had already been requested";
        /// A takeback request by a player whose last one was declined, and who hasn't moved since.
        TakebackDeclined => "Your opponent declined the takeback. You can ask again after your next move.",
            "the takeback had been declined, and the player who asked hadn't moved since";
        /// A takeback for a player who hasn't moved.
        NothingToTakeBack => "You have no move to take back.", "there was no move to take back";
        /// A second offer to resign while one is pending.
        ResignAlreadyOffered => "There's already an offer to concede this game. It stands until one of you moves.",
            "an offer to concede the game had already been made";
        /// An offer to resign by a player whose last one was declined, and who hasn't moved since.
        ResignDeclined => "Your opponent declined your offer. You can offer again after your next move, or name a cost: \
            `/resign gammon`.", "the offer to concede had been declined, and the player who made it hadn't moved since";
        /// A resignation at a cost that isn't available, or that is in the wrong form: offered instead of direct, or the
        /// reverse.
        InvalidCost => "You can't resign at that cost right now.", "the game couldn't be resigned at that cost";
        /// An acceptance without a request by the opponent.
        NothingToAccept => "There's nothing to accept right now.", "there was no request to accept";
        /// A decline without a request by the opponent.
        NothingToDecline => "There's nothing to decline right now.", "there was no request to decline";
    }
}

refusals! {
    /// The reason that the clocks don't allow a claim.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    ClockRefusal {
        /// A claim while the opponent is away: the end of their absence, the time that they have left, and when they run out of it.
        OpponentAway(until: Timestamp, left: Duration, deadline: Timestamp) => {
            let (left, until) = (format_duration(*left), format_deadline(*until).map(|until| format!(" until {until}")));
            match format_deadline(*deadline) {
                Some(from) => say!(
                    "Your opponent is away{until}, and their clock has stopped at {left}. From {from} on, `/claim` wins the \
                    game."
                ),
                None => say!("Your opponent is away{until}, and their clock has stopped at {left}."),
            }
        }, "the opponent was away";
        /// A claim at a table without a time limit.
        NoTimeLimit => "This game has no time limit, so you can't win on time. After 30 days of silence, either of you can \
            `/abort`.", "this table has no time limit";
        /// A claim while the claiming player's own time is running.
        OwnTimeRunning => "It's your own clock that's running.", "the claiming player's own time was running";
        /// A claim while the opponent still has time: the time left, and when the opponent runs out of it.
        TimeLeft(left: Duration, deadline: Timestamp) => {
            let left = format_duration(*left);
            match format_deadline(*deadline) {
                Some(from) => say!("Your opponent still has {left}. From {from} on, `/claim` wins the game."),
                None => say!("Your opponent still has {left}."),
            }
        }, "there was time left";
    }
}

refusals! {
    /// The reason that a player may not remind the opponent.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    NudgeRefusal {
        /// The player's own turn.
        OwnTurn => "It's your turn, so there's nobody to remind.", "it was the player's own turn";
        /// A table where anyone moves for either side.
        OpenTable => "Anyone can move in an open game, so there's nobody to remind.", "in an open game, nobody has a turn";
        /// An opponent who hasn't moved in this round.
        NeverMoved => "Your opponent hasn't moved in this round, so the bot doesn't remind them.", "the opponent had never moved";
        /// A turn, or the time since the last reminder or offer, that is shorter than a day: the time left.
        TooEarly(left: Duration) => {
            say!(
                "The bot mentions your opponent at most once a day. You can write `/nudge` in {left}.",
                left = format_duration(*left),
            )
        }, "the opponent's turn, or the last reminder, was less than a day old";
        /// An opponent who is away: the end of their absence. Only a comment can have it.
        Away(until: Timestamp) => {
            let until = format_deadline(*until).map(|until| format!(" until {until}"));
            say!("Your opponent is away{until}, so the bot doesn't remind them.")
        }, "the opponent was away";
    }
}

refusals! {
    /// The reason that a player can't give the opponent time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    ExtensionRefusal {
        /// A table without a time limit.
        NoTimeLimit => "This game has no time limit, so nobody needs more time.", "this table has no time limit";
        /// The player's own turn.
        OwnTurn => "It's your turn, and only your opponent can give you more time.", "it was the player's own turn";
        /// A game against the computer.
        Computer => "The computer moves at once, so it needs no time, and it can't give you any.",
            "the opponent was the computer";
        /// More time than the player may give, or less than a day: the whole days that they may still give. Only a record can have
        /// less.
        OutOfRange(left: u32) => { match left {
            0 => say!("You've already given your opponent the 30 days that you can give in a game."),
            1 => say!("You can give your opponent 30 days in a game, and you have 1 day left. Write `/extend 1d`."),
            left => say!(
                "You can give your opponent 30 days in a game, and you have {left} days left. Write `/extend {left}d`."
            ),
        } }, "a player can't give that much time";
    }
}

refusals! {
    /// The reason that conditional moves aren't allowed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    ConditionalRefusal {
        /// A game with dice.
        Dice => "You can't announce moves in a game with dice.", "a game with dice has no conditional moves";
        /// A table where anyone moves for either side.
        OpenTable => "You can't announce moves in an open game, because anyone can move.", "an open game has no conditional moves";
        /// A game against the computer, which moves at once.
        Computer => "You can't announce moves against the computer, because it moves at once.",
            "a game against the computer has no conditional moves";
        /// The player's own turn.
        OwnTurn => "It's your turn, so write your move. You can announce your reply with `/if` while your opponent is to move.",
            "it was the player's own turn";
        /// A line that isn't legal, or doesn't end with the player's own move. Only a record can have it.
        InvalidLine => "This line isn't legal.",
            "its line isn't legal in canonical notation, or doesn't end with a move by its author";
        /// More moves than a player may have in all lines.
        TooManyMoves => "Your lines would have more than {MAX_MOVES} moves. To drop them all, write `/if none`.",
            "the lines of this player have too many moves";
        /// More lines than a player may write in a turn.
        TooManyLines => "You can write at most {MAX_COMMENTS_PER_TURN} comments with lines in a turn, and {MAX_WRITTEN_PER_TURN} \
            moves in all of them. Write fewer, or wait until your opponent has moved.",
            "the player had written too many lines since the last move";
        /// A command to drop conditional moves by a player who has none.
        NothingToDrop => "You have no conditional moves to drop.", "there were no conditional moves to drop";
        /// A record that is too long for more lines.
        LongRecord => "This game's record is too long for conditional moves.", "the record was too long for conditional moves";
    }
}

impl TableRefusal {
    /// Returns the refusal of a move that a rule forbids.
    pub fn illegal_move(game: &AnyPosition, illegal: IllegalMove) -> TableRefusal {
        let legal = game.legal_moves();
        let listed = (legal.len() <= MAX_LISTED_MOVES).then(|| legal.iter().map(|mv| game.notation(mv)).collect());
        let explanation = illegal.explanation.map(|explanation| *explanation);
        TableRefusal::IllegalMove(illegal.message, explanation, listed)
    }
}
