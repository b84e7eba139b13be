//! Encodes and decodes a game's offences in a snapshot of the hall.

use super::m;
use crate::offence::{Counted, Offence, OffenceKind};
use crate::snapshot::fields::{SnapshotError, bad, command_id, odds_in, odds_out};

pub(super) fn out(counted: &Counted) -> m::Offence {
    let OffenceKind::IllegalMove = counted.offence.kind;
    m::Offence {
        command: counted.command.0.to_vec(),
        kind: 1,
        side: odds_out(Some(counted.offence.side)),
        revoked: counted.offence.revoked,
        stands: counted.stands,
    }
}

pub(super) fn read(counted: m::Offence) -> Result<Counted, SnapshotError> {
    let kind = match counted.kind {
        1 => OffenceKind::IllegalMove,
        other => return Err(bad(format!("an offence of kind {other}"))),
    };
    Ok(Counted {
        command: command_id(&counted.command)?,
        offence: Offence {
            kind,
            side: odds_in(counted.side)?.ok_or_else(|| bad("an offence of neither side"))?,
            revoked: counted.revoked,
        },
        stands: counted.stands,
    })
}
