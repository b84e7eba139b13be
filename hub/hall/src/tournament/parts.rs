//! Divides a bundle of changes into parts that each fit in a record, and a change that is too long for one record into
//! pieces.

use prost::Message;
use proto::ids::CommandId;

use crate::entry::{EventEntry, EventEntryKind};
use crate::request::RequestDigest;
use crate::to_proto;
use tournament::{Actor, Change};

/// Maximum size of the changes in one record, in bytes: even with a name and a reason of maximum length, the record
/// stays below 4 KiB.
const MAX_PART_BYTES: usize = 3_300;

pub(crate) fn parts(
    id: CommandId,
    actor: &Actor,
    reason: &str,
    digest: RequestDigest,
    changes: &[Change],
) -> Vec<EventEntry> {
    let held = cut(changes);
    let parts = u32::try_from(held.len()).unwrap_or(u32::MAX);
    let numbered = (1..).zip(held);
    numbered
        .map(|(part, what)| EventEntry {
            id,
            actor: actor.clone(),
            reason: if part == 1 {
                reason.to_owned()
            } else {
                String::new()
            },
            part,
            parts,
            digest,
            imported: None,
            what,
        })
        .collect()
}

fn cut(changes: &[Change]) -> Vec<EventEntryKind> {
    let mut held = Vec::new();
    let mut together = Vec::new();
    let mut bytes = 0;
    for change in changes {
        let encoded = to_proto::tournament::change(change).encode_to_vec();
        // Four more bytes for the change's tag and length in the record.
        let len = encoded.len() + 4;
        if bytes + len > MAX_PART_BYTES && !together.is_empty() {
            held.push(EventEntryKind::Changes(std::mem::take(&mut together)));
            bytes = 0;
        }
        if len <= MAX_PART_BYTES {
            together.push(change.clone());
            bytes += len;
            continue;
        }
        let mut pieces = encoded.chunks(MAX_PART_BYTES).peekable();
        while let Some(piece) = pieces.next() {
            held.push(EventEntryKind::Piece {
                bytes: piece.to_vec(),
                ends: pieces.peek().is_none(),
            });
        }
    }
    if !together.is_empty() {
        held.push(EventEntryKind::Changes(together));
    }
    held
}
