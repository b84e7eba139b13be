//! The Merkle tree of a log (RFC 6962, section 2.1): hashes, proofs and their verification. Owns the tree's shape; never decides where hashes are
//! stored or which root is trusted.

use alloc::vec::Vec;

use sha2::{Digest, Sha256};

/// The SHA-256 hash of a leaf, a node or the root.
pub type Hash = [u8; 32];

/// Maximum number of hashes in a proof: the height of a tree with 2^64 leaves, plus one.
pub const MAX_PROOF: usize = 65;

/// Returns the hash of a leaf with the content `content`.
pub fn leaf_hash(content: &[u8]) -> Hash {
    let mut hash = Sha256::new();
    hash.update([0x00]);
    hash.update(content);
    hash.finalize().into()
}

/// Returns the hash of the node whose children are `left` and `right`.
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    let mut hash = Sha256::new();
    hash.update([0x01]);
    hash.update(left);
    hash.update(right);
    hash.finalize().into()
}

/// Returns the root of a tree without leaves.
pub fn empty_root() -> Hash {
    Sha256::digest([]).into()
}

/// A complete subtree: the `2^level` leaves from `index × 2^level` onwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subtree {
    /// The subtree's height; 0 is a leaf.
    pub level: u8,
    /// The subtree's position among the subtrees of the same height, from 0.
    pub index: u64,
}

/// The reason why a proof is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ProofError {
    /// The index or subtree does not fit into a tree of this size, or the old tree is larger than the new one.
    #[error("the proof names a place outside the tree")]
    OutOfRange,
    #[error("the proof has a wrong number of hashes")]
    Length,
    #[error("the proof does not lead to the root of the tree")]
    Root,
}

/// The complete subtrees that cover a range of leaves. The range may begin at any leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeCover {
    next: u64,
    subtrees: Vec<(Subtree, Hash)>,
}

impl RangeCover {
    /// Returns the cover of the empty range before leaf `start`.
    pub fn starting_at(start: u64) -> RangeCover {
        RangeCover {
            next: start,
            subtrees: Vec::new(),
        }
    }

    /// Appends the next leaf by its hash.
    pub fn push(&mut self, leaf: Hash) {
        let (mut level, mut index, mut hash) = (0, self.next, leaf);
        while let Some((left, left_hash)) = self.subtrees.last()
            && left.level == level
            && left.index ^ 1 == index
        {
            hash = node_hash(left_hash, &hash);
            (level, index) = (level + 1, index >> 1);
            self.subtrees.pop();
        }
        self.subtrees.push((Subtree { level, index }, hash));
        self.next += 1;
    }

    /// Returns the subtrees from left to right.
    pub fn into_subtrees(self) -> Vec<(Subtree, Hash)> {
        self.subtrees
    }
}

/// The right edge of a growing tree: enough to add leaves and to compute the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    len: u64,
    peaks: Vec<Hash>,
}

impl Frontier {
    /// Returns the number of leaves.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if the tree has no leaves.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends a leaf by its hash.
    pub fn push(&mut self, leaf: Hash) {
        self.join_peaks(0, leaf);
        self.len += 1;
    }

    /// Appends a complete subtree of `2^level` leaves by its hash.
    ///
    /// # Errors
    /// Returns [`ProofError::OutOfRange`] if no complete subtree of this size can begin after the last leaf; the tree is then unchanged.
    pub fn push_subtree(&mut self, level: u8, hash: Hash) -> Result<(), ProofError> {
        let size = 1_u64.checked_shl(level.into());
        let size = size.ok_or(ProofError::OutOfRange)?;
        let len = self.len.checked_add(size).ok_or(ProofError::OutOfRange)?;
        if !self.len.is_multiple_of(size) {
            return Err(ProofError::OutOfRange);
        }
        self.join_peaks(level, hash);
        self.len = len;
        Ok(())
    }

    /// Returns the hashes of the largest complete subtrees, from left to right. Together with the length, they restore the frontier
    /// ([`Frontier::from_peaks`]).
    pub fn peaks(&self) -> &[Hash] {
        &self.peaks
    }

    /// Restores the frontier of a tree with `len` leaves from [`Frontier::peaks`]; `None` if the number of peaks does not match `len`.
    pub fn from_peaks(len: u64, peaks: Vec<Hash>) -> Option<Frontier> {
        let fits = peaks.len() == len.count_ones() as usize;
        fits.then_some(Frontier { len, peaks })
    }

    fn join_peaks(&mut self, level: u8, right: Hash) {
        let mut hash = right;
        for _ in 0..(self.len >> level).trailing_ones() {
            // There is one peak for each set bit of the length, so `pop` always finds one.
            if let Some(left) = self.peaks.pop() {
                hash = node_hash(&left, &hash);
            }
        }
        self.peaks.push(hash);
    }

    /// Returns the root of the tree.
    pub fn root(&self) -> Hash {
        join(&self.peaks)
    }
}

/// Returns the root of a tree's first `size` leaves; `hash` returns the hash of a complete subtree.
///
/// # Errors
/// Returns the error of `hash`, if any.
pub fn root<E>(size: u64, mut hash: impl FnMut(Subtree) -> Result<Hash, E>) -> Result<Hash, E> {
    range_root(0, size, &mut hash)
}

/// Returns the proof that leaf `index` is in the tree of `size` leaves, from the leaf's sibling upwards. The proof is empty if there is no such leaf.
///
/// # Errors
/// Returns the error of `hash`, if any.
pub fn inclusion_proof<E>(
    index: u64,
    size: u64,
    mut hash: impl FnMut(Subtree) -> Result<Hash, E>,
) -> Result<Vec<Hash>, E> {
    let mut proof = Vec::new();
    if index >= size {
        return Ok(proof);
    }
    let (mut start, mut end) = (0, size);
    while end - start > 1 {
        let middle = start + split(end - start);
        if index < middle {
            proof.push(range_root(middle, end, &mut hash)?);
            end = middle;
        } else {
            proof.push(range_root(start, middle, &mut hash)?);
            start = middle;
        }
    }
    proof.reverse();
    Ok(proof)
}

/// Returns the proof that the tree of `old` leaves is a prefix of the tree of `new` leaves. The proof is empty unless `0 < old < new`.
///
/// # Errors
/// Returns the error of `hash`, if any.
pub fn consistency_proof<E>(
    old: u64,
    new: u64,
    mut hash: impl FnMut(Subtree) -> Result<Hash, E>,
) -> Result<Vec<Hash>, E> {
    let mut proof = Vec::new();
    if old == 0 || old >= new {
        return Ok(proof);
    }
    let (mut start, mut end) = (0, new);
    while old != end {
        let middle = start + split(end - start);
        if old <= middle {
            proof.push(range_root(middle, end, &mut hash)?);
            end = middle;
        } else {
            proof.push(range_root(start, middle, &mut hash)?);
            start = middle;
        }
    }
    // If this subtree begins at the first leaf, its hash is the old root, which the verifier already knows.
    if start > 0 {
        proof.push(range_root(start, end, &mut hash)?);
    }
    proof.reverse();
    Ok(proof)
}

/// Checks that the leaf with the hash `leaf` is number `index`, from 0, of the tree with this size and root (RFC 9162, section 2.1.3.2).
///
/// # Errors
/// Returns a [`ProofError`] if the proof is invalid.
pub fn verify_inclusion(
    leaf: &Hash,
    index: u64,
    size: u64,
    root: &Hash,
    proof: &[Hash],
) -> Result<(), ProofError> {
    if index >= size {
        return Err(ProofError::OutOfRange);
    }
    let mut place = Place {
        node: index,
        last: size - 1,
    };
    let mut found = *leaf;
    for sibling in proof {
        if place.last == 0 {
            return Err(ProofError::Length);
        }
        found = match place.has_left_sibling() {
            true => node_hash(sibling, &found),
            false => node_hash(&found, sibling),
        };
        place.climb();
    }
    match place.last {
        0 if found == *root => Ok(()),
        0 => Err(ProofError::Root),
        _ => Err(ProofError::Length),
    }
}

/// Checks that the tree of `old` leaves with the root `old_root` is a prefix of the tree of `new` leaves with the root `new_root` (RFC 9162, section
/// 2.1.4.2).
///
/// # Errors
/// Returns a [`ProofError`] if the proof is invalid.
pub fn verify_consistency(
    old: u64,
    old_root: &Hash,
    new: u64,
    new_root: &Hash,
    proof: &[Hash],
) -> Result<(), ProofError> {
    if old > new {
        return Err(ProofError::OutOfRange);
    }
    if old == 0 || old == new {
        let expected = if old == 0 { &empty_root() } else { new_root };
        return match proof {
            [] if old_root == expected => Ok(()),
            [] => Err(ProofError::Root),
            [..] => Err(ProofError::Length),
        };
    }
    let (first, rest) = match (old.is_power_of_two(), proof) {
        (true, rest) => (old_root, rest),
        (false, [first, rest @ ..]) => (first, rest),
        (false, []) => return Err(ProofError::Length),
    };
    let complete = (old - 1).trailing_ones();
    let mut place = Place {
        node: (old - 1) >> complete,
        last: (new - 1) >> complete,
    };
    let (mut old_found, mut new_found) = (*first, *first);
    for hash in rest {
        if place.last == 0 {
            return Err(ProofError::Length);
        }
        if place.has_left_sibling() {
            old_found = node_hash(hash, &old_found);
            new_found = node_hash(hash, &new_found);
        } else {
            new_found = node_hash(&new_found, hash);
        }
        place.climb();
    }
    match place.last {
        0 if old_found == *old_root && new_found == *new_root => Ok(()),
        0 => Err(ProofError::Root),
        _ => Err(ProofError::Length),
    }
}

/// A node on the path from a leaf to the root, and the last node of its level.
struct Place {
    node: u64,
    last: u64,
}

impl Place {
    /// Returns true if the next hash of a proof belongs on the left. The last node of a level may have no sibling on that level; its next sibling is
    /// then further up, on the left.
    fn has_left_sibling(&self) -> bool {
        self.node & 1 == 1 || self.node == self.last
    }

    fn climb(&mut self) {
        if self.has_left_sibling() {
            while self.node & 1 == 0 && self.node != 0 {
                self.node >>= 1;
                self.last >>= 1;
            }
        }
        self.node >>= 1;
        self.last >>= 1;
    }
}

/// Returns the number of leaves in the left subtree of a tree with `size` leaves: the largest power of two below `size`. `size` must be at least two.
fn split(size: u64) -> u64 {
    1 << (size - 1).ilog2()
}

/// Returns the root of the leaves `start..end`. `start` must be a multiple of the largest power of two that is at most `end - start`.
fn range_root<E>(
    start: u64,
    end: u64,
    hash: &mut impl FnMut(Subtree) -> Result<Hash, E>,
) -> Result<Hash, E> {
    let mut peaks = Vec::new();
    let mut at = start;
    while at < end {
        let level = (end - at).ilog2();
        let subtree = Subtree {
            level: level as u8, // at most 63
            index: at >> level,
        };
        peaks.push(hash(subtree)?);
        at += 1 << level;
    }
    Ok(join(&peaks))
}

/// Returns the root over complete subtrees, ordered from the largest to the smallest.
fn join(peaks: &[Hash]) -> Hash {
    let mut below = peaks.iter().rev();
    let Some(last) = below.next() else {
        return empty_root();
    };
    below.fold(*last, |right, left| node_hash(left, &right))
}

#[cfg(test)]
mod tests;
