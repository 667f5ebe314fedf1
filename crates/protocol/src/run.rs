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

use answers::{announce, message};
use anyhow::Result;
use table::any::AnyTable;
use table::decisions::decision::Decision;
use table::decisions::refusal::Refusal;
use table::decisions::verdict::Verdict;
use table::refusal::TableRefusal;
use table::talk::comment::{Millis, Source};
use table::talk::thread::{Head, Oid};
use table::talk::utterance::Utterance;
use tracing::{info, warn};

use crate::answering::Answer;
use crate::bundle::Bundle;
use crate::forge::{Change, Claim, Committed, Fault, Forge, Posted, Reaction};
use crate::ledger::Ledger;
use crate::memo::Memo;
use crate::memory::{Fact, RunMemory};
use crate::patience::Patience;
use crate::place::Place;
use crate::plan::{CommandToSettle, NextStep, Tidy, deaf_floor, plan};
use crate::reading::Reader;
use crate::view::{Doubt, RecordFault, View};

/// The greatest age, in milliseconds, of the newest page that an answer without a commit rests on: reading the older pages
/// takes time, and nothing but a commit notices changes meanwhile.
const FRESH: Millis = 5_000;
/// The pause between two looks at something that another run may be about to clear up.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// The time after which the pauses are twice as long: six seconds.
const SOON: Millis = 6_000;
/// The time of a sweep that one thread may take: three minutes, which is several doubts.
const SHARE: Millis = 180_000;

/// The sentence above an answer when commits have been taken out of the branch.
const OLDER: &str = "The record in this repository is older than this thread, so it lacks moves that were answered \
     here. The game continues from the record.";

/// The end of the part of a sweep that one thread may take.
struct Share {
    until: Millis,
    settled: u32,
}

/// One thread being settled.
pub(super) struct Run<'a> {
    forge: &'a dyn Forge,
    place: &'a Place,
    issue: u64,
    reader: Reader<'a>,
    memory: RunMemory,
    memo: Memo,
    patience: Patience,
    /// The part of a sweep that this thread may take; `None` where the run is about it alone.
    share: Option<Share>,
    ledger: &'a mut Ledger,
}

impl<'a> Run<'a> {
    /// Returns the run of a thread, which a comment may have woken, and which may read another table with it.
    pub(super) fn new(
        forge: &'a dyn Forge,
        place: &'a Place,
        issue: u64,
        waking: Option<Source>,
        beside: Option<u64>,
        ledger: &'a mut Ledger,
    ) -> Run<'a> {
        Run {
            forge,
            place,
            issue,
            reader: Reader::new(forge, place, issue, waking, beside),
            memory: RunMemory::new(ledger.unproductive.clone()),
            memo: Memo::default(),
            patience: Patience::new(forge.now()),
            share: None,
            ledger,
        }
    }

    /// Gives the run no more than its part of a sweep: three minutes, and so many commands.
    pub(super) fn sharing(mut self, commands: u32) -> Run<'a> {
        self.share = Some(Share { until: self.forge.now() + SHARE, settled: self.ledger.settled() + commands });
        self
    }

    /// Settles all that is unsettled in the thread.
    pub(super) async fn go(mut self) -> Result<()> {
        let ended = self.rounds().await;
        self.ledger.unproductive = self.memory.into_unproductive();
        ended
    }

    async fn rounds(&mut self) -> Result<()> {
        while !self.is_enough() {
            match self.round().await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(Fault::TooLong(why)) if self.reader.ask_for_less() => info!("{why} Asking for less at a time"),
                Err(fault) => {
                    if matches!(fault, Fault::Lost(_)) {
                        self.reader.ask_for_less();
                    }
                    self.patience.rest(self.forge, fault).await?;
                }
            }
        }
        Ok(())
    }

    /// Tests if the rest has to wait for the next run.
    fn is_enough(&mut self) -> bool {
        let Some(Share { until, settled }) = self.share else { return self.ledger.is_enough() };
        let enough = self.forge.now() >= until || self.ledger.settled() >= settled;
        if enough {
            self.ledger.leaves(self.issue);
        }
        enough || self.ledger.is_enough()
    }

    /// Makes one read and one step; true if nothing is left to settle.
    async fn round(&mut self) -> Result<bool, Fault> {
        let mut view = self.reader.read().await?;
        if !self.is_usable(&view).await? {
            return Ok(false);
        }
        let house = &self.place.house;
        let mut step = plan(&view, self.issue, &self.memory, house);
        while let NextStep::ReadBackTo(source) = step {
            let read = self.reader.read_back_to(source, &view).await?;
            if !self.is_usable(&read).await? {
                return Ok(false);
            }
            if !view.join(read) {
                self.patience.race(self.forge).await?;
                return Ok(false);
            }
            step = plan(&view, self.issue, &self.memory, house);
        }
        let settled = match step {
            NextStep::Idle => {
                self.hear(&view);
                return Ok(true);
            }
            NextStep::Tidy(tidy) => {
                self.tidy(tidy).await;
                return Ok(true);
            }
            NextStep::ReadBackTo(_) => false,
            NextStep::ReadThread(issue) => {
                self.reader.read_beside(issue);
                false
            }
            NextStep::Wait(doubt) => {
                self.doubt(doubt).await?;
                false
            }
            NextStep::Restore(issue, commit) => return Err(Fault::Host(self.place.gone(issue, &commit))),
            NextStep::Delete(source) => {
                self.forge.delete(source).await?;
                false
            }
            NextStep::Answer { table, source } => self.repair(&view, table, source).await?,
            NextStep::Settle(command) => self.settle(&mut view, *command).await?,
        };
        // What was settled is in the view now, so that no further read is needed to see that nothing is left.
        Ok(settled && matches!(plan(&view, self.issue, &self.memory, house), NextStep::Idle))
    }

    /// Notes the tables of a read. Waits a little and returns false if it is stale.
    async fn is_usable(&mut self, view: &View) -> Result<bool, Fault> {
        view.threads.values().filter_map(|seen| seen.table.as_ref()).for_each(|table| self.ledger.sees(table));
        if view.is_stale {
            self.patience.hold(self.forge, LOOK_AGAIN).await?;
        }
        Ok(!view.is_stale)
    }

    /// Waits a little for a doubt to clear up; one that has been there for long enough is believed.
    async fn doubt(&mut self, doubt: Doubt) -> Result<(), Fault> {
        let Some(age) = self.memory.doubt(doubt, self.forge.now()) else { return Ok(()) };
        // Most doubts clear up at once, or not at all.
        let pause = if age < SOON { LOOK_AGAIN } else { 2 * LOOK_AGAIN };
        self.patience.hold(self.forge, pause).await
    }

    /// Tells the host of a record whose table hears nobody any more, because its floor is beyond every comment.
    fn hear(&mut self, view: &View) {
        let Some(source) = self.reader.waking() else { return };
        let Some(floor) = deaf_floor(view, source) else { return };
        self.ledger.fail(format!(
            "{}: `through` is {floor}, beyond every comment of issue {}, so the bot ignores comment {} and \
             all others before {floor}. Set it to the highest `comment` of that issue in its `history`",
            self.place.record_path(source.issue),
            source.issue,
            source.comment
        ));
    }

    /// Makes up for something that should have gone with an answer. A game goes on without it.
    async fn tidy(&mut self, tidy: Tidy) {
        let (forge, issue) = (self.forge, self.issue);
        self.memory.note(Fact::Tidied(issue));
        let done = match tidy {
            Tidy::Label => forge.label(issue).await,
            Tidy::Close => forge.close(issue).await,
            Tidy::Reopen => forge.reopen(issue).await,
        };
        if let Err(fault) = done {
            warn!("couldn't label, close or reopen issue {issue}: {fault}");
        }
    }

    /// Gives the answer that the last event of a table lacks.
    async fn repair(&mut self, view: &View, table: u64, source: Source) -> Result<bool, Fault> {
        let (Some(record), Some(head)) = (view.table(table), view.commit()) else { return Ok(false) };
        info!(issue = source.issue, comment = source.comment, "giving an answer that was missing");
        self.ledger.repairs(table);
        let text = self.place.looking(Some(head), |look| announce::announce(record, look));
        self.answer(view, Answer { source, table, commit: Some(head.clone()), text: &text }).await?;
        Ok(true)
    }

    /// Settles one command; false if it has to be looked at again.
    async fn settle(&mut self, view: &mut View, command: CommandToSettle) -> Result<bool, Fault> {
        let CommandToSettle { table, said, verdict, older, fault } = command;
        let accepted = matches!(verdict, Verdict::Accept(_));
        let preface = if older { format!("{OLDER}\n\n") } else { String::new() };
        let told = match self.memo.carry_out(verdict) {
            Decision::Apply { table: next, finished } => {
                return self.apply(view, table, &said, (*next, finished.map(|before| *before)), &preface).await;
            }
            Decision::Chat => None,
            Decision::Refuse(refusal) => Some(Err(refusal)),
            Decision::Show(show) => Some(Ok(show)),
        };
        let source = said.source;
        if accepted && self.memory.is_at_limit(&said.author) {
            self.memory.note(Fact::Left(said.author.id));
            return Ok(false);
        }
        if self.forge.now().saturating_sub(view.read) > FRESH {
            info!(issue = source.issue, comment = source.comment, "read too long ago for an answer without a commit");
            self.patience.read_too_old()?;
            return Ok(false);
        }
        let Some(told) = told else { return Ok(true) };
        if let Err(refusal) = &told {
            if let Some(fault) = fault {
                self.report(table, source, &fault);
            }
            if *refusal == Refusal::Table(TableRefusal::SecretLost) {
                self.ledger.secret_lost(table);
            }
        }
        let reaction = if told.is_ok() { Reaction::Eyes } else { Reaction::Confused };
        if !self.claim(source, reaction).await? {
            return Ok(false);
        }
        let (place, before, head) = (self.place, view.table(table), view.commit());
        let text = match &told {
            // A hint may take seconds to search for, and only the run that holds the claim does it.
            Ok(show) => self.memo.show(show, before, || {
                place.looking(head, |look| announce::show(show, before, &place.house, said.time, look))
            }),
            Err(refusal) => place.looking(head, |look| announce::refuse(refusal, &said.author, before, look)),
        };
        self.ledger.settles(table, reaction);
        self.memory.count_unproductive(&said.author);
        self.answer(view, Answer { source, table, commit: None, text: &format!("{preface}{text}") }).await?;
        Ok(true)
    }

    /// Commits the tables that a command leads to, and answers it; false if it has to be decided again.
    async fn apply(
        &mut self,
        view: &mut View,
        table: u64,
        said: &Utterance,
        (next, finished): (AnyTable, Option<AnyTable>),
        preface: &str,
    ) -> Result<bool, Fault> {
        let Some((next, commit)) = self.commit(view, next, finished.as_ref(), said).await? else {
            return Ok(false);
        };
        let (source, issue) = (said.source, next.issue());
        for at in [table, issue] {
            self.memory.land(at, next.round(), source);
        }
        self.ledger.applies(issue, &commit);
        let text = self.place.looking(Some(&commit), |look| announce::announce(&next, look));
        let tables: Vec<AnyTable> = finished.into_iter().chain([next]).collect();
        tables.iter().for_each(|table| self.ledger.sees(table));
        view.update(commit.clone(), tables);
        let text = &format!("{preface}{text}");
        self.answer(view, Answer { source, table: issue, commit: Some(commit), text }).await?;
        Ok(true)
    }

    /// Commits a table on the head that it was decided on, and returns it as it was committed; `None` if it has to be decided
    /// again.
    async fn commit(
        &mut self,
        view: &View,
        table: AnyTable,
        finished: Option<&AnyTable>,
        said: &Utterance,
    ) -> Result<Option<(AnyTable, Oid)>, Fault> {
        let on = match &view.head {
            Head::At(oid) => Some(oid.clone()),
            Head::Missing(None) => None,
            Head::Missing(Some(from)) => {
                self.forge.make_branch(from).await?;
                return Ok(None);
            }
        };
        let bundle = Bundle::of(self.forge, self.place, on.as_ref(), table, finished, &view.pages).await?;
        let (headline, body) = message::message(&bundle.table, &said.author, &self.place.noreply, self.place.skip_ci);
        info!(%headline, "committing");
        let Bundle { table, files, complaints, failure } = bundle;
        let change = Change { on, files, headline, body, author: said.author.clone(), time: said.time };
        match self.forge.commit(&change).await? {
            Committed::Landed(commit) => {
                complaints.into_iter().for_each(|(path, complaints)| self.ledger.page(&path, complaints));
                failure.into_iter().for_each(|failure| self.ledger.fail(failure));
                Ok(Some((table, commit)))
            }
            Committed::Raced => {
                info!("the branch has moved: reading and deciding again");
                self.patience.race(self.forge).await?;
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
                self.doubt(Doubt::Claimed(source)).await?;
                return Ok(false);
            }
            Claim::Gone => {
                self.memory.note(Fact::Done(source));
                return Ok(false);
            }
            // The answer would be refused as well; and where it would not be, any more, another run may be giving it.
            Claim::Refused(why) => {
                self.ledger.no_answer(source.issue, &why);
                self.memory.note(Fact::Done(source));
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Gives an answer, after which the run has all its patience again.
    async fn answer(&mut self, view: &View, answer: Answer<'_>) -> Result<(), Fault> {
        let source = answer.source;
        match answer.post(self.forge, self.place, view).await {
            Ok(Posted::Done) => {}
            Ok(Posted::Refused(why)) => {
                self.ledger.no_answer(source.issue, &why);
                self.memory.note(Fact::Mute(source.issue));
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
        self.patience = Patience::new(self.forge.now());
        Ok(())
    }

    /// Tells the host of a record that cannot be used, and of the command that has met it.
    fn report(&mut self, table: u64, source: Source, fault: &RecordFault) {
        let what = match fault {
            RecordFault::Damaged(why) => self.place.damaged(table, why),
            RecordFault::Gone(commit) => self.place.gone(table, commit),
        };
        self.ledger.fail(format!("{what}. The bot refused a command in issue {} because of that", source.issue));
    }
}
