//! Claims and posts answers.

use std::time::Duration;

use answers::{Notice, announce};
use table::{Author, CommentRef, IssueNumber, LATE_AFTER, Oid, Table, Timestamp};
use tracing::{info, warn};

use crate::answer::{AnswerText, display_updates, reopening};
use crate::clock::Backoff;
use crate::commit_files::RunningFiles;
use crate::ledger::PassError;
use crate::memory::RunNote;
use crate::reader::{RepoState, Uncertainty};
use crate::settle::{Run, StepOutcome};
use crate::{
    Answer, ClaimOutcome, CommitOutcome, HostNote, NOT_ASSIGNED, PostOutcome, Reaction, RequestError, Update,
    announcement,
};

/// The fraction of the time for a move after which a run files the start of a turn again if it still can't post the answer. In a full
/// thread it never can, so filing it on every run would add a commit each time.
const FILED_AGAIN_AFTER: u32 = 4;

/// Whether this run may answer a command that changes nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerClaim {
    /// It may.
    Ours,
    /// Another run may be answering, or nobody can.
    Denied,
}

impl Run<'_> {
    /// Posts the missing answer to a table's last event.
    pub(super) async fn post_missing_answer(
        &mut self,
        view: &mut RepoState,
        table: IssueNumber,
        source: CommentRef,
    ) -> Result<StepOutcome, PassError> {
        let (Some(record), Some(head)) = (view.table(table), view.head_commit().cloned()) else {
            return Ok(StepOutcome::ReadAgain);
        };
        let (now, filed) = (self.forge.now(), record.turn_started_at());
        // An earlier run may have filed the start of the turn, and failed to post this answer. If so, this run doesn't file it again.
        let is_filed = filed > record.clone().with_clock_start(Timestamp::EPOCH).turn_started_at();
        let per_move = record.terms().per_move.unwrap_or(Duration::MAX);
        let is_recent = now.since(filed) < per_move / FILED_AGAIN_AFTER;
        let record = &if is_filed && is_recent { record.clone() } else { record.clone().announced_at(now) };
        if !self.file_late_turn(view, record, &head).await? {
            return Ok(StepOutcome::ReadAgain);
        }
        info!("Posting the answer that comment {} of issue {} lacks.", source.comment, source.issue);
        if !self.memory.has(RunNote::AnswersAlone(source)) {
            self.ledger.record_repaired(record);
        }
        let text = self.config.render_answer(Some(&head), |format| announcement(record, self.config, format));
        view.start_new_turn(table, self.forge.now());
        let has_board = announce::event_shows_board(record);
        let answer = AnswerText { source, table, commit: Some(head), has_board, sets_away: false, text: &text };
        self.post_answer(view, answer).await
    }

    /// Commits the summary of a table whose player learns of their turn late. This happens before the answer, because a later run
    /// may read the file without the answer's thread. Returns false if the run has to read again.
    async fn file_late_turn(&mut self, view: &mut RepoState, table: &Table, head: &Oid) -> Result<bool, PassError> {
        let is_late = view
            .game_summary(table.issue())
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
            ClaimOutcome::Ours => self.memory.note(RunNote::OwnClaim(source)),
            ClaimOutcome::Taken if self.memory.may_answer(source) => {}
            ClaimOutcome::Taken => {
                self.wait_for(Uncertainty::Claimed(source)).await?;
                return Ok(AnswerClaim::Denied);
            }
            ClaimOutcome::Gone => {
                self.memory.note(RunNote::Settled(source));
                return Ok(AnswerClaim::Denied);
            }
            // The forge would refuse the answer, too. If somebody has unlocked the issue since, another run may be
            // answering.
            ClaimOutcome::Refused(why) => {
                self.ledger.note(HostNote::Unanswerable(source.issue, why));
                self.memory.note(RunNote::Settled(source));
                return Ok(AnswerClaim::Denied);
            }
        }
        Ok(AnswerClaim::Ours)
    }

    /// Counts a command that was answered without changing anything. If its author is at the limit now, adds a note for the host.
    pub(super) fn count_answer_without_change(&mut self, author: &Author) {
        self.memory.count_answer_without_change(author);
        if self.memory.is_at_limit(author) {
            self.ledger.note(HostNote::PersonLimit);
        }
    }

    /// Posts an answer and resets the backoff. If the comment isn't posted, the run reads again, and then posts it
    /// without the updates.
    pub(super) async fn post_answer(
        &mut self,
        view: &RepoState,
        text: AnswerText<'_>,
    ) -> Result<StepOutcome, PassError> {
        let (source, reopening) = (text.source, text.commit.as_ref().and_then(|_| reopening(view, text.table)));
        let mut answer = text.compose(self.config, view);
        if self.memory.has(RunNote::AnswersAlone(source)) {
            answer.updates.clear();
        }
        let outcome = self.forge.answer(&answer).await.inspect_err(|error| {
            if matches!(error, RequestError::Lost(_)) {
                // The answer may have been posted, or may still appear.
                self.memory.forget(RunNote::OwnClaim(source));
            }
        })?;
        for update in answer.updates {
            if let Some(issue) = update.issue() {
                self.memory.note(RunNote::IssueUpdated(issue));
            }
        }
        match outcome.comment {
            PostOutcome::Done => {
                // Somebody may have unlocked the issue.
                self.memory.forget(RunNote::Unanswerable(source.issue));
                // Only the comment is essential: the game continues without the rest.
                self.note_failed_updates(&outcome.failed_updates);
                if let Some(update) = reopening {
                    self.make_update(update).await;
                }
                self.post_settings_notice(view, source.issue).await;
            }
            PostOutcome::Refused(why) => {
                self.ledger.note(HostNote::Unanswerable(source.issue, why));
                self.memory.note(RunNote::Unanswerable(source.issue));
            }
            PostOutcome::Failed(why) => {
                info!("The answer to comment {} of issue {} wasn't posted: {why}", source.comment, source.issue);
                self.memory.note(RunNote::AnswersAlone(source));
                return Ok(StepOutcome::ReadAgain);
            }
        }
        self.memory.note(RunNote::Settled(source));
        self.backoff = Backoff::new(self.forge);
        Ok(StepOutcome::Done)
    }

    /// Posts a notice about the mistakes in the settings file, unless it's in the thread. A failure is only logged, because the
    /// game continues without the notice.
    async fn post_settings_notice(&mut self, view: &RepoState, issue: IssueNumber) {
        let config = self.config;
        let Some(source) = config.settings.as_ref().filter(|_| config.notices_for_settings) else { return };
        let (Some(text), Some(seen)) = (source.notice_text(), view.threads.get(&issue)) else { return };
        let notice = Notice::of_settings(issue, source.blob.clone());
        let note = RunNote::SettingsNoticed(issue);
        if seen.answers.has_notice(&notice) || self.memory.has(note) {
            return;
        }
        self.memory.note(note);
        let answer = Answer { source: notice.place(), body: notice.prepend_to(&text), updates: Vec::new() };
        match self.forge.answer(&answer).await.map(|outcome| outcome.comment) {
            Ok(PostOutcome::Done) => {}
            Ok(PostOutcome::Refused(why) | PostOutcome::Failed(why)) => {
                warn!("The notice about the settings file wasn't posted in issue {issue}: {why}");
            }
            Err(error) => warn!("The notice about the settings file wasn't posted in issue {issue}: {error}"),
        }
    }

    /// Unassigns players of the game that a new round replaces, in case an earlier update failed. The next record doesn't name
    /// them, so no later run could do it.
    pub(super) async fn unassign_former_players(&mut self, view: &RepoState, table: IssueNumber) {
        let updates = view.threads.get(&table).map_or(Vec::new(), |seen| display_updates(seen, &self.config.policy));
        for update in updates.into_iter().filter(|update| matches!(update, Update::Unassign(..))) {
            self.make_update(update).await;
        }
    }

    /// Makes an update that should have come with an answer. A failure is only logged, because the game continues without it.
    pub(super) async fn make_update(&mut self, update: Update) {
        if let Err(error) = self.forge.update(&update).await {
            self.note_failed_updates(&[(update, error.to_string())]);
        }
    }

    /// Logs the updates that failed. Several boards that weren't minimized are one line, because a token may not do that at all.
    pub(super) fn note_failed_updates(&mut self, failed: &[(Update, String)]) {
        let is_board = |(update, _): &&(Update, String)| matches!(update, Update::Minimize(_));
        let others = failed.iter().filter(|failed| !is_board(failed));
        for (update, why) in failed.iter().find(is_board).into_iter().chain(others) {
            match update {
                Update::Assign(issue, person) if why == NOT_ASSIGNED => {
                    self.ledger.note(HostNote::NotAssigned(*issue, person.login.clone()));
                }
                update => warn!("The bot answered, but {update} failed. {why}"),
            }
        }
    }
}
