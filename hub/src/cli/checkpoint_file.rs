//! A kept checkpoint of a hub's log: the file, and the demand that the log continues it. With it, anyone with a connection
//! notices a hub that changed its past.
//!
//! The file has the log's public key in its first line, an empty line, and the signed note. The key in it is trusted from
//! then on. A file that the hub contradicts is never overwritten: it is the evidence.

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

/// Checks a hub's answer against the key in it.
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
            "{} is no checkpoint that this program wrote: name another file",
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

/// Takes the hub's newest checkpoint. If `path` has an earlier one, demands the proof that the log continues it. Then keeps
/// the new one in `path`. Fails, without touching the file, if the log does not continue the kept checkpoint.
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
                "{} is of another log ({}, this hub has {}): the hub began another log, or it is another hub; name another file",
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
        "the hub's log does not continue the {} records of its own checkpoint in {}: {why}; records were changed or lost: keep \
         this file, it is the evidence",
        old.checkpoint.size,
        path.display()
    )
}
