//! A summary of the event: its data, its rounds and their progress, with the position in the feed.

use serde::Serialize;

use super::edition::Edition;
use super::shared::round_state;
use super::tie_break_names::TieBreakView;
use crate::live::PublicHall;
use tournament::{Date, Event, Round, RoundNo, System};

/// The position in the live feed from which a page continues, the hub's time, and the number of boards on the live page.
pub(super) struct Place {
    epoch: u64,
    seq: u64,
    hub_us: i64,
    boards: usize,
}

impl Place {
    pub(super) fn of(hall: &PublicHall) -> Self {
        Self {
            epoch: hall.epoch(),
            seq: hall.newest(),
            hub_us: hall.hub_us(),
            boards: hall.board_count(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Overview<'a> {
    epoch: u64,
    seq: u64,
    hub_us: i64,
    version: u64,
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    city: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    federation: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    starts: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    chief_arbiter: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    deputies: &'a [String],
    #[serde(skip_serializing_if = "str::is_empty")]
    time_control: &'a str,
    /// `swiss` or `round robin`.
    system: &'static str,
    team: bool,
    players: usize,
    teams: usize,
    rounds: u16,
    tie_breaks: Vec<TieBreakView>,
    paired: Vec<RoundLine>,
    /// The current round, which a page shows if its address does not name a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    present: Option<u16>,
    /// Number of rounds that the live standings count.
    after: u16,
    boards: usize,
}

#[derive(Serialize)]
struct RoundLine {
    round: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    state: &'static str,
    boards: usize,
    results: usize,
}

pub(super) fn of(edition: &Edition, place: Place) -> Overview<'_> {
    let tournament = &edition.tournament;
    let (event, rounds) = (tournament.event(), tournament.rounds().iter());
    Overview {
        epoch: place.epoch,
        seq: place.seq,
        hub_us: place.hub_us,
        version: edition.version,
        name: &event.name,
        city: &event.city,
        federation: &event.federation,
        starts: event.starts.map(iso),
        ends: event.ends.map(iso),
        chief_arbiter: &event.chief_arbiter,
        deputies: &event.deputies,
        time_control: &event.time_control,
        system: match event.system {
            System::Swiss => "swiss",
            System::RoundRobin { .. } => "round robin",
        },
        team: edition.is_team(),
        players: tournament.players().len(),
        teams: tournament.teams().len(),
        rounds: event.rounds,
        tie_breaks: TieBreakView::list(&event.tie_breaks),
        paired: rounds.map(|(no, round)| line(event, *no, round)).collect(),
        present: tournament.current_round().map(|round| round.0),
        after: tournament.rounds_begun(),
        boards: place.boards,
    }
}

fn line(event: &Event, no: RoundNo, round: &Round) -> RoundLine {
    RoundLine {
        round: no.0,
        date: round_date(event, no),
        state: round_state(round.phase()),
        boards: round.boards.len(),
        results: results(round),
    }
}

pub(super) fn results(round: &Round) -> usize {
    let results = round.boards.values().filter_map(|board| board.result);
    results.filter(|result| result.is_final()).count()
}

pub(super) fn round_date(event: &Event, round: RoundNo) -> Option<String> {
    event.round_dates.get(&round).copied().map(iso)
}

fn iso(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year(), day.month(), day.day())
}
