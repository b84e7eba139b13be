//! The service for the event: reads the durable event, asks the hall for changes, and converts the answers for the wire. Owns the event's
//! visibility to each role; `tournament` owns its rules.

mod counted;
mod events;
mod export;
mod fide_list;
mod games;
mod import;
mod round;
mod table;
mod watch;

pub(crate) use export::text as exported;

use std::sync::Arc;

use futures::stream::BoxStream;
use prost::Message;
use proto::grpc::tournament_server;
use proto::grpc::*;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Response, Result, Status};

use super::messages::remark;
use super::roles::{
    CompositeCall, Visibility, all_of, authorize_part, change_name, format_name, scope_in_sector,
};
use super::service::{caller, refusal};
use super::status::{malformed, refused, with_number};
use super::{Reply, ServiceContext, computed, held_commands, pairings, requests};
use crate::identity::Role;
use counted::CountedStandings;
use hall::refusal::Why;
use hall::{
    Outcome, Purpose, RequestDigest, TournamentNow, TournamentRequest, from_proto, to_proto,
};
use tournament::formats::difference::change_remarks;
use tournament::{Actor, Change};

const MAX_CHANGES: usize = 10_000;

pub(super) struct TournamentService {
    parts: Arc<ServiceContext>,
    ending: CancellationToken,
    counted: Arc<CountedStandings>,
}

impl TournamentService {
    pub(super) fn new(parts: Arc<ServiceContext>, ending: CancellationToken) -> Self {
        Self {
            parts,
            ending,
            counted: Arc::default(),
        }
    }

    fn now(&self) -> Result<TournamentNow> {
        let now = self.parts.hub.live().tournament();
        now.ok_or_else(no_event)
    }

    fn seen_by<T>(&self, request: &Request<T>) -> Result<(Visibility, TournamentNow)> {
        let visibility = Visibility::of(caller(request)?.role);
        let live = self.parts.hub.live();
        let now = live.tournament_for(visibility.audience());
        Ok((visibility, now.ok_or_else(no_event)?))
    }

    /// Applies all changes or none, and returns the new version.
    async fn change(&self, request: TournamentRequest) -> Result<u64> {
        let answer = held_commands::change(&self.parts, request)
            .await
            .map_err(refusal)?;
        match answer.outcome {
            Outcome::Refused(why) => Err(refused(&why)),
            Outcome::Done | Outcome::Pending | Outcome::Withdrawn => Ok(answer.version),
        }
    }
}

#[tonic::async_trait]
impl tournament_server::Tournament for TournamentService {
    type WatchTournamentStream = BoxStream<'static, Result<TournamentUpdate>>;

    async fn get_tournament(
        &self,
        request: Request<GetTournamentRequest>,
    ) -> Reply<TournamentReply> {
        let (visibility, now) = self.seen_by(&request)?;
        Ok(Response::new(TournamentReply {
            version: now.version,
            tournament: Some(to_proto::tournament::tournament(&now.tournament)),
            number: now.number().0,
            imports: visibility.imports(&now),
        }))
    }

    async fn apply(&self, request: Request<ApplyRequest>) -> Reply<ApplyReply> {
        let arbiter = caller(&request)?.clone();
        let actor = actor(&request)?;
        let request = request.into_inner();
        let id = requests::command_id(&request.id).map_err(malformed)?;
        let digest = RequestDigest::of("apply", &actor.name, &request.encode_to_vec());
        if request.changes.len() > MAX_CHANGES {
            return Err(Status::invalid_argument(format!(
                "a request may have at most {MAX_CHANGES} changes, not {}",
                request.changes.len()
            )));
        }
        let parts = request.changes.iter();
        for what in parts.filter_map(|change| change.what.as_ref()) {
            authorize_part(CompositeCall::Apply, change_name(what), &arbiter)?;
        }
        let changes = request.changes.into_iter();
        let changes: Result<Vec<_>, _> = changes.map(from_proto::tournament::change).collect();
        let changes = changes.map_err(malformed)?;
        all_of(&self.parts, &arbiter, &changes)?;
        let purpose = match request.set_aside {
            None => Purpose::Amend,
            Some(set_aside) => Purpose::Open {
                file: event_name(&changes),
                set_aside,
            },
        };
        let amends = purpose == Purpose::Amend;
        let request = TournamentRequest {
            id,
            actor,
            seen: request.seen_version,
            reason: requests::reason(request.reason).map_err(malformed)?,
            changes,
            purpose,
            digest,
        };
        let present = self.parts.hub.live().tournament().filter(|_| amends);
        let remarks = match present {
            Some(now) => {
                let (actor, changes) = (request.actor.clone(), request.changes.clone());
                computed(move || change_remarks(&now.tournament, &actor, &changes)).await?
            }
            None => Vec::new(),
        };
        let version = self.change(request).await?;
        Ok(Response::new(ApplyReply {
            id: id.0.to_vec(),
            version,
            remarks: remark::texts(&remarks),
        }))
    }

    async fn import(&self, request: Request<ImportRequest>) -> Reply<ImportReply> {
        let actor = actor(&request)?;
        let taken = self.take_file(actor, request.into_inner()).await?;
        Ok(Response::new(taken))
    }

    async fn undo_import(&self, request: Request<UndoImportRequest>) -> Reply<UndoImportReply> {
        let actor = actor(&request)?;
        Ok(Response::new(self.undo(actor, request.into_inner()).await?))
    }

    async fn list_events(&self, _: Request<ListEventsRequest>) -> Reply<ListEventsReply> {
        let now = self.parts.hub.live().tournament();
        Ok(Response::new(events::list(now.as_ref())))
    }

    async fn switch_event(&self, request: Request<SwitchEventRequest>) -> Reply<SwitchEventReply> {
        let actor = actor(&request)?;
        let version = self.switch(actor, request.into_inner()).await?;
        Ok(Response::new(SwitchEventReply { version }))
    }

    async fn export(&self, request: Request<ExportRequest>) -> Reply<ExportReply> {
        let format = format_name(request.get_ref().format());
        authorize_part(CompositeCall::Export, format, caller(&request)?)?;
        let role = caller(&request)?.role;
        let (_, now) = self.seen_by(&request)?;
        let request = request.into_inner();
        let present = now.number();
        let now = events::numbered(now, request.event)?;
        if request.format() == ExportFormat::Pgn {
            let wanted = games::GameQuery {
                rounds: export::rounds(&now.tournament, &request)?,
                board: export::board(&request)?,
                reader: request.reader(),
                // Only arbiters get the moves of running games, which could help a player; other callers get them with the result.
                include_unfinished: matches!(role, Role::Chief | Role::Floor),
                is_current_event: now.number() == present,
            };
            let name = now.tournament.event().name.clone();
            let version = now.version;
            let games = games::pgn(&self.parts, now, wanted).await?;
            return Ok(Response::new(export::pgn(&name, version, games)));
        }
        computed(move || export::write(&now, &request))
            .await?
            .map(Response::new)
    }

    async fn get_standings(&self, request: Request<GetStandingsRequest>) -> Reply<Standings> {
        let (_, now) = self.seen_by(&request)?;
        let request = request.into_inner();
        let counted = self.counted.clone();
        computed(move || table::asked_for(&now, &request, &counted))
            .await?
            .map(Response::new)
    }

    async fn get_cross_table(&self, request: Request<GetCrossTableRequest>) -> Reply<CrossTable> {
        let (_, now) = self.seen_by(&request)?;
        let after = table::after(&now.tournament, request.get_ref().after)?;
        let table = computed(move || table::cross(&now, after)).await?;
        Ok(Response::new(table))
    }

    async fn watch_tournament(
        &self,
        request: Request<WatchTournamentRequest>,
    ) -> Reply<Self::WatchTournamentStream> {
        let visibility = Visibility::of(caller(&request)?.role);
        let updates = watch::follow(&self.parts, visibility, self.ending.clone());
        Ok(Response::new(updates?))
    }

    async fn list_news(&self, _: Request<ListNewsRequest>) -> Reply<ListNewsReply> {
        let parts = self.parts.clone();
        let news = move || {
            let now = parts.hub.live().tournament();
            pairings::news(&parts.pairing, now.as_ref())
        };
        Ok(Response::new(computed(news).await?))
    }

    async fn dismiss_news(&self, request: Request<DismissNewsRequest>) -> Reply<DismissNewsReply> {
        let by = actor(&request)?.name;
        let shown = request.into_inner().watched.unwrap_or_default();
        pairings::dismiss(&self.parts.pairing, &shown)?;
        tracing::info!(
            file = shown.file,
            by,
            "a file of the watched folder was dismissed"
        );
        Ok(Response::new(DismissNewsReply {}))
    }

    async fn propose_pairings(
        &self,
        request: Request<ProposePairingsRequest>,
    ) -> Reply<ProposePairingsReply> {
        let now = self.parts.hub.live().tournament();
        let proposed = pairings::propose(&self.parts.pairing, now, request.into_inner());
        Ok(Response::new(proposed.await?))
    }

    async fn propose_numbers(
        &self,
        request: Request<ProposeNumbersRequest>,
    ) -> Reply<ProposeNumbersReply> {
        let proposed = pairings::numbers(&self.now()?, request.into_inner());
        Ok(Response::new(proposed?))
    }

    async fn preset_round(&self, request: Request<PresetRoundRequest>) -> Reply<RoundReply> {
        let actor = actor(&request)?;
        let arbiter = caller(&request)?.clone();
        let asked = round::preset(actor, request.into_inner(), &self.parts.defaults)?;
        scope_in_sector(&self.parts, &arbiter, &asked.scope)?;
        Ok(Response::new(round::work(&self.parts, asked).await?))
    }

    async fn start_round(&self, request: Request<StartRoundRequest>) -> Reply<RoundReply> {
        let actor = actor(&request)?;
        let arbiter = caller(&request)?.clone();
        let asked = round::start(actor, request.into_inner())?;
        scope_in_sector(&self.parts, &arbiter, &asked.scope)?;
        Ok(Response::new(round::work(&self.parts, asked).await?))
    }

    async fn check_rating_report(
        &self,
        _: Request<CheckRatingReportRequest>,
    ) -> Reply<CheckRatingReportReply> {
        Ok(Response::new(self.rating_findings().await?))
    }

    async fn search_fide_list(
        &self,
        request: Request<SearchFideListRequest>,
    ) -> Reply<SearchFideListReply> {
        let found = self.fide_players(request.into_inner()).await?;
        Ok(Response::new(found))
    }

    async fn get_fide_list_status(
        &self,
        _: Request<GetFideListStatusRequest>,
    ) -> Reply<FideListStatus> {
        Ok(Response::new(self.fide_status()))
    }

    async fn import_fide_list(
        &self,
        request: Request<ImportFideListRequest>,
    ) -> Reply<FideListStatus> {
        let by = actor(&request)?.name;
        let status = self.take_fide_list(by, request.into_inner()).await?;
        Ok(Response::new(status))
    }
}

impl Visibility {
    fn imports(self, now: &TournamentNow) -> Vec<TakenImport> {
        match self {
            Self::Arbiter => events::imports(now),
            Self::Viewer => Vec::new(),
        }
    }
}

pub(super) fn no_event() -> Status {
    with_number(Code::NotFound, &Why::NoEvent.into())
}

fn actor<T>(request: &Request<T>) -> Result<Actor> {
    let arbiter = caller(request)?;
    match arbiter.role {
        Role::Chief => Ok(Actor::chief(&arbiter.name)),
        Role::Floor => Ok(Actor::floor(&arbiter.name)),
        Role::Viewer | Role::Broadcaster | Role::Auditor | Role::Player => {
            Err(with_number(Code::PermissionDenied, &Why::Viewer.into()))
        }
    }
}

/// Returns the name of the event that these changes create, or an empty string if they create none.
fn event_name(changes: &[Change]) -> String {
    for change in changes {
        if let Change::SetEvent(event) = change {
            return event.name.clone();
        }
    }
    String::new()
}
