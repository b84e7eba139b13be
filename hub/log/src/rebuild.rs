//! Restores records from the archive: rebuilds a damaged store, and extends a log that was set back to an earlier state.
//!
//! Owns the choice of each record's source. A rebuilt log must lead to the head in the file `head` and, if the log's key
//! signed the archive's checkpoint, to its root. Records added after the log's end must lead to such a root. Must never
//! change a damaged store, only set it aside.

use std::fmt;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proto::checkpoint::Checkpoint;
use proto::merkle;
use proto::tiles::{self, Edge};

use super::archive;
use super::data_dir::{CopiedParts, DataDir};
use super::error::{CommitError, OpenError};
use super::head_file::Head;
use super::record;
use super::store::{self, Store};
use super::{Notice, refused};

/// Number of records written between two syncs of the store.
const AT_ONCE: u64 = 4096;

/// Record indices as ranges, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Indices(Vec<RangeInclusive<u64>>);

impl Indices {
    /// Appends an index that is higher than all others.
    fn push(&mut self, index: u64) {
        match self.0.last_mut() {
            Some(last) if last.end() + 1 == index => *last = *last.start()..=index,
            Some(_) | None => self.0.push(index..=index),
        }
    }

    /// Returns the ranges, in ascending order.
    pub fn ranges(&self) -> &[RangeInclusive<u64>] {
        &self.0
    }
}

impl fmt::Display for Indices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 12;
        for (at, range) in self.0.iter().take(SHOWN).enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            match range.start() == range.end() {
                true => write!(f, "{comma}{}", range.start())?,
                false => write!(f, "{comma}{}–{}", range.start(), range.end())?,
            }
        }
        match self.0.len().checked_sub(SHOWN) {
            Some(more @ 1..) => write!(f, " and {more} more ranges"),
            Some(_) | None => Ok(()),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Archives<'a> {
    pub(super) dirs: &'a [PathBuf],
    pub(super) is_signed: Option<&'a (dyn Fn(&str) -> bool + Send)>,
}

/// An archive's records, in order and unverified.
struct Entries<'a> {
    dir: &'a Path,
    size: u64,
    /// Root hash of these records; `None` without a signed checkpoint.
    root: Option<merkle::Hash>,
    bundle: Option<(u64, Vec<Vec<u8>>)>,
}

impl<'a> Entries<'a> {
    fn open(dir: &'a Path, archives: Archives<'_>) -> Entries<'a> {
        let note = fs::read_to_string(dir.join(archive::CHECKPOINT)).ok();
        // Access to the archive's disk must not be enough to add records.
        let signed =
            note.filter(|note| archives.is_signed.is_some_and(|is_signed| is_signed(note)));
        let checkpoint = signed.and_then(|note| Checkpoint::open_unverified(&note).ok());
        let size = match &checkpoint {
            Some(checkpoint) => checkpoint.size,
            None => archive::entries_found(dir).unwrap_or(0),
        };
        Entries {
            dir,
            size,
            root: checkpoint.map(|checkpoint| checkpoint.root),
            bundle: None,
        }
    }

    fn get(&mut self, index: u64) -> Option<&[u8]> {
        let tile = tiles::bundle_of(index, self.size)?;
        if self.bundle.as_ref().is_none_or(|(at, _)| *at != tile.index) {
            let bytes = archive::read_tile(self.dir, tile).ok()?;
            let entries = tiles::entries(&bytes).map_while(Result::ok);
            self.bundle = Some((tile.index, entries.map(<[u8]>::to_vec).collect()));
        }
        let place = usize::try_from(index % u64::from(tiles::WIDTH)).ok()?;
        let (_, entries) = self.bundle.as_ref()?;
        entries.get(place).map(Vec::as_slice)
    }
}

struct Assembly<'a> {
    reached: Head,
    edge: Edge,
    from_archive: Indices,
    store: &'a mut Store,
    batch: sled::Batch,
}

impl<'a> Assembly<'a> {
    fn new(store: &'a mut Store, reached: Head) -> Self {
        Self {
            reached,
            edge: Edge::default(),
            from_archive: Indices::default(),
            store,
            batch: sled::Batch::default(),
        }
    }

    /// Takes each record from the store if it is intact there, else from the archive, until neither has the next record. Returns true if the records
    /// lead to `kept` and, if the archive has a signed checkpoint, to its root.
    fn run(
        &mut self,
        tree: Option<&sled::Tree>,
        archive: &mut Entries<'_>,
        kept: Head,
    ) -> Result<bool, CommitError> {
        loop {
            let index = self.reached.len;
            let stored = tree.and_then(|tree| stored(tree, self.reached));
            let taken = match stored {
                Some(payload) => self.push(&payload),
                // Without a signed root, only the file `head` can confirm the archive's records.
                None if index < kept.len || archive.root.is_some() => match archive.get(index) {
                    Some(payload) => {
                        self.from_archive.push(index);
                        self.push(payload)
                    }
                    None => break,
                },
                None => break,
            };
            if !taken {
                return Ok(false);
            }
            if self.reached.len == kept.len && self.reached.hash != kept.hash
                || self.reached.len == archive.size
                    && archive.root.is_some_and(|root| root != self.edge.root())
            {
                return Ok(false);
            }
            if self.reached.len.is_multiple_of(AT_ONCE) {
                self.write()?;
            }
        }
        self.write()?;
        let signed = archive.root.map_or(0, |_| archive.size);
        Ok(self.reached.len >= kept.len.max(signed))
    }

    fn push(&mut self, payload: &[u8]) -> bool {
        let Head { len, hash } = self.reached;
        if payload.len() > record::MAX_RECORD || self.edge.push(payload, |_, _| ()).is_err() {
            return false;
        }
        let stored = record::encode(len, payload, &hash);
        self.batch.insert(&record::key(len), stored);
        self.reached = self.reached.with(payload);
        true
    }

    fn write(&mut self) -> Result<(), CommitError> {
        let batch = std::mem::take(&mut self.batch);
        self.store.apply(&self.store.log, batch)?;
        self.store.commit()
    }
}

/// Returns the payload of the next record in a store, if it is undamaged and continues the log so far.
fn stored(tree: &sled::Tree, reached: Head) -> Option<Vec<u8>> {
    let value = store::get(tree, &record::key(reached.len)).ok()??;
    let stored = record::decode(reached.len, &value).ok()?;
    (stored.previous == reached.hash).then(|| stored.payload.to_vec())
}

/// Rebuilds the store of a log whose file `head` states `kept`, from its readable records and from one of `archives`. Returns `None` if none
/// of the archives completes the log.
pub(super) fn rebuild(
    data_dir: &Arc<DataDir>,
    kept: Head,
    archives: Archives<'_>,
) -> Result<Option<Notice>, OpenError> {
    // Without its caches, sled cuts a log at the first damaged page; with them, it may not open.
    for trial in [CopiedParts::Whole, CopiedParts::WithoutCaches] {
        for dir in archives.dirs {
            let entries = Entries::open(dir, archives);
            if let Some(records) = assemble(data_dir, trial, entries, kept)? {
                let path = data_dir.replace_store()?;
                return Ok(Some(Notice::Rebuilt { records, path }));
            }
        }
    }
    Ok(None)
}

fn assemble(
    data_dir: &Arc<DataDir>,
    trial: CopiedParts,
    mut entries: Entries<'_>,
    kept: Head,
) -> Result<Option<Indices>, OpenError> {
    let path = data_dir.make_trial(trial)?;
    let damaged = path.as_deref().and_then(|path| Store::open(path).ok());
    data_dir.remove_unfinished()?;
    let new = data_dir.unfinished_store();
    let opened = Store::open(&new).map_err(|failure| refused(data_dir.path(), failure));
    let mut store = opened?;
    let mut assembly = Assembly::new(&mut store, Head::GENESIS);
    let tree = damaged.as_ref().map(|store| &store.log);
    let failed = |error: CommitError| OpenError::commit("write the store again", &new, error);
    let whole = assembly.run(tree, &mut entries, kept).map_err(failed)?;
    let records = assembly.from_archive;
    if whole && let Some(damaged) = &damaged {
        store.copy_meta(damaged).map_err(failed)?;
    }
    drop(store);
    // sled may panic when it drops a store that it cannot interpret.
    let _ = store::guarded(|| drop(damaged));
    data_dir.remove_trial()?;
    Ok(whole.then_some(records))
}

/// Appends the records that one of `archives` has after the log's `end`, if the extended log leads to the archive's root. Returns the log's
/// new end; `None` if no archive extends the log.
pub(super) fn fill_tail(
    store: &mut Store,
    end: Head,
    archives: Archives<'_>,
) -> Result<Option<Head>, CommitError> {
    // An empty log does not count as an earlier state of the archived log.
    let dirs = archives.dirs.iter().filter(|_| end.len > 0);
    for dir in dirs {
        let mut entries = Entries::open(dir, archives);
        if entries.root.is_none() || entries.size <= end.len || !continues(store, end, &mut entries)
        {
            continue;
        }
        let mut assembly = Assembly::new(store, end);
        while let Some(payload) = entries.get(assembly.reached.len) {
            if !assembly.push(payload) {
                break;
            }
            if assembly.reached.len.is_multiple_of(AT_ONCE) {
                assembly.write()?;
            }
        }
        assembly.write()?;
        return Ok(Some(assembly.reached));
    }
    Ok(None)
}

/// Returns true if the log, continued with the rest of `entries`, leads to the archive's root.
fn continues(store: &Store, end: Head, entries: &mut Entries<'_>) -> bool {
    let mut edge = Edge::default();
    let mut reached = Head::GENESIS;
    while reached.len < end.len {
        let Some(payload) = stored(&store.log, reached) else {
            return false;
        };
        reached = reached.with(&payload);
        if edge.push(&payload, |_, _| ()).is_err() {
            return false;
        }
    }
    for index in end.len..entries.size {
        let fits = entries.get(index).is_some_and(|payload| {
            payload.len() <= record::MAX_RECORD && edge.push(payload, |_, _| ()).is_ok()
        });
        if !fits {
            return false;
        }
    }
    reached == end && entries.root == Some(edge.root())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_named_as_ranges() {
        let mut indices = Indices::default();
        for index in [3, 7, 8, 9, 40] {
            indices.push(index);
        }
        assert_eq!(indices.to_string(), "3, 7–9, 40");
        for index in 0..20 {
            indices.push(100 + 2 * index);
        }
        assert!(
            indices.to_string().ends_with("116 and 11 more ranges"),
            "{indices}"
        );
    }
}
