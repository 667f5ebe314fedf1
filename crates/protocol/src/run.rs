//! The run of one thread: read, decide, commit, answer, until nothing is left to settle.
//!
//! ```text
//!  event ──► read ──► decide ──► commit ──► answer ──┐
//!             ▲         │pure      │                 │ next unanswered
//!             └─────────┴──raced───┴─────────────────┘
//! ```
//!
//! The event is only a wake-up call; all else follows from what is read. Anything that goes wrong on the way (a lost race, a
//! lost reply, a stale read, another run at the same comment) ends in the same place: read again, and work out anew what
//! is still to be done. No write is ever repeated without a read in between.

use std::time::Duration;

use answers::{announce, commit_message};
use anyhow::Result;
use table::any_table::AnyTable;
use table::decisions::decision::Decision;
use table::decisions::refusal::Refusal;
use table::decisions::verdict::Verdict;
use table::refusal::TableRefusal;
use table::talk::comment::{Millis, Source};
use table::talk::context::CommentContext;
use table::talk::thread::{Head, Oid};
use tracing::{info, warn};

use crate::answer::Answer;
use crate::backoff::Backoff;
use crate::commit_files::CommitFiles;
use crate::forge::{Change, Claim, CommitOutcome, Fault, Forge, PostOutcome, Reaction};
use crate::ledger::Ledger;
use crate::memory::{Fact, RunMemory};
use crate::plan::{IssueUpdate, NextStep, PendingCommand, plan, unreachable_floor};
use crate::reader::Reader;
use crate::repo_config::RepoConfig;
use crate::search_cache::SearchCache;
use crate::view::{RecordFault, Uncertainty, View};

/// The greatest age, in milliseconds, of the newest page that an answer without a commit rests on: reading the older pages
/// takes time, and nothing but a commit notices changes meanwhile.
const MAX_READ_AGE: Millis = 5_000;
/// The pause between two looks at something that another run may be about to clear up.
const RECHECK_DELAY: Duration = Duration::from_secs(2);
/// The time after which the pauses are twice as long: six seconds.
const SLOW_RECHECK_AFTER: Millis = 6_000;
/// The time of a sweep that one thread may take: three minutes, which is several doubts.
const SHARE_TIME: Millis = 180_000;

/// The sentence above an answer when commits have been taken out of the branch.
const STALE_RECORD_NOTICE: &str = "The record in this repository is older than this thread, so it lacks moves that were answered \
     here. The game continues from the record.";

/// The end of the part of a sweep that one thread may take.
struct Share {
    deadline: Millis,
    max_settled: u32,
}

/// One thread being settled.
pub(super) struct Run<'a> {
    forge: &'a dyn Forge,
    config: &'a RepoConfig,
    issue: u64,
    reader: Reader<'a>,
    memory: RunMemory,
    cache: SearchCache,
    backoff: Backoff,
    /// The part of a sweep that this thread may take; `None` where the run is about it alone.
    share: Option<Share>,
    ledger: &'a mut Ledger,
}

impl<'a> Run<'a> {
    /// Returns the run of a thread, which a comment may have woken, and which may read another table with it.
    pub(super) fn new(
        forge: &'a dyn Forge,
        place: &'a RepoConfig,
        issue: u64,
        waking: Option<Source>,
        beside: Option<u64>,
        ledger: &'a mut Ledger,
    ) -> Run<'a> {
        Run {
            forge,
            config: place,
            issue,
            reader: Reader::new(forge, place, issue, waking, beside),
            memory: RunMemory::new(ledger.unproductive.clone()),
            cache: SearchCache::default(),
            backoff: Backoff::new(forge.now()),
            share: None,
            ledger,
        }
    }

    /// Gives the run no more than its part of a sweep: three minutes, and so many commands.
    pub(super) fn with_share(mut self, commands: u32) -> Run<'a> {
        self.share = Some(Share {
            deadline: self.forge.now() + SHARE_TIME,
            max_settled: self.ledger.settled_commands() + commands,
        });
        self
    }

    /// Settles all that is unsettled in the thread.
    pub(super) async fn settle_thread(mut self) -> Result<()> {
        let ended = self.run_rounds().await;
        self.ledger.unproductive = self.memory.into_unproductive();
        ended
    }

    async fn run_rounds(&mut self) -> Result<()> {
        while !self.is_limit_reached() {
            match self.run_round().await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(Fault::TooLong(why)) if self.reader.shrink_page() => info!("{why} Asking for less at a time"),
                Err(fault) => {
                    if matches!(fault, Fault::Lost(_)) {
                        self.reader.shrink_page();
                    }
                    self.backoff.after_fault(self.forge, fault).await?;
                }
            }
        }
        Ok(())
    }

    /// Tests if the rest has to wait for the next run.
    fn is_limit_reached(&mut self) -> bool {
        let Some(Share { deadline: until, max_settled: settled }) = self.share else {
            return self.ledger.is_limit_reached();
        };
        let enough = self.forge.now() >= until || self.ledger.settled_commands() >= settled;
        if enough {
            self.ledger.note_share_used(self.issue);
        }
        enough || self.ledger.is_limit_reached()
    }

    /// Makes one read and one step; true if nothing is left to settle.
    async fn run_round(&mut self) -> Result<bool, Fault> {
        let mut view = self.reader.read_view().await?;
        if !self.is_usable(&view).await? {
            return Ok(false);
        }
        let house = &self.config.policy;
        let mut step = plan(&view, self.issue, &self.memory, house);
        while let NextStep::ReadBackTo(source) = step {
            let read = self.reader.read_back_to(source, &view).await?;
            if !self.is_usable(&read).await? {
                return Ok(false);
            }
            if !view.merge(read) {
                self.backoff.after_race(self.forge).await?;
                return Ok(false);
            }
            step = plan(&view, self.issue, &self.memory, house);
        }
        let settled = match step {
            NextStep::Idle => {
                self.warn_unreachable_floor(&view);
                return Ok(true);
            }
            NextStep::UpdateIssue(tidy) => {
                self.update_issue(tidy).await;
                return Ok(true);
            }
            NextStep::ReadBackTo(_) => false,
            NextStep::ReadThread(issue) => {
                self.reader.also_read(issue);
                false
            }
            NextStep::Wait(doubt) => {
                self.wait_for(doubt).await?;
                false
            }
            NextStep::Restore(issue, commit) => {
                return Err(Fault::Fatal(self.config.missing_record_message(issue, &commit)));
            }
            NextStep::Delete(source) => {
                self.forge.delete(source).await?;
                false
            }
            NextStep::Answer { table, source } => self.post_missing_answer(&view, table, source).await?,
            NextStep::Settle(command) => self.settle_command(&mut view, *command).await?,
        };
        // What was settled is in the view now, so that no further read is needed to see that nothing is left.
        Ok(settled && matches!(plan(&view, self.issue, &self.memory, house), NextStep::Idle))
    }

    /// Notes the tables of a read. Waits a little and returns false if it is stale.
    async fn is_usable(&mut self, view: &View) -> Result<bool, Fault> {
        view.threads.values().filter_map(|seen| seen.table.as_ref()).for_each(|table| self.ledger.record_table(table));
        if view.is_stale {
            self.backoff.wait(self.forge, RECHECK_DELAY).await?;
        }
        Ok(!view.is_stale)
    }

    /// Waits a little for a doubt to clear up; one that has been there for long enough is believed.
    async fn wait_for(&mut self, doubt: Uncertainty) -> Result<(), Fault> {
        let Some(age) = self.memory.note_uncertainty(doubt, self.forge.now()) else { return Ok(()) };
        // Most doubts clear up at once, or not at all.
        let pause = if age < SLOW_RECHECK_AFTER { RECHECK_DELAY } else { 2 * RECHECK_DELAY };
        self.backoff.wait(self.forge, pause).await
    }

    /// Tells the host of a record whose table hears nobody any more, because its floor is beyond every comment.
    fn warn_unreachable_floor(&mut self, view: &View) {
        let Some(source) = self.reader.trigger_comment() else { return };
        let Some(floor) = unreachable_floor(view, source) else { return };
        self.ledger.record_failure(format!(
            "{}: `through` is {floor}, beyond every comment of issue {}, so the bot ignores comment {} and \
             all others before {floor}. Set it to the highest `comment` of that issue in its `history`",
            self.config.record_path(source.issue),
            source.issue,
            source.comment
        ));
    }

    /// Makes up for something that should have gone with an answer. A game goes on without it.
    async fn update_issue(&mut self, tidy: IssueUpdate) {
        let (forge, issue) = (self.forge, self.issue);
        self.memory.note(Fact::IssueUpdated(issue));
        let done = match tidy {
            IssueUpdate::Label => forge.label(issue).await,
            IssueUpdate::Close => forge.close(issue).await,
            IssueUpdate::Reopen => forge.reopen(issue).await,
        };
        if let Err(fault) = done {
            warn!("couldn't label, close or reopen issue {issue}: {fault}");
        }
    }

    /// Gives the answer that the last event of a table lacks.
    async fn post_missing_answer(&mut self, view: &View, table: u64, source: Source) -> Result<bool, Fault> {
        let (Some(record), Some(head)) = (view.table(table), view.head_commit()) else { return Ok(false) };
        info!(issue = source.issue, comment = source.comment, "giving an answer that was missing");
        self.ledger.record_repaired(table);
        let text = self.config.render_answer(Some(head), |look| announce::announce(record, look));
        self.post_answer(view, Answer { source, table, commit: Some(head.clone()), text: &text }).await?;
        Ok(true)
    }

    /// Settles one command; false if it has to be looked at again.
    async fn settle_command(&mut self, view: &mut View, command: PendingCommand) -> Result<bool, Fault> {
        let PendingCommand { table, context: said, verdict, is_record_stale: older, record_fault: fault } = command;
        let accepted = matches!(verdict, Verdict::Accept(_));
        let preface = if older { format!("{STALE_RECORD_NOTICE}\n\n") } else { String::new() };
        let told = match self.cache.carry_out(verdict) {
            Decision::Apply { table: next, finished } => {
                return self.apply(view, table, &said, (*next, finished.map(|before| *before)), &preface).await;
            }
            Decision::Chat => None,
            Decision::Refuse(refusal) => Some(Err(refusal)),
            Decision::Show(show) => Some(Ok(show)),
        };
        let source = said.source;
        if accepted && self.memory.is_at_limit(&said.author) {
            self.memory.note(Fact::Deferred(said.author.id));
            return Ok(false);
        }
        if self.forge.now().saturating_sub(view.read_at) > MAX_READ_AGE {
            info!(issue = source.issue, comment = source.comment, "read too long ago for an answer without a commit");
            self.backoff.after_slow_read()?;
            return Ok(false);
        }
        let Some(told) = told else { return Ok(true) };
        if let Err(refusal) = &told {
            if let Some(fault) = fault {
                self.report_record_fault(table, source, &fault);
            }
            if *refusal == Refusal::Table(TableRefusal::SecretLost) {
                self.ledger.record_lost_secret(table);
            }
        }
        let reaction = if told.is_ok() { Reaction::Eyes } else { Reaction::Confused };
        if !self.claim(source, reaction).await? {
            return Ok(false);
        }
        let (place, before, head) = (self.config, view.table(table), view.head_commit());
        let text = match &told {
            // A hint may take seconds to search for, and only the run that holds the claim does it.
            Ok(show) => self.cache.show_text(show, before, || {
                place.render_answer(head, |look| announce::show(show, before, &place.policy, said.updated_at, look))
            }),
            Err(refusal) => place.render_answer(head, |look| announce::refuse(refusal, &said.author, before, look)),
        };
        self.ledger.record_unchanged(table, reaction);
        self.memory.count_unproductive(&said.author);
        self.post_answer(view, Answer { source, table, commit: None, text: &format!("{preface}{text}") }).await?;
        Ok(true)
    }

    /// Commits the tables that a command leads to, and answers it; false if it has to be decided again.
    async fn apply(
        &mut self,
        view: &mut View,
        table: u64,
        said: &CommentContext,
        (next, finished): (AnyTable, Option<AnyTable>),
        preface: &str,
    ) -> Result<bool, Fault> {
        let Some((next, commit)) = self.commit(view, next, finished.as_ref(), said).await? else {
            return Ok(false);
        };
        let (source, issue) = (said.source, next.issue());
        for at in [table, issue] {
            self.memory.note_applied(at, next.round(), source);
        }
        self.ledger.record_applied(issue, &commit);
        let text = self.config.render_answer(Some(&commit), |look| announce::announce(&next, look));
        let tables: Vec<AnyTable> = finished.into_iter().chain([next]).collect();
        tables.iter().for_each(|table| self.ledger.record_table(table));
        view.apply_commit(commit.clone(), tables);
        let text = &format!("{preface}{text}");
        self.post_answer(view, Answer { source, table: issue, commit: Some(commit), text }).await?;
        Ok(true)
    }

    /// Commits a table on the head that it was decided on, and returns it as it was committed; `None` if it has to be decided
    /// again.
    async fn commit(
        &mut self,
        view: &View,
        table: AnyTable,
        finished: Option<&AnyTable>,
        said: &CommentContext,
    ) -> Result<Option<(AnyTable, Oid)>, Fault> {
        let on = match &view.head {
            Head::Commit(oid) => Some(oid.clone()),
            Head::Missing(None) => None,
            Head::Missing(Some(from)) => {
                self.forge.create_branch(from).await?;
                return Ok(None);
            }
        };
        let bundle = CommitFiles::collect(self.forge, self.config, on.as_ref(), table, finished, &view.pages).await?;
        let (headline, body) = commit_message::commit_message(
            &bundle.table,
            &said.author,
            &self.config.noreply_domain,
            self.config.skip_ci,
        );
        info!(%headline, "committing");
        let CommitFiles { table, files, page_warnings: complaints, failure } = bundle;
        let change = Change { parent: on, files, headline, body, author: said.author.clone(), time: said.updated_at };
        match self.forge.commit(&change).await? {
            CommitOutcome::Landed(commit) => {
                complaints.into_iter().for_each(|(path, complaints)| self.ledger.record_page(&path, complaints));
                failure.into_iter().for_each(|failure| self.ledger.record_failure(failure));
                Ok(Some((table, commit)))
            }
            CommitOutcome::BranchMoved => {
                info!("the branch has moved: reading and deciding again");
                self.backoff.after_race(self.forge).await?;
                Ok(None)
            }
        }
    }

    /// Puts the reaction on a comment that changes nothing: the run that put it there first answers. False: not this run.
    async fn claim(&mut self, source: Source, reaction: Reaction) -> Result<bool, Fault> {
        match self.forge.react(source, reaction).await? {
            Claim::Ours => self.memory.note(Fact::OwnClaim(source)),
            Claim::Taken if self.memory.may_answer(source) => {}
            Claim::Taken => {
                self.wait_for(Uncertainty::Claimed(source)).await?;
                return Ok(false);
            }
            Claim::Gone => {
                self.memory.note(Fact::Done(source));
                return Ok(false);
            }
            // The answer would be refused as well; and where it would not be, any more, another run may be giving it.
            Claim::Refused(why) => {
                self.ledger.note_unanswerable(source.issue, &why);
                self.memory.note(Fact::Done(source));
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Gives an answer, after which the run has all its patience again.
    async fn post_answer(&mut self, view: &View, answer: Answer<'_>) -> Result<(), Fault> {
        let source = answer.source;
        match answer.post(self.forge, self.config, view).await {
            Ok(PostOutcome::Done) => {}
            Ok(PostOutcome::Refused(why)) => {
                self.ledger.note_unanswerable(source.issue, &why);
                self.memory.note(Fact::Unanswerable(source.issue));
            }
            Err(fault) => {
                if matches!(fault, Fault::Lost(_)) {
                    // It may be there, or may yet appear.
                    self.memory.forget(Fact::OwnClaim(source));
                }
                return Err(fault);
            }
        }
        self.memory.note(Fact::Done(source));
        self.backoff = Backoff::new(self.forge.now());
        Ok(())
    }

    /// Tells the host of a record that cannot be used, and of the command that has met it.
    fn report_record_fault(&mut self, table: u64, source: Source, fault: &RecordFault) {
        let what = match fault {
            RecordFault::Damaged(why) => self.config.damaged_record_message(table, why),
            RecordFault::Missing(commit) => self.config.missing_record_message(table, commit),
        };
        self.ledger
            .record_failure(format!("{what}. The bot refused a command in issue {} because of that", source.issue));
    }
}
