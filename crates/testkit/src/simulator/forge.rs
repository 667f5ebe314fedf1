//! The forge of one run, which sends its requests through the event queue.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;
use protocol::{Environment, RequestError};
use table::Timestamp;

use crate::Millis;
use crate::calls::{Call, Reply, Response, Serve};
use crate::simulator::Core;
use crate::simulator::core::Slot;

/// The forge of one run.
pub(crate) struct SimulatedForge {
    core: Rc<RefCell<Core>>,
    run: u32,
    /// How far this machine's clock is ahead, in milliseconds.
    clock: i64,
    /// Whether a reply has told the time.
    knows_time: Cell<bool>,
}

impl SimulatedForge {
    pub(crate) fn new(core: &Rc<RefCell<Core>>, run: u32) -> SimulatedForge {
        let clock = core.borrow().clock;
        SimulatedForge { core: core.clone(), run, clock, knows_time: Cell::new(false) }
    }
}

#[async_trait(?Send)]
impl Serve for SimulatedForge {
    async fn ask(&self, call: Call) -> Response {
        let slot = Slot::default();
        self.core.borrow_mut().send(self.run, call, &slot);
        let reply = poll_fn(|_| slot.borrow_mut().take().map_or(Poll::Pending, Poll::Ready)).await;
        if !matches!(reply, Err(RequestError::Lost(_))) {
            self.knows_time.set(true);
        }
        reply
    }
}

#[async_trait(?Send)]
impl Environment for SimulatedForge {
    fn now(&self) -> Timestamp {
        if !self.knows_time.get() {
            return self.machine_time();
        }
        Timestamp::from_millis(self.core.borrow().now)
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.core.borrow().now)
    }

    fn machine_time(&self) -> Timestamp {
        Timestamp::from_millis(self.core.borrow().now.saturating_add_signed(self.clock))
    }

    fn entropy(&self) -> Result<[u8; 32], RequestError> {
        Ok(self.core.borrow_mut().entropy_for(self.run))
    }

    async fn pause(&self, time: Duration) {
        let slot = Slot::default();
        {
            let mut core = self.core.borrow_mut();
            let until = core.now + Millis::try_from(time.as_millis()).expect("a short pause");
            core.reply(self.run, until, &slot, Ok(Reply::Done));
        }
        poll_fn(|_| slot.borrow_mut().take().map_or(Poll::Pending, |_| Poll::Ready(()))).await;
    }
}
