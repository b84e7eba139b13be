//! Arbiters' acknowledgements of calls: who has seen a call, and who is on the way. Acknowledgements are messages between arbiters, not
//! facts about a game.
//!
//! Keeps the messages only in memory: nothing is logged, and a restart of the hub loses them. Messages must never change a board or reach
//! players or spectators.

use std::collections::BTreeMap;
use std::sync::Mutex;

use proto::grpc::{AcknowledgeRequest, Acknowledged, CallKind};
use tonic::{Result, Status};

use crate::lock::lock;
use hall::BoardDetail;
use hall::view::{BoardState, Flag};

/// Maximum number of messages per board. A further message replaces the oldest.
const MAX_MESSAGES: usize = 64;

#[derive(Debug, Default)]
pub struct CallAcknowledgements(Mutex<BTreeMap<String, Vec<CallMessage>>>);

#[derive(Clone, Debug)]
struct CallMessage {
    acknowledged: Acknowledged,
    /// The call that is acknowledged. A later call of the same kind is a different call.
    of: Call,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    kind: CallKind,
    /// Distinguishes the call from earlier calls of its kind on the same board.
    mark: Vec<i64>,
}

impl CallAcknowledgements {
    /// Records that `actor` has seen a call on a board or is on the way. Replaces the actor's earlier message about this kind of call.
    pub(super) fn acknowledge(
        &self,
        board: &BoardDetail,
        request: &AcknowledgeRequest,
        actor: String,
        hub_us: i64,
    ) -> Result<()> {
        let kind = request.kind();
        if kind == CallKind::Unspecified {
            return Err(Status::invalid_argument("the kind of call is missing"));
        }
        let of = call(board, kind).ok_or_else(|| {
            Status::failed_precondition(format!(
                "there is no longer a call of this kind on board {}",
                board.view.board
            ))
        })?;
        let mut boards = lock(&self.0);
        let said = boards.entry(board.view.board.clone()).or_default();
        said.retain(|said| said.of.kind != kind || said.acknowledged.actor != actor);
        if said.len() >= MAX_MESSAGES {
            said.remove(0);
        }
        said.push(CallMessage {
            acknowledged: Acknowledged {
                kind: kind.into(),
                actor,
                going: request.going,
                hub_us,
            },
            of,
        });
        Ok(())
    }

    /// Returns the messages about a board's open calls, oldest first, and removes those about closed calls.
    pub(super) fn on(&self, board: &BoardDetail) -> Vec<Acknowledged> {
        let mut boards = lock(&self.0);
        let Some(said) = boards.get_mut(&board.view.board) else {
            return Vec::new();
        };
        said.retain(|said| call(board, said.of.kind).as_ref() == Some(&said.of));
        let lasting = said.iter().map(|said| said.acknowledged.clone()).collect();
        if said.is_empty() {
            boards.remove(&board.view.board);
        }
        lasting
    }
}

fn call(board: &BoardDetail, kind: CallKind) -> Option<Call> {
    let view = &board.view;
    let flag = |flag: Flag| view.white.flag == flag || view.black.flag == flag;
    let moves = || vec![i64::from(view.white.moves), i64::from(view.black.moves)];
    let over = view.state == BoardState::Over;
    let mark = match kind {
        CallKind::Unspecified => None,
        CallKind::Flag => (!over && flag(Flag::Fallen)).then(moves),
        CallKind::Expected => (!over && flag(Flag::Expected)).then(moves),
        CallKind::Stopped => {
            // A player who calls the arbiter while the clocks are stopped makes a new call.
            let called = board.arbiter_called.map(timing::Instant::as_micros);
            (view.state == BoardState::Stopped)
                .then(|| view.since_us.into_iter().chain(called).collect())
        }
        CallKind::Silent => {
            (!over && !view.online).then(|| view.silent_since_us.into_iter().collect())
        }
        CallKind::Note => (!board.notes.is_empty()).then(|| {
            let since = board.notes.iter().filter_map(|note| note.since);
            since.map(timing::Instant::as_micros).collect()
        }),
    };
    mark.map(|mark| Call { kind, mark })
}
