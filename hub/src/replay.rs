//! Folds a log to the state of the hall, and reads the records of a game. Used at start, by `flagfall replay`, and to compare two hubs. Never
//! writes.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use prost::Message;
use proto::log::Record;

use durable_log::{Batch, Log, LogReader, ReadError, Records};
use hall::replay::RecordIndex;
use hall::{FoldError, Hall};

/// The number of records that one stage hands to the next at once.
const BATCH: usize = 1_024;
/// The number of batches that may wait for a stage.
const AHEAD: usize = 4;

/// The reason why a log cannot be folded.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ReplayError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("record {index} is no record of the hall: {what}")]
    Undecodable { index: u64, what: String },
    #[error("record {0} is missing")]
    Missing(u64),
    /// The records are inconsistent, or lead to other clocks than they state.
    #[error(transparent)]
    Fold(#[from] FoldError),
}

/// Folds an open log to a hall.
///
/// # Errors
/// See [`ReplayError`].
pub fn fold(log: &Log) -> Result<Hall, ReplayError> {
    fold_each(log, |_, _| ())
}

/// Folds an open log to a hall, and indexes its records.
///
/// # Errors
/// See [`ReplayError`].
pub fn fold_indexed(log: &Log) -> Result<(Hall, RecordIndex), ReplayError> {
    let mut index = RecordIndex::default();
    let hall = fold_each(log, |at, record| index.add(at, record))?;
    Ok((hall, index))
}

/// Reads records, such as those that [`RecordIndex::needed`] names, each with its index.
///
/// # Errors
/// See [`ReplayError`].
pub fn records_at(log: &LogReader, indexes: &[u64]) -> Result<Vec<(u64, Record)>, ReplayError> {
    let read = |index: &u64| {
        let record = log.read(*index).next();
        let (index, payload) = record.ok_or(ReplayError::Missing(*index))??;
        Ok((index, decoded(index, &payload)?))
    };
    indexes.iter().map(read).collect()
}

/// Folds in three stages, each on its own thread: read and verify, decode, apply.
fn fold_each(log: &Log, each: impl FnMut(u64, &Record) + Send) -> Result<Hall, ReplayError> {
    let records = log.read(0);
    let (read, batches) = sync_channel(AHEAD);
    let (decode, decoded) = sync_channel(AHEAD);
    thread::scope(|scope| {
        scope.spawn(move || read_all(records, &read));
        scope.spawn(move || decode_all(&batches, &decode, each));
        let mut hall = Hall::new();
        for records in decoded {
            for record in records? {
                hall.apply(record)?;
            }
        }
        Ok(hall)
    })
}

/// Sends every batch up to the end or the first error. The next stage stops receiving after an error.
fn read_all(mut records: Records, next: &SyncSender<Result<Batch, ReadError>>) {
    loop {
        let batch = records.next_batch(BATCH);
        let is_last = batch.as_ref().map_or(true, Batch::is_empty);
        if next.send(batch).is_err() || is_last {
            break;
        }
    }
}

fn decode_all(
    batches: &Receiver<Result<Batch, ReadError>>,
    next: &SyncSender<Result<Vec<Record>, ReplayError>>,
    mut each: impl FnMut(u64, &Record),
) {
    for batch in batches {
        let records = batch.map_err(ReplayError::from).and_then(|batch| {
            let records = batch.iter().map(|(index, payload)| {
                let record = decoded(index, payload)?;
                each(index, &record);
                Ok(record)
            });
            records.collect()
        });
        if next.send(records).is_err() {
            break;
        }
    }
}

fn decoded(index: u64, payload: &[u8]) -> Result<Record, ReplayError> {
    Record::decode(payload).map_err(|error| ReplayError::Undecodable {
        index,
        what: error.to_string(),
    })
}
