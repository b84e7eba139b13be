//! The event's part of a snapshot: as it stands, not how it came about.

use std::sync::Arc;

use super::message as m;
use super::{SnapshotError, bad, command_id};
use crate::hall::fold::tournament::{EventFold, Touch};
use crate::hall::round::Seat;
use crate::hall::tournament::topic::Topic;
use crate::tournament::{BoardNo, MatchNo, PlayerNo, RoundNo, TeamNo};
use crate::{from_proto, to_proto};

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
    }
}

pub(super) fn read(event: m::Event) -> Result<EventFold, SnapshotError> {
    let tournament = event
        .tournament
        .map(from_proto::tournament::tournament)
        .transpose()
        .map_err(bad)?;
    let parts = event.parts.into_iter().map(from_proto::event_changed);
    Ok(EventFold {
        tournament: tournament.map(Arc::new),
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
    };
    m::Touched {
        kind,
        round: round.into(),
        no: no.into(),
        version: touch.version,
        by: touch.by.to_string(),
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
        other => return Err(bad(format!("a topic of kind {other}"))),
    };
    let touch = Touch {
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

pub(super) fn seat_in(round: u32, anew: u32, asked: Vec<m::Asked>) -> Result<Seat, SnapshotError> {
    let number = |round: u32| u16::try_from(round).map(RoundNo).map_err(bad);
    let asked = asked
        .into_iter()
        .map(|asked| Ok((command_id(&asked.id)?, number(asked.round)?)));
    Ok(Seat {
        round: Some(number(round)?).filter(|round| round.0 > 0),
        anew: Some(number(anew)?).filter(|round| round.0 > 0),
        asked: asked.collect::<Result<_, SnapshotError>>()?,
    })
}
