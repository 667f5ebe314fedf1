//! Serves the in-memory GitHub over HTTP.
//!
//! `Server::start(world)` starts a server on its own thread, which runs until the server is dropped. The world's scripted
//! faults work over HTTP too: a lost response is a 502, and a dying run never gets one. [`Server::glitch`] scripts faults that
//! only HTTP has.

pub(crate) mod graphql;
pub(crate) mod json;
pub(crate) mod rest;
mod scratch;
pub(crate) mod settings;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use http::header::DATE;
use http::{HeaderMap, HeaderValue, Method, Request as HttpRequest, Response};
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use protocol::RequestError;
use serde_json::{Value, json};
use table::{Timestamp, timestamp};
use tokio::sync::oneshot;

use crate::Millis;
use crate::world::{Request, World};

/// The only token that the server accepts.
pub const TOKEN: &str = "ghs_TheTokenThatNobodyMaySee";

/// The owner of the server's only repository.
pub const OWNER: &str = "octo";
/// The name of the server's only repository.
pub const NAME: &str = "games";

/// A running server.
pub struct Server {
    /// The server's URL: `http://127.0.0.1:PORT`.
    pub url: String,
    /// The URL of the REST API, as a runner sets it.
    pub api_url: String,
    /// The URL of the GraphQL API, as a runner sets it.
    pub graphql_url: String,
    /// The data that the server serves.
    pub world: Arc<World>,
    inner: Arc<Inner>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A received request.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
}

/// How a response's body arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// In full.
    Whole,
    /// Half of it; then the connection breaks.
    Cut,
    /// Half of it; then the connection hangs.
    Stalls,
    /// The connection breaks without a response.
    Breaks,
}

/// A scripted response that replaces the server's own.
#[derive(Clone, Debug)]
pub struct Canned {
    pub(crate) status: u16,
    headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
    applied: bool,
    delivery: Delivery,
    proper: bool,
}

/// The status and JSON of a served request.
pub(crate) type Served = Result<(u16, Value), RequestError>;

/// Returns a response with this status and body. The request isn't applied.
pub fn canned(status: u16, body: impl Into<String>) -> Canned {
    let body = body.into();
    Canned { status, headers: Vec::new(), body, applied: false, delivery: Delivery::Whole, proper: false }
}

/// Returns the server's own response to an applied request, for faults in its delivery.
pub fn proper() -> Canned {
    Canned { applied: true, proper: true, ..canned(200, "") }
}

/// Returns GitHub's JSON for a message.
pub fn message(text: &str) -> String {
    json!({ "message": text, "documentation_url": "https://docs.github.com/rest" }).to_string()
}

/// Returns a GraphQL response that contains only an error of this type.
pub fn graphql_error(kind: &str, text: &str) -> String {
    json!({ "data": null, "errors": [{ "type": kind, "message": text }] }).to_string()
}

impl Canned {
    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: impl ToString) -> Canned {
        self.headers.push((name, value.to_string()));
        self
    }

    /// Applies the request despite the scripted response.
    #[must_use]
    pub fn applied(self) -> Canned {
        Canned { applied: true, ..self }
    }

    /// Truncates the body to its first half.
    #[must_use]
    pub fn torn(mut self) -> Canned {
        let half = (0..=self.body.len() / 2).rev().find(|at| self.body.is_char_boundary(*at)).unwrap_or(0);
        self.body.truncate(half);
        self
    }

    /// Empties every list in a reply to a query, as GitHub does when a query costs too much.
    #[must_use]
    pub fn partial(mut self) -> Canned {
        fn empty_lists(value: &mut Value) {
            match value {
                Value::Array(items) => items.clear(),
                Value::Object(fields) => fields.values_mut().for_each(empty_lists),
                _ => {}
            }
        }
        let mut reply: Value = serde_json::from_str(&self.body).unwrap_or_default();
        empty_lists(&mut reply["data"]);
        let why = "Resource limits for this query exceeded.";
        reply["errors"] = json!([{ "type": "RESOURCE_LIMITS_EXCEEDED", "path": ["repository"], "message": why }]);
        self.body = reply.to_string();
        self
    }

    /// Sets how the body arrives.
    #[must_use]
    pub fn delivery(self, delivery: Delivery) -> Canned {
        Canned { delivery, ..self }
    }
}

struct Inner {
    world: Arc<World>,
    rest_path: &'static str,
    graphql_path: &'static str,
    glitches: Mutex<Vec<(Request, Canned)>>,
    settings: Mutex<BTreeMap<String, (u16, Value)>>,
    twists: Mutex<Vec<(Request, Twist)>>,
    /// The number of the first request that gets no answer but 500, counted from 1.
    fails_from: Mutex<Option<usize>>,
    seen: Mutex<Vec<Seen>>,
    connections: AtomicUsize,
}

/// A change to every response to one kind of request: gets the request, and edits status and JSON.
type Twist = Box<dyn Fn(&Seen, &mut u16, &mut Value) + Send>;

impl Server {
    /// Starts a server with the paths of github.com.
    pub fn start(world: Arc<World>) -> Server {
        Server::start_at(world, "", "/graphql")
    }

    /// Starts a server with the paths of an Enterprise Server.
    pub fn start_enterprise(world: Arc<World>) -> Server {
        Server::start_at(world, "/api/v3", "/api/graphql")
    }

    fn start_at(world: Arc<World>, rest_path: &'static str, graphql_path: &'static str) -> Server {
        let listener = std::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let inner = Arc::new(Inner {
            world: world.clone(),
            rest_path,
            graphql_path,
            glitches: Mutex::default(),
            settings: Mutex::default(),
            twists: Mutex::default(),
            fails_from: Mutex::default(),
            seen: Mutex::default(),
            connections: AtomicUsize::new(0),
        });
        let (stop, stopped) = oneshot::channel();
        let shared = inner.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let tasks = tokio::task::LocalSet::new();
            tasks.block_on(&runtime, async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    () = accept(listener, shared) => {}
                    _ = stopped => {}
                }
            });
        });
        Server {
            api_url: format!("{url}{rest_path}"),
            graphql_url: format!("{url}{graphql_path}"),
            url,
            world,
            inner,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Scripts the response to the next request of this kind. Several responses for one kind are used in order.
    pub fn glitch(&self, kind: Request, answer: Canned) {
        self.inner.glitches.lock().unwrap().push((kind, answer));
    }

    /// Sets the response to all `GET` requests for this path below the repository. An empty path is the repository itself.
    pub fn set_response(&self, path: &str, status: u16, body: Value) {
        self.inner.settings.lock().unwrap().insert(path.to_owned(), (status, body));
    }

    /// Changes every response to requests of this kind from now on, without changing the data.
    pub fn twist(&self, kind: Request, twist: impl Fn(&Seen, &mut u16, &mut Value) + Send + 'static) {
        self.inner.twists.lock().unwrap().push((kind, Box::new(twist)));
    }

    /// From this request on, counted from 1, the server responds with 500 and applies nothing.
    pub fn fail_from(&self, first: usize) {
        *self.inner.fails_from.lock().unwrap() = Some(first);
    }

    /// Returns the number of unused scripted responses.
    pub fn pending(&self) -> usize {
        self.inner.glitches.lock().unwrap().len()
    }

    /// Returns every request so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.inner.seen.lock().unwrap().clone()
    }

    /// Returns the number of connections so far.
    pub fn connections(&self) -> usize {
        self.inner.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.take().map(|stop| stop.send(()));
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            assert!(matches!(ended, Some(Ok(()))), "the server has panicked");
        }
    }
}

async fn accept(listener: tokio::net::TcpListener, inner: Arc<Inner>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        inner.connections.fetch_add(1, Ordering::SeqCst);
        let inner = inner.clone();
        tokio::task::spawn_local(async move {
            let service = service_fn(|request| dated_answer(inner.clone(), request));
            let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // Errors come from clients that are gone and connections broken on purpose.
            drop(connection.await);
        });
    }
}

/// Answers a request with the world's time in the `Date` header.
async fn dated_answer(inner: Arc<Inner>, request: HttpRequest<Incoming>) -> Result<Response<Bytewise>, &'static str> {
    let mut response = answer(inner.clone(), request).await?;
    let now = inner.world.with_state(|state| state.now);
    response.headers_mut().entry(DATE).or_insert_with(|| http_date(now));
    Ok(response)
}

/// Returns a time as HTTP headers have it, such as `Fri, 27 Nov 2026 16:27:39 GMT`.
pub(crate) fn http_date(at: Millis) -> HeaderValue {
    let at = timestamp::to_datetime(Timestamp::from_millis(at)).expect("a time after 1970");
    HeaderValue::from_str(&at.format("%a, %d %b %Y %H:%M:%S GMT").to_string()).expect("ASCII")
}

async fn answer(inner: Arc<Inner>, request: HttpRequest<Incoming>) -> Result<Response<Bytewise>, &'static str> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| "half a request")?.to_bytes();
    let body: Value = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap_or(Value::Null) };
    let path = head.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let seen = Seen { method: head.method, path, headers: head.headers, body };
    let count = {
        let mut all = inner.seen.lock().unwrap();
        all.push(seen.clone());
        all.len()
    };
    if inner.fails_from.lock().unwrap().is_some_and(|first| count >= first) {
        return respond(canned(500, message("Server Error")));
    }
    let bearer = format!("Bearer {TOKEN}");
    if seen.headers.get("authorization").is_none_or(|value| value.as_bytes() != bearer.as_bytes()) {
        return respond(canned(401, message("Bad credentials")));
    }
    let Some(kind) = kind(&inner, &seen) else { return respond(canned(404, message("Not Found"))) };
    let glitch = {
        let mut glitches = inner.glitches.lock().unwrap();
        let due = glitches.iter().position(|(wanted, _)| *wanted == kind || *wanted == Request::Any);
        due.map(|due| glitches.remove(due).1)
    };
    match glitch {
        None => {
            let served = serve(&inner, kind, &seen).await;
            respond(apply_twists(&inner, kind, &seen, served))
        }
        Some(mut glitch) => {
            if glitch.applied {
                let own = serve(&inner, kind, &seen).await;
                if glitch.proper {
                    (glitch.status, glitch.body) = (own.status, own.body);
                }
            }
            respond(glitch)
        }
    }
}

/// Applies the twists for this kind of request to a response.
fn apply_twists(inner: &Inner, kind: Request, seen: &Seen, answer: Canned) -> Canned {
    let twists = inner.twists.lock().unwrap();
    let due: Vec<_> = twists.iter().filter(|(wanted, _)| *wanted == kind).collect();
    if due.is_empty() {
        return answer;
    }
    let mut status = answer.status;
    let mut body = serde_json::from_str(&answer.body).unwrap_or(Value::Null);
    due.into_iter().for_each(|(_, twist)| twist(seen, &mut status, &mut body));
    let body = if body.is_null() { answer.body } else { body.to_string() };
    Canned { status, body, ..answer }
}

/// Returns the kind of a request, if it is a known one.
fn kind(inner: &Inner, seen: &Seen) -> Option<Request> {
    if seen.path == inner.graphql_path {
        return graphql::kind(seen);
    }
    rest::kind(&seen.method, seen.path.strip_prefix(inner.rest_path)?)
}

async fn serve(inner: &Inner, kind: Request, seen: &Seen) -> Canned {
    let served = if seen.path == inner.graphql_path {
        graphql::serve(&inner.world, kind, &seen.body["variables"]).await
    } else if kind == Request::Settings {
        let settings = inner.settings.lock().unwrap().clone();
        settings::serve(&inner.world, &seen.path[inner.rest_path.len()..], &settings).await
    } else {
        rest::serve(&inner.world, kind, &seen.path[inner.rest_path.len()..], &seen.body).await
    };
    response(served)
}

/// Returns the response to a served request.
pub(crate) fn response(served: Served) -> Canned {
    match served {
        Ok((204, _)) => canned(204, ""),
        Ok((status, body)) => canned(status, body.to_string()),
        Err(RequestError::Lost(_) | RequestError::TooLong(_)) => canned(502, "<html><body>Unicorn!</body></html>"),
        Err(RequestError::RetryAfter(time, _)) => {
            canned(403, message("You have exceeded a secondary rate limit.")).header("retry-after", time.as_secs())
        }
        Err(RequestError::Fatal(why)) => canned(403, message(&why.to_string())),
    }
}

pub(crate) fn respond(answer: Canned) -> Result<Response<Bytewise>, &'static str> {
    let kind = if answer.body.starts_with('<') { "text/html" } else { "application/json" };
    let mut response = Response::builder().status(answer.status);
    if answer.headers.iter().all(|(name, _)| *name != "content-type") {
        response = response.header("content-type", kind);
    }
    for (name, value) in answer.headers {
        response = response.header(name, value);
    }
    let mut bytes = Bytes::from(answer.body);
    match answer.delivery {
        Delivery::Breaks => return Err("broken on purpose"),
        Delivery::Whole => {}
        Delivery::Cut | Delivery::Stalls => bytes.truncate(bytes.len() / 2),
    }
    Ok(response.body(Bytewise { bytes: Some(bytes), delivery: answer.delivery }).unwrap())
}

/// A response body that may break off or hang.
pub(crate) struct Bytewise {
    bytes: Option<Bytes>,
    delivery: Delivery,
}

impl Body for Bytewise {
    type Data = Bytes;
    type Error = &'static str;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
        match (self.bytes.take(), self.delivery) {
            (Some(bytes), _) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            (None, Delivery::Stalls) => Poll::Pending,
            (None, Delivery::Cut) => {
                // Let the first half out before the connection breaks.
                self.delivery = Delivery::Breaks;
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            (None, Delivery::Breaks) => Poll::Ready(Some(Err("broken on purpose"))),
            (None, Delivery::Whole) => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none() && self.delivery == Delivery::Whole
    }
}
