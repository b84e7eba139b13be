//! A running agent: core, journal, buttons and link in one task. The same code runs a real clock and each simulated clock of a swarm. Owns the order
//! of work: presses first, because they happened before anything else that is waiting. Never decides anything about time.

mod backoff;
mod logs;
mod running;

use std::sync::Arc;

use proto::ids::EventSeq;
use proto::wire::{Certificate, Goodbye, GoodbyeReason, HubFrame, hub_frame};
use timing::{Board, Duration, Instant};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::buttons::ButtonEvent;
use crate::core::{AgentCore, Close, Input, Retry};
use crate::links::{ConnectError, Connector, Link, LinkEnd};
use crate::time_source::TimeSource;
use backoff::Backoff;
use running::RunningClock;

pub use logs::{Logs, LogsError};

/// Time after which a link counts as stable and resets the back-off, so that the first attempt after the next outage is quick.
const STABLE_AFTER: Duration = Duration::from_secs(3);

const SHUTTING_DOWN: &str = "the clock's program is shutting down";

pub trait ButtonSource: Send {
    /// Waits until there may be something to drain. Cancel-safe.
    fn wait(&mut self) -> impl Future<Output = ()> + Send;

    fn drain(&mut self, now: Instant<Board>) -> DrainedInput;

    /// Takes the agent's state at the start and after each change of its face.
    fn core_changed(&mut self, core: &AgentCore, now: Instant<Board>);
}

#[derive(Debug)]
pub struct DrainedInput {
    /// Presses and stops in the order of their stamps.
    pub events: Vec<ButtonEvent>,
    /// Board time up to which presses are complete: every press stamped earlier has been drained.
    pub complete_to: Instant<Board>,
    /// Inputs from an arbiter at the clock.
    pub arbiter: Vec<Input>,
    /// The reason why the buttons have just become unavailable; `None` otherwise.
    pub lost: Option<String>,
}

pub trait AgentObserver: Send {
    /// Takes the sequence number and the stamp of an event that has been added to the chain.
    fn chained(&mut self, _core: &AgentCore, _seq: EventSeq, _at: Instant<Board>) {}

    /// Takes the sequence number up to which the hub has stored every event.
    fn acknowledged(&mut self, _seq: EventSeq, _now: Instant<Board>) {}

    /// Takes the agent's state at the start and after each change of its face.
    fn changed(&mut self, _core: &AgentCore, _now: Instant<Board>) {}

    /// Takes the origin of the hub's log if the hub has a different log. The next start must open the journal for that log.
    fn other_log(&mut self, _origin: &str) {}

    /// Takes the hub's X25519 key, which identifies the hub over Bluetooth LE.
    fn hub_key(&mut self, _key: &[u8; 32]) {}

    /// Takes a certificate that the hub has sent for this clock; nothing has checked it yet.
    fn certificate(&mut self, _certificate: &Certificate) {}
}

/// A query that a running agent executes between two steps.
pub type Query = Box<dyn FnOnce(&AgentCore, Instant<Board>) + Send>;

pub struct SessionParts<C, H, W> {
    pub core: AgentCore,
    pub logs: Logs,
    pub time: Arc<TimeSource>,
    pub connector: C,
    pub buttons: H,
    pub observer: W,
    pub queries: mpsc::Receiver<Query>,
    /// Inputs from sources other than the buttons and the hub, such as battery and temperature.
    pub inputs: mpsc::Receiver<Input>,
    pub stop: CancellationToken,
    /// Seed of the random delays that spread the reconnections of many agents.
    pub seed: u64,
}

impl<C, H, W> std::fmt::Debug for SessionParts<C, H, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SessionParts({:?})", self.core.agent())
    }
}

/// Runs an agent until it is stopped. Returns the core's final state.
pub async fn run<C: Connector, H: ButtonSource, W: AgentObserver>(
    parts: SessionParts<C, H, W>,
) -> AgentCore {
    let mut connector = parts.connector;
    let mut backoff = Backoff::new(parts.seed);
    let mut clock = RunningClock {
        journal: parts.logs.journal(),
        core: parts.core,
        logs: parts.logs,
        time: parts.time,
        buttons: parts.buttons,
        observer: parts.observer,
        queries: parts.queries,
        inputs: parts.inputs,
        stop: parts.stop,
        close: None,
    };
    clock.begin();
    loop {
        let Some(link) = dial(&mut connector, &mut clock, &mut backoff).await else {
            break;
        };
        match talk(link, &mut clock, &mut backoff).await {
            Ended::Link => {}
            Ended::Stopped => break,
        }
    }
    clock.end().await
}

/// Attempts to connect until there is a link, and keeps the game running in the meantime. Returns `None` when the session is stopped.
async fn dial<C: Connector, H: ButtonSource, W: AgentObserver>(
    connector: &mut C,
    clock: &mut RunningClock<H, W>,
    backoff: &mut Backoff,
) -> Option<C::Link> {
    loop {
        let delay = backoff.delay();
        let attempt = async {
            tokio::time::sleep(delay).await;
            connector.connect().await
        };
        match meanwhile(clock, attempt).await? {
            Ok(link) => return Some(link),
            Err(ConnectError::Away(why)) => {
                tracing::debug!(why, "no link");
                backoff.failed();
            }
            Err(ConnectError::Refused(why)) => {
                tracing::error!(why, "no link");
                backoff.rarely();
                clock.note(Some(why));
            }
        }
    }
}

/// Keeps the game running until `attempt` has a result. Returns `None` when the session is stopped.
async fn meanwhile<L: Link, H: ButtonSource, W: AgentObserver>(
    clock: &mut RunningClock<H, W>,
    attempt: impl Future<Output = Result<L, ConnectError>>,
) -> Option<Result<L, ConnectError>> {
    tokio::pin!(attempt);
    loop {
        tokio::select! {
            biased;
            // Without a link, this cannot fail.
            wakeup = clock.next() => clock.handle::<L>(wakeup?, None).ok()?,
            outcome = &mut attempt => return Some(outcome),
        }
    }
}

enum Ended {
    Link,
    Stopped,
}

async fn talk<L: Link, H: ButtonSource, W: AgentObserver>(
    mut link: L,
    clock: &mut RunningClock<H, W>,
    backoff: &mut Backoff,
) -> Ended {
    let opened = clock.time.now();
    let mut handled = clock.input(Input::LinkUp, Some(&mut link));
    let end = loop {
        if let Err(end) = handled {
            break End::Lost(end);
        }
        if let Some(close) = clock.close.take() {
            break End::Closed(close);
        }
        if clock.core.connected() && clock.time.now() - opened > STABLE_AFTER {
            backoff.reset();
        }
        handled = tokio::select! {
            biased;
            wakeup = clock.next() => match wakeup {
                Some(wakeup) => clock.handle(wakeup, Some(&mut link)),
                None => {
                    clock.part(&mut link);
                    break End::Stopped;
                }
            },
            frame = link.next() => match frame {
                Ok(frame) => {
                    if let Some(key) = hub_key(&frame) {
                        clock.observer.hub_key(&key);
                    }
                    if let Some(hub_frame::Frame::Certificate(certificate)) = &frame.frame {
                        clock.observer.certificate(certificate);
                    }
                    clock.input(Input::Frame(frame), Some(&mut link))
                }
                Err(end) => Err(end),
            },
        };
    };
    wind_up(end, link, clock, backoff).await
}

/// Closes the link as the cause of its end requires, and adjusts the delay before the next attempt.
async fn wind_up<L: Link, H: ButtonSource, W: AgentObserver>(
    end: End,
    mut link: L,
    clock: &mut RunningClock<H, W>,
    backoff: &mut Backoff,
) -> Ended {
    match end {
        End::Lost(LinkEnd::Refused(why)) => {
            tracing::error!(why, "the hub refused the link");
            backoff.rarely();
            clock.note(Some(why));
        }
        End::Lost(end @ LinkEnd::BadFrame(_)) => {
            tracing::error!(why = %end, "closing the link");
            let goodbye = Goodbye {
                reason: GoodbyeReason::BadFrame.into(),
                text: end.to_string(),
            };
            // A link that has ended needs no goodbye.
            let _ = link.send(&goodbye.into());
            backoff.failed();
            link.close(GoodbyeReason::BadFrame, &end.to_string()).await;
        }
        End::Lost(end) => {
            tracing::info!(why = %end, "the link ended");
            backoff.failed();
        }
        End::Closed(close) => {
            match close.retry {
                Retry::Now => backoff.reset(),
                Retry::Soon => backoff.failed(),
                Retry::AfterLongDelay => backoff.rarely(),
            }
            link.close(close.code, &close.reason).await;
        }
        End::Stopped => {
            link.close(GoodbyeReason::Unspecified, SHUTTING_DOWN).await;
            return Ended::Stopped;
        }
    }
    // Without a link, this cannot fail.
    let _ = clock.input::<L>(Input::LinkDown, None);
    Ended::Link
}

fn hub_key(frame: &HubFrame) -> Option<[u8; 32]> {
    let Some(hub_frame::Frame::Welcome(welcome)) = &frame.frame else {
        return None;
    };
    proto::exchange::exchange_key(&welcome.exchange_key).ok()
}

enum End {
    Lost(LinkEnd),
    Closed(Close),
    Stopped,
}
