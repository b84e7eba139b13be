//! A scripted clock: real frames over real QUIC, honest unless told otherwise.
//!
//! Owns one clock's keys, chain, board time and link. Its rules come from `proto/README.md`, not from the agent's
//! code, so that the two can check each other. A caller may make it break any rule: permanently, with a [`Fault`], or
//! once, with a step of the caller's own ([`ScriptedClock::act`]).

mod body;
mod chain;
mod enrol;
mod fault;
mod react;
mod seen;
mod wire;

use std::net::SocketAddr;
use std::time::Duration;

use proto::wire::Button;
use tokio::sync::{mpsc, oneshot, watch};

pub(crate) use body::random_bytes;
pub use body::{ClockBody, StatedEvent};
pub use enrol::{ClockIdentity, EnrolAttempt, EnrolFailure, enrol};
pub use fault::Fault;
pub use seen::{Closed, Seen};

/// Maximum wait for an expected observation.
const PATIENCE: Duration = Duration::from_secs(20);

type Act = Box<dyn FnOnce(&mut ClockBody) + Send>;

#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ClockError {
    #[error("the scripted clock has stopped")]
    Stopped,
    #[error("waited {PATIENCE:?} for {what}; seen: {seen}")]
    NotSeen { what: String, seen: String },
}

/// A running scripted clock. It stops when the value is dropped.
#[derive(Debug)]
pub struct ScriptedClock {
    acts: mpsc::UnboundedSender<Act>,
    seen: watch::Receiver<Seen>,
}

impl ScriptedClock {
    /// Starts a clock that keeps a session with the hub at `hub` and reconnects whenever its link ends. Must be
    /// called inside a tokio runtime.
    pub fn start(identity: ClockIdentity, hub: SocketAddr, faults: &[Fault]) -> Self {
        let (acts, asked) = mpsc::unbounded_channel();
        let (show, seen) = watch::channel(Seen::default());
        let clock = ClockBody::new(identity, hub, faults, show);
        tokio::spawn(clock.run(asked));
        Self { acts, seen }
    }

    /// Runs `step` inside the clock, between two of the clock's own steps, and returns the result of `step`.
    ///
    /// # Errors
    /// Returns [`ClockError::Stopped`] if the clock was stopped.
    pub async fn act<T: Send + 'static>(
        &self,
        step: impl FnOnce(&mut ClockBody) -> T + Send + 'static,
    ) -> Result<T, ClockError> {
        let (tell, told) = oneshot::channel();
        let act: Act = Box::new(move |clock| {
            // A caller that no longer waits needs no result.
            let _ = tell.send(step(clock));
        });
        self.acts.send(act).map_err(|_| ClockError::Stopped)?;
        told.await.map_err(|_| ClockError::Stopped)
    }

    /// Presses a button now, and returns the number of the event.
    ///
    /// # Errors
    /// Returns [`ClockError::Stopped`] if the clock was stopped.
    pub async fn press(&self, button: Button) -> Result<u64, ClockError> {
        self.act(move |clock| clock.press(button)).await
    }

    /// Waits until `found` returns a value for the clock's observations, and returns that value.
    ///
    /// # Errors
    /// Returns any [`ClockError`]. `what` names the condition in the message of [`ClockError::NotSeen`].
    pub async fn until<T>(
        &self,
        what: &str,
        mut found: impl FnMut(&Seen) -> Option<T>,
    ) -> Result<T, ClockError> {
        let mut seen = self.seen.clone();
        let look = async {
            loop {
                if let Some(value) = found(&seen.borrow_and_update()) {
                    return Ok(value);
                }
                seen.changed().await.map_err(|_| ClockError::Stopped)?;
            }
        };
        match tokio::time::timeout(PATIENCE, look).await {
            Ok(value) => value,
            Err(_) => Err(ClockError::NotSeen {
                what: what.to_owned(),
                seen: self.seen.borrow().to_string(),
            }),
        }
    }

    pub fn seen(&self) -> Seen {
        self.seen.borrow().clone()
    }
}
