//! Who has seen what calls for an arbiter, and who goes there: what arbiters tell one another, no fact of any game.
//!
//! Owns what was said, for as long as the call lasts; nothing of it is logged, and a restart of the hub forgets it. Must never change
//! a board, nor reach players or spectators.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use proto::grpc::{AcknowledgeRequest, Acknowledged, CallKind};
use tonic::Status;

use hall::BoardDetail;
use hall::view::{BoardState, Flag};

/// What one board remembers: more than any hall has arbiters.
const MOST: usize = 64;

/// What arbiters have said of the boards that call.
#[derive(Debug, Default)]
pub struct Calls(Mutex<BTreeMap<String, Vec<Said>>>);

#[derive(Clone, Debug)]
struct Said {
    acknowledged: Acknowledged,
    /// What it was said of: another call of the same kind is another one.
    of: Call,
}

/// A call that lasts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    kind: CallKind,
    /// What tells it from the one before it on the same board.
    mark: Vec<i64>,
}

impl Calls {
    /// Takes down that `actor` has seen what calls on a board, or goes there; what he said of it before is over.
    ///
    /// # Errors
    /// INVALID_ARGUMENT for no kind of call, FAILED_PRECONDITION when nothing of the kind calls there any more.
    pub(super) fn acknowledge(
        &self,
        board: &BoardDetail,
        request: &AcknowledgeRequest,
        actor: String,
        hub_us: i64,
    ) -> Result<(), Status> {
        let kind = request.kind();
        if kind == CallKind::Unspecified {
            return Err(Status::invalid_argument("say what is acknowledged (kind)"));
        }
        let of = call(board, kind).ok_or_else(|| {
            Status::failed_precondition(format!(
                "nothing of this kind calls on board {} any more",
                board.view.board
            ))
        })?;
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let said = boards.entry(board.view.board.clone()).or_default();
        said.retain(|said| said.of.kind != kind || said.acknowledged.actor != actor);
        if said.len() >= MOST {
            said.remove(0);
        }
        said.push(Said {
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

    /// What was said of the calls that last on a board, the newest last. What is over is forgotten.
    pub(super) fn on(&self, board: &BoardDetail) -> Vec<Acknowledged> {
        // Nothing behind this lock panics half-way.
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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

/// The call of this kind that lasts on a board.
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
            // A call made later, with the clocks still stopped, is another one than the wait for a result.
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
