//! Interprets comments: decides whether a comment asks the bot for something, and for what.
//!
//! Most of the work is for comments without a command: bare moves, moves after a slash, answers to a question, and near misses.
//! A bare move by a player is a command. If the side to move has an open seat, so is a bare move by anyone else, unless
//! the comment contains something else. Conversation is chat.

use std::cell::Cell;
use std::time::Duration;

use game::notation::strip_decoration;
use game::notation::words::with_digits;
use game::{ParseMoveError, Seat};
use games::AnyPosition;

use crate::comments::command::{CommandSpec, WithoutSlash, is_near_new};
use crate::comments::commands::{CONTINUE, IF, MOVE, UNDO};
use crate::comments::game_names::{names_game, skip_lead_in};
use crate::comments::own_text::PlainText;
use crate::comments::phrases::{Meaning, words_of};
use crate::comments::plain_words::{
    Consent, find_command_in_words, find_mistyped_command, is_draw_offer, is_greeting, is_joining, is_lead_in, is_pass,
    may_ask_bot, parse_consent, parse_slashless, parse_yes_to,
};
use crate::decisions::line::read_lines;
use crate::decisions::suggestion;
use crate::decisions::suggestion::{attempted_move, is_legal_move, looks_like_move, parse_move};
use crate::offers::open_questions;
use crate::{
    Command, CommandError, CommentContext, EventKind, IssueNumber, MoveRefusal, NEW, ParsedComment, Question, Refusal,
    Suggestion, Table, TableStatus, find_command,
};

/// The time in which two people may take the same seat without having seen each other's comments.
const RACE_TIME: Duration = Duration::from_secs(60);

/// The maximum number of places in a line that are tried as the beginning of a draw offer.
const MAX_OFFER_PLACES: usize = 16;

thread_local! {
    /// The number of comments that this thread has interpreted at a table; only counted in debug builds, for tests.
    static INTERPRETED: Cell<usize> = const { Cell::new(0) };
}

/// The result of interpreting a comment: its command, `None` for chat, or a refusal.
pub type Interpreted = Result<Option<Command>, Refusal>;

/// Returns the number of comments that this thread has interpreted at a table.
pub fn interpreted_count() -> usize {
    INTERPRETED.get()
}

/// Returns the command in a comment, which may be a bare move; `None` for chat. It never runs a search. A move that is off the
/// board or illegal is a command, too, which `decide` refuses.
///
/// # Errors
/// Returns an error if the command is invalid, or if a chat comment looks like an attempted command.
pub fn interpret(table: Option<&Table>, context: &CommentContext) -> Interpreted {
    if table.is_some() {
        INTERPRETED.set(INTERPRETED.get() + 1);
    }
    match (&context.parsed, table) {
        (ParsedComment::Text(text), _) if text.has_slash() => {
            let as_move = table.and_then(|table| interpret_after_slash(table, context, text));
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
        (ParsedComment::Text(text), Some(table)) => interpret_plain(table, context, text),
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
    table: Option<&Table>,
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
    let is_player = table.players().seat_of_author(&context.author).is_some();
    let has_room = table.has_open_seat() || table.ballot().is_some();
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

/// Returns the command in a comment without a slash; `None` for chat.
///
/// # Errors
/// Returns an error if the comment is almost a move or a command.
fn interpret_plain(table: &Table, context: &CommentContext, text: &PlainText) -> Interpreted {
    match table.players().seat_of_author(&context.author) {
        Some(seat) => interpret_player(table, context, seat, text),
        None => interpret_guest(table, context, text),
    }
}

/// Returns the command that a move after a slash stands for, such as `/e4`; `None` if the line isn't a move.
fn interpret_after_slash(table: &Table, context: &CommentContext, text: &PlainText) -> Option<Interpreted> {
    let first = text.first();
    let Some(seat) = table.players().seat_of_author(&context.author) else {
        let is_move = !matches!(parse_move(table.game(), first), Err(ParseMoveError::NotAMove));
        return is_move.then(|| interpret_guest(table, context, text));
    };
    interpret_move(table, seat, text).or_else(|| {
        let is_pass = is_on_turn(table, seat) && is_pass(first, &[]);
        let is_attempt = is_pass || suggestion::without_friendly_words(table, first).len() < first.len();
        if is_attempt { Some(Ok(Some(Command::Move(first.to_owned())))) } else { None }
    })
}

/// Returns the command that a player's comment stands for; `None` for chat.
fn interpret_player(table: &Table, context: &CommentContext, seat: Seat, text: &PlainText) -> Interpreted {
    let (on_turn, names) = (is_on_turn(table, seat), names_at(table));
    // Only the bot can answer a player who plays the computer.
    let is_alone_with_bot = table.players().computer_at(seat.other()).is_some();
    // `Hi Bob, undo` isn't only a greeting.
    let asks_nothing = |line: &str| {
        !suggestion::names_any_move(table.game(), line)
            && parse_slashless(line, &names).is_none()
            && !is_pass(line, &names)
            && find_command_in_words(line, &names, table.is_over()).is_none()
    };
    let below_greetings =
        if on_turn { text.below(|line| is_greeting(line, &names) && asks_nothing(line)) } else { None };
    let text = below_greetings.as_ref().unwrap_or(text);
    if let Some(interpreted) = interpret_move(table, seat, text) {
        return interpreted;
    }
    let first = text.first();
    let may_ask = on_turn || is_alone_with_bot;
    let command = parse_slashless(first, &names);
    match command {
        Some(command) if command.counts_without_slash() || may_ask && command.answers_questions() => {
            return Ok(Some((command.parse)(Vec::new())));
        }
        _ if is_late(table, context) => return Ok(None),
        _ => {}
    }
    if let Some(interpreted) = interpret_confirmation(table, context, text) {
        return interpreted;
    }
    if let Some(interpreted) = interpret_consent(table, context, seat, text) {
        return interpreted;
    }
    if let Some(interpreted) = repeat_suggestion(table, context, text) {
        return interpreted;
    }
    if let Some(command) = command {
        let questions = open_questions(table, seat);
        if *command == UNDO && questions[..] == [Question::Takeback] {
            return Err(Suggestion::AnswerQuestion(questions).into());
        }
        let is_suggested = on_turn || matches!(command.without_slash, WithoutSlash::Suggested(_));
        return if is_suggested { Err(Suggestion::MissingSlash(command).into()) } else { Ok(None) };
    }
    let command = find_command_in_words(first, &names, table.is_over())
        .or_else(|| find_mistyped_command(first).filter(|_| on_turn))
        .filter(|command| text.is_alone() || on_turn && !command.is_read_only);
    match command {
        Some(command) if command.answers_questions() && may_ask => return Ok(Some((command.parse)(Vec::new()))),
        Some(command) if !command.is_read_only || may_ask => return Err(Suggestion::MissingSlash(command).into()),
        _ => {}
    }
    let interpreted = match text.command_below() {
        _ if !on_turn && is_line(table, seat, first) => Err(Suggestion::MissingSlash(&IF).into()),
        _ if !on_turn => Ok(None),
        Some(second) => Err(Suggestion::NotOnFirstLine(second).into()),
        None => interpret_move_among_words(table, text),
    };
    match interpreted {
        Ok(None) if is_alone_with_bot && on_turn && text.is_alone() && may_ask_bot(first, &names) => {
            Err(Suggestion::NotUnderstood.into())
        }
        interpreted => interpreted,
    }
}

/// Returns the words by which people call each other and the bot at a table.
fn names_at(table: &Table) -> Vec<&str> {
    let mut names = table.players().names().to_vec();
    names.push("bot");
    names.extend(table.players().computer().map(|_| "computer"));
    names
}

/// Interprets a player's comment whose first line is a move, legal or not; `None` if it isn't.
fn interpret_move(table: &Table, seat: Seat, text: &PlainText) -> Option<Interpreted> {
    let (game, first, on_turn) = (table.game(), text.first(), is_on_turn(table, seat));
    if let Some(mv) = move_with_offer(game, text) {
        return Some(Ok(Some(Command::MoveWithOffer(mv.to_owned()))));
    }
    if !looks_like_move(game, first) {
        return None;
    }
    Some(match text.command_below() {
        Some(second) => Err(CommandError::TwoCommands(first.to_owned(), second).into()),
        None if !text.is_alone() && !text.has_slash() && !on_turn => Ok(None),
        None if on_turn && text.lines().any(|line| line != first && is_legal_move(game, line)) => {
            Err(Suggestion::OneMove.into())
        }
        None => Ok(Some(Command::Move(first.to_owned()))),
    })
}

fn is_on_turn(table: &Table, seat: Seat) -> bool {
    table.is_playing() && table.player_to_move() == seat
}

/// Returns the move of a comment that also offers a draw: `Nf3, draw?`, or `/draw` on the line below. `None` for other comments.
fn move_with_offer<'a>(game: &AnyPosition, text: &'a PlainText) -> Option<&'a str> {
    let first = text.first();
    if text.has_draw_below() {
        return Some(first).filter(|mv| !matches!(parse_move(game, mv), Err(ParseMoveError::NotAMove)));
    }
    if text.is_alone() { split_offer(game, first) } else { None }
}

/// Returns the move at the beginning of a line that ends with a draw offer: `Nf3, draw?` or `Nf3(=)`. `None` for other lines.
pub(super) fn split_offer<'a>(game: &AnyPosition, line: &'a str) -> Option<&'a str> {
    let may_begin = |(_, c): &(usize, char)| c.is_whitespace() || matches!(c, ',' | ';' | '.' | '(' | '/' | '=');
    let places = line.char_indices().filter(may_begin).take(MAX_OFFER_PLACES);
    let beginnings = places.filter(|(at, _)| is_draw_offer(&line[*at..]));
    let mut moves = beginnings.map(|(at, _)| line[..at].trim_end_matches([' ', ',', ';', '.', '-']));
    moves.find(|mv| !matches!(parse_move(game, mv), Err(ParseMoveError::NotAMove)))
}

/// Returns the move in a comment by the player to move, if there are only friendly words beside it; `None` for chat.
///
/// # Errors
/// Returns an error if there is a move among other words.
fn interpret_move_among_words(table: &Table, text: &PlainText) -> Interpreted {
    let game = table.game();
    let legal = |line: &str| {
        let mv = parse_move(game, line).ok().filter(|mv| game.is_legal(mv))?;
        Some(game.notation(&mv))
    };
    let mv = suggestion::without_friendly_words(table, text.first());
    if mv.len() < text.first().len() {
        return Ok(Some(Command::Move(mv.to_owned())));
    }
    let mut alone: Vec<String> = text.lines().filter_map(legal).collect();
    alone.dedup();
    let found = match <[String; 1]>::try_from(alone) {
        Ok([mv]) => Some(mv),
        Err(several) if !several.is_empty() => return Err(Suggestion::OneMove.into()),
        Err(_) => {
            // Later in a long line, a move is only talked about.
            suggestion::move_before_chat(game, text.first()).or_else(|| suggestion::find_move(game, text.first()))
        }
    };
    match found {
        Some(mv) if is_followed_by_if(table, text.first()) => Err(Suggestion::MoveThenIf(mv).into()),
        Some(mv) => Err(Suggestion::Move(mv).into()),
        None if suggestion::begins_with_several_moves(game, text.first())
            || suggestion::names_alternatives(game, text.first()) =>
        {
            Err(Suggestion::OneMove.into())
        }
        // The refusal explains how to write a move.
        None if suggestion::names_cell_in_words(text.first()) => Ok(Some(Command::Move(text.first().to_owned()))),
        None if is_pass(text.first(), &table.players().names()) => Ok(Some(Command::Move("pass".to_owned()))),
        // The refusal explains an illegal move.
        None => match attempted_move(table, text.first()) {
            Some(mv) => match legal(mv) {
                Some(_) if suggestion::names_any_move(game, &text.first()[mv.len()..]) => {
                    Err(Suggestion::OneMove.into())
                }
                Some(mv) => Err(Suggestion::Move(mv).into()),
                None => Ok(Some(Command::Move(mv.to_owned()))),
            },
            None => Ok(None),
        },
    }
}

/// Whether a comment by the player to move begins like a move. Such a comment always gets an answer.
pub fn begins_with_move(table: &Table, context: &CommentContext) -> bool {
    let ParsedComment::Text(text) = &context.parsed else { return false };
    let seat = table.players().seat_of_author(&context.author);
    seat.is_some_and(|seat| is_on_turn(table, seat)) && attempted_move(table, text.first()).is_some()
}

/// Whether the words after a move contain `if`, at a table that allows conditional moves: `Nc6, if Bb5 then a6`.
fn is_followed_by_if(table: &Table, line: &str) -> bool {
    words_of(line).iter().skip(1).any(|word| word == "if") && table.state().check_conditional_moves(None).is_ok()
}

/// Whether a line by a player who waits is `if` with conditional moves after it: `if Bb5 then a6`.
fn is_line(table: &Table, seat: Seat, line: &str) -> bool {
    let mut words = line.split_whitespace().map(str::to_owned);
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("if"))
        && table.is_playing()
        && table.state().check_conditional_moves(Some(seat)).is_ok()
        && read_lines(table.game(), seat, &words.collect::<Vec<_>>(), &[]).is_ok()
}

/// Interprets a player's comment that begins with a yes or a no; `None` if it doesn't, or if no question is open.
///
/// A clear one counts if it directly follows the question. Anything else gets a hint, once for each question.
fn interpret_consent(table: &Table, context: &CommentContext, seat: Seat, text: &PlainText) -> Option<Interpreted> {
    let questions = open_questions(table, seat);
    if questions.is_empty() {
        return None;
    }
    let yes_to_one = || if let [question] = questions[..] { parse_yes_to(question, text.first()) } else { None };
    let consent = parse_consent(text.first()).or_else(yes_to_one)?;
    let is_invitation = questions[..] == [Question::Invitation];
    // The bot has just explained how to answer.
    let hint = Refusal::from(Suggestion::AnswerQuestion(questions.clone()));
    let is_asked_again = || last_refusal(table, context, false).as_ref() == Some(&hint);
    // A no declines everything.
    let is_one_answer = questions.len() == 1 || matches!(consent.meaning, Meaning::No | Meaning::Later);
    let is_clear = is_one_answer
        && questions.iter().all(|question| consent.is_clear(*question))
        && text.is_alone()
        && (context.follows_question || is_asked_again())
        && !suggestion::names_any_move(table.game(), consent.rest);
    match (questions.as_slice(), consent.meaning) {
        (&[question], Meaning::Yes | Meaning::No | Meaning::Later) if is_clear => {
            Some(Ok(Some(consent_command(question, consent.meaning == Meaning::Yes))))
        }
        (_, Meaning::No | Meaning::Later) if is_clear => Some(Ok(Some(Command::Decline))),
        ([Question::Invitation], _) if is_clear => Some(Ok(Some(Command::Join(None)))),
        // An "ok" isn't about a move, because no move comes with these questions.
        ([Question::Takeback | Question::Resignation], Meaning::Okay | Meaning::Acknowledgement) if is_clear => {
            Some(Ok(Some(Command::Accept)))
        }
        (_, Meaning::Joining | Meaning::Ready | Meaning::Confirmation) if !is_invitation => None,
        // Thanks may be about anything.
        (_, Meaning::Okay | Meaning::Acknowledgement)
            if !is_invitation && !context.follows_question && !is_asked_again() =>
        {
            None
        }
        _ if consent.is_short() => Some(Err(Suggestion::AnswerQuestion(questions).into())),
        _ => None,
    }
}

/// Interprets a `yes` to what the bot has just suggested to the author; `None` if it suggested nothing that takes one, or if
/// something has changed since.
fn interpret_confirmation(table: &Table, context: &CommentContext, text: &PlainText) -> Option<Interpreted> {
    let refusal = last_refusal(table, context, false)?;
    let confirms = |is_command| confirms(table, text, is_command);
    let command = |command: &'static CommandSpec| {
        (command.works_alone() && confirms(true)).then(|| Ok(Some((command.parse)(Vec::new()))))
    };
    match refusal {
        Refusal::Suggestion(Suggestion::Move(mv) | Suggestion::MoveThenIf(mv))
        | Refusal::Move(MoveRefusal::NotAMove(_, _, Some(mv))) => {
            // `Yes, e4` names the move again.
            let names_it = || suggestion::find_move(table.game(), parse_consent(text.first())?.rest);
            let is_named = text.is_alone() && names_it().as_ref() == Some(&mv) && !text.first().contains('?');
            (is_named || confirms(false)).then_some(Ok(Some(Command::Move(mv))))
        }
        Refusal::Suggestion(Suggestion::OneMove) => confirms(false).then(|| Err(Suggestion::OneMove.into())),
        Refusal::Suggestion(Suggestion::MissingSlash(meant)) => command(meant),
        Refusal::Command(
            CommandError::Typo(_, word) | CommandError::Question(word) | CommandError::ExtraWords(word, _),
        ) => command(find_command(&word)?),
        _ => None,
    }
}

/// Repeats what the bot has suggested to the author if they answer yes after somebody else has commented; `None` for any other text.
fn repeat_suggestion(table: &Table, context: &CommentContext, text: &PlainText) -> Option<Interpreted> {
    let refusal = last_refusal(table, context, true).filter(|_| confirms(table, text, true))?;
    let repeats = matches!(refusal, Refusal::Suggestion(Suggestion::Move(_) | Suggestion::MissingSlash(_)));
    repeats.then_some(Err(refusal))
}

/// Whether a comment is a yes to a suggestion of the bot, and nothing else.
fn confirms(table: &Table, text: &PlainText, is_command: bool) -> bool {
    let confirms =
        |consent: Consent<'_>| consent.confirms(is_command) && !suggestion::names_any_move(table.game(), consent.rest);
    text.is_alone() && parse_consent(text.first()).is_some_and(confirms)
}

/// Whether a comment may answer what the bot has asked its author.
pub fn may_answer(parsed: &ParsedComment) -> bool {
    matches!(parsed, ParsedComment::Text(text) if text.lines().any(|line| parse_consent(line).is_some()))
}

/// Returns the bot's refusal of the author's last comment that it answered; `None` if something has changed since.
/// `is_interrupted` tells whether somebody else has to have commented since then, or nobody.
fn last_refusal(table: &Table, context: &CommentContext, is_interrupted: bool) -> Option<Refusal> {
    let attempt = context.refused_attempt.as_deref().filter(|attempt| attempt.is_interrupted == is_interrupted)?;
    let before = &attempt.context;
    let is_unchanged = !table.history().last()?.is_newer_than(before.source, before.updated_at);
    if !is_unchanged {
        return None;
    }
    match interpret(Some(table), before) {
        Err(refusal) => Some(refusal),
        Ok(Some(Command::Move(attempt))) => {
            let unread = parse_move(table.game(), &attempt).err()?;
            Some(suggestion::unread_move(table.game(), &attempt, unread).into())
        }
        Ok(_) => None,
    }
}

/// Returns the command that a comment by someone without a seat stands for; `None` for chat.
fn interpret_guest(table: &Table, context: &CommentContext, comment: &PlainText) -> Interpreted {
    let (text, is_alone) = (comment.first(), comment.is_alone());
    if table.status() != TableStatus::Playing || is_late(table, context) {
        return Ok(None);
    }
    if is_alone && let Some(login) = winner_of_race(table, context, text) {
        return Err(Refusal::SeatJustTaken(login));
    }
    let to_move = table.player_to_move();
    let is_open_table = table.terms().open.is_some();
    let is_free = |seat: Seat| !is_open_table && table.player(seat).is_none();
    let free = Seat::BOTH.into_iter().find(|seat| is_free(*seat));
    if let Some(free) = free.filter(|_| is_alone && is_joining(text)) {
        return match text.contains('?') {
            true => Err(Suggestion::AskedToJoin(table.info().seat_name(free)).into()),
            false => Ok(Some(Command::Join(None))),
        };
    }
    let (game, is_long) = (table.game(), strip_decoration(text).chars().count() > 1);
    let parsed = parse_move(game, text);
    let is_move = !matches!(parsed, Err(ParseMoveError::NotAMove));
    if table.ballot().is_some() {
        // A crowd talks about moves, so only a move alone is a vote, or one after words such as "I vote for".
        let is_written = is_alone && is_move && !text.contains('?');
        let vote = if is_written { Some(text) } else { voted_move(game, text) };
        return Ok(vote.map(|mv| Command::Move(mv.to_owned())));
    }
    if (is_open_table || is_free(to_move))
        && let Some(confirmed @ Ok(Some(Command::Move(_)))) = interpret_confirmation(table, context, comment)
    {
        return confirmed;
    }
    // Nobody gets a hint at a move that they may not make.
    let moved_recently = |gap| table.timeline().has_moved_recently(context.author.id, gap);
    if table.terms().open.is_some_and(|open| moved_recently(open.gap)) && !is_move {
        return Ok(None);
    }
    // A number may be about anything, even in words, and a question isn't an attempt to move.
    let has_letter = with_digits(text).as_deref().unwrap_or(text).chars().any(char::is_alphabetic);
    let is_attempt = is_alone && is_long && has_letter && !text.contains('?');
    if !is_open_table && !is_free(to_move) {
        let may_join = is_free(to_move.other()) && is_move && is_attempt;
        return if may_join {
            Err(Suggestion::JoinFirst(table.info().seat_name(to_move.other())).into())
        } else {
            Ok(None)
        };
    }
    let legal = parsed.ok().filter(|mv| game.is_legal(mv)).map(|mv| game.notation(&mv));
    // A word such as `swap` may be conversation.
    let is_verb = table.info().verb(&strip_decoration(text).to_lowercase()).is_some();
    let may_play = is_attempt && !is_verb && !has_left(table, context);
    match legal {
        Some(_) if may_play => Ok(Some(Command::Move(text.to_owned()))),
        // The refusal says what is wrong with it.
        None if is_move && may_play => Ok(Some(Command::Move(text.to_owned()))),
        None if is_move => Ok(None),
        Some(_) if text.contains('?') => Ok(None),
        legal => {
            // A single character may be about anything.
            let is_long = |name: &String| name.chars().count() > 1;
            let name = legal.or_else(|| suggestion::find_move(game, text).filter(is_long));
            name.map_or(Ok(None), |name| {
                let needs_slash =
                    name.chars().count() == 1 || table.info().verb(&name).is_some() || has_left(table, context);
                let text = if needs_slash { format!("/move {name}") } else { name.clone() };
                Err(Suggestion::GuestMove(name, table.info().seat_name(to_move), text).into())
            })
        }
    }
}

/// Returns the legal move after words that lead up to it: `I vote for Nf3`. `None` for other lines.
fn voted_move<'a>(game: &AnyPosition, line: &'a str) -> Option<&'a str> {
    let mut splits = line.match_indices(' ').map(|(at, _)| line.split_at(at));
    splits.find(|(before, mv)| is_lead_in(before, &[]) && is_legal_move(game, mv.trim())).map(|(_, mv)| mv.trim())
}

/// Whether a comment is older than the last event, and therefore about an earlier position. While a crowd votes, the position is that
/// of its ballot.
fn is_late(table: &Table, context: &CommentContext) -> bool {
    let event = match table.ballot() {
        Some(ballot) => table.history().get(ballot.event_index),
        None => table.history().last(),
    };
    event.is_some_and(|event| event.timestamp > context.updated_at)
}

/// Returns the username of the person who has just taken the seat that this comment was meant to take; `None` if there is none.
fn winner_of_race(table: &Table, context: &CommentContext, text: &str) -> Option<String> {
    let event = table.history().last()?;
    let seat = event.seat?;
    let is_race = context.updated_at.since(event.timestamp) <= RACE_TIME && table.seat_that_may_leave() == Some(seat);
    let before = match &event.kind {
        EventKind::Move { .. } => table.timeline().previous_position()?,
        EventKind::Join => table.game(),
        _ => return None,
    };
    let is_legal = || is_legal_move(before, text);
    if is_race && (is_joining(text) || is_legal()) { Some(table.player(seat)?.login()?.to_owned()) } else { None }
}

/// Whether the author has left this game before. A bare move doesn't bring them back; `/move` and `/join` do.
fn has_left(table: &Table, context: &CommentContext) -> bool {
    table.history().iter().any(|event| event.kind == EventKind::Leave && event.author == context.author.id)
}

/// Returns the command that a yes or a no stands for.
fn consent_command(question: Question, accepts: bool) -> Command {
    match (question, accepts) {
        (Question::Invitation, true) => Command::Join(None),
        (_, true) => Command::Accept,
        (_, false) => Command::Decline,
    }
}
