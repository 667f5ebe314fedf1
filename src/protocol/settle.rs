//! The loop: read, decide, commit, answer, until nothing is left to settle.
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

use anyhow::{Result, anyhow};
use tracing::{info, warn};

use crate::answers::{announce, message};
use crate::decisions::decision::{Decision, Show};
use crate::decisions::refusal::Refusal;
use crate::decisions::verdict::Verdict;
use crate::protocol::bundle::{self, Bundle};
use crate::protocol::forge::{Change, Committed, Fault, Forge, Reaction};
use crate::protocol::ledger::{ENOUGH, Ledger, Report};
use crate::protocol::page_refresh;
use crate::protocol::patience::Patience;
use crate::protocol::place::{Place, Wake};
use crate::protocol::plan::{CommandToSettle, NextStep, Tidy, deaf_floor, plan};
use crate::protocol::run::Run;
use crate::protocol::view::{RecordFault, View};
use crate::tables::any::AnyTable;
use crate::tables::refusal::TableRefusal;
use crate::talk::comment::{Millis, Source};
use crate::talk::thread::{Head, Oid};
use crate::talk::utterance::Utterance;

/// The greatest age, in milliseconds, of the newest page that an answer without a commit rests on: reading the older pages
/// takes time, and nothing but a commit notices changes meanwhile.
const FRESH: Millis = 5_000;

/// Settles all that is unsettled where the wake-up call points.
///
/// # Errors
/// The fault that the host has to see: a misconfiguration, a damaged record, or a forge that stays out of reach.
pub async fn settle(forge: &dyn Forge, place: &Place, wake: Wake) -> Result<Report> {
    settle_noting(forge, place, wake, &mut Ledger::default()).await
}

/// Settles as [`settle`] does, with a ledger that is there also when the run fails.
///
/// # Errors
/// As [`settle`].
pub async fn settle_noting(forge: &dyn Forge, place: &Place, wake: Wake, ledger: &mut Ledger) -> Result<Report> {
    let ended = match wake {
        Wake::Comment { source, table } => Run::new(forge, place, source.issue, Some(source), table, ledger).go().await,
        Wake::Issue(issue) => Run::new(forge, place, issue, None, None, ledger).go().await,
        Wake::Sweep => sweep(forge, place, ledger).await,
    };
    ended.map(|()| ledger.report()).map_err(|error| ledger.stopped(error))
}

/// Settles every issue that was touched lately. One that fails does not keep the others from being settled.
async fn sweep(forge: &dyn Forge, place: &Place, ledger: &mut Ledger) -> Result<()> {
    let since = place.horizon(forge.now());
    let mut patience = Patience::new(forge.now());
    let issues = loop {
        match forge.touched_since(since).await {
            Ok(issues) => break issues,
            Err(fault) => patience.rest(forge, fault).await?,
        }
    };
    info!(issues = issues.len(), "sweeping");
    let mut failed = Vec::new();
    // However many there are, each may have a few commands settled; what is left is for the next sweep.
    let share = ENOUGH.div_ceil(u32::try_from(issues.len()).unwrap_or(ENOUGH).max(1)).max(20);
    for issue in begun_elsewhere(issues, forge.now()) {
        if let Err(error) = Run::new(forge, place, issue, None, None, ledger).sharing(share).go().await {
            failed.push(format!("issue {issue}: {error:#}"));
        }
    }
    if let Err(error) = page_refresh::refresh_pages(forge, place, ledger).await {
        failed.push(format!("{error:#}"));
    }
    if failed.is_empty() { Ok(()) } else { Err(anyhow!("{}", failed.join("; "))) }
}

impl Run<'_> {
    async fn go(mut self) -> Result<()> {
        let ended = self.rounds().await;
        self.ledger.unproductive = std::mem::take(&mut self.memory.unproductive);
        ended
    }

    async fn rounds(&mut self) -> Result<()> {
        while !self.is_enough() {
            match self.round().await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(Fault::TooLong(why)) if self.ask_for_less() => info!("{why} Asking for less at a time"),
                Err(fault) => {
                    if matches!(fault, Fault::Lost(_)) {
                        self.ask_for_less();
                    }
                    self.patience.rest(self.forge, fault).await?;
                }
            }
        }
        Ok(())
    }

    /// Makes one read and one step; true if nothing is left to settle.
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
                self.beside = Some(issue);
                false
            }
            NextStep::Wait(doubt) => {
                self.doubt(doubt).await?;
                false
            }
            NextStep::Restore(issue, commit) => {
                return Err(Fault::Host(gone(&bundle::record_path(&self.place.state_dir, issue), issue, &commit)));
            }
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

    /// Tells the host of a record whose table hears nobody any more, because its floor is beyond every comment.
    fn hear(&mut self, view: &View) {
        if let Some((source, floor)) = self.waking.and_then(|source| Some((source, deaf_floor(view, source)?))) {
            let path = bundle::record_path(&self.place.state_dir, source.issue);
            self.ledger.failures.push(format!(
                "{path}: `through` is {floor}, beyond every comment of issue {}, so the bot ignores comment {} and \
                 all others before {floor}. Set it to the highest `comment` of that issue in its `history`",
                source.issue, source.comment
            ));
        }
    }

    /// Makes up for something that should have gone with an answer. A game goes on without it.
    async fn tidy(&mut self, tidy: Tidy) {
        let (forge, issue) = (self.forge, self.issue);
        self.memory.tidied.insert(issue);
        let done = match tidy {
            Tidy::Label => forge.label(issue).await,
            Tidy::Close => forge.close(issue).await,
            Tidy::Reopen => forge.reopen(issue).await,
        };
        if let Err(fault) = done {
            warn!("couldn't label, close or reopen issue {issue}: {fault}");
        }
    }

    /// Settles one command; false if it has to be looked at again.
    async fn settle(&mut self, view: &mut View, command: CommandToSettle) -> Result<bool, Fault> {
        let CommandToSettle { table, said, verdict, older, fault } = command;
        let source = said.source;
        let accepted = matches!(verdict, Verdict::Accept(_));
        let decision = self.carry_out(verdict);
        if !matches!(decision, Decision::Apply { .. }) {
            if accepted && self.memory.is_at_limit(&said.author) {
                self.memory.left.insert(said.author.id);
                return Ok(false);
            }
            if self.forge.now().saturating_sub(view.read) > FRESH {
                info!(
                    issue = source.issue,
                    comment = source.comment,
                    "read too long ago for an answer without a commit"
                );
                self.patience.read_too_old()?;
                return Ok(false);
            }
        }
        let shown = |text: String| if older { format!("{OLDER}\n\n{text}") } else { text };
        let before = view.threads.get(&table).and_then(|seen| seen.table.as_ref());
        let told = match decision {
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
                if let Some(fault) = fault {
                    self.report(table, source, &fault);
                }
                if refusal == Refusal::Table(TableRefusal::SecretLost) {
                    self.ledger.secret_lost(table);
                }
                Err(refusal)
            }
            Decision::Show(show) => Ok(show),
        };
        let reaction = if told.is_ok() { Reaction::Eyes } else { Reaction::Confused };
        if !self.claim(source, reaction).await? {
            return Ok(false);
        }
        // A hint may take seconds to search for, and only the run that holds the claim does it.
        let text = match &told {
            Ok(show) => self.show(show, before, said.time, oid(&view.head)),
            Err(refusal) => self.looking(oid(&view.head), |look| announce::refuse(refusal, &said.author, before, look)),
        };
        self.ledger.settles(table, reaction);
        *self.memory.unproductive.entry(said.author.id).or_default() += 1;
        self.reply(view, source, table, None, &shown(text)).await?;
        Ok(true)
    }

    /// Returns the text that shows something. A hint for the same position is the same, so it is searched for once.
    fn show(&mut self, show: &Show, table: Option<&AnyTable>, time: Millis, head: Option<&Oid>) -> String {
        let hint = table.filter(|_| matches!(show, Show::Hint(_)));
        if let (Some(table), Some((known, shown, text))) = (hint, &self.hint)
            && (known, shown) == (table, show)
        {
            return text.clone();
        }
        let text = self.looking(head, |look| announce::show(show, table, &self.place.house, time, look));
        if let Some(table) = hint {
            self.hint = Some((table.clone(), show.clone(), text.clone()));
        }
        text
    }

    /// Returns the decision that a verdict leads to. After a lost race the same command at the same table has the same
    /// consequences, so they are worked out once.
    fn carry_out(&mut self, verdict: Verdict) -> Decision {
        let Verdict::Accept(pending) = verdict else { return verdict.carry_out() };
        if let Some((known, decision)) = &self.carried_out
            && *known == pending
        {
            return decision.clone();
        }
        let decision = pending.clone().carry_out();
        self.carried_out = Some((pending, decision.clone()));
        decision
    }

    /// Tells the host of a record that cannot be used, and of the command that has met it.
    fn report(&mut self, table: u64, source: Source, fault: &RecordFault) {
        let what = match fault {
            RecordFault::Damaged(why) => self.damaged(table, why),
            RecordFault::Gone(commit) => gone(&bundle::record_path(&self.place.state_dir, table), table, commit),
        };
        let failure = format!("{what}. The bot refused a command in issue {} because of that", source.issue);
        if !self.ledger.failures.contains(&failure) {
            self.ledger.failures.push(failure);
        }
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
        let Bundle { table, files, complaints, failures } = bundle;
        let change = Change { on, files, headline, body, author: said.author.clone(), time: said.time };
        match self.forge.commit(&change).await? {
            Committed::Landed(commit) => {
                complaints.into_iter().for_each(|(path, complaints)| self.ledger.page(&path, complaints));
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
}

/// The sentence above an answer when commits have been taken out of the branch.
const OLDER: &str = "The record in this repository is older than this thread, so it lacks moves that were answered \
     here. The game continues from the record.";

fn oid(head: &Head) -> Option<&Oid> {
    if let Head::At(oid) = head { Some(oid) } else { None }
}

/// Returns the sentence for the host about a record that is gone, and has to be restored from a commit.
fn gone(path: &str, issue: u64, commit: &Oid) -> String {
    format!(
        "{path} is missing, but the bot answered issue {issue} from commit {commit}: someone deleted or rewrote the \
         games' branch, or changed the input `branch` or `state-dir`. Restore the file from that commit, or delete \
         the bot's answers in the issue to start over"
    )
}

/// Turns a list of threads so that a sweep begins somewhere else each time: what one sweep has left, another soon begins with.
fn begun_elsewhere(mut issues: Vec<u64>, now: Millis) -> Vec<u64> {
    let places = u64::try_from(issues.len()).unwrap_or(u64::MAX).max(1);
    let turn = (now / 60_000).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    issues.rotate_left(usize::try_from(turn % places).unwrap_or(0));
    issues
}
