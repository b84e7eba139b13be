//! A session of one agent over one link: the hello, then frames both ways until either end finishes.

use std::sync::Arc;
use std::time::Duration;

use proto::ids::AgentId;
use proto::wire::{GoodbyeReason, HubFrame, TreeHead, agent_frame, hub_frame};
use rustls_pki_types::CertificateDer;
use timing::text::DisplayText;
use timing::{Hub, Instant};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Context;
use super::checkpoints::{CheckpointFeed, Checkpoints};
use super::limits::{EVENTS_BURST, EVENTS_PER_SECOND, TokenBucket};
use super::link::{End, Inbound, Link, Outbound, ReceivedFrame};
use crate::enrolment::EnrolmentDesk;
use crate::event_loop::{EventLoopHandle, ToLink};
use crate::metrics;
use crate::time_source::TimeSource;
use hall::from_proto;
use hall::{AgentFrame, Hello, LinkId};

const HELLO_WITHIN: Duration = Duration::from_secs(5);
/// Maximum number of the hall's frames passed to the carrier at a time.
const BATCH: usize = 64;
/// Maximum length, in bytes, of the text in a clock's goodbye.
const MAX_GOODBYE: usize = 256;
/// Time that a clock has to read the remaining frames after the hall has closed its link. A stolen clock may read nothing.
const STUCK_WITHIN: Duration = Duration::from_millis(500);
/// Interval at which the hub checks whether the clock of an open link needs a new certificate.
const RENEW_EVERY: Duration = Duration::from_secs(60 * 60);

/// Serves `agent` until the link ends. `opened` is the instant at which the connection attempt, the handshake or a gateway's stream began.
pub(super) async fn serve<S: Inbound, Q: Inbound, O: Outbound>(
    agent: AgentId,
    address: &str,
    opened: Instant<Hub>,
    link: Link<S, Q, O>,
    shown: Option<CertificateDer<'static>>,
    context: Context,
) {
    let (mut steady, mut out) = (link.steady, link.out);
    let name = agent.short();
    let greeted = tokio::select! {
        greeted = receive_hello(&mut steady) => greeted,
        () = context.ending.cancelled() => Err(hub_ends()),
    };
    let greeted = match greeted {
        Ok(greeted) => greeted,
        Err(end) => return finish(&name, address, end, &mut out).await,
    };
    let Ok(session) = context.hub.connect(agent, opened, greeted.hello).await else {
        return finish(&name, address, hub_ends(), &mut out).await;
    };
    let id = session.id;
    tracing::debug!(agent = name, address, link = id.0, "a clock sent its hello");
    let _route = context.routes.register(agent, id, address);
    let renewal = shown.filter(|_| greeted.renews).map(|shown| Renewal {
        desk: context.desk.clone(),
        agent,
        shown,
    });
    let writer = Writer {
        frames: session.frames,
        dropped: session.dropped,
        exchange_key: context.desk.exchange_key(),
        renewal,
        checkpoints: greeted.kept.map(|kept| context.checkpoints.feed(&kept)),
        welcomed: false,
    };
    let readers = [(); 2].map(|()| Reader::new(agent, id, &context));
    let end = exchange(writer, readers, steady, link.quick, &mut out, &context).await;
    let why = match &end {
        End::Lost(why) => why.clone(),
        End::Close(reason, text) => format!("{}: {text}", reason.as_str_name()),
    };
    context.hub.disconnected(id, why).await;
    finish(&name, address, end, &mut out).await;
}

fn hub_ends() -> End {
    End::Close(
        GoodbyeReason::ShuttingDown,
        "the hub is shutting down; the game continues at the clock".to_owned(),
    )
}

async fn finish(agent: &str, address: &str, end: End, out: &mut impl Outbound) {
    match end {
        End::Lost(why) => tracing::info!(agent, address, why, "a clock's link is gone"),
        End::Close(reason, text) => {
            let name = reason.as_str_name();
            tracing::info!(agent, address, reason = name, text, "link closed");
            if reason != GoodbyeReason::ShuttingDown {
                metrics::link_refused(name);
            }
            out.goodbye(reason, &text).await;
        }
    }
}

struct FirstHello {
    hello: Hello,
    /// True if the clock stores the new certificates that the hub sends it.
    renews: bool,
    /// The checkpoint that the clock keeps; `None` if it keeps none.
    kept: Option<TreeHead>,
}

async fn receive_hello(steady: &mut impl Inbound) -> Result<FirstHello, End> {
    let late = || End::Close(GoodbyeReason::BadFrame, "no Hello within 5 s".into());
    let ReceivedFrame { frame, .. } = timeout(HELLO_WITHIN, steady.next())
        .await
        .map_err(|_| late())??;
    let Some(agent_frame::Frame::Hello(mut hello)) = frame.frame else {
        let text = "the first frame must be a Hello".to_owned();
        return Err(End::Close(GoodbyeReason::BadFrame, text));
    };
    let (renews, kept) = (hello.renews, hello.kept.take());
    let hello = from_proto::hello(hello)
        .map_err(|error| End::Close(GoodbyeReason::BadFrame, error.to_string()))?;
    Ok(FirstHello {
        hello,
        renews,
        kept,
    })
}

/// Carries frames both ways. When the writer or one of the two readers ends, the others end too.
async fn exchange(
    mut writer: Writer,
    [mut events, mut others]: [Reader; 2],
    mut steady: impl Inbound,
    mut quick: impl Inbound,
    out: &mut impl Outbound,
    context: &Context,
) -> End {
    let end = tokio::select! {
        biased;
        end = writer.run(out) => end,
        end = events.read(&mut steady) => Some(end),
        end = others.read(&mut quick) => Some(end),
    };
    end.unwrap_or_else(|| {
        if context.ending.is_cancelled() {
            return hub_ends();
        }
        let text = "this link was read too slowly: connect again".to_owned();
        End::Close(GoodbyeReason::Unspecified, text)
    })
}

struct Reader {
    agent: AgentId,
    link: LinkId,
    hub: EventLoopHandle,
    checkpoints: Checkpoints,
    time: TimeSource,
    bucket: TokenBucket,
}

impl Reader {
    fn new(agent: AgentId, link: LinkId, context: &Context) -> Self {
        Self {
            agent,
            link,
            hub: context.hub.clone(),
            checkpoints: context.checkpoints.clone(),
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

    async fn take(&mut self, arrived: ReceivedFrame) -> Result<(), End> {
        let ReceivedFrame { frame, at } = arrived;
        if let Some(agent_frame::Frame::Event(event)) = &frame.frame {
            self.wait_for_turn().await;
            if let Err(error) = proto::chain::verify(event, &self.agent) {
                let bad = AgentFrame::BadSignature;
                // An error means that the hub is shutting down.
                let _ = self.hub.frame(self.link, at, bad).await;
                return Err(End::Close(GoodbyeReason::BadChain, error.to_string()));
            }
        }
        if let Some(agent_frame::Frame::Goodbye(goodbye)) = &frame.frame {
            let reason = goodbye.reason().as_str_name();
            let text = DisplayText::<MAX_GOODBYE>::cleaned(&goodbye.text);
            return Err(End::Lost(format!("the clock said {reason}: {text}")));
        }
        let mut frame = from_proto::agent_frame(frame)
            .map_err(|error| End::Close(GoodbyeReason::BadFrame, error.to_string()))?;
        if let AgentFrame::LogContradiction(told) = &mut frame {
            let (size, root) = told.kept;
            told.signed = self.checkpoints.is_signed(&told.note, size, &root);
        }
        let taken = self.hub.frame(self.link, at, frame).await;
        taken.map_err(|_| hub_ends())
    }

    /// Delays reading from an agent over its limit: flow control then slows the agent down, and nothing is lost.
    async fn wait_for_turn(&mut self) {
        while let Err(wait) = self.bucket.take(self.time.hub_now()) {
            let wait = u64::try_from(wait.as_micros()).unwrap_or(0);
            sleep(Duration::from_micros(wait)).await;
        }
    }
}

struct Renewal {
    desk: Arc<EnrolmentDesk>,
    agent: AgentId,
    /// The certificate of this connection, or the newest one sent on it.
    shown: CertificateDer<'static>,
}

impl Renewal {
    /// Returns the next certificate if it is due. Each certificate is sent once.
    fn due(&mut self) -> Option<HubFrame> {
        let certificate = self.desk.renewal(&self.agent, &self.shown)?;
        self.shown = certificate.certificate_der.clone().into();
        Some(certificate.into())
    }
}

struct Writer {
    frames: mpsc::Receiver<ToLink>,
    /// Cancelled when the hall has closed the link.
    dropped: CancellationToken,
    exchange_key: [u8; 32],
    /// `None` for a clock that has presented no certificate or stores no new ones.
    renewal: Option<Renewal>,
    /// `None` for a clock that keeps no checkpoints.
    checkpoints: Option<CheckpointFeed>,
    /// True once the hall has sent its welcome, which must come first.
    welcomed: bool,
}

impl Writer {
    /// Writes the hall's frames. Returns `None` if the hall dropped the link without a goodbye.
    async fn run(&mut self, out: &mut impl Outbound) -> Option<End> {
        // Stays small, because few frames wait for one link.
        let mut queued = Vec::new();
        let mut renew = tokio::time::interval(RENEW_EVERY);
        renew.reset();
        loop {
            let mut batch = Vec::new();
            tokio::select! {
                biased;
                received = self.frames.recv_many(&mut queued, BATCH) => if received == 0 {
                    return None;
                },
                _ = renew.tick() => batch.extend(self.renewal.as_mut().and_then(Renewal::due)),
                checkpoint = next_of(&mut self.checkpoints), if self.welcomed => {
                    batch.push(checkpoint);
                }
            }
            let mut end = None;
            for to_link in queued.drain(..) {
                match to_link {
                    ToLink::Frame(frame) => self.add(*frame, &mut batch),
                    ToLink::Close { reason, text } => {
                        end = Some(End::Close(reason, text));
                        break;
                    }
                }
            }
            let sent = tokio::select! {
                biased;
                sent = out.send(batch) => sent,
                () = wait_while_stuck(&self.dropped) => return end.or_else(|| self.reason()),
            };
            if let Err(lost) = sent {
                return Some(lost.into());
            }
            if end.is_some() {
                return end;
            }
        }
    }

    /// Adds a frame to `batch`. Immediately after the welcome, also adds the clock's next certificate if one is due.
    fn add(&mut self, mut frame: HubFrame, batch: &mut Vec<HubFrame>) {
        let Some(hub_frame::Frame::Welcome(welcome)) = &mut frame.frame else {
            return batch.push(frame);
        };
        // A clock that enrolled before the hub supported Bluetooth LE still needs the hub's X25519 key.
        welcome.exchange_key = self.exchange_key.to_vec();
        batch.push(frame);
        batch.extend(self.renewal.as_mut().and_then(Renewal::due));
        self.welcomed = true;
    }

    /// Returns the hall's reason for closing the link. Skips earlier frames, which the clock has not read.
    fn reason(&mut self) -> Option<End> {
        while let Ok(to_link) = self.frames.try_recv() {
            if let ToLink::Close { reason, text } = to_link {
                return Some(End::Close(reason, text));
            }
        }
        None
    }
}

async fn next_of(feed: &mut Option<CheckpointFeed>) -> HubFrame {
    match feed {
        Some(feed) => feed.next().await,
        None => std::future::pending().await,
    }
}

/// Waits until the hall has closed the link, and then for [`STUCK_WITHIN`], in which the clock can read the earlier frames.
async fn wait_while_stuck(dropped: &CancellationToken) {
    dropped.cancelled().await;
    sleep(STUCK_WITHIN).await;
}

#[cfg(test)]
mod tests {
    use proto::wire::Show;

    use super::super::link::LinkEnd;
    use super::*;

    /// The carrier of a clock that reads nothing.
    struct Full;

    impl Outbound for Full {
        async fn send(&mut self, _: Vec<HubFrame>) -> Result<(), LinkEnd> {
            std::future::pending().await
        }

        async fn goodbye(&mut self, _: GoodbyeReason, _: &str) {}
    }

    #[tokio::test]
    async fn a_revoked_clock_that_reads_nothing_loses_its_link() {
        let (sender, frames) = mpsc::channel(8);
        let dropped = CancellationToken::new();
        let mut writer = Writer {
            frames,
            dropped: dropped.clone(),
            exchange_key: [0; 32],
            renewal: None,
            checkpoints: None,
            welcomed: false,
        };
        let show = || ToLink::Frame(Box::new(Show::default().into()));
        sender.send(show()).await.unwrap();
        let writing = tokio::spawn(async move { writer.run(&mut Full).await });
        // Wait until the carrier has taken the first frame.
        while sender.capacity() < sender.max_capacity() {
            tokio::task::yield_now().await;
        }
        sender.send(show()).await.unwrap();
        let close = ToLink::Close {
            reason: GoodbyeReason::Revoked,
            text: "stolen".to_owned(),
        };
        sender.send(close).await.unwrap();
        drop(sender);
        dropped.cancel();
        let end = timeout(Duration::from_secs(60), writing).await.unwrap();
        let Some(End::Close(reason, text)) = end.unwrap() else {
            panic!("no close");
        };
        assert_eq!((reason, text.as_str()), (GoodbyeReason::Revoked, "stolen"));
    }
}
