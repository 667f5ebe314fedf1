//! GitHub over HTTP, in front of the world in memory.
//!
//! `Server::start(world)` is all there is to starting one: it runs on a thread of its own until it is dropped. The world's
//! scripted troubles work through it (a lost answer is a 502, a dying run an answer that never comes), its log counts the
//! requests, and [`Server::glitch`] scripts what only HTTP can do wrong. A test that uses it has `mod world;`, too.

pub(crate) mod graphql;
mod look;
pub(crate) mod rest;
mod scratch;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use http::{HeaderMap, Method, Request as HttpRequest, Response};
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use protocol::forge::Fault;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::world::{Request, World};

/// The only token that the server takes.
pub const TOKEN: &str = "ghs_TheTokenThatNobodyMaySee";

/// The only repository that there is.
pub const OWNER: &str = "octo";
pub const NAME: &str = "games";

/// A running server.
pub struct Server {
    /// The place of it: `http://127.0.0.1:PORT`.
    pub url: String,
    /// The addresses of its APIs, as a runner would give them.
    pub api_url: String,
    pub graphql_url: String,
    pub world: Arc<World>,
    inside: Arc<Inside>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A request as it came in.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
}

/// How the bytes of an answer arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As they should.
    Whole,
    /// Half of them; then the connection breaks.
    Cut,
    /// Half of them; then nothing more ever.
    Stalls,
    /// Not at all: the connection breaks.
    Breaks,
}

/// An answer that the server gives in place of its own.
#[derive(Clone, Debug)]
pub struct Canned {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
    applied: bool,
    manner: Manner,
    proper: bool,
}

/// An answer with this status and body; the request is not applied.
pub fn canned(status: u16, body: impl Into<String>) -> Canned {
    let body = body.into();
    Canned { status, headers: Vec::new(), body, applied: false, manner: Manner::Whole, proper: false }
}

/// The proper answer, of a request that is applied; for what goes wrong on the way back.
pub fn proper() -> Canned {
    Canned { applied: true, proper: true, ..canned(200, "") }
}

/// GitHub's way to say something in JSON.
pub fn message(text: &str) -> String {
    json!({ "message": text, "documentation_url": "https://docs.github.com/rest" }).to_string()
}

/// An answer of GraphQL that is nothing but an error of this type.
pub fn graphql_error(kind: &str, text: &str) -> String {
    json!({ "data": null, "errors": [{ "type": kind, "message": text }] }).to_string()
}

impl Canned {
    #[must_use]
    pub fn header(mut self, name: &'static str, value: impl ToString) -> Canned {
        self.headers.push((name, value.to_string()));
        self
    }

    /// The request is applied all the same.
    #[must_use]
    pub fn applied(self) -> Canned {
        Canned { applied: true, ..self }
    }

    /// Half of the body, as if that were all of it.
    #[must_use]
    pub fn torn(mut self) -> Canned {
        let half = (0..=self.body.len() / 2).rev().find(|at| self.body.is_char_boundary(*at)).unwrap_or(0);
        self.body.truncate(half);
        self
    }

    #[must_use]
    pub fn manner(self, manner: Manner) -> Canned {
        Canned { manner, ..self }
    }
}

struct Inside {
    world: Arc<World>,
    rest_path: &'static str,
    graphql_path: &'static str,
    glitches: Mutex<Vec<(Request, Canned)>>,
    settings: Mutex<BTreeMap<String, (u16, Value)>>,
    twists: Mutex<Vec<(Request, Twist)>>,
    outage: Mutex<Option<Outage>>,
    seen: Mutex<Vec<Seen>>,
    connections: AtomicUsize,
}

/// A change to every answer of a kind: of the request, its status and the JSON.
type Twist = Box<dyn Fn(&Seen, &mut u16, &mut Value) + Send>;

/// A time without good answers; requests are counted from 1.
#[derive(Clone, Copy, Debug)]
pub enum Outage {
    /// From this request on nothing is applied, and the answer is 500.
    From(usize),
    /// The answer to this request is 500, and it was applied.
    Loses(usize),
}

/// What is done with a request: its kind, what it is about, and the status and JSON that come of it.
type Served = Result<(u16, Value), Fault>;

impl Server {
    /// A server like github.com's.
    pub fn start(world: Arc<World>) -> Server {
        Server::start_at(world, "", "/graphql")
    }

    /// A server like an Enterprise Server's.
    pub fn start_enterprise(world: Arc<World>) -> Server {
        Server::start_at(world, "/api/v3", "/api/graphql")
    }

    fn start_at(world: Arc<World>, rest_path: &'static str, graphql_path: &'static str) -> Server {
        let listener = std::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let inside = Arc::new(Inside {
            world: world.clone(),
            rest_path,
            graphql_path,
            glitches: Mutex::default(),
            settings: Mutex::default(),
            twists: Mutex::default(),
            outage: Mutex::default(),
            seen: Mutex::default(),
            connections: AtomicUsize::new(0),
        });
        let (stop, stopped) = oneshot::channel();
        let shared = inside.clone();
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
            inside,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Gives this answer to the next request of this kind. Several for one kind are given one after the other.
    pub fn glitch(&self, kind: Request, answer: Canned) {
        self.inside.glitches.lock().unwrap().push((kind, answer));
    }

    /// Answers a question about the repository in this way from now on; the path is the one below it.
    pub fn says(&self, path: &str, status: u16, body: Value) {
        self.inside.settings.lock().unwrap().insert(path.to_owned(), (status, body));
    }

    /// Changes every answer to requests of this kind from now on, behind the back of what is true.
    pub fn twist(&self, kind: Request, twist: impl Fn(&Seen, &mut u16, &mut Value) + Send + 'static) {
        self.inside.twists.lock().unwrap().push((kind, Box::new(twist)));
    }

    /// Fails from a request on, or at one.
    pub fn fails(&self, outage: Outage) {
        *self.inside.outage.lock().unwrap() = Some(outage);
    }

    /// How many scripted answers have not been given.
    pub fn pending(&self) -> usize {
        self.inside.glitches.lock().unwrap().len()
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.inside.seen.lock().unwrap().clone()
    }

    /// How many connections were made so far.
    pub fn connections(&self) -> usize {
        self.inside.connections.load(Ordering::SeqCst)
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

async fn accept(listener: tokio::net::TcpListener, inside: Arc<Inside>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        inside.connections.fetch_add(1, Ordering::SeqCst);
        let inside = inside.clone();
        tokio::task::spawn_local(async move {
            let service = service_fn(|request| answer(inside.clone(), request));
            let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // An error here is a client that has gone, or a connection that was broken on purpose.
            drop(connection.await);
        });
    }
}

async fn answer(inside: Arc<Inside>, request: HttpRequest<Incoming>) -> Result<Response<Bytewise>, &'static str> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| "half a request")?.to_bytes();
    let body: Value = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap_or(Value::Null) };
    let path = head.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let seen = Seen { method: head.method, path, headers: head.headers, body };
    let count = {
        let mut all = inside.seen.lock().unwrap();
        all.push(seen.clone());
        all.len()
    };
    let outage = *inside.outage.lock().unwrap();
    if matches!(outage, Some(Outage::From(first)) if count >= first) {
        return respond(canned(500, message("Server Error")));
    }
    if let Some(picture) = inside.world.look(|state| scratch::picture(state, &seen.path)) {
        assert!(!seen.headers.contains_key("authorization"), "the token went to the web");
        return respond(twisted(&inside, Request::Picture, &seen, picture));
    }
    let bearer = format!("Bearer {TOKEN}");
    if seen.headers.get("authorization").is_none_or(|value| value.as_bytes() != bearer.as_bytes()) {
        return respond(canned(401, message("Bad credentials")));
    }
    let Some(kind) = kind(&inside, &seen) else { return respond(canned(404, message("Not Found"))) };
    let glitch = {
        let mut glitches = inside.glitches.lock().unwrap();
        let due = glitches.iter().position(|(wanted, _)| *wanted == kind || *wanted == Request::Any);
        due.map(|due| glitches.remove(due).1)
    };
    match glitch {
        None => {
            let served = serve(&inside, kind, &seen).await;
            match outage {
                Some(Outage::Loses(lost)) if count == lost => respond(canned(500, message("Server Error"))),
                _ => respond(twisted(&inside, kind, &seen, served)),
            }
        }
        Some(mut glitch) => {
            if glitch.applied {
                let own = serve(&inside, kind, &seen).await;
                if glitch.proper {
                    (glitch.status, glitch.body) = (own.status, own.body);
                }
            }
            respond(glitch)
        }
    }
}

/// An answer as the twists for its kind leave it.
fn twisted(inside: &Inside, kind: Request, seen: &Seen, answer: Canned) -> Canned {
    let twists = inside.twists.lock().unwrap();
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

/// What kind of request this is, if it is one.
fn kind(inside: &Inside, seen: &Seen) -> Option<Request> {
    if seen.path == inside.graphql_path {
        return graphql::kind(seen);
    }
    rest::kind(&seen.method, seen.path.strip_prefix(inside.rest_path)?)
}

async fn serve(inside: &Inside, kind: Request, seen: &Seen) -> Canned {
    let served = match seen.path == inside.graphql_path {
        true => graphql::serve(&inside.world, kind, &seen.body["variables"]).await,
        false if kind == Request::Look => {
            let settings = inside.settings.lock().unwrap().clone();
            look::serve(&inside.world, &seen.path[inside.rest_path.len()..], &settings).await
        }
        false => rest::serve(&inside.world, kind, &seen.path[inside.rest_path.len()..], &seen.body).await,
    };
    match served {
        Ok((204, _)) => canned(204, ""),
        Ok((status, body)) => canned(status, body.to_string()),
        Err(Fault::Lost(_) | Fault::TooLong(_)) => canned(502, "<html><body>Unicorn!</body></html>"),
        Err(Fault::RetryAfter(time, _)) => {
            canned(403, message("You have exceeded a secondary rate limit.")).header("retry-after", time.as_secs())
        }
        Err(Fault::Fatal(why)) => canned(403, message(&why)),
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
    match answer.manner {
        Manner::Breaks => return Err("broken on purpose"),
        Manner::Whole => {}
        Manner::Cut | Manner::Stalls => bytes.truncate(bytes.len() / 2),
    }
    Ok(response.body(Bytewise { bytes: Some(bytes), manner: answer.manner }).unwrap())
}

/// A body that may break off or never end.
pub(crate) struct Bytewise {
    bytes: Option<Bytes>,
    manner: Manner,
}

impl Body for Bytewise {
    type Data = Bytes;
    type Error = &'static str;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
        match (self.bytes.take(), self.manner) {
            (Some(bytes), _) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            (None, Manner::Stalls) => Poll::Pending,
            (None, Manner::Cut) => {
                // The first half goes out before the connection breaks.
                self.manner = Manner::Breaks;
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            (None, Manner::Breaks) => Poll::Ready(Some(Err("broken on purpose"))),
            (None, Manner::Whole) => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none() && self.manner == Manner::Whole
    }
}
