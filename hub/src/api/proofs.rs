//! Checkpoints of the log, and the Merkle proofs against them, for arbiters' programs. Only reads.

use std::time::Duration;

use proto::grpc::get_proof_request::Of;
use proto::grpc::{GetProofRequest, LogCheckpoint, LogProof};
use tonic::{Response, Result, Status};

use super::log_places::payload_of;
use super::work::computed;
use super::{Parts, Reply};
use durable_log::{ArchiveHandle, ProofError, SignedCheckpoint};

/// Interval between two checks for a requested checkpoint.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// Number of checks before the caller is told to try again.
const LOOKS: u32 = 150;

pub(super) async fn checkpoint(archive: &ArchiveHandle) -> Reply<LogCheckpoint> {
    let asked = archive.clone();
    let signed = patiently(move || asked.checkpoint(0, Duration::ZERO)).await?;
    Ok(Response::new(message(archive, signed)))
}

pub(super) async fn proof(parts: &Parts, request: GetProofRequest) -> Reply<LogProof> {
    let archive = &parts.archive;
    let asked = archive.clone();
    let (hashes, signed, record) = match request.of {
        Some(Of::Record(index)) => {
            let ask = move || asked.inclusion(index, Duration::ZERO);
            let (hashes, signed) = patiently(ask).await?;
            let log = parts.log.clone();
            let record = computed(move || payload_of(&log, index)).await??;
            (hashes, signed, record)
        }
        Some(Of::OldSize(size)) => {
            let ask = move || asked.consistency(size, Duration::ZERO);
            let (hashes, signed) = patiently(ask).await?;
            (hashes, signed, Vec::new())
        }
        None => {
            let text = "name a record, or the size of an earlier checkpoint";
            return Err(Status::invalid_argument(text));
        }
    };
    Ok(Response::new(LogProof {
        checkpoint: Some(message(archive, signed)),
        hashes: hashes.iter().map(|hash| hash.to_vec()).collect(),
        record,
    }))
}

/// Repeats `ask` while a checkpoint is being written, at most [`LOOKS`] times. Occupies no thread between two attempts.
async fn patiently<T: Send + 'static>(
    ask: impl Fn() -> Result<T, ProofError> + Clone + Send + 'static,
) -> Result<T> {
    let mut looks = 0;
    loop {
        match computed(ask.clone()).await? {
            Err(ProofError::NotYet) if looks < LOOKS => looks += 1,
            answer => return answer.map_err(refused),
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

fn message(archive: &ArchiveHandle, signed: SignedCheckpoint) -> LogCheckpoint {
    LogCheckpoint {
        note: signed.note,
        key: archive.verifier().to_string(),
    }
}

fn refused(error: ProofError) -> Status {
    let text = error.to_string();
    match error {
        ProofError::NoRecord { .. } => Status::not_found(text),
        // A log that is shorter than one of its checkpoints has been set back to an older state.
        ProofError::Longer { .. } => Status::out_of_range(text),
        ProofError::NoCheckpoint(_) => Status::failed_precondition(text),
        ProofError::NotYet | ProofError::Damaged => Status::aborted(text),
        ProofError::Archive(_) => Status::data_loss(text),
    }
}
