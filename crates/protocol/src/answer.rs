//! Composes the answer to a command: the comment, and the updates of issues that come with it. Some of those show the state of the
//! game: the title, the label of open seats, and the assignee.

use answers::issue_title::{is_placeholder, issue_title};
use answers::marker::{Marker, Notice};
use answers::pages::markup::is_only_a_command;
use table::any_table::AnyTable;
use table::comments::comment::CommentRef;
use table::decisions::host_policy::HostPolicy;
use table::ids::{CommentId, IssueNumber};
use table::oid::Oid;

use crate::forge::{Answer, Assignee, Comment, Label, MAX_ASSIGNEES, Update};
use crate::repo_config::RepoConfig;
use crate::view::{ThreadView, View};

/// GitHub's limit on the comments of an issue.
pub const MAX_COMMENTS: u64 = 2_500;
/// The number of comments from which the bot warns the players that the issue is nearly full.
pub const COMMENTS_WARNING: u64 = 2_300;

/// The text of an answer, and what it is about.
pub(super) struct AnswerText<'a> {
    /// The comment that the bot answers.
    pub(super) source: CommentRef,
    /// The table that the command was for.
    pub(super) table: IssueNumber,
    /// The commit that applied the command; `None` if the command changed nothing.
    pub(super) commit: Option<Oid>,
    /// The Markdown below the marker.
    pub(super) text: &'a str,
}

impl AnswerText<'_> {
    /// Returns the answer with its marker, and the updates that the issues in the view lack.
    pub(super) fn compose(self, config: &RepoConfig, view: &View) -> Answer {
        let updates = self.updates(config, view);
        let AnswerText { source, table, commit, text } = self;
        let notice = if source.issue == table { nearly_full_notice(view, config, table) } else { None };
        let notice = notice.map_or(String::new(), |notice| format!("\n\n{notice}\n"));
        let body = Marker { source, table, commit }.prepend_to(&format!("{}{notice}", text.trim_end()));
        Answer { source, body, updates }
    }

    fn updates(&self, config: &RepoConfig, view: &View) -> Vec<Update> {
        let AnswerText { source, table, .. } = *self;
        let is_accepted = self.commit.is_some();
        let is_at_table = source.issue == table;
        let seen = view.threads.get(&source.issue);
        // The issue stays open if its body says more than the command.
        let holds_only_command =
            !is_at_table && source.is_body() && seen.is_some_and(|seen| is_only_a_command(&seen.thread.body.text));
        // The label lets a bare move start a run. It's for tables, and for issues whose body is a command that a link
        // filled in, even if the bot refused it.
        let takes_moves = if is_at_table { is_accepted } else { holds_only_command && view.table(table).is_some() };
        let needs_label = takes_moves && seen.is_some_and(|seen| !seen.thread.has_label);
        let at_table = view.threads.get(&table).filter(|_| is_accepted);
        let updates = [
            is_accepted.then_some(Update::Rocket(source)),
            needs_label.then_some(Update::Label(source.issue, Label::Game)),
        ];
        // If a game moved here, nobody has to move in its old issue any more.
        let has_moved = |seen: &&ThreadView| seen.table.as_ref().is_some_and(AnyTable::has_moved_away);
        let shown = at_table.into_iter().chain(view.threads.values().filter(has_moved).filter(|_| is_accepted));
        let shown = shown.flat_map(|seen| display_updates(seen, &config.policy));
        let closing = [
            holds_only_command.then_some(Update::Close(source.issue)),
            at_table.filter(|seen| needs_closing(seen, config)).map(|_| Update::Close(table)),
        ];
        updates.into_iter().flatten().chain(shown).chain(closing.into_iter().flatten()).collect()
    }
}

/// Returns a notice about a table, with the updates that its issue in the view lacks.
pub(super) fn notice(config: &RepoConfig, view: &View, notice: &Notice, text: &str) -> Answer {
    let seen = view.threads.get(&notice.table);
    let shown = seen.into_iter().flat_map(|seen| display_updates(seen, &config.policy));
    let closing = seen.filter(|seen| needs_closing(seen, config)).map(|_| Update::Close(notice.table));
    Answer { source: notice.place(), body: notice.prepend_to(text.trim_end()), updates: shown.chain(closing).collect() }
}

/// Whether the bot has to close an issue: it's open, its game is over, and the host wants such issues closed.
fn needs_closing(seen: &ThreadView, config: &RepoConfig) -> bool {
    seen.table.as_ref().is_some_and(AnyTable::is_over) && config.policy.close_finished && !seen.thread.is_closed
}

/// Returns the update that reopens the issue of a rematch; `None` if the issue is open.
///
/// The run makes it only after its answer has arrived. Otherwise, a later run tries the answer again, and the host may
/// have closed the issue on purpose by then.
pub(super) fn reopening(view: &View, table: IssueNumber) -> Option<Update> {
    let seen = view.threads.get(&table)?;
    let is_rematch = seen.table.as_ref().is_some_and(AnyTable::is_fresh_rematch);
    if is_rematch && seen.thread.is_closed { Some(Update::Reopen(table)) } else { None }
}

/// Returns the notice that a table's issue is nearly full; `None` if there is room or the game is over.
fn nearly_full_notice(view: &View, config: &RepoConfig, table: IssueNumber) -> Option<String> {
    let seen = view.threads.get(&table)?;
    let total = seen.thread.comment_count;
    if total < COMMENTS_WARNING || !seen.table.as_ref().is_some_and(AnyTable::is_playing) {
        return None;
    }
    let body = format!("/continue #{table}\n\nPress the green button to continue the game in this issue.");
    let link = config.links()?.new_issue(&format!("Continue table {table}"), &body);
    Some(format!(
        "This issue has {total} of at most {MAX_COMMENTS} comments. [Continue in a new issue]({link}) with `/continue \
         #{table}`."
    ))
}

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
