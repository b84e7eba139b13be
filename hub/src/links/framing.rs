//! Frames on a QUIC stream, for sessions, enrolments and gateways. Knows their lengths, but not their meaning.

use proto::frame::{Deframer, Frame};
use quinn::RecvStream;

use super::link::LinkEnd;

const CHUNK: usize = 16 * 1024;

pub(crate) struct FrameReader {
    receive: RecvStream,
    deframer: Deframer,
    end: &'static str,
}

impl FrameReader {
    /// Creates a reader that reports `end` as the reason when the stream ends.
    pub(crate) fn new(receive: RecvStream, end: &'static str) -> Self {
        Self {
            receive,
            deframer: Deframer::default(),
            end,
        }
    }

    /// Returns the next frame. Cancel safe.
    pub(crate) async fn next<F: Frame>(&mut self) -> Result<F, LinkEnd> {
        loop {
            if let Some(frame) = self.deframer.next()? {
                return Ok(frame);
            }
            match self.receive.read_chunk(CHUNK, true).await {
                Ok(Some(chunk)) => self.deframer.push(&chunk.bytes),
                Ok(None) => return Err(LinkEnd::Lost(self.end.to_owned())),
                Err(error) => return Err(LinkEnd::Lost(error.to_string())),
            }
        }
    }
}
