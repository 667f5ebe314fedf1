//! A comment becomes chat, a command, or the reason why it is neither.
//!
//! [`commands`] is the one table: reading, `/help` and the README are made from it.

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::game::notation::cut;
use crate::games::registry::Kind;

/// How much of a comment is looked at; GitHub holds no longer ones.
pub const MAX_COMMENT: usize = 4 * 65_536;
/// How long a line may be and still hold a command or be a move.
const MAX_LINE: usize = 400;
/// How far a word may be from a command and still be a slip of it.
const SLIP: usize = 2;

/// A command, with its words as they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `/new GAME ...`: everything behind the word.
    New(Vec<String>),
    /// `/join [SEAT]`.
    Join(Option<String>),
    /// `/move NOTATION`.
    Move(String),
    /// `/board`.
    Board,
    /// `/moves`.
    Moves,
    /// `/history`.
    History,
    /// `/help [GAME]`.
    Help(Option<String>),
    /// `/resign`.
    Resign,
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
    /// A verb of some game, in lower case and without its slash: `roll`.
    Verb(String),
}

/// A line of the table of commands.
#[derive(Clone, Copy)]
pub struct CommandInfo {
    /// The word with its slash.
    pub word: &'static str,
    /// Other words for the same.
    pub aliases: &'static [&'static str],
    /// How it is written: `/join [SEAT]`.
    pub usage: &'static str,
    /// What it does, one sentence.
    pub meaning: &'static str,
    read: fn(Vec<String>) -> Command,
}

/// The commands of every table. Those of single games are their verbs.
const COMMANDS: &[CommandInfo] = &[
    CommandInfo {
        word: "/new",
        aliases: &[],
        usage: "/new GAME [@opponent] [key=value ...]",
        meaning: "Opens a table in this issue. You sit down first; the other seat is kept for `@opponent`, or open to anyone.",
        read: Command::New,
    },
    CommandInfo {
        word: "/join",
        aliases: &[],
        usage: "/join [SEAT]",
        meaning: "Takes an open seat. So does `/move`, when it is that seat's turn.",
        read: |words| Command::Join(words.into_iter().next()),
    },
    CommandInfo {
        word: "/move",
        aliases: &["/play", "/m"],
        usage: "/move MOVE",
        meaning: "Plays. When you have a seat, the move alone will do. With `#42` behind it: at table 42.",
        read: |words| Command::Move(words.join(" ")),
    },
    CommandInfo {
        word: "/board",
        aliases: &[],
        usage: "/board",
        meaning: "Shows the board and who is to move.",
        read: |_| Command::Board,
    },
    CommandInfo {
        word: "/moves",
        aliases: &[],
        usage: "/moves",
        meaning: "Lists the legal moves.",
        read: |_| Command::Moves,
    },
    CommandInfo {
        word: "/history",
        aliases: &[],
        usage: "/history",
        meaning: "Lists what was played so far.",
        read: |_| Command::History,
    },
    CommandInfo {
        word: "/help",
        aliases: &[],
        usage: "/help [GAME]",
        meaning: "Shows the commands, or how a game is played here.",
        read: |words| Command::Help((!words.is_empty()).then(|| words.join(" "))),
    },
    CommandInfo {
        word: "/draw",
        aliases: &[],
        usage: "/draw",
        meaning: "Offers a draw, or accepts the one that is offered. An offer lapses at the next move.",
        read: |_| Command::Draw,
    },
    CommandInfo {
        word: "/undo",
        aliases: &[],
        usage: "/undo",
        meaning: "Asks to take your last move back, or grants what the other side asked. Any move refuses it.",
        read: |_| Command::Undo,
    },
    CommandInfo {
        word: "/accept",
        aliases: &[],
        usage: "/accept",
        meaning: "Grants what the other side has asked: a draw or an undo.",
        read: |_| Command::Accept,
    },
    CommandInfo {
        word: "/decline",
        aliases: &[],
        usage: "/decline",
        meaning: "Declines what the other side has asked.",
        read: |_| Command::Decline,
    },
    CommandInfo {
        word: "/resign",
        aliases: &[],
        usage: "/resign",
        meaning: "Gives the game up; in a match, the one game of it.",
        read: |_| Command::Resign,
    },
    CommandInfo {
        word: "/claim",
        aliases: &[],
        usage: "/claim",
        meaning: "Claims the win when the other side's time (`per-move=7d`) has run out.",
        read: |_| Command::Claim,
    },
    CommandInfo {
        word: "/abort",
        aliases: &[],
        usage: "/abort",
        meaning: "Ends the game without a result: either player before both have moved or after 30 silent days, \
                  a maintainer at any time.",
        read: |_| Command::Abort,
    },
    CommandInfo {
        word: "/continue",
        aliases: &[],
        usage: "/continue #TABLE",
        meaning: "In a fresh issue: the game of that table goes on there. An issue takes 2,500 comments, then no more.",
        read: |_| Command::Continue,
    },
    CommandInfo {
        word: "/rematch",
        aliases: &[],
        usage: "/rematch",
        meaning: "After the end: the same table again, seats swapped. The finished game is kept in the archive.",
        read: |_| Command::Rematch,
    },
];

/// A command as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The word with its slash.
    pub word: String,
    /// How it is written: `/join [SEAT]`.
    pub usage: String,
    /// What it does, one sentence.
    pub meaning: &'static str,
}

/// Returns every command there is, those of single games before those that end a game.
#[must_use]
pub fn commands() -> Vec<Usage> {
    let common = COMMANDS.iter().map(|info| Usage {
        word: info.word.to_owned(),
        usage: info.usage.to_owned(),
        meaning: info.meaning,
    });
    let mut all: Vec<Usage> = common.collect();
    let at = all.iter().position(|usage| usage.word == "/claim").unwrap_or(all.len());
    let verbs = Kind::ALL.iter().flat_map(|kind| kind.info().verbs).map(|verb| {
        let word = format!("/{}", verb.word);
        Usage { usage: word.clone(), word, meaning: verb.meaning }
    });
    all.splice(at..at, verbs);
    all
}

/// A command that cannot be taken as it stands. Texts are kept as they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// More than one command in a comment: the first two words.
    TwoCommands(String, String),
    /// A slip of a command word: the word and the nearest command.
    Slip(String, String),
}

/// A comment as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Chat.
    Nothing,
    /// The whole comment is this one short line: a move, if the game reads it as one.
    Bare(String),
    /// A command, and the table it names if it names one.
    Command(Command, Option<u64>),
    /// A command that cannot be taken as it stands, and the table it names. A slip counts only where there is a table.
    Unclear(Unclear, Option<u64>),
}

/// Reads a comment. Quotes, code, HTML and what mail programs add do not count.
#[must_use]
pub fn read(text: &str) -> Reading {
    let own = own_text(cut(text, MAX_COMMENT));
    let mut lines = own.lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return Reading::Nothing };
    if !first.starts_with('/') {
        let alone = lines.next().is_none() && first.len() <= MAX_LINE && !first.contains('`');
        return if alone { Reading::Bare(first.to_owned()) } else { Reading::Nothing };
    }
    let (word, words) = split(first);
    let (words, table) = without_table(words);
    if !is_command(&word) {
        return match nearest(&word) {
            Some(nearest) => Reading::Unclear(Unclear::Slip(word, nearest), table),
            None => Reading::Nothing,
        };
    }
    // A second command anywhere below makes the comment unclear; other lines are chat.
    if let Some(second) = lines.map(|line| split(line).0).find(|word| is_command(word)) {
        return Reading::Unclear(Unclear::TwoCommands(word, second), table);
    }
    let command = match find(&word) {
        Some(info) => (info.read)(words),
        None => Command::Verb(word[1..].to_owned()),
    };
    Reading::Command(command, table)
}

/// Reads the body of an issue: a comment like any other, or a filled-in issue form whose first question is the game.
#[must_use]
pub fn read_body(text: &str) -> Reading {
    match read_form(cut(text, MAX_COMMENT)) {
        Some(words) => Reading::Command(Command::New(words), None),
        None => read(text),
    }
}

/// The answers of an issue form (`### Game`, `### Opponent`, `### Options`) as the words of a `/new`.
fn read_form(text: &str) -> Option<Vec<String>> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    if lines.next()? != "### Game" {
        return None;
    }
    let mut words = Vec::new();
    let mut opponent = false;
    for line in lines {
        match line {
            "### Opponent" | "### Options" => opponent = line == "### Opponent",
            "_No response_" => {}
            _ if line.starts_with('#') || line.len() > MAX_LINE => return None,
            _ if opponent && !line.starts_with('@') => words.push(format!("@{line}")),
            _ => words.extend(line.split_whitespace().map(str::to_owned)),
        }
    }
    Some(words)
}

/// The text of a comment that its author wrote to be read: no quote, no code, no HTML, nothing a mail program added.
/// Code inside a line stays, because people write `/move` and then the move as the answers show it, in backticks.
fn own_text(text: &str) -> String {
    let mut own = text.as_bytes().to_vec();
    // Quotes can stand in quotes, thousands deep; what is in a hidden one has been hidden with it.
    let mut hidden_to = 0;
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        let hidden = match event {
            Event::Start(Tag::BlockQuote(_) | Tag::CodeBlock(_) | Tag::HtmlBlock) | Event::InlineHtml(_) => true,
            Event::Code(_) => text[range.clone()].contains('\n'),
            _ => false,
        };
        if hidden && range.end > hidden_to {
            hidden_to = range.end;
            own[range].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        }
    }
    let own = String::from_utf8_lossy(&own);
    let lines: Vec<&str> = own.lines().take_while(|line| !is_mail_trailer(line)).collect();
    lines.join("\n")
}

/// A line below which a mail program has put the message that was answered, or a signature.
fn is_mail_trailer(line: &str) -> bool {
    let line = line.trim();
    let wrote = line.ends_with("wrote:") || (line.contains('<') && line.contains('@'));
    line == "--"
        || line.starts_with("-----Original Message-----")
        || line.starts_with("________________________________")
        || line.starts_with("Sent from my ")
        || (line.starts_with("On ") && wrote)
}

/// The word of a command in lower case, without the punctuation behind it, and the words that follow.
fn split(line: &str) -> (String, Vec<String>) {
    let line = cut(line, MAX_LINE).replace('`', " ");
    let mut words = line.split_whitespace();
    let word = words.next().unwrap_or_default().trim_end_matches(['.', ',', ':', ';', '!', '?']).to_lowercase();
    (word, words.map(str::to_owned).collect())
}

/// Takes `#42` out of the words.
fn without_table(words: Vec<String>) -> (Vec<String>, Option<u64>) {
    let mut table = None;
    let words = words.into_iter().filter(|word| match word.strip_prefix('#').map(str::parse::<u32>) {
        Some(Ok(number)) if table.is_none() && number > 0 => {
            table = Some(u64::from(number));
            false
        }
        _ => true,
    });
    (words.collect(), table)
}

fn find(word: &str) -> Option<&'static CommandInfo> {
    COMMANDS.iter().find(|info| info.word == word || info.aliases.contains(&word))
}

fn is_command(word: &str) -> bool {
    let verb = |verb: &str| Kind::ALL.iter().any(|kind| kind.info().verb(verb).is_some());
    find(word).is_some() || word.strip_prefix('/').is_some_and(verb)
}

fn nearest(word: &str) -> Option<String> {
    let letters = word.strip_prefix('/')?;
    if letters.is_empty() || !letters.chars().all(char::is_alphanumeric) || letters.len() > 20 {
        return None;
    }
    let distance = |usage: &Usage| strsim::damerau_levenshtein(word, &usage.word);
    commands().into_iter().min_by_key(distance).filter(|usage| distance(usage) <= SLIP).map(|usage| usage.word)
}

impl Reading {
    /// Returns the table that the comment names, where that matters: a new table is always opened where the comment stands.
    #[must_use]
    pub fn table(&self) -> Option<u64> {
        match self {
            Reading::Command(Command::New(_) | Command::Help(_), _) | Reading::Nothing | Reading::Bare(_) => None,
            Reading::Command(_, table) | Reading::Unclear(_, table) => *table,
        }
    }
}
