//! Commands that wait for a second arbiter: their list and the decisions about them. Decides whether another arbiter is enrolled; the hall
//! measures the commands and keeps those that wait.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::BoxStream;
use proto::grpc::{
    self as wire, DecideHeldReply, DecideHeldRequest, HeldCommands, HeldDecision, HeldEffect,
};
use proto::ids::CommandId;
use tokio_stream::wrappers::WatchStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::status::{refusal, refused};
use super::{Parts, devices};
use crate::identity::{Arbiter, Device, IdentityError, Role, random};
use hall::{
    Actor, Answer, DecideHeld, Denied, HeldCommand, HoldRevocation, Limited, Request,
    TournamentAnswer, TournamentRequest,
};

/// Sends a command to the hall; beside another enrolled arbiter, a great one waits.
pub(super) async fn command(parts: &Parts, request: Request) -> Result<Answer, Denied> {
    match parts.sessions.has_second_arbiter() {
        true => parts.hub.ask(Limited(request)).await,
        false => parts.hub.ask(request).await,
    }
}

/// Sends changes of the event to the hall; beside another enrolled arbiter, great ones wait.
pub(super) async fn change(
    parts: &Parts,
    request: TournamentRequest,
) -> Result<TournamentAnswer, Denied> {
    match parts.sessions.has_second_arbiter() {
        true => parts.hub.ask(Limited(request)).await,
        false => parts.hub.ask(request).await,
    }
}

/// Holds the revocation of a chief arbiter's device, if another arbiter must confirm it. Chief arbiters revoke their own devices at once.
///
/// # Errors
/// FAILED_PRECONDITION with SECOND_NEEDED if the revocation waits.
pub(super) async fn revocation(
    parts: &Parts,
    device: &Device,
    actor: Actor,
    reason: &str,
) -> Result<(), Status> {
    let Arbiter { name, role, .. } = &device.arbiter;
    let own = *name == actor.name;
    let needed = parts.second_devices && *role == Role::Chief && device.revoked.is_none();
    if !needed || own || !parts.sessions.has_second_arbiter_beside(name) {
        return Ok(());
    }
    let id = random().map_err(|error: IdentityError| Status::unavailable(error.to_string()))?;
    let request = HoldRevocation {
        id: CommandId(id),
        actor,
        reason: reason.to_owned(),
        device: device.id().to_string(),
        name: name.clone(),
    };
    let waits = parts.hub.ask(request).await.map_err(refusal)?;
    Err(refused(&waits))
}

/// Decides a waiting command, and carries out what the hall cannot.
pub(super) async fn decide(
    parts: &Parts,
    request: &DecideHeldRequest,
    actor: Actor,
) -> Result<DecideHeldReply, Status> {
    let id = CommandId::try_from(request.id.as_slice())
        .map_err(|error| Status::invalid_argument(format!("id: {error}")))?;
    let confirm = match request.decision() {
        HeldDecision::Confirm => true,
        HeldDecision::Decline => false,
        HeldDecision::Unspecified => {
            return Err(Status::invalid_argument(
                "say whether to confirm or decline",
            ));
        }
    };
    let decision = DecideHeld { id, actor, confirm };
    let decided = parts.hub.ask(decision).await.map_err(refusal)?;
    if let Some(revocation) = decided.revocation {
        let HoldRevocation {
            device,
            actor,
            reason,
            ..
        } = revocation;
        devices::revoke(parts.sessions.clone(), device, actor.name, reason).await?;
    }
    let refusal = decided.refusal.map(|why| why.text().to_owned());
    Ok(DecideHeldReply {
        refusal: refusal.unwrap_or_default(),
        pending: decided.pending,
    })
}

pub(super) fn list(parts: &Parts) -> HeldCommands {
    message(&parts.hub.live().held())
}

/// Streams the waiting commands, now and after every change, until the hub shuts down.
pub(super) fn follow(
    parts: &Arc<Parts>,
    ending: CancellationToken,
) -> BoxStream<'static, Result<HeldCommands, Status>> {
    WatchStream::new(parts.hub.live().follow_held())
        .map(|held| Ok(message(&held)))
        .take_until(ending.cancelled_owned())
        .boxed()
}

fn message(held: &[HeldCommand]) -> HeldCommands {
    HeldCommands {
        commands: held.iter().map(one).collect(),
    }
}

fn one(held: &HeldCommand) -> wire::HeldCommand {
    let (effect, number, name) = match &held.effect {
        hall::HeldEffect::Time(_) => (HeldEffect::Time, 0, ""),
        hall::HeldEffect::Pairings(games) => (HeldEffect::Pairings, *games, ""),
        hall::HeldEffect::Event(name) => (HeldEffect::Event, 0, name.as_str()),
        hall::HeldEffect::Device(name) => (HeldEffect::Device, 0, name.as_str()),
    };
    wire::HeldCommand {
        id: held.id.0.to_vec(),
        effect: effect.into(),
        actor: held.actor.name.clone(),
        board: super::messages::text(held.board.as_ref()),
        text: held.effect.to_string(),
        reason: held.reason.clone(),
        since_us: held.since.as_micros(),
        number,
        name: name.to_owned(),
    }
}
