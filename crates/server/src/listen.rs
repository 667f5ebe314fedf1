//! Serves HTTP to strangers: few connections, short headers, and no patience.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tracing::warn;

/// The number of connections at the same time. More wait until one ends.
const MAX_CONNECTIONS: usize = 512;
/// The time within which the headers of a request have to arrive.
const HEADER_TIME: Duration = Duration::from_secs(5);
/// The longest life of a connection, so that a slow client can't keep it.
const CONNECTION_TIME: Duration = Duration::from_secs(60);
/// The size limit of the headers of a request, in bytes.
const MAX_HEADERS: usize = 64 * 1024;
/// The pause after the system refuses a connection, as when it has no file descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Opens an address to listen at.
///
/// # Errors
/// Returns an error that names the address if it is in use, or isn't this machine's.
pub(super) async fn open(address: SocketAddr) -> Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.with_context(|| format!("the server can't listen at {address}. Set LISTEN to another address or port"))
}

/// Serves the routes until `stop` changes. Requests that have begun are answered.
pub(super) async fn serve(listener: TcpListener, routes: Router, mut stop: watch::Receiver<bool>) {
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        // Nobody closes the semaphore.
        let Ok(permit) = connections.clone().acquire_owned().await else { return };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.changed() => return,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                warn!("A connection can't be accepted: {error}");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let (routes, mut stop) = (routes.clone(), stop.clone());
        tokio::spawn(async move {
            let _permit = permit;
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME).max_buf_size(MAX_HEADERS);
            let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes));
            let mut connection = std::pin::pin!(connection);
            let served = async {
                tokio::select! {
                    _ = connection.as_mut() => return,
                    _ = stop.changed() => connection.as_mut().graceful_shutdown(),
                }
                // Errors come from clients that are gone, slow, or not speaking HTTP.
                drop(connection.await);
            };
            drop(tokio::time::timeout(CONNECTION_TIME, served).await);
        });
    }
}
