//! A log read again: the hall it leads to. Used at start, by `flagfall replay`, and by whoever compares two hubs. Never writes.

use prost::Message;
use proto::log::Record;

use durable_log::{Log, LogReader, ReadError};
use hall::{FoldError, Hall};

/// Why a log leads to no hall.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A record is missing, or not what was written.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A record is no record of this schema.
    #[error("record {index} is no record of the hall: {what}")]
    Undecodable {
        /// Its index.
        index: u64,
        /// What is wrong.
        what: String,
    },
    /// The records do not follow from one another, or lead to other clocks than they say.
    #[error(transparent)]
    Fold(#[from] FoldError),
}

/// The hall of an open log: from its newest snapshot that can be used, else from its first record.
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

/// The hall after every record of a log, from the first on: every snapshot aside.
///
/// # Errors
/// See [`ReplayError`].
pub fn fold_all(log: &LogReader) -> Result<Hall, ReplayError> {
    go_on(Hall::new(), log.read(0))
}

/// Applies records, in order, to a hall that stands just before the first of them.
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
