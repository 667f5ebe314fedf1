//! Accepts connections, and finds the handler of each request.

use std::sync::Arc;
use std::time::Duration;

use http::{Method, Request as HttpRequest, Response};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::time::sleep;

use super::{Shared, auth, deliveries, endpoints, forge, manifest};
use crate::server::{Bytewise, Canned, Seen, canned, http_date, message, respond};

/// Accepts connections until the server stops.
pub(super) async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        drop(stream.set_nodelay(true));
        let shared = shared.clone();
        tokio::task::spawn_local(async move {
            let service = service_fn(|request| answer(shared.clone(), request));
            let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // Errors come from clients that are gone.
            drop(connection.await);
        });
    }
}

async fn answer(shared: Arc<Shared>, request: HttpRequest<Incoming>) -> Result<Response<Bytewise>, &'static str> {
    let (head, body) = request.into_parts();
    let bytes = body.collect().await.map_err(|_| "half a request")?.to_bytes();
    // A form isn't JSON.
    let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| match std::str::from_utf8(&bytes) {
        Ok(text) if !text.is_empty() => Value::String(text.to_owned()),
        _ => Value::Null,
    });
    let path = head.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let seen = Seen { method: head.method, path, headers: head.headers, body };
    let half = shared.latency() / 2;
    pause(half).await;
    let response = find_handler(&shared, &seen).await;
    pause(half).await;
    let date = http_date(shared.now());
    let mut response = respond(response)?;
    response.headers_mut().insert(http::header::DATE, date);
    Ok(response)
}

async fn pause(time: Duration) {
    if !time.is_zero() {
        sleep(time).await;
    }
}

async fn find_handler(shared: &Shared, seen: &Seen) -> Canned {
    let path = seen.path.split('?').next().unwrap_or_default();
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match (&seen.method, segments.as_slice()) {
        (_, ["settings", "apps", "new"] | ["organizations", _, "settings", "apps", "new"]) => {
            manifest::create_page(shared, seen)
        }
        (&Method::GET, ["apps", slug] | ["apps", slug, "installations", "new"]) => manifest::app_page(shared, slug),
        (&Method::POST, ["app-manifests", code, "conversions"]) => manifest::convert(shared, code),
        (_, ["app", ..] | ["repos", _, _, "installation"] | ["users" | "orgs", _, "installation"]) => {
            match auth::check_app(shared, &seen.headers) {
                Ok(()) => app(shared, seen, &segments),
                Err(refusal) => refusal,
            }
        }
        (&Method::GET, [""] | ["meta" | "zen"]) => canned(200, "{}"),
        _ => forge::serve(shared, seen, &segments).await,
    }
}

/// Serves a request of the App itself.
fn app(shared: &Shared, seen: &Seen, segments: &[&str]) -> Canned {
    shared.data().count(match segments {
        [.., "access_tokens"] => "access_tokens",
        ["app", "hook", "deliveries", ..] => "deliveries",
        ["app", "installations", ..] => "installations",
        _ => "app",
    });
    match (&seen.method, segments) {
        (&Method::GET, ["app"]) => endpoints::show_app(shared),
        (&Method::GET, ["app", "hook", "config"]) => endpoints::show_hook(shared),
        (&Method::GET, ["app", "hook", "deliveries"]) => deliveries::list(shared, &seen.path),
        (&Method::GET, ["app", "hook", "deliveries", id]) => deliveries::show(shared, id),
        (&Method::POST, ["app", "hook", "deliveries", id, "attempts"]) => deliveries::redeliver(shared, id),
        (&Method::GET, ["app", "installations"]) => endpoints::list_installations(shared, &seen.path),
        (&Method::GET, ["app", "installations", id]) => endpoints::show_installation(shared, id),
        (&Method::POST, ["app", "installations", id, "access_tokens"]) => {
            endpoints::create_token(shared, id, &seen.body)
        }
        (&Method::GET, ["repos", owner, name, "installation"]) => {
            endpoints::installation_of_repository(shared, owner, name)
        }
        (&Method::GET, ["users" | "orgs", account, "installation"]) => {
            endpoints::installation_of_account(shared, account)
        }
        _ => canned(404, message("Not Found")),
    }
}
