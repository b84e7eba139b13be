//! The files of a log in the C2SP format tlog-tiles: file names, hash tiles and entry bundles. Owns the exact bytes; never reads or writes a file.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::merkle::{self, Frontier, Hash, Subtree};

/// Number of hashes in a full tile, and of entries in a full bundle.
pub const WIDTH: u16 = 256;
/// Number of levels of the Merkle tree that one level of tiles spans.
const HEIGHT: u8 = 8;
/// Number of levels of complete subtrees in a log with fewer than 2^64 entries. The format has the same limit for the levels of tiles.
const LEVELS: u8 = 64;

/// The content of a tile: hashes of one level, or log entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TileKind {
    /// Hashes of complete subtrees with `256^level` leaves each.
    Hashes {
        /// The level of the tile; level 0 has the hashes of the leaves.
        level: u8,
    },
    /// The leaves themselves: an entry bundle.
    Entries,
}

/// The name of a tile or an entry bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    /// The kind of content.
    pub kind: TileKind,
    /// The position among the tiles of this kind, from 0.
    pub index: u64,
    /// The number of hashes or entries, from 1 to [`WIDTH`].
    pub width: u16,
}

impl Tile {
    /// Returns the path relative to the log's directory or address, without a leading slash.
    pub fn path(&self) -> String {
        let mut path = match self.kind {
            TileKind::Hashes { level } => format!("tile/{level}/"),
            TileKind::Entries => "tile/entries/".to_string(),
        };
        let mut groups = Vec::new();
        let mut rest = self.index;
        while rest >= 1000 {
            groups.push(rest % 1000);
            rest /= 1000;
        }
        groups.push(rest);
        while let Some(group) = groups.pop() {
            let more = if groups.is_empty() { "" } else { "/" };
            let mark = if groups.is_empty() { "" } else { "x" };
            path.push_str(&format!("{mark}{group:03}{more}"));
        }
        if self.is_partial() {
            path.push_str(&format!(".p/{}", self.width));
        }
        path
    }

    /// Parses a path as [`Tile::path`] returns it; `None` for any other string.
    pub fn from_path(path: &str) -> Option<Tile> {
        let (kind, rest) = path.strip_prefix("tile/")?.split_once('/')?;
        let kind = match kind {
            "entries" => TileKind::Entries,
            level => TileKind::Hashes {
                level: level.parse().ok().filter(|level| *level < LEVELS)?,
            },
        };
        let (number, width) = match rest.split_once(".p/") {
            Some((number, width)) => (number, width.parse().ok()?),
            None => (rest, WIDTH),
        };
        let mut index: u64 = 0;
        for group in number.split('/') {
            let digits: u64 = group.strip_prefix('x').unwrap_or(group).parse().ok()?;
            index = index.checked_mul(1000)?.checked_add(digits)?;
        }
        let tile = Tile { kind, index, width };
        // Refuse an impossible width, and any other spelling of the same numbers, because each tile has exactly one name.
        let width_is_valid = (1..=WIDTH).contains(&width);
        (width_is_valid && tile.path() == path).then_some(tile)
    }

    /// Returns true if the tile has fewer than [`WIDTH`] hashes or entries.
    pub fn is_partial(&self) -> bool {
        self.width < WIDTH
    }
}

/// Returns the partial tiles and the partial entry bundle of a log with `size` entries.
pub fn partial_tiles(size: u64) -> impl Iterator<Item = Tile> {
    let hashes = (0..LEVELS / HEIGHT).filter_map(move |level| {
        let count = size >> (HEIGHT * level);
        partial(TileKind::Hashes { level }, count)
    });
    hashes.chain(partial(TileKind::Entries, size))
}

fn partial(kind: TileKind, count: u64) -> Option<Tile> {
    let (index, width) = (count / u64::from(WIDTH), (count % u64::from(WIDTH)) as u16);
    (width > 0).then_some(Tile { kind, index, width })
}

/// Returns the bundle that contains entry `index` of a log with `size` entries; `None` unless `index < size`.
pub fn bundle_of(index: u64, size: u64) -> Option<Tile> {
    (index < size).then(|| tile_at(TileKind::Entries, index / u64::from(WIDTH), size))
}

fn tile_at(kind: TileKind, index: u64, count: u64) -> Tile {
    let rest = count.saturating_sub(index.saturating_mul(u64::from(WIDTH)));
    let width = rest.min(u64::from(WIDTH)) as u16; // at most 256
    Tile { kind, index, width }
}

/// The reason why a tile cannot be used, or an entry cannot be appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileError {
    /// A tile's length does not match its number of hashes, an entry is cut off, or a new entry is too long.
    #[error("the tile is cut off or too long")]
    Length,
    /// A log of this size does not contain the requested hash.
    #[error("the hash is not in a log of this size")]
    OutOfRange,
}

/// Appends `entry` to the bundle `bytes`.
///
/// # Errors
/// Returns [`TileError::Length`] if the entry has 64 KiB or more.
pub fn push_entry(bytes: &mut Vec<u8>, entry: &[u8]) -> Result<(), TileError> {
    let len = u16::try_from(entry.len()).map_err(|_| TileError::Length)?;
    bytes.extend_from_slice(&len.to_be_bytes());
    bytes.extend_from_slice(entry);
    Ok(())
}

/// Returns the entries of a bundle in order. The iterator ends after the first error.
pub fn entries(bundle: &[u8]) -> impl Iterator<Item = Result<&[u8], TileError>> {
    let mut rest = bundle;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let split = rest
            .split_first_chunk()
            .and_then(|(len, rest)| rest.split_at_checked(usize::from(u16::from_be_bytes(*len))));
        rest = split.map_or(&[], |(_, rest)| rest);
        Some(split.map(|(entry, _)| entry).ok_or(TileError::Length))
    })
}

/// Splits a tile into its hashes.
///
/// # Errors
/// Returns [`TileError::Length`] unless `bytes` has exactly `width` hashes.
pub fn hashes(bytes: &[u8], width: u16) -> Result<&[Hash], TileError> {
    let (hashes, rest) = bytes.as_chunks();
    if !rest.is_empty() || hashes.len() != usize::from(width) {
        return Err(TileError::Length);
    }
    Ok(hashes)
}

/// Returns the hash of `subtree` in a log with `size` entries. `read` returns the bytes of a tile.
///
/// # Errors
/// Returns a [`TileError`] if the tile cannot be used, or the error of `read`.
pub fn subtree_hash<B: AsRef<[u8]>, E: From<TileError>>(
    subtree: Subtree,
    size: u64,
    read: impl FnOnce(Tile) -> Result<B, E>,
) -> Result<Hash, E> {
    let Subtree { level, index } = subtree;
    if level >= LEVELS || index >= size >> level {
        return Err(TileError::OutOfRange.into());
    }
    let (tile_level, inside) = (level / HEIGHT, level % HEIGHT);
    let count = size >> (HEIGHT * tile_level);
    let first = index << inside;
    let kind = TileKind::Hashes { level: tile_level };
    let tile = tile_at(kind, first / u64::from(WIDTH), count);
    let bytes = read(tile)?;
    let hashes = hashes(bytes.as_ref(), tile.width)?;
    let offset = (first % u64::from(WIDTH)) as usize;
    let below = hashes.get(offset..offset + (1 << inside));
    Ok(root_above(below.ok_or(TileError::OutOfRange)?))
}

fn root_above(hashes: &[Hash]) -> Hash {
    let mut frontier = Frontier::default();
    for hash in hashes {
        frontier.push(*hash);
    }
    frontier.root()
}

/// The growing edge of a tiled log: its partial tiles and its partial entry bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    len: u64,
    levels: Vec<Vec<Hash>>,
    bundle: Vec<u8>,
    /// Kept so that the log's root can be computed in a few steps, even if the partial tiles are nearly full.
    frontier: Frontier,
}

impl Edge {
    /// Returns the edge of a log with `size` entries. `read` returns the bytes of its [`partial_tiles`].
    ///
    /// # Errors
    /// Returns [`TileError::Length`] if the length of a hash tile is wrong, or the error of `read`. Does not check the entry bundle.
    pub fn read<E: From<TileError>>(
        size: u64,
        mut read: impl FnMut(Tile) -> Result<Vec<u8>, E>,
    ) -> Result<Edge, E> {
        let mut edge = Edge {
            len: size,
            ..Edge::default()
        };
        for tile in partial_tiles(size) {
            let bytes = read(tile)?;
            match tile.kind {
                TileKind::Entries => edge.bundle = bytes,
                TileKind::Hashes { level } => {
                    *edge.level(level) = hashes(&bytes, tile.width)?.to_vec();
                }
            }
        }
        // The leaves under a higher level are to the left of those under lower levels.
        for level in (0..LEVELS / HEIGHT).rev() {
            for hash in edge.levels.get(usize::from(level)).into_iter().flatten() {
                let joined = edge.frontier.push_subtree(level * HEIGHT, *hash);
                joined.map_err(|_| TileError::Length)?;
            }
        }
        Ok(edge)
    }

    /// Returns the number of entries of the log.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if the log has no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends an entry. `full` receives each tile that the entry completes, with the tile's bytes.
    ///
    /// # Errors
    /// Returns [`TileError::Length`] if the entry has 64 KiB or more; the entry is then not appended.
    pub fn push(
        &mut self,
        entry: &[u8],
        mut full: impl FnMut(Tile, Vec<u8>),
    ) -> Result<(), TileError> {
        push_entry(&mut self.bundle, entry)?;
        self.len += 1;
        let mut hash = merkle::leaf_hash(entry);
        self.frontier.push(hash);
        let mut count = self.len;
        for level in 0..LEVELS / HEIGHT {
            let hashes = self.level(level);
            hashes.push(hash);
            if hashes.len() < usize::from(WIDTH) {
                break;
            }
            hash = root_above(hashes);
            let bytes = core::mem::take(hashes).concat();
            count /= u64::from(WIDTH);
            full(full_tile(TileKind::Hashes { level }, count), bytes);
        }
        if self.len.is_multiple_of(u64::from(WIDTH)) {
            let tile = full_tile(TileKind::Entries, self.len / u64::from(WIDTH));
            full(tile, core::mem::take(&mut self.bundle));
        }
        Ok(())
    }

    /// Returns the log's [`partial_tiles`] with their bytes.
    pub fn partial(&self) -> impl Iterator<Item = (Tile, Vec<u8>)> {
        partial_tiles(self.len).filter_map(|tile| {
            let bytes = match tile.kind {
                TileKind::Entries => self.bundle.clone(),
                TileKind::Hashes { level } => self.levels.get(usize::from(level))?.concat(),
            };
            Some((tile, bytes))
        })
    }

    /// Returns the root of the log's Merkle tree.
    pub fn root(&self) -> Hash {
        self.frontier.root()
    }

    fn level(&mut self, level: u8) -> &mut Vec<Hash> {
        let level = usize::from(level);
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Vec::new());
        }
        &mut self.levels[level]
    }
}

fn full_tile(kind: TileKind, count: u64) -> Tile {
    Tile {
        kind,
        index: count.saturating_sub(1),
        width: WIDTH,
    }
}

#[cfg(test)]
mod tests;
