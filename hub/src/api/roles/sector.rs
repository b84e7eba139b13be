//! Sector checks for floor arbiters. Refuses requests about boards outside the arbiter's sector and about the hall as a whole. The error is
//! PERMISSION_DENIED and names the sector.

use proto::ids::CommandId;
use tonic::{Code, Result};

use super::super::ServiceContext;
use super::super::status::with_number;
use crate::identity::Arbiter;
use hall::refusal::Why;
use tournament::{Change, Scope};

pub(in crate::api) fn in_sector(arbiter: &Arbiter, board: &str) -> Result<()> {
    if arbiter.sector.covers(board) {
        return Ok(());
    }
    let why = Why::OutsideSector {
        sector: arbiter.sector.to_string(),
    };
    Err(with_number(Code::PermissionDenied, &why.into()))
}

pub(in crate::api) fn all_of(
    parts: &ServiceContext,
    arbiter: &Arbiter,
    changes: &[Change],
) -> Result<()> {
    if arbiter.sector.is_whole_hall() {
        return Ok(());
    }
    changes.iter().try_for_each(|change| match change {
        Change::Start(_, scope) => scope_in_sector(parts, arbiter, scope),
        Change::Preset(_, board)
        | Change::FirstPress(_, board)
        | Change::Propose(_, board, _, _)
        | Change::Enter(_, board, _, _)
        | Change::RemoveResult(_, board, _) => in_sector(arbiter, &board.to_string()),
        Change::SetEvent(_)
        | Change::EnterPlayer(_)
        | Change::RemovePlayer(_)
        | Change::Renumber(_)
        | Change::Withdraw(..)
        | Change::ReturnPlayer(_)
        | Change::GrantBye(..)
        | Change::EnterTeam(_)
        | Change::RemoveTeam(_)
        | Change::PairRound(..)
        | Change::Unpair(_)
        | Change::Reseat(..)
        | Change::RemoveBoards(..)
        | Change::ForfeitMatch(..)
        | Change::StateStandings(_)
        | Change::Confirm(_)
        | Change::Reopen(..) => in_sector(arbiter, ""),
    })
}

pub(in crate::api) fn scope_in_sector(
    parts: &ServiceContext,
    arbiter: &Arbiter,
    scope: &Scope,
) -> Result<()> {
    if arbiter.sector.is_whole_hall() {
        return Ok(());
    }
    match scope {
        Scope::All => in_sector(arbiter, ""),
        Scope::Board(board) => in_sector(arbiter, &board.to_string()),
        Scope::Sector(name) => {
            let now = parts.hub.live().tournament();
            let sectors = now.as_ref().map(|now| &now.tournament.event().sectors);
            let Some(sector) = sectors.and_then(|sectors| sectors.get(name)) else {
                return in_sector(arbiter, "");
            };
            let mut boards = sector.from.0..=sector.to.0;
            boards.try_for_each(|board| in_sector(arbiter, &board.to_string()))
        }
    }
}

/// Checks that `board` is in the arbiter's sector and that the command is pending on it. Without this check, the id could withdraw a command of
/// a board outside the sector.
pub(in crate::api) fn withdrawn_in_sector(
    parts: &ServiceContext,
    arbiter: &Arbiter,
    board: &str,
    command: &[u8],
) -> Result<()> {
    if arbiter.sector.is_whole_hall() {
        return Ok(());
    }
    in_sector(arbiter, board)?;
    let detail = parts.hub.live().board(board);
    let id = CommandId::try_from(command).ok();
    let pending = detail.is_some_and(|detail| {
        let mut pending = detail.pending.iter();
        pending.any(|pending| Some(pending.record.id) == id)
    });
    match pending {
        true => Ok(()),
        false => in_sector(arbiter, ""),
    }
}
