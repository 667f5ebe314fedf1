//! A GitHub App on the fake GitHub: many repositories, installations, tokens and webhooks, over HTTP.
//!
//! [`AppServer::start`] serves the REST API, the GraphQL API and the pages for creating an App, all at [`AppServer::url`].
//! Each repository is a [`World`] that follows the real time. A person's action, such as [`AppServer::comment`], sends its
//! webhook to the App's URLs, and a [`DeliveryPlan`] decides what happens on the way.
//!
//! ```no_run
//! use testkit::app::{AccountKind, AppServer};
//!
//! let app = AppServer::start();
//! app.set_webhook_urls(&["http://127.0.0.1:3000/webhook"]);
//! app.install("octo", AccountKind::Organization, &["games"]);
//! let repository = app.repository("octo/games");
//! let issue = app.open_issue(repository, "alice", "/new tic-tac-toe computer");
//! app.comment(repository, issue, "alice", "b2");
//! ```

mod auth;
mod data;
mod deliveries;
mod endpoints;
mod forge;
mod http;
mod limits;
mod manifest;
mod people;
mod repositories;
mod webhooks;

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::{mpsc as channel, oneshot, watch};

use crate::Millis;
use crate::world::World;

pub use auth::{TEST_KEY, sign_jwt, signature};
pub use data::{AccountKind, Dispatch, Posted};
pub use deliveries::{Delivered, DeliveryPlan, Fate};

use data::Data;
use deliveries::Outgoing;

/// A fake GitHub with one App. It runs on its own thread until it's dropped.
pub struct AppServer {
    /// The URL of the REST API and of the pages: `http://127.0.0.1:PORT`.
    pub url: String,
    /// The URL of the GraphQL API.
    pub graphql_url: String,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What the requests share with the caller's threads.
struct Shared {
    url: String,
    data: Mutex<Data>,
    outbox: channel::UnboundedSender<Outgoing>,
    /// The number of the latest webhook that has been delivered, for those that wait to be overtaken.
    delivered: watch::Sender<u64>,
    /// How far the fake's clock is ahead of the machine's, in milliseconds.
    ahead: AtomicU64,
    /// The duration of a request, in milliseconds.
    latency: AtomicU64,
    /// The time until a new comment is shown, in milliseconds.
    staleness: AtomicU64,
}

impl Shared {
    fn data(&self) -> MutexGuard<'_, Data> {
        // A request that panicked has ended its connection. The others continue.
        self.data.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the fake's time.
    fn now(&self) -> Millis {
        machine_time() + self.ahead.load(Ordering::Relaxed)
    }

    fn latency(&self) -> Duration {
        Duration::from_millis(self.latency.load(Ordering::Relaxed))
    }
}

/// Returns the machine's time.
fn machine_time() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
    Millis::try_from(since.as_millis()).expect("a time")
}

impl AppServer {
    /// Starts a fake GitHub on a free port, without installations or a webhook URL.
    pub fn start() -> AppServer {
        AppServer::start_on(0)
    }

    /// Starts a fake GitHub on this port of the local machine; 0 is a free one.
    pub fn start_on(port: u16) -> AppServer {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port))).expect("a free port");
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (outbox, outgoing) = channel::unbounded_channel();
        let shared = Arc::new(Shared {
            url: url.clone(),
            data: Mutex::new(Data::new(machine_time())),
            outbox,
            delivered: watch::Sender::new(0),
            ahead: AtomicU64::new(0),
            latency: AtomicU64::new(0),
            staleness: AtomicU64::new(0),
        });
        let (stop, stopped) = oneshot::channel();
        let for_thread = shared.clone();
        let thread = std::thread::Builder::new().name("fake-github".to_owned()).spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            tokio::task::LocalSet::new().block_on(&runtime, async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    () = http::accept(listener, for_thread.clone()) => {}
                    () = deliveries::send_all(outgoing, for_thread) => {}
                    _ = stopped => {}
                }
            });
        });
        let thread = thread.expect("a thread");
        AppServer { graphql_url: format!("{url}/graphql"), url, shared, stop: Some(stop), thread: Some(thread) }
    }

    /// Returns the App's numeric ID.
    pub fn app_id(&self) -> u64 {
        self.shared.data().app.id
    }

    /// Returns the App's client ID, which a JWT may name instead of the numeric one.
    pub fn client_id(&self) -> String {
        self.shared.data().app.client_id.clone()
    }

    /// Returns the App's name in URLs. Its account is `SLUG[bot]`.
    pub fn slug(&self) -> String {
        self.shared.data().app.slug.clone()
    }

    /// Returns the user ID of the App's account.
    pub fn bot_id(&self) -> u64 {
        self.shared.data().app.bot_id()
    }

    /// Returns the App's private key as PEM. It's the same in every test.
    pub fn private_key(&self) -> &'static str {
        TEST_KEY
    }

    /// Returns the secret that signs webhooks.
    pub fn webhook_secret(&self) -> String {
        self.shared.data().app.webhook_secret.clone()
    }

    /// Changes the secret that signs webhooks from now on.
    pub fn set_webhook_secret(&self, secret: &str) {
        secret.clone_into(&mut self.shared.data().app.webhook_secret);
    }

    /// Sets the URLs that webhooks are delivered to, in turn, as a balancer in front of several servers would. If a server can't be
    /// reached, the next one gets the delivery. Without a URL there are no deliveries.
    pub fn set_webhook_urls(&self, urls: &[&str]) {
        self.shared.data().app.urls = urls.iter().map(|url| (*url).to_owned()).collect();
    }

    /// Sets the duration of every request. Requests wait side by side.
    pub fn set_latency(&self, latency: Duration) {
        self.shared.latency.store(millis(latency), Ordering::Relaxed);
    }

    /// Sets the time until reads show a person's new comment or issue. Its webhook doesn't wait for that.
    pub fn set_staleness(&self, time: Duration) {
        self.shared.staleness.store(millis(time), Ordering::Relaxed);
    }

    /// Moves the fake's clock forward. A JWT is still checked against the machine's clock, which signed it.
    pub fn advance(&self, time: Duration) {
        self.shared.ahead.fetch_add(millis(time), Ordering::Relaxed);
    }

    /// Returns the fake's time.
    pub fn now(&self) -> Millis {
        self.shared.now()
    }

    /// Sets how long new tokens are valid: an hour, unless a test sets it.
    pub fn set_token_lifetime(&self, time: Duration) {
        self.shared.data().token_lifetime = millis(time);
    }

    /// Ends every token at once, as when somebody revokes them.
    pub fn revoke_tokens(&self) {
        self.shared.data().tokens.clear();
    }

    /// Returns a new token of an installation, as `POST /app/installations/ID/access_tokens` does. `narrowing` is its body.
    pub fn token(&self, installation: u64, narrowing: &serde_json::Value) -> String {
        let reply = endpoints::create_token(&self.shared, &installation.to_string(), narrowing);
        assert_eq!(reply.status, 201, "{}", reply.body);
        let reply: serde_json::Value = serde_json::from_str(&reply.body).expect("JSON");
        reply["token"].as_str().expect("a token").to_owned()
    }

    /// Returns a JSON web token of the App that is valid for nine minutes.
    pub fn jwt(&self) -> String {
        let now = machine_time() / 1000;
        sign_jwt(TEST_KEY, &serde_json::json!({ "iat": now - 30, "exp": now + 540, "iss": self.app_id().to_string() }))
    }

    /// Limits each installation to this many requests in each period. `None` removes the limit.
    pub fn set_limit(&self, requests: Option<u64>, period: Duration) {
        self.shared.data().limit = requests.map(|requests| limits::Limit { requests, period: millis(period) });
    }

    /// Limits one installation, as [`Self::set_limit`] does for all.
    pub fn set_limit_of(&self, installation: u64, requests: u64, period: Duration) {
        let limit = limits::Limit { requests, period: millis(period) };
        self.shared.data().installation(installation).limit = Some(limit);
    }

    /// Sets what happens to the webhooks from now on.
    pub fn set_plan(&self, plan: DeliveryPlan) {
        self.shared.data().courier.set_plan(plan);
    }

    /// Decides what happens to the next webhooks, in order. The plan decides about those after them.
    pub fn script(&self, fates: impl IntoIterator<Item = Fate>) {
        self.shared.data().courier.scripted.extend(fates);
    }

    /// Returns the deliveries so far, oldest first: the newest 100,000.
    pub fn deliveries(&self) -> Vec<Delivered> {
        self.shared.data().courier.records.values().cloned().collect()
    }

    /// Returns what was sent to `POST /repos/OWNER/NAME/dispatches`.
    pub fn dispatches(&self) -> Vec<Dispatch> {
        self.shared.data().dispatches.clone()
    }

    /// Returns a receiver of the App's comments from now on.
    pub fn watch(&self) -> mpsc::Receiver<Posted> {
        let (sender, receiver) = mpsc::channel();
        self.shared.data().watchers.push(sender);
        receiver
    }

    /// Returns the number of requests of each kind so far, such as `Read`, `Commit` and `access_tokens`.
    pub fn requests(&self) -> BTreeMap<String, u64> {
        self.shared.data().requests.clone()
    }

    /// Returns the ID of a repository by its full name, or a former one.
    pub fn repository(&self, full_name: &str) -> u64 {
        self.shared.data().find(full_name).unwrap_or_else(|| panic!("there's no repository {full_name}"))
    }

    /// Returns the ID of a repository by its full name, or a former one; `None` if there's no such repository.
    pub fn find_repository(&self, full_name: &str) -> Option<u64> {
        self.shared.data().find(full_name)
    }

    /// Returns the installation on an account.
    pub fn find_installation(&self, account: &str) -> Option<u64> {
        let data = self.shared.data();
        data.installations.values().find(|installation| installation.account == account).map(|found| found.id)
    }

    /// Returns the full name of a repository.
    pub fn full_name(&self, repository: u64) -> String {
        self.shared.data().repositories[&repository].full_name()
    }

    /// Returns the data of a repository. Changes to it send no webhooks.
    pub fn world(&self, repository: u64) -> Arc<World> {
        self.shared.data().repositories[&repository].world.clone()
    }

    /// Returns the repositories of an installation.
    pub fn repositories(&self, installation: u64) -> Vec<u64> {
        self.shared.data().installation(installation).repositories.iter().copied().collect()
    }
}

/// Returns a duration in milliseconds.
fn millis(time: Duration) -> Millis {
    Millis::try_from(time.as_millis()).expect("a short time")
}

impl Drop for AppServer {
    fn drop(&mut self) {
        self.stop.take().map(|stop| stop.send(()));
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            assert!(matches!(ended, Some(Ok(()))), "the fake GitHub has panicked");
        }
    }
}
