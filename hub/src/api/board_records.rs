//! An in-memory index of each board's records, sixteen bytes per record, so that one board's records can be read without reading all others. The
//! hub indexes the log when it starts; after that, a periodic task and readers add new records. Contains no record: each
//! record is verified again when it is read.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use prost::Message;
use proto::log::Record;
use tokio_util::sync::CancellationToken;
use tonic::{Result, Status};

use super::work::Turn;
use crate::lock::lock;
use durable_log::LogReader;
use hall::GamePlace;
pub(super) use hall::replay::Place;
use hall::replay::RecordIndex;

const INDEX_EVERY: Duration = Duration::from_secs(60);
/// Maximum number of records indexed in one computation, so that other callers get their turn in between.
const STEP: usize = 10_000;

#[derive(Debug, Default)]
pub struct BoardRecordIndex {
    known: Mutex<RecordIndex>,
    /// Lets one reader at a time index the log; the others wait without occupying a thread.
    indexing: tokio::sync::Mutex<()>,
}

/// The places of records in log order, and the error if the log could not be read to its end.
type Found = (Vec<Place>, Result<()>);

impl BoardRecordIndex {
    /// Continues from an index of the log's first records.
    pub fn new(index: RecordIndex) -> Self {
        Self {
            known: Mutex::new(index),
            indexing: tokio::sync::Mutex::default(),
        }
    }

    /// Returns, in order, the places of the records about `board` (any board if it is empty) from index `from` to the log's current end. Also
    /// returns the error if one of these records cannot be read. Damage before `from` does not prevent reading later records.
    pub(super) async fn of(
        self: &Arc<Self>,
        log: &LogReader,
        turn: &Turn,
        board: String,
        from: u64,
    ) -> Result<Found> {
        let reached = self.complete(log, turn).await?;
        let (places, log) = (self.clone(), log.clone());
        turn.computed(move || places.find(&log, &board, from, reached))
            .await
    }

    /// Indexes the log up to its current end. The inner error means that a record cannot be read, the outer one that the computation
    /// failed.
    pub(super) async fn complete(
        self: &Arc<Self>,
        log: &LogReader,
        turn: &Turn,
    ) -> Result<Result<()>> {
        let _indexing = self.indexing.lock().await;
        let end = log.len();
        loop {
            let (places, log) = (self.clone(), log.clone());
            match turn.computed(move || places.index(&log, end)).await? {
                Ok(Indexed::Partly) => (),
                Ok(Indexed::Whole) => return Ok(Ok(())),
                Err(why) => return Ok(Err(why)),
            }
        }
    }

    /// Indexes the log up to its current end, on the caller's thread. Returns DATA_LOSS if a record cannot be read.
    pub(crate) fn complete_here(&self, log: &LogReader) -> Result<()> {
        let end = log.len();
        while let Indexed::Partly = self.index(log, end)? {}
        Ok(())
    }

    /// Calls `reader` with the index, which stays locked during the call, so `reader` must return quickly.
    pub(crate) fn read<T>(&self, reader: impl FnOnce(&RecordIndex) -> T) -> T {
        reader(&lock(&self.known))
    }

    fn index(&self, log: &LogReader, end: u64) -> Result<Indexed> {
        let mut known = lock(&self.known);
        for record in log.read(known.next()).take(STEP) {
            let (index, payload) = record.map_err(|error| damaged(&error))?;
            known.add(index, &record_of(index, &payload)?);
        }
        Ok(if known.next() < end {
            Indexed::Partly
        } else {
            Indexed::Whole
        })
    }

    fn find(&self, log: &LogReader, board: &str, from: u64, reached: Result<()>) -> Found {
        let known = lock(&self.known);
        if reached.is_err() && from > known.next() {
            drop(known);
            return tail(log, board, from);
        }
        (known.places(board, from), reached)
    }
}

/// Indexes new records every minute until `ending` is cancelled, so that no reader has to index a whole day's records.
pub(super) async fn keep(
    places: Arc<BoardRecordIndex>,
    log: LogReader,
    turn: Turn,
    ending: CancellationToken,
) {
    while ending
        .run_until_cancelled(tokio::time::sleep(INDEX_EVERY))
        .await
        .is_some()
    {
        // Ignore an error: a reader who requests the damaged record gets the error again.
        let _ = places.complete(&log, &turn).await;
    }
}

enum Indexed {
    Partly,
    Whole,
}

/// Searches the log itself for records beyond the index, which ends before a damaged record.
fn tail(log: &LogReader, board: &str, from: u64) -> Found {
    let mut found = Vec::new();
    for record in log.read(from) {
        let about = record
            .map_err(|error| damaged(&error))
            .and_then(|(index, payload)| Ok((index, record_of(index, &payload)?.board)));
        match about {
            // A record's game is unknown without the records before it.
            Ok((index, about)) if about == board || board.is_empty() => found.push(Place {
                index,
                game: GamePlace::default(),
            }),
            Ok(_) => (),
            Err(why) => return (found, Err(why)),
        }
    }
    (found, Ok(()))
}

pub(super) fn record_of(index: u64, payload: &[u8]) -> Result<Record> {
    Record::decode(payload)
        .map_err(|error| Status::data_loss(format!("record {index} cannot be read: {error}")))
}

pub(super) fn payload_of(log: &LogReader, index: u64) -> Result<Vec<u8>> {
    let record = log.read(index).next();
    let record = record.ok_or_else(|| Status::data_loss(format!("record {index} is missing")))?;
    Ok(record.map_err(|error| damaged(&error))?.1)
}

pub(super) fn damaged(error: &impl std::fmt::Display) -> Status {
    Status::data_loss(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use durable_log::{Log, Submission};

    #[test]
    fn a_damaged_record_does_not_hide_the_records_after_it() {
        let dir = tempfile::tempdir().unwrap();
        let about = |board: &str| {
            let board = board.to_owned();
            let record = Record {
                board,
                ..Record::default()
            };
            record.encode_to_vec()
        };
        let log = Log::open(dir.path()).unwrap();
        let handle = log.into_commit(|_| (), |why| panic!("{why}")).unwrap();
        let submission = Submission {
            records: vec![about("1"), vec![0xff], about("2"), about("1")],
            effects: (),
        };
        handle.submit(submission).unwrap();
        handle.close().unwrap();
        let log = Log::open(dir.path()).unwrap().reader();
        let places = BoardRecordIndex::default();
        let read = |from| {
            let indexed = places.index(&log, log.len()).map(|_| ());
            let (found, reached) = places.find(&log, "1", from, indexed);
            let found: Vec<u64> = found.iter().map(|place| place.index).collect();
            (found, reached.is_ok())
        };
        assert_eq!(read(0), (vec![0], false));
        assert_eq!(read(1), (vec![], false));
        assert_eq!(read(2), (vec![3], true));
    }
}
