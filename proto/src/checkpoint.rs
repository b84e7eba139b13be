//! Checkpoints of a log (C2SP tlog-checkpoint) and the proof files of its entries (C2SP tlog-proof). Owns the exact text; never decides which log is
//! trusted.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use base64ct::{Base64, Encoding};

use crate::merkle::{self, Hash, ProofError};
use crate::note::{self, NoteError, Signer, Verifier};

mod kept;

pub use kept::{KeptCheckpoint, KeptError, LogBreak};

const EPOCH: &str = "flagfall-epoch ";
/// Start of the extension line with the root of the tree of concealed entries.
const CONCEALED: &str = "flagfall-concealed ";
const PROOF_HEADER: &str = "c2sp.org/tlog-proof@v1";

/// A statement of a log's size and content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log's name.
    pub origin: String,
    /// The number of entries.
    pub size: u64,
    /// The root of the Merkle tree over the entries.
    pub root: Hash,
    /// The root of the tree over the same entries with their names concealed (`names.rs`), which is the tree of evidence files. An extension line of
    /// the note contains this root, so that a kept checkpoint can be compared with an evidence file. `None` if the note has no such line.
    pub concealed: Option<Hash>,
}

/// A section of a log within which no loss is known. A new epoch begins when a backup is restored, or when the chief arbiter confirms that events are
/// lost: acknowledged entries may then be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEpoch {
    /// The epoch's number, at least 2: a log without an epoch line is in its first epoch.
    pub number: u64,
    /// The index of the entry that begins the epoch and gives the reason.
    pub begins: u64,
}

impl LogEpoch {
    /// Returns the epoch that follows `former` and begins with entry `begins`.
    pub fn after(former: Option<LogEpoch>, begins: u64) -> LogEpoch {
        let number = former.map_or(1, |former| former.number) + 1;
        LogEpoch { number, begins }
    }

    /// Returns the epoch that a checkpoint's note names; `None` in a log's first epoch, or if the note is malformed. Does not check the note's
    /// signature.
    pub fn of_note(note: &str) -> Option<LogEpoch> {
        let (text, _) = note::split(note).ok()?;
        let line = text
            .lines()
            .skip(3)
            .find_map(|line| line.strip_prefix(EPOCH))?;
        let (number, begins) = line.split_once(' ')?;
        Some(LogEpoch {
            number: decimal(number)?,
            begins: decimal(begins)?,
        })
    }
}

/// The reason why a checkpoint or a proof file is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum CheckpointError {
    #[error(transparent)]
    Note(#[from] NoteError),
    /// The text does not begin with lines for origin, size and root, or a line is malformed.
    #[error("this is not a checkpoint")]
    Form,
    #[error("the checkpoint belongs to a different log")]
    Origin,
    #[error("this is not a proof file")]
    ProofForm,
    #[error(transparent)]
    Proof(#[from] ProofError),
}

impl Checkpoint {
    /// Returns the checkpoint as a note signed by `signer`.
    pub fn sign(&self, signer: &Signer) -> String {
        self.sign_in_epoch(signer, None)
    }

    /// Returns the checkpoint as a note signed by `signer`, with a line for `epoch` unless it is `None`.
    pub fn sign_in_epoch(&self, signer: &Signer, epoch: Option<LogEpoch>) -> String {
        let root = root_text(&self.root);
        let mut text = format!("{}\n{}\n{root}\n", self.origin, self.size);
        if let Some(concealed) = &self.concealed {
            text.push_str(&format!("{CONCEALED}{}\n", root_text(concealed)));
        }
        if let Some(LogEpoch { number, begins }) = epoch {
            text.push_str(&format!("{EPOCH}{number} {begins}\n"));
        }
        for change in signer.changes() {
            text.push_str(&format!("{change}\n"));
        }
        signer.sign(&text)
    }

    /// Parses a note signed by `verifier`'s key or by a successor of this key. The checkpoint's origin must be the verifier's name.
    ///
    /// # Errors
    /// Returns a [`CheckpointError`] if the note is not accepted, is not a checkpoint, or is for a different log.
    pub fn open(note: &str, verifier: &Verifier) -> Result<Checkpoint, CheckpointError> {
        let checkpoint = Checkpoint::parse(verifier.open(note)?)?;
        match checkpoint.origin == verifier.name() {
            true => Ok(checkpoint),
            false => Err(CheckpointError::Origin),
        }
    }

    /// Parses a note signed by one of `verifiers`, which are a log's keys, newest first.
    ///
    /// # Errors
    /// Returns the error for the newest key if no key verifies the note, or [`NoteError::Unsigned`] if there are no keys.
    pub fn open_by_any(note: &str, verifiers: &[Verifier]) -> Result<Checkpoint, CheckpointError> {
        let mut newest = NoteError::Unsigned.into();
        for verifier in verifiers.iter().rev() {
            match Checkpoint::open(note, verifier) {
                Ok(opened) => return Ok(opened),
                Err(error) => newest = error,
            }
        }
        Err(newest)
    }

    /// Parses a note without checking its signatures, for example to display the checkpoint.
    ///
    /// # Errors
    /// Returns a [`CheckpointError`] if `note` is not a signed note, or is not a checkpoint.
    pub fn open_unverified(note: &str) -> Result<Checkpoint, CheckpointError> {
        Checkpoint::parse(note::split(note)?.0)
    }

    fn parse(text: &str) -> Result<Checkpoint, CheckpointError> {
        let mut lines = text.split_terminator('\n');
        let mut line = || lines.next().filter(|line| !line.is_empty());
        let (Some(origin), Some(size), Some(root)) = (line(), line(), line()) else {
            return Err(CheckpointError::Form);
        };
        // Extension lines follow, none of which may be empty. Only the one with the concealed root matters here.
        let mut concealed = None;
        for line in lines {
            if line.is_empty() {
                return Err(CheckpointError::Form);
            }
            if let Some(root) = line.strip_prefix(CONCEALED) {
                concealed = Some(hash(root).ok_or(CheckpointError::Form)?);
            }
        }
        Ok(Checkpoint {
            origin: origin.to_string(),
            size: decimal(size).ok_or(CheckpointError::Form)?,
            root: hash(root).ok_or(CheckpointError::Form)?,
            concealed,
        })
    }

    /// Verifies the consistency proof that `newer` continues this checkpoint's log.
    ///
    /// # Errors
    /// Returns [`CheckpointError::Origin`] if the logs' names differ, or [`CheckpointError::Proof`] if the proof is invalid.
    pub fn verify_continued_by(
        &self,
        newer: &Checkpoint,
        proof: &[Hash],
    ) -> Result<(), CheckpointError> {
        if self.origin != newer.origin {
            return Err(CheckpointError::Origin);
        }
        let (old, new) = (self, newer);
        Ok(merkle::verify_consistency(
            old.size, &old.root, new.size, &new.root, proof,
        )?)
    }
}

/// Encodes a root as checkpoints do: in base64.
pub fn root_text(root: &[u8]) -> String {
    Base64::encode_string(root)
}

/// A proof file, which shows offline that an entry is in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryProof {
    /// Opaque data for the reader, not covered by the proof.
    pub extra: Option<Vec<u8>>,
    /// Index of the entry in the log, from 0.
    pub index: u64,
    /// The inclusion proof, from the leaf's sibling upwards.
    pub hashes: Vec<Hash>,
    /// The checkpoint: a signed note.
    pub checkpoint: String,
}

impl EntryProof {
    /// Returns the file's text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{PROOF_HEADER}\n");
        if let Some(extra) = &self.extra {
            text.push_str(&format!("extra {}\n", Base64::encode_string(extra)));
        }
        text.push_str(&format!("index {}\n", self.index));
        for hash in &self.hashes {
            text.push_str(&Base64::encode_string(hash));
            text.push('\n');
        }
        text.push('\n');
        text.push_str(&self.checkpoint);
        text
    }

    /// Parses a file's text, without checking the proof.
    ///
    /// # Errors
    /// Returns [`CheckpointError::ProofForm`] if the text is not a proof file.
    pub fn parse(text: &str) -> Result<EntryProof, CheckpointError> {
        EntryProof::parsed(text).ok_or(CheckpointError::ProofForm)
    }

    fn parsed(text: &str) -> Option<EntryProof> {
        let (head, checkpoint) = text.split_once("\n\n")?;
        let mut lines = head.split('\n').peekable();
        if lines.next()? != PROOF_HEADER {
            return None;
        }
        let extra = match lines.peek()?.strip_prefix("extra ") {
            Some(extra) => {
                let extra = Base64::decode_vec(extra).ok()?;
                lines.next();
                Some(extra)
            }
            None => None,
        };
        let index = decimal(lines.next()?.strip_prefix("index ")?)?;
        let hashes = lines.map(hash).collect::<Option<Vec<Hash>>>()?;
        if hashes.len() > merkle::MAX_PROOF {
            return None;
        }
        Some(EntryProof {
            extra,
            index,
            hashes,
            checkpoint: checkpoint.to_string(),
        })
    }

    /// Checks that `entry` is at this proof's index in the log whose key is `verifier`. Returns the checkpoint.
    ///
    /// # Errors
    /// Returns a [`CheckpointError`] if the checkpoint is not accepted or the proof is invalid.
    pub fn verify(&self, entry: &[u8], verifier: &Verifier) -> Result<Checkpoint, CheckpointError> {
        let checkpoint = Checkpoint::open(&self.checkpoint, verifier)?;
        let leaf = merkle::leaf_hash(entry);
        merkle::verify_inclusion(
            &leaf,
            self.index,
            checkpoint.size,
            &checkpoint.root,
            &self.hashes,
        )?;
        Ok(checkpoint)
    }
}

/// Parses a number as written in checkpoints and proof files: digits only, without leading zeros.
fn decimal(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

fn hash(text: &str) -> Option<Hash> {
    Base64::decode_vec(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests;
