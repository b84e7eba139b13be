//! QUIC as a carrier: accepts connections, determines the purpose of each, and turns streams and datagrams into frames.

use std::sync::Arc;
use std::time::Duration;

use proto::frame::{decode, encode, encode_prefixed};
use proto::ids::AgentId;
use proto::quic::{ALPN_ENROL, ALPN_GATEWAY, ALPN_SESSION};
use proto::wire::{AgentFrame, Goodbye, GoodbyeReason, HubFrame, hub_frame};
use quinn::{Connection, Endpoint, Incoming, SendStream, VarInt};
use rustls_pki_types::CertificateDer;
use timing::{Hub, Instant};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

use super::endpoint::{RETRY_ABOVE, SESSION_WINDOW};
use super::framing::FrameReader;
use super::limits::{HandshakeRate, HeldHandshakes};
use super::link::{Inbound, Link, LinkEnd, Outbound, ReceivedFrame};
use super::places::{Place, Sender};
use super::{Context, enrol, relay, session};
use crate::connections::{Rate, Turns};
use crate::identity::{Peer, peer_of};
use crate::lock::lock;
use crate::time_source::TimeSource;

/// Time limit for a handshake, and for opening the stream after it.
const HANDSHAKE_WITHIN: Duration = Duration::from_secs(5);
const GOODBYE_WITHIN: Duration = Duration::from_millis(500);
/// Time for which QUIC keeps a connection after its end: three probe timeouts (RFC 9000, 10.2). Each takes 150 ms before the first measured round
/// trip.
const HELD_AFTER_END: Duration = Duration::from_millis(450);
/// Rate limit for handshakes with strangers: senders that have not proved an address from which a clock has authenticated in this run. At most three
/// of these handshakes begin within 5 ms, so that a press never waits behind many of them.
const STRANGERS: Rate = Rate {
    count_for: Duration::from_millis(5),
    per_address: 1,
    all: 3,
};
/// Maximum length of a reason, in bytes, so that it fits into a packet and a frame.
const REASON: usize = 256;

pub(super) async fn accept(endpoint: Endpoint, context: Context, tasks: TaskTracker) {
    let mut rates = Rates::default();
    let held = Arc::<HeldHandshakes>::default();
    let turns = Turns::new(STRANGERS);
    loop {
        let incoming = tokio::select! {
            () = context.ending.cancelled() => return,
            incoming = endpoint.accept() => incoming,
        };
        let Some(incoming) = incoming else { return };
        let now = context.time.hub_now();
        let address = incoming.remote_address().ip();
        let is_clock = match rates.admit(now, &incoming, &context) {
            Admitted::Clock => true,
            Admitted::Stranger => false,
            Admitted::AfterRetry => {
                // A sender with a forged address gets no further than this, and the hub keeps no state for it.
                if incoming.retry().is_err() {
                    tracing::debug!(%address, "a connection could not be asked to prove its address");
                }
                continue;
            }
            Admitted::Not => {
                incoming.refuse();
                continue;
            }
        };
        let bounded = !is_clock && Sender::of(address) != Sender::THIS_MACHINE;
        let hold = bounded.then(|| held.hold(address));
        let place = match hold {
            Some(None) => None,
            _ => context.handshakes.take(now, address, is_clock),
        };
        let Some(place) = place else {
            // Safe to ignore, because an honest peer repeats its first packet within a second.
            incoming.ignore();
            continue;
        };
        let (context, turns) = (context.clone(), (!is_clock).then(|| turns.clone()));
        tasks.spawn(async move {
            let turn = async || {
                if let Some(turns) = turns {
                    turns.wait(address).await;
                }
            };
            let shaken = handshake(incoming, turn(), &context, place).await;
            let Some((connection, opened)) = shaken else {
                tokio::select! {
                    () = tokio::time::sleep(HELD_AFTER_END) => {}
                    () = context.ending.cancelled() => {}
                }
                drop(hold);
                return;
            };
            drop(hold);
            serve(connection, opened, context).await;
        });
    }
}

#[derive(Default)]
struct Rates {
    proven: HandshakeRate,
    unproven: HandshakeRate,
}

enum Admitted {
    Clock,
    Stranger,
    /// The sender must prove its address first.
    AfterRetry,
    Not,
}

impl Rates {
    fn admit(&mut self, now: Instant<Hub>, incoming: &Incoming, context: &Context) -> Admitted {
        let address = incoming.remote_address().ip();
        if !incoming.remote_address_validated() {
            let crowded = context.handshakes.len() > RETRY_ABOVE;
            return match crowded || !self.unproven.admit(now, address) {
                true => Admitted::AfterRetry,
                false => Admitted::Stranger,
            };
        }
        if lock(&context.clock_addresses).admit(now, address) {
            Admitted::Clock
        } else if self.proven.admit(now, address) {
            Admitted::Stranger
        } else {
            Admitted::Not
        }
    }
}

/// Completes a handshake after its `turn`, unless its `place` is given to another peer. Returns the connection and the hub's time before the
/// handshake.
async fn handshake(
    incoming: Incoming,
    turn: impl Future<Output = ()>,
    context: &Context,
    place: Place,
) -> Option<(Connection, Instant<Hub>)> {
    let address = incoming.remote_address();
    let opened = context.time.hub_now();
    let shaken = tokio::select! {
        shaken = timeout(HANDSHAKE_WITHIN, async { turn.await; incoming.await }) => shaken,
        () = context.ending.cancelled() => return None,
        () = place.withdrawn() => {
            tracing::info!(%address, "a connection that did not finish its handshake gave way to another");
            return None;
        }
    };
    match shaken {
        Ok(Ok(connection)) => return Some((connection, opened)),
        Ok(Err(error)) => {
            tracing::info!(%address, %error, "a connection was refused or broke off");
        }
        Err(_) => {
            tracing::info!(%address, "a connection did not finish its handshake in time");
        }
    }
    None
}

/// Serves a connection according to its protocol. Each future is boxed: a future is as large as its largest branch, and a hall has a thousand of
/// them.
async fn serve(connection: Connection, opened: Instant<Hub>, context: Context) {
    let protocol = connection
        .handshake_data()
        .and_then(|data| data.downcast::<quinn::crypto::rustls::HandshakeData>().ok())
        .and_then(|data| data.protocol);
    match protocol.as_deref() {
        Some(ALPN_ENROL) => Box::pin(enrol::serve(connection, &context)).await,
        Some(ALPN_SESSION) => Box::pin(serve_session(connection, opened, context)).await,
        Some(ALPN_GATEWAY) => Box::pin(relay::serve(connection, &context)).await,
        // TLS lets no other protocol through.
        Some(_) | None => connection.close(VarInt::from_u32(0), b""),
    }
}

async fn serve_session(connection: Connection, opened: Instant<Hub>, context: Context) {
    let address = connection.remote_address();
    let (agent, shown) = match agent_of(&connection, &context) {
        Ok(agent) => agent,
        Err(why) => {
            tracing::warn!(%address, why, "a clock without a valid certificate was refused");
            let mut out = QuicOut::new(connection, None);
            out.goodbye(GoodbyeReason::NotEnrolled, &why).await;
            return;
        }
    };
    lock(&context.clock_addresses).proved(opened, address.ip());
    connection.set_receive_window(VarInt::from_u32(SESSION_WINDOW));
    let (send, receive) = match timeout(HANDSHAKE_WITHIN, connection.accept_bi()).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => {
            tracing::info!(%address, agent = agent.short(), %error, "a link broke off before it began");
            return;
        }
        Err(_) => {
            let mut out = QuicOut::new(connection, None);
            let text = "no Hello within 5 s";
            tracing::info!(%address, agent = agent.short(), text, "link closed");
            out.goodbye(GoodbyeReason::BadFrame, text).await;
            return;
        }
    };
    let link = Link {
        steady: QuicStream {
            reader: FrameReader::new(receive, "the clock ended the link"),
            time: context.time.clone(),
        },
        quick: QuicDatagrams {
            connection: connection.clone(),
            time: context.time.clone(),
        },
        out: QuicOut::new(connection, Some(send)),
    };
    let address = address.to_string();
    let session = session::serve(agent, &address, opened, link, Some(shown), context);
    Box::pin(session).await;
}

/// Returns the agent at the other end, with its certificate. TLS has already verified the certificate, except for its expiry.
fn agent_of(
    connection: &Connection,
    context: &Context,
) -> Result<(AgentId, CertificateDer<'static>), String> {
    let Some(certificate) = certificate_of(connection) else {
        return Err(
            "this clock is not enrolled here: it has no certificate; enrol it with a code of `flagfall enrol`"
                .to_owned(),
        );
    };
    match peer_of(&certificate) {
        Ok(Peer::Agent(agent)) => match context.desk.ended(&certificate) {
            Some(why) => Err(why),
            None => Ok((agent, certificate)),
        },
        Ok(Peer::Gateway(gateway)) => Err(format!(
            "the certificate is that of a gateway ({gateway}), not of a clock"
        )),
        Ok(Peer::Arbiter(arbiter)) => Err(format!(
            "the certificate is that of an arbiter ({arbiter}), not of a clock"
        )),
        Err(error) => Err(error.to_string()),
    }
}

pub(super) fn certificate_of(connection: &Connection) -> Option<CertificateDer<'static>> {
    let chain = connection.peer_identity()?;
    let chain = chain.downcast::<Vec<CertificateDer<'static>>>().ok()?;
    chain.first().cloned()
}

struct QuicStream {
    reader: FrameReader,
    time: TimeSource,
}

impl Inbound for QuicStream {
    async fn next(&mut self) -> Result<ReceivedFrame, LinkEnd> {
        let frame = self.reader.next().await?;
        let at = self.time.hub_now();
        Ok(ReceivedFrame { frame, at })
    }
}

struct QuicDatagrams {
    connection: Connection,
    time: TimeSource,
}

impl Inbound for QuicDatagrams {
    async fn next(&mut self) -> Result<ReceivedFrame, LinkEnd> {
        let read = self.connection.read_datagram().await;
        let bytes = read.map_err(|error| LinkEnd::Lost(error.to_string()))?;
        let at = self.time.hub_now();
        let frame = decode::<AgentFrame>(&bytes)?;
        Ok(ReceivedFrame { frame, at })
    }
}

struct QuicOut {
    connection: Connection,
    /// `None` if no stream was accepted; the connection can then only be closed.
    stream: Option<SendStream>,
    /// True while a frame is only partly written. The agent could not read any later frame on the stream.
    torn: bool,
}

impl QuicOut {
    fn new(connection: Connection, stream: Option<SendStream>) -> Self {
        Self {
            connection,
            stream,
            torn: false,
        }
    }

    /// Sends a probe as a datagram. Returns false if datagrams are unavailable; the probe is then sent on the stream.
    fn probe(&self, frame: &HubFrame) -> bool {
        self.connection.max_datagram_size().is_some()
            && encode(frame).is_ok_and(|bytes| self.connection.send_datagram(bytes.into()).is_ok())
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), LinkEnd> {
        let Some(stream) = &mut self.stream else {
            return Err(LinkEnd::Lost("the clock has opened no stream".to_owned()));
        };
        self.torn = true;
        let written = stream.write_all(bytes).await;
        self.torn = false;
        written.map_err(|error| LinkEnd::Lost(error.to_string()))
    }
}

impl Outbound for QuicOut {
    async fn send(&mut self, frames: Vec<HubFrame>) -> Result<(), LinkEnd> {
        let mut bytes = Vec::new();
        for frame in frames {
            let probe = matches!(frame.frame, Some(hub_frame::Frame::TimeProbe(_)));
            if probe && self.probe(&frame) {
                continue;
            }
            bytes.extend(encode_prefixed(&frame)?);
        }
        if bytes.is_empty() {
            return Ok(());
        }
        self.write(&bytes).await
    }

    async fn goodbye(&mut self, reason: GoodbyeReason, text: &str) {
        let text = cut(text);
        let frame: HubFrame = Goodbye {
            reason: reason.into(),
            text: text.to_owned(),
        }
        .into();
        let said = async {
            if !self.torn
                && let Ok(bytes) = encode_prefixed(&frame)
                && self.write(&bytes).await.is_ok()
                && let Some(stream) = &mut self.stream
                && stream.finish().is_ok()
            {
                // Wait until the agent has everything: an immediate close could overtake the frame.
                let _ = stream.stopped().await;
            }
        };
        let _ = timeout(GOODBYE_WITHIN, said).await;
        let code = VarInt::from_u32(reason as u32);
        self.connection.close(code, text.as_bytes());
    }
}

/// Returns the longest beginning of `text` that has at most [`REASON`] bytes.
pub(super) fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(REASON)]
}
