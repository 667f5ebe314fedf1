//! A command in a comment, and the errors in one.

use game::notation::strip_decoration;

use crate::comments::turn::Turn;

/// A command, with its words as the author wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `/new GAME ...`: the words after `/new`.
    New(Vec<String>),
    /// `/join [SEAT]`.
    Join(Option<String>),
    /// `/move NOTATION`.
    Move(String),
    /// A move with a draw offer: `/draw` on the next line, or `Nf3, draw?`.
    MoveWithOffer(String),
    /// `/draw` with one line below it, which may be a move.
    DrawAbove(String),
    /// `/move NOTATION (round 1, turn 8)`: a move that counts only at that turn; `None` if the turn is unreadable.
    MoveAt(String, Option<Turn>),
    /// `/board`.
    Board,
    /// `/moves`.
    Moves,
    /// `/history`.
    History,
    /// `/time`.
    Time,
    /// `/standings [GAME]`.
    Standings(Option<String>),
    /// `/rating [@name]`.
    Rating(Option<String>),
    /// `/mine`.
    Mine,
    /// `/away [TIME]`: the words after it.
    Away(Vec<String>),
    /// `/help [GAME]`.
    Help(Option<String>),
    /// `/resign [COST]`.
    Resign(Vec<String>),
    /// `/draw`.
    Draw,
    /// `/decline`.
    Decline,
    /// `/undo`.
    Undo,
    /// `/accept`.
    Accept,
    /// `/abort`.
    Abort,
    /// `/rematch`.
    Rematch,
    /// `/claim`.
    Claim,
    /// `/continue`.
    Continue,
    /// `/leave`.
    Leave,
    /// `/rules [GAME]`.
    Rules(Option<String>),
    /// `/pgn`.
    Pgn,
    /// `/fen`.
    Fen,
    /// `/computer [LEVEL]`.
    Computer(Option<String>),
    /// `/hint`.
    Hint,
    /// `/review`.
    Review,
    /// `/autoroll [off]`.
    AutoRoll(bool),
    /// `/if MOVE REPLY`: the words after it.
    If(Vec<String>),
    /// A verb of a game, in lowercase and without its slash: `roll`.
    Verb(String),
}

impl Command {
    /// Returns the command of a `/move` with these words: a move, or a move at a turn if they name one.
    ///
    /// The parentheses around the turn may be missing. If the turn is unreadable, the rest of the words is dropped.
    pub(super) fn of_move(mut words: Vec<String>) -> Command {
        let bare: Vec<String> = words.iter().map(|word| strip_decoration(word).to_lowercase()).collect();
        let read = |at: usize| match &bare[at..] {
            [round_word, round, turn_word, number, ..] if round_word == "round" && turn_word == "turn" => {
                Some(Turn { round: round.parse().ok()?, number: number.parse().ok()? })
            }
            _ => None,
        };
        if let Some((at, turn)) = (0..bare.len()).find_map(|at| Some((at, read(at)?))) {
            words.drain(at..at + 4);
            return Command::MoveAt(words.join(" "), Some(turn));
        }
        let is_start = |word: &String| {
            let word = word.to_lowercase();
            word.starts_with("(round") || word.starts_with("(turn")
        };
        match words.iter().position(is_start) {
            Some(at) => Command::MoveAt(words[..at].join(" "), None),
            None => Command::Move(words.join(" ")),
        }
    }
}

/// An error in a command. Texts are kept as the author wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// More than one command in a comment: the first two words.
    TwoCommands(String, String),
    /// A typo in a command: the word, and the nearest command.
    Typo(String, String),
    /// A word with a slash that isn't a command, or close to one.
    Unknown(String),
    /// A question mark after a command that changes something: the word.
    Question(String),
    /// Extra words after a command that changes something: the command and the words.
    ExtraWords(String, String),
    /// A `/new` in the title of an issue without a text: the title. Others can change a title, so it never starts a game.
    InTitle(String),
    /// An `/if` that is longer than the lines that the bot reads: the command's word.
    TooLong(String),
    /// A number after `#` that can't be a table's, as the author wrote it.
    InvalidTableNumber(String),
}
