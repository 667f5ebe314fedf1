//! Finds out what the server missed. GitHub doesn't repeat a delivery, but it lists them for three days.
//!
//! The list names the repository of a delivery and not its issue, so each repository with one that may be lost gets a look at its
//! recently updated issues.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use protocol::RequestError;
use protocol::wakes::{InstallationId, Place, Target, Wake};
use table::Timestamp;
use tracing::{info, warn};

use crate::app::{Delivery, parse_time};
use crate::server::Server;

/// The time for which GitHub lists deliveries.
const LISTED: Duration = Duration::from_secs(3 * 24 * 60 * 60);
/// The time before the start within which a delivery that has arrived may still be lost, because the server was killed.
const UNCERTAIN: Duration = Duration::from_secs(60 * 60);
/// The time between two looks at the list.
const INTERVAL: Duration = Duration::from_secs(5 * 60);
/// How far each later look goes back.
const LOOK_BACK: Duration = Duration::from_secs(15 * 60);
/// The time that an update of an issue may be older than its delivery.
const MARGIN: Duration = Duration::from_secs(60);
/// The limit on the pages of a list. Beyond it, every repository gets a look.
const MAX_PAGES: usize = 100;

/// Finds out what was missed before the start, and then every five minutes.
pub(super) async fn recover(server: Arc<Server>) {
    let mut search = Search { server: &server, handled: BTreeSet::new() };
    let start = server.now();
    search.look_or_look_everywhere(start - UNCERTAIN, false).await;
    server.set_ready();
    info!("Ready.");
    search.look_or_look_everywhere(start - LISTED, true).await;
    loop {
        tokio::time::sleep(INTERVAL).await;
        search.look_or_look_everywhere(server.now() - LOOK_BACK, true).await;
    }
}

/// The search for lost deliveries.
struct Search<'a> {
    server: &'a Server,
    /// The deliveries that an earlier look found.
    handled: BTreeSet<u64>,
}

impl Search<'_> {
    /// Wakes each repository with a delivery since a time that may be lost: one that failed or, unless `only_failed`, any. If the list
    /// can't be read or is too long, wakes all repositories.
    async fn look_or_look_everywhere(&mut self, since: Timestamp, only_failed: bool) {
        match self.look(since, only_failed).await {
            Ok(true) => {}
            Ok(false) => {
                warn!("GitHub lists more deliveries than the server reads, so it looks at every repository.");
                look_everywhere(self.server, since);
            }
            Err(error) => {
                warn!("The deliveries can't be listed, so the server looks at every repository: {error}");
                look_everywhere(self.server, since);
            }
        }
    }

    /// Returns whether the list was short enough.
    async fn look(&mut self, since: Timestamp, only_failed: bool) -> Result<bool, RequestError> {
        let (mut cursor, mut found) = (None, 0);
        for _ in 0..MAX_PAGES {
            let (deliveries, next) = self.server.app.deliveries(cursor.as_deref(), only_failed).await?;
            let mut is_complete = next.is_none();
            for delivery in &deliveries {
                let at = parse_time(&delivery.delivered_at).unwrap_or(since);
                is_complete |= at < since;
                let may_be_lost = !(only_failed && delivery.has_arrived());
                if at >= since && may_be_lost && self.handled.insert(delivery.id) {
                    found += u32::from(self.wake_for(delivery, at));
                }
            }
            if is_complete {
                if found > 0 {
                    info!("Deliveries that may be lost: {found}.");
                }
                return Ok(true);
            }
            cursor = next;
        }
        Ok(false)
    }

    /// Wakes the repository of a delivery. Returns false if it's about none that the server plays in.
    fn wake_for(&self, delivery: &Delivery, at: Timestamp) -> bool {
        let (Some(installation), Some(repository)) = (delivery.installation_id, delivery.repository_id) else {
            return false;
        };
        let installation = InstallationId(installation);
        if self.server.repository(installation, repository).is_none() {
            return false;
        }
        let wake = Wake { since: Some(at - MARGIN), ..Wake::at(self.server.now()) };
        self.server.wake(Place { installation, repository, target: Target::Recent }, wake);
        true
    }
}

fn look_everywhere(server: &Server, since: Timestamp) {
    for (installation, repository) in server.repositories() {
        let wake = Wake { since: Some(since), ..Wake::at(server.now()) };
        server.wake(Place { installation, repository, target: Target::Recent }, wake);
    }
}
