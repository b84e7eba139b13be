//! Folds a log into the state of the hall, and reads the records of a game. Never writes.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use prost::Message;
use proto::log::Record;

use durable_log::{Batch, Log, LogReader, ReadError, Records};
use hall::replay::RecordIndex;
use hall::{FoldError, Hall};

/// Number of records that the reading thread hands over together.
const BATCH: usize = 1_024;
/// Maximum number of batches that may wait for the fold.
const AHEAD: usize = 4;

#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("record {index} is not a record of the hall: {what}")]
    Undecodable { index: u64, what: String },
    #[error("record {0} is missing")]
    Missing(u64),
    /// The records are inconsistent, or lead to clock states other than the recorded ones.
    #[error(transparent)]
    Fold(#[from] FoldError),
}

pub fn fold(log: &Log) -> Result<Hall, ReplayError> {
    fold_each(log, |_, _| ())
}

/// Folds an open log into a hall, and indexes its records.
pub fn fold_indexed(log: &Log) -> Result<(Hall, RecordIndex), ReplayError> {
    let mut index = RecordIndex::default();
    let hall = fold_each(log, |at, record| index.add(at, record))?;
    Ok((hall, index))
}

/// Reads the records with these indexes, for example those that [`RecordIndex::needed`] returns. Each record comes with its index.
pub fn records_at(log: &LogReader, indexes: &[u64]) -> Result<Vec<(u64, Record)>, ReplayError> {
    let read = |index: &u64| {
        let record = log.read(*index).next();
        let (index, payload) = record.ok_or(ReplayError::Missing(*index))??;
        Ok((index, decoded(index, &payload)?))
    };
    indexes.iter().map(read).collect()
}

/// Folds while a second thread reads and verifies the next records. A third thread for decoding would cost more than it gains: when one
/// thread allocates memory and another frees it, both have to wait.
fn fold_each(log: &Log, mut each: impl FnMut(u64, &Record)) -> Result<Hall, ReplayError> {
    let records = log.read(0);
    let (ahead, batches) = sync_channel(AHEAD);
    thread::scope(|scope| {
        scope.spawn(move || read_all(records, &ahead));
        let mut hall = Hall::new();
        for batch in batches {
            let batch: Batch = batch?;
            for (index, payload) in batch.iter() {
                let record = decoded(index, payload)?;
                each(index, &record);
                hall.apply(record)?;
            }
        }
        Ok(hall)
    })
}

/// Sends every batch up to the end or the first error. The fold stops receiving after an error.
fn read_all(mut records: Records, fold: &SyncSender<Result<Batch, ReadError>>) {
    loop {
        let batch = records.next_batch(BATCH);
        let is_last = batch.as_ref().map_or(true, Batch::is_empty);
        if fold.send(batch).is_err() || is_last {
            break;
        }
    }
}

pub(crate) fn decoded(index: u64, payload: &[u8]) -> Result<Record, ReplayError> {
    Record::decode(payload).map_err(|error| ReplayError::Undecodable {
        index,
        what: error.to_string(),
    })
}
