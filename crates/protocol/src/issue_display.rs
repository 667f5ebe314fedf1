//! The parts of a table's issue that show the state of its game: the title, the label of open seats, and the assignee.

use answers::issue_title::{is_placeholder, issue_title};
use table::any_table::AnyTable;
use table::decisions::host_policy::HostPolicy;
use table::ids::CommentId;

use crate::forge::{Assignee, Comment, Label, MAX_ASSIGNEES, Update};
use crate::view::ThreadView;

/// Returns the updates that make a table's issue show the state of its game, in order.
pub(super) fn display_updates(seen: &ThreadView, policy: &HostPolicy) -> Vec<Update> {
    let Some(table) = &seen.table else { return Vec::new() };
    let mut updates = Vec::from_iter(label_update(seen, table));
    updates.extend(title_update(seen, table));
    if policy.assign_turns {
        updates.extend(assignment_updates(seen, table));
    }
    updates
}

fn label_update(seen: &ThreadView, table: &AnyTable) -> Option<Update> {
    let issue = table.issue();
    match (table.has_open_seat(), seen.thread.has_open_seat_label) {
        (true, false) => Some(Update::Label(issue, Label::OpenSeat)),
        (false, true) => Some(Update::Unlabel(issue, Label::OpenSeat)),
        _ => None,
    }
}

/// Replaces a placeholder or an older title of the bot. Keeps titles that people wrote.
fn title_update(seen: &ThreadView, table: &AnyTable) -> Option<Update> {
    let title = issue_title(table);
    let old = seen.thread.title.trim();
    let changes = old != title && is_placeholder(old, &seen.thread.body.text);
    changes.then(|| Update::Title(table.issue(), title))
}

/// Unassigns players whose turn it isn't, and assigns the issue to the player to move.
fn assignment_updates(seen: &ThreadView, table: &AnyTable) -> Vec<Update> {
    let issue = table.issue();
    let player = table.person_to_move().map(|(id, login)| Assignee { id, login: login.to_owned() });
    let assigned = &seen.thread.assignees;
    let is_wanted = |id| player.as_ref().is_some_and(|player| player.id == id);
    let (ended, others): (Vec<_>, Vec<_>) =
        assigned.iter().filter(|person| !is_wanted(person.id)).partition(|person| table.has_seated(person.id));
    let is_assigned = assigned.iter().any(|person| is_wanted(person.id));
    // GitHub ignores people who have never written in the issue, such as those who always move by a link. If a player's
    // comments are too far up to be in the view, the record shows that they wrote.
    let wrote = |id| {
        let is_author = |comment: &Comment| comment.author.as_ref().is_some_and(|author| author.id == id);
        let first = seen.thread.comments.first().filter(|_| seen.thread.earlier_cursor.is_some());
        let is_above = |id: &CommentId| first.is_some_and(|first| *id < first.id && *id != CommentId::BODY);
        seen.thread.all_comments().any(is_author) || table.own_issue_comments(id).iter().any(is_above)
    };
    let new = player.filter(|player| !is_assigned && others.len() < MAX_ASSIGNEES && wrote(player.id));
    let ended = ended.into_iter().map(|person| Update::Unassign(issue, person.clone()));
    ended.chain(new.map(|person| Update::Assign(issue, person))).collect()
}
