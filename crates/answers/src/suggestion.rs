//! Suggestions in words: what a player may have meant, and how to write it.

use game::phrase::{Phrase, Span, capitalize, code, phrase, quote, spans};
use table::comments::command::CommandError;
use table::decisions::refusal::Suggestion;
use table::question::Question;

use crate::refusal::by_command::command_refusal;

/// Returns what the player may have meant, as a sentence.
pub(super) fn sentence(suggestion: &Suggestion) -> Phrase {
    match suggestion {
        Suggestion::Move(notation) => {
            let how = "? Put just the move on the first line. You can chat below it.";
            phrase!["Did you mean ", code(notation.clone()), how]
        }
        Suggestion::MoveThenIf(notation) => {
            let how = "? Put just the move on the first line. Then announce your next moves in another comment: ";
            phrase!["Did you mean ", code(notation.clone()), how, code("/if MOVE REPLY"), "."]
        }
        Suggestion::OfferAlone => {
            let how = " in a comment of its own. It answers before you move.";
            phrase!["To offer the computer a draw, write ", code("/draw"), how]
        }
        Suggestion::OneMove => "There's more than one move here. Put just your move on the first line.".into(),
        Suggestion::MissingSlash(command) => phrase![command.purpose(), ", write ", code(command.word()), "."],
        Suggestion::MoveWithSlash(notation, side) => {
            let (play, command) = (code(notation.clone()), code(format!("/move {notation}")));
            phrase!["To take ", capitalize(side), " and play ", play, ", write ", command, "."]
        }
        Suggestion::JoinFirst(side) => {
            let how = " to take the open seat.";
            phrase![capitalize(side), " doesn't move yet. Write ", code("/join"), how]
        }
        Suggestion::AnswerQuestion(questions) => answer_hint(questions),
        Suggestion::UnknownCommand(word) => command_refusal(&CommandError::Unknown(word.clone())),
        Suggestion::NotOnFirstLine(word) => {
            phrase!["Commands only work on the first line. Post a comment that starts with ", quote(word), "."]
        }
    }
}

/// Returns a hint on how to answer the opponent's questions.
fn answer_hint(questions: &[Question]) -> Phrase {
    let words: &[Span] = match questions {
        [Question::Invitation] => {
            spans!["To play, write " ("/join") ". To decline the invitation, write " ("/decline") "."]
        }
        [Question::Draw] => spans!["To accept the draw, write " ("/accept") ". To decline it, write " ("/decline") "."],
        [Question::Takeback] => {
            spans!["To allow the takeback, write " ("/accept") ". To decline it, write " ("/decline") "."]
        }
        [Question::Resignation] => {
            spans!["To accept the resignation, write " ("/accept") ". To decline it, write " ("/decline") "."]
        }
        _ => spans![
            "Your opponent has asked you more than one thing. To accept the draw, write " ("/draw")
            "; to allow the takeback, write " ("/undo") "; to decline everything, write " ("/decline") "."
        ],
    };
    words.into()
}
