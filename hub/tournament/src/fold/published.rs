//! The published form of an event, for public pages, feeds, viewers and screens.
//!
//! Owns the list of what is published. Each structure is written out in full, so that each new field requires a
//! decision here. Must never hold an actor's name, a reason, a proposal, or personal data that the event does not publish.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Tournament;
use crate::{Actor, Board, BoardPhase, Event, Player, PlayerNo, Round};

/// The published form of an event, with the unfiltered event and players from which it was made.
#[derive(Clone, Debug)]
pub struct Publication {
    event: Arc<Event>,
    players: Arc<BTreeMap<PlayerNo, Player>>,
    shown: Arc<Tournament>,
}

impl Publication {
    /// Returns the published form of `source`. Unchanged event data and players are shared with `before`.
    #[must_use]
    pub fn of(source: &Tournament, before: Option<&Self>) -> Self {
        let same_event = before.filter(|before| Arc::ptr_eq(&before.event, &source.event));
        let same_players = before.filter(|before| Arc::ptr_eq(&before.players, &source.players));
        let rounds = source.rounds.iter();
        let shown = Tournament {
            event: match same_event {
                Some(before) => before.shown.event.clone(),
                None => Arc::new(event(&source.event)),
            },
            players: match same_players {
                Some(before) => before.shown.players.clone(),
                None => Arc::new(players(&source.players)),
            },
            teams: source.teams.clone(),
            rounds: rounds.map(|(no, of)| (*no, Arc::new(round(of)))).collect(),
            stated: source.stated.clone(),
        };
        let same = before.filter(|before| *before.shown == shown);
        Self {
            event: source.event.clone(),
            players: source.players.clone(),
            shown: same.map_or_else(|| Arc::new(shown), |before| before.shown.clone()),
        }
    }

    /// Returns the published event. The `Arc` stays the same until published data changes.
    #[must_use]
    pub const fn shown(&self) -> &Arc<Tournament> {
        &self.shown
    }
}

/// Publishes everything except the forbidden pairings and the kept lines of an imported file.
fn event(event: &Event) -> Event {
    Event {
        name: event.name.clone(),
        city: event.city.clone(),
        federation: event.federation.clone(),
        starts: event.starts,
        ends: event.ends,
        chief_arbiter: event.chief_arbiter.clone(),
        deputies: event.deputies.clone(),
        time_control: event.time_control.clone(),
        time_control_code: event.time_control_code.clone(),
        type_text: event.type_text.clone(),
        type_code: event.type_code.clone(),
        pairing_program: event.pairing_program.clone(),
        system: event.system,
        contest: event.contest,
        game: event.game,
        rounds: event.rounds,
        round_dates: event.round_dates.clone(),
        initial_colour: event.initial_colour,
        scoring: event.scoring,
        match_scoring: event.match_scoring,
        tie_breaks: event.tie_breaks.clone(),
        unrated_as: event.unrated_as,
        team_bye_points: event.team_bye_points,
        forbidden: Vec::new(),
        accelerations: event.accelerations.clone(),
        abnormal_points: event.abnormal_points.clone(),
        sectors: event.sectors.clone(),
        rules: event.rules.clone(),
        round_rules: event.round_rules.clone(),
        kept_lines: Vec::new(),
    }
}

fn players(players: &BTreeMap<PlayerNo, Player>) -> BTreeMap<PlayerNo, Player> {
    let shown = players.iter();
    shown.map(|(no, entered)| (*no, player(entered))).collect()
}

/// Publishes everything except the sex, the date of birth, the club and the kept lines.
fn player(player: &Player) -> Player {
    Player {
        no: player.no,
        name: player.name.clone(),
        sex: None,
        title: player.title.clone(),
        rating: player.rating,
        federation: player.federation.clone(),
        fide_id: player.fide_id,
        birth: String::new(),
        club: String::new(),
        enters: player.enters,
        leaves: player.leaves,
        byes: player.byes.clone(),
        kept_lines: Vec::new(),
    }
}

fn round(round: &Round) -> Round {
    let boards = round.boards.iter();
    Round {
        boards: boards.map(|(no, paired)| (*no, board(paired))).collect(),
        matches: round.matches.clone(),
        byes: round.byes.clone(),
        team_byes: round.team_byes.clone(),
        confirmed: round.confirmed.as_ref().map(|_| Actor::chief("")),
    }
}

fn board(board: &Board) -> Board {
    Board {
        white: board.white,
        black: board.black,
        of_match: board.of_match,
        phase: phase(board.phase),
        reached: phase(board.reached),
        proposed: None,
        result: board.result,
        corrections: Vec::new(),
    }
}

const fn phase(phase: BoardPhase) -> BoardPhase {
    match phase {
        BoardPhase::Paired | BoardPhase::Preset => BoardPhase::Paired,
        BoardPhase::Started | BoardPhase::Running => BoardPhase::Running,
        BoardPhase::Finished => BoardPhase::Finished,
    }
}
