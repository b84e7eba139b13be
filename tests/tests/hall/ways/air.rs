//! Simulates the radio traffic around a gateway: clocks that advertise, a radio that finds them, the values in transit, and meddlers. Like a GATT
//! connection, it keeps values in order. Uses neither a radio nor BlueZ.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clock_agent::links::ble::peripheral::{AdvertisedClock, RadioError};
use clock_agent::links::ble::{Radio, Values};
use hub::links::{Carrier, ConnectTarget, DetectedClock, RadioHost};
use proto::ble::Advertisement;
use proto::ids::AgentId;
use timing::{Hub, Instant};
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

const LOOK: Duration = Duration::from_millis(50);
/// Capacity of each queue, in values: two windows.
const QUEUE: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Going {
    ToHub,
    ToClock,
}

/// A function that receives each value in transit, in either direction, and returns the values to deliver in its place.
pub(crate) type Meddler = Arc<dyn Fn(AgentId, Going, Vec<u8>) -> Vec<Vec<u8>> + Send + Sync>;

pub(crate) fn honest() -> Meddler {
    Arc::new(|_, _, value| vec![value])
}

/// All clocks that are currently advertising.
#[derive(Clone, Default)]
pub(crate) struct Air(Arc<Mutex<BTreeMap<AgentId, OnAir>>>);

struct OnAir {
    shown: AdvertisedClock,
    connect: mpsc::Sender<Values>,
}

impl Air {
    pub(crate) fn radio(&self) -> ClockRadio {
        ClockRadio {
            air: self.clone(),
            on: None,
        }
    }

    /// Starts a radio for `host`, with up to `room` bytes in a value. Dropping the returned guard switches the radio off and ends its
    /// connections.
    pub(crate) fn listen(&self, host: impl RadioHost, room: usize, meddler: Meddler) -> DropGuard {
        let off = CancellationToken::new();
        let station = listen(self.clone(), host, room, meddler, off.clone());
        tokio::spawn(off.clone().run_until_cancelled_owned(station));
        off.drop_guard()
    }

    fn heard(&self) -> Vec<DetectedClock> {
        let clocks = self.lock();
        let heard = clocks.iter().map(|(agent, on)| DetectedClock {
            address: agent.short(),
            advertisement: Advertisement::new(agent, on.shown.enrolled, on.shown.battery),
            rssi: Some(-60),
        });
        heard.collect()
    }

    /// Returns the clock at `address`, which then stops advertising, and the channel through which it receives a connection.
    fn take(&self, address: &str) -> Option<(AgentId, mpsc::Sender<Values>)> {
        let mut clocks = self.lock();
        let agent = *clocks.keys().find(|agent| agent.short() == address)?;
        clocks.remove(&agent).map(|on| (agent, on.connect))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<AgentId, OnAir>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) struct ClockRadio {
    air: Air,
    on: Option<AgentId>,
}

impl Radio for ClockRadio {
    async fn next(&mut self, shown: &AdvertisedClock) -> Result<Values, RadioError> {
        let (connect, mut connections) = mpsc::channel(1);
        let on = OnAir {
            shown: shown.clone(),
            connect,
        };
        self.on = Some(shown.agent);
        self.air.lock().insert(shown.agent, on);
        connections.recv().await.ok_or(RadioError::Off)
    }

    fn off(&mut self) {
        if let Some(agent) = self.on.take() {
            self.air.lock().remove(&agent);
        }
    }
}

impl Drop for ClockRadio {
    fn drop(&mut self) {
        self.off();
    }
}

async fn listen(
    air: Air,
    host: impl RadioHost,
    room: usize,
    meddler: Meddler,
    off: CancellationToken,
) {
    let mut look = tokio::time::interval(LOOK);
    loop {
        look.tick().await;
        let heard = air.heard();
        let wanted = host.wanted("air0", &heard).await.unwrap();
        for clock in heard {
            let pairing = wanted.pairing.filter(|_| !clock.advertisement.enrolled);
            let is_wanted =
                clock.advertisement.enrolled && wanted.tags.contains(&clock.advertisement.tag);
            if !is_wanted && pairing.is_none() {
                continue;
            }
            let Some((agent, connect)) = air.take(&clock.address) else {
                continue;
            };
            let target = ConnectTarget {
                adapter: "air0".to_owned(),
                address: clock.address,
                pairing,
            };
            let meddler = meddler.clone();
            let between: Between = Arc::new(move |going, value| meddler(agent, going, value));
            let link = connection(host.clone(), connect, target, room, between);
            tokio::spawn(off.clone().run_until_cancelled_owned(link));
        }
    }
}

type Between = Arc<dyn Fn(Going, Vec<u8>) -> Vec<Vec<u8>> + Send + Sync>;

async fn connection(
    host: impl RadioHost,
    clock: mpsc::Sender<Values>,
    target: ConnectTarget,
    room: usize,
    between: Between,
) {
    let (to_clock, incoming) = mpsc::channel(QUEUE);
    let (outgoing, mut from_clock) = mpsc::channel(QUEUE);
    let (came, for_hub) = mpsc::channel(QUEUE);
    let (for_clock, mut going) = mpsc::channel::<Vec<u8>>(QUEUE);
    let values = Values {
        incoming,
        outgoing,
        room,
    };
    if clock.send(values).await.is_err() {
        return;
    }
    let carrier = Carrier {
        incoming: for_hub,
        outgoing: for_clock,
        room,
    };
    let up = async {
        while let Some(value) = from_clock.recv().await {
            for value in between(Going::ToHub, value) {
                if came.send((value, at())).await.is_err() {
                    return;
                }
            }
        }
    };
    let down = async {
        while let Some(value) = going.recv().await {
            for value in between(Going::ToClock, value) {
                if to_clock.send(value).await.is_err() {
                    return;
                }
            }
        }
    };
    let served = host.serve(carrier, at(), &target);
    tokio::pin!(served, down);
    tokio::select! {
        () = up => {}
        // Values on their way to the clock must still arrive.
        _ = &mut served => down.await,
        () = &mut down => {}
    }
}

/// Returns an arbitrary instant: a gateway does not report when a value arrived.
fn at() -> Instant<Hub> {
    Instant::from_micros(0)
}
