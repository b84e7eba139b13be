//! This clock's radio: advertises, serves the two characteristics, and returns the connection of each central that subscribes. Owns the use of BlueZ.
//! Must never interpret a value.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bluer::adv::{Advertisement as Adv, AdvertisementHandle, Type};
use bluer::gatt::local::{
    Application, ApplicationHandle, Characteristic, CharacteristicControl,
    CharacteristicControlEvent, CharacteristicControlHandle, CharacteristicNotify,
    CharacteristicNotifyMethod, CharacteristicWrite, CharacteristicWriteMethod, Service,
    characteristic_control,
};
use bluer::gatt::{CharacteristicReader, CharacteristicWriter};
use bluer::{Adapter, Session};
use futures::StreamExt;
use proto::ble::{Advertisement, COMPANY, FROM_CLOCK, MAX_VALUE, SERVICE, TO_CLOCK};
use proto::ids::AgentId;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

use super::Values;

/// Capacity of the queues between a connection and its link, in values: two windows.
const QUEUE: usize = 32;
/// Interval at which to check that BlueZ still advertises this clock.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// Advertising interval, short enough for a scanning hub to find the clock within a second.
const ADVERTISE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_millis(150));
/// Maximum length of a name in the scan response, in bytes.
const MAX_NAME: usize = 26;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdvertisedClock {
    pub agent: AgentId,
    pub enrolled: bool,
    /// A name to show, such as the board's.
    pub name: String,
    /// Charge in percent; `None` without a battery or if unknown.
    pub battery: Option<u8>,
}

/// This clock's radio. It starts to advertise when a connection is first awaited.
pub struct Peripheral {
    adapter: Option<String>,
    on_air: Option<OnAir>,
}

impl std::fmt::Debug for Peripheral {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Peripheral({:?})", self.adapter)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum RadioError {
    #[error(
        "Bluetooth: {0} (check that bluetoothd is running, that there is an adapter, and that this user may use it)"
    )]
    BlueZ(#[from] bluer::Error),
    #[error("Bluetooth: the adapter stopped advertising this clock")]
    Off,
}

/// A running advertisement; dropping it stops advertising.
struct OnAir {
    shown: AdvertisedClock,
    connections: mpsc::UnboundedReceiver<Values>,
    _off: DropGuard,
}

struct Station {
    adapter: Adapter,
    from_clock: CharacteristicControl,
    to_clock: CharacteristicControl,
    /// The reader of the values that centrals write. BlueZ keeps it across connections.
    reader: Option<CharacteristicReader>,
    centrals: Centrals,
    _served: ApplicationHandle,
    _advertised: AdvertisementHandle,
    _session: Session,
}

impl Peripheral {
    /// Creates the radio on `adapter` (such as `hci0`), or on the default adapter.
    pub fn new(adapter: Option<String>) -> Self {
        Self {
            adapter,
            on_air: None,
        }
    }

    pub async fn next(&mut self, shown: &AdvertisedClock) -> Result<Values, RadioError> {
        if self
            .on_air
            .as_ref()
            .is_none_or(|on_air| on_air.shown != *shown)
        {
            // Stop the old advertisement first, or the clock would have two.
            self.on_air = None;
        }
        let on_air = match &mut self.on_air {
            Some(on_air) => on_air,
            None => {
                let off = CancellationToken::new();
                let (sender, connections) = mpsc::unbounded_channel();
                let centrals = Centrals::new(sender);
                let station = Station::open(self.adapter.as_deref(), shown, centrals).await?;
                tokio::spawn(station.serve(off.clone()));
                self.on_air.insert(OnAir {
                    shown: shown.clone(),
                    connections,
                    _off: off.drop_guard(),
                })
            }
        };
        let next = newest(&mut on_air.connections).await;
        if next.is_none() {
            self.on_air = None;
        }
        next.ok_or(RadioError::Off)
    }

    pub fn off(&mut self) {
        self.on_air = None;
    }
}

impl Station {
    async fn open(
        adapter: Option<&str>,
        shown: &AdvertisedClock,
        centrals: Centrals,
    ) -> Result<Self, RadioError> {
        let session = Session::new().await?;
        let adapter = match adapter {
            Some(name) => session.adapter(name)?,
            None => session.default_adapter().await?,
        };
        adapter.set_powered(true).await?;
        let (from_clock, from_handle) = characteristic_control();
        let (to_clock, to_handle) = characteristic_control();
        let application = application(from_handle, to_handle);
        let served = adapter.serve_gatt_application(application).await?;
        let advertised = adapter.advertise(advertisement(shown)).await?;
        tracing::info!(
            adapter = adapter.name(),
            enrolled = shown.enrolled,
            "advertising"
        );
        Ok(Self {
            adapter,
            from_clock,
            to_clock,
            reader: None,
            centrals,
            _served: served,
            _advertised: advertised,
            _session: session,
        })
    }

    async fn serve(mut self, off: CancellationToken) {
        let ended = tokio::select! {
            ended = self.run() => ended,
            () = off.cancelled() => return,
        };
        if let Err(error) = ended {
            tracing::warn!(%error, "no longer advertising");
        }
    }

    async fn run(&mut self) -> Result<(), RadioError> {
        let mut look = interval(CHECK_INTERVAL);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                subscribed = self.from_clock.next() => match subscribed {
                    Some(CharacteristicControlEvent::Notify(writer)) => self.connected(writer)?,
                    Some(CharacteristicControlEvent::Write(_)) => {}
                    None => return Err(RadioError::Off),
                },
                written = self.to_clock.next() => match written {
                    Some(CharacteristicControlEvent::Write(request)) => {
                        self.reader = Some(request.accept()?);
                    }
                    Some(CharacteristicControlEvent::Notify(_)) => {}
                    None => return Err(RadioError::Off),
                },
                value = read(&self.reader), if self.reader.is_some() => self.written(value),
                _ = look.tick() => {
                    if self.adapter.active_advertising_instances().await? == 0
                        || !self.adapter.is_powered().await?
                    {
                        return Err(RadioError::Off);
                    }
                }
            }
        }
    }

    fn connected(&mut self, writer: CharacteristicWriter) -> Result<(), RadioError> {
        let address = writer.device_address();
        let room = writer.mtu().min(MAX_VALUE);
        tracing::debug!(%address, room, "a central has subscribed");
        let device = self.adapter.device(address)?;
        let (sender, values) = self.centrals.subscribed(room);
        tokio::spawn(async move {
            let end = notify(&writer, values).await;
            drop((writer, sender));
            // Disconnect only if this clock's link has ended: a central that has gone or unsubscribed disconnects itself, and may already have
            // reconnected.
            if end == End::LinkEnded
                && let Err(error) = device.disconnect().await
            {
                tracing::debug!(%address, %error, "the central is already gone");
            }
        });
        Ok(())
    }

    fn written(&mut self, value: std::io::Result<Vec<u8>>) {
        let Ok(value) = value else {
            self.reader = None;
            return;
        };
        if value.is_empty() {
            // Either the write was empty, or BlueZ closed the reader. A new reader is created for the next write.
            self.reader = None;
            return;
        }
        self.centrals.wrote(value);
    }
}

/// The connections of the centrals that have subscribed. Only the newest connection counts: BlueZ does not say which central wrote a value.
struct Centrals {
    newest: Option<mpsc::WeakSender<Vec<u8>>>,
    connections: mpsc::UnboundedSender<Values>,
}

impl Centrals {
    fn new(connections: mpsc::UnboundedSender<Values>) -> Self {
        Self {
            newest: None,
            connections,
        }
    }

    /// Passes on the connection of a new central. Returns the other ends of its channels.
    fn subscribed(&mut self, room: usize) -> (mpsc::Sender<Vec<u8>>, mpsc::Receiver<Vec<u8>>) {
        let (sender, incoming) = mpsc::channel(QUEUE);
        let (outgoing, values) = mpsc::channel(QUEUE);
        self.newest = Some(sender.downgrade());
        // Without a receiver the radio is off, and the dropped connection ends.
        let _ = self.connections.send(Values {
            incoming,
            outgoing,
            room,
        });
        (sender, values)
    }

    fn wrote(&self, value: Vec<u8>) {
        let Some(newest) = self.newest.as_ref().and_then(mpsc::WeakSender::upgrade) else {
            return;
        };
        if newest.try_send(value).is_err() {
            // A correct hub never has more values in flight than the queue holds. The link detects the gap in the sequence numbers and ends.
            tracing::debug!("value dropped: the central exceeds the window");
        }
    }
}

/// Waits for a connection and returns the newest one that is waiting. Dropping the others ends them. Cancel-safe.
async fn newest(connections: &mut mpsc::UnboundedReceiver<Values>) -> Option<Values> {
    let mut newest = connections.recv().await?;
    while let Ok(newer) = connections.try_recv() {
        newest = newer;
    }
    Some(newest)
}

async fn read(reader: &Option<CharacteristicReader>) -> std::io::Result<Vec<u8>> {
    match reader {
        Some(reader) => reader.recv().await,
        None => std::future::pending().await,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// This clock's link ended, so the connection must be closed.
    LinkEnded,
    CentralEnded,
}

/// Sends values as notifications until either side ends the connection.
async fn notify(writer: &CharacteristicWriter, mut values: mpsc::Receiver<Vec<u8>>) -> End {
    loop {
        tokio::select! {
            biased;
            _ = writer.closed() => return End::CentralEnded,
            value = values.recv() => {
                let Some(value) = value else { return End::LinkEnded };
                if writer.send(&value).await.is_err() {
                    return End::CentralEnded;
                }
            }
        }
    }
}

fn application(
    from_clock: CharacteristicControlHandle,
    to_clock: CharacteristicControlHandle,
) -> Application {
    let notifies = Characteristic {
        uuid: Uuid::from_u128(FROM_CLOCK),
        notify: Some(CharacteristicNotify {
            notify: true,
            method: CharacteristicNotifyMethod::Io,
            ..Default::default()
        }),
        control_handle: from_clock,
        ..Default::default()
    };
    let is_written = Characteristic {
        uuid: Uuid::from_u128(TO_CLOCK),
        write: Some(CharacteristicWrite {
            write_without_response: true,
            method: CharacteristicWriteMethod::Io,
            ..Default::default()
        }),
        control_handle: to_clock,
        ..Default::default()
    };
    Application {
        services: vec![Service {
            uuid: Uuid::from_u128(SERVICE),
            primary: true,
            characteristics: vec![notifies, is_written],
            ..Default::default()
        }],
        ..Default::default()
    }
}

fn advertisement(shown: &AdvertisedClock) -> Adv {
    let said = Advertisement::new(&shown.agent, shown.enrolled, shown.battery);
    let mut name = shown.name.clone();
    name.truncate(name.floor_char_boundary(MAX_NAME));
    Adv {
        advertisement_type: Type::Peripheral,
        service_uuids: BTreeSet::from([Uuid::from_u128(SERVICE)]),
        manufacturer_data: BTreeMap::from([(COMPANY, said.to_bytes().to_vec())]),
        discoverable: Some(true),
        local_name: Some(name),
        min_interval: Some(ADVERTISE.0),
        max_interval: Some(ADVERTISE.1),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_newest_waiting_connection_is_the_one_that_receives_values() {
        let (sender, mut connections) = mpsc::unbounded_channel();
        let mut centrals = Centrals::new(sender);
        let mut first = centrals.subscribed(20);
        let second = centrals.subscribed(30);
        centrals.wrote(vec![7]);
        let mut accepted = newest(&mut connections).await.unwrap();
        assert_eq!(accepted.room, 30);
        assert_eq!(accepted.incoming.recv().await, Some(vec![7]));
        assert_eq!(first.1.recv().await, None, "the older connection has ended");
        assert!(!second.0.is_closed());
    }
}
