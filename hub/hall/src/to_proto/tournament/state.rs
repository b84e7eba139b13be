//! Encodes a complete event.

use proto::event as wire;

use super::{actor, event, matches, pairing, player, player_byes, result, team, team_byes};
use tournament::{
    Board, BoardNo, BoardPhase, Correction, Pairing, Participant, Points, Round, RoundNo,
    RoundPhase, StatedRow, StatedStandings, Tournament,
};

/// Encodes the complete event.
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

/// Encodes a round.
pub fn round(no: RoundNo, round: &Round) -> wire::RoundState {
    let copied = |(key, value): (&_, &_)| (*key, *value);
    wire::RoundState {
        round: no.0.into(),
        phase: round_phase(round.phase()).into(),
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
    let (proposed, why) = match &board.proposed {
        Some((proposed, why)) => (Some(result(*proposed)), why.clone()),
        None => (None, String::new()),
    };
    wire::BoardState {
        pairing: Some(pairing(&seats)),
        phase: board_phase(board.phase).into(),
        proposed,
        proposed_why: why,
        result: board.result.map(result),
        corrections: board.corrections.iter().map(correction).collect(),
        reached: board_phase(board.reached).into(),
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

fn board_phase(phase: BoardPhase) -> wire::BoardPhase {
    match phase {
        BoardPhase::Paired => wire::BoardPhase::Paired,
        BoardPhase::Preset => wire::BoardPhase::Preset,
        BoardPhase::Started => wire::BoardPhase::Started,
        BoardPhase::Running => wire::BoardPhase::Running,
        BoardPhase::Finished => wire::BoardPhase::Finished,
    }
}

fn round_phase(phase: RoundPhase) -> wire::RoundPhase {
    match phase {
        RoundPhase::Paired => wire::RoundPhase::Paired,
        RoundPhase::Preset => wire::RoundPhase::Preset,
        RoundPhase::Started => wire::RoundPhase::Started,
        RoundPhase::Running => wire::RoundPhase::Running,
        RoundPhase::Finished => wire::RoundPhase::Finished,
        RoundPhase::Confirmed => wire::RoundPhase::Confirmed,
    }
}
