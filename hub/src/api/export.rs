//! Evidence files from the running hub, for chief arbiters and auditors. Only reads. Exports one file at a time on a separate thread, so
//! that a slow receiver delays nothing else.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use proto::grpc::{EvidencePiece, ExportEvidenceRequest, ExportNames, ExportSummary};
use tokio::sync::mpsc;
use tonic::{Response, Result, Status};

use super::{Reply, ServiceContext, archive};
use crate::evidence::{EvidenceError, Redaction, Selection, export};

const MAX_QUEUED_CHUNKS: usize = 4;
const CHECKPOINT_TIME_LIMIT: Duration = Duration::from_secs(10);
const NICE: i32 = 5;

pub(super) type EvidencePieces = BoxStream<'static, Result<EvidencePiece>>;

#[derive(Clone, Default)]
pub(super) struct ExportTurn(Arc<Mutex<()>>);

pub(super) fn stream_export(
    parts: &ServiceContext,
    turn: ExportTurn,
    request: ExportEvidenceRequest,
) -> Reply<EvidencePieces> {
    let redaction = match request.names() {
        ExportNames::All => Redaction::None,
        ExportNames::Officials => Redaction::Players,
        ExportNames::None => Redaction::Everyone,
    };
    let selection = selection(&request)?;
    let (log, archive, keys) = (
        parts.log.clone(),
        parts.archive.clone(),
        parts.log_keys.clone(),
    );
    let (sender, receiver) = mpsc::channel(MAX_QUEUED_CHUNKS);
    let run = move || {
        // On Linux this affects only the calling thread. Ignore a failure: the thread then runs at normal priority.
        let _ = rustix::process::nice(NICE);
        let _turn = match turn.0.try_lock() {
            Ok(turn) => turn,
            Err(TryLockError::Poisoned(turn)) => turn.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let text = "the hub is already writing an export: try again when it is done";
                // Ignore a failure: the caller may have gone.
                let _ = sender.blocking_send(Err(Status::resource_exhausted(text)));
                return;
            }
        };
        let mut out = Out(&sender);
        // Export only what the hub has signed, so that two exports of the same size have the same checkpoint.
        let signed = archive.checkpoint(log.len(), CHECKPOINT_TIME_LIMIT);
        let signed = signed.map_err(|error| EvidenceError::NoCheckpoint(error.to_string()));
        let exported = signed
            .and_then(|signed| export(&log, signed.size, &keys, &selection, redaction, &mut out));
        let last = exported.map(|exported| EvidencePiece {
            content: Vec::new(),
            summary: Some(ExportSummary {
                records: exported.records,
                of: exported.of,
                key: exported.key,
            }),
        });
        let _ = sender.blocking_send(last.map_err(|error| refused(&error)));
    };
    std::thread::Builder::new()
        .name("export".to_owned())
        .spawn(run)
        .map_err(|error| Status::unavailable(format!("the hub cannot start a thread: {error}")))?;
    let pieces = stream::unfold(receiver, |mut receiver| async move {
        Some((receiver.recv().await?, receiver))
    });
    Ok(Response::new(pieces.boxed()))
}

fn selection(request: &ExportEvidenceRequest) -> Result<Selection> {
    Ok(match (request.board.as_str(), request.round) {
        ("", 0) => Selection::Event,
        ("", round) => Selection::Round(round),
        (board, round) => Selection::Game {
            board: archive::board(board)?,
            game: request.game,
            round,
        },
    })
}

fn refused(error: &EvidenceError) -> Status {
    let text = error.to_string();
    match error {
        EvidenceError::NoGame(_) | EvidenceError::NoRound(_) => Status::not_found(text),
        EvidenceError::NoCheckpoint(_) | EvidenceError::Empty => Status::unavailable(text),
        EvidenceError::Read(_)
        | EvidenceError::Record { .. }
        | EvidenceError::Identity(_)
        | EvidenceError::Write(_)
        | EvidenceError::Source(_)
        | EvidenceError::Part(_)
        | EvidenceError::Names(_) => Status::data_loss(text),
    }
}

struct Out<'a>(&'a mpsc::Sender<Result<EvidencePiece>>);

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = EvidencePiece {
            content: bytes.to_vec(),
            summary: None,
        };
        match self.0.blocking_send(Ok(piece)) {
            Ok(()) => Ok(bytes.len()),
            Err(_) => Err(io::Error::other("the receiver has gone")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
