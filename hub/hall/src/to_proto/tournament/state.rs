//! Encodes a complete event.

use proto::event as wire;

use super::{
    actor, event, matches, pairing, player, player_byes, proposal_reason, result, team, team_byes,
};
use crate::same_variants::SameVariants;
use tournament::{
    Board, BoardNo, Correction, Pairing, Participant, Points, Round, RoundNo, StatedRow,
    StatedStandings, Tournament,
};

pub fn tournament(tournament: &Tournament) -> wire::Tournament {
    wire::Tournament {
        event: Some(event(tournament.event())),
        players: tournament.players().values().map(player).collect(),
        teams: tournament.teams().values().map(team).collect(),
        rounds: tournament
            .rounds()
            .iter()
            .map(|(no, state)| round(*no, state))
            .collect(),
        stated: tournament.stated().map(stated),
    }
}

pub(super) fn stated(stated: &StatedStandings) -> wire::StatedStandings {
    let row = |(who, row): (&Participant, &StatedRow)| {
        let (player, team) = match who {
            Participant::Player(no) => (no.0.into(), 0),
            Participant::Team(no) => (0, no.0.into()),
        };
        wire::StatedRow {
            player,
            team,
            rank: row.rank.unwrap_or(0).into(),
            match_points: row.match_points.map(Points::hundredths),
            points: row.points.map(Points::hundredths),
        }
    };
    wire::StatedStandings {
        file: stated.file.clone(),
        after: stated.after.into(),
        rows: stated.rows.iter().map(row).collect(),
    }
}

pub fn round(no: RoundNo, round: &Round) -> wire::RoundState {
    let copied = |(key, value): (&_, &_)| (*key, *value);
    wire::RoundState {
        round: no.0.into(),
        phase: round.phase().encoded().into(),
        boards: round
            .boards
            .iter()
            .map(|(no, state)| board(*no, state))
            .collect(),
        byes: player_byes(round.byes.iter().map(copied)),
        matches: matches(round.matches.iter().map(|(no, paired)| (*no, *paired))),
        team_byes: team_byes(round.team_byes.iter().map(|(no, bye)| (*no, *bye))),
        confirmed_by: round.confirmed.as_ref().map(actor),
    }
}

fn board(no: BoardNo, board: &Board) -> wire::BoardState {
    let seats = Pairing {
        board: no,
        white: board.white,
        black: board.black,
        of_match: board.of_match,
    };
    let proposed = board.proposed.as_ref();
    wire::BoardState {
        pairing: Some(pairing(&seats)),
        phase: board.phase.encoded().into(),
        proposed: proposed.map(|(proposed, _)| result(*proposed)),
        proposed_why: proposed.map(|(_, why)| why.to_string()).unwrap_or_default(),
        result: board.result.map(result),
        corrections: board.corrections.iter().map(correction).collect(),
        reached: board.reached.encoded().into(),
        proposed_reason: proposed
            .map_or(wire::ProposalReason::Unspecified, |(_, why)| {
                proposal_reason(why)
            })
            .into(),
    }
}

fn correction(correction: &Correction) -> wire::Correction {
    wire::Correction {
        from: correction.from.map(result),
        to: correction.to.map(result),
        by: Some(actor(&correction.by)),
        reason: correction.reason.clone(),
    }
}
