//! A scripted clock's link: one QUIC connection with its stream and datagrams. Carries frames and raw bytes; knows no session.

use std::net::SocketAddr;

use prost::Message as _;
use proto::frame::{Deframer, FrameError, MAX_FRAME, PREFIX, decode};
use proto::quic::SERVER_NAME;
use proto::wire::HubFrame;
use quinn::{Connection, Endpoint, RecvStream, VarInt};
use tokio::sync::mpsc;

use super::enrol::{ClockIdentity, endpoint};
use super::{EnrolFailure, Fault};
use crate::tls;

/// A frame of the hub, or the end of the link.
#[derive(Debug)]
pub(super) enum Incoming {
    Frame(HubFrame),
    Bad(FrameError),
    /// The connection has ended, with the hub's error code if it closed it.
    Closed {
        code: Option<u64>,
        text: String,
    },
}

#[derive(Debug)]
pub(super) struct Wire {
    connection: Connection,
    /// Bytes for the stream; a task writes them. The stream ends with the sender.
    out: Option<mpsc::UnboundedSender<Vec<u8>>>,
    incoming: mpsc::UnboundedReceiver<Incoming>,
    _endpoint: Endpoint,
}

impl Wire {
    pub(super) async fn open(
        identity: &ClockIdentity,
        hub: SocketAddr,
        faults: Vec<Fault>,
    ) -> Result<Self, EnrolFailure> {
        let link = |error: &dyn std::fmt::Display| EnrolFailure::Link(error.to_string());
        let mut endpoint = endpoint(hub)?;
        let enrolled = &identity.enrolled;
        let config = tls::session_client(
            &enrolled.authority_der,
            Some(&enrolled.certificate_der)
                .filter(|der| !der.is_empty())
                .map(Vec::as_slice),
            &identity.key,
        )?;
        endpoint.set_default_client_config(config);
        let connecting = endpoint.connect(hub, SERVER_NAME).map_err(|e| link(&e))?;
        let connection = connecting.await.map_err(|e| link(&e))?;
        let (mut send, receive) = connection.open_bi().await.map_err(|e| link(&e))?;
        let (out, mut outgoing) = mpsc::unbounded_channel::<Vec<u8>>();
        tokio::spawn(async move {
            while let Some(bytes) = outgoing.recv().await {
                if send.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            // The peer may be gone already.
            let _ = send.finish();
        });
        let (tell, incoming) = mpsc::unbounded_channel();
        tokio::spawn(read_stream(
            connection.clone(),
            receive,
            tell.clone(),
            faults,
        ));
        tokio::spawn(read_datagrams(connection.clone(), tell));
        Ok(Self {
            connection,
            out: Some(out),
            incoming,
            _endpoint: endpoint,
        })
    }

    pub(super) fn send(&self, bytes: Vec<u8>) {
        if let Some(out) = &self.out {
            // The writer ends with the connection; the reader reports that.
            let _ = out.send(bytes);
        }
    }

    pub(super) fn datagram(&self, bytes: Vec<u8>) {
        // As for the stream.
        let _ = self.connection.send_datagram(bytes.into());
    }

    /// Returns what came next. Cancel-safe.
    pub(super) async fn next(&mut self) -> Incoming {
        let closed = || Incoming::Closed {
            code: None,
            text: "the link has ended".to_owned(),
        };
        self.incoming.recv().await.unwrap_or_else(closed)
    }

    /// Ends the stream, so that what is queued arrives; the peer then closes the connection.
    pub(super) fn finish(&mut self) {
        self.out = None;
    }

    pub(super) fn close(&self, code: u32, text: &str) {
        self.connection
            .close(VarInt::from_u32(code), text.as_bytes());
    }
}

async fn read_stream(
    connection: Connection,
    mut receive: RecvStream,
    tell: mpsc::UnboundedSender<Incoming>,
    faults: Vec<Fault>,
) {
    let mut frames = Frames::new(faults);
    loop {
        while let Some(incoming) = frames.next() {
            if tell.send(incoming).is_err() {
                return;
            }
        }
        match receive.read_chunk(4096, true).await {
            Ok(Some(chunk)) => frames.push(&chunk.bytes),
            Ok(None) | Err(_) => break,
        }
    }
    // The receiver may be gone.
    let error = connection.closed().await;
    let code = crate::close_code(&error);
    let _ = tell.send(Incoming::Closed {
        code,
        text: error.to_string(),
    });
}

async fn read_datagrams(connection: Connection, tell: mpsc::UnboundedSender<Incoming>) {
    while let Ok(bytes) = connection.read_datagram().await {
        let incoming = match decode::<HubFrame>(&bytes) {
            Ok(frame) => Incoming::Frame(frame),
            Err(error) => Incoming::Bad(error),
        };
        if tell.send(incoming).is_err() {
            return;
        }
    }
}

/// The frames of a stream, read as strictly as the clock's faults allow.
struct Frames {
    deframer: Deframer,
    buffer: Vec<u8>,
    faults: Vec<Fault>,
}

impl Frames {
    fn new(faults: Vec<Fault>) -> Self {
        Self {
            deframer: Deframer::default(),
            buffer: Vec::new(),
            faults,
        }
    }

    fn lax(&self) -> bool {
        let lax = [
            Fault::TooLong,
            Fault::Garbage,
            Fault::UnknownKind,
            Fault::UnknownField,
        ];
        self.faults.iter().any(|fault| lax.contains(fault))
    }

    fn push(&mut self, bytes: &[u8]) {
        if self.lax() {
            self.buffer.extend_from_slice(bytes);
        } else {
            self.deframer.push(bytes);
        }
    }

    fn next(&mut self) -> Option<Incoming> {
        if !self.lax() {
            return match self.deframer.next() {
                Ok(Some(frame)) => Some(Incoming::Frame(frame)),
                Ok(None) => None,
                Err(error) => {
                    self.deframer = Deframer::default();
                    Some(Incoming::Bad(error))
                }
            };
        }
        loop {
            let prefix = *self.buffer.first_chunk::<PREFIX>()?;
            let len = usize::from(u16::from_be_bytes(prefix));
            if len > MAX_FRAME && !self.faults.contains(&Fault::TooLong) {
                self.buffer.clear();
                let bound = MAX_FRAME;
                return Some(Incoming::Bad(FrameError::TooLong { got: len, bound }));
            }
            if self.buffer.len() < PREFIX + len {
                return None;
            }
            let frame: Vec<u8> = self.buffer.drain(..PREFIX + len).skip(PREFIX).collect();
            let error = match decode::<HubFrame>(&frame) {
                Ok(whole)
                    if self.faults.contains(&Fault::UnknownField)
                        && whole.encoded_len() != frame.len() =>
                {
                    let what = "unknown field".to_owned();
                    return Some(Incoming::Bad(FrameError::Malformed(what)));
                }
                Ok(frame) => return Some(Incoming::Frame(frame)),
                Err(error) => error,
            };
            let ignored = match &error {
                FrameError::TooLong { .. } => Fault::TooLong,
                FrameError::Malformed(_) => Fault::Garbage,
                FrameError::UnknownKind => Fault::UnknownKind,
            };
            if !self.faults.contains(&ignored) {
                return Some(Incoming::Bad(error));
            }
        }
    }
}
