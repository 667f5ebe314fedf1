//! Conditional moves in answers.

use game::{Game, Phrase, Seat, Span, capitalize, code, phrase, quote, spans};
use table::{Branch, CommandError, Event, EventKind, MadeBy, Ply, Question, Suggestion, Table};

use crate::refusal::by_command::command_refusal;
use crate::sentences;

/// Returns the rest of a sentence that begins with the name of a player who announced conditional moves or dropped
/// them.
pub(super) fn announced<G: Game>(table: &Table<G>, seat: Option<Seat>, line: &[String]) -> Phrase {
    if line.is_empty() {
        return " dropped their conditional moves.".into();
    }
    let Some(seat) = seat else { return Phrase::default() };
    let opponent = sentences::player(table, seat.other());
    let follow = " plays along with one of these lines, the bot plays the reply at once:";
    phrase![" announced conditional moves. If ", opponent, follow, tree(table, seat), "\n\n"]
}

/// Returns the conditional moves of both players.
pub(super) fn shown<G: Game>(table: &Table<G>) -> Phrase {
    let lines = Seat::BOTH.into_iter().filter(|seat| !table.state().conditional_moves().tree_of(*seat).is_empty());
    let lines: Vec<Phrase> = lines
        .map(|seat| phrase!["Conditional moves of ", sentences::player(table, seat), ":", tree(table, seat)])
        .collect();
    if lines.is_empty() {
        let how = " While you wait, you can write your reply to a move of your opponent: ";
        return phrase!["There are no conditional moves.", how, code("/if MOVE REPLY"), "."];
    }
    Phrase::join(lines, "\n\n")
}

/// Returns the lines of a player as a list. A branch is a list within it.
fn tree<G: Game>(table: &Table<G>, seat: Seat) -> Phrase {
    let mut items = Vec::new();
    list_branches(table.game(), seat, table.state().conditional_moves().tree_of(seat), 0, &mut items);
    phrase!["\n", Phrase::join(items, "")]
}

/// Adds an item for each branch: its moves up to the next branches, as `/if` takes them.
fn list_branches<G: Game>(game: &G, seat: Seat, level: &[Branch<G::Move>], depth: usize, items: &mut Vec<Phrase>) {
    for branch in level {
        let (mut text, mut position, mut last) = (branch.notation.clone(), game.clone(), branch);
        while let [next] = last.next.as_slice() {
            let separator = if position.side_to_move() == seat { ", " } else { " " };
            text.extend([separator, &next.notation]);
            position = position.play(&last.mv);
            last = next;
        }
        items.push(phrase![format!("\n{}- ", "  ".repeat(depth)), code(text)]);
        list_branches(&position.play(&last.mv), seat, &last.next, depth + 1, items);
    }
}

/// Returns the conditional moves that followed from the last event except the last `skip`, as sentences with a leading space,
/// or as a list if there are more than two.
pub(super) fn played<G: Game>(table: &Table<G>, skip: usize) -> Phrase {
    let plies: Vec<Ply<'_, G>> =
        table.timeline().last_event_plies().filter(|ply| ply.made_by == MadeBy::Condition).collect();
    // A remark about a position follows the move that led to it.
    let commentary = |at: usize| Some(phrase![" ", plies.get(at)?.before.commentary()?]);
    let shown = &plies[..plies.len().saturating_sub(skip)];
    let moves = shown.iter().enumerate().map(|(at, ply)| phrase![played_move(table, ply), ".", commentary(at + 1)]);
    let moves = match shown.len() {
        0..=2 => Phrase::join(moves.map(|mv| phrase![" By a conditional move, ", mv]), ""),
        _ => phrase![" Conditional moves followed:\n\n- ", Phrase::join(moves, "\n- "), "\n\n"],
    };
    phrase![commentary(0), moves]
}

/// Returns a conditional move without a period: "alice (X) played `a1`".
pub(super) fn played_move<G: Game>(table: &Table<G>, ply: &Ply<'_, G>) -> Phrase {
    let action = match ply.played.and_then(|(mv, _)| G::action_phrase(mv)) {
        Some(action) => action.into(),
        None => phrase!["played ", code(ply.move_list_entry())],
    };
    phrase![sentences::player(table, ply.seat), " ", action]
}

/// Returns a sentence about an announced reply that wasn't played, because the move came with an offer; `None` for
/// other events.
pub(super) fn not_played<G: Game>(table: &Table<G>, event: &Event<G::Move>) -> Option<Phrase> {
    let branch = table.state().conditional_moves().tree_of(table.player_to_move()).first()?;
    if !matches!(event.kind, EventKind::Move { .. }) {
        return None;
    }
    let player = sentences::player(table, table.player_to_move());
    let why = ". Because of the offer, the bot didn't play it.";
    Some(phrase![" ", player, " had announced ", code(branch.notation.clone()), why])
}

// Suggestions in words: what a player may have meant, and how to write it.

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
