//! One connection: values in and out, frames above. Owns its deadlines; knows no radio, so that a test can be one.

use std::time::Duration;

use proto::ble::{Channel, LocalKeys, Received};
use proto::frame::{decode, encode};
use proto::wire::{AgentFrame, HubFrame};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use super::Secrets;
use crate::links::{Link, LinkEnd};

/// The handshake takes no longer.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How often it is looked whether anything has come.
const LOOK: Duration = Duration::from_secs(1);
/// Looks without a value after which the link is lost: the hub probes the time once a second.
const SILENT: u32 = 6;
/// A goodbye has this long to get through.
const PARTING: Duration = Duration::from_millis(500);

/// The values of one connection, both ways, whoever carries them. Over when `incoming` ends; dropping it ends the connection.
#[derive(Debug)]
pub struct Values {
    /// Values that the hub has written.
    pub incoming: mpsc::Receiver<Vec<u8>>,
    /// Values to be notified.
    pub outgoing: mpsc::Sender<Vec<u8>>,
    /// Bytes that a value may have.
    pub room: usize,
}

/// A session's link over Bluetooth LE.
#[derive(Debug)]
pub struct BleLink {
    channel: Channel,
    values: Values,
    /// A value that the carrier had no room for.
    waiting: Option<Vec<u8>>,
    look: Interval,
    silent: u32,
}

impl BleLink {
    /// Shakes hands over a connection that was just made.
    ///
    /// # Errors
    /// The other end is not this clock's hub, or takes too long.
    pub(super) async fn open(values: Values, own: &Secrets) -> Result<Self, LinkEnd> {
        let channel = Channel::session(
            LocalKeys {
                secret: &own.secret,
                random: random()?,
            },
            &own.agent,
            &own.hub,
        );
        Self::handshake(values, channel).await.map(|(link, _)| link)
    }

    /// Carries values until the handshake of `channel` is over; what it came to.
    ///
    /// # Errors
    /// As [`BleLink::open`].
    pub(crate) async fn handshake(
        values: Values,
        channel: Result<Channel, proto::ble::ChannelError>,
    ) -> Result<(Self, Received), LinkEnd> {
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut link = Self {
            channel: channel.map_err(lost)?,
            values,
            waiting: None,
            look,
            silent: 0,
        };
        let shaken = timeout(HANDSHAKE, link.receive()).await;
        let came = shaken.map_err(|_| lost("the handshake took longer than 10 s"))??;
        match came {
            Received::Opened { .. } => Ok((link, came)),
            Received::Nothing | Received::SessionRequest { .. } | Received::Frame(_) => {
                Err(lost("the other end does not keep to the handshake"))
            }
        }
    }

    /// Queues the bytes of a frame.
    pub(crate) fn queue(&mut self, frame: &[u8]) -> Result<(), LinkEnd> {
        match self.channel.send(frame) {
            Ok(()) => Ok(()),
            Err(proto::ble::ChannelError::Pipe(proto::ble::PipeError::Full)) => Err(LinkEnd::Stuck),
            Err(error) => Err(lost(error)),
        }
    }

    /// Carries values both ways until something comes of it. Cancel safe.
    pub(crate) async fn receive(&mut self) -> Result<Received, LinkEnd> {
        loop {
            let came = self.step().await?;
            if came != Received::Nothing {
                return Ok(came);
            }
        }
    }

    /// Waits until a value has come, one could go, or a second has passed; what came of it. Cancel safe.
    async fn step(&mut self) -> Result<Received, LinkEnd> {
        self.hand_over()?;
        let value = tokio::select! {
            biased;
            value = self.values.incoming.recv() => value.ok_or_else(|| lost("the connection is gone"))?,
            place = self.values.outgoing.reserve(), if self.waiting.is_some() => {
                let place = place.map_err(|_| lost("the connection is gone"))?;
                if let Some(value) = self.waiting.take() {
                    place.send(value);
                }
                return Ok(Received::Nothing);
            }
            _ = self.look.tick() => {
                self.silent += 1;
                if self.silent > SILENT {
                    return Err(lost("no answer"));
                }
                return Ok(Received::Nothing);
            }
        };
        let came = self.channel.take(&value).map_err(lost)?;
        // Only what was sealed is a sign of life: anybody on the way can make up the rest.
        if came != Received::Nothing {
            self.silent = 0;
        }
        // What this value called for must not wait for the next one.
        self.hand_over()?;
        Ok(came)
    }

    /// Hands over what the window and the carrier have room for.
    fn hand_over(&mut self) -> Result<(), LinkEnd> {
        while self.waiting.is_none() {
            let Some(value) = self.channel.next_value(self.values.room) else {
                return Ok(());
            };
            match self.values.outgoing.try_send(value) {
                Ok(()) => {}
                Err(TrySendError::Full(value)) => self.waiting = Some(value),
                Err(TrySendError::Closed(_)) => return Err(lost("the connection is gone")),
            }
        }
        Ok(())
    }
}

/// Random bytes for one handshake.
pub(crate) fn random() -> Result<[u8; 32], LinkEnd> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(lost)?;
    Ok(random)
}

fn lost(why: impl std::fmt::Display) -> LinkEnd {
    LinkEnd::Lost(why.to_string())
}

impl Link for BleLink {
    fn send(&mut self, frame: &AgentFrame) -> Result<(), LinkEnd> {
        match encode(frame) {
            Ok(bytes) => self.queue(&bytes),
            Err(error) => {
                // Every frame of the core is bounded; one that is not would only be refused by the hub.
                tracing::error!(%error, "a frame is too long to be sent: left out");
                Ok(())
            }
        }
    }

    fn datagram(&mut self, frame: &AgentFrame) -> Result<(), LinkEnd> {
        self.send(frame)
    }

    async fn next(&mut self) -> Result<HubFrame, LinkEnd> {
        loop {
            match self.receive().await? {
                Received::Frame(bytes) => return Ok(decode(&bytes)?),
                Received::Nothing | Received::SessionRequest { .. } | Received::Opened { .. } => {}
            }
        }
    }

    async fn close(mut self, _reason: &str) {
        let parting = async {
            while self.hand_over().is_ok() && (self.waiting.is_some() || !self.channel.is_idle()) {
                if self.step().await.is_err() {
                    return;
                }
            }
        };
        // A hub that is gone will not miss it.
        let _ = timeout(PARTING, parting).await;
    }
}

#[cfg(test)]
mod tests;
