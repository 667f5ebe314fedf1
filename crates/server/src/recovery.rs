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
    let mut handled = BTreeSet::new();
    let start = server.now();
    if let Err(error) = look(&server, start - LISTED, Some(start - UNCERTAIN), &mut handled).await {
        warn!("The deliveries can't be listed, so the server looks at every repository: {error}");
        look_everywhere(&server, start - LISTED);
    }
    server.set_ready();
    info!("Ready.");
    loop {
        tokio::time::sleep(INTERVAL).await;
        if let Err(error) = look(&server, server.now() - LOOK_BACK, None, &mut handled).await {
            warn!("The deliveries can't be listed: {error}");
        }
    }
}

/// Wakes each repository with a failed delivery since `since`, and each with any since `uncertain_since`. `handled` has the deliveries
/// that an earlier look found.
async fn look(
    server: &Server,
    since: Timestamp,
    uncertain_since: Option<Timestamp>,
    handled: &mut BTreeSet<u64>,
) -> Result<(), RequestError> {
    let (mut cursor, mut found) = (None, 0);
    for _ in 0..MAX_PAGES {
        let (deliveries, next) = server.app.deliveries(cursor.as_deref()).await?;
        for delivery in &deliveries {
            let at = parse_time(&delivery.delivered_at).unwrap_or(since);
            if at < since {
                info!("Deliveries that may be lost: {found}.");
                return Ok(());
            }
            let is_uncertain = uncertain_since.is_some_and(|from| at >= from);
            if (is_uncertain || !delivery.has_arrived()) && handled.insert(delivery.id) {
                found += usize::from(wake_for(server, delivery, at));
            }
        }
        match next {
            Some(next) => cursor = Some(next),
            None => {
                info!("Deliveries that may be lost: {found}.");
                return Ok(());
            }
        }
    }
    warn!("GitHub lists more deliveries than the server reads, so it looks at every repository.");
    look_everywhere(server, since);
    Ok(())
}

/// Wakes the repository of a delivery. Returns false if it's about none that the server plays in.
fn wake_for(server: &Server, delivery: &Delivery, at: Timestamp) -> bool {
    let (Some(installation), Some(repository)) = (delivery.installation_id, delivery.repository_id) else {
        return false;
    };
    let installation = InstallationId(installation);
    if server.repository(installation, repository).is_none() {
        return false;
    }
    let wake = Wake { since: Some(at - MARGIN), ..Wake::at(server.now()) };
    server.wake(Place { installation, repository, target: Target::Recent }, wake);
    true
}

fn look_everywhere(server: &Server, since: Timestamp) {
    for (installation, repository) in server.repositories() {
        let wake = Wake { since: Some(since), ..Wake::at(server.now()) };
        server.wake(Place { installation, repository, target: Target::Recent }, wake);
    }
}
