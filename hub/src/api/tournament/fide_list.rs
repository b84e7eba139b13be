//! FIDE's rating list over the wire: its search, its upload in chunks, and its status. Also checks the event's rating report. Owns the limits
//! on a request.

use proto::grpc::{
    CheckRatingReportReply, FideListStatus, ImportFideListRequest, SearchFideListReply,
    SearchFideListRequest,
};
use proto::refusal::RefusalCode;
use tonic::{Code, Result, Status};

use super::super::messages::expectation::unreadable_list;
use super::super::messages::fide_list as to_wire;
use super::super::status::{refused, with_number};
use super::{TournamentService, computed};
use crate::fide_list::store::ImportError;
use crate::fide_list::{FideListStore, ListedPlayer, Query};
use hall::Refusal;
use tournament::RateOfPlay;
use tournament::formats::draft::control_of;
use tournament::formats::rating_report;

const DEFAULT_RESULTS: usize = 20;
const MAX_IDS: usize = 10_000;
const MAX_QUERY_CHARS: usize = 200;
const MAX_CHUNK_BYTES: usize = 4 << 20;
const MAX_FILE_NAME_CHARS: usize = 100;

impl TournamentService {
    pub(super) async fn rating_findings(&self) -> Result<CheckRatingReportReply> {
        let now = self.now()?;
        let version = now.version;
        let findings = computed(move || rating_report::check(&now.tournament)).await?;
        Ok(CheckRatingReportReply {
            version,
            findings: findings.iter().map(to_wire::finding).collect(),
        })
    }

    pub(super) async fn fide_players(
        &self,
        request: SearchFideListRequest,
    ) -> Result<SearchFideListReply> {
        if request.fide_ids.len() > MAX_IDS || request.text.chars().count() > MAX_QUERY_CHARS {
            return Err(Status::invalid_argument(format!(
                "the search is too long: send at most {MAX_QUERY_CHARS} characters and {MAX_IDS} FIDE IDs"
            )));
        }
        let list = self.parts.fide_list.clone();
        let found = computed(move || find(&list, &request)).await??;
        let now = self.parts.hub.live().tournament();
        let control = now.and_then(|now| control_of(&now.tournament.event().time_control_code));
        let rate = control.map(|control| RateOfPlay::of(&control));
        Ok(SearchFideListReply {
            players: found.iter().map(to_wire::player).collect(),
            rate: to_wire::rate(rate).into(),
        })
    }

    pub(super) fn fide_status(&self) -> FideListStatus {
        to_wire::status(&self.parts.fide_list.status())
    }

    pub(super) async fn take_fide_list(
        &self,
        by: String,
        request: ImportFideListRequest,
    ) -> Result<FideListStatus> {
        let id = <[u8; 16]>::try_from(request.upload.as_slice());
        let id = id.map_err(|_| Status::invalid_argument("upload: the id must have 16 bytes"))?;
        if request.content.len() > MAX_CHUNK_BYTES {
            let size = request.content.len();
            return Err(Status::invalid_argument(format!(
                "a chunk of a file may have at most {MAX_CHUNK_BYTES} bytes, not {size}"
            )));
        }
        let list = self.parts.fide_list.clone();
        let now = self.parts.time.wall_now().unix_us();
        let imported = computed(move || {
            list.upload(id, request.offset, &request.content)?;
            if !request.last {
                return Ok(None);
            }
            let name: String = request
                .file_name
                .chars()
                .take(MAX_FILE_NAME_CHARS)
                .collect();
            list.import_upload(id, &name, now, request.force).map(Some)
        });
        if let Some(info) = imported.await?.map_err(|error| not_imported(&error))? {
            tracing::info!(
                file = info.file_name,
                players = info.players,
                by,
                "a FIDE list was imported"
            );
        }
        Ok(self.fide_status())
    }
}

fn find(list: &FideListStore, request: &SearchFideListRequest) -> Result<Vec<ListedPlayer>> {
    let Some(index) = list.index() else {
        let text = "the hub has no FIDE list: import one with `flagfall fide import FILE`";
        let why = Refusal::with_code(RefusalCode::NoFideList, text.to_owned());
        return Err(refused(&why));
    };
    let failed = |error: std::io::Error| Status::internal(error.to_string());
    if !request.fide_ids.is_empty() {
        let ids = request.fide_ids.iter();
        let ids = ids.filter_map(|id| u32::try_from(*id).ok());
        let found = ids.filter_map(|id| index.by_id(id).transpose());
        return found.collect::<Result<_, _>>().map_err(failed);
    }
    let limit = match usize::try_from(request.limit).unwrap_or(usize::MAX) {
        0 => DEFAULT_RESULTS,
        limit => limit,
    };
    match Query::new(&request.text, &request.federation) {
        Some(query) => index.search(&query, limit).map_err(failed),
        None => Ok(Vec::new()),
    }
}

fn not_imported(error: &ImportError) -> Status {
    let code = match error {
        ImportError::List(_) | ImportError::TooLarge | ImportError::FarFewer { .. } => {
            let why = Refusal::with_code(RefusalCode::FileUnreadable, error.to_string());
            let why = why.with_details(|refusal| refusal.faults.extend(unreadable_list(error)));
            return with_number(Code::InvalidArgument, &why);
        }
        ImportError::Busy => RefusalCode::FideListBusy,
        ImportError::OutOfOrder { .. } => RefusalCode::FideListInterrupted,
        ImportError::Disk(_) => {
            // The page's text for this refusal says that the reason is in the hub's log.
            tracing::error!("cannot import the rating list: {error}");
            RefusalCode::HubCannot
        }
    };
    refused(&Refusal::with_code(code, error.to_string()))
}
