//! The rate limit of each installation.

use crate::Millis;
use crate::server::{Canned, canned, graphql_error, message};

/// A number of requests in each period.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) requests: u64,
    pub(super) period: Millis,
}

/// GitHub's limit for an installation, which headers show if a test sets no other. It isn't enforced.
const SHOWN: Limit = Limit { requests: 5000, period: 3_600_000 };

/// The use of a limit in the current period.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    used: u64,
    reset: Millis,
}

/// What the rate limit says about a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charge {
    limit: u64,
    remaining: u64,
    used: u64,
    /// The time of the reset, in seconds.
    reset: u64,
    pub(super) is_refused: bool,
}

impl Usage {
    /// Counts a request.
    pub(super) fn charge(&mut self, limit: Option<Limit>, now: Millis) -> Charge {
        let Limit { requests, period } = limit.unwrap_or(SHOWN);
        if now >= self.reset {
            *self = Usage { used: 0, reset: now + period };
        }
        let is_refused = limit.is_some() && self.used >= requests;
        self.used += u64::from(!is_refused);
        let remaining = requests.saturating_sub(self.used);
        Charge { limit: requests, remaining, used: self.used, reset: self.reset.div_ceil(1000), is_refused }
    }
}

impl Charge {
    /// Adds GitHub's headers to a response.
    pub(super) fn add_to(self, response: Canned) -> Canned {
        response
            .header("x-ratelimit-limit", self.limit)
            .header("x-ratelimit-remaining", self.remaining)
            .header("x-ratelimit-used", self.used)
            .header("x-ratelimit-reset", self.reset)
    }

    /// Returns the refusal of a request.
    pub(super) fn refusal(self, installation: u64, in_graphql: bool) -> Canned {
        let why = format!("API rate limit exceeded for installation ID {installation}.");
        let refusal =
            if in_graphql { canned(200, graphql_error("RATE_LIMITED", &why)) } else { canned(403, message(&why)) };
        self.add_to(refusal)
    }
}
