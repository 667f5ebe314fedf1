//! A command in a comment.

use game::Level;
use game::notation::{strip_decoration, truncate_bytes};

use crate::comments::commands::{COMPUTER, is_command};
use crate::comments::game_names::{is_computer_word, names_game, with_game_first};
use crate::comments::own_text::MAX_LINE;
use crate::comments::phrases::{Meaning, longest_phrase, meaning_of, phrases};
use crate::{CommandError, NEW, Turn, commands};

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
    /// `/nudge`.
    Nudge,
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
    /// `/extend TIME`: the words after it.
    Extend(Vec<String>),
    /// `/if MOVE REPLY`: the words after it.
    If(Vec<String>),
    /// `/if` with the words after it, and the lines below it, which may be moves, too.
    IfAbove(Vec<String>, Vec<String>),
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

// The facts about a command. `commands.rs` holds those of each command.

/// The facts about a command.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpec {
    /// The word with its slash, and its arguments: `/join [SEAT]`.
    pub usage: &'static str,
    /// The description, in one or two sentences.
    pub description: &'static str,
    /// Parses the words after the command's own word.
    pub parse: fn(Vec<String>) -> Command,
    /// The table that it is for.
    pub target: CommandTarget,
    /// Whether it only shows something. A question mark or extra words don't matter then. The other commands are
    /// strict, because a casual remark or a question shouldn't end a game.
    pub is_read_only: bool,
    /// The words that may follow it.
    pub words: Words,
    /// The way the bot treats the word alone, without the slash.
    pub without_slash: WithoutSlash,
    /// Whether `/help` lists it.
    pub is_listed: bool,
    /// Whether it makes sense in a terminal, which has exactly one table.
    pub works_in_terminal: bool,
}

/// The table that a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandTarget {
    /// The table of its own issue. The command can't name another.
    OwnIssue,
    /// The table that it names, even in an issue whose body is for another one.
    NamedTable,
    /// The table that it names, or else the one that the issue is for.
    Table,
}

/// The words that may follow a command that changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// None.
    None,
    /// At most one.
    One,
    /// At most one, and only one of these.
    OneOf(&'static [&'static str]),
    /// Any, which the command checks itself.
    Any,
}

/// The way the bot treats a player's comment that is only a command's word, without its slash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutSlash {
    /// Ignores it as chat.
    Chat,
    /// Treats it as the command.
    Counts,
    /// Treats it as the command. Other words that ask for it only get a suggestion, for this purpose, because the command costs
    /// something: `/hint`.
    CountsAlone(&'static str),
    /// Suggests the slash, for this purpose: `To resign`.
    Suggested(&'static str),
}

impl CommandSpec {
    /// Creates a listed command that changes something and takes no words.
    pub(super) const fn new(
        usage: &'static str,
        description: &'static str,
        parse: fn(Vec<String>) -> Command,
    ) -> CommandSpec {
        CommandSpec {
            usage,
            description,
            parse,
            target: CommandTarget::Table,
            is_read_only: false,
            words: Words::None,
            without_slash: WithoutSlash::Chat,
            is_listed: true,
            works_in_terminal: true,
        }
    }

    /// Returns the word with its slash.
    pub fn word(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }

    /// Whether the word alone is the command.
    pub fn counts_without_slash(&self) -> bool {
        matches!(self.without_slash, WithoutSlash::Counts | WithoutSlash::CountsAlone(_))
    }

    /// Whether the command makes sense without words after it.
    pub fn works_alone(&self) -> bool {
        self.usage.split_once(' ').is_none_or(|(_, arguments)| arguments.starts_with('['))
    }

    /// Whether the command may answer a question in other words: it only shows something, and costs nothing.
    pub fn answers_questions(&self) -> bool {
        self.is_read_only && !matches!(self.without_slash, WithoutSlash::CountsAlone(_))
    }

    /// Returns the purpose that the bot names when it suggests the slash.
    pub fn purpose(&self) -> &'static str {
        match self.without_slash {
            WithoutSlash::Suggested(purpose) | WithoutSlash::CountsAlone(purpose) => purpose,
            WithoutSlash::Chat | WithoutSlash::Counts => "To do that",
        }
    }
}

// Functions can't be compared, but every command has a usage of its own.
impl PartialEq for CommandSpec {
    fn eq(&self, other: &CommandSpec) -> bool {
        self.usage == other.usage
    }
}

impl Eq for CommandSpec {}

impl Words {
    /// Whether these words may follow a command.
    pub(super) fn allow(self, words: &[String]) -> bool {
        match (self, words) {
            (Words::Any, _) | (_, []) | (Words::One, [_]) => true,
            (Words::OneOf(known), [word]) => known.iter().any(|known| word.eq_ignore_ascii_case(known)),
            _ => false,
        }
    }
}

// The word of a command: its synonyms, the politeness after it, and typos in it.

/// The longest word after a slash that can be an attempted command, in bytes.
const MAX_WORD: usize = 20;
/// The most typos in a word that is taken for a command.
const MAX_TYPOS: usize = 2;

/// Returns a command's word in lowercase without trailing punctuation, and the words after it.
pub(super) fn split_command(line: &str) -> (String, Vec<String>) {
    let line = truncate_bytes(line, MAX_LINE).replace('`', " ");
    // `/ new chess` is `/new chess`.
    let joined = line.strip_prefix("/ ").map(|rest| format!("/{}", rest.trim_start()));
    let joined = joined.filter(|line| {
        let (word, words) = split_words(line);
        is_command(canonical_word(&word, &words).0)
    });
    split_words(&joined.unwrap_or(line))
}

/// Returns a line's first word in lowercase without trailing punctuation, and the words after it.
fn split_words(line: &str) -> (String, Vec<String>) {
    let mut words = line.split_whitespace();
    let word = words.next().unwrap_or_default().trim_end_matches(['.', ',', ':', ';', '!', '?']).to_lowercase();
    (word, words.map(str::to_owned).collect())
}

/// Returns the word of the command on a line, with synonyms resolved; empty if the line doesn't begin with a slash.
pub(super) fn command_word(line: &str) -> String {
    if !line.trim_start_matches(|c: char| c.is_whitespace() || c == '`').starts_with('/') {
        return String::new();
    }
    let (word, words) = split_command(line);
    canonical_word(&word, &words).0.to_owned()
}

/// Returns the command that a word with its slash stands for, and how many of the words after it belong to it: `/claim draw` is
/// `/draw`. Returns the word itself if it isn't a synonym.
pub(super) fn canonical_word<'a>(word: &'a str, words: &[String]) -> (&'a str, usize) {
    if Meaning::StartsGame.has(word) && names_game(words) {
        return (NEW.word(), 0);
    }
    let typed: Vec<&str> = [word].into_iter().chain(words.iter().map(|word| strip_decoration(word))).collect();
    match longest_phrase(&typed, |meaning| matches!(meaning, Meaning::Synonym(_))) {
        Some((length, Meaning::Synonym(command))) => (command, length - 1),
        _ => (word, 0),
    }
}

/// Returns the single words that are synonyms of commands, each with the command's word.
fn synonyms<'a>() -> impl Iterator<Item = (&'a str, &'a str)> {
    phrases().filter_map(|(word, meaning)| match meaning {
        Meaning::Synonym(command) if !word.contains(' ') => Some((word, command)),
        _ => None,
    })
}

/// Returns the words without polite ones at the end: `please`, `thanks`, `:)`.
pub(super) fn without_politeness(mut words: Vec<String>) -> Vec<String> {
    while words.last().is_some_and(|word| is_polite(word)) {
        words.pop();
    }
    words
}

/// Whether a word is only polite, a smiley, or punctuation.
pub(super) fn is_polite(word: &str) -> bool {
    let plain = strip_decoration(word);
    plain.is_empty() || Meaning::Polite.has(plain) || Meaning::Smiley.phrases().any(|smiley| smiley == word)
}

/// Returns the error for a word with its slash that isn't a command; `None` if it isn't meant as one, such as
/// `/usr/bin`.
pub(super) fn unknown_command(word: &str, words: &[String]) -> Option<CommandError> {
    let letters = word.strip_prefix('/')?;
    if letters.is_empty() || letters.len() > MAX_WORD || !letters.chars().all(|c| c.is_alphanumeric() || c == '-') {
        return None;
    }
    Some(match nearest_command(word, words) {
        Some(nearest) => CommandError::Typo(word.to_owned(), nearest),
        None => CommandError::Unknown(word.to_owned()),
    })
}

/// Returns the command that a word may be a typo of, or a common wrong word for; `None` if there is none. A word of
/// more than four letters may have two typos, but not in its first letter.
fn nearest_command(word: &str, words: &[String]) -> Option<String> {
    if Meaning::StartsGame.has(word) || setup_words(word, words).is_some() {
        return Some(NEW.word().to_owned());
    }
    if let Some(Meaning::Misnomer(command)) = meaning_of(&[word], |meaning| matches!(meaning, Meaning::Misnomer(_))) {
        let is_level = |word: &&String| command == COMPUTER.word() && Level::parse(word).is_some();
        let level = words.first().filter(is_level);
        return Some(level.map_or_else(|| command.to_owned(), |level| format!("{command} {level}")));
    }
    let length = word.chars().count();
    let is_short = length <= "/join".len();
    let listed = commands();
    let listed = listed.iter().map(|usage| (usage.word.as_str(), usage.word.as_str()));
    let of_new = Meaning::StartsGame.phrases().filter(|_| names_game(words)).map(|synonym| (synonym, NEW.word()));
    let known = of_new.chain(listed).chain(synonyms()).filter(|(known, _)| !matches!(*known, "/m" | "/if"));
    // Comparing words is slow, and the distance is at least the difference in length.
    let known = known.filter(|(known, _)| known.chars().count().abs_diff(length) <= MAX_TYPOS);
    let near = known.map(|(known, command)| (strsim::damerau_levenshtein(word, known), command));
    let (distance, command) = near.min_by_key(|(distance, _)| *distance)?;
    let is_near = distance <= 1 || distance <= MAX_TYPOS && !is_short && word.get(..2) == command.get(..2);
    if is_near { Some(command.to_owned()) } else { None }
}

/// Whether a word has one typo in `/new` or in a synonym of it.
pub(crate) fn is_near_new(word: &str) -> bool {
    Meaning::StartsGame.phrases().chain([NEW.word()]).any(|known| strsim::damerau_levenshtein(word, known) == 1)
}

/// Returns the words of `/new` if a new issue begins with another way to write that command, such as `/chess @bob`,
/// `/newchess @bob` or `/challenge @bob chess`; `None` if it begins with something else.
pub(super) fn setup_words(word: &str, words: &[String]) -> Option<Vec<String>> {
    // `/ chess` is `/chess`.
    if let ("/", [first, rest @ ..]) = (word, words) {
        return setup_words(&format!("/{}", first.to_lowercase()), rest);
    }
    let with = |first: &str| [&[first.to_owned()], words].concat();
    let is_for_new = Meaning::StartsGame.has(word) || Meaning::Challenge.has(word);
    let is_opponent = |word: &String| word.starts_with('@') || is_computer_word(word);
    if is_for_new && (words.first().is_none_or(is_opponent) || names_game(&with_game_first(words))) {
        return Some(words.to_vec());
    }
    let name = word.strip_prefix('/')?;
    [Some(name), name.strip_prefix("new")].into_iter().flatten().map(with).find(|words| names_game(words))
}
