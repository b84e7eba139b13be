//! A clock session with a stolen key and certificate, in which the attacker controls every frame.
//!
//! Owns the chain, which it continues as an honest clock would. Must not use the agent's session code, which follows the rules.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clock_agent::identity::Identity;
use ed25519_dalek::SigningKey;
use proto::chain::{ChainHash, chain_hash, genesis, sign};
use proto::frame::{Deframer, encode_prefixed};
use proto::ids::AgentId;
use proto::quic::ALPN_SESSION;
use proto::wire::event_body::Fact;
use proto::wire::hub_frame::Frame;
use proto::wire::{AgentFrame, Button, Event, EventBody, Goodbye, Hello, HubFrame, Press, Welcome};
use quinn::{Connection, RecvStream, SendStream};

use super::{badge, dial};

const PATIENCE: Duration = Duration::from_secs(20);

pub struct Forger {
    pub connection: Connection,
    pub send: SendStream,
    pub key: SigningKey,
    pub seq: u64,
    pub head: ChainHash,
    /// The stamp of the newest event, µs.
    pub at_us: i64,
    pub acknowledged: u64,
    receive: RecvStream,
    deframer: Deframer,
}

impl Forger {
    /// Connects with the stolen identity, but sends no hello.
    pub async fn connect(hub: SocketAddr, identity: &Identity) -> anyhow::Result<Self> {
        let badge = badge(identity)?;
        let connection = dial(hub, ALPN_SESSION, Some(&badge)).await?;
        let (send, receive) = connection.open_bi().await?;
        let key = identity.keys.signing_key().clone();
        let agent = AgentId(key.verifying_key().to_bytes());
        Ok(Self {
            connection,
            send,
            head: genesis(&identity.enrolment.log_origin, &agent),
            key,
            seq: 0,
            at_us: 1_000_000,
            acknowledged: 0,
            receive,
            deframer: Deframer::default(),
        })
    }

    /// Connects and exchanges hello and welcome, as a clock with an empty journal.
    pub async fn welcomed(hub: SocketAddr, identity: &Identity) -> anyhow::Result<Self> {
        let mut forger = Self::connect(hub, identity).await?;
        forger.say(&hello()).await;
        let welcome = forger.welcome().await?;
        forger.acknowledged = welcome.acked_seq;
        Ok(forger)
    }

    /// Sends raw bytes. Errors are ignored; [`Forger::goodbye`] reports a connection that the hub has already closed.
    pub async fn say(&mut self, bytes: &[u8]) {
        let _ = self.send.write_all(bytes).await;
    }

    pub async fn tell(&mut self, frame: impl Into<AgentFrame>) {
        if let Ok(bytes) = encode_prefixed(&frame.into()) {
            self.say(&bytes).await;
        }
    }

    /// Adds an event to the chain, stamped one second after the previous one, and returns it.
    pub fn event(&mut self, fact: Fact) -> Event {
        self.seq += 1;
        self.at_us += 1_000_000;
        let event = self.signed(self.seq, self.head, self.at_us, fact);
        self.head = chain_hash(&event.body);
        event
    }

    pub fn press(&mut self) -> Event {
        self.event(press(Button::Left))
    }

    /// Returns a correctly signed event with these fields. Does not add it to the chain.
    pub fn signed(&self, seq: u64, after: ChainHash, at_us: i64, fact: Fact) -> Event {
        let body = EventBody {
            seq,
            prev_hash: after.to_vec(),
            at_us,
            boot: b"boot".to_vec(),
            newest_probe: 0,
            fact: Some(fact),
        };
        sign(&body, &self.key)
    }

    /// Waits until the hub has acknowledged event `seq`.
    ///
    /// # Errors
    /// Returns an error if the hub ends the session, or sends no frame for 20 seconds. The error contains the hub's goodbye, if any.
    pub async fn acknowledged(&mut self, seq: u64) -> anyhow::Result<()> {
        while self.acknowledged < seq {
            self.next_of_session().await?;
        }
        Ok(())
    }

    pub async fn welcome(&mut self) -> anyhow::Result<Welcome> {
        loop {
            if let Frame::Welcome(welcome) = self.next_of_session().await? {
                return Ok(welcome);
            }
        }
    }

    /// Returns the next frame. Returns the hub's goodbye as an error, because the session must continue.
    async fn next_of_session(&mut self) -> anyhow::Result<Frame> {
        let frame = self.next().await?;
        if let Frame::Goodbye(goodbye) = &frame {
            bail!("the hub said goodbye: {goodbye:?}");
        }
        Ok(frame)
    }

    /// Waits until the hub ends the session; returns its goodbye.
    ///
    /// # Errors
    /// Returns an error if the hub sends no frame for 20 seconds, or closes the session without a goodbye.
    pub async fn goodbye(&mut self) -> anyhow::Result<Goodbye> {
        loop {
            if let Frame::Goodbye(goodbye) = self.next().await? {
                return Ok(goodbye);
            }
        }
    }

    /// Ends the session, and waits until the hub has ended it too. Until then, the hub would treat a new session as a second clock.
    pub async fn leave(mut self) {
        let _ = self.send.finish();
        while self.next().await.is_ok() {}
    }

    pub async fn next(&mut self) -> anyhow::Result<Frame> {
        let next = tokio::time::timeout(PATIENCE, self.read()).await;
        let frame = next.context("no frame arrived")??;
        if let Frame::Ack(ack) = &frame {
            self.acknowledged = self.acknowledged.max(ack.seq);
        }
        Ok(frame)
    }

    async fn read(&mut self) -> anyhow::Result<Frame> {
        loop {
            if let Some(HubFrame { frame }) = self.deframer.next()? {
                return frame.context("an empty frame");
            }
            let chunk = self.receive.read_chunk(4096, true).await?;
            let chunk = chunk.context("the stream ended without a goodbye")?;
            self.deframer.push(&chunk.bytes);
        }
    }
}

pub fn press(button: Button) -> Fact {
    Fact::Press(Press {
        button: button.into(),
    })
}

/// Returns the hello of a clock with an empty journal, as a length-prefixed frame.
pub fn hello() -> Vec<u8> {
    let hello = Hello {
        major: proto::MAJOR,
        minor: proto::MINOR,
        firmware: "stolen".to_owned(),
        next_seq: 1,
        boot: b"boot".to_vec(),
        // An hour: the invented stamps of the first 3,599 events are not later.
        now_us: 3_600_000_000,
        ..Hello::default()
    };
    encode_prefixed(&AgentFrame::from(hello)).unwrap_or_default()
}
