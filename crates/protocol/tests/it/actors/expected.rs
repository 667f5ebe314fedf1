//! The refusal that a comment will get, from the decision alone.

use answers::render::markdown;
use answers::sentence;
use protocol::Environment;
use table::{CommentContext, CommentRef, Decision, Refusal, Table, TableRefusal, decide_at_once, parse_comment};
use testkit::world::{World, default_config};

/// Returns the name and the sentence of the refusal that a comment at the table with this record will get; `None` if it won't be
/// refused.
pub(super) fn expected_refusal(world: &World, record: Option<&Table>, source: CommentRef) -> Option<(String, String)> {
    let (note, opener) = world.with_state(|state| {
        let note = state.comment_of(source.issue.get(), state.note(source).unwrap());
        (note, state.issues[&source.issue.get()].body.author.clone())
    });
    let author = note.author.unwrap();
    let parsed = parse_comment(&note.text);
    let table = parsed.table_number().unwrap_or(source.issue);
    // A locked issue's clock stands still.
    let is_locked = world.with_state(|state| state.issues.get(&table.get()).is_some_and(|issue| issue.locked));
    let waiting = record.filter(|_| is_locked).map(|record| record.clone().with_clock_start(world.now()));
    let record = waiting.as_ref().or(record);
    let context = CommentContext {
        parsed,
        by_issue_author: opener.as_ref() == Some(&author.login),
        author,
        permission: note.permission,
        issue_has_table: world.file(&format!("state/{}.json", source.issue)).is_some(),
        follows_question: false,
        refused_attempt: None,
        uses_french_letters: false,
        source,
        table,
        updated_at: note.updated_at,
        settled_through: source.comment,
        entropy: world.entropy().unwrap(),
    };
    match decide_at_once(record, &context, &default_config().policy) {
        Some(Decision::Refuse(refusal)) => Some((refusal_name(&refusal), markdown(&sentence(&refusal, record)))),
        _ => None,
    }
}

/// Returns the name of a refusal's variant.
fn refusal_name(refusal: &Refusal) -> String {
    let debug = match refusal {
        Refusal::Command(unclear) => format!("{unclear:?}"),
        Refusal::Suggestion(hint) => format!("{hint:?}"),
        Refusal::Setup(refusal) => format!("{refusal:?}"),
        Refusal::Move(refusal) => format!("{refusal:?}"),
        Refusal::Table(TableRefusal::Seat(refusal)) => format!("{refusal:?}"),
        Refusal::Table(TableRefusal::Offer(refusal)) => format!("{refusal:?}"),
        Refusal::Table(TableRefusal::Clock(refusal)) => format!("{refusal:?}"),
        Refusal::Table(refusal) => format!("{refusal:?}"),
        refusal => format!("{refusal:?}"),
    };
    debug.chars().take_while(|c| c.is_alphanumeric()).collect()
}
