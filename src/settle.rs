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

mod bundle;
mod ledger;
mod older;
mod pages;
mod patience;
mod place;
mod report;

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, anyhow};
use bundle::Bundle;
pub use ledger::{Entry, Ledger};
use older::Older;
use patience::Patience;
pub use place::{Place, Wake, Web};
pub use report::Report;
use tracing::{info, warn};

use crate::answer::{self, Look, Marker};
use crate::decide::{Decision, Said};
use crate::forge::{Change, Claim, Comment, Committed, Fault, File, Forge, Head, Posted, Reaction, Snapshot, Thread};
use crate::games::Table;
use crate::page::Links;
use crate::plan::{Doubt, Memory, Seen, Settle, Step, View, floor, plan};
use crate::record;
use crate::refusal::Refusal;
use crate::said::{Millis, Oid, Source};

/// How long another run may take to answer what it has claimed: twenty seconds.
const DOUBT: Millis = 20_000;
/// The pause between two looks at something that another run may be about to clear up.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// How many comments an issue takes.
const FULL: u64 = 2_500;
/// From how many comments on the players are told so.
const CROWDED: u64 = 2_300;
const DAY: Millis = 24 * 60 * 60 * 1000;

/// Settles whatever is unsettled where the wake-up call points.
///
/// # Errors
/// What the host has to see: a misconfiguration, a damaged record, or a forge that stays out of reach.
pub async fn settle<F: Forge>(forge: &F, place: &Place, wake: Wake) -> Result<Report> {
    settle_noting(forge, place, wake, &mut Ledger::default()).await
}

/// The same, with a ledger of what was done, which is there however the run ends.
///
/// # Errors
/// As [`settle`].
pub async fn settle_noting<F: Forge>(forge: &F, place: &Place, wake: Wake, ledger: &mut Ledger) -> Result<Report> {
    let mut report = Report::default();
    let ended = match wake {
        Wake::Comment { source, table } => {
            Run::new(forge, place, source.issue, Some(source), table, ledger).go(&mut report).await
        }
        Wake::Issue(issue) => Run::new(forge, place, issue, None, None, ledger).go(&mut report).await,
        Wake::Sweep => sweep(forge, place, &mut report, ledger).await,
    };
    match ended {
        Ok(()) => Ok(report),
        Err(error) => Err(report.stopped(error)),
    }
}

/// Every issue that was touched lately. One that fails does not keep the others from being settled.
async fn sweep<F: Forge>(forge: &F, place: &Place, report: &mut Report, ledger: &mut Ledger) -> Result<()> {
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
        if let Err(error) = Run::new(forge, place, issue, None, None, ledger).go(report).await {
            failed.push(format!("issue {issue}: {error:#}"));
        }
    }
    if let Err(error) = pages::refresh(forge, place, report, ledger).await {
        failed.push(format!("{error:#}"));
    }
    if failed.is_empty() { Ok(()) } else { Err(anyhow!("{}", failed.join("; "))) }
}

/// One thread being settled.
struct Run<'a, F> {
    forge: &'a F,
    place: &'a Place,
    issue: u64,
    /// The comment that woke us, unless it has been deleted: any read without it is stale, also one after others with it.
    waking: Option<Source>,
    /// The other table that is read in the same breath.
    beside: Option<u64>,
    memory: Memory,
    older: Older,
    /// Since when each doubt has been there.
    doubts: BTreeMap<Doubt, Millis>,
    patience: Patience,
    ledger: &'a mut Ledger,
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
            memory: Memory::default(),
            older: Older::default(),
            doubts: BTreeMap::new(),
            patience: Patience::new(forge.now()),
            ledger,
        }
    }

    async fn go(mut self, report: &mut Report) -> Result<()> {
        while !report.is_enough() {
            match self.round(report).await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(fault) => self.patience.rest(self.forge, fault).await?,
            }
        }
        Ok(())
    }

    /// One read and one step. True: there is nothing left to settle.
    async fn round(&mut self, report: &mut Report) -> Result<bool, Fault> {
        let Some(mut view) = self.look().await? else { return Ok(false) };
        let house = &self.place.house;
        let mut step = plan(&view, self.issue, &self.memory, house);
        while let Step::Also(source) = step {
            let read = self.add(&mut view, &[source.issue], &[], source.comment).await?;
            if read.head != view.head {
                // Nothing may be decided on a head that its record was not read through.
                self.patience.race(self.forge).await?;
                return Ok(false);
            }
            step = plan(&view, self.issue, &self.memory, house);
        }
        let settled = match step {
            Step::Idle => return Ok(true),
            Step::Also(_) => false,
            Step::Beside(issue) => {
                self.beside = Some(issue);
                false
            }
            Step::Wait(doubt) => {
                self.doubt(doubt).await?;
                false
            }
            Step::Restore(issue, commit) => {
                return Err(report::lost(&bundle::record_path(&self.place.state_dir, issue), issue, &commit));
            }
            Step::Delete(source) => {
                self.forge.delete(source).await?;
                false
            }
            Step::Answer { table, source } => self.repair(&view, table, source, report).await?,
            Step::Settle(settle) => self.settle(&mut view, *settle, report).await?,
        };
        // What was settled is in the view now, so that no further read is needed to see that nothing is left.
        Ok(settled && matches!(plan(&view, self.issue, &self.memory, house), Step::Idle))
    }

    /// One read, with the tables in it, its threads complete back to their floors. Nothing: it was stale.
    async fn look(&mut self) -> Result<Option<View>, Fault> {
        let horizon = self.forge.now().saturating_sub(self.place.days.saturating_mul(DAY));
        let asked: Vec<u64> = [Some(self.issue), self.beside].into_iter().flatten().collect();
        let luck = self.forge.luck()?;
        let mut view = View {
            head: Head::Missing(None),
            threads: BTreeMap::new(),
            pages: BTreeMap::new(),
            newest: BTreeMap::new(),
            horizon,
            luck,
        };
        let snapshot = self.add(&mut view, &asked, &self.place.pages, u64::MAX).await?;
        (view.head, view.pages, view.newest) = (snapshot.head, snapshot.pages, snapshot.newest);
        if self.is_stale(&view).await? { Ok(None) } else { Ok(Some(view)) }
    }

    /// Reads threads into a view, at least back to this comment, and gives the rest of what was read.
    async fn add(&mut self, view: &mut View, issues: &[u64], pages: &[String], to: u64) -> Result<Snapshot, Fault> {
        let mut snapshot = self.forge.read(issues, pages).await?;
        for issue in issues {
            match snapshot.threads.remove(issue) {
                Some(thread) => {
                    let seen = self.complete(*issue, thread, view.horizon, to).await?;
                    seen.table.iter().for_each(|table| self.ledger.sees(table));
                    view.threads.insert(*issue, seen);
                }
                None => _ = self.memory.gone.insert(*issue),
            }
        }
        Ok(snapshot)
    }

    /// Whether the read is older than the comment that woke us: asked for directly, it is there.
    async fn is_stale(&mut self, view: &View) -> Result<bool, Fault> {
        let Some(source) = self.waking else { return Ok(false) };
        let shown = view.threads.get(&source.issue).is_some_and(|Seen { thread, table }| {
            let settled = floor(table.as_ref()).is_some_and(|floor| source.comment <= floor);
            // In a thread without a table, what is older than the horizon is not read.
            let old = thread.earlier.is_some() && thread.comments.iter().all(|comment| comment.id > source.comment);
            let listed = thread.comments.iter().any(|comment| comment.id == source.comment);
            source.comment == 0 || settled || old || listed
        });
        let gone = !shown && !self.forge.exists(source).await?;
        self.waking = self.waking.filter(|_| !gone);
        if shown || gone {
            return Ok(false);
        }
        info!(issue = source.issue, comment = source.comment, "the read is older than the comment that woke us");
        self.patience.hold(self.forge, LOOK_AGAIN).await?;
        Ok(true)
    }

    /// A thread with its table and all its comments above the floor, and with all from this one on.
    async fn complete(&mut self, issue: u64, mut thread: Thread, horizon: Millis, to: u64) -> Result<Seen, Fault> {
        let damaged = |why: &str| {
            let path = bundle::record_path(&self.place.state_dir, issue);
            Fault::Host(format!("{path} is damaged, so nothing was written: {why}. Restore it from an earlier commit"))
        };
        let table = match &thread.record {
            File::Missing => None,
            File::Text(text) => Some(record::load(text, issue).map_err(|why| damaged(&why))?),
            File::Unreadable(why) => return Err(damaged(why)),
        };
        let floor = floor(table.as_ref());
        let below = |comment: &Comment| match floor {
            Some(floor) => comment.id <= floor.min(to),
            None => comment.time < horizon,
        };
        self.older.join(issue, &mut thread, self.forge.now());
        let mut paged = false;
        while let Some(cursor) = thread.earlier.take_if(|_| !thread.comments.first().is_some_and(below)) {
            paged = true;
            let (mut page, earlier) = self.forge.page(issue, &cursor).await?;
            page.append(&mut thread.comments);
            thread.comments = page;
            thread.earlier = earlier;
        }
        if paged {
            self.older.keep(issue, &thread, self.forge.now());
        }
        Ok(Seen { thread, table })
    }

    /// Settles one command. False: it has to be looked at again.
    async fn settle(&mut self, view: &mut View, settle: Settle, report: &mut Report) -> Result<bool, Fault> {
        let Settle { table, said, decision, older } = settle;
        let source = said.source;
        let shown = |text: String| if older { format!("{OLDER}\n\n{text}") } else { text };
        let before = view.threads.get(&table).and_then(|seen| seen.table.as_ref());
        let (reaction, text, count) = match decision {
            Decision::Chat => return Ok(true),
            Decision::Apply { table: next, finished } => {
                let Some((next, commit)) = self.commit(view, *next, finished.as_deref(), &said, report).await? else {
                    return Ok(false);
                };
                // The commit that landed is the claim.
                self.memory.mine.insert(source);
                self.memory.landed.extend([table, next.issue()].map(|at| (at, (next.round(), source))));
                report.applied += 1;
                self.ledger.applies(next.issue(), &commit);
                let text = shown(self.looking(Some(&commit), |look| answer::announce(&next, look)));
                view.head = Head::At(commit.clone());
                let table = next.issue();
                for table in [finished.map(|before| *before), Some(next)].into_iter().flatten() {
                    self.ledger.sees(&table);
                    if let Some(seen) = view.threads.get_mut(&table.issue()) {
                        seen.table = Some(table);
                    }
                }
                self.reply(view, source, table, Some(commit), &text, report).await?;
                return Ok(true);
            }
            Decision::Refuse(refusal) => {
                if refusal == Refusal::SecretLost {
                    report.secret_lost(table);
                }
                let text = self.looking(oid(&view.head), |look| answer::refuse(&refusal, &said.author, before, look));
                (Reaction::Confused, text, &mut report.refused)
            }
            Decision::Show(show) => {
                let house = &self.place.house;
                let text = self.looking(oid(&view.head), |look| answer::show(&show, before, house, look));
                (Reaction::Eyes, text, &mut report.shown)
            }
        };
        if !self.claim(source, reaction, &mut report.notes).await? {
            return Ok(false);
        }
        *count += 1;
        self.ledger.settles(table, reaction);
        *self.memory.vain.entry(said.author.id).or_default() += 1;
        self.reply(view, source, table, None, &shown(text), report).await?;
        Ok(true)
    }

    /// Commits a table on the head that it was decided on, and gives it as it was committed. Nothing: it has to be
    /// decided again.
    async fn commit(
        &mut self,
        view: &View,
        table: Table,
        finished: Option<&Table>,
        said: &Said,
        report: &mut Report,
    ) -> Result<Option<(Table, Oid)>, Fault> {
        let on = match &view.head {
            Head::At(oid) => Some(oid.clone()),
            Head::Missing(None) => None,
            Head::Missing(Some(from)) => {
                self.forge.make_branch(from).await?;
                return Ok(None);
            }
        };
        let bundle = Bundle::of(self.forge, self.place, on.as_ref(), table, finished, &view.pages).await?;
        let (headline, body) = answer::message(&bundle.table, &said.author, &self.place.noreply);
        info!(%headline, "committing");
        let Bundle { table, files, complaints, failures } = bundle;
        let change = Change { on, files, headline, body, author: said.author.clone(), time: said.time };
        match self.forge.commit(&change).await? {
            Committed::Landed(commit) => {
                complaints.into_iter().for_each(|(path, complaints)| report.look(&path, complaints));
                report.failures.extend(failures);
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
    async fn claim(&mut self, source: Source, reaction: Reaction, notes: &mut Vec<String>) -> Result<bool, Fault> {
        let claimed = Doubt::Claimed(source);
        match self.forge.react(source, reaction).await? {
            Claim::Ours => _ = self.memory.mine.insert(source),
            Claim::Taken if self.memory.mine.contains(&source) || self.memory.believed.contains(&claimed) => {}
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
                notes.push(report::no_answer(source.issue, &why));
                self.memory.done.insert(source);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Gives the answer that the last event of a table lacks.
    async fn repair(&mut self, view: &View, table: u64, source: Source, report: &mut Report) -> Result<bool, Fault> {
        let record = view.threads.get(&table).and_then(|seen| seen.table.as_ref());
        let (Some(record), Head::At(head)) = (record, &view.head) else { return Ok(false) };
        info!(issue = source.issue, comment = source.comment, "giving an answer that was missing");
        report.repaired += 1;
        self.ledger.repairs(table);
        let text = self.looking(Some(head), |look| answer::announce(record, look));
        self.reply(view, source, table, Some(head.clone()), &text, report).await?;
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
        report: &mut Report,
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
                report.notes.push(report::no_answer(source.issue, &why));
            }
            Err(fault) => {
                if matches!(fault, Fault::Lost(_)) {
                    // It may be there, or may yet appear.
                    self.memory.mine.remove(&source);
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
        if total < CROWDED || !seen.table.as_ref().is_some_and(Table::is_playing) {
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
