//! Answers: the claim before one, the answer itself, and the reaction, the label and the closing that go with it.

use tracing::{info, warn};

use crate::answers::announce;
use crate::answers::look::Look;
use crate::answers::marker::Marker;
use crate::pages::links::Links;
use crate::pages::markup::is_only_a_command;
use crate::protocol::forge::{Claim, Fault, Posted, Reaction};
use crate::protocol::patience::Patience;
use crate::protocol::place::Place;
use crate::protocol::run::Run;
use crate::protocol::view::{Doubt, View};
use crate::tables::any::AnyTable;
use crate::talk::comment::Source;
use crate::talk::thread::{Head, Oid};

/// The number of comments that an issue takes.
pub(crate) const FULL: u64 = 2_500;
/// The number of comments from which on the players are warned.
pub(crate) const CROWDED: u64 = 2_300;

impl Run<'_> {
    /// Puts the reaction on a comment that changes nothing: the run that put it there first answers. False: not this run.
    pub(super) async fn claim(&mut self, source: Source, reaction: Reaction) -> Result<bool, Fault> {
        let claimed = Doubt::Claimed(source);
        match self.forge.react(source, reaction).await? {
            Claim::Ours => _ = self.memory.own_claims.insert(source),
            Claim::Taken if self.memory.own_claims.contains(&source) || self.memory.believed.contains(&claimed) => {}
            Claim::Taken => {
                self.doubt(claimed).await?;
                return Ok(false);
            }
            Claim::Gone => {
                self.memory.done.insert(source);
                return Ok(false);
            }
            // The answer would be refused as well; and where it would not be, any more, another run may be giving it.
            Claim::Refused(why) => {
                self.ledger.no_answer(source.issue, &why);
                self.memory.done.insert(source);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Gives the answer that the last event of a table lacks.
    pub(super) async fn repair(&mut self, view: &View, table: u64, source: Source) -> Result<bool, Fault> {
        let record = view.threads.get(&table).and_then(|seen| seen.table.as_ref());
        let (Some(record), Head::At(head)) = (record, &view.head) else { return Ok(false) };
        info!(issue = source.issue, comment = source.comment, "giving an answer that was missing");
        self.ledger.repairs(table);
        let text = self.looking(Some(head), |look| announce::announce(record, look));
        self.reply(view, source, table, Some(head.clone()), &text).await?;
        Ok(true)
    }

    /// Makes an answer that shows boards as they are at a commit.
    pub(super) fn looking(&self, at: Option<&Oid>, answer: impl FnOnce(Look<'_>) -> String) -> String {
        let Place { web, coloured, turning, state_dir, .. } = self.place;
        match (web, at) {
            (Some(web), Some(at)) => answer(Look::Picture { at: &web.pictures(at, state_dir) }),
            (Some(_), None) => answer(Look::Fenced),
            (None, _) => answer(Look::Text { coloured: *coloured, turning: *turning }),
        }
    }

    /// Writes an answer, and what goes with it: all of it at once, because none of it waits for another.
    pub(super) async fn reply(
        &mut self,
        view: &View,
        source: Source,
        table: u64,
        commit: Option<Oid>,
        text: &str,
    ) -> Result<(), Fault> {
        let forge = self.forge;
        let accepted = commit.is_some();
        let own = source.issue == table;
        // What else somebody has written in the issue is not done with the answer.
        let body = view.threads.get(&source.issue).map(|seen| &seen.thread.body).filter(|_| source.comment == 0);
        let done = !own && body.is_some_and(|body| is_only_a_command(&body.text));
        let labelled = view.threads.get(&source.issue).is_none_or(|seen| seen.thread.labelled);
        let notice = self.crowded(view, source.issue, table).map_or(String::new(), |notice| format!("\n\n{notice}\n"));
        let body = Marker { source, table, commit }.above(&format!("{}{notice}", text.trim_end()));
        let settled = view.threads.get(&table).filter(|_| accepted);
        let (closed, after) =
            (settled.is_some_and(|seen| seen.thread.closed), settled.and_then(|seen| seen.table.as_ref()));
        let over = after.is_some_and(AnyTable::is_over) && self.place.house.close && !closed;
        let again = after.is_some_and(AnyTable::is_fresh_rematch) && closed;
        let (posted, rocket, label, close, close_table, reopen) = tokio::join!(
            forge.answer(source.issue, &body),
            when(accepted, async || forge.react(source, Reaction::Rocket).await.map(|_| ())),
            when(accepted && own && !labelled, async || forge.label(source.issue).await),
            when(done, async || forge.close(source.issue).await),
            when(over, async || forge.close(table).await),
            when(again, async || forge.reopen(table).await),
        );
        // These are ornaments: a game goes on without them.
        for fault in [rocket, label, close, close_table, reopen].into_iter().filter_map(Result::err) {
            warn!("the bot answered, but couldn't react, label, close or reopen: {fault}");
        }
        match posted {
            Ok(Posted::Done) => {}
            Ok(Posted::Refused(why)) => {
                self.ledger.no_answer(source.issue, &why);
                self.memory.mute.insert(source.issue);
            }
            Err(fault) => {
                if matches!(fault, Fault::Lost(_)) {
                    // It may be there, or may yet appear.
                    self.memory.own_claims.remove(&source);
                }
                return Err(fault);
            }
        }
        self.memory.done.insert(source);
        self.patience = Patience::new(forge.now());
        Ok(())
    }

    /// Returns the notice that the issue of a table is about to be full; `None` if it is not.
    fn crowded(&self, view: &View, issue: u64, table: u64) -> Option<String> {
        let seen = view.threads.get(&issue).filter(|_| issue == table)?;
        let total = seen.thread.total;
        if total < CROWDED || !seen.table.as_ref().is_some_and(AnyTable::is_playing) {
            return None;
        }
        let links = Links::of(self.place)?;
        let body = format!("/continue #{table}\n\nPress the green button to continue the game in this issue.");
        let link = links.new_issue(&format!("Continue table {table}"), &body);
        Some(format!(
            "This issue has {total} of at most {FULL} comments. [Continue in a new issue]({link}) with `/continue \
             #{table}`."
        ))
    }
}

async fn when<T: AsyncFnOnce() -> Result<(), Fault>>(condition: bool, then: T) -> Result<(), Fault> {
    if condition { then().await } else { Ok(()) }
}
