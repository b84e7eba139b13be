//! The evidence file: records of a log with the proof that the log contains them (`frames/evidence.proto`). Owns the exact bytes and the writing of a
//! file; never decides which records a file contains or whether the file is sound.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use prost::Message;

use crate::checkpoint::{Checkpoint, LogEpoch};
use crate::merkle::{self, Frontier, Hash, RangeCover};
use crate::note::Signer;

#[allow(missing_docs, reason = "generated; the schema carries the comments")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/flagfall.evidence.v1.rs"));
}

pub use generated::{Continuation, End, Game, Gap, Header, Opening, Part, Record, Redaction, part};

/// The first bytes of every evidence file in this version of the format.
pub const MAGIC: &[u8] = b"flagfall-evidence v1\n";
/// The first bytes of an evidence file in any version of the format.
pub const MAGIC_PREFIX: &[u8] = b"flagfall-evidence ";
/// Maximum length of a part, in bytes: enough for the header of an event with ten thousand games.
pub const MAX_PART: usize = 1 << 20;

/// Returns the mark of the record at `index` whose leaf hash is `leaf`; see [`Record`].
pub fn mark(leaf: &Hash, index: u64) -> u64 {
    let mut head = [0; 8];
    head.copy_from_slice(&leaf[..8]);
    u64::from_be_bytes(head).wrapping_add(index)
}

/// A writer that builds an evidence file record by record. The bytes accumulate until [`Writer::take`] returns them.
#[derive(Debug)]
pub struct Writer {
    tree: Frontier,
    gap: Option<RangeCover>,
    bytes: Vec<u8>,
}

impl Writer {
    /// Begins a file.
    pub fn new(header: Header) -> Writer {
        let mut writer = Writer {
            tree: Frontier::default(),
            gap: None,
            bytes: MAGIC.to_vec(),
        };
        writer.put(part::Part::Header(header));
        writer
    }

    /// Adds the next record of the log.
    pub fn record(&mut self, content: Vec<u8>, openings: Vec<Opening>) {
        self.close_gap();
        let leaf = merkle::leaf_hash(&content);
        let mark = mark(&leaf, self.tree.len());
        self.tree.push(leaf);
        self.put(part::Part::Record(Record {
            content,
            openings,
            mark,
        }));
    }

    /// Leaves out the next record of the log, whose leaf hash is `leaf`.
    pub fn omit(&mut self, leaf: Hash) {
        let start = self.tree.len();
        let gap = self
            .gap
            .get_or_insert_with(|| RangeCover::starting_at(start));
        gap.push(leaf);
    }

    /// Copies a gap from another file.
    ///
    /// # Errors
    /// Returns [`merkle::ProofError::OutOfRange`] if the gap does not fit at this position, or [`merkle::ProofError::Length`] if its hash has a wrong
    /// length.
    pub fn gap(&mut self, gap: Gap) -> Result<(), merkle::ProofError> {
        self.close_gap();
        let level = u8::try_from(gap.level).map_err(|_| merkle::ProofError::OutOfRange)?;
        let hash = gap.hash.as_slice().try_into();
        let hash = hash.map_err(|_| merkle::ProofError::Length)?;
        self.tree.push_subtree(level, hash)?;
        self.put(part::Part::Gap(gap));
        Ok(())
    }

    /// Ends the file with the log's checkpoint, signed by `signer`, and returns the signed checkpoint. `root` is the root of the tree over the
    /// unconcealed records, and `epoch` is the log's epoch.
    pub fn sign(
        &mut self,
        signer: &Signer,
        root: Hash,
        epoch: Option<LogEpoch>,
        continuations: Vec<Continuation>,
    ) -> String {
        self.close_gap();
        let checkpoint = Checkpoint {
            origin: signer.verifier().name().to_string(),
            size: self.tree.len(),
            root,
            concealed: Some(self.tree.root()),
        };
        let checkpoint = checkpoint.sign_in_epoch(signer, epoch);
        self.end(End {
            checkpoint: checkpoint.clone(),
            continuations,
        });
        checkpoint
    }

    /// Ends the file with an [`End`] copied from another file.
    pub fn end(&mut self, end: End) {
        self.close_gap();
        self.put(part::Part::End(end));
    }

    /// Returns the number of bytes that [`Writer::take`] would return.
    pub fn pending(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the bytes written since the previous call, or since the file began.
    pub fn take(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.bytes)
    }

    fn close_gap(&mut self) {
        let Some(gap) = self.gap.take() else { return };
        for (subtree, hash) in gap.into_subtrees() {
            // The cover begins at the end of the tree, so each subtree fits.
            if self.tree.push_subtree(subtree.level, hash).is_ok() {
                self.put(part::Part::Gap(Gap {
                    level: subtree.level.into(),
                    hash: hash.to_vec(),
                }));
            }
        }
    }

    fn put(&mut self, part: part::Part) {
        let part = Part { part: Some(part) };
        let message = part.encode_length_delimited_to_vec();
        self.bytes.extend_from_slice(&message);
    }
}
