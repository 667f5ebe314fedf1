//! Checks the titles, labels and assignees of issues against the records at the head.
//!
//! The product's own `issue_title` says what a title should be, so its wording isn't checked here.

use answers::commit_message::issue_title;
use protocol::Label;
use table::{Table, UserId};

use crate::simulator::core::Violate;
use crate::simulator::story::{OWN_TITLE, first_title};
use crate::simulator::{Core, Mode, Story, table_history};
use crate::world::{Issue, Note};

/// Checks that every issue shows the state of its game, and nothing else.
pub(crate) fn check(story: &Story, core: &Core, violate: &mut Violate<'_>) {
    for (number, issue) in &core.state.issues {
        let was_own = first_title(core.seed, *number, &issue.body.text) == OWN_TITLE;
        if was_own && issue.title != OWN_TITLE {
            violate("title", format!("issue {number} is called {:?} now", issue.title));
        }
        if !story.assigns_turns() && !issue.assignees.is_empty() {
            violate("assigned", format!("issue {number} is assigned to {:?}", issue.assignees));
        }
        let can_be_repaired = matches!(story.mode, Mode::Calm | Mode::Strict) && !issue.locked;
        let table = core.state.head_files().and_then(|files| table_history::find(files, *number));
        let table = table.filter(|table| can_be_repaired && !table.has_moved_away());
        if let Some(table) = table {
            check_table(story, &table, issue, violate);
        }
    }
}

fn check_table(story: &Story, table: &Table, issue: &Issue, violate: &mut Violate<'_>) {
    let number = table.issue();
    let title = issue_title(table);
    if issue.title != OWN_TITLE && issue.title != title {
        violate("title", format!("issue {number} is called {:?}, not {title:?}", issue.title));
    }
    let has_label = issue.labels.iter().any(|label| label == Label::OpenSeat.name());
    if has_label != table.has_open_seat() {
        violate("open seat", format!("issue {number} has the labels {:?}", issue.labels));
    }
    let player = table.person_to_move().filter(|_| story.assigns_turns());
    let wanted = Vec::from_iter(player.map(|(id, _)| id));
    let assigned: Vec<UserId> = issue.assignees.iter().map(|id| UserId::new(*id)).collect();
    // The bot assigns an issue only to people whose commands changed the table, or with a comment on the page that it reads. With short
    // replies, that page has at most three comments.
    let page = if story.setting.max_reply_bytes.is_some() { 3 } else { usize::MAX };
    let page = page.min(story.setting.comments_per_page);
    let mut notes = std::iter::once(&issue.body).chain(issue.comments.iter().rev().take(page));
    let wrote = player.is_some_and(|(id, login)| {
        let is_theirs = |note: &Note| note.author.as_deref() == Some(login);
        let moves = table.own_issue_comments(id);
        let is_move = |note: &Note| is_theirs(note) && moves.iter().any(|comment| comment.get() == note.id);
        notes.any(is_theirs) || issue.comments.iter().any(is_move)
    });
    if assigned != wanted && (wrote || !assigned.is_empty()) {
        violate("assigned", format!("issue {number} is assigned to {assigned:?}, not {player:?}"));
    }
}
