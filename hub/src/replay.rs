//! Folds a log to the state of the hall. Used at start, by `flagfall replay`, and to compare two hubs. Never writes.

use prost::Message;
use proto::log::Record;

use durable_log::{Log, ReadError};
use hall::{FoldError, Hall};

/// The reason why a log cannot be folded.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ReplayError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("record {index} is no record of the hall: {what}")]
    Undecodable { index: u64, what: String },
    /// The records are inconsistent, or lead to other clocks than they state.
    #[error(transparent)]
    Fold(#[from] FoldError),
}

/// Folds an open log to a hall.
///
/// # Errors
/// See [`ReplayError`].
pub fn fold(log: &Log) -> Result<Hall, ReplayError> {
    fold_records(log.read(0))
}

/// Folds records in order, beginning with the first of a log.
///
/// # Errors
/// See [`ReplayError`].
pub fn fold_records(
    records: impl Iterator<Item = Result<(u64, Vec<u8>), ReadError>>,
) -> Result<Hall, ReplayError> {
    let mut hall = Hall::new();
    for record in records {
        let (index, payload) = record?;
        let record =
            Record::decode(payload.as_slice()).map_err(|error| ReplayError::Undecodable {
                index,
                what: error.to_string(),
            })?;
        hall.apply(record)?;
    }
    Ok(hall)
}
