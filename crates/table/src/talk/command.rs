//! Parses comments into commands, chat or errors.
//!
//! [`commands`] is the single list of commands. The parser, `/help` and the README all use it.

use game::notation::{strip_decoration, truncate_bytes};
use games::registry::GameKind;

use crate::ids::IssueNumber;
use crate::talk::issue_form::parse_issue_form;
use crate::talk::own_text::{MAX_COMMENT_BYTES, own_text};
use crate::talk::plain_text::{PlainText, is_draw_line};
use crate::talk::synonyms;
use crate::talk::turn::{Turn, take_turn};

/// The longest line with a command or a move, in bytes.
pub(super) const MAX_LINE: usize = 400;
/// Smileys with a letter or sign in them, which don't count as punctuation.
pub(super) const SMILEYS: &[&str] =
    &[" :D", " :-D", " ;D", " :P", " :-P", " :p", " xD", " XD", " ^^", " <3", " =)", " :3"];

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
    /// `/autoroll [off]`.
    AutoRoll(bool),
    /// A verb of a game, in lowercase and without its slash: `roll`.
    Verb(String),
}

/// An entry in the list of commands: its usage, its description, and the parser of its words.
type CommandSpec = (&'static str, &'static str, fn(Vec<String>) -> Command);

impl Command {
    /// Whether the command only shows something, unless the bot refuses it.
    pub fn may_show(&self) -> bool {
        match self {
            // It lists the games.
            Command::New(words) => words.is_empty(),
            Command::Board
            | Command::Moves
            | Command::History
            | Command::Help(_)
            | Command::Hint
            | Command::Rules(_)
            | Command::Pgn
            | Command::Fen => true,
            _ => false,
        }
    }
}

/// The commands of every table. Commands of single games are their verbs.
const COMMANDS: &[CommandSpec] = &[
    (
        "/new GAME [@opponent] [key=value ...]",
        "Starts a game in this issue. You play the first side. The other side is reserved for `@opponent`, or open to \
         anyone. `/new GAME computer` plays against the computer.",
        Command::New,
    ),
    ("/join [SEAT]", "Takes an open seat. A move takes it too, if it's that side's turn.", |words| {
        Command::Join(words.into_iter().next())
    }),
    (
        "/move MOVE",
        "Plays a move. The move alone is enough, if it has more than one character or you're already playing. Add `#42` to move \
         in the game of issue 42.",
        |words| match take_turn(words) {
            (words, None) => Command::Move(words.join(" ")),
            (words, Some(turn)) => Command::MoveAt(words.join(" "), turn),
        },
    ),
    ("/board", "Shows the board and whose turn it is.", |_| Command::Board),
    ("/moves", "Lists the legal moves.", |_| Command::Moves),
    ("/history", "Lists the moves so far.", |_| Command::History),
    ("/pgn", "Shows the game as a file: PGN for chess, otherwise the format of the game or its list of moves.", |_| {
        Command::Pgn
    }),
    ("/fen", "Shows the position: FEN for chess, otherwise the board.", |_| Command::Fen),
    ("/help [GAME]", "Lists the commands, or explains how to play a game.", |words| {
        Command::Help((!words.is_empty()).then(|| words.join(" ")))
    }),
    (
        "/draw",
        "Offers a draw, accepts your opponent's offer, or claims a draw that the rules allow. You can offer it with your move: `Nf3, draw?`. \
         An offer lapses at your opponent's next move.",
        |_| Command::Draw,
    ),
    ("/undo", "Asks to take back your last move, or grants your opponent's request. Any move declines it.", |_| {
        Command::Undo
    }),
    ("/accept", "Accepts your opponent's request: a draw, a takeback, or the end of one game of a match.", |_| {
        Command::Accept
    }),
    ("/decline", "Declines your opponent's request, or an invitation to a game.", |_| Command::Decline),
    (
        "/leave",
        "Leaves a game that you joined at an open seat, until your opponent's next move. Your move is taken back.",
        |_| Command::Leave,
    ),
    (
        "/resign [COST]",
        "Resigns the game. In a match or with the cube it offers to lose the current game as a single; \
         `/resign gammon` resigns right away at that cost.",
        Command::Resign,
    ),
    (
        "/claim",
        "Claims the win when your opponent is out of time (`per-move=7d`), if they have moved in this round.",
        |_| Command::Claim,
    ),
    (
        "/abort",
        "Ends the game without a result. Players can do this before both have moved or after 30 days of silence, and \
         maintainers at any time. At an open table with a full record, anyone can.",
        |_| Command::Abort,
    ),
    (
        "/computer [LEVEL]",
        "Gives the other side to the computer if it's open, or if its player is out of time or has been silent for 30 days. \
         At an open table, the computer makes one move. The level is `1` to `8`, or `easy`, `medium`, `hard`, `max`.",
        |words| Command::Computer(words.into_iter().next()),
    ),
    (
        "/hint",
        "Shows what the computer would play, at an open table or in a game against it. A level that you beat with hints doesn't count.",
        |_| Command::Hint,
    ),
    (
        "/autoroll [off]",
        "Backgammon with the cube: rolls for you at the start of your turns, until you write `/autoroll off`.",
        |words| Command::AutoRoll(!words.first().is_some_and(|word| word.eq_ignore_ascii_case("off"))),
    ),
    ("/continue #TABLE", "In a new issue: continues that game there. An issue holds at most 2,500 comments.", |_| {
        Command::Continue
    }),
    (
        "/rematch",
        "After the game: starts another one with the sides swapped. Your opponent's side is reserved for them, and the \
         finished game goes to the archive.",
        |_| Command::Rematch,
    ),
];

/// More commands, for people who know them from elsewhere. `/help` doesn't list them.
const UNLISTED: &[CommandSpec] = &[("/rules [GAME]", "Explains how to play.", |words| {
    Command::Rules(if words.is_empty() { None } else { Some(words.join(" ")) })
})];

/// A command in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The word with its slash.
    pub word: String,
    /// The word with its arguments: `/join [SEAT]`.
    pub usage: String,
    /// The description, in one or two sentences.
    pub description: &'static str,
}

/// Returns all commands. The commands of single games come before the commands that end a game.
pub fn commands() -> Vec<Usage> {
    let line = |usage: String, meaning| Usage { word: split_command(&usage).0, usage, description: meaning };
    let mut all: Vec<Usage> = COMMANDS.iter().map(|(usage, meaning, _)| line((*usage).to_owned(), meaning)).collect();
    let at = all.iter().position(|usage| usage.word == "/claim").unwrap_or(all.len());
    let verbs = GameKind::ALL.iter().flat_map(|kind| kind.info().verbs);
    all.splice(at..at, verbs.map(|verb| line(format!("/{}", verb.word), verb.description)));
    all
}

/// An error in a command. Texts are kept as the author wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// More than one command in a comment: the first two words.
    TwoCommands(String, String),
    /// A typo in a command: the word, and the nearest command.
    Typo(String, String),
    /// A word with a slash that isn't a command, nor near one.
    Unknown(String),
    /// A question mark after a command that changes something: the word.
    Question(String),
    /// Extra words after a command that changes something: the command and the words.
    ExtraWords(String, String),
    /// A `/new` in the title of an issue without a text: the title. Others can change a title, so it never starts a game.
    InTitle(String),
    /// A number after `#` that can't be a table's, as the author wrote it.
    InvalidTableNumber(String),
}

/// A parsed comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedComment {
    /// Chat, which asks for nothing.
    Chat,
    /// A comment without a command on its first line, which may be a move.
    Plain(PlainText),
    /// A command, and the number of the table if the comment names one.
    Command(Command, Option<IssueNumber>),
    /// An invalid command, and the number of the table if the comment names one. Without a table, most of these are
    /// ignored.
    Invalid(CommandError, Option<IssueNumber>),
}

/// Parses a comment. It ignores quotes, code, HTML and the text that mail programs add.
pub fn parse_comment(text: &str) -> ParsedComment {
    parse_text(text, false)
}

/// Parses a comment, or the beginning of a new issue, where more words start a game.
fn parse_text(text: &str, is_new_issue: bool) -> ParsedComment {
    let own = own_text(text);
    let first = match own.lines.first() {
        Some(first) if first.starts_with('/') => first.as_str(),
        _ => return PlainText::parse(own).map_or(ParsedComment::Chat, ParsedComment::Plain),
    };
    let (typed, words) = split_command(first);
    let setup = if is_new_issue && !is_command(&typed) { synonyms::setup_words(&typed, &words) } else { None };
    let (word, words) = match setup {
        Some(words) => ("/new".to_owned(), words),
        None => (synonyms::canonical_word(&typed, &words).to_owned(), words),
    };
    // `/new` and `/help` always apply to their own issue, and can't name another table.
    let (words, table) = if is_for_own_issue(&word) { (words, None) } else { take_table_number(words) };
    if !is_command(&word) {
        let error = synonyms::unknown_command(&word, &words);
        // A bare move can't name a table, nor can one with a slash before it.
        let plain = if table.is_none() { PlainText::parse_after_slash(own, error.clone()) } else { None };
        return match (plain, error) {
            (Some(plain), _) => ParsedComment::Plain(plain),
            (None, Some(error)) => ParsedComment::Invalid(error, table),
            (None, None) => ParsedComment::Chat,
        };
    }
    let command = validate(&word, synonyms::without_politeness(words), first);
    let below = if let [_, below] = &own.lines[..] { Some(below).filter(|line| line.len() <= MAX_LINE) } else { None };
    let second = own.lines[1..].iter().map(|line| command_word(line)).find(|word| is_command(word));
    match (command, second) {
        (Ok(Command::Move(text)), Some(_)) if below.is_some_and(|line| is_draw_line(line)) => {
            ParsedComment::Command(Command::MoveWithOffer(text), table)
        }
        // A second command on a later line makes the comment ambiguous. Other lines are chat.
        (_, Some(second)) => ParsedComment::Invalid(CommandError::TwoCommands(word, second), table),
        (Ok(Command::Draw), None) if let Some(line) = below => {
            ParsedComment::Command(Command::DrawAbove(line.clone()), table)
        }
        (Ok(command), None) => ParsedComment::Command(command, table),
        (Err(unclear), None) => ParsedComment::Invalid(unclear, table),
    }
}

/// Whether a line is a command and nothing else: `/board`, but not `/board is broken`.
pub fn is_complete_command(line: &str) -> bool {
    match parse_comment(line) {
        ParsedComment::Command(Command::Board | Command::Moves | Command::History | Command::Hint, _) => {
            strip_decoration(&take_table_number(split_command(line).1).0.join(" ")).is_empty()
        }
        ParsedComment::Command(..) => true,
        _ => false,
    }
}

/// Parses a single word as a command without its slash: `resign`. Verbs of single games are moves instead.
pub fn parse_slashless(line: &str) -> Option<Command> {
    let word = strip_decoration(line);
    if !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let word = format!("/{}", word.to_lowercase());
    let (_, _, read) = find_command(synonyms::canonical_word(&word, &[]))?;
    Some(read(Vec::new()))
}

/// Validates a command and its words. Commands that change something are strict, because a casual remark or a question
/// shouldn't end a game.
fn validate(word: &str, words: Vec<String>, line: &str) -> Result<Command, CommandError> {
    let impossible = |word: &&String| word.strip_prefix('#').is_some_and(is_number);
    if let Some(number) =
        words.iter().find(impossible).filter(|number| !is_for_own_issue(word) && !is_table_number(number))
    {
        return Err(CommandError::InvalidTableNumber(number.clone()));
    }
    let text = words.join(" ");
    let words = if strip_decoration(&text).is_empty() { Vec::new() } else { words };
    let word_count = words.len();
    let command = match find_command(word) {
        Some((_, _, read)) => read(words),
        None => Command::Verb(word[1..].to_owned()),
    };
    // A question mark or other words after it do no harm.
    if command.may_show() {
        return Ok(command);
    }
    let max_words = match command {
        // These commands check their own words.
        Command::New(_) | Command::Move(_) | Command::MoveAt(..) | Command::Resign(_) => word_count,
        Command::Join(_) | Command::Computer(_) => 1,
        Command::AutoRoll(_) => usize::from(matches!(text.to_lowercase().as_str(), "on" | "off")),
        _ => 0,
    };
    if is_question(line) {
        Err(CommandError::Question(word.to_owned()))
    } else if word_count > max_words {
        Err(CommandError::ExtraWords(word.to_owned(), text))
    } else {
        Ok(command)
    }
}

/// Whether a question mark follows a command, with only punctuation around it.
fn is_question(line: &str) -> bool {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let word_end = word.trim_start_matches(|c: char| !matches!(c, '.' | ',' | ':' | ';' | '!' | '?'));
    word_end.contains('?') || (rest.contains('?') && rest.split_whitespace().all(synonyms::is_polite))
}

/// Parses an issue's body: a normal comment, or a filled-in issue form whose first question is the game.
pub fn parse_issue_body(text: &str) -> ParsedComment {
    let form = parse_issue_form(truncate_bytes(text, MAX_COMMENT_BYTES));
    form.map_or_else(|| parse_text(text, true), |words| ParsedComment::Command(Command::New(words), None))
}

/// Whether a word asks for any opponent.
pub fn is_anyone(word: &str) -> bool {
    let word = word.trim_end_matches(['?', '!', '.', ',']).to_lowercase();
    matches!(word.as_str(), "anyone" | "anybody" | "someone" | "somebody" | "everyone")
}

/// Whether a word stands for the computer.
pub fn is_computer_word(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "computer" | "bot" | "ai" | "stockfish")
}

/// Returns a command's word in lowercase without trailing punctuation, and the words after it.
pub(super) fn split_command(line: &str) -> (String, Vec<String>) {
    let line = truncate_bytes(line, MAX_LINE).replace('`', " ");
    // `/ new chess` is `/new chess`.
    let joined = line.strip_prefix("/ ").map(|rest| format!("/{}", rest.trim_start()));
    let joined = joined.filter(|line| {
        let (word, words) = split_words(line);
        is_command(synonyms::canonical_word(&word, &words))
    });
    split_words(&joined.unwrap_or(line))
}

/// Returns a line's first word in lowercase without trailing punctuation, and the words after it.
fn split_words(line: &str) -> (String, Vec<String>) {
    let mut words = line.split_whitespace();
    let word = words.next().unwrap_or_default().trim_end_matches(['.', ',', ':', ';', '!', '?']).to_lowercase();
    (word, words.map(str::to_owned).collect())
}

/// Returns the word of the command on a line, with synonyms resolved.
pub(super) fn command_word(line: &str) -> String {
    let (word, words) = split_command(line);
    synonyms::canonical_word(&word, &words).to_owned()
}

/// Returns the words without the first `#42`, and the number from it.
fn take_table_number(words: Vec<String>) -> (Vec<String>, Option<IssueNumber>) {
    let mut table = None;
    let words = words.into_iter().filter(|word| match word.strip_prefix('#').map(str::parse::<u32>) {
        Some(Ok(number)) if table.is_none() && number > 0 => {
            table = Some(IssueNumber::new(u64::from(number)));
            false
        }
        _ => true,
    });
    (words.collect(), table)
}

/// Whether a word is a table's number, such as `#42`.
fn is_table_number(word: &str) -> bool {
    word.strip_prefix('#').and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number > 0)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a command always applies to its own issue.
fn is_for_own_issue(word: &str) -> bool {
    matches!(word, "/new" | "/help")
}

/// Returns the entry of a command by its word.
fn find_command(word: &str) -> Option<&'static CommandSpec> {
    COMMANDS.iter().chain(UNLISTED).find(|(usage, ..)| usage.split(' ').next() == Some(word))
}

/// Whether a word is a command, or a verb of any game.
pub(super) fn is_command(word: &str) -> bool {
    let verb = |verb: &str| GameKind::ALL.iter().any(|kind| kind.info().verb(verb).is_some());
    find_command(word).is_some() || word.strip_prefix('/').is_some_and(verb)
}

impl ParsedComment {
    /// Returns the number of the table that the comment names; `None` for `/new` and `/help`, which apply to their own
    /// issue.
    pub fn table_number(&self) -> Option<IssueNumber> {
        match self {
            ParsedComment::Command(Command::New(_) | Command::Help(_), _)
            | ParsedComment::Chat
            | ParsedComment::Plain(..) => None,
            ParsedComment::Command(_, table) | ParsedComment::Invalid(_, table) => *table,
        }
    }
}
