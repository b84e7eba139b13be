//! Reads a link at either end: the frames of its stream and its datagrams, each with its time of arrival, and the end
//! of the connection.

use proto::frame::{Deframer, Frame, FrameError, MAX_FRAME, PREFIX, decode};
use quinn::{Connection, ConnectionError, RecvStream};
use tokio::sync::mpsc;

use crate::clock::Fault;
use crate::time_source::raw_us;

#[derive(Debug)]
pub(crate) struct Received<F> {
    pub(crate) at_us: i64,
    pub(crate) what: Incoming<F>,
}

#[derive(Debug)]
pub(crate) enum Incoming<F> {
    Frame(F),
    Bad(FrameError),
    /// The connection has ended. `code` is the application's close code from the other end, if it sent one.
    Closed {
        code: Option<u64>,
        text: String,
    },
}

/// Reads a connection, as strictly as `faults` allow.
pub(crate) fn read<F: Frame + Send + 'static>(
    connection: &Connection,
    receive: RecvStream,
    faults: Vec<Fault>,
) -> mpsc::UnboundedReceiver<Received<F>> {
    let (tell, heard) = mpsc::unbounded_channel();
    let frames = Frames::new(faults);
    tokio::spawn(read_stream(
        connection.clone(),
        receive,
        frames,
        tell.clone(),
    ));
    tokio::spawn(read_datagrams(connection.clone(), tell));
    heard
}

async fn read_stream<F: Frame>(
    connection: Connection,
    mut receive: RecvStream,
    mut frames: Frames,
    tell: mpsc::UnboundedSender<Received<F>>,
) {
    loop {
        while let Some(what) = frames.next() {
            let at_us = raw_us();
            if tell.send(Received { at_us, what }).is_err() {
                return;
            }
        }
        match receive.read_chunk(16 * 1024, true).await {
            Ok(Some(chunk)) => frames.push(&chunk.bytes),
            Ok(None) | Err(_) => break,
        }
    }
    let error = connection.closed().await;
    let (code, text) = (close_code(&error), error.to_string());
    // The receiver may have been dropped.
    let _ = tell.send(Received {
        at_us: raw_us(),
        what: Incoming::Closed { code, text },
    });
}

async fn read_datagrams<F: Frame>(
    connection: Connection,
    tell: mpsc::UnboundedSender<Received<F>>,
) {
    while let Ok(bytes) = connection.read_datagram().await {
        let at_us = raw_us();
        let what = decode(&bytes).map_or_else(Incoming::Bad, Incoming::Frame);
        if tell.send(Received { at_us, what }).is_err() {
            return;
        }
    }
}

/// Returns the application's close code from the other end; `None` if the connection ended in any other way.
fn close_code(error: &ConnectionError) -> Option<u64> {
    match error {
        ConnectionError::ApplicationClosed(close) => Some(close.error_code.into_inner()),
        ConnectionError::VersionMismatch
        | ConnectionError::TransportError(_)
        | ConnectionError::ConnectionClosed(_)
        | ConnectionError::Reset
        | ConnectionError::TimedOut
        | ConnectionError::LocallyClosed
        | ConnectionError::CidsExhausted => None,
    }
}

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

    fn next<F: Frame>(&mut self) -> Option<Incoming<F>> {
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
            let error = match decode::<F>(&frame) {
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
