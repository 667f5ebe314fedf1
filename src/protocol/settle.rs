//! The loop: read, decide, commit, answer, until nothing is left to settle.
//!
//! ```text
//!  event ──► read ──► decide ──► commit ──► answer ──┐
//!             ▲         │pure      │                 │ next unanswered
//!             └─────────┴──raced───┴─────────────────┘
//! ```
//!
//! The event is only a wake-up call; what is done follows from what is read. Whatever goes wrong on the way (a lost race, a
//! lost reply, a stale read, another run at the same comment) ends in the same place: read again, and work out anew what
//! is still to be done. No write is ever repeated without a read in between.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, anyhow};
use tracing::{info, warn};

use crate::answers::announce;
use crate::answers::look::Look;
use crate::answers::marker::Marker;
use crate::answers::message;
use crate::decisions::decision::Decision;
use crate::decisions::refusal::Refusal;
use crate::forges::forge::{Change, Claim, Committed, Fault, Forge, Posted, Reaction};
use crate::pages::links::Links;
use crate::protocol::bundle::{self, Bundle};
use crate::protocol::older::Older;
use crate::protocol::page_refresh;
use crate::protocol::patience::Patience;
use crate::protocol::plan::{NextStep, Settle, plan};
use crate::protocol::view::{Doubt, RunMemory, View};
use crate::tables::any::AnyTable;
use crate::tables::refusal::TableRefusal;
use crate::talk::comment::{Millis, Source};
use crate::talk::thread::{Head, Oid};
use crate::talk::utterance::Utterance;

pub use crate::protocol::ledger::{Ledger, Report, TableWork};
pub use crate::protocol::place::{Place, Wake, Web};

/// How long another run may take to answer what it has claimed: twenty seconds.
const DOUBT: Millis = 20_000;
/// How old the newest page may be, in milliseconds, that an answer without a commit rests on: reading the older pages takes
/// time, and nothing but a commit notices what has happened meanwhile.
const FRESH: Millis = 5_000;
/// The pause between two looks at something that another run may be about to clear up.
pub(super) const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// How many comments an issue takes.
pub(crate) const FULL: u64 = 2_500;
/// From how many comments on the players are told so.
pub(crate) const CROWDED: u64 = 2_300;
pub(super) const DAY: Millis = 24 * 60 * 60 * 1000;

/// Settles whatever is unsettled where the wake-up call points.
///
/// # Errors
/// What the host has to see: a misconfiguration, a damaged record, or a forge that stays out of reach.
pub async fn settle<F: Forge>(forge: &F, place: &Place, wake: Wake) -> Result<Report> {
    settle_noting(forge, place, wake, &mut Ledger::default()).await
}

/// The same, into a ledger that is there however the run ends.
///
/// # Errors
/// As [`settle`].
pub async fn settle_noting<F: Forge>(forge: &F, place: &Place, wake: Wake, ledger: &mut Ledger) -> Result<Report> {
    let ended = match wake {
        Wake::Comment { source, table } => Run::new(forge, place, source.issue, Some(source), table, ledger).go().await,
        Wake::Issue(issue) => Run::new(forge, place, issue, None, None, ledger).go().await,
        Wake::Sweep => sweep(forge, place, ledger).await,
    };
    ended.map(|()| ledger.report()).map_err(|error| ledger.stopped(error))
}

/// Every issue that was touched lately. One that fails does not keep the others from being settled.
async fn sweep<F: Forge>(forge: &F, place: &Place, ledger: &mut Ledger) -> Result<()> {
    let since = forge.now().saturating_sub(place.days.saturating_mul(DAY));
    let mut patience = Patience::new(forge.now());
    let issues = loop {
        match forge.touched_since(since).await {
            Ok(issues) => break issues,
            Err(fault) => patience.rest(forge, fault).await?,
        }
    };
    info!(issues = issues.len(), "sweeping");
    let mut failed = Vec::new();
    for issue in issues {
        if let Err(error) = Run::new(forge, place, issue, None, None, ledger).go().await {
            failed.push(format!("issue {issue}: {error:#}"));
        }
    }
    if let Err(error) = page_refresh::refresh(forge, place, ledger).await {
        failed.push(format!("{error:#}"));
    }
    if failed.is_empty() { Ok(()) } else { Err(anyhow!("{}", failed.join("; "))) }
}

/// One thread being settled.
pub(super) struct Run<'a, F> {
    pub(super) forge: &'a F,
    pub(super) place: &'a Place,
    pub(super) issue: u64,
    /// The comment that woke us, unless it has been deleted: any read without it is stale, also one after others with it.
    pub(super) waking: Option<Source>,
    /// The other table that is read in the same breath.
    pub(super) beside: Option<u64>,
    pub(super) memory: RunMemory,
    pub(super) older: Older,
    /// Since when each doubt has been there.
    pub(super) doubts: BTreeMap<Doubt, Millis>,
    pub(super) patience: Patience,
    pub(super) ledger: &'a mut Ledger,
}

impl<'a, F: Forge> Run<'a, F> {
    fn new(
        forge: &'a F,
        place: &'a Place,
        issue: u64,
        waking: Option<Source>,
        beside: Option<u64>,
        ledger: &'a mut Ledger,
    ) -> Run<'a, F> {
        Run {
            forge,
            place,
            issue,
            waking,
            beside: beside.filter(|table| *table != issue),
            memory: RunMemory::default(),
            older: Older::default(),
            doubts: BTreeMap::new(),
            patience: Patience::new(forge.now()),
            ledger,
        }
    }

    async fn go(mut self) -> Result<()> {
        while !self.ledger.is_enough() {
            match self.round().await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(fault) => self.patience.rest(self.forge, fault).await?,
            }
        }
        Ok(())
    }

    /// One read and one step. True: there is nothing left to settle.
    async fn round(&mut self) -> Result<bool, Fault> {
        let Some(mut view) = self.look().await? else { return Ok(false) };
        let house = &self.place.house;
        let mut step = plan(&view, self.issue, &self.memory, house);
        while let NextStep::ReadBackTo(source) = step {
            let Some(read) = self.add(&mut view, &[source.issue], &[], source.comment).await? else { return Ok(false) };
            if read.head != view.head {
                // Nothing may be decided on a head that its record was not read through.
                self.patience.race(self.forge).await?;
                return Ok(false);
            }
            step = plan(&view, self.issue, &self.memory, house);
        }
        let settled = match step {
            NextStep::Idle => return Ok(true),
            NextStep::ReadBackTo(_) => false,
            NextStep::ReadThread(issue) => {
                self.beside = Some(issue);
                false
            }
            NextStep::Wait(doubt) => {
                self.doubt(doubt).await?;
                false
            }
            NextStep::Restore(issue, commit) => {
                return Err(lost(&bundle::record_path(&self.place.state_dir, issue), issue, &commit));
            }
            NextStep::Delete(source) => {
                self.forge.delete(source).await?;
                false
            }
            NextStep::Answer { table, source } => self.repair(&view, table, source).await?,
            NextStep::Settle(settle) => self.settle(&mut view, *settle).await?,
        };
        // What was settled is in the view now, so that no further read is needed to see that nothing is left.
        Ok(settled && matches!(plan(&view, self.issue, &self.memory, house), NextStep::Idle))
    }

    /// Settles one command. False: it has to be looked at again.
    async fn settle(&mut self, view: &mut View, settle: Settle) -> Result<bool, Fault> {
        let Settle { table, said, decision, older } = settle;
        let source = said.source;
        let changes = matches!(decision, Decision::Apply { .. });
        if !changes && self.forge.now().saturating_sub(view.read) > FRESH {
            info!(issue = source.issue, comment = source.comment, "read too long ago for an answer without a commit");
            return Ok(false);
        }
        let shown = |text: String| if older { format!("{OLDER}\n\n{text}") } else { text };
        let before = view.threads.get(&table).and_then(|seen| seen.table.as_ref());
        let (reaction, text) = match decision {
            Decision::Chat => return Ok(true),
            Decision::Apply { table: next, finished } => {
                let Some((next, commit)) = self.commit(view, *next, finished.as_deref(), &said).await? else {
                    return Ok(false);
                };
                // The commit that landed is the claim.
                self.memory.own_claims.insert(source);
                self.memory.landed.extend([table, next.issue()].map(|at| (at, (next.round(), source))));
                self.ledger.applies(next.issue(), &commit);
                let text = shown(self.looking(Some(&commit), |look| announce::announce(&next, look)));
                view.head = Head::At(commit.clone());
                let table = next.issue();
                for table in [finished.map(|before| *before), Some(next)].into_iter().flatten() {
                    self.ledger.sees(&table);
                    if let Some(seen) = view.threads.get_mut(&table.issue()) {
                        seen.table = Some(table);
                    }
                }
                self.reply(view, source, table, Some(commit), &text).await?;
                return Ok(true);
            }
            Decision::Refuse(refusal) => {
                if refusal == Refusal::Table(TableRefusal::SecretLost) {
                    self.ledger.secret_lost(table);
                }
                let text = self.looking(oid(&view.head), |look| announce::refuse(&refusal, &said.author, before, look));
                (Reaction::Confused, text)
            }
            Decision::Show(show) => {
                let house = &self.place.house;
                let text = self.looking(oid(&view.head), |look| announce::show(&show, before, house, look));
                (Reaction::Eyes, text)
            }
        };
        if !self.claim(source, reaction).await? {
            return Ok(false);
        }
        self.ledger.settles(table, reaction);
        *self.memory.unproductive.entry(said.author.id).or_default() += 1;
        self.reply(view, source, table, None, &shown(text)).await?;
        Ok(true)
    }

    /// Commits a table on the head that it was decided on, and gives it as it was committed. Nothing: it has to be
    /// decided again.
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
        let (headline, body) = message::message(&bundle.table, &said.author, &self.place.noreply);
        info!(%headline, "committing");
        let Bundle { table, files, complaints, failures } = bundle;
        let change = Change { on, files, headline, body, author: said.author.clone(), time: said.time };
        match self.forge.commit(&change).await? {
            Committed::Landed(commit) => {
                complaints.into_iter().for_each(|(path, complaints)| self.ledger.look(&path, complaints));
                self.ledger.failures.extend(failures);
                Ok(Some((table, commit)))
            }
            Committed::Raced => {
                info!("the branch has moved: reading and deciding again");
                self.patience.race(self.forge).await?;
                Ok(None)
            }
        }
    }

    /// Puts our reaction on a comment that changes nothing: whoever put it there first is the one who answers.
    async fn claim(&mut self, source: Source, reaction: Reaction) -> Result<bool, Fault> {
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
    async fn repair(&mut self, view: &View, table: u64, source: Source) -> Result<bool, Fault> {
        let record = view.threads.get(&table).and_then(|seen| seen.table.as_ref());
        let (Some(record), Head::At(head)) = (record, &view.head) else { return Ok(false) };
        info!(issue = source.issue, comment = source.comment, "giving an answer that was missing");
        self.ledger.repairs(table);
        let text = self.looking(Some(head), |look| announce::announce(record, look));
        self.reply(view, source, table, Some(head.clone()), &text).await?;
        Ok(true)
    }

    /// An answer that shows boards as they are at a commit.
    fn looking(&self, at: Option<&Oid>, answer: impl FnOnce(Look<'_>) -> String) -> String {
        let Place { web, coloured, state_dir, .. } = self.place;
        match web.as_ref().zip(at) {
            Some((Web { server, repository, .. }, at)) => {
                answer(Look::Picture { at: &format!("{server}/{repository}/blob/{at}/{state_dir}") })
            }
            None => answer(Look::Text { coloured: *coloured }),
        }
    }

    /// Writes an answer, and what goes with it: all of it at once, because none of it waits for another.
    async fn reply(
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
        let labelled = view.threads.get(&source.issue).is_none_or(|seen| seen.thread.labelled);
        let notice = self.crowded(view, source.issue, table).map_or(String::new(), |notice| format!("\n\n{notice}\n"));
        let body = Marker { source, table, commit }.over(&format!("{}{notice}", text.trim_end()));
        let (posted, rocket, label, close) = tokio::join!(
            forge.answer(source.issue, &body),
            when(accepted, async || forge.react(source, Reaction::Rocket).await.map(|_| ())),
            when(accepted && own && !labelled, async || forge.label(source.issue).await),
            when(!own && source.comment == 0, async || forge.close(source.issue).await),
        );
        // These are ornaments: a game goes on without them.
        for fault in [rocket, label, close].into_iter().filter_map(Result::err) {
            warn!("an answer goes without its ornaments: {fault}");
        }
        match posted {
            Ok(Posted::Done) => {}
            Ok(Posted::Refused(why)) => {
                self.ledger.no_answer(source.issue, &why);
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

    /// What is said when the issue of a table is about to be full.
    fn crowded(&self, view: &View, issue: u64, table: u64) -> Option<String> {
        let seen = view.threads.get(&issue).filter(|_| issue == table)?;
        let total = seen.thread.total;
        if total < CROWDED || !seen.table.as_ref().is_some_and(AnyTable::is_playing) {
            return None;
        }
        let links = Links::of(self.place)?;
        let body = format!("/continue #{table}\n\nPress the green button: the game goes on in this issue.");
        let link = links.new_issue(&format!("Table {table} goes on"), &body);
        Some(format!(
            "This issue holds {total} comments and takes no more than {FULL}. [Go on in a fresh issue]({link}), with \
             `/continue #{table}` in it, before that."
        ))
    }

    /// Waits a little for a doubt to clear up; one that has been there for long enough is believed.
    async fn doubt(&mut self, doubt: Doubt) -> Result<(), Fault> {
        let now = self.forge.now();
        let since = *self.doubts.entry(doubt).or_insert(now);
        if now.saturating_sub(since) >= DOUBT {
            self.memory.believed.insert(doubt);
            return Ok(());
        }
        self.patience.hold(self.forge, LOOK_AGAIN).await
    }
}

/// Said above an answer when commits have been taken out of the branch.
const OLDER: &str = "The record in this repository is older than this thread: moves that were answered here are not in it \
                     any more. Play goes on from the record.";

fn oid(head: &Head) -> Option<&Oid> {
    match head {
        Head::At(oid) => Some(oid),
        Head::Missing(_) => None,
    }
}

async fn when<T: AsyncFnOnce() -> Result<(), Fault>>(condition: bool, then: T) -> Result<(), Fault> {
    if condition { then().await } else { Ok(()) }
}

/// The record of a table is gone, and the host has to restore it from a commit.
fn lost(path: &str, issue: u64, commit: &Oid) -> Fault {
    Fault::Host(format!(
        "{path} is gone, but issue {issue} was answered from commit {commit}: the state branch was deleted or rewritten, \
         or the input `branch` or `state-dir` was changed. Restore it from that commit, or delete the bot's answers in \
         the issue to begin anew"
    ))
}
