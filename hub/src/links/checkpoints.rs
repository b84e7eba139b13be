//! Sends checkpoints to clocks that keep them: the newest after the welcome, then one a minute while the log grows. Each comes with the proof that
//! the log continues from the clock's previous checkpoint, unless the log has become shorter.
//!
//! Owns the schedule. Sends a checkpoint even if the log does not continue from the clock's previous one: the clock detects and reports that.

use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use proto::checkpoint::Checkpoint;
use proto::wire::{HubFrame, LogCheckpoint, TreeHead};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::{Sleep, sleep};

use durable_log::{ArchiveHandle, ProofError};

const EVERY: Duration = Duration::from_secs(60);
/// Delay before the next attempt when the archive has not written the checkpoint yet.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Maximum number of proofs read at a time. A thousand clocks may come back together, and presses need the disk too.
const AT_ONCE: usize = 2;

/// A reader of checkpoints and their proofs in the archive. It reads only a few at a time.
#[derive(Clone)]
pub(super) struct Checkpoints {
    archive: ArchiveHandle,
    turns: Arc<Semaphore>,
}

impl Checkpoints {
    pub(super) fn new(archive: ArchiveHandle) -> Self {
        Self {
            archive,
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// Returns true if `note` is a checkpoint with this size and root, signed with the log's key or a former one.
    pub(super) fn is_signed(&self, note: &str, size: u64, root: &[u8]) -> bool {
        let opened = Checkpoint::open_by_any(note, self.archive.verifiers());
        opened.is_ok_and(|found| found.size == size && found.root == root)
    }

    /// Returns the feed of newer checkpoints for a clock that keeps the checkpoint `kept`.
    pub(super) fn feed(&self, kept: &TreeHead) -> CheckpointFeed {
        CheckpointFeed {
            source: self.clone(),
            size: kept.size,
            sent: false,
            due: Box::pin(sleep(Duration::ZERO)),
            asking: None,
        }
    }

    async fn proof(self, old: u64) -> Result<Proved, ProofError> {
        // The semaphore is never closed, so acquiring it cannot fail.
        let _turn = self.turns.acquire().await;
        let archive = self.archive.clone();
        let read = move || match archive.consistency(old, Duration::ZERO) {
            Ok((hashes, signed)) => {
                let hashes = hashes.iter().map(|hash| hash.to_vec());
                Ok((hashes.collect(), signed))
            }
            // The clock's checkpoint belongs to a longer log, so no proof exists. The newest checkpoint shows the clock that the log has become
            // shorter.
            Err(error @ ProofError::Longer { .. }) => {
                let newest = archive.newest();
                newest.map(|signed| (Vec::new(), signed)).ok_or(error)
            }
            Err(error) => Err(error),
        };
        let proved = tokio::task::spawn_blocking(read).await;
        proved.unwrap_or(Err(ProofError::NotYet))
    }
}

type Proved = (Vec<Vec<u8>>, durable_log::SignedCheckpoint);

pub(super) struct CheckpointFeed {
    source: Checkpoints,
    /// Number of records in the checkpoint that the clock keeps.
    size: u64,
    sent: bool,
    due: Pin<Box<Sleep>>,
    asking: Option<JoinHandle<Result<Proved, ProofError>>>,
}

impl CheckpointFeed {
    /// Returns the next checkpoint when it is due. Cancel safe.
    pub(super) async fn next(&mut self) -> HubFrame {
        loop {
            let Some(asking) = &mut self.asking else {
                self.due.as_mut().await;
                self.asking = Some(tokio::spawn(self.source.clone().proof(self.size)));
                continue;
            };
            let proved = asking.await;
            self.asking = None;
            match proved {
                Ok(Ok((proof, signed))) => {
                    self.due = Box::pin(sleep(EVERY));
                    // The first checkpoint is the response to the clock's request, so it is sent even if the log has not grown.
                    if !self.sent || signed.size != self.size {
                        return self.frame(proof, signed);
                    }
                }
                Ok(Err(ProofError::NotYet)) => self.due = Box::pin(sleep(LOOK_AGAIN)),
                // The archive reports its own failures to the arbiters.
                Ok(Err(_)) => self.due = Box::pin(sleep(EVERY)),
                // The task fails only if the runtime is shutting down.
                Err(_) => return pending().await,
            }
        }
    }

    fn frame(&mut self, proof: Vec<Vec<u8>>, signed: durable_log::SignedCheckpoint) -> HubFrame {
        let old_size = std::mem::replace(&mut self.size, signed.size);
        self.sent = true;
        LogCheckpoint {
            note: signed.note,
            key: self.source.archive.verifier().to_string(),
            old_size,
            proof,
        }
        .into()
    }
}

impl Drop for CheckpointFeed {
    fn drop(&mut self) {
        if let Some(asking) = &self.asking {
            asking.abort();
        }
    }
}
