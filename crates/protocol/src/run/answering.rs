//! Claims and posts answers.

use std::time::Duration;

use answers::announce;
use table::any_table::{AnyTable, with_table};
use table::comments::comment::CommentRef;
use table::comments::context::CommentContext;
use table::decisions::decision::Query;
use table::decisions::refusal::Refusal;
use table::game_state::time::LATE_AFTER;
use table::ids::IssueNumber;
use table::oid::Oid;
use table::refusal::TableRefusal;
use table::timestamp::Timestamp;
use tracing::{info, warn};

use crate::announcement::announcement;
use crate::answer::{AnswerText, reopening};
use crate::backoff::Backoff;
use crate::forge::{ClaimOutcome, CommitOutcome, Fault, NOT_ASSIGNED, PostOutcome, Reaction, Update};
use crate::game_file::game_file;
use crate::game_review::{self, earlier_review};
use crate::host_note::HostNote;
use crate::issue_display::display_updates;
use crate::memory::Fact;
use crate::own_games_query::GamesInProgress;
use crate::run::{AnswerClaim, Run, StepOutcome};
use crate::running_files::RunningFiles;
use crate::settle_error::PassError;
use crate::view::{RecordFault, Uncertainty, View};

/// The part of the time for a move after which a run files the start of a turn again if it still can't post the answer. In a full
/// thread it never can, so filing it on every run would add a commit each time.
const FILED_AGAIN_AFTER: u32 = 4;

impl Run<'_> {
    /// Posts the missing answer to a table's last event.
    pub(super) async fn post_missing_answer(
        &mut self,
        view: &mut View,
        table: IssueNumber,
        source: CommentRef,
    ) -> Result<StepOutcome, PassError> {
        let (Some(record), Some(head)) = (view.table(table), view.head_commit().cloned()) else {
            return Ok(StepOutcome::ReadAgain);
        };
        let (now, filed) = (self.forge.now(), record.turn_started_at());
        // An earlier run may have filed the start of the turn, and failed to post this answer. If so, this run doesn't file it again.
        let is_filed = filed > record.clone().with_clock_start(Timestamp::EPOCH).turn_started_at();
        let per_move = with_table!(record, table => table.terms().per_move.unwrap_or(Duration::MAX));
        let is_recent = now.since(filed) < per_move / FILED_AGAIN_AFTER;
        let record = &if is_filed && is_recent { record.clone() } else { record.clone().announced_at(now) };
        if !self.file_late_turn(view, record, &head).await? {
            return Ok(StepOutcome::ReadAgain);
        }
        info!("Posting the answer that comment {} of issue {} lacks.", source.comment, source.issue);
        if !self.memory.has(Fact::AnswersAlone(source)) {
            self.ledger.record_repaired(record);
        }
        let text = self.config.render_answer(Some(&head), |format| announcement(record, self.config, format));
        view.start_new_turn(table, self.forge.now());
        self.post_answer(view, AnswerText { source, table, commit: Some(head), text: &text }).await
    }

    /// Commits the short file of a table whose player learns of their turn late. This happens before the answer, because a later run
    /// may read the file without the answer's thread. Returns false if the run has to read again.
    async fn file_late_turn(&mut self, view: &mut View, table: &AnyTable, head: &Oid) -> Result<bool, PassError> {
        let is_late = view
            .running_game(table.issue())
            .is_some_and(|game| game.is_of_turn(table) && table.turn_started_at().since(game.since) >= LATE_AFTER);
        let files = RunningFiles::updates(view, &self.config.state_dir, [table]);
        let change = files.into_change(head, table.issue(), self.config.skip_ci, self.forge.now());
        let Some(change) = change.filter(|_| is_late) else { return Ok(true) };
        match self.forge.commit(&change).await? {
            CommitOutcome::Landed(commit) => view.apply_commit(commit, [table.clone()]),
            CommitOutcome::Stale => {
                self.backoff.after_race(self.forge).await?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Claims the answer to a command that changes nothing, by adding the reaction.
    pub(super) async fn claim(&mut self, source: CommentRef, reaction: Reaction) -> Result<AnswerClaim, PassError> {
        match self.forge.react(source, reaction).await? {
            ClaimOutcome::Ours => self.memory.note(Fact::OwnClaim(source)),
            ClaimOutcome::Taken if self.memory.may_answer(source) => {}
            ClaimOutcome::Taken => {
                self.wait_for(Uncertainty::Claimed(source)).await?;
                return Ok(AnswerClaim::Denied);
            }
            ClaimOutcome::Gone => {
                self.memory.note(Fact::Settled(source));
                return Ok(AnswerClaim::Denied);
            }
            // The forge would refuse the answer, too. If somebody has unlocked the issue since, another run may be
            // answering.
            ClaimOutcome::Refused(why) => {
                self.ledger.note(HostNote::Unanswerable(source.issue, why));
                self.memory.note(Fact::Settled(source));
                return Ok(AnswerClaim::Denied);
            }
        }
        Ok(AnswerClaim::Ours)
    }

    /// Posts an answer and resets the backoff. If the comment isn't posted, the run reads again, and then posts it
    /// without the updates.
    pub(super) async fn post_answer(&mut self, view: &View, text: AnswerText<'_>) -> Result<StepOutcome, PassError> {
        let (source, reopening) = (text.source, text.commit.as_ref().and_then(|_| reopening(view, text.table)));
        let mut answer = text.compose(self.config, view);
        if self.memory.has(Fact::AnswersAlone(source)) {
            answer.updates.clear();
        }
        let outcome = self.forge.answer(&answer).await.inspect_err(|fault| {
            if matches!(fault, Fault::Lost(_)) {
                // The answer may have been posted, or may still appear.
                self.memory.forget(Fact::OwnClaim(source));
            }
        })?;
        for update in answer.updates {
            if let Some(issue) = update.issue() {
                self.memory.note(Fact::IssueUpdated(issue));
            }
        }
        match outcome.comment {
            PostOutcome::Done => {
                // Somebody may have unlocked the issue.
                self.memory.forget(Fact::Unanswerable(source.issue));
                // Only the comment is essential: the game continues without the rest.
                for (update, why) in outcome.failed_updates {
                    self.note_failed_update(&update, &why);
                }
                if let Some(update) = reopening {
                    self.make_update(update).await;
                }
            }
            PostOutcome::Refused(why) => {
                self.ledger.note(HostNote::Unanswerable(source.issue, why));
                self.memory.note(Fact::Unanswerable(source.issue));
            }
            PostOutcome::Failed(why) => {
                info!("The answer to comment {} of issue {} wasn't posted: {why}", source.comment, source.issue);
                self.memory.note(Fact::AnswersAlone(source));
                return Ok(StepOutcome::ReadAgain);
            }
        }
        self.memory.note(Fact::Settled(source));
        self.backoff = Backoff::new(self.forge);
        Ok(StepOutcome::Done)
    }

    /// Unassigns players of the game that a new round replaces, in case an earlier update failed. The next record doesn't name
    /// them, so no later run could do it.
    pub(super) async fn unassign_former_players(&mut self, view: &View, table: IssueNumber) {
        let updates = view.threads.get(&table).map_or(Vec::new(), |seen| display_updates(seen, &self.config.policy));
        for update in updates.into_iter().filter(|update| matches!(update, Update::Unassign(..))) {
            self.make_update(update).await;
        }
    }

    /// Makes an update that should have come with an answer. A failure is only logged, because the game continues without it.
    pub(super) async fn make_update(&mut self, update: Update) {
        if let Err(fault) = self.forge.update(&update).await {
            self.note_failed_update(&update, &fault.to_string());
        }
    }

    pub(super) fn note_failed_update(&mut self, update: &Update, why: &str) {
        match update {
            Update::Assign(issue, person) if why == NOT_ASSIGNED => {
                self.ledger.note(HostNote::NotAssigned(*issue, person.login.clone()));
            }
            update => warn!("The bot answered, but {update} failed. {why}"),
        }
    }

    /// Notes a refusal for the host, if its cause is theirs to fix.
    pub(super) fn note_refusal(
        &mut self,
        table: IssueNumber,
        source: CommentRef,
        refusal: &Refusal,
        record_fault: Option<RecordFault>,
    ) {
        if let Some(fault) = record_fault {
            let problem = self.config.record_problem(table, fault);
            self.ledger.note(HostNote::RefusedForRecord(source.issue, problem));
        }
        if matches!(refusal, Refusal::ForeignRecord(_)) {
            self.ledger.note(HostNote::ForeignRecords);
        }
        if *refusal == Refusal::Table(TableRefusal::SecretLost) {
            self.ledger.note(HostNote::LostSecret(table));
        }
    }

    /// Returns the answer to a query, except about the standings. It may take a search or many requests, so only the run that
    /// holds the claim calls this.
    pub(super) async fn show_text(
        &mut self,
        view: &View,
        context: &CommentContext,
        query: &Query,
        table: Option<&AnyTable>,
    ) -> Result<String, Fault> {
        let (config, head, at) = (self.config, view.head_commit(), context.updated_at);
        if let (Query::Review, Some(table)) = (query, table)
            && let Some(text) = earlier_review(view, context.source, table)
        {
            return Ok(text);
        }
        if let (Query::OwnGames(person), Some(head)) = (query, head) {
            let games = match self.games_in_progress.take().filter(|games| games.is_at(head)) {
                Some(games) => games,
                None => GamesInProgress::read(self.forge, config, head, view.repository).await?,
            };
            return Ok(self.games_in_progress.insert(games).answer(config, person, at));
        }
        Ok(self.cache.show_text(query, table, || {
            config.render_answer(head, |format| match (query, table) {
                (Query::Review, Some(table)) => game_review::review(table, config, at, format),
                _ => game_file(query, table, config)
                    .unwrap_or_else(|| announce::show(query, table, &config.policy, at, format)),
            })
        }))
    }
}
