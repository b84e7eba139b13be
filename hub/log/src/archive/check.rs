//! Compares a copy of the archive with the log, record by record, and repairs damaged tiles.
//!
//! Owns the distinction between a damaged tile, which is rewritten, and a different history, which is left untouched.
//! A copy has the log's history only if the log's records lead to the root of the copy's signed checkpoint.

use std::path::Path;

use proto::tiles::{self, Edge, Tile, TileKind, WIDTH};

use super::error::ArchiveError;
use super::folder::{Files, SignedCheckpoint, read_tile};
use crate::error::ReadError;
use crate::reader::LogReader;

/// Number of rebuilt tiles to write before each sync.
const AT_ONCE: usize = 128;

/// Compares the copy in `dir` with the records that its checkpoint covers, and rewrites the damaged tiles. Returns the
/// edge of these records and the number of damaged tiles. Ends early, with an empty edge, once `ending` returns true.
pub(super) fn repair(
    dir: &Path,
    signed: &SignedCheckpoint,
    log: &LogReader,
    ending: impl Fn() -> bool,
) -> Result<(Edge, usize), ArchiveError> {
    let mut edge = Edge::default();
    let mut damaged = Vec::new();
    let mut compare = |tile: Tile, bytes: &[u8]| {
        if read_tile(dir, tile).ok().as_deref() != Some(bytes) {
            damaged.push(tile);
        }
    };
    for record in log.read(0) {
        if edge.len() == signed.size || ending() {
            break;
        }
        let (_, payload) = record?;
        edge.push(&payload, |tile, bytes| compare(tile, &bytes))
            .map_err(|_| differs(dir, Some(edge.len())))?;
    }
    if edge.len() < signed.size {
        return Ok((Edge::default(), 0));
    }
    for (tile, bytes) in edge.partial() {
        compare(tile, &bytes);
    }
    if edge.root() != signed.root {
        return Err(differs(dir, first_difference(dir, &damaged, log)?));
    }
    rewrite_damaged(dir, &damaged, signed.size, log)?;
    Ok((edge, damaged.len()))
}

fn differs(dir: &Path, index: Option<u64>) -> ArchiveError {
    ArchiveError::Differs {
        dir: dir.to_path_buf(),
        index,
    }
}

/// Returns the index of the first record that differs in the first damaged bundle. If all its entries agree, returns
/// the index of the bundle's first record. Returns `None` if no bundle is damaged.
fn first_difference(
    dir: &Path,
    damaged: &[Tile],
    log: &LogReader,
) -> Result<Option<u64>, ArchiveError> {
    let bundles = damaged.iter().filter(|tile| tile.kind == TileKind::Entries);
    let Some(bundle) = bundles.min() else {
        return Ok(None);
    };
    let first = bundle.index * u64::from(WIDTH);
    let bytes = read_tile(dir, *bundle).unwrap_or_default();
    let mut entries = tiles::entries(&bytes);
    for record in log.read(first).take(usize::from(bundle.width)) {
        let (index, payload) = record?;
        if entries.next() != Some(Ok(&payload)) {
            return Ok(Some(index));
        }
    }
    Ok(Some(first))
}

/// Rewrites the damaged tiles. Their order does not matter, because each is built directly from the log's records.
fn rewrite_damaged(
    dir: &Path,
    damaged: &[Tile],
    size: u64,
    log: &LogReader,
) -> Result<(), ArchiveError> {
    for some in damaged.chunks(AT_ONCE) {
        let mut files = Files::new(dir);
        for tile in some {
            files.write(*tile, &rebuilt(*tile, size, log)?)?;
        }
        files.sync()?;
    }
    Ok(())
}

fn rebuilt(tile: Tile, size: u64, log: &LogReader) -> Result<Vec<u8>, ArchiveError> {
    let level = match tile.kind {
        TileKind::Hashes { level } => u32::from(level),
        TileKind::Entries => 0,
    };
    // Treat the records below the tile as a log of their own: its only tile at this level has the same bytes.
    let each = u64::from(WIDTH).pow(level);
    let first = tile.index * u64::from(WIDTH) * each;
    let end = first + u64::from(tile.width) * each;
    let mut edge = Edge::default();
    let mut made = None;
    for record in log.read(first) {
        if first + edge.len() == end.min(size) {
            break;
        }
        let (index, payload) = record?;
        edge.push(&payload, |other, bytes| {
            if other.kind == tile.kind {
                made = Some(bytes);
            }
        })
        .map_err(|_| ArchiveError::Log(ReadError::record(index, "it is too long")))?;
    }
    let partial = || {
        let same = edge.partial().find(|(other, _)| other.kind == tile.kind);
        same.map(|(_, bytes)| bytes)
    };
    Ok(made.or_else(partial).unwrap_or_default())
}
