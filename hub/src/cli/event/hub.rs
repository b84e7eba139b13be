//! A connection to a hub, and the hub's event as last read. Owns sending changes and reporting their outcome.

use proto::event::Change as WireChange;
use proto::grpc::{ApplyReply, ApplyRequest, GetHallRequest, GetTournamentRequest, TakenImport};
use proto::refusal::RefusalCode;
use tonic::{Code, Status};

use super::super::client::{Client, EventClient, HubOptions, NO_EVENT, connect_to_event, describe};
use super::super::hall_time::HallTime;
use super::super::output::{Failure, Result, after_change, failed, print, tell};
use hall::{from_proto, to_proto};
use tournament::{
    Board, BoardNo, Change, Player, PlayerNo, Round, RoundNo, RoundPhase, Tournament,
};

const PAIR_FIRST: &str =
    "use `flagfall event pair`, or import pairings with `flagfall event import FILE`";

pub(super) struct Hub {
    pub(super) client: EventClient,
    hall: Client,
    pub(super) json: bool,
}

pub(super) struct Now {
    pub(super) version: u64,
    pub(super) tournament: Tournament,
    pub(super) number: u32,
    /// Imports that can be undone, oldest first.
    pub(super) imports: Vec<TakenImport>,
}

impl Hub {
    pub(super) async fn connect(options: &HubOptions, json: bool) -> Result<Self> {
        let (client, hall) = connect_to_event(options).await?;
        Ok(Self { client, hall, json })
    }

    pub(super) async fn now(&mut self) -> Result<Now> {
        let now = self.now_if_any().await?;
        now.ok_or_else(|| failed!("{NO_EVENT}"))
    }

    pub(super) async fn now_if_any(&mut self) -> Result<Option<Now>> {
        let reply = match self.client.get_tournament(GetTournamentRequest {}).await {
            Ok(reply) => reply.into_inner(),
            Err(status) if status.code() == Code::NotFound => return Ok(None),
            Err(status) => return Err(status.into()),
        };
        let wire = reply.tournament.unwrap_or_default();
        let tournament = from_proto::tournament::tournament(wire).map_err(|error| {
            failed!("this version cannot read the hub's event: {error}; use the hub's version of flagfall")
        })?;
        Ok(Some(Now {
            version: reply.version,
            tournament,
            number: reply.number,
            imports: reply.imports,
        }))
    }

    pub(super) async fn apply_proposed(
        &mut self,
        version: u64,
        reason: String,
        changes: Vec<WireChange>,
        words: &str,
    ) -> Result<()> {
        let request = ApplyRequest {
            id: id()?,
            seen_version: Some(version),
            reason,
            changes,
            set_aside: None,
        };
        let reply = self.send(request).await?;
        self.done(reply.version, words);
        Ok(())
    }

    /// Applies all `changes` to the event, or none. Prints `words` on success.
    pub(super) async fn apply(
        &mut self,
        now: &Now,
        reason: &str,
        changes: &[Change],
        words: &str,
    ) -> Result<()> {
        let request = ApplyRequest {
            id: id()?,
            seen_version: Some(now.version),
            reason: reason.to_owned(),
            changes: changes.iter().map(to_proto::tournament::change).collect(),
            set_aside: None,
        };
        self.make(request, words).await
    }

    /// Creates an event from `changes`. `set_aside` names the current event, which is then set aside; `None` if the hub has no event.
    pub(super) async fn begin(
        &mut self,
        set_aside: Option<&String>,
        changes: &[Change],
        words: &str,
    ) -> Result<()> {
        let request = ApplyRequest {
            id: id()?,
            // Version 0 means that there is no event, so of two events created at the same time the hub refuses the second.
            seen_version: set_aside.is_none().then_some(0),
            changes: changes.iter().map(to_proto::tournament::change).collect(),
            set_aside: set_aside.cloned(),
            ..ApplyRequest::default()
        };
        self.make(request, words).await
    }

    async fn make(&mut self, request: ApplyRequest, words: &str) -> Result<()> {
        let reply = self.send(request).await?;
        for remark in &reply.remarks {
            tell!("please check: {remark}");
        }
        self.done(reply.version, words);
        Ok(())
    }

    async fn send(&mut self, request: ApplyRequest) -> Result<ApplyReply> {
        match self.client.apply(request).await {
            Ok(reply) => Ok(reply.into_inner()),
            Err(status) => Err(self.refused(status).await),
        }
    }

    /// Formats a refusal. If the event has changed since it was read, lists the newer changes with their times.
    async fn refused(&mut self, status: Status) -> Failure {
        if crate::api::refusal_code(&status) != RefusalCode::EventChanged {
            return not_made(status);
        }
        let hall = self.hall.get_hall(GetHallRequest {}).await;
        let stale = hall
            .ok()
            .and_then(|hall| HallTime::of(&hall.into_inner()).stale(&status));
        stale.map_or_else(
            || not_made(status),
            |words| failed!("nothing was changed: {words}"),
        )
    }

    pub(super) fn done(&self, version: u64, words: &str) {
        after_change(match self.json {
            true => print(serde_json::json!({"done": words, "version": version})),
            false => print(words),
        });
    }
}

pub(super) fn id() -> Result<Vec<u8>> {
    let id = crate::identity::random::<16>();
    Ok(id.map_err(Failure::failed)?.to_vec())
}

pub(super) fn made<T>(reply: tonic::Result<tonic::Response<T>>) -> Result<T> {
    Ok(reply.map_err(not_made)?.into_inner())
}

fn not_made(status: Status) -> Failure {
    failed!("nothing was changed: {}", describe(&status))
}

impl Now {
    /// Returns round `named`; if that is `None`, the first round with a missing result, or else the last paired round.
    pub(super) fn round(&self, named: Option<u16>) -> Result<(RoundNo, &Round)> {
        let no = named.map(RoundNo).or(self.tournament.current_round());
        let found = no.and_then(|no| self.tournament.rounds().get_key_value(&no));
        let (no, round) = found.ok_or_else(|| match named {
            Some(no) => failed!("round {no} is not paired yet: {PAIR_FIRST}"),
            None => failed!("no round is paired yet: {PAIR_FIRST}"),
        })?;
        Ok((*no, round))
    }

    pub(super) fn next_round(&self) -> RoundNo {
        let last = self.tournament.last_round();
        last.map_or(RoundNo(1), RoundNo::next)
    }

    pub(super) fn unconfirmed(&self) -> impl Iterator<Item = RoundNo> + '_ {
        let rounds = self.tournament.rounds().iter();
        rounds
            .filter(|(_, round)| round.phase() == RoundPhase::Finished)
            .map(|(no, _)| *no)
    }

    pub(super) fn player(&self, no: u16) -> Result<&Player> {
        let found = self.tournament.players().get(&PlayerNo(no));
        found.ok_or_else(|| {
            failed!("there is no player {no}: `flagfall event players` lists the players")
        })
    }

    pub(super) fn seats(&self, board: &Board) -> String {
        let name = |no: Option<PlayerNo>| no.map_or("no player".to_owned(), |no| self.name(no));
        format!("{} – {}", name(board.white), name(board.black))
    }

    pub(super) fn name(&self, no: PlayerNo) -> String {
        let player = self.tournament.players().get(&no);
        player.map_or_else(|| format!("player {no}"), |player| player.name.clone())
    }
}

pub(super) fn board(round: RoundNo, paired: &Round, no: u16) -> Result<&Board> {
    let board = paired.boards.get(&BoardNo(no));
    board.ok_or_else(|| {
        failed!(
            "round {round} has no board {no}: `flagfall event round show {round}` lists its boards"
        )
    })
}
