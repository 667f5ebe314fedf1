//! Everything the bot can say no to. Display is the sentence that the player reads: what was read, why it can't be, and
//! what would do.

use std::fmt;

use crate::answers::markdown::{code, list, name, span};
use crate::game::contract::Game;
use crate::game::rule::RuleError;
use crate::game::throw::Throw;
use crate::game::time::time;
use crate::tables::history::seat_name;
use crate::tables::table::Table;
use crate::talk::comment::Millis;

/// The most legal moves that a refusal lists; more are counted instead.
const FEW: usize = 40;

/// Why nothing was changed. Texts that came from a comment are kept raw here and quoted when shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// More than one command in a comment: the words, as written.
    TwoCommands(String, String),
    /// A slip of a command word: the word and the nearest command.
    Slip(String, &'static str),
    /// A command for a table that does not exist.
    NoTable(u64),
    /// `/new` without a game: the names of the games.
    WhichGame(Vec<&'static str>),
    /// `/new` or `/help` with a game nobody knows: what was read, the nearest name, all names.
    UnknownGame(String, Option<&'static str>, Vec<&'static str>),
    /// A game that this host does not allow: its title, the names of those that are.
    GameNotHere(&'static str, Vec<&'static str>),
    /// An option with a value that it cannot take; the sentence says what it takes.
    BadOption(String),
    /// An option nobody knows: what was read, the nearest key, all keys.
    UnknownOption(String, Option<&'static str>, Vec<&'static str>),
    /// A stranger asks for a table in somebody else's issue.
    NotYourIssue,
    /// Only maintainers open tables here.
    OnlyMaintainers,
    /// The issue already holds a game that is going on.
    TableTaken,
    /// `/new @opponent` names the author.
    OpponentIsYou,
    /// `/new` names two opponents.
    OneOpponent,
    /// `/new @opponent` with something that cannot be a login.
    NoLogin(String),
    /// No seat of that name: what was read, the seats.
    NoSeat(String, [&'static str; 2]),
    /// The author has no seat; the sentence says who has.
    NotSeated(String),
    /// Somebody else sits there: the seat and their login.
    SeatTaken(&'static str, String),
    /// The seat is kept for somebody else: the seat and their login.
    SeatKept(&'static str, String),
    /// The author already has a seat.
    AlreadySeated(&'static str),
    /// Every seat has somebody; the sentence says who.
    Full(String),
    /// It is the other side's turn: their seat and who sits there.
    NotYourTurn(&'static str, Option<String>),
    /// The game is over; the sentence says how it ended.
    GameOver(String),
    /// `/move` without a move: how moves are written.
    WhichMove(&'static str),
    /// No move of this game: what was read, how moves are written, the nearest legal move.
    Unread(String, &'static str, Option<String>),
    /// A move that this board does not have: what was read; the sentence says what it has.
    OffBoard(String, String),
    /// A text that could mean several moves: what was read, the moves.
    Ambiguous(String, Vec<String>),
    /// A rule is in the way: the engine's sentence and code, and the legal moves.
    Rule {
        /// The machine code of the rule.
        code: &'static str,
        /// The engine's sentence.
        message: String,
        /// The same in a player's words, where the game has some.
        explain: Option<String>,
        /// The legal moves; nothing when there are too many to list, with their number.
        legal: Result<Vec<String>, usize>,
    },
    /// A move in the record that is not written in its canonical notation, which is this.
    Notation(String),
    /// A draw was offered already.
    DrawStands,
    /// A draw was declined and the offerer has not moved since.
    DrawDeclined,
    /// An undo was asked already.
    UndoStands,
    /// An undo was declined and the asker has not moved since.
    UndoDeclined,
    /// The asker has made no move.
    NothingToUndo,
    /// The other side has asked nothing.
    NothingToAccept,
    /// The other side has asked two things.
    AcceptWhich,
    /// The other side has asked nothing.
    NothingToDecline,
    /// There is nobody opposite yet.
    NobodyOpposite,
    /// Both have moved, and not enough time has passed: for how much longer an abort is refused, if that is known.
    TooLateToAbort(Option<Millis>),
    /// There is no limit of time at this table.
    NoClock,
    /// It is the claimer's own time that runs.
    OwnClock,
    /// The other side still has time.
    TimeLeft(Millis),
    /// A rematch while the game is going on.
    NotOver,
    /// Only the players may ask for it; the sentence says who they are.
    OnlyPlayers(String),
    /// At an open table nobody speaks for a side.
    OpenTable,
    /// At an open table: so many others have to move before this person may again.
    MovedLately(u32),
    /// At an open table only the last move can be taken back, and only by whoever made it.
    NotYourMove,
    /// The game of this table goes on in another issue, which is this.
    Moved(u64),
    /// A table can only go on in another issue than its own: the number of the table.
    ContinueWhere(u64),
    /// A table can't go on in an issue that holds one already: the number of the table.
    IssueTaken(u64),
    /// A command that had to wait, because its author wrote so many or its issue took no answers, while the game went on.
    PassedOver,
    /// The record has grown to its limit.
    RecordFull,
    /// Dice have been shown since the move that is to be taken back.
    DiceShown,
    /// The key that the dice of this round are made with is gone, because the secret of the host is another one now.
    SecretLost,
    /// A record lacks a throw that must have been made.
    ThrowMissing,
    /// A record has a throw that nothing called for.
    ThrowUncalled,
    /// A record has a throw of something that is no pair of dice.
    NoDie(Throw),
    /// A record has come to its end without the key of its dice.
    KeyMissing,
    /// A record shows a key where none is due.
    KeyUncalled,
    /// A record shows another key than the one that it has committed to.
    WrongKey,
    /// Throws that the key does not give: the number of the throw, what the record says, what the key gives.
    FalseThrows(Vec<(u32, Throw, Throw)>),
}

impl Refusal {
    /// The refusal of somebody who is not on turn.
    #[must_use]
    pub fn not_your_turn<G: Game>(record: &Table<G>) -> Refusal {
        let seat = record.to_move();
        Refusal::NotYourTurn(seat_name::<G>(seat), record.sitter(seat).map(|sitter| sitter.login.clone()))
    }

    /// The refusal of a move that a rule forbids.
    #[must_use]
    pub fn rule<G: Game>(game: &G, mv: &G::Move, rule: &RuleError) -> Refusal {
        let legal = game.legal_moves();
        let legal = match legal.len() {
            0..=FEW => Ok(legal.iter().map(|mv| game.notation(mv)).collect()),
            many => Err(many),
        };
        Refusal::Rule { code: rule.code, message: rule.message.clone(), explain: game.explain(mv), legal }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Refusal::*;
        match self {
            TwoCommands(one, two) => write!(
                f,
                "There are two commands in this comment, {} and {}, so nothing was done. Write one command a comment.",
                span(one),
                span(two)
            ),
            Slip(word, nearest) => write!(
                f,
                "There is no command {}. Did you mean {}? `/help` lists them all.",
                span(word),
                code(nearest)
            ),
            NoTable(issue) => write!(f, "There is no table in issue {issue}, so there is nothing to play there."),
            WhichGame(games) => write!(f, "Which game? Write for example {}. The games here: {}.", example(games), list(games)),
            UnknownGame(read, nearest, games) => {
                write!(f, "There is no game called {} here. ", span(read))?;
                if let Some(nearest) = nearest {
                    write!(f, "Did you mean {}? ", code(nearest))?;
                }
                write!(f, "The games here: {}.", list(games))
            }
            GameNotHere(title, games) => {
                write!(f, "{title} is not played in this repository. The games here: {}.", list(games))
            }
            BadOption(sentence) => write!(f, "{sentence} Nothing was set up."),
            UnknownOption(read, nearest, keys) => {
                write!(f, "There is no option {}. ", span(read))?;
                if let Some(nearest) = nearest {
                    write!(f, "Did you mean {}? ", code(nearest))?;
                }
                write!(f, "The options of this game: {}. Nothing was set up.", list(keys))
            }
            NotYourIssue => f.write_str(
                "Only the author of this issue or a maintainer can open a table in it. Open an issue of your own with \
                 `/new` and the game's name in it: that is your table.",
            ),
            OnlyMaintainers => f.write_str("Only maintainers open tables in this repository. Ask one of them for a table."),
            TableTaken => f.write_str(
                "A game is going on at this table. Finish it first, or open another issue for another game.",
            ),
            OpponentIsYou => f.write_str(
                "You can't play against yourself here. Name somebody else, or leave the name out and the seat is open to anyone.",
            ),
            OneOpponent => f.write_str("There are two seats at a table, so only one opponent fits in. Nothing was set up."),
            NoLogin(read) => write!(f, "{} is no login. Write the opponent as `@login`.", span(read)),
            NoSeat(read, seats) => write!(f, "There is no seat called {}. The seats are {}.", span(read), list(seats)),
            NotSeated(seating) => write!(f, "You have no seat at this table: {seating}"),
            SeatTaken(seat, login) => write!(f, "{seat} is taken: {} sits there.", name(login)),
            SeatKept(seat, login) => write!(f, "{seat} is kept for {}.", name(login)),
            AlreadySeated(seat) => write!(f, "You already sit at this table, as {seat}."),
            Full(seating) => write!(f, "There is no open seat at this table: {seating}"),
            NotYourTurn(seat, Some(login)) => write!(f, "It is not your turn: {} ({seat}) is to move.", name(login)),
            NotYourTurn(seat, None) => {
                write!(f, "It is not your turn: {seat} is to move, and that seat is still open (`/join` takes it).")
            }
            GameOver(ending) => write!(f, "This game is over. {ending} `/rematch` starts the next one."),
            WhichMove(how) => write!(f, "Which move? {how}"),
            Unread(read, how, nearest) => {
                write!(f, "{} is no move of this game. ", span(read))?;
                if let Some(nearest) = nearest {
                    write!(f, "Did you mean {}? ", code(nearest))?;
                }
                f.write_str(how)
            }
            OffBoard(read, sentence) => write!(f, "{} is not on this board. ({sentence}.)", span(read)),
            Ambiguous(read, moves) => write!(f, "{} could mean {}. Which one?", span(read), list(moves)),
            Rule { message, explain, legal, .. } => {
                match explain {
                    Some(explain) => write!(f, "{explain}. ({message}.) ")?,
                    None => write!(f, "{message}. ")?,
                }
                match legal {
                    Ok(moves) => write!(f, "Legal moves: {}.", list(moves)),
                    Err(many) => write!(f, "There are {many} legal moves; `/moves` lists them."),
                }
            }
            Notation(canonical) => write!(f, "The move is written {} in full.", code(canonical)),
            DrawStands => f.write_str("A draw has been offered already; the offer stands until either of you moves."),
            DrawDeclined => f.write_str("Your offer was declined. You can offer a draw again after your next move."),
            UndoStands => f.write_str("An undo has been asked for already. The other side grants it with `/accept`."),
            UndoDeclined => f.write_str("Your undo was declined. You can ask again after your next move."),
            NothingToUndo => f.write_str("You have no move to take back."),
            NothingToAccept => f.write_str("The other side has asked for nothing that you could accept."),
            AcceptWhich => f.write_str(
                "The other side has offered a draw and asked for an undo. Write `/draw` to agree to the draw, or `/undo` to \
                 grant the undo.",
            ),
            NothingToDecline => f.write_str("The other side has asked for nothing that you could decline."),
            NobodyOpposite => f.write_str("Nobody has sat down opposite you yet. `/abort` ends the game without a result."),
            TooLateToAbort(left) => {
                f.write_str("Both of you have moved, so only a maintainer can end this game without a result now")?;
                match left {
                    Some(left) => write!(f, ", or either of you when nothing has happened for another {}. ", time(*left))?,
                    None => f.write_str(". ")?,
                }
                f.write_str("You can `/resign` or offer a `/draw`.")
            }
            NoClock => f.write_str(
                "There is no limit of time at this table, so no win can be claimed on time. After 30 silent days either \
                 of you may `/abort`.",
            ),
            OwnClock => f.write_str("It is your own turn, so it is your own time that is running."),
            TimeLeft(left) => write!(f, "The other side still has {} for this move.", time(*left)),
            NotOver => f.write_str("The game is still going on. A rematch can start when it has ended."),
            OnlyPlayers(seating) => write!(f, "Only the players can do that here: {seating}"),
            OpenTable => f.write_str(
                "This is an open table: anyone may `/move`, and nobody speaks for a side. Whoever made the last move can \
                 `/undo` it, a maintainer can `/abort`.",
            ),
            MovedLately(1) => f.write_str("You made the last move at this open table. Somebody else has to move before you do."),
            MovedLately(gap) => write!(
                f,
                "You made one of the last {gap} moves at this open table. So many others have to move before you do again."
            ),
            NotYourMove => f.write_str("At an open table only the last move can be taken back, and only by whoever made it."),
            Moved(to) => write!(f, "The game of this table goes on in issue #{to}."),
            ContinueWhere(table) => write!(
                f,
                "The game goes on in the issue in which you ask for it. Open a fresh issue with {} in it.",
                code(&format!("/continue #{table}"))
            ),
            IssueTaken(table) => write!(
                f,
                "This issue holds a table of its own. Open a fresh issue with {} in it: the game goes on there.",
                code(&format!("/continue #{table}"))
            ),
            PassedOver => f.write_str(
                "This had to wait, because there were too many commands at once or because the issue took no answer, and \
                 the game has gone on. Write it again if you still mean it.",
            ),
            RecordFull => f.write_str(
                "The record of this table has grown to its limit, so no more moves fit in. End the game with `/draw`, \
                 `/resign` or `/abort`, then start a `/rematch`.",
            ),
            DiceShown => f.write_str("Dice have been thrown since that move and everybody has seen them, so it can't be taken back."),
            SecretLost => f.write_str(
                "The dice of this game can't be thrown, so nothing was changed: they are made with a secret, and the host's \
                 `dice-secret` is not the one that this game began with. Ask the host to restore it, then write this again; \
                 or a maintainer ends the game with `/abort`.",
            ),
            ThrowMissing => f.write_str("The dice had to be thrown here, and no throw is recorded."),
            ThrowUncalled => f.write_str("A throw is recorded here that nothing called for."),
            NoDie([one, two]) => write!(f, "No two dice show {one} and {two}."),
            KeyMissing => f.write_str("The key of the dice has to be shown at the end, and it is not."),
            KeyUncalled => f.write_str("A key of the dice is shown here, where none is due."),
            WrongKey => f.write_str("The key of the dice is not the one that was committed to at the start."),
            FalseThrows(throws) => {
                let said = throws.iter().take(FEW).map(|(number, [a, b], [c, d])| {
                    format!("throw {number} is recorded as {a}-{b}, and the key gives {c}-{d}")
                });
                write!(f, "The dice are not those that the key gives: {}.", said.collect::<Vec<_>>().join("; "))
            }
        }
    }
}

fn example(games: &[&str]) -> String {
    code(&format!("/new {}", games.first().unwrap_or(&"tic-tac-toe")))
}
