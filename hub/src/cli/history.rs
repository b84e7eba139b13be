//! Formats log records as table lines and as JSON.

use std::fmt;

use prost::Message as _;
use proto::log::{BoardValues, Changed, Record, SideValues};
use serde_json::{Value, json};

use hall::{GamePlace, describe, describe_changes};

use super::hall_time::HallTime;
use super::output::{Result, failed};

pub(super) struct RecordLine<'a> {
    pub(super) time: &'a HallTime,
    pub(super) index: u64,
    pub(super) record: &'a Record,
    pub(super) of: GamePlace,
}

pub(super) fn decode(index: u64, payload: &[u8]) -> Result<Record> {
    Record::decode(payload).map_err(|error| failed!("record {index} cannot be read: {error}"))
}

impl fmt::Display for RecordLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The hub's timeline starts at the wall-clock time of its first start, so an instant can be shown as a date.
        let at = self.time.in_full(self.record.hub_us);
        let board = match self.record.board.as_str() {
            "" => "hall",
            board => board,
        };
        let text = describe_changes(self.record, &|at| self.time.in_full(at));
        write!(f, "{:>8}  {at}  {board:>5}  {text}", self.index)
    }
}

pub(super) fn json_of(line: &RecordLine<'_>) -> Value {
    let record = line.record;
    let after = record.after.as_ref().map(|after| {
        json!({ "white_us": after.white_us, "black_us": after.black_us, "digest": proto::ids::hex(&after.digest) })
    });
    json!({
        "index": line.index, "hub_us": record.hub_us, "board": record.board, "text": describe(record), "after": after,
        "game": line.of.game, "round": line.of.round, "changed": record.changed.as_ref().map(changed),
    })
}

fn changed(changed: &Changed) -> Value {
    json!({
        "new_game": changed.new_game.map(|game| json!({ "round": game.round })),
        "moves": changed.moves.iter().map(|made| json!({
            "side": side(made.side()), "move": made.r#move, "used_us": made.used_us, "left_us": made.left_us,
            "at_us": made.at_us, "event": made.event_seq,
        })).collect::<Vec<_>>(),
        "flags": changed.flags.iter().map(|flag| json!({
            "side": side(flag.side()), "at_us": flag.at_us,
        })).collect::<Vec<_>>(),
        "commands": changed.commands.iter().map(|id| proto::ids::hex(id)).collect::<Vec<_>>(),
        "before": changed.before.as_deref().map(values), "after": changed.after.as_deref().map(values),
        "stopped": changed.stopped, "arbiter_called": changed.arbiter_called,
        "refused": Some(changed.refused.as_str()).filter(|refused| !refused.is_empty()),
        "at_us": changed.at_us,
    })
}

fn values(values: &BoardValues) -> Value {
    let one = |side: Option<SideValues>| {
        let side = side.unwrap_or_default();
        json!({
            "us": side.time_us, "moves": side.moves, "period": side.period, "byo_left": side.byo_left,
            "stones": side.stones, "bank_us": side.bank_us,
        })
    };
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    json!({
        "white": one(values.white), "black": one(values.black), "state": values.phase, "turn": side(values.turn()),
        "white_button": if values.white_is_right { "right" } else { "left" },
        "result": given(&values.result), "control": given(&values.control),
    })
}

fn side(side: proto::Side) -> Option<&'static str> {
    match side {
        proto::Side::Unspecified => None,
        proto::Side::White => Some("white"),
        proto::Side::Black => Some("black"),
    }
}
