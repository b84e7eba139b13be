//! The kit's end of a clock's connection: accepts it, writes frames and raw bytes, and reads an enrolment request.

use proto::frame::{Deframer, Frame, encode_prefixed};
use proto::wire::{AgentFrame, EnrolRequest};
use quinn::{Connection, Endpoint, RecvStream, SendStream, VarInt};
use tokio::sync::mpsc;

use crate::incoming::{self, Received};

#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) connection: Connection,
    pub(super) protocol: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Link {
    connection: Connection,
    send: SendStream,
    pub(super) heard: mpsc::UnboundedReceiver<Received<AgentFrame>>,
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
                // The kit may have ended, which drops the receiver.
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
        Self {
            heard: incoming::read(&connection, receive, Vec::new()),
            connection,
            send,
        }
    }

    pub(super) async fn send(&mut self, frame: &impl Frame) {
        if let Ok(bytes) = encode_prefixed(frame) {
            self.send_bytes(&bytes).await;
        }
    }

    /// Writes raw bytes. If the link has ended, its reader reports that.
    pub(super) async fn send_bytes(&mut self, bytes: &[u8]) {
        let _ = self.send.write_all(bytes).await;
    }

    /// Sends a datagram. Returns false if it cannot be sent, for example because the clock does not accept datagrams.
    pub(super) fn datagram(&self, bytes: Vec<u8>) -> bool {
        self.connection.max_datagram_size().is_some()
            && self.connection.send_datagram(bytes.into()).is_ok()
    }

    pub(super) fn close(&self, code: u32, text: &str) {
        self.connection
            .close(VarInt::from_u32(code), text.as_bytes());
    }
}

pub(super) async fn read_request(receive: &mut RecvStream) -> Result<EnrolRequest, String> {
    let mut deframer = Deframer::default();
    loop {
        if let Some(request) = deframer.next().map_err(|error| error.to_string())? {
            return Ok(request);
        }
        match receive.read_chunk(1024, true).await {
            Ok(Some(chunk)) => deframer.push(&chunk.bytes),
            Ok(None) => return Err("the stream ended before the request was complete".to_owned()),
            Err(error) => return Err(error.to_string()),
        }
    }
}
