//! The figures at `/metrics`, in the format of [OpenMetrics](https://prometheus.io/docs/specs/om/open_metrics_spec/).

use std::sync::atomic::{AtomicI64, AtomicU64};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// The upper limits of the buckets for times, in seconds.
const BUCKETS: [f64; 11] = [0.1, 0.25, 0.5, 0.7, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 360.0];

/// The label of a counter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Kind {
    /// What happened, such as `accepted`.
    pub(super) kind: &'static str,
}

/// All figures of the server.
pub(super) struct Metrics {
    registry: Registry,
    /// Requests at `/webhook`, by what became of them.
    pub(super) webhooks: Family<Kind, Counter<u64, AtomicU64>>,
    /// Runs that have ended, by how.
    pub(super) runs: Family<Kind, Counter<u64, AtomicU64>>,
    /// Commands that were settled, by outcome.
    pub(super) commands: Family<Kind, Counter<u64, AtomicU64>>,
    /// Requests that runs sent to GitHub.
    pub(super) requests: Counter<u64, AtomicU64>,
    /// The time from a webhook's arrival to the end of its run.
    pub(super) seconds: Histogram,
    /// Wakes that are due and wait.
    pub(super) waiting: Gauge<i64, AtomicI64>,
    /// The age of the oldest wake that is due.
    pub(super) oldest: Gauge<f64, AtomicU64>,
    /// Runs at this moment.
    pub(super) running: Gauge<i64, AtomicI64>,
    /// Installations that GitHub asked to wait.
    pub(super) limited: Gauge<i64, AtomicI64>,
    /// Repositories that the server plays in.
    pub(super) repositories: Gauge<i64, AtomicI64>,
}

impl Metrics {
    /// Creates the figures, all of them 0.
    pub(super) fn new() -> Metrics {
        let mut metrics = Metrics {
            registry: Registry::with_prefix("play_by_commit"),
            webhooks: Family::default(),
            runs: Family::default(),
            commands: Family::default(),
            requests: Counter::default(),
            seconds: Histogram::new(BUCKETS),
            waiting: Gauge::default(),
            oldest: Gauge::default(),
            running: Gauge::default(),
            limited: Gauge::default(),
            repositories: Gauge::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("webhooks", "Webhooks, by what became of them", metrics.webhooks.clone());
        registry.register("runs", "Runs that have ended, by how", metrics.runs.clone());
        registry.register("commands", "Commands that were settled, by outcome", metrics.commands.clone());
        registry.register("requests", "Requests that runs sent to GitHub", metrics.requests.clone());
        let help = "Time from the arrival of a webhook to the end of its run";
        registry.register_with_unit("answer", help, Unit::Seconds, metrics.seconds.clone());
        registry.register("wakes_waiting", "Wakes that are due and wait", metrics.waiting.clone());
        registry.register_with_unit(
            "oldest_wake",
            "Age of the oldest wake that is due",
            Unit::Seconds,
            metrics.oldest.clone(),
        );
        registry.register("running", "Runs at this moment", metrics.running.clone());
        registry.register("installations_limited", "Installations that GitHub asked to wait", metrics.limited.clone());
        registry.register("repositories", "Repositories that the server plays in", metrics.repositories.clone());
        // A counter that is there from the start shows when it grows for the first time.
        for word in ["accepted", "forged", "unreadable"] {
            drop(metrics.webhooks.get_or_create(&kind(word)));
        }
        for word in ["applied", "refused", "shown", "repaired"] {
            drop(metrics.commands.get_or_create(&kind(word)));
        }
        for word in ["settled", "unfinished", "limited", "failed", "refused"] {
            drop(metrics.runs.get_or_create(&kind(word)));
        }
        metrics
    }

    /// Returns all figures as text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string can't fail.
        _ = encode(&mut text, &self.registry);
        text
    }
}

/// Returns the label of a counter.
pub(super) fn kind(kind: &'static str) -> Kind {
    Kind { kind }
}
