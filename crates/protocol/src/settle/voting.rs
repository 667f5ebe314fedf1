//! The votes of a crowd: posts ballots, notices written votes, and counts when the time is up.

use std::time::Duration;

use answers::{Notice, NoticeKind, status};
use table::{
    Author, CommentContext, CommentId, CommentRef, IssueNumber, Table, Timestamp, UserId, VoteCount, play_voted_move,
    total_votes,
};
use tracing::info;

use crate::answer::notice;
use crate::forge::bot_author;
use crate::ledger::PassError;
use crate::memory::RunNote;
use crate::plan::written_votes;
use crate::reader::RepoState;
use crate::settle::answering::AnswerClaim;
use crate::settle::{Run, StepOutcome};
use crate::{Answer, Reaction, Update, announcement};

/// The time without a vote after which the bot says that the game waits: a week.
const NO_VOTES: Duration = Duration::from_secs(7 * 24 * 60 * 60);

impl Run<'_> {
    /// Shows the author of a written vote that the bot has noticed it. The vote itself is counted later, from the comment.
    pub(super) async fn notice_vote(&mut self, context: &CommentContext) -> Result<StepOutcome, PassError> {
        self.count_answer_without_change(&context.author);
        self.ledger.record_unchanged(context.table, Reaction::Eyes);
        match self.claim(context.source, Reaction::Eyes).await? {
            AnswerClaim::Denied => Ok(StepOutcome::ReadAgain),
            AnswerClaim::Ours => {
                self.memory.note(RunNote::Settled(context.source));
                Ok(StepOutcome::Done)
            }
        }
    }

    /// Posts the ballot of a table and adds its reactions, or announces the crowd's move that ended its game.
    pub(super) async fn post_ballot(
        &mut self,
        view: &mut RepoState,
        issue: IssueNumber,
    ) -> Result<StepOutcome, PassError> {
        let (Some(table), Some(head)) = (view.table(issue), view.head_commit()) else {
            return Ok(StepOutcome::ReadAgain);
        };
        let Some((round, event)) = table.ballot_place() else { return Ok(StepOutcome::ReadAgain) };
        let text = self.config.render_answer(Some(head), |format| match table.ballot() {
            Some(open) => status::ballot(table, open, self.forge.now(), format),
            None => announcement(table, self.config, format),
        });
        let kind =
            Notice { kind: NoticeKind::Ballot, table: issue, round, event, commit: Some(head.clone()), settings: None };
        let answer = notice(self.config, view, &kind, &text);
        let reactions = table.ballot().map(|open| open.reactions());
        let (outcome, posted) = self.post_notice(&answer).await?;
        // In a full issue nobody sees the ballot.
        if posted.is_some() {
            view.start_new_turn(issue, self.forge.now());
        }
        if let (Some(comment), Some(reactions)) = (posted, reactions) {
            self.make_update(Update::Vote(CommentRef { issue, comment }, reactions)).await;
        }
        Ok(outcome)
    }

    /// Counts the votes of an open ballot, and plays the move with the most. `unsettled` is the first comment that isn't settled yet.
    /// Returns whether there may be more to do.
    pub(super) async fn count_votes(
        &mut self,
        view: &mut RepoState,
        issue: IssueNumber,
        unsettled: Option<CommentId>,
    ) -> Result<bool, PassError> {
        let Some(votes) = self.read_votes(view, issue).await? else { return Ok(false) };
        // The times of comments are whole seconds.
        let now = Timestamp::from_millis(self.forge.now().as_millis() / 1_000 * 1_000);
        let Some(table) = view.table(issue) else { return Ok(false) };
        let last = view.threads.get(&issue).and_then(|seen| Some(seen.thread.comments.last()?.id));
        let settled_through = unsettled.map(CommentId::previous).or(last).unwrap_or_default();
        let next = {
            let _permit = self.begin_search(table.players().computer().is_some()).await;
            play_voted_move(table, votes.clone(), now, &self.config.policy)
        };
        let Some(next) = next else {
            self.note_missing_votes(view, issue, &votes).await?;
            return Ok(unsettled.is_some());
        };
        info!("Playing the crowd's move in issue {issue}, with {} votes.", total_votes(&votes));
        let next = next.with_settled_through(settled_through);
        let Some((next, commit)) = self.commit(view, next, None, (&bot_author(), now)).await? else { return Ok(true) };
        self.memory.forget(RunNote::Noticed(issue));
        self.memory.note(RunNote::MadeNews(issue));
        self.ledger.record_applied(&next, &commit);
        view.apply_commit(commit, [next]);
        let is_posted = self.post_ballot(view, issue).await? == StepOutcome::Done;
        Ok(!is_posted || unsettled.is_some())
    }

    /// Reads and counts the votes of an open ballot; `None` if its comment isn't there.
    async fn read_votes(&mut self, view: &RepoState, issue: IssueNumber) -> Result<Option<Vec<VoteCount>>, PassError> {
        let Some((table, seen)) = view.table(issue).zip(view.threads.get(&issue)) else { return Ok(None) };
        let Some((open, place)) = table.ballot().zip(table.ballot_place()) else { return Ok(None) };
        let Some(posted) = seen.answers.ballot(place) else { return Ok(None) };
        let comment = CommentRef { issue, comment: posted.id };
        let voters = self.forge.voters(comment, &open.reactions()).await?;
        let opponent = table.player(table.player_to_move().other()).and_then(|player| player.id());
        let may_vote =
            |person: &&Author| !person.is_bot && Some(person.id) != opponent && !self.config.is_own_account(person);
        let reactions: Vec<Vec<UserId>> = open
            .reactions()
            .iter()
            .map(|reaction| {
                voters.get(reaction).into_iter().flatten().filter(may_vote).map(|person| person.id).collect()
            })
            .collect();
        let written = written_votes(view, issue, &self.memory, &self.config.policy);
        Ok(Some(open.count(&written, &reactions)))
    }

    /// Says once that the game waits, if nobody has voted for a week.
    async fn note_missing_votes(
        &mut self,
        view: &RepoState,
        issue: IssueNumber,
        votes: &[VoteCount],
    ) -> Result<(), PassError> {
        let Some((table, seen)) = view.table(issue).zip(view.threads.get(&issue)) else { return Ok(()) };
        let (Some((round, event)), true) = (table.ballot_place(), has_waited(table, self.forge.now(), votes)) else {
            return Ok(());
        };
        let notice = Notice { kind: NoticeKind::NoVotes, table: issue, round, event, commit: None, settings: None };
        if !seen.answers.has_notice(&notice) {
            let text = self.config.render_answer(None, |format| format.render(&status::no_votes(table)));
            let answer = Answer { source: notice.place(), body: notice.prepend_to(&text), updates: Vec::new() };
            self.post_notice(&answer).await?;
        }
        Ok(())
    }
}

/// Whether a crowd's turn is a week old and nobody has voted.
fn has_waited(table: &Table, now: Timestamp, votes: &[VoteCount]) -> bool {
    votes.is_empty() && now.since(table.turn_started_at()) >= NO_VOTES
}
