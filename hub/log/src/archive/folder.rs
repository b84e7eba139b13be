//! One copy of the archive: a directory in the layout of C2SP tlog-tiles, and the order in which its files are written.
//!
//! Owns the promise that a checkpoint is on the disk only after all tiles that it covers are. Must never overwrite a copy
//! that has more records than the log, or whose signed checkpoint contradicts the log.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use proto::checkpoint::{Checkpoint, CheckpointError};
use proto::merkle::Hash;
use proto::note::{NoteError, Signer};
use proto::tiles::{self, Edge, Tile, TileError, TileKind, WIDTH};

use super::concealed::Concealed;
use super::error::ArchiveError;
use super::{Conceal, Epochs, check};
use crate::error::ReadError;
use crate::reader::LogReader;
use crate::record::MAX_RECORD;

pub(crate) const CHECKPOINT: &str = "checkpoint";
const UNFINISHED: &str = ".new";
/// Maximum number of records between two checkpoints while the archive catches up.
const STRETCH: u64 = 16_384;

/// A signed checkpoint, with its content decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedCheckpoint {
    /// Number of records that the checkpoint covers.
    pub size: u64,
    /// Root hash of the Merkle tree over the covered records.
    pub root: Hash,
    /// The signed note, which contains `size` and `root`.
    pub note: String,
}

/// A copy whose checkpoint covers the records of `edge`.
pub(super) struct Folder {
    dir: PathBuf,
    edge: Edge,
    concealed: Concealed,
    checkpoint: Option<SignedCheckpoint>,
}

enum StoredCheckpoint {
    Nothing,
    /// The file is incomplete or not a checkpoint.
    Unreadable,
    Signed(SignedCheckpoint),
}

impl Folder {
    /// Opens the copy in `dir`. If the tiles at its end are damaged, compares the whole copy with the log and repairs
    /// it. Creates the directory if `create` is true. Returns the copy and the number of damaged files.
    pub(super) fn open(
        dir: &Path,
        create: bool,
        signer: &Signer,
        conceal: Option<&Conceal>,
        log: &LogReader,
    ) -> Result<(Folder, usize), ArchiveError> {
        make_dir(dir, create)?;
        let len = log.len();
        let ahead = |archived| ArchiveError::Ahead {
            dir: dir.to_path_buf(),
            archived,
            recorded: len,
        };
        let signed = match kept_checkpoint(dir, signer)? {
            StoredCheckpoint::Signed(signed) if signed.size > len => {
                return Err(ahead(signed.size));
            }
            StoredCheckpoint::Signed(signed) => signed,
            kept @ (StoredCheckpoint::Nothing | StoredCheckpoint::Unreadable) => {
                // Rewrite everything, unless the copy has more records than the log.
                let archived = entries_found(dir)?;
                if archived > len {
                    return Err(ahead(archived));
                }
                let folder = Folder {
                    dir: dir.to_path_buf(),
                    edge: Edge::default(),
                    concealed: Concealed::open(dir, 0, None, conceal, log)?,
                    checkpoint: None,
                };
                let repaired = usize::from(matches!(kept, StoredCheckpoint::Unreadable));
                return Ok((folder, repaired));
            }
        };
        let edge = Edge::read(signed.size, |tile| read_tile(dir, tile)).ok();
        let whole = edge.filter(|edge| edge.root() == signed.root && bundle_fits(edge));
        let (edge, repaired) = match whole {
            Some(edge) => (edge, 0),
            None => check::repair(dir, &signed, log, || false)?,
        };
        let concealed = Checkpoint::open_unverified(&signed.note).ok();
        let concealed = concealed.and_then(|checkpoint| checkpoint.concealed);
        let folder = Folder {
            dir: dir.to_path_buf(),
            edge,
            concealed: Concealed::open(dir, signed.size, concealed, conceal, log)?,
            checkpoint: Some(signed),
        };
        Ok((folder, repaired))
    }

    pub(super) fn checkpoint(&self) -> Option<&SignedCheckpoint> {
        self.checkpoint.as_ref()
    }

    /// Archives the records below `len`, which must be durable, and signs a checkpoint at least every [`STRETCH`]
    /// records. Also signs one if the copy has none yet.
    pub(super) fn advance(
        &mut self,
        len: u64,
        signer: &Signer,
        conceal: Option<&Conceal>,
        epochs: &mut Epochs,
        log: &LogReader,
    ) -> Result<(), ArchiveError> {
        while self.edge.len() < len {
            let end = len.min(self.edge.len() + STRETCH);
            self.stretch(end, signer, conceal, epochs, log)?;
        }
        if self.checkpoint.is_none() {
            self.stretch(len, signer, conceal, epochs, log)?;
        }
        Ok(())
    }

    fn stretch(
        &mut self,
        end: u64,
        signer: &Signer,
        conceal: Option<&Conceal>,
        epochs: &mut Epochs,
        log: &LogReader,
    ) -> Result<(), ArchiveError> {
        let (mut edge, mut concealed) = (self.edge.clone(), self.concealed.clone());
        let known: BTreeSet<Tile> = match &self.checkpoint {
            Some(signed) => tiles::partial_tiles(signed.size).collect(),
            None => BTreeSet::new(),
        };
        let mut files = Files::new(&self.dir);
        let mut records = log.read(self.edge.len());
        let mut full = Vec::new();
        while edge.len() < end {
            let Some(record) = records.next() else { break };
            let (index, payload) = record?;
            concealed.push(conceal, index, &payload);
            epochs.pass(index, &payload);
            let mut completed = Vec::new();
            edge.push(&payload, |tile, bytes| completed.push((tile, bytes)))
                .map_err(|_| too_long(edge.len()))?;
            for (tile, bytes) in completed {
                files.write(tile, &bytes)?;
                full.push(tile);
            }
        }
        for (tile, bytes) in edge.partial() {
            if !known.contains(&tile) {
                files.write(tile, &bytes)?;
            }
        }
        files.sync()?;
        let checkpoint = Checkpoint {
            origin: signer.verifier().name().to_owned(),
            size: edge.len(),
            root: edge.root(),
            concealed: concealed.root(),
        };
        let note = checkpoint.sign_in_epoch(signer, epochs.newest);
        write_checkpoint(&self.dir, &note)?;
        concealed.write(&self.dir);
        for tile in full {
            remove_partial(&self.dir, tile)?;
        }
        self.checkpoint = Some(SignedCheckpoint {
            size: checkpoint.size,
            root: checkpoint.root,
            note,
        });
        (self.edge, self.concealed) = (edge, concealed);
        Ok(())
    }
}

/// Returns the error for a record that is too long for a bundle. Unreachable while [`MAX_RECORD`] is smaller than an
/// entry's limit.
fn too_long(index: u64) -> ArchiveError {
    const { assert!(MAX_RECORD < 1 << 16) }
    ArchiveError::Log(ReadError::record(index, "it is too long for the archive"))
}

/// Files that were written and not yet synced.
pub(super) struct Files<'a> {
    dir: &'a Path,
    files: Vec<PathBuf>,
    dirs: BTreeSet<PathBuf>,
}

impl<'a> Files<'a> {
    pub(super) fn new(dir: &'a Path) -> Self {
        Files {
            dir,
            files: Vec::new(),
            dirs: BTreeSet::new(),
        }
    }

    /// Writes a tile to a temporary file, which [`sync`](Self::sync) renames. A tile is therefore replaced as a whole
    /// or not at all.
    pub(super) fn write(&mut self, tile: Tile, bytes: &[u8]) -> Result<(), ArchiveError> {
        let path = self.dir.join(tile.path());
        self.make_dirs(path.parent().unwrap_or(self.dir))?;
        let unfinished = unfinished(&path);
        fs::write(&unfinished, bytes)
            .map_err(|error| ArchiveError::io("write the archive", &path, &error))?;
        self.files.push(path);
        Ok(())
    }

    /// Creates the missing directories down to `dir`, and lists all of them for [`sync`](Self::sync). An existing
    /// directory is synced too, because a killed hub may have created it without a sync.
    fn make_dirs(&mut self, dir: &Path) -> Result<(), ArchiveError> {
        if self.dirs.contains(dir) {
            return Ok(());
        }
        if dir != self.dir {
            self.make_dirs(dir.parent().unwrap_or(self.dir))?;
            if !dir.is_dir() {
                fs::create_dir(dir)
                    .map_err(|error| ArchiveError::io("create the directory", dir, &error))?;
            }
        }
        self.dirs.insert(dir.to_path_buf());
        Ok(())
    }

    /// Makes all written files durable, including their names.
    pub(super) fn sync(self) -> Result<(), ArchiveError> {
        for path in &self.files {
            let unfinished = unfinished(path);
            File::open(&unfinished)
                .and_then(|file| file.sync_all())
                .and_then(|()| fs::rename(&unfinished, path))
                .map_err(|error| ArchiveError::io("write the archive", path, &error))?;
        }
        // Sync each directory before its parent.
        for dir in self.dirs.iter().rev() {
            sync_dir(dir)?;
        }
        Ok(())
    }
}

/// Reads a tile's bytes. If a partial tile is missing, reads the start of the full tile that replaced it.
pub(crate) fn read_tile(dir: &Path, tile: Tile) -> Result<Vec<u8>, UnreadableTile> {
    match fs::read(dir.join(tile.path())) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && tile.is_partial() => (),
        read => return Ok(read?),
    }
    let full = Tile {
        width: WIDTH,
        ..tile
    };
    let mut bytes = fs::read(dir.join(full.path()))?;
    let len = match tile.kind {
        TileKind::Hashes { .. } => usize::from(tile.width) * size_of::<Hash>(),
        TileKind::Entries => {
            let entries = tiles::entries(&bytes).take(usize::from(tile.width));
            let lens = entries.map(|entry| entry.map(|entry| 2 + entry.len()));
            lens.sum::<Result<usize, TileError>>()?
        }
    };
    bytes.truncate(len);
    Ok(bytes)
}

#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) enum UnreadableTile {
    Tile(#[from] TileError),
    Io(#[from] io::Error),
}

/// Returns true if the entries in the partial bundle match the hashes in the partial tile of level 0.
fn bundle_fits(edge: &Edge) -> bool {
    let mut again = Edge::default();
    let mut leaves = Vec::new();
    for (tile, bytes) in edge.partial() {
        match tile.kind {
            TileKind::Hashes { level: 0 } => leaves = bytes,
            TileKind::Hashes { .. } => (),
            TileKind::Entries => {
                for entry in tiles::entries(&bytes) {
                    let pushed = entry.and_then(|entry| again.push(entry, |_, _| ()));
                    if pushed.is_err() {
                        return false;
                    }
                }
            }
        }
    }
    let mut tiles = again.partial();
    let hashes = tiles.find(|(tile, _)| tile.kind == TileKind::Hashes { level: 0 });
    hashes.map(|(_, bytes)| bytes).unwrap_or_default() == leaves
}

fn kept_checkpoint(dir: &Path, signer: &Signer) -> Result<StoredCheckpoint, ArchiveError> {
    let path = dir.join(CHECKPOINT);
    let note = match fs::read(&path) {
        Ok(bytes) => String::from_utf8(bytes).unwrap_or_default(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(StoredCheckpoint::Nothing);
        }
        Err(error) => return Err(ArchiveError::io("read the checkpoint", &path, &error)),
    };
    match Checkpoint::open_by_any(&note, &signer.verifiers()) {
        Ok(Checkpoint { size, root, .. }) => Ok(StoredCheckpoint::Signed(SignedCheckpoint {
            size,
            root,
            note,
        })),
        Err(CheckpointError::Note(NoteError::Unsigned)) => {
            match Checkpoint::open_unverified(&note) {
                Ok(found) if found.origin == signer.verifier().name() => {
                    Err(ArchiveError::OtherKey {
                        dir: dir.to_path_buf(),
                    })
                }
                Ok(found) => Err(ArchiveError::OtherLog {
                    dir: dir.to_path_buf(),
                    origin: found.origin,
                }),
                Err(_) => Ok(StoredCheckpoint::Unreadable),
            }
        }
        Err(_) => Ok(StoredCheckpoint::Unreadable),
    }
}

/// Returns the number of consecutive entries in the bundles of `dir`, counted without a checkpoint.
pub(crate) fn entries_found(dir: &Path) -> Result<u64, ArchiveError> {
    let mut count = 0;
    loop {
        let full = Tile {
            kind: TileKind::Entries,
            index: count / u64::from(WIDTH),
            width: WIDTH,
        };
        if dir.join(full.path()).is_file() {
            count += u64::from(WIDTH);
            continue;
        }
        let partial = partial_dir(dir, full);
        let names = match fs::read_dir(&partial) {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(count),
            Err(error) => return Err(ArchiveError::io("list the archive", &partial, &error)),
        };
        let widths = names.filter_map(|name| name.ok()?.file_name().to_str()?.parse::<u64>().ok());
        return Ok(count + widths.max().unwrap_or(0));
    }
}

fn write_checkpoint(dir: &Path, note: &str) -> Result<(), ArchiveError> {
    let path = dir.join(CHECKPOINT);
    let unfinished = unfinished(&path);
    let write = || {
        let mut file = File::create(&unfinished)?;
        file.write_all(note.as_bytes())?;
        file.sync_all()?;
        fs::rename(&unfinished, &path)
    };
    write().map_err(|error| ArchiveError::io("write the checkpoint", &path, &error))?;
    sync_dir(dir)
}

/// Removes the partial tiles that a full tile replaces. The format allows this once a checkpoint covers the full tile.
fn remove_partial(dir: &Path, full: Tile) -> Result<(), ArchiveError> {
    let partial = partial_dir(dir, full);
    match fs::remove_dir_all(&partial) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ArchiveError::io("remove partial tiles", &partial, &error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn partial_dir(dir: &Path, full: Tile) -> PathBuf {
    dir.join(full.path() + ".p")
}

fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(UNFINISHED);
    PathBuf::from(name)
}

fn make_dir(dir: &Path, create: bool) -> Result<(), ArchiveError> {
    if dir.is_dir() {
        return Ok(());
    }
    if !create {
        return Err(ArchiveError::Missing {
            dir: dir.to_path_buf(),
        });
    }
    DirBuilder::new()
        .mode(0o700)
        .create(dir)
        .map_err(|error| ArchiveError::io("create the directory", dir, &error))?;
    sync_dir(dir.parent().unwrap_or(dir))
}

fn sync_dir(dir: &Path) -> Result<(), ArchiveError> {
    File::open(dir)
        .and_then(|dir| dir.sync_all())
        .map_err(|error| ArchiveError::io("sync the directory", dir, &error))
}
