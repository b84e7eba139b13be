//! Encodes the hall's types as frames, records and messages of the services. Checks no bounds: [`crate::from_proto`]
//! refuses values outside them.

pub(crate) mod floor;
mod held;
pub(crate) mod records;
mod sides;
pub mod time_chess;
pub mod tournament;

use proto::wire;
use timing::{Instant, Side};

use crate::{Arbiters, BoardId, Labels, Sound};

pub use sides::side;

pub(crate) fn labels(labels: Labels<'_>) -> wire::HubFrame {
    let Labels {
        board,
        names,
        draw_odds,
        day,
        starts_at,
        sound,
    } = labels;
    wire::Labels {
        board: board.to_string(),
        round: names.round.clone(),
        white: names.white.clone(),
        black: names.black.clone(),
        draw_odds: self::side(draw_odds).into(),
        day: time_chess::day_phase(day).into(),
        starts_at_us: starts_at.map(Instant::as_micros),
        sound: match sound {
            Sound::Off => wire::Sound::Unspecified,
            Sound::Flag => wire::Sound::Flag,
            Sound::All => wire::Sound::All,
        }
        .into(),
    }
    .into()
}

pub(crate) fn arbiters(arbiters: &Arbiters) -> wire::HubFrame {
    wire::Arbiters {
        salt: arbiters.salt.clone(),
        arbiters: arbiters
            .list
            .iter()
            .map(|arbiter| wire::Arbiter {
                name: arbiter.name.clone(),
                key: arbiter.key.to_vec(),
            })
            .collect(),
    }
    .into()
}

/// Encodes an order to carry out a command, given in its text form.
pub fn command_order(number: u64, text: &str) -> wire::HubFrame {
    wire::Order {
        number,
        what: Some(wire::order::What::Command(text.to_owned())),
    }
    .into()
}

/// Encodes an order that hands over a board. With `None` and an empty snapshot, the order tells the agent to serve no
/// board.
pub fn adopt_order(number: u64, board: Option<&BoardId>, snapshot: &[u8]) -> wire::HubFrame {
    wire::Order {
        number,
        what: Some(wire::order::What::Adopt(wire::Adopt {
            board: text_of(board),
            snapshot: snapshot.to_vec(),
        })),
    }
    .into()
}

pub fn side_order(number: u64, board: &BoardId, side: Side, snapshot: &[u8]) -> wire::HubFrame {
    wire::Order {
        number,
        what: Some(wire::order::What::ServeSide(wire::ServeSide {
            board: board.to_string(),
            side: self::side(side).into(),
            snapshot: snapshot.to_vec(),
        })),
    }
    .into()
}

/// Encodes the state of a board with two clocks. `at` is the current instant in the agent's own board time.
pub fn shared(
    board: &BoardId,
    snapshot: &[u8],
    at: Instant<timing::Board>,
    seq: u64,
    other_heard: bool,
) -> wire::HubFrame {
    wire::SharedBoard {
        board: board.to_string(),
        snapshot: snapshot.to_vec(),
        at_us: at.as_micros(),
        seq,
        other_heard,
    }
    .into()
}

fn text_of(board: Option<&BoardId>) -> String {
    board.map(BoardId::to_string).unwrap_or_default()
}
