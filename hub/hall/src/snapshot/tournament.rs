//! The event's part of a snapshot: its present state without its history.

use std::sync::Arc;

use timing::Instant;

use super::message as m;
use crate::event_no::EventNo;
use crate::fold::journal::{Bundle, Import, Journal, Opened};
use crate::fold::tournament::{Aside, EventFold, Touch};
use crate::round::Seat;
use crate::snapshot::fields::{SnapshotError, bad, command_id};
use crate::tournament::topic::Topic;
use crate::{from_proto, to_proto};
use tournament::{BoardNo, MatchNo, PlayerNo, RoundNo, TeamNo, Tournament};

pub(super) fn out(event: &EventFold) -> m::Event {
    let tournament = event
        .tournament()
        .map(|event| to_proto::tournament::tournament(event));
    m::Event {
        tournament,
        version: event.version,
        touched: event
            .touched
            .iter()
            .map(|(topic, touch)| touched_out(*topic, touch))
            .collect(),
        parts: event
            .parts
            .iter()
            .map(to_proto::tournament::event_changed)
            .collect(),
        number: event.number.0,
        last_number: event.last_number.0,
        journal: Some(journal_out(&event.journal)),
        aside: event
            .aside
            .iter()
            .map(|(number, aside)| m::Aside {
                number: number.0,
                tournament: Some(to_proto::tournament::tournament(&aside.tournament)),
                journal: Some(journal_out(&aside.journal)),
            })
            .collect(),
    }
}

fn journal_out(journal: &Journal) -> m::Journal {
    let import = |import: &Import| m::Import {
        file: import.file.clone(),
        begun: import.begun.iter().map(|round| round.0.into()).collect(),
    };
    let bundle = |bundle: &Arc<Bundle>| m::Bundle {
        version: bundle.version,
        actor: Some(to_proto::tournament::actor(&bundle.actor)),
        import: bundle.import.as_ref().map(import),
        changes: bundle
            .changes
            .iter()
            .map(to_proto::tournament::change)
            .collect(),
    };
    m::Journal {
        opened: journal.opened.as_ref().map(|opened| m::Opened {
            import: Some(import(&opened.import)),
            version: opened.version,
            by: opened.by.clone(),
            instead_of: opened.instead_of.map(|number| number.0),
        }),
        base: journal
            .base
            .as_deref()
            .map(to_proto::tournament::tournament),
        bundles: journal.bundles.iter().map(bundle).collect(),
    }
}

fn journal_in(journal: m::Journal) -> Result<Journal, SnapshotError> {
    let opened = journal.opened.map(|opened| {
        Ok(Opened {
            import: import_in(opened.import.unwrap_or_default())?,
            version: opened.version,
            by: opened.by,
            instead_of: opened.instead_of.map(EventNo),
        })
    });
    let bundles = journal.bundles.into_iter().map(|bundle| {
        let changes = bundle.changes.into_iter();
        let changes = changes.map(from_proto::tournament::change);
        let actor = bundle.actor.unwrap_or_default();
        Ok(Arc::new(Bundle::new(
            bundle.version,
            &from_proto::tournament::actor(actor).map_err(bad)?,
            bundle.import.map(import_in).transpose()?,
            changes.collect::<Result<_, _>>().map_err(bad)?,
        )))
    });
    Ok(Journal {
        opened: opened.transpose()?,
        base: tournament_in(journal.base)?,
        bundles: bundles.collect::<Result<_, SnapshotError>>()?,
    })
}

fn import_in(import: m::Import) -> Result<Import, SnapshotError> {
    let rounds = import.begun.into_iter();
    let rounds = rounds.map(|round| u16::try_from(round).map(RoundNo).map_err(bad));
    Ok(Import {
        file: import.file,
        begun: rounds.collect::<Result<_, _>>()?,
    })
}

fn tournament_in(
    tournament: Option<proto::event::Tournament>,
) -> Result<Option<Arc<Tournament>>, SnapshotError> {
    let read = tournament.map(from_proto::tournament::tournament);
    Ok(read.transpose().map_err(bad)?.map(Arc::new))
}

fn aside_in(aside: m::Aside) -> Result<(EventNo, Aside), SnapshotError> {
    let tournament = tournament_in(aside.tournament)?;
    let tournament = tournament.ok_or_else(|| bad("an event that is set aside, and is none"))?;
    let journal = Arc::new(journal_in(aside.journal.unwrap_or_default())?);
    let kept = Aside {
        tournament,
        journal,
    };
    Ok((EventNo(aside.number), kept))
}

pub(super) fn read(event: m::Event) -> Result<EventFold, SnapshotError> {
    let parts = event
        .parts
        .into_iter()
        .map(from_proto::records::event_changed);
    let tournament = tournament_in(event.tournament)?;
    // A snapshot from the time before events had numbers contains at most one event.
    let first = u32::from(tournament.is_some());
    let aside = event.aside.into_iter().map(aside_in);
    Ok(EventFold {
        number: EventNo(event.number.max(first)),
        last_number: EventNo(event.last_number.max(first)),
        journal: Arc::new(journal_in(event.journal.unwrap_or_default())?),
        aside: Arc::new(aside.collect::<Result<_, _>>()?),
        tournament,
        version: event.version,
        touched: event
            .touched
            .into_iter()
            .map(touched_in)
            .collect::<Result<_, _>>()?,
        parts: parts.collect::<Result<_, _>>().map_err(bad)?,
    })
}

fn touched_out(topic: Topic, touch: &Touch) -> m::Touched {
    let (kind, round, no) = match topic {
        Topic::Event => (1, 0, 0),
        Topic::Player(no) => (2, 0, no.0),
        Topic::Team(no) => (3, 0, no.0),
        Topic::Round(round) => (4, round.0, 0),
        Topic::Board(round, no) => (5, round.0, no.0),
        Topic::Match(round, no) => (6, round.0, no.0),
        Topic::Whole => (7, 0, 0),
    };
    m::Touched {
        kind,
        round: round.into(),
        no: no.into(),
        version: touch.version,
        by: touch.by.to_string(),
        at_us: touch.at.map(Instant::as_micros),
        change: touch.kind.into(),
    }
}

fn touched_in(touched: m::Touched) -> Result<(Topic, Touch), SnapshotError> {
    let number = |no: u32| u16::try_from(no).map_err(bad);
    let (round, no) = (RoundNo(number(touched.round)?), number(touched.no)?);
    let topic = match touched.kind {
        1 => Topic::Event,
        2 => Topic::Player(PlayerNo(no)),
        3 => Topic::Team(TeamNo(no)),
        4 => Topic::Round(round),
        5 => Topic::Board(round, BoardNo(no)),
        6 => Topic::Match(round, MatchNo(no)),
        7 => Topic::Whole,
        other => return Err(bad(format!("a topic of kind {other}"))),
    };
    let touch = Touch {
        kind: touched.change(),
        at: touched.at_us.map(Instant::from_micros),
        version: touched.version,
        by: touched.by.into(),
    };
    Ok((topic, touch))
}

pub(super) fn asked_out(seat: &Seat) -> Vec<m::Asked> {
    let asked = seat.asked.iter().map(|(id, round)| m::Asked {
        id: id.0.to_vec(),
        round: round.0.into(),
    });
    asked.collect()
}

pub(super) fn seat_in(
    round: u32,
    restart: u32,
    asked: Vec<m::Asked>,
) -> Result<Seat, SnapshotError> {
    let number = |round: u32| u16::try_from(round).map(RoundNo).map_err(bad);
    let asked = asked
        .into_iter()
        .map(|asked| Ok((command_id(&asked.id)?, number(asked.round)?)));
    Ok(Seat {
        round: Some(number(round)?).filter(|round| round.0 > 0),
        restart_round: Some(number(restart)?).filter(|round| round.0 > 0),
        asked: asked.collect::<Result<_, SnapshotError>>()?,
    })
}
