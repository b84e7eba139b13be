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
use super::{Badge, DialError, dial, message_of, stream};
use crate::links::framing::FrameReader;
use crate::links::{Carrier, ConnectTarget, DetectedClock, RadioHost, WantedClocks};
use crate::lock::lock;

const FIRST_WAIT: Duration = Duration::from_millis(250);
/// Maximum delay before the next attempt, unless the hub refuses this gateway.
const MAX_WAIT: Duration = Duration::from_secs(5);
/// Delay before the next attempt when retrying is useless until a person acts.
const REFUSED_WAIT: Duration = Duration::from_secs(30);
/// A connection that lasts longer than this after the hub's welcome resets the back-off.
const STEADY: Duration = Duration::from_secs(5);
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// Time for which a radio waits for the hub's choice of clocks. It is short because the radio's connections need attention.
const SCAN_ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// Maximum number of scans that wait to be sent to the hub.
const MAX_SCANS: usize = 8;

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
        let wanted = timeout(SCAN_ANSWER_WITHIN, coming).await.ok()?.ok()?;
        Some(WantedClocks {
            tags: wanted.tags.as_chunks::<4>().0.iter().copied().collect(),
            pairing: Some(wanted.pairing).filter(|number| *number != 0),
        })
    }

    fn scan_of(&self, adapter: &str, heard: &[DetectedClock]) -> RadioScan {
        let mut turns = lock(&self.turns);
        let clocks = turns.take(adapter, heard, MAX_HEARD).into_iter();
        let clocks = clocks.map(|clock| HeardClock {
            tag: clock.advertisement.tag.to_vec(),
            enrolled: clock.advertisement.enrolled,
            battery_percent: clock.advertisement.battery.map(u32::from),
            rssi: clock.rssi.map(i32::from),
        });
        RadioScan {
            adapter: stream::short(adapter),
            clocks: clocks.collect(),
        }
    }
}

impl RadioHost for Uplink {
    /// Returns the clocks that the hub wants. Returns none if the hub does not answer: a clock connected only to a gateway could not use other
    /// routes.
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
        let opened = timeout(ANSWER_WITHIN, hub.connection.open_bi()).await;
        let opened = opened.map_err(|_| "the hub accepts no more clocks from this gateway")?;
        let (send, receive) = opened.map_err(|error| error.to_string())?;
        stream::carry(carrier, send, receive, target).await
    }
}

struct Keeper {
    badge: Badge,
    up: watch::Sender<Option<HubConnection>>,
}

#[derive(Debug, PartialEq, Eq)]
struct AttemptEnd {
    why: String,
    /// True if retrying is useless until a person acts.
    refused: bool,
    /// Time from the hub's welcome to the end of the connection; zero without a welcome.
    connected: Duration,
}

#[derive(Default)]
struct BackOff {
    delay: Duration,
    reported: String,
}

impl BackOff {
    /// Sets the delay before the next attempt. Returns true if the end should be reported: it follows a steady connection, or differs from the
    /// previous one.
    fn note(&mut self, end: &AttemptEnd) -> bool {
        let is_steady = end.connected > STEADY;
        self.delay = match (end.refused, is_steady) {
            (true, _) => REFUSED_WAIT,
            (false, true) => FIRST_WAIT,
            (false, false) => (self.delay * 2).clamp(FIRST_WAIT, MAX_WAIT),
        };
        let is_new = is_steady || end.why != self.reported;
        self.reported.clone_from(&end.why);
        is_new
    }
}

impl Keeper {
    async fn keep(self) {
        let mut back_off = BackOff::default();
        loop {
            sleep(back_off.delay).await;
            let end = self.attempt().await;
            if back_off.note(&end) {
                tracing::warn!(why = end.why, "no connection to the hub; retrying");
            }
        }
    }

    async fn attempt(&self) -> AttemptEnd {
        let hub = &self.badge.hub;
        let (why, refused) = match dial(&self.badge, hub, ALPN_GATEWAY).await {
            Ok(connection) => return self.stay(&connection).await,
            Err(DialError::Away(why)) => (why, false),
            Err(DialError::Refused(why)) => (why, true),
        };
        AttemptEnd {
            why,
            refused,
            connected: Duration::ZERO,
        }
    }

    async fn stay(&self, connection: &Connection) -> AttemptEnd {
        let greeted = timeout(ANSWER_WITHIN, greet(connection)).await;
        let (why, connected) = match greeted.unwrap_or_else(|_| Err("no answer".to_owned())) {
            Ok(control) => {
                let welcomed = Moment::now();
                let why = self.talk(connection, control).await;
                self.up.send_replace(None);
                (why, welcomed.elapsed())
            }
            Err(why) => (reason(connection, why), Duration::ZERO),
        };
        AttemptEnd {
            why: format!("the hub at {}: {why}", self.badge.hub),
            refused: is_refused(connection),
            connected,
        }
    }

    /// Asks the hub after each radio scan which clocks it wants, until the connection ends. Returns the reason for the end.
    async fn talk(&self, connection: &Connection, mut control: Control) -> String {
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
            let wanted = timeout(ANSWER_WITHIN, control.ask(scan)).await;
            match wanted.unwrap_or_else(|_| Err("no answer".to_owned())) {
                // Ignore a failure: the radio may have stopped waiting.
                Ok(wanted) => drop(answer.send(wanted)),
                Err(why) => return reason(connection, why),
            }
        }
    }
}

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
    let (send, receive) = connection.open_bi().await.map_err(message_of)?;
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
        let bytes = encode_prefixed(&frame).map_err(message_of)?;
        self.send.write_all(&bytes).await.map_err(message_of)
    }

    async fn next(&mut self) -> Result<relay_frame::Frame, String> {
        let frame: RelayFrame = self.reader.next().await.map_err(message_of)?;
        frame.frame.ok_or_else(|| "an empty frame".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::new_key;
    use crate::identity::{Authority, GatewayId};

    fn end(why: &str, connected: Duration) -> AttemptEnd {
        AttemptEnd {
            why: why.to_owned(),
            refused: false,
            connected,
        }
    }

    #[test]
    fn the_delay_doubles_until_a_connection_was_steady() {
        let mut back_off = BackOff::default();
        let steady = STEADY + Duration::from_millis(1);
        for (end, delay_ms, reported) in [
            (end("no answer", Duration::ZERO), 250, true),
            (end("no answer", Duration::ZERO), 500, false),
            (end("no answer", STEADY), 1000, false),
            (end("no answer", steady), 250, true),
            (end("no answer", Duration::ZERO), 500, false),
            (end("no address", Duration::ZERO), 1000, true),
            (end("no address", Duration::ZERO), 2000, false),
            (end("no address", Duration::ZERO), 4000, false),
            (end("no address", Duration::ZERO), 5000, false),
            (end("no address", Duration::ZERO), 5000, false),
        ] {
            assert_eq!(back_off.note(&end), reported, "{end:?}");
            assert_eq!(back_off.delay, Duration::from_millis(delay_ms), "{end:?}");
        }
        let refused = AttemptEnd {
            refused: true,
            ..end("revoked", Duration::ZERO)
        };
        assert!(back_off.note(&refused));
        assert_eq!(back_off.delay, REFUSED_WAIT);
    }

    #[tokio::test]
    async fn a_silent_hub_is_not_a_steady_connection() {
        let hub = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let key = new_key().unwrap();
        let authority = Authority::generate().unwrap();
        let issued = authority.issue_gateway(&GatewayId(key.verifying_key().to_bytes()));
        let badge = Badge {
            key,
            certificate: issued.unwrap().certificate.to_vec(),
            authority: authority.certificate().to_vec(),
            name: "far corner".to_owned(),
            hub: hub.local_addr().unwrap().to_string(),
            used_code: None,
        };
        let (up, _) = watch::channel(None);
        let ended = Keeper { badge, up }.attempt().await;
        assert_eq!((ended.refused, ended.connected), (false, Duration::ZERO));
        assert!(ended.why.ends_with("no answer"), "{}", ended.why);
    }
}
