//! Settles one command: finishes the decision about it, then commits and announces the change, or answers without one.

use std::convert::Infallible;
use std::time::Duration;

use answers::{announce, commit_message, rankings};
use table::{
    Author, CommentContext, CommentRef, Decision, Done, EventKind, IssueNumber, Oid, Pending, Query, Refusal,
    SetupRefusal, Table, TableRefusal, Timestamp,
};
use tracing::info;

use crate::answer::{AnswerText, game_file};
use crate::commit_files::{CommitFiles, file_texts, read_state_files};
use crate::ledger::PassError;
use crate::memory::{RunMemory, RunNote};
use crate::own_games_query::{GamesInProgress, earlier_review};
use crate::plan::PendingCommand;
use crate::reader::{RecordFault, RepoState, ThreadState};
use crate::settle::answering::AnswerClaim;
use crate::settle::away::{AwayAnswer, AwayCheck};
use crate::settle::clock_check::Elsewhere;
use crate::settle::{Run, StepOutcome};
use crate::{
    Account, Change, CommitOutcome, Forge, Head, HostNote, Reaction, RequestError, SearchPermit, announcement,
    own_games_query,
};

/// The maximum age of a read that a run answers from without a commit. Only a commit would notice changes
/// since the read.
const MAX_READ_AGE: Duration = Duration::from_secs(5);

/// The notice above an answer if somebody has removed commits from the branch.
const STALE_RECORD_NOTICE: &str = "The record in this repository is older than this thread, so it lacks moves that were \
     answered here. The game continues from the record.";

/// Whether a run may commit a change.
enum ChangeCheck {
    /// It may.
    Passed,
    /// It has to refuse the command instead.
    Refused(Refusal),
    /// It has to read and decide again.
    ReadAgain,
}

impl Run<'_> {
    /// Settles one command.
    pub(super) async fn settle_command(
        &mut self,
        view: &mut RepoState,
        command: PendingCommand,
    ) -> Result<StepOutcome, PassError> {
        let PendingCommand { context, decision, is_record_stale, record_fault } = command;
        let (source, table) = (context.source, context.table);
        let was_accepted = matches!(decision, Decision::Apply(_));
        if let Decision::Vote(_) = decision {
            return self.notice_vote(&context).await;
        }
        let notice = if is_record_stale { format!("{STALE_RECORD_NOTICE}\n\n") } else { String::new() };
        // A decision that changes no table has nothing to apply.
        let finished = {
            let _permit = self.begin_search(decision.needs_search()).await;
            self.searches.finish(decision)
        };
        let decision: Decision<Infallible> = match finished {
            Decision::Apply(change) => match self.check_change(view, &context, &change.table).await? {
                ChangeCheck::Passed => return self.apply(view, &context, change, &notice).await,
                ChangeCheck::Refused(refusal) => Decision::Refuse(refusal),
                ChangeCheck::ReadAgain => return Ok(StepOutcome::ReadAgain),
            },
            Decision::Refuse(refusal) => Decision::Refuse(refusal),
            Decision::Show(query) => Decision::Show(query),
            Decision::Away(request) => Decision::Away(request),
            Decision::Vote(notation) => Decision::Vote(notation),
        };
        if was_accepted && self.memory.is_at_limit(&context.author) {
            self.memory.note(RunNote::Deferred(context.author.id));
            return Ok(StepOutcome::ReadAgain);
        }
        let (config, before, head) = (self.config, view.table(table), view.head_commit());
        let standings = match &decision {
            Decision::Show(query) => standings_text(self.forge, &config.state_dir, head, query, before).await?,
            _ => None,
        };
        if self.forge.now().since(view.read_at) > MAX_READ_AGE {
            info!(
                "Reading again: the last read is too old to answer comment {} of issue {}.",
                source.comment, source.issue
            );
            self.backoff.after_slow_read()?;
            return Ok(StepOutcome::ReadAgain);
        }
        let reaction = match &decision {
            Decision::Refuse(refusal) => {
                self.note_refusal(table, source, refusal, record_fault);
                Reaction::Confused
            }
            _ => Reaction::Eyes,
        };
        if self.claim(source, reaction).await? == AnswerClaim::Denied {
            return Ok(StepOutcome::ReadAgain);
        }
        let has_board = match (&decision, before) {
            (Decision::Show(query), Some(table)) => announce::query_shows_board(query, table),
            _ => false,
        };
        let (mut is_view_current, mut sets_away) = (true, false);
        let text = match (decision, standings) {
            (Decision::Away(request), _) => match self.set_time_away(view, &context, request).await? {
                Some(AwayAnswer { text, is_confirmed, has_changed }) => {
                    (is_view_current, sets_away) = (!has_changed, is_confirmed);
                    text
                }
                None => return Ok(StepOutcome::ReadAgain),
            },
            // The bot has reacted to it already.
            (Decision::Vote(_), _) => return Ok(StepOutcome::Done),
            (Decision::Show(_), Some(text)) => text,
            (Decision::Show(query), None) => self.show_text(view, &context, &query, before).await?,
            (Decision::Refuse(refusal), _) => {
                config.render_answer(head, |format| announce::refuse(&refusal, &context.author, before, format))
            }
        };
        self.ledger.record_unchanged(table, reaction);
        self.count_answer_without_change(&context.author);
        let text = &format!("{notice}{text}");
        let outcome =
            self.post_answer(view, AnswerText { source, table, commit: None, has_board, sets_away, text }).await?;
        Ok(if is_view_current { outcome } else { StepOutcome::ReadAgain })
    }

    /// Checks what a decision can't know about a change: the invited account, time away, and commands in other issues. `next` is
    /// the table after the change.
    async fn check_change(
        &mut self,
        view: &mut RepoState,
        context: &CommentContext,
        next: &Table,
    ) -> Result<ChangeCheck, PassError> {
        if let Some(refusal) = refuse_invitation(self.forge, &mut self.memory, next).await {
            return Ok(ChangeCheck::Refused(refusal));
        }
        if next.depends_on_silence() {
            match self.check_time_away(view, context.table, Some(context.author.id)).await? {
                AwayCheck::Complete => {}
                AwayCheck::Restored => return Ok(ChangeCheck::ReadAgain),
                AwayCheck::Damaged(person) => return Ok(ChangeCheck::Refused(Refusal::UnreadableAway(person))),
            }
        }
        if takes_overdue_seat(next) {
            match self.settle_elsewhere(view, context.table).await? {
                Elsewhere::Nothing => {}
                Elsewhere::Settled => return Ok(ChangeCheck::ReadAgain),
                Elsewhere::Unsettled => {
                    self.memory.note(RunNote::AwaitsOthers(context.source));
                    return Ok(ChangeCheck::ReadAgain);
                }
            }
        }
        Ok(ChangeCheck::Passed)
    }

    /// Commits the outcome of a command and answers it.
    async fn apply(
        &mut self,
        view: &mut RepoState,
        context: &CommentContext,
        Done { table: next, previous }: Done,
        notice: &str,
    ) -> Result<StepOutcome, PassError> {
        let (table, previous) = (context.table, previous.map(|previous| *previous));
        let next = view.bind(*next, context.source);
        if previous.is_some() {
            self.unassign_former_players(view, table).await;
        }
        let Some((next, commit)) =
            self.commit(view, next, previous.as_ref(), (&context.author, context.updated_at)).await?
        else {
            return Ok(StepOutcome::ReadAgain);
        };
        let (source, issue) = (context.source, next.issue());
        // `/continue` changes two tables: the old one, and the one in this issue.
        for number in [table, issue] {
            self.memory.note_applied(number, next.round(), source);
        }
        self.ledger.record_applied(&next, &commit);
        let text = self.config.render_answer(Some(&commit), |format| announcement(&next, self.config, format));
        let tables: Vec<Table> = previous.into_iter().chain([next]).collect();
        for table in &tables {
            self.ledger.record_table(table);
        }
        view.apply_commit(commit.clone(), tables);
        view.start_new_turn(issue, self.forge.now());
        let (text, has_board) =
            (&format!("{notice}{text}"), view.table(issue).is_some_and(announce::event_shows_board));
        let answer = AnswerText { source, table: issue, commit: Some(commit), has_board, sets_away: false, text };
        let answered = self.post_answer(view, answer).await?;
        let lacks_ballot = |seen: &ThreadState| {
            let place = seen.table.as_ref().and_then(Table::ballot_place);
            place.is_some_and(|place| seen.answers.ballot(place).is_none())
        };
        if answered == StepOutcome::ReadAgain || !view.threads.get(&issue).is_some_and(lacks_ballot) {
            return Ok(answered);
        }
        self.memory.forget(RunNote::Noticed(issue));
        self.memory.note(RunNote::MadeNews(issue));
        self.post_ballot(view, issue).await
    }

    /// Commits a table on the head of the view, with this author and time.
    ///
    /// Returns the table as committed, and the commit; `None` if the run has to decide again.
    pub(super) async fn commit(
        &mut self,
        view: &RepoState,
        table: Table,
        previous: Option<&Table>,
        (author, time): (&Author, Timestamp),
    ) -> Result<Option<(Table, Oid)>, PassError> {
        let parent = match &view.head {
            Head::Commit(oid) => Some(oid.clone()),
            Head::Missing { create_from: None } => None,
            Head::Missing { create_from: Some(from) } => {
                self.forge.create_branch(from).await?;
                return Ok(None);
            }
        };
        let table = table.announced_at(self.forge.now());
        let commit_files =
            CommitFiles::collect(self.forge, self.config, parent.as_ref(), table, previous, view).await?;
        let (headline, body) = commit_message::commit_message(
            &commit_files.table,
            author,
            &self.config.noreply_domain,
            self.config.skip_ci,
        );
        info!("Committing: {headline}");
        let CommitFiles { table, files, deleted, page_problems, failure } = commit_files;
        let author = author.clone();
        let change = Change { parent, files, deleted, headline, body, author, time };
        match self.forge.commit(&change).await? {
            CommitOutcome::Landed(commit) => {
                for (path, problems) in page_problems {
                    self.ledger.record_page(&path, problems);
                }
                failure.into_iter().for_each(|failure| self.ledger.note(failure));
                Ok(Some((table, commit)))
            }
            CommitOutcome::Stale => {
                info!(
                    "Somebody else committed first, or GitHub doesn't show the last commit yet. Reading and deciding again."
                );
                self.backoff.after_race(self.forge).await?;
                Ok(None)
            }
        }
    }

    /// Notes a refusal for the host, if its cause is theirs to fix.
    fn note_refusal(
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
    async fn show_text(
        &mut self,
        view: &RepoState,
        context: &CommentContext,
        query: &Query,
        table: Option<&Table>,
    ) -> Result<String, RequestError> {
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
        let _permit = self.begin_search(query.needs_search()).await;
        Ok(self.searches.show_text(query, table, || {
            config.render_answer(head, |format| match (query, table) {
                (Query::Review, Some(table)) => own_games_query::review(table, config, at, format),
                _ => game_file(query, table, config)
                    .unwrap_or_else(|| announce::show(query, table, &config.policy, at, format)),
            })
        }))
    }

    /// Waits until the run may search, if it has to.
    pub(super) async fn begin_search(&self, is_needed: bool) -> SearchPermit {
        if is_needed { self.forge.begin_search().await } else { SearchPermit::default() }
    }
}

/// The last results of a run that needed an engine search, which can take seconds.
#[derive(Default)]
pub(super) struct FinishedSearches {
    decision: Option<(Pending, Decision<Done>)>,
    shown: Option<(Table, Query, String)>,
}

impl FinishedSearches {
    /// Finishes a decision. Reuses the last one if the change is the same, as after a lost race.
    fn finish(&mut self, decision: Decision<Pending>) -> Decision<Done> {
        let Decision::Apply(change) = &decision else { return decision.finish() };
        if let Some((known, finished)) = &self.decision
            && known == change
        {
            return finished.clone();
        }
        let change = change.clone();
        let finished = decision.finish();
        self.decision = Some((change, finished.clone()));
        finished
    }

    /// Returns the text that a query shows. Reuses the last hint or review if the query and the table are the same, and
    /// otherwise calls `render`.
    fn show_text(&mut self, query: &Query, table: Option<&Table>, render: impl FnOnce() -> String) -> String {
        let (Some(table), Query::Hint(_) | Query::Review) = (table, query) else { return render() };
        if let Some((known_table, known_query, text)) = &self.shown
            && (known_table, known_query) == (table, query)
        {
            return text.clone();
        }
        let text = render();
        self.shown = Some((table.clone(), query.clone(), text.clone()));
        text
    }
}

/// Whether the last event of a table takes something from a player who was out of time.
fn takes_overdue_seat(table: &Table) -> bool {
    let last = table.history().last();
    last.is_some_and(|event| matches!(event.kind, EventKind::Claim | EventKind::SeatComputer { .. }))
}

/// Returns the refusal of a new game whose invited account doesn't exist or can't play. It takes at most one request for each
/// username, and none for other commands. If the request fails, the game begins.
async fn refuse_invitation(forge: &dyn Forge, memory: &mut RunMemory, table: &Table) -> Option<Refusal> {
    let login = table.invited_by_name()?;
    // A username with an underscore is an account that a company manages, and GitHub may hide it from the bot.
    if login.contains('_') {
        return None;
    }
    let account = match memory.account(login) {
        Some(known) => known,
        None => match forge.account(login).await {
            Ok(account) => account,
            Err(error) => {
                info!("The bot couldn't look up the invited account, so the game begins. {error}");
                Account::Person
            }
        },
    };
    memory.note_account(login, account);
    match account {
        Account::Person => None,
        Account::Organization => Some(SetupRefusal::OpponentIsOrganization(format!("@{login}")).into()),
        Account::Missing => Some(SetupRefusal::OpponentIsMissing(format!("@{login}")).into()),
    }
}

/// Returns the answer to a query about the standings at a commit, which costs one request; `None` for any other query,
/// or without a branch.
///
/// # Errors
/// Returns an error if that request fails.
async fn standings_text(
    forge: &dyn Forge,
    state_dir: &str,
    head: Option<&Oid>,
    query: &Query,
    table: Option<&Table>,
) -> Result<Option<String>, RequestError> {
    let paths = rankings::files_needed(query, table);
    let (Some(head), false) = (head, paths.is_empty()) else { return Ok(None) };
    let files = file_texts(read_state_files(forge, state_dir, head, &paths).await?);
    Ok(Some(files.map_or_else(|_| rankings::damaged(), |files| rankings::show(query, table, &files))))
}
