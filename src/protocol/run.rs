//! The run of one thread: its state from one read to the next, and the waiting for a doubt to clear up.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::decisions::decision::{Decision, Show};
use crate::decisions::verdict::Pending;
use crate::protocol::forge::{COMMENTS, Fault, Forge};
use crate::protocol::ledger::Ledger;
use crate::protocol::older_pages::OlderPages;
use crate::protocol::patience::Patience;
use crate::protocol::place::Place;
use crate::protocol::view::{Doubt, RunMemory};
use crate::tables::any::AnyTable;
use crate::talk::comment::{Millis, Source};
use crate::talk::utterance::Luck;

/// The time that another run may take to answer what it has claimed: twenty seconds.
const DOUBT: Millis = 20_000;
/// The pause between two looks at something that another run may be about to clear up.
pub(super) const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// The time after which the pauses are twice as long: six seconds.
const SOON: Millis = 6_000;

/// The fewest comments that are asked for at once: however long they are, so many fit into a reply.
const FEWEST: usize = 3;
/// The time of a sweep that one thread may take: three minutes, which is several doubts.
const SHARE: Millis = 180_000;

/// The end of the part of a sweep that one thread may take.
pub(super) struct Share {
    until: Millis,
    settled: u32,
}

/// One thread being settled.
pub(super) struct Run<'a> {
    pub(super) forge: &'a dyn Forge,
    pub(super) place: &'a Place,
    pub(super) issue: u64,
    /// The comment that woke the run, unless it has been deleted: any read without it is stale, also one after others with it.
    pub(super) waking: Option<Source>,
    /// The other table that is read with it.
    pub(super) beside: Option<u64>,
    pub(super) memory: RunMemory,
    /// The randomness of this run's dice; `None` before the first read.
    pub(super) luck: Option<Luck>,
    /// The last command that was carried out, and its decision.
    pub(super) carried_out: Option<(Pending, Decision)>,
    /// The last hint that was shown: the table, the level, the text.
    pub(super) hint: Option<(AnyTable, Show, String)>,
    pub(super) older: OlderPages,
    /// The time since which each doubt has been there.
    pub(super) doubts: BTreeMap<Doubt, Millis>,
    pub(super) patience: Patience,
    /// The number of comments that are asked for at once.
    pub(super) comments: usize,
    /// The part of a sweep that this thread may take; `None` where the run is about it alone.
    pub(super) share: Option<Share>,
    pub(super) ledger: &'a mut Ledger,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        forge: &'a dyn Forge,
        place: &'a Place,
        issue: u64,
        waking: Option<Source>,
        beside: Option<u64>,
        ledger: &'a mut Ledger,
    ) -> Run<'a> {
        let memory = RunMemory { unproductive: ledger.unproductive.clone(), ..RunMemory::default() };
        Run {
            forge,
            place,
            issue,
            waking,
            beside: beside.filter(|table| *table != issue),
            memory,
            luck: None,
            carried_out: None,
            hint: None,
            older: OlderPages::default(),
            doubts: BTreeMap::new(),
            patience: Patience::new(forge.now()),
            comments: COMMENTS,
            share: None,
            ledger,
        }
    }

    /// Gives the run no more than its part of a sweep: three minutes, and so many commands.
    pub(super) fn sharing(mut self, commands: u32) -> Run<'a> {
        self.share = Some(Share { until: self.forge.now() + SHARE, settled: self.ledger.settled() + commands });
        self
    }

    /// Tests if the rest has to wait for the next run.
    pub(super) fn is_enough(&mut self) -> bool {
        let Some(Share { until, settled }) = self.share else { return self.ledger.is_enough() };
        let enough = self.forge.now() >= until || self.ledger.settled() >= settled;
        if enough {
            self.ledger.leaves(self.issue);
        }
        enough || self.ledger.is_enough()
    }

    /// Asks for fewer comments at once from now on: the reply was too long, or came to nothing, which too long a one may do.
    pub(super) fn ask_for_less(&mut self) -> bool {
        let fewer = (self.comments / 3).max(FEWEST);
        fewer < std::mem::replace(&mut self.comments, fewer)
    }

    /// Waits a little for a doubt to clear up; one that has been there for long enough is believed.
    pub(super) async fn doubt(&mut self, doubt: Doubt) -> Result<(), Fault> {
        let now = self.forge.now();
        let since = *self.doubts.entry(doubt).or_insert(now);
        if now.saturating_sub(since) >= DOUBT {
            self.memory.believed.insert(doubt);
            return Ok(());
        }
        // Most doubts clear up at once, or not at all.
        let pause = if now.saturating_sub(since) < SOON { LOOK_AGAIN } else { 2 * LOOK_AGAIN };
        self.patience.hold(self.forge, pause).await
    }
}
