//! Carries one clock's values to the hub and back, in order. Must never inspect a value.

use proto::frame::encode_prefixed;
use proto::relay::{ValueReader, prefixed};
use proto::wire::ClockStreamHello;
use quinn::{RecvStream, SendStream};
use timing::{Hub, Instant};
use tokio::sync::mpsc;

use super::message_of;
use crate::links::{Carrier, ConnectTarget};

const CHUNK: usize = 4096;
/// Maximum length of a radio's name and of a clock's address, in characters.
const MAX_NAME: usize = 40;

/// Carries the values of a clock until the clock disconnects or the hub has finished.
pub(super) async fn carry(
    carrier: Carrier,
    mut send: SendStream,
    receive: RecvStream,
    target: &ConnectTarget,
) -> Result<(), String> {
    let hello = ClockStreamHello {
        adapter: short(&target.adapter),
        address: short(&target.address),
        // Not truncated: a value has at most 510 bytes.
        room: carrier.room as u32,
        pairing: target.pairing.unwrap_or(0),
    };
    let bytes = encode_prefixed(&hello).map_err(message_of)?;
    send.write_all(&bytes).await.map_err(message_of)?;
    tokio::select! {
        end = to_hub(carrier.incoming, send) => end,
        end = from_hub(receive, carrier.outgoing) => end,
    }
}

pub(super) fn short(text: &str) -> String {
    text.chars().take(MAX_NAME).collect()
}

async fn to_hub(
    mut incoming: mpsc::Receiver<(Vec<u8>, Instant<Hub>)>,
    mut send: SendStream,
) -> Result<(), String> {
    while let Some((value, _)) = incoming.recv().await {
        let bytes = prefixed(&value).map_err(message_of)?;
        send.write_all(&bytes).await.map_err(message_of)?;
    }
    // Ignore a failure: the hub may have gone before the clock.
    let _ = send.finish();
    Err("the clock is gone".to_owned())
}

async fn from_hub(mut receive: RecvStream, outgoing: mpsc::Sender<Vec<u8>>) -> Result<(), String> {
    let mut values = ValueReader::default();
    loop {
        while let Some(value) = values.next().map_err(message_of)? {
            let sent = outgoing.send(value).await;
            sent.map_err(|_| "the clock is gone")?;
        }
        match receive.read_chunk(CHUNK, true).await {
            Ok(Some(chunk)) => values.push(&chunk.bytes),
            Ok(None) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        }
    }
}
