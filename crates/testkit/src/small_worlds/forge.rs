//! The forge of a run that is replayed: it answers the run's requests from a list, and stops at the first one beyond it.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use async_trait::async_trait;
use protocol::settle::settle;
use protocol::{Environment, RepoConfig, RequestError, Trigger};
use table::Timestamp;

use crate::Millis;
use crate::calls::{Call, CallForge, Response, Serve};

/// A run's next step.
#[derive(Debug)]
pub(crate) enum Next {
    /// Requests that it makes at the same time.
    Calls(Vec<Call>),
    Pause(Millis),
    End(Result<(), String>),
}

/// The responses to a run's concurrent requests, and the time at which they arrive.
pub(crate) struct Round {
    pub at: Millis,
    pub responses: Vec<Response>,
}

/// A run that can go on from where it is.
pub(crate) struct LiveRun {
    forge: Rc<CallForge<ReplayForge>>,
    run: Pin<Box<dyn Future<Output = Result<(), String>>>>,
}

impl LiveRun {
    /// Begins a run, and returns it with its first step.
    pub(crate) fn begin(config: &Rc<RepoConfig>, trigger: Trigger, entropy: [u8; 32], now: Millis) -> (LiveRun, Next) {
        let forge = Rc::new(CallForge(ReplayForge { now: Cell::new(now), entropy, issued: RefCell::default() }));
        let (its_forge, config) = (forge.clone(), config.clone());
        let settling = async move {
            let settled = settle(&*its_forge, &config, trigger).await;
            settled.map(drop).map_err(|error| format!("{error:#}"))
        };
        let mut live = LiveRun { forge, run: Box::pin(settling) };
        let next = live.poll();
        (live, next)
    }

    /// Delivers the responses to the run's requests, and returns its next step.
    pub(crate) fn resume(&mut self, round: &Round) -> Next {
        self.forge.0.now.set(round.at);
        let issued = self.forge.0.issued.take();
        assert_eq!(issued.len(), round.responses.len(), "a run always makes the same requests");
        for ((_, slot), response) in issued.iter().zip(&round.responses) {
            *slot.borrow_mut() = Some(response.clone());
        }
        self.poll()
    }

    fn poll(&mut self) -> Next {
        if let Poll::Ready(end) = self.run.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return Next::End(end);
        }
        let calls: Vec<Call> = self.forge.0.issued.borrow().iter().map(|(call, _)| call.clone()).collect();
        match calls.as_slice() {
            [Call::Pause(time)] => Next::Pause(Millis::try_from(time.as_millis()).expect("a short pause")),
            _ => Next::Calls(calls),
        }
    }
}

type Slot = Rc<RefCell<Option<Response>>>;

/// The forge of a run that is replayed. Each request waits until its slot is filled.
struct ReplayForge {
    now: Cell<Millis>,
    entropy: [u8; 32],
    issued: RefCell<Vec<(Call, Slot)>>,
}

#[async_trait(?Send)]
impl Serve for ReplayForge {
    async fn ask(&self, call: Call) -> Response {
        let slot = Slot::default();
        self.issued.borrow_mut().push((call, slot.clone()));
        poll_fn(|_| slot.borrow_mut().take().map_or(Poll::Pending, Poll::Ready)).await
    }
}

#[async_trait(?Send)]
impl Environment for ReplayForge {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.now.get())
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.now.get())
    }

    fn entropy(&self) -> Result<[u8; 32], RequestError> {
        Ok(self.entropy)
    }

    async fn pause(&self, time: Duration) {
        _ = self.ask(Call::Pause(time)).await;
    }
}
