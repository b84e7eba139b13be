//! A kept checkpoint, and the check that a log continues it. The check reveals whether a hub has rewritten its log. Owns the text form of a kept
//! checkpoint; never decides what follows from a break.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Checkpoint, CheckpointError};
use crate::merkle::Hash;
use crate::note::{KeyError, Verifier};

/// A checkpoint, kept together with its note and the key that verifies the note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCheckpoint {
    /// The public key that came with the note.
    pub verifier: Verifier,
    /// The content of the note.
    pub checkpoint: Checkpoint,
    /// The signed note.
    pub note: String,
}

/// The reason why a string, or a note and a key, is not accepted as a kept checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum KeptError {
    /// The text has no empty line between a key and a note.
    #[error("this is not a kept checkpoint")]
    Form,
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// The reason why a log does not continue a kept checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogBreak {
    /// The new checkpoint belongs to a log with a different name, so it neither confirms nor contradicts the kept checkpoint.
    #[error("the checkpoint belongs to a different log")]
    OtherLog,
    /// The logs have the same name, but the new checkpoint is signed neither by the kept checkpoint's key nor by a successor of that key.
    #[error("a different key signs the log's checkpoints")]
    OtherKey,
    /// The log has fewer records than the kept checkpoint.
    #[error("the log has fewer records")]
    Shorter,
    /// The proof does not show that the new checkpoint's log continues the kept checkpoint.
    #[error("the log has different records")]
    Differs,
}

impl KeptCheckpoint {
    /// Parses a note and verifies its signature with the key that came with the note.
    ///
    /// # Errors
    /// Returns [`KeptError::Key`] or [`KeptError::Checkpoint`] if the key or the note is not accepted.
    pub fn open(note: &str, key: &str) -> Result<KeptCheckpoint, KeptError> {
        let verifier: Verifier = key.parse()?;
        Ok(KeptCheckpoint {
            checkpoint: Checkpoint::open(note, &verifier)?,
            verifier,
            note: note.to_string(),
        })
    }

    /// Parses the text written by [`Self::to_text`].
    ///
    /// # Errors
    /// Returns a [`KeptError`] if the text is not a kept checkpoint.
    pub fn parse(text: &str) -> Result<KeptCheckpoint, KeptError> {
        let (key, note) = text.split_once("\n\n").ok_or(KeptError::Form)?;
        KeptCheckpoint::open(note, key)
    }

    /// Formats the kept checkpoint for a file: the key, an empty line and the signed note.
    pub fn to_text(&self) -> String {
        format!("{}\n\n{}", self.verifier, self.note)
    }

    /// Verifies, by the hashes of a consistency proof, that `newer` continues this checkpoint's log.
    ///
    /// # Errors
    /// Returns a [`LogBreak`] if the log does not continue this checkpoint.
    pub fn verify_continued_by(
        &self,
        newer: &KeptCheckpoint,
        hashes: &[Vec<u8>],
    ) -> Result<(), LogBreak> {
        if newer.checkpoint.origin != self.checkpoint.origin {
            return Err(LogBreak::OtherLog);
        }
        if Checkpoint::open(&newer.note, &self.verifier).is_err() {
            return Err(LogBreak::OtherKey);
        }
        if newer.checkpoint.size < self.checkpoint.size {
            return Err(LogBreak::Shorter);
        }
        let hashes = hashes.iter().map(|hash| hash.as_slice().try_into().ok());
        let hashes: Option<Vec<Hash>> = hashes.collect();
        let continued = self
            .checkpoint
            .verify_continued_by(&newer.checkpoint, &hashes.unwrap_or_default());
        continued.map_err(|_| LogBreak::Differs)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use ed25519_dalek::SigningKey;

    use super::*;
    use crate::merkle::{leaf_hash, node_hash};
    use crate::note::Signer;

    fn signer(key: u8) -> Signer {
        Signer::new("hall", SigningKey::from_bytes(&[key; 32])).unwrap()
    }

    fn kept(key: u8, size: u64, root: Hash) -> KeptCheckpoint {
        let signer = signer(key);
        let checkpoint = Checkpoint {
            origin: "hall".to_string(),
            size,
            root,
            concealed: None,
        };
        let note = checkpoint.sign(&signer);
        KeptCheckpoint::open(&note, &signer.verifier().to_string()).unwrap()
    }

    #[test]
    fn a_kept_checkpoint_round_trips_and_has_its_own_key() {
        let kept = kept(1, 1, leaf_hash(b"a"));
        assert_eq!(KeptCheckpoint::parse(&kept.to_text()), Ok(kept.clone()));
        let key = signer(2).verifier().to_string();
        assert!(matches!(
            KeptCheckpoint::open(&kept.note, &key),
            Err(KeptError::Checkpoint(_))
        ));
        assert_eq!(KeptCheckpoint::parse("hall"), Err(KeptError::Form));
    }

    #[test]
    fn each_kind_of_break_has_its_own_error() {
        let [a, b, c] = [b"a", b"b", b"c"].map(|leaf| leaf_hash(leaf));
        let old = kept(1, 1, a);
        let proof = |hash: Hash| vec![hash.to_vec()];
        let new = kept(1, 2, node_hash(&a, &b));
        assert_eq!(old.verify_continued_by(&new, &proof(b)), Ok(()));
        assert_eq!(old.verify_continued_by(&old, &[]), Ok(()));
        let changed = kept(1, 2, node_hash(&c, &b));
        let differs = Err(LogBreak::Differs);
        assert_eq!(old.verify_continued_by(&changed, &proof(b)), differs);
        assert_eq!(old.verify_continued_by(&new, &[vec![1, 2]]), differs);
        assert_eq!(old.verify_continued_by(&kept(1, 1, c), &[]), differs);
        let shorter = Err(LogBreak::Shorter);
        assert_eq!(new.verify_continued_by(&old, &[]), shorter);
        let other_key = kept(2, 2, node_hash(&a, &b));
        let by_another = old.verify_continued_by(&other_key, &proof(b));
        assert_eq!(by_another, Err(LogBreak::OtherKey));
    }
}
