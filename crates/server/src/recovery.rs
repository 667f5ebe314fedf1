//! Finds out what the server missed. GitHub doesn't repeat a delivery, but it lists them for three days.
//!
//! The list names the repository of a delivery and not its issue, so each repository with one that may be lost gets a look at its
//! recently updated issues.

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
    let mut handled = BTreeSet::new();
    let start = server.now();
    let first = LookBack::at_start(start);
    if let Err(error) = look(&server, first, &mut handled).await {
        warn!("The deliveries can't be listed, so the server looks at every repository: {error}");
        look_everywhere(&server, first);
    }
    server.set_ready();
    info!("Ready.");
    loop {
        tokio::time::sleep(LookBack::INTERVAL).await;
        if let Err(error) = look(&server, LookBack::later(server.now(), start), &mut handled).await {
            warn!("The deliveries can't be listed: {error}");
        }
    }
}

/// Wakes each repository with a delivery that may be lost. `handled` has the deliveries that an earlier look found.
async fn look(server: &Server, look_back: LookBack, handled: &mut BTreeSet<u64>) -> Result<(), RequestError> {
    let (mut cursor, mut found) = (None, 0);
    for _ in 0..MAX_PAGES {
        let (deliveries, next) = server.app.deliveries(cursor.as_deref()).await?;
        for delivery in &deliveries {
            let at = parse_time(&delivery.delivered_at).unwrap_or(look_back.since);
            if at < look_back.since {
                info!("Deliveries that may be lost: {found}.");
                return Ok(());
            }
            if look_back.takes(handled, delivery.id, at, delivery.has_arrived()) {
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
    look_everywhere(server, look_back);
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
    server.wake(Place { installation, repository, target: Target::Recent }, Wake::recent(at, server.now()));
    true
}

fn look_everywhere(server: &Server, look_back: LookBack) {
    for (installation, repository) in server.repositories() {
        let wake = Wake::recent(look_back.since, server.now());
        server.wake(Place { installation, repository, target: Target::Recent }, wake);
    }
}
