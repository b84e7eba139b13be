//! Decodes a complete event, for a program that requested it.

use std::sync::Arc;

use proto::event as wire;

use super::{
    actor, event, known, matches, number, pairing, player, player_byes, player_no, proposal_reason,
    result, round_no, team, team_byes,
};
use crate::from_proto::{BadInput, bad};
use crate::same_variants::SameVariants;
use tournament::{
    Board, BoardNo, BoardPhase, Correction, GameResult, Participant, Points, Round, RoundNo,
    StatedRow, StatedStandings, TeamNo, Tournament,
};

/// Decodes the complete event.
///
/// # Errors
/// Returns an error that describes the invalid part of the event.
pub fn tournament(state: wire::Tournament) -> Result<Tournament, BadInput> {
    let event = event(
        state
            .event
            .ok_or_else(|| bad("an event without its data"))?,
    )?;
    let players = state.players.into_iter().map(|entered| {
        let player = player(entered)?;
        Ok((player.no, player))
    });
    let teams = state.teams.into_iter().map(|entered| {
        let team = team(entered)?;
        Ok((team.no, team))
    });
    let rounds = state.rounds.into_iter().map(|paired| {
        let (no, paired) = round(paired)?;
        Ok((no, Arc::new(paired)))
    });
    let tournament = Tournament::restored(
        event,
        players.collect::<Result<_, BadInput>>()?,
        teams.collect::<Result<_, BadInput>>()?,
        rounds.collect::<Result<_, BadInput>>()?,
    );
    Ok(tournament.with_stated(state.stated.map(stated).transpose()?))
}

pub(super) fn stated(stated: wire::StatedStandings) -> Result<StatedStandings, BadInput> {
    let row = |row: wire::StatedRow| {
        let who = match (row.player, row.team) {
            (player, 0) => Participant::Player(player_no(player)?),
            (0, team) => Participant::Team(TeamNo(number(team, "a team")?)),
            (_, _) => return Err(bad("a place for both a player and a team")),
        };
        let rank = number(row.rank, "a place")?;
        let given = StatedRow {
            rank: Some(rank).filter(|rank| *rank > 0),
            match_points: row.match_points.map(Points::from_hundredths),
            points: row.points.map(Points::from_hundredths),
        };
        Ok((who, given))
    };
    Ok(StatedStandings {
        file: stated.file,
        after: number(stated.after, "rounds")?,
        rows: stated
            .rows
            .into_iter()
            .map(row)
            .collect::<Result<_, BadInput>>()?,
    })
}

fn round(state: wire::RoundState) -> Result<(RoundNo, Round), BadInput> {
    let boards = state.boards.into_iter().map(board);
    let round = Round {
        boards: boards.collect::<Result<_, _>>()?,
        matches: matches(&state.matches)?,
        byes: player_byes(&state.byes)?,
        team_byes: team_byes(&state.team_byes)?,
        confirmed: state.confirmed_by.map(actor).transpose()?,
    };
    Ok((round_no(state.round)?, round))
}

fn board(state: wire::BoardState) -> Result<(BoardNo, Board), BadInput> {
    let seats = pairing(&state.pairing.ok_or_else(|| bad("a board without seats"))?)?;
    let why = proposal_reason(state.proposed_reason(), state.proposed_why);
    let corrections = state.corrections.into_iter().map(correction);
    let board = Board {
        white: seats.white,
        black: seats.black,
        of_match: seats.of_match,
        phase: board_phase(state.phase)?,
        reached: board_phase(state.reached)?,
        proposed: optional_result(state.proposed)?.map(|result| (result, why)),
        result: optional_result(state.result)?,
        corrections: corrections.collect::<Result<_, _>>()?,
    };
    Ok((seats.board, board))
}

fn board_phase(phase: i32) -> Result<BoardPhase, BadInput> {
    BoardPhase::decoded(known(phase, "a phase")?).ok_or_else(|| bad("a board without a phase"))
}

fn correction(state: wire::Correction) -> Result<Correction, BadInput> {
    Ok(Correction {
        from: optional_result(state.from)?,
        to: optional_result(state.to)?,
        by: actor(
            state
                .by
                .ok_or_else(|| bad("a correction without its author"))?,
        )?,
        reason: state.reason,
        // The wire format does not state this: only the hub compares its event with files.
        imported: false,
    })
}

fn optional_result(given: Option<wire::Result>) -> Result<Option<GameResult>, BadInput> {
    given.map(result).transpose()
}
