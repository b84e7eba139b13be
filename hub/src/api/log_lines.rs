//! Records of the log as lines for people. Reads what is durable, on a thread of its own, at the reader's pace, and no longer than somebody
//! reads.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::BoxStream;
use proto::grpc::{LogLine, ReadLogRequest};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use super::log_places::{LogPlaces, damaged, record_of};
use crate::hall::describe;
use crate::log::LogReader;

/// Lines read ahead of a reader.
const AHEAD: usize = 64;

/// The records about one board, or all of them for no board, oldest first.
pub(super) fn read(
    log: LogReader,
    places: Arc<LogPlaces>,
    request: ReadLogRequest,
) -> BoxStream<'static, Result<LogLine, Status>> {
    let (lines, received) = mpsc::channel(AHEAD);
    tokio::task::spawn_blocking(move || {
        if request.board.is_empty() {
            let records = log.read(request.from_index);
            send(
                &lines,
                records.map(|record| {
                    let (index, payload) = record.map_err(|error| damaged(&error))?;
                    line(index, payload)
                }),
            );
            return;
        }
        let (found, reached) = places.of(&log, &request.board, request.from_index, || {
            lines.is_closed()
        });
        let of_board = found.into_iter().filter_map(|index| {
            let (index, payload) = match log.read(index).next()? {
                Ok(record) => record,
                Err(error) => return Some(Err(damaged(&error))),
            };
            Some(line(index, payload))
        });
        send(&lines, of_board.chain(reached.err().map(Err)));
    });
    ReceiverStream::new(received).boxed()
}

/// Hands over lines until the reader has gone, or one cannot be read.
fn send(
    lines: &mpsc::Sender<Result<LogLine, Status>>,
    read: impl Iterator<Item = Result<LogLine, Status>>,
) {
    for line in read {
        let last = line.is_err();
        if lines.blocking_send(line).is_err() || last {
            return;
        }
    }
}

fn line(index: u64, payload: Vec<u8>) -> Result<LogLine, Status> {
    let record = record_of(index, &payload)?;
    Ok(LogLine {
        index,
        hub_us: record.hub_us,
        board: record.board.clone(),
        text: describe(&record),
        record: payload,
    })
}
