//! Encodes changes as server-sent events, and snapshots as JSON.

use std::fmt::Write as _;

use bytes::Bytes;
use serde::Serialize;

use super::{Change, Delta, Snapshot};
use hall::view::{BoardView, EventView};

/// The bytes before the data of a server-sent event.
pub(super) const DATA: &[u8] = b"\ndata: ";
/// The bytes after the data of a server-sent event.
pub(super) const END: &[u8] = b"\n\n";

#[derive(Serialize)]
struct DeltaJson<'a> {
    epoch: u64,
    seq: u64,
    hub_us: i64,
    #[serde(flatten)]
    change: ChangeJson<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ChangeJson<'a> {
    Board(&'a BoardView),
    Event(&'a EventView),
    Gone(&'a str),
    Tournament(u64),
}

#[derive(Serialize)]
struct SnapshotJson<'a> {
    epoch: u64,
    seq: u64,
    hub_us: i64,
    event: &'a EventView,
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament: Option<u64>,
    boards: Vec<BoardView>,
}

pub(super) fn frame(delta: &Delta) -> Bytes {
    let (epoch, seq, hub_us) = (delta.epoch, delta.seq, delta.hub_us);
    let drawn;
    let (kind, change) = match &delta.change {
        Change::Board(board) => {
            drawn = board.at(hub_us);
            ("board", ChangeJson::Board(&drawn))
        }
        Change::Event(event) => ("event", ChangeJson::Event(event)),
        Change::Gone(board) => ("gone", ChangeJson::Gone(board)),
        Change::Tournament(version) => ("tournament", ChangeJson::Tournament(*version)),
    };
    let body = DeltaJson {
        epoch,
        seq,
        hub_us,
        change,
    };
    let mut frame = String::with_capacity(1024);
    // Writing to a String cannot fail.
    let _ = write!(
        frame,
        "id: {epoch}-{seq}\nevent: {kind}\ndata: {}\n\n",
        json(&body)
    );
    // The feed keeps the frame for a while.
    frame.shrink_to_fit();
    frame.into()
}

pub(super) fn snapshot(snapshot: &Snapshot) -> Bytes {
    let boards = snapshot.boards.iter();
    Bytes::from(json(&SnapshotJson {
        epoch: snapshot.epoch,
        seq: snapshot.seq,
        hub_us: snapshot.hub_us,
        event: &snapshot.event,
        tournament: snapshot.tournament,
        boards: boards.map(|board| board.at(snapshot.hub_us)).collect(),
    }))
}

fn json(value: &impl Serialize) -> String {
    // Plain structs with string keys always serialise. JSON text contains no raw line break, so it fits on one `data:` line.
    serde_json::to_string(value).unwrap_or_default()
}
