//! The JSON of changes and snapshots.

use std::fmt::Write as _;

use bytes::Bytes;
use serde::Serialize;

use super::{Change, Delta, Snapshot};
use hall::view::{BoardView, EventView};

#[derive(Serialize)]
struct DeltaJson<'a> {
    epoch: u64,
    seq: u64,
    hub_us: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<&'a BoardView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a EventView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament: Option<u64>,
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
    let Delta {
        epoch, seq, hub_us, ..
    } = *delta;
    let mut body = DeltaJson {
        epoch,
        seq,
        hub_us,
        board: None,
        event: None,
        gone: None,
        tournament: None,
    };
    let drawn;
    let kind = match &delta.change {
        Change::Board(board) => {
            drawn = board.at(hub_us);
            body.board = Some(&drawn);
            "board"
        }
        Change::Event(event) => {
            body.event = Some(event);
            "event"
        }
        Change::Gone(board) => {
            body.gone = Some(board);
            "gone"
        }
        Change::Tournament(version) => {
            body.tournament = Some(*version);
            "tournament"
        }
    };
    let mut frame = String::with_capacity(1024);
    // Writing to a String cannot fail.
    let _ = write!(
        frame,
        "id: {epoch}-{seq}\nevent: {kind}\ndata: {}\n\n",
        json(&body)
    );
    frame.into()
}

pub(super) fn snapshot(snapshot: &Snapshot) -> Bytes {
    let boards = snapshot
        .boards
        .iter()
        .map(|board| board.at(snapshot.hub_us))
        .collect();
    Bytes::from(json(&SnapshotJson {
        epoch: snapshot.epoch,
        seq: snapshot.seq,
        hub_us: snapshot.hub_us,
        event: &snapshot.event,
        tournament: snapshot.tournament,
        boards,
    }))
}

fn json(value: &impl Serialize) -> String {
    // Plain structs with string keys always serialise, and JSON text contains no raw line break, so it fits one `data:` line.
    serde_json::to_string(value).unwrap_or_default()
}
