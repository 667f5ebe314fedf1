//! Finds out what the server missed, from GitHub's list of deliveries.
//!
//! The list names the repository of a delivery and not its issue, so each repository with one that may be lost gets a look at its
//! recently updated issues. [`LookBack`] says which ones may be lost.

use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::RequestError;
use protocol::wakes::{InstallationId, LookBack, Place, Target, Wake};
use table::Timestamp;
use tracing::{info, warn};

use crate::app::{Delivery, parse_time};
use crate::server::Server;

/// The limit on the pages of a list. Beyond it, every repository gets a look.
const MAX_PAGES: usize = 100;

/// Finds out what was missed before the start, and then every five minutes.
pub(super) async fn recover(server: Arc<Server>) {
    let start = server.now();
    let mut handled = BTreeSet::new();
    look(&server, LookBack::at_start(start), &mut handled).await;
    server.set_ready();
    info!("Ready.");
    loop {
        tokio::time::sleep(LookBack::INTERVAL).await;
        look(&server, LookBack::later(server.now(), start), &mut handled).await;
    }
}

/// Wakes each repository with a delivery that may be lost. `handled` has the deliveries that an earlier look found. If a list can't be
/// read or is too long, wakes all repositories.
async fn look(server: &Server, look_back: LookBack, handled: &mut BTreeSet<u64>) {
    let mut lists = vec![(look_back.since, true)];
    lists.extend(look_back.uncertain_since().map(|since| (since, false)));
    // The list of failed deliveries is the short one, so it comes last.
    for (since, only_failed) in lists.into_iter().rev() {
        match read_list(server, look_back, since, only_failed, handled).await {
            Ok(true) => {}
            Ok(false) => {
                warn!("GitHub lists more deliveries than the server reads, so it looks at every repository.");
                look_everywhere(server, look_back.wake(since, false));
            }
            Err(error) => {
                warn!("The deliveries can't be listed, so the server looks at every repository: {error}");
                look_everywhere(server, look_back.wake(since, false));
            }
        }
    }
}

/// Reads the list of deliveries, all or only the failed ones, back to a time. Returns false if it's too long.
async fn read_list(
    server: &Server,
    look_back: LookBack,
    since: Timestamp,
    only_failed: bool,
    handled: &mut BTreeSet<u64>,
) -> Result<bool, RequestError> {
    let (mut cursor, mut found) = (None, 0);
    for _ in 0..MAX_PAGES {
        let (deliveries, next) = server.app.deliveries(cursor.as_deref(), only_failed).await?;
        let mut is_last = next.is_none();
        for delivery in &deliveries {
            let at = parse_time(&delivery.delivered_at).unwrap_or(since);
            is_last |= at < since;
            if look_back.takes(handled, delivery.id, at, delivery.has_arrived()) {
                found += u32::from(wake_for(server, delivery, look_back.wake(at, delivery.has_arrived())));
            }
        }
        if is_last {
            if found > 0 {
                info!("Looking at the repositories of {found} recent webhooks, in case one was lost.");
            }
            return Ok(true);
        }
        cursor = next;
    }
    Ok(false)
}

/// Wakes the repository of a delivery. Returns false if it's about none that the server plays in.
fn wake_for(server: &Server, delivery: &Delivery, wake: Wake) -> bool {
    let (Some(installation), Some(repository)) = (delivery.installation_id, delivery.repository_id) else {
        return false;
    };
    let installation = InstallationId(installation);
    if server.repository(installation, repository).is_none() {
        return false;
    }
    server.wake(Place { installation, repository, target: Target::Recent }, wake);
    true
}

fn look_everywhere(server: &Server, wake: Wake) {
    for (installation, repository) in server.repositories() {
        server.wake(Place { installation, repository, target: Target::Recent }, wake);
    }
}
