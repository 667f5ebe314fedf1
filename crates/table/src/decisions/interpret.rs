//! Interprets comments: decides whether a comment asks the bot for something, and for what.

use std::cell::Cell;

use crate::any_table::{AnyTable, with_table};
use crate::comments::command::{Command, CommandError};
use crate::comments::command_spec::CommandTarget;
use crate::comments::command_word::is_near_new;
use crate::comments::commands::{NEW, target_of};
use crate::comments::context::CommentContext;
use crate::comments::parser::ParsedComment;
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
        (ParsedComment::Command(command @ (Command::Help(_) | Command::New(_)), _), _) => Ok(Some(command.clone())),
        (ParsedComment::Command(_, Some(named)), None) => Err(Refusal::UnknownTable(*named)),
        // A new issue that says just `/rules chess` is asking for help.
        (ParsedComment::Command(Command::Rules(game), None), None) if context.source.is_body() => {
            Ok(Some(Command::Help(game.clone())))
        }
        // Elsewhere the command may be for another bot.
        (
            ParsedComment::Command(command @ (Command::Standings(_) | Command::Rating(_) | Command::Mine), None),
            None,
        ) => Ok(Some(command.clone()).filter(|_| context.by_issue_author)),
        (ParsedComment::Command(_, None), None) if context.author_tried_to_open || context.source.is_body() => {
            Err(Refusal::NoTableYet)
        }
        // If nobody tried to open a table here, the command isn't for this bot.
        (ParsedComment::Command(_, None), None) => Ok(None),
        (ParsedComment::Text(text), Some(table)) => {
            with_table!(table, table => plain::interpret_plain(table, context, text))
        }
        (ParsedComment::Command(command, _), Some(_)) => Ok(Some(command.clone())),
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
        let is_new_issue = context.source.is_body();
        let is_meant = match error {
            _ if named.is_some() => !matches!(error, CommandError::Unknown(_)),
            CommandError::TwoCommands(word, _) | CommandError::Question(word)
                if target_of(word) == CommandTarget::OwnIssue =>
            {
                true
            }
            CommandError::Question(_) if is_new_issue => return Err(Refusal::NoTableYet),
            CommandError::TwoCommands(..) => context.author_tried_to_open || is_new_issue,
            CommandError::Question(_) => context.author_tried_to_open,
            CommandError::InvalidTableNumber(_) | CommandError::InTitle(_) => true,
            CommandError::Typo(word, nearest) if is_new_issue => nearest == NEW.word() && is_near_new(word),
            CommandError::Typo(..) | CommandError::Unknown(_) => {
                context.author_tried_to_open && context.by_issue_author
            }
            CommandError::ExtraWords(..) | CommandError::TooLong(_) => context.author_tried_to_open,
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
