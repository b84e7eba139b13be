//! One connection over QUIC: a stream of length-prefixed frames in both directions, plus datagrams.

use bytes::{Buf, Bytes, BytesMut};
use proto::frame::{Deframer, decode, encode, encode_prefixed};
use proto::wire::{AgentFrame, GoodbyeReason, HubFrame};
use quinn::{Connection, ReadError, RecvStream, SendDatagramError, SendStream, WriteError};

use super::{close, link_end};
use crate::links::{ConnectError, Link, LinkEnd};

/// Number of queued bytes above which the hub counts as stuck.
const QUEUE: usize = 256 * 1024;
const GOODBYE_TIMEOUT: std::time::Duration = std::time::Duration::from_millis(500);

#[derive(Debug)]
pub struct QuicLink {
    connection: Connection,
    outgoing: SendStream,
    incoming: RecvStream,
    queue: BytesMut,
    deframer: Deframer,
}

impl QuicLink {
    pub(super) async fn open(connection: Connection, hub: String) -> Result<Self, ConnectError> {
        match connection.open_bi().await {
            Ok((outgoing, incoming)) => Ok(Self {
                connection,
                outgoing,
                incoming,
                queue: BytesMut::new(),
                deframer: Deframer::default(),
            }),
            Err(error) => Err(link_end(&error).while_connecting(&hub)),
        }
    }

    fn lost(&self, otherwise: &dyn std::fmt::Display) -> LinkEnd {
        match self.connection.close_reason() {
            Some(reason) => link_end(&reason),
            None => LinkEnd::Lost(otherwise.to_string()),
        }
    }

    fn read(&mut self, read: Result<Option<quinn::Chunk>, ReadError>) -> Result<(), LinkEnd> {
        match read {
            Ok(Some(chunk)) => {
                self.deframer.push(&chunk.bytes);
                Ok(())
            }
            Ok(None) => Err(LinkEnd::Lost("the hub ended the session".to_owned())),
            Err(error) => Err(self.lost(&error)),
        }
    }

    fn wrote(&mut self, wrote: Result<usize, WriteError>) -> Result<(), LinkEnd> {
        match wrote {
            Ok(len) => {
                self.queue.advance(len);
                Ok(())
            }
            Err(error) => Err(self.lost(&error)),
        }
    }
}

impl Link for QuicLink {
    fn send(&mut self, frame: &AgentFrame) -> Result<(), LinkEnd> {
        if self.queue.len() > QUEUE {
            return Err(LinkEnd::Stuck);
        }
        match encode_prefixed(frame) {
            Ok(bytes) => self.queue.extend_from_slice(&bytes),
            // The core never sends such a frame, and the hub would refuse it anyway.
            Err(error) => tracing::error!(%error, "frame dropped: too long"),
        }
        Ok(())
    }

    fn datagram(&mut self, frame: &AgentFrame) -> Result<(), LinkEnd> {
        let Ok(bytes) = encode(frame) else {
            return self.send(frame);
        };
        match self.connection.send_datagram(Bytes::from(bytes)) {
            Ok(()) => Ok(()),
            Err(
                SendDatagramError::UnsupportedByPeer
                | SendDatagramError::Disabled
                | SendDatagramError::TooLarge,
            ) => self.send(frame),
            Err(SendDatagramError::ConnectionLost(error)) => Err(link_end(&error)),
        }
    }

    async fn next(&mut self) -> Result<HubFrame, LinkEnd> {
        loop {
            if let Some(frame) = self.deframer.next()? {
                return Ok(frame);
            }
            tokio::select! {
                wrote = self.outgoing.write(&self.queue), if !self.queue.is_empty() => {
                    self.wrote(wrote)?;
                }
                read = self.incoming.read_chunk(4096, true) => self.read(read)?,
                datagram = self.connection.read_datagram() => match datagram {
                    Ok(bytes) => return Ok(decode(&bytes)?),
                    Err(error) => return Err(link_end(&error)),
                },
            }
        }
    }

    async fn close(mut self, code: GoodbyeReason, reason: &str) {
        let parting = async {
            self.outgoing.write_all(&self.queue).await.ok()?;
            self.outgoing.finish().ok()?;
            self.outgoing.stopped().await.ok()
        };
        // A hub that is gone does not need the goodbye.
        let _ = tokio::time::timeout(GOODBYE_TIMEOUT, parting).await;
        close(&self.connection, code, reason);
    }
}
