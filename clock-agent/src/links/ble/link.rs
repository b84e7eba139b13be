//! One connection over Bluetooth LE, which carries frames in characteristic values. Owns its deadlines; independent of the radio, so that a test can
//! replace the radio.

use std::time::Duration;

use proto::ble::{Channel, LocalKeys, Received};
use proto::frame::{decode, encode};
use proto::wire::{AgentFrame, GoodbyeReason, HubFrame};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use super::Secrets;
use crate::links::{Link, LinkEnd};

const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval between checks for a silent hub.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of checks in a row without a complete frame; after one more, the link counts as lost. The hub sends a time probe every second.
const MAX_SILENT_CHECKS: u32 = 6;
const GOODBYE_TIMEOUT: Duration = Duration::from_millis(500);

/// Channels for the characteristic values of one connection. The connection has ended when `incoming` ends; dropping this struct disconnects.
#[derive(Debug)]
pub struct Values {
    pub incoming: mpsc::Receiver<Vec<u8>>,
    /// Values to send to the hub as notifications.
    pub outgoing: mpsc::Sender<Vec<u8>>,
    /// Maximum size of a value in bytes.
    pub room: usize,
}

/// An encrypted link to the hub over Bluetooth LE.
#[derive(Debug)]
pub struct BleLink {
    channel: Channel,
    values: Values,
    /// A value that did not fit into the outgoing channel.
    waiting: Option<Vec<u8>>,
    look: Interval,
    silent: u32,
}

impl BleLink {
    /// Performs the handshake on a new connection.
    ///
    /// # Errors
    /// Returns a [`LinkEnd`] if the connection is lost, or if the peer is not this clock's hub or takes longer than 10 seconds.
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

    /// Carries values until the handshake of `channel` is complete. Returns the link and the handshake's result.
    pub(crate) async fn handshake(
        values: Values,
        channel: Result<Channel, proto::ble::ChannelError>,
    ) -> Result<(Self, Received), LinkEnd> {
        let mut look = interval(CHECK_INTERVAL);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut link = Self {
            channel: channel.map_err(lost)?,
            values,
            waiting: None,
            look,
            silent: 0,
        };
        let shaken = timeout(HANDSHAKE_TIMEOUT, link.receive()).await;
        let came = shaken.map_err(|_| lost("no handshake within 10 s"))??;
        match came {
            Received::Opened { .. } => Ok((link, came)),
            Received::Nothing | Received::SessionRequest { .. } | Received::Frame(_) => {
                Err(lost("the peer broke the handshake protocol"))
            }
        }
    }

    pub(crate) fn queue(&mut self, frame: &[u8]) -> Result<(), LinkEnd> {
        match self.channel.send(frame) {
            Ok(()) => Ok(()),
            Err(proto::ble::ChannelError::Pipe(proto::ble::PipeError::Full)) => Err(LinkEnd::Stuck),
            Err(error) => Err(lost(error)),
        }
    }

    /// Carries values in both directions until a received value yields a result. Cancel-safe.
    pub(crate) async fn receive(&mut self) -> Result<Received, LinkEnd> {
        loop {
            let came = self.step().await?;
            if came != Received::Nothing {
                return Ok(came);
            }
        }
    }

    /// Waits until a value arrives, a value can be sent, or a check is due. Returns the result of the value that arrived, if any. Cancel-safe.
    async fn step(&mut self) -> Result<Received, LinkEnd> {
        self.hand_over()?;
        let value = tokio::select! {
            biased;
            value = self.values.incoming.recv() => value.ok_or_else(|| lost("connection lost"))?,
            place = self.values.outgoing.reserve(), if self.waiting.is_some() => {
                let place = place.map_err(|_| lost("connection lost"))?;
                if let Some(value) = self.waiting.take() {
                    place.send(value);
                }
                return Ok(Received::Nothing);
            }
            _ = self.look.tick() => {
                self.silent += 1;
                if self.silent > MAX_SILENT_CHECKS {
                    return Err(lost("no answer"));
                }
                return Ok(Received::Nothing);
            }
        };
        let came = self.channel.receive(&value).map_err(lost)?;
        // Only sealed data proves that the hub is alive, because anything else can be forged.
        if came != Received::Nothing {
            self.silent = 0;
        }
        // Send the reply to this value now, not after the next value.
        self.hand_over()?;
        Ok(came)
    }

    /// Passes on values until none is left, or the window or the outgoing channel is full.
    fn hand_over(&mut self) -> Result<(), LinkEnd> {
        while self.waiting.is_none() {
            let Some(value) = self.channel.next_value(self.values.room) else {
                return Ok(());
            };
            match self.values.outgoing.try_send(value) {
                Ok(()) => {}
                Err(TrySendError::Full(value)) => self.waiting = Some(value),
                Err(TrySendError::Closed(_)) => return Err(lost("connection lost")),
            }
        }
        Ok(())
    }
}

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
                // The core never sends such a frame, and the hub would refuse it anyway.
                tracing::error!(%error, "frame dropped: too long");
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

    async fn close(mut self, _code: GoodbyeReason, _reason: &str) {
        let parting = async {
            while self.hand_over().is_ok() && (self.waiting.is_some() || !self.channel.is_idle()) {
                if self.step().await.is_err() {
                    return;
                }
            }
        };
        // A hub that is gone does not need the goodbye.
        let _ = timeout(GOODBYE_TIMEOUT, parting).await;
    }
}

#[cfg(test)]
mod tests;
