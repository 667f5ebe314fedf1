//! The HTTP server of one story: identifies the run of a request, injects its fault, and schedules when it is applied.

use std::rc::Rc;
use std::time::Duration;

use http::{Request as HttpRequest, Response};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::host;
use super::http_faults::{How, HttpFault};
use crate::server::{Bytewise, Canned, Delivery, Seen, TOKEN, canned, graphql_error, message, respond};
use crate::simulator::rng::mix;
use crate::storm::process::Executor;
use crate::world::Request;

type Reply = Result<Response<Bytewise>, &'static str>;

/// A request in flight.
#[derive(Clone)]
struct PendingRequest {
    run: u32,
    nth: u32,
    kind: Request,
    seen: Rc<Seen>,
}

pub(super) async fn listen(listener: TcpListener, executor: Rc<Executor>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        drop(stream.set_nodelay(true));
        let executor = executor.clone();
        tokio::task::spawn_local(async move {
            let service = service_fn(|request| answer(executor.clone(), request));
            let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // Errors come from killed processes and connections broken on purpose.
            drop(connection.await);
        });
    }
}

async fn answer(executor: Rc<Executor>, request: HttpRequest<Incoming>) -> Reply {
    let (head, body) = request.into_parts();
    let bytes = body.collect().await.map_err(|_| "half a request")?.to_bytes();
    executor.tick();
    let text = String::from_utf8_lossy(&bytes);
    let path = head.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let bearer = format!("Bearer {TOKEN}");
    if head.headers.get("authorization").is_none_or(|value| value.as_bytes() != bearer.as_bytes()) {
        executor.core.borrow_mut().violate("token", format!("{path} is requested without the token"));
        return respond(canned(401, message("Bad credentials")));
    }
    if text.contains(TOKEN) || path.contains(TOKEN) {
        executor.core.borrow_mut().violate("secret", format!("the token is in a request to {path}"));
    }
    let run = path.split('/').nth(1).and_then(|run| run.parse().ok()).unwrap_or(0);
    let path =
        path.strip_prefix(&format!("/{run}")).unwrap_or(&path).replace("/repos/host/games/", "/repos/octo/games/");
    let body: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let seen = Rc::new(Seen { method: head.method, path, headers: head.headers, body });
    let Some(kind) = host::kind(&seen) else {
        let what = format!("run {run} requests {} {}, which the bot never needs", seen.method, seen.path);
        executor.core.borrow_mut().violate("request", what);
        return respond(canned(404, message("Not Found")));
    };
    if executor.doomed.borrow().contains(&run) {
        return Err("the run was killed");
    }
    let nth = {
        let mut core = executor.core.borrow_mut();
        let sent = core.ledger.requests.entry(run).or_default();
        sent.push(kind);
        u32::try_from(sent.len() - 1).expect("a short run")
    };
    respond_with_fault(executor, PendingRequest { run, nth, kind, seen }).await
}

/// Returns the latencies of a request and of its response, in milliseconds.
fn latencies(executor: &Executor, pending: &PendingRequest) -> (u64, u64) {
    let hash = mix(mix(executor.seed, u64::from(pending.run)), 1_000_003 + u64::from(pending.nth));
    let (go, back) = (2 + hash % 80, 2 + (hash >> 20) % 50);
    let slow = !executor.calm && (hash >> 40).is_multiple_of(24);
    if slow { (go * 25, back * 10) } else { (go, back) }
}

async fn respond_with_fault(executor: Rc<Executor>, pending: PendingRequest) -> Reply {
    let (go, back) = latencies(&executor, &pending);
    let fault = executor.fault_plan.faults.get(&(pending.run, pending.nth)).cloned();
    if let Some(fault) = &fault {
        executor.count_fault(fault.name());
        let PendingRequest { run, kind, .. } = &pending;
        executor.core.borrow_mut().trace(|| format!("   run {run}: {kind:?} meets {fault:?}"));
    }
    let in_graphql = pending.seen.path == "/graphql";
    match fault {
        None => respond(apply_later(&executor, pending, go, back, None).await?),
        Some(HttpFault::Slow(time)) => respond(apply_later(&executor, pending, time, back, None).await?),
        Some(HttpFault::PartFails(part)) => {
            executor.core.borrow_mut().state.failing_part = Some(part);
            respond(apply_later(&executor, pending, 0, back, None).await?)
        }
        Some(HttpFault::Stale { threads, head }) => {
            respond(apply_later(&executor, pending, go, back, Some((threads, head))).await?)
        }
        Some(HttpFault::Cut) => respond(apply_later(&executor, pending, go, back, None).await?.delivery(Delivery::Cut)),
        Some(HttpFault::Torn) => respond(apply_later(&executor, pending, go, back, None).await?.torn()),
        Some(HttpFault::Partial) => {
            let is_query = in_graphql && pending.kind.is_read();
            let reply = apply_later(&executor, pending, go, back, None).await?;
            respond(if is_query { reply.partial() } else { reply })
        }
        Some(HttpFault::Lost { how, applied, reported_after }) => {
            discard(&executor, pending, applied);
            pause(reported_after).await;
            respond(lost_response(how, in_graphql))
        }
        Some(HttpFault::Secondary { status, after }) => {
            pause(back).await;
            // The error repeats the token, which the bot must not print.
            let why = format!("You have exceeded a secondary rate limit ({TOKEN}). Please wait a few minutes.");
            let limit = canned(status, message(&why));
            respond(if let Some(after) = after { limit.header("retry-after", after) } else { limit })
        }
        Some(HttpFault::Primary { after }) => {
            pause(back).await;
            let why = "API rate limit exceeded for installation ID 41898282.";
            let limit =
                if in_graphql { canned(200, graphql_error("RATE_LIMITED", why)) } else { canned(403, message(why)) };
            executor.tick();
            let reset = executor.core.borrow().now / 1000 + after;
            respond(limit.header("x-ratelimit-remaining", 0).header("x-ratelimit-reset", reset))
        }
        Some(HttpFault::Refused) => {
            pause(back).await;
            respond(canned(403, host::forbidden().1.to_string()))
        }
        Some(HttpFault::Killed { applied }) => {
            let run = pending.run;
            discard(&executor, pending, applied);
            executor.kill(run);
            Err("the caller is dead")
        }
        Some(HttpFault::KilledAfterwards) => {
            let run = pending.run;
            let reply = apply_later(&executor, pending, go, back, None).await?;
            executor.doomed.borrow_mut().insert(run);
            let executor = executor.clone();
            tokio::task::spawn_local(async move {
                // Long enough for the response to arrive.
                pause(5).await;
                executor.kill(run);
            });
            respond(reply)
        }
    }
}

/// Applies a request after some time, even if its caller is gone.
async fn apply_later(
    executor: &Rc<Executor>,
    pending: PendingRequest,
    go: u64,
    back: u64,
    age: Option<(u64, u64)>,
) -> Result<Canned, &'static str> {
    let (send, receive) = oneshot::channel();
    let executor = executor.clone();
    executor.in_flight.set(executor.in_flight.get() + 1);
    tokio::task::spawn_local(async move {
        pause(go).await;
        let reply = apply(&executor, &pending, age);
        executor.in_flight.set(executor.in_flight.get() - 1);
        pause(back).await;
        drop(send.send(reply));
    });
    let (status, body) = receive.await.map_err(|_| "the server panicked")?;
    Ok(canned(status, if status == 204 { String::new() } else { body.to_string() }))
}

/// Applies a request after some time, or never, and drops the response.
fn discard(executor: &Rc<Executor>, pending: PendingRequest, after: Option<u64>) {
    let Some(after) = after else { return };
    let executor = executor.clone();
    tokio::task::spawn_local(async move { apply_later(&executor, pending, after, 0, None).await.map(drop) });
}

fn apply(executor: &Executor, pending: &PendingRequest, age: Option<(u64, u64)>) -> (u16, Value) {
    let PendingRequest { run, nth, kind, seen } = pending;
    executor.tick();
    let copy = match age {
        Some((threads, head)) if *kind == Request::Read => Some(executor.core.borrow().stale_copy(threads, head)),
        _ => None,
    };
    let reply = {
        let mut core = executor.core.borrow_mut();
        let reply = host::serve(&mut core, *run, *kind, seen, copy);
        core.trace(|| {
            let outcome: String = brief(&reply.1).chars().take(90).collect();
            format!("   run {run}: {kind:?} {} -> {} {outcome}", host::about(*kind, seen), reply.0)
        });
        reply
    };
    let rival = executor.fault_plan.rivals.get(&(*run, *nth)).copied();
    executor.after_request(rival);
    reply
}

/// Returns the beginning of a response; of a read, its abbreviated head.
fn brief(reply: &Value) -> String {
    let repository = &reply["data"]["repository"];
    let heads = [&repository["ref"], &repository["defaultBranchRef"]];
    match heads.iter().find_map(|head| head["target"]["oid"].as_str()) {
        Some(head) => head.chars().take(7).collect(),
        None => reply.to_string(),
    }
}

fn lost_response(how: How, in_graphql: bool) -> Canned {
    let why = "Something went wrong while executing your query. This may be the result of a timeout, or it could be a \
               GitHub bug. Please include `ABCD:1234` when reporting this issue.";
    match how {
        How::Dropped => canned(200, "").delivery(Delivery::Breaks),
        How::Html(status) => {
            let page = "<html><head><title>Unicorn!</title></head><body><h1>We had issues.</h1></body></html>";
            canned(status, page)
        }
        How::Null if in_graphql => canned(200, json!({ "data": null, "errors": [{ "message": why }] }).to_string()),
        How::Null => canned(500, message("Server Error")),
    }
}

async fn pause(time: u64) {
    sleep(Duration::from_millis(time)).await;
}
