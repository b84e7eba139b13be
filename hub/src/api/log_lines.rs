//! Records of the log as lines for people. Reads what is durable, on a thread of its own, at the reader's pace.

use futures::StreamExt;
use futures::stream::BoxStream;
use prost::Message;
use proto::grpc::{LogLine, ReadLogRequest};
use proto::log::Record;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use crate::hall::describe;
use crate::log::LogReader;

/// Lines read ahead of a reader.
const AHEAD: usize = 64;

/// The records about one board, or all of them for no board, oldest first.
pub(super) fn read(
    log: LogReader,
    request: ReadLogRequest,
) -> BoxStream<'static, Result<LogLine, Status>> {
    let (lines, received) = mpsc::channel(AHEAD);
    tokio::task::spawn_blocking(move || {
        for record in log.read(request.from_index) {
            let line = match record {
                Ok((index, payload)) => line(index, payload, &request.board).transpose(),
                Err(error) => Some(Err(Status::data_loss(error.to_string()))),
            };
            let Some(line) = line else { continue };
            let last = line.is_err();
            if lines.blocking_send(line).is_err() || last {
                return;
            }
        }
    });
    ReceiverStream::new(received).boxed()
}

fn line(index: u64, payload: Vec<u8>, board: &str) -> Result<Option<LogLine>, Status> {
    let record = Record::decode(payload.as_slice())
        .map_err(|error| Status::data_loss(format!("record {index} cannot be read: {error}")))?;
    if !board.is_empty() && record.board != board {
        return Ok(None);
    }
    Ok(Some(LogLine {
        index,
        hub_us: record.hub_us,
        board: record.board.clone(),
        text: describe(&record),
        record: payload,
    }))
}
