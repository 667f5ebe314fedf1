//! Posts the answer to a command, with the reaction, the label, and the closing or reopening that come with it.

use answers::marker::Marker;
use answers::pages::markup::is_only_a_command;
use table::any_table::AnyTable;
use table::ids::IssueNumber;
use table::oid::Oid;
use table::talk::comment::Source;
use tracing::warn;

use crate::forge::{Fault, Forge, PostOutcome, Reaction};
use crate::repo_config::RepoConfig;
use crate::view::View;

/// GitHub's limit on the comments of an issue.
pub const MAX_COMMENTS: u64 = 2_500;
/// The number of comments from which the bot warns the players that the issue is nearly full.
pub const COMMENTS_WARNING: u64 = 2_300;

/// An answer to a command.
pub(super) struct Answer<'a> {
    /// The comment that the bot answers.
    pub(super) source: Source,
    /// The table that the command was for.
    pub(super) table: IssueNumber,
    /// The commit that applied the command; `None` if the command changed nothing.
    pub(super) commit: Option<Oid>,
    /// The Markdown below the marker.
    pub(super) text: &'a str,
}

impl Answer<'_> {
    /// Posts the answer. At the same time, it reacts to the command, labels its issue, and closes issues as needed.
    ///
    /// # Errors
    /// Returns an error if the answer can't be posted. A fault of the other requests is only logged.
    pub(super) async fn post(self, forge: &dyn Forge, config: &RepoConfig, view: &View) -> Result<PostOutcome, Fault> {
        let Answer { source, table, commit, text } = self;
        let is_accepted = commit.is_some();
        let is_at_table = source.issue == table;
        let seen = view.threads.get(&source.issue);
        // The issue stays open if its body says more than the command.
        let holds_only_command =
            !is_at_table && source.is_body() && seen.is_some_and(|seen| is_only_a_command(&seen.thread.body.text));
        // With the label, a bare move starts a run: at the table, and below a command that a link filled in, even a refused one.
        let takes_moves = if is_at_table { is_accepted } else { holds_only_command && view.table(table).is_some() };
        let needs_label = takes_moves && seen.is_some_and(|seen| !seen.thread.has_label);
        let notice = if is_at_table { nearly_full_notice(view, config, table) } else { None };
        let notice = notice.map_or(String::new(), |notice| format!("\n\n{notice}\n"));
        let body = Marker { source, table, commit }.prepend_to(&format!("{}{notice}", text.trim_end()));
        let (mut closes_table, mut reopens_table) = (false, false);
        if is_accepted && let Some(seen) = view.threads.get(&table) {
            let is_closed = seen.thread.is_closed;
            let is_over = seen.table.as_ref().is_some_and(AnyTable::is_over);
            closes_table = is_over && config.policy.close_finished && !is_closed;
            reopens_table = is_closed && seen.table.as_ref().is_some_and(AnyTable::is_fresh_rematch);
        }
        let (posted, rocket, label, close, close_table) = tokio::join!(
            forge.answer(source.issue, &body),
            run_if(is_accepted, async || forge.react(source, Reaction::Rocket).await.map(|_| ())),
            run_if(needs_label, async || forge.label(source.issue).await),
            run_if(holds_only_command, async || forge.close(source.issue).await),
            run_if(closes_table, async || forge.close(table).await),
        );
        // Later runs may try the answer again, and the host may have closed the issue by then. So an answer that doesn't arrive
        // reopens nothing.
        let is_posted = matches!(posted, Ok(PostOutcome::Done));
        let reopen = run_if(reopens_table && is_posted, async || forge.reopen(table).await).await;
        // Only the answer is essential: the game continues without these.
        for fault in [rocket, label, close, close_table, reopen].into_iter().filter_map(Result::err) {
            warn!("The bot answered, but couldn't react, label, close or reopen. {fault}");
        }
        posted
    }
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

async fn run_if<T: AsyncFnOnce() -> Result<(), Fault>>(condition: bool, action: T) -> Result<(), Fault> {
    if condition { action().await } else { Ok(()) }
}
