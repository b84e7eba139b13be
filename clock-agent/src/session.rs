//! One agent at work: core, journal, buttons, link, joined in one task. The same code runs the clock on a board and each
//! of a thousand simulated ones. Owns the order in which things are looked at: presses first, they happened before
//! whatever else is waiting. Never decides anything about time.

mod backoff;
mod desk;
mod logs;

use std::sync::Arc;

use proto::ids::EventSeq;
use proto::wire::{HubFrame, hub_frame};
use timing::{Board, Duration, Instant};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::buttons::ButtonEvent;
use crate::core::{AgentCore, Close, Input, Retry};
use crate::links::{ConnectError, Connector, Link, LinkEnd};
use crate::time_source::TimeSource;
use backoff::Backoff;
use desk::Desk;

pub use logs::{Logs, LogsError};

/// A link that has held for this long was no accident: the next outage begins with a quick attempt again.
const STEADY: Duration = Duration::from_secs(3);

/// Where presses come from.
pub trait ButtonSource: Send {
    /// Returns when there may be something to drain. May be dropped and called again at any time.
    fn wait(&mut self) -> impl Future<Output = ()> + Send;

    /// Everything that was done up to `now`.
    fn drain(&mut self, now: Instant<Board>) -> DrainedInput;

    /// The clock as the players see it, after each change.
    fn look(&mut self, core: &AgentCore, now: Instant<Board>);
}

/// What hands have done.
#[derive(Debug)]
pub struct DrainedInput {
    /// In the order of their stamps.
    pub events: Vec<ButtonEvent>,
    /// Every press stamped before this has been drained.
    pub complete_to: Instant<Board>,
    /// What an arbiter did at the clock.
    pub arbiter: Vec<Input>,
    /// The buttons are gone, for this reason.
    pub lost: Option<String>,
}

/// Whoever keeps an eye on an agent.
pub trait AgentObserver: Send {
    /// An event took its place in the chain.
    fn chained(&mut self, _core: &AgentCore, _seq: EventSeq, _at: Instant<Board>) {}

    /// The hub holds every event up to `seq`.
    fn acknowledged(&mut self, _seq: EventSeq, _now: Instant<Board>) {}

    /// The face has changed.
    fn changed(&mut self, _core: &AgentCore, _now: Instant<Board>) {}

    /// The hub keeps another log than before: the next start has to open the journal of that one.
    fn other_log(&mut self, _origin: &str) {}

    /// The hub has said its X25519 key: by it this clock knows it over Bluetooth LE.
    fn hub_key(&mut self, _key: &[u8; 32]) {}
}

/// A question to a running agent, answered between two steps.
pub type Ask = Box<dyn FnOnce(&AgentCore, Instant<Board>) + Send>;

/// What a session is made of.
pub struct Parts<C, H, W> {
    /// The agent, as its journal has it.
    pub core: AgentCore,
    /// Its journals.
    pub logs: Logs,
    /// Its board time.
    pub time: Arc<TimeSource>,
    /// The way to the hub.
    pub connector: C,
    /// The buttons.
    pub hands: H,
    /// Who looks on.
    pub watcher: W,
    /// Questions.
    pub asks: mpsc::Receiver<Ask>,
    /// Inputs that come from neither buttons nor hub: battery, temperature.
    pub inputs: mpsc::Receiver<Input>,
    /// Ends the session.
    pub stop: CancellationToken,
    /// Spreads the attempts of many agents to come back.
    pub seed: u64,
}

impl<C, H, W> std::fmt::Debug for Parts<C, H, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Parts({:?})", self.core.agent())
    }
}

/// Runs an agent until it is stopped. Gives the core back as it stood at the end.
pub async fn run<C: Connector, H: ButtonSource, W: AgentObserver>(
    parts: Parts<C, H, W>,
) -> AgentCore {
    let mut connector = parts.connector;
    let mut backoff = Backoff::new(parts.seed);
    let mut desk = Desk {
        journal: parts.logs.journal(),
        core: parts.core,
        logs: parts.logs,
        time: parts.time,
        hands: parts.hands,
        watcher: parts.watcher,
        asks: parts.asks,
        inputs: parts.inputs,
        stop: parts.stop,
        close: None,
    };
    desk.begin();
    loop {
        let Some(link) = dial(&mut connector, &mut desk, &mut backoff).await else {
            break;
        };
        match talk(link, &mut desk, &mut backoff).await {
            Ended::Link => {}
            Ended::Stopped => break,
        }
    }
    desk.end().await
}

/// Tries until there is a link, and keeps the game going meanwhile. `None` when the session is stopped.
async fn dial<C: Connector, H: ButtonSource, W: AgentObserver>(
    connector: &mut C,
    desk: &mut Desk<H, W>,
    backoff: &mut Backoff,
) -> Option<C::Link> {
    loop {
        let delay = backoff.delay();
        let attempt = async {
            tokio::time::sleep(delay).await;
            connector.connect().await
        };
        match meanwhile(desk, attempt).await? {
            Ok(link) => return Some(link),
            Err(ConnectError::Away(why)) => {
                tracing::debug!(why, "no link");
                backoff.failed();
            }
            Err(ConnectError::Refused(why)) => {
                tracing::error!(why, "no link");
                backoff.rarely();
                desk.note(Some(why));
            }
        }
    }
}

/// Keeps the game going until `attempt` has an outcome. `None` when the session is stopped.
async fn meanwhile<L: Link, H: ButtonSource, W: AgentObserver>(
    desk: &mut Desk<H, W>,
    attempt: impl Future<Output = Result<L, ConnectError>>,
) -> Option<Result<L, ConnectError>> {
    tokio::pin!(attempt);
    loop {
        tokio::select! {
            biased;
            // Without a link nothing can be lost on it.
            happening = desk.next() => desk.handle::<L>(happening?, None).ok()?,
            outcome = &mut attempt => return Some(outcome),
        }
    }
}

enum Ended {
    Link,
    Stopped,
}

/// Carries frames until the link is over.
async fn talk<L: Link, H: ButtonSource, W: AgentObserver>(
    mut link: L,
    desk: &mut Desk<H, W>,
    backoff: &mut Backoff,
) -> Ended {
    let opened = desk.time.now();
    let mut handled = desk.input(Input::LinkUp, Some(&mut link));
    let end = loop {
        if let Err(end) = handled {
            break End::Lost(end);
        }
        if let Some(close) = desk.close.take() {
            break End::Closed(close);
        }
        if desk.core.connected() && desk.time.now() - opened > STEADY {
            backoff.reset();
        }
        handled = tokio::select! {
            biased;
            happening = desk.next() => match happening {
                Some(happening) => desk.handle(happening, Some(&mut link)),
                None => {
                    desk.part(&mut link);
                    break End::Stopped;
                }
            },
            frame = link.next() => match frame {
                Ok(frame) => {
                    if let Some(key) = hub_key(&frame) {
                        desk.watcher.hub_key(&key);
                    }
                    desk.input(Input::Frame(frame), Some(&mut link))
                }
                Err(end) => Err(end),
            },
        };
    };
    let ended = match end {
        End::Lost(LinkEnd::Refused(why)) => {
            tracing::error!(why, "the link is over");
            backoff.rarely();
            desk.note(Some(why));
            Ended::Link
        }
        End::Lost(end) => {
            tracing::info!(why = %end, "the link is over");
            backoff.failed();
            Ended::Link
        }
        End::Closed(close) => {
            match close.retry {
                Retry::Now => backoff.reset(),
                Retry::Soon => backoff.failed(),
                Retry::Rarely => backoff.rarely(),
            }
            link.close(&close.reason).await;
            Ended::Link
        }
        End::Stopped => {
            link.close("the clock's program ends").await;
            return Ended::Stopped;
        }
    };
    // Nothing is sent while there is no link.
    let _ = desk.input::<L>(Input::LinkDown, None);
    ended
}

/// The hub's X25519 key, as it says at each greeting.
fn hub_key(frame: &HubFrame) -> Option<[u8; 32]> {
    let Some(hub_frame::Frame::Welcome(welcome)) = &frame.frame else {
        return None;
    };
    welcome.exchange_key.as_slice().try_into().ok()
}

enum End {
    Lost(LinkEnd),
    Closed(Close),
    Stopped,
}
