//! The run of one thread: its state from one read to the next, and the waiting for a doubt to clear up.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::forges::forge::{Fault, Forge};
use crate::protocol::ledger::Ledger;
use crate::protocol::older_pages::OlderPages;
use crate::protocol::patience::Patience;
use crate::protocol::place::Place;
use crate::protocol::view::{Doubt, RunMemory};
use crate::talk::comment::{Millis, Source};

/// The time that another run may take to answer what it has claimed: twenty seconds.
const DOUBT: Millis = 20_000;
/// The pause between two looks at something that another run may be about to clear up.
pub(super) const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// One thread being settled.
pub(super) struct Run<'a, F> {
    pub(super) forge: &'a F,
    pub(super) place: &'a Place,
    pub(super) issue: u64,
    /// The comment that woke the run, unless it has been deleted: any read without it is stale, also one after others with it.
    pub(super) waking: Option<Source>,
    /// The other table that is read with it.
    pub(super) beside: Option<u64>,
    pub(super) memory: RunMemory,
    pub(super) older: OlderPages,
    /// The time since which each doubt has been there.
    pub(super) doubts: BTreeMap<Doubt, Millis>,
    pub(super) patience: Patience,
    pub(super) ledger: &'a mut Ledger,
}

impl<'a, F: Forge> Run<'a, F> {
    pub(super) fn new(
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
            older: OlderPages::default(),
            doubts: BTreeMap::new(),
            patience: Patience::new(forge.now()),
            ledger,
        }
    }

    /// Waits a little for a doubt to clear up; one that has been there for long enough is believed.
    pub(super) async fn doubt(&mut self, doubt: Doubt) -> Result<(), Fault> {
        let now = self.forge.now();
        let since = *self.doubts.entry(doubt).or_insert(now);
        if now.saturating_sub(since) >= DOUBT {
            self.memory.believed.insert(doubt);
            return Ok(());
        }
        self.patience.hold(self.forge, LOOK_AGAIN).await
    }
}
