//! Turns changes and snapshots into bytes, once each.

use std::fmt::Write as _;
use std::sync::Arc;

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

pub(super) fn delta(epoch: u64, seq: u64, hub_us: i64, change: Change) -> Delta {
    let mut body = DeltaJson {
        epoch,
        seq,
        hub_us,
        board: None,
        event: None,
        gone: None,
        tournament: None,
    };
    let kind = match &change {
        Change::Board(board) => {
            body.board = Some(board);
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
    let _ = write!(frame, "id: {epoch}-{seq}\nevent: {kind}\ndata: ");
    let start = frame.len();
    frame += &json(&body);
    let end = frame.len();
    frame += "\n\n";
    let frame = Bytes::from(frame);
    Delta {
        seq,
        json: frame.slice(start..end),
        frame,
        change,
    }
}

pub(super) fn snapshot(snapshot: &Snapshot) -> Bytes {
    let boards = snapshot
        .boards
        .iter()
        .map(|board| Arc::unwrap_or_clone(board.clone()).at(snapshot.hub_us))
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
    // Plain structs with string keys always serialise, and JSON text holds no raw line break, so it fits one `data:` line.
    serde_json::to_string(value).unwrap_or_default()
}
