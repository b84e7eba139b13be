//! One clock behind a gateway: turns the values on a stream into a carrier like that of the hub's own radios. Owns one stream. Invalid data on a
//! stream ends only that stream.

use std::time::Duration;

use proto::ble::{MAX_VALUE, MIN_VALUE};
use proto::relay::{ValueReader, prefixed};
use proto::wire::ClockStreamHello;
use quinn::{RecvStream, SendStream, VarInt};
use timing::{Hub, Instant};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::{CHUNK, radio_of, shortened};
use crate::links::Context;
use crate::links::ble::{Carrier, serve_target};
use crate::time_source::TimeSource;

const HELLO_WITHIN: Duration = Duration::from_secs(5);
/// Maximum number of values queued in each direction: two windows.
const QUEUE: usize = 32;
/// Error code for closing a stream that is not a clock's.
const NONSENSE: u32 = 1;

/// Serves the clock on a stream that `gateway` has opened, until either end has finished.
pub(super) async fn serve(
    gateway: String,
    mut send: SendStream,
    mut receive: RecvStream,
    context: Context,
) {
    let opened = context.time.hub_now();
    let mut values = ValueReader::default();
    let hello = match timeout(HELLO_WITHIN, first(&mut receive, &mut values)).await {
        Ok(Ok(hello)) => hello,
        Ok(Err(why)) => return refuse(&gateway, &mut send, &mut receive, &why),
        Err(_) => return refuse(&gateway, &mut send, &mut receive, "no hello within 5 s"),
    };
    let radio = radio_of(&gateway, &hello.adapter);
    let way = format!("{radio} {}", shortened(&hello.address));
    let (came, incoming) = mpsc::channel(QUEUE);
    let (outgoing, going) = mpsc::channel(QUEUE);
    let room = usize::try_from(hello.room);
    let carrier = Carrier {
        incoming,
        outgoing,
        room: room.unwrap_or(MAX_VALUE).clamp(MIN_VALUE, MAX_VALUE),
    };
    let reading = read(receive, values, came, context.time.clone());
    let writing = write(send, going);
    let pairing = Some(hello.pairing).filter(|number| *number != 0);
    let served = serve_target(carrier, &way, opened, pairing, &context);
    // Writing continues after the session ends, until the session's last values are sent.
    let (served, ended, ()) = tokio::join!(served, reading, writing);
    if let Err(why) = served {
        let because = ended.err().unwrap_or_default();
        tracing::info!(way, why, because, "a clock's stream came to nothing");
    }
}

fn refuse(gateway: &str, send: &mut SendStream, receive: &mut RecvStream, why: &str) {
    tracing::warn!(gateway, why, "closing a stream that is not a clock's");
    // Ignore an error: the stream may have ended already.
    let _ = send.reset(VarInt::from_u32(NONSENSE));
    let _ = receive.stop(VarInt::from_u32(NONSENSE));
}

async fn first(
    receive: &mut RecvStream,
    values: &mut ValueReader,
) -> Result<ClockStreamHello, String> {
    loop {
        if let Some(hello) = values.hello().map_err(|error| error.to_string())? {
            return Ok(hello);
        }
        read_more(receive, values).await?;
    }
}

async fn read_more(receive: &mut RecvStream, values: &mut ValueReader) -> Result<(), String> {
    match receive.read_chunk(CHUNK, true).await {
        Ok(Some(chunk)) => {
            values.push(&chunk.bytes);
            Ok(())
        }
        Ok(None) => Err("the gateway's radio has lost the clock".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Passes values on, each with its instant of arrival at the hub, until either end stops.
async fn read(
    mut receive: RecvStream,
    mut values: ValueReader,
    came: mpsc::Sender<(Vec<u8>, Instant<Hub>)>,
    time: TimeSource,
) -> Result<(), String> {
    loop {
        while let Some(value) = values.next().map_err(|error| error.to_string())? {
            if came.send((value, time.hub_now())).await.is_err() {
                return Ok(());
            }
        }
        tokio::select! {
            read = read_more(&mut receive, &mut values) => read?,
            () = came.closed() => return Ok(()),
        }
    }
}

async fn write(mut send: SendStream, mut going: mpsc::Receiver<Vec<u8>>) {
    while let Some(value) = going.recv().await {
        let Ok(bytes) = prefixed(&value) else {
            // Cannot happen: the carrier's `room` keeps every value within the limit.
            tracing::error!(
                bytes = value.len(),
                "a value is too long for an attribute: the clock's link ends"
            );
            return;
        };
        if send.write_all(&bytes).await.is_err() {
            return;
        }
    }
    // Ignore an error: the connection may have ended already.
    let _ = send.finish();
}
