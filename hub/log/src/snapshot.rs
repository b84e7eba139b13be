//! Cached states, from which a fold may start instead of from record 0.
//!
//! Owns the stored form of a state in the tree `snapshots`: chunks of 4 KiB (which stay inline in sled's pages), then a
//! header that makes them valid. A state is written in steps between commits, so that a large one delays no press by
//! more than one step. It is written only after its records are durable.
//!
//! It is a cache: a state that cannot be read, or that the log contradicts, is skipped and never makes the log
//! unreadable. The newest two are kept.

use super::error::CommitError;
use super::reader::LogReader;
use super::record::Hash;
use super::store::{self, Store};

const FORMAT: u8 = 1;
const CHUNK: usize = 4096;
/// The number of chunks that are written, or of old keys that are removed, with one commit.
const STEP: usize = 16;
const KEPT_SNAPSHOTS: usize = 2;
/// The chunk number of the header, which sorts after every chunk.
const HEADER: u32 = u32::MAX;
const HEADER_LEN: usize = 1 + 32 + 8 + 4;

/// A state and its position in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Snapshot {
    /// The index of the first record to fold onto the state.
    pub(super) index_after: u64,
    /// The chain's head before that record.
    pub(super) head: Hash,
    /// The state, which the log does not interpret.
    pub(super) bytes: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Writing {
    snapshot: Snapshot,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Chunks { written: usize },
    Header,
    RemoveOld,
    Done,
}

impl Writing {
    pub(super) fn new(snapshot: Snapshot) -> Writing {
        Writing {
            snapshot,
            stage: Stage::Chunks { written: 0 },
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Applies the next step. The caller commits before the next call, so the header never precedes its chunks.
    pub(super) fn step(&mut self, store: &Store) -> Result<(), CommitError> {
        let index = self.snapshot.index_after;
        match self.stage {
            Stage::Chunks { written } => {
                let mut batch = sled::Batch::default();
                let chunks = self
                    .snapshot
                    .bytes
                    .chunks(CHUNK)
                    .enumerate()
                    .skip(written)
                    .take(STEP);
                let mut after = written;
                for (number, chunk) in chunks {
                    // Only a state of 16 TiB would reach the header's number.
                    batch.insert(&key(index, number as u32), chunk);
                    after = number + 1;
                }
                store.apply(&store.snapshots, batch)?;
                let whole = after * CHUNK >= self.snapshot.bytes.len();
                self.stage = if whole {
                    Stage::Header
                } else {
                    Stage::Chunks { written: after }
                };
            }
            Stage::Header => {
                let mut batch = sled::Batch::default();
                batch.insert(&key(index, HEADER), header(&self.snapshot));
                store.apply(&store.snapshots, batch)?;
                self.stage = Stage::RemoveOld;
            }
            Stage::RemoveOld => {
                if remove_old(store)? == 0 {
                    self.stage = Stage::Done;
                }
            }
            Stage::Done => {}
        }
        Ok(())
    }
}

/// Returns the newest snapshot that is readable and agrees with the log.
pub(super) fn newest(tree: &sled::Tree, log: &LogReader) -> Option<Snapshot> {
    let indices = indices(tree).ok()?;
    indices.into_iter().rev().find_map(|index_after| {
        let snapshot = load(tree, index_after)?;
        let agrees =
            index_after <= log.len() && log.head_after(index_after).ok() == Some(snapshot.head);
        agrees.then_some(snapshot)
    })
}

fn load(tree: &sled::Tree, index_after: u64) -> Option<Snapshot> {
    let header = store::get(tree, &key(index_after, HEADER)).ok()??;
    let (head, len, crc) = read_header(&header)?;
    let mut bytes = Vec::new();
    for number in 0..u32::try_from(len.div_ceil(CHUNK)).ok()? {
        bytes.extend_from_slice(&store::get(tree, &key(index_after, number)).ok()??);
    }
    (bytes.len() == len && crc32c::crc32c(&bytes) == crc).then_some(Snapshot {
        index_after,
        head,
        bytes,
    })
}

/// Removes at most one step's worth of keys that are older than the snapshots to keep, and returns their number.
fn remove_old(store: &Store) -> Result<usize, CommitError> {
    let unreadable = |what: String| CommitError::Storage {
        path: store.path().to_path_buf(),
        what,
    };
    let indices = indices(&store.snapshots).map_err(unreadable)?;
    let Some(oldest_kept) = indices.iter().rev().nth(KEPT_SNAPSHOTS - 1) else {
        return Ok(0);
    };
    let old = || {
        store
            .snapshots
            .range(..key(*oldest_kept, 0))
            .keys()
            .take(STEP)
            .collect::<Result<Vec<_>, _>>()
    };
    let old = store::read(old).map_err(unreadable)?;
    let mut batch = sled::Batch::default();
    let removed = old.len();
    for key in old {
        batch.remove(key);
    }
    store.apply(&store.snapshots, batch)?;
    Ok(removed)
}

/// Returns the indices of the snapshots that have a header, ascending.
fn indices(tree: &sled::Tree) -> Result<Vec<u64>, String> {
    let mut found = Vec::new();
    let mut before = None;
    loop {
        // Search from the back, and skip each snapshot's chunks.
        let last = || match before {
            None => tree.last(),
            Some(index) => tree.get_lt(key(index, 0)),
        };
        let item = store::read(last)?;
        let Some((key, _)) = item else { break };
        let Some((index, number)) = parse_key(&key) else {
            break;
        };
        if number == HEADER {
            found.push(index);
        }
        before = Some(index);
    }
    found.reverse();
    Ok(found)
}

fn key(index_after: u64, number: u32) -> [u8; 12] {
    let mut key = [0; 12];
    key[..8].copy_from_slice(&index_after.to_be_bytes());
    key[8..].copy_from_slice(&number.to_be_bytes());
    key
}

fn parse_key(key: &[u8]) -> Option<(u64, u32)> {
    let (index, number) = key.split_first_chunk::<8>()?;
    Some((
        u64::from_be_bytes(*index),
        u32::from_be_bytes(number.try_into().ok()?),
    ))
}

fn header(snapshot: &Snapshot) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER_LEN);
    header.push(FORMAT);
    header.extend_from_slice(&snapshot.head);
    header.extend_from_slice(&(snapshot.bytes.len() as u64).to_be_bytes());
    header.extend_from_slice(&crc32c::crc32c(&snapshot.bytes).to_be_bytes());
    header
}

/// Parses the head, the length, and the checksum of the chunks.
fn read_header(header: &[u8]) -> Option<(Hash, usize, u32)> {
    let (&format, rest) = header.split_first()?;
    let (head, rest) = rest.split_first_chunk::<32>()?;
    let (len, crc) = rest.split_first_chunk::<8>()?;
    let len = usize::try_from(u64::from_be_bytes(*len)).ok()?;
    (format == FORMAT).then_some((*head, len, u32::from_be_bytes(crc.try_into().ok()?)))
}
