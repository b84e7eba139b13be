//! Sets and starts a round's clocks for arbiters' programs. Owns the time that a call waits for the answers of connected clocks; the hall
//! carries out the request.

use std::time::Duration;

use proto::grpc::round_scope::Which;
use proto::grpc::{PresetRoundRequest, RoundReply, RoundScope, StartRoundRequest};
use timing::Side;
use timing::presets::Preset;
use tonic::{Result, Status};

use crate::api::service::refusal;
use crate::api::status::malformed;
use crate::api::{Defaults, ServiceContext, messages, requests};
use hall::{BoardWork, PresetWith, RoundRequest, RoundStatus, RoundWork, WorkState};
use tournament::{Actor, BoardNo, RoundNo, Scope};

const CHECK_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum number of checks, so that a request waits at most about 1.5 seconds for the answers of connected clocks.
const MAX_CHECKS: u32 = 30;

pub(super) fn preset(
    actor: Actor,
    request: PresetRoundRequest,
    defaults: &Defaults,
) -> Result<RoundRequest> {
    let control = |text: &str| requests::control(text).map_err(malformed);
    let (named, draw_odds) = match request.control.as_str() {
        "" => (None, defaults.draw_odds),
        text => (Some(control(text)?), odds_of_preset(text)),
    };
    let work = RoundWork::Preset(Box::new(PresetWith {
        control: named,
        draw_odds,
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

pub(super) async fn work(parts: &ServiceContext, request: RoundRequest) -> Result<RoundReply> {
    let look = RoundRequest {
        dry_run: true,
        ..request.clone()
    };
    let mut answer = ask(parts, request).await?;
    for _ in 0..MAX_CHECKS {
        let waits = |board: &BoardWork| board.state == WorkState::OnItsWay;
        if !answer.boards.iter().any(waits) {
            break;
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
        answer = seen(answer, ask(parts, look.clone()).await?);
    }
    Ok(messages::round::reply(answer))
}

/// Replaces the boards that were still pending in `before` with their state in the later answer `now`.
fn seen(before: RoundStatus, now: RoundStatus) -> RoundStatus {
    let boards = before.boards.into_iter().zip(now.boards);
    let boards = boards.map(|(before, now)| {
        let pending = before.state == WorkState::OnItsWay;
        if pending { now } else { before }
    });
    RoundStatus {
        version: now.version,
        control: now.control,
        boards: boards.collect(),
    }
}

async fn ask(parts: &ServiceContext, request: RoundRequest) -> Result<RoundStatus> {
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

fn odds_of_preset(control: &str) -> Option<Side> {
    Preset::named(control).and_then(|preset| preset.draw_odds)
}
