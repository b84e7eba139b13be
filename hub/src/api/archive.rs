//! The service for played games, proofs of the log and evidence files: finds a game's records in the log and replays them. Only reads. A
//! replay runs in the caller's turn, and an export on its own thread.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use proto::grpc::{
    ExportEvidenceRequest, GameReplay, GameSelector, GetCheckpointRequest, GetGameRequest,
    GetProofRequest, ListGamesReply, ListGamesRequest, LogCheckpoint, LogLine, LogProof,
    PlayedGame, archive_server,
};
use proto::refusal::RefusalCode;
use tonic::{Code, Request, Response, Result, Status};

use super::board_records::{damaged, payload_of};
use super::export::{self, EvidencePieces, ExportTurn};
use super::log_lines::line;
use super::messages::replay;
use super::status::with_number;
use super::work::{Turn, computed};
use super::{Reply, ServiceContext, proofs};
use crate::replay::records_at;
use durable_log::LogReader;
use hall::replay::{ReplayError, Supposition, game, suppose};
use hall::to_proto::side;
use hall::{BoardId, GamePlace, Refusal};

const MAX_RECORDS_PER_TURN: usize = 256;

pub(super) struct ArchiveService {
    parts: Arc<ServiceContext>,
    exporting: ExportTurn,
}

/// A game in the log, with the indices of the records that its replay needs.
struct Found {
    board: BoardId,
    place: GamePlace,
    needed: Vec<u64>,
}

impl ArchiveService {
    pub(super) fn new(parts: Arc<ServiceContext>) -> Self {
        Self {
            parts,
            exporting: ExportTurn::default(),
        }
    }

    async fn found(&self, of: GameSelector) -> Result<Found> {
        let board = board(&of.board)?;
        let ServiceContext { places, log, .. } = &*self.parts;
        places.complete(log, &Turn::current()?).await??;
        let places = places.clone();
        computed(move || {
            places.read(|index| {
                let place = index.find(&board, of.game, of.round);
                let place = place.map_err(|error| Status::not_found(error.to_string()))?;
                Ok(Found {
                    needed: index.needed(&board, place),
                    board,
                    place,
                })
            })
        })
        .await?
    }
}

#[tonic::async_trait]
impl archive_server::Archive for ArchiveService {
    type ReadGameStream = BoxStream<'static, Result<LogLine>>;
    type ExportStream = EvidencePieces;

    async fn list_games(&self, request: Request<ListGamesRequest>) -> Reply<ListGamesReply> {
        let board = board(&request.get_ref().board)?;
        let ServiceContext { places, log, .. } = &*self.parts;
        places.complete(log, &Turn::current()?).await??;
        let games = places.read(|index| index.games(&board));
        let games = games.into_iter().map(|place| PlayedGame {
            game: place.game.game,
            round: place.game.round,
            record: place.index,
        });
        Ok(Response::new(ListGamesReply {
            games: games.collect(),
        }))
    }

    async fn get_game(&self, request: Request<GetGameRequest>) -> Reply<GameReplay> {
        let GetGameRequest { of, supposed } = request.into_inner();
        let supposition = supposed.map(replay::supposition).transpose()?;
        let found = self.found(of.unwrap_or_default()).await?;
        let log = self.parts.log.clone();
        let mut reply = computed(move || replayed(&log, &found, supposition.as_ref())).await??;
        reply.log_origin = self.parts.log_origin.clone();
        Ok(Response::new(reply))
    }

    async fn get_checkpoint(
        &self,
        _request: Request<GetCheckpointRequest>,
    ) -> Reply<LogCheckpoint> {
        proofs::checkpoint(&self.parts.archive).await
    }

    async fn get_proof(&self, request: Request<GetProofRequest>) -> Reply<LogProof> {
        proofs::proof(&self.parts, request.into_inner()).await
    }

    async fn export(&self, request: Request<ExportEvidenceRequest>) -> Reply<Self::ExportStream> {
        export::stream_export(&self.parts, self.exporting.clone(), request.into_inner())
    }

    async fn read_game(&self, request: Request<GameSelector>) -> Reply<Self::ReadGameStream> {
        let found = self.found(request.into_inner()).await?;
        let turn = Turn::current()?;
        let log = self.parts.log.clone();
        let unread = found.needed.into_iter();
        let place = found.place;
        let pages = stream::unfold(
            (unread, log, turn),
            move |(mut unread, log, turn)| async move {
                let page: Vec<u64> = unread.by_ref().take(MAX_RECORDS_PER_TURN).collect();
                if page.is_empty() {
                    return None;
                }
                let reader = log.clone();
                let lines = turn.computed(move || lines(&reader, &page, place)).await;
                let lines = lines.unwrap_or_else(|failed| vec![Err(failed)]);
                Some((stream::iter(lines), (unread, log, turn)))
            },
        );
        Ok(Response::new(pages.flatten().boxed()))
    }
}

pub(super) fn board(name: &str) -> Result<BoardId> {
    name.parse()
        .map_err(|error: hall::BadBoardId| Status::invalid_argument(error.to_string()))
}

fn replayed(
    log: &LogReader,
    found: &Found,
    supposition: Option<&Supposition>,
) -> Result<GameReplay> {
    let records = records_at(log, &found.needed).map_err(|error| damaged(&error))?;
    let was = game(&records, &found.board, found.place.game).map_err(failed)?;
    let mut reply = match supposition {
        Some(supposition) => {
            replay::comparison(&suppose(&records, was, supposition).map_err(failed)?)
        }
        None => GameReplay {
            was: Some(replay::timeline(&was)),
            ..GameReplay::default()
        },
    };
    reply.records = log.len();
    let head = log.head_after(reply.records);
    reply.head = head.map_err(|error| damaged(&error))?.to_vec();
    Ok(reply)
}

fn failed(error: ReplayError) -> Status {
    match error {
        ReplayError::Fold(_) => Status::data_loss(error.to_string()),
        ReplayError::NoBoard | ReplayError::NoGame { .. } => Status::not_found(error.to_string()),
        ReplayError::NoAction(_) => Status::invalid_argument(error.to_string()),
        ReplayError::NeverDue(ref added) => {
            let text = error.to_string();
            let why =
                Refusal::with_code(RefusalCode::TurnNeverBegan, text).with_details(|refusal| {
                    refusal.set_side(side(added.before.side));
                    refusal.r#move = added.before.number;
                });
            with_number(Code::InvalidArgument, &why)
        }
    }
}

fn lines(log: &LogReader, page: &[u64], of: GamePlace) -> Vec<Result<LogLine>> {
    let lines = page.iter();
    lines
        .map(|index| line(*index, payload_of(log, *index)?, of))
        .collect()
}
