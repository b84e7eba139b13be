//! Reads the log and verifies each record: its checksum, its index and its place in the chain.
//!
//! Owns verification. Must never skip a record, or return one that is not durable yet.

use std::sync::{Arc, Mutex};

use super::data_dir::DataDir;
use super::error::{OpenError, ReadError};
use super::head_file::Head;
use super::lock;
use super::record::{self, GENESIS, Hash};
use super::store::{self, Store};

/// A view of the log's durable records that other threads may read while the hub runs.
#[derive(Clone)]
pub struct LogReader {
    tree: sled::Tree,
    durable: Arc<Mutex<Head>>,
    /// Keeps the data directory locked while any reader exists. Dropped last.
    held: Arc<DataDir>,
}

impl LogReader {
    pub(super) fn new(store: &Store, end: Head, held: Arc<DataDir>) -> LogReader {
        LogReader {
            tree: store.log.clone(),
            durable: Arc::new(Mutex::new(end)),
            held,
        }
    }

    /// Returns the number of durable records.
    pub fn len(&self) -> u64 {
        self.durable().len
    }

    /// Returns true if no record is durable.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the chain's head after the last durable record.
    pub fn head(&self) -> Hash {
        self.durable().hash
    }

    /// Returns the durable records from index `from` onwards, in order.
    pub fn read(&self, from: u64) -> Records {
        self.records(from, self.len().max(from))
    }

    fn records(&self, from: u64, end: u64) -> Records {
        Records {
            iter: None,
            tree: self.tree.clone(),
            next: from,
            end,
            previous: None,
        }
    }

    /// Verifies every durable record from the first to the last, and returns their number.
    ///
    /// # Errors
    /// Returns an error that names the first record that is missing or differs from what was written.
    pub fn verify_all(&self) -> Result<u64, ReadError> {
        let head = self.durable();
        let mut records = self.records(0, head.len);
        let mut reached = GENESIS;
        while let Some(record) = records.next_stored() {
            reached = record?.1.hash;
        }
        if reached != head.hash {
            let index = head.len.saturating_sub(1);
            let what = "the chain does not end in the stored head";
            return Err(ReadError::record(index, what));
        }
        Ok(head.len)
    }

    /// Returns the chain's head after the first `len` records.
    ///
    /// # Errors
    /// Fails if the last of these records is missing or damaged.
    pub fn head_after(&self, len: u64) -> Result<Hash, ReadError> {
        let Some(index) = len.checked_sub(1) else {
            return Ok(GENESIS);
        };
        hash_of(&self.tree, index).map_err(|what| ReadError::record(index, what))
    }

    /// Returns the free disk space that this process may use in the data directory's file system, in bytes.
    ///
    /// # Errors
    /// Fails if the system cannot report the free space.
    pub fn free_bytes(&self) -> Result<u64, OpenError> {
        self.held.free_bytes()
    }

    pub(super) fn durable(&self) -> Head {
        *lock(&self.durable)
    }

    pub(super) fn advance(&self, head: Head) {
        *lock(&self.durable) = head;
    }
}

const MISSING: &str = "it is missing";

/// An iterator over verified records, in order. Ends after the first error.
pub struct Records {
    tree: sled::Tree,
    iter: Option<sled::Iter>,
    next: u64,
    end: u64,
    previous: Option<Hash>,
}

struct Checked {
    value: sled::IVec,
    hash: Hash,
}

impl Records {
    fn next_stored(&mut self) -> Option<Result<(u64, Checked), ReadError>> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        let checked = self
            .check(index)
            .map_err(|what| ReadError::record(index, what));
        match &checked {
            Ok(checked) => {
                self.next += 1;
                self.previous = Some(checked.hash);
            }
            Err(_) => self.next = self.end,
        }
        Some(checked.map(|checked| (index, checked)))
    }

    fn check(&mut self, index: u64) -> Result<Checked, String> {
        let previous = match self.previous {
            Some(previous) => previous,
            None => self.start(index)?,
        };
        let iter = self
            .iter
            .get_or_insert_with(|| self.tree.range(record::key(index)..));
        let found = store::read(|| iter.next().transpose())?;
        let found = found.filter(|(key, _)| record::index_of(key) == Some(index));
        let (_, value) = found.ok_or(MISSING)?;
        let stored = record::decode(index, &value)?;
        if stored.previous != previous {
            return Err("it does not continue the previous record".to_owned());
        }
        let hash = stored.hash();
        Ok(Checked { value, hash })
    }

    fn start(&mut self, index: u64) -> Result<Hash, String> {
        let Some(before) = index.checked_sub(1) else {
            return Ok(GENESIS);
        };
        hash_of(&self.tree, before).map_err(|what| format!("the previous record, {before}: {what}"))
    }
}

/// Returns the head after record `index`, read from that record only.
fn hash_of(tree: &sled::Tree, index: u64) -> Result<Hash, String> {
    let value = store::get(tree, &record::key(index))?.ok_or(MISSING)?;
    Ok(record::decode(index, &value)?.hash())
}

/// Consecutive records, in one buffer.
#[derive(Debug, Default)]
pub struct Batch {
    first: u64,
    bytes: Vec<u8>,
    /// End offset of each record in `bytes`.
    ends: Vec<usize>,
}

impl Batch {
    /// Returns each record with its index, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let mut start = 0;
        (self.first..).zip(&self.ends).map(move |(index, end)| {
            let record = &self.bytes[start..*end];
            start = *end;
            (index, record)
        })
    }

    /// Returns true if the batch has no record.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

impl Records {
    /// Returns the next records, at most `max`; an empty batch after the last record or an error.
    ///
    /// # Errors
    /// Returns an error that names the first record that is missing or differs from what was written.
    pub fn next_batch(&mut self, max: usize) -> Result<Batch, ReadError> {
        let mut batch = Batch {
            first: self.next,
            ..Batch::default()
        };
        while batch.ends.len() < max
            && let Some(stored) = self.next_stored()
        {
            let payload = &stored?.1.value;
            batch.bytes.extend_from_slice(record::payload(payload));
            batch.ends.push(batch.bytes.len());
        }
        Ok(batch)
    }
}

impl Iterator for Records {
    type Item = Result<(u64, Vec<u8>), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let stored = self.next_stored()?;
        Some(stored.map(|(index, checked)| (index, record::payload(&checked.value).to_vec())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_at_the_first_error() {
        let db = sled::Config::new().temporary(true).open().unwrap();
        let mut head = GENESIS;
        for index in 0..4 {
            let value = record::encode(index, b"payload", &head);
            db.insert(record::key(index), value).unwrap();
            head = record::chained(&head, b"payload");
        }
        db.remove(record::key(1)).unwrap();
        let read = |next| {
            let records = Records {
                tree: (*db).clone(),
                iter: None,
                next,
                end: 4,
                previous: None,
            };
            records.collect::<Vec<_>>()
        };
        let missing = Err(ReadError::record(1, MISSING));
        assert_eq!(read(0), [Ok((0, b"payload".to_vec())), missing]);
        // A record cannot be verified without its predecessor.
        assert!(matches!(read(2)[..], [Err(_)]));
        assert_eq!(read(3), [Ok((3, b"payload".to_vec()))]);
    }
}
