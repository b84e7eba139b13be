//! The fields that several parts of a snapshot share, and the error for bytes that are no snapshot.

use proto::ids::{AgentId, CommandId};
use timing::Side;

/// The reason why this program cannot use a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot of the hall cannot be used: {0}")]
pub struct SnapshotError(String);

pub(super) fn bad(what: impl ToString) -> SnapshotError {
    SnapshotError(what.to_string())
}

pub(super) fn odds_out(side: Option<Side>) -> u32 {
    match side {
        None => 0,
        Some(Side::White) => 1,
        Some(Side::Black) => 2,
    }
}

pub(super) fn odds_in(side: u32) -> Result<Option<Side>, SnapshotError> {
    Ok(match side {
        0 => None,
        1 => Some(Side::White),
        2 => Some(Side::Black),
        other => return Err(bad(format!("a side of number {other}"))),
    })
}

pub(super) fn command_id(bytes: &[u8]) -> Result<CommandId, SnapshotError> {
    CommandId::try_from(bytes).map_err(bad)
}

pub(super) fn agent_id(bytes: &[u8]) -> Result<AgentId, SnapshotError> {
    AgentId::try_from(bytes).map_err(bad)
}
