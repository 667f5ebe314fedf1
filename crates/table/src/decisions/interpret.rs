//! Interprets comments: decides whether a comment asks the bot for something, and for what.

use std::cell::Cell;

use crate::any_table::{AnyTable, with_table};
use crate::comments::command::{Command, CommandError};
use crate::comments::command_word::is_near_new;
use crate::comments::commands::{CONTINUE, MOVE, NEW};
use crate::comments::context::CommentContext;
use crate::comments::parser::ParsedComment;
use crate::comments::variants::{names_game, skip_lead_in};
use crate::decisions::plain;
use crate::decisions::refusal::{Refusal, Suggestion};
use crate::ids::IssueNumber;

thread_local! {
    /// The number of comments that this thread has interpreted at a table; only counted in debug builds, for tests.
    static INTERPRETED: Cell<usize> = const { Cell::new(0) };
}

/// The result of interpreting a comment: its command, `None` for chat, or a refusal.
pub type Interpreted = Result<Option<Command>, Refusal>;

/// Returns the number of comments that this thread has interpreted at a table; always 0 in release builds.
pub fn interpreted_count() -> usize {
    INTERPRETED.get()
}

/// Returns the command in a comment, which may be a bare move; `None` for chat. It never runs a search.
///
/// # Errors
/// Returns an error if the command is invalid, or if a chat comment looks like an attempted command.
pub fn interpret(table: Option<&AnyTable>, context: &CommentContext) -> Interpreted {
    if cfg!(debug_assertions) && table.is_some() {
        INTERPRETED.set(INTERPRETED.get() + 1);
    }
    match (&context.parsed, table) {
        (ParsedComment::Text(text), _) if text.has_slash() => {
            let as_move =
                table.and_then(|table| with_table!(table, table => plain::interpret_after_slash(table, context, text)));
            let as_word =
                || text.slash_error().map_or(Ok(None), |error| interpret_invalid(table, context, error, None));
            as_move.unwrap_or_else(as_word)
        }
        (ParsedComment::Text(text), None) if context.source.is_body() => match text.command_below() {
            Some(word) if word == NEW.word() => Err(Suggestion::NotOnFirstLine(word).into()),
            _ => Ok(None),
        },
        (ParsedComment::Chat, _) | (ParsedComment::Text(..), None) => Ok(None),
        (ParsedComment::Invalid(error, named), _) => interpret_invalid(table, context, error, *named),
        (ParsedComment::Command(command @ Command::New(_), _), _) => Ok(Some(command.clone())),
        (ParsedComment::Command(command, named), None) => interpret_without_table(command, *named, context),
        (ParsedComment::Text(text), Some(table)) => {
            with_table!(table, table => plain::interpret_plain(table, context, text))
        }
        (ParsedComment::Command(command, _), Some(_)) => Ok(Some(command.clone())),
    }
}

/// Returns the command in an issue without a table. Other bots have commands like `/claim`, `/review` and `/help`, too, so only
/// those count that name a game or a table.
fn interpret_without_table(
    command: &Command,
    named: Option<IssueNumber>,
    context: &CommentContext,
) -> Result<Option<Command>, Refusal> {
    let is_game = |words: &str| {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        names_game(skip_lead_in(&words))
    };
    match (command, named) {
        (Command::Help(Some(words)), _) => Ok(is_game(words).then(|| command.clone())),
        // A new issue that says just `/rules chess` is asking for help.
        (Command::Rules(Some(words)), None) if context.source.is_body() && is_game(words) => {
            Ok(Some(Command::Help(Some(words.clone()))))
        }
        (Command::Move(_) | Command::MoveWithOffer(_) | Command::MoveAt(..) | Command::Continue, Some(named)) => {
            Err(Refusal::UnknownTable(named))
        }
        _ => Ok(None),
    }
}

/// Refuses an invalid command if it is meant for this bot. Other words with a slash belong to other people and bots.
fn interpret_invalid(
    table: Option<&AnyTable>,
    context: &CommentContext,
    error: &CommandError,
    named: Option<IssueNumber>,
) -> Result<Option<Command>, Refusal> {
    let Some(table) = table else {
        let is_meant = match error {
            CommandError::TwoCommands(word, _)
            | CommandError::Question(word)
            | CommandError::ExtraWords(word, _)
            | CommandError::TooLong(word) => {
                word == NEW.word() || named.is_some() && (word == MOVE.word() || word == CONTINUE.word())
            }
            CommandError::InTitle(_) | CommandError::InvalidTableNumber(_) => true,
            CommandError::Typo(word, nearest) => {
                nearest == NEW.word() && is_near_new(word) && (context.source.is_body() || context.by_issue_author)
            }
            CommandError::Unknown(_) => false,
        };
        return if is_meant { Err(refuse_invalid(error)) } else { Ok(None) };
    };
    let is_player = with_table!(table, table => table.occupants().seat_of_author(&context.author).is_some());
    let has_room = with_table!(table, table => table.has_open_seat());
    match error {
        CommandError::Unknown(_) if !is_player => Ok(None),
        CommandError::Typo(..) if !is_player && !has_room => Ok(None),
        _ => Err(refuse_invalid(error)),
    }
}

fn refuse_invalid(error: &CommandError) -> Refusal {
    match error {
        CommandError::Unknown(word) => Suggestion::UnknownCommand(word.clone()).into(),
        error => error.clone().into(),
    }
}
