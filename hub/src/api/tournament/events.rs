//! Lists and switches the hub's stored events, and undoes imports. The hall decides what may be undone or set aside.

use prost::Message;
use proto::grpc::{
    ImportCounts, ListEventsReply, StoredEvent, SwitchEventRequest, TakenImport, UndoImportReply,
    UndoImportRequest,
};
use tonic::{Code, Result};

use super::super::messages::{count, text};
use super::super::status::with_number;
use super::{TournamentService, computed, malformed, no_event, requests};
use hall::refusal::Why;
use hall::tournament::change_words;
use hall::{
    EventNo, Purpose, Refusal, RequestDigest, TournamentNow, TournamentRequest, UndoableImport,
};
use tournament::formats::difference::{Counts, Difference};
use tournament::{Actor, Tournament};

impl TournamentService {
    /// Undoes an import. A dry run only returns what the undo would revert.
    pub(super) async fn undo(
        &self,
        actor: Actor,
        request: UndoImportRequest,
    ) -> Result<UndoImportReply> {
        let digest = RequestDigest::of("undo import", &actor.name, &request.encode_to_vec());
        let now = self.parts.hub.live().tournament();
        let (shown, version) = (now.clone(), request.version);
        let preview = move || shown.map(|now| undo_preview(&now, version));
        let preview = computed(preview).await?;
        if request.dry_run {
            return preview.ok_or_else(no_event);
        }
        let purpose = Purpose::Undo {
            version: request.version,
        };
        let asked = without_changes(&request.id, actor, purpose, digest)?;
        Ok(UndoImportReply {
            version: self.change(asked).await?,
            refusal: String::new(),
            why: None,
            ..preview.unwrap_or_default()
        })
    }

    pub(super) async fn switch(&self, actor: Actor, request: SwitchEventRequest) -> Result<u64> {
        let digest = RequestDigest::of("switch event", &actor.name, &request.encode_to_vec());
        let purpose = Purpose::Switch {
            to: EventNo(request.number),
            set_aside: request.set_aside,
        };
        let asked = without_changes(&request.id, actor, purpose, digest)?;
        self.change(asked).await
    }
}

fn without_changes(
    id: &[u8],
    actor: Actor,
    purpose: Purpose,
    digest: RequestDigest,
) -> Result<TournamentRequest> {
    Ok(TournamentRequest {
        id: requests::command_id(id).map_err(malformed)?,
        actor,
        seen: None,
        reason: String::new(),
        changes: Vec::new(),
        purpose,
        digest,
    })
}

/// Describes the changes that undoing an import would revert. Includes the reason if the undo would be refused.
fn undo_preview(now: &TournamentNow, version: u64) -> UndoImportReply {
    let refused = now.undoable(version);
    let wanted = |import: &UndoableImport<'_>| version == 0 || import.version == version;
    let import = now.imports().into_iter().rfind(wanted);
    let why = refused.err();
    UndoImportReply {
        version: now.version,
        words: import
            .as_ref()
            .map(|import| words(now, import))
            .unwrap_or_default(),
        import: import.map(|import| taken(now, &import)),
        refusal: text(why.as_ref().map(Refusal::text)),
        why: why.map(|why| why.without_text()),
    }
}

fn words(now: &TournamentNow, import: &UndoableImport<'_>) -> Vec<String> {
    match import.opened {
        true => vec![format!("the event “{}”", now.tournament.event().name)],
        false => import.changes.iter().map(change_words).collect(),
    }
}

pub(super) fn imports(now: &TournamentNow) -> Vec<TakenImport> {
    let imports = now.imports();
    imports.iter().map(|import| taken(now, import)).collect()
}

fn taken(now: &TournamentNow, import: &UndoableImport<'_>) -> TakenImport {
    let found = match import.opened {
        true => Counts::of_event(&now.tournament),
        false => Counts::of_changes(import.changes),
    };
    TakenImport {
        version: import.version,
        file: import.file.to_owned(),
        by: import.by.to_owned(),
        opened: import.opened,
        counts: Some(counts(&found)),
    }
}

pub(super) fn counted(difference: &Difference) -> ImportCounts {
    counts(&difference.counts())
}

fn counts(counts: &Counts) -> ImportCounts {
    ImportCounts {
        players: count(counts.players),
        amended_players: count(counts.amended_players),
        teams: count(counts.teams),
        games: count(counts.games),
        results: count(counts.results),
        byes: count(counts.byes),
        removed_pairings: count(counts.removed_pairings),
        event: counts.event,
    }
}

pub(super) fn list(now: Option<&TournamentNow>) -> ListEventsReply {
    let Some(now) = now else {
        return ListEventsReply::default();
    };
    let aside = now.set_aside();
    let aside = aside.iter();
    let mut events: Vec<StoredEvent> = aside
        .map(|(number, event)| kept(*number, event, false))
        .collect();
    events.push(kept(now.number(), &now.tournament, true));
    events.sort_by_key(|event| event.number);
    ListEventsReply { events }
}

fn kept(number: EventNo, event: &Tournament, current: bool) -> StoredEvent {
    StoredEvent {
        number: number.0,
        name: event.event().name.clone(),
        players: count(event.players().len()),
        paired: count(event.rounds().len()),
        rounds: event.event().rounds.into(),
        current,
    }
}

/// Returns event `number`; 0 means the current event.
pub(super) fn numbered(now: TournamentNow, number: u32) -> Result<TournamentNow> {
    if number == 0 || now.number() == EventNo(number) {
        return Ok(now);
    }
    let event = now.set_aside().remove(&EventNo(number));
    let unknown = || with_number(Code::NotFound, &Why::EventUnknown(number).into());
    Ok(TournamentNow::new(now.version, event.ok_or_else(unknown)?))
}
