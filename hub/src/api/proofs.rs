//! Checkpoints of the log, and the Merkle proofs against them, for arbiters' programs. Only reads.

use std::time::Duration;

use proto::grpc::get_proof_request::Of;
use proto::grpc::{GetProofRequest, LogCheckpoint, LogProof};
use tonic::{Response, Result, Status};

use super::board_records::payload_of;
use super::work::computed;
use super::{Reply, ServiceContext};
use durable_log::{ArchiveHandle, ProofError, SignedCheckpoint};

const CHECK_INTERVAL: Duration = Duration::from_millis(20);
const MAX_CHECKS: u32 = 150;

pub(super) async fn checkpoint(archive: &ArchiveHandle) -> Reply<LogCheckpoint> {
    let asked = archive.clone();
    let signed = retry_until_signed(move || asked.checkpoint(0, Duration::ZERO)).await?;
    Ok(Response::new(message(archive, signed)))
}

pub(super) async fn proof(parts: &ServiceContext, request: GetProofRequest) -> Reply<LogProof> {
    let archive = &parts.archive;
    let asked = archive.clone();
    let (hashes, signed, record) = match request.of {
        Some(Of::Record(index)) => {
            let ask = move || asked.inclusion(index, Duration::ZERO);
            let (hashes, signed) = retry_until_signed(ask).await?;
            let log = parts.log.clone();
            let record = computed(move || payload_of(&log, index)).await??;
            (hashes, signed, record)
        }
        Some(Of::OldSize(size)) => {
            let ask = move || asked.consistency(size, Duration::ZERO);
            let (hashes, signed) = retry_until_signed(ask).await?;
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

/// Repeats `ask` while a checkpoint is being written, at most [`MAX_CHECKS`] times. Occupies no thread between two attempts.
async fn retry_until_signed<T: Send + 'static>(
    ask: impl Fn() -> Result<T, ProofError> + Clone + Send + 'static,
) -> Result<T> {
    let mut checks = 0;
    loop {
        match computed(ask.clone()).await? {
            Err(ProofError::NotYet) if checks < MAX_CHECKS => checks += 1,
            answer => return answer.map_err(refused),
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
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
        // If the caller's checkpoint is from this log, the log has been set back to an earlier state.
        ProofError::Longer { .. } => Status::out_of_range(text),
        ProofError::NoCheckpoint(_) => Status::failed_precondition(text),
        ProofError::NotYet | ProofError::Damaged => Status::aborted(text),
        ProofError::Archive(_) => Status::data_loss(text),
    }
}
