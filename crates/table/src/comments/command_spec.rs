//! The facts about a command. [`commands`](crate::comments::commands) holds those of each command.

use crate::comments::command::Command;

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
    pub only_shows: bool,
    /// The words that may follow it.
    pub words: Words,
    /// The way the bot treats the word alone, without the slash.
    pub without_slash: WithoutSlash,
    /// Other words for it, mostly from chess sites.
    pub synonyms: &'static [&'static str],
    /// Words with a slash that people write instead, and for which the bot suggests it.
    pub misnomers: &'static [&'static str],
    /// Phrases that people write instead, in lowercase without punctuation.
    pub phrases: &'static [&'static str],
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
    AnyTable,
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
            target: CommandTarget::AnyTable,
            only_shows: false,
            words: Words::None,
            without_slash: WithoutSlash::Chat,
            synonyms: &[],
            misnomers: &[],
            phrases: &[],
            is_listed: true,
            works_in_terminal: true,
        }
    }

    /// Returns the word with its slash.
    pub fn word(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }

    /// Returns the purpose that the bot names when it suggests the slash.
    pub fn purpose(&self) -> &'static str {
        match self.without_slash {
            WithoutSlash::Suggested(purpose) => purpose,
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
