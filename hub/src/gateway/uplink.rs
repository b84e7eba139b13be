//! The connection to the hub: opened, monitored, and reopened with back-off. Owns the control stream; each clock's stream is separate.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use proto::frame::encode_prefixed;
use proto::quic::ALPN_GATEWAY;
use proto::relay::MAX_HEARD;
use proto::wire::{
    ConnectTargets, GatewayFrame, GatewayHello, GoodbyeReason, HeardClock, RadioScan, RelayFrame,
    gateway_frame, relay_frame,
};
use quinn::{Connection, ConnectionError, SendStream, VarInt};
use timing::{Hub, Instant};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant as Moment, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::turns::Turns;
use super::{Badge, DialError, dial, stream, words};
use crate::links::framing::FrameReader;
use crate::links::{Carrier, ConnectTarget, DetectedClock, RadioHost, WantedClocks};
use crate::lock::lock;

/// Delay before the first retry.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// Maximum wait between attempts, and therefore the longest time that a restarted hub waits for this gateway.
const MAX_WAIT: Duration = Duration::from_secs(5);
/// Delay before the next attempt when retrying is useless until a person acts.
const REFUSED_WAIT: Duration = Duration::from_secs(30);
/// Minimum duration of a connection that resets the back-off.
const STEADY: Duration = Duration::from_secs(5);
/// Time limit for each response from the hub.
const ANSWER: Duration = Duration::from_secs(5);
/// Time for which a radio waits for the hub's choice of clocks. It is short because the radio's connections need attention.
const SCAN_ANSWER: Duration = Duration::from_secs(1);
/// Maximum number of scans that may wait for the hub's response.
const MAX_SCANS: usize = 8;

/// The connection to the hub, shared by all its users.
#[derive(Clone)]
pub struct Uplink {
    hub: watch::Receiver<Option<HubConnection>>,
    turns: Arc<Mutex<Turns>>,
}

impl std::fmt::Debug for Uplink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Uplink(up: {})", self.is_up())
    }
}

/// A connection that the hub has accepted.
#[derive(Clone)]
struct HubConnection {
    connection: Connection,
    scans: mpsc::Sender<Question>,
}

struct Question {
    scan: RadioScan,
    answer: oneshot::Sender<ConnectTargets>,
}

impl Uplink {
    /// Keeps a connection to the hub until `ending` is cancelled.
    pub(super) fn start(badge: Badge, ending: CancellationToken, tasks: &TaskTracker) -> Self {
        let (up, hub) = watch::channel(None);
        let kept = hub.clone();
        tasks.spawn(async move {
            tokio::select! {
                () = Keeper { badge, up }.keep() => {}
                () = ending.cancelled() => {
                    let hub: Option<HubConnection> = kept.borrow().clone();
                    if let Some(hub) = hub {
                        hub.connection.close(VarInt::from_u32(0), b"the gateway's program ends");
                    }
                }
            }
        });
        Self {
            hub,
            turns: Arc::default(),
        }
    }

    pub(crate) fn is_up(&self) -> bool {
        self.hub.borrow().is_some()
    }

    /// Waits until the gateway is connected to the hub, or, if `up` is false, until it is disconnected.
    pub async fn until(&self, up: bool) {
        let mut hub = self.hub.clone();
        // An error means that the gateway has stopped: the sender lives as long as the gateway.
        let _ = hub.wait_for(|hub| hub.is_some() == up).await;
    }

    fn hub(&self) -> Option<HubConnection> {
        self.hub.borrow().clone()
    }

    async fn ask(&self, adapter: &str, heard: &[DetectedClock]) -> Option<WantedClocks> {
        let hub = self.hub()?;
        let (answer, coming) = oneshot::channel();
        let scan = self.scan_of(adapter, heard);
        hub.scans.send(Question { scan, answer }).await.ok()?;
        let wanted = timeout(SCAN_ANSWER, coming).await.ok()?.ok()?;
        Some(WantedClocks {
            tags: wanted.tags.as_chunks::<4>().0.iter().copied().collect(),
            pairing: Some(wanted.pairing).filter(|number| *number != 0),
        })
    }

    fn scan_of(&self, adapter: &str, heard: &[DetectedClock]) -> RadioScan {
        let mut turns = lock(&self.turns);
        let clocks = turns.take(adapter, heard, MAX_HEARD).into_iter();
        let clocks = clocks.map(|clock| HeardClock {
            tag: clock.said.tag.to_vec(),
            enrolled: clock.said.enrolled,
            battery_percent: clock.said.battery.map(u32::from),
            rssi: clock.rssi.map(i32::from),
        });
        RadioScan {
            adapter: stream::short(adapter),
            clocks: clocks.collect(),
        }
    }
}

impl RadioHost for Uplink {
    /// Returns the clocks that the hub wants. Without a connection to the hub, returns none: a clock connected only to a gateway could not
    /// use other routes.
    async fn wanted(&self, adapter: &str, heard: &[DetectedClock]) -> Result<WantedClocks, String> {
        Ok(self.ask(adapter, heard).await.unwrap_or_default())
    }

    async fn serve(
        &self,
        carrier: Carrier,
        _opened: Instant<Hub>,
        target: &ConnectTarget,
    ) -> Result<(), String> {
        let hub = self.hub().ok_or("no connection to the hub")?;
        let opened = timeout(ANSWER, hub.connection.open_bi()).await;
        let opened = opened.map_err(|_| "the hub accepts no more clocks from this gateway")?;
        let (send, receive) = opened.map_err(|error| error.to_string())?;
        stream::carry(carrier, send, receive, target).await
    }
}

struct Keeper {
    badge: Badge,
    up: watch::Sender<Option<HubConnection>>,
}

impl Keeper {
    async fn keep(self) {
        let (mut delay, mut said) = (Duration::ZERO, String::new());
        loop {
            sleep(delay).await;
            let began = Moment::now();
            let hub = &self.badge.hub;
            let why = match dial(&self.badge, hub, ALPN_GATEWAY).await {
                Ok(connection) => {
                    let ended = self.talk(connection.clone()).await;
                    self.up.send_replace(None);
                    let why = format!("the hub at {hub}: {ended}");
                    match is_refused(&connection) {
                        true => Err(why),
                        false => Ok(why),
                    }
                }
                Err(DialError::Away(why)) => Ok(why),
                Err(DialError::Refused(why)) => Err(why),
            };
            let steady = began.elapsed() > STEADY;
            delay = match &why {
                Ok(_) if steady => FIRST_WAIT,
                Ok(_) => (delay * 2).clamp(FIRST_WAIT, MAX_WAIT),
                Err(_) => REFUSED_WAIT,
            };
            let (Ok(why) | Err(why)) = why;
            if why != said || steady {
                tracing::warn!(why, "no connection to the hub; retrying");
                said = why;
            }
        }
    }

    /// Sends the hello. After each radio scan, asks the hub which clocks it wants, until the connection ends. Returns the reason for the end.
    async fn talk(&self, connection: Connection) -> String {
        let greeted = timeout(ANSWER, greet(&connection)).await;
        let mut control = match greeted.unwrap_or_else(|_| Err("no answer".to_owned())) {
            Ok(control) => control,
            Err(why) => return reason(&connection, why),
        };
        let (scans, mut scans_due) = mpsc::channel(MAX_SCANS);
        tracing::info!(
            name = control.name,
            clocks = control.clocks,
            "the hub has welcomed this gateway"
        );
        let hub = HubConnection {
            connection: connection.clone(),
            scans,
        };
        self.up.send_replace(Some(hub));
        loop {
            let question = tokio::select! {
                question = scans_due.recv() => question,
                error = connection.closed() => return error.to_string(),
            };
            // Cannot be `None`: `self.up` holds a sender until this function has returned.
            let Some(Question { scan, answer }) = question else {
                return "this gateway is stopping".to_owned();
            };
            let wanted = timeout(ANSWER, control.ask(scan)).await;
            match wanted.unwrap_or_else(|_| Err("no answer".to_owned())) {
                // Ignore a failure: the radio may have stopped waiting.
                Ok(wanted) => drop(answer.send(wanted)),
                Err(why) => return reason(&connection, why),
            }
        }
    }
}

/// Returns true if the hub has refused this gateway, so that a person must act.
fn is_refused(connection: &Connection) -> bool {
    let Some(ConnectionError::ApplicationClosed(close)) = connection.close_reason() else {
        return false;
    };
    [GoodbyeReason::NotEnrolled, GoodbyeReason::Revoked]
        .iter()
        .any(|reason| close.error_code == VarInt::from_u32(*reason as u32))
}

/// Returns the reason for the end of a connection. If the connection is still open, closes it and returns `otherwise`.
fn reason(connection: &Connection, otherwise: String) -> String {
    match connection.close_reason() {
        Some(error) => error.to_string(),
        None => {
            connection.close(VarInt::from_u32(0), otherwise.as_bytes());
            otherwise
        }
    }
}

struct Control {
    send: SendStream,
    reader: FrameReader,
    name: String,
    clocks: u32,
}

async fn greet(connection: &Connection) -> Result<Control, String> {
    let (send, receive) = connection.open_bi().await.map_err(words)?;
    let mut control = Control {
        send,
        reader: FrameReader::new(receive, "the hub ended the connection"),
        name: String::new(),
        clocks: 0,
    };
    let hello = GatewayHello {
        major: proto::MAJOR,
        minor: proto::MINOR,
        program: concat!("flagfall gateway ", env!("CARGO_PKG_VERSION")).to_owned(),
    };
    control.say(gateway_frame::Frame::Hello(hello)).await?;
    let relay_frame::Frame::Welcome(welcome) = control.next().await? else {
        return Err("the hub sent no welcome".to_owned());
    };
    if welcome.major != proto::MAJOR {
        return Err(format!(
            "the hub speaks version {} of the protocol, this gateway version {}: update the older of the two",
            welcome.major,
            proto::MAJOR
        ));
    }
    control.name = welcome.name;
    control.clocks = welcome.clocks;
    Ok(control)
}

impl Control {
    async fn ask(&mut self, scan: RadioScan) -> Result<ConnectTargets, String> {
        self.say(gateway_frame::Frame::RadioScan(scan)).await?;
        match self.next().await? {
            relay_frame::Frame::ConnectTargets(wanted) => Ok(wanted),
            relay_frame::Frame::Welcome(_) => Err("the hub sent a second welcome".to_owned()),
        }
    }

    async fn say(&mut self, frame: gateway_frame::Frame) -> Result<(), String> {
        let frame = GatewayFrame { frame: Some(frame) };
        let bytes = encode_prefixed(&frame).map_err(words)?;
        self.send.write_all(&bytes).await.map_err(words)
    }

    async fn next(&mut self) -> Result<relay_frame::Frame, String> {
        let frame: RelayFrame = self.reader.next().await.map_err(words)?;
        frame.frame.ok_or_else(|| "an empty frame".to_owned())
    }
}
