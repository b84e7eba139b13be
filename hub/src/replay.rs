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

/// Folds an open log to a hall, from its newest usable snapshot, else from its first record.
///
/// # Errors
/// See [`ReplayError`].
pub fn fold(log: &Log) -> Result<Hall, ReplayError> {
    if let Some((index, bytes)) = log.snapshot() {
        match Hall::from_snapshot(&bytes) {
            Ok(hall) if hall.records() == index => {
                return go_on(hall, log.read(index));
            }
            Ok(hall) => tracing::warn!(
                index,
                records = hall.records(),
                "the snapshot belongs to another place of the log: folding the log from its beginning"
            ),
            Err(error) => tracing::warn!(%error, "folding the log from its beginning"),
        }
    }
    go_on(Hall::new(), log.read(0))
}

/// Applies records, in order, to a hall just before the first of them.
///
/// # Errors
/// See [`ReplayError`].
pub fn go_on(
    mut hall: Hall,
    records: impl Iterator<Item = Result<(u64, Vec<u8>), ReadError>>,
) -> Result<Hall, ReplayError> {
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
