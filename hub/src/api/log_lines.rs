//! Records of the log as lines for people. Reads durable records on a separate thread, at the reader's pace, and stops when the reader
//! has gone.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::BoxStream;
use proto::grpc::{LogLine, ReadLogRequest};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use super::log_places::{LogPlaces, damaged, record_of};
use durable_log::LogReader;
use hall::{GamePlace, describe};

/// Lines read ahead of a reader.
const AHEAD: usize = 64;

/// Returns the records about one board, or all records if no board is named, oldest first; only those of the requested game and round.
pub(super) fn read(
    log: LogReader,
    places: Arc<LogPlaces>,
    request: ReadLogRequest,
) -> BoxStream<'static, Result<LogLine, Status>> {
    let (lines, received) = mpsc::channel(AHEAD);
    tokio::task::spawn_blocking(move || {
        let filtered = request.game != 0 || request.round != 0;
        let gone = || lines.is_closed();
        let (found, reached) = match request.board.as_str() {
            "" if !filtered => {
                let records = log.read(request.from_index);
                let all = records.map(|record| {
                    let (index, payload) = record.map_err(|error| damaged(&error))?;
                    line(index, payload, GamePlace::default())
                });
                return send(&lines, all);
            }
            board => places.of(&log, board, request.from_index, gone),
        };
        let chosen = found
            .into_iter()
            .filter(|place| place.of.is_in(request.game, request.round))
            .filter_map(|place| {
                let (index, payload) = match log.read(place.index).next()? {
                    Ok(record) => record,
                    Err(error) => return Some(Err(damaged(&error))),
                };
                Some(line(index, payload, place.of))
            });
        send(&lines, chosen.chain(reached.err().map(Err)));
    });
    ReceiverStream::new(received).boxed()
}

/// Sends lines until the reader has gone, or a line cannot be read.
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

fn line(index: u64, payload: Vec<u8>, of: GamePlace) -> Result<LogLine, Status> {
    let record = record_of(index, &payload)?;
    Ok(LogLine {
        index,
        hub_us: record.hub_us,
        board: record.board.clone(),
        text: describe(&record),
        record: payload,
        game: of.game,
        round: of.round,
    })
}
