//! Turns one connection into a link: passes values to and from the carrier, and frames to and from the session. Does not depend on a radio, so that
//! tests can replace the radio.

use std::time::Duration;

use proto::ble::{Channel, ChannelError, Received};
use proto::frame::{decode, encode};
use proto::wire::{AgentFrame, Goodbye, GoodbyeReason, HubFrame};
use timing::{Hub, Instant};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::task::JoinHandle;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use crate::links::link::{Inbound, Link, LinkEnd, Outbound, ReceivedFrame};
use crate::links::quic::cut;

const CHECK_EVERY: Duration = Duration::from_secs(1);
/// Number of checks without a complete message after which the clock counts as lost. A clock sends a watermark once a second.
const MAX_SILENT_CHECKS: u32 = 6;
/// Number of checks without any value after which a new connection counts as lost: a silent device only occupies the radio.
const MAX_CHECKS_BEFORE_FIRST_VALUE: u32 = 3;
const GOODBYE_WITHIN: Duration = Duration::from_secs(1);
/// Maximum number of frames queued in each direction between the task and its session.
const QUEUE: usize = 8;

/// The values of one connection, over any transport. The connection ends when `incoming` closes or the carrier is dropped.
#[derive(Debug)]
pub struct Carrier {
    /// Values from the clock, each with its instant of arrival.
    pub incoming: mpsc::Receiver<(Vec<u8>, Instant<Hub>)>,
    pub outgoing: mpsc::Sender<Vec<u8>>,
    /// Maximum size of a value, in bytes.
    pub room: usize,
}

pub(super) struct ChannelCarrier {
    pub(super) channel: Channel,
    carrier: Carrier,
    /// A value that waits because the carrier's queue is full.
    waiting: Option<Vec<u8>>,
    checks: Interval,
    silent: u32,
    /// True once any value has arrived.
    received_any: bool,
}

impl ChannelCarrier {
    pub(super) fn new(channel: Channel, carrier: Carrier) -> Self {
        let mut checks = interval(CHECK_EVERY);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            channel,
            carrier,
            waiting: None,
            checks,
            silent: 0,
            received_any: false,
        }
    }

    /// Carries values both ways until a message is received, and returns the message. Cancel safe.
    pub(super) async fn receive(&mut self) -> Result<(Received, Instant<Hub>), String> {
        loop {
            if let Some(received) = self.step().await? {
                return Ok(received);
            }
        }
    }

    /// Waits until a value arrives, a value can be sent, or a second has passed. Returns the received message, if any. Cancel safe.
    async fn step(&mut self) -> Result<Option<(Received, Instant<Hub>)>, String> {
        self.hand_over()?;
        let (value, at) = tokio::select! {
            biased;
            value = self.carrier.incoming.recv() => value.ok_or("the connection is gone")?,
            place = self.carrier.outgoing.reserve(), if self.waiting.is_some() => {
                let place = place.map_err(|_| "the connection is gone")?;
                if let Some(value) = self.waiting.take() {
                    place.send(value);
                }
                return Ok(None);
            }
            _ = self.checks.tick() => {
                self.silent += 1;
                let most = if self.received_any { MAX_SILENT_CHECKS } else { MAX_CHECKS_BEFORE_FIRST_VALUE };
                if self.silent > most {
                    return Err(format!("nothing came for {most} s"));
                }
                return Ok(None);
            }
        };
        self.received_any = true;
        let received = self
            .channel
            .receive(&value)
            .map_err(|error| error.to_string())?;
        // Only a complete message is a sign of life: an attacker in the middle can forge acknowledgements.
        if received != Received::Nothing {
            self.silent = 0;
        }
        // The reply to this value must not wait until the next value arrives.
        self.hand_over()?;
        Ok((received != Received::Nothing).then_some((received, at)))
    }

    /// Sends values until none is left, or until the channel's window or the carrier's queue is full.
    pub(super) fn hand_over(&mut self) -> Result<(), String> {
        while self.waiting.is_none() {
            let Some(value) = self.channel.next_value(self.carrier.room) else {
                return Ok(());
            };
            match self.carrier.outgoing.try_send(value) {
                Ok(()) => {}
                Err(TrySendError::Full(value)) => self.waiting = Some(value),
                Err(TrySendError::Closed(_)) => return Err("the connection is gone".to_owned()),
            }
        }
        Ok(())
    }

    fn is_idle(&self) -> bool {
        self.waiting.is_none() && self.channel.is_idle()
    }

    pub(super) async fn drain(&mut self) {
        while !self.is_idle() {
            if self.step().await.is_err() {
                return;
            }
        }
    }

    /// Turns an open channel into a link. The returned task ends with the link.
    pub(super) fn link(self) -> (Link<Frames, Never, Out>, JoinHandle<()>) {
        let (up, received) = mpsc::channel(QUEUE);
        let (out, down) = mpsc::channel(QUEUE);
        let task = tokio::spawn(self.pump(up, down));
        let link = Link {
            steady: Frames(received),
            quick: Never,
            out: Out { frames: Some(out) },
        };
        (link, task)
    }

    async fn pump(mut self, up: mpsc::Sender<Step>, down: mpsc::Receiver<Vec<u8>>) {
        if let Err(why) = self.exchange(&up, down).await {
            // Ignore an error: the session may have ended already.
            let _ = up.send(Err(why)).await;
        }
    }

    async fn exchange(
        &mut self,
        up: &mpsc::Sender<Step>,
        mut down: mpsc::Receiver<Vec<u8>>,
    ) -> Result<(), String> {
        loop {
            self.hand_over()?;
            let idle = self.is_idle();
            tokio::select! {
                biased;
                received = self.step() => {
                    if let Some((Received::Frame(bytes), at)) = received?
                        && up.send(Ok((bytes, at))).await.is_err()
                    {
                        self.send_remaining(down).await;
                        return Ok(());
                    }
                }
                frame = down.recv(), if idle => match frame {
                    Some(frame) => self.channel.send(&frame).map_err(|error| error.to_string())?,
                    None => return Ok(()),
                },
            }
        }
    }

    /// Sends the remaining frames of a session that has stopped reading.
    async fn send_remaining(&mut self, mut down: mpsc::Receiver<Vec<u8>>) {
        let sending = async {
            while let Some(frame) = down.recv().await {
                if self.channel.send(&frame).is_err() {
                    return;
                }
                self.drain().await;
            }
        };
        // A clock that does not receive the goodbye detects the lost link itself.
        let _ = timeout(GOODBYE_WITHIN, sending).await;
    }
}

type Step = Result<(Vec<u8>, Instant<Hub>), String>;

pub(super) struct Frames(mpsc::Receiver<Step>);

impl Inbound for Frames {
    async fn next(&mut self) -> Result<ReceivedFrame, LinkEnd> {
        match self.0.recv().await {
            Some(Ok((bytes, at))) => Ok(ReceivedFrame {
                frame: decode::<AgentFrame>(&bytes)?,
                at,
            }),
            Some(Err(why)) => Err(LinkEnd::Lost(why)),
            None => Err(LinkEnd::Lost("the connection is gone".to_owned())),
        }
    }
}

/// The quick channel of a Bluetooth link, which never yields a frame: over this carrier, all values arrive in order on the steady channel.
pub(super) struct Never;

impl Inbound for Never {
    async fn next(&mut self) -> Result<ReceivedFrame, LinkEnd> {
        std::future::pending().await
    }
}

pub(super) struct Out {
    /// `None` after the goodbye.
    frames: Option<mpsc::Sender<Vec<u8>>>,
}

impl Outbound for Out {
    async fn send(&mut self, frames: Vec<HubFrame>) -> Result<(), LinkEnd> {
        let gone = || LinkEnd::Lost("the connection is gone".to_owned());
        let out = self.frames.as_ref().ok_or_else(gone)?;
        for frame in frames {
            out.send(encode(&frame)?).await.map_err(|_| gone())?;
        }
        Ok(())
    }

    async fn goodbye(&mut self, reason: GoodbyeReason, text: &str) {
        let Some(out) = self.frames.take() else {
            return;
        };
        if let Ok(frame) = goodbye(reason, text) {
            // A clock that reads no more frames needs no goodbye.
            let _ = timeout(GOODBYE_WITHIN, out.send(frame)).await;
        }
    }
}

pub(super) fn goodbye(
    reason: GoodbyeReason,
    text: &str,
) -> Result<Vec<u8>, proto::frame::FrameError> {
    let frame: HubFrame = Goodbye {
        reason: reason.into(),
        text: cut(text).to_owned(),
    }
    .into();
    encode(&frame)
}

impl From<ChannelError> for LinkEnd {
    fn from(error: ChannelError) -> Self {
        Self::Lost(error.to_string())
    }
}
