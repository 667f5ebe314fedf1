//! Interprets comments without a slash: bare moves, answers to a question, and near misses.
//!
//! A player's bare move is a move. At an open seat, so is anyone's, if the comment is nothing else. Conversation is chat.

use game::contract::Game;
use game::notation::strip_decoration;
use game::rule::ParseMoveError;
use game::seat::Seat;

use crate::decisions::refusal::Refusal;
use crate::decisions::suggestion::{self, Suggestion};
use crate::game_state::TableStatus;
use crate::history::{EventKind, seat_name};
use crate::question::{Question, open_questions};
use crate::table::Table;
use crate::talk::command::{Command, CommandError, Remainder, parse_slashless};
use crate::talk::comment::Millis;
use crate::talk::context::CommentContext;

/// The time in which two people may take the same seat without having seen each other's comments, in milliseconds.
const RACE_TIME: Millis = 60_000;

/// Returns the command that a comment without a slash stands for; `None` for chat.
///
/// # Errors
/// Returns an error if the comment is almost a move or a command.
pub(super) fn interpret_plain<G: Game>(
    table: &Table<G>,
    context: &CommentContext,
    text: &str,
    below: &Remainder,
) -> Result<Option<Command>, Refusal> {
    match table.occupants().seat_of_author(&context.author) {
        Some(seat) => interpret_player(table, context, seat, text, below),
        None => interpret_guest(table, context, text, below),
    }
}

/// Returns the command that a player's comment stands for; `None` for chat.
fn interpret_player<G: Game>(
    table: &Table<G>,
    context: &CommentContext,
    seat: Seat,
    text: &str,
    below: &Remainder,
) -> Result<Option<Command>, Refusal> {
    let game = table.game();
    let on_turn = table.status() == TableStatus::Playing && table.player_to_move() == seat;
    if !matches!(game.parse_move(text), Err(ParseMoveError::NotAMove)) {
        return match below {
            Remainder::Command(second) => Err(CommandError::TwoCommands(text.to_owned(), second.clone()).into()),
            Remainder::Chat if !on_turn => Ok(None),
            Remainder::Chat | Remainder::Empty => Ok(Some(Command::Move(text.to_owned()))),
        };
    }
    let command = parse_slashless(text);
    match command {
        Some(Command::Help(_)) => return Ok(Some(Command::Help(None))),
        Some(Command::Board | Command::Moves | Command::History | Command::Hint | Command::Rules(_)) => {
            return Ok(command);
        }
        _ if is_late(table, context) => return Ok(None),
        _ => {}
    }
    let questions = open_questions(table, seat);
    if *below == Remainder::Empty
        && !questions.is_empty()
        && let Some(accepts) = parse_answer(text)
    {
        return match questions[..] {
            [question] if context.follows_question => Ok(Some(answer_command(question, accepts))),
            _ => Err(Suggestion::AnswerQuestion(questions).into()),
        };
    }
    if let Some(command) = command {
        return suggestion::missing_slash(&command).map_or(Ok(None), |hint| Err(hint.into()));
    }
    if *below == Remainder::Empty
        && let Some(hint) = suggestion::find_phrase(text, table.is_over())
    {
        return Err(hint.into());
    }
    match below {
        _ if !on_turn => Ok(None),
        Remainder::Command(second) => Err(Suggestion::NotOnFirstLine(second.clone()).into()),
        Remainder::Empty | Remainder::Chat => match suggestion::move_before_chat(game, text) {
            Some(mv) => Ok(Some(Command::Move(mv))),
            None => suggestion::find_move(game, text).map_or(Ok(None), |mv| Err(Suggestion::Move(mv).into())),
        },
    }
}

/// Returns the command that a comment by someone without a seat stands for; `None` for chat.
fn interpret_guest<G: Game>(
    table: &Table<G>,
    context: &CommentContext,
    text: &str,
    below: &Remainder,
) -> Result<Option<Command>, Refusal> {
    let is_alone = *below == Remainder::Empty;
    if table.status() != TableStatus::Playing || is_late(table, context) {
        return Ok(None);
    }
    if is_alone && let Some(login) = winner_of_race(table, context, text) {
        return Err(Refusal::SeatJustTaken(login));
    }
    let to_move = table.player_to_move();
    let is_open_table = table.terms().open.is_some();
    let is_free = |seat: Seat| !is_open_table && table.occupant(seat).is_none();
    if is_alone && is_join(text) && Seat::BOTH.into_iter().any(is_free) {
        return Ok(Some(Command::Join(None)));
    }
    let (game, is_long) = (table.game(), strip_decoration(text).chars().count() > 1);
    let parsed = game.parse_move(text);
    let is_move = !matches!(parsed, Err(ParseMoveError::NotAMove));
    let has_letter = text.chars().any(char::is_alphabetic);
    if !is_open_table && !is_free(to_move) {
        let may_join = is_free(to_move.other()) && is_alone && is_move && is_long && has_letter;
        return if may_join { Err(Suggestion::JoinFirst(seat_name::<G>(to_move.other())).into()) } else { Ok(None) };
    }
    let legal = parsed.ok().filter(|mv| game.legality_error(mv).is_none()).map(|mv| game.notation(&mv));
    let may_play = is_alone && is_long && !has_left(table, context);
    match legal {
        Some(_) if may_play => Ok(Some(Command::Move(text.to_owned()))),
        // The refusal says what is wrong with it.
        None if is_move && may_play && has_letter => Ok(Some(Command::Move(text.to_owned()))),
        None if is_move => Ok(None),
        legal => {
            let name = legal.or_else(|| suggestion::find_move_in_few_words(game, text));
            let hint = |mv| Err(Suggestion::MoveWithSlash(mv, seat_name::<G>(to_move)).into());
            name.map_or(Ok(None), hint)
        }
    }
}

/// Whether a comment is older than the last event, so that it is about an earlier position.
fn is_late<G: Game>(table: &Table<G>, context: &CommentContext) -> bool {
    table.history().last().is_some_and(|event| event.timestamp > context.updated_at)
}

/// Returns the username of the person who has just taken the seat that this comment was meant to take.
fn winner_of_race<G: Game>(table: &Table<G>, context: &CommentContext, text: &str) -> Option<String> {
    let event = table.history().last()?;
    let seat = event.seat?;
    let is_race = context.updated_at.saturating_sub(event.timestamp) <= RACE_TIME && table.guest() == Some(seat);
    let before = match &event.kind {
        EventKind::Move { .. } => table.timeline().previous_position()?,
        EventKind::Join => table.game(),
        _ => return None,
    };
    let is_legal = || before.parse_move(text).is_ok_and(|mv| before.legality_error(&mv).is_none());
    if is_race && (is_join(text) || is_legal()) { Some(table.occupant(seat)?.login.clone()) } else { None }
}

/// Whether the author has left this game before. A bare move doesn't bring them back; `/move` and `/join` do.
fn has_left<G: Game>(table: &Table<G>, context: &CommentContext) -> bool {
    table.history().iter().any(|event| event.kind == EventKind::Leave && event.by == context.author.id)
}

fn is_join(text: &str) -> bool {
    strip_decoration(text).eq_ignore_ascii_case("join")
}

/// Parses a comment that answers a question: whether it says yes; `None` for any other text.
fn parse_answer(text: &str) -> Option<bool> {
    match strip_decoration(text).to_lowercase().as_str() {
        "yes" | "ok" | "okay" | "sure" | "accept" | "accepted" | "yes please" | "ok sure" => Some(true),
        "no" | "no thanks" | "no thank you" | "no, thanks" | "no, thank you" | "decline" | "declined" => Some(false),
        _ => None,
    }
}

/// Returns the command for an answer.
fn answer_command(question: Question, accepts: bool) -> Command {
    match (question, accepts) {
        (Question::Invitation, true) => Command::Join(None),
        (_, true) => Command::Accept,
        (_, false) => Command::Decline,
    }
}
