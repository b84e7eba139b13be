//! Sets and starts a round's clocks for arbiters' programs. Owns the time that a call waits for the answers of connected clocks; the hall
//! carries out the request.

use std::time::Duration;

use proto::grpc::round_scope::Which;
use proto::grpc::{PresetRoundRequest, RoundReply, RoundScope, StartRoundRequest};
use timing::{NotationError, TimeControl};
use tonic::{Result, Status};

use crate::api::service::refusal;
use crate::api::status::malformed;
use crate::api::{Defaults, Parts, messages, requests};
use hall::from_proto::BadInput;
use hall::{BoardWork, PresetWith, RoundAnswer, RoundRequest, RoundWork, WorkState};
use tournament::{Actor, BoardNo, RoundNo, Scope};

/// Interval between two checks for the answers of connected clocks.
const LOOK: Duration = Duration::from_millis(50);
/// Maximum number of checks for the answers: a request waits for them at most about 1.5 seconds.
const LOOKS: u32 = 30;

pub(super) fn preset(
    actor: Actor,
    request: PresetRoundRequest,
    defaults: &Defaults,
) -> Result<RoundRequest> {
    let named = match request.control.as_str() {
        "" => None,
        text => Some(control(text)?),
    };
    let work = RoundWork::Preset(Box::new(PresetWith {
        control: named,
        again: request.again,
        fallback: control(&defaults.control)?,
        start: defaults.start,
        after_flag: defaults.after_flag,
    }));
    asked(actor, request.scope, request.reason, request.dry_run, work)
}

pub(super) fn start(actor: Actor, request: StartRoundRequest) -> Result<RoundRequest> {
    let work = RoundWork::Start;
    asked(actor, request.scope, request.reason, request.dry_run, work)
}

fn asked(
    actor: Actor,
    wanted: Option<RoundScope>,
    reason: String,
    dry_run: bool,
    work: RoundWork,
) -> Result<RoundRequest> {
    let (round, scope) = scope(wanted)?;
    Ok(RoundRequest {
        actor,
        round,
        scope,
        reason: requests::reason(reason).map_err(malformed)?,
        dry_run,
        work,
    })
}

/// Carries out a request, and waits briefly for the answers of connected clocks.
pub(super) async fn work(parts: &Parts, request: RoundRequest) -> Result<RoundReply> {
    let look = RoundRequest {
        dry_run: true,
        ..request.clone()
    };
    let mut answer = ask(parts, request).await?;
    for _ in 0..LOOKS {
        let waits = |board: &BoardWork| board.state == WorkState::OnItsWay;
        if !answer.boards.iter().any(waits) {
            break;
        }
        tokio::time::sleep(LOOK).await;
        answer = seen(answer, ask(parts, look.clone()).await?);
    }
    Ok(messages::round::reply(answer))
}

/// Replaces the boards that were still pending in `before` with their state in the later answer `now`.
fn seen(before: RoundAnswer, now: RoundAnswer) -> RoundAnswer {
    let boards = before.boards.into_iter().zip(now.boards);
    let boards = boards.map(|(before, now)| {
        let pending = before.state == WorkState::OnItsWay;
        if pending { now } else { before }
    });
    RoundAnswer {
        version: now.version,
        control: now.control,
        boards: boards.collect(),
    }
}

async fn ask(parts: &Parts, request: RoundRequest) -> Result<RoundAnswer> {
    parts.hub.ask(request).await.map_err(refusal)
}

fn scope(scope: Option<RoundScope>) -> Result<(RoundNo, Scope)> {
    let scope = scope.unwrap_or_default();
    let number = |number: u32, what: &str| {
        u16::try_from(number)
            .ok()
            .filter(|number| *number > 0)
            .ok_or_else(|| Status::invalid_argument(format!("{number} is not a {what} number")))
    };
    let which = match scope.which {
        None => Scope::All,
        Some(Which::Sector(name)) => Scope::Sector(name),
        Some(Which::Board(board)) => Scope::Board(BoardNo(number(board, "board")?)),
    };
    Ok((RoundNo(number(scope.round, "round")?), which))
}

fn control(text: &str) -> Result<TimeControl> {
    text.parse().map_err(|error: NotationError| {
        malformed(BadInput::Control {
            written: text.to_owned(),
            why: error.to_string(),
        })
    })
}
