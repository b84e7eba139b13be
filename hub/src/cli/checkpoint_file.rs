//! Keeps a checkpoint of a hub's log in a file, and demands proof that the log continues the checkpoint. In this way, anyone with a connection
//! can detect that a hub rewrote its log.
//!
//! The file holds the log's public key in its first line, an empty line, and the signed note. The key is trusted on first use. A file
//! that the hub contradicts is never overwritten: it is the evidence.

use std::io::Write as _;
use std::path::Path;

use proto::checkpoint::{KeptCheckpoint, LogBreak};
use proto::grpc::archive_client::ArchiveClient;
use proto::grpc::get_proof_request::Of;
use proto::grpc::{GetCheckpointRequest, GetProofRequest, LogCheckpoint};
use tonic::Code;
use tonic::transport::Channel;

use super::client::answer;
use super::output::{Failure, Result, failed, usage};

/// Checks the signature of a checkpoint from a hub against the key that the hub sent with it.
pub(super) fn opened(answer: &LogCheckpoint) -> Result<KeptCheckpoint> {
    KeptCheckpoint::open(&answer.note, &answer.key)
        .map_err(|error| failed!("the hub's checkpoint: {error}"))
}

fn read(path: &Path) -> Result<Option<KeptCheckpoint>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed!("cannot read {}: {error}", path.display())),
    };
    let kept = KeptCheckpoint::parse(&text);
    kept.map(Some).map_err(|_| {
        usage!(
            "{} is not a checkpoint written by this program: name a different file",
            path.display()
        )
    })
}

fn write(kept: &KeptCheckpoint, path: &Path) -> Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let written = std::fs::File::create(&new)
        .and_then(|mut file| {
            write!(file, "{}", kept.to_text())?;
            file.sync_all()
        })
        .and_then(|()| std::fs::rename(&new, path));
    written.map_err(|error| failed!("cannot write {}: {error}", path.display()))
}

/// Fetches the hub's newest checkpoint and stores it in `path`. If `path` holds an earlier one, first demands proof that the log
/// continues it; without that proof, fails and leaves the file untouched.
pub(super) async fn keep(
    client: &mut ArchiveClient<Channel>,
    path: &Path,
) -> Result<KeptCheckpoint> {
    let Some(old) = read(path)? else {
        let newest = answer(client.get_checkpoint(GetCheckpointRequest {}).await)?;
        let newest = opened(&newest)?;
        write(&newest, path)?;
        return Ok(newest);
    };
    let of = Some(Of::OldSize(old.checkpoint.size));
    let proof = match client.get_proof(GetProofRequest { of }).await {
        Ok(proof) => proof.into_inner(),
        Err(status) if status.code() == Code::OutOfRange => {
            return Err(rewritten(path, &old, status.message()));
        }
        Err(status) => return Err(status.into()),
    };
    let newest = opened(&proof.checkpoint.unwrap_or_default())?;
    match old.verify_continued_by(&newest, &proof.hashes) {
        Ok(()) => write(&newest, path)?,
        Err(LogBreak::OtherLog) => {
            return Err(failed!(
                "{} belongs to a different log ({}, this hub has {}): the hub began a new log, or this is a different hub; name a different file",
                path.display(),
                old.checkpoint.origin,
                newest.checkpoint.origin
            ));
        }
        Err(error @ (LogBreak::OtherKey | LogBreak::Shorter | LogBreak::Differs)) => {
            return Err(rewritten(path, &old, &error.to_string()));
        }
    }
    Ok(newest)
}

fn rewritten(path: &Path, old: &KeptCheckpoint, why: &str) -> Failure {
    failed!(
        "the hub's log does not continue the {} records of its own checkpoint in {}: {why}. Records were changed or lost: keep \
         this file as evidence",
        old.checkpoint.size,
        path.display()
    )
}
