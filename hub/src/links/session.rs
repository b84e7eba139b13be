//! A session of one agent over one link: the greeting, then frames both ways until either end finishes.

use std::time::Duration;

use proto::ids::AgentId;
use proto::wire::{GoodbyeReason, HubFrame, agent_frame, hub_frame};
use timing::text::DisplayText;
use timing::{Hub, Instant};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::Context;
use super::limits::{EVENTS_BURST, EVENTS_PER_SECOND, TokenBucket};
use super::link::{Arrived, End, Inbound, Link, Outbound};
use crate::event_loop::{EventLoopHandle, LinkSession, ToLink};
use crate::metrics;
use crate::time_source::TimeSource;
use hall::from_proto;
use hall::{AgentFrame, Hello, LinkId};

/// Time limit of the agent's greeting.
const HELLO_WITHIN: Duration = Duration::from_secs(5);
/// Frames passed to the carrier at a time.
const BATCH: usize = 64;
/// Maximum length of a clock's reason for its goodbye, in bytes.
const MAX_GOODBYE: usize = 256;

/// Serves `agent` until the link ends. `opened` is the instant at which the link was accepted.
pub(super) async fn serve<S: Inbound, Q: Inbound, O: Outbound>(
    agent: AgentId,
    address: &str,
    opened: Instant<Hub>,
    link: Link<S, Q, O>,
    context: Context,
) {
    let Link {
        mut steady,
        quick,
        mut out,
    } = link;
    let name = agent.short();
    let greeted = tokio::select! {
        greeted = greet(&mut steady) => greeted,
        () = context.ending.cancelled() => Err(hub_ends()),
    };
    let hello = match greeted {
        Ok(hello) => hello,
        Err(end) => return finish(&name, address, end, &mut out).await,
    };
    let Ok(session) = context.hub.connect(agent, opened, hello).await else {
        return finish(&name, address, hub_ends(), &mut out).await;
    };
    let id = session.id;
    tracing::debug!(agent = name, address, link = id.0, "a clock has greeted");
    let _route = context.routes.take(agent, id, address);
    let end = exchange(agent, session, steady, quick, &mut out, &context).await;
    let why = match &end {
        End::Lost(why) => why.clone(),
        End::Close(reason, text) => format!("{}: {text}", reason.as_str_name()),
    };
    context.hub.gone(id, why).await;
    finish(&name, address, end, &mut out).await;
}

fn hub_ends() -> End {
    End::Close(
        GoodbyeReason::ShuttingDown,
        "the hub is shutting down; the game goes on at the clock".to_owned(),
    )
}

async fn finish(agent: &str, address: &str, end: End, out: &mut impl Outbound) {
    match end {
        End::Lost(why) => tracing::info!(agent, address, why, "a clock's link is gone"),
        End::Close(reason, text) => {
            tracing::info!(
                agent,
                address,
                reason = reason.as_str_name(),
                text,
                "link closed"
            );
            if reason != GoodbyeReason::ShuttingDown {
                metrics::link_refused(reason.as_str_name());
            }
            out.goodbye(reason, &text).await;
        }
    }
}

/// Reads the first frame, which must be a Hello.
async fn greet(steady: &mut impl Inbound) -> Result<Hello, End> {
    let late = || End::Close(GoodbyeReason::BadFrame, "no Hello came within 5 s".into());
    let Arrived { frame, .. } = timeout(HELLO_WITHIN, steady.next())
        .await
        .map_err(|_| late())??;
    let Some(agent_frame::Frame::Hello(hello)) = frame.frame else {
        let text = "the first frame must be a Hello".to_owned();
        return Err(End::Close(GoodbyeReason::BadFrame, text));
    };
    from_proto::hello(hello).map_err(|error| End::Close(GoodbyeReason::BadFrame, error.to_string()))
}

/// Carries frames both ways; when one of the three directions ends, all end.
async fn exchange(
    agent: AgentId,
    session: LinkSession,
    mut steady: impl Inbound,
    mut quick: impl Inbound,
    out: &mut impl Outbound,
    context: &Context,
) -> End {
    let LinkSession { id, frames } = session;
    let mut events = Reader::new(agent, id, context);
    let mut others = Reader::new(agent, id, context);
    let end = tokio::select! {
        biased;
        end = write(frames, context.desk.exchange_key(), out) => end,
        end = events.read(&mut steady) => Some(end),
        end = others.read(&mut quick) => Some(end),
    };
    end.unwrap_or_else(|| {
        if context.ending.is_cancelled() {
            return hub_ends();
        }
        let text = "this link took too slowly what it was sent: connect again".to_owned();
        End::Close(GoodbyeReason::Unspecified, text)
    })
}

struct Reader {
    agent: AgentId,
    link: LinkId,
    hub: EventLoopHandle,
    time: TimeSource,
    bucket: TokenBucket,
}

impl Reader {
    fn new(agent: AgentId, link: LinkId, context: &Context) -> Self {
        Self {
            agent,
            link,
            hub: context.hub.clone(),
            time: context.time.clone(),
            bucket: TokenBucket::new(context.time.hub_now(), EVENTS_PER_SECOND, EVENTS_BURST),
        }
    }

    async fn read(&mut self, from: &mut impl Inbound) -> End {
        loop {
            let step = match from.next().await {
                Ok(arrived) => self.take(arrived).await,
                Err(end) => Err(end.into()),
            };
            if let Err(end) = step {
                return end;
            }
        }
    }

    async fn take(&mut self, arrived: Arrived) -> Result<(), End> {
        let Arrived { frame, at } = arrived;
        if let Some(agent_frame::Frame::Event(event)) = &frame.frame {
            self.wait_for_turn().await;
            if let Err(error) = proto::chain::verify(event, &self.agent) {
                // An error means that the hub is shutting down.
                let _ = self
                    .hub
                    .frame(self.link, at, AgentFrame::BadSignature)
                    .await;
                return Err(End::Close(GoodbyeReason::BadChain, error.to_string()));
            }
        }
        if let Some(agent_frame::Frame::Goodbye(goodbye)) = &frame.frame {
            let reason = goodbye.reason().as_str_name();
            let text = DisplayText::<MAX_GOODBYE>::cleaned(&goodbye.text);
            return Err(End::Lost(format!("the clock said {reason}: {text}")));
        }
        let frame = from_proto::agent_frame(frame)
            .map_err(|error| End::Close(GoodbyeReason::BadFrame, error.to_string()))?;
        self.hub
            .frame(self.link, at, frame)
            .await
            .map_err(|_| hub_ends())
    }

    /// Delays reading from an agent over its limit: QUIC's flow control then holds it back, and nothing is lost.
    async fn wait_for_turn(&mut self) {
        while let Err(wait) = self.bucket.take(self.time.hub_now()) {
            let wait = u64::try_from(wait.as_micros()).unwrap_or(0);
            sleep(Duration::from_micros(wait)).await;
        }
    }
}

/// Adds the hub's X25519 key to a greeting, so that a clock that enrolled before Bluetooth LE learns it.
fn with_key(mut frame: HubFrame, exchange_key: &[u8; 32]) -> HubFrame {
    if let Some(hub_frame::Frame::Welcome(welcome)) = &mut frame.frame {
        welcome.exchange_key = exchange_key.to_vec();
    }
    frame
}

/// Writes the hall's frames; returns `None` if the hall dropped the link without a goodbye.
async fn write(
    mut frames: mpsc::Receiver<ToLink>,
    exchange_key: [u8; 32],
    out: &mut impl Outbound,
) -> Option<End> {
    let mut queued = Vec::with_capacity(BATCH);
    loop {
        if frames.recv_many(&mut queued, BATCH).await == 0 {
            return None;
        }
        let mut batch = Vec::with_capacity(queued.len());
        let mut end = None;
        for to_link in queued.drain(..) {
            match to_link {
                ToLink::Frame(frame) => batch.push(with_key(frame, &exchange_key)),
                ToLink::Close { reason, text } => {
                    end = Some(End::Close(reason, text));
                    break;
                }
            }
        }
        if let Err(lost) = out.send(batch).await {
            return Some(lost.into());
        }
        if end.is_some() {
            return end;
        }
    }
}
