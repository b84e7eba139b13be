//! `flagfall ctl checkpoint` and `flagfall ctl proof`: signed checkpoints of the hub's log, and proofs that records are in it.

use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proto::checkpoint::EntryProof;
use proto::grpc::get_proof_request::Of;
use proto::grpc::{GetCheckpointRequest, GetProofRequest};
use proto::merkle::Hash;
use serde_json::json;

use crate::cli::checkpoint_file::{keep, opened};
use crate::cli::client::{HubOptions, answer, connect_to_archive};
use crate::cli::output::{Result, failed, print, say};

const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(5);

pub(super) async fn checkpoint(hub: &HubOptions, file: Option<&Path>, as_json: bool) -> Result<()> {
    let mut client = connect_to_archive(hub).await?;
    let newest = match file {
        Some(path) => keep(&mut client, path).await?,
        None => opened(&answer(
            client.get_checkpoint(GetCheckpointRequest {}).await,
        )?)?,
    };
    let root = STANDARD.encode(newest.checkpoint.root);
    let key = newest.verifier.to_string();
    if as_json {
        return print(json!({
            "origin": newest.checkpoint.origin,
            "records": newest.checkpoint.size,
            "root": root,
            "key": key,
            "note": newest.note,
        }));
    }
    say!("log      {}", newest.checkpoint.origin)?;
    say!("records  {}", newest.checkpoint.size)?;
    say!("root     {root}")?;
    say!("key      {key}")
}

/// Runs `work`. If `file` is given, also keeps the newest checkpoint in it, and fails as soon as a check, the connection or the file fails.
pub(super) async fn kept_during(
    work: impl Future<Output = Result<()>>,
    hub: &HubOptions,
    file: Option<&Path>,
) -> Result<()> {
    let Some(file) = file else {
        return work.await;
    };
    tokio::select! {
        ended = work => ended,
        failed = keep_up(hub, file) => failed,
    }
}

async fn keep_up(hub: &HubOptions, file: &Path) -> Result<()> {
    let mut client = connect_to_archive(hub).await?;
    loop {
        keep(&mut client, file).await?;
        tokio::time::sleep(CHECKPOINT_INTERVAL).await;
    }
}

pub(super) async fn record(
    hub: &HubOptions,
    record: u64,
    file: &Path,
    as_json: bool,
) -> Result<()> {
    let mut client = connect_to_archive(hub).await?;
    let of = Some(Of::Record(record));
    let proof = answer(client.get_proof(GetProofRequest { of }).await)?;
    let newest = opened(&proof.checkpoint.unwrap_or_default())?;
    let hashes = proof.hashes.into_iter().map(|hash| hash.try_into().ok());
    let hashes: Option<Vec<Hash>> = hashes.collect();
    let proof = EntryProof {
        extra: Some(proof.record),
        index: record,
        hashes: hashes.unwrap_or_default(),
        checkpoint: newest.note,
    };
    let entry = proof.extra.as_deref().unwrap_or_default();
    proof
        .verify(entry, &newest.verifier)
        .map_err(|error| failed!("the hub's proof of record {record} is not valid: {error}"))?;
    std::fs::write(file, proof.to_text())
        .map_err(|error| failed!("cannot write {}: {error}", file.display()))?;
    let key = newest.verifier.to_string();
    if as_json {
        return print(json!({"record": record, "file": file, "key": key}));
    }
    say!(
        "{} proves record {record}; check it anywhere:",
        file.display()
    )?;
    say!("flagfall proof check {} --key {key}", file.display())
}
