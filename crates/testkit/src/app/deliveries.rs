//! The way of a webhook to the App, and the list of deliveries.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::{Method, Request as HttpRequest};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{sleep, timeout};

use super::endpoints::{query, time};
use super::{Shared, auth};
use crate::Millis;
use crate::server::{Canned, canned, message};
use crate::simulator::rng::Rng;

/// GitHub waits this long for the answer to a delivery.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A webhook that is out of order waits this long for another one to overtake it.
const OVERTAKING: Duration = Duration::from_secs(1);

/// The number of deliveries in the list.
const KEPT: usize = 100_000;

/// The number of deliveries with their payloads. Failed ones keep theirs.
const KEPT_PAYLOADS: usize = 1000;

/// What happens to a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It's delivered at once.
    OnTime,
    /// It's delivered after this time.
    Late(Duration),
    /// It's delivered twice, with the same GUID.
    Doubled,
    /// It's delivered after the next one.
    Reordered,
    /// It isn't delivered, and the list shows it as failed.
    Dropped,
}

/// How often each [`Fate`] happens, in percent. The rest are on time.
#[derive(Clone, Copy, Debug)]
pub struct DeliveryPlan {
    pub seed: u64,
    pub late: u64,
    /// How late those are.
    pub delay: Duration,
    pub doubled: u64,
    pub reordered: u64,
    pub dropped: u64,
}

impl Default for DeliveryPlan {
    /// Returns a plan with which everything is on time.
    fn default() -> Self {
        DeliveryPlan { seed: 0, late: 0, delay: Duration::from_secs(3), doubled: 0, reordered: 0, dropped: 0 }
    }
}

/// A delivery, as the list shows it.
#[derive(Clone, Debug)]
pub struct Delivered {
    pub id: u64,
    pub guid: String,
    /// When it arrived, on the fake's clock.
    pub at: Millis,
    /// When it was sent, on the machine's clock. Its answer came `seconds` later.
    pub begin: Instant,
    pub is_redelivery: bool,
    /// The duration of the request, in seconds.
    pub seconds: f64,
    pub status: String,
    pub status_code: u16,
    pub event: &'static str,
    pub action: Option<String>,
    pub installation: Option<u64>,
    pub repository: Option<u64>,
    /// The issue and the comment that the webhook is about. GitHub's list doesn't have them.
    pub subject: Option<(u64, u64)>,
    /// The payload; `None` for old deliveries.
    pub payload: Option<Arc<str>>,
    /// The App's answer.
    pub answer: String,
}

/// A webhook on its way.
#[derive(Clone)]
pub(super) struct Outgoing {
    pub(super) guid: String,
    pub(super) event: &'static str,
    pub(super) action: Option<String>,
    pub(super) installation: Option<u64>,
    pub(super) repository: Option<u64>,
    pub(super) subject: Option<(u64, u64)>,
    pub(super) payload: Arc<str>,
    pub(super) is_redelivery: bool,
    pub(super) fate: Fate,
}

/// Decides about webhooks, and records their deliveries.
pub(super) struct Courier {
    plan: DeliveryPlan,
    rng: Rng,
    pub(super) scripted: VecDeque<Fate>,
    pub(super) records: BTreeMap<u64, Delivered>,
    next_url: usize,
    next_id: u64,
}

impl Default for Courier {
    fn default() -> Self {
        Courier {
            plan: DeliveryPlan::default(),
            rng: Rng::new(0),
            scripted: VecDeque::new(),
            records: BTreeMap::new(),
            next_url: 0,
            next_id: 200_000_000_001,
        }
    }
}

impl Courier {
    pub(super) fn set_plan(&mut self, plan: DeliveryPlan) {
        (self.plan, self.rng) = (plan, Rng::new(plan.seed));
    }

    /// Decides what happens to the next webhook.
    pub(super) fn decide(&mut self) -> Fate {
        if let Some(fate) = self.scripted.pop_front() {
            return fate;
        }
        let DeliveryPlan { late, delay, doubled, reordered, dropped, .. } = self.plan;
        let rest = 100_u64.saturating_sub(late + doubled + reordered + dropped);
        *self.rng.choose_weighted(&[
            (late, Fate::Late(delay)),
            (doubled, Fate::Doubled),
            (reordered, Fate::Reordered),
            (dropped, Fate::Dropped),
            (rest, Fate::OnTime),
        ])
    }

    /// Returns a GUID.
    pub(super) fn guid(seed: u64) -> String {
        let mut rng = Rng::new(seed);
        let (a, b) = (rng.next_u64(), rng.next_u64());
        let (c, d, e) = (a >> 32, a >> 16 & 0xffff, a & 0xffff);
        format!("{c:08x}-{d:04x}-{e:04x}-{:04x}-{:012x}", b >> 48, b & 0xffff_ffff_ffff)
    }

    fn record(&mut self, mut delivered: Delivered) {
        delivered.id = self.next_id;
        self.next_id += 1;
        self.records.insert(delivered.id, delivered);
        if self.records.len() > KEPT {
            self.records.pop_first();
        }
        let old = self.next_id - KEPT_PAYLOADS as u64;
        if let Some(old) = self.records.get_mut(&old).filter(|old| old.status_code < 300) {
            old.payload = None;
        }
    }
}

type HttpClient = Client<HttpConnector, Full<Bytes>>;

/// Sends the webhooks in the outbox.
pub(super) async fn send_all(mut outgoing: UnboundedReceiver<Outgoing>, shared: Arc<Shared>) {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let client: HttpClient = Client::builder(TokioExecutor::new()).build(connector);
    let mut number = 0;
    while let Some(webhook) = outgoing.recv().await {
        number += 1;
        tokio::task::spawn_local(send(number, webhook, client.clone(), shared.clone()));
    }
    std::future::pending::<()>().await;
}

async fn send(number: u64, webhook: Outgoing, client: HttpClient, shared: Arc<Shared>) {
    match webhook.fate {
        Fate::OnTime => {}
        Fate::Late(delay) => sleep(delay).await,
        Fate::Doubled => attempt(&webhook, &client, &shared).await,
        Fate::Reordered => {
            let mut delivered = shared.delivered.subscribe();
            drop(timeout(OVERTAKING, delivered.wait_for(|latest| *latest > number)).await);
        }
        Fate::Dropped => {
            record(&shared, &webhook, Instant::now(), (502, "failed to connect to host".to_owned(), String::new()));
            return;
        }
    }
    attempt(&webhook, &client, &shared).await;
    shared.delivered.send_modify(|latest| *latest = number.max(*latest));
}

/// Delivers a webhook once, and records how that went.
async fn attempt(webhook: &Outgoing, client: &HttpClient, shared: &Shared) {
    let begin = Instant::now();
    let outcome = match timeout(TIMEOUT, post(webhook, client, shared)).await {
        Ok(outcome) => outcome,
        Err(_) => (504, "timed out".to_owned(), String::new()),
    };
    record(shared, webhook, begin, outcome);
}

/// Posts a webhook to the next URL that can be reached. Returns the status and the body of the answer.
async fn post(webhook: &Outgoing, client: &HttpClient, shared: &Shared) -> (u16, String, String) {
    let (urls, first, headers) = {
        let mut data = shared.data();
        let first = data.courier.next_url;
        data.courier.next_url += 1;
        let secret = data.app.webhook_secret.clone();
        (data.app.urls.clone(), first, headers(data.app.id, webhook, &secret))
    };
    for at in 0..urls.len() {
        let url = &urls[(first + at) % urls.len()];
        let mut request = HttpRequest::builder().method(Method::POST).uri(url);
        for (name, value) in &headers {
            request = request.header(*name, value);
        }
        let Ok(request) = request.body(Full::new(Bytes::copy_from_slice(webhook.payload.as_bytes()))) else { continue };
        match client.request(request).await {
            Ok(response) => {
                let status = response.status();
                let body = response.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
                let body = String::from_utf8_lossy(&body[..body.len().min(500)]).into_owned();
                let reason = if status.is_success() { "OK" } else { "Invalid HTTP Response" };
                return (status.as_u16(), format!("{reason}: {}", status.as_u16()), body);
            }
            Err(error) if error.is_connect() => {}
            // The server may have read it.
            Err(_) => return (502, "connection closed".to_owned(), String::new()),
        }
    }
    (502, "failed to connect to host".to_owned(), String::new())
}

/// Returns the headers of a webhook.
fn headers(app: u64, webhook: &Outgoing, secret: &str) -> Vec<(&'static str, String)> {
    vec![
        ("accept", "*/*".to_owned()),
        ("content-type", "application/json".to_owned()),
        ("user-agent", "GitHub-Hookshot/044aadd".to_owned()),
        ("x-github-delivery", webhook.guid.clone()),
        ("x-github-event", webhook.event.to_owned()),
        ("x-github-hook-id", HOOK_ID.to_string()),
        ("x-github-hook-installation-target-id", app.to_string()),
        ("x-github-hook-installation-target-type", "integration".to_owned()),
        ("x-hub-signature-256", auth::signature(secret, webhook.payload.as_bytes())),
    ]
}

/// The ID of the App's webhook.
pub(super) const HOOK_ID: u64 = 500_000_001;

fn record(shared: &Shared, webhook: &Outgoing, begin: Instant, (status_code, status, answer): (u16, String, String)) {
    let at = shared.now();
    let webhook = webhook.clone();
    let delivered = Delivered {
        id: 0,
        guid: webhook.guid,
        at,
        begin,
        is_redelivery: webhook.is_redelivery,
        seconds: begin.elapsed().as_secs_f64(),
        status,
        status_code,
        event: webhook.event,
        action: webhook.action,
        installation: webhook.installation,
        repository: webhook.repository,
        subject: webhook.subject,
        payload: Some(webhook.payload),
        answer,
    };
    shared.data().courier.record(delivered);
}

/// Returns a delivery as the list shows it.
fn listed(delivered: &Delivered) -> Value {
    json!({
        "id": delivered.id,
        "guid": delivered.guid,
        "delivered_at": time(delivered.at),
        "redelivery": delivered.is_redelivery,
        "duration": (delivered.seconds * 100.0).round() / 100.0,
        "status": if delivered.status_code == 200 { "OK" } else { &delivered.status },
        "status_code": delivered.status_code,
        "event": delivered.event,
        "action": delivered.action,
        "installation_id": delivered.installation,
        "repository_id": delivered.repository,
        "url": "",
        "throttled_at": null,
    })
}

/// Lists deliveries, the newest first.
pub(super) fn list(shared: &Shared, path: &str) -> Canned {
    let count = query(path, "per_page").and_then(|count| count.parse().ok()).unwrap_or(30).clamp(1, 100);
    let before = match query(path, "cursor") {
        None => u64::MAX,
        Some(cursor) => match cursor.strip_prefix("v1_").and_then(|id| id.parse().ok()) {
            Some(id) => id,
            None => return canned(422, message("Invalid cursor")),
        },
    };
    let wanted = query(path, "status");
    let is_wanted = |delivered: &&Delivered| match wanted.as_deref() {
        Some("failure") => !(200..400).contains(&delivered.status_code),
        Some("success") => (200..400).contains(&delivered.status_code),
        _ => true,
    };
    let data = shared.data();
    let mut found = data.courier.records.range(..before).rev().map(|(_, delivered)| delivered).filter(is_wanted);
    let page: Vec<&Delivered> = found.by_ref().take(count).collect();
    let response = canned(200, page.iter().copied().map(listed).collect::<Value>().to_string());
    match (found.next(), page.last()) {
        (Some(_), Some(last)) => {
            let status = wanted.map(|status| format!("&status={status}")).unwrap_or_default();
            let next = format!("{}/app/hook/deliveries?per_page={count}{status}&cursor=v1_{}", shared.url, last.id);
            response.header("link", format!("<{next}>; rel=\"next\""))
        }
        _ => response,
    }
}

/// Shows a delivery with its payload.
pub(super) fn show(shared: &Shared, id: &str) -> Canned {
    let data = shared.data();
    let Some(delivered) = id.parse().ok().and_then(|id: u64| data.courier.records.get(&id)) else {
        return canned(404, message("Not Found"));
    };
    let mut shown = listed(delivered);
    let payload = delivered.payload.as_ref().and_then(|payload| serde_json::from_str::<Value>(payload).ok());
    let headers = json!({ "X-GitHub-Event": delivered.event, "X-GitHub-Delivery": delivered.guid });
    shown["request"] = json!({ "headers": headers, "payload": payload });
    shown["response"] = json!({ "headers": {}, "payload": delivered.answer });
    canned(200, shown.to_string())
}

/// Delivers a webhook again.
pub(super) fn redeliver(shared: &Shared, id: &str) -> Canned {
    let data = shared.data();
    let Some(delivered) = id.parse().ok().and_then(|id: u64| data.courier.records.get(&id)) else {
        return canned(404, message("Not Found"));
    };
    let Some(payload) = delivered.payload.clone() else {
        return canned(422, message("The delivery is too old."));
    };
    let delivered = delivered.clone();
    let again = Outgoing {
        guid: delivered.guid,
        event: delivered.event,
        action: delivered.action,
        installation: delivered.installation,
        repository: delivered.repository,
        subject: delivered.subject,
        payload,
        is_redelivery: true,
        fate: Fate::OnTime,
    };
    drop(shared.outbox.send(again));
    canned(202, "{}")
}
