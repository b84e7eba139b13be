//! Evidence files of a log: which records a file contains, and which names can be read in it.
//!
//! Owns the selection and the redaction. `proto::evidence` owns the file format, and the crate `verify` verifies a file. Must never alter a record.

mod redact;
mod select;

use std::io::{self, Write};

use prost::Message as _;
use proto::checkpoint::LogEpoch;
use proto::evidence::{Header, Writer};
use proto::log::{Record, record::Input};
use proto::merkle::{Frontier, leaf_hash};
use proto::names::{self, NameError};

use crate::identity::{IdentityError, LogKeys};
use crate::time_source::wall_now;
use durable_log::{LogReader, ReadError};
use hall::begins_log_epoch;
pub use proto::evidence::Redaction;
use redact::PlayerWords;
use redact::remaining;
pub use select::Selection;

/// Number of bytes to gather before each write.
const CHUNK: usize = 1 << 16;

#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("record {index} cannot be read: {what}")]
    Record { index: u64, what: String },
    #[error(transparent)]
    NoGame(#[from] hall::replay::NoGame),
    #[error("{0}")]
    NoCheckpoint(String),
    #[error("the log has no game of round {0}")]
    NoRound(u32),
    #[error("the log is empty: the hub has never been started")]
    Empty,
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error("cannot write the file: {0}")]
    Write(#[from] io::Error),
    #[error("cannot read the file: {0}")]
    Source(#[from] verify::CannotCheck),
    #[error("the file is damaged: {0}")]
    Part(#[from] verify::PartError),
    #[error("the file is damaged: {0}")]
    Names(#[from] NameError),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    pub records: u64,
    /// Number of the log's records that the file's checkpoint covers.
    pub of: u64,
    /// The public key that verifies the file.
    pub key: String,
}

/// Writes the evidence file for a selection from the first `len` records.
pub fn export(
    log: &LogReader,
    len: u64,
    keys: &LogKeys,
    selection: &Selection,
    redaction: Redaction,
    out: &mut impl Write,
) -> Result<Exported, EvidenceError> {
    let (opened, words) = first_pass(log, len, redaction)?;
    let chosen = selection.choose(log, len)?;
    let mut writer = Writer::new(Header {
        log_origin: opened.origin.clone(),
        event_name: opened.event_name,
        games: chosen.games.clone(),
        records: len,
        made_us: wall_now().unix_us(),
        redaction: redaction.into(),
    });
    let secret = keys.name_secret();
    let (mut records, mut tree, mut epoch) = (0, Frontier::default(), None);
    for (index, payload) in records_of(log, len) {
        let payload = payload?;
        tree.push(leaf_hash(&payload));
        let record = Record::decode(payload.as_slice());
        if begins_log_epoch(&record.map_err(|error| unreadable(index, &error))?) {
            epoch = Some(LogEpoch::after(epoch, index));
        }
        let (content, openings) =
            names::conceal(&payload, index, &secret).map_err(|error| unreadable(index, &error))?;
        if chosen.contains(index) {
            let openings = remaining(&content, openings, redaction, &words)
                .map_err(|error| unreadable(index, &error))?;
            writer.record(content, openings);
            records += 1;
        } else {
            writer.omit(leaf_hash(&content));
        }
        flush(&mut writer, out, false)?;
    }
    let signer = keys.signer(&opened.origin)?;
    // The hub's own checkpoint of these records is identical, because the signature depends only on the checkpoint's text.
    writer.sign(&signer, tree.root(), epoch, Vec::new());
    flush(&mut writer, out, true)?;
    Ok(Exported {
        records,
        of: len,
        key: signer.verifier().to_string(),
    })
}

/// Writes a copy of an evidence file with more of its names redacted. The copy has the same records and the same checkpoint.
pub fn redact_file(
    source: &[u8],
    redaction: Redaction,
    out: &mut impl Write,
) -> Result<(), EvidenceError> {
    let words = redact::words_of_file(source)?;
    redact::copy(source, redaction, &words, out)
}

fn flush(writer: &mut Writer, out: &mut impl Write, last: bool) -> Result<(), EvidenceError> {
    if last || writer.pending() >= CHUNK {
        out.write_all(&writer.take())?;
    }
    Ok(())
}

fn records_of(
    log: &LogReader,
    len: u64,
) -> impl Iterator<Item = (u64, Result<Vec<u8>, ReadError>)> {
    let records = log.read(0).take(usize::try_from(len).unwrap_or(usize::MAX));
    let mut next = 0;
    records.map(move |record| match record {
        Ok((index, payload)) => {
            next = index + 1;
            (index, Ok(payload))
        }
        Err(error) => (next, Err(error)),
    })
}

fn first_pass(
    log: &LogReader,
    len: u64,
    redaction: Redaction,
) -> Result<(proto::log::Opened, PlayerWords), EvidenceError> {
    let mut opened = None;
    let mut words = PlayerWords::default();
    for (index, payload) in records_of(log, len) {
        let payload = payload?;
        if opened.is_none() {
            let record = Record::decode(payload.as_slice());
            let record = record.map_err(|error| unreadable(index, &error))?;
            let Some(Input::Opened(first)) = record.input else {
                return Err(unreadable(index, &"the log does not begin with its name"));
            };
            opened = Some(first);
        }
        if redaction != Redaction::Players {
            break;
        }
        let places = names::places(&payload).map_err(|error| unreadable(index, &error))?;
        for (class, value) in places {
            words.add(class, &value);
        }
    }
    Ok((opened.ok_or(EvidenceError::Empty)?, words))
}

fn unreadable(index: u64, what: &impl ToString) -> EvidenceError {
    EvidenceError::Record {
        index,
        what: what.to_string(),
    }
}
