//! Connections from gateways, machines whose radios serve clocks for this hub. Owns the hub's end of these connections and their limits.
//!
//! Each clock behind a gateway is a link like one of the hub's own radios. The clock and the hub authenticate each other and seal every frame, so
//! a gateway can only delay or lose a link. A gateway's statements affect only its own links, the log and the inventory.

mod clock;

use std::time::Duration;

use proto::ble::Advertisement;
use proto::frame::encode_prefixed;
use proto::relay::MAX_HEARD;
use proto::wire::{
    ConnectTargets, GatewayFrame, GatewayHello, GatewayWelcome, GoodbyeReason, HeardClock,
    RadioScan, RelayFrame, gateway_frame, relay_frame,
};
use quinn::{Connection, SendStream, VarInt};
use tokio::time::{sleep, timeout};
use tokio_util::task::TaskTracker;

use super::Context;
use super::ble::{self, DetectedClock};
use super::framing::FrameReader;
use super::limits::TokenBucket;
use super::link::End;
use super::quic::{certificate_of, cut};
use crate::gateways::{Admission, GatewayError};
use crate::identity::{Peer, peer_of};

/// Maximum number of clocks that one gateway may carry.
pub const CLOCKS: u32 = 64;
/// Maximum number of unread bytes of one clock's stream; the endpoint's configuration has the same limit.
const STREAM_WINDOW: u32 = 64 * 1024;
const HELLO_WITHIN: Duration = Duration::from_secs(5);
const STREAMS_PER_SECOND: i64 = 20;
const LOOKS_PER_SECOND: i64 = 20;
/// Maximum burst of new streams, and of reported radio scans.
const BURST: i64 = 80;
/// Time limit for the goodbyes to a gateway's clocks when the hub stops.
const GOODBYES_WITHIN: Duration = Duration::from_secs(2);
const CHUNK: usize = 4096;
/// Length, in characters, to which a gateway's texts are shortened.
const MAX_SHOWN: usize = 40;

pub(super) async fn serve(connection: Connection, context: &Context) {
    let address = connection.remote_address();
    let admitted = match admit(&connection, context) {
        Ok(admitted) => admitted,
        Err((reason, why)) => {
            tracing::warn!(%address, why, "a gateway was refused");
            return close(&connection, reason, &why);
        }
    };
    let name = admitted.name();
    tracing::info!(gateway = name, %address, "a gateway is connected");
    connection.set_max_concurrent_bi_streams(VarInt::from_u32(CLOCKS + 1));
    connection.set_receive_window(VarInt::from_u32(STREAM_WINDOW * (CLOCKS + 1)));
    let clocks = TaskTracker::new();
    let talking = converse(&connection, &admitted, &clocks, context);
    tokio::pin!(talking);
    let end = tokio::select! {
        end = &mut talking => end,
        () = admitted.until_ended() => {
            let why = "this gateway was revoked, or has connected again".to_owned();
            End::Close(GoodbyeReason::Revoked, why)
        }
        () = context.ending.cancelled() => {
            // The event loop has told every clock to continue without the hub. Let these goodbyes go out before the connection closes.
            clocks.close();
            let parting = async {
                tokio::select! {
                    () = clocks.wait() => {}
                    _ = &mut talking => {}
                }
            };
            let _ = timeout(GOODBYES_WITHIN, parting).await;
            End::Close(GoodbyeReason::ShuttingDown, "the hub is shutting down".to_owned())
        }
    };
    context.nearby_clocks.forget(&radio_of(name, ""));
    match end {
        End::Lost(why) => {
            tracing::warn!(gateway = name, %address, why, clocks = clocks.len(), "a gateway is gone, and the links of its clocks with it");
            // Close the connection: the gateway may have ended only its first stream.
            close(&connection, GoodbyeReason::Unspecified, &why);
        }
        End::Close(reason, why) => {
            tracing::warn!(gateway = name, %address, why, clocks = clocks.len(), "a gateway's connection is closed");
            close(&connection, reason, &why);
        }
    }
    // The clocks' streams ended with the connection.
    clocks.close();
    clocks.wait().await;
}

fn admit(connection: &Connection, context: &Context) -> Result<Admission, (GoodbyeReason, String)> {
    let stranger = |why: String| (GoodbyeReason::NotEnrolled, why);
    let certificate = certificate_of(connection).ok_or_else(|| {
        stranger("this gateway is not enrolled here: it has no certificate; enrol it with a code of `flagfall enrol --gateway NAME`".to_owned())
    })?;
    let gateway = match peer_of(&certificate) {
        Ok(Peer::Gateway(gateway)) => gateway,
        Ok(Peer::Agent(_) | Peer::Arbiter(_)) => {
            let why = "the certificate is not that of a gateway".to_owned();
            return Err(stranger(why));
        }
        Err(error) => return Err(stranger(error.to_string())),
    };
    context.desk.gateways().admit(gateway).map_err(|error| {
        let reason = if matches!(error, GatewayError::Revoked { .. }) {
            GoodbyeReason::Revoked
        } else {
            GoodbyeReason::NotEnrolled
        };
        (reason, error.to_string())
    })
}

fn close(connection: &Connection, reason: GoodbyeReason, why: &str) {
    connection.close(VarInt::from_u32(reason as u32), cut(why).as_bytes());
}

async fn converse(
    connection: &Connection,
    gateway: &Admission,
    clocks: &TaskTracker,
    context: &Context,
) -> End {
    let control = match timeout(HELLO_WITHIN, greet(connection, gateway.name())).await {
        Ok(Ok(control)) => control,
        Ok(Err(end)) => return end,
        Err(_) => {
            let why = "no GatewayHello within 5 s".to_owned();
            return End::Close(GoodbyeReason::BadFrame, why);
        }
    };
    tokio::select! {
        end = control.answer(gateway.name(), context) => end,
        end = take_clocks(connection, gateway.name(), clocks, context) => end,
    }
}

struct Control {
    send: SendStream,
    reader: FrameReader,
}

async fn greet(connection: &Connection, name: &str) -> Result<Control, End> {
    let (send, receive) = connection.accept_bi().await.map_err(lost)?;
    let mut control = Control {
        send,
        reader: FrameReader::new(receive, "it ended the connection"),
    };
    let gateway_frame::Frame::Hello(hello) = control.next().await? else {
        return Err(bad("the first frame must be a GatewayHello"));
    };
    let GatewayHello { major, program, .. } = hello;
    if major != proto::MAJOR {
        let why = format!(
            "this hub speaks version {} of the protocol, the gateway version {major}: update the older of the two",
            proto::MAJOR
        );
        return Err(End::Close(GoodbyeReason::Version, why));
    }
    let program = shortened(&program);
    tracing::debug!(gateway = name, program, "a gateway sent its hello");
    let welcome = GatewayWelcome {
        major: proto::MAJOR,
        minor: proto::MINOR,
        name: name.to_owned(),
        clocks: CLOCKS,
    };
    control.say(relay_frame::Frame::Welcome(welcome)).await?;
    Ok(control)
}

impl Control {
    async fn next(&mut self) -> Result<gateway_frame::Frame, End> {
        let frame: GatewayFrame = self.reader.next().await?;
        frame.frame.ok_or_else(|| bad("an empty frame"))
    }

    async fn say(&mut self, frame: relay_frame::Frame) -> Result<(), End> {
        let frame = RelayFrame { frame: Some(frame) };
        let bytes = encode_prefixed(&frame).map_err(lost)?;
        self.send.write_all(&bytes).await.map_err(lost)
    }

    async fn answer(mut self, name: &str, context: &Context) -> End {
        let mut bucket = TokenBucket::new(context.time.hub_now(), LOOKS_PER_SECOND, BURST);
        loop {
            let answered = async {
                let gateway_frame::Frame::RadioScan(look) = self.next().await? else {
                    return Err(bad("a second GatewayHello"));
                };
                turn(&mut bucket, context).await;
                let wanted = wanted(look, name, context).await?;
                self.say(relay_frame::Frame::ConnectTargets(wanted)).await
            };
            if let Err(end) = answered.await {
                return end;
            }
        }
    }
}

async fn wanted(look: RadioScan, name: &str, context: &Context) -> Result<ConnectTargets, End> {
    if look.clocks.len() > MAX_HEARD {
        return Err(bad("a scan with too many clocks"));
    }
    let heard = look.clocks.iter().map(heard).collect::<Result<Vec<_>, _>>();
    let heard = heard.map_err(bad)?;
    context
        .nearby_clocks
        .update(&radio_of(name, &look.adapter), &heard);
    let wanted = ble::wanted(context, &heard).await.map_err(lost)?;
    Ok(ConnectTargets {
        tags: wanted.tags.into_iter().flatten().collect(),
        pairing: wanted.pairing.unwrap_or(0),
    })
}

fn heard(clock: &HeardClock) -> Result<DetectedClock, &'static str> {
    let tag = clock.tag.as_slice().try_into();
    let battery = clock.battery_percent.map(|percent| percent.min(100));
    Ok(DetectedClock {
        // A gateway reports no Bluetooth address, so the tag identifies the clock instead.
        address: proto::ids::hex(&clock.tag),
        advertisement: Advertisement {
            enrolled: clock.enrolled,
            // At most 100, so the cast is lossless.
            battery: battery.map(|percent| percent as u8),
            tag: tag.map_err(|_| "a tag has four bytes")?,
        },
        rssi: clock.rssi.and_then(|rssi| rssi.try_into().ok()),
    })
}

async fn take_clocks(
    connection: &Connection,
    name: &str,
    clocks: &TaskTracker,
    context: &Context,
) -> End {
    let mut bucket = TokenBucket::new(context.time.hub_now(), STREAMS_PER_SECOND, BURST);
    loop {
        let (send, receive) = match connection.accept_bi().await {
            Ok(stream) => stream,
            Err(error) => return lost(error),
        };
        turn(&mut bucket, context).await;
        let gateway = name.to_owned();
        clocks.spawn(clock::serve(gateway, send, receive, context.clone()));
    }
}

async fn turn(bucket: &mut TokenBucket, context: &Context) {
    while let Err(wait) = bucket.take(context.time.hub_now()) {
        sleep(Duration::from_micros(wait.as_micros().unsigned_abs())).await;
    }
}

/// Returns the name under which the inventory lists a gateway's radio.
fn radio_of(gateway: &str, adapter: &str) -> String {
    format!("gateway {gateway}, {}", shortened(adapter))
}

fn shortened(text: &str) -> String {
    let printable = |c: &char| c.is_ascii_graphic() || *c == ' ';
    text.chars().filter(printable).take(MAX_SHOWN).collect()
}

fn lost(error: impl std::fmt::Display) -> End {
    End::Lost(error.to_string())
}

fn bad(what: &str) -> End {
    End::Close(GoodbyeReason::BadFrame, what.to_owned())
}
