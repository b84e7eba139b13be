//! The kit's end of a clock's connection: accepting, reading frames with their times, writing frames and raw bytes.

use proto::frame::{Deframer, Frame, FrameError, decode, encode_prefixed};
use proto::wire::{AgentFrame, EnrolRequest};
use quinn::{Connection, Endpoint, RecvStream, SendStream, VarInt};
use tokio::sync::mpsc;

use crate::time_source::raw_us;

/// A connection with its protocol name.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) connection: Connection,
    pub(super) protocol: Vec<u8>,
}

/// Something that came from the clock.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) at_us: i64,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    Frame(AgentFrame),
    Bad(FrameError),
    /// The connection has ended, with the clock's error code if it closed it.
    Closed {
        code: Option<u64>,
        text: String,
    },
}

/// One session's link.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) connection: Connection,
    send: SendStream,
    pub(super) heard: mpsc::UnboundedReceiver<Heard>,
}

pub(super) fn accept(endpoint: Endpoint) -> mpsc::UnboundedReceiver<Arrival> {
    let (tell, arrivals) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(incoming) = endpoint.accept().await {
            let tell = tell.clone();
            tokio::spawn(async move {
                let Ok(connection) = incoming.await else {
                    return;
                };
                let data = connection.handshake_data();
                let data = data
                    .and_then(|data| data.downcast::<quinn::crypto::rustls::HandshakeData>().ok());
                let protocol = data.and_then(|data| data.protocol).unwrap_or_default();
                // The kit may have ended.
                let _ = tell.send(Arrival {
                    connection,
                    protocol,
                });
            });
        }
    });
    arrivals
}

impl Link {
    pub(super) fn new(connection: Connection, send: SendStream, receive: RecvStream) -> Self {
        let (tell, heard) = mpsc::unbounded_channel();
        tokio::spawn(read_stream(connection.clone(), receive, tell.clone()));
        tokio::spawn(read_datagrams(connection.clone(), tell));
        Self {
            connection,
            send,
            heard,
        }
    }

    pub(super) async fn send(&mut self, frame: &impl Frame) {
        if let Ok(bytes) = encode_prefixed(frame) {
            self.send_bytes(&bytes).await;
        }
    }

    /// Writes raw bytes. A link that has ended is noticed by its reader.
    pub(super) async fn send_bytes(&mut self, bytes: &[u8]) {
        let _ = self.send.write_all(bytes).await;
    }

    /// Sends a datagram; returns false if the clock takes none.
    pub(super) fn datagram(&self, bytes: Vec<u8>) -> bool {
        self.connection.max_datagram_size().is_some()
            && self.connection.send_datagram(bytes.into()).is_ok()
    }

    pub(super) fn close(&self, code: u32, text: &str) {
        self.connection
            .close(VarInt::from_u32(code), text.as_bytes());
    }
}

async fn read_stream(
    connection: Connection,
    mut receive: RecvStream,
    tell: mpsc::UnboundedSender<Heard>,
) {
    let mut deframer = Deframer::default();
    loop {
        loop {
            let what = match deframer.next() {
                Ok(Some(frame)) => What::Frame(frame),
                Ok(None) => break,
                Err(error) => {
                    deframer = Deframer::default();
                    What::Bad(error)
                }
            };
            let at_us = raw_us();
            if tell.send(Heard { at_us, what }).is_err() {
                return;
            }
        }
        match receive.read_chunk(16 * 1024, true).await {
            Ok(Some(chunk)) => deframer.push(&chunk.bytes),
            Ok(None) | Err(_) => break,
        }
    }
    let error = connection.closed().await;
    let code = crate::close_code(&error);
    let text = error.to_string();
    let what = What::Closed { code, text };
    // The kit may be done with this link.
    let _ = tell.send(Heard {
        at_us: raw_us(),
        what,
    });
}

async fn read_datagrams(connection: Connection, tell: mpsc::UnboundedSender<Heard>) {
    while let Ok(bytes) = connection.read_datagram().await {
        let at_us = raw_us();
        let what = match decode::<AgentFrame>(&bytes) {
            Ok(frame) => What::Frame(frame),
            Err(error) => What::Bad(error),
        };
        if tell.send(Heard { at_us, what }).is_err() {
            return;
        }
    }
}

/// Reads one enrolment request.
pub(super) async fn read_request(receive: &mut RecvStream) -> Result<EnrolRequest, String> {
    let mut deframer = Deframer::default();
    loop {
        if let Some(request) = deframer.next().map_err(|error| error.to_string())? {
            return Ok(request);
        }
        match receive.read_chunk(1024, true).await {
            Ok(Some(chunk)) => deframer.push(&chunk.bytes),
            Ok(None) => return Err("the stream ended before the request was whole".to_owned()),
            Err(error) => return Err(error.to_string()),
        }
    }
}
