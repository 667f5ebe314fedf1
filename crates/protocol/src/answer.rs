//! An answer, and the reaction, the label and the closing that go with it.

use answers::marker::Marker;
use answers::pages::markup::is_only_a_command;
use table::any_table::AnyTable;
use table::talk::comment::Source;
use table::talk::thread::Oid;
use tracing::warn;

use crate::forge::{Fault, Forge, PostOutcome, Reaction};
use crate::repo_config::RepoConfig;
use crate::view::View;

/// The number of comments that an issue takes.
pub const MAX_COMMENTS: u64 = 2_500;
/// The number of comments from which on the players are warned.
pub const COMMENTS_WARNING: u64 = 2_300;

/// An answer to a command.
pub(super) struct Answer<'a> {
    /// The comment that it answers.
    pub(super) source: Source,
    /// The table that the command was for.
    pub(super) table: u64,
    /// The commit that applied the command; `None` if it has changed nothing.
    pub(super) commit: Option<Oid>,
    pub(super) text: &'a str,
}

impl Answer<'_> {
    /// Writes the answer, and what goes with it: all of it at once, because none of it waits for another.
    pub(super) async fn post(self, forge: &dyn Forge, place: &RepoConfig, view: &View) -> Result<PostOutcome, Fault> {
        let Answer { source, table, commit, text } = self;
        let accepted = commit.is_some();
        let own = source.issue == table;
        // What else somebody has written in the issue is not done with the answer.
        let body = view.threads.get(&source.issue).map(|seen| &seen.thread.body).filter(|_| source.comment == 0);
        let done = !own && body.is_some_and(|body| is_only_a_command(&body.text));
        let labelled = view.threads.get(&source.issue).is_none_or(|seen| seen.thread.has_label);
        let notice = if own { nearly_full_notice(view, place, table) } else { None };
        let notice = notice.map_or(String::new(), |notice| format!("\n\n{notice}\n"));
        let body = Marker { source, table, commit }.prepend_to(&format!("{}{notice}", text.trim_end()));
        let settled = view.threads.get(&table).filter(|_| accepted);
        let (closed, after) =
            (settled.is_some_and(|seen| seen.thread.is_closed), settled.and_then(|seen| seen.table.as_ref()));
        let over = after.is_some_and(AnyTable::is_over) && place.policy.close_finished && !closed;
        let again = after.is_some_and(AnyTable::is_fresh_rematch) && closed;
        let (posted, rocket, label, close, close_table, reopen) = tokio::join!(
            forge.answer(source.issue, &body),
            run_if(accepted, async || forge.react(source, Reaction::Rocket).await.map(|_| ())),
            run_if(accepted && own && !labelled, async || forge.label(source.issue).await),
            run_if(done, async || forge.close(source.issue).await),
            run_if(over, async || forge.close(table).await),
            run_if(again, async || forge.reopen(table).await),
        );
        // These are ornaments: a game goes on without them.
        for fault in [rocket, label, close, close_table, reopen].into_iter().filter_map(Result::err) {
            warn!("the bot answered, but couldn't react, label, close or reopen: {fault}");
        }
        posted
    }
}

/// Returns the notice that the issue of a table is about to be full; `None` if it is not.
fn nearly_full_notice(view: &View, place: &RepoConfig, table: u64) -> Option<String> {
    let seen = view.threads.get(&table)?;
    let total = seen.thread.comment_count;
    if total < COMMENTS_WARNING || !seen.table.as_ref().is_some_and(AnyTable::is_playing) {
        return None;
    }
    let body = format!("/continue #{table}\n\nPress the green button to continue the game in this issue.");
    let link = place.links()?.new_issue(&format!("Continue table {table}"), &body);
    Some(format!(
        "This issue has {total} of at most {MAX_COMMENTS} comments. [Continue in a new issue]({link}) with `/continue \
         #{table}`."
    ))
}

async fn run_if<T: AsyncFnOnce() -> Result<(), Fault>>(condition: bool, then: T) -> Result<(), Fault> {
    if condition { then().await } else { Ok(()) }
}
